//! Words of a movetext: where they end, and which of them are moves.
//!
//! Programs and people put signs of evaluation among the moves, outside of comments: `±`, `+/-`,
//! `=`, `N`, `e.p.`. They are passed over like `!?` and `$14`.

use super::characters::{character, characters, is_blank, is_dash, is_foreign_sign};
use super::result::GameResult;
use crate::work::looked_at;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// A move, or what stands in the place of one.
    Move,
    Number,
    Result,
    /// `0-0`: castling, or the result of a game that both players lost.
    Zeros,
    /// Nothing that changes the game.
    Sign,
}

impl Token {
    /// Signs that are letters stand behind moves only: not before the first, nor behind a move
    /// number, where they are the front of a broken move.
    #[inline]
    pub(super) fn of(word: &[u8], is_behind_move: bool) -> Token {
        match word {
            [b'0'..=b'9'] | [b'0'..=b'9', b'0'..=b'9'] => Token::Number,
            [first, second, ..] if is_plain_start(*first, *second) => Token::Move,
            _ => Token::of_unusual(word, is_behind_move),
        }
    }

    #[cold]
    fn of_unusual(word: &[u8], is_behind_move: bool) -> Token {
        looked_at(word.len());
        // Four zeros are UCI's null move.
        if word != b"0000" && word.iter().all(u8::is_ascii_digit) {
            return Token::Number;
        }
        match GameResult::of(word) {
            Some(GameResult::LostByBoth) => return Token::Zeros,
            Some(_) => return Token::Result,
            None => (),
        }
        let is_sign = (is_behind_move && is_letter_sign(word)) || is_sign(word);
        if is_sign { Token::Sign } else { Token::Move }
    }
}

/// Whether a word is a move by its first two bytes already; the second is 0 where there is none.
#[inline]
pub(super) fn is_plain_start(first: u8, second: u8) -> bool {
    PLAIN_FIRST[usize::from(first)] & PLAIN_SECOND[usize::from(second)]
}

static PLAIN_FIRST: [bool; 256] = are_among(b"abcdefghBKNOQR");
static PLAIN_SECOND: [bool; 256] = {
    let mut others = are_among(b"\0p.");
    let mut byte = 0;
    while byte < others.len() {
        others[byte] = !others[byte];
        byte += 1;
    }
    others
};

const fn are_among(bytes: &[u8]) -> [bool; 256] {
    let mut are = [false; 256];
    let mut index = 0;
    while index < bytes.len() {
        are[bytes[index] as usize] = true;
        index += 1;
    }
    are
}

/// Whether a word is a sign that is written in letters: novelty, diagram, en passant.
fn is_letter_sign(word: &[u8]) -> bool {
    matches!(word, b"N" | b"TN" | b"D") || (word[0] == b'e' && without_signs(word).is_empty())
}

/// Where the word at the front of a text ends, which may be a run of signs or blanks beyond ASCII.
#[inline]
pub(super) fn word_end(text: &[u8]) -> usize {
    if text[0] >= 0x80 {
        return foreign_end(text);
    }
    let end = ascii_end(text, 1);
    match text.get(end) {
        None | Some(b' ') => end,
        // exd6e.p. and e8(Q) are whole words.
        Some(b'.') if text[end - 1] == b'e' && text.get(end + 1) == Some(&b'p') => {
            ascii_end(text, end + 1)
        }
        Some(b'(')
            if matches!(text[..end], [.., b'a'..=b'h', b'1' | b'8'])
                && matches!(text[end..], [b'(', b'N' | b'B' | b'R' | b'Q', b')', ..]) =>
        {
            ascii_end(text, end + 3)
        }
        Some(0x80..) => foreign_end(text),
        Some(_) => end,
    }
}

