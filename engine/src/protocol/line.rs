//! What people type: the board, the evaluation explained (UCI-04), exchanges, counts.

use std::fmt::Write as _;
use std::sync::Arc;

use shakmaty::{File, Rank};

use super::count::{self, CountJob};
use super::exchange;
use super::options::Options;
use crate::eval::{Evaluator, ImbalanceTable};
use crate::params::{self, Params};
use crate::position::Position;
use crate::types::Square;

/// The words of the line mode.
const HELP: &str = "\
uci, xboard                  switch to this protocol
position startpos | fen FEN [moves …]
e2e4, O-O                    play a move
go [depth N | nodes N | movetime MS | wtime MS … | infinite | perft N]
stop, ponderhit, isready, ucinewgame, quit
setoption name NAME value VALUE (uci lists the options, params the parameters)
d                            show the board
eval [FEN]                   the evaluation, term by term
perft N                      perft, divided by move
see MOVE                     static exchange evaluation of MOVE, capture by capture
bench [DEPTH]                bench: node total of fixed positions
params [json|markdown|spsa]  the parameter table
(test suites run from the shell: mutineer suite --help)";

/// Whether a line begins with a word of people.
pub(super) fn knows(line: &str) -> bool {
    const WORDS: [&str; 7] = ["d", "eval", "perft", "see", "bench", "params", "help"];
    line.split_whitespace().next().is_some_and(|word| WORDS.contains(&word))
}

/// What a word of people asks for.
pub(super) enum Answer {
    /// Words to be said.
    Text(String),
    /// A count to be made.
    Count(CountJob),
}

/// Answers a word of people.
///
/// # Errors
/// Words it does not know, or not in this form; that there is no position, where one is needed.
pub(super) fn answer(
    word: &str,
    rest: &[&str],
    position: Result<&Position, String>,
    options: &Options,
) -> Result<Answer, String> {
    Ok(Answer::Text(match (word, rest) {
        ("d", []) => board(position?),
        ("eval", []) => explain(position?, options.params(), options.imbalance.as_deref()),
        ("eval", fen) => {
            let other = Position::from_fen(&fen.join(" ")).map_err(|error| error.to_string())?;
            explain(&other, options.params(), options.imbalance.as_deref())
        }
        ("perft", [depth]) => {
            let position = position?;
            let chess960 = options.chess960 || position.is_chess960();
            let depth = count::depth(depth)?;
            return count::perft(position.clone(), depth, chess960).map(Answer::Count);
        }
        ("see", [mv]) => exchange::explain(position?, mv, options.params())?,
        ("bench", depth) => {
            let depth = count::bench_depth(depth)?;
            return Ok(Answer::Count(count::bench(options.params(), depth)));
        }
        ("params", [] | ["json"]) => params::json(options.params()).to_string(),
        ("params", ["markdown"]) => params::markdown(options.params()),
        ("params", ["spsa"]) => params::spsa(options.params()),
        ("help", _) => HELP.to_owned(),
        ("d" | "perft" | "see" | "params", _) => {
            return Err(format!("'{word}' does not go with '{}'", rest.join(" ")));
        }
        _ => return Err(format!("unknown command '{word}'")),
    }))
}

/// The board as a diagram, with FEN and key.
#[must_use]
pub fn board(position: &Position) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{rank} ");
        for file in File::ALL {
            let piece = position.piece_at(Square::from_coords(file, rank));
            let _ = write!(text, " {}", piece.letter());
        }
        text.push('\n');
    }
    let _ = writeln!(text, "   a b c d e f g h\n");
    let _ = writeln!(text, "FEN: {}", position.fen());
    let _ = write!(text, "Key: {:016X}", position.key());
    for checker in position.checkers() {
        let _ = write!(text, "\nCheck from {checker}");
    }
    text
}

/// Every term of the evaluation, and a remark where the search would not ask for it.
#[must_use]
pub fn explain(
    position: &Position,
    params: &Arc<Params>,
    imbalance: Option<&ImbalanceTable>,
) -> String {
    let mut text = Evaluator::with_imbalance(params, imbalance).breakdown(position).to_string();
    if position.in_check() {
        text.push_str("\n(the side to move is in check: the search never evaluates here)");
    }
    text
}
