//! Games of which some are in pairs: the mean of all, and the spread of both kinds.

use super::counts::{Counts as _, Pentanomial, Wdl};
use super::display::LEAST_PAIRS;
use super::elo::{Elo, IntervalKind, NormalizedElo, elo_of, nelo_of};
use super::los::los_of;
use super::sample::{Moments, ScoreSample};
use super::sprt::{Model, Sprt};
use super::why::{Defined, Why};

/// Pairs, and games in none. A pair has the variance of pairs, a game in none that of all games.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mixed {
    pairs: Pentanomial,
    single: Wdl,
    all: Wdl,
    /// Of a game, over all games.
    moments: Moments,
}

impl Mixed {
    /// `None` where the pairs have no spread: then all games are best taken one by one.
    pub(super) fn new(pairs: Pentanomial, single: Wdl, all: Wdl) -> Option<Mixed> {
        let unlike = pairs.low_to_high().as_ref().iter().filter(|&&count| count > 0).count() > 1;
        let of_pair = ScoreSample::new(&pairs).moments().ok().filter(|_| unlike)?;
        let of_game = ScoreSample::new(&all).moments().ok()?;
        // In points: a pair has two.
        let variance = of_pair.units * (2.0 * of_pair.deviation).powi(2)
            + single.games() as f64 * of_game.deviation.powi(2);
        let moments = Moments { deviation: (variance / of_game.units).sqrt(), ..of_game };
        Some(Mixed { pairs, single, all, moments })
    }

    fn points(&self) -> (f64, f64) {
        ScoreSample::new(&self.all).points()
    }

    fn enough(&self) -> Defined<()> {
        if self.all.games() < 2 * LEAST_PAIRS { Err(Why::TooFew) } else { Ok(()) }
    }

    pub(super) fn elo(&self) -> Elo {
        let reach = IntervalKind::Normal.reach(self.moments.units);
        let Elo { elo, error95, low95, high95 } = elo_of(self.points(), Ok(self.moments), reach);
        let only = |number: Defined| self.enough().and(number);
        Elo { elo, error95: only(error95), low95: only(low95), high95: only(high95) }
    }

    pub(super) fn nelo(&self) -> NormalizedElo {
        let NormalizedElo { nelo, error95 } = nelo_of(self.points(), Ok(self.moments), 1.0);
        let only = |number: Defined| self.enough().and(number);
        NormalizedElo { nelo: only(nelo), error95: only(error95) }
    }

    pub(super) fn los(&self) -> Defined {
        self.enough().map(|()| los_of(&self.moments))
    }

    /// Pairs and games in none are independent: their likelihoods multiply.
    pub(super) fn llr(&self, sprt: &Sprt) -> Defined {
        match sprt.model() {
            Model::BayesElo => sprt.llr(&self.all),
            Model::Normalized | Model::Logistic => {
                Ok(sprt.llr(&self.pairs)? + sprt.llr(&self.single)?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{display_elo, display_los, display_nelo};

    fn close(one: Defined, other: Defined) -> bool {
        matches!((one, other), (Ok(one), Ok(other)) if (one / other - 1.0).abs() < 0.002)
    }

    /// Next to many pairs one game says next to nothing, and the other way round.
    #[test]
    fn it_lies_between_pairs_alone_and_games_alone() {
        let pairs = Pentanomial::from([100, 300, 900, 500, 200]);
        let games = Wdl { win: 1000, draw: 2400, loss: 600 };
        let one = Wdl { win: 1, ..Wdl::default() };
        let mixed = Mixed::new(pairs, one, games + one).unwrap();
        assert!(close(mixed.elo().error95, display_elo(&pairs).error95));
        assert!(close(mixed.nelo().error95, display_nelo(&pairs).error95));
        assert!(close(mixed.los(), display_los(&pairs)));

        let few = Pentanomial::from([0, 0, 1, 1, 0]);
        let all = games + Wdl { win: 2, draw: 1, loss: 1 };
        let mixed = Mixed::new(few, games, all).unwrap();
        assert!(close(mixed.elo().elo, display_elo(&all).elo));
        assert!(close(mixed.elo().error95, display_elo(&all).error95));
    }

    #[test]
    fn pairs_without_spread_say_nothing_of_their_variance() {
        let alike = Pentanomial { dd_wl: 5, ..Pentanomial::default() };
        let single = Wdl { win: 3, draw: 1, loss: 2 };
        assert!(Mixed::new(alike, single, single + Wdl { draw: 10, ..Wdl::default() }).is_none());
        assert!(Mixed::new(Pentanomial::default(), single, single).is_none());
    }
}
