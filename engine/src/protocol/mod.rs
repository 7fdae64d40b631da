//! Protocols: text in, text out. The only place that prints while the engine thinks.
//!
//! The first word decides (UCI-01): `uci` speaks UCI, `xboard` the Chess Engine Communication
//! Protocol, any other word enters the line mode for people, which knows UCI's commands, explains the
//! evaluation (UCI-04) and answers mistakes with help. A mistake gets one line and changes nothing,
//! whoever makes it (UCI-02, UCI-05); only after a position that is refused there is none until the next,
//! for nobody wants a move for the old one. All of them share the `thinker` and the `options`.

mod console;
mod count;
mod exchange;
mod line;
mod moves;
mod options;
mod thinker;
mod uci;
mod xboard;

use std::io::BufRead;

pub use count::{CountJob, bench_depth, depth, perft};
pub use line::{board, explain};

use crate::text::BYTE_ORDER_MARK;

/// The options that a protocol lists; it takes all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// What a user interface can show: the usual ones, without the parameters.
    Usual,
    /// The parameters, too.
    All,
}

/// Reads commands until `quit` or the end of input. A search under way is stopped then; at the end
/// of input its move is still printed. A perft or a bench that a UCI program asked for is finished if it takes
/// less than a minute, and stopped then; in the line mode the next command waits for these.
pub fn run(input: impl BufRead + Send + 'static, listing: Listing) {
    let mut lines = lines(input).peekable();
    let xboard = lines.peek().is_some_and(|line| is_xboard(line));
    if xboard || uci::run(&mut lines, listing) == uci::Ending::Xboard {
        xboard::run(lines, listing);
    }
}

/// The lines that say something, without the blanks around it, nor the byte-order mark that some shells send
/// before the first.
fn lines(input: impl BufRead) -> impl Iterator<Item = String> {
    let blank = |c: char| c.is_whitespace() || c == BYTE_ORDER_MARK;
    let text = move |line: Vec<u8>| String::from_utf8_lossy(&line).trim_matches(blank).to_owned();
    input.split(b'\n').map_while(Result::ok).map(text).filter(|line| !line.is_empty())
}

fn is_xboard(line: &str) -> bool {
    line.split_whitespace().next() == Some("xboard")
}
