//! Values at the narrowest width that holds them all, widened when a value does not fit.
//!
//! Most games have values below 256 for millions of heaps, and a table is read far more often than it is
//! made: one byte a value is a quarter of the memory traffic of four. A width chosen beforehand would
//! either waste that or cut values off; here a value that does not fit makes the store copy itself to the
//! next width, twice at most in its life. A value beyond the widest is an error, never a saturation.

use crate::error::Error;
use crate::limits;

/// How many bytes a value takes in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// One byte: values up to 255.
    U8,
    /// Two bytes: values up to 65 535.
    U16,
    /// Four bytes: values up to 4 294 967 295.
    U32,
}

impl Width {
    /// Bytes a value: 1, 2 or 4.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Width::U8 => 1,
            Width::U16 => 2,
            Width::U32 => 4,
        }
    }

    /// The greatest value of that width.
    #[must_use]
    pub fn greatest(self) -> u32 {
        match self {
            Width::U8 => u32::from(u8::MAX),
            Width::U16 => u32::from(u16::MAX),
            Width::U32 => u32::MAX,
        }
    }

    /// The narrowest width that holds a value.
    #[must_use]
    pub fn of(value: u32) -> Width {
        [Width::U8, Width::U16].into_iter().find(|w| value <= w.greatest()).unwrap_or(Width::U32)
    }
}

/// A run of values, at the width in which they are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values<'a> {
    /// One byte each.
    U8(&'a [u8]),
    /// Two bytes each.
    U16(&'a [u16]),
    /// Four bytes each.
    U32(&'a [u32]),
}

/// Runs a piece of code on the slice inside, whatever its width.
macro_rules! each_width {
    ($type:ident, $values:expr, $slice:ident => $body:expr) => {
        match $values {
            $type::U8($slice) => $body,
            $type::U16($slice) => $body,
            $type::U32($slice) => $body,
        }
    };
}
pub(crate) use each_width;

impl<'a> Values<'a> {
    /// How many.
    #[must_use]
    pub fn len(self) -> usize {
        each_width!(Values, self, v => v.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The width.
    #[must_use]
    pub fn width(self) -> Width {
        match self {
            Values::U8(_) => Width::U8,
            Values::U16(_) => Width::U16,
            Values::U32(_) => Width::U32,
        }
    }

    /// The value at that index, which is below [`Values::len`] as for a slice.
    #[must_use]
    #[inline]
    pub fn get(self, index: usize) -> u32 {
        match self {
            Values::U8(v) => u32::from(v[index]),
            Values::U16(v) => u32::from(v[index]),
            Values::U32(v) => v[index],
        }
    }

    /// Those in a range of indices, as for a slice.
    #[must_use]
    pub fn slice(self, range: std::ops::Range<usize>) -> Values<'a> {
        match self {
            Values::U8(v) => Values::U8(&v[range]),
            Values::U16(v) => Values::U16(&v[range]),
            Values::U32(v) => Values::U32(&v[range]),
        }
    }

    /// All of them in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        (0..self.len()).map(move |i| self.get(i))
    }
}

/// An integer type of a store.
pub(crate) trait Cell: Copy + Default + Eq + Send + Sync + 'static {
    /// Its width.
    const WIDTH: Width;
    /// The value, which the caller knows to fit: its low bits.
    fn cut(value: u32) -> Self;
    /// Back again.
    fn wide(self) -> u32;
}

macro_rules! cell {
    ($type:ident, $width:ident) => {
        impl Cell for $type {
            const WIDTH: Width = Width::$width;

            #[inline]
            #[allow(clippy::cast_possible_truncation, reason = "the caller has compared it with the width")]
            fn cut(value: u32) -> Self {
                value as Self
            }

            #[inline]
            fn wide(self) -> u32 {
                u32::from(self)
            }
        }
    };
}
cell!(u8, U8);
cell!(u16, U16);
cell!(u32, U32);

/// Values that can grow in number and in width.
#[derive(Clone, Debug)]
pub(crate) enum Store {
    /// One byte each.
    U8(Vec<u8>),
    /// Two bytes each.
    U16(Vec<u16>),
    /// Four bytes each.
    U32(Vec<u32>),
}

impl Store {
    /// An empty store of the narrowest width.
    pub(crate) fn new() -> Self {
        Store::U8(Vec::new())
    }

    /// The values.
    pub(crate) fn values(&self) -> Values<'_> {
        match self {
            Store::U8(v) => Values::U8(v),
            Store::U16(v) => Values::U16(v),
            Store::U32(v) => Values::U32(v),
        }
    }

    /// How many values.
    pub(crate) fn len(&self) -> usize {
        self.values().len()
    }

    /// Keeps the first `count` values.
    pub(crate) fn truncate(&mut self, count: usize) {
        each_width!(Store, self, v => v.truncate(count));
    }

    /// Makes room for `more` further values, or says that there is none.
    pub(crate) fn reserve(&mut self, more: usize) -> Result<(), Error> {
        each_width!(Store, self, v => limits::reserve(v, more))
    }

    /// Copies to the next width, keeping the room.
    ///
    /// # Errors
    /// `width` at the widest; `memory` if there is none.
    pub(crate) fn widen(&mut self) -> Result<(), Error> {
        fn copy<A: Cell, B: Cell + From<A>>(from: &[A], capacity: usize) -> Result<Vec<B>, Error> {
            let mut to = Vec::new();
            limits::reserve(&mut to, capacity)?;
            to.extend(from.iter().map(|v| B::from(*v)));
            Ok(to)
        }
        *self = match self {
            Store::U8(v) => Store::U16(copy(v, v.capacity())?),
            Store::U16(v) => Store::U32(copy(v, v.capacity())?),
            Store::U32(v) => return Err(too_wide(v.len())),
        };
        Ok(())
    }

    /// Widens until values up to `greatest` fit.
    ///
    /// # Errors
    /// `width` if no width holds it; `memory`.
    pub(crate) fn widen_for(&mut self, greatest: u64) -> Result<(), Error> {
        let greatest = u32::try_from(greatest).map_err(|_| too_wide(self.len()))?;
        while greatest > self.values().width().greatest() {
            self.widen()?;
        }
        Ok(())
    }

    /// Appends values of any width.
    ///
    /// # Errors
    /// `memory`.
    pub(crate) fn extend<C: Cell>(&mut self, values: &[C]) -> Result<(), Error> {
        if self.values().width() < C::WIDTH {
            let greatest = values.iter().fold(0, |greatest, value| value.wide().max(greatest));
            self.widen_for(u64::from(greatest))?;
        }
        each_width!(Store, self, v => {
            make_room(v, values.len())?;
            extend_narrow(v, values);
        });
        Ok(())
    }

    /// Appends a run of values.
    ///
    /// # Errors
    /// `memory`.
    pub(crate) fn append(&mut self, values: Values<'_>) -> Result<(), Error> {
        each_width!(Values, values, v => self.extend(v))
    }

    /// Makes room for `more` values, growing in proportion, so that many small pieces stay cheap.
    pub(crate) fn make_room(&mut self, more: usize) -> Result<(), Error> {
        each_width!(Store, self, v => make_room(v, more))
    }

    /// Removes all values; width and room stay.
    pub(crate) fn clear(&mut self) {
        each_width!(Store, self, v => v.clear());
    }

    /// Bytes taken, at capacity.
    pub(crate) fn bytes(&self) -> u64 {
        each_width!(Store, self, v => v.capacity() as u64) * self.values().width().bytes() as u64
    }

    /// Appends a value, widening the store if it does not fit.
    ///
    /// # Errors
    /// `width` for a value of 2^32 or more; `memory`.
    pub(crate) fn push(&mut self, value: u64) -> Result<(), Error> {
        let value = u32::try_from(value).map_err(|_| too_wide(self.len()))?;
        while value > self.values().width().greatest() {
            self.widen()?;
        }
        each_width!(Store, self, v => {
            make_room(v, 1)?;
            v.push(narrow(value));
        });
        Ok(())
    }
}

