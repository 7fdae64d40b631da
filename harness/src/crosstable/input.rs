//! What was counted of the inputs of a crosstable.

use std::fmt;
use std::path::PathBuf;

use stats::ratings::Results;

/// What was read, and what of it was not counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputCounts {
    pub runs: u64,
    /// Run folders without a journal.
    pub runs_without_games: u64,
    pub pgn_files: u64,
    /// Pairs that runs, or the tags of our own PGN, tell, repeats among them.
    pub pairs_tagged: u64,
    /// Pairs found in PGN by round or opening, repeats among them.
    pub pairs_found: u64,
    /// Those of them that were found by round and start position.
    pub pairs_by_round: u64,
    /// Games that are in no pair, repeats among them.
    pub single_games: u64,
    /// Games without a result, not counted.
    pub unfinished: u64,
    /// Games that both players lost (`0-0`), not counted: no score says so.
    pub lost_by_both: u64,
    /// Games between players of one name, not counted.
    pub against_itself: u64,
    /// Inputs that were given before, not read again.
    pub same_inputs: u64,
    /// Games that an earlier input has, too, not counted.
    pub same_games: u64,
    /// Pairs that repeat an earlier pair of the same players, not rated: they say nothing new.
    pub repeated_pairs: u64,
    /// Games of PGN files that are in no pair and repeat an earlier game of the same players, with
    /// the same colours, not rated.
    pub repeated_games: u64,
    /// Pairs of runs, not counted, of which a game did not begin or the harness woke late.
    pub void_pairs: u64,
    /// Games of runs beyond the gap-free prefix of pairs, not counted: short games finish early,
    /// and would weigh too much.
    pub beyond_gap: u64,
    /// Games of PGN files that are of another match than the one asked for, not counted.
    pub of_others: u64,
    /// Games that cannot be used, not counted.
    pub unusable: u64,
    pub first_unusable: Option<Unusable>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable {
    pub path: PathBuf,
    /// The line on which the game begins, from 1.
    pub line: u64,
    /// Which game of the file, from 1.
    pub game: u64,
    /// What was expected, and what was found.
    pub why: String,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: game {}: {}", self.path.display(), self.line, self.game, self.why)
    }
}

#[derive(Debug, Clone, Default)]
pub struct CrosstableInput {
    pub results: Results,
    pub counted: InputCounts,
}
