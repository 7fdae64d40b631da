//! Why a number is undefined.

use thiserror::Error;

/// A finite number, or the reason why there is none.
pub type Defined<T = f64> = Result<T, Why>;

/// Why the counts, or the question, leave a number undefined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum Why {
    /// Nothing has been played.
    #[error("no games")]
    NoGames,
    /// A single unit (pair, or game of trinomial counts) has no spread.
    #[error("a single result has no spread; at least two are needed")]
    SingleResult,
    /// Fewer pairs, or games, than an interval and a LOS take.
    #[error("fewer than 10 pairs, or 20 games: their spread is not known well enough")]
    TooFew,
    /// All units have the same score.
    #[error("all results are alike: their spread is not known")]
    AllAlike,
    /// An Elo above the scale on which it is looked for.
    #[error("beyond +1000 Elo")]
    Above,
    /// An Elo below that scale.
    #[error("beyond -1000 Elo")]
    Below,
    /// The test engine won every game.
    #[error("the test engine won every game: its Elo has no upper bound")]
    AllWon,
    /// The test engine lost every game.
    #[error("the test engine lost every game: its Elo has no lower bound")]
    AllLost,
    /// The interval of the score reaches 0 or 1.
    #[error("too few games: the 95% interval of the score reaches 0% or 100%, where Elo ends")]
    IntervalReachesEnd,
    /// No game had a winner.
    #[error("no game had a winner")]
    NoDecisiveGames,
    /// A ratio's divisor is zero.
    #[error("no pair was lost, so that the ratio has no divisor")]
    NoLostPairs,
    /// Trinomial counts do not say which games made a pair.
    #[error("counts of games do not say which two made a pair")]
    PairsUnknown,
    /// Pentanomial counts hold two draws and win with loss together.
    #[error("counts of pairs do not tell two draws from a win and a loss")]
    GamesUnknown,
    /// No SPRT was asked for, so that there are no hypotheses.
    #[error("no SPRT was asked for")]
    NoSprt,
    /// No rule was asked for, or it has not decided yet.
    #[error("no rule has decided")]
    NoVerdict,
    /// The BayesElo model is one of games, and this a question about pairs.
    #[error("the model bayeselo is one of single games: nothing is known of its pairs")]
    ModelOfGames,
    /// What is known of stopping is known of matches in pairs.
    #[error("some of the games are in no pair")]
    SomeInNoPair,
    /// The maximisation of a likelihood found nothing.
    #[error("no distribution of results satisfies the hypothesis")]
    NoLikelihood,
}
