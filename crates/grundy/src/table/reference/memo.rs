//! What the reference engine knows about each heap.
//!
//! Heaps of a box that is filled in order (tables, grids, and single entries as far as they are met densely)
//! take four bytes in an array; others take a hash of their entries packed into 64 bits; those with larger
//! entries a hash of the entries themselves. Memory is counted at capacity and asked for before it grows.

use std::hash::Hash;

use grundy_rule::expr::Int;
use grundy_rule::heap::KindId;
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::limits::{self, Clock};

/// The greatest value kept: two codes are used for what is not a value.
pub(super) const MAX: u32 = u32::MAX - 2;
const OPEN: u32 = u32::MAX - 1;
const UNKNOWN: u32 = u32::MAX;

/// What is known about a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Its value.
    Value(u32),
    /// It is being settled.
    Open,
    /// Nothing.
    Unknown,
}

/// The heaps of all kinds.
pub(super) struct Memo {
    kinds: Vec<OfKind>,
    settled: u64,
}

/// The heaps of one kind.
struct OfKind {
    /// The entries of heaps in `dense` are below these.
    dims: Box<[usize]>,
    dense: Vec<u32>,
    /// Bits an entry may have to be packed; all entries together have 64.
    bits: u32,
    packed: FxHashMap<u64, u32>,
    wide: FxHashMap<Box<[Int]>, u32>,
}

/// Where a heap is kept.
enum Place {
    Dense(usize),
    Packed(u64),
    Wide,
}

impl OfKind {
    fn new(arity: usize) -> Self {
        OfKind {
            dims: vec![0; arity].into(),
            dense: Vec::new(),
            bits: 64 / u32::try_from(arity.max(1)).unwrap_or(64),
            packed: FxHashMap::default(),
            wide: FxHashMap::default(),
        }
    }

    #[inline]
    fn place(&self, entries: &[Int]) -> Place {
        if let Some(index) = self.dense_index(entries) {
            return Place::Dense(index);
        }
        let mut key = 0_u64;
        for entry in entries {
            match u64::try_from(*entry) {
                Ok(entry) if self.bits == 64 => key = entry,
                Ok(entry) if entry >> self.bits == 0 => key = key << self.bits | entry,
                _ => return Place::Wide,
            }
        }
        Place::Packed(key)
    }

    #[inline]
    fn dense_index(&self, entries: &[Int]) -> Option<usize> {
        let mut index = 0;
        for (entry, dim) in entries.iter().zip(&self.dims) {
            let entry = usize::try_from(*entry).ok()?;
            if entry >= *dim {
                return None;
            }
            // Below the product of the dims, which is the length of `dense`.
            index = index * dim + entry;
        }
        Some(index)
    }

    #[inline]
    fn get(&self, entries: &[Int]) -> u32 {
        match self.place(entries) {
            Place::Dense(index) => self.dense[index],
            Place::Packed(key) => self.packed.get(&key).copied().unwrap_or(UNKNOWN),
            Place::Wide => self.wide.get(entries).copied().unwrap_or(UNKNOWN),
        }
    }

    fn bytes(&self) -> u64 {
        let wide = 16 + self.dims.len() * size_of::<Int>();
        self.dense.capacity() as u64 * 4
            + map_bytes::<u64>(self.packed.capacity())
            + map_bytes::<Box<[Int]>>(self.wide.capacity())
            + (self.wide.len() * wide) as u64
    }
}

/// Bytes of a hash map with room for that many items: 8 slots for 7 of them, and a byte a slot.
fn map_bytes<K>(capacity: usize) -> u64 {
    (capacity as u64 * 8).div_ceil(7) * (size_of::<(K, u32)>() as u64 + 1)
}

/// Makes room for one more item; while a map moves, the old one and the new are both there.
fn room<K: Eq + Hash>(map: &mut FxHashMap<K, u32>, all: u64, clock: &Clock) -> Result<(), Error> {
    if map.len() < map.capacity() {
        return Ok(());
    }
    clock.memory(all + map_bytes::<K>((map.capacity() * 2).max(7)))?;
    map.try_reserve(1).map_err(|_| Error::new("memory", "the machine has no memory left for further heaps"))
}

impl Memo {
    /// For kinds with these numbers of entries.
    pub(super) fn new(arities: impl Iterator<Item = usize>) -> Self {
        Memo { kinds: arities.map(OfKind::new).collect(), settled: 0 }
    }

    /// How many heaps have values.
    pub(super) fn settled(&self) -> u64 {
        self.settled
    }

    /// The bytes taken by everything.
    pub(super) fn bytes(&self) -> u64 {
        self.kinds.iter().map(OfKind::bytes).sum()
    }

    #[inline]
    pub(super) fn get(&self, kind: KindId, entries: &[Int]) -> Known {
        match self.kinds[usize::from(kind.0)].get(entries) {
            UNKNOWN => Known::Unknown,
            OPEN => Known::Open,
            value => Known::Value(value),
        }
    }

    /// Makes an array for all heaps of a kind with entries below `dims`; nothing of it is known yet.
    pub(super) fn make_dense(&mut self, kind: KindId, dims: &[usize], clock: &Clock) -> Result<(), Error> {
        let count = dims.iter().try_fold(4_u64, |bytes, dim| bytes.checked_mul(*dim as u64));
        clock.memory(self.bytes().saturating_add(count.unwrap_or(u64::MAX)))?;
        let count = dims.iter().product();
        let of_kind = &mut self.kinds[usize::from(kind.0)];
        debug_assert!(of_kind.packed.is_empty() && of_kind.wide.is_empty());
        limits::reserve(&mut of_kind.dense, count)?;
        of_kind.dense.resize(count, UNKNOWN);
        of_kind.dims = dims.into();
        Ok(())
    }

