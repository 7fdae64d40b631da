//! What is shown of few pairs.
//!
//! The spread that intervals and LOS are made of is itself estimated from the pairs. Of a handful
//! it is often far too small, and where all are alike there is none; then no number is better than
//! one that looks certain.

use super::counts::Counts;
use super::elo::{Elo, IntervalKind, NormalizedElo, elo, nelo};
use super::los::los;
use super::why::{Defined, Why};

/// Of fewer pairs, or twice as many games, no interval and no LOS is shown, and a LOS decides
/// nothing.
pub const LEAST_PAIRS: u64 = 10;

/// Fails for fewer than [`LEAST_PAIRS`].
pub(super) fn enough<C: Counts>(counts: &C) -> Defined<()> {
    let units = counts.low_to_high().as_ref().iter().fold(0_u64, |sum, &n| sum.saturating_add(n));
    match units.saturating_mul(u64::from(C::GAMES)) {
        0 => Err(Why::NoGames),
        games if games < 2 * LEAST_PAIRS => Err(Why::TooFew),
        _ => Ok(()),
    }
}

/// Fails where all units are alike.
fn spread<C: Counts>(counts: &C) -> Defined<()> {
    let alike = counts.low_to_high().as_ref().iter().filter(|&&count| count > 0).count() < 2;
    if alike { Err(Why::AllAlike) } else { Ok(()) }
}

/// Elo of the counts, with an interval only where they are enough for one and not all alike.
pub fn display_elo<C: Counts>(counts: &C) -> Elo {
    let Elo { elo, error95, low95, high95 } = elo(counts, IntervalKind::Normal);
    // Why there is no Elo at all says more than why it has no interval.
    let only = |number: Defined| {
        elo?;
        enough(counts).and(spread(counts)).and(number)
    };
    Elo { elo, error95: only(error95), low95: only(low95), high95: only(high95) }
}

/// Normalized Elo, only where the counts are enough for its error and not all alike: it is itself
/// measured in their spread.
pub fn display_nelo<C: Counts>(counts: &C) -> NormalizedElo {
    let NormalizedElo { nelo, error95 } = nelo(counts);
    let only = |number: Defined| {
        elo(counts, IntervalKind::Normal).elo?;
        enough(counts).and(spread(counts)).and(number)
    };
    NormalizedElo { nelo: only(nelo), error95: only(error95) }
}

/// LOS, only where the counts are enough for one. Where all are alike, the values that replace zero
/// counts give the spread.
pub fn display_los<C: Counts>(counts: &C) -> Defined {
    enough(counts).and_then(|()| los(counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, Wdl};

    #[test]
    fn few_pairs_have_no_interval_and_no_los() {
        let nine = Pentanomial::from([1, 2, 3, 2, 1]);
        let ten = Pentanomial::from([1, 2, 3, 2, 2]);
        assert_eq!(display_elo(&nine).elo, Ok(0.0));
        assert_eq!(display_elo(&nine).error95, Err(Why::TooFew));
        assert_eq!(display_nelo(&nine).nelo, Err(Why::TooFew));
        assert_eq!(display_los(&nine), Err(Why::TooFew));
        assert_eq!(display_elo(&ten), elo(&ten, IntervalKind::Normal));
        assert_eq!(display_nelo(&ten), nelo(&ten));
        assert_eq!(display_los(&ten), los(&ten));
        // Games of no known pairs: as many.
        let games = |win| Wdl { win, draw: 9, loss: 5 };
        assert_eq!(display_los(&games(5)), Err(Why::TooFew));
        assert!(display_los(&games(6)).is_ok() && display_elo(&games(6)).error95.is_ok());
    }

    #[test]
    fn what_is_all_alike_has_no_interval() {
        let drawn = Pentanomial { dd_wl: 100, ..Pentanomial::default() };
        assert_eq!(display_elo(&drawn).error95, Err(Why::AllAlike));
        assert_eq!(display_nelo(&drawn).error95, Err(Why::AllAlike));
        assert_eq!((display_elo(&drawn).elo, display_los(&drawn)), (Ok(0.0), Ok(0.5)));
        let won = Pentanomial { ww: 100, ..Pentanomial::default() };
        assert_eq!(display_elo(&won).error95, Err(Why::AllWon));
        assert!(display_los(&won).unwrap() > 0.999);
        let nothing = Pentanomial::default();
        assert_eq!(display_elo(&nothing).error95, Err(Why::NoGames));
        assert_eq!(display_los(&nothing), Err(Why::NoGames));
    }
}
