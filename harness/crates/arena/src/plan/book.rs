//! The book that a plan names, read.

use super::Plan;
use pgn::{Book, BookError, ReadOptions, chess960};

/// Embedded in this program, so that it plays from anywhere.
const SHIPPED_BOOK: &str = "openings/balanced_8ply.epd";
const CHESS960_BOOK: &str = "chess960.epd";
const SHIPPED_BYTES: &[u8] = include_bytes!("../../../../../openings/balanced_8ply.epd");

pub fn shipped_book() -> Result<Book, BookError> {
    Book::from_bytes(SHIPPED_BOOK, SHIPPED_BYTES)
}

impl Plan {
    pub fn read_book(&self) -> Result<Book, BookError> {
        match &self.book {
            Some(path) => {
                let max_plies = self.openings.plies;
                Book::read_with(path, &ReadOptions { max_plies, ..ReadOptions::default() })
            }
            None if self.openings.chess960 => {
                Book::from_bytes(CHESS960_BOOK, chess960().as_bytes())
            }
            None => shipped_book(),
        }
    }
}
