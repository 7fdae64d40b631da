//! How a game ended for its players.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    #[serde(rename = "1-0")]
    White,
    #[serde(rename = "0-1")]
    Black,
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl Outcome {
    pub fn win(winner: Color) -> Outcome {
        winner.fold_wb(Outcome::White, Outcome::Black)
    }

    /// Half points, 0 to 2, of the player who has the white men, or who has not.
    pub fn half_points(self, white: bool) -> u8 {
        match (self, white) {
            (Outcome::Draw, _) => 1,
            (Outcome::White, true) | (Outcome::Black, false) => 2,
            (Outcome::White, false) | (Outcome::Black, true) => 0,
        }
    }

    /// PGN's result token.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::White => "1-0",
            Outcome::Black => "0-1",
            Outcome::Draw => "1/2-1/2",
        }
    }
}
