//! The table of pairs: one row a pair.

use super::cell::{Cell, Column, ColumnKind};
use super::pair_status::TableStatus;
use super::run::Run;
use arena::record::{GameRecord, Side};

const WIDTH: usize = 13;

pub(super) const COLUMNS: [Column; WIDTH] = {
    use ColumnKind::{Integer, Real, Text, Time};
    [
        Column::new("run", Text, "name of the run"),
        Column::new("pair", Integer, "number of the pair in its run, from 0"),
        Column::new(
            "pair_status",
            Text,
            "`counted`, `repeated`, `void`, `beyond` or `incomplete`: see Pair status",
        ),
        Column::new("opening", Integer, "index of the opening in the book, from 0"),
        Column::new("base", Text, "name of base"),
        Column::new("test", Text, "name of test"),
        Column::new("test_as_white", Real, "points of test with the white men; empty if unknown"),
        Column::new("test_as_black", Real, "points of test with the black men; empty if unknown"),
        Column::new("score", Real, "points of test in both games, 0 to 2; empty if one is unknown"),
        Column::new("ptnml", Integer, "`score` in half points: the index of Ptnml, 0 to 4"),
        Column::new("plies", Integer, "plies of the recorded games"),
        Column::new("started", Time, "start of the first recorded game, UTC"),
        Column::new("ended", Time, "end of the last recorded game, UTC"),
    ]
};

/// What a row needs of a game.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairGame {
    pair: u64,
    opening: u64,
    test_is_white: bool,
    /// Of test; none for a void game.
    half_points: Option<u8>,
    plies: u32,
    started_ms: u64,
    ended_ms: u64,
}

impl PairGame {
    pub(super) fn of(game: &GameRecord) -> PairGame {
        PairGame {
            pair: game.pair,
            opening: game.opening as u64,
            test_is_white: game.white == Side::Test,
            half_points: (!game.termination.is_void()).then(|| game.test_half_points()),
            plies: game.plies,
            started_ms: game.time.started_ms,
            ended_ms: game.time.ended_ms,
        }
    }
}

/// The row of one or both games of a pair, of which there is at least one.
pub(super) fn row<'a>(
    run: &'a Run,
    first: PairGame,
    second: Option<PairGame>,
    status: TableStatus,
) -> [Cell<'a>; WIDTH] {
    let games = || [Some(first), second].into_iter().flatten();
    let points = |white: bool| {
        let game = games().find(|game| game.test_is_white == white);
        game.and_then(|game| game.half_points).map(|points| f64::from(points) / 2.0)
    };
    let sum = second.and_then(|second| Some(first.half_points? + second.half_points?));
    [
        (&run.name).into(),
        first.pair.into(),
        status.as_str().into(),
        first.opening.into(),
        run.player(Side::Base).into(),
        run.player(Side::Test).into(),
        points(true).into(),
        points(false).into(),
        sum.map(|sum| f64::from(sum) / 2.0).into(),
        sum.map(u32::from).into(),
        games().map(|game| game.plies).sum::<u32>().into(),
        Cell::time(games().map(|game| game.started_ms).filter(|ms| *ms > 0).min().unwrap_or(0)),
        Cell::time(games().map(|game| game.ended_ms).max().unwrap_or(0)),
    ]
}
