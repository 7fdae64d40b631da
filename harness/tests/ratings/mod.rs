//! Joint ratings: known cases, what must hold of any games, coverage, degenerate games, PGN, runs,
//! and the commands that use them.

mod command;
mod coverage;
mod degenerate;
mod elostat;
mod known;
mod pairs;
mod pgn;
mod properties;
mod runs;
mod terminal;
mod tournament;
