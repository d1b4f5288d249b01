//! A rule to its law: tables of growing length.
//!
//! The first table has 2000 values, or enough to reach well beyond the numbers of the rule (`reach`). While there is no law
//! the table is doubled. A law that is found is put to the test of a table of twice the length, and one that fails is
//! named among what was tried. A law of a rule that takes from a sparse set is tested beyond the next member, too
//! (`horizon`), or it is said that it was not. Where a theorem says when a period is for ever (`theorem`), it says so to the search,
//! too, and no further test is needed: that saves the longest table, for which engines take most of the time.

use grundy_rule::Rule;

use super::horizon::{Next, Takes};
use super::theorem::Theorem;
use super::{Discovery, Tried, agrees, period, reach, within};
use crate::error::Error;
use crate::limits::{Clock, Limits};
use crate::table::{self, Options};

/// Longest table that is made only to see what the next number that may be taken does.
const FURTHER: u64 = 1 << 18;

/// How a search goes about.
#[derive(Clone, Debug)]
pub struct Search {
    /// How the tables are made; its limits are those of the whole search.
    pub table: Options,
    /// Values of the first table.
    pub first: u64,
    /// Values of the greatest table.
    pub most: u64,
}

impl Search {
    /// 2000 values to begin with, a million at most.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Search { table: Options { limits, ..Options::default() }, first: 2000, most: 1 << 20 }
    }
}

/// Tabulates a rule and looks for its law, with more and more values; `progress` is told how many are taken next.
///
/// A limit that is reached ends the search: what was found so far is given, with [`Discovery::stopped`].
///
/// # Errors
/// Those of [`table::tabulate`], except limits once there is a first table.
///
/// ```
/// use grundy::law::discover::{Search, search};
/// use grundy::limits::Limits;
/// let (rule, _) = grundy_rule::Rule::parse("n -> n - t where t in {1, 3, 4}", &[]).unwrap();
/// let discovery = search(&rule, &Search::new(Limits::default()), &mut |_| {}).unwrap();
/// assert_eq!(discovery.found.unwrap().law.period().unwrap().period, 7);
/// ```
pub fn search(rule: &Rule, how: &Search, progress: &mut dyn FnMut(u64)) -> Result<Discovery, Error> {
    let limits = &how.table.limits;
    let clock = limits.clock();
    // What is left of the time, for the next table.
    let options = || {
        let time = limits.time.map(|time| time.saturating_sub(clock.elapsed()));
        Options { limits: Limits { time, ..limits.clone() }, ..how.table.clone() }
    };
    // Below the numbers that the rule names it may look simpler than it is.
    let number = reach::greatest_number(rule);
    let least = u64::try_from(number).ok().and_then(|n| n.checked_mul(4));
    let theorem = Theorem::of(rule, &how.table)?;
    // A theorem needs no more than it says.
    let short =
        u64::try_from(number).ok().filter(|n| *n < how.most && least.is_none_or(|least| least > how.most));
    if let (Some(_), Some(theorem)) = (short, &theorem) {
        let values: Vec<u32> = table::tabulate(rule, how.most - 1, &options())?.iter().collect();
        if let Some(found) = period::by_theorem(&values, theorem) {
            let (found, values) = (Some(found?), how.most);
            return Ok(Discovery {
                found,
                tried: Vec::new(),
                zeros: None,
                values,
                stopped: None,
                untested: None,
            });
        }
    }
    let Some(least) = least.filter(|least| *least <= how.most) else {
        let stopped = format!(
            "the rule speaks of {number}, and a table of at most {} values shows too little beyond that",
            how.most
        );
        let (found, zeros, tried) = (None, None, Vec::new());
        return Ok(Discovery { found, tried, zeros, values: 0, stopped: Some(stopped), untested: None });
    };
    let mut count = how.first.max(least).max(1);
    progress(count);
    let mut values: Vec<u32> = table::tabulate(rule, count - 1, &options())?.iter().collect();
    let takes = Takes::of(rule, &how.table)?;
    let (mut longer, mut untested) = (0, None);
    let mut refuted: Option<Tried> = None;
    let mut before: Option<Discovery> = None;
    loop {
        if let Some(found) = theorem.as_ref().and_then(|theorem| period::by_theorem(&values, theorem)) {
            return Ok(Discovery {
                found: Some(found?),
                tried: Vec::new(),
                zeros: None,
                values: count,
                stopped: None,
                untested: None,
            });
        }
        let mut discovery = match within(&values, &clock) {
            Ok(discovery) => discovery,
            Err(error) if is_limit(&error) => {
                let nothing = Discovery {
                    found: None,
                    tried: Vec::new(),
                    zeros: None,
                    values: 0,
                    stopped: None,
                    untested: None,
                };
                let mut discovery = before.unwrap_or(nothing);
                discovery.stopped = Some(error.to_string());
                return Ok(discovery);
            }
            Err(error) => return Err(error),
        };
        discovery.tried.extend(refuted.take());
        discovery.untested = untested.take().filter(|_| discovery.found.is_some());
        if count >= how.most {
            if discovery.found.is_some() {
                discovery.untested = beyond(takes.as_ref(), count - 1, &clock).map(said);
            }
            return Ok(discovery);
        }
        let more = count.saturating_mul(2).max(std::mem::take(&mut longer)).min(how.most);
        progress(more);
        let table = match table::tabulate(rule, more - 1, &options()) {
            Ok(table) => table,
            Err(error) if is_limit(&error) => {
                discovery.stopped = Some(error.to_string());
                return Ok(discovery);
            }
            Err(error) => return Err(error),
        };
        count = more;
        values = table.iter().collect();
        if let Some(found) = &mut discovery.found {
            match agrees(&found.law, &values, &clock) {
                Ok(None) => {
                    found.checked_to = count - 1;
                    discovery.values = count;
                    // Once more with a table that reaches well beyond the next change, if that is near.
                    let next = beyond(takes.as_ref(), count - 1, &clock);
                    untested = next.map(said);
                    discovery.untested.clone_from(&untested);
                    let further = next.map(|next| next.number().saturating_mul(2).saturating_add(1));
                    match further.filter(|further| *further <= how.most.min(FURTHER)) {
                        Some(further) => longer = further,
                        None => return Ok(discovery),
                    }
                }
                Ok(Some(heap)) => {
                    let why = format!("one that {} values show is refuted by heap {heap}", discovery.values);
                    refuted = Some(Tried { kind: found.law.kind(), why });
                    discovery.found = None;
                    discovery.untested = None;
                    discovery.tried.extend(refuted.clone());
                }
                Err(error) => {
                    discovery.stopped = Some(error.to_string());
                    return Ok(discovery);
                }
            }
        }
        before = Some(discovery);
    }
}

/// The next change beyond heap `last`; nothing where the time for that look is over.
fn beyond(takes: Option<&Takes>, last: u64, clock: &Clock) -> Option<Next> {
    takes.and_then(|takes| takes.next(last, clock).ok().flatten())
}

fn said(next: Next) -> String {
    format!("{next}: the law was not tested beyond it")
}

fn is_limit(error: &Error) -> bool {
    matches!(error.id(), "time" | "memory" | "cancelled")
}
