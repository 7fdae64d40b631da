//! Each game's opening by the schedule of its run.

use std::fs;

use super::VerifyScope;
use crate::game::{Game, GameRules};
use crate::plan::Plan;
use crate::record::{BookIdentity, GameRecord};
use crate::schedule::{Schedule, ScheduledGame};
use pgn::{Book, INDEXED_FROM};

pub(super) struct OpeningVerifier {
    schedule: Schedule,
    book: Book,
    rules: GameRules,
    /// Of the game before: both of a pair have the same.
    last: Option<Planned>,
}

/// What an entry of the book, or the first good one after it, comes to.
struct Planned {
    entry: usize,
    passed_over: usize,
    /// Start position and moves.
    beginning: String,
}

impl OpeningVerifier {
    /// Those of a run by this plan, with the book it was begun with; or why they are not known.
    pub(super) fn of(
        plan: &Plan,
        recorded: Option<&BookIdentity>,
        scope: VerifyScope,
    ) -> Result<OpeningVerifier, String> {
        let recorded = recorded.ok_or("no book is recorded")?;
        // Of a large file its hash alone takes seconds.
        let bytes =
            plan.book.as_ref().map_or(0, |path| fs::metadata(path).map_or(0, |it| it.len()));
        if scope == VerifyScope::Sample && bytes >= INDEXED_FROM {
            return Err(format!("{} is large (--verify reads it)", recorded.path));
        }
        let book = plan.read_book().map_err(|error| error.to_string())?;
        if book.sha256() != recorded.sha256 {
            return Err(format!("{} is not the book that the run began with", recorded.path));
        }
        Ok(OpeningVerifier {
            schedule: Schedule::new(
                &book,
                plan.openings.order(plan.seed),
                plan.openings.offset,
                plan.pairs,
            ),
            book,
            rules: plan.rules(None),
            last: None,
        })
    }

    /// Checks a game's number, colours and opening, and with `is_whole` also what the opening is.
    pub(super) fn check(&mut self, game: &GameRecord, is_whole: bool) -> Result<(), String> {
        let games = self.schedule.games();
        let Some(scheduled) = self.schedule.game(game.game) else {
            return Err(format!(
                "expected a game of the {games} that are planned, found {}",
                game.game
            ));
        };
        let ScheduledGame { opening: planned, white, .. } = scheduled;
        let found = (game.opening, game.white);
        let passed_over = game.passed_over as usize;
        let opening = planned.saturating_add(passed_over) % self.book.len();
        if found != (opening, white) {
            return Err(contradiction(
                game,
                &format!("opening {opening} with {white} as White"),
                &format!("opening {} with {} as White", game.opening, game.white),
            ));
        }
        // Entries that are passed over are few, so each is looked at.
        if !is_whole && passed_over == 0 {
            return Ok(());
        }
        let last = self.last.take().filter(|last| last.entry == planned);
        let last = last.map_or_else(|| self.planned(scheduled), Ok)?;
        let expected = self.last.insert(last);
        if expected.passed_over != passed_over {
            let entries = |count| format!("{count} entries of the book skipped");
            return Err(contradiction(game, &entries(expected.passed_over), &entries(passed_over)));
        }
        let moves = game.moves.split_ascii_whitespace().take(game.book_plies as usize);
        let found = beginning(&game.fen, &moves.collect::<Vec<&str>>().join(" "));
        if expected.beginning == found {
            Ok(())
        } else {
            Err(contradiction(game, &expected.beginning, &found))
        }
    }

    fn planned(&self, scheduled: ScheduledGame) -> Result<Planned, String> {
        let entry = scheduled.opening;
        let (opening, bad) = self.book.opening_from(entry).map_err(|error| error.to_string())?;
        let begun =
            Game::new(ScheduledGame { opening: opening.index, ..scheduled }, &opening, &self.rules);
        let beginning = beginning(begun.start_fen(), begun.moves_text());
        Ok(Planned { entry, passed_over: bad.len(), beginning })
    }
}

fn beginning(fen: &str, moves: &str) -> String {
    format!("{fen} {moves}").trim_end().to_owned()
}

fn contradiction(game: &GameRecord, expected: &str, found: &str) -> String {
    format!(
        "game {}: expected {expected} by the schedule, found {found}; if seed, book or order in run.json were \
         changed, restore them",
        game.game
    )
}
