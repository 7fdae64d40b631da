//! Whether a recorded game can have ended as its record says: its moves are played again under the
//! referee, and where the players' scores ended it they must say so.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position as _};

use super::adjudication::Tracker;
use super::referee::Referee;
use super::{Adjudication, GameEnd, TablebaseResults};
use crate::record::pgn::SanMoves;
use crate::record::{GameRecord, Termination};
use pgn::Outcome;

/// Who but the rules of chess may end a run's games.
pub struct Ends {
    /// By scores and length.
    pub adjudication: Adjudication,
    /// Results that tablebases give, if there are tables.
    pub tables: Option<TablebaseResults>,
}

/// Checks a game by its moves, and its adjudication by the rules of its run, where they are known.
/// What a fault was is taken as it is told. Returns its moves; the error says what was expected and
/// found.
pub fn recheck(game: &GameRecord, ends: Option<&Ends>) -> Result<SanMoves, String> {
    let hash = GameRecord::hash_of(&game.fen, &game.moves);
    if game.hash != hash {
        return Err(format!("expected hash {hash} of its moves, found {:?}", game.hash));
    }
    let start = game.start()?;
    let mut san = SanMoves::new(&start);
    let (referee, end) = replay(game, start, &mut san)?;
    match end {
        Some(GameEnd { outcome, termination, .. })
            if (outcome, termination) != (game.result, game.termination) =>
        {
            let expected = format!("{} by {}", outcome.as_str(), termination.as_str());
            return Err(contradiction(game, &expected));
        }
        Some(_) => {}
        None => off_the_board(game, &referee, ends)?,
    }
    Ok(san)
}

fn contradiction(game: &GameRecord, expected: &str) -> String {
    let (result, termination) = (game.result.as_str(), game.termination.as_str());
    format!("expected {expected} after these moves, found {result} by {termination}")
}

/// The position after the last move, and how the rules of chess ended the game there, if they did.
fn replay(
    game: &GameRecord,
    start: Chess,
    san: &mut SanMoves,
) -> Result<(Referee, Option<GameEnd>), String> {
    let mut referee = Referee::new(start);
    for (ply, text) in game.moves.split_ascii_whitespace().enumerate() {
        // A book's moves are played whatever they pass by.
        if ply >= game.book_plies as usize
            && let Some(end) = referee.verdict()
        {
            let end = end.termination.as_str();
            return Err(format!(
                "expected its end by {end} after {ply} plies, found {}",
                game.plies
            ));
        }
        let wrong = || format!("ply {}: expected a legal move, found {text:?}", ply + 1);
        let uci: UciMove = text.parse().map_err(|_| wrong())?;
        referee.replay(uci, san).map_err(|_| wrong())?;
    }
    let end = referee.verdict();
    Ok((referee, end))
}

/// Whether the result of a [checked](recheck) game follows from its moves and the run's rules, and
/// is not taken as it is told.
pub fn is_proven(game: &GameRecord, ends: Option<&Ends>) -> bool {
    use Termination::{
        Checkmate, DrawAdjudication, FiftyMoves, InsufficientMaterial, LengthAdjudication,
        Repetition, ResignAdjudication, Stalemate,
    };
    match game.termination {
        Checkmate | Stalemate | Repetition | FiftyMoves | InsufficientMaterial => true,
        DrawAdjudication | LengthAdjudication | ResignAdjudication => ends.is_some(),
        _ => false,
    }
}

/// A game that could have gone on: who ended it, and whether that gives this result.
fn off_the_board(game: &GameRecord, referee: &Referee, ends: Option<&Ends>) -> Result<(), String> {
    use Termination::{
        Checkmate, DrawAdjudication, FiftyMoves, InsufficientMaterial, LengthAdjudication,
        Repetition, ResignAdjudication, Resignation, Stalemate, TablebaseAdjudication,
    };
    let rules = ends.map(|ends| &ends.adjudication);
    let is_draw = game.result == Outcome::Draw;
    let loser = Color::ALL.into_iter().find(|&color| game.result == Outcome::win(!color));
    let must = |holds: bool, expected: &str| {
        if holds { Ok(()) } else { Err(contradiction(game, expected)) }
    };
    match game.termination {
        Checkmate | Stalemate | Repetition | FiftyMoves | InsufficientMaterial => {
            must(false, "a game that is not over")
        }
        Resignation => {
            let winner = !referee.position().turn();
            must(game.result == Outcome::win(winner), "a win of the player who was not to move")
        }
        LengthAdjudication => {
            let over = moves_over(game, referee);
            let is_long =
                rules.is_none_or(|rules| rules.max_moves.is_some_and(|most| over >= most));
            must(is_draw && is_long, "a draw only when the game has its full length (max_moves)")
        }
        DrawAdjudication => must(
            is_draw
                && rules.is_none_or(|rules| {
                    series(game, referee, rules).is_level(moves_over(game, referee))
                }),
            "a draw only by level scores (draw)",
        ),
        ResignAdjudication => must(
            loser.is_some_and(|loser| {
                rules.is_none_or(|rules| series(game, referee, rules).is_lost(loser))
            }),
            "a win only by scores that say so (resign)",
        ),
        TablebaseAdjudication => must(
            ends.is_none_or(|ends| ends.tables.is_some_and(|tables| tables.takes(game.result))),
            "no end by tablebases with this result (syzygy)",
        ),
        _ => must(detail_names_loser(game), "a loss of the player at fault"),
    }
}

