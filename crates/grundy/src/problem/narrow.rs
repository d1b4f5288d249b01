//! Whole numbers in as few bytes as the largest of them needs.
//!
//! The numbers of rules have 128 bits, those of inputs hardly ever. A list that is only read, summed and gone
//! through once is as fast as the memory that it touches for the first time: 10^5 numbers are 1.6 megabytes at
//! 16 bytes, which take the system longer to hand out than the numbers to be read. So a list is kept in pieces, and a
//! piece begins with the width of the one before, at first one byte a number, and is copied to the next width (4, 8,
//! 16 bytes) when a number does not fit. Pieces and not the whole list are copied, because one large number at
//! the end of a long list would else cost as much as a wide list.

use grundy_rule::expr::Int;

/// Most numbers in a piece.
const PIECE: usize = 1 << 12;

/// A list of numbers.
#[derive(Clone, Debug)]
pub(super) struct Narrow {
    /// Pieces of [`PIECE`] numbers.
    full: Vec<Piece>,
    /// What comes after them.
    last: Piece,
    /// How many numbers the last piece can take.
    room: usize,
}

impl Default for Narrow {
    fn default() -> Self {
        Narrow { full: Vec::new(), last: Piece::Bytes(Vec::new()), room: PIECE }
    }
}

impl Narrow {
    pub(super) fn len(&self) -> usize {
        (self.full.len() + 1) * PIECE - self.room
    }

    /// Empties the list. The first piece keeps its memory and its width: the lists of the cases of an input are alike.
    pub(super) fn clear(&mut self) {
        if !self.full.is_empty() {
            self.full.truncate(1);
            self.last = self.full.pop().unwrap_or_default();
        }
        self.last.clear();
        self.room = PIECE;
    }

    /// Prepares for so many numbers more.
    pub(super) fn reserve(&mut self, more: usize) {
        self.last.reserve(more.min(self.room));
    }

    /// Adds a number at the end.
    #[inline]
    pub(super) fn push(&mut self, number: Int) {
        match u64::try_from(number) {
            Ok(number) => self.push_long(number),
            Err(_) => {
                self.make_room();
                self.last.push_widened(number);
            }
        }
    }

    /// Adds a natural number below 2^64 at the end.
    #[inline]
    pub(super) fn push_long(&mut self, number: u64) {
        self.make_room();
        self.last.push_long(number);
    }

    /// Takes a place in the last piece, a new one if need be.
    #[inline]
    fn make_room(&mut self) {
        if self.room == 0 {
            let next = self.last.next();
            self.full.push(std::mem::replace(&mut self.last, next));
            self.room = PIECE;
        }
        self.room -= 1;
    }

    /// The number at a place of the list.
    #[inline]
    pub(super) fn at(&self, place: usize) -> Int {
        self.full.get(place / PIECE).unwrap_or(&self.last).at(place % PIECE)
    }

    /// The numbers in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Int> + '_ {
        self.full.iter().chain([&self.last]).flat_map(Piece::iter)
    }
}

/// Some numbers of one width.
#[derive(Clone, Debug)]
enum Piece {
    /// Numbers below 2^8.
    Bytes(Vec<u8>),
    /// Numbers below 2^32.
    Words(Vec<u32>),
    /// Numbers below 2^64.
    Longs(Vec<u64>),
    /// Any numbers.
    Wide(Vec<Int>),
}

