//! One line: its variables, what each alternative leaves, and its branches.

use std::collections::{HashMap, HashSet};

use crate::ast::{self, Cond as Tree, CondKind, Entry, ExprKind, ParamType, Production, RelOp};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Atom, AtomKind, Cond, Expr, Int, NamedSet, ParamId, Set, Slot};
use crate::resolve::names::{self, Mention};
use crate::resolve::rule::{Kinds, least_value, number_names};
use crate::resolve::variables::{foreign, hidden, introduced};
use crate::resolve::{Binding, Scope, advice, branches, cond, expr, set};
use crate::rule::{Alternative, Branch, HeapExpr, Line, Param, Part, Variable};

/// What a line needs to know of the rest.
pub(super) struct Context<'a> {
    pub(super) source: &'a str,
    pub(super) params: &'a [Param],
    pub(super) by_name: &'a HashMap<&'a str, ParamId>,
    pub(super) kinds: &'a Kinds,
    pub(super) coins: bool,
    pub(super) name: Option<&'a str>,
}

impl<'a> Context<'a> {
    pub(super) fn text(&self, span: Span) -> &'a str {
        self.source.get(span.start..span.end).unwrap_or("")
    }
}

/// Alternatives times mentions in the condition they share: each alternative carries its own copy.
const COPIES: usize = 1_000_000;

/// The names of one alternative.
struct LineScope<'a> {
    context: &'a Context<'a>,
    slots: HashMap<&'a str, Slot>,
    /// Slots below are entries and variables.
    naturals: usize,
    /// Names worth suggesting.
    near: &'a [&'a str],
}

impl Scope for LineScope<'_> {
    fn find(&mut self, name: &str) -> Option<Binding> {
        if let Some(slot) = self.slots.get(name) {
            return Some(Binding::Slot(*slot));
        }
        let param = *self.context.by_name.get(name)?;
        Some(Binding::Param(param, self.context.params[param].ty))
    }

    fn unknown(&mut self, name: &str, span: Span, wanted: ParamType) -> Diagnostic {
        unknown_name(name, span, wanted, self.near, self.context.name)
    }

    fn is_natural(&self, slot: Slot) -> bool {
        slot < self.naturals
    }

    fn param_at_least(&self, param: ParamId) -> Option<Int> {
        least_value(&self.context.params[param])
    }
}

fn unknown_name(name: &str, span: Span, wanted: ParamType, near: &[&str], game: Option<&str>) -> Diagnostic {
    if let Some(meant) = names::nearest(name, near.iter().copied()) {
        let message = format!("`{name}` is no entry, parameter or introduced name");
        return Diagnostic::error("unknown-name", span, message)
            .help(format!("`{meant}`"))
            .patch(span, meant);
    }
    let example = match wanted {
        ParamType::Number => "3",
        ParamType::Set => "2,5,7",
        ParamType::List => "[1,1,2]",
        ParamType::Pairs => "(0,1),(0,2)",
    };
    let game = game.unwrap_or("x");
    Diagnostic::error("unknown-name", span, format!("`{name}` has no value")).help(format!(
        "give it one after the rule, `{name}={example}`, or name it in the header, `game {game}({name})`"
    ))
}

