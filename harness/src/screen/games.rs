//! How many games are played: a bar on a terminal, a plain line now and then elsewhere.

use std::io::IsTerminal as _;
use std::num::NonZeroU64;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar};

use super::{StatusLine, rate_in_words, style, with_rate};
use arena::record::GameRecord;
use process::lock;

/// Between two plain lines.
const LINE_EVERY: Duration = Duration::from_secs(15);

/// Those that are on the terminal.
static SHOWN: Mutex<Option<MultiProgress>> = Mutex::new(None);

/// Says a line on standard error, above the bars if there are any.
pub fn say(line: &str) {
    StatusLine(lock(&SHOWN).clone()).print(line);
}

/// The games of one match or of several.
pub(super) struct GamesBar {
    quiet: bool,
    interval: Option<NonZeroU64>,
    bars: Option<(MultiProgress, ProgressBar)>,
    begun: Instant,
    shown: Instant,
    /// Games that an earlier session has played.
    before: u64,
    total: u64,
}

impl GamesBar {
    /// `quiet` shows nothing but a line after every `interval` games.
    pub(super) fn new(
        [finished, total]: [u64; 2],
        quiet: bool,
        interval: Option<NonZeroU64>,
        template: &str,
    ) -> GamesBar {
        let bars = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bars = MultiProgress::new();
            let games = bars.add(ProgressBar::new(total));
            games.set_style(with_rate(style(template), "games"));
            // Games that an earlier session played must not count into games/s.
            games.set_position(finished);
            games.reset_eta();
            games.enable_steady_tick(Duration::from_millis(500));
            *lock(&SHOWN) = Some(bars.clone());
            (bars, games)
        });
        let now = Instant::now();
        GamesBar { quiet, interval, bars, begun: now, shown: now, before: finished, total }
    }

    pub(super) fn status_line(&self) -> StatusLine {
        StatusLine(self.bars.as_ref().map(|(bars, _)| bars.clone()))
    }

    /// Games a second in this session.
    pub(super) fn rate(&self, finished: u64) -> f64 {
        let played = finished.saturating_sub(self.before);
        played as f64 / self.begun.elapsed().as_secs_f64().max(1e-9)
    }

    /// Shows a finished game of the match `of`; `tail` ends a line.
    pub(super) fn game(
        &mut self,
        finished: u64,
        of: &str,
        record: &GameRecord,
        tail: impl Fn() -> String,
    ) {
        let (total, status_line) = (self.total, self.status_line());
        if self.interval.is_some_and(|interval| finished.is_multiple_of(interval.get())) {
            status_line.print(&format!("{finished}/{total} games{}", tail()));
        }
        if self.quiet {
            return;
        }
        match &self.bars {
            Some((_, games)) => games.set_position(finished),
            None if self.shown.elapsed() >= LINE_EVERY => {
                self.shown = Instant::now();
                let rate = rate_in_words(self.rate(finished), "games");
                status_line.print(&format!("{finished}/{total} games, {rate}{}", tail()));
            }
            None => {}
        }
        if record.termination.is_fault() {
            let (game, kind) = (record.game, record.termination.as_str());
            let detail = record.detail.as_deref().unwrap_or_default();
            status_line.print(&format!("{of}game {game}: {kind}: {detail}"));
        }
    }
}

impl Drop for GamesBar {
    fn drop(&mut self) {
        if let Some((_, games)) = &self.bars {
            games.abandon();
        }
    }
}
