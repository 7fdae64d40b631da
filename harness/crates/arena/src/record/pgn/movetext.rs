//! The moves of a game in SAN, with comments, in lines of the width that PGN asks for.

use itoa::Buffer;
use shakmaty::Color;

use super::{SanMoves, words};
use crate::record::{GameRecord, MoveNote, Score};

/// PGN's export format wants less than 80 columns.
const WIDTH: usize = 79;

/// Bytes of a move with its comment and number, more than usual.
const OF_MOVE: usize = 64;

/// The moves with their comments and the result.
pub(super) fn movetext(game: &GameRecord, moves: &SanMoves) -> String {
    let mut text = Wrapped::new(OF_MOVE * (game.plies as usize + 4));
    let last = game.plies as usize;
    for (ply, (number, turn, san)) in moves.words().enumerate() {
        if turn == Color::White || ply == 0 {
            text.word(|to| {
                push_number(to, number.into());
                to.extend_from_slice(turn.fold_wb(b".", b"..."));
            });
        }
        text.word(|to| to.extend_from_slice(san));
        match ply.checked_sub(game.book_plies as usize) {
            None => text.comment(|to| to.extend_from_slice(b"book")),
            Some(i) => {
                note(&mut text, game.notes.get(i), game.time.moves_us.get(i).copied());
                if let Some(details) = game.details.get(i) {
                    text.comment_words(&details.comment());
                }
            }
        }
        if ply + 1 == last {
            text.end_part();
            text.comment_words(&words::reason(game));
        }
        text.end_comment();
    }
    if last == 0 {
        text.comment_words(&words::reason(game));
        text.end_comment();
    }
    text.word(|to| to.extend_from_slice(game.pgn_result().as_bytes()));
    // All words are UTF-8.
    String::from_utf8(text.text).unwrap_or_default()
}

/// Writes `+0.35/9 0.012s n=5000` into a comment, without what is not known.
fn note(text: &mut Wrapped, note: Option<&MoveNote>, time_us: Option<u64>) {
    if let Some((score, depth)) = note.and_then(|note| Some((note.score?, note.depth))) {
        text.comment(|to| {
            push_score(to, score);
            to.push(b'/');
            push_number(to, depth.into());
        });
    }
    if let Some(us) = time_us {
        text.comment(|to| push_seconds(to, us));
    }
    if let Some(note) = note {
        text.comment(|to| {
            to.extend_from_slice(b"n=");
            push_number(to, note.nodes);
        });
    }
}

fn push_number(to: &mut Vec<u8>, number: u64) {
    to.extend_from_slice(Buffer::new().format(number).as_bytes());
}

/// The last decimal digit.
fn digit(number: u64) -> u8 {
    // Less than 10.
    b'0' + (number % 10) as u8
}

/// Appends microseconds as `0.950s`, cut to milliseconds.
fn push_seconds(to: &mut Vec<u8>, us: u64) {
    push_number(to, us / 1_000_000);
    let ms = us / 1_000;
    to.extend_from_slice(&[b'.', digit(ms / 100), digit(ms / 10), digit(ms), b's']);
}

/// Appends pawns with a sign, or a mate in plies, as fastchess has them: odd for the winner, even for
/// the loser.
fn push_score(to: &mut Vec<u8>, score: Score) {
    match score {
        Score::Cp(cp) => {
            match cp.signum() {
                1 => to.push(b'+'),
                -1 => to.push(b'-'),
                _ => {}
            }
            let size = u64::from(cp.unsigned_abs());
            push_number(to, size / 100);
            to.extend_from_slice(&[b'.', digit(size / 10), digit(size)]);
        }
        Score::Mate(moves) => {
            let is_winner = moves > 0;
            to.extend_from_slice(if is_winner { b"+M" } else { b"-M" });
            push_number(to, 2 * u64::from(moves.unsigned_abs()) - u64::from(is_winner));
        }
    }
}

/// Text in lines of [`WIDTH`], written word by word. Whole games are replayed in the time that a few
/// calls for each byte would take, so words are written as bytes.
struct Wrapped {
    text: Vec<u8>,
    column: usize,
    /// The last space of the line at which it may be broken, and the column after it.
    space: Option<(usize, usize)>,
    is_comment: bool,
    /// Bytes of the next word that continue a character.
    continued: usize,
}

impl Wrapped {
    fn new(bytes: usize) -> Wrapped {
        let text = Vec::with_capacity(bytes);
        Wrapped { text, column: 0, space: None, is_comment: false, continued: 0 }
    }

    /// Appends a word, on a new line where it does not fit. PGN readers skip a line that begins with
    /// a per cent sign. A word that begins with one therefore stays behind the word before it, and
    /// the line is broken before that word.
    fn word(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if self.column > 0 {
            self.text.push(b' ');
            self.column += 1;
        }
        let begin = self.text.len();
        write(&mut self.text);
        if self.column > 0 && self.text.get(begin) != Some(&b'%') {
            self.space = Some((begin - 1, self.column));
        }
        self.grow(begin);
    }

    /// Counts what was appended from `begin` on, and breaks the line if it has become too long.
    fn grow(&mut self, begin: usize) {
        self.column += self.text.len() - begin - std::mem::take(&mut self.continued);
        if let Some((space, column)) = self.space.filter(|_| self.column > WIDTH) {
            self.text[space] = b'\n';
            self.column -= column;
            self.space = None;
        }
    }

    /// Appends a word of a comment, and begins the comment before the first.
    fn comment(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let is_first = !std::mem::replace(&mut self.is_comment, true);
        self.word(|to| {
            if is_first {
                to.push(b'{');
            }
            write(to);
        });
    }

    fn comment_words(&mut self, text: &str) {
        for word in text.split_whitespace() {
            self.continued = word.len() - word.chars().count();
            self.comment(|to| to.extend_from_slice(word.as_bytes()));
        }
    }

    /// Parts what follows in the comment, if there is one, by a comma.
    fn end_part(&mut self) {
        if self.is_comment {
            self.end_word(b',');
        }
    }

    fn end_comment(&mut self) {
        if std::mem::take(&mut self.is_comment) {
            self.end_word(b'}');
        }
    }

    fn end_word(&mut self, sign: u8) {
        let begin = self.text.len();
        self.text.push(sign);
        self.grow(begin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_never_begins_with_a_per_cent_sign() {
        let mut text = Wrapped::new(0);
        let long = "x".repeat(70);
        [&*long, "ab", "%cdefgh", "i"]
            .into_iter()
            .for_each(|word| text.word(|to| to.extend_from_slice(word.as_bytes())));
        assert_eq!(text.text, format!("{long}\nab %cdefgh i").into_bytes());
    }

    #[test]
    fn scores() {
        for (score, expected) in [
            (Score::Cp(35), "+0.35"),
            (Score::Cp(-5), "-0.05"),
            (Score::Cp(0), "0.00"),
            (Score::Cp(-1234), "-12.34"),
            (Score::Cp(i32::MIN), "-21474836.48"),
            (Score::Mate(1), "+M1"),
            (Score::Mate(3), "+M5"),
            (Score::Mate(-2), "-M4"),
            (Score::Mate(0), "-M0"),
            (Score::Mate(i32::MIN), "-M4294967296"),
        ] {
            let mut text = Vec::new();
            push_score(&mut text, score);
            assert_eq!(text, expected.as_bytes());
        }
    }
}
