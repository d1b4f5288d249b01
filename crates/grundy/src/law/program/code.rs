//! Lines of a program as they are written: blocks, names, tables, in three languages.

use std::collections::BTreeSet;

use grundy_rule::expr::Int;
use grundy_rule::law_text::Subject;

use super::Language;
use super::helpers;

/// A program under construction.
pub(super) struct Code {
    pub(super) language: Language,
    lines: Vec<String>,
    depth: usize,
    tables: Vec<String>,
    entries: usize,
    used: BTreeSet<&'static str>,
    names: usize,
}

/// Widest line of a table.
const WIDTH: usize = 100;

impl Code {
    pub(super) fn new(language: Language) -> Self {
        Code {
            language,
            lines: Vec::new(),
            depth: 0,
            tables: Vec::new(),
            entries: 0,
            used: BTreeSet::new(),
            names: 0,
        }
    }

    /// How many numbers stand in tables.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// A helper is called: it comes along.
    pub(super) fn uses(&mut self, helper: &'static str) {
        self.used.insert(helper);
    }

    /// A name that nothing else has.
    pub(super) fn fresh(&mut self, of: &str) -> String {
        self.names += 1;
        format!("{of}_{}", self.names)
    }

    pub(super) fn line(&mut self, text: impl std::fmt::Display) {
        let indent = "    ".repeat(self.depth);
        self.lines.push(format!("{indent}{text}"));
    }

    pub(super) fn comment(&mut self, text: &str) {
        let mark = comment_mark(self.language);
        for line in text.lines() {
            self.line(format_args!("{mark} {}", cut(line)));
        }
    }

    fn open(&mut self, head: String) {
        match self.language {
            Language::Python => self.line(format_args!("{head}:")),
            Language::Cpp | Language::Rust => self.line(format_args!("{head} {{")),
        }
        self.depth += 1;
    }

    /// Ends a block.
    pub(super) fn close(&mut self) {
        self.depth -= 1;
        if self.language != Language::Python {
            self.line("}");
        }
    }

    fn head(&self, word: &str, cond: &str) -> String {
        match self.language {
            Language::Cpp => format!("{word} ({cond})"),
            Language::Rust | Language::Python => format!("{word} {cond}"),
        }
    }

    pub(super) fn open_if(&mut self, cond: &str) {
        self.open(self.head("if", cond));
    }

    pub(super) fn open_while(&mut self, cond: &str) {
        self.open(self.head("while", cond));
    }

    pub(super) fn open_function(&mut self, name: &str) {
        self.open(match self.language {
            Language::Cpp => format!("Int {name}(Int heap)"),
            Language::Rust => format!("fn {name}(heap: Int) -> Int"),
            Language::Python => format!("def {name}(heap)"),
        });
    }

    /// A variable that may change.
    pub(super) fn variable(&mut self, name: &str, value: &str) {
        match self.language {
            Language::Cpp => self.line(format_args!("Int {name} = {value};")),
            Language::Rust => self.line(format_args!("let mut {name}: Int = {value};")),
            Language::Python => self.set(name, value),
        }
    }

    pub(super) fn set(&mut self, name: &str, value: &str) {
        let end = self.end();
        self.line(format_args!("{name} = {value}{end}"));
    }

    pub(super) fn give(&mut self, value: &str) {
        let end = self.end();
        self.line(format_args!("return {value}{end}"));
    }

