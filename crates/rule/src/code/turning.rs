//! Coin-turning codes: how many coins a move turns, and how they must lie.
//!
//! A code is one or more elements parted by commas; a move follows one of them. An element is a number of
//! coins and signs after it:
//!
//! | sign | the coins that are turned |
//! | --- | --- |
//! | `3`, `1-3`, `2+` | are three, one to three, two or more |
//! | `C` | are consecutive |
//! | `E` | are evenly spaced |
//! | `S` | lie symmetrically: their pattern read backwards is the same |
//! | `C(5)` | lie within five consecutive places |
//! | `F` | include the first coin of the row |
//!
//! The rightmost coin that is turned goes from heads to tails. The notation is that of CGSuite (whose
//! numbering begins at 1). Coins are numbered from 0 here; only `1+C`, the Ruler game, numbers them from 1,
//! as its literature does. At most one of `C`, `E`, `S` stands in an element; everything else is refused.
//!
//! Up to eight coins are written out with a variable each. More, or any number, become one variable `m`
//! whose binary digits say which coins are turned: exact, but 2^n moves from coin n.

use std::fmt;

use super::error;
use crate::diagnostic::{Diagnostic, Span};

/// The most coins that are written out one by one.
const WRITTEN_OUT: u32 = 8;

/// The greatest number in a turning code.
const GREATEST: u32 = 1_000_000;

/// Names for the coins that are written out.
const NAMES: [&str; 7] = ["a", "b", "c", "d", "e", "f", "h"];

/// A coin-turning code: a move follows one of its elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turning {
    elements: Vec<Turn>,
}

/// One element of a coin-turning code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The least number of coins, at least 1.
    pub least: u32,
    /// The greatest; `None`: any number.
    pub most: Option<u32>,
    /// How they lie.
    pub spacing: Spacing,
    /// They lie within that many consecutive places.
    pub within: Option<u32>,
    /// Whether the first coin of the row is among them.
    pub first: bool,
}

/// How the turned coins lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spacing {
    /// Anyhow.
    Free,
    /// `C`: side by side.
    Consecutive,
    /// `E`: with equal distances.
    Even,
    /// `S`: with a symmetrical pattern.
    Symmetric,
}

impl Turning {
    /// The code of these elements, each brought to its normal form. `None` if there is none, or one has no number
    /// of coins (`least` is 0, or above `most` or `within`) or is a bare number of two digits.
    #[must_use]
    pub fn new(elements: Vec<Turn>) -> Option<Turning> {
        let possible = |turn: &Turn| {
            turn.least >= 1 && [turn.most, turn.within].iter().flatten().all(|top| *top >= turn.least)
        };
        if elements.is_empty() || !elements.iter().all(possible) {
            return None;
        }
        let elements: Vec<Turn> = elements.into_iter().map(Turn::normal).collect();
        (!elements.iter().any(|turn| turn.is_bare_and_large())).then_some(Turning { elements })
    }

    /// The elements, at least one.
    #[must_use]
    pub fn elements(&self) -> &[Turn] {
        &self.elements
    }

    /// The number of the first coin: 1 for the Ruler game `1+C`, else 0.
    #[must_use]
    pub fn first_coin(&self) -> u32 {
        let ruler = Turn { least: 1, most: None, spacing: Spacing::Consecutive, within: None, first: false };
        u32::from(self.elements == [ruler])
    }

    pub(super) fn parse(body: &str) -> Result<Turning, Diagnostic> {
        let mut elements = Vec::new();
        let mut at = 0;
        for item in body.split(',') {
            let start = at + (item.len() - item.trim_start().len());
            elements.push(Turn::parse(item.trim(), start)?);
            at += item.len() + 1;
        }
        Ok(Turning { elements })
    }

    pub(super) fn to_rule_text(&self) -> String {
        let mut text = "coins\n".to_string();
        if self.first_coin() == 1 {
            text += "n -> [n - i for i in 1..d] where d in 0..n-1\n";
            return text;
        }
        for element in &self.elements {
            element.write_lines(&mut text);
        }
        text
    }
}

