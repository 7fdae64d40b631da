//! Results of matches that others played: fastchess's `config.json`, OpenBench's workloads, fishtest's
//! runs, with the PGN of their games, and PGN alone.
//!
//! `node`: values of a JSON file by their keys; `fastchess`, `openbench`, `fishtest`: a format each;
//! `archive`: PGN in tar; `games`: which games of a file are a match's; `read`: files made matches, each
//! match once.

mod archive;
mod fastchess;
mod fishtest;
mod games;
mod imported_match;
mod node;
mod openbench;
mod read;

pub use games::{Sessions, read as read_games};
pub use imported_match::{Conditions, GameIdentity, Given, ImportedMatch, Origin};
pub use read::{is_imported, matches_of_json, read};

#[cfg(any(test, fuzzing))]
pub mod fuzzing {
    //! What a fuzzer drives.

    use super::{archive, matches_of_json};

    /// Whatever a JSON file holds, its matches' numbers are finite.
    pub fn results(data: &[u8]) {
        let Ok(matches) = matches_of_json(data) else { return };
        for one in matches {
            let statistics = one.statistics(None);
            let numbers =
                [statistics.elo.elo, statistics.nelo.nelo, statistics.los, statistics.llr];
            assert!(numbers.iter().flatten().all(|number| number.is_finite()), "{numbers:?}");
        }
    }

    /// No member of an archive is longer than the archive.
    pub fn archive(data: &[u8]) {
        let _ = archive::members(data, &mut |_, member| {
            assert!(member.len() <= data.len());
            Ok(())
        });
    }
}
