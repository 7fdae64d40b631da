//! A bar, or a count, for work of some steps.

use std::sync::{Mutex, MutexGuard};

use indicatif::ProgressBar;
use process::lock;
use process::progress::Progress;

use super::{style, with_rate};

pub struct ProgressLine {
    bar: Mutex<ProgressBar>,
    /// What its steps are, in the rate.
    things: &'static str,
    quiet: bool,
}

impl ProgressLine {
    /// A line for steps of that name; `quiet` shows nothing.
    pub fn new(things: &'static str, quiet: bool) -> ProgressLine {
        ProgressLine { bar: Mutex::new(ProgressBar::hidden()), things, quiet }
    }

    fn bar(&self) -> MutexGuard<'_, ProgressBar> {
        lock(&self.bar)
    }
}

impl Progress for ProgressLine {
    fn begin(&self, what: &str, steps: Option<u64>) {
        if self.quiet {
            return;
        }
        let template = match steps {
            Some(_) => "{msg} {bar:30} {pos}/{len}, {eta} left",
            None => "{msg}: {pos}, {rate}",
        };
        let style = style(template);
        let bar = steps.map_or_else(ProgressBar::no_length, ProgressBar::new);
        *self.bar() = bar.with_style(with_rate(style, self.things)).with_message(what.to_owned());
    }

    fn advance(&self, steps: u64) {
        self.bar().inc(steps);
    }
}
