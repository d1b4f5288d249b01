//! From the words after a subcommand to a rule with its parameters, and the words of a position.
//!
//! `RULE name=value ... POSITION`: RULE is rule text if it holds an arrow, a file if it ends in `.game` (`-` is
//! standard input), else a name in the catalogue, else a code of the literature.

pub(crate) mod family;

use std::io::Read;

use grundy::catalogue::{self, Game};
use grundy::search;
use grundy_rule::argument::Argument;
use grundy_rule::ast::ParamType;
use grundy_rule::code::{self, Code};
use grundy_rule::ends::{self, Ends};
use grundy_rule::words::{LIMIT, Words};
use grundy_rule::{Diagnostic, Rule, Span, ast, parser, position_text};

use crate::args::RuleArgs;
use crate::failure::{Failure, Source};
use crate::render;

/// A rule that is ready for use.
pub(crate) struct Loaded {
    /// The checked rule, its parameters filled in.
    pub(crate) rule: Rule,
    /// Its text as a tree: holds what the literature says (source, terms, law).
    pub(crate) file: ast::File,
    /// Where its text came from.
    pub(crate) source: Source,
    /// The catalogue's entry, if it was named.
    pub(crate) game: Option<&'static Game>,
    /// The code, if one was typed.
    pub(crate) code: Option<Code>,
    /// Whether play must end.
    pub(crate) ends: Ends,
    /// The words that are no parameters.
    pub(crate) words: Vec<String>,
}

/// Loads a rule of which play can be analysed: every parameter has a value and no heap is its own option.
pub(crate) fn load(args: &RuleArgs) -> Result<Loaded, Failure> {
    load_with(args, false)
}

/// The same; `loopy`: play may go on for ever, as it also may if the header says so.
pub(crate) fn load_with(args: &RuleArgs, loopy: bool) -> Result<Loaded, Failure> {
    let (parameters, words) = split(&args.rest)?;
    let found = find(&args.rule)?;
    let mut arguments = Vec::with_capacity(parameters.len());
    for (name, value) in parameters {
        arguments.push((name.to_string(), argument(name, value)?));
    }
    let said = |list| Failure::Said(found.source.clone(), list);
    let (rule, warnings) = Rule::parse_with(&found.source.text, arguments).map_err(said)?;
    let (file, _) = parser::parse_file(&found.source.text);
    let ends = ends::ends(&rule);
    if let Ends::Loop(diagnostic) = &ends
        && !loopy
        && !rule.loopy
    {
        return Err(said(vec![diagnostic.clone()]));
    }
    render::diagnostics(&found.source, &warnings);
    let Found { source, game, code } = found;
    Ok(Loaded { rule, file, source, game, code, ends, words: words.into_iter().map(String::from).collect() })
}

impl Loaded {
    /// What people call it: the catalogue's name, the code, or the header's name.
    pub(crate) fn name(&self) -> Option<String> {
        match (&self.game, &self.code) {
            (Some(game), _) => Some(game.name.to_string()),
            (_, Some(code)) => Some(code.to_string()),
            _ => self.rule.name.clone(),
        }
    }

    /// Its name, or `the rule`.
    pub(crate) fn title(&self) -> String {
        self.name().unwrap_or_else(|| "the rule".to_string())
    }

    /// The rule without what the literature says about it: comments, header and lines.
    pub(crate) fn rule_text(&self) -> &str {
        let end = self.file.productions.iter().map(|line| line.span.end).max();
        self.source.text.get(..end.unwrap_or(self.source.text.len())).unwrap_or(&self.source.text)
    }

