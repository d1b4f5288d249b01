//! Long runs: a table that goes to disk block by block and can be stopped at any moment.
//!
//! Tables of 10^9 values take minutes or weeks. [`LongRun`] writes `FILE.npy` so that at most the block in hand is
//! lost, whatever ends the program:
//!
//! * `FILE.npy.u1.part` grows: a `.npy` header with the final shape, then the values. When a value needs more bytes
//!   the file is written again as `FILE.npy.u2.part` (`u4`).
//! * `FILE.npy.json`, the manifest, says what the values are, how wide, and which blocks are safe, with a checksum
//!   each and a digest of all.
//! * At the end the data file is renamed to `FILE.npy`, and is what numpy maps. The manifest stays: it lets a later
//!   run check the file, or make it longer.
//!
//! **Order of writing.** The manifest is the truth, so it may never be ahead of the data. A block is closed in five
//! steps: the bytes are appended; `fdatasync` of the data file; the new manifest is written beside the old one
//! and synced; it is renamed over the old one, which is one indivisible step; the folder is synced. If power
//! fails before the rename, the old manifest stands, and bytes behind its last block are cut off by the next run. If
//! it fails after it, the block is there. A wider file is written whole and synced under its own name before
//! the manifest that names its width is renamed; the narrow one is removed after that. The last rename (data file to
//! its final name) needs nothing but itself: the manifest says that all is done either way.
//!
//! **Going on.** Rule, kind and parameters must be those of the manifest; every block must have its checksum, and
//! all of them the digest. Then the engine is brought to where it was. Engines that pay much for a
//! value and keep little else (take-and-break games, the reference) are told the values on disk. All others compute
//! them once more, and the result must equal the file: most do so as fast as a disk reads, and where they do not,
//! it is making the state and not the values that takes the time. Engines whose
//! method reads earlier values have them in memory as in any run.
//!
//! **When blocks end.** After [`RunOptions::block`] heaps, or after ten seconds, so that slow games are safe, too; when
//! the run ends, for whatever reason it can know of; and before a wider file is made.
//!
//! Considered and dropped: checksums inside the data file (numpy could not map it); a data file a block (thousands of
//! files); one preallocated file (a hole reads as zeros, and zero is a value).

mod crc64;
mod data;
mod manifest;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grundy_rule::Rule;

use self::crc64::Crc64;
use self::data::{Data, HEADER, Kept, failed};
use self::manifest::{Block, Manifest, Subject};
use crate::error::Error;
use crate::export::Digest;
use crate::table::{self, Options, Reader, Values, Width};

/// Heaps in a block if nothing else is said: some milliseconds of work for the fastest engines.
const BLOCK: u64 = 1 << 24;
/// A run is cut into about as many blocks at most, so that the manifest stays small.
const MOST_BLOCKS: u64 = 4096;
/// A block ends after this long.
const BLOCK_TIME: Duration = Duration::from_secs(10);

/// How to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Go on with a run that was stopped, or make a finished one longer.
    pub resume: bool,
    /// Throw a damaged block away, with all that follow, and compute them again; needs `resume`.
    pub repair: bool,
    /// Heaps in a block; `None`: 2^24, or more for very long runs.
    pub block: Option<u64>,
}

/// What a run did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Heaps that were on disk before.
    pub kept: u64,
    /// Heaps thrown away because of a damaged block.
    pub dropped: u64,
    /// Of all values.
    pub digest: Digest,
}

/// A table of heaps `0..=n` on its way to a file.
///
/// ```
/// use grundy::long_run::{LongRun, RunOptions};
/// use grundy::table::Options;
/// use grundy_rule::Rule;
/// let (rule, _) = Rule::parse("n -> n - t where t in {1, 2}", &[]).unwrap();
/// let folder = std::env::temp_dir().join(format!("grundy-doc-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let file = folder.join("values.npy");
/// let run = LongRun::new(&rule, 100, &Options::default(), &file, RunOptions::default()).unwrap();
/// let summary = run.run().unwrap();
/// assert_eq!(summary.digest.count(), 101);
/// assert_eq!(std::fs::metadata(&file)?.len(), 128 + 101);
/// std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct LongRun {
    engine: table::Run,
    writer: Writer,
}

