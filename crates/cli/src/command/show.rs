//! `grundy show`: what a rule is, before any value is computed.

use std::io::Write;

use grundy::table::{self, EngineName};
use grundy_rule::Rule;
use grundy_rule::ast::ParamType;
use grundy_rule::code::{self, Code};
use grundy_rule::ends::Ends;
use grundy_rule::heap::KindId;
use grundy_rule::rule::{Param, Value};
use grundy_rule::shape;
use serde::Serialize;

use crate::args::Show;
use crate::failure::Failure;
use crate::load::{self, Loaded};
use crate::report::{self, Facts, HEADING};
use crate::{output, wire};

/// A rule as JSON; `study` shows it too.
#[derive(Serialize)]
pub(crate) struct About {
    name: Option<String>,
    rule: String,
    code: Option<String>,
    shape: String,
    engine: Option<&'static str>,
    misere: bool,
    coins: bool,
    kinds: Vec<Kind>,
    parameters: Vec<Parameter>,
    ends: EndsSaid,
    law: Vec<String>,
    sources: Vec<String>,
}

#[derive(Serialize)]
struct Kind {
    name: Option<String>,
    entries: usize,
}

#[derive(Serialize)]
struct Parameter {
    name: String,
    #[serde(rename = "type")]
    ty: &'static str,
    value: Option<wire::Value>,
}

#[derive(Serialize)]
struct EndsSaid {
    proved: bool,
    why: String,
}

/// `grundy show RULE`
pub(crate) fn run(args: &Show) -> Result<(), Failure> {
    let loaded = load::load(&args.rule)?;
    loaded.no_position("show")?;
    if args.json.json {
        return output::json(&about(&loaded));
    }
    output::text(|out| head(out, &loaded, None))
}

/// The rule and what can be said about it; `tested` is the last heap for which the cited law was compared.
pub(crate) fn head(out: &mut dyn Write, loaded: &Loaded, tested: Option<u64>) -> Result<(), Failure> {
    if let Some(name) = loaded.name() {
        writeln!(out, "{HEADING}{name}{HEADING:#}\n")?;
    }
    writeln!(out, "{}", report::indented(loaded.rule_text()))?;
    facts(loaded, tested).write(out)?;
    Ok(())
}

/// The code of a rule, typed or recognised.
fn code(loaded: &Loaded) -> Option<Code> {
    loaded.code.clone().or_else(|| code::of_rule(&loaded.rule))
}

/// What can be said about a rule in JSON.
pub(crate) fn about(loaded: &Loaded) -> About {
    let rule = &loaded.rule;
    let (proved, why) = ends(loaded);
    About {
        name: loaded.game.map(|game| game.name.to_string()).or_else(|| rule.name.clone()),
        rule: loaded.source.text.clone(),
        code: code(loaded).map(|code| code.to_string()),
        shape: shape::shape(rule).to_string(),
        engine: engine(rule).map(EngineName::name),
        misere: rule.misere,
        coins: rule.coins,
        kinds: rule.kinds.iter().map(|kind| Kind { name: kind.name.clone(), entries: kind.arity }).collect(),
        parameters: rule
            .params
            .iter()
            .map(|param| Parameter {
                name: param.name.clone(),
                ty: type_name(param.ty),
                value: param.value.as_ref().map(wire::value),
            })
            .collect(),
        ends: EndsSaid { proved, why },
        law: loaded.law(),
        sources: loaded.file.sources.clone(),
    }
}

