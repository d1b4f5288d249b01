//! Heaps beyond a table: the law that answers for them, and whether it may.
//!
//! A lemma or a cited law answers at once. Otherwise the law is looked for in a small table: a proved one is used, one that is
//! only observed if the user says so, and else the refusal names it.

use std::time::Duration;

use grundy::limits::Limits;
use grundy::standing::{self, Request, Standing, Stated};
use grundy::values::Values;
use grundy_rule::{Heap, Int};

use crate::failure::Failure;
use crate::load::Loaded;

/// Tables reach this far in no time.
const NEAR: Int = 1_000_000;
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
    let single = heaps.filter_map(|heap| match *heap.entries {
        [n] => Some(n),
        _ => None,
    });
    let Some(greatest) = single.max().filter(|n| *n > NEAR) else { return Ok(()) };
    if loaded.rule.misere || values.reaches_far() {
        return Ok(());
    }
    let time = Some(limits.time.map_or(TIME, |time| time.min(TIME)));
    let request = Request { most: VALUES, ..Request::new(Limits { time, ..limits.clone() }) };
    // What cannot be found here (several kinds of heap, a limit) is answered by other means, or said by them.
    let Ok(finding) = standing::find(&loaded.rule, None, &request, &mut |_| {}) else { return Ok(()) };
    match finding.stated {
        Some(stated) if stated.standing.is_proved() || trust_observed => values.trust(&stated),
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
