//! Sequences of nimbers, one value after the other, each from those before it: plain and short, for a code is nearly
//! always given up after a few values.

/// Gives the values of heaps 0, 1, 2, ...
pub(super) trait Sequence {
    /// The value of the heap that comes next, given those of all before it.
    fn next(&mut self, before: &[u32]) -> u32;
}

/// Marks values and finds the least that is missing.
#[derive(Default)]
struct Seen {
    stamps: Vec<u32>,
    round: u32,
}

impl Seen {
    fn clear(&mut self) {
        self.round += 1;
    }

    fn add(&mut self, value: u32) {
        // Values of a table fit the memory that holds it.
        let at = value as usize;
        if at >= self.stamps.len() {
            self.stamps.resize((at + 1).next_power_of_two(), 0);
        }
        self.stamps[at] = self.round;
    }

    fn mex(&self) -> u32 {
        let least = self.stamps.iter().position(|stamp| *stamp != self.round).unwrap_or(self.stamps.len());
        u32::try_from(least).unwrap_or(u32::MAX)
    }
}

/// A take-and-break code of a few octal digits: d0, d1, d2, ...
pub(super) struct Octal {
    digits: Vec<u8>,
    seen: Seen,
}

impl Octal {
    pub(super) fn new(digits: Vec<u8>) -> Self {
        Octal { digits, seen: Seen::default() }
    }
}

impl Sequence for Octal {
    fn next(&mut self, before: &[u32]) -> u32 {
        let n = before.len();
        self.seen.clear();
        for (taken, digit) in self.digits.iter().enumerate().take(n + 1) {
            let rest = n - taken;
            if digit & 1 != 0 && rest == 0 && taken > 0 {
                self.seen.add(0);
            }
            if digit & 2 != 0 && rest > 0 && taken > 0 {
                self.seen.add(before[rest]);
            }
            if digit & 4 != 0 {
                for part in 1..=rest / 2 {
                    self.seen.add(before[part] ^ before[rest - part]);
                }
            }
        }
        self.seen.mex()
    }
}

/// Take a number of a set within 1..64, or any other number: bit `t - 1` stands for `t`.
pub(super) struct Taking {
    set: u64,
    /// Whether the set is what may *not* be taken.
    banned: bool,
    seen: Seen,
}

impl Taking {
    pub(super) fn new(set: u64, banned: bool) -> Self {
        Taking { set, banned, seen: Seen::default() }
    }
}

impl Sequence for Taking {
    fn next(&mut self, before: &[u32]) -> u32 {
        let n = before.len();
        self.seen.clear();
        let last = if self.banned { n } else { n.min(64) };
        for taken in 1..=last {
            let listed = taken <= 64 && self.set >> (taken - 1) & 1 == 1;
            if listed != self.banned {
                self.seen.add(before[n - taken]);
            }
        }
        self.seen.mex()
    }
}

/// Values that are known already.
pub(super) struct Given<'a>(pub(super) &'a [u32]);

impl Sequence for Given<'_> {
    fn next(&mut self, before: &[u32]) -> u32 {
        // Whoever made the list made it long enough.
        self.0.get(before.len()).copied().unwrap_or(u32::MAX)
    }
}
