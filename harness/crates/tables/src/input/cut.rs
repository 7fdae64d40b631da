//! Where a text is cut: where a game begins. A piece without such a place within reach is open: its
//! reader reads on in the next.

use process::files::ReadAt as _;
use std::fs::File;
use std::io::{self, Read};

use memchr::memmem;

use pgn::{LONGEST_LINE, begins_game};

/// Least bytes of a piece, except a text's last.
pub(super) const PIECE: usize = 1 << 20;
/// How far behind `PIECE` to look for the beginning of a game; without one, the text is cut at the
/// end of a line, or within a line too long to be read.
const FAR: usize = LONGEST_LINE;
/// Bytes read at once in search of a cut.
const WINDOW: usize = 16 << 10;
/// Bytes before a place that are needed to judge it.
const CONTEXT: usize = 8 << 10;

fn find_game(text: &[u8], from: usize) -> Option<usize> {
    let begin = from.saturating_sub(1);
    memmem::find_iter(&text[begin..], b"\n[Event \"")
        .map(|end| begin + end + 1)
        .find(|&place| begins_game(text, place))
}

/// Where to cut when no game begins within reach: behind the last line end after `from`, else at
/// the end.
fn cut_anyway(text: &[u8], from: usize) -> usize {
    memchr::memrchr(b'\n', &text[from..]).map_or(text.len(), |end| from + end + 1)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// Exclusive.
    pub(super) end: u64,
    /// No game begins there, nor does the text end: the last game may go on.
    pub(super) is_open: bool,
}

pub(super) struct StreamCutter<R> {
    reader: R,
    /// Read and not yet handed out.
    buffer: Vec<u8>,
    /// Offset of the buffer in the text.
    offset: u64,
    ended: bool,
}

impl<R: Read> StreamCutter<R> {
    pub(super) fn new(reader: R) -> StreamCutter<R> {
        StreamCutter { reader, buffer: Vec::new(), offset: 0, ended: false }
    }

    /// Skips what an earlier run has read.
    pub(super) fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.reader.by_ref().take(bytes), &mut io::sink())?;
        self.offset = skipped;
        if skipped < bytes {
            let why = format!("expected at least {bytes} bytes as before, found {skipped}");
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, why));
        }
        Ok(())
    }

    /// The next piece and its text; `None` at the end. Before an error, the piece read so far comes
    /// first.
    pub(super) fn next(&mut self) -> io::Result<Option<(Cut, Vec<u8>)>> {
        let mut searched = PIECE;
        let mut is_open = false;
        let cut = loop {
            if self.buffer.len() > searched {
                if let Some(cut) = find_game(&self.buffer, searched) {
                    break cut;
                }
                if self.buffer.len() >= PIECE + FAR {
                    is_open = true;
                    break cut_anyway(&self.buffer[..PIECE + FAR], PIECE);
                }
                // A first tag may be there in part.
                searched = (self.buffer.len() - 8).max(PIECE);
            }
            if self.ended {
                break self.buffer.len();
            }
            self.fill()?;
        };
        if cut == 0 {
            return Ok(None);
        }
        let rest = self.buffer.split_off(cut);
        let piece = std::mem::replace(&mut self.buffer, rest);
        self.offset += piece.len() as u64;
        Ok(Some((Cut { end: self.offset, is_open }, piece)))
    }

    /// What was read of the piece at which an error came.
    pub(super) fn rest(self) -> (Cut, Vec<u8>) {
        (Cut { end: self.offset + self.buffer.len() as u64, is_open: false }, self.buffer)
    }

    fn fill(&mut self) -> io::Result<()> {
        let len = self.buffer.len();
        let more = if len < PIECE { PIECE + WINDOW - len } else { WINDOW };
        let more = more.min(PIECE + FAR - len.min(PIECE + FAR)).max(1);
        self.buffer.reserve(more);
        let read = self.reader.by_ref().take(more as u64).read_to_end(&mut self.buffer)?;
        self.ended = read < more;
        Ok(())
    }
}

/// Where the piece of a file ends that begins at `begin`.
pub(super) fn piece_end(file: &File, begin: u64, len: u64) -> io::Result<Cut> {
    let closed = |end| Ok(Cut { end, is_open: false });
    let from = begin + PIECE as u64;
    if from >= len {
        return closed(len);
    }
    let base = from.saturating_sub(CONTEXT as u64);
    let context = (from - base) as usize;
    let mut text = Vec::new();
    let mut searched = context;
    loop {
        let filled = text.len();
        let most = ((len - base) as usize).min(context + FAR);
        let end = (filled + context + WINDOW).min(most);
        text.resize(end, 0);
        file.read_exact_at(&mut text[filled..], base + filled as u64)?;
        if let Some(cut) = find_game(&text, searched) {
            return closed(base + cut as u64);
        }
        if end == context + FAR {
            return Ok(Cut { end: base + cut_anyway(&text, context) as u64, is_open: true });
        }
        if end == most {
            return closed(len);
        }
        searched = (end - 8).max(context);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn stream(text: &[u8]) -> Vec<Cut> {
        let mut cutter = StreamCutter::new(text);
        let mut cuts = Vec::new();
        let mut whole = Vec::new();
        while let Some((cut, piece)) = cutter.next().expect("memory") {
            whole.extend_from_slice(&piece);
            assert_eq!(cut.end, whole.len() as u64);
            cuts.push(cut);
        }
        assert!(whole == text);
        cuts
    }

    fn file(text: &[u8]) -> Vec<Cut> {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(text).expect("written");
        let (mut cuts, len, mut begin) = (Vec::new(), text.len() as u64, 0);
        while begin < len {
            let cut = piece_end(&file, begin, len).expect("read");
            begin = cut.end;
            cuts.push(cut);
        }
        cuts
    }

    /// The same cuts of a stream and a file.
    fn agree(text: &[u8]) -> Vec<Cut> {
        let cuts = stream(text);
        assert_eq!(cuts, file(text));
        cuts
    }

    #[test]
    fn pieces_end_where_games_begin() {
        let game = b"[Event \"x\"]\n[Site \"y\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n";
        let text = game.repeat(5 * PIECE / 2 / game.len());
        let cuts = agree(&text);
        assert_eq!(cuts.len(), 3);
        for cut in &cuts[..2] {
            assert_eq!((cut.end as usize % game.len(), cut.is_open), (0, false));
            assert!(text[cut.end as usize..].starts_with(b"[Event"));
        }
        for len in [0, 1, PIECE - 1, PIECE, PIECE + 1, PIECE + WINDOW, 2 * PIECE] {
            agree(&text[..len]);
        }
    }

    #[test]
    fn texts_without_first_tags_are_open() {
        let cuts = agree(&vec![b'x'; PIECE + FAR + 5]);
        assert_eq!(cuts.iter().map(|cut| cut.is_open).collect::<Vec<_>>(), [true, false]);
        for text in ["no game at all\n", "[White \"x\"]\n\n1. e4 *\n\n"] {
            let lines = text.as_bytes().repeat(2 * FAR / text.len());
            let cuts = agree(&lines);
            let (last, open) = cuts.split_last().expect("pieces");
            assert!(!last.is_open && !open.is_empty());
            for cut in open {
                assert!(cut.is_open && lines[cut.end as usize - 1] == b'\n');
            }
        }
    }
}
