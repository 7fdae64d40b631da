//! Deals out pieces of texts to threads.

use process::files::ReadAt as _;
use process::plain_file;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use super::archive::{self, Archive};
use super::cut::{Cut, StreamCutter, piece_end};
use super::list::{Input, InputPlace};
use pgn::Passing;
use pgn::compression::{Compression, check_encoding, peek};

/// Bytes of a byte-order mark.
const MARK: u64 = 2;
/// Pieces queued between the decompressor and the miners.
const QUEUE: usize = 4;
/// The same for each of several texts of an archive.
const ENTRY_QUEUE: usize = 2;
/// Most texts of an archive that are unpacked at the same time.
const MOST_ENTRIES: usize = 8;
/// How often a waiting thread checks `stop`.
const LOOK: Duration = Duration::from_millis(20);

/// Where reading begins: at the start, or where an earlier run stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ReadStart {
    /// Index of the text.
    pub(crate) input: usize,
    /// Offset in it.
    pub(crate) offset: u64,
    /// State inside a construct that is skipped.
    pub(crate) passing: Passing,
}

/// A part of a text.
pub(crate) struct Piece {
    /// Counted from 0 over all texts.
    pub(crate) number: u64,
    /// Index of the text.
    pub(crate) input: usize,
    /// Offset of its first byte.
    pub(crate) offset: u64,
    /// Its last game may go on in the next piece.
    pub(crate) is_open: bool,
    /// State inside a construct that is skipped at its beginning.
    pub(crate) passing: Passing,
    body: Body,
}

enum Body {
    Here(Vec<u8>),
    /// From the piece's offset to this one.
    InFile(Arc<File>, u64),
    /// The text ended with the piece before.
    End,
    Broken(io::Error),
}

pub(crate) enum Content<'a> {
    Text(&'a [u8]),
    /// The text has ended.
    End,
    /// The rest of the text cannot be read.
    Broken(io::Error),
}

impl Piece {
    /// Its content; that of a file is read into `buffer` first.
    pub(crate) fn content<'a>(self, buffer: &'a mut Vec<u8>) -> Content<'a> {
        match self.body {
            Body::Here(text) => {
                *buffer = text;
                Content::Text(buffer)
            }
            Body::InFile(file, end) => {
                buffer.resize((end - self.offset) as usize, 0);
                match file.read_exact_at(buffer, self.offset) {
                    Ok(()) => Content::Text(buffer),
                    Err(error) => Content::Broken(error),
                }
            }
            Body::End => Content::End,
            Body::Broken(error) => Content::Broken(error),
        }
    }
}

pub(crate) struct Feed<'a> {
    inputs: &'a [Input],
    /// Threads that unpack, at most.
    threads: NonZeroUsize,
    read: Arc<AtomicU64>,
    number: u64,
    input: usize,
    state: FeedState,
    start: Option<ReadStart>,
    /// The archive read last.
    archive: Option<(PathBuf, Archive)>,
    /// Texts of archives that are unpacked in advance: the next ones.
    ahead: VecDeque<Receiver<Message>>,
}

enum FeedState {
    Closed,
    Plain {
        file: Arc<File>,
        offset: u64,
        len: u64,
    },
    Stream(Receiver<Message>),
    /// The end was reported, or is about to be.
    Ending,
}

enum Message {
    Piece(Cut, Vec<u8>),
    Broken(u64, io::Error),
}

impl<'a> Feed<'a> {
    /// Adds the bytes read, as stored, to `read`. Up to `threads` unpack.
    pub(crate) fn new(
        inputs: &'a [Input],
        start: ReadStart,
        threads: NonZeroUsize,
        read: Arc<AtomicU64>,
    ) -> Self {
        let passed: u64 = inputs[..start.input.min(inputs.len())].iter().map(|i| i.bytes).sum();
        read.store(passed, Ordering::Relaxed);
        Feed {
            inputs,
            threads,
            read,
            number: 0,
            input: start.input,
            state: FeedState::Closed,
            start: Some(start),
            archive: None,
            ahead: VecDeque::new(),
        }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.input >= self.inputs.len()
    }

