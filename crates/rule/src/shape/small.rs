//! The options of small heaps, enumerated once, and whether a shape promises the same.
//!
//! This comparison is a net under the proofs in this folder, not one of them: a fault in the recognition would make
//! fast engines silently wrong. Everyone who asks for a shape pays for it, so it must cost little: the rule is
//! compiled once and each heap enumerated once for all shapes, and only when a shape is compared at that heap.

use std::ops::ControlFlow;

use crate::expr::Int;
use crate::heap::KindId;
use crate::moves::{Moves, Scratch, Sink};
use crate::rule::{Rule, Value};

use super::promise::Options;
use super::{Digit, Shape};

/// The small heaps of one kind.
#[derive(Debug)]
pub(super) struct SmallHeaps {
    kind: KindId,
    /// `None`: the rule cannot be enumerated, or only at too great a cost.
    moves: Option<Moves>,
    scratch: Scratch,
    coins: bool,
    /// Whether heaps of 0 are left out, for they have no move.
    drop_zero: bool,
    /// For heaps 0, 1, 2, ..
    known: Vec<Enumerated>,
}

/// What enumeration says of a heap.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Enumerated {
    /// Its options, each of which is one heap: the heaps, ascending. Heap 0 stands also for what is left of nothing
    /// where heaps of 0 are left out.
    Heaps(Vec<u64>),
    /// Its options, of which one at least is not one heap.
    Options(Options),
    /// There are too many, or they are too large, to be compared.
    TooMany,
    /// They cannot be said (a root of a negative number), or are not of this kind.
    Unsaid,
}

impl Enumerated {
    /// The options as a set; none where they are not known. `drop_zero`: heaps of 0 are left out.
    pub(super) fn options(&self, drop_zero: bool) -> Options {
        match self {
            Enumerated::Heaps(heaps) => {
                let option = |size: &u64| if drop_zero && *size == 0 { Vec::new() } else { vec![*size] };
                heaps.iter().map(option).collect()
            }
            Enumerated::Options(options) => options.clone(),
            Enumerated::TooMany | Enumerated::Unsaid => Options::new(),
        }
    }
}

impl SmallHeaps {
    pub(super) fn new(rule: &Rule, kind: KindId) -> SmallHeaps {
        // Compiling a rule with millions of pairs takes longer than everything else here.
        const MOST_DATA: usize = 1 << 18;
        let size = |value: &Value| match value {
            Value::Number(_) => 1,
            Value::Set(all) | Value::List(all) => all.len(),
            Value::Pairs(all) => all.len(),
        };
        let data: usize = rule.params.iter().filter_map(|p| p.value.as_ref()).map(size).sum();
        let moves = if data > MOST_DATA { None } else { Moves::new(rule).ok() };
        let mut small = SmallHeaps {
            kind,
            moves,
            scratch: Scratch::default(),
            coins: rule.coins,
            drop_zero: false,
            known: Vec::new(),
        };
        small.drop_zero = !rule.coins && small.enumerate(0) == Enumerated::Heaps(Vec::new());
        small
    }

    /// Whether the promise agrees with the enumerated options of small heaps. A heap that has too many to enumerate is
    /// not compared, nor is a rule with very large parameters; one whose options cannot be said agrees with nothing.
    pub(super) fn agree(&mut self, rule: &Rule, shape: &Shape) -> bool {
        if self.moves.is_none() {
            return true;
        }
        // Enough heaps to see every break, few enough to take no time.
        let most = match shape {
            Shape::XorClosure(closure) if closure.counts.last().is_some_and(|c| *c > 2) => 12,
            Shape::XorClosure(_) => 20,
            Shape::TakeAndBreak(code) if (0..=16).any(|t| code.digit(t).0 & Digit::THREE.0 != 0) => 18,
            _ => 32,
        };
        let drop_zero = self.drop_zero;
        let drop = |mut heaps: Vec<u64>| {
            if drop_zero {
                heaps.retain(|size| *size > 0);
            }
            heaps
        };
        (0..=most).all(|n| match self.heap(n) {
            Enumerated::TooMany => true,
            Enumerated::Unsaid => false,
            Enumerated::Heaps(found) if shape.leaves_one_heap() => {
                shape.heaps_left(rule, n).is_some_and(|promised| promised == *found)
            }
            found => shape.options(rule, n).is_some_and(|promised| {
                let found = found.options(drop_zero);
                promised.len() >= found.len() && promised.into_iter().map(drop).collect::<Options>() == found
            }),
        })
    }

