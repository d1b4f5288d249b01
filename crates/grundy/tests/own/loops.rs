//! Games that need not end, by retrograde analysis of their graphs.

use grundy::limits::Limits;
use grundy::search::Outcome;
use grundy::search::graph::Digraph;
use grundy::search::retrograde;

use super::Numbers;

fn node(number: usize) -> u32 {
    u32::try_from(number).expect("a small graph")
}

/// CF 787C: two players move round a ring, each by steps of their own; who reaches 0 wins.
pub(crate) fn berzerk(input: &str) -> String {
    let mut numbers = Numbers::of(input);
    let size = numbers.next();
    let steps: [Vec<usize>; 2] = std::array::from_fn(|_| {
        let count = numbers.next();
        numbers.list(count)
    });
    // Node 2 * place + player: that player moves from there. At 0 the other has just won.
    let mut graph = Digraph::new();
    for place in 0..size {
        for (player, steps) in steps.iter().enumerate() {
            let heads = steps.iter().map(|step| node(2 * ((place + step) % size) + 1 - player));
            graph.push(heads).expect("a small graph");
        }
    }
    let solved = retrograde::solve(&graph, |at| (at < 2).then_some(Outcome::Loss), &Limits::default());
    let solved = solved.expect("no limits");
    let word = |at: usize| match solved.outcome(node(at)) {
        Outcome::Win => "Win",
        Outcome::Loss => "Lose",
        Outcome::Draw => "Loop",
    };
    let line = |player: usize| (1..size).map(|place| word(2 * place + player)).collect::<Vec<_>>().join(" ");
    format!("{}\n{}\n", line(0), line(1))
}

/// Square-But-One: take a square, or add one stone to an even heap that is not empty. An odd heap cannot grow, so no heap
/// above n + 1 is ever reached from n.
pub(crate) fn square_but_one(input: &str) -> String {
    let heaps: Vec<usize> =
        input.split_ascii_whitespace().map(|word| word.parse().expect("a number")).collect();
    let most = heaps.iter().max().expect("a heap") + 1;
    let mut graph = Digraph::new();
    for heap in 0..=most {
        let squares = (1..).map(|root| root * root).take_while(|square| *square <= heap);
        let up = Some(heap + 1).filter(|_| heap > 0 && heap % 2 == 0 && heap < most);
        graph.push(squares.map(|square| node(heap - square)).chain(up.map(node))).expect("a small graph");
    }
    let solved = retrograde::solve(&graph, |_| None, &Limits::default()).expect("no limits");
    let word = |heap: &usize| match solved.outcome(node(*heap)) {
        Outcome::Win => "Win\n",
        Outcome::Loss => "Lose\n",
        Outcome::Draw => "Draw\n",
    };
    heaps.iter().map(word).collect()
}
