//! What is shown while a book is made of games.

use indicatif::ProgressBar;

use super::from_games::pawns;
use crate::make_book::from_games::{BookFile, Progress, Range, ReadTally, Watcher};
use crate::screen::{style, with_rate};

/// Skipped positions that are shown.
const SHOWN: u64 = 5;

pub(super) struct BookScreen {
    bar: ProgressBar,
    quiet: bool,
    count: u64,
    candidates: u64,
    skipped: u64,
    window: String,
    by: String,
}

impl BookScreen {
    pub(super) fn new(file: &BookFile, quiet: bool) -> BookScreen {
        let bar = match quiet {
            true => ProgressBar::hidden(),
            false => ProgressBar::new_spinner().with_style(style("{spinner} {msg}")),
        };
        let Range { first, last } = file.book.bias;
        BookScreen {
            bar,
            quiet,
            count: file.book.count,
            candidates: 0,
            skipped: 0,
            window: format!("{} to {} pawns", pawns(first), pawns(last)),
            by: file.scoring.by.to_string(),
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watcher for BookScreen {
    fn read(&mut self, games: u64) {
        self.bar.set_message(format!("{games} games read"));
        self.bar.tick();
    }

    fn candidates(&mut self, tally: &ReadTally) {
        self.candidates = tally.candidates;
        if self.quiet {
            return;
        }
        self.bar.finish_and_clear();
        let (games, candidates) = (tally.games, tally.candidates);
        status!(
            "{candidates} candidates of {games} games; {} scores them: {}",
            self.by,
            self.window
        );
        let template = "{bar:40} {pos}/{len} scored, {msg}, {rate}, {eta} at most";
        self.bar = ProgressBar::new(candidates).with_style(with_rate(style(template), "positions"));
    }

    fn progress(&mut self, progress: &Progress) {
        let Progress { scored, accepted } = *progress;
        self.bar.set_position(scored);
        self.bar.set_message(format!("{accepted}/{} openings", self.count));
    }

    fn skipped(&mut self, number: usize, why: &str) {
        self.skipped += 1;
        if self.skipped <= SHOWN && !self.quiet {
            let more = if self.skipped == SHOWN { "; further ones are only counted" } else { "" };
            self.bar.suspend(|| status!("candidate {} is skipped: {why}{more}", number + 1));
        }
    }
}
