//! What the names of a problem file stand for: numbers in a frame, lists and pairs beside it.
//!
//! Numbers that an item reads, `for` names, and what a template may say have a slot in one frame. Lists and
//! pairs are parameters in the sense of rules, so that expressions evaluate in problem files as they do
//! everywhere. A list is indexed as its declaration says (`A[1..N]` begins with `A[1]`): the first index is
//! subtracted when an expression is resolved.

use std::collections::HashMap;
use std::sync::Arc;

use grundy_rule::ast::{self, ParamType};
use grundy_rule::expr::{AtomKind, Cond, Expr, Op, ParamId, Set, Slot};
use grundy_rule::resolve::{self, Binding, Scope};
use grundy_rule::rule::{Param, Value};
use grundy_rule::{Diagnostic, Span};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A number.
    Number(Slot),
    /// A list, or pairs.
    List(ParamId),
    /// A string.
    Text(usize),
    /// `from`, `to`: a number alone, a list with an index.
    Both(Slot, ParamId),
}

/// The names in scope while a problem file is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    meanings: HashMap<String, Meaning>,
    /// How many slots have been given out.
    pub(super) slots: usize,
    /// The lists and pairs, without values.
    pub(super) lists: Vec<Param>,
    /// For each list the expression of its first index.
    pub(super) firsts: Vec<Expr>,
    /// Whether an expression or a place mentions the list.
    pub(super) used: Vec<bool>,
    /// Whether an expression mentions the list.
    pub(super) evaluated: Vec<bool>,
    /// How many strings there are.
    pub(super) texts: usize,
    /// Pairs with their columns.
    pub(super) rows: Vec<(ParamId, [ParamId; 2])>,
}

/// A name that cannot be written: the list behind `from[i]` and `to[i]`.
fn indexed(name: &str) -> String {
    format!("{name}[]")
}

impl Names {
    pub(super) fn get(&self, name: &str) -> Option<Meaning> {
        self.meanings.get(name).copied()
    }

    /// Gives a name a meaning; a former one is hidden.
    pub(super) fn set(&mut self, name: &str, meaning: Meaning) {
        self.meanings.insert(name.to_string(), meaning);
    }

    /// Gives a name its former meaning back.
    pub(super) fn restore(&mut self, name: &str, meaning: Option<Meaning>) {
        match meaning {
            Some(meaning) => self.set(name, meaning),
            None => {
                self.meanings.remove(name);
            }
        }
    }

    /// The columns of pairs; `None` for a plain list.
    pub(super) fn columns_of(&self, list: ParamId) -> Option<[ParamId; 2]> {
        self.rows.iter().find(|(pairs, _)| *pairs == list).map(|(_, columns)| *columns)
    }

    /// A new slot.
    pub(super) fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    /// A new name for a number.
    pub(super) fn number(&mut self, name: &str) -> Slot {
        let slot = self.slot();
        self.set(name, Meaning::Number(slot));
        slot
    }

    /// A new list (or pairs) that begins with index `first`; the name is not set.
    pub(super) fn list(&mut self, name: &str, ty: ParamType, first: Expr) -> ParamId {
        let value = match ty {
            ParamType::Pairs => Value::Pairs(Arc::default()),
            ParamType::Number | ParamType::Set | ParamType::List => Value::List(Vec::new()),
        };
        self.lists.push(Param { name: name.to_string(), ty, value: Some(value) });
        self.firsts.push(first);
        self.used.push(false);
        self.evaluated.push(false);
        self.lists.len() - 1
    }

    /// `from` or `to`: its slot and its list.
    pub(super) fn both(&mut self, name: &str) -> (Slot, ParamId) {
        let list = self.list(name, ParamType::List, Expr::Const(0));
        let slot = self.slot();
        self.set(name, Meaning::Both(slot, list));
        (slot, list)
    }

    /// Resolves an expression.
    pub(super) fn expr(&mut self, ast: &ast::Expr) -> Result<Expr, Diagnostic> {
        let ast = mark_indexed(ast, self);
        let mut expr = resolve::expr(&ast, self)?;
        self.shift(&mut expr);
        Ok(expr)
    }

    /// Resolves a set.
    pub(super) fn set_of(&mut self, ast: &ast::Set) -> Result<Set, Diagnostic> {
        let mut set = resolve::set(ast, self)?;
        self.shift_set(&mut set);
        Ok(set)
    }

