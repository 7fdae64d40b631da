//! The table of moves: one row a ply.

use shakmaty::Color;

use super::cell::{Cell, Column, ColumnKind};
use super::run::Run;
use arena::record::{GameRecord, Score};

const WIDTH: usize = 17;

pub(super) const COLUMNS: [Column; WIDTH] = {
    use ColumnKind::{Flag, Integer, Text};
    [
        Column::new("run", Text, "name of the run"),
        Column::new("game", Integer, "number of the game in its run, from 0"),
        Column::new("ply", Integer, "number of the ply in its game, from 1"),
        Column::new("color", Text, "`white` or `black`: the side that moves"),
        Column::new("player", Text, "`base` or `test`: who has that colour"),
        Column::new("move", Text, "the move in UCI"),
        Column::new("is_book", Flag, "from the book; what follows is empty then"),
        Column::new(
            "score_cp",
            Integer,
            "centipawns, from the side that moves; empty for mates and where none was told",
        ),
        Column::new(
            "mate",
            Integer,
            "moves to mate; negative if the side that moves is mated; empty without",
        ),
        Column::new("depth", Integer, "plies"),
        Column::new("nodes", Integer, "of this move's search"),
        Column::new("time_us", Integer, "thinking time, microseconds"),
        Column::new("left_us", Integer, "on the clock after the move, microseconds (`--details`)"),
        Column::new("seldepth", Integer, "plies (`--details`)"),
        Column::new("hashfull", Integer, "per mille (`--details`)"),
        Column::new("tbhits", Integer, "hits in tablebases (`--details`)"),
        Column::new("pv", Text, "principal variation, as the player told it (`--details`)"),
    ]
};

/// The rows of a game, in the order of its moves.
pub(super) fn rows<'a>(
    run: &'a Run,
    game: &'a GameRecord,
) -> impl Iterator<Item = [Cell<'a>; WIDTH]> {
    let black_begins = game.turn().is_black() != (game.plies % 2 == 1);
    let book = game.book_plies as usize;
    game.moves.split(' ').filter(|word| !word.is_empty()).enumerate().map(move |(at, uci)| {
        let color = Color::from_white(black_begins != at.is_multiple_of(2));
        let own = at.checked_sub(book);
        let note = own.and_then(|at| game.notes.get(at));
        let details = own.and_then(|at| game.details.get(at));
        let score = note.and_then(|note| note.score);
        let centipawns = score.and_then(|score| match score {
            Score::Cp(centipawns) => Some(centipawns),
            Score::Mate(_) => None,
        });
        let mate = score.and_then(|score| match score {
            Score::Cp(_) => None,
            Score::Mate(moves) => Some(moves),
        });
        [
            (&run.name).into(),
            game.game.into(),
            (at as u64 + 1).into(),
            color.fold_wb("white", "black").into(),
            game.player(color).choose("base", "test").into(),
            uci.into(),
            own.is_none().into(),
            centipawns.into(),
            mate.into(),
            note.map(|note| note.depth).into(),
            note.map(|note| note.nodes).into(),
            own.and_then(|at| game.time.moves_us.get(at).copied()).into(),
            details.and_then(|details| details.left_us).into(),
            details.map(|details| details.seldepth).filter(|plies| *plies > 0).into(),
            details.and_then(|details| details.hashfull).into(),
            details.and_then(|details| details.tbhits).into(),
            details.map(|details| &details.pv).filter(|pv| !pv.is_empty()).into(),
        ]
    })
}
