//! `grundy value`: the nimbers of single heaps of any size, and what they rest upon.

use grundy::values::Values;
use serde::Serialize;

use crate::args::Value;
use crate::failure::{self, Failure};
use crate::far;
use crate::load;
use crate::long::{self, Spinner};
use crate::output;
use crate::render;
use crate::report::QUIET;
use crate::wire::{self, WireHeap};

#[derive(Serialize)]
struct Answer {
    values: Vec<HeapValue>,
    sources: Vec<String>,
}

#[derive(Serialize)]
struct HeapValue {
    heap: WireHeap,
    nimber: u128,
}

/// `grundy value RULE HEAP...`
pub(crate) fn run(args: &Value) -> Result<(), Failure> {
    let loaded = load::load(&args.rule)?;
    loaded.need_values()?;
    let (_, entries) = loaded.position()?;
    let limits = long::limits(&args.limits)?;
    let said = |error| failure::from_library(&error, &loaded.source);
    let spinner = Spinner::start(format!("computing {}", loaded.title()));
    let mut values = Values::new(&loaded.rule, Some(&loaded.file), limits.clone()).map_err(said)?;
    far::prepare(
        &loaded,
        &mut values,
        entries.iter().map(|entry| &entry.heap),
        args.trust_observed,
        &limits,
    )?;
    let mut found = Vec::with_capacity(entries.len());
    for entry in &entries {
        found.push((&entry.heap, values.nimber(&entry.heap).map_err(said)?));
    }
    drop(spinner);
    let sources: Vec<String> = values.sources().iter().map(ToString::to_string).collect();
    if args.json.json {
        let values = found
            .iter()
            .map(|(heap, nimber)| HeapValue { heap: wire::heap(&loaded.rule, heap), nimber: *nimber });
        return output::json(&Answer { values: values.collect(), sources });
    }
    output::text(|out| {
        for (heap, nimber) in &found {
            writeln!(out, "{} {nimber}", loaded.rule.show_heap(heap.kind, &heap.entries))?;
        }
        Ok(())
    })?;
    render::say(format_args!("{QUIET}from {}{QUIET:#}", sources.join("; ")));
    Ok(())
}
