//! What quiet moves gain by their squares: tables from games decide on pruning and reduction (PRO-21).

use super::lmr::LateMove;
use super::statistics::Statistics;
use super::worker::Worker;
use crate::params::{Params, by_role};
use crate::types::{Move, Piece, Score, Square, relative_square};

const SQUARES: usize = 64;

/// A value for each man on each square, from its own side; Black's are the mirrors (MISS-08).
#[derive(Debug)]
pub(super) struct SquareGains {
    values: Box<[Score]>,
}

impl SquareGains {
    /// Of a parameter set, if it asks for them.
    pub(super) fn new(params: &Params) -> Option<SquareGains> {
        let rules = &params.move_squares;
        if !rules.reduce && !rules.prune {
            return None;
        }
        let mg = [
            &rules.pawn_mg,
            &rules.knight_mg,
            &rules.bishop_mg,
            &rules.rook_mg,
            &rules.queen_mg,
            &rules.king_mg,
        ];
        let eg = [
            &rules.pawn_eg,
            &rules.knight_eg,
            &rules.bishop_eg,
            &rules.rook_eg,
            &rules.queen_eg,
            &rules.king_eg,
        ];
        let mut values = vec![Score::ZERO; Piece::CODES * SQUARES].into_boxed_slice();
        for (piece, color, role) in Piece::all() {
            for sq in Square::ALL {
                let seen = relative_square(color, sq);
                values[piece.code() * SQUARES + sq as usize] =
                    Score::new(by_role(role, mg).of(seen), by_role(role, eg).of(seen));
            }
        }
        Some(SquareGains { values })
    }

    fn of(&self, piece: Piece, sq: Square) -> Score {
        self.values[piece.code() * SQUARES + sq as usize]
    }
}

impl<S: Statistics> Worker<'_, S> {
    /// What a quiet move gains by its squares in the position's phase, 1/256 pawn; `None` where nobody
    /// asks, and of castling and other moves.
    #[inline]
    fn square_gain(&self, piece: Piece, mv: Move) -> Option<i32> {
        let gains = self.setup.square_gains.as_ref()?;
        if !mv.is_quiet() || !mv.is_plain() {
            return None;
        }
        let gain = gains.of(piece, mv.to()) - gains.of(piece, mv.from());
        Some(self.setup.evaluator.in_phase(gain, &self.position).binary())
    }

    /// How much less the late move just made is reduced for its squares, quarter plies; negative for
    /// more.
    #[inline]
    pub(super) fn spared_by_squares(&self, late: &LateMove) -> i32 {
        let rules = &self.setup.params.move_squares;
        let moved = &self.buffers.stack[late.ply + 1];
        let gain = if rules.reduce { self.square_gain(moved.piece, moved.mv) } else { None };
        gain.map_or(0, |gain| (gain / rules.step).clamp(-rules.most, rules.most))
    }

    /// Whether a late move not yet made goes to a much worse square.
    #[inline]
    pub(super) fn is_to_a_poor_square(&self, mv: Move, late: &LateMove) -> bool {
        let rules = &self.setup.params.move_squares;
        let plies = late.depth.to_plies();
        if !rules.prune || plies > rules.depth || late.tried < rules.min_move as usize {
            return false;
        }
        let gain = self.square_gain(self.position.piece_at(mv.from()), mv);
        gain.is_some_and(|gain| gain < -rules.margin * plies.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::{QUIET, after};
    use crate::types::Depth;

    fn late(tried: usize, plies: i32, ply: usize) -> LateMove {
        let depth = Depth::plies(plies);
        LateMove { tried, depth, ply, is_pv: false, improving: true, history: 0 }
    }

    /// A knight is worth 100 on c3 and -100 on a3, in the middle game; 50 on c3 in the end game.
    fn params() -> Params {
        let mut params = Params::default();
        let rules = &mut params.move_squares;
        (rules.reduce, rules.prune) = (true, true);
        (rules.step, rules.most, rules.margin, rules.depth, rules.min_move) = (40, 2, 30, 3, 4);
        (rules.knight_mg.0, rules.knight_eg.0) = ([0; 64], [0; 64]);
        rules.knight_mg.0[Square::C3 as usize] = 100;
        rules.knight_mg.0[Square::A3 as usize] = -100;
        rules.knight_eg.0[Square::C3 as usize] = 50;
        params
    }

    fn spared(params: &Params, fen: &str, mv: &str) -> i32 {
        after(params.clone(), fen, &[mv], |worker, ply| {
            worker.spared_by_squares(&late(9, 5, ply - 1))
        })
    }

    /// PRO-21: by the difference of two squares in the phase, within a limit; Black's are mirrored.
    #[test]
    fn reductions_go_by_squares() {
        let params = params();
        assert_eq!(spared(&params, QUIET, "b1c3"), 2);
        assert_eq!(spared(&params, QUIET, "b1a3"), -2);
        assert_eq!(spared(&params, QUIET, "b1d2"), 0);
        assert_eq!(spared(&params, "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "b1c3"), 1, "end game");
        assert_eq!(spared(&params, "1n2k3/8/8/8/8/8/8/4K3 b - - 0 1", "b8c6"), 1, "Black");
        assert_eq!(spared(&params, "4k3/8/8/8/8/2p5/8/1N2K3 w - - 0 1", "b1c3"), 0, "a capture");
        let mut off = params;
        off.move_squares.reduce = false;
        assert_eq!(spared(&off, QUIET, "b1c3"), 0);
    }

    /// PRO-21: late moves to squares that are much worse for the depth that is left.
    #[test]
    fn pruning_goes_by_squares() {
        let skips = |params: &Params, mv: &str, tried: usize, plies: i32| {
            after(params.clone(), QUIET, &[], |worker, ply| {
                let mv = worker.position.parse_uci(mv).expect(mv);
                worker.is_to_a_poor_square(mv, &late(tried, plies, ply))
            })
        };
        let params = params();
        assert!(skips(&params, "b1a3", 4, 1) && skips(&params, "b1a3", 4, 3));
        assert!(!skips(&params, "b1a3", 3, 1), "not late");
        assert!(!skips(&params, "b1a3", 4, 4), "too deep");
        assert!(!skips(&params, "b1c3", 4, 1) && !skips(&params, "b1d2", 4, 1));
        let mut wide = params.clone();
        wide.move_squares.margin = 60;
        assert!(skips(&wide, "b1a3", 4, 1) && !skips(&wide, "b1a3", 4, 2), "by depth");
        let mut off = params;
        off.move_squares.prune = false;
        assert!(!skips(&off, "b1a3", 4, 1));
    }

    /// PRO-21: the search obeys both, each by its own switch.
    #[test]
    fn the_search_asks_for_them() {
        let nodes = |reduce: bool, prune: bool| {
            let mut params = Params::personality("prodeo").expect("known");
            (params.move_squares.reduce, params.move_squares.prune) = (reduce, prune);
            after(params, QUIET, &[], |worker, ply| {
                use crate::types::Value;
                worker.alpha_beta(-Value::INFINITE, Value::INFINITE, Depth::plies(6), ply);
                worker.nodes
            })
        };
        let plain = nodes(false, false);
        assert!(nodes(true, false) != plain && nodes(false, true) != plain);
    }
}