/// The first byte from `from` on that ends a word or is not of ASCII.
#[inline]
fn ascii_end(text: &[u8], from: usize) -> usize {
    let end = text[from..].iter().position(|&byte| ASCII_ENDS[usize::from(byte)]);
    let end = end.map_or(text.len(), |end| from + end);
    looked_at(end - from);
    end
}

/// The end of a word that has characters beyond ASCII: of blanks, of signs, or of all else.
#[cold]
fn foreign_end(text: &[u8]) -> usize {
    let run = |from: usize, is_in: fn(char) -> bool| {
        let mut end = from;
        while end < text.len() && text[end] >= 0x80 {
            let (character, len) = character(&text[end..]);
            if !is_in(character) {
                break;
            }
            end += len;
        }
        looked_at(end - from);
        end
    };
    let blanks = run(0, is_blank);
    if blanks > 0 {
        return blanks;
    }
    let signs = run(0, is_foreign_sign);
    // A sign directly before a move (±Nf3) is part of the word, which is then no move.
    if signs > 0 && text.get(signs).is_none_or(|byte| !byte.is_ascii_alphanumeric()) {
        return signs;
    }
    // No word is empty, even where a bracket without a tag stands at its front.
    let mut end = if text[0] < 0x80 { 1 } else { signs };
    loop {
        let next = run(ascii_end(text, end), |c| !is_blank(c) && !is_foreign_sign(c));
        if next == end {
            return end;
        }
        end = next;
    }
}

/// Whether signs like `+/-` are made of it.
fn is_ascii_sign(byte: u8) -> bool {
    matches!(
        byte,
        b'+' | b'=' | b'/' | b'#' | b'\\' | b'~' | b'<' | b'>' | b'|' | b'^' | b'_' | b'&'
    )
}

/// Whether a word is but signs and blanks. Dashes alone are null moves; `/\` leads to another move.
fn is_sign(word: &[u8]) -> bool {
    let is_part = |c: char| {
        is_dash(c) || is_blank(c) || is_foreign_sign(c) || u8::try_from(c).is_ok_and(is_ascii_sign)
    };
    characters(word).all(is_part) && !characters(word).all(is_dash) && !word.starts_with(b"/\\")
}

/// A move without the signs at its end: of check, of evaluation, of a capture en passant.
pub(super) fn without_signs(word: &[u8]) -> &[u8] {
    let mut text = word;
    loop {
        let is_sign = |byte: &&u8| **byte == b'-' || is_ascii_sign(**byte);
        let signs = text.iter().rev().take_while(is_sign).count();
        let (bare, signs) = text.split_at(text.len() - signs);
        if signs.iter().any(|&sign| sign != b'-') {
            text = bare;
            continue;
        }
        match text {
            [bare @ .., b'e', b'p'] | [bare @ .., b'e', b'.', b'p'] => text = bare,
            _ => return text,
        }
    }
}

/// The bytes that end a word.
static WORD_ENDS: [bool; 256] = ends(256);
/// The same and all bytes beyond ASCII.
pub(super) static ASCII_ENDS: [bool; 256] = ends(0x80);

/// The bytes with which more than a move may begin or go on. Every result has one of `-`, `/` and
/// bytes beyond ASCII.
pub(super) static LOUD: [bool; 256] = {
    let mut loud = are_among(b"{()*;$-/[");
    let mut byte = 0x80;
    while byte < loud.len() {
        loud[byte] = true;
        byte += 1;
    }
    loud
};

/// The bytes that end a word, and all from one on.
const fn ends(all_from: usize) -> [bool; 256] {
    let mut ends = are_among(b" \t\n\r\x0c{}();!?$.*[\0");
    let mut byte = all_from;
    while byte < ends.len() {
        ends[byte] = true;
        byte += 1;
    }
    ends
}

