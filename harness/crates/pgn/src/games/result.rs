//! What the results of games are written as.

use super::super::Outcome;
use super::super::quote;
use super::words::plain;

/// What is said of how a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    /// Somebody won, or nobody did.
    Decided(Outcome),
    /// `0-0`: a double forfeit. It is no draw, and no table has a place for it.
    LostByBoth,
    /// The game has no result.
    Open,
}

impl GameResult {
    /// The result a text stands for; `None` where it stands for none.
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

/// Why a game has neither winner nor draw.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undecided {
    /// Tag and token differ.
    #[error("{0}")]
    Differ(String),
    /// A double forfeit.
    #[error("expected a winner or a draw, found that both players have lost")]
    LostByBoth,
    /// It has no result.
    #[error("expected a result, found {found}")]
    Open { found: String },
}

/// What a game says of its result: the tag, and the token after the moves.
#[derive(Debug, Default)]
pub struct ResultWords {
    /// The value of the tag `Result`.
    pub tag: Option<Vec<u8>>,
    /// The word that ended the game.
    pub token: Option<Vec<u8>>,
}

impl ResultWords {
    /// The result by the tag, or by the token where the tag has none.
    ///
    /// # Errors
    /// When they differ.
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

    /// Who won, or that nobody did.
    ///
    /// # Errors
    /// Why it is not known.
    pub fn decided(&self) -> Result<Outcome, Undecided> {
        match self.agreed().map_err(Undecided::Differ)? {
            GameResult::Decided(outcome) => Ok(outcome),
            GameResult::LostByBoth => Err(Undecided::LostByBoth),
            GameResult::Open => Err(Undecided::Open { found: self.quoted_tag() }),
        }
    }

    /// The tag as errors show it.
    pub fn quoted_tag(&self) -> String {
        quote(self.tag.as_deref().unwrap_or_default())
    }
}
