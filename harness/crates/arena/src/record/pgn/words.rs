//! How a game ended, in the words of PGN and of people.

use crate::record::{GameRecord, Termination};
use pgn::Outcome;
use process::terminal::escape::shown;

/// As fastchess writes it.
pub(super) fn termination_tag(termination: Termination) -> &'static str {
    match termination {
        Termination::Checkmate
        | Termination::Stalemate
        | Termination::Repetition
        | Termination::FiftyMoves
        | Termination::InsufficientMaterial
        | Termination::Resignation => "normal",
        Termination::DrawAdjudication
        | Termination::ResignAdjudication
        | Termination::LengthAdjudication
        | Termination::TablebaseAdjudication => "adjudication",
        Termination::IllegalMove => "illegal move",
        Termination::TimeLoss | Termination::LateHarness => "time forfeit",
        Termination::NotStarted
        | Termination::Crash
        | Termination::Hang
        | Termination::Garbage
        | Termination::BrokenPipe
        | Termination::FalseClaim
        | Termination::AnsweredTwice => "abandoned",
    }
}

/// Such as `White mates`, fit for a comment.
pub(super) fn reason(game: &GameRecord) -> String {
    let (winner, loser, outcome) = match game.result {
        Outcome::White => ("White", "Black", "White wins"),
        Outcome::Black => ("Black", "White", "Black wins"),
        Outcome::Draw => ("Nobody", "Nobody", "Draw"),
    };
    let culprit = game.fault_color().map_or("", |color| color.fold_wb("White", "Black"));
    let mut text = match game.termination {
        Termination::Checkmate => format!("{winner} mates"),
        Termination::Stalemate => "Draw by stalemate".to_owned(),
        Termination::Repetition => "Draw by 3-fold repetition".to_owned(),
        Termination::FiftyMoves => "Draw by fifty moves rule".to_owned(),
        Termination::InsufficientMaterial => "Draw by insufficient mating material".to_owned(),
        Termination::Resignation => format!("{loser} resigns"),
        Termination::DrawAdjudication | Termination::ResignAdjudication => {
            format!("{outcome} by adjudication")
        }
        Termination::LengthAdjudication => {
            format!("{outcome} by adjudication: length of the game")
        }
        Termination::TablebaseAdjudication => format!("{outcome} by adjudication: tablebase"),
        Termination::IllegalMove => format!("{culprit} makes an illegal move"),
        Termination::TimeLoss if game.result == Outcome::Draw => {
            format!("Draw: {culprit} runs out of time and the other side cannot mate")
        }
        Termination::TimeLoss => format!("{culprit} loses on time"),
        Termination::LateHarness => format!("{culprit} loses on time by the harness's delay"),
        Termination::NotStarted => format!("{culprit} does not start"),
        Termination::Crash => format!("{culprit} disconnects"),
        Termination::Hang => format!("{culprit}'s connection stalls"),
        Termination::Garbage => format!("{culprit} answers outside the protocol"),
        Termination::BrokenPipe => format!("{culprit} disconnects: broken pipe"),
        Termination::FalseClaim => {
            format!("{culprit} claims a result that the board does not have")
        }
        Termination::AnsweredTwice => format!("{culprit} answers twice"),
    };
    if let Some(detail) = &game.detail {
        text.push_str(&format!(" ({})", comment_text(detail)));
    }
    text
}

/// Foreign text made fit for a comment in braces, and not longer than a few lines.
fn comment_text(text: &str) -> String {
    const LONGEST: usize = 240;
    let text: String = text.chars().take(LONGEST).collect();
    shown(&text).replace('{', "(").replace('}', ")")
}
