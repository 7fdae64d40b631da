//! From a path to the text of a book: decompressed as a stream, hashed as read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::Path;

use serde::Serialize;
use sha2::{Digest, Sha256};
use zip::ZipArchive;

use super::error::{BookError, quote};
use super::lines::bare;
use crate::compression::{Compression, check_encoding, peek};
use crate::games;
use process::plain_file;

/// Bytes of a text that tell its format.
const HEAD: u64 = 4096;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, strum::Display)]
pub enum BookFormat {
    #[default]
    /// A position a line: FEN or EPD.
    #[serde(rename = "EPD")]
    #[strum(serialize = "EPD")]
    Epd,
    /// Games: start position and moves.
    #[serde(rename = "PGN")]
    #[strum(serialize = "PGN")]
    Pgn,
    /// Moves for positions, by Polyglot's keys.
    Polyglot,
}

/// What of it is made of lines, so that a large file can be read from its middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextFormat {
    Epd,
    Pgn,
}

impl From<TextFormat> for BookFormat {
    fn from(format: TextFormat) -> BookFormat {
        match format {
            TextFormat::Epd => BookFormat::Epd,
            TextFormat::Pgn => BookFormat::Pgn,
        }
    }
}

/// What is known of a file when it has been read to its end.
#[derive(Debug, Clone)]
pub struct SourceInfo {
    pub(super) format: BookFormat,
    /// SHA-256 of the file's bytes, compressed if it is, in lower-case hexadecimal digits.
    pub(super) sha256: String,
}

#[derive(Debug, Clone, Copy)]
pub enum Origin<'a> {
    File(&'a Path),
    /// In this program; the path is their name.
    Memory(&'a Path, &'a [u8]),
}

impl Origin<'_> {
    pub(super) fn path(&self) -> &Path {
        match self {
            Origin::File(path) | Origin::Memory(path, _) => path,
        }
    }
}

/// Opens the book at `origin` and hands its text to `read`.
///
/// Compression is told by the first bytes; the format by the name (without `.gz` and the like,
/// or inside the archive), else by the text.
pub fn with_text(
    origin: Origin<'_>,
    read: &mut dyn FnMut(BookFormat, &mut dyn BufRead) -> io::Result<()>,
) -> Result<SourceInfo, BookError> {
    let path = origin.path();
    match origin {
        Origin::Memory(_, bytes) => with_stream(path, Cursor::new(bytes), read),
        Origin::File(_) => {
            let failed = |source| BookError::Read { path: path.to_owned(), source };
            with_stream(path, plain_file::open_given(path).map_err(failed)?, read)
        }
    }
}

/// Opens the file at `path` if it is plain text of at least `from_bytes`, and tells its format.
pub(super) fn large_text(
    path: &Path,
    from_bytes: u64,
) -> Result<Option<(File, TextFormat)>, BookError> {
    let failed = |source| BookError::Read { path: path.to_owned(), source };
    let file = plain_file::open_given(path).map_err(failed)?;
    if !file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() >= from_bytes) {
        return Ok(None);
    }
    let (head, _) = peek(&file, HEAD).map_err(failed)?;
    if Compression::of(&head).is_some() {
        return Ok(None);
    }
    let format = format_of(&name_of(path), &head).map_err(failed)?;
    Ok(match format {
        BookFormat::Epd => Some((file, TextFormat::Epd)),
        BookFormat::Pgn => Some((file, TextFormat::Pgn)),
        BookFormat::Polyglot => None,
    })
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_lowercase()
}

