//! Pieces of texts for whoever asks next.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use zip::ZipArchive;

use super::cut::{StreamCutter, piece_end};
use super::list::{Input, Place};
use crate::packing::{Packing, check_encoding, peek};

/// Bytes that say in which encoding a text is.
const MARK: u64 = 2;
/// Pieces that wait between the decompressor and the miners.
const QUEUE: usize = 4;

/// Where reading begins: at the front, or where an earlier run stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::tables) struct Start {
    /// The text, from 0.
    pub(in crate::tables) input: usize,
    /// The byte of it.
    pub(in crate::tables) offset: u64,
}

/// A part of a text.
pub(in crate::tables) struct Piece {
    /// Counted from 0 over all texts.
    pub(in crate::tables) number: u64,
    /// The text.
    pub(in crate::tables) input: usize,
    /// The offset of its first byte.
    pub(in crate::tables) offset: u64,
    body: Body,
}

enum Body {
    Here(Vec<u8>),
    InFile(Arc<File>, u64),
    /// The text has ended with the piece before.
    End,
    Broken(io::Error),
}

/// What a piece holds.
pub(in crate::tables) enum Content<'a> {
    /// Text.
    Text(&'a [u8]),
    /// Nothing: the text has ended.
    End,
    /// Nothing: the rest of the text cannot be read.
    Broken(io::Error),
}

impl Piece {
    /// Hands its content over; a file's is read into `buffer` first.
    pub(in crate::tables) fn content<'a>(self, buffer: &'a mut Vec<u8>) -> Content<'a> {
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

/// Deals the pieces out, one after the other.
pub(in crate::tables) struct Feed<'a> {
    inputs: &'a [Input],
    read: Arc<AtomicU64>,
    number: u64,
    input: usize,
    state: State,
    start: Option<Start>,
}

enum State {
    Closed,
    Plain {
        file: Arc<File>,
        offset: u64,
        len: u64,
    },
    Stream(Receiver<Message>),
    /// Said, or about to be.
    Ending,
}

enum Message {
    Piece(u64, Vec<u8>),
    Broken(u64, io::Error),
}

impl<'a> Feed<'a> {
    /// Counts the bytes read, as they are stored, in `read`.
    pub(in crate::tables) fn new(inputs: &'a [Input], start: Start, read: Arc<AtomicU64>) -> Self {
        let passed: u64 = inputs[..start.input.min(inputs.len())].iter().map(|i| i.bytes).sum();
        read.store(passed, Ordering::Relaxed);
        Feed {
            inputs,
            read,
            number: 0,
            input: start.input,
            state: State::Closed,
            start: Some(start),
        }
    }

    /// The next piece; none when all texts have ended.
    pub(in crate::tables) fn next(&mut self) -> Option<Piece> {
        let input = self.input;
        let (offset, body) = loop {
            match &mut self.state {
                State::Closed => {
                    if self.input >= self.inputs.len() {
                        return None;
                    }
                    let skip = self.start.take().map_or(0, |start| start.offset);
                    match self.open(skip) {
                        Ok(state) => self.state = state,
                        Err(error) => {
                            self.state = State::Ending;
                            break (skip, Body::Broken(error));
                        }
                    }
                }
                State::Plain { offset, len, .. } if *offset >= *len => self.state = State::Ending,
                State::Plain { file, offset, len } => {
                    let begin = *offset;
                    match piece_end(file, begin, *len) {
                        Ok(end) => {
                            *offset = end;
                            self.read.fetch_add(end - begin, Ordering::Relaxed);
                            break (begin, Body::InFile(Arc::clone(file), end));
                        }
                        Err(error) => {
                            self.state = State::Ending;
                            break (begin, Body::Broken(error));
                        }
                    }
                }
                State::Stream(messages) => match messages.recv() {
                    Ok(Message::Piece(offset, text)) => break (offset, Body::Here(text)),
                    Ok(Message::Broken(offset, error)) => {
                        self.state = State::Ending;
                        break (offset, Body::Broken(error));
                    }
                    Err(_) => self.state = State::Ending,
                },
                State::Ending => {
                    self.state = State::Closed;
                    self.input += 1;
                    break (0, Body::End);
                }
            }
        };
        let number = self.number;
        self.number += 1;
        Some(Piece { number, input, offset, body })
    }

    fn open(&self, skip: u64) -> io::Result<State> {
        let Some(input) = self.inputs.get(self.input) else { return Ok(State::Closed) };
        if let Place::Plain(path) = &input.place {
            let file = File::open(path)?;
            let len = file.metadata()?.len();
            self.read.fetch_add(skip, Ordering::Relaxed);
            if skip > len {
                let why = format!("expected at least {skip} bytes as before, found {len}");
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, why));
            }
            return Ok(State::Plain { file: Arc::new(file), offset: skip, len });
        }
        let (send, receive) = sync_channel(QUEUE);
        let place = input.place.clone();
        let (read, bytes) = (Arc::clone(&self.read), input.bytes);
        thread::spawn(move || {
            if let Err(error) = send_text(&place, skip, &read, bytes, &send) {
                // Nobody listens any more: the run was stopped.
                let _ = send.send(Message::Broken(error.0, error.1));
            }
        });
        Ok(State::Stream(receive))
    }
}

type Broken = (u64, io::Error);

/// Unpacks a text and sends its pieces.
fn send_text(
    place: &Place,
    skip: u64,
    read: &Arc<AtomicU64>,
    bytes: u64,
    send: &SyncSender<Message>,
) -> Result<(), Broken> {
    let early = |error| (0, error);
    match place {
        Place::Plain(path) | Place::Stream(path) => {
            let file = Counting { inner: File::open(path).map_err(early)?, read: Arc::clone(read) };
            send_stream(file, skip, send)
        }
        Place::StandardInput => {
            let input = Counting { inner: io::stdin(), read: Arc::clone(read) };
            send_stream(input, skip, send)
        }
        Place::Entry(path, index) => {
            let file = File::open(path).map_err(early)?;
            let mut archive = ZipArchive::new(file).map_err(|e| early(e.into()))?;
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
    send: &SyncSender<Message>,
) -> Result<(), Broken> {
    let early = |error| (0, error);
    // Decompressors ask for little at a time.
    let stream = io::BufReader::with_capacity(1 << 18, stream);
    let (head, stream) = peek(stream, Packing::HEAD).map_err(early)?;
    match Packing::of(&head) {
        None => send_pieces(stream, skip, send),
        Some(packing) => send_pieces(packing.unpack(stream).map_err(early)?, skip, send),
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
            Ok(Some((offset, piece))) => {
                if send.send(Message::Piece(offset, piece)).is_err() {
                    return Ok(());
                }
            }
            Ok(None) => return Ok(()),
            Err(error) => {
                let (offset, piece) = cutter.rest();
                let end = offset + piece.len() as u64;
                if !piece.is_empty() && send.send(Message::Piece(offset, piece)).is_err() {
                    return Ok(());
                }
                return Err((end, error));
            }
        }
    }
}

/// Counts what is read through it.
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
