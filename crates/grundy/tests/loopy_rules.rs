//! Rules whose play may go on for ever, whose moves may end the game, or whose players have different moves, against a
//! plain fixpoint over whole positions; and what is known about some of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};

use grundy::limits::Limits;
use grundy::position::{self, Analysis, Entry, Position, Question};
use grundy::search::Outcome;
use grundy::values::Values;
use grundy_rule::argument::Argument;
use grundy_rule::heap::KindId;
use grundy_rule::rule::{Ending, Player};
use grundy_rule::{Heap, Int, Rule};
use proptest::prelude::*;

type Pairs = BTreeSet<(usize, usize)>;

fn rule(text: &str, args: &[(&str, String)]) -> Rule {
    let args: Vec<(String, Argument)> =
        args.iter().map(|(name, value)| ((*name).to_string(), Argument::parse(value).unwrap())).collect();
    Rule::parse(text, &args).unwrap_or_else(|said| panic!("{}", said[0].plain(text))).0
}

fn analyse(rule: &Rule, heaps: &[&[Int]], question: &Question) -> Analysis {
    let mut values = Values::new(rule, None, Limits::default()).unwrap();
    let entry = |entries: &&[Int]| Entry { heap: Heap::new(KindId(0), entries), count: 1 };
    let position = Position { entries: heaps.iter().map(entry).collect() };
    position::analyse(rule, &mut values, &position, question).unwrap()
}

fn shown(pairs: &Pairs) -> String {
    let all: Vec<String> = pairs.iter().map(|(a, b)| format!("({a},{b})")).collect();
    if all.is_empty() { "{}".to_string() } else { all.join(",") }
}

/// The games of the random tests: tokens on the nodes 0 to `nodes - 1`.
#[derive(Clone, Debug)]
struct Plain {
    nodes: usize,
    left: Pairs,
    right: Pairs,
    both: Pairs,
    wins: BTreeSet<usize>,
    loses: BTreeSet<usize>,
    draws: BTreeSet<usize>,
    misere: bool,
}

const TEXT: &str = "
left: v -> u where (v, u) in L
right: v -> u where (v, u) in R
v -> u where (v, u) in B
v -> win where v in W
left: v -> lose where v in X
v -> draw where v in D
";

/// A move: which token, and where it goes or how the game ends.
type Move = (usize, Result<usize, Ending>);

