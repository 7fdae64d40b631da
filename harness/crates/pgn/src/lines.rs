//! The lines of a text, with their numbers and offsets.

use std::io::{self, BufRead};

/// Lines of so many bytes, with their ends, are not read, so that a wrong file does not fill
/// memory.
pub const LONGEST_LINE: usize = 4 << 20;
/// The byte-order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug, Clone, Copy)]
pub struct Line<'t> {
    /// Counted from 1.
    pub number: u64,
    /// The offset of its first byte in the text, from 0.
    pub offset: u64,
    /// Without line end and byte-order mark; of a longer line, the first [`LONGEST_LINE`].
    pub bytes: &'t [u8],
}

pub struct Lines<'a> {
    text: &'a mut dyn BufRead,
    line: Vec<u8>,
    /// Lines so far.
    number: u64,
    /// Where the next one begins.
    offset: u64,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a mut dyn BufRead) -> Lines<'a> {
        Lines::from(1, 0, text)
    }

    /// Those of a text that begins with this line, at this offset.
    pub(super) fn from(number: u64, offset: u64, text: &'a mut dyn BufRead) -> Lines<'a> {
        Lines { text, line: Vec::new(), number: number.saturating_sub(1), offset }
    }

    /// Hands over all lines, each with the text that it begins, as far as that is in memory. Nothing
    /// is copied but lines that the reader has in two parts.
    pub(super) fn for_each(&mut self, mut take: impl FnMut(Line<'_>, &[u8])) -> io::Result<()> {
        loop {
            let buffer = match self.text.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let mut at = 0;
            while let Some(len) = memchr::memchr(b'\n', &buffer[at..]).map(|end| end + 1) {
                self.number += 1;
                let (number, offset, bytes) =
                    (self.number, self.offset, bare(&buffer[at..at + len]));
                take(Line { number, offset, bytes }, &buffer[at..]);
                self.offset += len as u64;
                at += len;
            }
            self.text.consume(at);
            if at == 0 {
                let Some(line) = self.next_line()? else { return Ok(()) };
                take(line, line.bytes);
            }
        }
    }

    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let most = LONGEST_LINE as u64;
        let mut len =
            io::Read::take(&mut *self.text, most).read_until(b'\n', &mut self.line)? as u64;
        if len == 0 {
            return Ok(None);
        }
        if len == most && self.line.last() != Some(&b'\n') {
            len += self.text.skip_until(b'\n')? as u64;
        }
        self.number += 1;
        let offset = self.offset;
        self.offset += len;
        Ok(Some(Line { number: self.number, offset, bytes: bare(&self.line) }))
    }
}

/// A line without its end, and without the byte-order mark that files which were put together have
/// in their midst, too. One that is too long stays so, but is cut.
#[inline]
pub(super) fn bare(line: &[u8]) -> &[u8] {
    if let Some((front, _)) = line.split_at_checked(LONGEST_LINE) {
        return front;
    }
    let bytes = line.strip_prefix(MARK).unwrap_or(line);
    match bytes {
        [bare @ .., b'\r', b'\n'] | [bare @ .., b'\n' | b'\r'] => bare,
        _ => bytes,
    }
}

/// What a line of a book of positions has, blanks around it taken away: nothing if it is blank or
/// a comment; several positions where files were joined whose last line had no end, at the
/// byte-order mark. A line that is too long is one bad position.
pub fn positions_on(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(line);
    let parts = std::iter::from_fn(move || {
        let part = rest.take()?;
        if part.len() >= LONGEST_LINE {
            return Some(part);
        }
        let mark = memchr::memchr(MARK[0], part).and_then(|_| memchr::memmem::find(part, MARK));
        rest = mark.map(|mark| &part[mark + MARK.len()..]);
        Some(part[..mark.unwrap_or(part.len())].trim_ascii())
    });
    parts.filter(|text| !text.is_empty() && !text.starts_with(b"#"))
}
