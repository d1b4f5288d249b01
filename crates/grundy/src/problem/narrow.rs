//! Whole numbers in as few bytes as the largest of them needs.
//!
//! The numbers of rules have 128 bits, those of inputs hardly ever. A list that is only read, summed and gone
//! through once is as fast as the memory that it touches for the first time: 10^5 numbers are 1.6 megabytes at
//! 16 bytes, which take the system longer to hand out than the numbers to be read. So a list is kept in pieces, and a
//! piece begins with the width of the one before, at first one byte a number, and is copied to the next width (4, 8,
//! 16 bytes) when a number does not fit. Pieces and not the whole list are copied, because one large number at
//! the end of a long list would else cost as much as a wide list.

use std::ops::ControlFlow;

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

    /// Adds natural numbers below 2^64 at the end.
    pub(super) fn extend_longs(&mut self, mut numbers: &[u64]) {
        while !numbers.is_empty() {
            self.make_room();
            self.room += 1;
            let (now, later) = numbers.split_at(numbers.len().min(self.room));
            self.last.extend_longs(now);
            self.room -= now.len();
            numbers = later;
        }
    }

    /// Adds `length` numbers of another list from a place on.
    pub(super) fn extend_from(&mut self, other: &Narrow, start: usize, length: usize) {
        let (mut at, end) = (start, start + length);
        while at < end {
            let piece = other.full.get(at / PIECE).unwrap_or(&other.last);
            let until = end.min((at / PIECE + 1) * PIECE);
            while at < until {
                // One at a time until the last piece is as wide as this one, then all that it can take.
                self.push(piece.at(at % PIECE));
                at += 1;
                let most = self.room.min(until - at);
                if self.last.extend_from_piece(piece, at % PIECE, most) {
                    self.room -= most;
                    at += most;
                }
            }
        }
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

    /// The number at a place of the list, if it is a natural one below 2^64.
    #[inline]
    pub(super) fn at_long(&self, place: usize) -> Option<u64> {
        match self.full.get(place / PIECE).unwrap_or(&self.last) {
            Piece::Bytes(all) => Some(u64::from(all[place % PIECE])),
            Piece::Words(all) => Some(u64::from(all[place % PIECE])),
            Piece::Longs(all) => Some(all[place % PIECE]),
            Piece::Wide(all) => u64::try_from(all[place % PIECE]).ok(),
        }
    }

    /// Whether all are natural numbers below 2^64, as [`Narrow::each_long`] wants them.
    pub(super) fn are_long(&self) -> bool {
        self.full.iter().chain([&self.last]).all(|piece| !matches!(piece, Piece::Wide(_)))
    }

    /// Visits the numbers in order until told to stop. None of them may be beyond 64 bits.
    #[inline]
    pub(super) fn each_long<B>(&self, mut visit: impl FnMut(u64) -> ControlFlow<B>) -> ControlFlow<B> {
        for piece in self.full.iter().chain([&self.last]) {
            match piece {
                Piece::Bytes(all) => all.iter().try_for_each(|number| visit(u64::from(*number)))?,
                Piece::Words(all) => all.iter().try_for_each(|number| visit(u64::from(*number)))?,
                Piece::Longs(all) => all.iter().try_for_each(|number| visit(*number))?,
                Piece::Wide(_) => unreachable!("who asks has made sure that there is none"),
            }
        }
        ControlFlow::Continue(())
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

    /// Adds natural numbers below 2^64 at the end.
    fn extend_longs(&mut self, mut numbers: &[u64]) {
        // The bits of all together fit where each of them does.
        let bits = numbers.iter().fold(0, |bits, number| bits | number);
        while let Some((first, others)) = numbers.split_first() {
            match self {
                Piece::Bytes(all) if bits <= u64::from(u8::MAX) => {
                    return all.extend(numbers.iter().map(|n| u8::try_from(*n).unwrap_or(u8::MAX)));
                }
                Piece::Words(all) if bits <= u64::from(u32::MAX) => {
                    return all.extend(numbers.iter().map(|n| u32::try_from(*n).unwrap_or(u32::MAX)));
                }
                Piece::Longs(all) => return all.extend_from_slice(numbers),
                Piece::Wide(all) => return all.extend(numbers.iter().map(|n| Int::from(*n))),
                // One at a time until that one has come which makes the piece wide enough.
                Piece::Bytes(_) | Piece::Words(_) => self.push_long(*first),
            }
            numbers = others;
        }
    }

    /// Adds `length` numbers of a piece of the same width from a place on; `false` if the width is not the same.
    fn extend_from_piece(&mut self, other: &Piece, start: usize, length: usize) -> bool {
        let part = start..start + length;
        match (self, other) {
            (Piece::Bytes(all), Piece::Bytes(more)) => all.extend_from_slice(&more[part]),
            (Piece::Words(all), Piece::Words(more)) => all.extend_from_slice(&more[part]),
            (Piece::Longs(all), Piece::Longs(more)) => all.extend_from_slice(&more[part]),
            (Piece::Wide(all), Piece::Wide(more)) => all.extend_from_slice(&more[part]),
            _ => return length == 0,
        }
        true
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

        /// Adding many at once is adding them one by one, also across the ends of pieces.
        #[test]
        fn many_at_once_are_each_of_them(
            numbers in prop::collection::vec((any::<u64>(), 0u32..64), 1..60), before in 0..60_usize, times in 1..300_usize,
        ) {
            let numbers: Vec<u64> = numbers.iter().map(|(x, shift)| x >> shift).collect();
            let all: Vec<u64> = numbers.iter().copied().cycle().take(numbers.len() * times).collect();
            let (mut one_by_one, mut at_once, mut copied) = (Narrow::default(), Narrow::default(), Narrow::default());
            all.iter().for_each(|x| one_by_one.push_long(*x));
            all.chunks(50).for_each(|some| at_once.extend_longs(some));
            prop_assert!(at_once.iter().eq(one_by_one.iter()));
            prop_assert_eq!(at_once.len(), all.len());
            let start = before.min(all.len());
            copied.push(-1);
            copied.extend_from(&one_by_one, start, all.len() - start);
            prop_assert!(copied.iter().skip(1).eq(one_by_one.iter().skip(start)));
            prop_assert_eq!(copied.len(), all.len() - start + 1);
            copied.clear();
            copied.extend_from(&at_once, 0, start);
            copied.extend_from(&at_once, start, all.len() - start);
            prop_assert!(copied.iter().eq(at_once.iter()));
            let mut seen = Vec::new();
            let end = at_once.each_long(|x| { seen.push(x); ControlFlow::<()>::Continue(()) });
            prop_assert!(end.is_continue() && seen == all);
        }
    }
}
