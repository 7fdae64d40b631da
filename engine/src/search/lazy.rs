//! Lazy evaluation and futility pruning: moves that cannot reach alpha by `I_SCORE` and a margin are
//! not made at all (LAZ-01..12, FUT-01..04, PAR-01).

use super::stack::seen_by;
use super::statistics::{SearchEvent, Statistics};
use super::worker::Worker;
use crate::movegen::{MoveClass, ScoredMove};
use crate::position::CheckSquares;
use crate::types::{Color, Depth, Move, Value};

impl<S: Statistics> Worker<'_, S> {
    /// `I_SCORE` of the present position seen by a colour (GEN-07).
    #[inline]
    pub(super) fn i_score(&self, color: Color) -> Value {
        seen_by(color, self.setup.evaluator.i_score(&self.position))
    }

    /// A guess that stands for the value of a move of the main search, so that it need not be made;
    /// `rest` is the depth behind it.
    #[inline]
    pub(super) fn futility_value(
        &mut self,
        picked: &ScoredMove,
        alpha: Value,
        rest: Depth,
        ply: usize,
        checks: &CheckSquares,
    ) -> Option<Value> {
        let params = &self.setup.params;
        let from_hash = picked.class == MoveClass::Hash;
        if rest < Depth::PLY {
            let spared = from_hash && params.lazy.spare_hash;
            return if spared { None } else { self.lazy_value(picked.mv, alpha, ply, checks) };
        }
        let spared = from_hash && params.futility.spare_hash;
        if spared { None } else { self.futile_value(picked.mv, alpha, rest, ply, checks) }
    }

    /// A guess that stands for the value of a move to the horizon or behind it, when it does not
    /// reach alpha; the move need not be made then (LAZ-01).
    pub(super) fn lazy_value(
        &mut self,
        mv: Move,
        alpha: Value,
        ply: usize,
        checks: &CheckSquares,
    ) -> Option<Value> {
        let params = &self.setup.params.lazy;
        if !params.on || !self.may_guess(ply) {
            return None;
        }
        self.stats.count(SearchEvent::Lazy);
        let surplus = self.surplus(ply, params.correction);
        let guess = (self.guess(mv) + Value::new(params.margin) + surplus).clamp_evaluation();
        if guess > alpha || self.position.gives_check(mv, checks) {
            return None;
        }
        self.stats.count(SearchEvent::LazyHit);
        if S::ON && self.true_value(mv, ply) > alpha {
            self.stats.count(SearchEvent::LazyError);
        }
        Some(guess)
    }

    /// A value for a quiet move one or two plies before the horizon that cannot reach alpha (FUT-01
    /// to FUT-04); further away too, if the parameters say so. `rest` is the depth behind the move.
    fn futile_value(
        &mut self,
        mv: Move,
        alpha: Value,
        rest: Depth,
        ply: usize,
        checks: &CheckSquares,
    ) -> Option<Value> {
        let params = &self.setup.params.futility;
        let plies = rest.to_plies();
        if !params.on || plies < 1 || plies > params.depth || !mv.is_quiet() || !self.may_guess(ply)
        {
            return None;
        }
        let margin = match plies {
            1 if self.plan.is_endgame() => params.one_endgame,
            1 => params.one,
            more => params.two + (more - 2) * params.further,
        };
        let surplus = if params.correction { self.surplus(ply, 1) } else { Value::ZERO };
        let score = (self.guess(mv) + surplus).clamp_evaluation();
        if alpha < score + Value::new(margin) || self.position.gives_check(mv, checks) {
            return None;
        }
        self.stats.count(SearchEvent::Futility);
        Some(score)
    }

    /// Whether the last evaluation can be built on: its side was not in check, and nothing special
    /// made its value (LAZ-02, LAZ-07..09).
    fn may_guess(&self, ply: usize) -> bool {
        let params = &self.setup.params.lazy;
        let Some(last) = &self.buffers.stack[ply].evaluation else { return false };
        !(params.spare_quadrant && last.quadrant
            || params.spare_endings && last.known_ending
            || params.spare_mates && (last.mates.white.is_some() || last.mates.black.is_some()))
    }

    /// `I_SCORE` behind a move, seen by the side to move.
    #[inline]
    fn guess(&self, mv: Move) -> Value {
        let after = self.setup.evaluator.i_score_after(&self.position, mv);
        seen_by(self.position.turn(), after)
    }

    /// What the last evaluation said beyond `I_SCORE`, seen by the side to move (LAZ-05, AMB-15).
    fn surplus(&self, ply: usize, correction: i32) -> Value {
        let turn = self.position.turn();
        let Some(value) = self.buffers.stack[ply].value(turn) else { return Value::ZERO };
        let surplus = value - self.i_score(turn);
        match correction {
            0 => Value::ZERO,
            1 => surplus,
            2 => surplus.max(Value::ZERO),
            _ => surplus.max(-surplus),
        }
    }

    /// What the evaluation says behind a move, for the count of errors.
    #[cold]
    fn true_value(&mut self, mv: Move, ply: usize) -> Value {
        self.make(mv, ply);
        let evaluation = self.evaluate_anew(ply + 1);
        self.unmake(mv);
        seen_by(self.position.turn(), evaluation.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::search::testing::{QUIET, after, only};
    use crate::types::cp;

    /// What lazy evaluation says of a move when alpha lies `above` the paper's guess: I_SCORE behind
    /// the move plus 0.50 plus what the last evaluation said beyond I_SCORE.
    fn lazy(params: &Params, fen: &str, mv: &str, above: i32) -> Option<i32> {
        after(params.clone(), fen, &[], |worker, ply| {
            let mv = worker.position.parse_uci(mv).expect(mv);
            let turn = worker.position.turn();
            let value = worker.ply(ply).value(turn).unwrap_or_default();
            let before = worker.i_score(turn);
            worker.make(mv, ply);
            let behind = worker.i_score(turn);
            worker.unmake(mv);
            let surplus = match params.lazy.correction {
                0 => Value::ZERO,
                1 => value - before,
                2 => (value - before).max(Value::ZERO),
                _ => (value - before).max(before - value),
            };
            let guess = behind + Value::new(params.lazy.margin) + surplus;
            let checks = worker.position.check_squares();
            let alpha = guess + Value::new(above);
            worker.lazy_value(mv, alpha, ply, &checks).map(|value| (value - guess).binary())
        })
    }

    /// LAZ-01, LAZ-04..06, LAZ-11, AMB-14: the guess stands while it does not exceed alpha, and is
    /// returned with its margin. The position is a middle game on both sides of the move, so that
    /// I_SCORE has one phase.
    #[test]
    fn the_guess_stands_up_to_alpha() {
        let mut params = only("lazy.on");
        assert_eq!(params.lazy.margin, cp(50));
        for correction in 0..=3 {
            params.lazy.correction = correction;
            let at = |above| lazy(&params, QUIET, "b1c3", above);
            assert_eq!([at(0), at(700), at(-1)], [Some(0), Some(0), None], "{correction}");
        }
    }

    /// LAZ-02, LAZ-03: never in check, never for a move that gives check.
    #[test]
    fn checks_are_looked_at() {
        let params = only("lazy.on");
        let fen = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
        assert!(lazy(&params, fen, "d1d2", 900).is_some());
        assert_eq!(lazy(&params, fen, "d1a4", 900), None, "gives check");
        assert_eq!(lazy(&params, "4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1e2", 900), None, "in check");
    }

    /// LAZ-07, LAZ-08, LAZ-09: nothing is guessed behind an evaluation with special knowledge.
    #[test]
    fn special_cases() {
        let params = only("lazy.on");
        let known = "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1";
        let mate = "6k1/5ppp/6P1/8/8/1P6/1K5Q/8 w - - 0 1";
        for (fen, mv, switch) in [
            ("8/6k1/8/P7/8/8/7p/K7 w - - 0 1", "a1b1", "lazy.spare_quadrant"),
            (known, "e1d1", "lazy.spare_endings"),
            (mate, "b2a2", "lazy.spare_mates"),
        ] {
            let special = after(params.clone(), fen, &[], |worker, ply| {
                let last = worker.ply(ply).evaluation.expect("not in check");
                [last.quadrant, last.known_ending, last.mates.white.is_some()]
            });
            assert!(special.contains(&true), "{fen} {special:?}");
            assert_eq!(lazy(&params, fen, mv, 2000), None, "{switch}");
        }
        let mut reckless = params;
        reckless.lazy.spare_mates = false;
        assert!(lazy(&reckless, mate, "b2a2", 2000).is_some());
    }

    /// LAZ-09: nor where the enemy threatens mate.
    #[test]
    fn the_enemys_threat_of_mate() {
        let mut params = only("lazy.on");
        let fen = "3r2k1/pbp2ppp/8/8/8/6Pq/PP2QP1P/R4RK1 w - - 0 1";
        let mates = after(params.clone(), fen, &[], |worker, ply| {
            worker.ply(ply).evaluation.expect("not in check").mates
        });
        assert!(mates.white.is_none() && mates.black.is_some());
        assert_eq!(lazy(&params, fen, "a2a3", 2000), None);
        params.lazy.spare_mates = false;
        assert!(lazy(&params, fen, "a2a3", 2000).is_some());
    }

    /// LAZ-01, FUT-01: the last ply goes by lazy evaluation, the ones before it by futility; the hash
    /// move is spared by either if the parameters say so.
    #[test]
    fn by_the_depth_behind_the_move() {
        let guessed = |lazy: bool, plies: i32, class: MoveClass, spare: bool| {
            let mut params = Params::default();
            (params.lazy.on, params.futility.on) = (lazy, !lazy);
            (params.lazy.spare_hash, params.futility.spare_hash) = (spare, spare);
            after(params, QUIET, &[], |worker, ply| {
                let mv = worker.position.parse_uci("b1c3").expect("legal");
                let (alpha, checks) = (Value::new(9999), worker.position.check_squares());
                let picked = ScoredMove::new(mv, 0, class);
                let rest = Depth::plies(plies);
                worker.futility_value(&picked, alpha, rest, ply, &checks).is_some()
            })
        };
        for (lazy, plies) in [(true, 0), (false, 1)] {
            assert!(guessed(lazy, plies, MoveClass::Quiet, true), "{lazy}");
            assert!(!guessed(!lazy, plies, MoveClass::Quiet, true), "{lazy}: the other's ply");
            assert!(!guessed(lazy, plies, MoveClass::Hash, true), "{lazy}");
            assert!(guessed(lazy, plies, MoveClass::Hash, false), "{lazy}");
        }
    }

    /// However many queens there are, a guess is no mate.
    #[test]
    fn guesses_are_no_mates() {
        let fen = "8/p5kp/8/8/NN6/PPPB4/QQQK1B2/QQQRR3 b - - 0 1";
        let mut params = Params::default();
        (params.lazy.on, params.futility.on, params.lazy.correction) = (true, true, 0);
        (params.lazy.spare_mates, params.material.queen) = (false, 4096);
        (params.material.rook, params.material.bishop, params.material.knight) = (2560, 1600, 1600);
        after(params, fen, &[], |worker, ply| {
            let mv = worker.position.parse_uci("a7a6").expect("legal");
            let (alpha, checks) = (Value::INFINITE, worker.position.check_squares());
            let lazy = worker.lazy_value(mv, alpha, ply, &checks);
            let futile = worker.futile_value(mv, alpha, Depth::PLY, ply, &checks);
            assert!(lazy.is_some_and(|guess| !guess.is_mate()), "{lazy:?}");
            assert!(futile.is_some_and(|guess| !guess.is_mate()), "{futile:?}");
        });
    }

    /// LAZ-10, LAZ-12, PAR-01: [ChessKnowledge] 100, 200 and 400 are margins of 0.50, 1.00 and 2.00;
    /// 500 is the switch.
    #[test]
    fn chess_knowledge() {
        let usual = only("lazy.on");
        let guess = |params: &Params| {
            after(params.clone(), QUIET, &[], |worker, ply| {
                let mv = worker.position.parse_uci("b1c3").expect("legal");
                let checks = worker.position.check_squares();
                let guess = worker.lazy_value(mv, Value::new(9999), ply, &checks);
                guess.expect("far behind").binary()
            })
        };
        for (knowledge, centipawns) in [(100, 50), (200, 100), (400, 200)] {
            let mut params = usual.clone();
            params.lazy.margin = usual.lazy.margin * knowledge / 100;
            assert_eq!(guess(&params) - guess(&usual), cp(centipawns - 50));
        }
        let off = Params::default();
        assert!(!off.lazy.on && lazy(&off, QUIET, "b1c3", 5000).is_none());
    }

    /// What futility pruning says at so many plies with alpha `above` I_SCORE behind the move.
    fn futile(params: &Params, fen: &str, mv: &str, plies: i32, above: i32) -> Option<i32> {
        after(params.clone(), fen, &[], |worker, ply| {
            let mv = worker.position.parse_uci(mv).expect(mv);
            let guess = worker.guess(mv);
            let checks = worker.position.check_squares();
            let (alpha, rest) = (guess + Value::new(above), Depth::plies(plies));
            let value = worker.futile_value(mv, alpha, rest, ply, &checks);
            value.map(|value| (value - guess).binary())
        })
    }

    /// FUT-01, FUT-02, FUT-03, AMB-16: 3.00, in the end game 5.00, and 5.00; the score comes back
    /// without margin.
    #[test]
    fn futility_has_the_papers_margins() {
        let params = only("futility.on");
        let ending = "3qk3/ppp2ppp/8/8/8/8/PPP2PPP/3QK3 w - - 0 1";
        for (fen, mv, plies, centipawns) in
            [(QUIET, "b1c3", 1, 300), (QUIET, "b1c3", 2, 500), (ending, "a2a3", 1, 500)]
        {
            let at = |above| futile(&params, fen, mv, plies, above);
            let margin = cp(centipawns);
            assert_eq!([at(margin), at(margin - 1)], [Some(0), None], "{fen} {plies}");
        }
        assert_eq!(futile(&params, QUIET, "b1c3", 3, 9999), None, "horizon - 3");
        assert_eq!(futile(&params, QUIET, "b1c3", 0, 9999), None, "the horizon");
    }

    /// FUT-04.
    #[test]
    fn futility_spares() {
        let params = only("futility.on");
        assert_eq!(futile(&params, QUIET, "c4d5", 1, 9999), None, "a capture");
        assert_eq!(futile(&params, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1a4", 1, 9999), None);
        assert_eq!(futile(&params, "4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1e2", 1, 9999), None);
        assert_eq!(futile(&params, "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", "e1d1", 1, 9999), None);
    }
}