impl Turn {
    /// The element in its normal form: what says nothing is dropped.
    fn normal(mut self) -> Turn {
        if let Some(within) = self.within {
            self.most = Some(self.most.map_or(within, |most| most.min(within)));
        }
        let few = |turn: &Turn, coins| turn.most.is_some_and(|most| most <= coins);
        if self.spacing == Spacing::Consecutive || few(&self, 1) {
            self.within = None;
        }
        let vacuous = match self.spacing {
            Spacing::Free => false,
            Spacing::Consecutive => few(&self, 1),
            Spacing::Even | Spacing::Symmetric => few(&self, 2),
        };
        if vacuous {
            self.spacing = Spacing::Free;
        }
        self
    }

    fn parse(item: &str, start: usize) -> Result<Turn, Diagnostic> {
        let end = start + item.len();
        let fail = |message: String| error(start, end, message);
        let (least, mut rest) = leading_number(item).ok_or_else(|| {
            fail("a coin-turning code begins with the number of coins".to_string())
                .help("`3` three coins, `1-3` one to three, `1+` one or more")
        })?;
        let mut most = Some(least);
        if let Some(after) = rest.strip_prefix('+') {
            (most, rest) = (None, after);
        } else if let Some(after) = rest.strip_prefix('-') {
            let (number, after) = leading_number(after)
                .ok_or_else(|| fail("a number of coins is missing after `-`".to_string()))?;
            (most, rest) = (Some(number), after);
        }
        if least == 0 {
            return Err(fail("a move turns at least one coin".to_string()));
        }
        if least > GREATEST || most.is_some_and(|most| most > GREATEST) {
            return Err(fail(format!("numbers in a coin-turning code go to {GREATEST}")));
        }
        if let Some(most) = most.filter(|most| *most < least) {
            return Err(fail(format!("from {least} to {most} coins: no number is between")));
        }
        let mut turn = Turn { least, most, spacing: Spacing::Free, within: None, first: false };
        while let Some(sign) = rest.chars().next() {
            rest = &rest[sign.len_utf8()..];
            let mut spacing = |new: Spacing| {
                if turn.spacing == Spacing::Free {
                    turn.spacing = new;
                    Ok(())
                } else {
                    Err(fail("an element has one of `C`, `E` and `S`".to_string()))
                }
            };
            match sign.to_ascii_uppercase() {
                'C' if rest.starts_with('(') => {
                    let inside = rest.split_once(')').map(|(inside, after)| (&inside[1..], after));
                    let (inside, after) = inside.ok_or_else(|| fail("`C(` is not closed".to_string()))?;
                    let number = leading_number(inside.trim()).filter(|(_, more)| more.is_empty());
                    let Some((within, _)) = number.filter(|(within, _)| *within <= GREATEST) else {
                        return Err(fail(format!("`C(..)` holds a number of places up to {GREATEST}")));
                    };
                    if turn.within.is_some() {
                        return Err(fail("an element has one `C(..)`".to_string()));
                    }
                    turn.within = Some(within);
                    rest = after;
                }
                'C' => spacing(Spacing::Consecutive)?,
                'E' => spacing(Spacing::Even)?,
                'S' => spacing(Spacing::Symmetric)?,
                'F' if !turn.first => turn.first = true,
                'F' => return Err(fail("an element has one `F`".to_string())),
                _ => {
                    return Err(fail(format!("`{sign}` is no sign of a coin-turning code"))
                        .help("the signs are C (consecutive), E (evenly spaced), S (symmetrical), C(5), F (first coin)"));
                }
            }
        }
        if let Some(within) = turn.within.filter(|within| *within < least) {
            return Err(fail(format!("{least} coins do not lie within {within} places")));
        }
        let turn = turn.normal();
        if turn.is_bare_and_large() {
            return Err(fail(format!("exactly {least} coins, lying anyhow: such a game is not read"))
                .help(format!("a take-and-break code has a point: `0.{least}`"))
                .patch(Span::new(start, end), format!("0.{least}")));
        }
        Ok(turn)
    }