    /// `None` when all texts have ended, or when `stop` is set while a pipe is silent.
    pub(crate) fn next(&mut self, stop: &AtomicBool) -> Option<Piece> {
        let input = self.input;
        let (mut is_open, mut passing) = (false, Passing::default());
        let (offset, body) = loop {
            match &mut self.state {
                FeedState::Closed => {
                    if self.is_at_end() {
                        return None;
                    }
                    let start = self.start.take().unwrap_or_default();
                    let skip = start.offset;
                    passing = start.passing;
                    match self.open(skip) {
                        Ok(state) => self.state = state,
                        Err(error) => {
                            self.state = FeedState::Ending;
                            break (skip, Body::Broken(error));
                        }
                    }
                }
                FeedState::Plain { offset, len, .. } if *offset >= *len => {
                    self.state = FeedState::Ending
                }
                FeedState::Plain { file, offset, len } => {
                    let begin = *offset;
                    match piece_end(file, begin, *len) {
                        Ok(Cut { end, is_open: open }) => {
                            is_open = open;
                            *offset = end;
                            self.read.fetch_add(end - begin, Ordering::Relaxed);
                            break (begin, Body::InFile(Arc::clone(file), end));
                        }
                        Err(error) => {
                            self.state = FeedState::Ending;
                            break (begin, Body::Broken(error));
                        }
                    }
                }
                FeedState::Stream(messages) => match messages.recv_timeout(LOOK) {
                    Ok(Message::Piece(cut, text)) => {
                        is_open = cut.is_open;
                        break (cut.end - text.len() as u64, Body::Here(text));
                    }
                    Ok(Message::Broken(offset, error)) => {
                        self.state = FeedState::Ending;
                        break (offset, Body::Broken(error));
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        // A file is waited for, so that the checkpoint ends with a whole piece.
                        let is_pipe = !self.inputs[input].is_lasting();
                        if is_pipe && stop.load(Ordering::Relaxed) {
                            return None;
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => self.state = FeedState::Ending,
                },
                FeedState::Ending => {
                    self.state = FeedState::Closed;
                    self.input += 1;
                    break (0, Body::End);
                }
            }
        };
        let number = self.number;
        self.number += 1;
        Some(Piece { number, input, offset, is_open, passing, body })
    }

    fn open(&mut self, skip: u64) -> io::Result<FeedState> {
        let Some(input) = self.inputs.get(self.input) else { return Ok(FeedState::Closed) };
        if let InputPlace::Plain(path) = &input.place {
            let file = plain_file::open(path)?;
            let len = file.metadata()?.len();
            self.read.fetch_add(skip, Ordering::Relaxed);
            if skip > len {
                let why = format!("expected at least {skip} bytes as before, found {len}");
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, why));
            }
            return Ok(FeedState::Plain { file: Arc::new(file), offset: skip, len });
        }
        let messages = match self.ahead.pop_front() {
            Some(messages) => messages,
            None => self.unpack(self.input, skip)?,
        };
        while self.ahead.len() + 1 < self.threads.get().min(MOST_ENTRIES) {
            let next = self.input + 1 + self.ahead.len();
            if !self.inputs.get(next).is_some_and(Input::is_entry) {
                break;
            }
            // An error comes again when it is the text's turn.
            let Ok(messages) = self.unpack(next, 0) else { break };
            self.ahead.push_back(messages);
        }
        Ok(FeedState::Stream(messages))
    }

    /// Begins to unpack a text.
    fn unpack(&mut self, index: usize, skip: u64) -> io::Result<Receiver<Message>> {
        let input = self.inputs.get(index).ok_or(io::ErrorKind::NotFound)?;
        let queue = if input.is_entry() { ENTRY_QUEUE } else { QUEUE };
        let (send, receive) = sync_channel(queue);
        let place = input.place.clone();
        let archive = match &place {
            InputPlace::Entry(path, _) => Some(self.archive(path)?),
            _ => None,
        };
        let (read, bytes, threads) = (Arc::clone(&self.read), input.bytes, self.threads);
        thread::spawn(move || {
            if let Err(error) = send_text(&place, archive, skip, threads, &read, bytes, &send) {
                // Nobody listens any more: the run was stopped.
                let _ = send.send(Message::Broken(error.0, error.1));
            }
        });
        Ok(receive)
    }

    /// The texts of an archive follow each other: it is opened for the first of them.
    fn archive(&mut self, path: &Path) -> io::Result<Archive> {
        match &self.archive {
            Some((known, archive)) if known == path => Ok(archive.clone()),
            _ => {
                let archive = archive::open(path)?;
                self.archive = Some((path.to_owned(), archive.clone()));
                Ok(archive)
            }
        }
    }
}

type Broken = (u64, io::Error);