/// The files, and the block in hand.
struct Writer {
    files: Files,
    data: Data,
    manifest: Manifest,
    /// Of the blocks that are closed and the one in hand.
    digest: Digest,
    dropped: u64,
    kept: u64,
    /// Heaps in the block in hand.
    heaps: u64,
    crc: Crc64,
    since: Instant,
    bytes: Vec<u8>,
    /// Writing failed: the block in hand is lost, and there is no more to try.
    broken: bool,
}

/// The names.
struct Files {
    file: PathBuf,
}

impl Files {
    fn with(&self, ending: &str) -> PathBuf {
        let mut name = self.file.as_os_str().to_os_string();
        name.push(ending);
        PathBuf::from(name)
    }

    fn manifest(&self) -> PathBuf {
        self.with(".json")
    }

    fn part(&self, width: Width) -> PathBuf {
        self.with(&format!(".{}.part", manifest::name(width)))
    }

    /// The data files of a run that is not finished.
    fn parts(&self) -> impl Iterator<Item = (Width, PathBuf)> + '_ {
        [Width::U8, Width::U16, Width::U32].into_iter().map(|width| (width, self.part(width)))
    }

    /// Removes data files but the one of that width: those that a crash left behind.
    fn remove_parts_but(&self, kept: Option<Width>) -> Result<(), Error> {
        for (_, path) in self.parts().filter(|(width, path)| Some(*width) != kept && path.exists()) {
            fs::remove_file(&path).map_err(|error| failed("remove", &path, &error))?;
        }
        Ok(())
    }

    /// Puts a text in the place of the manifest, at once and for good.
    fn write_manifest(&self, text: &str) -> Result<(), Error> {
        let (path, new) = (self.manifest(), self.with(".json.new"));
        let write = || -> io::Result<()> {
            let mut file = File::create(&new)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            drop(file);
            fs::rename(&new, &path)
        };
        write().map_err(|error| {
            // Half a manifest is of no use; if it cannot be removed either, the next one takes its place.
            let _ = fs::remove_file(&new);
            failed("write", &path, &error)
        })?;
        self.sync_folder();
        Ok(())
    }

    /// Makes renames last. Some systems cannot sync a folder; there they last when the system sees fit.
    fn sync_folder(&self) {
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
    }
}

impl LongRun {
    /// Prepares the files: new ones, or those of an earlier run after checking them.
    ///
    /// # Errors
    /// `file`, `busy` (another run writes it), `unfinished` (an earlier run's work is there, and `resume` is not
    /// asked for), `manifest`, `other-rule`, `damaged` (naming block and heaps), `n` (fewer heaps than are
    /// done), and as for [`table::tabulate`].
    pub fn new(rule: &Rule, n: u64, options: &Options, file: &Path, run: RunOptions) -> Result<Self, Error> {
        table::normal_play(rule)?;
        let kind = table::choose_kind(rule, 1, options.kind.as_deref())?;
        let heaps = n.checked_add(1).ok_or_else(|| data::too_many(n))?;
        let block = run.block.unwrap_or_else(|| BLOCK.max((heaps / MOST_BLOCKS).next_power_of_two())).max(1);
        let subject = Subject::of(rule, kind);
        // First of all: what it refuses leaves no files behind.
        let engine = table::Run::new(rule, kind, n, options)?;
        let files = Files { file: file.to_path_buf() };
        let mut writer = if run.resume {
            Writer::resume(files, &subject, n, block, options, run.repair)?
        } else {
            Writer::begin(files, subject, n, block)?
        };
        // Once observed, always observed: later values lean on earlier ones.
        writer.manifest.observed |= options.candidates;
        Ok(LongRun { engine, writer })
    }