    /// Whether it is a bare number of two digits. That is hardly ever meant: who writes `77` forgot the point.
    fn is_bare_and_large(self) -> bool {
        let bare = Turn {
            least: self.least,
            most: Some(self.least),
            spacing: Spacing::Free,
            within: None,
            first: false,
        };
        self.least >= 10 && self == bare
    }

    /// Writes the lines of its moves, coins numbered from 0.
    fn write_lines(self, text: &mut String) {
        if self.least == 1 {
            *text += if self.first { "0 -> nothing\n" } else { "n -> nothing\n" };
        }
        let least = self.least.max(2);
        if self.most.is_some_and(|most| most < least) {
            return;
        }
        match self.spacing {
            Spacing::Consecutive => self.write_consecutive(text, least),
            Spacing::Even => self.write_even(text, least),
            Spacing::Free | Spacing::Symmetric => match self.most.filter(|most| *most <= WRITTEN_OUT) {
                Some(most) => {
                    for coins in least..=most {
                        self.write_out(text, coins);
                    }
                }
                None if self.spacing == Spacing::Free => self.write_subsets(text, least),
                None => self.write_symmetric_subsets(text, least),
            },
        }
    }

    fn write_consecutive(self, text: &mut String, least: u32) {
        let last = if self.first { "n" } else { "d" };
        let condition = match (self.first, self.most) {
            (true, None) => format!("n >= {}", least - 1),
            (true, Some(most)) => format!("n in {}..{}", least - 1, most - 1),
            (false, None) => format!("d in {}..n", least - 1),
            (false, Some(most)) => format!("d in {}..{}, d <= n", least - 1, most - 1),
        };
        *text += &format!("n -> [n - i for i in 1..{last}] where {condition}\n");
    }

    fn write_even(self, text: &mut String, least: u32) {
        let reach = if self.first { "d*s = n" } else { "d*s <= n" };
        let within = self.within.map_or(String::new(), |within| format!(", d*s < {within}"));
        let count = match self.most {
            None => format!("d >= {}", least - 1),
            Some(most) if most == least => format!("d = {}", least - 1),
            Some(most) => format!("d in {}..{}", least - 1, most - 1),
        };
        *text += &format!("n -> [n - i*s for i in 1..d] where {count}, s >= 1, {reach}{within}\n");
    }

    /// Exactly `coins` coins, each with its own name: 2 to 8, free or symmetrical.
    fn write_out(self, text: &mut String, coins: u32) {
        // The leftmost coin is `a`, or coin 0; under `S` only the coins left of the middle are chosen.
        let others = coins - 1;
        let symmetric = self.spacing == Spacing::Symmetric;
        let chosen = if symmetric { (coins / 2).max(1) } else { others };
        let (mut names, mut heaps) = (Vec::new(), Vec::new());
        let mut fresh = NAMES.iter().copied();
        for i in 0..chosen {
            let name = if i == 0 && self.first { "0" } else { fresh.next().unwrap_or("a") };
            names.push(name);
            heaps.push(name.to_string());
        }
        let lowest = names[0];
        let total = if self.first { "n".to_string() } else { format!("{lowest} + n") };
        let mut conditions = Vec::new();
        if symmetric {
            let middle = (coins % 2 == 1).then(|| fresh.next().unwrap_or("h"));
            if let Some(middle) = middle {
                heaps.push(middle.to_string());
                names.push(middle);
            }
            for name in names[1..usize_of(chosen)].iter().rev() {
                heaps.push(if self.first { format!("n - {name}") } else { format!("{lowest} + n - {name}") });
            }
            match (middle, names.last()) {
                (Some(middle), _) => {
                    conditions.push(format!("{} < n", names.join(" < ")));
                    conditions.push(format!("2*{middle} = {total}"));
                }
                (None, Some(last)) if chosen > 1 => {
                    conditions.push(format!("{} < n", names.join(" < ")));
                    conditions.push(format!("2*{last} < {total}"));
                }
                _ => conditions.push(format!("{lowest} < n")),
            }
        } else {
            conditions.push(format!("{} < n", names.join(" < ")));
        }
        if let Some(within) = self.within {
            conditions.push(if self.first { format!("n < {within}") } else { format!("n - a < {within}") });
        }
        *text += &format!("n -> {} where {}\n", heaps.join(", "), conditions.join(", "));
    }