fn send_text(
    place: &InputPlace,
    archive: Option<Archive>,
    skip: u64,
    threads: NonZeroUsize,
    read: &Arc<AtomicU64>,
    bytes: u64,
    send: &SyncSender<Message>,
) -> Result<(), Broken> {
    let early = |error| (0, error);
    match place {
        InputPlace::Plain(path) | InputPlace::Stream(path) => {
            let file = Counting { inner: File::open(path).map_err(early)?, read: Arc::clone(read) };
            send_stream(file, skip, threads, send)
        }
        InputPlace::StandardInput => {
            let input = Counting { inner: io::stdin(), read: Arc::clone(read) };
            send_stream(input, skip, threads, send)
        }
        InputPlace::Entry(_, index) => {
            let missing = || early(io::ErrorKind::NotFound.into());
            let mut archive = archive.ok_or_else(missing)?;
            let mut entry = archive.by_index(*index).map_err(|e| early(e.into()))?;
            let done = send_pieces(&mut entry, skip, send);
            read.fetch_add(bytes, Ordering::Relaxed);
            done
        }
    }
}

fn send_stream<R: Read + Send>(
    stream: R,
    skip: u64,
    threads: NonZeroUsize,
    send: &SyncSender<Message>,
) -> Result<(), Broken> {
    let early = |error| (0, error);
    // Decompressors ask for little at a time.
    let stream = io::BufReader::with_capacity(1 << 18, stream);
    let (head, stream) = peek(stream, Compression::HEAD).map_err(early)?;
    match Compression::of(&head) {
        None => send_pieces(stream, skip, send),
        Some(compression) => {
            let text = compression.decompress_on(threads, stream).map_err(early)?;
            send_pieces(text, skip, send)
        }
    }
}

/// Sends the pieces of a text, unpacked.
fn send_pieces(text: impl Read, skip: u64, send: &SyncSender<Message>) -> Result<(), Broken> {
    let (head, text) = peek(text, MARK).map_err(|error| (0, error))?;
    check_encoding(&head).map_err(|error| (0, error))?;
    let mut cutter = StreamCutter::new(text);
    cutter.skip(skip).map_err(|error| (0, error))?;
    loop {
        match cutter.next() {
            Ok(Some((cut, piece))) => {
                if send.send(Message::Piece(cut, piece)).is_err() {
                    return Ok(());
                }
            }
            Ok(None) => return Ok(()),
            Err(error) => {
                let (cut, piece) = cutter.rest();
                if !piece.is_empty() && send.send(Message::Piece(cut, piece)).is_err() {
                    return Ok(());
                }
                return Err((cut.end, error));
            }
        }
    }
}

/// Counts the bytes read through it.
struct Counting<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buffer)?;
        self.read.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;
    use crate::input::list;

    /// An archive whose directory was read is not asked for it again: it may be gone by then. Its
    /// texts come in their order, long ones and empty ones among them, and one that is broken.
    #[test]
    fn an_archive_is_opened_once() {
        const TEXTS: usize = 50;
        const BROKEN: usize = 31;
        const LONG: usize = 17;
        for threads in [1, 3, 20] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("games.zip");
            let mut zip = ZipWriter::new(File::create(&path).unwrap());
            let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
            for number in 0..TEXTS {
                zip.start_file(format!("{number}.pgn"), stored).unwrap();
                let games = if number == LONG { 400_000 } else { number % 3 };
                let game = format!("[Event \"{number}\"]\n\n1. e4 *\n");
                zip.write_all(game.repeat(games).as_bytes()).unwrap();
                if number == BROKEN {
                    zip.write_all(b"broken here").unwrap();
                }
            }
            zip.finish().unwrap();
            let mut bytes = std::fs::read(&path).unwrap();
            let at = memchr::memmem::find(&bytes, b"broken here").unwrap();
            bytes[at] = b'B';
            std::fs::write(&path, bytes).unwrap();
            let inputs = list(std::slice::from_ref(&path)).unwrap();
            let stop = AtomicBool::new(false);
            let threads = NonZeroUsize::new(threads).unwrap();
            let mut feed = Feed::new(&inputs, ReadStart::default(), threads, Arc::default());
            let mut buffer = Vec::new();
            let (mut games, mut ended, mut broken) = ([0; TEXTS], 0, Vec::new());
            while let Some(piece) = feed.next(&stop) {
                let input = piece.input;
                assert_eq!(input, ended);
                match piece.content(&mut buffer) {
                    Content::Text(text) => {
                        let event = format!("[Event \"{input}\"]");
                        games[input] += memchr::memmem::find_iter(text, &event).count();
                    }
                    Content::End => ended += 1,
                    Content::Broken(_) => broken.push(input),
                }
                let _ = std::fs::remove_file(&path);
            }
            let expected =
                std::array::from_fn(|text| if text == LONG { 400_000 } else { text % 3 });
            assert_eq!((games, ended, broken), (expected, TEXTS, vec![BROKEN]));
        }
    }
}
