//! The whole rule: kinds, parameters, lines.

use std::collections::{HashMap, HashSet};

use crate::argument::Argument;
use crate::ast::{self, CondKind, File, ParamType, Part, Production};
use crate::bounds;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Cond, Int, ParamId};
use crate::heap::KindId;
use crate::parser::{self, Loss};
use crate::resolve::line::{Context, resolve_line};
use crate::resolve::names::{self, Use};
use crate::resolve::{Binding, Scope, params};
use crate::rule::{Kind, Param, Rule, Value};

/// The kinds with their numbers.
pub(super) struct Kinds {
    pub(super) list: Vec<Kind>,
    by_name: HashMap<(Option<String>, usize), KindId>,
}

impl Kinds {
    /// The kind of a heap with that name and so many entries.
    pub(super) fn find(&self, name: Option<&str>, arity: usize) -> Option<KindId> {
        self.by_name.get(&(name.map(str::to_string), arity)).copied()
    }

    /// First pass: what stands on a left side is a kind; numbered in the order of first mention.
    fn collect(file: &File, errors: &mut Vec<Diagnostic>) -> Kinds {
        let left = |p: &Production| (p.kind.as_ref().map(|k| k.text.clone()), p.entries.len());
        let lefts: HashSet<(Option<String>, usize)> = file.productions.iter().map(left).collect();
        let mut kinds = Kinds { list: Vec::new(), by_name: HashMap::new() };
        let mut mentioned = Vec::new();
        for production in &file.productions {
            if let Some(name) = &production.kind {
                errors.extend(params::reserved(&name.text, name.span, "a kind"));
            }
            mentioned.push((left(production), production.left_span));
            for sum in &production.alternatives {
                heaps(&sum.parts, &mut mentioned);
            }
        }
        for (key, span) in mentioned {
            if !lefts.contains(&key) || kinds.by_name.contains_key(&key) {
                continue;
            }
            let Ok(id) = u16::try_from(kinds.list.len()) else {
                errors.push(Diagnostic::error("size", span, "more than 65536 kinds of heaps"));
                break;
            };
            kinds.list.push(Kind { name: key.0.clone(), arity: key.1 });
            kinds.by_name.insert(key, KindId(id));
        }
        kinds
    }
}

type Mentioned = ((Option<String>, usize), Span);

fn heaps(parts: &[Part], out: &mut Vec<Mentioned>) {
    for part in parts {
        match part {
            Part::Heap(heap) => {
                out.push(((heap.kind.as_ref().map(|k| k.text.clone()), heap.entries.len()), heap.span));
            }
            Part::List(body, ..) => heaps(body, out),
        }
    }
}

/// Gives every name of the file its meaning.
///
/// `source` is the text that the file was read from; `args` are the values that the caller gives, in their order.
///
/// # Errors
/// All errors and warnings, in the order of the text. `Ok` carries warnings only.
pub fn resolve(
    file: &File,
    source: &str,
    args: &[(String, Argument)],
) -> Result<(Rule, Vec<Diagnostic>), Vec<Diagnostic>> {
    resolve_with(file, source, args.to_vec())
}

/// The same, but the values become the rule's own: there may be millions of pairs.
fn resolve_with(
    file: &File,
    source: &str,
    args: Vec<(String, Argument)>,
) -> Result<(Rule, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut said = Vec::new();
    let params = params::params(file, args, &mut said);
    let kinds = Kinds::collect(file, &mut said);
    let header = file.header.as_ref();
    let coins = header.is_some_and(|h| h.coins);
    let name = header.and_then(|h| h.name.as_ref()).map(|n| n.text.clone());
    let param_cond = param_cond(file, &params, &mut said);
    let by_name: HashMap<&str, ParamId> =
        params.iter().enumerate().map(|(i, p)| (p.name.as_str(), i)).collect();
    let context =
        Context { source, params: &params, by_name: &by_name, kinds: &kinds, coins, name: name.as_deref() };
    let mut lines = Vec::with_capacity(file.productions.len());
    for production in &file.productions {
        lines.extend(resolve_line(production, &context, &mut said));
    }
    if file.productions.is_empty() {
        let span = header.map_or(Span::new(0, source.len()), |h| h.span);
        said.push(
            Diagnostic::error("missing-left", span, "there is no line")
                .help("a line says what one move makes of a heap: `n -> n - 1`"),
        );
    }
    let rule = Rule {
        source: source.to_string(),
        name,
        misere: header.is_some_and(|h| h.misere),
        loopy: header.is_some_and(|h| h.loopy),
        coins,
        kinds: kinds.list,
        params,
        param_cond,
        lines,
    };
    let said = in_order(said);
    if said.iter().any(Diagnostic::is_error) { Err(said) } else { Ok((rule, said)) }
}

/// Sorted by place, each once.
fn in_order(mut said: Vec<Diagnostic>) -> Vec<Diagnostic> {
    said.sort_by_key(|d| (d.span.start, d.span.end));
    let mut seen: HashSet<(&'static str, Span, String)> = HashSet::new();
    said.retain(|d| seen.insert((d.id, d.span, d.message.clone())));
    said
}

/// Only parameters, for the condition of the header.
struct HeaderScope<'a> {
    params: &'a [Param],
    name: Option<&'a str>,
}

