//! The game's phase: what the papers call middle game, end game, late end game and pawn ending, and
//! the blend of middle game and end game (AMB-84).

mod stage;

pub use stage::{Ending, Stage};

use crate::params;
use crate::position::Position;
use crate::types::{ByColor, Color, Role, Score};

/// Full middle game.
const FULL: i32 = 256;

/// More men than at the start, 62, make no difference.
const MOST_MEN: usize = 63;

/// How much of the middle game is left.
#[derive(Debug, Clone)]
pub struct Phase {
    /// The middle game's share by the men, in 1/256.
    shares: [i32; MOST_MEN + 1],
    /// Twice the men below which it is an end game.
    border: i32,
    late_endgame: i32,
    by_kind: bool,
}

impl Phase {
    /// From the phase parameters.
    #[must_use]
    pub fn new(params: &params::Phase) -> Phase {
        let endgame = params.endgame.min(params.middlegame - 1);
        let border = params.middlegame + endgame;
        let share = |men: usize| {
            let men = men as i32;
            if params.taper {
                ((men - endgame) * FULL / (params.middlegame - endgame)).clamp(0, FULL)
            } else if 2 * men < border {
                0
            } else {
                FULL
            }
        };
        Phase {
            shares: std::array::from_fn(share),
            border,
            late_endgame: params.late_endgame,
            by_kind: params.by_kind,
        }
    }

    /// The middle game's share in 1/256, by the men of both sides (N 3, B 3, R 5, Q 9).
    #[inline]
    #[must_use]
    pub fn share(&self, men: i32) -> i32 {
        self.shares[(men as usize).min(MOST_MEN)]
    }

    #[inline]
    fn is_endgame(&self, men: i32) -> bool {
        2 * men < self.border
    }

    /// The stages of a position.
    #[inline]
    #[must_use]
    pub fn stage(&self, position: &Position) -> Stage {
        let pieces = ByColor::new_with(|color| pieces(position, color));
        let few = pieces.white <= self.late_endgame && pieces.black <= self.late_endgame;
        Stage {
            endgame: self.is_endgame(position.phase_material()),
            pawn_ending: position.phase_material() == 0,
            ending: Ending::of(position, few, self.by_kind),
            pieces,
        }
    }

    /// A pair's value in a phase; rounding is the same for both colours.
    #[inline]
    #[must_use]
    pub fn blend(&self, score: Score, men: i32) -> i32 {
        let share = self.share(men);
        (score.mg() * share + score.eg() * (FULL - share)) / FULL
    }
}

/// A side's board material as the papers count it: N 3, B 3, R 5, Q 9; 31 at the start (PCE-02).
#[inline]
fn pieces(position: &Position, color: Color) -> i32 {
    let count = |role| position.men_of(color, role).count() as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}
