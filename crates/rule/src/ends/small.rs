//! Small heaps that reach themselves: the message that says so, and the change that would mend it.
//!
//! All heaps with small entries are enumerated and the graph among them is searched for a cycle. The usual
//! slips have a telling message: a variable that may be 0 (`n -> n - t`) and heap 0 that leaves itself
//! (`n -> floor(n/2)`). A patch is offered only if it removes every loop that was seen.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Int;
use crate::heap::{Heap, KindId};
use crate::moves::{Moves, Scratch, Sink};
use crate::rule::{Alternative, Line, Rule};

/// A move that leaves a heap of the search.
#[derive(Clone, Debug)]
struct Step {
    line: usize,
    alternative: usize,
    assignment: Vec<Int>,
    to: usize,
}

/// How many small heaps are looked at.
const MOST_HEAPS: usize = 300;

/// How many moves are looked at in all, so that a rule with huge heaps of options cannot stall the check.
const MOST_MOVES: usize = 60_000;

/// How many values may be tried for one heap.
const MOST_TRIED: u64 = 1 << 18;

/// An error about a small heap that reaches itself, if one does.
pub(super) fn find_loop(rule: &Rule) -> Option<Diagnostic> {
    let moves = Moves::new(rule).ok()?;
    let heaps = small_heaps(rule);
    let index: HashMap<&Heap, usize> = heaps.iter().enumerate().map(|(i, heap)| (heap, i)).collect();
    let mut steps: Vec<Vec<Step>> = vec![Vec::new(); heaps.len()];
    let mut left = MOST_MOVES;
    for (from, heap) in heaps.iter().enumerate() {
        let mut sink = Steps { index: &index, begun: None, found: Vec::new(), left, ticks: 0 };
        // A heap whose moves cannot be said takes no part; whoever asks for it gets the error.
        let mut scratch = Scratch::default();
        if moves.visit(&mut scratch, heap.kind, &heap.entries, &mut sink).is_err() {
            continue;
        }
        left = sink.left;
        steps[from] = sink.found;
        if left == 0 {
            break;
        }
    }
    let own = |from: usize| steps[from].iter().filter(move |step| step.to == from);
    let selfish: Vec<(usize, &Step)> = (0..heaps.len()).flat_map(|h| own(h).map(move |s| (h, s))).collect();
    if selfish.is_empty() {
        return cycle(rule, &heaps, &steps);
    }
    Some(self_loop(rule, &heaps, &selfish))
}

/// Collects the steps among small heaps.
struct Steps<'a> {
    index: &'a HashMap<&'a Heap, usize>,
    begun: Option<(usize, usize, Vec<Int>, Vec<usize>)>,
    found: Vec<Step>,
    left: usize,
    ticks: u64,
}

impl Sink for Steps<'_> {
    fn start(&mut self, line: usize, alternative: usize, assignment: &[Int]) {
        self.begun = Some((line, alternative, assignment.to_vec(), Vec::new()));
    }

    fn heap(&mut self, kind: KindId, entries: &[Int], _count: u128) {
        if let (Some(begun), Some(to)) = (&mut self.begun, self.index.get(&Heap::new(kind, entries))) {
            begun.3.push(*to);
        }
    }

    fn finish(&mut self) -> std::ops::ControlFlow<()> {
        if let Some((line, alternative, assignment, targets)) = self.begun.take() {
            for to in targets {
                self.found.push(Step { line, alternative, assignment: assignment.clone(), to });
            }
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return std::ops::ControlFlow::Break(());
        }
        std::ops::ControlFlow::Continue(())
    }

    fn tick(&mut self) -> std::ops::ControlFlow<()> {
        self.ticks += 1;
        if self.ticks > MOST_TRIED >> 16 {
            return std::ops::ControlFlow::Break(());
        }
        std::ops::ControlFlow::Continue(())
    }
}

/// The heaps with the least sums of entries, of every kind, as many as fit.
fn small_heaps(rule: &Rule) -> Vec<Heap> {
    let each = (MOST_HEAPS / rule.kinds.len().max(1)).max(3);
    let mut heaps = Vec::new();
    for (id, kind) in rule.kinds.iter().enumerate().take(MOST_HEAPS) {
        let Ok(id) = u16::try_from(id) else { break };
        let begun = heaps.len();
        // 40 is enough for one entry; tuples run out of room long before.
        for sum in 0..=40 {
            if heaps.len() - begun >= each {
                break;
            }
            let mut entries = vec![0; kind.arity];
            with_sum(&mut entries, sum, each + begun, &mut |e| {
                heaps.push(Heap::new(KindId(id), e));
                heaps.len()
            });
        }
    }
    heaps
}

/// All tuples with that sum, in order, until `most` heaps are held.
fn with_sum(entries: &mut [Int], sum: Int, most: usize, take: &mut dyn FnMut(&[Int]) -> usize) {
    let Some(last) = entries.len().checked_sub(1) else {
        if sum == 0 {
            take(entries);
        }
        return;
    };
    entries.fill(0);
    entries[last] = sum;
    loop {
        if take(entries) >= most {
            return;
        }
        // The next tuple: move one unit from the last non-zero entry to the one before it, rest to the end.
        let Some(from) = (1..entries.len()).rev().find(|i| entries[*i] > 0) else { return };
        entries[from - 1] += 1;
        let rest = entries[from] - 1;
        entries[from] = 0;
        entries[last] = rest;
    }
}

