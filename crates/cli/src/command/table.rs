//! `grundy table`: the Grundy values of heaps 0..N, or of a grid of tuples.
//!
//! Most formats are written when the table is whole. Two are not: an `.npy` file grows while the table is made, so that
//! long runs can be stopped ([`grundy::long_run`]), and a digest needs no table at all.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use grundy::error::Error;
use grundy::export::{Digest, Format, Text, View};
use grundy::long_run::{LongRun, RunOptions, Summary};
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
    let format = format(args);
    check(args, format)?;
    let loaded = load::load(&args.rule)?;
    loaded.no_position("table")?;
    loaded.need_values()?;
    let (spinner, done) = match args.heaps.0.as_slice() {
        [n] => {
            let what = format!("tabulating {}", loaded.title());
            let (spinner, done) = Spinner::counting(what, "heaps", n.saturating_add(1));
            (spinner, Some(done))
        }
        _ => (Spinner::start(format!("tabulating {}", loaded.title())), None),
    };
    let options = Options {
        kind: args.kind.clone(),
        engine: args.engine,
        candidates: args.candidates,
        threads: args.threads.and_then(|count| usize::try_from(count).ok()),
        limits: long::limits(&args.limits)?,
        progress: done,
    };
    if args.candidates {
        render::note("values taken unchecked: where the sparse method is used they are observed, not proved");
    }
    match (args.heaps.0.as_slice(), format, &args.output) {
        ([n], Format::Npy, Some(path)) if is_long_run(args, format) => {
            return to_disk(args, &loaded, *n, &options, path, spinner);
        }
        ([n], Format::Digest, _) => return digest(args, &loaded, *n, &options, spinner),
        _ => {}
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
    write(args, |out| {
        exporter.write(&table, out).map_err(|error| match error.io() {
            Some(io) => unwritten(args, io),
            None => failure::from_library(&error, &loaded.source),
        })
    })?;
    match stopped {
        None => Ok(()),
        Some(failure) => Err(ended_early(&table.heap(table.len() - 1), failure)),
    }
}

/// The format asked for, else the one that the name of the file speaks of.
fn format(args: &Table) -> Format {
    let ending = args.output.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
    match (args.json, args.format, ending) {
        (true, ..) => Format::Json,
        (_, Some(format), _) => format,
        (.., Some("npy")) => Format::Npy,
        (.., Some("csv")) => Format::Csv,
        (.., Some("json")) => Format::Json,
        _ => Format::Text,
    }
}

/// Refuses options that do not go together.
fn check(args: &Table, format: Format) -> Result<(), Failure> {
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
    if (args.resume || args.block.is_some()) && !is_long_run(args, format) {
        let option = if args.resume { "--resume" } else { "--block" };
        return Err(Failure::new(
            "usage",
            format!("{option} is for tables of heaps 0..N that are written to an .npy file"),
        ));
    }
    Ok(())
}

/// Whether the values go to disk while they are made.
fn is_long_run(args: &Table, format: Format) -> bool {
    let plain = args.output.as_deref().is_some_and(|path| !is_special(path));
    format == Format::Npy && plain && args.heaps.0.len() == 1
}

/// Says that the table is not whole; the reason stays the failure.
fn ended_early(last: &str, failure: Failure) -> Failure {
    render::note(&format!("the table ends early, at heap {last}: what is written is right, but not all"));
    failure
}

/// Writes the table to its file while it is made.
fn to_disk(
    args: &Table,
    loaded: &Loaded,
    n: u64,
    options: &Options,
    path: &Path,
    spinner: Spinner,
) -> Result<(), Failure> {
    let said = |error| failure::from_library(&error, &loaded.source);
    let how = RunOptions { resume: args.resume, repair: args.repair, block: args.block };
    let run = LongRun::new(&loaded.rule, n, options, path, how).map_err(said)?;
    let done = run.run();
    drop(spinner);
    match done {
        Ok(Summary { dropped: 0, .. }) => Ok(()),
        Ok(Summary { kept, dropped, .. }) => {
            render::note(&format!("{dropped} heaps from {kept} on were thrown away and computed again"));
            Ok(())
        }
        Err(error) => {
            if error.is_limit() && error.known().is_some() {
                render::note(
                    "what was computed is on disk: the same command with --resume goes on from there",
                );
            }
            Err(said(error))
        }
    }
}

/// Prints the digest. Values are forgotten as soon as neither it nor the engine needs them.
fn digest(args: &Table, loaded: &Loaded, n: u64, options: &Options, spinner: Spinner) -> Result<(), Failure> {
    struct Adds(Digest);
    impl Reader for Adds {
        fn block(&mut self, _first: u64, values: Values<'_>) -> Result<(), Error> {
            self.0.update(values);
            Ok(())
        }
    }
    let mut sum = Adds(Digest::default());
    let said = |error| failure::from_library(&error, &loaded.source);
    let stopped = match table::stream(&loaded.rule, n, options, &mut sum) {
        Ok(()) => None,
        Err(error) if error.is_limit() && sum.0.count() > 0 => Some(said(error)),
        Err(error) => return Err(said(error)),
    };
    drop(spinner);
    write(args, |out| writeln!(out, "{}", sum.0).map_err(|error| unwritten(args, &error)))?;
    match stopped {
        None => Ok(()),
        Some(failure) => Err(ended_early(&(sum.0.count() - 1).to_string(), failure)),
    }
}

/// Writes to the file that is asked for, or to standard output.
fn write(args: &Table, write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>) -> Result<(), Failure> {
    match &args.output {
        None => output::data(write),
        Some(path) => to_file(path, write),
    }
}

/// The failure of writing there.
fn unwritten(args: &Table, error: &std::io::Error) -> Failure {
    match &args.output {
        Some(path) => Failure::file("write", &path.display().to_string(), error),
        None => Failure::from(std::io::Error::from(error.kind())),
    }
}

/// Whether it is there and no plain file: a pipe, a device.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|known| !known.is_file())
}

/// Writes a file whole or not at all: beside it first, then renamed. What is no plain file (a pipe, a device) is
/// written to directly.
pub(super) fn to_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: &std::io::Error| Failure::file("write", &path.display().to_string(), error);
    let special = is_special(path);
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
