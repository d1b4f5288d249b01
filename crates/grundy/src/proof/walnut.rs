//! A proof by automata as files for Walnut, so that another program can be asked.
//!
//! Walnut (H. Mousavi, *Automatic Theorem Proving in Walnut*, arXiv:1603.06017; J. Shallit, *The Logical Approach to Automatic
//! Sequences*, 2022) decides first-order statements about automata. [`export`] writes what a certificate rests on in its
//! language: the automata as texts, the options of a heap as a formula, and the obligations as statements, each of which
//! Walnut has to find TRUE. Nothing of Walnut is used here, and no certificate needs it: it is a second opinion that shares no line of code
//! with the checker except the translation of the rule into formulas ([`grundy_rule::formula`]). Pools of
//! witnesses are left out, for Walnut finds its own way.
//!
//! Digits stay as they are, least significant first: the number systems are `lsd_2` to `lsd_10`. There are naturals only, so a
//! linear condition has its negative terms on the other side.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use grundy_check::Fault;
use grundy_check::budget::{Budget, Limits as CheckLimits};
use grundy_check::certificate::{Automatic, Certificate, Proof as Data};
use grundy_check::dfa::{DEAD, Dfa, split};
use grundy_rule::Rule;
use grundy_rule::argument::Argument;
use grundy_rule::expr::Int;
use grundy_rule::formula::{self, Bits, Condition, Form, Left, Linear};
use grundy_rule::heap::KindId;

use crate::error::Error;

/// A file, and the folder of Walnut in which it belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// `Automata Library` or `Command Files`.
    pub folder: &'static str,
    /// Its name, `.txt` included.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// The folder of automata.
const AUTOMATA: &str = "Automata Library";

/// The folder of commands.
const COMMANDS: &str = "Command Files";

/// The files for a certificate whose proof rule is `automatic`; the last one holds the commands. Names begin with `name`, in which
/// what Walnut does not read in a name becomes `_`.
///
/// ```
/// use grundy::proof::{self, Outcome, walnut};
/// let rule = grundy_rule::Rule::parse("n -> n - t where t in powers(2)", &[]).unwrap().0;
/// let Outcome::Proved(proof) = proof::prove(&rule, None, &Default::default()).unwrap() else { panic!() };
/// let files = walnut::export(&proof.certificate, "powers").unwrap();
/// let commands = &files.last().unwrap().text;
/// assert!(commands.contains("eval powers_o2 \"?lsd_2 ~(E n,v ($powers_g(n,v) & $powers_options(n,v)))\";"));
/// assert!(commands.contains("$powers_power2(u1)"));
/// ```
///
/// # Errors
/// `walnut` if the proof is by another rule, or a number is too large for Walnut (2^31 and more); what reading the rule may say.
pub fn export(certificate: &Certificate, name: &str) -> Result<Vec<File>, Error> {
    let Data::Automatic(data) = &certificate.proof else {
        return Err(Error::new("walnut", "Walnut is about proofs by automata, and this one is not")
            .help("prove the law with --by automatic"));
    };
    let mut arguments = Vec::new();
    for (name, value) in &certificate.parameters {
        arguments.push((name.clone(), Argument::parse(value).map_err(|error| Error::from(vec![error]))?));
    }
    let (rule, _) = Rule::parse(&certificate.rule, &arguments).map_err(Error::from)?;
    let forms = formula::forms(&rule).map_err(|unfit| Error::new("walnut", unfit.to_string()))?;
    let own = match rule.kinds.as_slice() {
        [_] => Some(KindId(0)),
        _ => rule.kind(certificate.kind.as_deref(), certificate.entries),
    };
    let own = own.ok_or_else(|| Error::new("walnut", "the certificate is about no kind of the rule"))?;
    let mut export = Export {
        name: plain(name),
        rule: &rule,
        base: data.base,
        coded: data.coded,
        automata: BTreeSet::new(),
        files: Vec::new(),
        budget: Budget::new(CheckLimits::default()),
    };
    export.values(data, own)?;
    let mut commands = String::new();
    for (at, kind) in rule.kinds.iter().enumerate() {
        let id = KindId(u16::try_from(at).expect("a rule has fewer than 2^16 kinds"));
        export.statements(id, kind.arity, &forms, &mut commands)?;
    }
    let commands = File { folder: COMMANDS, name: format!("{}.txt", export.name), text: commands };
    export.files.push(commands);
    Ok(export.files)
}

