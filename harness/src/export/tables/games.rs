//! The table of games: one row a game.

use shakmaty::Color;

use super::cell::{Cell, Column, ColumnKind};
use super::pair_status::TableStatus;
use super::run::Run;
use arena::record::{Charged, GameRecord, Side};

const WIDTH: usize = 27;

pub(super) const COLUMNS: [Column; WIDTH] = {
    use ColumnKind::{Flag, Integer, Real, Text, Time};
    [
        Column::new("run", Text, "name of the run"),
        Column::new("game", Integer, "number of the game in its run, from 0"),
        Column::new("pair", Integer, "number of its pair: `game / 2`"),
        Column::new(
            "pair_status",
            Text,
            "`counted`, `repeated`, `void`, `beyond` or `incomplete`: see Pair status",
        ),
        Column::new("opening", Integer, "index of the opening in the book, from 0"),
        Column::new("test_color", Text, "`white` or `black`: the colour of test"),
        Column::new("white", Text, "name of the player with the white men"),
        Column::new("black", Text, "name of the player with the black men"),
        Column::new("result", Text, "`1-0`, `0-1`, `1/2-1/2`, or `*` for a void game"),
        Column::new("white_score", Real, "points of White: 1, 0.5 or 0; empty for a void game"),
        Column::new("test_score", Real, "points of test: 1, 0.5 or 0; empty for a void game"),
        Column::new("termination", Text, "why it ended, in the words of `games.jsonl`"),
        Column::new("is_adjudicated", Flag, "by score or tablebase, not by length"),
        Column::new("is_fault", Flag, "a fault ended it"),
        Column::new("charged", Text, "whose fault: `base`, `test` or `harness`; empty without"),
        Column::new("detail", Text, "the fault in words; empty without"),
        Column::new("plies", Integer, "plies, those of the book included"),
        Column::new("book_plies", Integer, "plies from the book"),
        Column::new("fen", Text, "start position"),
        Column::new("hash", Text, "of start position and moves: equal games have equal hashes"),
        Column::new("white_nodes", Integer, "nodes of White, all moves"),
        Column::new("black_nodes", Integer, "nodes of Black, all moves"),
        Column::new("white_time_us", Integer, "thinking time of White, microseconds"),
        Column::new("black_time_us", Integer, "thinking time of Black, microseconds"),
        Column::new("started", Time, "start, UTC"),
        Column::new("ended", Time, "end, UTC"),
        Column::new(
            "audit_result",
            Text,
            "result of an adjudicated game when played out (`--audit`)",
        ),
    ]
};

pub(super) fn row<'a>(
    run: &'a Run,
    game: &'a GameRecord,
    status: TableStatus,
) -> [Cell<'a>; WIDTH] {
    let is_void = game.termination.is_void();
    let points = |half_points: u8| (!is_void).then(|| f64::from(half_points) / 2.0);
    let charged = game.charged().map(|charged| match charged {
        Charged::Player(side) => side.choose("base", "test"),
        Charged::Harness => "harness",
    });
    let [white_us, black_us] = thinking(game);
    [
        (&run.name).into(),
        game.game.into(),
        game.pair.into(),
        status.as_str().into(),
        (game.opening as u64).into(),
        (if game.white == Side::Test { "white" } else { "black" }).into(),
        run.player(game.white).into(),
        run.player(game.black).into(),
        game.pgn_result().into(),
        points(game.result.half_points(true)).into(),
        points(game.test_half_points()).into(),
        game.termination.as_str().into(),
        game.termination.is_adjudication().into(),
        game.termination.is_fault().into(),
        charged.into(),
        game.detail.as_ref().into(),
        game.plies.into(),
        game.book_plies.into(),
        (&game.fen).into(),
        (&game.hash).into(),
        game.nodes[0].into(),
        game.nodes[1].into(),
        white_us.into(),
        black_us.into(),
        Cell::time(game.time.started_ms),
        Cell::time(game.time.ended_ms),
        game.audit.map(|audit| audit.result.as_str()).into(),
    ]
}

/// Microseconds of White and of Black.
fn thinking(game: &GameRecord) -> [u64; 2] {
    let mut sums = [0_u64; 2];
    let mut color = game.turn();
    // Backwards from the last move, as the times begin behind the book.
    for &us in game.time.moves_us.iter().rev() {
        color = color.other();
        let sum = &mut sums[usize::from(color == Color::Black)];
        *sum = sum.saturating_add(us);
    }
    sums
}