    /// Resolves a condition.
    pub(super) fn cond(&mut self, ast: &ast::Cond) -> Result<Cond, Diagnostic> {
        let mut cond = resolve::cond(ast, self)?;
        self.shift_cond(&mut cond);
        Ok(cond)
    }

    /// `A[i]` becomes the item `i - first` of the list.
    fn shift(&self, expr: &mut Expr) {
        match expr {
            Expr::Const(_) | Expr::Slot(_) | Expr::Param(_) | Expr::Len(_) => {}
            Expr::Item(list, index) => {
                self.shift(index);
                let first = &self.firsts[*list];
                if *first != Expr::Const(0) {
                    let old = std::mem::replace(&mut **index, Expr::Const(0));
                    **index = Expr::Binary(Op::Sub, Box::new(old), Box::new(first.clone()));
                }
            }
            Expr::Neg(a) | Expr::Grundy(a) => self.shift(a),
            Expr::Binary(_, a, b) => {
                self.shift(a);
                self.shift(b);
            }
            Expr::Call(_, all) => all.iter_mut().for_each(|e| self.shift(e)),
        }
    }

    fn shift_set(&self, set: &mut Set) {
        match set {
            Set::List(all) | Set::Named(_, all) => all.iter_mut().for_each(|e| self.shift(e)),
            Set::Range(lo, hi) => {
                self.shift(lo);
                if let Some(hi) = hi {
                    self.shift(hi);
                }
            }
            Set::Param(_) => {}
        }
    }

    fn shift_cond(&self, cond: &mut Cond) {
        match cond {
            Cond::And(all) | Cond::Or(all) => all.iter_mut().for_each(|c| self.shift_cond(c)),
            Cond::Not(c) => self.shift_cond(c),
            Cond::Atom(atom) => match &mut atom.kind {
                AtomKind::Rel(a, _, b) | AtomKind::PairIn(a, b, _, _) | AtomKind::Divides(a, _, b) => {
                    self.shift(a);
                    self.shift(b);
                }
                AtomKind::In(a, _, set) => {
                    self.shift(a);
                    self.shift_set(set);
                }
            },
        }
    }
}

impl Scope for Names {
    fn find(&mut self, name: &str) -> Option<Binding> {
        let mut list = |id: ParamId| {
            self.used[id] = true;
            self.evaluated[id] = true;
            Some(Binding::Param(id, self.lists[id].ty))
        };
        match self.meanings.get(name) {
            Some(Meaning::Number(slot) | Meaning::Both(slot, _)) => Some(Binding::Slot(*slot)),
            Some(Meaning::List(id)) => list(*id),
            Some(Meaning::Text(_)) => None,
            None => match self.meanings.get(name.strip_suffix("[]")?) {
                Some(Meaning::Both(_, id)) => list(*id),
                _ => None,
            },
        }
    }

    fn unknown(&mut self, name: &str, span: Span, _wanted: ParamType) -> Diagnostic {
        let name = name.trim_end_matches("[]");
        let said = Diagnostic::error("unknown-name", span, format!("`{name}` is not known here"));
        match self.meanings.get(name) {
            Some(Meaning::Text(_)) => said.help(format!("`{name}` is a string: `runs({name}, \"...\")`")),
            _ => said.help("names that an item reads are known after it"),
        }
    }
}

/// Gives `from[i]` and `to[i]` the name of the list.
fn mark_indexed(expr: &ast::Expr, names: &Names) -> ast::Expr {
    use ast::ExprKind;
    let kind = match &expr.kind {
        ExprKind::Index(name, index) => {
            let mut name = name.clone();
            if matches!(names.get(&name.text), Some(Meaning::Both(..))) {
                name.text = indexed(&name.text);
            }
            ExprKind::Index(name, Box::new(mark_indexed(index, names)))
        }
        ExprKind::Call(name, all) => {
            ExprKind::Call(name.clone(), all.iter().map(|e| mark_indexed(e, names)).collect())
        }
        ExprKind::Neg(a) => ExprKind::Neg(Box::new(mark_indexed(a, names))),
        ExprKind::Binary(op, a, b) => {
            ExprKind::Binary(*op, Box::new(mark_indexed(a, names)), Box::new(mark_indexed(b, names)))
        }
        ExprKind::Number(_) | ExprKind::Name(_) => expr.kind.clone(),
    };
    ast::Expr { kind, span: expr.span }
}
