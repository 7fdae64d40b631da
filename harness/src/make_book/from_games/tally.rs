//! What became of games and positions, and why positions are not in the book.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Games, and the positions of their plies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadTally {
    pub games: u64,
    /// Left out by --min-elo or --where.
    pub filtered: u64,
    /// Games that begin elsewhere than at the start position, or of another variant.
    pub other_start: u64,
    /// A move or a tag that cannot be read, before the last ply that is wanted.
    pub bad: u64,
    /// Games that end before the first ply that is wanted.
    pub short: u64,
    /// Positions at the plies that are wanted.
    pub positions: u64,
    /// Left out: no move is left, or no mate possible.
    pub ended: u64,
    /// Left out: the side to move is in check, so that the first move would be all but forced.
    pub in_check: u64,
    /// Left out: the last move captured, and its piece can be recaptured.
    pub recapture: u64,
    /// Left out: more than --per-game positions of a game.
    pub surplus: u64,
    /// Left out: the position is there already, from another game.
    pub duplicates: u64,
    /// Left out by chance: more than --candidates.
    pub beyond: u64,
    pub candidates: u64,
}

/// Candidates that were scored, up to the last accepted one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ScoreTally {
    pub scored: u64,
    pub accepted: u64,
    /// Left out: the score is below or above the window, whichever side is better.
    pub below: u64,
    pub above: u64,
    /// Left out: the engine sees a mate.
    pub mates: u64,
    /// Left out: the engine failed, or said no score.
    pub skipped: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct GamesTally {
    #[serde(flatten)]
    pub read: ReadTally,
    #[serde(flatten)]
    pub scores: ScoreTally,
}

/// The parts that are not 0, as `word N`.
struct Parts<'a>(&'a [(&'a str, u64)]);

impl fmt::Display for Parts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.iter().filter(|(_, number)| *number > 0);
        let Some((word, number)) = shown.next() else { return f.write_str("none") };
        write!(f, "{word} {number}")?;
        shown.try_for_each(|(word, number)| write!(f, ", {word} {number}"))
    }
}

impl fmt::Display for GamesTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GamesTally { read, scores } = self;
        let games = [
            ("by filters", read.filtered),
            ("too short", read.short),
            ("other start position", read.other_start),
            ("bad", read.bad),
        ];
        let positions = [
            ("more than --per-game", read.surplus),
            ("duplicate", read.duplicates),
            ("recapture", read.recapture),
            ("in check", read.in_check),
            ("ended", read.ended),
            ("more than --candidates", read.beyond),
        ];
        let candidates = [
            ("below the window", scores.below),
            ("above the window", scores.above),
            ("mate", scores.mates),
            ("skipped", scores.skipped),
        ];
        writeln!(f, "{} games; left out: {}", read.games, Parts(&games))?;
        writeln!(f, "{} positions; left out: {}", read.positions, Parts(&positions))?;
        write!(
            f,
            "{} candidates, {} scored; left out: {}",
            read.candidates,
            scores.scored,
            Parts(&candidates)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nothing_is_not_told() {
        let read =
            ReadTally { games: 7, short: 2, positions: 9, candidates: 3, ..Default::default() };
        let scores = ScoreTally { scored: 3, below: 2, mates: 1, ..Default::default() };
        assert_eq!(
            GamesTally { read, scores }.to_string(),
            "7 games; left out: too short 2\n9 positions; left out: none\n\
             3 candidates, 3 scored; left out: below the window 2, mate 1"
        );
    }
}