    /// How many heaps are safe on disk.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.writer.manifest.done
    }

    /// Computes what is missing and gives the file its name.
    ///
    /// # Errors
    /// As for [`table::tabulate`]; `file` if writing fails. What was written before stays, and can be resumed.
    pub fn run(self) -> Result<Summary, Error> {
        let LongRun { engine, mut writer } = self;
        let mut past: Kept = writer.data.reader(writer.kept)?;
        writer.since = Instant::now();
        let ran = match writer.kept > writer.manifest.n {
            true => Ok(()),
            false => engine.stream(Some(&mut past), &mut writer),
        };
        // What is in hand is right even if something else has gone wrong, unless that was the disk.
        let closed = if writer.broken { Ok(()) } else { writer.close() };
        if let Err(error) = ran.and(closed) {
            return Err(match writer.manifest.done {
                0 => {
                    writer.abandon();
                    error
                }
                safe => error.only_so_far(format!("the values of heaps 0 to {}", safe - 1)),
            });
        }
        writer.finish()
    }
}

impl Writer {
    fn begin(files: Files, subject: Subject, n: u64, block: u64) -> Result<Self, Error> {
        if let Some((_, part)) = files.parts().find(|(_, path)| path.exists()) {
            return Err(Error::new(
                "unfinished",
                format!("{} holds the values of a run that was stopped", part.display()),
            )
            .help("--resume goes on with it; to begin anew, remove that file"));
        }
        let data = Data::create(files.part(Width::U8), Width::U8, n + 1)?;
        let digest = Digest::default();
        let manifest = Manifest::new(subject, n, block, HEADER, digest.to_string());
        let begun = Writer::at(files, data, manifest, digest);
        let safe = begun.data.sync().and_then(|()| begun.files.write_manifest(&begun.manifest.to_text()));
        match safe {
            Ok(()) => Ok(begun),
            Err(error) => {
                // There is nothing in it yet. The manifest may be that of an older file: it stays.
                let _ = fs::remove_file(&begun.data.path);
                Err(error)
            }
        }
    }

    /// Removes the files of a run that has no values yet, as well as it can be done.
    fn abandon(&self) {
        let _ = fs::remove_file(&self.data.path);
        let _ = fs::remove_file(self.files.manifest());
    }

    /// Gives the file its name.
    fn finish(mut self) -> Result<Summary, Error> {
        self.data.rename(self.files.file.clone())?;
        self.files.sync_folder();
        Ok(Summary { kept: self.kept, dropped: self.dropped, digest: self.digest })
    }

    fn at(files: Files, data: Data, manifest: Manifest, digest: Digest) -> Self {
        Writer {
            kept: manifest.done,
            files,
            data,
            manifest,
            digest,
            dropped: 0,
            heaps: 0,
            crc: Crc64::new(),
            since: Instant::now(),
            bytes: Vec::new(),
            broken: false,
        }
    }