/// Completed full moves: by the position's move number, or counted from the first ply as older
/// versions did, whichever is more.
fn moves_over(game: &GameRecord, referee: &Referee) -> u32 {
    (referee.position().fullmoves().get() - 1).max(game.plies / 2)
}

/// The series of scores at the end of a game.
fn series(game: &GameRecord, referee: &Referee, rules: &Adjudication) -> Tracker {
    let mut tracker = Tracker::new(*rules);
    // The last note is of the player who is not to move.
    let first = game.notes.len().is_multiple_of(2) == referee.position().turn().is_white();
    let movers = [Color::from_white(first), Color::from_white(!first)].into_iter().cycle();
    movers.zip(&game.notes).for_each(|(mover, note)| tracker.count(mover, note.score));
    tracker
}

/// Whether the loser is who the fault's words name, if they name anybody.
fn detail_names_loser(game: &GameRecord) -> bool {
    let named = |color: Color| {
        let start = format!("{} ({color}): ", game.player(color));
        game.detail.as_ref().is_some_and(|detail| detail.starts_with(&start))
    };
    match game.result {
        Outcome::Draw => game.termination == Termination::TimeLoss,
        Outcome::White => !named(Color::White),
        Outcome::Black => !named(Color::Black),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{DrawRule, ResignRule};
    use crate::record::{MoveNote, Score, sample};

    const FOOLS_MATE: &str = "f2f3 e7e5 g2g4 d8h4";

    fn game(moves: &str, result: Outcome, termination: Termination) -> GameRecord {
        let mut game = GameRecord { moves: moves.to_owned(), result, termination, ..sample(0) };
        let plies = moves.split_whitespace().count();
        game.plies = plies as u32;
        game.hash = GameRecord::hash_of(&game.fen, &game.moves);
        game.notes = vec![MoveNote { score: None, depth: 1, nodes: 1 }; plies];
        game
    }

    fn scored(scores: &[i32], result: Outcome, termination: Termination) -> GameRecord {
        let moves = "g1f3 g8f6 f3g1 f6g8 e2e4 e7e5 d2d4 d7d5";
        let moves: Vec<&str> = moves.split(' ').take(scores.len()).collect();
        let mut game = game(&moves.join(" "), result, termination);
        for (note, score) in game.notes.iter_mut().zip(scores) {
            note.score = Some(Score::Cp(*score));
        }
        game
    }

    /// A flipped result, moves left out or added, an end that the board does not have.
    #[test]
    fn a_result_follows_from_the_moves() {
        use Outcome::{Black, Draw, White};
        use Termination::{Checkmate, Crash, Repetition, Resignation, Stalemate, TimeLoss};
        let twice = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        for (moves, result, termination, is_sound) in [
            (FOOLS_MATE, Black, Checkmate, true),
            (FOOLS_MATE, White, Checkmate, false),
            (FOOLS_MATE, Draw, Stalemate, false),
            (FOOLS_MATE, White, Crash, false),
            ("f2f3 e7e5 g2g4", Black, Checkmate, false),
            ("f2f3 e7e5 g2g4", White, Resignation, true),
            ("f2f3 e7e5 g2g4", Black, Resignation, false),
            ("f2f3 e7e5 g2g4 d8h4 e1f2", Black, Checkmate, false),
            ("f2f3 e7e5 g2g5", Black, Crash, false),
            ("f2f3 zz", Black, Crash, false),
            (twice, Draw, Repetition, true),
            (twice, White, Crash, false),
            ("f2f3", White, Crash, true),
            ("f2f3", Draw, Crash, false),
            ("f2f3", Draw, TimeLoss, true),
        ] {
            let game = game(moves, result, termination);
            let told = recheck(&game, None);
            assert_eq!(told.is_ok(), is_sound, "{moves} {result:?} {termination:?}: {told:?}");
        }
        let mut other = game(FOOLS_MATE, Black, Checkmate);
        other.hash.replace_range(..1, "x");
        assert!(recheck(&other, None).is_err());
        // A book's line may come to a repetition and go on.
        let mut book = game(&format!("{twice} e2e4"), Black, Crash);
        assert!(recheck(&book, None).is_err());
        book.book_plies = 9;
        assert!(recheck(&book, None).is_ok());
        // Who is named at fault has lost.
        let mut fault = game("f2f3", White, Crash);
        for (detail, is_sound) in [("base (black): x", true), ("test (white): x", false)] {
            fault.detail = Some(detail.to_owned());
            assert_eq!(recheck(&fault, None).is_ok(), is_sound, "{detail}");
        }
    }

    #[test]
    fn an_adjudication_follows_from_the_scores() {
        use Outcome::{Black, Draw, White};
        use Termination::{DrawAdjudication, LengthAdjudication, ResignAdjudication};
        let adjudication = Adjudication {
            draw: Some(DrawRule { move_number: 1, move_count: 2, score: 10 }),
            resign: Some(ResignRule { move_count: 2, score: 500, two_sided: true }),
            max_moves: Some(4),
        };
        let rules = Ends { adjudication, tables: None };
        let lost = [0, 0, -600, 600, -600, 600];
        for (scores, result, termination, is_sound) in [
            (&lost[..], Black, ResignAdjudication, true),
            (&lost, White, ResignAdjudication, false),
            (&lost, Draw, ResignAdjudication, false),
            (&lost, Draw, DrawAdjudication, false),
            (&lost, Draw, LengthAdjudication, false),
            // Completed by the loser's own move.
            (&[0, 0, 0, 600, -600, 600, -600], Black, ResignAdjudication, true),
            (&[0, 0, 0, 600, 0, 600, -600], Black, ResignAdjudication, false),
            (&[0, 0, -600, 600, -600, 400], Black, ResignAdjudication, false),
            (&[900, 900, 0, 10, -10, 0], Draw, DrawAdjudication, true),
            (&[900, 900, 0, 10, -11, 0], Draw, DrawAdjudication, false),
            (&[900, 900, 0, 10, -10, 0], White, DrawAdjudication, false),
            (&[9, 99, 9, 99, 9, 99, 9, 99], Draw, LengthAdjudication, true),
            (&[9, 99, 9, 99, 9, 99, 9, 99], Black, LengthAdjudication, false),
        ] {
            let game = scored(scores, result, termination);
            let told = recheck(&game, Some(&rules));
            assert_eq!(told.is_ok(), is_sound, "{scores:?} {result:?} {termination:?}: {told:?}");
        }
        let early = scored(&[0; 6], Draw, DrawAdjudication);
        for (move_number, is_sound) in [(3, true), (4, false)] {
            let draw = Some(DrawRule { move_number, move_count: 2, score: 10 });
            let rules = Ends { adjudication: Adjudication { draw, ..adjudication }, tables: None };
            assert_eq!(recheck(&early, Some(&rules)).is_ok(), is_sound, "move {move_number}");
        }
        let off = Ends { adjudication: Adjudication::off(), tables: None };
        let even = scored(&[0; 6], Draw, DrawAdjudication);
        assert!(recheck(&even, Some(&off)).is_err(), "no such rule");
        assert!(recheck(&even, None).is_ok(), "rules that are not known");
    }

    #[test]
    fn tablebases_end_games_only_where_the_run_has_them() {
        use Outcome::{Draw, White};
        let by_tables = |result| game("f2f3", result, Termination::TablebaseAdjudication);
        for (tables, wins, draws) in [
            (None, false, false),
            (Some(TablebaseResults::All), true, true),
            (Some(TablebaseResults::Wins), true, false),
            (Some(TablebaseResults::Draws), false, true),
        ] {
            let ends = Ends { adjudication: Adjudication::off(), tables };
            let holds = [White, Draw].map(|it| recheck(&by_tables(it), Some(&ends)).is_ok());
            assert_eq!(holds, [wins, draws], "{tables:?}");
        }
        assert!(recheck(&by_tables(White), None).is_ok(), "rules that are not known");
    }
}
