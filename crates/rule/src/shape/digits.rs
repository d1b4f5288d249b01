//! Recognises take-and-break games, and subtraction games among them.
//!
//! A pattern of heaps left (nothing; one heap; two equal heaps; ...) together with a range of `t` is a *cell*. For
//! each cell it is proved that all of it is among the moves or that none of it is. Heaps of 0 are left out of a sum, so a
//! cell of two heaps is looked for in moves that leave two heaps, and in moves that leave three of which one is 0.
//! The range of all `t` is cut at the break points of the conditions on `t`; a cell that is neither in nor
//! out is cut further, and if that does not settle it there is no such code.

use crate::ends::fourier_motzkin::System;
use crate::ends::linear::{Linear, gcd};
use crate::expr::Int;
use crate::rule::{Param, Rule};

use super::piece::Piece;
use super::profile::{self, profile};
use super::region::{Projection, Region, apart, covered, inside, project, renamed};
use super::take_and_break::Digit;
use super::taken::Taken;

/// The digit of all `t` in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// First `t`.
    pub(super) from: Int,
    /// Last `t`; `None`: for ever.
    pub(super) to: Option<Int>,
    /// The digits of `from`, `from + 1`, ..; they repeat. One digit, or as many as the period.
    pub(super) digits: Vec<Digit>,
}

/// A pattern: classes of equal heaps, from the least size to the greatest.
struct Pattern {
    digit: Digit,
    /// How many heaps of each size.
    classes: &'static [usize],
}

/// All patterns of up to three heaps. The two forms of "two alike" must go together.
const PATTERNS: [Pattern; 8] = [
    Pattern { digit: Digit::NOTHING, classes: &[] },
    Pattern { digit: Digit::ONE, classes: &[1] },
    Pattern { digit: Digit::TWO_EQUAL, classes: &[2] },
    Pattern { digit: Digit::TWO_UNEQUAL, classes: &[1, 1] },
    Pattern { digit: Digit::THREE_EQUAL, classes: &[3] },
    Pattern { digit: Digit::THREE_TWO_ALIKE, classes: &[2, 1] },
    Pattern { digit: Digit::THREE_TWO_ALIKE, classes: &[1, 2] },
    Pattern { digit: Digit::THREE_UNEQUAL, classes: &[1, 1, 1] },
];

/// A range of `t`: `from, from + step, ..` up to `to`.
#[derive(Clone, Copy, Debug)]
struct Range {
    from: Int,
    to: Option<Int>,
    step: Int,
}

/// The digits of all t from 0 on, as stretches in order; `None` if the pieces are no such game.
pub(super) fn digits(rule: &Rule, pieces: &[Piece]) -> Option<Vec<Stretch>> {
    const MOST_HEAPS: usize = 3;
    let params = &rule.params;
    if pieces.iter().any(|piece| piece.parts > MOST_HEAPS || !piece.mixed.is_empty()) {
        return None;
    }
    for piece in pieces {
        // Nothing is ever added to the heap.
        let mut grows = piece.facts_with_signs(rule);
        grows.demand(Linear::unknown(0).times(-1)?.add(-1)?);
        if !grows.refuted() {
            return None;
        }
    }
    let mut cuts = Cuts::of(pieces, params)?;
    let cells = Cells::new(pieces, params);
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut push = |from: Int, to: Option<Int>, digit: Digit| match stretches.last_mut() {
        Some(last) if last.digits == [digit] && last.to.and_then(|t| t.checked_add(1)) == Some(from) => {
            last.to = to;
        }
        _ => stretches.push(Stretch { from, to, digits: vec![digit] }),
    };
    for range in cuts.ranges() {
        for (from, to, digit) in cells.digits(range)? {
            push(from, to, digit);
        }
    }
    if cuts.period == 1 {
        return Some(stretches);
    }
    // The tail may begin later than the conditions on t alone say: then one more round is written out.
    let rounds = profile::MOST / cuts.period;
    for _ in 0..=rounds.min(MOST_CUTS) {
        let mut tail = Vec::new();
        for residue in cuts.tail() {
            tail.push(cells.digit(residue)?);
        }
        if let Some(mut digits) = tail.into_iter().collect::<Option<Vec<Digit>>>() {
            digits.dedup();
            if digits.len() == 1 {
                push(cuts.end(), None, digits[0]);
            } else {
                let digits = cuts.tail().into_iter().map(|r| cells.digit(r)?).collect::<Option<_>>()?;
                stretches.push(Stretch { from: cuts.end(), to: None, digits });
            }
            return Some(stretches);
        }
        for t in cuts.end()..cuts.end() + cuts.period {
            push(t, Some(t), cells.digit(Range { from: t, to: Some(t), step: 1 })??);
        }
        cuts.breaks.push(cuts.end() + cuts.period - 1);
    }
    None
}

