//! Room for bytes that are written once and then read in sequence: in memory up to a limit, beyond
//! it in a temporary file.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arena::record::atomic::create_beside;
use process::files::ReadAt as _;
use process::lock;

/// Bytes of a block: what goes to memory or to the file as a whole.
const BLOCK: usize = 64 << 10;
/// Memory for opening positions while they are counted and added up, bytes.
const MEMORY: usize = 64 << 20;

/// Where opening positions are kept while they are counted and added up. Clones share one limit and
/// one file.
///
/// The file has no name from the moment it is made, so that nothing is left of it, however the
/// program ends. The default keeps everything in memory.
#[derive(Debug, Clone, Default)]
pub struct Scratch(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    limit: Option<Limit>,
    /// Bytes of the blocks in memory.
    held: AtomicUsize,
    slots: Mutex<Slots>,
}

#[derive(Debug)]
struct Limit {
    memory: usize,
    /// The temporary file is made beside it.
    place: PathBuf,
}

/// Places for blocks in the file.
#[derive(Debug, Default)]
struct Slots {
    file: Option<Arc<File>>,
    /// Offsets of blocks that are no longer needed.
    free: Vec<u64>,
    end: u64,
}

impl Scratch {
    /// 64 MiB of memory, and a file beside `place`: in the folder for temporary files where `place`
    /// is a device or pipe.
    pub fn beside(place: &Path) -> Scratch {
        let is_other = fs::metadata(place).is_ok_and(|metadata| !metadata.is_file());
        let place = if is_other { std::env::temp_dir().join("verdict") } else { place.to_owned() };
        Scratch::with_memory(MEMORY, &place)
    }

    /// `memory` bytes, and a file beside `place`. Half of the memory is for blocks, half for
    /// positions in no order and for reading. Blocks that are being written are not counted: 64 KiB
    /// each.
    pub fn with_memory(memory: usize, place: &Path) -> Scratch {
        let limit = Some(Limit { memory, place: place.to_owned() });
        Scratch(Arc::new(Shared { limit, ..Shared::default() }))
    }

    /// Bytes of memory that are not for blocks.
    pub(crate) fn outside(&self) -> usize {
        self.0.limit.as_ref().map_or(MEMORY, |limit| limit.memory) / 2
    }

    fn store(&self, bytes: Vec<u8>) -> io::Result<Block> {
        let len = bytes.len();
        let held = self.0.held.fetch_add(len, Ordering::Relaxed) + len;
        if let Some(limit) = &self.0.limit
            && held > limit.memory / 2
        {
            self.0.held.fetch_sub(len, Ordering::Relaxed);
            return self.write(&bytes).map_err(|error| limit.explain("write", error));
        }
        Ok(Block { scratch: self.clone(), at: At::Memory(bytes.into_boxed_slice()) })
    }

    fn write(&self, bytes: &[u8]) -> io::Result<Block> {
        let mut slots = lock(&self.0.slots);
        let file = match &slots.file {
            Some(file) => Arc::clone(file),
            None => {
                let limit = self.0.limit.as_ref().ok_or(io::ErrorKind::Unsupported)?;
                let (path, file) = create_beside(&limit.place, "tmp")?;
                fs::remove_file(path)?;
                Arc::clone(slots.file.insert(Arc::new(file)))
            }
        };
        let offset = slots.free.pop().unwrap_or_else(|| {
            slots.end += BLOCK as u64;
            slots.end - BLOCK as u64
        });
        drop(slots);
        // From here on it is given back if the writing fails.
        let len = bytes.len();
        let block = Block { scratch: self.clone(), at: At::File { file, offset, len } };
        match &block.at {
            At::File { file, .. } => file.write_all_at(bytes, offset)?,
            At::Memory(_) => {}
        }
        Ok(block)
    }
}

impl Limit {
    fn explain(&self, action: &str, error: io::Error) -> io::Error {
        let (place, memory) = (self.place.display(), self.memory >> 20);
        io::Error::new(
            error.kind(),
            format!(
                "cannot {action} the temporary file beside {place}, which holds the opening \
                 positions beyond {memory} MiB of memory: {error}; make room there, or write \
                 elsewhere"
            ),
        )
    }
}

#[derive(Debug)]
struct Block {
    scratch: Scratch,
    at: At,
}

#[derive(Debug)]
enum At {
    Memory(Box<[u8]>),
    File { file: Arc<File>, offset: u64, len: usize },
}

impl Block {
    /// Copies from `place` on. Returns how many bytes; 0 at the end.
    fn read(&self, place: usize, buffer: &mut [u8]) -> io::Result<usize> {
        match &self.at {
            At::Memory(bytes) => (&bytes[place..]).read(buffer),
            At::File { file, offset, len } => {
                let most = buffer.len().min(len - place);
                let read = file.read_exact_at(&mut buffer[..most], offset + place as u64);
                read.map_err(|error| match &self.scratch.0.limit {
                    Some(limit) => limit.explain("read", error),
                    None => error,
                })?;
                Ok(most)
            }
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let shared = &self.scratch.0;
        match &self.at {
            At::Memory(bytes) => _ = shared.held.fetch_sub(bytes.len(), Ordering::Relaxed),
            At::File { offset, .. } => lock(&shared.slots).free.push(*offset),
        }
    }
}

/// Writes bytes to a [`Scratch`].
#[derive(Debug)]
pub(crate) struct ScratchWriter {
    scratch: Scratch,
    block: Vec<u8>,
    done: Vec<Arc<Block>>,
}

impl ScratchWriter {
    pub(crate) fn new(scratch: &Scratch) -> ScratchWriter {
        let block = Vec::with_capacity(BLOCK);
        ScratchWriter { scratch: scratch.clone(), block, done: Vec::new() }
    }

