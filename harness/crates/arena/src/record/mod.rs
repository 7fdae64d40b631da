//! What is kept of a game and everything rendered from it.
//!
//! A [`GameRecord`] is one line of `games.jsonl`, the only source of the PGN, the summary and the
//! statistics. Everything in it that depends on the clock is inside [`GameRecord::time`]; the rest
//! is a pure function of the plan when players think by nodes or depth.
//!
//! A run's folder holds:
//!
//! - `run.json` ([`RunFile`]): what is played, by whom, on what machine; written once, with a seal:
//!   a digest of its other keys.
//! - `games.jsonl` ([`Journal`] writes, [`Games`] reads): one line a game.
//! - `fleet.jsonl` ([`FleetLog`]): what was found out about the machines of a fleet; `workers.jsonl`:
//!   which machines they were.
//! - `games.digest` ([`chain`]): the running digest of its lines; shows changed, moved and removed
//!   lines.
//! - `games.pgn` ([`pgn`]), `summary.json` and `summary.md` ([`Summary`]): rendered from those two;
//!   the PGN grows with the run.
//! - `report.html` ([`crate::report`]): the same for people, with charts.
//! - `run.lock`: held while a process writes the run.
//!
//! [`FolderKind`] says what a folder holds; `output_files` lists the names that verdict gives to
//! files.
//!
//! One fold over a journal: [`MatchState`] joins games to pairs and counts the gap-free prefix of
//! them under the rule; [`Tally`] counts more of the same pairs, for the summary, and
//! [`crate::report::RunResults`] draws them.

mod activity;
mod adjudicated;
mod append;
pub mod atomic;
mod audits;
mod capsules;
pub mod chain;
mod derived;
mod details;
mod digest;
mod error;
mod final_verdict;
mod fleet_log;
mod folder_kind;
#[cfg(any(test, fuzzing, feature = "testing"))]
pub mod fuzzing;
mod game;
mod journal;
mod journal_index;
mod json;
mod lines;
mod load;
pub mod lock;
mod machine;
mod manifest;
mod markdown;
mod match_state;
mod option_rows;
mod outcome;
pub mod output_files;
pub mod pgn;
pub mod place;
mod prefix;
mod read;
mod receipts;
mod run_file;
mod same_players;
#[cfg(any(test, feature = "testing"))]
mod sample;
mod strike;
mod summary;
mod tally;
mod twins;
mod unlike;
mod utc;
mod workers;

pub use audits::{AuditCounts, AuditSummary};
pub use capsules::{FAULTS_FOLDER, faults_line};
pub use derived::Charged;
pub use details::MoveDetails;
pub use digest::{sha256_file, sha256_folder};
pub use error::RecordError;
pub use final_verdict::FinalVerdict;
pub use fleet_log::{FLEET_FILE, FleetFacts, FleetLog, FleetNote};
pub use folder_kind::{
    CLAIMS_TABLE, CLAIMS_TITLE, FolderKind, NIGHT_LOCK, has_games_of_a_tuner, inside,
    is_claims_table,
};
pub use game::{Audit, BySide, GameRecord, MoveNote, Score, Side, Termination, TimeRecord};
pub use journal::Journal;
pub use journal_index::{GamePage, JournalIndex};
pub use json::{read_json, write_json};
pub use lines::{FaultyLine, PvCounts};
pub use load::{Load, Oversubscribed};
pub use machine::{Machine, Versions};
pub use manifest::Manifest;
pub use match_state::{CountedPair, MatchState};
pub(crate) use option_rows::option_rows;
pub use outcome::write_outcome;
pub use pgn::run_name;
pub use prefix::{DuplicatePair, PairJoiner, Prefix};
pub use read::{Games, Torn};
pub use run_file::{BookIdentity, Difference, Identity, RunFile, limit_named};
pub use same_players::is_threads;
#[cfg(any(test, feature = "testing"))]
pub use sample::sample;
pub use strike::Strike;
pub use summary::{Beyond, Details, FleetSummary, PlayerSummary, Summary, SummaryStatistics};
pub use tally::{Brief, Faults, PrefixCounts, Tally, Twins};
pub use twins::{GameKey, MANY_TWINS, PairStatus, Repeats};
pub use utc::today;
pub use workers::{ODD, WorkerResults, Workers};

pub const RUN_FILE: &str = "run.json";
pub const GAMES_FILE: &str = "games.jsonl";
/// The machines of a fleet.
pub const WORKERS_FILE: &str = "workers.jsonl";
/// The journal of a curated run, packed.
pub const GAMES_ZST_FILE: &str = "games.jsonl.zst";
pub const PGN_FILE: &str = "games.pgn";
pub const SUMMARY_FILE: &str = "summary.json";
pub const REPORT_FILE: &str = "report.html";
pub const SUMMARY_MD_FILE: &str = "summary.md";