/// A name that Walnut reads: it begins with a small letter (A, E and I are quantifiers).
fn plain(name: &str) -> String {
    let sign = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = name.chars().map(sign).collect();
    if name.starts_with(|c: char| c.is_ascii_lowercase()) { name } else { format!("game_{name}") }
}

struct Export<'a> {
    name: String,
    rule: &'a Rule,
    base: u32,
    coded: bool,
    /// The names of the automata that are written already.
    automata: BTreeSet<String>,
    files: Vec<File>,
    budget: Budget,
}

impl Export<'_> {
    /// A name of its own for each kind, where there are several.
    fn of(&self, what: &str, kind: KindId) -> String {
        let number = if self.rule.kinds.len() > 1 { (kind.0 + 1).to_string() } else { String::new() };
        format!("{}_{what}{number}", self.name)
    }

    /// The automata of the certificate.
    fn values(&mut self, data: &Automatic, own: KindId) -> Result<(), Error> {
        let main = [(own, &data.automaton, data.prefix.as_ref())];
        let others = data.others.iter().filter_map(|other| {
            let kind = self.rule.kind(other.kind.as_deref(), other.entries)?;
            Some((kind, &other.automaton, other.prefix.as_ref()))
        });
        let all: Vec<_> = main.into_iter().chain(others).collect();
        for (kind, automaton, prefix) in all {
            let arity = self.rule.kinds[usize::from(kind.0)].arity;
            let tracks = u32::try_from(arity).unwrap_or(u32::MAX).saturating_add(1);
            for (what, automaton, tracks) in
                [("g", Some(automaton), tracks), ("below", prefix, 2)].into_iter()
            {
                let Some(automaton) = automaton else { continue };
                let dfa = Dfa::read(automaton, self.base, tracks, &mut self.budget);
                let name = self.of(what, kind);
                self.automaton(name, &dfa.map_err(|fault| said(&fault))?, tracks);
            }
        }
        Ok(())
    }

    fn automaton(&mut self, name: String, dfa: &Dfa, tracks: u32) {
        if !self.automata.insert(name.clone()) {
            return;
        }
        let system = format!("lsd_{}", self.base);
        let mut text = vec![system.as_str(); tracks as usize].join(" ") + "\n";
        let mut digits = vec![0; tracks as usize];
        for state in dfa.numbers() {
            let _ = writeln!(text, "\n{state} {}", u8::from(dfa.accepts_at(state)));
            for letter in 0..dfa.letters {
                let to = dfa.step(state, letter);
                if to != DEAD {
                    split(letter, self.base, &mut digits);
                    let digits: Vec<String> = digits.iter().map(ToString::to_string).collect();
                    let _ = writeln!(text, "{} -> {to}", digits.join(" "));
                }
            }
        }
        self.files.push(File { folder: AUTOMATA, name: format!("{name}.txt"), text });
    }

    /// The automaton of a condition that is no formula of Walnut's own.
    fn built(&mut self, what: &str, condition: &Condition) -> Result<String, Error> {
        let (tracks, dfa) =
            Dfa::condition(condition, self.base, &mut self.budget).map_err(|fault| said(&fault))?;
        let name = format!("{}_{what}", self.name);
        self.automaton(name.clone(), &dfa, u32::try_from(tracks.len()).unwrap_or(u32::MAX));
        Ok(name)
    }

    /// The options of a kind, and what has to be true of them.
    fn statements(
        &mut self,
        kind: KindId,
        arity: usize,
        forms: &[Form],
        commands: &mut String,
    ) -> Result<(), Error> {
        let entries = entries(arity);
        let heap = entries.join(",");
        let (g, options) = (self.of("g", kind), self.of("options", kind));
        let mut ways = Vec::new();
        for form in forms.iter().filter(|form| form.kind == kind) {
            ways.push(self.way(form, &entries)?);
        }
        if ways.is_empty() {
            let all = entries.iter().map(|n| format!("{n} >= 0"));
            ways.push(format!("({} & w < 0)", all.collect::<Vec<_>>().join(" & ")));
        }
        let system = format!("?lsd_{}", self.base);
        let smaller = match self.coded {
            false => "w < v".to_string(),
            true => format!("w < v & ${}(w)", self.power(Int::from(self.base))?),
        };
        let ways = ways.join(" | ");
        let mut say = |command: &str, what: &str, formula: String| {
            let _ = writeln!(commands, "{command} {what} \"{system} {formula}\";");
        };
        let is_value = |v: &str| format!("${g}({heap},{v})");
        say("eval", &self.of("total", kind), format!("A {heap} (E v ({}))", is_value("v")));
        let twice = format!("({} & {}) => v = w", is_value("v"), is_value("w"));
        say("eval", &self.of("single", kind), format!("A {heap},v,w ({twice})"));
        say("def", &options, ways);
        let same = format!("{} & ${options}({heap},v)", is_value("v"));
        say("eval", &self.of("o2", kind), format!("~(E {heap},v ({same}))"));
        let reached = format!("({} & {smaller}) => ${options}({heap},w)", is_value("v"));
        say("eval", &self.of("o3", kind), format!("A {heap},v,w ({reached})"));
        let below = self.of("below", kind);
        if self.automata.contains(&below) {
            let sum = self.nim_sum()?;
            let step = format!("(${below}(n,p) & ${g}(n,v) & ${below}(m,q) & m = n + 1) => ${sum}(p,v,q)");
            say("eval", &self.of("below_from", kind), format!("A p (${below}(0,p) <=> p = 0)"));
            say("eval", &self.of("below_step", kind), format!("A m,n,p,q,v ({step})"));
            say("eval", &self.of("below_total", kind), format!("A n (E p (${below}(n,p)))"));
        }
        Ok(())
    }

    /// One way to move, as a formula about the entries and w.
    fn way(&mut self, form: &Form, entries: &[String]) -> Result<String, Error> {
        let named = |unknown: usize| entries.get(unknown).cloned().unwrap_or_else(|| format!("u{unknown}"));
        let mut parts = Vec::new();
        let mut used = BTreeSet::new();
        for condition in &form.conditions {
            parts.push(self.condition(condition, &named, &mut used)?);
        }
        // The values of the heaps, of which runs have two; a single one is w itself.
        let single = matches!(form.left.as_slice(), [Left::Heap(..)]);
        let mut values: Vec<String> = Vec::new();
        let value = |values: &mut Vec<String>| {
            values.push(if single { "w".to_string() } else { format!("v{}", values.len()) });
            values[values.len() - 1].clone()
        };
        for left in &form.left {
            match left {
                Left::Heap(kind, unknowns) => {
                    let entries: Vec<String> = unknowns.iter().map(|u| named(*u)).collect();
                    used.extend(unknowns);
                    let v = value(&mut values);
                    parts.push(format!("${}({},{v})", self.of("g", *kind), entries.join(",")));
                }
                Left::Run(kind, from, to) => {
                    for end in [from, to] {
                        used.insert(*end);
                        let v = value(&mut values);
                        parts.push(format!("${}({},{v})", self.of("below", *kind), named(*end)));
                    }
                }
            }
        }
        let mut hidden: Vec<String> = used.iter().filter(|u| **u >= form.arity).map(|u| named(*u)).collect();
        if !single {
            hidden.extend(values.iter().cloned());
            hidden.extend(self.sum_of(&values, &mut parts)?);
        }
        let unused = (0..form.arity).filter(|entry| !used.contains(entry));
        parts.extend(unused.map(|entry| format!("{} >= 0", entries[entry])));
        let all = parts.join(" & ");
        Ok(if hidden.is_empty() { format!("({all})") } else { format!("(E {} ({all}))", hidden.join(",")) })
    }

    /// Says that w is the nim-sum of the values; gives the names of the sums on the way.
    fn sum_of(&mut self, values: &[String], parts: &mut Vec<String>) -> Result<Vec<String>, Error> {
        let Some((first, rest)) = values.split_first() else {
            parts.push(format!("w = {}", u8::from(self.coded)));
            return Ok(Vec::new());
        };
        let sum = self.nim_sum()?;
        let mut sums = Vec::new();
        let mut before = first.clone();
        for (at, value) in rest.iter().enumerate() {
            let after = if at + 1 == rest.len() { "w".to_string() } else { format!("s{at}") };
            parts.push(format!("${sum}({before},{value},{after})"));
            if after != "w" {
                sums.push(after.clone());
            }
            before = after;
        }
        Ok(sums)
    }

    fn nim_sum(&mut self) -> Result<String, Error> {
        self.built("sum", &Condition::Bits { op: Bits::Xor, left: 0, right: 1, result: 2 })
    }

    fn power(&mut self, of: Int) -> Result<String, Error> {
        self.built(&format!("power{of}"), &Condition::Power { base: of, unknown: 0, holds: true })
    }

    fn condition(
        &mut self,
        condition: &Condition,
        named: &impl Fn(usize) -> String,
        used: &mut BTreeSet<usize>,
    ) -> Result<String, Error> {
        let not = |holds: bool, formula: String| if holds { formula } else { format!("~{formula}") };
        let mut mention = |form: &Linear| used.extend(form.terms().iter().map(|term| term.0));
        Ok(match condition {
            Condition::Zero(form) => {
                mention(form);
                let (more, less) = sides(form, named)?;
                format!("{more} = {less}")
            }
            Condition::AtLeastZero(form) => {
                mention(form);
                let (more, less) = sides(form, named)?;
                format!("{more} >= {less}")
            }
            Condition::Divisible { form, modulus, holds } => {
                mention(form);
                let (more, less) = sides(form, named)?;
                let m = number(*modulus)?;
                let divides = format!("(E k ({more} = {less} + {m}*k | {less} = {more} + {m}*k))");
                not(*holds, divides)
            }
            Condition::Power { base, unknown, holds } => {
                used.insert(*unknown);
                let name = self.power(*base)?;
                not(*holds, format!("${name}({})", named(*unknown)))
            }
            Condition::Among { unknowns, rows, holds } => {
                used.extend(unknowns);
                let mut all = Vec::new();
                for row in rows {
                    let mut each = Vec::new();
                    for (unknown, n) in unknowns.iter().zip(row) {
                        each.push(format!("{} = {}", named(*unknown), number(*n)?));
                    }
                    all.push(format!("({})", each.join(" & ")));
                }
                not(*holds, format!("({})", all.join(" | ")))
            }
            Condition::Bits { op, left, right, result } => {
                used.extend([left, right, result]);
                let what = match op {
                    Bits::Xor => "sum",
                    Bits::And => "and",
                    Bits::Or => "or",
                };
                let plain = Condition::Bits { op: *op, left: 0, right: 1, result: 2 };
                let name = self.built(what, &plain)?;
                format!("${name}({},{},{})", named(*left), named(*right), named(*result))
            }
        })
    }
}

