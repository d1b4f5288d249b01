//! A program from a law: a file of C++, Rust or Python that needs nothing else.
//!
//! It holds `g(heap)` for heaps up to 10^18 and a `main` that reads the heaps of a position and prints who wins. Each clause
//! becomes a few lines, in the order of the law: its pattern is solved for its names at once or by the one loop that the
//! law itself would take (`pattern.rs`), listed values and automata become tables, a period is taken as often as it
//! applies. What the clauses use of the language's functions comes along as plain helpers (`program/*.txt`), and
//! nothing that they do not use.
//!
//! Before a program is written the law is asked for heaps near 10^18 and for some on the way: a law that walks down
//! more heaps than a machine's stack holds is refused, not turned into a program that dies.
//!
//! Considered and dropped: a general interpreter of laws in each language (long, slow, and nobody would paste it), and
//! printing the closed form alone (not every law has one).

mod clauses;
mod code;
mod helpers;
mod terms;

use grundy_rule::expr::{Expr, Int};
use grundy_rule::law_text::Subject;
use rustc_hash::FxHashMap;

use super::{Clause, Law, Look};
use crate::error::Error;
use code::Code;

/// The languages that programs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C++17 with the 128-bit integers of GCC and Clang.
    Cpp,
    /// Rust, the standard library alone.
    Rust,
    /// Python 3.
    Python,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::Cpp, Language::Rust, Language::Python];

    /// The name by which it is asked for.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Cpp => "cpp",
            Language::Rust => "rust",
            Language::Python => "python",
        }
    }
}

/// The greatest heap of which programs speak.
pub const GREATEST: u128 = 1_000_000_000_000_000_000;

/// Most heaps that may wait for one another, and most that one value may need.
const DEPTH: usize = 5000;
const STEPS: usize = 100_000;

/// Most entries of the tables of one program.
const ENTRIES: usize = 1 << 20;

/// Writes the program. `about` stands in a comment at its head, a line each; under `coins` a position is a set.
///
/// ```
/// use grundy::law::{Law, program::{Language, write}};
/// let law = Law::parse("g(n) = n mod 4", &[]).unwrap();
/// let text = write(&law, Language::Python, &["Take one to three."], false).unwrap();
/// assert!(text.contains("# Take one to three.") && text.contains("return heap % 4"));
/// ```
///
/// # Errors
/// `emit` for a law that is no program: too slow or too deep at 10^18, tables beyond a million entries, pairs, a pattern of
/// several names that is no sum; and what the law itself says at those heaps, but not that it is silent.
pub fn write(law: &Law, language: Language, about: &[&str], coins: bool) -> Result<String, Error> {
    write_within(law, language, about, coins, None)
}

/// The same for a law that is only observed, to some heap: the program warns on its error output of heaps beyond.
///
/// # Errors
/// As [`write()`].
pub fn write_within(
    law: &Law,
    language: Language,
    about: &[&str],
    coins: bool,
    observed_to: Option<u64>,
) -> Result<String, Error> {
    probe(law)?;
    let mut code = Code::new(language);
    let several = law.clauses.iter().any(|clause| match clause {
        Clause::Equation(equation) => equation.shift.is_none() && terms::grundy_terms(&equation.value) > 1,
        _ => false,
    });
    let name = if law.speaks_of() == Subject::Zeros { "z" } else { "g" };
    clauses::function(law, name, several, &mut code)?;
    if code.entries() > ENTRIES {
        return Err(refused(format!("its tables have {} entries", code.entries())));
    }
    Ok(code.program(about, law.speaks_of(), coins, observed_to))
}

fn refused(why: impl std::fmt::Display) -> Error {
    Error::new("emit", format!("this law makes no program: {why}"))
        .help("`grundy value` answers single heaps, as far as that can be done at all")
}

