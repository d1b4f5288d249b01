//! Many codes at once: what law each game has, and whether it is proved.
//!
//! Hexadecimal games (a digit of 8 or more: a heap may be broken into three) have hardly any periods; some are *ruler regular*
//! (J. P. Grossman, R. J. Nowakowski, *A ruler regularity in hexadecimal games*, Games of No Chance 4, 2015). Most of those
//! that show a law at all are automatic in base 2, and then the law can be proved. A survey tabulates each code,
//! learns the automaton of (n, g(n)), and asks for a proof.

use grundy_check::certificate::Proof as Data;
use grundy_rule::{Rule, code};

use crate::automaton::learn::synchronized;
use crate::error::Error;
use crate::export::Digest;
use crate::law::{Kind, Law, discover};
use crate::limits::Limits;
use crate::proof::{self, Outcome};
use crate::table::{self, Options};

/// Most codes of one survey.
pub const MOST_CODES: usize = 1 << 16;

/// Most states of an automaton that is learned.
const STATES: usize = 400;

/// What one code comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The code.
    pub code: String,
    /// The table on which the rest rests: its last heap, its hash, its last value.
    pub digest: String,
    /// The kind of the law found on the table.
    pub law: Option<Kind>,
    /// States of the automaton of (n, g(n)) in base 2 that the table shows and half of it, too.
    pub states: Option<usize>,
    /// Whether there is a proof; `None` if none was asked for.
    pub proof: Option<Proved>,
}

/// The answer to the question for a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proved {
    /// Yes: the proof rule, and the bytes of the certificate.
    Yes {
        /// `finite subtraction`, `guy-smith`, `sliding window`, `automatic`
        by: &'static str,
        /// Bytes of the certificate.
        bytes: usize,
    },
    /// No proof was found; why.
    No(String),
    /// A limit came first; which.
    Unknown(String),
}

/// The codes of a pattern such as `0.hh`, where `h` stands for each hexadecimal digit and `o` for each octal one, in
/// ascending order. Where there is an `h`, codes without a digit of 8 or more are left out: they are octal games.
///
/// ```
/// use grundy::survey::codes;
/// assert_eq!(codes("0.7o").unwrap(), ["0.70", "0.71", "0.72", "0.73", "0.74", "0.75", "0.76", "0.77"]);
/// assert_eq!(codes("0.hh").unwrap().len(), 192);
/// assert!(codes("0.hhhhhh").is_err());
/// ```
///
/// # Errors
/// `codes` for a pattern that is none, or of more than [`MOST_CODES`] codes.
pub fn codes(pattern: &str) -> Result<Vec<String>, Error> {
    let wrong = |why: String| {
        Error::new("codes", why).help("write a pattern such as 0.hh (h: 0 to F) or 0.ooo (o: 0 to 7)")
    };
    let mut all = vec![String::new()];
    for letter in pattern.trim().chars() {
        let digits: Vec<char> = match letter {
            'h' => "0123456789ABCDEF".chars().collect(),
            'o' => "01234567".chars().collect(),
            '.' | '0'..='9' | 'A'..='F' => vec![letter],
            _ => {
                return Err(wrong(format!(
                    "`{letter}` in the pattern `{pattern}` is no digit, `.`, `h` or `o`"
                )));
            }
        };
        if all.len().saturating_mul(digits.len()) > MOST_CODES {
            return Err(wrong(format!("`{pattern}` is more than {MOST_CODES} codes")));
        }
        all = all.iter().flat_map(|code| digits.iter().map(move |digit| format!("{code}{digit}"))).collect();
    }
    let large = |code: &String| code.chars().any(|c| matches!(c, '8' | '9' | 'A'..='F'));
    if pattern.contains('h') {
        all.retain(large);
    }
    match all.iter().find_map(|text| match code::parse(text) {
        None => Some(wrong(format!("`{text}` is no code"))),
        // A game that goes on for ever is no fault of the pattern.
        Some(Err(error)) if error.id != "loop" => Some(wrong(format!("`{text}`: {}", error.message))),
        Some(_) => None,
    }) {
        Some(error) => Err(error),
        None => Ok(all.into_iter().filter(|text| matches!(code::parse(text), Some(Ok(_)))).collect()),
    }
}

