//! The block forms: values far out, the way back, periods, drawings.

use super::*;
use crate::law::Period;

/// The heaps below `end` with each value, by evaluation alone.
fn inverse_agrees(law: &Law, end: u128, values: &[u128]) {
    let all: Vec<u128> = (0..end).map(|n| law.value(n).unwrap()).collect();
    for v in values {
        for from in [0, 1, end / 3] {
            let want: Vec<u128> = (from..end).filter(|n| all[usize::try_from(*n).unwrap()] == *v).collect();
            let found: Vec<u128> = law.heaps_with(*v, from, end - 1).collect::<Result<_, _>>().unwrap();
            assert_eq!(found, want, "{law}: value {v} from {from}");
        }
    }
}

#[test]
fn an_automaton_of_pairs_is_evaluated_and_inverted() {
    // (n, 3n): the state is the carry.
    let triple = law("automaton base 2 {
        0*: 0/0 to 0, 1/1 to 1
        1: 0/1 to 0, 1/0 to 2
        2: 0/0 to 1, 1/1 to 2
    }");
    for n in (0..300).chain([10_u128.pow(18), 10_u128.pow(36) + 1]) {
        assert_eq!(triple.value(n).unwrap(), 3 * n);
    }
    inverse_agrees(&triple, 100, &[0, 3, 4, 150, 297, 600]);
    assert_eq!(triple.kind(), Kind::Automaton);

    // n with its last two digits in base 3 exchanged.
    let mut text = "automaton base 3 {\n 0*: ".to_string();
    let mut states = Vec::new();
    for n in 0..3 {
        for v in 0..3 {
            text += &format!("{n}/{v} to {}, ", 1 + 3 * n + v);
            // The next digit of n is v, and of g(n) is n.
            states.push(format!(
                "{}{}: {v}/{n} to 10",
                1 + 3 * n + v,
                if n == 0 && v == 0 { "*" } else { "" }
            ));
        }
    }
    text += &format!("\n {}\n 10*: 0/0 to 10, 1/1 to 10, 2/2 to 10 }}", states.join("\n "));
    let exchange = law(&text);
    let right = |n: u128| n / 9 * 9 + n % 3 * 3 + n / 3 % 3;
    for n in (0..500).chain([10_u128.pow(30) + 5]) {
        assert_eq!(exchange.value(n).unwrap(), right(n), "{n}");
    }
    inverse_agrees(&exchange, 200, &[0, 1, 3, 50, 199]);
}

