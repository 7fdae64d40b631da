//! The game's phase by the men left, and the blend of middle game and end game (AMB-84).

use crate::params;
use crate::types::Score;

/// Full middle game.
const FULL: i32 = 256;

/// How much of the middle game is left.
#[derive(Debug, Clone)]
pub struct Phase {
    taper: bool,
    middlegame: i32,
    endgame: i32,
}

impl Phase {
    /// From the phase parameters.
    #[must_use]
    pub fn new(params: &params::Phase) -> Phase {
        let endgame = params.endgame.min(params.middlegame - 1);
        Phase { taper: params.taper, middlegame: params.middlegame, endgame }
    }

    /// The middle game's share in 1/256, by the men of both sides (N 3, B 3, R 5, Q 9).
    #[inline]
    #[must_use]
    pub fn share(&self, men: i32) -> i32 {
        if self.taper {
            let part = (men - self.endgame) * FULL / (self.middlegame - self.endgame);
            part.clamp(0, FULL)
        } else if 2 * men >= self.middlegame + self.endgame {
            FULL
        } else {
            0
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
