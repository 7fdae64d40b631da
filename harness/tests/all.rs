//! The harness's tests from outside, in one program: each program more is linked anew, which takes
//! longer than most of its tests. `record_memory.rs` needs an allocator of its own.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bisect;
mod builds;
mod chaos;
mod check;
mod ci_match;
mod claims;
mod command_line;
mod common;
mod edges;
mod export;
mod export_tables;
mod imported;
mod ledger;
mod like;
mod links;
mod matches;
mod mutineer_options;
mod nightly;
mod nightly_script;
mod openings_files;
mod openings_from_games;
mod openings_make;
mod openings_polyglot;
mod openings_rate;
mod openings_read;
mod plain_files;
mod ratings;
mod readme;
mod recipes;
mod record;
mod report;
mod stats_command;
mod stats_golden;
mod stats_properties;
mod stats_rules;
mod sweep;
mod tables;
mod tournament;
mod tune;
mod uci_player;
mod uci_ponder;
mod xboard_player;
mod xboard_thinking;
