//! Pairs that were not the same at two machines. The coordinator plays them itself.

use std::collections::BTreeMap;

use super::{Audits, Found, Played};
use crate::audit::{Finding, GameDigest, judge};
use crate::names::WorkerName;

/// How often the coordinator plays a pair in which its own players fail.
const TRIES: u32 = 5;

#[derive(Debug, Default)]
pub(super) struct Dispute {
    /// By game, what another than who is recorded has sent.
    pub(super) others: BTreeMap<u64, (WorkerName, GameDigest)>,
    /// By game, what the coordinator has played last; faults do not count.
    pub(super) own: BTreeMap<u64, GameDigest>,
    /// How often its own players failed.
    spoilt: u32,
}

impl Audits {
    /// The coordinator has played a pair for an audit.
    pub fn played_here(&mut self, pair: u64, games: [GameDigest; 2]) {
        self.here.remove(&pair);
        if !self.open.values().any(|open| open.chunk.range().contains(&pair)) {
            return;
        }
        let mut dispute = self.disputes.remove(&pair).unwrap_or_default();
        let mut findings = Vec::new();
        for (game, own) in [(2 * pair, games[0]), (2 * pair + 1, games[1])] {
            if let Some(played) = self.games.get(&game).copied() {
                findings.push(self.judged(game, played, own, &dispute));
            }
            if self.lapsed {
                return;
            }
            if !own.is_fault() {
                dispute.own.insert(game, own);
            }
        }
        let has = |found| findings.contains(&found);
        if has(Finding::Wrong) || has(Finding::NoFault) {
            // It is about to be struck.
            self.here.insert(pair);
        } else if has(Finding::Spoilt) || has(Finding::Again) {
            dispute.spoilt += u32::from(has(Finding::Spoilt));
            if dispute.spoilt >= TRIES {
                return self.lapse_because(format!(
                    "the players fail {TRIES} times in pair {pair} here, and not as they did at others"
                ));
            }
            self.disputes.insert(pair, dispute);
        }
        self.settle();
    }

    /// What the coordinator's play of a game says, and what follows for those who have sent it.
    fn judged(&mut self, game: u64, played: Played, own: GameDigest, dispute: &Dispute) -> Finding {
        let first = self.workers[played.by].0.clone();
        let (second, sent) = dispute.others.get(&game).cloned().unzip();
        let is_own = first == self.own;
        let before = if is_own { Some(played.digest) } else { dispute.own.get(&game).copied() };
        let mut found = judge(played.digest, sent, own, before);
        let is_fault = own.is_fault() || played.digest.is_fault();
        if is_fault && (is_own || found == Finding::NoFault && self.faulty.contains(&(game / 2))) {
            found = Finding::Right;
        }
        match found {
            Finding::Right => self.same(game),
            Finding::Wrong => {
                self.proven.insert(game / 2);
                self.convict(&first, game, second.as_ref().filter(|_| sent == Some(own)));
            }
            Finding::NoFault => self.strike_fault(game, first.clone()),
            Finding::NotRepeating => self.lapse_because(format!(
                "game {game} is another one each time it is played here: the players do not repeat themselves"
            )),
            Finding::Spoilt | Finding::Again => {}
        }
        let is_proof = match found {
            Finding::Right => own == played.digest && !own.is_fault(),
            found => found == Finding::Wrong,
        };
        if is_proof
            && sent != Some(own)
            && let Some(second) = second
        {
            let with = Some(&first).filter(|_| found == Finding::Right);
            self.convict(&second, game, with);
        }
        found
    }

    /// `with`: who has sent the game as the coordinator plays it.
    fn convict(&mut self, worker: &WorkerName, game: u64, with: Option<&WorkerName>) {
        let with = with.map(|other| format!(" and by {other}")).unwrap_or_default();
        let why = format!("it has sent game {game} otherwise than its players play it here{with}");
        let is_of = |found: &Found| matches!(found, Found::Convicted { worker: other, .. } if other.name == worker.name);
        let is_told = self.found.iter().any(is_of);
        let is_new = self.convicted.insert(worker.name.clone());
        if is_new || self.proven.contains(&(game / 2)) && !is_told {
            self.found.push_back(Found::Convicted { worker: worker.clone(), why });
        }
        // What it says of others' games is worth nothing.
        for dispute in self.disputes.values_mut() {
            dispute.others.retain(|_, (by, _)| by.name != worker.name);
        }
        self.disputes.retain(|_, it| !it.others.is_empty() || !it.own.is_empty() || it.spoilt > 0);
    }

    fn strike_fault(&mut self, game: u64, worker: WorkerName) {
        let pair = game / 2;
        if self.faulty.insert(pair) {
            let why = format!("game {game} ended by a fault there, and does not here");
            self.found.push_back(Found::NoFault { worker, pair, why });
        }
    }

    /// Nothing is compared any more, and that is to be told.
    pub fn lapse_because(&mut self, why: String) {
        if !self.lapsed {
            self.lapse();
            self.found.push_back(Found::Lapsed(why));
        }
    }
}
