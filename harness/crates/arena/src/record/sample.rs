//! A game for tests.

use super::{GameRecord, MoveNote, Score, Side, Termination, TimeRecord};
use ::pgn::Outcome;

pub fn sample(game: u64) -> GameRecord {
    GameRecord {
        game,
        pair: game / 2,
        opening: 0,
        passed_over: 0,
        white: Side::Test,
        black: Side::Base,
        result: Outcome::White,
        termination: Termination::Checkmate,
        detail: None,
        plies: 1,
        book_plies: 0,
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        moves: "e2e4".to_owned(),
        notes: vec![MoveNote { score: Some(Score::Mate(-2)), depth: 3, nodes: 4 }],
        details: Vec::new(),
        nodes: [4, 0],
        hash: "0123456789abcdef".to_owned(),
        audit: None,
        time: TimeRecord::default(),
    }
}