/// Looks at one code: a table of heaps `0..=n`, the law on it, and a proof if `prove` and there is a law.
///
/// # Errors
/// What a table may say: a limit that came before the table was there.
pub fn row(code: &str, n: u64, prove: bool, limits: &Limits) -> Result<Row, Error> {
    let text = match code::to_rule_text(code) {
        Some(text) => text.map_err(|error| Error::from(vec![error]))?,
        None => return Err(Error::new("codes", format!("`{code}` is no code"))),
    };
    let (rule, _) = Rule::parse(&text, &[]).map_err(Error::from)?;
    let options = Options { limits: limits.clone(), ..Options::default() };
    let table = table::tabulate(&rule, n, &options)?;
    let mut digest = Digest::default();
    digest.update(table.values());
    let values: Vec<u32> = table.iter().collect();
    let found = discover::discover(&values).found;
    let wide: Vec<u128> = values.iter().map(|&v| u128::from(v)).collect();
    let automaton = synchronized(&wide, 2, STATES)
        .filter(|whole| synchronized(&wide[..wide.len() / 2], 2, STATES).as_ref() == Some(whole));
    let states = automaton.map(|a| a.states());
    let proof = match prove && (found.is_some() || states.is_some()) {
        false => None,
        true => Some(proved(&rule, found.as_ref().map(|f| &f.law), limits)?),
    };
    Ok(Row {
        code: code.to_string(),
        digest: digest.to_string(),
        law: found.map(|f| f.law.kind()),
        states,
        proof,
    })
}

/// Proves the law found, or, where that does not succeed, whatever law can be proved.
fn proved(rule: &Rule, law: Option<&Law>, limits: &Limits) -> Result<Proved, Error> {
    let mut outcome = proof::prove(rule, law.map(Law::text), limits)?;
    if law.is_some() && !matches!(outcome, Outcome::Proved(_)) {
        outcome = proof::prove(rule, None, limits)?;
    }
    Ok(match outcome {
        Outcome::Proved(proof) => {
            let by = match proof.certificate.proof {
                Data::FiniteSubtraction(_) => "finite subtraction",
                Data::GuySmith(_) => "guy-smith",
                Data::SlidingWindow(_) => "sliding window",
                Data::Automatic(_) => "automatic",
            };
            Proved::Yes { by, bytes: proof.certificate.to_string().len() }
        }
        Outcome::Refuted { heap, .. } => {
            let heap = rule.show_heap(heap.kind, &heap.entries);
            Proved::No(format!("the law found is false at {heap}"))
        }
        Outcome::NoRule(why) => Proved::No(why),
        Outcome::Unknown(why) => Proved::Unknown(why),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_all_their_codes() {
        assert_eq!(codes("0.8").unwrap(), ["0.8"]);
        assert_eq!(codes("0.oo").unwrap().len(), 64);
        let two = codes("0.hh").unwrap();
        assert!(two.contains(&"0.8F".to_string()) && two.contains(&"0.0A".to_string()));
        assert!(!two.contains(&"0.77".to_string()));
        for bad in ["0.hx", "hh", "", "0.hhhhhhh"] {
            assert_eq!(codes(bad).unwrap_err().id(), "codes", "{bad}");
        }
    }

    #[test]
    fn a_row_says_what_law_there_is_and_whether_it_is_proved() {
        let kayles = row("0.77", 2000, true, &Limits::default()).unwrap();
        assert_eq!(kayles.law, Some(Kind::Periodic));
        assert!(matches!(kayles.proof, Some(Proved::Yes { by: "guy-smith", .. })), "{kayles:?}");
        let hexadecimal = row("0.88", 1000, true, &Limits::default()).unwrap();
        assert!(matches!(hexadecimal.proof, Some(Proved::Yes { .. })), "{hexadecimal:?}");
        let none = row("0.6", 1000, true, &Limits::default()).unwrap();
        assert_eq!((none.law, none.states, none.proof), (None, None, None));
    }
}
