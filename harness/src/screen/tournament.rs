//! What the user sees while a tournament runs: all its games as one bar, or a line now and then.

use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, MutexGuard};

use process::lock;

use super::StatusLine;
use super::games::GamesBar;
use super::ratings::RatingTable;
use arena::collector::MatchObserver;
use arena::record::{GameRecord, MatchState};

#[derive(Clone)]
pub struct TournamentScreen(Arc<Mutex<TournamentState>>);

struct TournamentState {
    games: GamesBar,
    finished: u64,
    /// Of the matches whose players are rated.
    table: RatingTable,
}

/// What one match of a tournament tells the screen.
pub struct MatchWatch {
    screen: TournamentScreen,
    name: String,
}

impl TournamentScreen {
    /// A screen for matches that stand so; `quiet` shows nothing but a line after every `interval`
    /// games.
    pub fn new<'a>(
        states: impl Iterator<Item = &'a MatchState>,
        quiet: bool,
        interval: Option<NonZeroU64>,
    ) -> TournamentScreen {
        let (finished, total) = states.fold((0, 0), |(finished, total), match_state| {
            (finished + match_state.finished_games(), total + match_state.total_games())
        });
        let bar = "{wide_bar} {pos}/{len} games  {rate}  {eta} left";
        let games = GamesBar::new([finished, total], quiet, interval, bar);
        let table = RatingTable::default();
        TournamentScreen(Arc::new(Mutex::new(TournamentState { games, finished, table })))
    }

    pub fn status_line(&self) -> StatusLine {
        self.lock().games.status_line()
    }

    /// What the match of this name tells.
    pub fn of(&self, name: &str) -> MatchWatch {
        MatchWatch { screen: self.clone(), name: name.to_owned() }
    }

    /// The same of a match between base and test that stands so; lines then say how all such
    /// players are rated.
    pub fn rated(&self, name: &str, players: [String; 2], match_state: &MatchState) -> MatchWatch {
        self.lock().table.add(name, players, match_state.effective());
        self.of(name)
    }

    fn lock(&self) -> MutexGuard<'_, TournamentState> {
        lock(&self.0)
    }
}

impl MatchObserver for MatchWatch {
    fn game(&mut self, record: &GameRecord, match_state: &MatchState) {
        let mut state = self.screen.lock();
        let TournamentState { games, finished, table } = &mut *state;
        *finished += 1;
        table.note(&self.name, match_state.effective());
        let ratings = || table.line().map_or(String::new(), |line| format!(" · {line}"));
        games.game(*finished, &format!("{}, ", self.name), record, ratings);
    }

    fn warning(&mut self, what: &str) {
        self.screen.status_line().print(&format!("{}: {what}", self.name));
    }
}