/// Resolves a line; `None` if something is wrong with it.
pub(super) fn resolve_line(line: &Production, context: &Context, said: &mut Vec<Diagnostic>) -> Option<Line> {
    let before = said.iter().filter(|d| d.is_error()).count();
    let entries = entries(line, context, said);
    let mut cond_mentions = Vec::new();
    line.cond.iter().for_each(|tree| names::in_cond(tree, &mut cond_mentions));
    if line.alternatives.len().saturating_mul(cond_mentions.len() + 1) > COPIES {
        let message = "too many alternatives for so long a condition";
        said.push(Diagnostic::error("size", line.left_span, message).help("write them as several lines"));
        return None;
    }
    let mut alternative_mentions = Vec::new();
    for sum in &line.alternatives {
        let mut mentions = Vec::new();
        names::in_parts(&sum.parts, &mut mentions);
        alternative_mentions.push(mentions);
    }
    let fixed = |name: &str| entries.contains_key(name) || context.by_name.contains_key(name);
    let ranging = |mentions: &[Mention<'_>]| -> HashSet<String> {
        let names = number_names(mentions).into_iter().filter(|(name, _)| !fixed(name));
        names.map(|(name, _)| name.to_string()).collect()
    };
    let variables: Vec<HashSet<String>> = alternative_mentions.iter().map(|m| ranging(m)).collect();
    let of_cond = number_names(&cond_mentions);
    for (i, mentions) in alternative_mentions.iter().enumerate() {
        hidden(mentions, &variables[i], &of_cond, &fixed, said);
    }
    foreign(line, &alternative_mentions, &variables, context, said);

    // Names worth suggesting: all that may stand in the condition.
    let mut everywhere: HashSet<&str> = HashSet::new();
    variables.iter().for_each(|set| everywhere.extend(set.iter().map(String::as_str)));
    let alone: Vec<(&str, Span)> =
        of_cond.iter().filter(|(name, _)| !fixed(name) && !everywhere.contains(name)).copied().collect();
    let introduced_here = |name: &str| line.cond.as_ref().is_some_and(|tree| introduced(tree, name, false));
    let mut near: Vec<&str> = entries.keys().copied().collect();
    near.extend(context.params.iter().map(|p| p.name.as_str()));
    near.extend(everywhere.iter().copied());
    let (known, unknown): (Vec<_>, Vec<_>) = alone.into_iter().partition(|(name, _)| introduced_here(name));
    near.extend(known.iter().map(|(name, _)| *name));
    near.sort_unstable();
    for (name, span) in unknown {
        said.push(unknown_name(name, span, ParamType::Number, &near, context.name));
    }

    let kind = context.kinds.find(line.kind.as_ref().map(|k| k.text.as_str()), line.entries.len());
    advice::advise(line, context, &|name| !context.by_name.contains_key(name), said);
    if said.iter().filter(|d| d.is_error()).count() > before {
        // The rest of the line may still have its own faults, but names have lost their meaning.
        let mut rest = Builder { context, near: &near, line, said };
        rest.heaps_only();
        return None;
    }
    let mut alternatives = Vec::new();
    for (sum, mentions) in line.alternatives.iter().zip(&alternative_mentions) {
        let mut mentions = mentions.clone();
        mentions.extend(cond_mentions.iter().copied());
        let mut builder = Builder { context, near: &near, line, said };
        alternatives.extend(builder.alternative(sum, &entries, &mentions));
    }
    if said.iter().filter(|d| d.is_error()).count() > before {
        return None;
    }
    let pattern =
        line.entries.iter().map(|e| if let Entry::Number(value, _) = e { Some(*value) } else { None });
    let entry_name = |e: &Entry| if let Entry::Name(name) = e { name.text.clone() } else { String::new() };
    Some(Line {
        player: line.player,
        kind: kind?,
        pattern: pattern.collect(),
        entry_names: line.entries.iter().map(entry_name).collect(),
        alternatives,
        span: line.span,
    })
}

/// The names on the left with their slots.
fn entries<'a>(
    line: &'a Production,
    context: &Context,
    said: &mut Vec<Diagnostic>,
) -> HashMap<&'a str, Slot> {
    let mut out = HashMap::new();
    for (slot, entry) in line.entries.iter().enumerate() {
        let Entry::Name(name) = entry else { continue };
        let text = name.text.as_str();
        if context.by_name.contains_key(text) {
            let message = format!("`{text}` is a parameter, it cannot be an entry as well");
            said.push(Diagnostic::error("twice", name.span, message));
        } else if out.insert(text, slot).is_some() {
            let message = format!("`{text}` stands twice on the left");
            said.push(
                Diagnostic::error("twice", name.span, message)
                    .help("two names and a condition say the same: `(a, b) -> .. where a = b`"),
            );
        }
    }
    out
}

struct Builder<'a, 'b> {
    context: &'a Context<'a>,
    near: &'a [&'a str],
    line: &'a Production,
    said: &'b mut Vec<Diagnostic>,
}