/// A value at a width of which it is known that it fits.
#[inline]
pub(crate) fn narrow<A: Cell, B: Cell>(value: A) -> B {
    let narrow = B::cut(value.wide());
    debug_assert!(narrow.wide() == value.wide(), "the store was widened to hold it");
    narrow
}

/// Appends values of which it is known that they fit.
fn extend_narrow<A: Cell, B: Cell>(to: &mut Vec<B>, values: &[A]) {
    to.extend(values.iter().map(|value| narrow::<A, B>(*value)));
}

/// Room for `more` values, growing in proportion, so that appending one by one stays linear.
fn make_room<T>(v: &mut Vec<T>, more: usize) -> Result<(), Error> {
    if v.capacity() - v.len() >= more {
        return Ok(());
    }
    limits::reserve(v, more.max(v.len() / 2).max(1024))
}

/// The error for a value that no width holds.
pub(crate) fn too_wide(index: usize) -> Error {
    Error::new("width", format!("the value of heap {index} passes {}, the widest a table holds", u32::MAX))
        .so_far(format!("all smaller heaps ({index} of them)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn widening_changes_no_value(values in prop::collection::vec(
            prop_oneof![3 => 0_u32..300, 1 => 0_u32..70_000, 1 => any::<u32>()], 0..200)) {
            let mut store = Store::new();
            for value in &values {
                store.push(u64::from(*value)).unwrap();
            }
            prop_assert_eq!(store.values().iter().collect::<Vec<_>>(), values.clone());
            let widest = values.iter().copied().max().unwrap_or(0);
            prop_assert_eq!(store.values().width(), Width::of(widest));
            let mut whole = Store::new();
            whole.extend(&values[..values.len() / 2]).unwrap();
            whole.extend(&values[values.len() / 2..]).unwrap();
            prop_assert_eq!(whole.values(), store.values());
        }
    }

    #[test]
    fn beyond_the_widest_is_an_error() {
        let mut store = Store::new();
        store.push(u64::from(u32::MAX)).unwrap();
        assert_eq!(store.push(1 << 32).unwrap_err().id(), "width");
        assert_eq!(store.values().iter().collect::<Vec<_>>(), [u32::MAX]);
    }
}
