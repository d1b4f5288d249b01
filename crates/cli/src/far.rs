//! Heaps beyond a table: the law that answers for them, and whether it may.
//!
//! A lemma or a cited law answers at once. Otherwise the law is looked for in a small table: a proved one is used, one that is
//! only observed if the user says so, and else the refusal names it.

use std::collections::BTreeMap;
use std::time::Duration;

use grundy::law::Law;
use grundy::limits::Limits;
use grundy::proof::{self, Outcome};
use grundy::standing::{self, Request, Standing, Stated};
use grundy::values::Values;
use grundy_rule::heap::KindId;
use grundy_rule::{Heap, Int};

use crate::failure::Failure;
use crate::load::Loaded;

/// Tables reach this far in no time.
const NEAR: Int = 1_000_000;
/// Grids do not reach so far.
const NEAR_TUPLE: Int = 300;
/// No table goes so far that a person waits for it.
const FAR: Int = 1_000_000_000;
/// What the search for a law may take.
const TIME: Duration = Duration::from_secs(5);
const VALUES: u64 = 1 << 14;

/// Gives the values a law for the heaps that need one.
///
/// # Errors
/// `observed`: the law that would answer is not proved, and nobody said that it may be trusted.
pub(crate) fn prepare<'a>(
    loaded: &Loaded,
    values: &mut Values,
    heaps: impl Iterator<Item = &'a Heap>,
    trust_observed: bool,
    limits: &Limits,
) -> Result<(), Failure> {
    let mut greatest: BTreeMap<KindId, Int> = BTreeMap::new();
    for heap in heaps {
        let entry = heap.entries.iter().copied().max().unwrap_or(0);
        let known = greatest.entry(heap.kind).or_insert(entry);
        *known = entry.max(*known);
    }
    for (kind, greatest) in greatest {
        let arity = loaded.rule.kinds[usize::from(kind.0)].arity;
        let near = if arity == 1 { NEAR } else { NEAR_TUPLE };
        if greatest > near && !loaded.rule.misere && !values.reaches_far(kind) {
            of_kind(loaded, values, (kind, arity, greatest), trust_observed, limits)?;
        }
    }
    Ok(())
}

/// The law for heaps of one kind, of which the greatest entry is given.
fn of_kind(
    loaded: &Loaded,
    values: &mut Values,
    (kind, arity, greatest): (KindId, usize, Int),
    trust_observed: bool,
    limits: &Limits,
) -> Result<(), Failure> {
    let time = Some(limits.time.map_or(TIME, |time| time.min(TIME)));
    let limits = Limits { time, ..limits.clone() };
    if arity > 1 {
        let request = proof::Request { kind: Some(kind), ..proof::Request::default() };
        if let Ok(Outcome::Proved(proof)) = proof::prove_request(&loaded.rule, &request, &limits)
            && let Ok(law) = Law::parse(&proof.certificate.law, &loaded.rule.params)
        {
            let certificate = Some(Box::new(proof.certificate.clone()));
            let standing = Standing::Proved { by: "automata (R4)".to_string(), certificate };
            values.trust(&Stated { law, standing, checked_to: None, evidence: None }, kind);
        }
        return Ok(());
    }
    let name = loaded.rule.kinds[usize::from(kind.0)].name.clone();
    let request = Request { most: VALUES, kind: name, ..Request::new(limits) };
    // What cannot be found here (several kinds of heap, a limit) is answered by other means, or said by them.
    let Ok(finding) = standing::find(&loaded.rule, None, &request, &mut |_| {}) else { return Ok(()) };
    match finding.stated {
        Some(stated) if stated.standing.is_proved() || trust_observed => values.trust(&stated, kind),
        Some(Stated { standing: Standing::Observed { to }, .. }) if greatest > FAR => {
            let message = format!(
                "heap {greatest} is beyond a table, and the law of {} is only observed, to {to}",
                loaded.title()
            );
            return Err(Failure::new("observed", message).help(
                "--trust-observed takes it all the same; `grundy law` shows it, and why it is not proved",
            ));
        }
        _ => {}
    }
    Ok(())
}
