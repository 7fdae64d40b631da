//! The traffic with an engine, kept for the capsule of a fault: bounded, with times.
//!
//! Of a game too long to be kept whole the beginning and the end stay. Times are those of our
//! reads and writes, one for all lines that came in one read.

use process::terminal::escape::{Number, is_hidden};
use std::time::{Duration, Instant};

use super::lines::backwards;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    ToEngine,
    FromEngine,
}

#[derive(Debug, Clone, Copy)]
struct Record {
    at: Instant,
    way: Direction,
    /// Where its bytes end.
    end: usize,
}

/// A run of records, oldest first.
#[derive(Debug, Default)]
struct TranscriptPart {
    bytes: Vec<u8>,
    records: Vec<Record>,
}

impl TranscriptPart {
    fn push(&mut self, at: Instant, way: Direction, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.records.push(Record { at, way, end: self.bytes.len() });
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
    }

    /// What it takes in memory, so that many tiny reads count as well.
    fn size(&self) -> usize {
        self.bytes.len() + self.records.len() * size_of::<Record>()
    }

    /// Drops the oldest records until it takes `limit` at most; the bytes dropped.
    fn keep_last(&mut self, limit: usize) -> usize {
        let mut size = self.size();
        let (mut count, mut dropped) = (0, 0);
        while let Some(record) = self.records.get(count).filter(|_| size > limit) {
            size -= record.end - dropped + size_of::<Record>();
            dropped = record.end;
            count += 1;
        }
        self.records.drain(..count);
        self.bytes.drain(..dropped);
        for record in &mut self.records {
            record.end -= dropped;
        }
        dropped
    }

    fn iter(&self) -> impl Iterator<Item = (Instant, Direction, &[u8])> {
        let mut start = 0;
        self.records.iter().map(move |record| {
            let bytes = &self.bytes[start..record.end];
            start = record.end;
            (record.at, record.way, bytes)
        })
    }
}

/// The handshake and the current game, in about `limit` bytes of memory at most.
#[derive(Debug)]
pub(super) struct Transcript {
    began: Instant,
    limit: usize,
    /// From the start of the process to the first game.
    handshake: TranscriptPart,
    /// Lines that set the options of the current game, where they differ from game to game.
    options: String,
    pub(super) in_game: bool,
    head: TranscriptPart,
    tail: TranscriptPart,
    elided: usize,
}

impl Transcript {
    pub(super) fn new(limit: usize) -> Transcript {
        Transcript {
            began: Instant::now(),
            limit,
            handshake: TranscriptPart::default(),
            options: String::new(),
            in_game: false,
            head: TranscriptPart::default(),
            tail: TranscriptPart::default(),
            elided: 0,
        }
    }

    /// The lines that set the options of the games to come. What was sent of them stands in another
    /// game's part, and would be lost with it.
    pub(super) fn set_options(&mut self, lines: String) {
        self.options = lines;
    }

    pub(super) fn new_game(&mut self) {
        self.in_game = true;
        self.head.clear();
        self.tail.clear();
        self.elided = 0;
    }

    pub(super) fn push(&mut self, at: Instant, way: Direction, bytes: &[u8]) {
        let size = size_of::<Record>() + bytes.len();
        let fits = |part: &TranscriptPart| part.size() + size <= self.limit / 4;
        let part = if !self.in_game && fits(&self.handshake) {
            &mut self.handshake
        } else if self.tail.records.is_empty() && self.elided == 0 && fits(&self.head) {
            &mut self.head
        } else {
            &mut self.tail
        };
        part.push(at, way, bytes);
        // Halving at a time keeps the cost of a push constant on average.
        if self.tail.size() > self.limit / 2 {
            self.elided += self.tail.keep_last(self.limit / 4);
        }
    }

    /// The last line that came from the engine in this game (or in the handshake).
    pub(super) fn last_answer(&self) -> Option<String> {
        let parts = [&self.tail, &self.head, &self.handshake];
        let records =
            parts.iter().flat_map(|part| part.iter().collect::<Vec<_>>().into_iter().rev());
        let mut answers = records.filter(|(_, way, _)| *way == Direction::FromEngine);
        answers.find_map(|(_, _, bytes)| {
            backwards(bytes).find(|line| !line.trim_ascii().is_empty()).map(quote)
        })
    }

    /// The text for people, as a [`Pen`] writes it.
    pub(super) fn render(&self) -> String {
        let mut out = String::new();
        let mut pen = Pen::default();
        for part in [&self.handshake, &self.head, &self.tail] {
            if std::ptr::eq(part, &self.tail) && self.elided > 0 {
                out += &format!("… {} bytes left out …\n", self.elided);
                pen = Pen::default();
            }
            for (at, way, bytes) in part.iter() {
                pen.write(&mut out, at.saturating_duration_since(self.began), way, bytes);
            }
        }
        out
    }

    /// What was written to the engine, to be fed to it again.
    pub(super) fn sent(&self) -> String {
        let sent = |part: &TranscriptPart| -> String {
            let sent = part.iter().filter(|(_, way, _)| *way == Direction::ToEngine);
            sent.map(|(_, _, bytes)| String::from_utf8_lossy(bytes)).collect()
        };
        [sent(&self.handshake), self.options.clone(), sent(&self.head), sent(&self.tail)].concat()
    }
}

/// Writes traffic for people: a line for a line, seconds since the process began, `>` to the
/// engine, `<` from it, `~` in place of the time where a read began inside a line. What is not
/// UTF-8, and control characters, are written `\xNN`.
#[derive(Debug, Default)]
pub(super) struct Pen {
    /// Whose last line has not ended yet.
    open: Option<Direction>,
}