impl Plain {
    fn rule(&self) -> Rule {
        let set = |set: &BTreeSet<usize>| {
            format!("{{{}}}", set.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
        };
        let args = [
            ("L", shown(&self.left)),
            ("R", shown(&self.right)),
            ("B", shown(&self.both)),
            ("W", set(&self.wins)),
            ("X", set(&self.loses)),
            ("D", set(&self.draws)),
        ];
        let header = if self.misere { "misere loopy" } else { "loopy" };
        rule(
            &format!("{header} game random(L: pairs, R: pairs, B: pairs, W: set, X: set, D: set){TEXT}"),
            &args,
        )
    }

    fn moves(&self, place: &[usize], player: Player) -> Vec<Move> {
        let own = if player == Player::Left { &self.left } else { &self.right };
        let mut moves = Vec::new();
        for (at, &node) in place.iter().enumerate() {
            moves.extend(own.union(&self.both).filter(|arc| arc.0 == node).map(|arc| (at, Ok(arc.1))));
            let ends = [
                (self.wins.contains(&node), Ending::Win),
                (self.loses.contains(&node) && player == Player::Left, Ending::Lose),
                (self.draws.contains(&node), Ending::Draw),
            ];
            moves.extend(ends.into_iter().filter(|(may, _)| *may).map(|(_, ending)| (at, Err(ending))));
        }
        moves
    }

    /// The results of all places with that many tokens, by sweeping until nothing changes. What is missing is a draw.
    fn solve(&self, tokens: usize) -> BTreeMap<(Vec<usize>, Player), Outcome> {
        let mut places = vec![vec![]];
        for _ in 0..tokens {
            places = places
                .into_iter()
                .flat_map(|place: Vec<usize>| (0..self.nodes).map(move |node| [&place[..], &[node]].concat()))
                .collect();
        }
        let mut known: BTreeMap<(Vec<usize>, Player), Outcome> = BTreeMap::new();
        loop {
            let before = known.len();
            for place in &places {
                for player in [Player::Left, Player::Right] {
                    let key = (place.clone(), player);
                    if known.contains_key(&key) {
                        continue;
                    }
                    let moves = self.moves(place, player);
                    let results: Vec<_> =
                        moves.iter().map(|made| self.after(place, player, made, &known)).collect();
                    let result = if moves.is_empty() {
                        Some(if self.misere { Outcome::Win } else { Outcome::Loss })
                    } else if results.contains(&Some(Outcome::Loss)) {
                        Some(Outcome::Win)
                    } else {
                        results.iter().all(|result| *result == Some(Outcome::Win)).then_some(Outcome::Loss)
                    };
                    if let Some(result) = result {
                        known.insert(key, result);
                    }
                }
            }
            if known.len() == before {
                return known;
            }
        }
    }

    /// The result for the other player after a move, if it is known.
    fn after(
        &self,
        place: &[usize],
        player: Player,
        made: &Move,
        known: &BTreeMap<(Vec<usize>, Player), Outcome>,
    ) -> Option<Outcome> {
        match made.1 {
            Err(Ending::Win) => Some(Outcome::Loss),
            Err(Ending::Lose) => Some(Outcome::Win),
            Err(Ending::Draw) => Some(Outcome::Draw),
            Ok(node) => {
                let mut place = place.to_vec();
                place[made.0] = node;
                known.get(&(place, player.other())).copied()
            }
        }
    }

    fn agrees(&self, place: &[usize]) -> Result<Outcome, TestCaseError> {
        let known = self.solve(place.len());
        let rule = self.rule();
        let entries: Vec<[Int; 1]> = place.iter().map(|node| [Int::try_from(*node).unwrap()]).collect();
        let heaps: Vec<&[Int]> = entries.iter().map(|entry| &entry[..]).collect();
        let mut seen = Outcome::Loss;
        for player in [Player::Left, Player::Right] {
            let wanted = known.get(&(place.to_vec(), player)).copied().unwrap_or(Outcome::Draw);
            let analysis = analyse(&rule, &heaps, &Question { to_move: Some(player), ..Question::default() });
            prop_assert_eq!(analysis.outcome, wanted, "{:?} {:?} {:?}", self, place, player);
            // Distinct moves: two ways to the same node are one option.
            let best: BTreeSet<(usize, Option<usize>, Option<&str>)> = self
                .moves(place, player)
                .iter()
                .filter(|made| {
                    let after = self.after(place, player, made, &known).unwrap_or(Outcome::Draw);
                    wanted != Outcome::Loss && after == wanted.reversed()
                })
                .map(|made| (made.0, made.1.ok(), made.1.err().map(Ending::word)))
                .collect();
            let found: BTreeSet<(usize, Option<usize>, Option<&str>)> = analysis
                .moves
                .iter()
                .map(|made| {
                    let to =
                        made.to.heaps().first().map(|(heap, _)| usize::try_from(heap.entries[0]).unwrap());
                    (made.entry, to, made.ending.map(Ending::word))
                })
                .collect();
            prop_assert_eq!(&found, &best, "{:?} {:?} {:?}", self, place, player);
            seen = wanted;
        }
        Ok(seen)
    }
}

fn pairs(nodes: usize, most: usize) -> impl Strategy<Value = Pairs> {
    prop::collection::btree_set((0..nodes, 0..nodes), 0..most)
}

fn nodes(nodes: usize, most: usize) -> impl Strategy<Value = BTreeSet<usize>> {
    prop::collection::btree_set(0..nodes, 0..most)
}

prop_compose! {
    fn plain()(
        left in pairs(5, 7),
        right in pairs(5, 7),
        both in pairs(5, 5),
        wins in nodes(5, 2),
        loses in nodes(5, 2),
        draws in nodes(5, 2),
        misere: bool,
    ) -> Plain {
        Plain { nodes: 5, left, right, both, wins, loses, draws, misere }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn players_endings_and_loops_are_what_the_fixpoint_says(plain in plain(), place in prop::collection::vec(0_usize..5, 1..3)) {
        plain.agrees(&place)?;
    }

    #[test]
    fn sums_with_loops_by_theory_and_by_the_fixpoint(
        arcs in pairs(6, 14),
        place in prop::collection::vec(0_usize..6, 1..4),
        kept in 0_usize..3,
    ) {
        // Both players' moves alone: Smith's theory answers. The fixpoint sweeps over all places.
        let none = BTreeSet::new();
        let plain = Plain {
            nodes: 6,
            left: Pairs::new(),
            right: Pairs::new(),
            // Some graphs without loops, too.
            both: arcs.into_iter().filter(|(a, b)| kept > 0 || a > b).collect(),
            wins: none.clone(),
            loses: none.clone(),
            draws: none,
            misere: false,
        };
        let known = plain.solve(place.len());
        let wanted = known.get(&(place.clone(), Player::Left)).copied().unwrap_or(Outcome::Draw);
        let entries: Vec<[Int; 1]> = place.iter().map(|node| [Int::try_from(*node).unwrap()]).collect();
        let heaps: Vec<&[Int]> = entries.iter().map(|entry| &entry[..]).collect();
        let best = plain.moves(&place, Player::Left).iter().filter(|made| {
            let after = plain.after(&place, Player::Left, made, &known).unwrap_or(Outcome::Draw);
            wanted != Outcome::Loss && after == wanted.reversed()
        }).count();
        for text in ["v -> u where (v, u) in E", "u -> v where (v, u) in E", "v -> u where (v, u) in E; v -> u where (v, u) in E, v >= 0"] {
            let turned: Pairs = plain.both.iter().map(|(a, b)| (*b, *a)).collect();
            let given = if text.starts_with('u') { &turned } else { &plain.both };
            let rule = rule(&format!("loopy game graph(E: pairs); {text}"), &[("E", shown(given))]);
            let analysis = analyse(&rule, &heaps, &Question::default());
            prop_assert_eq!(analysis.outcome, wanted, "{:?} {:?}", plain.both, place);
            prop_assert_eq!(analysis.moves.len(), best, "{:?} {:?}", plain.both, place);
            prop_assert_eq!(analysis.count, Some(best as u128));
            // Nimbers where the theory gives them, which must agree with the outcome.
            match (analysis.nimber, wanted) {
                (Some(0), Outcome::Loss) | (Some(1..), Outcome::Win) => {}
                (None, Outcome::Win | Outcome::Draw) => prop_assert!(analysis.loops.unwrap().infinity.is_some()),
                other => prop_assert!(false, "{:?} {:?} {:?}", other, plain.both, place),
            }
        }
    }
}

#[test]
fn square_but_one() {
    let game = grundy::catalogue::find("square-but-one").unwrap();
    let rule = rule(game.text().unwrap(), &[]);
    let is_square = |n: Int| (1..=n).any(|root| root * root == n);
    let loops = Question::default();
    for n in 0..150 {
        let wanted = match n {
            0 | 5 => Outcome::Loss,
            _ if is_square(n) || is_square(n - 5) => Outcome::Win,
            _ => Outcome::Draw,
        };
        assert_eq!(analyse(&rule, &[&[n]], &loops).outcome, wanted, "{n}");
    }
    // 2 is infinity(1): a draw alone, and beside a heap of nimber 1 a win.
    let two = analyse(&rule, &[&[2]], &loops);
    assert_eq!((two.nimber, two.loops.unwrap().infinity), (None, Some(vec![1])));
    let sum = analyse(&rule, &[&[2], &[1]], &loops);
    assert_eq!((sum.outcome, sum.count), (Outcome::Win, Some(1)));
    assert_eq!(analyse(&rule, &[&[2], &[2]], &loops).outcome, Outcome::Draw);
}

#[test]
fn berzerk_goes_round() {
    // CF 787C, both samples: Rick moves by a number of A, Morty by one of B; who brings the monster to 0 wins.
    let text = "game berzerk(n, A: set, B: set)
        (v, w) -> ((v + t) % n, 1 - w) where v != 0, w = 0 and t in A or w = 1 and t in B";
    let samples = [
        ("5", "{2,3}", "{1,2,3}", ["Lose Win Win Loop", "Loop Win Win Win"]),
        ("8", "{6,2}", "{3,4,1,3}", ["Loop Win Loop Loop Loop Win Loop", "Loop Loop Loop Win Win Loop Win"]),
    ];
    for (n, a, b, wanted) in samples {
        let rule = rule(text, &[("n", n.into()), ("A", a.into()), ("B", b.into())]);
        for (who, wanted) in (0..).zip(wanted) {
            let word =
                |v: Int| match analyse(&rule, &[&[v, who]], &Question { loopy: true, ..Question::default() })
                    .outcome
                {
                    Outcome::Win => "Win",
                    Outcome::Loss => "Lose",
                    Outcome::Draw => "Loop",
                };
            let found: Vec<&str> = (1..n.parse().unwrap()).map(word).collect();
            assert_eq!(found.join(" "), wanted);
        }
    }
}

#[test]
fn who_makes_one_by_one_wins() {
    // POJ 2311: cut a sheet in two; who first cuts off a sheet 1 x 1 wins. Sheets with a side of 1 and another longer are
    // lost for whoever leaves them, so it is the same as never to leave a side of 1.
    let ends = "
        (w, h) -> (a, h), (b, h) where a + b = w, 1 <= a, a <= b, not (a = 1 and h = 1)
        (w, h) -> (w, a), (w, b) where a + b = h, 1 <= a, a <= b, not (a = 1 and w = 1)
        (w, h) -> win where h = 1, w >= 2
        (w, h) -> win where w = 1, h >= 2";
    let sum = "
        (w, h) -> (a, h), (b, h) where a + b = w, 2 <= a, a <= b
        (w, h) -> (w, a), (w, b) where a + b = h, 2 <= a, a <= b";
    let (ends, sum) = (rule(ends, &[]), rule(sum, &[]));
    for (w, h) in [(2, 2), (3, 2), (4, 2), (3, 3), (4, 3), (5, 3), (4, 4), (5, 4), (6, 3)] {
        let searched = analyse(&ends, &[&[w, h]], &Question::default());
        let nimber = analyse(&sum, &[&[w, h]], &Question::default());
        assert_eq!(searched.outcome, nimber.outcome, "{w} x {h}");
        assert_eq!(searched.nimber, None);
    }
    // Sheets side by side are one game.
    assert_eq!(analyse(&ends, &[&[2, 2], &[2, 2]], &Question::default()).outcome, Outcome::Loss);
    let cut = analyse(&ends, &[&[1, 2], &[2, 2]], &Question::default());
    assert_eq!((cut.outcome, cut.count), (Outcome::Win, Some(1)));
    assert_eq!(cut.moves[0].ending, Some(Ending::Win));
}

#[test]
fn assignments_are_those_of_the_player() {
    let rule = rule(
        "left: n -> n - t where t in 1..2; right: n -> n - t where t in 2..3; n -> win where n = t, t in {3}",
        &[],
    );
    let question = |player| Question { to_move: Some(player), assignments: true, ..Question::default() };
    let left = analyse(&rule, &[&[3]], &question(Player::Left));
    let made: Vec<_> = left.moves.iter().map(|made| (made.ending, made.assignments.len())).collect();
    assert_eq!(made.iter().filter(|(ending, _)| *ending == Some(Ending::Win)).count(), 1);
    assert!(made.iter().all(|(_, ways)| *ways == 1), "{made:?}");
    let right = analyse(&rule, &[&[2]], &question(Player::Right));
    assert_eq!((right.outcome, right.moves[0].assignments[0].line), (Outcome::Win, 1));
}

#[test]
fn nimbers_are_refused_where_there_are_none() {
    for (text, id) in [
        ("loopy game x; n -> n - 1", "loopy"),
        ("left: n -> n - 1", "partisan"),
        ("n -> n - 1; n -> win where n = 3", "ending"),
    ] {
        let rule = rule(text, &[]);
        assert_eq!(
            grundy::table::tabulate(&rule, 5, &grundy::table::Options::default()).unwrap_err().id(),
            id
        );
        let mut values = Values::new(&rule, None, Limits::default()).unwrap();
        assert_eq!(values.nimber(&Heap::new(KindId(0), &[3])).unwrap_err().id(), id);
    }
    let plain = rule("n -> n - 1", &[]);
    let mut values = Values::new(&plain, None, Limits::default()).unwrap();
    let question = Question { to_move: Some(Player::Left), ..Question::default() };
    let position = Position { entries: vec![Entry { heap: Heap::new(KindId(0), &[3]), count: 1 }] };
    assert_eq!(position::analyse(&plain, &mut values, &position, &question).unwrap_err().id(), "to-move");
}

#[test]
fn limits_say_what_is_known() {
    // Heaps of 0 multiply without end.
    let rule = rule("loopy game x; n -> a, b where a + b = n", &[]);
    let limits = Limits { memory: Some(3_000_000), ..Limits::default() };
    let mut values = Values::new(&rule, None, limits).unwrap();
    let position = Position { entries: vec![Entry { heap: Heap::new(KindId(0), &[3]), count: 1 }] };
    let error = position::analyse(&rule, &mut values, &position, &Question::default()).unwrap_err();
    assert_eq!(error.id(), "memory");
    assert!(error.known().is_some_and(|known| known.contains("positions reached")), "{error}");
}