    /// Many coins lying anyhow: bit i of m turns coin n - 1 - i.
    fn write_subsets(self, text: &mut String, least: u32) {
        let width = self.within.map_or("n".to_string(), |within| format!("min(n, {})", within - 1));
        let mut condition = format!("m < 2^{width}, {}", self.count("popcount(m)", least - 1, 1));
        if self.first {
            let reach = self.within.map_or("n >= 1".to_string(), |within| format!("1 <= n < {within}"));
            condition = format!("{reach}, {condition}, bit(m, n - 1) = 1");
        }
        *text +=
            &format!("n -> [[n - 1 - i for j in 1..bit(m, i)] for i in 0..{width}-1] where {condition}\n");
    }

    /// Many coins in a symmetrical pattern from coin a to coin n: bit i of m turns the coins i + 1 places from
    /// either end, and c says whether the middle one is turned.
    fn write_symmetric_subsets(self, text: &mut String, least: u32) {
        let half = "((n - a - 1)//2)";
        let mut conditions =
            vec!["a < n".to_string(), format!("m < 2^{half}"), "0 <= c <= (n - a + 1) % 2".to_string()];
        if least > 2 || self.most.is_some() {
            conditions.push(self.count("2 + 2*popcount(m) + c", least, 0));
        }
        if self.first {
            conditions.push("a = 0".to_string());
        }
        if let Some(within) = self.within {
            conditions.push(format!("n - a < {within}"));
        }
        *text += &format!(
            "n -> a, [[a + i + 1, n - i - 1 for j in 1..bit(m, i)] for i in 0..{half}-1], [(a + n)//2 for j in 1..c] where {}\n",
            conditions.join(", ")
        );
    }

    /// "The number of coins, less `less`, is right."
    fn count(self, number: &str, least: u32, less: u32) -> String {
        match self.most {
            None => format!("{number} >= {least}"),
            Some(most) => format!("{least} <= {number} <= {}", most - less),
        }
    }
}

impl fmt::Display for Turning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, element) in self.elements.iter().enumerate() {
            write!(f, "{}{element}", if i > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.least)?;
        match self.most {
            None => write!(f, "+")?,
            Some(most) if most == self.least => {}
            Some(most) => write!(f, "-{most}")?,
        }
        match self.spacing {
            Spacing::Free => {}
            Spacing::Consecutive => write!(f, "C")?,
            Spacing::Even => write!(f, "E")?,
            Spacing::Symmetric => write!(f, "S")?,
        }
        if let Some(within) = self.within {
            write!(f, "C({within})")?;
        }
        write!(f, "{}", if self.first { "F" } else { "" })
    }
}

/// Whether the text is meant as a coin-turning code: a number, then signs of such codes only.
pub(super) fn looks_like(body: &str) -> bool {
    body.starts_with(|c: char| c.is_ascii_digit())
        && body.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '(' | ')' | ',' | ' '))
        && !body.split(',').any(|item| item.trim().contains(' '))
        && body.split(',').all(|item| item.trim().starts_with(|c: char| c.is_ascii_digit()))
}

/// The number at the beginning and what follows it; a number too large is greater than [`GREATEST`].
fn leading_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    (!digits.is_empty()).then(|| (digits.parse().unwrap_or(u32::MAX), rest))
}

fn usize_of(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
