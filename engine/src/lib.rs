//! mutineer: the chess engine that Ed Schröder described, REBEL and its successor ProDeo.
//!
//! The way of the data: position → search (orders moves, asks the evaluation) → move.

pub mod movegen;
pub mod position;
pub mod types;
