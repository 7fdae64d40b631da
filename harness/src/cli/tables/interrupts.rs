//! SIGINT, SIGTERM and SIGHUP while games are read. The first one stops the reading; the counts are
//! written before another can end the program.

use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use process::lock;
use process::signals::{Listener, hear};
use process::terminal::print_status_within;

use crate::cli::BROKEN_OFF;
use crate::cli::interrupted::LAST_WORDS;

/// What Ctrl-C has come to so far.
#[derive(Debug, Clone, Copy)]
enum InterruptStage {
    /// Games are read. Whether what is counted can be kept, so that it is worth a little patience.
    Reading { keeps: bool },
    /// The reading was stopped; what is counted is about to be written.
    Stopping,
    /// The next one ends the program.
    Last,
    /// All is written: there is nothing left to break off.
    Kept,
}

#[derive(Debug)]
pub(super) struct Interrupts {
    /// Set when the reading is to stop.
    pub(super) stop: AtomicBool,
    stage: Mutex<InterruptStage>,
    listener: Mutex<Option<Listener>>,
}

impl Interrupts {
    /// From here on, for a run that can be gone on with or not.
    pub(super) fn listen(keeps: bool) -> Arc<Interrupts> {
        let stage = Mutex::new(InterruptStage::Reading { keeps });
        let (stop, listener) = (AtomicBool::new(false), Mutex::default());
        let here = Arc::new(Interrupts { stop, stage, listener });
        let shared = Arc::clone(&here);
        // If no handler can be installed, signals end the program by default.
        *lock(&here.listener) = hear(move |_| shared.interrupt()).ok();
        here
    }

    /// The games are read to their ends: from here on the first Ctrl-C ends the program.
    pub(super) fn set_read(&self) {
        self.set(InterruptStage::Last);
    }

    /// The counts are written, and the program prints these words and ends. Signals change nothing
    /// any more.
    pub(super) fn end_with(&self, words: String) {
        self.set(InterruptStage::Kept);
        print_status_within(words, LAST_WORDS);
    }

    fn set(&self, stage: InterruptStage) {
        *lock(&self.stage) = stage;
    }

    fn interrupt(&self) {
        // Held until the end: nothing is written as kept while it is said that it is not.
        let mut stage = lock(&self.stage);
        *stage = match *stage {
            InterruptStage::Reading { keeps } => {
                self.stop.store(true, Ordering::Relaxed);
                if keeps { InterruptStage::Stopping } else { InterruptStage::Last }
            }
            InterruptStage::Stopping => {
                let words = "stopping: writing the checkpoint; Ctrl-C again stops without it";
                print_status_within(words.to_owned(), LAST_WORDS);
                InterruptStage::Last
            }
            InterruptStage::Last => {
                print_status_within("interrupted: nothing more is written".to_owned(), LAST_WORDS);
                exit(i32::from(BROKEN_OFF));
            }
            InterruptStage::Kept => InterruptStage::Kept,
        };
    }
}
