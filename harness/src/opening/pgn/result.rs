//! What the results of games are written as.

use super::words::plain;
use crate::record::Outcome;

/// What is said of how a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GameResult {
    /// Somebody won, or nobody did.
    Decided(Outcome),
    /// `0-0`: a double forfeit. It is no draw, and no table has a place for it.
    LostByBoth,
    /// The game has no result.
    Open,
}

impl GameResult {
    /// The result a text stands for; `None` where it stands for none.
    pub(crate) fn of(text: &[u8]) -> Option<GameResult> {
        match &*plain(text) {
            b"1-0" | b"1:0" => Some(GameResult::Decided(Outcome::White)),
            b"0-1" | b"0:1" => Some(GameResult::Decided(Outcome::Black)),
            b"1/2-1/2" | b"1/2" | b"1/2:1/2" | b"0.5-0.5" | b"0.5:0.5" => {
                Some(GameResult::Decided(Outcome::Draw))
            }
            b"0-0" | b"0:0" => Some(GameResult::LostByBoth),
            b"*" | b"?" | b"" => Some(GameResult::Open),
            _ => None,
        }
    }

    /// The result by the tag, or by the token after the moves where the tag has none; `None` where
    /// they differ.
    pub(crate) fn of_both(tag: GameResult, token: GameResult) -> Option<GameResult> {
        match (tag, token) {
            (GameResult::Open, other) | (other, GameResult::Open) => Some(other),
            (tag, token) => (tag == token).then_some(tag),
        }
    }
}
