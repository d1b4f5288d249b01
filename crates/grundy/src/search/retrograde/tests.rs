use super::super::explore::Explored;
use super::super::game::{self, Game};
use super::super::random::{Listed, Random};
use super::*;

/// The least fixpoint, by sweeping over all nodes until nothing changes; the distance is the number of the sweep.
fn naive(game: &Listed) -> Vec<(Outcome, Option<u32>)> {
    let mut known: Vec<Option<(Outcome, u32)>> = vec![None; game.arcs.len()];
    for round in 0.. {
        let mut next = known.clone();
        for (node, arcs) in game.arcs.iter().enumerate() {
            if known[node].is_some() {
                continue;
            }
            let after = |result: Outcome| {
                move |known: &Option<(Outcome, u32)>| known.is_some_and(|(o, _)| o == result)
            };
            let options: Vec<_> = arcs.iter().map(|arc| known[arc.to as usize]).collect();
            let end = game.ends[node].or_else(|| arcs.is_empty().then_some(-1));
            next[node] = match end {
                Some(end) => (round == 0).then(|| (game::outcome(end), 0)),
                None if options.iter().any(after(Outcome::Loss)) => Some((Outcome::Win, round)),
                None if options.iter().all(after(Outcome::Win)) => Some((Outcome::Loss, round)),
                None => None,
            };
        }
        if next == known {
            break;
        }
        known = next;
    }
    let result = |known: &Option<(Outcome, u32)>| match known {
        Some((Outcome::Draw, _)) | None => (Outcome::Draw, None),
        Some((outcome, moves)) => (*outcome, Some(*moves)),
    };
    known.iter().map(result).collect()
}

fn graph(game: &Listed) -> Digraph {
    let mut graph = Digraph::new();
    for arcs in &game.arcs {
        graph.push(arcs.iter().map(|arc| arc.to)).unwrap();
    }
    graph
}

#[test]
fn a_thousand_random_graphs_are_their_fixpoint() {
    let mut seen = [0; 3];
    for seed in 0..1000 {
        let random = &mut Random::new(seed);
        let nodes = 1 + random.below(120);
        let game = Listed::looping(random, nodes);
        let end = |node: u32| game.ends[node as usize].map(game::outcome);
        let solved = solve(&graph(&game), end, &Limits::default()).unwrap();
        for (node, (outcome, distance)) in (0..).zip(naive(&game)) {
            assert_eq!(
                (solved.outcome(node), solved.distance(node)),
                (outcome, distance),
                "seed {seed}, node {node}"
            );
            seen[usize::from(outcome.rank())] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 5000), "all results occur: {seen:?}");
}

#[test]
fn what_can_be_reached_is_solved_the_same_and_lines_have_their_length() {
    for seed in 0..200 {
        let game = Listed::looping(&mut Random::new(seed), 60);
        let naive = naive(&game);
        let all = Explored::new(&game, &0, &Limits::default()).unwrap();
        for (node, &(outcome, distance)) in (0..).zip(&naive) {
            if all.outcome(&node).is_none() {
                continue;
            }
            assert_eq!((all.outcome(&node), all.distance(&node)), (Some(outcome), distance), "seed {seed}");
            let line = all.line(&node);
            if let Some(moves) = distance {
                assert_eq!(line.len(), moves as usize, "seed {seed}, node {node}");
            }
            let over = game.ends[node as usize].is_some();
            for arc in game.moves(&node) {
                let keeps = !over && naive[arc.to as usize].0 == outcome.reversed();
                assert_eq!(all.best(&node).contains(&arc), keeps, "seed {seed}, node {node}");
            }
        }
    }
}

#[test]
fn arcs_keep_their_order_and_turn_round() {
    let arcs = [(2, 1), (0, 2), (2, 0), (1, 1), (2, 1)];
    let graph = Digraph::from_arcs(3, &arcs).unwrap();
    assert_eq!(graph.after(2), [1, 0, 1]);
    let reversed = graph.reversed().unwrap().unwrap();
    assert_eq!(
        (reversed.after(0), reversed.after(1), reversed.after(2)),
        (&[2][..], &[2, 2, 1][..], &[0][..])
    );
    assert_eq!(Digraph::read(b"2,1 0,2\n2 0 # again\n1 1\n2 1").unwrap(), graph);
}

#[test]
fn arcs_that_lead_nowhere_are_refused() {
    assert_eq!(Digraph::from_arcs(2, &[(0, 2)]).unwrap_err().id(), "graph");
    let mut graph = Digraph::new();
    graph.push([1]).unwrap();
    assert_eq!(solve(&graph, |_| None, &Limits::default()).unwrap_err().id(), "graph");
    for text in ["0", "0 1 2", "0 -1", "0 4294967295", "0 99999999999", "a b"] {
        assert_eq!(Digraph::read(text.as_bytes()).unwrap_err().id(), "graph", "{text}");
    }
    assert_eq!(Digraph::read(b"# nothing").unwrap().nodes(), 0);
}

#[test]
fn limits_hold_before_memory_is_taken() {
    let graph = Digraph::from_arcs(1000, &[(0, 1)]).unwrap();
    let limits = Limits { memory: Some(1000), ..Limits::default() };
    assert_eq!(solve(&graph, |_| None, &limits).unwrap_err().id(), "memory");
}
