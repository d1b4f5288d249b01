//! What a clause of a law states, as formulas.

use super::cases::{Case, Stop, each_case};
use super::{Condition, Linear, Unknown};
use crate::expr::{Cond, Expr};
use crate::resolve;
use crate::rule::Param;

/// One case of a clause `g(pattern) = value for cond`, or `g(pattern, pattern) = value` for heaps with two entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// How many unknowns there are, all of them naturals: first the entries of the heap spoken about, one for each
    /// pattern, then the names of the clause.
    pub unknowns: usize,
    /// How many names there are.
    pub names: usize,
    /// What holds between them where the clause speaks.
    pub conditions: Vec<Condition>,
    /// The heaps whose nimbers are asked for, each with the unknown that is its nimber. Nothing says that they are
    /// heaps at all: a form may be negative.
    pub calls: Vec<(Linear, Unknown)>,
    /// What the clause says the nimber is.
    pub value: Linear,
}

/// The cases of a clause: it speaks about a heap with certain names exactly if some statement's conditions hold for some
/// further unknowns, and then it says what that statement says.
///
/// ```
/// use grundy_rule::formula::statements;
/// use grundy_rule::law_text::{Clause, parse};
/// let law = parse("g(2n + 1) = 6n + 3 - g(n)", &[]).unwrap();
/// let Clause::Equation { names, pattern, value, cond, .. } = &law.clauses[0] else { unreachable!() };
/// let all = statements(names.len(), std::slice::from_ref(pattern), value, cond, &[]).unwrap();
/// assert_eq!((all.len(), all[0].names, all[0].calls.len()), (1, 1, 1));
/// ```
///
/// # Errors
/// In words, what lies outside the class.
pub fn statements(
    names: usize,
    patterns: &[Expr],
    value: &Expr,
    cond: &Cond,
    params: &[Param],
) -> Result<Vec<Statement>, String> {
    let arity = patterns.len();
    let slots: Vec<Option<Linear>> = (0..names).map(|name| Some(Linear::unknown(arity + name))).collect();
    let branches = resolve::branches(cond).ok_or_else(|| "its condition has too many cases".to_owned())?;
    let mut all = Vec::new();
    for branch in &branches {
        let run = |case: &mut Case<'_>| -> Result<Linear, Stop> {
            case.strict = true;
            for (entry, pattern) in patterns.iter().enumerate() {
                let heap = case.value(pattern)?;
                case.zero(heap.minus(&Linear::unknown(entry)))?;
            }
            for atom in branch {
                case.atom(&atom.kind)?;
            }
            case.calls = Some(Vec::new());
            case.value(value)
        };
        each_case(params, &slots, arity + names, run, |case, value| {
            all.push(Statement {
                unknowns: case.unknowns,
                names,
                conditions: case.conditions,
                calls: case.calls.unwrap_or_default(),
                value,
            });
            Ok(())
        })?;
    }
    Ok(all)
}
