//! The variations that players announce (`--details`): can each be played, and is an announced mate
//! one?

use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position as _};

use super::{BySide, GameRecord, MoveDetails, MoveNote, Score};

/// Counts over the variations of one player.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PvCounts {
    #[serde(rename = "told")]
    pub announced: u64,
    /// With a move that cannot be played.
    pub illegal: u64,
    /// With the score of a mate.
    pub mates: u64,
    /// Of `mates`, those that can be played but do not end in that mate: cut short, or another end.
    pub open_mates: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FaultyLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FaultyLine {
    /// The game's number, from 0.
    pub game: u64,
    /// The ply of the move that it came with, from 1.
    pub ply: usize,
    /// The fault and the variation, in words.
    pub what: String,
}

impl BySide<PvCounts> {
    pub(super) fn any_announced(&self) -> bool {
        self.base.announced + self.test.announced > 0
    }

    /// A game whose moves cannot be followed adds nothing.
    pub(super) fn add(&mut self, game: &GameRecord) {
        if game.details.is_empty() {
            return;
        }
        let Ok(mut position) = game.start() else { return };
        for (ply, text) in game.moves.split_ascii_whitespace().enumerate() {
            let told = ply.checked_sub(game.book_plies as usize);
            let told = told.and_then(|i| Some((game.notes.get(i)?, game.details.get(i)?)));
            if let Some((note, details)) = told {
                let lines = self.of_mut(game.player(position.turn()));
                lines.add(&position, note, details, (game.game, ply + 1));
            }
            let played = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok());
            let Some(played) = played else { return };
            position.play_unchecked(played);
        }
    }
}

enum Flaw {
    Illegal(String),
    OpenMate(u64),
}

impl PvCounts {
    fn add(
        &mut self,
        position: &Chess,
        note: &MoveNote,
        details: &MoveDetails,
        (game, ply): (u64, usize),
    ) {
        if details.pv.is_empty() {
            return;
        }
        self.announced += 1;
        let mate = match note.score {
            Some(Score::Mate(moves)) if moves != 0 => Some(mate_plies(moves)),
            _ => None,
        };
        self.mates += u64::from(mate.is_some());
        let Some(flaw) = flaw(position, details, mate) else { return };
        let words = match flaw {
            Flaw::Illegal(word) => {
                self.illegal += 1;
                format!("'{word}' cannot be played")
            }
            Flaw::OpenMate(plies) => {
                self.open_mates += 1;
                format!("no mate after {plies} plies")
            }
        };
        let faulty = FaultyLine { game, ply, what: format!("{words} in '{}'", details.pv) };
        // Games come in any order.
        if self.first.as_ref().is_none_or(|first| faulty < *first) {
            self.first = Some(faulty);
        }
    }
}

/// Plies of a mate in `moves`; below zero the player itself is mated.
fn mate_plies(moves: i32) -> u64 {
    let plies = 2 * u64::from(moves.unsigned_abs());
    if moves > 0 { plies - 1 } else { plies }
}

/// The move of a word: `Some(None)` if it cannot be played, `None` if it is no move. Xboard engines
/// write as they like: `e2e4`, `Nf3`, `Ng1-f3`.
fn read(word: &str, position: &Chess) -> Option<Option<Move>> {
    let squares = word.trim_start_matches(['K', 'Q', 'R', 'B', 'N', 'P']);
    let squares = squares.replace(['-', 'x', ':', '=', '+', '#'], "").to_ascii_lowercase();
    match (squares.parse::<UciMove>(), word.parse::<SanPlus>()) {
        (Ok(uci), _) => Some(uci.to_move(position).ok()),
        (_, Ok(san)) => Some(san.san.to_move(position).ok()),
        _ => None,
    }
}

fn flaw(position: &Chess, details: &MoveDetails, mate: Option<u64>) -> Option<Flaw> {
    let mut position = position.clone();
    let mut plies = 0;
    for word in details.pv.split(' ') {
        match read(word, &position) {
            // A remark; what follows cannot be followed.
            None => return None,
            Some(None) => return Some(Flaw::Illegal(word.to_owned())),
            Some(Some(mv)) => position.play_unchecked(mv),
        }
        plies += 1;
    }
    let mate = mate.filter(|_| !details.is_cut())?;
    (plies != mate || !position.is_checkmate()).then_some(Flaw::OpenMate(mate))
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    const TWO_ROOKS: &str = "7k/R7/8/8/8/8/8/1R4K1 w - - 0 1";

    fn told(pv: &str, score: Score) -> PvCounts {
        let fen: Fen = TWO_ROOKS.parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let mut lines = PvCounts::default();
        let note = MoveNote { score: Some(score), depth: 3, nodes: 9 };
        let details = MoveDetails { pv: pv.to_owned(), ..MoveDetails::default() };
        lines.add(&position, &note, &details, (7, 9));
        lines
    }

    fn counts(lines: &PvCounts) -> [u64; 4] {
        [lines.announced, lines.illegal, lines.mates, lines.open_mates]
    }

    #[test]
    fn what_can_be_played() {
        assert_eq!(counts(&told("", Score::Cp(3))), [0; 4]);
        assert_eq!(counts(&told("b1b2 h8g8 b2b8", Score::Cp(900))), [1, 0, 0, 0]);
        assert_eq!(counts(&told("Rb2 Kg8 Rb8#", Score::Cp(900))), [1, 0, 0, 0]);
        let wrong = told("b1b2 h8h7", Score::Cp(900));
        assert_eq!(counts(&wrong), [1, 1, 0, 0]);
        let what = "'h8h7' cannot be played in 'b1b2 h8h7'".to_owned();
        assert_eq!(wrong.first, Some(FaultyLine { game: 7, ply: 9, what }));
        assert_eq!(counts(&told("0000", Score::Cp(900))), [1, 1, 0, 0]);
        assert_eq!(counts(&told("Rb1-b2 Kh8-g8 Rb2-b8+", Score::Cp(900))), [1, 0, 0, 0]);
        assert_eq!(counts(&told("Rb1-b2 Kh8-h7", Score::Cp(900))), [1, 1, 0, 0]);
        // No moves: a remark.
        assert_eq!(counts(&told("b1b2 then what", Score::Mate(2))), [1, 0, 1, 0]);
    }

    #[test]
    fn mates_that_are_announced() {
        assert_eq!(counts(&told("b1b8", Score::Mate(1))), [1, 0, 1, 0]);
        assert_eq!(counts(&told("b1b2 h8g8 b2b8", Score::Mate(2))), [1, 0, 1, 0]);
        // Cut short, longer than announced, and no mate.
        for (pv, moves) in [("b1b2", 2), ("b1b2 h8g8 b2b8", 1), ("b1b2", 1), ("b1b8", -1)] {
            assert_eq!(counts(&told(pv, Score::Mate(moves))), [1, 0, 1, 1], "{pv}");
        }
    }
}
