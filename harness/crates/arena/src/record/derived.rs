//! What follows from a game's record: who was to move, who is charged, what must not change.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use sha2::{Digest as _, Sha256};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color};

use super::{GameRecord, Side, Termination};
use pgn::Outcome;

/// Who answers for a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Charged {
    Player(Side),
    Harness,
}

impl GameRecord {
    pub fn player(&self, color: Color) -> Side {
        color.fold_wb(self.white, self.black)
    }

    /// The value of `hash` for a start position and moves in UCI, parted by single spaces.
    pub fn hash_of(fen: &str, moves: &str) -> String {
        let hash =
            Sha256::new().chain_update(fen).chain_update("\n").chain_update(moves).finalize();
        hex::encode(&hash[..8])
    }

    /// The position that the game began in. Castling is Chess960's where chess has no such rights.
    pub fn start(&self) -> Result<Chess, String> {
        let wrong = |error: &dyn fmt::Display| format!("start position {:?}: {error}", self.fen);
        let fen: Fen = self.fen.parse().map_err(|error| wrong(&error))?;
        let mode = CastlingMode::detect(fen.as_setup());
        fen.into_position(mode).map_err(|error| wrong(&error))
    }

    /// The side to move after the last recorded move.
    pub fn turn(&self) -> Color {
        self.turn_at(self.plies)
    }

    /// The side to move after so many plies.
    pub fn turn_at(&self, plies: u32) -> Color {
        let black_begins = self.fen.split_ascii_whitespace().nth(1) == Some("b");
        Color::from_white(black_begins != plies.is_multiple_of(2))
    }

    /// The colour that a fault is charged to; none when the game ended by chess or adjudication. It
    /// is the loser, or in a draw (the clock runs out against a bare king) the side to move.
    pub fn fault_color(&self) -> Option<Color> {
        self.termination.is_fault().then_some(match self.result {
            Outcome::White => Color::Black,
            Outcome::Black => Color::White,
            Outcome::Draw => self.turn(),
        })
    }

    /// None when the game ended by chess or adjudication.
    pub fn charged(&self) -> Option<Charged> {
        if self.termination == Termination::LateHarness {
            return Some(Charged::Harness);
        }
        self.fault_color().map(|color| Charged::Player(self.player(color)))
    }

    /// The record as one line of JSON without the `time` object and without a line end: what must
    /// be byte-identical between two runs of the same plan at node or depth limits.
    pub fn canonical_line(&self) -> serde_json::Result<String> {
        let mut line = serde_json::to_string(self)?;
        // `time` is the last field, and holds no text in which the key could occur again.
        if let Some(at) = line.rfind(",\"time\":{") {
            line.truncate(at);
            line.push('}');
        }
        Ok(line)
    }

    /// A digest of [`GameRecord::canonical_line`], to tell records of one game apart.
    pub(super) fn digest(&self) -> serde_json::Result<u64> {
        let mut hasher = DefaultHasher::new();
        self.canonical_line()?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    /// What cannot be true of it, whatever its run.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let GameRecord { game, pair, .. } = self;
        if *pair != game / 2 {
            return Some(format!("game {game} belongs to pair {}, found pair {pair}", game / 2));
        }
        if self.white == self.black {
            return Some(format!("expected base against test, found {0} against {0}", self.white));
        }
        // Parted by single spaces.
        let spaces = self.moves.bytes().filter(|byte| *byte == b' ').count();
        let moves = if self.moves.is_empty() { 0 } else { spaces + 1 };
        if moves != self.plies as usize {
            return Some(format!("expected {} plies, found {moves} moves", self.plies));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;

    #[test]
    fn a_termination_has_one_word() {
        for termination in [Termination::Checkmate, Termination::TimeLoss, Termination::FiftyMoves]
        {
            let json = serde_json::to_value(termination).unwrap();
            assert_eq!(json, termination.as_str());
        }
    }

    #[test]
    fn faults_are_charged() {
        let after_e4 = Color::Black;
        for (termination, result, color, charged) in [
            (Termination::Checkmate, Outcome::White, None, None),
            (Termination::DrawAdjudication, Outcome::Draw, None, None),
            (Termination::Crash, Outcome::White, Some(Color::Black), Some(Side::Base)),
            (Termination::Crash, Outcome::Black, Some(Color::White), Some(Side::Test)),
            (Termination::TimeLoss, Outcome::Draw, Some(after_e4), Some(Side::Base)),
        ] {
            let record = GameRecord { termination, result, ..sample(0) };
            assert_eq!(record.fault_color(), color, "{termination:?}");
            assert_eq!(record.charged(), charged.map(Charged::Player), "{termination:?}");
        }
        let late = GameRecord { termination: Termination::LateHarness, ..sample(0) };
        assert_eq!(late.charged(), Some(Charged::Harness));
        let black_began = GameRecord { fen: late.fen.replace(" w ", " b "), ..late };
        assert_eq!(black_began.turn(), Color::White);
    }
}