    /// The clauses of the law that the literature states, each on one line.
    pub(crate) fn law(&self) -> Vec<String> {
        let clauses = self.file.law.clauses.iter().filter_map(|clause| {
            let span = clause.span();
            self.source.text.get(span.start..span.end)
        });
        clauses.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",")).collect()
    }

    /// Refuses a rule whose parameters have not all got their values.
    pub(crate) fn need_values(&self) -> Result<(), Failure> {
        let header = self.file.header.as_ref();
        let missing = self.rule.params.iter().filter(|param| param.value.is_none()).map(|param| {
            let name = &param.name;
            let declared =
                header.and_then(|header| header.params.iter().find(|known| known.name.text == *name));
            let span = declared.map_or(Span::default(), |known| known.name.span);
            let example = match param.ty {
                ParamType::Number => format!("{name}=3"),
                ParamType::Set => format!("{name}=2,5,7"),
                ParamType::List => format!("{name}=1,1,2"),
                ParamType::Pairs => format!("'{name}=(0,1),(0,2)'"),
            };
            Diagnostic::error("unknown-name", span, format!("`{name}` has no value"))
                .help(format!("give it one after the rule: {example}"))
        });
        let missing: Vec<Diagnostic> = missing.collect();
        if missing.is_empty() { Ok(()) } else { Err(Failure::Said(self.source.clone(), missing)) }
    }

    /// Refuses a rule without heaps of one entry, for a command that is about such heaps.
    pub(crate) fn need_single(&self, command: &str) -> Result<(), Failure> {
        if self.rule.kinds.iter().any(|kind| kind.arity == 1) {
            return Ok(());
        }
        let message =
            format!("{command} is about heaps with one entry, and those of {} have several", self.title());
        Err(Failure::new("kind", message)
            .help("`grundy law` and `grundy table -n A,B` look at heaps of several entries"))
    }

    /// Refuses words where a command takes no position.
    pub(crate) fn no_position(&self, command: &str) -> Result<(), Failure> {
        match self.words.first() {
            None => Ok(()),
            Some(word) => Err(Failure::new(
                "usage",
                format!("`{word}` is no parameter, and {command} takes no position"),
            )
            .help("parameters are written k=3; `grundy moves RULE POSITION` is about a position")),
        }
    }

    /// The heaps that the words spell. The source is for messages about them.
    pub(crate) fn position(&self) -> Result<(Source, Vec<position_text::Entry>), Failure> {
        if self.words.is_empty() {
            return Err(Failure::new("position", "which position?")
                .help("heaps follow the rule and its parameters: 5 7 12, 3x5, '(3, 8)', 'row(7)'; '' is the empty position"));
        }
        let source = Source { origin: "position".to_string(), text: self.words.join(" ") };
        match position_text::parse(&source.text, &self.rule) {
            Ok(entries) => Ok((source, entries)),
            Err(list) => Err(Failure::Said(source, list)),
        }
    }
}

/// A text that holds a rule.
struct Found {
    source: Source,
    game: Option<&'static Game>,
    code: Option<Code>,
}

/// Whether an argument is rule text rather than the name of something.
fn is_rule_text(text: &str) -> bool {
    ["->", "=>", "\u{2192}", "\u{21d2}"].iter().any(|arrow| text.contains(arrow))
}

fn find(rule: &str) -> Result<Found, Failure> {
    let plain = |origin: &str, text: String| Found {
        source: Source { origin: origin.to_string(), text },
        game: None,
        code: None,
    };
    if is_rule_text(rule) {
        return Ok(plain("rule", rule.to_string()));
    }
    if rule == "-" {
        return Ok(plain("standard input", read_stdin()?));
    }
    if rule.ends_with(".game") {
        return Ok(plain(rule, read_file(rule)?));
    }
    if let Some(game) = catalogue::find(rule) {
        let text = game.text().ok_or_else(|| without_rule(game))?;
        let source = Source { origin: format!("{}.game", game.name), text: text.to_string() };
        return Ok(Found { source, game: Some(game), code: None });
    }
    match code::to_rule_text(rule) {
        Some(Ok(text)) => {
            // A set too large to be listed has a text and no normal form.
            let code = code::parse(rule).and_then(Result::ok);
            let origin = code.as_ref().map_or_else(|| rule.trim().to_string(), ToString::to_string);
            Ok(Found { source: Source { origin, text }, game: None, code })
        }
        Some(Err(diagnostic)) => {
            let source = Source { origin: "code".to_string(), text: rule.to_string() };
            Err(Failure::Said(source, vec![diagnostic]))
        }
        None => Err(unknown(rule)),
    }
}

fn unknown(rule: &str) -> Failure {
    let diagnostic = catalogue::unknown(rule);
    let help = if std::path::Path::new(rule).is_file() {
        Some(format!(
            "{rule} is a file, but only those whose name ends in .game are read: rename it, or `- < {rule}`"
        ))
    } else {
        diagnostic.help
    };
    let failure = Failure::new(diagnostic.id, diagnostic.message);
    match help {
        Some(help) => failure.help(format!("{help}; `grundy games` lists the catalogue")),
        None => failure.help("`grundy games` lists the catalogue"),
    }
}

/// The error for a game that is no sum of heaps.
fn without_rule(game: &Game) -> Failure {
    let name = game.name;
    let usage = search::built_in(name).map_or("", |game| game.usage());
    Failure::new("no-rule", format!("{name} is no sum of heaps: it has no rule, but a solver of its own"))
        .help(format!("ask `grundy outcome {name} ...`, followed by {usage}"))
}

