//! Retrograde analysis of a random graph of 10^6 nodes and 5 * 10^6 arcs, reading included: `cargo bench -p grundy
//! --bench loops`. Prints CPU seconds and fails above three; CPU time is read from the scheduler, so that a busy
//! machine does not blur it.

use std::fmt::Write;
use std::time::{Duration, Instant};

use grundy::limits::Limits;
use grundy::search::Outcome;
use grundy::search::graph::Digraph;
use grundy::search::retrograde;

const NODES: u64 = 1_000_000;
const ARCS: u64 = 5_000_000;

/// CPU time of this thread where Linux tells it, else the clock.
fn cpu(start: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match text.split_whitespace().next().and_then(|ns| ns.parse().ok()) {
        Some(ns) => Duration::from_nanos(ns),
        None => start.elapsed(),
    }
}

fn main() {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % NODES
    };
    let mut text = String::new();
    for arc in 0..ARCS {
        let (a, b) = (random(), random());
        // Most arcs lead downwards, so that every node is decided and every arc looked at.
        let (from, to) = if arc % 20 == 0 { (a, b) } else { (a.max(b), a.min(b)) };
        writeln!(text, "{from} {to}").expect("writing to a string");
    }

    let clock = Instant::now();
    let start = cpu(clock);
    let graph = Digraph::read(text.as_bytes()).expect("numbers");
    let read = cpu(clock) - start;
    let solved = retrograde::solve(&graph, |_| None, &Limits::default()).expect("no limits");
    let total = cpu(clock) - start;

    let count = |outcome| solved.outcomes().iter().filter(|&&found| found == outcome).count();
    let longest = (0..).take(graph.nodes()).filter_map(|node| solved.distance(node)).max();
    println!(
        "{} nodes, {} arcs: read in {} ms, read and solved in {} ms of CPU time; {} wins, {} losses, {} draws, longest {}",
        graph.nodes(),
        graph.arcs(),
        read.as_millis(),
        total.as_millis(),
        count(Outcome::Win),
        count(Outcome::Loss),
        count(Outcome::Draw),
        longest.unwrap_or(0),
    );
    assert!(total < Duration::from_secs(3), "slower than three seconds");
}
