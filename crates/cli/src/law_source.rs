//! From the words after a rule to a law: clauses on the command line, a formula, a file, or what the game file cites.

use grundy::error::Error;
use grundy::law::Law;
use grundy_rule::law_text::{self, LawText};
use grundy_rule::parser;

use crate::failure::{self, Failure, Source};
use crate::load::{self, Loaded};

/// The law that the words spell, or that the game file states where there are none.
pub(crate) fn law(loaded: &Loaded) -> Result<Law, Failure> {
    let Some(source) = source(&loaded.words, head(loaded))? else { return cited(loaded) };
    parse(loaded, &source)
}

/// The law that one word spells.
pub(crate) fn one(loaded: &Loaded, word: &str) -> Result<Law, Failure> {
    match source(&[word.to_string()], head(loaded))? {
        Some(source) => parse(loaded, &source),
        None => cited(loaded),
    }
}

/// The clauses that the words spell, for whom no parameter needs a value; `None` without words.
pub(crate) fn clauses(loaded: &Loaded, words: &[String]) -> Result<Option<LawText>, Failure> {
    let Some(source) = source(words, head(loaded))? else { return Ok(None) };
    resolve(loaded, &source).map(Some).map_err(|error| failure::from_library(&error, &source))
}

fn resolve(loaded: &Loaded, source: &Source) -> Result<LawText, Error> {
    if source.origin.ends_with(".game") {
        let (file, said) = parser::parse_file(&source.text);
        if let Some(fault) = said.iter().find(|diagnostic| diagnostic.is_error()) {
            return Err(Error::from(fault.clone()));
        }
        return Ok(law_text::resolve(&file.law, &loaded.rule.params)?);
    }
    Ok(law_text::parse(&source.text, &loaded.rule.params)?)
}

/// The law that a text states; a game file's is the one after `law`.
fn parse(loaded: &Loaded, source: &Source) -> Result<Law, Failure> {
    resolve(loaded, source)
        .and_then(|text| Law::new(text, &loaded.rule.params))
        .map_err(|error| failure::from_library(&error, source))
}

/// The law of the rule's own game file.
fn cited(loaded: &Loaded) -> Result<Law, Failure> {
    if loaded.file.law.is_empty() {
        return Err(Failure::new("law", "which law? The rule itself states none").help(
            "it follows the rule and its parameters: 'g(n) = n mod 4', or 'n mod 4', or a file that ends in .law",
        ));
    }
    let params = &loaded.rule.params;
    law_text::resolve(&loaded.file.law, params)
        .map_err(Error::from)
        .and_then(|text| Law::new(text, params))
        .map_err(|error| failure::from_library(&error, &loaded.source))
}

/// What a formula alone is about: `g(n)`, or the entries of the rule's only heaps.
fn head(loaded: &Loaded) -> &'static str {
    match loaded.rule.kinds.as_slice() {
        [kind] if kind.arity == 2 => "g(a, b)",
        [kind] if kind.arity == 3 => "g(a, b, c)",
        _ => "g(n)",
    }
}

/// The text of a law and where it comes from; `None` without words.
fn source(words: &[String], head: &str) -> Result<Option<Source>, Failure> {
    let text = match words {
        [] => return Ok(None),
        [name] if name == "-" => Source { origin: "standard input".to_string(), text: load::read_stdin()? },
        [name] if is_file(name) => Source { origin: name.clone(), text: load::read_file(name)? },
        [formula] if is_formula(formula) => {
            Source { origin: "law".to_string(), text: format!("{head} = {formula}") }
        }
        clauses => Source { origin: "law".to_string(), text: clauses.join("\n") },
    };
    Ok(Some(Source { text: without_heading(&text.text).to_string(), ..text }))
}

/// Whether a word names a file rather than being a law itself.
fn is_file(word: &str) -> bool {
    !word.contains('=') && [".law", ".game"].iter().any(|ending| word.ends_with(ending))
}

/// Whether a text is the right side of `g(n) =` alone: the equals sign of a clause is missing.
fn is_formula(text: &str) -> bool {
    let value = text.split_once(" for ").map_or(text, |(value, _)| value);
    !value.contains('=') && !value.contains('{') && !value.contains('\n')
}

/// A law block as a game file has it begins with a line `law`.
fn without_heading(text: &str) -> &str {
    let rest = text.trim_start().strip_prefix("law").unwrap_or(text);
    match rest.trim_start_matches([' ', '\t', '\r']).strip_prefix(['\n', ';']) {
        Some(clauses) if rest.len() < text.len() => clauses,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &[&str]) -> String {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        source(&words, "g(n)").unwrap().unwrap().text
    }

    #[test]
    fn a_law_is_clauses_or_a_formula() {
        assert_eq!(text(&["g(n) = n mod 4"]), "g(n) = n mod 4");
        assert_eq!(text(&["n mod 4"]), "g(n) = n mod 4");
        assert_eq!(text(&["n for n mod 4 != 0"]), "g(n) = n for n mod 4 != 0");
        assert_eq!(text(&["g(0) = 0", "g(n+1) = n"]), "g(0) = 0\ng(n+1) = n");
        assert_eq!(text(&["law\n g(n) = n"]), " g(n) = n");
        assert_eq!(text(&["lawful(n) = n"]), "lawful(n) = n");
        assert!(source(&[], "g(n)").unwrap().is_none());
    }
}
