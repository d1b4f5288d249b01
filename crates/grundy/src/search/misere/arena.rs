//! Sums in canonical form and their options.
//!
//! A *class* is a heap up to equality of options, taken recursively. A sum, here a [`Place`], lists its classes
//! with their counts in ascending order, without what does not matter.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use grundy_rule::Heap;

use super::Play;
use super::heaps::Heaps;
use super::tame::{Genus, TameGenus};
use crate::error::Error;
use crate::limits::Clock;

/// A sum in canonical form: (class, count), ascending, counts at least 1.
pub(super) type Place = Box<[(u32, u32)]>;

/// The class of heaps without options.
const ENDED: u32 = 0;
/// The class of heaps with one option, the empty sum.
const STAR: u32 = 1;

/// The classes and their options.
#[derive(Debug)]
pub(super) struct Arena {
    /// Sums are sets of coins, which no two classes may share.
    pub(super) coins: bool,
    /// Whether sums of tame heaps are leaves; tests turn it off to search them, too.
    pub(super) theorem: bool,
    options: Vec<Rc<[Place]>>,
    genus: Vec<Genus>,
    by_options: FxHashMap<Rc<[Place]>, u32>,
    /// The class of each heap of [`Heaps`], as far as built.
    class: Vec<u32>,
}

/// What comes next when the options of a sum are tried in turn.
pub(super) enum Child {
    Sum(Place),
    NoMoreOptions,
    NoMoreComponents,
}

/// Bytes of a sum in the memory of the search.
pub(super) fn bytes(place: &Place) -> u64 {
    // Pairs, fat pointer, answer and the load factor of the map.
    u64::try_from(place.len()).unwrap_or(u64::MAX).saturating_mul(8) + 64
}

impl Arena {
    pub(super) fn new(coins: bool) -> Self {
        let star: Rc<[Place]> = Rc::new([Box::default()]);
        let ended: Rc<[Place]> = Rc::new([]);
        Arena {
            coins,
            theorem: true,
            by_options: [(ended.clone(), ENDED), (star.clone(), STAR)].into_iter().collect(),
            options: vec![ended, star],
            genus: vec![Genus::ENDED, Genus::of_mex(1, Some(0))],
            class: Vec::new(),
        }
    }

    /// Makes the classes of all explored heaps; gives the bytes that the new ones take.
    pub(super) fn build(
        &mut self,
        play: &dyn Play,
        heaps: &Heaps,
        clock: &Clock,
        used: u64,
    ) -> Result<u64, Error> {
        let mut added = 0;
        for (heap, genus) in &heaps.list()[self.class.len()..] {
            clock.check()?;
            clock.memory(used + added)?;
            let mut options: Vec<Place> = Vec::new();
            for option in play.options(heap, clock)? {
                options.push(self.place(heaps, option.heaps())?);
            }
            options.sort_unstable();
            options.dedup();
            let class = self.class_of(options, *genus, &mut added)?;
            self.class.push(class);
        }
        Ok(added)
    }

    fn class_of(&mut self, options: Vec<Place>, genus: Genus, added: &mut u64) -> Result<u32, Error> {
        // Two coins with equal options are still two coins: which one a later move turns over matters. Coins
        // without a move may lie as they like.
        if options.is_empty() {
            return Ok(ENDED);
        }
        let options: Rc<[Place]> = options.into();
        if !self.coins
            && let Some(&class) = self.by_options.get(&options)
        {
            return Ok(class);
        }
        let class = u32::try_from(self.options.len())
            .map_err(|_| Error::new("memory", "more than 2^32 different heaps can be reached"))?;
        *added += 64 + options.iter().map(bytes).sum::<u64>();
        if !self.coins {
            self.by_options.insert(options.clone(), class);
        }
        self.options.push(options);
        self.genus.push(genus);
        Ok(class)
    }

    /// The canonical form of a sum of explored heaps.
    pub(super) fn place(&self, heaps: &Heaps, sum: &[(Heap, u128)]) -> Result<Place, Error> {
        let mut parts: Vec<(u32, u128)> = Vec::with_capacity(sum.len());
        for (heap, count) in sum.iter().filter(|(_, count)| *count > 0) {
            let at = usize::try_from(heaps.index(heap)).expect("a u32 fits");
            parts.push((self.class[at], *count));
        }
        parts.sort_unstable();
        let mut place: Vec<(u32, u128)> = Vec::with_capacity(parts.len());
        for (class, count) in parts {
            match place.last_mut() {
                Some((last, total)) if *last == class => *total = total.saturating_add(count),
                _ => place.push((class, count)),
            }
        }
        let mut out = Vec::with_capacity(place.len());
        for (class, count) in place {
            let count = self.count(class, count);
            if count > 0 {
                out.push((class, narrow(count)?));
            }
        }
        Ok(out.into())
    }

    /// How many of `count` heaps of a class matter.
    fn count(&self, class: u32, count: u128) -> u128 {
        match class {
            ENDED => 0,
            _ if self.coins => count % 2,
            STAR => count % 2,
            _ => count,
        }
    }

    /// The genus of a sum of tame heaps.
    pub(super) fn tame(&self, place: &Place) -> Option<TameGenus> {
        if self.coins || !self.theorem {
            return None;
        }
        let genus = |class: u32| self.genus[usize::try_from(class).expect("a u32 fits")];
        Genus::of_sum(place.iter().map(|&(class, count)| (genus(class), u128::from(count)))).tame()
    }

    /// The sum after the `option`-th move in the `component`-th class.
    pub(super) fn child(&self, place: &Place, component: usize, option: usize) -> Result<Child, Error> {
        let Some(&(moved, _)) = place.get(component) else { return Ok(Child::NoMoreComponents) };
        let options = &self.options[usize::try_from(moved).expect("a u32 fits")];
        let Some(option) = options.get(option) else { return Ok(Child::NoMoreOptions) };
        let mut child = Vec::with_capacity(place.len() + option.len());
        let (mut left, mut right) = (place.iter().peekable(), option.iter().peekable());
        loop {
            let class = match (left.peek(), right.peek()) {
                (Some(a), Some(b)) => a.0.min(b.0),
                (Some(a), None) => a.0,
                (None, Some(b)) => b.0,
                (None, None) => break,
            };
            let mut count = 0u128;
            for side in [&mut left, &mut right] {
                if let Some(&(_, more)) = side.next_if(|part| part.0 == class) {
                    count += u128::from(more);
                }
            }
            count -= u128::from(class == moved);
            let count = self.count(class, count);
            if count > 0 {
                child.push((class, narrow(count)?));
            }
        }
        Ok(Child::Sum(child.into()))
    }
}

fn narrow(count: u128) -> Result<u32, Error> {
    u32::try_from(count).map_err(|_| {
        Error::new("memory", format!("{count} equal heaps are too many to search under misere play"))
    })
}