    /// The options of a heap, without heaps of 0 where those have no move.
    pub(super) fn heap(&mut self, n: u64) -> &Enumerated {
        let at = usize::try_from(n).unwrap_or(usize::MAX);
        while self.known.len() <= at {
            let next = self.enumerate(self.known.len() as u64);
            self.known.push(next);
        }
        &self.known[at]
    }

    fn enumerate(&mut self, n: u64) -> Enumerated {
        let Some(moves) = &self.moves else { return Enumerated::Unsaid };
        let mut gather = Gather {
            kind: self.kind,
            coins: self.coins,
            drop_zero: self.drop_zero,
            heaps: Vec::new(),
            singles: Vec::new(),
            options: Vec::new(),
            unsaid: false,
            room: ROOM,
            ticks: TICKS,
        };
        match moves.visit(&mut self.scratch, self.kind, &[Int::from(n)], &mut gather) {
            Err(error) if error.id == "limit" => Enumerated::TooMany,
            Ok(()) if gather.room == 0 || gather.ticks == 0 => Enumerated::TooMany,
            Ok(()) if !gather.unsaid => gather.enumerated(),
            _ => Enumerated::Unsaid,
        }
    }
}

/// The most sizes kept of one heap's options, and how often its enumeration may ask whether to go on: small heaps of
/// real games come nowhere near.
const ROOM: usize = 1 << 18;
const TICKS: u32 = 64;

/// Collects options as ascending lists of sizes.
struct Gather {
    kind: KindId,
    coins: bool,
    drop_zero: bool,
    heaps: Vec<u64>,
    /// Options of one heap. Most games have no others, and these need no list for each.
    singles: Vec<u64>,
    /// The other options.
    options: Vec<Vec<u64>>,
    unsaid: bool,
    room: usize,
    ticks: u32,
}

impl Gather {
    fn enumerated(mut self) -> Enumerated {
        self.singles.sort_unstable();
        self.singles.dedup();
        let heaps = Enumerated::Heaps(self.singles);
        if self.options.is_empty() {
            return heaps;
        }
        let mut options = heaps.options(self.drop_zero);
        options.extend(self.options);
        Enumerated::Options(options)
    }

    /// Notes an option, in ascending order.
    fn push(&mut self, option: &[u64]) {
        match option {
            [size] => self.singles.push(*size),
            [] if self.drop_zero => self.singles.push(0),
            _ => self.options.push(option.to_vec()),
        }
    }
}

impl Sink for Gather {
    fn start(&mut self, _line: usize, _alternative: usize, _assignment: &[Int]) {
        self.heaps.clear();
    }

    fn heap(&mut self, kind: KindId, entries: &[Int], count: u128) {
        const MOST_ALIKE: u128 = 64;
        let count = if self.coins { count % 2 } else { count };
        match (entries, usize::try_from(count)) {
            _ if count == 0 || self.heaps.len() >= self.room => {}
            ([0], _) if self.drop_zero && kind == self.kind => {}
            ([size], Ok(times)) if kind == self.kind && count <= MOST_ALIKE => match u64::try_from(*size) {
                Ok(size) => self.heaps.extend(std::iter::repeat_n(size, times)),
                Err(_) => self.unsaid = true,
            },
            _ => self.unsaid = true,
        }
    }

    fn finish(&mut self) -> ControlFlow<()> {
        self.room = self.room.saturating_sub(self.heaps.len() + 1);
        if self.unsaid || self.room == 0 {
            return ControlFlow::Break(());
        }
        self.heaps.sort_unstable();
        if self.coins {
            // Two equal coins are none.
            let mut odd: Vec<u64> = Vec::with_capacity(self.heaps.len());
            for size in &self.heaps {
                match odd.last() {
                    Some(last) if last == size => drop(odd.pop()),
                    _ => odd.push(*size),
                }
            }
            self.push(&odd);
        } else {
            let heaps = std::mem::take(&mut self.heaps);
            self.push(&heaps);
            self.heaps = heaps;
        }
        ControlFlow::Continue(())
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.ticks = self.ticks.saturating_sub(1);
        if self.ticks == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
