//! The reason in words: the nimber of each heap, the nim-sum, and what each winning move makes of it.

use grundy_rule::{Heap, Rule, Sum};

use super::{Analysis, EXPLAINED as SHOWN, HeapValue, WinningMove};
use crate::error::Error;
use crate::nimber::Nimber;
use crate::search::Outcome;
use crate::search::misere::Method;
use crate::values::Values;

/// Why a position under normal play is won or lost.
pub(super) fn normal(rule: &Rule, analysis: &Analysis, values: &mut Values) -> Result<Vec<String>, Error> {
    let mut out = Vec::new();
    let played: Vec<&HeapValue> = analysis.heaps.iter().filter(|heap| heap.count > 0).collect();
    let total = analysis.nimber.unwrap_or(0);
    if played.is_empty() {
        out.push("There is no heap: the player to move cannot move and loses.".to_string());
        return Ok(out);
    }
    out.push(format!("{}.", heaps(rule, &played)));
    if played.len() > 1 || played.iter().any(|heap| heap.count > 1) {
        let mut terms: Vec<String> = Vec::new();
        for heap in played.iter().filter(|heap| heap.count % 2 == 1) {
            terms.push(heap.nimber.unwrap_or(0).to_string());
        }
        let pairs = played.iter().any(|heap| heap.count > 1);
        let equal = if pairs { " (equal heaps cancel in pairs)" } else { "" };
        out.push(if terms.len() > 1 && terms.len() <= SHOWN {
            format!("The nim-sum is {} = {total}{equal}.", terms.join(" xor "))
        } else {
            format!("The nim-sum is {total}{equal}.")
        });
    }
    match analysis.outcome {
        Outcome::Win => {
            out.push("It is not 0: the player to move wins, by a move that makes it 0.".to_string());
            for winning in analysis.moves.iter().take(SHOWN) {
                out.push(made(rule, winning, &analysis.place(winning), &played, total, values)?);
            }
            if analysis.moves.len() > SHOWN {
                out.push(format!("And {} more.", analysis.moves.len() - SHOWN));
            }
        }
        // A heap with another nimber has moves.
        Outcome::Loss | Outcome::Draw
            if played.iter().all(|heap| heap.nimber == Some(0)) && !any_moves(&played, values) =>
        {
            out.push("No heap has a move: the player to move loses.".to_string());
        }
        Outcome::Loss | Outcome::Draw => out.push(
            "It is 0: the player to move loses. Every move changes the nimber of one heap and so makes the nim-sum \
             other than 0, and the other player can make it 0 again."
                .to_string(),
        ),
    }
    let sources: Vec<String> = analysis.sources.iter().map(ToString::to_string).collect();
    out.push(format!("Nimbers from: {}.", sources.join("; ")));
    Ok(out)
}

/// Whether one of the heaps has a move; of very many not all are asked.
fn any_moves(played: &[&HeapValue], values: &mut Values) -> bool {
    played.len() > 1000 || played.iter().any(|heap| values.can_move(&heap.heap))
}

/// `5 has nimber 4, 7 has nimber 2`
fn heaps(rule: &Rule, played: &[&HeapValue]) -> String {
    let mut words: Vec<String> = Vec::new();
    for heap in played.iter().take(SHOWN) {
        let shown = counted(rule, &heap.heap, heap.count);
        let nimber = heap.nimber.unwrap_or(0);
        words.push(if heap.count > 1 {
            format!("{shown} have nimber {nimber} each")
        } else {
            format!("{shown} has nimber {nimber}")
        });
    }
    if played.len() > SHOWN {
        words.push(format!("and {} more", played.len() - SHOWN));
    }
    words.join(", ")
}

/// What one winning move makes of the nim-sum.
fn made(
    rule: &Rule,
    winning: &WinningMove,
    place: &str,
    played: &[&HeapValue],
    total: Nimber,
    values: &mut Values,
) -> Result<String, Error> {
    let before =
        played.iter().find(|heap| heap.heap == winning.from).and_then(|heap| heap.nimber).unwrap_or(0);
    let after = total ^ before;
    let to = shown(rule, &winning.to);
    let from = rule.show_heap(winning.from.kind, &winning.from.entries);
    let mut terms: Vec<String> = Vec::new();
    for (heap, count) in winning.to.heaps() {
        let nimber = values.nimber(heap)?;
        let times = usize::try_from(*count).unwrap_or(SHOWN).min(SHOWN);
        terms.extend(std::iter::repeat_n(nimber.to_string(), times));
    }
    let sum = if terms.len() > 1 && terms.len() < SHOWN {
        format!("{} = ", terms.join(" xor "))
    } else {
        String::new()
    };
    let raised = if after > before { " (more than before, and winning all the same)" } else { "" };
    Ok(format!(
        "{from} -> {to}{place}: nimber {before} becomes {sum}{after}{raised}, and the nim-sum {total} becomes 0."
    ))
}

/// Why a position under misere play is won or lost.
pub(super) fn misere(rule: &Rule, analysis: &Analysis, nim_sum: Option<Nimber>, coins: bool) -> Vec<String> {
    let mut out = vec!["Misere play: who makes the last move loses, and nimbers do not add.".to_string()];
    match analysis.method {
        Some(Method::Tame { heaps: 1 }) | None => out.push(
            "The heaps are tame (each behaves like a heap of Nim under both conventions): Bouton's rule decides, by theorem."
                .to_string(),
        ),
        Some(Method::Tame { heaps }) => out.push(format!(
            "All {heaps} heaps that can be reached are tame (each behaves like a heap of Nim under both conventions): \
             Bouton's rule decides, by theorem."
        )),
        Some(Method::Search { positions }) => {
            let what = if coins { "sets of coins" } else { "positions" };
            out.push(format!("Decided by exact search of {positions} {what}."));
        }
    }
    if analysis.outcome == Outcome::Win {
        if analysis.count == Some(0) {
            out.push(
                "Nothing can move: the other player made the last move, and the player to move wins."
                    .to_string(),
            );
        }
        for winning in analysis.told() {
            let from = rule.show_heap(winning.from.kind, &winning.from.entries);
            let (to, place) = (shown(rule, &winning.to), analysis.place(winning));
            out.push(format!("{from} -> {to}{place}: what is left is lost for the other player."));
        }
    } else {
        out.push("Every move leaves a position that is won for the other player.".to_string());
    }
    if let Some(nim_sum) = nim_sum {
        let normal = if nim_sum == 0 { Outcome::Loss } else { Outcome::Win };
        if normal != analysis.outcome {
            out.push(format!(
                "The nim-sum is {nim_sum} and would have said {normal}: it answers another question, who makes the last move."
            ));
        }
    }
    out
}

/// A heap with its count: `3x5`.
fn counted(rule: &Rule, heap: &Heap, count: u128) -> String {
    let shown = rule.show_heap(heap.kind, &heap.entries);
    if count > 1 { format!("{count}x{shown}") } else { shown }
}

/// What a move leaves: `3, 4`, `3, 3`, `20x1`, `nothing`.
pub(super) fn shown(rule: &Rule, sum: &Sum) -> String {
    if sum.is_empty() {
        return "nothing".to_string();
    }
    let mut parts: Vec<String> = Vec::new();
    for (heap, count) in sum.heaps() {
        match count {
            1..=3 => (0..*count).for_each(|_| parts.push(counted(rule, heap, 1))),
            _ => parts.push(counted(rule, heap, *count)),
        }
    }
    parts.join(", ")
}
