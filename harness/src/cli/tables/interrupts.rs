//! Ctrl-C and its kin, SIGTERM and SIGHUP, while games are read: the first one stops the reading, and what is
//! counted is kept before another can end the program.

use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, thread};

use crate::cli::BROKEN_OFF;
use crate::cli::interrupted::Signals;

/// What Ctrl-C has come to so far.
#[derive(Debug, Clone, Copy)]
enum Stage {
    /// Games are read. Whether what is counted can be kept, so that it is worth a little patience.
    Reading { keeps: bool },
    /// The reading was stopped; what is counted is about to be written.
    Stopping,
    /// The next one ends the program.
    Last,
    /// All is written: there is nothing left to break off.
    Kept,
}

/// Listens to them.
#[derive(Debug)]
pub(super) struct Interrupts {
    stop: AtomicBool,
    stage: Mutex<Stage>,
}

impl Interrupts {
    /// From here on, for a run that can be gone on with or not.
    pub(super) fn listen(keeps: bool) -> Arc<Interrupts> {
        let stage = Mutex::new(Stage::Reading { keeps });
        let here = Arc::new(Interrupts { stop: AtomicBool::new(false), stage });
        let told = Arc::clone(&here);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            // Where there is none, signals end the program, as they do any other.
            let Ok(runtime) = runtime else { return };
            let _ = runtime.block_on(told.hear());
        });
        here
    }

    async fn hear(&self) -> io::Result<()> {
        let mut signals = Signals::listen()?;
        loop {
            signals.next().await;
            self.interrupt();
        }
    }

    /// Set when the reading is to stop.
    pub(super) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// The games are read to their ends: from here on the first Ctrl-C ends the program.
    pub(super) fn set_read(&self) {
        self.set(Stage::Last);
    }

    /// What is counted is written.
    pub(super) fn set_kept(&self) {
        self.set(Stage::Kept);
    }

    fn set(&self, stage: Stage) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }

    /// One of them has come.
    fn interrupt(&self) {
        // Held until the end: nothing is written as kept while it is said that it is not.
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        *stage = match *stage {
            Stage::Reading { keeps } => {
                self.stop.store(true, Ordering::Relaxed);
                if keeps { Stage::Stopping } else { Stage::Last }
            }
            Stage::Stopping => {
                tell!("stopping: what was read is counted and written; Ctrl-C again gives it up");
                Stage::Last
            }
            Stage::Last => {
                tell!("broken off: nothing more is written");
                exit(i32::from(BROKEN_OFF));
            }
            Stage::Kept => Stage::Kept,
        };
    }
}