    /// Fails if the temporary file cannot be written.
    #[inline]
    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while self.block.len() + bytes.len() > BLOCK {
            let (front, rest) = bytes.split_at(BLOCK - self.block.len());
            self.block.extend_from_slice(front);
            bytes = rest;
            self.store()?;
        }
        self.block.extend_from_slice(bytes);
        Ok(())
    }

    fn store(&mut self) -> io::Result<()> {
        let block = std::mem::replace(&mut self.block, Vec::with_capacity(BLOCK));
        self.done.push(Arc::new(self.scratch.store(block)?));
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<ScratchBytes> {
        if !self.block.is_empty() {
            self.store()?;
        }
        Ok(ScratchBytes(self.done))
    }
}

/// Bytes in a [`Scratch`]; a clone shares them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScratchBytes(Vec<Arc<Block>>);

impl ScratchBytes {
    /// Reads them in sequence. Each block is given up behind the reader, unless a clone has it.
    pub(crate) fn into_reader(self) -> ScratchReader {
        ScratchReader { blocks: self.0.into_iter(), current: None }
    }
}

#[derive(Debug)]
pub(crate) struct ScratchReader {
    blocks: std::vec::IntoIter<Arc<Block>>,
    /// The block that is read, and the place in it.
    current: Option<(Arc<Block>, usize)>,
}

impl Read for ScratchReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some((block, place)) = &mut self.current {
                let read = block.read(*place, buffer)?;
                if read > 0 {
                    *place += read;
                    return Ok(read);
                }
            }
            self.current = self.blocks.next().map(|block| (block, 0));
            if self.current.is_none() {
                return Ok(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(scratch: &Scratch, seed: u8) -> (Vec<u8>, ScratchBytes) {
        let bytes: Vec<u8> =
            (0..3 * BLOCK + 1000).map(|place| (place % 251) as u8 ^ seed).collect();
        let mut writer = ScratchWriter::new(scratch);
        bytes.chunks(777).for_each(|chunk| writer.write(chunk).unwrap());
        (bytes, writer.finish().unwrap())
    }

    fn read(bytes: ScratchBytes) -> io::Result<Vec<u8>> {
        let mut found = Vec::new();
        bytes.into_reader().read_to_end(&mut found).map(|_| found)
    }

    /// The file has no name, and the room of blocks that were read is used again.
    #[test]
    fn bytes_come_back() {
        let dir = tempfile::tempdir().unwrap();
        for memory in [0, 2 * BLOCK, 4 * BLOCK, 1 << 30] {
            let scratch = Scratch::with_memory(memory, &dir.path().join("out"));
            for seed in 0..5 {
                let (bytes, stored) = filled(&scratch, seed);
                assert_eq!(read(stored.clone()).unwrap(), bytes);
                assert_eq!(read(stored).unwrap(), bytes);
            }
            assert_eq!(scratch.0.held.load(Ordering::Relaxed), 0);
            let in_memory = (memory / 2 / BLOCK).min(4);
            assert_eq!(lock(&scratch.0.slots).end, ((4 - in_memory) * BLOCK) as u64);
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        }
        let (bytes, stored) = filled(&Scratch::default(), 9);
        assert_eq!(read(stored).unwrap(), bytes);
    }

    #[test]
    fn a_shortened_file_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let scratch = Scratch::with_memory(0, &dir.path().join("out"));
        let (_, stored) = filled(&scratch, 1);
        let file = lock(&scratch.0.slots).file.clone().unwrap();
        file.set_len(2 * BLOCK as u64 + 5).unwrap();
        let error = read(stored).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        assert!(error.to_string().contains("cannot read the temporary file beside"), "{error}");
    }

    /// A block that could not be written gives its room back.
    #[test]
    fn a_failed_write_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let scratch = Scratch::with_memory(0, &dir.path().join("out"));
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        lock(&scratch.0.slots).file = Some(Arc::new(full));
        let mut writer = ScratchWriter::new(&scratch);
        let error = writer.write(&[0; BLOCK + 1]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(error.to_string().contains("make room there"), "{error}");
        assert_eq!(lock(&scratch.0.slots).free, [0]);
    }

    /// A temporary file beside a device would be in the folder of devices.
    #[test]
    fn devices_have_no_files_beside() {
        let place =
            |place: &str| Scratch::beside(Path::new(place)).0.limit.as_ref().unwrap().place.clone();
        assert_eq!(place("/dev/null").parent(), Some(&*std::env::temp_dir()));
        assert_eq!(place("early.keys"), Path::new("early.keys"));
    }
}
