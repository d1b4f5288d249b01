//! Warnings about lines that mean something, but probably not what was meant.

use crate::ast::{BinaryOp, CondKind, Entry, Expr, ExprKind, HeapExpr, Part, Production, RelOp, SumExpr};
use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::plain_char;
use crate::resolve::line::Context;
use crate::resolve::names;

/// Looks for the three traps: two options in one move, one heap where two were meant, `^` for nim-sum.
pub(super) fn advise(
    line: &Production,
    context: &Context,
    is_slot: &dyn Fn(&str) -> bool,
    said: &mut Vec<Diagnostic>,
) {
    for sum in &line.alternatives {
        said.extend(two_heaps(line, sum, context));
        said.extend(joined_heaps(line, sum, context));
        powers(&sum.parts, context, is_slot, said);
    }
}

fn heaps(sum: &SumExpr) -> Option<Vec<&HeapExpr>> {
    sum.parts.iter().map(|part| if let Part::Heap(heap) = part { Some(heap) } else { None }).collect()
}

fn entry_names(line: &Production) -> Vec<&str> {
    line.entries
        .iter()
        .filter_map(|e| if let Entry::Name(n) = e { Some(n.text.as_str()) } else { None })
        .collect()
}

/// `n -> n-1,n-2`: heaps that differ from the turned one by numbers only are hardly ever left together. Brackets
/// around them, `[n-1, n-2]`, say that it is meant.
fn two_heaps(line: &Production, sum: &SumExpr, context: &Context) -> Option<Diagnostic> {
    let heaps = heaps(sum)?;
    let text = context.text(sum.span);
    let alone = line.alternatives.len() == 1 && !context.coins && !text.starts_with('[');
    if heaps.len() < 2 || !alone {
        return None;
    }
    let own = entry_names(line);
    let lowered = |heap: &&HeapExpr| match heap.entries.as_slice() {
        [Expr { kind: ExprKind::Binary(BinaryOp::Sub, left, right), .. }] => {
            heap.kind.is_none()
                && matches!(&left.kind, ExprKind::Name(n) if own.contains(&n.as_str()))
                && matches!(right.kind, ExprKind::Number(_))
        }
        _ => false,
    };
    let differ = heaps.windows(2).all(|pair| !names::same(&pair[0].entries[0], &pair[1].entries[0]));
    if !heaps.iter().all(lowered) || !differ {
        return None;
    }
    let count = match heaps.len() {
        2 => "two".to_string(),
        3 => "three".to_string(),
        more => more.to_string(),
    };
    let patch = heaps.iter().map(|heap| context.text(heap.span)).collect::<Vec<_>>().join(" | ");
    Some(
        Diagnostic::warning("two-heaps", sum.span, format!("this is one move that leaves {count} heaps"))
            .help(format!("options are parted by `|`: `{patch}`; if one move is meant, write `[{text}]`"))
            .patch(sum.span, patch),
    )
}

/// `n -> a + b where a + b = n - 1`: the sum is one heap, and the condition fixes it.
fn joined_heaps(line: &Production, sum: &SumExpr, context: &Context) -> Option<Diagnostic> {
    let heaps = heaps(sum)?;
    let [HeapExpr { kind: None, entries, .. }] = heaps.as_slice() else { return None };
    let [entry] = entries.as_slice() else { return None };
    let mut terms = summands(entry)?;
    let own = entry_names(line);
    if terms.len() < 2 || terms.iter().any(|t| own.contains(t) || context.by_name.contains_key(t)) {
        return None;
    }
    terms.sort_unstable();
    let tree = line.cond.as_ref()?;
    let parts = match &tree.kind {
        CondKind::And(parts) => parts.iter().collect(),
        _ => vec![tree],
    };
    for part in parts {
        let CondKind::Relation(firsts, links) = &part.kind else { continue };
        let ([left], [(RelOp::Eq, right)]) = (firsts.as_slice(), links.as_slice()) else { continue };
        for (side, other) in [(left, right), (right, left)] {
            let Some(mut found) = summands(side) else { continue };
            found.sort_unstable();
            if found == terms {
                let patch = terms_as_heaps(entry, context);
                let shown = context.text(entry.span);
                let message = format!("`{shown}` is one heap, always {}", context.text(other.span));
                return Some(
                    Diagnostic::warning("joined-heaps", entry.span, message)
                        .help(format!("heaps are parted by commas: `{patch}`"))
                        .patch(entry.span, patch),
                );
            }
        }
    }
    None
}

/// The names of a sum of distinct names.
fn summands(expr: &Expr) -> Option<Vec<&str>> {
    let mut out = Vec::new();
    let mut rest = expr;
    loop {
        match &rest.kind {
            ExprKind::Name(name) => {
                out.push(name.as_str());
                out.reverse();
                return Some(out);
            }
            ExprKind::Binary(BinaryOp::Add, left, right) => {
                let ExprKind::Name(name) = &right.kind else { return None };
                out.push(name.as_str());
                rest = left;
            }
            _ => return None,
        }
    }
}

fn terms_as_heaps(entry: &Expr, context: &Context) -> String {
    match summands(entry) {
        Some(terms) => terms.join(", "),
        None => context.text(entry.span).to_string(),
    }
}

/// `x ^ n` with two names that range: a power that large is hardly ever a heap.
fn powers(parts: &[Part], context: &Context, is_slot: &dyn Fn(&str) -> bool, said: &mut Vec<Diagnostic>) {
    for part in parts {
        match part {
            Part::Heap(heap) => {
                for entry in &heap.entries {
                    powers_in(entry, context, is_slot, said);
                }
            }
            Part::List(body, ..) => powers(body, context, is_slot, said),
        }
    }
}

fn powers_in(expr: &Expr, context: &Context, is_slot: &dyn Fn(&str) -> bool, said: &mut Vec<Diagnostic>) {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Name(_) => {}
        ExprKind::Index(_, inner) | ExprKind::Neg(inner) => powers_in(inner, context, is_slot, said),
        ExprKind::Call(_, args) => args.iter().for_each(|arg| powers_in(arg, context, is_slot, said)),
        ExprKind::Binary(op, left, right) => {
            powers_in(left, context, is_slot, said);
            powers_in(right, context, is_slot, said);
            let (ExprKind::Name(base), ExprKind::Name(exponent)) = (&left.kind, &right.kind) else { return };
            if *op != BinaryOp::Pow || !is_slot(base) || !is_slot(exponent) {
                return;
            }
            let between = Span::new(left.span.end, right.span.start);
            let sign = context.text(between).char_indices().find(|(_, c)| plain_char(*c) == '^');
            let span =
                sign.map_or(between, |(i, c)| Span::new(between.start + i, between.start + i + c.len_utf8()));
            let patch = format!("xor({base}, {exponent})");
            said.push(
                Diagnostic::warning("power", span, "`^` is power")
                    .help(format!("nim-sum is `{patch}`"))
                    .patch(left.span.to(right.span), patch),
            );
        }
    }
}
