//! Counts that take their time: the move paths of perft.

use std::fmt::Write as _;

use crate::movegen::{PERFT_MAX, divide};
use crate::position::Position;

/// A depth as people write it.
///
/// # Errors
/// Any other text.
pub fn depth(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("'{text}' is no depth in plies"))
}

/// Perft of each move and of all, in the field's form.
///
/// # Errors
/// A depth that no line can have.
pub fn perft(position: &mut Position, depth: u32, chess960: bool) -> Result<String, String> {
    if depth > PERFT_MAX {
        return Err(format!("perft wants a depth in 0..={PERFT_MAX}, not {depth}"));
    }
    if depth == 0 {
        return Ok("Nodes searched: 1".to_owned());
    }
    let mut text = String::new();
    let mut total = 0;
    for (mv, nodes) in divide(position, depth) {
        let _ = writeln!(text, "{}: {nodes}", mv.to_uci(chess960));
        total += nodes;
    }
    let _ = write!(text, "\nNodes searched: {total}");
    Ok(text)
}
