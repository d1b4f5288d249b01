//! `grundy table`: the Grundy values of heaps 0..N, or of a grid of tuples.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use grundy::error::Error;
use grundy::export::{Digest, Format, Text, View};
use grundy::table::{self, Options, Reader, SoFar, Values};

use crate::args::Table;
use crate::failure::{self, Failure};
use crate::load::{self, Loaded};
use crate::long::{self, Spinner};
use crate::{output, render};

/// Columns of a text table if none are asked for.
const COLUMNS: usize = 10;

/// `grundy table RULE -n N`
pub(crate) fn run(args: &Table) -> Result<(), Failure> {
    let format = if args.json { Format::Json } else { args.format };
    if format.is_binary() && args.output.is_none() && std::io::stdout().is_terminal() {
        return Err(Failure::new(
            "format",
            format!("{} is binary and standard output is a terminal", format.name()),
        )
        .help("write it to a file with -o FILE"));
    }
    if format != Format::Text && (args.view.is_some() || args.width.is_some()) {
        let option = if args.view.is_some() { "--view" } else { "--width" };
        return Err(Failure::new(
            "usage",
            format!("{option} is for the text format, not for {}", format.name()),
        ));
    }
    let loaded = load::load(&args.rule)?;
    loaded.no_position("table")?;
    loaded.need_values()?;
    let options = Options {
        kind: args.kind.clone(),
        engine: args.engine,
        limits: long::limits(&args.limits)?,
        ..Options::default()
    };
    let spinner = Spinner::start(format!("tabulating {}", loaded.title()));
    if let (Format::Digest, [n]) = (format, args.heaps.0.as_slice()) {
        return digest(args, &loaded, *n, &options, spinner);
    }
    let said = |error| failure::from_library(&error, &loaded.source);
    let SoFar { table, stopped } = table::so_far(&loaded.rule, &args.heaps.0, &options).map_err(said)?;
    drop(spinner);
    let stopped = match stopped {
        // Nothing at all was computed: there is nothing to keep.
        Some(error) if table.is_empty() => return Err(said(error)),
        stopped => stopped.map(said),
    };
    let text = Text { view: args.view.unwrap_or(View::Rows), columns: args.width.unwrap_or(COLUMNS) };
    let exporter = format.exporter(text);
    let write = |out: &mut dyn Write| {
        exporter.write(&table, out).map_err(|error| failure::from_library(&error, &loaded.source))
    };
    put(args, write)?;
    finish(stopped, &table.heap(table.len() - 1))
}

/// Values hashed as they come: a long table need not be kept.
struct Hashed(Digest);

impl Reader for Hashed {
    fn block(&mut self, _first: u64, values: Values<'_>) -> Result<(), Error> {
        self.0.update(values);
        Ok(())
    }
}

fn digest(args: &Table, loaded: &Loaded, n: u64, options: &Options, spinner: Spinner) -> Result<(), Failure> {
    let mut hashed = Hashed(Digest::default());
    let done = table::stream(&loaded.rule, n, options, &mut hashed);
    drop(spinner);
    let stopped = match done {
        Ok(()) => None,
        Err(error) if error.is_limit() && hashed.0.count() > 0 => Some(error),
        Err(error) => return Err(failure::from_library(&error, &loaded.source)),
    };
    put(args, |out| Ok(writeln!(out, "{}", hashed.0)?))?;
    let stopped = stopped.map(|error| failure::from_library(&error, &loaded.source));
    finish(stopped, &(hashed.0.count().saturating_sub(1)).to_string())
}

/// Says that the table was cut short, if it was.
fn finish(stopped: Option<Failure>, last: &str) -> Result<(), Failure> {
    match stopped {
        None => Ok(()),
        Some(failure) => {
            render::note(&format!(
                "the table ends early, at heap {last}: what is written is right, but not all"
            ));
            Err(failure)
        }
    }
}

/// Writes to standard output or to the file that was asked for.
fn put(args: &Table, write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>) -> Result<(), Failure> {
    match &args.output {
        None => output::data(write),
        Some(path) => to_file(path, write),
    }
}

/// Writes a file whole or not at all: beside it first, then renamed. What is no plain file (a pipe, a device) is
/// written to directly.
fn to_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>) -> Result<(), Failure> {
    let failed = |error: &std::io::Error| Failure::file("write", &path.display().to_string(), error);
    let special = std::fs::metadata(path).is_ok_and(|known| !known.is_file());
    let place = if special { path.to_path_buf() } else { beside(path) };
    let file = File::create(&place).map_err(|error| failed(&error))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let written = write(&mut out).and_then(|()| out.flush().map_err(|error| failed(&error)));
    if special {
        return written;
    }
    match written.and_then(|()| std::fs::rename(&place, path).map_err(|error| failed(&error))) {
        Ok(()) => Ok(()),
        Err(failure) => {
            // What is half written is of no use; if even this fails, the first error is the one to report.
            let _ = std::fs::remove_file(&place);
            Err(failure)
        }
    }
}

/// `values.csv` -> `values.csv.partial`
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".partial");
    PathBuf::from(name)
}
