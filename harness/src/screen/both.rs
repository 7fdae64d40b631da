//! Two observers of one match.

use arena::collector::MatchObserver;
use arena::record::{GameRecord, MatchState};

/// The first, and perhaps another one.
pub struct Both<A, B>(pub A, pub Option<B>);

impl<A: MatchObserver, B: MatchObserver> MatchObserver for Both<A, B> {
    fn game(&mut self, record: &GameRecord, match_state: &MatchState) {
        let Both(first, other) = self;
        first.game(record, match_state);
        other.iter_mut().for_each(|other| other.game(record, match_state));
    }

    fn warning(&mut self, what: &str) {
        let Both(first, other) = self;
        first.warning(what);
        other.iter_mut().for_each(|other| other.warning(what));
    }
    fn struck(&mut self) {
        let Both(first, other) = self;
        first.struck();
        other.iter_mut().for_each(MatchObserver::struck);
    }

    fn stands(&mut self, record: &GameRecord) {
        let Both(first, other) = self;
        first.stands(record);
        other.iter_mut().for_each(|other| other.stands(record));
    }
}
