//! A take-and-break game laid out for the engines: which numbers may be taken to leave what, and the values so
//! far, forwards and backwards.

use grundy_rule::shape::{Digit, TakeAndBreak};

/// Numbers taken, by what they may leave.
#[derive(Clone, Debug)]
pub(super) struct Game {
    /// Leave nothing.
    nothing: Vec<usize>,
    /// Leave one heap.
    one: Vec<usize>,
    /// Leave two equal heaps.
    equal: Vec<usize>,
    /// Leave two different heaps.
    pub(super) pairs: Vec<usize>,
    /// The greatest number that may be taken.
    pub(super) longest: usize,
    /// Wherever two heaps may be left, equal and different ones may.
    pub(super) plain: bool,
}

impl Game {
    /// `None` if a move may leave three heaps, or if numbers without end may be taken.
    pub(super) fn new(code: &TakeAndBreak) -> Option<Self> {
        if !code.tail.is_empty() {
            return None;
        }
        let mut game = Game {
            nothing: Vec::new(),
            one: Vec::new(),
            equal: Vec::new(),
            pairs: Vec::new(),
            longest: 0,
            plain: true,
        };
        for (taken, digit) in code.digits.iter().enumerate() {
            let known = Digit::NOTHING.union(Digit::ONE).union(Digit::TWO);
            if !known.has(*digit) {
                return None;
            }
            let lists = [
                (Digit::NOTHING, &mut game.nothing),
                (Digit::ONE, &mut game.one),
                (Digit::TWO_EQUAL, &mut game.equal),
                (Digit::TWO_UNEQUAL, &mut game.pairs),
            ];
            for (pattern, list) in lists {
                if digit.has(pattern) {
                    list.push(taken);
                    game.longest = taken;
                }
            }
            game.plain &= digit.has(Digit::TWO_EQUAL) == digit.has(Digit::TWO_UNEQUAL);
        }
        Some(game)
    }

    /// The values of the options of heap `n` that are not two different heaps.
    #[inline]
    pub(super) fn singles(&self, n: usize, known: &Known, mut mark: impl FnMut(u16)) {
        if self.nothing.contains(&n) {
            mark(0);
        }
        for taken in self.one.iter().take_while(|taken| **taken < n) {
            mark(known.at(n - taken));
        }
        if self.equal.iter().any(|taken| n >= taken + 2 && (n - taken).is_multiple_of(2)) {
            mark(0);
        }
    }

    /// For each way to leave two different heaps of `n`: their sum m, and the greatest i with i < m - i.
    #[inline]
    pub(super) fn sums(&self, n: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.pairs
            .iter()
            .filter(move |taken| **taken + 3 <= n)
            .map(move |taken| (n - taken, (n - taken - 1) / 2))
    }
}

/// The values of all heaps so far, also backwards, so that the two parts of a split both run upwards.
///
/// Or only those of the first and of the last heaps: see [`Known::forget`].
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The values of the heaps from `first` on.
    forward: Vec<u16>,
    /// The first of the last heaps that are known; 0 if all are.
    first: usize,
    /// The values of heaps 0, 1, .., if there is a gap.
    head: Vec<u16>,
    /// How many of the last heaps must stay, if there is a gap.
    tail: usize,
    /// Value of heap `first + i` at `len - 1 - i`, for the length of the vector, which is more than there are values.
    backward: Vec<u16>,
    greatest: u16,
}

impl Known {
    /// How many heaps have values.
    pub(super) fn len(&self) -> usize {
        self.first + self.forward.len()
    }

    /// The value of a heap, one of the last ones if there is a gap.
    #[inline]
    pub(super) fn at(&self, heap: usize) -> u16 {
        self.forward[heap - self.first]
    }

    /// The values of all heaps. There must be no gap.
    pub(super) fn all(&self) -> &[u16] {
        debug_assert!(!self.has_gap());
        &self.forward
    }

    /// The values of the heaps from `heap` on, which are last ones.
    pub(super) fn since(&self, heap: usize) -> &[u16] {
        &self.forward[heap - self.first..]
    }

    /// The values of the last known heaps below `end`, and the first of them.
    #[inline]
    pub(super) fn last(&self, end: usize) -> (&[u16], usize) {
        (&self.forward[..end - self.first], self.first)
    }

    /// Whether some heaps between the first and the last are no longer known.
    pub(super) fn has_gap(&self) -> bool {
        self.tail > 0
    }

