//! Both pickers hand out every wanted move once; each move has the place that the papers give it.

mod both;
mod places;
mod skipping;

use std::sync::Arc;

use super::{Picker, Sources, Wanted};
use crate::eval::{LineFacts, NoTrace};
use crate::movegen::{MoveClass, ScoredMove};
use crate::params::Params;
use crate::position::Position;
use crate::search::heuristics::{CutInfo, Heuristics, Searched};
use crate::search::setup::Setup;
use crate::search::stack::StackEntry;
use crate::types::{Depth, Move, Value};

/// A node to pick at: everything that the search would have.
struct Bench {
    setup: Setup,
    heuristics: Heuristics,
    stack: Vec<StackEntry>,
    position: Position,
    ply: usize,
}

impl Bench {
    fn new(params: &Params, position: &Position, ply: usize) -> Bench {
        let setup = Setup::new(&Arc::new(params.clone()));
        let mut position = position.clone();
        position.set_table(&setup.evaluator.table);
        let mut heuristics = Heuristics::new();
        heuristics.begin_search(params);
        Bench { setup, heuristics, stack: vec![StackEntry::default(); 16], position, ply }
    }

    fn of(personality: &str, fen: &str) -> Bench {
        let params = Params::personality(personality).expect("known");
        Bench::new(&params, &Position::from_fen(fen).expect(fen), 4)
    }

    fn mv(&self, text: &str) -> Move {
        self.position.parse_uci(text).expect(text)
    }

    /// Evaluates the position, as the node `back` plies up the line.
    fn evaluate(&mut self, back: usize) {
        let evaluator = &self.setup.evaluator;
        let found = evaluator.evaluate(&self.position, LineFacts::default(), None, &mut NoTrace);
        self.stack[self.ply - back].evaluation = Some(found);
    }

    /// The search says that a move cut on `ply` with so many plies left.
    fn cut(&mut self, ply: usize, mv: Move, plies: i32, value: Value) {
        let tried = Searched::default();
        self.heuristics.cut(&CutInfo {
            position: &self.position,
            stack: &self.stack,
            ply,
            depth: Depth::plies(plies),
            mv,
            value,
            tried: &tried,
        });
    }

    fn sources<'a>(&'a self, moves: &'a mut Vec<ScoredMove>) -> Sources<'a> {
        let Bench { position, setup, heuristics, stack, .. } = self;
        Sources { position, setup, heuristics, stack, moves }
    }

    /// Whether the picker finds a hash move or something to win; asking changes nothing.
    fn is_sorted(&self, hash_move: Move) -> bool {
        let mut moves = Vec::new();
        let mut picker = Picker::new(Wanted::All, hash_move, self.ply, &self.position, 0);
        let sorted = picker.is_sorted(&mut self.sources(&mut moves));
        let mut picked = Vec::new();
        while let Some(scored) = picker.next(&mut self.sources(&mut moves)) {
            picked.push(scored);
        }
        assert_eq!(picked, self.picked(Wanted::All, hash_move));
        sorted
    }

    /// All that the picker hands out.
    fn picked(&self, wanted: Wanted, hash_move: Move) -> Vec<ScoredMove> {
        // Another ply's moves lie in the buffer before this one's.
        let mut moves = vec![ScoredMove::new(Move::NONE, 0, MoveClass::Quiet); 3];
        let mut picker = Picker::new(wanted, hash_move, self.ply, &self.position, 3);
        let mut picked = Vec::new();
        while let Some(scored) = picker.next(&mut self.sources(&mut moves)) {
            picked.push(scored);
        }
        picker.finish(&mut moves);
        assert_eq!(moves.len(), 3);
        picked
    }

    /// Moves in order, with points and 1/256 points.
    fn list(&self, hash_move: Move) -> Vec<(String, i16, i16)> {
        let picked = self.picked(Wanted::All, hash_move);
        let text = |scored: &ScoredMove| {
            let uci = self.position.uci(scored.mv, false);
            (uci, scored.value >> 8, scored.value & 255)
        };
        picked.iter().map(text).collect()
    }

    /// The whole points of a move.
    fn points(&self, text: &str) -> i16 {
        let found = self.list(Move::NONE).into_iter().find(|(uci, ..)| uci == text);
        found.unwrap_or_else(|| panic!("{text} is not there")).1
    }
}
