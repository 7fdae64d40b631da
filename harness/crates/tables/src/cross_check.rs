//! The same games read by pgn-reader and played by shakmaty: a second opinion on our own reader, for
//! `--resolve both`. pgn-reader passes over words that it does not know, so a difference may be a
//! fault of the file or of either reader: it is reported, and nothing is left out for it.

use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError};

/// What both readers must agree on: plies and the last position of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameEndpoint {
    pub(crate) plies: u32,
    pub(crate) key: u64,
}

impl GameEndpoint {
    pub(crate) fn new(plies: u32, position: &Chess) -> GameEndpoint {
        let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
        GameEndpoint { plies, key }
    }
}

/// What pgn-reader says of the games that we could read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrossCheck {
    /// Games compared.
    pub games: u64,
    pub different: u64,
    /// File and line of the first different game.
    pub first: Option<(String, u64)>,
}

/// Those of `ours`, each with its line, that do not occur in `text` as pgn-reader reads it. Games
/// that only one reader can read do not hinder the comparison of the others: `ours` has to be a
/// subsequence. `None`: pgn-reader cannot read the text, as with tags of more than some kilobytes.
pub(crate) fn different(text: &[u8], ours: &[(GameEndpoint, u64)]) -> Option<Vec<u64>> {
    if ours.is_empty() {
        return Some(Vec::new());
    }
    let mut reader = Reader::new(text);
    let mut theirs = Vec::new();
    while let Some(end) = reader.read_game(&mut ReplayVisitor).ok()? {
        theirs.extend(end);
    }
    let mut next = 0;
    let mut lines = Vec::new();
    for &(end, line) in ours {
        match theirs[next..].iter().position(|&their| their == end) {
            Some(place) => next += place + 1,
            None => lines.push(line),
        }
    }
    Some(lines)
}

struct ReplayVisitor;

impl Visitor for ReplayVisitor {
    type Tags = Chess;
    type Movetext = (Chess, u32);
    type Output = Option<GameEndpoint>;

    fn begin_tags(&mut self) -> ControlFlow<Option<GameEndpoint>, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(
        &mut self,
        start: &mut Chess,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Option<GameEndpoint>> {
        if name.eq_ignore_ascii_case(b"FEN") {
            let setup = Fen::from_ascii(value.as_bytes().trim_ascii()).ok().map(Fen::into_setup);
            let position = setup.and_then(|setup| {
                let mode = CastlingMode::detect(&setup);
                setup.position(mode).or_else(PositionError::ignore_too_much_material).ok()
            });
            match position {
                Some(position) => *start = position,
                None => return ControlFlow::Break(None),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Option<GameEndpoint>, (Chess, u32)> {
        ControlFlow::Continue((start, 0))
    }

    fn begin_variation(&mut self, _: &mut (Chess, u32)) -> ControlFlow<Option<GameEndpoint>, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(
        &mut self,
        (position, plies): &mut (Chess, u32),
        san: SanPlus,
    ) -> ControlFlow<Option<GameEndpoint>> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                *plies += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(None),
        }
    }

    fn end_game(&mut self, (position, plies): (Chess, u32)) -> Option<GameEndpoint> {
        Some(GameEndpoint::new(plies, &position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_one_reader_reads_otherwise_is_found() {
        let text = b"[Event \"a\"]\n\n1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. Zz9 1-0\n\n[Event \"c\"]\n\n1. d4 *\n";
        let end = |moves: &[&str]| {
            let mut position = Chess::default();
            for word in moves {
                let san: shakmaty::san::San = word.parse().unwrap();
                position.play_unchecked(san.to_move(&position).unwrap());
            }
            GameEndpoint::new(moves.len() as u32, &position)
        };
        let [a, c] = [end(&["e4", "e5"]), end(&["d4"])];
        assert_eq!(different(text, &[(a, 1), (c, 9)]), Some(vec![]));
        assert_eq!(different(text, &[(a, 1), (end(&["d4", "d5"]), 9)]), Some(vec![9]));
        assert_eq!(different(text, &[(c, 9), (a, 1)]), Some(vec![1]), "in their order");
    }
}
