//! Fitting y = (a x + b n + c) / d to points, over the rationals and exactly.
//!
//! Recursions on n/k, laws with a function of number theory and split periods are all of this form, with another
//! sequence for x. Three points in general position fix a, b and c; all others must agree. Where no three are in general
//! position, x is itself a line in n (or a constant), and b and c are enough.

/// y = (a x + b n + c) / d with d >= 1, all four without a common divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fit {
    pub(super) a: i128,
    pub(super) b: i128,
    pub(super) c: i128,
    pub(super) d: i128,
}

/// `(n, x, y)`
pub(super) type Point = (i128, i128, i128);

impl Fit {
    /// The only candidate for all points, from some of them; `None` for less than two points.
    pub(super) fn of(mut points: impl Iterator<Item = Point>) -> Option<Fit> {
        let (n0, x0, y0) = points.next()?;
        let mut shifted = points.map(|(n, x, y)| (n - n0, x - x0, y - y0)).filter(|(n, _, _)| *n != 0);
        let (n1, x1, y1) = shifted.next()?;
        let general = shifted.map(|(n, x, y)| (n1 * x - n * x1, n, x, y)).find(|(det, ..)| *det != 0);
        let (a, b, d) = match general {
            Some((det, n2, x2, y2)) => (n1 * y2 - n2 * y1, y1 * x2 - y2 * x1, det),
            None => (0, y1, n1),
        };
        Some(Fit::reduced(a, b, d * y0 - a * x0 - b * n0, d))
    }

    fn reduced(a: i128, b: i128, c: i128, d: i128) -> Fit {
        let gcd = [a, b, c].iter().fold(d.abs(), |g, v| super::super::pattern::gcd(g, v.abs())).max(1);
        let sign = d.signum() * gcd;
        Fit { a: a / sign, b: b / sign, c: c / sign, d: d / sign }
    }

    pub(super) fn holds(&self, (n, x, y): Point) -> bool {
        self.a * x + self.b * n + self.c == self.d * y
    }

    /// The right side of a clause, where `x` is written like this: `6n + 3 - g(n)`.
    pub(super) fn write(&self, x: &str) -> String {
        let term = |factor: i128, what: &str| match (factor.abs(), what) {
            (f, "") => f.to_string(),
            (1, what) => what.to_string(),
            (f, what) => format!("{f}{what}"),
        };
        let terms = [(self.a, x), (self.b, "n"), (self.c, "")];
        let mut out = String::new();
        // A sum begins with something positive where it can.
        for negative in [false, true] {
            for (factor, what) in terms.iter().filter(|(f, _)| *f != 0 && (*f < 0) == negative) {
                match (out.is_empty(), negative) {
                    (true, false) => {}
                    (true, true) => out.push('-'),
                    (false, false) => out.push_str(" + "),
                    (false, true) => out.push_str(" - "),
                }
                out.push_str(&term(*factor, what));
            }
        }
        if out.is_empty() {
            out.push('0');
        }
        if self.d > 1 { format!("floor(({out})/{})", self.d) } else { out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_points_in_general_position_fix_everything() {
        let x = |n: i128| n * n % 7;
        let points = || (3..20).map(move |n| (n, x(n), 5 - 2 * n + x(n)));
        let fit = Fit::of(points()).unwrap();
        assert_eq!(fit, Fit { a: 1, b: -2, c: 5, d: 1 });
        assert!(points().all(|p| fit.holds(p)) && !fit.holds((3, 2, 0)));
        assert_eq!(fit.write("g(n)"), "g(n) + 5 - 2n");
        let halves = Fit::of((0..9).map(|n| (2 * n, x(n), x(n) * 3 + n))).unwrap();
        assert_eq!(halves, Fit { a: 6, b: 1, c: 0, d: 2 });
        assert_eq!(halves.write("g(n)"), "floor((6g(n) + n)/2)");
    }

    #[test]
    fn a_line_needs_no_third_point() {
        let fit = Fit::of((4..9).map(|n| (n, 3 * n, 1 - n))).unwrap();
        assert_eq!((fit, fit.write("g(n)")), (Fit { a: 0, b: -1, c: 1, d: 1 }, "1 - n".to_string()));
        assert_eq!(Fit::of((4..9).map(|n| (n, 5, 0))).unwrap().write("g(n)"), "0");
        assert!(Fit::of([(1, 1, 1)].into_iter()).is_none());
    }
}