#[inline]
pub(super) fn is_word_end(byte: u8) -> bool {
    WORD_ENDS[usize::from(byte)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a line, each with what it is; the blanks between them are passed over.
    fn words(line: &[u8]) -> Vec<(String, Token)> {
        let mut found = Vec::new();
        let (mut at, mut is_behind_number) = (0, false);
        while at < line.len() {
            if is_word_end(line[at]) {
                at += 1;
                continue;
            }
            let end = at + word_end(&line[at..]);
            let word = &line[at..end];
            let text = characters(word).filter(|c| !is_blank(*c)).collect::<String>();
            if !text.is_empty() {
                let what = Token::of(word, !is_behind_number);
                is_behind_number = what == Token::Number;
                found.push((text, what));
            }
            at = end;
        }
        found
    }

    fn all_are(what: Token, line: &[u8]) {
        let words = words(line);
        assert!(!words.is_empty());
        assert!(words.iter().all(|(_, found)| *found == what), "{what:?}: {words:?}");
    }

    #[test]
    fn signs_are_no_moves() {
        let signs = "± ∓ ⩲ ⩱ ∞ = += =+ +/- -/+ +- -+ +/= =/+ =/∞ ∞/= +− −+ +-- --+ ++ + # □ ☐ † ‡ \
                     ⊕ ⇆ ↑ → ○ ⊙ ~ ~= \\ <= -> … « » N TN D ep e.p e.p. ep+=";
        all_are(Token::Sign, format!("e4 {signs}").split_once(' ').unwrap().1.as_bytes());
        // In Latin-1 and in Windows' code.
        all_are(Token::Sign, b"\xb1 \x86 \x87 +\x96 \x96+");
    }

    #[test]
    fn moves_are_no_signs() {
        all_are(
            Token::Move,
            "e4 Nf3 Ng1-f3 g1f3 O-O o-o 0-0-0 Z0 -- – 0000 ♘f3 ♘ R×e4 b8(Q) bxa1(N) \
            exd6e.p exd6ep d8/Q Pe4 Sf3 N+ ±Nf3 =Nf3 /\\ △ ⌓ é \u{fffd}f3 \u{e010}f3"
                .as_bytes(),
        );
        all_are(Token::Number, b"1 12 123 1234. 000");
        all_are(Token::Result, "1-0 0-1 1/2-1/2 1/2 ½-½ ½ 1–0 0—1 1:0".as_bytes());
        all_are(Token::Result, b"\xbd-\xbd 1\x960");
        all_are(Token::Zeros, "0-0 0–0".as_bytes());
    }

    #[test]
    fn letters_behind_a_number_are_broken_moves() {
        for line in ["1. N", "1.N", "12... D", "3 N"] {
            let last = words(line.as_bytes()).pop();
            assert_eq!(last.map(|(_, what)| what), Some(Token::Move), "{line}");
        }
        assert_eq!(Token::of(b"N", false), Token::Move, "nor before the first move");
    }

    #[test]
    fn words_end_where_signs_and_blanks_begin() {
        let parts = |line: &[u8]| words(line).into_iter().map(|(word, _)| word).collect::<Vec<_>>();
        assert_eq!(parts("Bd6±".as_bytes()), ["Bd6", "±"]);
        assert_eq!(parts(b"Bd6\xb1 e4"), ["Bd6", "±", "e4"]);
        assert_eq!(parts("e4\u{a0}e5\u{feff}Nf3".as_bytes()), ["e4", "e5", "Nf3"]);
        assert_eq!(parts("1-0\u{feff}".as_bytes()), ["1-0"]);
        assert_eq!(parts(b"exd6e.p.+ e8(Q)+ Ne8(Q"), ["exd6e.p", "+", "e8(Q)+", "Ne8", "Q"]);
    }

    /// Who reads on behind a word must get on.
    #[test]
    fn no_word_is_empty() {
        for first in 0..=u8::MAX {
            for rest in ["", "é", "±", "\u{feff}", "e4", "]"].map(str::as_bytes) {
                let text = [&[first], rest].concat();
                assert!((1..=text.len()).contains(&word_end(&text)), "{text:?}");
            }
        }
    }
}