    fn end(&self) -> &'static str {
        if self.language == Language::Python { "" } else { ";" }
    }

    pub(super) fn truth(&self) -> &'static str {
        if self.language == Language::Python { "True" } else { "true" }
    }

    /// ` and ` between conditions.
    pub(super) fn and(&self) -> &'static str {
        if self.language == Language::Python { " and " } else { " && " }
    }

    pub(super) fn or(&self) -> &'static str {
        if self.language == Language::Python { " or " } else { " || " }
    }

    pub(super) fn not(&self) -> &'static str {
        if self.language == Language::Python { "not " } else { "!" }
    }

    /// A constant.
    pub(super) fn int(&self, value: Int) -> String {
        let small = i32::try_from(value).is_ok();
        let plain = i64::try_from(value).is_ok_and(|value| value > i64::MIN);
        match (self.language, small, plain) {
            (Language::Cpp, false, true) => format!("{value}LL"),
            (Language::Cpp, false, false) => {
                const PART: Int = 1_000_000_000_000_000_000;
                let (high, low) = (value.div_euclid(PART), value.rem_euclid(PART));
                format!("(Int({}) * {PART}LL + {low}LL)", self.int(high))
            }
            _ => value.to_string(),
        }
    }

    /// A table of numbers, each of 64 bits; gives its name. `None` if one is larger.
    pub(super) fn table(&mut self, values: impl IntoIterator<Item = Int>) -> Option<String> {
        let name = self.fresh("TABLE");
        let values: Vec<i64> =
            values.into_iter().map(|value| i64::try_from(value).ok()).collect::<Option<_>>()?;
        self.entries += values.len();
        let mut lines = vec![String::new()];
        for value in &values {
            let word = format!("{value}, ");
            if lines.last().is_some_and(|line| line.len() + word.len() > WIDTH) {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(&word);
            }
        }
        let body: String = lines.iter().map(|line| format!("    {}\n", line.trim_end())).collect();
        self.tables.push(match self.language {
            Language::Cpp => format!("static const long long {name}[] = {{\n{body}}};\n"),
            Language::Rust => format!("static {name}: &[i64] = &[\n{body}];\n"),
            Language::Python => format!("{name} = [\n{body}]\n"),
        });
        Some(name)
    }

    /// `TABLE[index]` as a number.
    pub(super) fn item(&self, table: &str, index: &str) -> String {
        match self.language {
            Language::Cpp => format!("{table}[(long long)({index})]"),
            Language::Rust => format!("Int::from({table}[({index}) as usize])"),
            Language::Python => format!("{table}[{index}]"),
        }
    }

    /// The length of a table, as a number.
    pub(super) fn length(&self, table: &str) -> String {
        match self.language {
            Language::Cpp => format!("(Int)(sizeof {table} / sizeof *{table})"),
            Language::Rust => format!("{table}.len() as Int"),
            Language::Python => format!("len({table})"),
        }
    }

    /// Remembers all values of the function that comes next (its values need several others).
    pub(super) fn remembering(&mut self) {
        if self.language == Language::Python {
            self.line("@functools.lru_cache(maxsize=None)");
        }
    }

    /// The whole file.
    pub(super) fn program(
        mut self,
        about: &[&str],
        subject: Subject,
        coins: bool,
        observed_to: Option<u64>,
    ) -> String {
        let to = observed_to.map_or(String::new(), |to| to.to_string());
        let mark = comment_mark(self.language);
        let mut text: String = about
            .iter()
            .flat_map(|line| line.lines())
            .map(|line| format!("{mark} {}", cut(line)).trim_end().to_string() + "\n")
            .collect();
        let main = match subject {
            Subject::Nimbers => "main",
            Subject::Zeros => "main-outcome",
        };
        self.uses(main);
        let mut parts = vec![helpers::part(self.language, "head")];
        let helpers = helpers::with_dependencies(self.language, &self.used);
        parts.extend(
            helpers.into_iter().filter(|name| *name != main).map(|name| helpers::part(self.language, name)),
        );
        parts.extend(self.tables.iter().map(String::as_str));
        for part in parts {
            text.push('\n');
            text.push_str(part.trim_end());
            text.push('\n');
        }
        text.push('\n');
        text.push_str(&self.lines.join("\n"));
        text.push_str("\n\n");
        let mut kept = true;
        for line in helpers::part(self.language, main).trim_end().lines() {
            match line {
                "%coins" => kept = coins,
                "%observed" => kept = observed_to.is_some(),
                "%end" => kept = true,
                _ if kept => {
                    text.push_str(&line.replace("%to", &to));
                    text.push('\n');
                }
                _ => {}
            }
        }
        text
    }
}

fn comment_mark(language: Language) -> &'static str {
    if language == Language::Python { "#" } else { "//" }
}

/// A comment as far as one line; long lists are in the tables.
fn cut(line: &str) -> String {
    match line.char_indices().nth(WIDTH) {
        None => line.to_string(),
        Some((end, _)) => format!("{} ...", &line[..end]),
    }
}
