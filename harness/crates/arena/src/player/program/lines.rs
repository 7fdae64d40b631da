//! Lines out of a stream of bytes, in one buffer of fixed size.
//!
//! Lines that were handed out stay in the buffer until room is needed, so that what an engine
//! said during a move can be read backwards from its end, and only as far as necessary.

use std::ops::Range;

/// Longer lines are skipped; the longest honest ones, principal variations, have some 2 KiB.
const CAPACITY: usize = 16 * 1024;

/// The buffer: `oldest..next` are lines already handed out, `next..end` what came after them.
#[derive(Debug)]
pub(crate) struct LineBuffer {
    bytes: Box<[u8]>,
    oldest: usize,
    next: usize,
    end: usize,
    /// Up to here no line end was found.
    searched: usize,
    /// The start of the current line was thrown away; so is the rest of it.
    skipping: bool,
}

impl LineBuffer {
    pub(crate) fn new() -> LineBuffer {
        let bytes = vec![0; CAPACITY].into_boxed_slice();
        LineBuffer { bytes, oldest: 0, next: 0, end: 0, searched: 0, skipping: false }
    }

    /// Where the next bytes go; never empty. If lines handed out have to make room for them,
    /// `retire` sees these first.
    pub(crate) fn space(&mut self, retire: impl FnOnce(&[u8])) -> &mut [u8] {
        if self.end == self.bytes.len() {
            if self.next == 0 {
                // One line fills it all.
                self.skipping = true;
                (self.end, self.searched) = (0, 0);
            } else {
                retire(&self.bytes[self.oldest..self.next]);
                self.bytes.copy_within(self.next..self.end, 0);
                self.end -= self.next;
                self.searched -= self.next;
                (self.oldest, self.next) = (0, 0);
            }
        }
        &mut self.bytes[self.end..]
    }

    /// Takes in `count` bytes that were written into [`LineBuffer::space`]; gives them back to look at.
    pub(crate) fn filled(&mut self, count: usize) -> &[u8] {
        let start = self.end;
        self.end += count;
        &self.bytes[start..self.end]
    }

    /// The next complete line, without its end (`\n` or `\r\n`).
    pub(crate) fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let found = memchr::memchr(b'\n', &self.bytes[self.searched..self.end]);
            let Some(length) = found else {
                self.searched = self.end;
                return None;
            };
            let line = self.next..self.searched + length;
            self.next = line.end + 1;
            self.searched = self.next;
            if self.skipping {
                self.skipping = false;
                self.oldest = self.next;
                continue;
            }
            let text = trim_end(&self.bytes[line.clone()]);
            return Some(line.start..line.start + text.len());
        }
    }

    pub(crate) fn get(&self, line: Range<usize>) -> &[u8] {
        &self.bytes[line]
    }

    /// Everything handed out since [`LineBuffer::forget`] (or retired), the last line included.
    pub(crate) fn handed_out(&self) -> &[u8] {
        &self.bytes[self.oldest..self.next]
    }

    pub(crate) fn forget(&mut self) {
        self.oldest = self.next;
        if self.next == self.end {
            (self.oldest, self.next, self.end, self.searched) = (0, 0, 0, 0);
        }
    }
}

/// The lines of `bytes` from the last to the first, without their ends.
pub(crate) fn backwards(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let mut rest = (!bytes.is_empty()).then_some(bytes);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let line = match memchr::memrchr(b'\n', bytes) {
            Some(end) => {
                rest = Some(&bytes[..end]);
                &bytes[end + 1..]
            }
            None => rest.take()?,
        };
        Some(trim_end(line))
    })
}

fn trim_end(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds `text` in chunks of `chunk` bytes; the lines that come out.
    fn lines_of(text: &[u8], chunk: usize) -> Vec<Vec<u8>> {
        let mut lines = LineBuffer::new();
        let mut out = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let space = lines.space(|_| ());
            let count = chunk.min(space.len()).min(rest.len());
            space[..count].copy_from_slice(&rest[..count]);
            lines.filled(count);
            rest = &rest[count..];
            while let Some(line) = lines.next() {
                out.push(lines.get(line).to_vec());
            }
        }
        out
    }

    #[test]
    fn lines_survive_any_cut_into_chunks() {
        let text = b"uciok\r\n\ninfo depth 1\n\r\nbestmove e2e4\nhalf";
        for chunk in 1..text.len() + 1 {
            let expected: Vec<&[u8]> = vec![b"uciok", b"", b"info depth 1", b"", b"bestmove e2e4"];
            assert_eq!(lines_of(text, chunk), expected, "chunk {chunk}");
        }
    }

    #[test]
    fn many_lines_and_overlong_lines() {
        for length in [1, 100, CAPACITY - 1, CAPACITY, CAPACITY + 1, 5 * CAPACITY] {
            let mut text = b"first\n".to_vec();
            text.extend(std::iter::repeat_n(b'x', length));
            text.extend(b"\nlast\n");
            let lines = lines_of(&text, 4000);
            assert_eq!(lines.first().unwrap(), b"first", "{length}");
            assert_eq!(lines.last().unwrap(), b"last", "{length}");
            assert_eq!(lines.len(), if length < CAPACITY { 3 } else { 2 }, "{length}");
        }
        let text = b"info depth 1 score cp 3 pv e2e4\n".repeat(10_000);
        assert_eq!(lines_of(&text, 777).len(), 10_000);
    }

    #[test]
    fn half_a_line_outlives_the_lines_before_it() {
        let mut lines = LineBuffer::new();
        let space = lines.space(|_| ());
        space.fill(b'x');
        space[CAPACITY - 10] = b'\n';
        lines.filled(CAPACITY);
        assert_eq!(lines.next(), Some(0..CAPACITY - 10));
        lines.forget();
        lines.space(|lines| assert!(lines.is_empty()))[0] = b'\n';
        lines.filled(1);
        let line = lines.next().unwrap();
        assert_eq!(lines.get(line), b"xxxxxxxxx");
    }

    #[test]
    fn retired_lines_are_shown_once_and_whole() {
        let mut lines = LineBuffer::new();
        let mut seen = Vec::new();
        let mut fed = Vec::new();
        for number in 0..5000 {
            let text = format!("line {number}\n").into_bytes();
            let mut rest = text.as_slice();
            while !rest.is_empty() {
                let space = lines.space(|retired| seen.extend_from_slice(retired));
                let count = space.len().min(rest.len());
                space[..count].copy_from_slice(&rest[..count]);
                lines.filled(count);
                while lines.next().is_some() {}
                rest = &rest[count..];
            }
            fed.extend(text);
        }
        seen.extend_from_slice(lines.handed_out());
        assert_eq!(seen, fed);
    }

    #[test]
    fn lines_from_the_end() {
        let lines: Vec<_> = backwards(b"a\r\n\nb\nc\n").collect();
        assert_eq!(lines, [b"c".as_slice(), b"b", b"", b"a"]);
        assert_eq!(backwards(b"").count(), 0);
        assert_eq!(backwards(b"\n").count(), 0);
    }
}
