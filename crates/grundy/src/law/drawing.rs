//! Automata of laws as Graphviz text.
//!
//! States are circles, those in which reading may end are doubled, an arrow shows the digits that lead along it.
//! Arrows between the same two states are one arrow with several labels.

use std::collections::BTreeMap;
use std::fmt::Write;

use grundy_rule::law_text::{Automatic, Automaton, Clause};

use super::Law;

impl Law {
    /// The automaton of the law in the DOT language of Graphviz; `None` if the law is no automaton.
    ///
    /// ```
    /// use grundy::law::Law;
    /// let law = Law::parse("automatic base 2 { 0 = 0: 0, 1  1 = 1: 1, 0 }", &[]).unwrap();
    /// let dot = law.graphviz().unwrap();
    /// assert!(dot.starts_with("digraph law {\n") && dot.contains("s0 -> s1 [label=\"1\"];"));
    /// ```
    #[must_use]
    pub fn graphviz(&self) -> Option<String> {
        self.text().clauses.iter().find_map(|clause| match clause {
            Clause::Automaton(block) => Some(pairs(block)),
            Clause::Automatic(block) => Some(outputs(block)),
            _ => None,
        })
    }
}

fn pairs(block: &Automaton) -> String {
    let heap = super::names_of(block.entries);
    let second = if block.coded { format!("{}^g({heap})", block.base) } else { format!("g({heap})") };
    let title = format!("{heap} / {second}, base {}, least significant digits first", block.base);
    let mut arrows = BTreeMap::new();
    let mut nodes = String::new();
    for (from, state) in block.states.iter().enumerate() {
        if state.accepting {
            let _ = writeln!(nodes, "  s{from} [shape=doublecircle];");
        }
        for (n, v, to) in &state.next {
            add(&mut arrows, from, *to, format!("{}/{v}", block.digits(*n)));
        }
    }
    draw(&title, &nodes, block.states.len(), arrows)
}

fn outputs(block: &Automatic) -> String {
    let line = match block.slope {
        (0, _) => String::new(),
        (p, 1) => format!("{p}n + "),
        (p, q) => format!("floor({p}n/{q}) + "),
    };
    let title = format!("g(n) = {line}output, n in base {}, least significant digit first", block.base);
    let mut arrows = BTreeMap::new();
    let mut nodes = String::new();
    for (from, state) in block.states.iter().enumerate() {
        let _ = writeln!(nodes, "  s{from} [label=\"{from} = {}\"];", state.output);
        for (digit, to) in state.next.iter().enumerate() {
            add(&mut arrows, from, *to, digit.to_string());
        }
    }
    draw(&title, &nodes, block.states.len(), arrows)
}

type Arrows = BTreeMap<(usize, u32), String>;

fn add(arrows: &mut Arrows, from: usize, to: u32, label: String) {
    arrows
        .entry((from, to))
        .and_modify(|old| {
            old.push_str(", ");
            old.push_str(&label);
        })
        .or_insert(label);
}

fn draw(title: &str, nodes: &str, states: usize, arrows: Arrows) -> String {
    let mut out = format!("digraph law {{\n  label=\"{title}\";\n  rankdir=LR;\n  node [shape=circle];\n");
    for state in 0..states {
        let _ = writeln!(out, "  s{state} [label=\"{state}\"];");
    }
    out.push_str(nodes);
    let _ = writeln!(out, "  start [shape=point];\n  start -> s0;");
    for ((from, to), label) in arrows {
        let _ = writeln!(out, "  s{from} -> s{to} [label=\"{label}\"];");
    }
    out.push_str("}\n");
    out
}
