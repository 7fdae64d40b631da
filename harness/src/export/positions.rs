//! Positions of a recorded game.

use shakmaty::fen::{Epd, Fen};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use super::Choice;
use arena::record::{GameRecord, Score};
use pgn::Outcome;

/// Adds the position in which the game ended; the number of lines.
pub(super) fn last(out: &mut String, game: &GameRecord) -> Result<u64, String> {
    let mut position = game.start()?;
    for_each_move(game, &mut position, |_, _, _| ())?;
    let epd = Epd::from_position(&position, EnPassantMode::Legal);
    *out += &format!(
        "{epd} c8 \"{}\"; c9 \"{}\"; id \"{}\";\n",
        game.termination.as_str(),
        game.result.as_str(),
        game.game
    );
    Ok(1)
}

/// Adds the positions after the book in which the player gave a score; the number of lines.
pub(super) fn training(out: &mut String, game: &GameRecord, choice: Choice) -> Result<u64, String> {
    let result = match game.result {
        Outcome::White => "1.0",
        Outcome::Draw => "0.5",
        Outcome::Black => "0.0",
    };
    let book = game.book_plies as usize;
    let mut position = game.start()?;
    let mut count = 0;
    for_each_move(game, &mut position, |ply, before, played| {
        let note = ply.checked_sub(book).and_then(|index| game.notes.get(index));
        // A mate's distance is no evaluation.
        let Some(Score::Cp(cp)) = note.and_then(|note| note.score) else { return };
        if choice.quiet && !is_quiet(before, played) {
            return;
        }
        let white = before.turn().fold_wb(cp, cp.saturating_neg());
        let fen = Fen::from_position(before, EnPassantMode::Legal);
        *out += &format!("{fen} | {white} | {result}\n");
        count += 1;
    })?;
    Ok(count)
}

fn is_quiet(position: &Chess, played: Move) -> bool {
    if played.is_capture() || played.is_promotion() || position.is_check() {
        return false;
    }
    let mut after = position.clone();
    after.play_unchecked(played);
    !after.is_check()
}

/// Plays the game's moves on `position`; before each, `see` has its ply from 0.
fn for_each_move(
    game: &GameRecord,
    position: &mut Chess,
    mut see: impl FnMut(usize, &Chess, Move),
) -> Result<(), String> {
    for (ply, text) in game.moves.split_ascii_whitespace().enumerate() {
        let uci: UciMove = text.parse().map_err(|_| format!("'{text}' is no move"))?;
        let played = uci.to_move(position).map_err(|_| format!("'{text}' is not legal"))?;
        see(ply, position, played);
        position.play_unchecked(played);
    }
    Ok(())
}