/// The same in words.
fn facts(loaded: &Loaded, tested: Option<u64>) -> Facts {
    let rule = &loaded.rule;
    let mut facts = Facts::default();
    if let Some(code) = code(loaded) {
        facts.add("code", code.to_string());
    }
    facts.add("shape", shape::shape(rule).to_string());
    if let Some(engine) = engine(rule) {
        facts.add("engine", engine.name());
    }
    let (one, many) = if rule.coins { ("coin", "coins") } else { ("heap", "heaps") };
    let kinds: Vec<String> =
        rule.kinds.iter().map(|kind| kind_words(kind.name.as_deref(), kind.arity, one)).collect();
    facts.add(many, kinds.join(", "));
    let play = match (rule.misere, rule.coins) {
        (true, _) => "mis\u{e8}re: whoever makes the last move loses",
        (false, true) => "whoever turns the last coin wins; equal coins cancel",
        (false, false) => "whoever makes the last move wins",
    };
    facts.add("play", play);
    if rule.is_partisan() {
        facts.add("players", "Left and Right have different moves");
    }
    if rule.has_endings() {
        facts.add("moves", "some end the game at once");
    }
    for param in &rule.params {
        facts.add("parameter", parameter_words(param));
    }
    let (proved, why) = ends(loaded);
    let kept = match (proved, rule.loopy) {
        (true, _) => "proved",
        (false, true) => "may go on for ever, and is then a draw",
        (false, false) => "watched",
    };
    facts.add("ends", format!("{kept}: {why}"));
    let law = loaded.law();
    if !law.is_empty() {
        let clauses: Vec<String> = law.iter().map(|clause| cut(clause)).collect();
        let source = loaded.file.law_source().unwrap_or("this file");
        let tested = tested.map_or(String::new(), |n| format!(", tested to {n}"));
        facts.add("law", format!("cited ({source}){tested}:\n{}", clauses.join("\n")));
    }
    for source in &loaded.file.sources {
        facts.add("source", source.clone());
    }
    facts
}

/// A clause as far as one line of a page.
pub(super) fn cut(clause: &str) -> String {
    const PAGE: usize = 96;
    match clause.char_indices().nth(PAGE) {
        None => clause.to_string(),
        Some((end, _)) => {
            let kept = clause[..end].rfind(", ").map_or(end, |comma| comma + 1);
            format!("{} ...", &clause[..kept])
        }
    }
}

/// What would fill the table of the first kind with one entry.
fn engine(rule: &Rule) -> Option<EngineName> {
    let ready = rule.has_nimbers() && !rule.loopy && rule.params.iter().all(|param| param.value.is_some());
    let kind = rule.kinds.iter().position(|kind| kind.arity == 1).filter(|_| ready)?;
    Some(table::engine_for(rule, KindId(u16::try_from(kind).ok()?)))
}

fn kind_words(name: Option<&str>, arity: usize, one: &str) -> String {
    match (name, arity) {
        (None, 1) => format!("a {one} is a number"),
        (name, arity) => {
            let entries: Vec<String> = (0..arity)
                .map(|i| char::from(b'a' + u8::try_from(i % 26).unwrap_or(0)).to_string())
                .collect();
            format!("{}({})", name.unwrap_or(""), entries.join(", "))
        }
    }
}

pub(super) fn parameter_words(param: &Param) -> String {
    let ty = type_name(param.ty);
    match &param.value {
        None => format!("{}: {ty}, no value", param.name),
        Some(value) => format!("{} = {}", param.name, shortened(value)),
    }
}

/// A value, cut after a dozen members.
fn shortened(value: &Value) -> String {
    fn list(items: impl ExactSizeIterator<Item = String>, open: &str, close: &str) -> String {
        let count = items.len();
        let mut shown: Vec<String> = items.take(12).collect();
        if count > shown.len() {
            shown.push(format!("... ({count} in all)"));
        }
        format!("{open}{}{close}", shown.join(", "))
    }
    match value {
        Value::Number(number) => number.to_string(),
        Value::Set(members) => list(members.iter().map(ToString::to_string), "{", "}"),
        Value::List(members) => list(members.iter().map(ToString::to_string), "[", "]"),
        Value::Pairs(pairs) => list(pairs.iter().map(|(a, b)| format!("({a}, {b})")), "", ""),
    }
}

fn type_name(ty: ParamType) -> &'static str {
    match ty {
        ParamType::Number => "number",
        ParamType::Set => "set",
        ParamType::List => "list",
        ParamType::Pairs => "pairs",
    }
}

/// Whether play is proved to end, and by what.
fn ends(loaded: &Loaded) -> (bool, String) {
    match &loaded.ends {
        Ends::Proved(measures) => {
            let words: Vec<String> = measures.iter().map(ToString::to_string).collect();
            let words =
                if words.is_empty() { "no heap has a move".to_string() } else { words.join(", then ") };
            (true, words)
        }
        Ends::Watched(reason) => (false, reason.to_string()),
        Ends::Loop(diagnostic) => (false, diagnostic.message.clone()),
    }
}