#[test]
fn a_coded_automaton_gives_the_place_of_the_one() {
    // The number of trailing zeros of n in base 2; heap 0 has the value 0.
    let ruler = law("g(0..) = 0
        automaton base 2 coded {
        0: 0/0 to 0, 1/1 to 1
        1*: 0/0 to 1, 1/0 to 1
    }");
    assert_eq!(ruler.kind(), Kind::CodedAutomaton);
    for n in 1..1000_u128 {
        assert_eq!(ruler.value(n).unwrap(), u128::from(n.trailing_zeros()));
    }
    assert_eq!(ruler.value(1 << 100).unwrap(), 100);
    inverse_agrees(&ruler, 130, &[0, 1, 5, 7, 8]);
    assert_eq!(ruler.heaps_with(40, 1, 1 << 50).next().unwrap().unwrap(), 1 << 40);

    // One more than the number of digits: the one stands beyond the digits of n.
    let digits = law(
        "automaton base 2 coded { 0: 0/0 to 0, 1/0 to 1, 0/1 to 2  1: 0/0 to 0, 1/0 to 1, 0/1 to 2  2*: 0/0 to 2 }",
    );
    // Of several values that are accepted the least is taken, and 0 padding makes it unique here only beyond n.
    assert_eq!(digits.value(5).unwrap(), 3);
    assert_eq!(digits.value(255).unwrap(), 8);
}

#[test]
fn what_an_automaton_does_not_accept_it_is_silent_about() {
    let even = law("automaton base 2 { 0*: 0/0 to 1  1*: 0/0 to 1, 1/1 to 1 }");
    assert_eq!(even.value(12).unwrap(), 12);
    assert_eq!(id(even.value(13)), "law-silent");
    let coded = law("automaton base 2 coded { 0: 0/1 to 1  1*: 0/0 to 1, 1/0 to 1 }");
    assert_eq!(coded.value(12).unwrap(), 0);
    assert_eq!(id(coded.value(13)), "law-silent");
}

#[test]
fn a_line_and_an_output() {
    let odious = law("automatic base 2 slope 2 { 0 = 1: 0, 1  1 = 0: 1, 0 }");
    assert_eq!(odious.kind(), Kind::Automatic);
    let right = |n: u128| 2 * n + u128::from(n.count_ones().is_multiple_of(2));
    for n in (0..1000).chain([10_u128.pow(18), 10_u128.pow(37)]) {
        assert_eq!(odious.value(n).unwrap(), right(n));
    }
    inverse_agrees(&odious, 200, &[0, 1, 2, 3, 4, 100, 101, 399]);
    let thirds = law("automatic base 3 slope 2/3 { 0 = 0: 0, 0, 1  1 = 0: 1, 1, 1 }");
    for n in 0..300 {
        assert_eq!(thirds.value(n).unwrap(), 2 * n / 3);
    }
    inverse_agrees(&thirds, 90, &[0, 1, 2, 30, 59]);
    let parity = law("automatic base 2 { 0 = 0: 0, 1  1 = 1: 1, 0 }");
    inverse_agrees(&parity, 70, &[0, 1, 2]);
    assert_eq!(parity.heaps_with(1, 1 << 80, u128::MAX).next().unwrap().unwrap(), 1 << 80);
}

#[test]
fn a_window_is_its_own_game() {
    for (text, left) in [
        (
            "g(0..) = 0\nwindow L(n) = ceil(n/3) for n >= 1",
            &(|n: usize| n.div_ceil(3)) as &dyn Fn(usize) -> usize,
        ),
        ("window L(n) = n - sqrt(n)", &|n| n - n.isqrt()),
        ("window L(n) = n - floor(n/3)", &|n| n - n / 3),
        ("window L(n) = n - 5", &|n| n.saturating_sub(5)),
        ("window L(n) = 0", &|_| 0),
    ] {
        let law = law(text);
        assert_eq!(law.kind(), Kind::Fractal);
        let mut values: Vec<u128> = vec![0];
        for n in 1..400 {
            let window = &values[left(n)..n];
            values.push((0..).find(|v| !window.contains(v)).unwrap());
        }
        for (n, value) in (0..).zip(&values) {
            assert_eq!(law.value(n).unwrap(), *value, "{text}: {n}");
        }
        inverse_agrees(&law, 150, &[0, 1, 2, 5, 12, 140]);
    }
    let sqrt = law("window L(n) = n - sqrt(n)");
    assert_eq!(sqrt.value(10_u128.pow(36)).unwrap(), 10_u128.pow(18));
    let k = [number("k", 10_i128.pow(18))];
    let wide = Law::parse("g(0..) = 0\nwindow L(n) = ceil(n/k) for n >= 1", &k).unwrap();
    assert_eq!(wide.value(10_u128.pow(18)).unwrap(), 10_u128.pow(18) - 1);
    assert_eq!(Law::parse("window L(n) = n*n", &[]).unwrap_err().id(), "law-window");
}

#[test]
fn narrow_windows_are_walked_in_strides() {
    // Without strides this would take n / log n steps.
    let law = law("window L(n) = n - log(n + 1, 2)");
    let slow = |n: u128| {
        let left = |n: u128| n - u128::from((n + 1).ilog2());
        let mut n = n;
        while n > 0 && left(n) != left(n - 1) && left(n) != n {
            n = left(n - 1);
        }
        n - left(n)
    };
    for n in 0..5000 {
        assert_eq!(law.value(n).unwrap(), slow(n), "{n}");
    }
    assert_eq!(law.value(1 << 100).unwrap(), slow_far(1 << 100));
}

/// The window n - log2(n + 1): runs of equal width w from 2^w - 1 to 2^(w+1) - 2, within which the values repeat
/// with period w + 1.
fn slow_far(mut n: u128) -> u128 {
    loop {
        let w = u128::from((n + 1).ilog2());
        let first = (1 << w) - 1;
        if n == first {
            return w;
        }
        // One step from n leads to n - 1 - w while n - 1 is in the run.
        let steps = (n - 1 - first) / (w + 1) + 1;
        n -= steps * (w + 1);
    }
}

#[test]
fn zeros_tell_the_outcome_and_nothing_more() {
    let odd = law("zeros\nz(0..) = 0, 5\nz(i + 2) = z(i) + 7");
    assert_eq!(odd.kind(), Kind::Zeros);
    for n in 0..200 {
        assert_eq!(odd.lost(n).unwrap(), n % 7 == 0 || n % 7 == 5, "{n}");
    }
    assert!(odd.lost(7 * 10_u128.pow(18)).unwrap());
    assert_eq!(odd.value(7).unwrap(), 0);
    assert_eq!(id(odd.value(8)), "law-outcome");
    let zeros: Vec<u128> = odd.heaps_with(0, 6, 21).collect::<Result<_, _>>().unwrap();
    assert_eq!(zeros, [7, 12, 14, 19, 21]);
    assert_eq!(odd.heaps_with(3, 0, 100).next().unwrap().unwrap_err().id(), "law-outcome");

    // Where the clauses end, there are no more.
    let few = law("zeros\nz(0..) = 0, 4");
    assert!(few.lost(4).unwrap() && !few.lost(5).unwrap());
    assert_eq!(few.heaps_with(0, 1, 1000).map(Result::unwrap).collect::<Vec<_>>(), [4]);

    let fibonacci = law("zeros\nz(0..) = 1, 2\nz(i + 2) = z(i + 1) + z(i)");
    let (mut a, mut b) = (1_u128, 2);
    while a < 1 << 120 {
        assert!(fibonacci.lost(a).unwrap() && (a < 3 || !fibonacci.lost(a + 1).unwrap() || a + 1 == b));
        (a, b) = (b, a + b);
    }
}

#[test]
fn a_beatty_pair_is_exact() {
    let wythoff = law("zeros\nz(i) = (floor((i + sqrt(5*i^2))/2), floor((3*i + sqrt(5*i^2))/2))");
    // The rule of Wythoff: each pair has the least number not yet used, and the next difference.
    let mut used = [false; 400];
    let mut lost = Vec::new();
    for i in 0.. {
        let a = (0..).find(|a| *a >= 400 || !used[*a]).unwrap();
        if a + i >= 400 {
            break;
        }
        (used[a], used[a + i]) = (true, true);
        lost.push((a as u128, (a + i) as u128));
    }
    for a in 0..150 {
        for b in 0..150 {
            assert_eq!(wythoff.lost_pair(a, b).unwrap(), lost.contains(&(a.min(b), a.max(b))), "({a}, {b})");
        }
    }
    assert_eq!(law("g(n) = n").lost_pair(1, 2).unwrap_err().id(), "law-pairs");
}

#[test]
fn kinds_and_periods_are_read_off_the_clauses() {
    let period = |text: &str| {
        let p = law(text).period()?;
        Some((p.preperiod, p.period, p.saltus))
    };
    for (text, kind, want) in [
        ("g(0..) = 0, 1, 0, 1\ng(n + 4) = g(n)", Kind::Periodic, Some((0, 2, 0))),
        ("g(0..) = 7, 1, 0, 1, 0\ng(n + 2) = g(n) for n >= 3", Kind::Periodic, Some((1, 2, 0))),
        ("g(n) = 2n + n mod 3", Kind::ArithmeticPeriodic, Some((0, 3, 6))),
        ("g(n) = floor(n/4)", Kind::ArithmeticPeriodic, Some((0, 4, 1))),
        ("g(0) = 5\ng(n) = n mod 4", Kind::Periodic, Some((1, 4, 0))),
        ("g(n) = xor(n mod 4, n mod 6)", Kind::Periodic, Some((0, 12, 0))),
        ("g(n) = 3n - floor(n/2)", Kind::ArithmeticPeriodic, Some((0, 2, 5))),
        ("g(n) = n*n", Kind::Formula, None),
        ("g(n) = xor(n, 1)", Kind::NumberTheoretic, None),
        ("g(n) = 5 - n mod 2 - n", Kind::Formula, None),
        ("g(2n) = n\ng(2n + 1) = 0", Kind::SplitArithmetic, None),
        ("g(0..) = 1\ng(2n) = g(n) + 2n\ng(2n + 1) = 6n + 3 - g(n)", Kind::Linear, None),
        ("g(0) = 0\ng(1) = 0\ng(3a+1) = g(a)\ng(3a+b) = 2a+b-1 for 2 <= b <= 3", Kind::Linear, None),
        ("g(0) = 0\ng(n) = valuation(n, 2) for n >= 1", Kind::NumberTheoretic, None),
        ("g(n) = n for 2 divides n\ng(n) = 0", Kind::Formula, None),
    ] {
        assert_eq!((law(text).kind(), period(text)), (kind, want), "{text}");
    }
    let p = law("g(n) = floor(n mod 10^6/3)").period();
    assert_eq!(p, Some(Period { preperiod: 0, period: 1_000_000, saltus: 0 }));
}

#[test]
fn drawings_show_every_state_and_arrow() {
    let dot = law("automaton base 2 { 0*: 0/0 to 0, 1/1 to 0, 1/0 to 1  1: 0/1 to 0 }").graphviz().unwrap();
    assert!(dot.contains("s0 [shape=doublecircle];"), "{dot}");
    assert!(dot.contains("s0 -> s0 [label=\"0/0, 1/1\"];") && dot.contains("s1 -> s0 [label=\"0/1\"];"));
    assert!(law("g(n) = n").graphviz().is_none());
    let latex = law("automatic base 2 slope 2 { 0 = 1: 0, 1  1 = 0: 1, 0 }").latex();
    assert!(latex.contains("$g(n) = 2 n + a(n)$") && latex.contains("1 & 0 & 1 & 0 \\\\"), "{latex}");
    let latex = law("g(0..) = 0, 1\ng(n + 12) = g(n) for n >= 71").latex();
    assert_eq!(
        latex,
        "\\begin{align*}\ng(0), \\dots, g(1) &= 0, 1 \\\\\ng(n + 12) &= g(n) && \\text{for } n \\ge 71\n\\end{align*}\n"
    );
}
