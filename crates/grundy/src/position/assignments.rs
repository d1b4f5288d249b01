//! The assignments behind each winning move: which line, which alternative, which variables.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use grundy_rule::heap::KindId;
use grundy_rule::moves::{Scratch, Sink};
use grundy_rule::rule::{Ending, Player};
use grundy_rule::{Heap, Int, Rule, Sum};

use super::{Assignment, WinningMove};
use crate::error::Error;
use crate::limits::Clock;
use crate::values::Values;

/// What tells moves apart: the heap, what it becomes, and whether the game ends.
type Made = (Heap, Sum, Option<Ending>);

/// Fills in all assignments that make each of the moves, in rule order; only those of a player, if the two have
/// different moves.
pub(super) fn fill(
    rule: &Rule,
    values: &Values,
    moves: &mut [WinningMove],
    player: Option<Player>,
) -> Result<(), Error> {
    let froms: FxHashSet<Heap> = moves.iter().map(|m| m.from.clone()).collect();
    let clock = values.limits().clock();
    let mut found: FxHashMap<Made, Vec<Assignment>> = FxHashMap::default();
    for winning in moves.iter() {
        found.insert((winning.from.clone(), winning.to.clone(), winning.ending), Vec::new());
    }
    for from in froms {
        let mut collect = Collect {
            rule,
            from: &from,
            current: Assignment { line: 0, alternative: 0, variables: Vec::new() },
            parts: Vec::new(),
            ending: None,
            player,
            found: &mut found,
            clock: &clock,
            stop: None,
        };
        let visited = values.moves().visit(&mut Scratch::default(), from.kind, &from.entries, &mut collect);
        let stop = collect.stop;
        visited.map_err(|error| error.to_diagnostic())?;
        stop.map_or(Ok(()), Err)?;
    }
    for winning in moves {
        if let Some(list) = found.get(&(winning.from.clone(), winning.to.clone(), winning.ending)) {
            winning.assignments.clone_from(list);
        }
    }
    Ok(())
}

struct Collect<'a> {
    rule: &'a Rule,
    from: &'a Heap,
    current: Assignment,
    parts: Vec<(Heap, u128)>,
    ending: Option<Ending>,
    player: Option<Player>,
    found: &'a mut FxHashMap<Made, Vec<Assignment>>,
    clock: &'a Clock,
    stop: Option<Error>,
}

impl Sink for Collect<'_> {
    fn start(&mut self, line: usize, alternative: usize, assignment: &[Int]) {
        let variables = &self.rule.lines[line].alternatives[alternative].variables;
        let named = variables.iter().map(|variable| variable.name.clone());
        self.current =
            Assignment { line, alternative, variables: named.zip(assignment.iter().copied()).collect() };
        self.ending = self.rule.lines[line].alternatives[alternative].ending;
        self.parts.clear();
    }

    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128) {
        self.parts.push((Heap::new(kind, entries), count));
    }

    fn finish(&mut self) -> ControlFlow<()> {
        let whose = self.rule.lines[self.current.line].player;
        if whose.is_some() && whose != self.player {
            return ControlFlow::Continue(());
        }
        if let Some(sum) = Sum::new(std::mem::take(&mut self.parts)) {
            let sum = if self.rule.coins { sum.odd() } else { sum };
            if let Some(list) = self.found.get_mut(&(self.from.clone(), sum, self.ending)) {
                list.push(self.current.clone());
            }
        }
        ControlFlow::Continue(())
    }

    fn tick(&mut self) -> ControlFlow<()> {
        match self.clock.check() {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.stop = Some(error.so_far("the winning moves without their assignments"));
                ControlFlow::Break(())
            }
        }
    }
}
