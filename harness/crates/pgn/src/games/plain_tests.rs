//! Words read by blocks and one by one: any text comes to the same.

use crate::games::{Extent, GameText};
use crate::work::one_by_one;
use crate::{Passing, RandomWords, TextParser};

/// All that is heard of a text but how often moves are told to begin.
#[derive(Debug, PartialEq, Eq)]
struct Heard {
    heard: Vec<(u64, String)>,
    wants_moves: bool,
}

impl Heard {
    fn hear(&mut self, line: u64, what: &str, text: &[u8]) {
        self.heard.push((line, format!("{what} {}", text.escape_ascii())));
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
    fn wants_moves(&self) -> bool {
        self.wants_moves
    }
}

fn heard(text: &[u8], wants_moves: bool) -> Heard {
    let mut heard = Heard { heard: Vec::new(), wants_moves };
    let mut parser = TextParser::new(&mut heard, 0, Passing::default());
    parser.read(text, true);
    parser.finish();
    heard
}

#[test]
fn any_text_is_read_the_same_in_blocks() {
    const PIECES: [&str; 74] = [
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
        "{ A long comment of 12 words, with 1. e4 in it; it goes on beyond a whole block } ",
        "{[%clk 0:03:00]}",
        "} e4 1-0",
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
        let mut whole = Vec::new();
        // Lines within a block, and long ones.
        let longest_line = [60, 300][text as usize % 2];
        for _ in 0..1 + words.below(30) {
            let mut line = Vec::new();
            // Mostly plain ones, so that many words are read at once.
            let most = if words.below(3) == 0 { PIECES.len() as u32 } else { 23 };
            for _ in 0..words.below(longest_line / 5) {
                let piece = PIECES[words.below(most) as usize];
                if line.len() + piece.len() < longest_line as usize {
                    line.extend_from_slice(piece.as_bytes());
                }
            }
            if words.below(40) == 0 {
                line.push(0x96);
            }
            line.push(b'\n');
            whole.extend(line);
        }
        for wants_moves in [true, false] {
            let blocks = heard(&whole, wants_moves);
            let expected = one_by_one(|| heard(&whole, wants_moves));
            assert_eq!(blocks, expected, "{}", whole.escape_ascii());
            longest = longest.max(blocks.heard.len());
        }
    }
    assert!(longest > 100, "{longest}: hardly anything was read");
}