impl Scope for HeaderScope<'_> {
    fn find(&mut self, name: &str) -> Option<Binding> {
        let found = self.params.iter().position(|p| p.name == name)?;
        Some(Binding::Param(found, self.params[found].ty))
    }

    fn unknown(&mut self, name: &str, span: Span, _: ParamType) -> Diagnostic {
        let game = self.name.unwrap_or("x");
        Diagnostic::error("unknown-name", span, format!("`{name}` is no parameter"))
            .help(format!("the header speaks about its parameters only: `game {game}({name})`"))
    }

    fn param_at_least(&self, param: ParamId) -> Option<Int> {
        least_value(&self.params[param])
    }
}

/// The least value that a number parameter can have: its value, or 0 as long as it has none (an evaluation needs
/// the value, and then the rule is resolved with it).
pub(super) fn least_value(param: &Param) -> Option<Int> {
    match &param.value {
        Some(Value::Number(value)) => Some(*value),
        None if param.ty == ParamType::Number => Some(0),
        _ => None,
    }
}

fn param_cond(file: &File, params: &[Param], said: &mut Vec<Diagnostic>) -> Cond {
    let Some(header) = &file.header else { return Cond::always() };
    let Some(tree) = &header.cond else { return Cond::always() };
    let mut scope = HeaderScope { params, name: header.name.as_ref().map(|n| n.text.as_str()) };
    let parts = match &tree.kind {
        CondKind::And(parts) => parts.as_slice(),
        _ => std::slice::from_ref(tree),
    };
    let mut resolved = Vec::with_capacity(parts.len());
    for part in parts {
        match super::cond(part, &mut scope) {
            Ok(cond) => {
                said.extend(violated(part, &cond, params));
                resolved.push(cond);
            }
            Err(error) => said.push(error),
        }
    }
    super::all(resolved)
}

/// Says so if the values given contradict a part of the header's condition.
fn violated(part: &ast::Cond, cond: &Cond, params: &[Param]) -> Option<Diagnostic> {
    let mut mentions = Vec::new();
    names::in_cond(part, &mut mentions);
    let mut values = Vec::new();
    for mention in &mentions {
        let Some(param) = params.iter().find(|p| p.name == mention.name) else { continue };
        match &param.value {
            None => return None,
            Some(Value::Number(value)) => values.push(format!("{} = {value}", param.name)),
            Some(_) => {}
        }
    }
    let message = match cond.eval(&[], params) {
        Ok(true) => return None,
        Ok(false) if values.is_empty() => format!("the values given do not satisfy `{part}`"),
        Ok(false) => {
            values.dedup();
            format!("{} does not satisfy `{part}`", values.join(", "))
        }
        Err(error) => format!("`{part}` cannot be evaluated: {error}"),
    };
    Some(Diagnostic::error("parameter", part.span, message))
}

impl Rule {
    /// Reads a rule: [`parser::parse_file`], [`resolve`], and the check that every variable is bounded.
    ///
    /// Whether play ends is another question (`ends`), which only those ask who need it. `Ok` carries warnings.
    ///
    /// # Errors
    /// All that is wrong, in the order of the text; never empty.
    ///
    /// ```
    /// use grundy_rule::{Rule, argument::Argument};
    /// let (rule, warnings) = Rule::parse("n -> n - t where t in 1..k", &[("k".into(), Argument::Number(3))]).unwrap();
    /// assert_eq!((rule.lines.len(), rule.params.len(), warnings.len()), (1, 1, 0));
    /// let errors = Rule::parse("n => n - t where t in 1..k", &[]).unwrap_err();
    /// assert_eq!(errors.iter().map(|e| e.id).collect::<Vec<_>>(), ["habit", "unknown-name"]);
    /// ```
    pub fn parse(
        source: &str,
        args: &[(String, Argument)],
    ) -> Result<(Rule, Vec<Diagnostic>), Vec<Diagnostic>> {
        Rule::parse_with(source, args.to_vec())
    }

    /// The same, but the values become the rule's own and are not copied: there may be millions of pairs.
    ///
    /// # Errors
    /// As for [`Rule::parse`].
    pub fn parse_with(
        source: &str,
        args: Vec<(String, Argument)>,
    ) -> Result<(Rule, Vec<Diagnostic>), Vec<Diagnostic>> {
        let (file, mut said, loss) = parser::parse_file_marked(source);
        if loss == Loss::Header {
            // Its parameters would be missed everywhere.
            return Err(said);
        }
        match resolve_with(&file, source, args) {
            Err(errors) if loss == Loss::Lines => {
                // What may only follow from a line that is missing is not said.
                let follows =
                    |e: &Diagnostic| matches!(e.id, "no-rule" | "missing-left") || e.span == Span::default();
                said.extend(errors.into_iter().filter(|error| !follows(error)));
                Err(in_order(said))
            }
            Ok((rule, warnings)) => {
                said.extend(warnings);
                said.extend(bounds::check(&rule));
                let said = in_order(said);
                if said.iter().any(Diagnostic::is_error) { Err(said) } else { Ok((rule, said)) }
            }
            Err(errors) => {
                said.extend(errors);
                Err(in_order(said))
            }
        }
    }
}

/// The names that stand for numbers, in the order of first mention, without those bound by `for`.
pub(super) fn number_names<'a>(mentions: &[names::Mention<'a>]) -> Vec<(&'a str, Span)> {
    let mut seen = HashSet::new();
    let numbers = mentions.iter().filter(|m| m.used == Use::Number);
    numbers.filter(|m| seen.insert(m.name)).map(|m| (m.name, m.span)).collect()
}
