//! The data file of a long run: a `.npy` header of fixed length, then values, little endian.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::crc64::Crc64;
use super::manifest::Block;
use crate::error::Error;
use crate::export::Npy;
use crate::limits;
use crate::table::{Past, Store, Values, Width};

/// Bytes before the first value: what the header of any run of values takes.
pub(super) const HEADER: u64 = 128;

/// Values read at a time.
const PIECE: usize = 1 << 18;

/// An open data file, locked against other runs.
pub(super) struct Data {
    file: File,
    pub(super) path: PathBuf,
    pub(super) width: Width,
}

impl Data {
    /// A new file for that many heaps; what was there is gone.
    pub(super) fn create(path: PathBuf, width: Width, heaps: u64) -> Result<Self, Error> {
        // Nothing is cut off before the lock is held: the file may be another run's.
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut data = Data::lock(opened, path, width)?;
        data.file.set_len(0).map_err(|error| data.failed("write", &error))?;
        data.write_header(heaps)?;
        Ok(data)
    }

    /// A file that exists.
    pub(super) fn open(path: PathBuf, width: Width) -> Result<Self, Error> {
        let opened = OpenOptions::new().read(true).write(true).open(&path);
        Data::lock(opened, path, width)
    }

    fn lock(opened: io::Result<File>, path: PathBuf, width: Width) -> Result<Self, Error> {
        let file = opened.map_err(|error| failed("open", &path, &error))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                Err(Error::new("busy", format!("another run is writing {}", path.display())))
            }
            // Where the file system knows no locks there is no protection, and no reason to stop.
            Err(TryLockError::Error(_)) | Ok(()) => Ok(Data { file, path, width }),
        }
    }

    /// Writes the header for that many heaps, and stays behind it.
    pub(super) fn write_header(&mut self, heaps: u64) -> Result<(), Error> {
        let dims = usize::try_from(heaps).map_err(|_| too_many(heaps))?;
        let header = Npy::header(self.width, &[dims]);
        assert_eq!(header.len() as u64, HEADER, "one dimension of up to 20 digits always takes 128 bytes");
        let written = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.write_all(&header));
        written.map_err(|error| self.failed("write", &error))
    }

    /// Cuts off what lies behind so many heaps, and goes on writing there.
    pub(super) fn cut(&mut self, heaps: u64) -> Result<(), Error> {
        let end = self.place(heaps);
        let done = self.file.set_len(end).and_then(|()| self.file.seek(SeekFrom::Start(end)));
        done.map(|_| ()).map_err(|error| self.failed("write", &error))
    }

    /// Appends bytes.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|error| self.failed("write", &error))
    }

    /// Waits until all that was written is on the disk.
    pub(super) fn sync(&self) -> Result<(), Error> {
        self.file.sync_data().map_err(|error| self.failed("write", &error))
    }

    /// How many heaps have all their bytes in the file.
    pub(super) fn heaps(&self) -> Result<u64, Error> {
        let length = self.file.metadata().map_err(|error| self.failed("read", &error))?.len();
        Ok(length.saturating_sub(HEADER) / self.width.bytes() as u64)
    }

    /// A second hand on the first `heaps` heaps, for reading.
    pub(super) fn reader(&self, heaps: u64) -> Result<Kept, Error> {
        let file = File::open(&self.path).map_err(|error| self.failed("open", &error))?;
        Ok(Kept { file, path: self.path.clone(), heaps, bytes: Vec::new(), values: empty(self.width) })
    }

    /// Gives the file another name.
    pub(super) fn rename(&mut self, path: PathBuf) -> Result<(), Error> {
        std::fs::rename(&self.path, &path).map_err(|error| failed("write", &path, &error))?;
        self.path = path;
        Ok(())
    }

    fn place(&self, heaps: u64) -> u64 {
        heaps.saturating_mul(self.width.bytes() as u64).saturating_add(HEADER)
    }

    fn failed(&self, action: &str, error: &io::Error) -> Error {
        failed(action, &self.path, error)
    }
}

/// The error for a file that cannot be read or written.
pub(super) fn failed(action: &str, path: &Path, error: &io::Error) -> Error {
    Error::new("file", format!("cannot {action} {}: {error}", path.display()))
}

pub(super) fn too_many(heaps: u64) -> Error {
    Error::new("memory", format!("{heaps} heaps are more than this machine can count"))
}

fn empty(width: Width) -> Store {
    match width {
        Width::U8 => Store::U8(Vec::new()),
        Width::U16 => Store::U16(Vec::new()),
        Width::U32 => Store::U32(Vec::new()),
    }
}

/// Values in a data file.
pub(super) struct Kept {
    file: File,
    path: PathBuf,
    heaps: u64,
    bytes: Vec<u8>,
    values: Store,
}

impl Kept {
    /// Reads the values of `count` heaps from `first` on; also their bytes.
    fn read(&mut self, first: u64, count: usize) -> Result<(Values<'_>, &[u8]), Error> {
        let width = self.values.values().width().bytes();
        let length = count.saturating_mul(width);
        let more = length.saturating_sub(self.bytes.len());
        limits::reserve(&mut self.bytes, more)?;
        self.bytes.resize(self.bytes.len() + more, 0);
        let bytes = &mut self.bytes[..length];
        let place = SeekFrom::Start(first * width as u64 + HEADER);
        let read = self.file.seek(place).and_then(|_| self.file.read_exact(bytes));
        read.map_err(|error| failed("read", &self.path, &error))?;
        self.values.clear();
        self.values.make_room(count)?;
        match &mut self.values {
            Store::U8(values) => values.extend_from_slice(bytes),
            Store::U16(values) => values.extend(bytes.as_chunks().0.iter().map(|b| u16::from_le_bytes(*b))),
            Store::U32(values) => values.extend(bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b))),
        }
        Ok((self.values.values(), bytes))
    }

    /// The values of the heaps `first..first + count` in pieces, with their bytes.
    pub(super) fn each(
        &mut self,
        first: u64,
        count: u64,
        mut take: impl FnMut(Values<'_>, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut next, end) = (first, first + count);
        while next < end {
            let piece = usize::try_from(end - next).map_or(PIECE, |rest| rest.min(PIECE));
            let (values, bytes) = self.read(next, piece)?;
            take(values, bytes)?;
            next += piece as u64;
        }
        Ok(())
    }

    /// Whether a block that begins at heap `first` still has its checksum; `take` sees its values.
    pub(super) fn is_whole(
        &mut self,
        first: u64,
        block: &Block,
        mut take: impl FnMut(Values<'_>) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        let mut crc = Crc64::new();
        self.each(first, block.0, |values, bytes| {
            crc.update(bytes);
            take(values)
        })?;
        Ok(format!("{:016x}", crc.value()) == block.1)
    }
}

impl Past for Kept {
    fn len(&self) -> u64 {
        self.heaps
    }

    fn values(&mut self, first: u64, count: usize) -> Result<Values<'_>, Error> {
        Ok(self.read(first, count)?.0)
    }
}

/// Appends the bytes of values, which all fit the width.
pub(super) fn encode(values: Values<'_>, width: Width, bytes: &mut Vec<u8>) {
    match (values, width) {
        (Values::U8(values), Width::U8) => bytes.extend_from_slice(values),
        (values, width) => {
            bytes.reserve(values.len() * width.bytes());
            for value in values.iter() {
                bytes.extend_from_slice(&value.to_le_bytes()[..width.bytes()]);
            }
        }
    }
}