/// How often a range that is neither in nor out is cut.
const MOST_CUTS: Int = 64;

/// The latest break beside a period.
const LATEST_BREAK: Int = 100_000;

/// Where the conditions on `t` change.
struct Cuts {
    /// Ascending, from 0 on.
    breaks: Vec<Int>,
    period: Int,
}

impl Cuts {
    fn of(pieces: &[Piece], params: &[Param]) -> Option<Cuts> {
        let mut breaks = Vec::new();
        let mut period: Int = 1;
        for piece in pieces {
            for atom in &piece.base {
                if let Some(found) = profile(atom, params) {
                    breaks.extend(found.breaks);
                    period = (period / gcd(period, found.period)).checked_mul(found.period)?;
                } else {
                    // No pattern, but perhaps nothing beyond some number.
                    breaks.extend(0..=last_taken(piece)? + 1);
                }
            }
            for equation in &piece.facts.zero {
                for (unknown, coefficient) in equation.terms() {
                    if piece.leftovers.contains(unknown) {
                        let size = coefficient.checked_abs()?;
                        period = (period / gcd(period, size)).checked_mul(size)?;
                    }
                }
            }
            if period > profile::MOST {
                return None;
            }
        }
        breaks.retain(|b| *b >= 0);
        breaks.sort_unstable();
        breaks.dedup();
        // What changes that late is no pattern of digits, and with a period every `t` up to there is looked at.
        let last = breaks.last().copied().unwrap_or(0);
        if last > Int::from(u64::MAX) || period > 1 && last > LATEST_BREAK {
            return None;
        }
        Some(Cuts { breaks, period })
    }

    /// The first `t` of the periodic tail.
    fn end(&self) -> Int {
        self.breaks.last().map_or(0, |last| last + 1)
    }

    /// The ranges before the tail: break points, the gaps between them, and without a period the rest.
    fn ranges(&self) -> Vec<Range> {
        let one = |t: Int| Range { from: t, to: Some(t), step: 1 };
        if self.period > 1 {
            return (0..self.end()).map(one).collect();
        }
        let mut found = Vec::new();
        let mut next = 0;
        for b in &self.breaks {
            if next < *b {
                found.push(Range { from: next, to: Some(b - 1), step: 1 });
            }
            found.push(one(*b));
            next = b + 1;
        }
        found.push(Range { from: next, to: None, step: 1 });
        found
    }

    /// The residues of the tail; none without a period.
    fn tail(&self) -> Vec<Range> {
        match self.period {
            1 => Vec::new(),
            period => (0..period).map(|r| Range { from: self.end() + r, to: None, step: period }).collect(),
        }
    }
}