impl<'a> Builder<'a, '_> {
    fn alternative(
        &mut self,
        sum: &'a ast::SumExpr,
        entries: &HashMap<&'a str, Slot>,
        mentions: &[Mention<'a>],
    ) -> Option<Alternative> {
        let arity = self.line.entries.len();
        let mut slots: HashMap<&str, Slot> = entries.clone();
        let mut variables = Vec::new();
        for (name, span) in number_names(mentions) {
            if !slots.contains_key(name) && !self.context.by_name.contains_key(name) {
                slots.insert(name, arity + variables.len());
                variables.push(Variable { name: name.to_string(), span });
            }
        }
        let naturals = arity + variables.len();
        let mut scope = LineScope { context: self.context, slots, naturals, near: self.near };
        let mut walk = Walk { next: naturals, bound: Vec::new(), bounded: Vec::new() };
        let parts = self.parts(&sum.parts, &mut scope, &mut walk);
        let cond = match &self.line.cond {
            Some(tree) => self.cond(tree, &mut scope),
            None => Some(Cond::always()),
        };
        let (parts, cond) = (parts?, cond?);
        let Some(found) = branches(&cond) else {
            let span = self.line.cond.as_ref().map_or(self.line.span, |tree| tree.span);
            let message = format!("this condition has more than {} cases", super::BRANCHES);
            self.said.push(Diagnostic::error("branches", span, message).help("write several lines"));
            return None;
        };
        let with_bounds = |mut atoms: Vec<Atom>| {
            atoms.extend(walk.bounded.iter().cloned());
            Branch { atoms }
        };
        let branches = found.into_iter().map(with_bounds).collect();
        let ending = sum.ending;
        Some(Alternative { variables, frame: walk.next, parts, ending, cond, branches, span: sum.span })
    }

    /// The condition, telling what is wrong with each of its parts.
    fn cond(&mut self, tree: &Tree, scope: &mut LineScope) -> Option<Cond> {
        let CondKind::And(parts) = &tree.kind else {
            return self.take(cond(tree, scope));
        };
        let resolved: Vec<Option<Cond>> = parts.iter().map(|part| self.cond(part, scope)).collect();
        Some(super::all(resolved.into_iter().collect::<Option<Vec<_>>>()?))
    }

    fn take<T>(&mut self, found: Result<T, Diagnostic>) -> Option<T> {
        found.map_err(|error| self.said.push(error)).ok()
    }

    fn parts(
        &mut self,
        parts: &'a [ast::Part],
        scope: &mut LineScope<'a>,
        walk: &mut Walk<'a>,
    ) -> Option<Vec<Part>> {
        let resolved: Vec<Option<Part>> = parts.iter().map(|part| self.part(part, scope, walk)).collect();
        resolved.into_iter().collect()
    }

    fn part(&mut self, part: &'a ast::Part, scope: &mut LineScope<'a>, walk: &mut Walk<'a>) -> Option<Part> {
        match part {
            ast::Part::Heap(heap) => self.heap(heap, scope, walk).map(Part::Heap),
            ast::Part::List(body, name, range, span) => {
                let range = self.take(set(range, scope));
                let bounded = walk.bounded.len();
                if walk.bound.contains(&name.text.as_str()) {
                    let message = format!("`{}` is the name of the list around it", name.text);
                    self.said.push(Diagnostic::error("hidden-name", name.span, message));
                    return None;
                }
                let slot = walk.next;
                walk.next += 1;
                walk.bound.push(&name.text);
                scope.slots.insert(&name.text, slot);
                let parts = self.parts(body, scope, walk);
                scope.slots.remove(name.text.as_str());
                walk.bound.pop();
                if !range.as_ref().is_some_and(has_member) {
                    // The list may be empty, and then its entries are none and need not be natural.
                    walk.bounded.truncate(bounded);
                }
                let mut mentions = Vec::new();
                names::in_parts(body, &mut mentions);
                let unrolled = mentions.iter().any(|m| m.name == name.text);
                Some(Part::List { parts: parts?, slot, set: range?, unrolled, span: *span })
            }
        }
    }

    fn heap(
        &mut self,
        heap: &'a ast::HeapExpr,
        scope: &mut LineScope<'a>,
        walk: &mut Walk<'a>,
    ) -> Option<HeapExpr> {
        if let Some(name) = &heap.kind
            && self.context.kinds.find(Some(&name.text), heap.entries.len()).is_none()
            && super::is_nearly_function(&name.text)
        {
            self.said.push(super::no_function(name));
            return None;
        }
        let kind = self.kind(heap);
        let mut entries = Vec::with_capacity(heap.entries.len());
        for tree in &heap.entries {
            let entry = self.take(expr(tree, scope))?;
            let mut mentions = Vec::new();
            if !walk.bound.is_empty() {
                names::in_expr(tree, &mut mentions);
            }
            if !mentions.iter().any(|m| walk.bound.contains(&m.name)) {
                let kind = AtomKind::Rel(Expr::Const(0), RelOp::Le, entry.clone());
                walk.bounded.push(Atom { kind, span: tree.span });
            }
            entries.push(entry);
        }
        self.own_coin(heap);
        Some(HeapExpr { kind: kind?, entries, span: heap.span })
    }

    /// Faults of the heaps themselves, when the names of the line are in disorder.
    fn heaps_only(&mut self) {
        let mut pending: Vec<&'a ast::Part> =
            self.line.alternatives.iter().flat_map(|sum| &sum.parts).collect();
        while let Some(part) = pending.pop() {
            match part {
                ast::Part::Heap(heap) => {
                    self.kind(heap);
                    self.own_coin(heap);
                }
                ast::Part::List(body, ..) => pending.extend(body),
            }
        }
    }

    /// Under `coins` the turned coin is removed by the move itself.
    fn own_coin(&mut self, heap: &ast::HeapExpr) {
        let same_kind = heap.kind.as_ref().map(|k| &k.text) == self.line.kind.as_ref().map(|k| &k.text);
        let same_entry = |(left, right): (&Entry, &ast::Expr)| match (left, &right.kind) {
            (Entry::Name(name), ExprKind::Name(other)) => name.text == *other,
            (Entry::Number(value, _), ExprKind::Number(other)) => value == other,
            _ => false,
        };
        if self.context.coins
            && same_kind
            && heap.entries.len() == self.line.entries.len()
            && self.line.entries.iter().zip(&heap.entries).all(same_entry)
        {
            let message = format!("`{}` is the turned coin itself", self.context.text(heap.span));
            self.said.push(
                Diagnostic::error("own-coin", heap.span, message)
                    .help("the move removes it anyway: name the other coins, or `nothing`"),
            );
        }
    }

    /// The kind of a heap; an error if no line moves it.
    fn kind(&mut self, heap: &ast::HeapExpr) -> Option<crate::heap::KindId> {
        let name = heap.kind.as_ref().map(|k| k.text.as_str());
        let arity = heap.entries.len();
        let kinds = self.context.kinds;
        if let Some(found) = kinds.find(name, arity) {
            return Some(found);
        }
        let texts: Vec<&str> = heap.entries.iter().map(|e| self.context.text(e.span)).collect();
        let inside = texts.join(", ");
        let known = |name: &str| kinds.list.iter().any(|k| k.name.as_deref() == Some(name));
        let error = match &heap.kind {
            Some(name) if !known(&name.text) => {
                let said =
                    Diagnostic::error("no-rule", name.span, format!("no line begins `{}( )`", name.text));
                let all = kinds.list.iter().filter_map(|k| k.name.as_deref());
                if let Some(near) = names::nearest(&name.text, all) {
                    said.help(format!("`{near}`")).patch(name.span, near)
                } else if kinds.find(None, arity).is_some() {
                    let plain = if arity == 1 { inside } else { format!("({inside})") };
                    said.help(format!("`{plain}`")).patch(heap.span, plain)
                } else {
                    said.help(format!("a line `{}(..) -> ..` says what may be done with it", name.text))
                }
            }
            _ => {
                let shown = self.context.text(heap.span);
                let said = Diagnostic::error("no-rule", heap.span, format!("no line moves a heap {shown}"));
                let mut named =
                    kinds.list.iter().filter(|k| k.arity == arity).filter_map(|k| k.name.as_deref());
                if arity > 1 && name.is_none() && kinds.find(None, 1).is_some() {
                    said.help(format!("two heaps are written without brackets: `{inside}`"))
                        .patch(heap.span, inside)
                } else if let (None, Some(only), None) = (name, named.next(), named.next()) {
                    let patch = format!("{only}({inside})");
                    said.help(format!("`{patch}`")).patch(heap.span, patch)
                } else {
                    said.help("a line with such a left side says what may be done with it")
                }
            }
        };
        self.said.push(error);
        None
    }
}

/// Whether the set has a member whatever the heap is.
fn has_member(set: &Set) -> bool {
    match set {
        Set::List(members) => !members.is_empty(),
        Set::Range(Expr::Const(low), Some(Expr::Const(high))) => low <= high,
        Set::Range(_, Some(_)) | Set::Param(_) => false,
        Set::Range(_, None) => true,
        Set::Named(name, _) => !matches!(name, NamedSet::Digits),
    }
}

/// State of a walk through the parts of one alternative.
struct Walk<'a> {
    /// The next free slot.
    next: Slot,
    /// The `for` names around.
    bound: Vec<&'a str>,
    /// `0 <= entry`.
    bounded: Vec<Atom>,
}
