//! One pass over an atom: up through its nodes, across its relation, down again.

use super::{Empty, FlatAtom, Narrowed, Node, NodeId, Propagator, Shape, slot_bit};
use crate::bounds::facts::{Facts, hull_of, within};
use crate::bounds::interval::{self, Interval, LIMIT, POS};
use crate::eval::{self, number, set};
use crate::expr::{Func, Int, NamedSet, Op, ParamId, RelOp};

/// One run over the atoms.
pub(super) struct Pass<'a> {
    pub(super) flat: &'a Propagator,
    pub(super) facts: &'a Facts,
    pub(super) ranges: &'a mut [Interval],
    pub(super) work: &'a mut Vec<Interval>,
    /// The slots narrowed so far, as bits.
    pub(super) changed: u64,
}

impl Pass<'_> {
    /// Narrows what one atom mentions.
    pub(super) fn atom(&mut self, atom: &FlatAtom) -> Narrowed {
        for id in atom.start..atom.end {
            let up = self.up(id);
            self.work[id] = up;
        }
        self.shape(&atom.shape)?;
        for id in (atom.start..atom.end).rev() {
            self.down(id)?;
        }
        Ok(())
    }

    /// The interval of a node from those of its children.
    pub(super) fn up(&self, id: NodeId) -> Interval {
        let at = |id: &NodeId| self.work[*id];
        match &self.flat.nodes[id] {
            Node::Known(interval) => *interval,
            Node::Slot(slot) => self.ranges[*slot],
            Node::Item(param, index) => {
                let Some(fact) = self.facts.get(*param) else { return Interval::FINITE };
                let item = at(index).known().and_then(|i| usize::try_from(i).ok());
                match (&fact.items, item) {
                    (Some(items), Some(i)) => items.get(i).map_or(Interval::ALL, |&x| Interval::point(x)),
                    // An empty list has no hull, and no item either: reading it is an error, said at the leaf.
                    _ if fact.hull.is_empty() => Interval::ALL,
                    _ => fact.hull,
                }
            }
            Node::Neg(a) => at(a).neg(),
            Node::Binary(op, a, b) => {
                let (a, b) = (at(a), at(b));
                match op {
                    Op::Add => a.add(b),
                    Op::Sub => a.sub(b),
                    Op::Mul => a.mul(b),
                    Op::FloorDiv => a.floor_div(b),
                    Op::CeilDiv => a.ceil_div(b),
                    Op::Mod if b.known().is_some() || a.known().is_some() => {
                        exact_or(a, b, |a, b| if b == 0 { None } else { Some(number::floor_mod(a, b)) })
                            .unwrap_or_else(|| a.modulo(b))
                    }
                    Op::Mod => a.modulo(b),
                    Op::Pow => a.pow(b),
                }
            }
            Node::Call(func, start, end) => self.call(*func, &self.flat.kids[*start..*end]),
        }
    }

    fn call(&self, func: Func, kids: &[NodeId]) -> Interval {
        let mut args = kids.iter().map(|&id| self.work[id]);
        match func {
            Func::Min => args
                .reduce(|a, b| Interval { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) })
                .unwrap_or(Interval::ALL),
            Func::Max => args
                .reduce(|a, b| Interval { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) })
                .unwrap_or(Interval::ALL),
            Func::Abs => args.next().map_or(Interval::ALL, Interval::abs),
            Func::Sqrt => args.next().map_or(Interval::ALL, Interval::sqrt),
            _ => self.opaque(func, kids),
        }
    }

    /// Functions that are bounded from above only roughly; exact when all arguments are known.
    fn opaque(&self, func: Func, kids: &[NodeId]) -> Interval {
        let at = |i: usize| kids.get(i).map_or(Interval::ALL, |&id| self.work[id]);
        let greatest = kids.iter().map(|&id| self.work[id].hi).max().unwrap_or(POS);
        let mut known = [0; 4];
        if kids.len() <= known.len()
            && kids.iter().zip(&mut known).all(|(&id, k)| {
                let x = self.work[id].known();
                *k = x.unwrap_or(0);
                x.is_some()
            })
        {
            return eval::call(func, &known[..kids.len()]).map_or(Interval::ALL, Interval::point);
        }
        let x = at(0);
        let below = |hi: Int| Interval::new(0, hi);
        match func {
            // At most each number that is not 0, and at least 1 if there is one.
            Func::Gcd => {
                let sizes = kids.iter().map(|&id| self.work[id].abs()).filter(|x| x.lo >= 1);
                sizes.map(|x| x.hi).min().map_or(Interval::NATURALS, |hi| Interval::new(1, hi))
            }
            Func::Lcm => Interval::NATURALS,
            Func::Root | Func::DigitSum => below(x.hi),
            Func::Log | Func::Popcount | Func::Valuation | Func::Omega | Func::BigOmega => below(127),
            Func::Bit => below(1),
            Func::Xor => below(all_ones(greatest)),
            Func::BitOr => {
                let least = kids.iter().map(|&id| self.work[id].lo).max().unwrap_or(0);
                Interval::new(least.max(0), all_ones(greatest))
            }
            Func::BitAnd => below(kids.iter().map(|&id| self.work[id].hi).min().unwrap_or(POS)),
            Func::Lpf => Interval::new(2, x.hi),
            Func::Fib => Interval::NATURALS,
            Func::Min | Func::Max | Func::Abs | Func::Sqrt => Interval::ALL,
        }
    }

    /// Keeps of a node what lies in `lo..=hi`.
    fn keep(&mut self, id: NodeId, lo: Int, hi: Int) -> Narrowed {
        let kept = self.work[id].meet(Interval { lo, hi });
        self.work[id] = kept;
        if kept.is_empty() { Err(Empty) } else { Ok(()) }
    }

    fn keep_in(&mut self, id: NodeId, interval: Interval) -> Narrowed {
        self.keep(id, interval.lo, interval.hi)
    }

    /// Hands what is left of a node to its children.
    fn down(&mut self, id: NodeId) -> Narrowed {
        let flat = self.flat;
        let z = self.work[id];
        match &flat.nodes[id] {
            Node::Known(_) | Node::Item(..) => Ok(()),
            Node::Slot(slot) => {
                let kept = self.ranges[*slot].meet(z);
                if kept != self.ranges[*slot] {
                    self.ranges[*slot] = kept;
                    self.changed |= slot_bit(*slot);
                }
                if kept.is_empty() { Err(Empty) } else { Ok(()) }
            }
            Node::Neg(a) => self.keep_in(*a, z.neg()),
            Node::Binary(op, a, b) => self.down_binary(*op, *a, *b, z),
            Node::Call(func, start, end) => self.down_call(*func, &flat.kids[*start..*end], z),
        }
    }

    fn down_binary(&mut self, op: Op, a: NodeId, b: NodeId, z: Interval) -> Narrowed {
        let (x, y) = (self.work[a], self.work[b]);
        match op {
            Op::Add => {
                self.keep_in(a, z.sub(y))?;
                self.keep_in(b, z.sub(self.work[a]))
            }
            Op::Sub => {
                self.keep_in(a, z.add(y))?;
                self.keep_in(b, self.work[a].sub(z))
            }
            Op::Mul => {
                if z.lo > 0 || z.hi < 0 {
                    self.not_zero(a)?;
                    self.not_zero(b)?;
                }
                for (factor, other) in [(a, b), (b, a)] {
                    let by = self.work[other];
                    if by.lo > 0 || by.hi < 0 {
                        self.keep_in(factor, z.exact_quotients(by))?;
                    }
                }
                Ok(())
            }
            // z <= x / y < z + 1 for y >= 1.
            Op::FloorDiv if y.lo >= 1 => {
                let above = Interval::new(interval::add(z.lo, 1), interval::add(z.hi, 1)).mul(y);
                self.keep(a, z.mul(y).lo, interval::add(above.hi, -1))?;
                let x = self.work[a];
                if x.lo >= 0 && z.lo >= 1 {
                    self.keep(b, 1, x.floor_div(Interval { lo: z.lo, hi: z.lo }).hi)?;
                }
                if x.lo >= 0 && z.hi >= 0 && z.hi < LIMIT {
                    let by = Interval::point(z.hi + 1);
                    let least = Interval { lo: x.lo, hi: x.lo }.floor_div(by).lo;
                    self.keep(b, interval::add(least, 1), POS)?;
                }
                Ok(())
            }
            // z - 1 < x / y <= z for y >= 1.
            Op::CeilDiv if y.lo >= 1 => {
                let below = Interval::new(interval::add(z.lo, -1), interval::add(z.hi, -1)).mul(y);
                self.keep(a, interval::add(below.lo, 1), z.mul(y).hi)?;
                let x = self.work[a];
                if x.lo >= 1 && z.lo >= 2 {
                    let by = Interval::point(z.lo - 1);
                    let less = interval::add(x.hi, -1);
                    self.keep(b, 1, Interval { lo: less, hi: less }.floor_div(by).hi)?;
                }
                if x.lo >= 1 && z.hi >= 1 && z.hi <= LIMIT {
                    self.keep(b, Interval { lo: x.lo, hi: x.lo }.ceil_div(Interval::point(z.hi)).lo, POS)?;
                }
                Ok(())
            }
            Op::FloorDiv | Op::CeilDiv | Op::Mod => Ok(()),
            Op::Pow => {
                // Below 1 a power says little; from 2 on it grows with both.
                if x.lo >= 2 && y.lo >= 0 && z.hi >= 1 {
                    self.keep(b, 0, interval::log_down(z.hi, x.lo))?;
                }
                if x.lo >= 0 && y.lo >= 1 && z.hi >= 0 {
                    self.keep(a, 0, interval::root_down(z.hi, y.lo))?;
                }
                if x.lo >= 0 && y.lo >= 0 && z.lo >= 2 {
                    // The least exponent that reaches z.lo from the greatest base, and the other way round.
                    let (x, y) = (self.work[a], self.work[b]);
                    if x.hi <= LIMIT && x.hi >= 2 {
                        self.keep(b, interval::log_down(z.lo - 1, x.hi) + 1, POS)?;
                    }
                    if y.hi <= LIMIT && y.hi >= 1 {
                        self.keep(a, interval::root_down(z.lo - 1, y.hi) + 1, POS)?;
                    }
                }
                Ok(())
            }
        }
    }

    fn not_zero(&mut self, id: NodeId) -> Narrowed {
        match self.work[id] {
            Interval { lo: 0, .. } => self.keep(id, 1, POS),
            Interval { hi: 0, .. } => self.keep(id, interval::NEG, -1),
            _ => Ok(()),
        }
    }

    fn down_call(&mut self, func: Func, kids: &[NodeId], z: Interval) -> Narrowed {
        match func {
            Func::Min => {
                for &kid in kids {
                    self.keep(kid, z.lo, POS)?;
                }
                let mut low = kids.iter().filter(|&&kid| self.work[kid].lo <= z.hi);
                match (low.next(), low.next()) {
                    (None, _) => Err(Empty),
                    (Some(&only), None) => self.keep(only, interval::NEG, z.hi),
                    _ => Ok(()),
                }
            }
            Func::Max => {
                for &kid in kids {
                    self.keep(kid, interval::NEG, z.hi)?;
                }
                let mut high = kids.iter().filter(|&&kid| self.work[kid].hi >= z.lo);
                match (high.next(), high.next()) {
                    (None, _) => Err(Empty),
                    (Some(&only), None) => self.keep(only, z.lo, POS),
                    _ => Ok(()),
                }
            }
            Func::Abs => {
                let Some(&kid) = kids.first() else { return Ok(()) };
                self.keep(kid, interval::neg(z.hi), z.hi)?;
                let x = self.work[kid];
                if x.lo >= 0 {
                    self.keep(kid, z.lo, POS)
                } else if x.hi <= 0 {
                    self.keep(kid, interval::NEG, interval::neg(z.lo))
                } else {
                    Ok(())
                }
            }
            Func::Sqrt => {
                let Some(&kid) = kids.first() else { return Ok(()) };
                let after = interval::add(z.hi, 1);
                let lo = if z.lo >= 0 { interval::mul(z.lo, z.lo).min(LIMIT) } else { 0 };
                self.keep(kid, lo, interval::add(interval::mul(after, after), -1))
            }
            Func::BitOr => {
                for &kid in kids {
                    self.keep(kid, 0, z.hi)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Narrows the roots of an atom.
    fn shape(&mut self, shape: &Shape) -> Narrowed {
        match shape {
            Shape::Rel(a, op, b) => self.rel(*a, *op, *b),
            Shape::List(x, negated, all) => self.list(*x, *negated, all),
            Shape::Range(x, false, lo, hi) => {
                self.rel(*lo, RelOp::Le, *x)?;
                hi.map_or(Ok(()), |hi| self.rel(*x, RelOp::Le, hi))
            }
            Shape::Range(x, true, lo, hi) => {
                let (lo, hi) = (self.work[*lo], hi.map_or(Interval { lo: POS, hi: POS }, |hi| self.work[hi]));
                // The sure part of the range.
                self.cut(*x, lo.hi, hi.lo)
            }
            Shape::Named(x, negated, name, args) => self.named(*x, *negated, *name, args),
            Shape::Param(x, negated, id) => self.param(*x, *negated, *id),
            Shape::Pair(a, b, negated, id) => self.pair(*a, *b, *negated, *id),
            Shape::Divides(a, negated, b) => self.divides(*a, *negated, *b),
        }
    }

    fn rel(&mut self, a: NodeId, op: RelOp, b: NodeId) -> Narrowed {
        let (x, y) = (self.work[a], self.work[b]);
        match op {
            RelOp::Eq => {
                self.keep_in(a, y)?;
                self.keep_in(b, self.work[a])
            }
            RelOp::Ne => {
                if let Some(v) = y.known() {
                    self.cut(a, v, v)?;
                }
                match x.known() {
                    Some(v) => self.cut(b, v, v),
                    None => Ok(()),
                }
            }
            RelOp::Lt => {
                self.keep(a, interval::NEG, interval::add(y.hi, -1))?;
                self.keep(b, interval::add(x.lo, 1), POS)
            }
            RelOp::Le => {
                self.keep(a, interval::NEG, y.hi)?;
                self.keep(b, x.lo, POS)
            }
            RelOp::Gt => self.rel(b, RelOp::Lt, a),
            RelOp::Ge => self.rel(b, RelOp::Le, a),
        }
    }

    /// Takes `lo..=hi` away from a node, as far as an interval can say it.
    fn cut(&mut self, id: NodeId, lo: Int, hi: Int) -> Narrowed {
        let x = self.work[id];
        let number = -LIMIT..=LIMIT;
        if lo > hi {
            return Ok(());
        }
        if lo <= x.lo && x.lo <= hi && number.contains(&x.lo) {
            if !number.contains(&hi) {
                return if hi == POS { Err(Empty) } else { Ok(()) };
            }
            self.keep(id, hi + 1, POS)?;
        }
        let x = self.work[id];
        if lo <= x.hi && x.hi <= hi && number.contains(&x.hi) && number.contains(&lo) {
            self.keep(id, interval::NEG, lo - 1)?;
        }
        Ok(())
    }

    fn list(&mut self, x: NodeId, negated: bool, all: &[NodeId]) -> Narrowed {
        if negated {
            for &member in all {
                if let Some(v) = self.work[member].known() {
                    self.cut(x, v, v)?;
                }
            }
            return Ok(());
        }
        let range = self.work[x];
        let mut hull: Option<Interval> = None;
        for &member in all {
            let fits = self.work[member].meet(range);
            if !fits.is_empty() {
                hull = Some(hull.map_or(fits, |h| h.hull(fits)));
            }
        }
        self.keep_in(x, hull.ok_or(Empty)?)?;
        if let [only] = all {
            let range = self.work[x];
            self.keep_in(*only, range)?;
        }
        Ok(())
    }

    fn named(&mut self, x: NodeId, negated: bool, name: NamedSet, args: &[NodeId]) -> Narrowed {
        let mut known = Vec::with_capacity(args.len());
        known.extend(args.iter().map_while(|&arg| self.work[arg].known()));
        let all_known = known.len() == args.len();
        if let (Some(v), true) = (self.work[x].known(), all_known) {
            // An argument without meaning is said at the leaf.
            return match set::named_contains(name, &known, v) {
                Ok(holds) if holds == negated => Err(Empty),
                _ => Ok(()),
            };
        }
        if negated {
            return Ok(());
        }
        match name {
            NamedSet::Naturals => self.keep(x, 0, POS),
            NamedSet::Divisors => {
                let &[n, ..] = args else { return Ok(()) };
                if self.work[n].hi < 1 {
                    // divisors(0) is an error, which the leaf says: there must be a leaf.
                    return Ok(());
                }
                self.keep(x, 1, self.work[n].hi)?;
                let least = self.work[x].lo;
                if self.work[n].known().is_some() { Ok(()) } else { self.keep(n, least.max(1), POS) }
            }
            NamedSet::Digits => {
                let hi = args.get(1).map_or(9, |&b| interval::add(self.work[b].hi, -1));
                self.keep(x, 0, hi.max(0))
            }
            _ => {
                self.keep(x, 1, POS)?;
                let Interval { lo, hi } = self.work[x];
                let Some(base) = set::base(name, &known).ok().filter(|_| all_known) else { return Ok(()) };
                if name == NamedSet::Primes {
                    // Walking to the next prime costs more than it gives; the members are generated anyway.
                    return self.keep(x, 2, POS);
                }
                if hi <= LIMIT {
                    self.keep(x, interval::NEG, set::at_most(name, base, hi).ok_or(Empty)?)?;
                }
                match set::at_least(name, base, lo) {
                    Some(lo) => self.keep(x, lo.min(LIMIT), POS),
                    None => Ok(()),
                }
            }
        }
    }

    fn param(&mut self, x: NodeId, negated: bool, id: ParamId) -> Narrowed {
        let Some(fact) = self.facts.get(id) else { return Ok(()) };
        let Some(members) = &fact.members else {
            return if negated { Ok(()) } else { self.keep_in(x, fact.hull) };
        };
        let Interval { lo, hi } = self.work[x];
        if negated {
            return match self.work[x].known() {
                Some(v) if members.binary_search(&v).is_ok() => Err(Empty),
                _ => Ok(()),
            };
        }
        match within(members, lo, hi) {
            [] => Err(Empty),
            [first, .., last] => self.keep(x, *first, *last),
            [only] => self.keep(x, *only, *only),
        }
    }

    fn pair(&mut self, a: NodeId, b: NodeId, negated: bool, id: ParamId) -> Narrowed {
        let Some(pairs) = self.facts.get(id).and_then(|f| f.pairs.as_ref()) else {
            return if negated {
                Ok(())
            } else {
                self.keep_in(a, Interval::FINITE)?;
                self.keep_in(b, Interval::FINITE)
            };
        };
        let known = (self.work[a].known(), self.work[b].known());
        if let (Some(x), Some(y)) = known {
            return if pairs.contains(x, y) == negated { Err(Empty) } else { Ok(()) };
        }
        if negated {
            return Ok(());
        }
        // What is known of one side picks rows; the hull of their other side narrows the other.
        for (this, other, turned) in [(a, b, false), (b, a, true)] {
            let range = self.work[this];
            let hull = hull_of(pairs, turned);
            if range.lo <= hull.lo && hull.hi <= range.hi {
                self.keep(this, hull.lo, hull.hi)?;
                continue;
            }
            if turned && known.0.is_some() {
                // The rows of `a` have narrowed `b` already; turning all rows round would cost a sort.
                continue;
            }
            let side = pairs.side(turned);
            let start = side.partition_point(|r| r.0 < range.lo);
            let end = side.partition_point(|r| r.0 <= range.hi);
            let rows = side.slice(start, end);
            let Some((first, last)) = rows.ends() else { return Err(Empty) };
            self.keep(this, first.0, last.0)?;
            if first.0 == last.0 {
                let range = self.work[other];
                let start = rows.partition_point(|r| r.1 < range.lo);
                let end = rows.partition_point(|r| r.1 <= range.hi);
                let Some((first, last)) = rows.slice(start, end).ends() else { return Err(Empty) };
                self.keep(other, first.1, last.1)?;
            }
        }
        Ok(())
    }

    fn divides(&mut self, a: NodeId, negated: bool, b: NodeId) -> Narrowed {
        let (x, y) = (self.work[a], self.work[b]);
        if let (Some(x), Some(y)) = (x.known(), y.known()) {
            return if eval::divides(x, y) == negated { Err(Empty) } else { Ok(()) };
        }
        if negated {
            return Ok(());
        }
        if y.lo >= 1 || y.hi <= -1 {
            let size = y.abs();
            self.not_zero(a)?;
            self.keep(a, interval::neg(size.hi), size.hi)?;
        }
        let x = self.work[a];
        // The multiples of a known number.
        if let Some(step) = x.known().and_then(Int::checked_abs).filter(|&s| s >= 1) {
            let y = self.work[b];
            if (-LIMIT..=LIMIT).contains(&y.lo) {
                let up = number::ceil_div(y.lo, step).and_then(|q| q.checked_mul(step));
                self.keep(b, up.map_or(y.lo, |lo| lo.min(LIMIT)), POS)?;
            }
            if (-LIMIT..=LIMIT).contains(&y.hi) {
                let down = number::floor_div(y.hi, step).and_then(|q| q.checked_mul(step));
                self.keep(b, interval::NEG, down.unwrap_or(y.hi))?;
            }
        } else if x.known() == Some(0) {
            self.keep(b, 0, 0)?;
        } else if x.lo >= 1 && self.work[b].lo >= 1 {
            self.keep(b, x.lo, POS)?;
        }
        Ok(())
    }
}

/// The value for two known numbers.
fn exact_or(a: Interval, b: Interval, f: impl Fn(Int, Int) -> Option<Int>) -> Option<Interval> {
    a.known().zip(b.known()).and_then(|(a, b)| f(a, b)).map(Interval::point)
}

/// The least 2^i - 1 that is not below `x`; ends are handed on.
fn all_ones(x: Int) -> Int {
    if x > LIMIT {
        return x;
    }
    if x <= 0 { 0 } else { (2 << x.ilog2()) - 1 }
}
