//! The least number that makes an automaton accept, from a given number on.
//!
//! Digits come least significant first, but numbers are compared from the other end. So the places are laid out
//! one after the other: what reading can reach before place i is found upwards, which states still lead to
//! acceptance under the digits chosen above is kept downwards, and a digit may be chosen exactly if the two meet.
//! The least number from `from` on shares with it the longest possible head, has one greater digit, and then the
//! least digits that work: at most base times as many looks as there are places.

/// A reader of digits 0..base of the number that is looked for, least significant first; at each place it may
/// move differently, since the digits of other numbers that are read along are known.
pub(crate) struct Places<'a> {
    pub(crate) base: usize,
    pub(crate) states: usize,
    /// Digits that are read; the numbers looked for are below base^count.
    pub(crate) count: usize,
    /// From a state, at a place, with a digit: the next state.
    pub(crate) step: &'a dyn Fn(usize, usize, usize) -> Option<usize>,
    /// Where reading may end.
    pub(crate) good: Vec<bool>,
}

impl Places<'_> {
    /// The least number in `from..=to` that leads from state 0 to a good one.
    pub(crate) fn least(&self, from: u128, to: u128) -> Option<u128> {
        let base = u128::try_from(self.base).ok()?;
        let mut rest = from;
        let mut head = Vec::with_capacity(self.count);
        for _ in 0..self.count {
            head.push(usize::try_from(rest % base).ok()?);
            rest /= base;
        }
        if rest > 0 || from > to {
            return None;
        }
        let reached = self.reached();
        // alive[i]: the states before place i from which the digits of `from` from there on lead to a good end.
        let mut alive = vec![self.good.clone()];
        for place in (0..self.count).rev() {
            let above = alive.last()?;
            alive.push(self.before(above, place, head[place]));
        }
        alive.reverse();
        if meets(&alive[0], &reached[0]) {
            return Some(from);
        }
        for place in 0..self.count {
            for digit in head[place] + 1..self.base {
                let states = self.before(&alive[place + 1], place, digit);
                if meets(&states, &reached[place]) {
                    head[place] = digit;
                    return self.fill(states, place, &reached, head).filter(|n| *n <= to);
                }
            }
        }
        None
    }

    /// The least digits below `place`.
    fn fill(
        &self,
        mut states: Vec<bool>,
        place: usize,
        reached: &[Vec<bool>],
        mut digits: Vec<usize>,
    ) -> Option<u128> {
        for place in (0..place).rev() {
            let found = (0..self.base).find_map(|digit| {
                let before = self.before(&states, place, digit);
                meets(&before, &reached[place]).then_some((digit, before))
            });
            let (digit, before) = found?;
            (digits[place], states) = (digit, before);
        }
        let base = u128::try_from(self.base).ok()?;
        digits
            .iter()
            .rev()
            .try_fold(0_u128, |n, digit| n.checked_mul(base)?.checked_add(u128::try_from(*digit).ok()?))
    }

    fn reached(&self) -> Vec<Vec<bool>> {
        let mut all = Vec::with_capacity(self.count + 1);
        let mut now = vec![false; self.states];
        now[0] = true;
        for place in 0..self.count {
            let mut then = vec![false; self.states];
            for state in (0..self.states).filter(|s| now[*s]) {
                for to in (0..self.base).filter_map(|digit| (self.step)(state, place, digit)) {
                    then[to] = true;
                }
            }
            all.push(std::mem::replace(&mut now, then));
        }
        all.push(now);
        all
    }

    fn before(&self, after: &[bool], place: usize, digit: usize) -> Vec<bool> {
        (0..self.states).map(|state| (self.step)(state, place, digit).is_some_and(|to| after[to])).collect()
    }
}

fn meets(a: &[bool], b: &[bool]) -> bool {
    a.iter().zip(b).any(|(a, b)| *a && *b)
}

/// How many digits the greatest number up to `n` has in a base of at least 2.
pub(crate) fn length(n: u128, base: usize) -> usize {
    let base = base as u128;
    let (mut rest, mut count) = (n, 0);
    while rest > 0 {
        rest /= base;
        count += 1;
    }
    count
}