    /// Makes the array of a kind with one entry reach to heaps below `len` at least; what is known of them from
    /// the hash goes over.
    pub(super) fn lengthen(&mut self, kind: KindId, len: usize, clock: &Clock) -> Result<(), Error> {
        let all = self.bytes();
        let of_kind = &mut self.kinds[usize::from(kind.0)];
        let old = of_kind.dense.len();
        if len <= old {
            return Ok(());
        }
        if len > of_kind.dense.capacity() {
            // By halves, so that many small steps stay cheap; while it moves, both arrays are there.
            let capacity = len.max(old + old / 2);
            clock.memory(all.saturating_add((capacity as u64).saturating_mul(4)))?;
            limits::reserve(&mut of_kind.dense, capacity - old)?;
        }
        of_kind.dense.resize(len, UNKNOWN);
        of_kind.dims = [len].into();
        if !of_kind.packed.is_empty() {
            for (index, slot) in of_kind.dense.iter_mut().enumerate().skip(old) {
                *slot = of_kind.packed.remove(&(index as u64)).unwrap_or(UNKNOWN);
            }
        }
        Ok(())
    }

    /// Marks a heap as being settled.
    pub(super) fn open(&mut self, kind: KindId, entries: &[Int], clock: &Clock) -> Result<(), Error> {
        self.put(kind, entries, OPEN, clock)
    }

    /// Gives a heap its value, at most [`MAX`].
    pub(super) fn set(
        &mut self,
        kind: KindId,
        entries: &[Int],
        value: u32,
        clock: &Clock,
    ) -> Result<(), Error> {
        debug_assert!(value <= MAX);
        self.put(kind, entries, value, clock)?;
        self.settled += 1;
        Ok(())
    }

    /// Takes back that a heap is being settled.
    pub(super) fn forget(&mut self, kind: KindId, entries: &[Int]) {
        let of_kind = &mut self.kinds[usize::from(kind.0)];
        match of_kind.place(entries) {
            Place::Dense(index) => of_kind.dense[index] = UNKNOWN,
            Place::Packed(key) => drop(of_kind.packed.remove(&key)),
            Place::Wide => drop(of_kind.wide.remove(entries)),
        }
    }

    fn put(&mut self, kind: KindId, entries: &[Int], value: u32, clock: &Clock) -> Result<(), Error> {
        let all = self.bytes_if_full(kind);
        let of_kind = &mut self.kinds[usize::from(kind.0)];
        match of_kind.place(entries) {
            Place::Dense(index) => of_kind.dense[index] = value,
            Place::Packed(key) => {
                room(&mut of_kind.packed, all, clock)?;
                of_kind.packed.insert(key, value);
            }
            Place::Wide => {
                room(&mut of_kind.wide, all, clock)?;
                of_kind.wide.insert(entries.into(), value);
            }
        }
        Ok(())
    }

    /// The bytes of everything, if a map of that kind is full and the sum is needed; else 0.
    fn bytes_if_full(&self, kind: KindId) -> u64 {
        let of_kind = &self.kinds[usize::from(kind.0)];
        let full = of_kind.packed.len() == of_kind.packed.capacity()
            || of_kind.wide.len() == of_kind.wide.capacity();
        if full { self.bytes() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn heaps_are_told_apart(heaps in prop::collection::vec((any::<bool>(), 0_u32..130, 0_u32..130, 0..MAX), 1..200)) {
            // Entries near each boundary: small, 2^32, 2^64, and beyond.
            let entry = |code: u32| (1 as Int) << (code / 2) | Int::from(code % 2);
            let entry = |code: u32| if code < 8 { Int::from(code) } else { entry(code.min(250)) };
            let clock = Limits::default().clock();
            let mut memo = Memo::new([2, 1].into_iter());
            memo.make_dense(KindId(0), &[3, 5], &clock).unwrap();
            let mut plain = HashMap::new();
            for (single, a, b, value) in heaps {
                let (kind, entries) = if single { (KindId(1), vec![entry(a)]) } else { (KindId(0), vec![entry(a), entry(b)]) };
                let expected = plain.get(&(kind, entries.clone())).map_or(Known::Unknown, |v| Known::Value(*v));
                prop_assert_eq!(memo.get(kind, &entries), expected);
                memo.open(kind, &entries, &clock).unwrap();
                prop_assert_eq!(memo.get(kind, &entries), Known::Open);
                memo.set(kind, &entries, value, &clock).unwrap();
                plain.insert((kind, entries), value);
            }
            for ((kind, entries), value) in &plain {
                prop_assert_eq!(memo.get(*kind, entries), Known::Value(*value));
                memo.forget(*kind, entries);
                prop_assert_eq!(memo.get(*kind, entries), Known::Unknown);
            }
        }
    }

    #[test]
    fn memory_is_asked_for_before_it_is_taken() {
        let clock = Limits { memory: Some(1 << 16), ..Limits::default() }.clock();
        let mut memo = Memo::new([1].into_iter());
        assert_eq!(memo.make_dense(KindId(0), &[1 << 20], &clock).unwrap_err().id(), "memory");
        let error = (0..).find_map(|n| memo.set(KindId(0), &[n << 20], 0, &clock).err()).unwrap();
        assert_eq!(error.id(), "memory");
        assert!(memo.bytes() <= 1 << 16 && memo.bytes() > 1 << 13, "{}", memo.bytes());
    }
}
