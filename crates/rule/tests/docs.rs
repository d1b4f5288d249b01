//! The examples of docs/language.md are read, and its mistakes are refused with the error they name.

use std::collections::BTreeSet;

use grundy_rule::{Rule, law_text};

const PAGE: &str = include_str!("../../../docs/language.md");

/// A fenced block: the words after the fence, and its lines.
fn blocks() -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            out.push((info.to_string(), body.join("\n")));
        }
    }
    out
}

#[test]
fn every_block_does_what_the_page_says() {
    let mut rules = 0;
    for (info, body) in blocks() {
        let mut words = info.split(' ');
        match (words.next(), words.next()) {
            (Some("grundy"), None) => {
                rules += 1;
                match Rule::parse(&body, &[]) {
                    Ok((_, warnings)) => assert!(warnings.is_empty(), "{}", warnings[0].plain(&body)),
                    Err(errors) => panic!("{}", errors[0].plain(&body)),
                }
            }
            (Some("grundy-error"), Some(id)) => {
                let said = match Rule::parse(&body, &[]) {
                    Ok((_, warnings)) => warnings,
                    Err(errors) => errors,
                };
                assert!(said.iter().any(|d| d.id == id), "{id}: {said:?}\n{body}");
            }
            (Some("grundy-law"), None) => {
                let law = law_text::parse(&body, &[]).unwrap_or_else(|e| panic!("{}", e[0].plain(&body)));
                assert!(!law.clauses.is_empty());
            }
            (Some("text"), None) => {}
            _ => panic!("a block of unknown kind: {info}"),
        }
    }
    assert!(rules >= 18, "{rules}");
}

/// Every id that the sources of this crate report while reading has its row in the table.
#[test]
fn every_message_is_in_the_table() {
    let sources = [
        include_str!("../src/lexer.rs"),
        include_str!("../src/parser.rs"),
        include_str!("../src/parser/expr.rs"),
        include_str!("../src/parser/block.rs"),
        include_str!("../src/parser/cond.rs"),
        include_str!("../src/parser/file.rs"),
        include_str!("../src/parser/production.rs"),
        include_str!("../src/resolve.rs"),
        include_str!("../src/resolve/advice.rs"),
        include_str!("../src/resolve/line.rs"),
        include_str!("../src/resolve/params.rs"),
        include_str!("../src/resolve/rule.rs"),
        include_str!("../src/resolve/variables.rs"),
        include_str!("../src/argument.rs"),
        include_str!("../src/position_text.rs"),
        include_str!("../src/law_text.rs"),
    ];
    let table: BTreeSet<&str> = PAGE
        .lines()
        .skip_while(|line| *line != "| id | what it says |")
        .filter_map(|line| line.split('|').nth(1))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    let mut reported = BTreeSet::new();
    for source in sources {
        for call in ["Diagnostic::error(", "Diagnostic::warning("] {
            for after in source.split(call).skip(1) {
                let id = after.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
                reported.insert(id.expect("ids are written where they are reported"));
            }
        }
    }
    let missing: Vec<_> = reported.difference(&table).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(reported.len() > 30, "{reported:?}");
}