/// Parameters as name and value, and the other words.
type Parted<'a> = (Vec<(&'a str, &'a str)>, Vec<&'a str>);

/// Parts `name=value` from the words of a position.
fn split(rest: &[String]) -> Result<Parted<'_>, Failure> {
    let mut parameters: Vec<(&str, &str)> = Vec::new();
    let mut words = Vec::new();
    for word in rest {
        match word.split_once('=') {
            Some((name, value)) if is_name(name) => {
                if parameters.iter().any(|(known, _)| *known == name) {
                    return Err(repeated(name, rest));
                }
                parameters.push((name, value));
            }
            _ => words.push(word.as_str()),
        }
    }
    Ok((parameters, words))
}

/// The error for a parameter given twice, which is nearly always a list in braces that the shell has expanded.
fn repeated(name: &str, rest: &[String]) -> Failure {
    let values = rest
        .iter()
        .filter_map(|word| word.strip_prefix(name)?.strip_prefix('='))
        .collect::<Vec<_>>()
        .join(",");
    Failure::new("repeated-parameter", format!("the parameter `{name}` is given more than once"))
        .help(format!("the shell expands a list in braces: write {name}={values} or '{name}={{{values}}}'"))
}

/// Whether a word is `name=value`.
pub(crate) fn is_parameter(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Bytes that are read from a file at a time.
const PIECE: usize = 1 << 16;
/// A number has no more bytes.
const NUMBER: usize = 64;

/// The numbers of a file that holds nothing but plain numbers, read piece by piece: a file of edges is larger than what
/// is kept of it. `None`: there is something else in it, and it wants a reader that sees the whole text.
fn plain_numbers(path: &str) -> std::io::Result<Option<Words>> {
    let mut file = std::fs::File::open(path)?;
    let mut words = Words::default();
    let mut piece = vec![0; PIECE];
    let mut kept = 0;
    loop {
        let more = match file.read(&mut piece[kept..]) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        let held = kept + more;
        let done = words.read(&piece[..held], more == 0);
        if more == 0 {
            return Ok((done == held && words.len() <= LIMIT).then_some(words));
        }
        kept = held - done;
        if kept > NUMBER {
            return Ok(None);
        }
        piece.copy_within(done..held, 0);
    }
}

/// The value of one parameter; `@file` is read here, because the rule crate does no input.
fn argument(name: &str, value: &str) -> Result<Argument, Failure> {
    let plain_file =
        value.strip_prefix('@').filter(|path| std::fs::metadata(path).is_ok_and(|it| it.is_file()));
    if let Some(path) = plain_file
        && let Some(words) = plain_numbers(path).map_err(|error| Failure::file("read", path, &error))?
    {
        return Ok(Argument::Words(words));
    }
    let (origin, text, parsed) = match value.strip_prefix('@') {
        Some(path) => {
            let content = read_file_or_stdin(path)?;
            let parsed = Argument::numbers(&content);
            (path.to_string(), content, parsed)
        }
        None => (format!("parameter {name}"), value.to_string(), Argument::parse(value)),
    };
    parsed.map_err(|diagnostic| Failure::Said(Source { origin, text }, vec![diagnostic]))
}

/// What is in a file; `-` is standard input.
pub(crate) fn read_file_or_stdin(path: &str) -> Result<String, Failure> {
    if path == "-" { read_stdin() } else { read_file(path) }
}

pub(crate) fn read_file(path: &str) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
    String::from_utf8(bytes).map_err(|_| Failure::new("file", format!("{path} is not UTF-8 text")))
}

pub(crate) fn read_stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::file("read", "standard input", &error))?;
    String::from_utf8(bytes).map_err(|_| Failure::new("file", "standard input is not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_parameters_or_the_position() {
        let rest: Vec<String> = ["k=3", "5", "row(7)", "x_1=2,3", "=5"].map(String::from).to_vec();
        let (parameters, words) = split(&rest).unwrap();
        assert_eq!(parameters, [("k", "3"), ("x_1", "2,3")]);
        assert_eq!(words, ["5", "row(7)", "=5"]);
    }

    #[test]
    fn a_brace_list_that_the_shell_expanded_is_recognised() {
        let rest: Vec<String> = ["S=2", "S=5"].map(String::from).to_vec();
        let Err(Failure::Message { id, help: Some(help), .. }) = split(&rest) else {
            panic!("twice is an error")
        };
        assert_eq!(id, "repeated-parameter");
        assert!(help.contains("S=2,5"), "{help}");
    }
}
