//! The moves of a heap as a rule gives them, with who may make them and whether they end the game.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use grundy_rule::heap::KindId;
use grundy_rule::moves::{Moves, Scratch, Sink};
use grundy_rule::rule::{Ending, Player};
use grundy_rule::{Heap, Int, Rule, Sum};

use crate::error::Error;
use crate::limits::Clock;

/// An option of a heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuleOption {
    /// Whose it is; `None`: both players'.
    pub player: Option<Player>,
    /// Whether the move ends the whole game, and how.
    pub ending: Option<Ending>,
    /// What the heap becomes.
    pub to: Sum,
}

impl RuleOption {
    /// Whether that player may make the move.
    #[must_use]
    pub fn is_for(&self, player: Player) -> bool {
        self.player.is_none_or(|own| own == player)
    }
}

/// The moves of a rule, whatever its header says about who wins.
#[derive(Clone, Debug)]
pub struct RuleMoves {
    rule: Rule,
    moves: Arc<Moves>,
}

impl RuleMoves {
    /// The rule with its compiled moves.
    #[must_use]
    pub fn new(rule: &Rule, moves: Arc<Moves>) -> Self {
        RuleMoves { rule: rule.clone(), moves }
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// The distinct options of a heap, in rule order. Under `coins` sets.
    ///
    /// # Errors
    /// Those of the rule's expressions, and limits.
    pub fn options(
        &self,
        heap: &Heap,
        scratch: &mut Scratch,
        clock: &Clock,
    ) -> Result<Vec<RuleOption>, Error> {
        let mut list = List {
            rule: &self.rule,
            clock,
            whose: (None, None),
            parts: Vec::new(),
            seen: FxHashSet::default(),
            options: Vec::new(),
            bytes: 0,
            stop: None,
        };
        let visited = self.moves.visit(scratch, heap.kind, &heap.entries, &mut list);
        let (options, stop) = (list.options, list.stop);
        visited.map_err(|error| error.to_diagnostic())?;
        stop.map_or(Ok(options), Err)
    }
}

/// Collects distinct options, within the limits.
struct List<'a> {
    rule: &'a Rule,
    clock: &'a Clock,
    whose: (Option<Player>, Option<Ending>),
    parts: Vec<(Heap, u128)>,
    seen: FxHashSet<RuleOption>,
    options: Vec<RuleOption>,
    bytes: u64,
    stop: Option<Error>,
}

impl List<'_> {
    fn check(&mut self) -> ControlFlow<()> {
        if let Err(error) = self.clock.check().and_then(|()| self.clock.memory(self.bytes)) {
            self.stop = Some(error);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Sink for List<'_> {
    fn start(&mut self, line: usize, alternative: usize, _assignment: &[Int]) {
        let line = &self.rule.lines[line];
        self.whose = (line.player, line.alternatives[alternative].ending);
        self.parts.clear();
    }

    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128) {
        self.parts.push((Heap::new(kind, entries), count));
    }

    fn finish(&mut self) -> ControlFlow<()> {
        let Some(to) = Sum::new(std::mem::take(&mut self.parts)) else {
            self.stop = Some(Error::new("overflow", "an option has more than 2^128 equal heaps"));
            return ControlFlow::Break(());
        };
        let to = if self.rule.coins { to.odd() } else { to };
        let option = RuleOption { player: self.whose.0, ending: self.whose.1, to };
        if self.seen.insert(option.clone()) {
            // Twice: in the set and in the list.
            self.bytes += 136 + 160 * u64::try_from(option.to.heaps().len()).unwrap_or(u64::MAX);
            self.options.push(option);
            if self.options.len().is_multiple_of(1024) {
                return self.check();
            }
        }
        ControlFlow::Continue(())
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.check()
    }
}
