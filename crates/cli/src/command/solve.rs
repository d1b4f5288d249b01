//! `grundy solve`: a judge's problem, from its input to its output.

use std::io::Read;

use grundy::problem::{self, CaseAnswer, Problem};
use grundy::search::Verdict;
use grundy_rule::Int;
use serde::Serialize;

use crate::args::Solve;
use crate::failure::{self, Failure, Source};
use crate::load;
use crate::long::{self, Spinner};
use crate::output;

#[derive(Serialize)]
struct Wire<'a> {
    problem: &'a str,
    cases: Vec<WireCase>,
}

#[derive(Serialize)]
struct WireCase {
    case: u64,
    outcome: Option<&'static str>,
    score: Option<Int>,
    /// What the judge reads.
    output: String,
}

impl From<CaseAnswer> for WireCase {
    fn from(answer: CaseAnswer) -> WireCase {
        let (outcome, score) = match answer.verdict {
            Verdict::Outcome(outcome) => (Some(outcome.word()), None),
            Verdict::Score(score) => (None, Some(score)),
        };
        WireCase { case: answer.case, outcome, score, output: answer.output }
    }
}

/// `grundy solve PROBLEM < input`
pub(crate) fn run(args: &Solve) -> Result<(), Failure> {
    let source = find(&args.problem)?;
    let mut load = |path: &str| load::read_file(path).map_err(|_| format!("cannot read {path}"));
    let problem =
        Problem::parse_with(&source.text, &mut load).map_err(|list| Failure::Said(source.clone(), list))?;
    let limits = long::limits(&args.limits)?;
    let mut input = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut input)
        .map_err(|error| Failure::file("read", "standard input", &error))?;
    let spinner = Spinner::start(format!("solving {}", args.problem));
    if args.json.json {
        let answers = problem.answers(&input, &limits);
        drop(spinner);
        let answers = answers.map_err(|error| failure::from_library(&error, &source))?;
        return output::json(&Wire {
            problem: problem.name(),
            cases: answers.into_iter().map(WireCase::from).collect(),
        });
    }
    output::data(|out| {
        let solved = problem.solve(&input, out, &limits);
        drop(spinner);
        solved.map_err(|error| failure::from_library(&error, &source))
    })
}

fn find(name: &str) -> Result<Source, Failure> {
    if name.ends_with(".problem") {
        return Ok(Source { origin: name.to_string(), text: load::read_file(name)? });
    }
    if let Some(text) = problem::find(name) {
        return Ok(Source { origin: format!("{name}.problem"), text: text.to_string() });
    }
    Err(Failure::new("unknown-problem", format!("no problem is called `{name}`")).help(
        "`grundy problems` lists those that are known; a problem of your own is a file whose name ends in .problem",
    ))
}