    fn resume(
        files: Files,
        subject: &Subject,
        n: u64,
        block: u64,
        options: &Options,
        repair: bool,
    ) -> Result<Self, Error> {
        let path = files.manifest();
        let shown = path.display();
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::new("manifest", format!("there is no {shown} to go on from"))
                .help("leave --resume out to begin"),
            _ => failed("read", &path, &error),
        })?;
        let mut manifest = Manifest::parse(&text, HEADER).map_err(|error| {
            let said = Error::new("manifest", format!("{shown} {}", error.message()));
            said.help(error.advice().unwrap_or("remove it and the data file, and begin anew").to_string())
        })?;
        if let Some(what) = manifest.subject.difference(subject) {
            return Err(Error::new("other-rule", format!("{shown} cannot be continued: {what}"))
                .help("write to another file, or give that rule"));
        }
        if manifest.done > n + 1 {
            let last = manifest.done - 1;
            return Err(Error::new(
                "n",
                format!("{} has the values of heaps 0 to {last} already", files.file.display()),
            )
            .help(format!("nothing is thrown away: ask for -n {last} or more, or write to another file")));
        }
        let data = open(&files, &manifest)?;
        files.remove_parts_but(Some(data.width))?;
        let clock = options.limits.clock();
        let mut digest = Digest::default();
        let damaged = check(&data, &manifest, &mut digest, &mut || clock.check())?;
        let before = manifest.done;
        if let Some(damaged) = damaged {
            if !repair {
                return Err(damaged.error(&data.path, before));
            }
            manifest.blocks.truncate(damaged.block);
            manifest.done = damaged.first;
            manifest.digest = digest.to_string();
        } else if digest.to_string() != manifest.digest {
            return Err(Error::new(
                "manifest",
                format!("{shown} does not fit the values: their digest is {digest}"),
            )
            .help("remove it and the data file, and begin anew"));
        }
        manifest.n = n;
        manifest.block = block;
        let mut run = Writer::at(files, data, manifest, digest);
        run.dropped = before - run.kept;
        if run.data.path == run.files.file {
            // A finished file is taken back until it is finished again.
            run.data.rename(run.files.part(run.data.width))?;
            run.files.sync_folder();
        }
        run.data.write_header(n + 1)?;
        run.data.cut(run.kept)?;
        run.data.sync()?;
        run.files.write_manifest(&run.manifest.to_text())?;
        Ok(run)
    }

    /// Appends values that all lie in the block in hand.
    fn append(&mut self, values: Values<'_>) -> Result<(), Error> {
        if values.width() > self.data.width {
            let width = Width::of(values.iter().max().unwrap_or(0));
            if width > self.data.width {
                self.close()?;
                self.widen(width)?;
            }
        }
        self.bytes.clear();
        data::encode(values, self.data.width, &mut self.bytes);
        self.data.append(&self.bytes)?;
        self.crc.update(&self.bytes);
        self.digest.update(values);
        self.heaps += values.len() as u64;
        Ok(())
    }

    /// Makes the block in hand safe.
    fn close(&mut self) -> Result<(), Error> {
        if self.heaps == 0 {
            return Ok(());
        }
        self.data.sync()?;
        let before = (self.manifest.blocks.len(), self.manifest.done, self.manifest.digest.clone());
        self.manifest.push(self.heaps, self.crc, self.digest.to_string());
        if let Err(error) = self.files.write_manifest(&self.manifest.to_text()) {
            // What the disk does not know is not safe.
            self.manifest.blocks.truncate(before.0);
            (self.manifest.done, self.manifest.digest) = (before.1, before.2);
            return Err(error);
        }
        self.heaps = 0;
        self.crc = Crc64::new();
        self.since = Instant::now();
        Ok(())
    }

    /// Writes the closed blocks again with wider values.
    fn widen(&mut self, width: Width) -> Result<(), Error> {
        let mut wide = Data::create(self.files.part(width), width, self.manifest.n + 1)?;
        let made = self.copy_to(&mut wide);
        let manifest = made.inspect_err(|_| {
            // Half a copy is of no use, and on a full disk it is in the way.
            let _ = fs::remove_file(&wide.path);
        })?;
        self.files.write_manifest(&manifest.to_text())?;
        self.manifest = manifest;
        let narrow = std::mem::replace(&mut self.data, wide);
        fs::remove_file(&narrow.path).map_err(|error| failed("remove", &narrow.path, &error))
    }

    /// Copies the closed blocks to a wider file; the manifest for it.
    fn copy_to(&self, wide: &mut Data) -> Result<Manifest, Error> {
        let mut manifest = self.manifest.clone();
        manifest.set_width(wide.width);
        manifest.blocks.clear();
        manifest.done = 0;
        let mut kept = self.data.reader(self.manifest.done)?;
        let mut bytes = Vec::new();
        for (number, block) in self.manifest.blocks.iter().enumerate() {
            let first = manifest.done;
            let mut crc = Crc64::new();
            let whole = kept.is_whole(first, block, |values| {
                bytes.clear();
                data::encode(values, wide.width, &mut bytes);
                crc.update(&bytes);
                wide.append(&bytes)
            })?;
            if !whole {
                return Err(Damaged { block: number, first, heaps: block.0, short: false }
                    .error(&self.data.path, self.manifest.done));
            }
            manifest.push(block.0, crc, self.manifest.digest.clone());
        }
        wide.sync()?;
        Ok(manifest)
    }

    fn take(&mut self, values: Values<'_>) -> Result<(), Error> {
        let mut at = 0;
        while at < values.len() {
            let room = usize::try_from(self.manifest.block - self.heaps).unwrap_or(usize::MAX);
            let end = values.len().min(at.saturating_add(room));
            self.append(values.slice(at..end))?;
            at = end;
            if self.heaps == self.manifest.block {
                self.close()?;
            }
        }
        if self.since.elapsed() >= BLOCK_TIME {
            self.close()?;
        }
        Ok(())
    }
}

