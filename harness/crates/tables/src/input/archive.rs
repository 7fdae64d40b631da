//! A zip archive, opened once for all its texts.

use process::files::ReadAt as _;
use process::plain_file;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use zip::ZipArchive;

/// An archive with its directory read; clones share that, and have read positions of their own.
pub(super) type Archive = ZipArchive<SharedFile>;

pub(super) fn open(path: &Path) -> io::Result<Archive> {
    of_file(plain_file::open(path)?)
}

pub(super) fn of_file(file: File) -> io::Result<Archive> {
    Ok(ZipArchive::new(SharedFile { file: Arc::new(file), offset: 0 })?)
}

/// A file handle with a read position of its own.
#[derive(Debug, Clone)]
pub(super) struct SharedFile {
    file: Arc<File>,
    offset: u64,
}

impl Read for SharedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let from = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::Current(way) => self.offset.checked_add_signed(way),
            SeekFrom::End(way) => self.file.metadata()?.len().checked_add_signed(way),
        };
        self.offset = from.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.offset)
    }
}
