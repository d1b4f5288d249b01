//! What is demanded of the names of a line: none is hidden, none is missing in an alternative, and each that stands
//! in the condition alone is introduced there.

use std::collections::HashSet;

use crate::ast::{self, Cond as Tree, CondKind, ExprKind, Production, RelOp};
use crate::diagnostic::{Diagnostic, Span};
use crate::resolve::line::Context;
use crate::resolve::names::{self, Mention, Use};
use crate::resolve::rule::number_names;

/// A `for` name may not be the name of anything else.
pub(super) fn hidden(
    mentions: &[Mention<'_>],
    variables: &HashSet<String>,
    of_cond: &[(&str, Span)],
    fixed: &dyn Fn(&str) -> bool,
    said: &mut Vec<Diagnostic>,
) {
    for mention in mentions.iter().filter(|m| m.used == Use::For) {
        let name = mention.name;
        if fixed(name) || variables.contains(name) || of_cond.iter().any(|(other, _)| *other == name) {
            let message = format!("`{name}` has a meaning already; the name after `for` must be new");
            said.push(
                Diagnostic::error("hidden-name", mention.span, message)
                    .help("it is known inside its brackets only, and hides no other name"),
            );
        }
    }
}

/// A variable of one alternative occurs in all of them.
pub(super) fn foreign(
    line: &Production,
    mentions: &[Vec<Mention<'_>>],
    variables: &[HashSet<String>],
    context: &Context,
    said: &mut Vec<Diagnostic>,
) {
    let Some((first, others)) = variables.split_first() else { return };
    for (i, other) in others.iter().enumerate() {
        if other == first {
            continue;
        }
        // Where the variable stands, and where it is missed.
        let extra = number_names(&mentions[i + 1])
            .into_iter()
            .find(|(name, _)| other.contains(*name) && !first.contains(*name))
            .map(|(name, span)| (name, span, 0));
        let missed = || {
            number_names(&mentions[0])
                .into_iter()
                .find(|(name, _)| first.contains(*name) && !other.contains(*name))
                .map(|(name, span)| (name, span, i + 1))
        };
        let Some((name, span, without)) = extra.or_else(missed) else { continue };
        let place = line.alternatives[without].span;
        let mut error = Diagnostic::error(
            "foreign-variable",
            span,
            format!("`{name}` is not in `{}`", context.text(place)),
        )
        .note(place, format!("`{name}` is not here"))
        .help("alternatives of one line share its condition; write a line for each");
        if variables.len() <= 8 {
            error = error.patch(line.span, split(line, variables, context));
        }
        said.push(error);
        return;
    }
}

/// The line as several, each with the parts of the condition that speak about its variables.
fn split(line: &Production, variables: &[HashSet<String>], context: &Context) -> String {
    let parts: Vec<&Tree> = match &line.cond {
        None => Vec::new(),
        Some(Tree { kind: CondKind::And(parts), .. }) => parts.iter().collect(),
        Some(other) => vec![other],
    };
    let mut lines = Vec::new();
    for (sum, own) in line.alternatives.iter().zip(variables) {
        let mut text = format!("{} -> {}", context.text(line.left_span), context.text(sum.span));
        let mut word = " where ";
        for part in &parts {
            let mut mentions = Vec::new();
            names::in_cond(part, &mut mentions);
            let of_others =
                |name: &str| variables.iter().any(|set| set.contains(name)) && !own.contains(name);
            if !mentions.iter().any(|m| of_others(m.name)) {
                text += word;
                text += context.text(part.span);
                word = ", ";
            }
        }
        lines.push(text);
    }
    lines.join("\n")
}

/// Whether the condition introduces the name in every branch: by `x in set`, `x = e` or membership in pairs.
pub(super) fn introduced(tree: &Tree, name: &str, negated: bool) -> bool {
    let is_name = |e: &ast::Expr| matches!(&e.kind, ExprKind::Name(n) if n == name);
    match &tree.kind {
        CondKind::Not(inner) => introduced(inner, name, !negated),
        CondKind::And(parts) if !negated => parts.iter().any(|part| introduced(part, name, negated)),
        CondKind::Or(parts) if negated => parts.iter().any(|part| introduced(part, name, negated)),
        CondKind::And(parts) | CondKind::Or(parts) => {
            parts.iter().all(|part| introduced(part, name, negated))
        }
        CondKind::In(members, not, _) => *not == negated && members.iter().any(is_name),
        CondKind::PairIn(pair, not, _) => *not == negated && (is_name(&pair.0) || is_name(&pair.1)),
        CondKind::Divides(..) => false,
        CondKind::Relation(firsts, links) if negated => {
            matches!((firsts.as_slice(), links.as_slice()), ([a], [(RelOp::Ne, b)]) if is_name(a) || is_name(b))
        }
        CondKind::Relation(firsts, links) => {
            let mut left_is = firsts.iter().any(is_name);
            for (op, right) in links {
                let right_is = is_name(right);
                if *op == RelOp::Eq && (left_is || right_is) {
                    return true;
                }
                left_is = right_is;
            }
            false
        }
    }
}