    /// From now on keeps the values of the first `head` heaps and of at least the last `tail` (1 or more) alone.
    pub(super) fn forget(&mut self, head: usize, tail: usize) {
        self.head = self.forward[..head].to_vec();
        self.tail = tail;
        self.close_up();
        self.forward.shrink_to(2 * tail);
    }

    /// Lets go of all but the last heaps.
    #[cold]
    fn close_up(&mut self) {
        let gone = self.forward.len().saturating_sub(self.tail);
        self.forward.drain(..gone);
        self.first += gone;
        // Room for as many again.
        let length = 2 * self.tail.max(self.forward.len());
        self.backward = vec![0; length];
        for (i, value) in self.forward.iter().enumerate() {
            self.backward[length - 1 - i] = *value;
        }
    }

    /// The least power of 2 that is greater than every value, and so than every nim-sum of values.
    pub(super) fn universe(&self) -> usize {
        (usize::from(self.greatest) + 1).next_power_of_two()
    }

    pub(super) fn push(&mut self, value: u16) {
        if self.forward.len() == self.backward.len() && self.has_gap() {
            self.close_up();
        }
        if self.forward.len() == self.backward.len() {
            let old = std::mem::take(&mut self.backward);
            let length = (old.len() * 2).max(1024);
            self.backward = vec![0; length];
            self.backward[length - old.len()..].copy_from_slice(&old);
            self.forward.reserve_exact(length - self.forward.len());
        }
        let last = self.backward.len() - 1;
        self.backward[last - self.forward.len()] = value;
        self.forward.push(value);
        self.greatest = self.greatest.max(value);
    }

    /// The values of the pairs (i, sum - i) for the i of a range, which lies in `1..sum`; if there is a gap, the i are
    /// first heaps and the others last ones.
    #[inline]
    pub(super) fn pairs(&self, sum: usize, range: std::ops::Range<usize>) -> (&[u16], &[u16]) {
        // Part sum - i lies at len - 1 - (sum - i - first).
        let start = self.backward.len() - 1 + range.start + self.first - sum;
        let small = if self.first == 0 { &self.forward } else { &self.head };
        (&small[range.clone()], &self.backward[start..start + range.len()])
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> u64 {
        ((self.forward.capacity() + self.backward.capacity() + self.head.capacity()) * 2) as u64
    }
}

/// Marks for values, one byte each: a store a mark, and no test.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    bytes: Box<[u8; 1 << 16]>,
}

impl Marks {
    pub(super) fn new() -> Self {
        let bytes: Box<[u8]> = vec![0; 1 << 16].into_boxed_slice();
        Marks { bytes: bytes.try_into().expect("it has just that length") }
    }

    /// Takes back all marks on values below `universe`.
    #[inline]
    pub(super) fn clear(&mut self, universe: usize) {
        self.bytes[..universe].fill(0);
    }

    #[inline]
    pub(super) fn mark(&mut self, value: u16) {
        self.bytes[usize::from(value)] = 1;
    }

    /// Marks the nim-sums of pairs.
    #[inline]
    pub(super) fn mark_pairs(&mut self, (a, b): (&[u16], &[u16])) {
        for (a, b) in a.iter().zip(b) {
            self.bytes[usize::from(a ^ b)] = 1;
        }
    }

    /// The least value from `from` on that has no mark; beyond the marks nothing has one.
    #[inline]
    pub(super) fn next_free(&self, from: usize) -> usize {
        (from..self.bytes.len()).find(|value| self.bytes[*value] == 0).unwrap_or(from.max(self.bytes.len()))
    }

    /// The least value without a mark that is 0 in `passed`; 2^16 if there is none.
    #[inline]
    pub(super) fn next_free_but(&self, passed: &[u8]) -> usize {
        let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
        let words = self.bytes.as_chunks::<8>().0.iter().zip(passed.as_chunks::<8>().0);
        for (i, (marks, passed)) in words.enumerate() {
            // Bytes are 0 or 1.
            let free = (word(marks) | word(passed)) ^ 0x0101_0101_0101_0101;
            if free != 0 {
                return i * 8 + (free.trailing_zeros() / 8) as usize;
            }
        }
        self.bytes.len()
    }

    /// The marks of the values below `end`, which is at most 2^16: bytes that are 0 or 1.
    pub(super) fn below(&self, end: usize) -> &[u8] {
        &self.bytes[..end]
    }

    #[inline]
    pub(super) fn has(&self, value: usize) -> bool {
        self.bytes.get(value).is_some_and(|mark| *mark != 0)
    }
}
