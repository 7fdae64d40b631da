//! Games that several inputs have: a run and its own PGN, a copy of either.

use std::collections::HashSet;
use std::hash::Hash;

use super::pairing::hash;
use arena::record::{GameRecord, RunFile, Side, pgn};

/// What is the same in a journal and in the PGN that was made of it, and in no other game.
#[derive(Hash)]
pub(super) struct SharedGameId<'a> {
    pub(super) number: u64,
    /// Date and time of its beginning, UTC, as PGN has them.
    pub(super) began: [&'a str; 2],
    /// The opening's index in the book.
    pub(super) opening: u64,
    pub(super) white: Side,
    /// The specs of White and Black.
    pub(super) specs: [&'a str; 2],
    pub(super) plies: u64,
    /// PGN's result token.
    pub(super) result: &'a str,
}

/// The hash of a journal's game, or `None` where it does not say when it was played.
pub(super) fn of_record(run: &RunFile, game: &GameRecord) -> Option<u64> {
    let [date, time] = pgn::began(game)?;
    let told = SharedGameId {
        number: game.game,
        began: [&date, &time],
        opening: game.opening as u64,
        white: game.white,
        specs: [game.white, game.black].map(|side| run.identity(side).spec.as_str()),
        plies: u64::from(game.plies),
        result: game.result.as_str(),
    };
    Some(hash(&told))
}

/// The hashes of all games of the inputs so far.
#[derive(Debug, Default)]
pub(super) struct KnownGames {
    earlier: HashSet<u64>,
    /// Of the input that is being read: within one, equal games are told by their moves alone.
    now: Vec<u64>,
}

impl KnownGames {
    /// Notes a game; says whether an earlier input has it, too.
    pub(super) fn note(&mut self, game: u64) -> bool {
        self.now.push(game);
        self.earlier.contains(&game)
    }

    pub(super) fn finish_input(&mut self) {
        self.earlier.extend(self.now.drain(..));
    }
}
