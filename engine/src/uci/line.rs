//! What people type: the board, the evaluation, exchanges.

use std::fmt::Write as _;

use shakmaty::{File, Rank};

use super::options::Options;
use crate::eval::Evaluator;
use crate::movegen::divide;
use crate::params::Params;
use crate::position::{Position, SeePins};
use crate::search::exchange_values;
use crate::types::{Square, Value};

/// The words of the line mode.
pub const HELP: &str = "\
uci                          speak UCI
position startpos | fen FEN [moves …]
go [depth N | nodes N | movetime MS | wtime MS … | infinite | perft N]
stop, ponderhit, isready, ucinewgame, quit
setoption name NAME value VALUE
d                            show the board
eval                         explain the evaluation
perft N                      count move paths, move by move
see MOVE                     what the exchange that MOVE begins wins
bench [DEPTH]                node total of fixed positions
params [json|markdown|spsa]  the parameter table
(test suites are a command of the shell: mutineer suite --help)";

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

/// Every term of the evaluation.
pub(super) fn explain(position: &Position, options: &Options) -> String {
    let imbalance = options.imbalance.as_deref();
    let breakdown = Evaluator::with_imbalance(&options.params, imbalance).breakdown(position);
    if position.in_check() {
        return format!(
            "{breakdown}\n(the side to move is in check: the search never evaluates here)"
        );
    }
    breakdown.to_string()
}

/// Perft of each move and of all, in the field's form.
#[must_use]
pub fn perft(position: &mut Position, depth: u32, chess960: bool) -> String {
    let mut text = String::new();
    let mut total = 0;
    if depth == 0 {
        return "Nodes searched: 1".to_owned();
    }
    for (mv, nodes) in divide(position, depth) {
        let _ = writeln!(text, "{}: {nodes}", mv.to_uci(chess960));
        total += nodes;
    }
    let _ = write!(text, "\nNodes searched: {total}");
    text
}

/// The exchange value of a move, both readings of pins.
pub(super) fn see(position: &Position, text: &str, params: &Params) -> Result<String, String> {
    let mv = position.parse_uci(text).map_err(|error| error.to_string())?;
    let exchange = exchange_values(&params.see);
    let value = |pins| position.see(mv, &exchange, pins);
    let pawns = |value: Value| f64::from(value.binary()) / f64::from(Value::PAWN.binary());
    let (plain, pinned) = (value(SeePins::Ignored), value(SeePins::Respected));
    Ok(format!("see {text}: {:+.2} (pins respected {:+.2})", pawns(plain), pawns(pinned)))
}
