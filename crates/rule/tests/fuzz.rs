//! Reading any text: never a panic, never slow, and what is said points into the text.
//!
//! A hundred thousand mutants of real rules, random texts, and large inputs of every form in which a careless
//! parser would be quadratic.

use std::time::{Duration, Instant};

use grundy_rule::{Diagnostic, Rule, argument::Argument, code, ends, law_text, parser, position_text, shape};

/// xorshift64*: the same texts in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n.max(1)).expect("64 bits")).expect("below n")
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

const RULES: &str = include_str!("../../../testdata/rules.json");

fn seeds() -> Vec<String> {
    let rules: serde_json::Value = serde_json::from_str(RULES).expect("the file is JSON");
    let rules = rules.as_array().expect("a list").iter();
    let mut out: Vec<String> = rules.map(|r| r["rule"].as_str().expect("a text").to_string()).collect();
    let more = [
        "game blackboard(k) where k >= 2\nx -> y where x/k <= y < x\nsource \"51nod 1661\"\nterms 0, 1, 2\nlaw\ng(0..) = 0, 0\ng(3a+b) = 2a + b - 1 for 2 <= b <= 3",
        "coins mock-turtles # a coin\nn -> nothing\nn -> a, b where a < b < n",
        "n -> [n - i for i in 1..d], [[a for j in 1..i] for i in 1..2] where d in {1, 2} or not (d = 3, a < n)",
        "n => n - t where t == 1 && t in [1, 3] || |n - t| <= 3",
        "n -> {n-1, n-2} | n-1 or n-2 for k in 1 to 3 where N >= 1",
        "n -> xor(n, t) where t in powers(2), bit(n, t) = 0, c[t] <= len(c), (n, t) not in P, digits(n, 2)..",
        "row(0) -> nothing; row(n) -> row(max(n - 2, 0)), row(n // 2), (n % 3, -n) where 2 | n, lpf(n)^2 = n/2",
    ];
    out.extend(more.iter().map(|s| (*s).to_string()));
    out
}

const PIECES: [&str; 60] = [
    "->",
    "=>",
    "where",
    "for",
    "in",
    "not",
    "and",
    "or",
    ",",
    "|",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "..",
    "...",
    "=",
    "==",
    "<=",
    "<",
    ">",
    "!=",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "^",
    "n",
    "a",
    "t",
    "k",
    "0",
    "1",
    "2n",
    "10^18",
    "1.5",
    "nothing",
    "row(",
    "max(",
    "game x(k)",
    "coins",
    "misere",
    "divides",
    "mod",
    "\n",
    ";",
    "#",
    "\"",
    "floor(n/2)",
    "\u{2264}",
    "\u{ff0c}",
    "\u{1f600}",
    "\u{301}",
    "\u{0}",
    "170141183460469231731687303715884105727",
    "S",
];

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutant(seeds: &[String], random: &mut Random) -> String {
    let mut text = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(4) {
        let a = boundary(&text, random.below(text.len() + 1));
        let b = boundary(&text, (a + random.below(12)).min(text.len())).max(a);
        match random.below(6) {
            0 => text.replace_range(a..b, ""),
            1 => text.insert_str(a, random.pick(&PIECES)),
            2 => text.replace_range(a..b, random.pick(&PIECES)),
            3 => {
                let copy = text[a..b].to_string();
                let to = boundary(&text, random.below(text.len() + 1));
                text.insert_str(to, &copy);
            }
            4 => {
                let other = &seeds[random.below(seeds.len())];
                let c = boundary(other, random.below(other.len() + 1));
                text.replace_range(a.., &other[c..]);
            }
            _ => {
                let c = char::from_u32(u32::try_from(random.below(0x11_0000)).expect("21 bits"))
                    .unwrap_or('\u{fffd}');
                text.insert(a, c);
            }
        }
    }
    text
}

/// What every message must satisfy.
fn well_placed(source: &str, said: &[Diagnostic]) {
    for d in said {
        assert!(!d.message.is_empty());
        let places =
            [d.span].into_iter().chain(d.patch.iter().map(|p| p.span)).chain(d.notes.iter().map(|n| n.0));
        for span in places {
            assert!(source.get(span.start..span.end).is_some(), "{d:?}");
        }
        let _ = d.plain(source);
    }
}

fn read(source: &str, args: &[(String, Argument)]) -> Option<Rule> {
    match Rule::parse(source, args) {
        Ok((rule, warnings)) => {
            assert!(warnings.iter().all(|d| !d.is_error()));
            well_placed(source, &warnings);
            for alternative in rule.lines.iter().flat_map(|line| &line.alternatives) {
                assert!((1..=64).contains(&alternative.branches.len()));
            }
            Some(rule)
        }
        Err(said) => {
            assert!(said.iter().any(Diagnostic::is_error));
            well_placed(source, &said);
            None
        }
    }
}