/// Asks the law for heaps of all sizes.
fn probe(law: &Law) -> Result<(), Error> {
    let mut sizes: Vec<u128> = (0..64).map(|i| GREATEST - i).collect();
    sizes.extend((0..60).flat_map(|i| [1 << i, (1 << i) - 1]));
    sizes.extend((0..38).map(|i| 3_u128.pow(i)));
    // A fixed sequence without pattern (Knuth's MMIX constants).
    let mut state = 1_u64;
    sizes.extend((0..64).map(|i| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u128::from(state >> (i % 48)) % GREATEST
    }));
    for heap in sizes {
        match walk(law, Int::try_from(heap).unwrap_or(Int::MAX)) {
            Err(error) if SILENT.contains(&error.id()) => {}
            other => other?,
        }
    }
    Ok(())
}

/// Errors at one heap that its program says too.
const SILENT: [&str; 4] = ["law-silent", "division", "domain", "index"];

/// Follows the clauses as the program will, and refuses what is too deep.
fn walk(law: &Law, heap: Int) -> Result<(), Error> {
    let mut known: FxHashMap<Int, Int> = FxHashMap::default();
    let mut stack = vec![heap];
    for _ in 0..STEPS {
        let Some(heap) = stack.last().copied() else { return Ok(()) };
        match law.look(heap, &known)? {
            Look::Value(value) => {
                known.insert(heap, value);
                stack.pop();
            }
            Look::Needs(smaller) => stack.push(smaller),
        }
        if stack.len() > DEPTH {
            break;
        }
    }
    Err(refused(format!("from heap {heap} it walks down too many heaps")))
}

/// Whether an expression is at least 0 for naturals.
fn natural(expr: &Expr, law: &Law) -> bool {
    matches!(expr, Expr::Grundy(_)) || super::pattern::natural(expr, &law.params)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(law: &str, language: Language) -> Result<String, Error> {
        write(&Law::parse(law, &[]).unwrap(), language, &["about"], false)
    }

    #[test]
    fn a_program_holds_what_it_uses_and_nothing_else() {
        for language in Language::ALL {
            let text = written("g(2n) = lpf(2n + 2)\ng(2n + 1) = 0", language).unwrap();
            assert!(text.contains("lpf") && text.contains("is_prime"), "{language:?}");
            assert!(!text.contains("digitsum") && !text.contains("run_pairs"), "{language:?}");
        }
        // One value needs several: they are remembered.
        let two = "g(0) = 0\ng(2n + 1) = 2n + 1\ng(2n) = g(n) + g(n) for n >= 1";
        assert!(written(two, Language::Python).unwrap().contains("lru_cache"));
        assert!(written(two, Language::Cpp).unwrap().contains("std::map<Int, Int> known"));
    }

    #[test]
    fn a_program_of_an_observed_law_warns_beyond_what_was_compared() {
        let law = Law::parse("g(n) = n mod 4", &[]).unwrap();
        for language in Language::ALL {
            let warns = write_within(&law, language, &[], false, Some(3999)).unwrap();
            assert!(warns.contains("only observed, to heap 3999"));
            assert!(!warns.contains("%to") && !warns.contains("%observed"), "{warns}");
            assert!(!write(&law, language, &[], false).unwrap().contains("observed"), "{language:?}");
        }
    }

    #[test]
    fn names_and_numbers_of_every_language() {
        let law = "g(4*while + heap) = heap for heap in 0..3";
        let text = written(law, Language::Python).unwrap();
        assert!(text.contains("while_ = ") && text.contains("return heap_"), "{text}");
        let text = written("g(n) = n mod 123456789012345678901234567890", Language::Cpp).unwrap();
        assert!(
            text.contains("(Int(123456789012LL) * 1000000000000000000LL + 345678901234567890LL)"),
            "{text}"
        );
    }

    #[test]
    fn a_law_that_is_no_program_is_refused() {
        for law in [
            "g(0) = 0\ng(n + 1) = g(n) + n % 2",
            "g(0..) = 0, 1\ng(n) = g(n - 1) + g(n - 2) for n >= 2",
            "g(a + b + c) = a for b = 0, c = 0",
            "zeros\nz(i) = (i, i)",
        ] {
            let error = written(law, Language::Rust).unwrap_err();
            assert!(["emit", "overflow", "law-pattern"].contains(&error.id()), "{law}: {error}");
        }
    }
}
