//! What the user sees while a tournament runs: all its games as one bar, or a line now and then.

use std::{
    io::IsTerminal,
    num::NonZeroU64,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use indicatif::{MultiProgress, ProgressBar};
use process::lock;

use super::{LINE_EVERY, StatusLine, rate_in_words, ratings::RatingTable, style, with_rate};
use arena::{
    collector::MatchObserver,
    record::{GameRecord, MatchState},
};

#[derive(Clone)]
pub struct TournamentScreen(Arc<Mutex<TournamentBars>>);

struct TournamentBars {
    quiet: bool,
    interval: Option<NonZeroU64>,
    bar: Option<ProgressBar>,
    bars: Option<MultiProgress>,
    begun: Instant,
    shown: Instant,
    before: u64,
    finished: u64,
    total: u64,
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
        let (mut bars, mut bar) = (None, None);
        if !quiet && std::io::stderr().is_terminal() {
            let all = MultiProgress::new();
            let games = all.add(ProgressBar::new(total));
            let style = style("{wide_bar} {pos}/{len} games  {rate}  {eta} left");
            games.set_style(with_rate(style, "games"));
            games.set_position(finished);
            games.reset_eta();
            games.enable_steady_tick(Duration::from_millis(500));
            (bars, bar) = (Some(all), Some(games));
        }
        let now = Instant::now();
        TournamentScreen(Arc::new(Mutex::new(TournamentBars {
            quiet,
            interval,
            bar,
            bars,
            begun: now,
            shown: now,
            before: finished,
            finished,
            total,
            table: RatingTable::default(),
        })))
    }

    pub fn status_line(&self) -> StatusLine {
        StatusLine(self.lock().bars.clone())
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

    fn lock(&self) -> MutexGuard<'_, TournamentBars> {
        lock(&self.0)
    }
}

impl TournamentBars {
    /// What follows the games in a line.
    fn ratings(&self) -> String {
        self.table.line().map_or(String::new(), |line| format!(" · {line}"))
    }
}

impl Drop for TournamentBars {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.abandon();
        }
    }
}

impl MatchObserver for MatchWatch {
    fn game(&mut self, record: &GameRecord, match_state: &MatchState) {
        let voice = self.screen.status_line();
        let mut together = self.screen.lock();
        together.finished += 1;
        together.table.note(&self.name, match_state.effective());
        let (finished, total) = (together.finished, together.total);
        if together.interval.is_some_and(|interval| finished.is_multiple_of(interval.get())) {
            voice.print(&format!("{finished}/{total} games{}", together.ratings()));
        }
        if together.quiet {
            return;
        }
        match &together.bar {
            Some(bar) => bar.set_position(together.finished),
            None if together.shown.elapsed() >= LINE_EVERY => {
                together.shown = Instant::now();
                let TournamentBars { before, begun, .. } = *together;
                let rate = (finished - before) as f64 / begun.elapsed().as_secs_f64();
                let ratings = together.ratings();
                let rate = rate_in_words(rate, "games");
                voice.print(&format!("{finished}/{total} games, {rate}{ratings}"));
            }
            None => {}
        }
        if record.termination.is_fault() {
            let (name, game, kind) = (&self.name, record.game, record.termination.as_str());
            let detail = record.detail.as_deref().unwrap_or_default();
            voice.print(&format!("{name}, game {game}: {kind}: {detail}"));
        }
    }

    fn warning(&mut self, what: &str) {
        self.screen.status_line().print(&format!("{}: {what}", self.name));
    }
}