impl Reader for Writer {
    fn block(&mut self, _first: u64, values: Values<'_>) -> Result<(), Error> {
        self.take(values).map_err(|error| {
            self.broken = true;
            match error.advice() {
                Some(_) => error,
                None => {
                    error.help("what is safe stays: when there is room again, --resume goes on from there")
                }
            }
        })
    }
}

/// Opens the data file that a manifest speaks of.
///
/// There may be two: the old finished file stays until a new run takes its place. If that run stopped before its first
/// manifest, what it left is too short, and the old file is meant.
fn open(files: &Files, manifest: &Manifest) -> Result<Data, Error> {
    let width = manifest.width();
    let part = files.part(width);
    let finished = manifest.done == manifest.n + 1 && files.file.exists();
    if part.exists() {
        let data = Data::open(part, width)?;
        if !finished || data.heaps()? >= manifest.done {
            return Ok(data);
        }
    } else if !finished {
        return Err(Error::new(
            "damaged",
            format!("{} is not there, and {} speaks of it", part.display(), files.manifest().display()),
        )
        .help("put it back, or remove the other one and begin anew"));
    }
    Data::open(files.file.clone(), width)
}

/// A block that is not what it was.
struct Damaged {
    /// Its number, from 0.
    block: usize,
    first: u64,
    heaps: u64,
    /// The file ends before it does.
    short: bool,
}

impl Damaged {
    fn error(&self, path: &Path, done: u64) -> Error {
        let (block, first, last) = (self.block, self.first, self.first + self.heaps - 1);
        let how = if self.short { "is cut short" } else { "is damaged" };
        Error::new("damaged", format!("{} {how} in block {block} (heaps {first} to {last})", path.display()))
            .help(format!(
                "put a good copy of the file back; or --resume --repair throws heaps {first} to {} away and \
                 computes them again",
                done - 1
            ))
    }
}

/// Checks all blocks; the digest is that of the whole ones before the first that is damaged.
fn check(
    data: &Data,
    manifest: &Manifest,
    digest: &mut Digest,
    tick: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Option<Damaged>, Error> {
    let heaps = data.heaps()?;
    let mut kept = data.reader(heaps)?;
    let mut first = 0;
    for (block, Block(count, crc)) in manifest.blocks.iter().enumerate() {
        let damaged = |short| Some(Damaged { block, first, heaps: *count, short });
        if first + count > heaps {
            return Ok(damaged(true));
        }
        let mut next = *digest;
        let whole = kept.is_whole(first, &Block(*count, crc.clone()), |values| {
            next.update(values);
            tick()
        })?;
        if !whole {
            return Ok(damaged(false));
        }
        *digest = next;
        first += count;
    }
    Ok(None)
}
