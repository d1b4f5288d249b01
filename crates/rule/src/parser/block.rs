//! The block forms of laws: `automaton base 2 { 0*: 0/0 to 0, 1/1 to 1 ... }`.
//!
//! Line ends inside braces do not count, so a state ends where the next one begins: a number followed by `:`,
//! `*` or `=` begins a state, a number followed by `/` is the digit of a transition. What is wrong with a whole
//! block, such as a missing state, is said by the law's resolution; here only its grammar is read. Heaps with several
//! entries have a digit for each before the slash: `automaton base 2 entries 2 { 0*: 0 0/0 to 0, 1 0/1 to 0 ... }`.

use crate::ast::block::{Automatic, AutomaticState, Automaton, AutomatonState, MOST_ENTRIES, MOST_STATES};
use crate::ast::{Clause, Name};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Int;
use crate::lexer::Tok;
use crate::parser::Parser;

impl Parser<'_> {
    /// Whether a block form begins here.
    pub(super) fn at_block(&self) -> bool {
        match self.peek_second() {
            Tok::Name => self.at_word("automaton") || self.at_word("automatic") || self.at_word("window"),
            _ => false,
        }
    }

    /// A clause in block form.
    pub(super) fn block(&mut self) -> Option<Clause> {
        let start = self.span();
        if self.eat_word("window") {
            return self.window(start);
        }
        let automatic = self.at_word("automatic");
        self.advance();
        if !self.eat_word("base") {
            return self.unexpected("`base`");
        }
        let base = self.base()?;
        if automatic { self.automatic(start, base) } else { self.automaton(start, base) }
    }

    fn base(&mut self) -> Option<u32> {
        let span = self.span();
        let base = self.number("a base from 2 to 10")?;
        match u32::try_from(base) {
            Ok(base @ 2..=10) => Some(base),
            _ => self.wrong(span, format!("the base is 2 to 10, not {base}"), None),
        }
    }

    /// `window L(n) = expr for n >= 1`
    fn window(&mut self, start: Span) -> Option<Clause> {
        self.name("the name of the left end, as in `window L(n) = ceil(n/3)`")?;
        self.expect(Tok::Open, "`(`")?;
        let heap: Name = self.name("a name for the heap")?;
        self.expect(Tok::Close, "`)`")?;
        self.expect(Tok::Eq, "`=`")?;
        let left = self.expr()?;
        let mut from = 0;
        if self.eat(Tok::For) {
            if !self.eat_word(&heap.text) {
                return self.unexpected(&format!("`{}`", heap.text));
            }
            self.expect(Tok::Ge, "`>=`")?;
            from = self.number("a number")?;
        }
        Some(Clause::Window { heap, left, from, span: self.span_from(start) })
    }

    fn entries(&mut self, base: u32) -> Option<usize> {
        if !self.eat_word("entries") {
            return Some(1);
        }
        let span = self.span();
        let entries = self.number("how many entries the heaps have")?;
        match usize::try_from(entries) {
            Ok(entries @ 1..=MOST_ENTRIES)
                if base.pow(u32::try_from(entries).unwrap_or(u32::MAX)) <= 4096 =>
            {
                Some(entries)
            }
            _ => self.wrong(span, format!("{entries} entries in base {base} are too many or none"), None),
        }
    }

    fn automaton(&mut self, start: Span, base: u32) -> Option<Clause> {
        let entries = self.entries(base)?;
        let coded = self.eat_word("coded");
        let mut states: Vec<AutomatonState> = Vec::new();
        // Where each target stands, to point at those that are no state.
        let mut targets = Vec::new();
        let open = self.span();
        self.expect(Tok::OpenSet, "`{`")?;
        while !self.eat(Tok::CloseSet) {
            self.state_number(states.len(), open)?;
            let accepting = self.eat(Tok::Star);
            self.expect(Tok::Colon, "`:` or `*:`")?;
            let mut next: Vec<(u32, u32, u32)> = Vec::new();
            // A number that begins a state has another sign after it.
            while matches!(self.peek(), Tok::Number(_))
                && matches!(self.peek_second(), Tok::Slash | Tok::Number(_))
            {
                let span = self.span();
                let (mut n, mut weight) = (0, 1);
                for _ in 0..entries {
                    n += weight * self.digit(base)?;
                    weight *= base;
                }
                self.expect(Tok::Slash, "`/` and a digit of the value")?;
                let v = self.digit(base)?;
                let digits = self.span_from(span);
                if !self.eat_word("to") {
                    return self.unexpected("`to` and a state, as in `0/1 to 3`");
                }
                let to = self.target(&mut targets)?;
                match next.binary_search_by_key(&(n, v), |(n, v, _)| (*n, *v)) {
                    Ok(_) => {
                        let message = format!("the digits {} stand twice", self.text(digits));
                        return self.wrong(span, message, None);
                    }
                    Err(at) => next.insert(at, (n, v, to)),
                }
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            states.push(AutomatonState { accepting, next });
        }
        self.check_targets(states.len(), &targets)?;
        self.not_empty(states.len(), open)?;
        Some(Clause::Automaton(Automaton { base, entries, coded, states, span: self.span_from(start) }))
    }

    fn automatic(&mut self, start: Span, base: u32) -> Option<Clause> {
        let slope = if self.eat_word("slope") { self.slope()? } else { (0, 1) };
        let mut states: Vec<AutomaticState> = Vec::new();
        let mut targets = Vec::new();
        let mut places = Vec::new();
        let open = self.span();
        self.expect(Tok::OpenSet, "`{`")?;
        while !self.eat(Tok::CloseSet) {
            places.push(self.span());
            self.state_number(states.len(), open)?;
            self.expect(Tok::Eq, "`=` and what is added")?;
            let output = self.signed_number("a number")?;
            self.expect(Tok::Colon, "`:`")?;
            let mut next = Vec::new();
            for digit in 0..base {
                if digit > 0 {
                    let what = format!("`,` and a state for each digit of base {base}");
                    self.expect(Tok::Comma, &what)?;
                }
                next.push(self.target(&mut targets)?);
            }
            states.push(AutomaticState { output, next });
        }
        self.check_targets(states.len(), &targets)?;
        self.not_empty(states.len(), open)?;
        for (place, (number, state)) in places.into_iter().zip(states.iter().enumerate()) {
            let padded = &states[usize::try_from(state.next[0]).unwrap_or(0)];
            if padded.output != state.output {
                let message = format!(
                    "a leading zero must change nothing, but from state {number} the digit 0 leads to {}, not {}",
                    padded.output, state.output
                );
                return self.wrong(place, message, None);
            }
        }
        Some(Clause::Automatic(Automatic { base, slope, states, span: self.span_from(start) }))
    }

    /// `2` or `3/2`, in lowest terms.
    fn slope(&mut self) -> Option<(Int, Int)> {
        let p = self.number("a slope, such as `2` or `3/2`")?;
        if !self.eat(Tok::Slash) {
            return Some((p, 1));
        }
        let span = self.span();
        let q = self.number("a number")?;
        if q == 0 {
            return self.wrong(span, "a slope is a ratio, and this one divides by 0".to_string(), None);
        }
        let (mut a, mut b) = (p, q);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Some((p / a, q / a))
    }

    fn state_number(&mut self, expected: usize, open: Span) -> Option<()> {
        let span = self.span();
        if self.peek() == Tok::End {
            return self.wrong(open, "`{` is never closed".to_string(), None);
        }
        let number = self.number("a state: its number")?;
        if usize::try_from(number) != Ok(expected) {
            let message = format!("the states are numbered 0, 1, 2, ... in order: {expected} comes next");
            return self.wrong(span, message, None);
        }
        if expected >= MOST_STATES {
            return self.wrong(span, format!("more than {MOST_STATES} states"), None);
        }
        Some(())
    }

    fn digit(&mut self, base: u32) -> Option<u32> {
        let span = self.span();
        let digit = self.number("a digit")?;
        match u32::try_from(digit) {
            Ok(digit) if digit < base => Some(digit),
            _ => self.wrong(span, format!("{digit} is no digit in base {base}"), None),
        }
    }

    fn target(&mut self, targets: &mut Vec<(u32, Span)>) -> Option<u32> {
        let span = self.span();
        let number = self.number("a state")?;
        // What is too large is no state anyway.
        let state = u32::try_from(number).unwrap_or(u32::MAX);
        targets.push((state, span));
        Some(state)
    }

    fn check_targets(&mut self, states: usize, targets: &[(u32, Span)]) -> Option<()> {
        let missing = targets.iter().find(|(to, _)| usize::try_from(*to).is_ok_and(|to| to >= states));
        match missing {
            None => Some(()),
            Some((_, span)) => {
                let message = format!("there is no state {}", self.text(*span));
                let help = format!("the states are 0 to {}", states.saturating_sub(1));
                self.wrong(*span, message, Some(help))
            }
        }
    }

    fn not_empty(&mut self, states: usize, open: Span) -> Option<()> {
        if states > 0 {
            return Some(());
        }
        self.wrong(
            open,
            "an automaton has at least one state".to_string(),
            Some("`0*: 0/0 to 0`".to_string()),
        )
    }

    fn wrong<T>(&mut self, span: Span, message: String, help: Option<String>) -> Option<T> {
        self.broken = true;
        let diagnostic = Diagnostic::error("law-automaton", span, message);
        self.error(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
        None
    }
}
