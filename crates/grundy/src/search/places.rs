//! A set of places (vertices, edges, cells) as a few machine words: small, without allocation, quick to hash.
//!
//! The width is a constant of the type, so that a game on 64 places pays for one word and not for the greatest
//! board. Games choose between [`SMALL`] and [`LARGE`] words when they see the position.

/// Words for at most 64 places.
pub(super) const SMALL: usize = 1;
/// Words for at most [`MOST`] places.
pub(super) const LARGE: usize = 8;
/// The most places that a searched position may have.
pub(super) const MOST: usize = 64 * LARGE;

/// A set of numbers below 64 * `W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Places<const W: usize>([u64; W]);

impl<const W: usize> Places<W> {
    /// No place.
    pub(super) const NONE: Self = Places([0; W]);

    /// The places 0 to `count - 1`.
    pub(super) fn first(count: usize) -> Self {
        let mut set = Places::NONE;
        (0..count).for_each(|place| set.insert(place));
        set
    }

    pub(super) fn insert(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    pub(super) fn remove(&mut self, place: usize) {
        self.0[place / 64] &= !(1 << (place % 64));
    }

    pub(super) fn contains(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The least place.
    pub(super) fn least(&self) -> Option<usize> {
        let (at, word) = self.0.iter().enumerate().find(|(_, word)| **word != 0)?;
        Some(64 * at + word.trailing_zeros() as usize)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Places(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    pub(super) fn and(self, other: Self) -> Self {
        Places(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    pub(super) fn or(self, other: Self) -> Self {
        Places(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// Its members, ascending.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let least = rest.least()?;
            rest.remove(least);
            Some(least)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_kept_beyond_one_word() {
        let mut set = Places::<LARGE>::NONE;
        for place in [3, 64, MOST - 1] {
            set.insert(place);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, MOST - 1]);
        assert!((set.len(), set.contains(64), set.contains(63)) == (3, true, false));
        set.remove(3);
        assert_eq!(set.least(), Some(64));
        let low = Places::first(65);
        assert_eq!((set.and(low).len(), set.without(low).len(), set.or(low).len()), (1, 1, 66));
        assert!(Places::<SMALL>::NONE.is_empty() && Places::<SMALL>::first(64).len() == 64);
    }
}
