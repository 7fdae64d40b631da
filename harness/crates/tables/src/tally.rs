//! What became of the games of a run: counted, left out, or bad, and why.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a game is bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[derive(strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum BadGameReason {
    IllegalMove,
    AmbiguousMove,
    /// A move that moves nothing: `--`, `Z0`.
    NullMove,
    /// A word in place of a move, also at a truncated end of file.
    NotAMove,
    /// A start position that cannot be read, or is not legal.
    StartPosition,
    /// Another game than chess and Chess960.
    Variant,
    /// Comments, variations or tags that are not closed.
    Syntax,
    /// Words between games.
    Prose,
    /// One result by tag, another after the moves: not in the material table.
    TwoResults,
    /// Neither won, drawn nor lost: not in the material table.
    NoResult,
    /// `0-0`, lost by both players: not in the material table.
    LostByBoth,
    /// The two move resolvers disagree: a bug in this program.
    Disagreement,
}

impl BadGameReason {
    /// Whether the game is not counted at all; otherwise it counts where results do not matter.
    pub fn is_fatal(self) -> bool {
        !matches!(
            self,
            BadGameReason::TwoResults | BadGameReason::NoResult | BadGameReason::LostByBoth
        )
    }
}

impl fmt::Display for BadGameReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&<&str>::from(self).replace('-', " "))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadGame {
    /// The line it begins on, in the unpacked text, from 1.
    pub line: u64,
    /// The offset of that line's first byte, from 0.
    pub offset: u64,
    /// The line of the mistake.
    pub mistake_line: u64,
    pub reason: BadGameReason,
    /// What was expected and what was found.
    pub detail: String,
}

/// Games by what became of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GameTally {
    /// Games found, prose not among them.
    pub games: u64,
    pub counted: u64,
    /// Plies of counted games.
    pub plies: u64,
    /// Counted games without a move.
    pub empty: u64,
    pub filtered: u64,
    /// Left out as duplicates.
    pub duplicates: u64,
    /// Bad ones and those without a decided result, by reason.
    pub bad: BTreeMap<BadGameReason, u64>,
}

impl GameTally {
    pub(super) fn add_bad(&mut self, reason: BadGameReason) {
        *self.bad.entry(reason).or_default() += 1;
    }

    /// Games not counted, prose excluded.
    pub fn skipped(&self) -> u64 {
        let is_bad = |reason: BadGameReason| reason.is_fatal() && reason != BadGameReason::Prose;
        let bad = self.bad.iter().filter(|(reason, _)| is_bad(**reason));
        bad.fold(0, |sum, (_, games)| sum.saturating_add(*games))
    }

    pub fn merge(&mut self, other: &GameTally) {
        for (sum, more) in [
            (&mut self.games, other.games),
            (&mut self.counted, other.counted),
            (&mut self.plies, other.plies),
            (&mut self.empty, other.empty),
            (&mut self.filtered, other.filtered),
            (&mut self.duplicates, other.duplicates),
        ] {
            *sum = sum.saturating_add(more);
        }
        for (&reason, games) in &other.bad {
            let sum = self.bad.entry(reason).or_default();
            *sum = sum.saturating_add(*games);
        }
    }
}

impl fmt::Display for GameTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games: {} counted ({} plies)", self.games, self.counted, self.plies)?;
        for (number, what) in [
            (self.filtered, "left out by filters"),
            (self.duplicates, "duplicates"),
            (self.skipped(), "skipped as bad"),
        ] {
            if number > 0 {
                write!(f, ", {number} {what}")?;
            }
        }
        for (reason, games) in &self.bad {
            write!(f, "\n  {reason}: {games}")?;
            if !reason.is_fatal() {
                f.write_str(" (not in the material table)")?;
            } else if *reason == BadGameReason::Prose {
                f.write_str(" (no games)")?;
            }
        }
        Ok(())
    }
}