impl Pen {
    pub(super) fn write(&mut self, out: &mut String, at: Duration, way: Direction, bytes: &[u8]) {
        let sign = if way == Direction::ToEngine { '>' } else { '<' };
        for line in bytes.split_inclusive(|&c| c == b'\n') {
            *out += &match self.open == Some(way) {
                true => format!("{:>12} {sign} ", '~'),
                false => format!("{:12.6} {sign} ", at.as_secs_f64()),
            };
            push_readable(out, line.trim_ascii_end());
            out.push('\n');
            self.open = (!line.ends_with(b"\n")).then_some(way);
        }
    }
}

/// What came from the engine, line by line, of text that a [`Pen`] wrote.
pub(super) fn heard(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.trim_start().split_once(' ')?.1.strip_prefix("< "))
}

/// The last bytes of a stream.
#[derive(Debug)]
pub(super) struct OutputTail {
    bytes: Vec<u8>,
    limit: usize,
    dropped: usize,
}

impl OutputTail {
    pub(super) fn new(limit: usize) -> OutputTail {
        OutputTail { bytes: Vec::new(), limit, dropped: 0 }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > 2 * self.limit {
            let dropped = self.bytes.len() - self.limit;
            self.bytes.drain(..dropped);
            self.dropped += dropped;
        }
    }

    pub(super) fn render(&self) -> String {
        let mut out = String::new();
        if self.dropped > 0 {
            out += &format!("… {} bytes left out …\n", self.dropped);
        }
        for line in self.bytes.split_inclusive(|&c| c == b'\n') {
            push_readable(&mut out, line.trim_ascii_end());
            out.push('\n');
        }
        out
    }

    /// The line that says most, cut for a message: a panic's with its reason (a backtrace may
    /// follow it), else the last one.
    pub(super) fn last_message(&self) -> Option<String> {
        let mut next = None;
        let mut last = None;
        for line in backwards(&self.bytes).filter(|line| !line.trim_ascii().is_empty()) {
            last = last.or(Some(line));
            if memchr::memmem::find(line, b"panicked at").is_some() {
                let reason = next.map_or(String::new(), |reason| format!(" {}", quote(reason)));
                return Some(quote(line) + &reason);
            }
            next = Some(line);
        }
        last.map(quote)
    }
}

/// A line for a message: readable, at most some 200 characters.
pub(super) fn quote(line: &[u8]) -> String {
    let mut out = String::new();
    push_readable(&mut out, &line[..line.len().min(200)]);
    if line.len() > 200 {
        out.push('…');
    }
    out
}

fn push_readable(out: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\t' => out.push(c),
                c if c.is_control() => *out += &format!("\\x{:02x}", u32::from(c)),
                c if is_hidden(c) => *out += &Number(c).to_string(),
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            *out += &format!("\\x{byte:02x}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_times_and_directions() {
        let mut transcript = Transcript::new(4000);
        let at = transcript.began + Duration::from_micros(1_500_001);
        transcript.push(at, Direction::ToEngine, b"position startpos\ngo nodes 1\n");
        transcript.push(at, Direction::FromEngine, b"info string \xff\x07ol\xc3\xa9\r\nbestm");
        transcript.push(at, Direction::FromEngine, b"ove e2e4\n");
        assert_eq!(
            transcript.render(),
            "    1.500001 > position startpos\n    1.500001 > go nodes 1\n    \
             1.500001 < info string \\xff\\x07olé\n    1.500001 < bestm\n           \
             ~ < ove e2e4\n"
        );
        assert_eq!(transcript.sent(), "position startpos\ngo nodes 1\n");
    }

    #[test]
    fn a_long_game_keeps_its_two_ends() {
        let mut transcript = Transcript::new(10_000);
        transcript.push(transcript.began, Direction::ToEngine, b"uci\n");
        transcript.new_game();
        for number in 0..100_000 {
            let line = format!("line {number}\n");
            transcript.push(transcript.began, Direction::FromEngine, line.as_bytes());
            assert!(transcript.tail.size() <= 5000 && transcript.head.size() <= 2500);
        }
        assert!(transcript.tail.size() + transcript.head.size() > 4000);
        let text = transcript.render();
        for part in ["> uci\n", "< line 0\n", "bytes left out", "< line 99999\n"] {
            assert!(text.contains(part), "{part}");
        }
        let kept =
            text.lines().filter(|line| line.contains("< line")).map(|line| line[15..].len() + 1);
        let all: usize = (0..100_000).map(|n| format!("line {n}\n").len()).sum();
        assert_eq!(kept.sum::<usize>() + transcript.elided, all);
        transcript.new_game();
        assert!(!transcript.render().contains("line") && transcript.render().contains("uci"));
    }

    #[test]
    fn a_record_larger_than_the_limit() {
        let mut transcript = Transcript::new(100);
        for _ in 0..10 {
            transcript.push(transcript.began, Direction::FromEngine, &[b'x'; 1000]);
        }
        assert!(transcript.render().len() < 3000);
    }

    #[test]
    fn the_tail_of_a_stream() {
        let mut tail = OutputTail::new(100);
        assert_eq!(tail.last_message(), None);
        for number in 0..1000 {
            tail.push(format!("message {number}\n\n").as_bytes());
        }
        assert_eq!(tail.last_message().unwrap(), "message 999");
        tail.push(b"thread 'main' panicked at a.rs:1:\nno king\n  0: frame\n");
        assert_eq!(tail.last_message().unwrap(), "thread 'main' panicked at a.rs:1: no king");
        assert!(tail.render().len() < 300 && tail.render().starts_with("… "));
        assert_eq!(quote(&[b'a'; 500]).chars().count(), 201);
    }
}