fn with_stream(
    path: &Path,
    stream: impl Read + Seek + Send,
    read: &mut dyn FnMut(BookFormat, &mut dyn BufRead) -> io::Result<()>,
) -> Result<SourceInfo, BookError> {
    let failed = |source| BookError::Read { path: path.to_owned(), source };
    let mut raw = Hashing { inner: stream, hash: Sha256::new() };
    let (magic, mut bytes) = peek(&mut raw, Compression::HEAD).map_err(failed)?;
    let name = name_of(path);
    let mut text = |name: &str, bytes: &mut dyn Read| read_text(name, bytes, read).map_err(failed);

    let format = match Compression::of(&magic) {
        Some(Compression::Zip) => {
            // An archive's directory is at its end: hash all of it first, then seek.
            io::copy(&mut bytes, &mut io::sink()).map_err(failed)?;
            drop(bytes);
            let sha256 = raw.sha256();
            raw.inner.rewind().map_err(failed)?;
            let mut archive = ZipArchive::new(raw.inner).map_err(|e| failed(e.into()))?;
            let index = book_in(&mut archive)
                .map_err(|found| BookError::Archive { path: path.to_owned(), found })?;
            let mut entry = archive.by_index(index).map_err(|e| failed(e.into()))?;
            let name = entry.name().to_lowercase();
            return Ok(SourceInfo { format: text(&name, &mut entry)?, sha256 });
        }
        Some(compression) => {
            let name = name.strip_suffix(compression.suffix()).unwrap_or(&name);
            text(name, &mut compression.decompress(bytes).map_err(failed)?)?
        }
        None => text(&name, &mut bytes)?,
    };
    // A decoder may leave bytes behind its stream unread.
    io::copy(&mut raw, &mut io::sink()).map_err(failed)?;
    Ok(SourceInfo { format, sha256: raw.sha256() })
}

fn read_text(
    name: &str,
    bytes: &mut dyn Read,
    read: &mut dyn FnMut(BookFormat, &mut dyn BufRead) -> io::Result<()>,
) -> io::Result<BookFormat> {
    let (head, text) = peek(bytes, HEAD)?;
    let format = format_of(name, &head)?;
    read(format, &mut BufReader::with_capacity(1 << 16, text))?;
    Ok(format)
}

/// By the name, else by the first bytes.
fn format_of(name: &str, head: &[u8]) -> io::Result<BookFormat> {
    let by_name = format_by_name(name);
    if by_name != Some(BookFormat::Polyglot) {
        check_encoding(head)?;
    }
    Ok(by_name.unwrap_or_else(|| format_by_text(head)))
}

fn format_by_name(name: &str) -> Option<BookFormat> {
    match name.rsplit_once('.')?.1 {
        "epd" | "fen" => Some(BookFormat::Epd),
        "pgn" => Some(BookFormat::Pgn),
        "bin" => Some(BookFormat::Polyglot),
        _ => None,
    }
}

/// Games if the first line that says anything begins like tags or moves, else positions.
fn format_by_text(head: &[u8]) -> BookFormat {
    let first_word = head
        .split(|&byte| byte == b'\n')
        .map(|line| bare(line).trim_ascii())
        .find(|line| !line.is_empty() && !line.starts_with(b"#"))
        .and_then(|line| line.split(u8::is_ascii_whitespace).next())
        .unwrap_or_default();
    let is_move = games::is_move(first_word);
    let is_number =
        first_word.first().is_some_and(u8::is_ascii_digit) && first_word.contains(&b'.');
    match first_word.first() {
        Some(b'[' | b'{' | b'%' | b';' | b'*') => BookFormat::Pgn,
        _ if is_move || is_number => BookFormat::Pgn,
        _ => BookFormat::Epd,
    }
}

/// The index of the only book in an archive, or what was found instead.
fn book_in(archive: &mut ZipArchive<impl Read + Seek>) -> Result<usize, String> {
    let files: Vec<(usize, &str)> = archive
        .file_names()
        .filter(|name| !name.ends_with('/') && !name.starts_with("__MACOSX/"))
        .filter_map(|name| Some((archive.index_for_name(name)?, name)))
        .collect();
    let books: Vec<_> =
        files.iter().filter(|(_, name)| format_by_name(&name.to_lowercase()).is_some()).collect();
    match (&books[..], &files[..]) {
        ([(index, _)], _) | ([], [(index, _)]) => Ok(*index),
        ([], []) => Err("found no file".to_owned()),
        ([], _) => Err(format!("found none among {} files", files.len())),
        (several, _) => {
            const SHOWN: usize = 5;
            let shown = several.iter().take(SHOWN).map(|(_, name)| quote(name.as_bytes()));
            let names: Vec<String> = shown.map(|name| name.trim_matches('\'').to_owned()).collect();
            let more = several.len() - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            Err(format!("found {}{more}", names.join(", ")))
        }
    }
}

/// Hashes whatever is read through it.
struct Hashing<R> {
    inner: R,
    hash: Sha256,
}

impl<R> Hashing<R> {
    fn sha256(&mut self) -> String {
        hex::encode(self.hash.finalize_reset())
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buffer)?;
        self.hash.update(&buffer[..len]);
        Ok(len)
    }
}
