//! Makes tables from games: material imbalance (PRO-01, PRO-22), piece-square tables (PRO-21),
//! early openings (PRO-19); these are the builders of TST-10. This crate knows no matches.
//!
//! ```text
//! input (texts, cut into pieces) ─► miner (tags, filter, replay) ─► count ─► counts_file
//!                                        ▲ run: one thread each                 │
//!        mat_files, imbalance, squares, openings: tables rendered from counts ◄─┘
//!        provenance: where they come from; boards: how often a material table speaks
//! ```
//!
//! [`mine`] reads games and counts; a [`CountsFile`] stores counts with their inputs and filters,
//! and merges files. Everything else is rendered from counts. Opening positions that exceed memory are
//! kept in a [`Scratch`]. `cross_check` reads the games a second
//! time with pgn-reader.

mod boards;
pub mod count;
mod counts_file;
mod cross_check;
mod filter;
#[cfg(any(test, fuzzing, feature = "testing"))]
pub mod fuzzing;
mod imbalance;
mod input;
mod json;
mod leb128;
mod mat_files;
mod miner;
pub mod mit_stats;
mod openings;
mod provenance;
mod run;
mod scratch;
pub mod squares;
mod tally;
mod text_hash;

pub use boards::BoardUse;
pub use counts_file::{Checkpoint, CountsFile, InputInfo, ReadState};
pub use cross_check::CrossCheck;
pub use filter::{Condition, EloOf, Filter, Tags};
pub use imbalance::Imbalance;
pub use input::{Input, has_games, list};
pub use json::{cell_name, write_counts_json};
pub use mat_files::{read_mat_files, write_mat_files};
pub use miner::{CountSettings, FINGERPRINTS};
pub use openings::{OpeningChoice, chosen_keys, write_openings};
pub use pgn::san::Resolver;
pub use provenance::provenance;
pub use run::{MinePlan, Mined, Watcher, mine};
pub use scratch::Scratch;
pub use tally::{BadGame, BadGameReason, GameTally};