/// The message about heaps that leave themselves in one move.
fn self_loop(rule: &Rule, heaps: &[Heap], all: &[(usize, &Step)]) -> Diagnostic {
    let (heap, step) = all[0];
    let same = |s: &Step| s.line == step.line && s.alternative == step.alternative;
    let line = &rule.lines[step.line];
    let alternative = &line.alternatives[step.alternative];
    let here: Vec<(usize, &Step)> = all.iter().filter(|(_, s)| same(s)).copied().collect();
    let alone = all.len() == here.len();
    let shown = rule.show_heap(heaps[heap].kind, &heaps[heap].entries);
    // A variable that is 0 in every loop of this alternative.
    let zero = (0..alternative.variables.len()).find(|v| here.iter().all(|(_, s)| s.assignment[*v] == 0));
    if let Some(v) = zero {
        let name = &alternative.variables[v].name;
        // `t = 0 leaves n` if it does so for every heap that this line moves.
        let every =
            heaps.iter().enumerate().filter(|(_, h)| matches(line, h)).all(|(i, _)| {
                here.iter().any(|(from, s)| *from == i && s.assignment.iter().all(|x| *x == 0))
            });
        let at = shown_entries(line, &heaps[heap]);
        let diagnostic = if every {
            let left = left_side(rule, line);
            Diagnostic::error("loop", alternative.span, format!("{name} = 0 leaves {left}"))
        } else {
            let message = format!("at {at}, {name} = 0 leaves {shown}");
            Diagnostic::error("loop", alternative.variables[v].span, message)
        };
        return with_patch(diagnostic, rule, line, alone, &format!("{name} >= 1"));
    }
    if here.iter().all(|(h, _)| heaps[*h].entries.iter().all(|e| *e == 0)) {
        let named = line.entry_names.iter().position(|name| !name.is_empty());
        let diagnostic = Diagnostic::error("loop", line.span, format!("{shown} -> {shown}"));
        return match named {
            Some(entry) if line.entry_names.len() == 1 => {
                with_patch(diagnostic, rule, line, alone, &format!("{} >= 1", line.entry_names[entry]))
            }
            _ => diagnostic.help("a move must change the heap"),
        };
    }
    let values: Vec<String> = alternative
        .variables
        .iter()
        .zip(&step.assignment)
        .map(|(variable, value)| format!("{} = {value}", variable.name))
        .collect();
    let message = match values.as_slice() {
        [] => format!("{shown} -> {shown}"),
        values => format!("at {}, {} leaves {shown}", shown_entries(line, &heaps[heap]), values.join(", ")),
    };
    Diagnostic::error("loop", alternative.span, message).help("a move must change the heap")
}

/// Whether a line moves heaps like this one.
fn matches(line: &Line, heap: &Heap) -> bool {
    line.kind == heap.kind
        && line.pattern.iter().zip(&heap.entries).all(|(p, entry)| p.is_none_or(|number| number == *entry))
}

/// `n = 0`, `a = 0, b = 3`.
fn shown_entries(line: &Line, heap: &Heap) -> String {
    let entries = line.entry_names.iter().zip(&heap.entries).filter(|(name, _)| !name.is_empty());
    let words: Vec<String> = entries.map(|(name, entry)| format!("{name} = {entry}")).collect();
    words.join(", ")
}

/// The left side as it was written.
fn left_side(rule: &Rule, line: &Line) -> String {
    let names: Vec<String> = line
        .entry_names
        .iter()
        .zip(&line.pattern)
        .map(|(name, number)| number.map_or_else(|| name.clone(), |n| n.to_string()))
        .collect();
    match (&rule.kinds[usize::from(line.kind.0)].name, names.as_slice()) {
        (None, [only]) => only.clone(),
        (name, names) => format!("{}({})", name.as_deref().unwrap_or(""), names.join(", ")),
    }
}

/// Adds a condition to the line, if that removes every loop.
fn with_patch(diagnostic: Diagnostic, rule: &Rule, line: &Line, alone: bool, condition: &str) -> Diagnostic {
    let conditional = line.alternatives.iter().any(has_condition);
    let text = if conditional { format!(", {condition}") } else { format!(" where {condition}") };
    let end = rule.source.get(..line.span.end).map_or(line.span.end, |text| text.trim_end().len());
    let diagnostic = diagnostic.help(format!("{} `{condition}`", if conditional { "add" } else { "say" }));
    // With alternatives the condition would bind all of them, which need not know the name.
    if alone && line.alternatives.len() == 1 {
        diagnostic.patch(Span::new(end, end), text)
    } else {
        diagnostic
    }
}

/// Whether something is written after `where`.
fn has_condition(alternative: &Alternative) -> bool {
    !matches!(&alternative.cond, crate::expr::Cond::And(all) if all.is_empty())
}

/// The message about a longer cycle, if there is one: the shortest through the least heap.
fn cycle(rule: &Rule, heaps: &[Heap], steps: &[Vec<Step>]) -> Option<Diagnostic> {
    for start in 0..heaps.len() {
        // Breadth first from `start` until it comes back.
        let mut from: Vec<Option<usize>> = vec![None; heaps.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(heap) = queue.pop_front() {
            for step in &steps[heap] {
                if step.to != start {
                    if from[step.to].is_none() {
                        from[step.to] = Some(heap);
                        queue.push_back(step.to);
                    }
                    continue;
                }
                let mut around = vec![start, heap];
                while let Some(before) = from[around[around.len() - 1]] {
                    around.push(before);
                }
                around.reverse();
                let show = |h: &usize| rule.show_heap(heaps[*h].kind, &heaps[*h].entries);
                let words: Vec<String> = around.iter().map(show).collect();
                let first = steps[start].iter().find(|step| step.to == around[1])?;
                let span = rule.lines[first.line].alternatives[first.alternative].span;
                let message = format!("play can go round: {}", words.join(" -> "));
                return Some(Diagnostic::error("loop", span, message).help(
                    "if play may go on for ever, say `loopy` before `game`, or --loopy to `moves` and `outcome`",
                ));
            }
        }
    }
    None
}
