//! Proofs of the literature's periods and of the catalogue's laws.
//!
//! `UPDATE_CERTIFICATES=1 cargo test --release -p grundy --test proofs catalogue` writes the files of `certificates/` anew: one
//! for each game of the catalogue of which a law is proved.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use grundy::catalogue;
use grundy::law::Law;
use grundy::limits::Limits;
use grundy::proof::{self, Outcome};
use grundy::table::{self, Options};
use grundy_check::certificate::{Certificate, Period, Proof};
use grundy_rule::argument::Argument;
use grundy_rule::{Rule, code, law_text, parser};

fn root(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn rows(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root("testdata").join(name)).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').map(String::from).collect()).collect()
}

/// The period of a rule that is proved, and its certificate.
fn period(text: &str) -> Period {
    let rule = Rule::parse(text, &[]).unwrap().0;
    match proof::prove(&rule, None, &Limits::default()).unwrap() {
        Outcome::Proved(proof) => match proof.certificate.proof {
            Proof::FiniteSubtraction(period) | Proof::GuySmith(period) => period,
            other => panic!("{text}: {other:?}"),
        },
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn every_subtraction_set_of_the_literature_is_proved() {
    let mut proved = 0;
    for row in rows("subtraction_periods.tsv") {
        let found = period(&format!("game s\nn -> n - t where t in {{{}}}", row[0]));
        let known = (row[1].parse::<u64>().unwrap(), row[2].parse::<u64>().unwrap());
        assert_eq!((found.period, found.preperiod), known, "S({})", row[0]);
        proved += 1;
    }
    assert!(proved > 300);
}

#[test]
fn every_octal_code_with_a_short_period_is_proved() {
    let mut proved = 0;
    for row in rows("octal_periods.tsv") {
        let (Ok(length), Ok(preperiod)) = (row[2].parse::<u64>(), row[3].parse::<u64>()) else { continue };
        if length + preperiod >= 20_000 {
            continue;
        }
        let text = code::parse(&row[0]).unwrap().unwrap().to_rule_text();
        let found = match proof::prove(&Rule::parse(&text, &[]).unwrap().0, None, &Limits::default()).unwrap()
        {
            // Codes that are windows are proved as windows: their values do not repeat, or trivially.
            Outcome::Proved(proof) => match proof.certificate.proof {
                Proof::FiniteSubtraction(period) | Proof::GuySmith(period) => Some(period),
                Proof::SlidingWindow(_) => None,
                Proof::Automatic(_) => panic!("{}", row[0]),
            },
            other => panic!("{}: {other:?}", row[0]),
        };
        if let Some(found) = found {
            assert_eq!((found.period, found.preperiod), (length, preperiod), "{}", row[0]);
        }
        proved += 1;
    }
    assert!(proved > 400);
}

#[test]
fn games_with_parameters_are_proved_for_their_values() {
    let mut games = vec![
        ("constrained-nim".to_string(), "banned", "(3,1),(5,2),(6,6),(9,4),(12,1)".to_string()),
        ("all-but".to_string(), "S", "2,3".to_string()),
        ("subtraction".to_string(), "S", "2,5,7".to_string()),
    ];
    games.extend((2..=10).map(|k: u32| ("blackboard".to_string(), "k", k.to_string())));
    for (game, name, value) in games {
        let text = catalogue::find(&game).unwrap().text().unwrap();
        let value = Argument::parse(&value).unwrap();
        let rule = Rule::parse(text, &[(name.to_string(), value)]).unwrap().0;
        let outcome = proof::prove(&rule, None, &Limits::default()).unwrap();
        let Outcome::Proved(proof) = outcome else { panic!("{game}: {outcome:?}") };
        let law = Law::parse(&proof.certificate.law, &rule.params).unwrap();
        let table = table::tabulate(&rule, 1000, &Options::default()).unwrap();
        for (n, value) in (0..).zip(table.iter()) {
            assert_eq!(law.value(n).unwrap(), u128::from(value), "{game} at {n}");
        }
    }
}

/// The catalogue's games that need no parameter, or that are proved for all values.
fn proved(game: &catalogue::Game) -> Option<Certificate> {
    let text = game.text()?;
    let rule = Rule::parse(text, &[]).ok()?.0;
    let (file, _) = parser::parse_file(text);
    let cited = law_text::resolve(&file.law, &rule.params).ok().filter(|_| !file.law.is_empty());
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    for law in [cited.as_ref(), None] {
        if let Ok(Outcome::Proved(proof)) = proof::prove(&rule, law, &limits) {
            return Some(proof.certificate);
        }
    }
    None
}

#[test]
fn certificates_of_the_catalogue_are_accepted_and_speak_about_its_games() {
    let folder = root("certificates");
    if std::env::var_os("UPDATE_CERTIFICATES").is_some() {
        for game in catalogue::games() {
            if let Some(certificate) = proved(game) {
                std::fs::write(folder.join(format!("{}.json", game.name)), certificate.to_string()).unwrap();
            }
        }
    }
    let mut seen = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let verdict = grundy_check::check(&text, grundy_check::Limits::default());
        assert!(verdict.is_ok(), "{name}: {}", verdict.unwrap_err());
        let certificate = Certificate::parse(&text).unwrap();
        let game = catalogue::find(&name).unwrap();
        let (rule, _) = Rule::parse(game.text().unwrap(), &[]).unwrap();
        assert_eq!(certificate.rule, proof::text_of(&rule), "{name} has changed");
        // What was proved is also true of the table.
        if rule.params.is_empty() {
            let law = Law::parse(&certificate.law, &[]).unwrap();
            let end = [300, 30, 10][certificate.entries - 1];
            let options = Options { kind: certificate.kind.clone(), ..Options::default() };
            let table = table::grid(&rule, &vec![end; certificate.entries], &options).unwrap();
            for (index, value) in table.iter().enumerate().skip(usize::try_from(certificate.first).unwrap()) {
                let heap: Vec<u128> = table.entries(index).into_iter().map(|n| n as u128).collect();
                assert_eq!(law.value_of(&heap).unwrap(), u128::from(value), "{name} at {heap:?}");
            }
        }
        seen.insert(name);
    }
    let must = [
        "mock-turtles",
        "splitting",
        "nim",
        "lasker-nim",
        "ruler",
        "blackboard",
        "take-at-most-half",
        "take-at-most-third",
        "take-at-most-sqrt",
        "halve-or-third",
        "mark",
        "upmark",
        "take-a-power-of-two",
        "split-in-three",
        "kayles",
        "octal-156",
        "octal-165",
        "s-2-5-7",
        "ruler-regular",
        "nim-pair",
        "nim-triple",
        "king",
        "ring-kayles",
    ];
    for name in must {
        assert!(seen.contains(name), "{name}");
    }
}
