//! The evaluation's pawn terms against the paper's examples and positions worked out by hand.
//!
//! Every position is also evaluated with colours changed, and must give the same points.

mod ending;
mod passed;
mod quadrant;
mod structure;

use std::sync::{Arc, LazyLock};

use crate::common::color_flipped;
use engine::eval::{Evaluator, Term};
use engine::types::Color;
use engine::{Params, Position};

/// Middle-game and end-game points.
type Points = (i32, i32);

/// An evaluator for a set of parameters.
struct Judge(Evaluator);

impl Judge {
    /// With the parameters as they are.
    fn new() -> Judge {
        static SHARED: LazyLock<Evaluator> = LazyLock::new(|| Judge::with(&[]).0);
        Judge(SHARED.clone())
    }

    /// With parameters set to other values.
    fn with(changes: &[(&str, &str)]) -> Judge {
        let mut params = Params::default();
        for (name, value) in changes {
            params.set(name, value).expect(name);
        }
        Judge(Evaluator::new(&Arc::new(params)))
    }

    /// A term's points for White and for Black.
    fn both(&self, fen: &str, term: Term) -> [Points; 2] {
        let of = |fen: &str| {
            let position = Position::from_fen(fen).expect(fen);
            let breakdown = self.0.breakdown(&position);
            assert_eq!(breakdown.sum(), breakdown.total.binary(), "{fen}");
            [Color::White, Color::Black].map(|color| {
                let score = breakdown.of(term, color);
                (score.mg(), score.eg())
            })
        };
        let points = of(fen);
        let [black, white] = of(&color_flipped(fen));
        assert_eq!(points, [white, black], "{fen} and with colours changed");
        points
    }

    /// A term's points for White.
    fn white(&self, fen: &str, term: Term) -> Points {
        self.both(fen, term)[0]
    }
}

/// The same value in both phases.
fn equal(value: i32) -> Points {
    (value, value)
}
