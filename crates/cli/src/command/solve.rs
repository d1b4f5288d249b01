//! `grundy solve`: a judge's problem, from its input to its output.

use std::io::Read;

use grundy::problem::{self, Problem};

use crate::args::Solve;
use crate::failure::{self, Failure, Source};
use crate::load;
use crate::long::{self, Spinner};
use crate::output;

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
