//! The engine's tests from outside, in one program: each program more is linked anew, which takes
//! longer than most of its tests. `memory.rs` needs an allocator of its own, and an overflow in
//! `recursion.rs` takes the whole program with it.

mod command_line;
mod common;
mod counts;
mod endgame_play;
mod eval;
mod eval_endgame;
mod eval_king;
mod eval_pawns;
mod imbalance;
mod openbench;
mod ordering;
mod papers_positions;
mod papers_tables;
mod perft;
mod personalities;
mod rebel_document;
mod root;
mod rules;
mod search;
mod see;
mod statistics;
mod strength;
mod suites;
mod tablebases;
mod threads;
mod uci;
mod uci_options;
mod xboard;
mod xboard_options;
