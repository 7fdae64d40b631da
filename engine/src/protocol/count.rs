//! Counts that take their time: the move paths of perft, the bench's nodes. The shell and the line mode wait for
//! them; a UCI session has them made where it has searches made, so that it hears what is said meanwhile.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::bench;
use crate::movegen::{PERFT_MAX, divide_until};
use crate::params::Params;
use crate::position::Position;
use crate::search::Observer;

/// A count to be made, and what it comes to in words. It ends soon when the observer stops it.
pub type CountJob = Box<dyn FnOnce(&dyn Observer) -> String + Send>;

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
            0 => Err("bench: expected a depth of at least 1".to_owned()),
            depth => Ok(depth),
        },
        [_, more, ..] => Err(format!("bench: expected one depth, found also '{more}'")),
    }
}

/// Perft of each move and of all, in the field's form.
///
/// # Errors
/// A depth that no line can have.
pub fn perft(mut position: Position, depth: u32, chess960: bool) -> Result<CountJob, String> {
    if depth > PERFT_MAX {
        return Err(format!("perft: expected a depth from 0 to {PERFT_MAX}, found {depth}"));
    }
    Ok(Box::new(move |observer| {
        if depth == 0 {
            return "Nodes searched: 1".to_owned();
        }
        let Some(parts) = divide_until(&mut position, depth, &|| observer.stop()) else {
            return "perft: stopped".to_owned();
        };
        let mut text = String::new();
        let mut total = 0;
        for (mv, nodes) in parts {
            let _ = writeln!(text, "{}: {nodes}", mv.to_uci(chess960));
            total += nodes;
        }
        let _ = write!(text, "\nNodes searched: {total}");
        text
    }))
}

/// The bench's total.
pub(super) fn bench(params: &Arc<Params>, depth: u32) -> CountJob {
    let params = Arc::clone(params);
    Box::new(move |observer| {
        let report = bench::bench_watched(&params, depth, |_, _, _| (), observer);
        match report {
            _ if observer.stop() => "bench: stopped".to_owned(),
            Ok(report) => report.to_string(),
            Err(error) => error.to_string(),
        }
    })
}
