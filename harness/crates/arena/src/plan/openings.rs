//! How a match goes through its book.

use serde::{Deserialize, Serialize};

use crate::is_default;
use pgn::OrderKind;

/// Which openings a match takes, and in what order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookUse {
    /// Chess960's start positions instead of a book.
    #[serde(default, skip_serializing_if = "is_default")]
    pub chess960: bool,
    /// Not shuffled.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sequential: bool,
    /// Openings passed over.
    #[serde(default, skip_serializing_if = "is_default")]
    pub offset: u64,
    /// Plies taken of each game of a PGN book; `None`: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
}

impl BookUse {
    /// Says which opening an offset beyond the book's `openings` stands for.
    pub fn beyond(&self, openings: u64) -> Option<String> {
        let round = self.offset.checked_div(openings).filter(|round| *round > 0)?;
        let again = if self.sequential { "begun again" } else { "shuffled anew" };
        Some(format!(
            "--opening-offset {} is beyond the {openings} openings of the book, which is {again} at its \
             end: the first is number {} of round {}",
            self.offset,
            self.offset % openings + 1,
            round + 1
        ))
    }

    pub fn order(&self, seed: u64) -> OrderKind {
        if self.sequential { OrderKind::Sequential } else { OrderKind::Random { seed } }
    }
}
