//! Why a number is undefined.

use thiserror::Error;

/// A finite number, or the reason why there is none.
pub type Defined<T = f64> = Result<T, Why>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum Why {
    #[error("no games")]
    NoGames,
    #[error("a single result has no spread; at least two are needed")]
    SingleResult,
    #[error("fewer than 10 pairs, or 20 games: their spread is not known well enough")]
    TooFew,
    #[error("all results are alike: their spread is not known")]
    AllAlike,
    /// The scale of [`Unbiased`](super::Unbiased) ends there.
    #[error("beyond +1000 Elo")]
    Above,
    #[error("beyond -1000 Elo")]
    Below,
    #[error("the test engine won every game: its Elo has no upper bound")]
    AllWon,
    #[error("the test engine lost every game: its Elo has no lower bound")]
    AllLost,
    /// The interval of the score reaches 0 or 1.
    #[error("too few games: the 95% interval of the score reaches 0% or 100%, where Elo ends")]
    IntervalReachesEnd,
    #[error("no pair was lost, so that the ratio has no divisor")]
    NoLostPairs,
    #[error("counts of games do not say which two made a pair")]
    PairsUnknown,
    #[error("counts of pairs do not tell two draws from a win and a loss")]
    GamesUnknown,
    #[error("no SPRT was asked for")]
    NoSprt,
    #[error("no rule has decided")]
    NoVerdict,
    /// The BayesElo model is one of games, and this a question about pairs.
    #[error("the model bayeselo is one of single games: nothing is known of its pairs")]
    ModelOfGames,
    #[error("some of the games are in no pair")]
    SomeInNoPair,
    #[error("no distribution of results satisfies the hypothesis")]
    NoLikelihood,
}
