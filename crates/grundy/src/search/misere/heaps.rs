//! The heaps that can be reached, each with its genus: an iterative depth-first walk over single heaps.

use rustc_hash::{FxHashMap, FxHashSet};

use grundy_rule::{Heap, Sum};

use super::Play;
use super::tame::Genus;
use crate::error::Error;
use crate::limits::Clock;
use crate::nimber::Mex;

/// All heaps reached so far; options come before what they are options of.
#[derive(Debug, Default)]
pub(super) struct Heaps {
    index: FxHashMap<Heap, u32>,
    list: Vec<(Heap, Genus)>,
}

enum Step {
    /// Look at the heap.
    Enter(Heap),
    /// All its options' heaps are known by now.
    Leave(Heap),
}

/// Bytes of a heap in the index, the list and the walk.
const BYTES: u64 = 200;

impl Heaps {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The heaps in the order found: options first.
    pub(super) fn list(&self) -> &[(Heap, Genus)] {
        &self.list
    }

    pub(super) fn index(&self, heap: &Heap) -> u32 {
        *self.index.get(heap).expect("explored before it is asked for")
    }

    pub(super) fn known(&self, heap: &Heap) -> Option<Genus> {
        self.index.get(heap).and_then(|&at| self.list.get(usize::try_from(at).ok()?)).map(|(_, genus)| *genus)
    }

    /// The genus of an explored heap.
    pub(super) fn genus(&self, heap: &Heap) -> Genus {
        self.known(heap).expect("explored before it is asked for")
    }

    /// Visits everything that can be reached from these heaps.
    pub(super) fn explore<'a>(
        &mut self,
        play: &dyn Play,
        from: impl Iterator<Item = &'a Heap>,
        clock: &Clock,
    ) -> Result<(), Error> {
        let mut stack: Vec<Step> = from.cloned().map(Step::Enter).collect();
        let mut open: FxHashSet<Heap> = FxHashSet::default();
        let mut steps = 0u32;
        while let Some(step) = stack.pop() {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(256) {
                clock.check()?;
                clock.memory(BYTES * u64::try_from(self.list.len() + stack.len()).unwrap_or(u64::MAX))?;
            }
            let (Step::Enter(heap) | Step::Leave(heap)) = &step;
            if self.index.contains_key(heap) {
                continue;
            }
            let entering = matches!(step, Step::Enter(_));
            if entering && open.contains(heap) {
                return Err(cycle(play, heap, &stack));
            }
            let options = play.options(heap, clock)?;
            if entering {
                let mut unknown: Vec<&Heap> = options
                    .iter()
                    .flat_map(Sum::heaps)
                    .map(|(h, _)| h)
                    .filter(|h| !self.index.contains_key(h))
                    .collect();
                if !unknown.is_empty() {
                    // The least on top: where heaps shrink, its betters find it known, and the stack stays short.
                    unknown.sort_unstable_by(|a, b| b.cmp(a));
                    unknown.dedup();
                    open.insert(heap.clone());
                    let heap = heap.clone();
                    stack.push(Step::Leave(heap));
                    stack.extend(unknown.into_iter().cloned().map(Step::Enter));
                    continue;
                }
            }
            let genus = self.evaluate(&options);
            open.remove(heap);
            let at = u32::try_from(self.list.len())
                .map_err(|_| Error::new("memory", "more than 2^32 heaps can be reached"))?;
            self.index.insert(heap.clone(), at);
            self.list.push((heap.clone(), genus));
        }
        Ok(())
    }

    fn evaluate(&self, options: &[Sum]) -> Genus {
        if options.is_empty() {
            return Genus::ENDED;
        }
        let (mut plus, mut minus, mut tame) = (Mex::new(), Mex::new(), true);
        for option in options {
            let genus = Genus::of_sum(option.heaps().iter().map(|(heap, count)| (self.genus(heap), *count)));
            plus.insert(genus.plus);
            match genus.tame() {
                Some(both) => minus.insert(both.minus),
                None => tame = false,
            }
        }
        let small = |mex: u64| u32::try_from(mex).expect("below the number of options, which fit the memory");
        Genus::of_mex(small(plus.mex()), tame.then(|| small(minus.mex())))
    }
}

/// The heaps from the first visit of `heap` to this one.
fn cycle(play: &dyn Play, heap: &Heap, stack: &[Step]) -> Error {
    let open = stack.iter().filter_map(|step| match step {
        Step::Leave(heap) => Some(heap),
        Step::Enter(_) => None,
    });
    let mut path: Vec<String> = open.skip_while(|h| *h != heap).map(|h| play.show(h)).collect();
    path.push(play.show(heap));
    const SHOWN: usize = 12;
    if path.len() > SHOWN {
        let rest = path.len() - SHOWN;
        path.splice(SHOWN / 2..SHOWN / 2 + rest, [format!(".. ({rest} more) ..")]);
    }
    Error::new("loop", format!("play need not end: {}", path.join(" -> ")))
        .help("if play may go on for ever, say `loopy` before `game`, or --loopy to `moves` and `outcome`")
}
