//! Without the feature `web`: an error that says so.

use arena::collector::MatchObserver;
use arena::record::{GameRecord, MatchState};
use arena::session::Session;
use process::Error;

/// Cannot be made.
pub(in crate::cli) enum Page {}

pub(in crate::cli) enum Observer {}

impl Page {
    pub(in crate::cli) fn open(_: Option<&str>) -> Result<Page, Error> {
        Err(Error::usage(
            "--web: this verdict was built without the live page; build it with: cargo build --release \
             --features web",
        ))
    }

    pub(in crate::cli) fn all(&self) -> String {
        match *self {}
    }

    pub(in crate::cli) fn show(&mut self, _: &Session) -> Result<(Observer, String), Error> {
        match *self {}
    }

    pub(in crate::cli) async fn end(self) {
        match self {}
    }
}

impl MatchObserver for Observer {
    fn game(&mut self, _: &GameRecord, _: &MatchState) {
        match *self {}
    }

    fn warning(&mut self, _: &str) {
        match *self {}
    }
}