impl Default for Piece {
    fn default() -> Self {
        Piece::Bytes(Vec::new())
    }
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Bytes(all) => all.len(),
            Piece::Words(all) => all.len(),
            Piece::Longs(all) => all.len(),
            Piece::Wide(all) => all.len(),
        }
    }

    fn clear(&mut self) {
        match self {
            Piece::Bytes(all) => all.clear(),
            Piece::Words(all) => all.clear(),
            Piece::Longs(all) => all.clear(),
            Piece::Wide(all) => all.clear(),
        }
    }

    fn reserve(&mut self, more: usize) {
        match self {
            Piece::Bytes(all) => all.reserve_exact(more),
            Piece::Words(all) => all.reserve_exact(more),
            Piece::Longs(all) => all.reserve_exact(more),
            Piece::Wide(all) => all.reserve_exact(more),
        }
    }

    /// Adds a natural number below 2^64 at the end.
    #[inline]
    fn push_long(&mut self, number: u64) {
        match self {
            Piece::Bytes(all) => {
                if let Ok(number) = u8::try_from(number) {
                    return all.push(number);
                }
            }
            Piece::Words(all) => {
                if let Ok(number) = u32::try_from(number) {
                    return all.push(number);
                }
            }
            Piece::Longs(all) => return all.push(number),
            Piece::Wide(all) => return all.push(Int::from(number)),
        }
        self.push_widened(Int::from(number));
    }

    /// Adds a number for which the piece may be too narrow.
    #[cold]
    fn push_widened(&mut self, number: Int) {
        let is_word = u32::try_from(number).is_ok();
        let is_long = u64::try_from(number).is_ok();
        *self = match std::mem::take(self) {
            Piece::Bytes(all) if is_word => Piece::Words(wider(&all)),
            Piece::Bytes(all) if is_long => Piece::Longs(wider(&all)),
            Piece::Bytes(all) => Piece::Wide(wider(&all)),
            Piece::Words(all) if is_long => Piece::Longs(wider(&all)),
            Piece::Words(all) => Piece::Wide(wider(&all)),
            Piece::Longs(all) => Piece::Wide(wider(&all)),
            Piece::Wide(all) => Piece::Wide(all),
        };
        match (self, u64::try_from(number)) {
            (Piece::Wide(all), _) => all.push(number),
            // It fits now, so that this ends.
            (piece, Ok(number)) => piece.push_long(number),
            // What does not fit 64 bits has made it wide.
            (_, Err(_)) => {}
        }
    }

    #[inline]
    fn at(&self, place: usize) -> Int {
        match self {
            Piece::Bytes(all) => Int::from(all[place]),
            Piece::Words(all) => Int::from(all[place]),
            Piece::Longs(all) => Int::from(all[place]),
            Piece::Wide(all) => all[place],
        }
    }

    fn iter(&self) -> impl Iterator<Item = Int> + '_ {
        (0..self.len()).map(|place| self.at(place))
    }

    /// An empty piece of the same width, with room for all its numbers.
    #[cold]
    fn next(&self) -> Piece {
        match self {
            Piece::Bytes(_) => Piece::Bytes(Vec::with_capacity(PIECE)),
            Piece::Words(_) => Piece::Words(Vec::with_capacity(PIECE)),
            Piece::Longs(_) => Piece::Longs(Vec::with_capacity(PIECE)),
            Piece::Wide(_) => Piece::Wide(Vec::with_capacity(PIECE)),
        }
    }
}

/// A copy at another width, with as much room.
fn wider<N: Copy, W: From<N>>(from: &Vec<N>) -> Vec<W> {
    let mut wider = Vec::with_capacity(from.capacity());
    wider.extend(from.iter().map(|number| W::from(*number)));
    wider
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_list_is_as_wide_as_its_largest_number() {
        let mut list = Narrow::default();
        list.reserve(7);
        let widths = [
            (255, 1),
            (256, 4),
            (0, 4),
            (Int::from(u32::MAX), 4),
            (Int::from(u32::MAX) + 1, 8),
            (Int::from(u64::MAX), 8),
            (-1, 16),
        ];
        for (place, (number, width)) in widths.iter().enumerate() {
            list.push(*number);
            let found = match &list.last {
                Piece::Bytes(_) => 1,
                Piece::Words(_) => 4,
                Piece::Longs(_) => 8,
                Piece::Wide(_) => 16,
            };
            assert_eq!((found, list.len()), (*width, place + 1));
        }
        assert!(list.iter().eq(widths.iter().map(|(number, _)| *number)));
    }

    #[test]
    fn a_large_number_widens_its_piece_only() {
        let mut list = Narrow::default();
        let number =
            |place: usize| if place == 9999 { Int::MAX } else { Int::try_from(place % 200).unwrap() };
        for _ in 0..2 {
            list.clear();
            (0..10_000).for_each(|place| list.push(number(place)));
            assert!(list.iter().eq((0..10_000).map(number)));
            assert!((0..10_000).all(|place| list.at(place) == number(place)));
            assert_eq!(list.len(), 10_000);
            assert!(list.full.iter().all(|piece| matches!(piece, Piece::Bytes(_))));
            assert!(matches!(list.last, Piece::Wide(_)));
        }
    }

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec((any::<i128>(), 0u32..128), 0..40), twice: bool) {
            let numbers: Vec<Int> = numbers.iter().map(|(x, shift)| x >> shift).collect();
            let mut list = Narrow::default();
            for _ in 0..=u8::from(twice) {
                list.clear();
                numbers.iter().for_each(|x| list.push(*x));
                prop_assert!(list.iter().eq(numbers.iter().copied()));
            }
        }
    }
}