/// Runs the check and names the text on which it panics.
fn for_each(
    count: usize,
    mut text: impl FnMut(&mut Random) -> String,
    check: impl Fn(&str) -> bool,
) -> usize {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut good = 0;
    for _ in 0..count {
        let text = text(&mut random);
        let run = std::panic::AssertUnwindSafe(|| check(&text));
        match std::panic::catch_unwind(run) {
            Ok(found) => good += usize::from(found),
            Err(_) => panic!("fails on {text:?}"),
        }
    }
    good
}

#[test]
fn mutants_of_real_rules_are_read_or_refused() {
    let seeds = seeds();
    let args = vec![("S".to_string(), Argument::Number(2)), ("k".to_string(), Argument::Number(3))];
    let with_args = |text: &str| {
        let found = [read(text, &args), read(text, &[])];
        for rule in found.iter().flatten() {
            // What reads every rule must be as patient.
            let _ = (ends::ends(rule), shape::shape(rule).to_string());
        }
        found.iter().any(Option::is_some)
    };
    let good = for_each(50_000, |random| mutant(&seeds, random), with_args);
    assert!(good > 1000, "mutants that are rules: {good}");
}

#[test]
fn random_texts_are_refused() {
    let soup = |random: &mut Random| {
        let mut out = String::new();
        for _ in 0..random.below(40) {
            out.push_str(random.pick(&PIECES));
            if random.below(2) == 0 {
                out.push(' ');
            }
        }
        out
    };
    for_each(50_000, soup, |text| read(text, &[]).is_some());
    let unicode = |random: &mut Random| {
        let any = |random: &mut Random| {
            let most = [0x80, 0x2300, 0x11_0000][random.below(3)];
            char::from_u32(u32::try_from(random.below(most)).expect("21 bits")).unwrap_or('-')
        };
        (0..random.below(30)).map(|_| any(random)).collect()
    };
    for_each(20_000, unicode, |text| read(text, &[]).is_some());
}

#[test]
fn laws_positions_values_and_codes_are_read_or_refused() {
    let (rule, _) =
        Rule::parse("row(n) -> row(a), (a, n), a where a < n\n(a, b) -> a\nx -> nothing", &[]).unwrap();
    let laws = [
        "g(0..) = 0, 0\ng(3a+1) = g(a) for a >= 1",
        "g(2n + 1) = 6n + 3 - g(n)",
        "g(n) = n mod 4 for n in 1..",
        "g(0) = 0\nwindow L(n) = ceil(n/3) for n >= 1",
        "automaton base 2 coded { 0*: 0/0 to 0, 1/1 to 1 1: 0/1 to 0 }",
        "automatic base 3 slope 4/3 { 0 = 1: 0, 1, 1 1 = -1: 1, 0, 1 }",
        "zeros\nz(0..) = 1, 2\nz(i) = (i, floor(i/2)) for i >= 2",
    ];
    let positions = ["5 7 12", "3x5 (3,8) row(7)", "10^18 2x(1,2)"];
    let values = ["3", "10^18", "2,5,7", "{2,5..7}", "[1,1,2]", "(0,1),(0,2)", "-2*10^5+1"];
    let codes = ["0.77", "4!.0", "0.3[3]", "S(2,5)", "allbut(1)", "1+C"];
    let seeds: Vec<String> =
        [&laws[..], &positions, &values, &codes].concat().iter().map(|s| (*s).to_string()).collect();
    for_each(
        50_000,
        |random| mutant(&seeds, random),
        |text| {
            if let Err(said) = law_text::parse(text, &[]) {
                assert!(!said.is_empty());
                well_placed(text, &said);
            }
            if let Err(said) = position_text::parse(text, &rule) {
                assert!(!said.is_empty());
                well_placed(text, &said);
            }
            for found in [Argument::parse(text), Argument::numbers(text)] {
                if let Err(said) = found {
                    well_placed(text, &[said]);
                }
            }
            if let Some(Err(said)) = code::parse(text) {
                well_placed(text, &[said]);
            }
            true
        },
    );
}

#[test]
fn what_prints_is_read_back() {
    let seeds = seeds();
    let printed = |text: &str| {
        let mut parser = parser::Parser::new(text);
        let Some(cond) = parser.cond() else { return false };
        if !parser.at_end() || !parser.take_diagnostics().is_empty() {
            return false;
        }
        let once = cond.to_string();
        let mut again = parser::Parser::new(&once);
        let back = again.cond().expect("what was printed is a condition");
        assert!(again.at_end() && again.take_diagnostics().is_empty(), "{once}");
        assert_eq!(back.to_string(), once);
        true
    };
    let good = for_each(
        30_000,
        |random| {
            let text = mutant(&seeds, random);
            text.find("where").map_or(text.clone(), |at| text[at + 5..].to_string())
        },
        printed,
    );
    assert!(good > 1000, "mutants that are conditions: {good}");
}

