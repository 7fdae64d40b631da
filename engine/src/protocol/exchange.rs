//! Exchanges, spelt out for people (SEE-12, SEE-20).

use std::fmt::Write as _;
use std::sync::Arc;

use shakmaty::{Color, Role};

use super::moves::move_of;
use crate::params::Params;
use crate::position::{Position, SeePins, SeeStep};
use crate::search::exchange_values;
use crate::types::{Move, Square, Value};

/// Who takes when, with the running score, and what the move wins; both readings of pins.
///
/// # Errors
/// Text that is no move here.
pub(super) fn explain(
    position: &Position,
    text: &str,
    params: &Arc<Params>,
) -> Result<String, String> {
    let mv = match move_of(position, text) {
        Some(mv) => mv,
        None => position.parse_uci(text).map_err(|error| error.to_string())?,
    };
    let values = exchange_values(&params.see);
    let [plain, pinned] =
        [SeePins::Ignored, SeePins::Respected].map(|pins| position.see_steps(mv, &values, pins));
    let same = plain == pinned;
    let mut out = captures(position, mv, "ignored", &plain);
    if !same {
        out += &captures(position, mv, "respected", &pinned);
    }
    let value = |pins| pawns(position.see(mv, &values, pins));
    let (plain, pinned) = (value(SeePins::Ignored), value(SeePins::Respected));
    let _ = write!(out, "see {text}: {plain:+.2} (pins respected {pinned:+.2})");
    Ok(out)
}

/// One line a capture. The running score is the mover's.
fn captures(
    position: &Position,
    mv: Move,
    pins: &str,
    (steps, happen): &(Vec<SeeStep>, usize),
) -> String {
    let mut out = format!("exchange on {}, pins {pins}\n", mv.to());
    let mut running = 0;
    for (n, step) in steps.iter().enumerate() {
        let ours = step.side == position.turn();
        running += if ours { step.gain.binary() } else { -step.gain.binary() };
        let what = format!("{} {} {}", colour(step.side), word(step.role), step.from);
        let deed = match (step.takes, step.promotes) {
            (Some(taken), None) => format!("takes {}", word(taken)),
            (None, None) => "takes nothing".to_owned(),
            (Some(taken), Some(to)) => format!("takes {}, becomes {}", word(taken), word(to)),
            (None, Some(to)) => format!("becomes {}", word(to)),
        };
        let (gain, running) = (pawns(step.gain), pawns(Value::new(running)));
        let _ = write!(out, "{:>3}  {what:<16} {deed:<28} {gain:>5.2} {running:>+6.2}", n + 1);
        let revealed: Vec<String> =
            step.reveals.into_iter().filter_map(|sq| man(position, sq)).collect();
        if !revealed.is_empty() {
            let _ = write!(out, "  reveals {}", revealed.join(", "));
        }
        out.push('\n');
        if n + 1 == *happen && n + 1 < steps.len() {
            let stopper = colour(step.side.other());
            let _ = writeln!(out, "     {stopper} gains nothing by going on");
        }
    }
    out
}

fn man(position: &Position, sq: Square) -> Option<String> {
    let piece = position.piece_at(sq);
    let colour_of =
        if position.by_color(Color::White).contains(sq) { Color::White } else { Color::Black };
    piece.role().map(|role| format!("{} {} {sq}", colour(colour_of), word(role)))
}

fn pawns(value: Value) -> f64 {
    f64::from(value.binary()) / f64::from(Value::PAWN.binary())
}

fn colour(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}

fn word(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
