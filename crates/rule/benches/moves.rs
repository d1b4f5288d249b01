//! How many assignments a second one core tries, by rule. Run with `cargo bench -p grundy-rule --bench moves [NAME ..]`.
//!
//! CPU time is read from the scheduler, so a busy machine does not blur it. Prints a line a rule: assignments
//! (moves given to the sink) in millions a second, nanoseconds a heap, candidates an assignment.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use grundy_rule::Rule;
use grundy_rule::argument::Argument;
use grundy_rule::expr::Int;
use grundy_rule::heap::KindId;
use grundy_rule::moves::{Moves, Scratch, Sink};

/// Folds everything it gets, so that nothing can be left out.
#[derive(Default)]
struct Fold {
    sum: Int,
}

impl Sink for Fold {
    #[inline]
    fn start(&mut self, _: usize, _: usize, assignment: &[Int]) {
        self.sum ^= assignment.first().copied().unwrap_or(0);
    }
    #[inline]
    fn heap(&mut self, _: KindId, entries: &[Int], _: u128) {
        self.sum = self.sum.wrapping_add(entries[0]);
    }
    #[inline]
    fn finish(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// CPU time of this thread where Linux tells it, else the clock.
fn cpu(start: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match text.split_whitespace().next().and_then(|ns| ns.parse().ok()) {
        Some(ns) => Duration::from_nanos(ns),
        None => start.elapsed(),
    }
}

const RULES: &[(&str, &str, Int)] = &[
    ("kayles", "n -> a, b where a + b = n - t, t in 1..2", 500),
    ("split", "n -> a, b where a + b = n, 1 <= a < b", 500),
    ("three", "n -> a, b, c where a + b + c = n, 1 <= a <= b <= c", 100),
    ("beans", "d -> j, k where j <= k, k < d", 100),
    ("nim", "n -> a where a < n", 500),
    ("window", "game g(k); x -> y where x/k <= y < x", 500),
    ("subtraction", "n -> n - t where t in {1, 3, 4}", 500),
    ("two branches", "n -> a, b where a + b = n - t, t = 1 or a + b = n - t, t = 2", 500),
    ("coprime", "n -> n - t where t >= 1, gcd(n, t) = 1", 500),
    ("squares", "n -> n - t where t in squares", 500),
    ("divisors", "n -> n - d where d divides n, 1 < d < n", 500),
    ("staircase", "n -> [a + i for i in 0..k-1] where k >= 2, a >= 1, 2*n = k*(2*a + k - 1)", 500),
];

fn main() {
    // Cargo adds `--bench`; any other argument picks rules by name.
    let picked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    for (name, text, size) in RULES {
        if !picked.is_empty() && !picked.iter().any(|p| p == name) {
            continue;
        }
        let args = if text.contains("(k)") { vec![("k".to_string(), Argument::Number(3))] } else { vec![] };
        let rule = match Rule::parse(text, &args) {
            Ok((rule, _)) => rule,
            Err(errors) => panic!("{name}: {}", errors[0]),
        };
        let moves = Moves::new(&rule).expect("parameters have values");
        let mut scratch = Scratch::default();
        let mut fold = Fold::default();
        let mut heaps = 0u64;
        let clock = Instant::now();
        let start = cpu(clock);
        while cpu(clock) - start < Duration::from_millis(500) {
            for n in size - 20..size + 20 {
                moves.visit(&mut scratch, KindId(0), &[n], &mut fold).expect("the rule has no errors");
                heaps += 1;
            }
        }
        let spent = u64::try_from((cpu(clock) - start).as_nanos()).unwrap_or(u64::MAX).max(1);
        let mega = scratch.options * 1000 / spent;
        println!(
            "{name:<14} {mega:>5} M moves/s {:>9} ns/heap {:>5} candidates/100 moves   {text}",
            spent / heaps,
            scratch.candidates * 100 / scratch.options.max(1),
        );
        std::hint::black_box(fold.sum);
    }
}