/// The greatest `t` of a piece, if it is bounded by a small number.
fn last_taken(piece: &Piece) -> Option<Int> {
    let facts = piece.all_facts();
    let beyond = |t: Int| {
        let mut system = facts.clone();
        Linear::unknown(0).add(-t - 1).is_some_and(|row| {
            system.demand(row);
            system.refuted()
        })
    };
    if !beyond(profile::MOST) {
        return None;
    }
    let (mut low, mut high) = (-1, profile::MOST);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if beyond(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// A piece seen as moves of a pattern: the same facts over the sizes of the pattern and `t`.
struct Image {
    piece: usize,
    /// What the heaps left are, in terms of the sizes: 0 or one of the sizes.
    heaps: Vec<Linear>,
    /// Its points, whatever t is, where that can be said.
    region: Option<Region>,
    /// It holds the whole pattern, for every t.
    always: bool,
    /// It holds nothing of the pattern, for any t.
    never: bool,
}

/// Decides cells.
struct Cells<'a> {
    pieces: &'a [Piece],
    /// For each piece: its conditions on `t` alone.
    taken: Vec<Taken<'a>>,
    /// For each pattern: the facts of the pattern, and the images.
    patterns: Vec<(System, Vec<Image>)>,
}

/// Unknown 0 is `t`, then the sizes of the pattern, then those of the piece.
impl<'a> Cells<'a> {
    fn new(pieces: &'a [Piece], params: &'a [Param]) -> Self {
        let patterns = PATTERNS.iter().map(|pattern| {
            let cell = pattern.cell();
            let mut images = Vec::new();
            for (index, piece) in pieces.iter().enumerate() {
                for heaps in pattern.arrangements(piece.parts) {
                    let region = match image(piece, &heaps, pattern, None) {
                        Projection::Exact(region) => Some(region),
                        Projection::Empty => continue,
                        Projection::Unknown => None,
                    };
                    let always = region.as_ref().is_some_and(|region| inside(&cell, region));
                    let never = region.as_ref().is_some_and(|region| apart(&cell, region));
                    images.push(Image { piece: index, heaps, region, always, never });
                }
            }
            (cell, images)
        });
        let taken = pieces.iter().map(|piece| Taken::new(&piece.base, params)).collect();
        Cells { pieces, taken, patterns: patterns.collect() }
    }

    /// The digits of a range, cut further where needed; in order.
    fn digits(&self, range: Range) -> Option<Vec<(Int, Option<Int>, Digit)>> {
        let mut found = Vec::new();
        let mut rest = range;
        for _ in 0..MOST_CUTS {
            if let Some(digit) = self.digit(rest)? {
                found.push((rest.from, rest.to, digit));
                return Some(found);
            }
            if rest.to == Some(rest.from) || rest.step != 1 {
                return None;
            }
            let first = Range { to: Some(rest.from), ..rest };
            found.push((rest.from, Some(rest.from), self.digit(first)??));
            rest.from += 1;
        }
        None
    }

    /// The digit of all `t` of a range; `Some(None)` if they are not known to have the same.
    #[allow(clippy::option_option, reason = "the outer one is failure, the inner one is no common digit")]
    fn digit(&self, range: Range) -> Option<Option<Digit>> {
        // Conditions on t alone hold on all of the range or nowhere.
        let open = self.taken.iter().map(|taken| taken.allows(range.from)).collect::<Option<Vec<bool>>>()?;
        let mut digit = Digit::NONE;
        let mut alike = 0;
        for (pattern, (cell, images)) in PATTERNS.iter().zip(&self.patterns) {
            let mut images = images.iter().filter(|i| open[i.piece] && !i.never).peekable();
            let in_it = if images.peek().is_none() {
                false
            } else {
                let images: Vec<&Image> = images.collect();
                let whole = images.iter().any(|image| image.always);
                match if whole { Some(true) } else { self.decide(pattern, cell, &images, range) } {
                    Some(answer) => answer,
                    None => return Some(None),
                }
            };
            if pattern.digit == Digit::THREE_TWO_ALIKE {
                alike += u8::from(in_it);
            }
            if in_it {
                digit = digit.union(pattern.digit);
            }
        }
        // One of the two forms alone is no pattern of the codes.
        if alike == 1 {
            return Some(None);
        }
        Some(Some(digit))
    }

    /// Whether the cell is in the union of the images; `None` if neither yes nor no is proved.
    fn decide(&self, pattern: &Pattern, cell: &System, images: &[&Image], range: Range) -> Option<bool> {
        let mut cell = cell.clone();
        // With a step, t = from + step * q for a new unknown q.
        let sizes = pattern.classes.len();
        let t = if range.to == Some(range.from) {
            Linear::constant(range.from)
        } else if range.step > 1 {
            Linear::unknown(0).times(range.step)?.add(range.from)?
        } else {
            cell.demand(Linear::unknown(0).add(-range.from)?);
            if let Some(to) = range.to {
                cell.demand(Linear::unknown(0).times(-1)?.add(to)?);
            }
            Linear::unknown(0)
        };
        let mut regions = Vec::new();
        for held in images {
            let piece = &self.pieces[held.piece];
            let region = match (&held.region, range.to == Some(range.from) || range.step > 1) {
                (Some(region), false) => region.clone(),
                (Some(region), true) => {
                    let mut to = vec![t.clone()];
                    to.extend((1..=sizes).map(Linear::unknown));
                    renamed(region, &to)?
                }
                (None, _) => match image(piece, &held.heaps, pattern, Some(&t)) {
                    Projection::Exact(region) => region,
                    Projection::Empty => continue,
                    Projection::Unknown => return None,
                },
            };
            if !apart(&cell, &region) {
                regions.push(region);
            }
        }
        if regions.is_empty() {
            return Some(false);
        }
        let regions: Vec<&Region> = regions.iter().collect();
        covered(&cell, &regions).then_some(true)
    }
}

impl Pattern {
    /// Sizes ascending and at least 1, and `t >= 0`.
    fn cell(&self) -> System {
        let mut system = System::default();
        system.demand(Linear::unknown(0));
        for size in 1..=self.classes.len() {
            let below = if size == 1 { Linear::constant(0) } else { Linear::unknown(size - 1) };
            let gap = Linear::unknown(size).minus(&below).and_then(|row| row.add(-1));
            system.demand(gap.expect("small coefficients"));
        }
        system
    }

    /// All ways to be the heaps of a move with that many parts, the others being 0.
    fn arrangements(&self, parts: usize) -> Vec<Vec<Linear>> {
        let mut sizes: Vec<usize> = Vec::new();
        for (class, count) in self.classes.iter().enumerate() {
            sizes.extend(std::iter::repeat_n(class + 1, *count));
        }
        if sizes.len() > parts {
            return Vec::new();
        }
        sizes.resize(parts, 0);
        sizes.sort_unstable();
        // All distinct orders of at most three numbers.
        let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..parts {
            let mut next = Vec::new();
            for order in &orders {
                let mut rest = sizes.clone();
                for used in order {
                    let at = rest.iter().position(|s| s == used).expect("taken from the sizes");
                    rest.remove(at);
                }
                rest.dedup();
                next.extend(rest.into_iter().map(|s| [order.as_slice(), &[s]].concat()));
            }
            orders = next;
        }
        let form = |size: usize| if size == 0 { Linear::constant(0) } else { Linear::unknown(size) };
        orders.into_iter().map(|order| order.into_iter().map(form).collect()).collect()
    }
}

/// The points of a piece over `t` and the sizes of a pattern; `t` may be given.
fn image(piece: &Piece, heaps: &[Linear], pattern: &Pattern, t: Option<&Linear>) -> Projection {
    image_or_none(piece, heaps, pattern, t).unwrap_or(Projection::Unknown)
}

fn image_or_none(
    piece: &Piece,
    heaps: &[Linear],
    pattern: &Pattern,
    t: Option<&Linear>,
) -> Option<Projection> {
    let sizes = pattern.classes.len();
    let mut to = vec![t.cloned().unwrap_or_else(|| Linear::unknown(0))];
    to.extend(heaps.iter().cloned());
    // Whatever else the piece has goes behind the sizes.
    to.extend((to.len()..piece.unknowns).map(|u| Linear::unknown(1 + sizes + u)));
    let system = System {
        at_least_zero: renamed(&piece.facts.at_least_zero, &to)?,
        zero: renamed(&piece.facts.zero, &to)?,
    };
    let left: Vec<usize> = piece.leftovers.iter().map(|u| 1 + sizes + u).collect();
    Some(project(&system, &left))
}

/// Whether heap 0 has an option: then heaps of 0 count.
pub(super) fn heap_zero_moves(pieces: &[Piece], params: &[Param]) -> bool {
    pieces.iter().any(|piece| {
        // t = 0 and nothing left, or more.
        let mut system = piece.all_facts();
        system.equate(Linear::unknown(0));
        for part in 1..=piece.parts {
            system.equate(Linear::unknown(part));
        }
        let closed = piece.base.iter().any(|atom| atom.eval(&[0], params) == Ok(false));
        !closed && !system.refuted()
    })
}
