//! `grundy problems`: the judges' problems that are embedded.

use grundy::problem;
use serde::Serialize;

use crate::args::Problems;
use crate::failure::Failure;
use crate::{output, report};

#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    about: String,
    text: &'a str,
}

/// `grundy problems [WORD]`
pub(crate) fn run(args: &Problems) -> Result<(), Failure> {
    let word = args.word.as_deref().unwrap_or("").to_lowercase();
    let found: Vec<Entry<'_>> = problem::catalogue()
        .iter()
        .filter(|(id, text)| id.contains(&word) || text.to_lowercase().contains(&word))
        .map(|(id, text)| Entry { id, about: about(text), text })
        .collect();
    if args.json.json {
        return output::json(&found);
    }
    if found.is_empty() {
        crate::render::note(&format!("no problem holds `{word}`"));
    }
    let rows: Vec<Vec<String>> =
        found.into_iter().map(|entry| vec![entry.id.to_string(), entry.about]).collect();
    output::text(|out| Ok(report::columns(out, &rows, &[])?))
}

/// What is asked: the first comment of the file, as far as one line.
fn about(text: &str) -> String {
    text.lines().find_map(|line| line.strip_prefix('#')).map_or(String::new(), |line| line.trim().to_string())
}
