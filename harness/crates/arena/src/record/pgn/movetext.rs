//! The moves of a game in SAN, with comments, in lines of the width that PGN asks for.

use itoa::Buffer;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position};

use super::words;
use crate::record::details::{push_padded, push_seconds};
use crate::record::{GameRecord, MoveNote, Score};
use pgn::{move_of, push_san};

/// PGN's export format wants less than 80 columns.
const WIDTH: usize = 79;

pub(super) struct StartPosition {
    position: Chess,
    pub(super) is_usual: bool,
    /// Whether its castling rights exist in Chess960 only.
    pub(super) is_chess960: bool,
}

impl StartPosition {
    pub(super) fn of(game: &GameRecord) -> Result<StartPosition, String> {
        let position = game.start()?;
        let usual = Chess::default();
        Ok(StartPosition {
            // Equality of positions leaves the move counters out.
            is_usual: position == usual
                && position.halfmoves() == usual.halfmoves()
                && position.fullmoves() == usual.fullmoves(),
            is_chess960: position.castles().mode().is_chess960(),
            position,
        })
    }
}

/// Appends the moves with their comments and the result. The error names the ply that is not legal;
/// then a part of them is appended.
pub(super) fn movetext(
    out: &mut String,
    game: &GameRecord,
    start: &StartPosition,
) -> Result<(), String> {
    let mut text = Wrapped::new(out);
    let mut position = start.position.clone();
    let last = game.plies as usize;
    for (ply, uci) in game.moves.split_ascii_whitespace().enumerate() {
        let mv = uci
            .parse::<UciMove>()
            .ok()
            .and_then(|uci| move_of(&position, uci).ok())
            .ok_or_else(|| format!("ply {}: expected a legal move, found {uci:?}", ply + 1))?;
        let (number, is_white) = (position.fullmoves().get(), position.turn() == Color::White);
        if is_white || ply == 0 {
            text.word(|to| {
                to.push_str(Buffer::new().format(number));
                to.push_str(if is_white { "." } else { "..." });
            });
        }
        text.word(|to| push_san(to, &mut position, mv));
        match ply.checked_sub(game.book_plies as usize) {
            None => text.comment(|to| to.push_str("book")),
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
    text.word(|to| to.push_str(game.pgn_result()));
    Ok(())
}

/// Writes `+0.35/9 0.012s n=5000` into a comment, without what is not known.
fn note(text: &mut Wrapped<'_>, note: Option<&MoveNote>, time_us: Option<u64>) {
    if let Some((score, depth)) = note.and_then(|note| Some((note.score?, note.depth))) {
        text.comment(|to| {
            push_score(to, score);
            to.push('/');
            to.push_str(Buffer::new().format(depth));
        });
    }
    if let Some(us) = time_us {
        text.comment(|to| push_seconds(to, us));
    }
    if let Some(note) = note {
        text.comment(|to| {
            to.push_str("n=");
            to.push_str(Buffer::new().format(note.nodes));
        });
    }
}

/// Appends pawns with a sign, or a mate in plies, as fastchess has them: odd for the winner, even for
/// the loser.
fn push_score(to: &mut String, score: Score) {
    match score {
        Score::Cp(cp) => {
            to.push_str(match cp.signum() {
                1 => "+",
                -1 => "-",
                _ => "",
            });
            to.push_str(Buffer::new().format(cp.unsigned_abs() / 100));
            to.push('.');
            push_padded(to, u64::from(cp.unsigned_abs() % 100), 2);
        }
        Score::Mate(moves) => {
            let is_winner = moves > 0;
            to.push_str(if is_winner { "+M" } else { "-M" });
            let plies = 2 * u64::from(moves.unsigned_abs()) - u64::from(is_winner);
            to.push_str(Buffer::new().format(plies));
        }
    }
}

/// Text in lines of [`WIDTH`], written word by word.
struct Wrapped<'a> {
    text: &'a mut String,
    column: usize,
    /// The last space of the line at which it may be broken, and the column after it.
    space: Option<(usize, usize)>,
    is_comment: bool,
}

impl Wrapped<'_> {
    fn new(text: &mut String) -> Wrapped<'_> {
        Wrapped { text, column: 0, space: None, is_comment: false }
    }

    /// Appends a word, on a new line where it does not fit. PGN readers skip a line that begins with
    /// a per cent sign. A word that begins with one therefore stays behind the word before it, and
    /// the line is broken before that word.
    fn word(&mut self, write: impl FnOnce(&mut String)) {
        if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        let begin = self.text.len();
        write(self.text);
        if self.column > 0 && !self.text[begin..].starts_with('%') {
            self.space = Some((begin - 1, self.column));
        }
        self.grow(begin);
    }

    /// Counts what was appended from `begin` on, and breaks the line if it has become too long.
    fn grow(&mut self, begin: usize) {
        let new = &self.text[begin..];
        self.column += if new.is_ascii() { new.len() } else { new.chars().count() };
        if let Some((space, column)) = self.space.filter(|_| self.column > WIDTH) {
            self.text.replace_range(space..=space, "\n");
            self.column -= column;
            self.space = None;
        }
    }

    /// Appends a word of a comment, and begins the comment before the first.
    fn comment(&mut self, write: impl FnOnce(&mut String)) {
        let is_first = !std::mem::replace(&mut self.is_comment, true);
        self.word(|to| {
            if is_first {
                to.push('{');
            }
            write(to);
        });
    }

    fn comment_words(&mut self, text: &str) {
        text.split_whitespace().for_each(|word| self.comment(|to| to.push_str(word)));
    }

    /// Parts what follows in the comment, if there is one, by a comma.
    fn end_part(&mut self) {
        if self.is_comment {
            self.end_word(',');
        }
    }

    fn end_comment(&mut self) {
        if std::mem::take(&mut self.is_comment) {
            self.end_word('}');
        }
    }

    fn end_word(&mut self, sign: char) {
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
        let mut out = String::new();
        let mut text = Wrapped::new(&mut out);
        let long = "x".repeat(70);
        [&*long, "ab", "%cdefgh", "i"]
            .into_iter()
            .for_each(|word| text.word(|to| to.push_str(word)));
        assert_eq!(out, format!("{long}\nab %cdefgh i"));
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
            let mut text = String::new();
            push_score(&mut text, score);
            assert_eq!(text, expected);
        }
    }
}
