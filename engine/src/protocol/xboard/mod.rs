//! The Chess Engine Communication Protocol, version 2, as xboard and WinBoard speak it.
//!
//! - `session`: what each command does; `search`: thinking, pondering, analysing.
//! - `game`: the moves played, and how the game ended; `clock`: the time control.
//! - `output`: features, and a search in this protocol's words.
//!
//! The reading thread and the searching one send events to the session, which alone knows the game:
//! a move found and a command that makes it worthless cannot meet halfway.

mod clock;
mod game;
mod output;
mod search;
mod session;

use std::sync::mpsc;
use std::thread;

use super::Listing;
use crate::engine::SearchReport;

use session::XboardSession;

/// What the session waits for.
enum SessionEvent {
    /// A line of input.
    Line(String),
    /// The end of the search of this number.
    Found(u64, Box<SearchReport>),
    /// The end of input.
    End,
}

/// Obeys commands until `quit` or the end of input, when a move under way is still made.
pub(super) fn run(lines: impl Iterator<Item = String> + Send + 'static, listing: Listing) {
    let (events, inbox) = mpsc::channel();
    let mut session = XboardSession::new(events.clone(), listing);
    // Not joined: it may wait for a line that never comes.
    thread::spawn(move || {
        for line in lines {
            if events.send(SessionEvent::Line(line)).is_err() {
                return;
            }
        }
        let _ = events.send(SessionEvent::End);
    });
    for event in inbox {
        if !session.handle(event) {
            return;
        }
    }
}
