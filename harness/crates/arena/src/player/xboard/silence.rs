//! How long an engine may say nothing before it is taken for one of the protocol's first version,
//! which says nothing of its features.
//!
//! An engine that has read what it was told, and has said anything at all, is there: a short
//! silence is enough from then on. One that has not said a word may still be starting, behind a
//! script or in an interpreter, and has all the time that a start may take. If it has read its
//! input by then it does speak the first version, and its next process is not waited for so long.

use std::time::{Duration, Instant};

/// An engine that is there and has not said `done=1` by then says nothing more.
const SHORT: Duration = Duration::from_secs(2);
/// How often the engine is looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

pub(super) struct Silence {
    began: Instant,
    startup: Duration,
    /// It is known to be silent by nature.
    known: bool,
    heard: Option<Instant>,
    read: Option<Instant>,
}

impl Silence {
    pub(super) fn new(startup: Duration, known: bool) -> Silence {
        Silence { began: Instant::now(), startup, known, heard: None, read: None }
    }

    pub(super) fn heard(&mut self) {
        self.heard.get_or_insert_with(Instant::now);
    }

    pub(super) fn is_unbroken(&self) -> bool {
        self.heard.is_none()
    }

    pub(super) fn longest(&self) -> Duration {
        self.startup + SHORT
    }

    pub(super) fn look_again(&self) -> Duration {
        LOOK_AGAIN.min(self.startup / 8)
    }

    /// Whether it has lasted long enough; if so, whether the engine `has_read` what it was told.
    pub(super) fn is_over(&mut self, has_read: bool) -> Option<bool> {
        let now = Instant::now();
        if has_read {
            self.read.get_or_insert(now);
        }
        let sign = self.heard.or(self.known.then_some(self.began));
        let due = match (sign, self.read) {
            (Some(heard), Some(read)) => heard.max(read) + SHORT.min(self.startup / 2),
            _ => self.began + self.startup,
        };
        (now >= due).then_some(has_read)
    }
}