#[test]
fn large_inputs_take_linear_time() {
    let many = |piece: &str, count: usize| piece.repeat(count);
    let names: String = (0..20_000).map(|i| format!(", v{i}")).collect();
    let some: Vec<String> = (0..2_000).map(|i| format!("v{i}")).collect();
    let bounded: Vec<String> = (0..2_000).map(|i| format!("v{i} < n")).collect();
    let lines: String = (0..20_000).map(|i| format!("k{i}(n) -> k{}(n - 1)\n", (i + 1) % 20_000)).collect();
    let inputs = [
        many("n -> n - t where t in {1, 3, 4}\n", 10_000),
        lines,
        format!("n -> n - 1{}", many(" | n - 1", 60_000)),
        format!("n -> n - 1{}", many(", n - 1", 60_000)),
        format!("n -> n - t where t in {{1{}}}", many(", 1", 200_000)),
        format!("n -> n - t where t >= 1{}", many(", t <= n", 60_000)),
        format!("n -> n - t where t >= 1{}", many(", (t = 1 or n = 2)", 20_000)),
        format!("n -> n - t where {}t >= 1", many("t, ", 60_000)),
        format!("(n{names}) -> nothing"),
        format!("n -> n{names}"),
        format!("n -> {} where {}", some.join(", "), bounded.join(", ")),
        format!("game x(k{names})\nn -> n - 1"),
        many("(", 300_000),
        many("{(", 150_000),
        many("n -> (", 60_000),
        many("\u{ff08}\u{3000}", 60_000),
        many("n\n", 150_000),
        many("|", 300_000),
        many("#\n", 150_000),
        many("\"", 300_000),
        many("1.", 150_000),
        many("\u{a7} ", 150_000),
        many("g(0..) = 1\n", 20_000),
        format!("n -> n - 1\nlaw\n{}", many("g(n) = n for n >= 1\n", 20_000)),
        format!("n -> n - 1\nterms 0{}", many(", 1", 200_000)),
        format!("n -> {}", many("[n - 1 for i in 1..2], ", 20_000)),
        format!("n -> n - t where t = {}1", many("-", 100_000)),
        format!("n -> n - t where t = min(1{})", many(", n", 100_000)),
        format!("n -> n - 1 where {}", many("!(n && ", 40_000)),
        format!("n -> n - 1 where {}", many("n == 1 && ", 40_000)),
        many("n -> n - 1 where 1 | n | n - 2\n", 10_000),
    ];
    for input in inputs {
        let start = Instant::now();
        let (_, said) = parser::parse_file(&input);
        well_placed(&input, &said);
        let parsed = start.elapsed();
        let _ = Rule::parse(&input, &[]);
        let checked = start.elapsed();
        let shown: String = input.chars().take(40).collect();
        assert!(checked < Duration::from_secs(5), "{shown}: {parsed:?}, {checked:?}");
    }
}

#[test]
fn a_million_pairs_are_read_at_once() {
    let pairs: String = (0..1_000_000).map(|i| format!("({i},{}),", i * 7)).collect();
    let words: String = (0..2_000_000).map(|i| format!("{i} ")).collect();
    let start = Instant::now();
    let typed = Argument::parse(pairs.trim_end_matches(',')).unwrap();
    let from_file = Argument::numbers(&words).unwrap();
    let source = "game graph(edges: pairs)\nv -> u where (v, u) in edges";
    for argument in [typed, from_file] {
        let (rule, _) = Rule::parse(source, &[("edges".to_string(), argument)]).unwrap();
        assert!(
            matches!(&rule.params[0].value, Some(grundy_rule::rule::Value::Pairs(p)) if p.len() == 1_000_000)
        );
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn every_contest_rule_is_read_with_its_values() {
    let rules: serde_json::Value = serde_json::from_str(RULES).expect("the file is JSON");
    let mut positions = 0;
    for entry in rules.as_array().expect("a list") {
        let source = entry["rule"].as_str().expect("a text");
        for test in entry["tests"].as_array().expect("a list") {
            let mut args = Vec::new();
            for param in test["params"].as_array().expect("a list") {
                let (name, value) = param.as_str().and_then(|p| p.split_once('=')).expect("name=value");
                args.push((name.to_string(), Argument::parse(value).expect("a value")));
            }
            let (rule, warnings) = match Rule::parse(source, &args) {
                Ok(found) => found,
                Err(said) => panic!("{}", said[0].plain(source)),
            };
            assert!(warnings.is_empty(), "{}", warnings[0].plain(source));
            let text = test["position"].as_str().expect("a text");
            let position = position_text::parse(text, &rule);
            assert!(position.is_ok(), "{source}: {text}");
            positions += 1;
        }
    }
    assert!(positions >= 200, "{positions}");
}
