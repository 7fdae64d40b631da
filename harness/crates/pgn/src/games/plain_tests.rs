//! Words read by blocks and one by one: any text comes to the same.

use crate::games::{Extent, GameText};
use crate::{Passing, RandomWords, TextParser};

/// All that is heard of a text but how often moves are told to begin.
#[derive(Debug, PartialEq, Eq, Default)]
struct Heard(Vec<(u64, String)>);

impl Heard {
    fn hear(&mut self, line: u64, what: &str, text: &[u8]) {
        self.0.push((line, format!("{what} {}", text.escape_ascii())));
    }
}

impl GameText for Heard {
    fn tag(&mut self, line: u64, name: &[u8], value: &[u8]) {
        self.hear(line, "tag", name);
        self.hear(line, "value", value);
    }
    fn san(&mut self, line: u64, word: &[u8]) {
        self.hear(line, "move", word);
    }
    fn comment(&mut self, text: &[u8]) {
        self.hear(0, "comment", text);
    }
    fn result(&mut self, line: u64, word: &[u8]) {
        self.hear(line, "result", word);
    }
    fn fail(&mut self, line: u64, expected: &str, found: &[u8]) {
        self.hear(line, expected, found);
    }
    fn finish(&mut self, extent: &Extent) {
        self.hear(extent.first_line(), "end", format!("{extent:?}").as_bytes());
    }
}

/// The text in parts. Blocks are not read at the end of a part, so that a line that is a part of
/// its own, and shorter than a block, is read word by word.
fn heard<'t>(parts: impl Iterator<Item = &'t [u8]>) -> Heard {
    let mut heard = Heard::default();
    let mut parser = TextParser::new(&mut heard, 0, Passing::default());
    parts.for_each(|part| parser.read(part, true));
    parser.finish();
    heard
}

#[test]
fn any_text_is_read_the_same_in_blocks() {
    const PIECES: [&str; 71] = [
        "1. ",
        "1.",
        "12. ",
        "12... ",
        "999.",
        "1000. ",
        "0000 ",
        "0 ",
        "1-0 ",
        "0-1",
        "1/2-1/2 ",
        "0-0 ",
        "0-0-0 ",
        "{ [%eval 0.17] [%clk 0:03:00] } ",
        "{}",
        "{ } ",
        "O-O ",
        "O-O-O+ ",
        "e4 ",
        "e4",
        "Nf3 ",
        "Nbxd7+ ",
        "exd8=Q# ",
        "exd6e.p. ",
        "exd6ep ",
        "e8(Q) ",
        "Qa1xb2+ ",
        "Qa1xb2++ ",
        "Qa1xb2+++ ",
        "e.p. ",
        "N ",
        "N",
        "D ",
        "a ",
        " ",
        "  ",
        ".",
        "! ",
        "!? ",
        "$14 ",
        "{a comment} ",
        "{",
        "} ",
        "(1. d4 ",
        ") ",
        "; rest",
        "* ",
        "± ",
        "e4± ",
        "♘f3 ",
        "\u{a0}",
        "\u{feff}",
        "Z0 ",
        "-- ",
        "resigns ",
        "\t",
        "\0",
        "[Event \"a\"]",
        "[FEN \"b\"]",
        "0–1 ",
        "1–0",
        "12± ",
        "½-½ ",
        "12(",
        "e4(",
        "[",
        "%",
        "=",
        "e4/Nf3 ",
        "+- ",
        "\r",
    ];
    let mut longest = 0;
    for text in 0..4_000 {
        let mut words = RandomWords::new(b"texts at random.", 3, text);
        let mut lines: Vec<Vec<u8>> = Vec::new();
        for _ in 0..1 + words.below(30) {
            let mut line = Vec::new();
            // Mostly plain ones, so that many words are read at once.
            let most = if words.below(3) == 0 { PIECES.len() as u32 } else { 21 };
            for _ in 0..words.below(12) {
                let piece = PIECES[words.below(most) as usize];
                if line.len() + piece.len() < 60 {
                    line.extend_from_slice(piece.as_bytes());
                }
            }
            if words.below(40) == 0 {
                line.push(0x96);
            }
            line.push(b'\n');
            lines.push(line);
        }
        let whole = lines.concat();
        let blocks = heard(std::iter::once(&whole[..]));
        let one_by_one = heard(lines.iter().map(|line| &line[..]));
        assert_eq!(blocks, one_by_one, "{}", whole.escape_ascii());
        longest = longest.max(blocks.0.len());
    }
    assert!(longest > 100, "{longest}: hardly anything was read");
}
