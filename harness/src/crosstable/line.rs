//! The moves of a game: which are the book's, and what equal games have in common.

use std::hash::{DefaultHasher, Hasher as _};

use super::pairing::{BookExit, hash};

/// Where the text does not tell the book's plies, openings are equal if the first plies are. Short
/// books have four; a pair whose engines leave such a book must still be found.
pub const OPENING_PLIES: usize = 4;

/// The usual start position, without what a FEN counts.
const USUAL: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// Words one behind the other, each behind its length: hashed at once, which is faster than one by
/// one.
#[derive(Default)]
pub(super) struct HashedWords(Vec<u8>);

impl HashedWords {
    pub(super) fn add(&mut self, word: &[u8]) {
        self.0.extend_from_slice(&word.len().to_le_bytes());
        self.0.extend_from_slice(word);
    }

    pub(super) fn hash(&self) -> u64 {
        self.hash_until(self.end())
    }

    fn end(&self) -> usize {
        self.0.len()
    }

    /// The hash of the words before what was the end once.
    fn hash_until(&self, end: usize) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write(&self.0[..end]);
        hasher.finish()
    }
}

/// Moves and comments of a game, as far as they matter.
#[derive(Default)]
pub(super) struct GameMoves {
    moves: HashedWords,
    plies: usize,
    /// Where the first plies end in `moves`.
    first_end: usize,
    /// Plies from the start that the runner calls the book's, and where they end in `moves`.
    book_plies: usize,
    book_end: usize,
    /// Whether the first move was searched for, so that there is no book.
    is_searched: bool,
    /// The last ply with a comment.
    commented: usize,
}

impl GameMoves {
    pub(super) fn add(&mut self, word: &[u8]) {
        let marks = word.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#')).count();
        self.moves.add(&word[..word.len() - marks]);
        self.plies += 1;
        if self.plies <= OPENING_PLIES {
            self.first_end = self.moves.end();
        }
    }

    /// A comment after the last move. fastchess and cutechess-cli write `book`, or score and depth.
    pub(super) fn comment(&mut self, text: &[u8]) {
        if self.commented == self.plies {
            return;
        }
        self.commented = self.plies;
        let text = text.trim_ascii();
        if self.book_plies + 1 == self.plies && text.starts_with(b"book") {
            (self.book_plies, self.book_end) = (self.plies, self.moves.end());
        }
        self.is_searched |= self.plies == 1 && is_search(text);
    }

    pub(super) fn plies(&self) -> usize {
        self.plies
    }

    pub(super) fn hash(&self) -> u64 {
        self.moves.hash()
    }

    /// Where the game that began there left its book. A position of its own is the opening, with
    /// the moves that the runner calls the book's.
    pub(super) fn opening(&self, fen: &[u8]) -> BookExit {
        let start = start(fen);
        let is_known =
            start.is_some() || self.plies == 0 || self.book_plies > 0 || self.is_searched;
        let (plies, end) = match is_known {
            true => (self.book_plies, self.book_end),
            false => (self.plies.min(OPENING_PLIES), self.first_end),
        };
        let line = hash(&(start, plies, self.moves.hash_until(end)));
        BookExit { start: hash(&start), is_known, line }
    }
}

/// The start position, unless it is the usual one.
pub(super) fn start(fen: &[u8]) -> Option<&[u8]> {
    Some(fen.trim_ascii()).filter(|fen| !fen.is_empty() && !fen.starts_with(USUAL))
}

/// Whether a comment has score and depth: `+0.35/9 0.012s`, `-M4/12`.
fn is_search(comment: &[u8]) -> bool {
    let score = comment.strip_prefix(b"+").or(comment.strip_prefix(b"-")).unwrap_or(comment);
    let score = score.strip_prefix(b"M").unwrap_or(score);
    let digits = score.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    digits > 0 && matches!(score[digits..], [b'/', b'0'..=b'9', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The opening of a game of these moves, each with its comment.
    fn opening(fen: &str, moves: &[(&str, &str)]) -> BookExit {
        let mut line = GameMoves::default();
        for (word, comment) in moves {
            line.add(word.as_bytes());
            if !comment.is_empty() {
                line.comment(comment.as_bytes());
            }
        }
        line.opening(fen.as_bytes())
    }

    #[test]
    fn the_book_ends_where_its_mark_does() {
        let booked = |third| [("e4", "book"), ("e5", "book"), third, ("Nc6", "-0.1/3 0.1s")];
        let one = opening("", &booked(("Nf3", "+0.10/3 0.1s")));
        assert!(one.is_known);
        assert_eq!(one, opening("", &booked(("Nc3", "-M4/3 0.1s"))));
        assert_ne!(one, opening("", &booked(("Nf3", "book"))));
        assert_ne!(one, opening("", &[("e4", "book"), ("c5", "book"), ("Nf3", "+0.10/3")]));
    }

    #[test]
    fn without_marks_the_first_move_tells_whether_there_was_a_book() {
        let searched = |word| opening("", &[(word, "+0.10/3 0.1s"), ("e5", "0.00/2 0.1s")]);
        assert!(searched("e4").is_known);
        assert_eq!(searched("e4"), searched("d4"));
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(searched("e4"), opening(usual, &[]));

        let bare = |word| opening("", &[(word, "")]);
        assert!(!bare("e4").is_known);
        assert_ne!(bare("e4"), bare("d4"));
        assert!(!opening("", &[("e4", "a fine move"), ("e5", "0.00/2")]).is_known);
    }

    #[test]
    fn a_position_of_its_own_is_an_opening() {
        let [one, other] = ["8/8/8/8/8/8/k1P5/2K5 w - - 0 1", "8/8/8/8/8/8/k2P4/2K5 w - - 0 1"];
        assert_eq!(opening(one, &[("c4", "")]), opening(one, &[("Kd1", "")]));
        assert_ne!(opening(one, &[("Kd1", "")]), opening(other, &[("Kd1", "")]));
        assert_ne!(opening(one, &[("c4", "book")]), opening(one, &[("c3", "book")]));
    }
}