/// What the entries of a heap are called; in this order Walnut sorts them, and before w.
fn entries(arity: usize) -> Vec<String> {
    if arity == 1 { vec!["n".to_string()] } else { (1..=arity).map(|entry| format!("n{entry}")).collect() }
}

/// The terms that are added and those that are taken away.
fn sides(form: &Linear, named: &impl Fn(usize) -> String) -> Result<(String, String), Error> {
    let (mut more, mut less) = (Vec::new(), Vec::new());
    for (unknown, coefficient) in form.terms() {
        let side = if *coefficient > 0 { &mut more } else { &mut less };
        side.push(match coefficient.checked_abs() {
            Some(1) => named(*unknown),
            other => format!("{}*{}", number(other.unwrap_or(Int::MAX))?, named(*unknown)),
        });
    }
    if form.constant != 0 {
        let side = if form.constant > 0 { &mut more } else { &mut less };
        side.push(number(form.constant.checked_abs().unwrap_or(Int::MAX))?);
    }
    let sum = |terms: Vec<String>| if terms.is_empty() { "0".to_string() } else { terms.join(" + ") };
    Ok((sum(more), sum(less)))
}

/// A number as Walnut reads it.
fn number(n: Int) -> Result<String, Error> {
    match i32::try_from(n) {
        Ok(n) => Ok(n.to_string()),
        Err(_) => Err(Error::new("walnut", format!("Walnut reads numbers below 2^31, not {n}"))),
    }
}

fn said(fault: &Fault) -> Error {
    Error::new("walnut", fault.to_string())
}

#[cfg(test)]
mod tests;
