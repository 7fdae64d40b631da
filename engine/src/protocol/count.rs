//! Counts that take their time: the move paths of perft.

use std::fmt::Write as _;

use crate::bench;
use crate::movegen::{PERFT_MAX, divide};
use crate::position::Position;

/// A depth as people write it.
///
/// # Errors
/// Any other text.
pub fn depth(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("'{text}' is no depth in plies"))
}

/// The depth of a bench: what stands behind the word, or the usual one.
///
/// # Errors
/// Anything but one depth of at least one ply.
pub fn bench_depth(words: &[&str]) -> Result<u32, String> {
    match words {
        [] => Ok(bench::DEPTH),
        [text] => match depth(text)? {
            0 => Err("bench wants a depth of at least 1".to_owned()),
            depth => Ok(depth),
        },
        [_, more, ..] => Err(format!("bench wants one depth, not '{more}', too")),
    }
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
