//! The moves of a game in SAN, with comments, in lines of the width that PGN asks for.

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position};

use super::words;
use crate::record::details::seconds;
use crate::record::{GameRecord, MoveDetails, MoveNote, Score};

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

/// The moves with their comments and the result; the error names the ply that is not legal.
pub(super) fn movetext(game: &GameRecord, start: &StartPosition) -> Result<String, String> {
    let mut text = Wrapped::default();
    let mut position = start.position.clone();
    let last = game.plies as usize;
    for (ply, uci) in game.moves.split_ascii_whitespace().enumerate() {
        let mv = uci
            .parse::<UciMove>()
            .ok()
            .and_then(|uci| uci.to_move(&position).ok())
            .ok_or_else(|| format!("ply {}: expected a legal move, found {uci:?}", ply + 1))?;
        if position.turn() == Color::White {
            text.word(&format!("{}.", position.fullmoves()));
        } else if ply == 0 {
            text.word(&format!("{}...", position.fullmoves()));
        }
        text.word(&SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
        let comment = match ply.checked_sub(game.book_plies as usize) {
            None => "book".to_owned(),
            Some(i) => {
                let note = note(game.notes.get(i), game.time.moves_us.get(i).copied());
                let details = game.details.get(i).map(MoveDetails::comment).unwrap_or_default();
                format!("{note} {details}").trim().to_owned()
            }
        };
        let reason = if ply + 1 == last { words::reason(game) } else { String::new() };
        let parted = if comment.is_empty() || reason.is_empty() { "" } else { ", " };
        text.comment(&format!("{comment}{parted}{reason}"));
    }
    if last == 0 {
        text.comment(&words::reason(game));
    }
    text.word(game.pgn_result());
    Ok(text.text + "\n")
}

/// `+0.35/9 0.012s n=5000`, without what is not known.
fn note(note: Option<&MoveNote>, time_us: Option<u64>) -> String {
    let scored = note.and_then(|note| Some((note.score?, note.depth)));
    let parts = [
        scored.map(|(score, depth)| format!("{}/{depth}", score_text(score))),
        time_us.map(seconds),
        note.map(|note| format!("n={}", note.nodes)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// In pawns with a sign; mates in plies, as fastchess has them: odd for the winner, even for the
/// loser.
fn score_text(score: Score) -> String {
    match score {
        Score::Cp(cp) => {
            let sign = match cp.signum() {
                1 => "+",
                -1 => "-",
                _ => "",
            };
            format!("{sign}{}.{:02}", cp.unsigned_abs() / 100, cp.unsigned_abs() % 100)
        }
        Score::Mate(moves) if moves > 0 => format!("+M{}", 2 * i64::from(moves) - 1),
        Score::Mate(moves) => format!("-M{}", -2 * i64::from(moves)),
    }
}

#[derive(Default)]
struct Wrapped {
    text: String,
    column: usize,
    /// The last space of the line at which it may be broken, and the column after it.
    space: Option<(usize, usize)>,
}

impl Wrapped {
    /// Appends a word, on a new line where it does not fit. PGN readers skip a line that begins with
    /// a per cent sign. A word that begins with one therefore stays behind the word before it, and
    /// the line is broken before that word.
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
            if !word.starts_with('%') {
                self.space = Some((self.text.len() - 1, self.column));
            }
            if let Some((space, column)) = self.space.filter(|_| self.column + width > WIDTH) {
                self.text.replace_range(space..=space, "\n");
                self.column -= column;
                self.space = None;
            }
        }
        self.text.push_str(word);
        self.column += width;
    }

    fn comment(&mut self, comment: &str) {
        if !comment.is_empty() {
            let braced = format!("{{{comment}}}");
            braced.split_whitespace().for_each(|word| self.word(word));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_never_begins_with_a_per_cent_sign() {
        let mut text = Wrapped::default();
        let long = "x".repeat(70);
        [&*long, "ab", "%cdefgh", "i"].into_iter().for_each(|word| text.word(word));
        assert_eq!(text.text, format!("{long}\nab %cdefgh i"));
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
            assert_eq!(score_text(score), expected);
        }
    }
}
