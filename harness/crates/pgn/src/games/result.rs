//! Notations of game results.

use super::super::{Outcome, quote};
use super::characters::plain;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    /// A win or a draw.
    Decided(Outcome),
    /// `0-0`: a double forfeit. It is not a draw, and has no place in a table of results.
    LostByBoth,
    Open,
}

impl GameResult {
    pub fn of(text: &[u8]) -> Option<GameResult> {
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
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undecided {
    /// Tag and token differ.
    #[error("{0}")]
    Differ(String),
    #[error("expected a winner or a draw, found that both players have lost")]
    LostByBoth,
    #[error("expected a result, found {found}")]
    Open { found: String },
}

/// The two places of a result in PGN: the tag, and the token after the moves.
#[derive(Debug, Default)]
pub struct ResultWords {
    pub tag: Option<Vec<u8>>,
    pub token: Option<Vec<u8>>,
}

impl ResultWords {
    /// The result of the tag, or of the token if the tag has none; an error when they differ.
    pub fn agreed(&self) -> Result<GameResult, String> {
        let of = |words: &Option<Vec<u8>>| {
            words.as_deref().and_then(GameResult::of).unwrap_or(GameResult::Open)
        };
        match (of(&self.tag), of(&self.token)) {
            (GameResult::Open, other) | (other, GameResult::Open) => Ok(other),
            (tag, token) if tag == token => Ok(tag),
            _ => Err(format!(
                "expected one result, found the tag {} and {} after the moves",
                self.quoted_tag(),
                quote(self.token.as_deref().unwrap_or_default())
            )),
        }
    }

    pub fn decided(&self) -> Result<Outcome, Undecided> {
        match self.agreed().map_err(Undecided::Differ)? {
            GameResult::Decided(outcome) => Ok(outcome),
            GameResult::LostByBoth => Err(Undecided::LostByBoth),
            GameResult::Open => Err(Undecided::Open { found: self.quoted_tag() }),
        }
    }

    pub fn quoted_tag(&self) -> String {
        quote(self.tag.as_deref().unwrap_or_default())
    }
}
