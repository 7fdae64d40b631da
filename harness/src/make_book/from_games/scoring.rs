//! Scores candidates in their order, on many threads, until there are enough for a book.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use super::folder::Candidates;
use super::plan::{ChoicePlan, Range};
use super::scorer::{ScoredWith, Scorers};
use super::scores::{Journal, Scored};
use super::tally::ScoreTally;
use super::{Progress, Watcher};
use process::{Error, lock};

/// Results that wait for the thread which writes them, for each thread that scores.
const WAITING: usize = 4;

/// Whether a score is in the window, whichever side is better.
pub(super) fn is_fit(bias: Range, scored: Scored) -> bool {
    matches!(scored, Scored::Cp(cp) if bias.contains(cp.unsigned_abs()))
}

/// What is known of the candidates from the first on, without gaps: only that decides on the book, so
/// that it does not depend on which thread was faster.
pub(super) struct Prefix {
    bias: Range,
    count: u64,
    pub(super) tally: ScoreTally,
    /// The last candidate of the book and all before it; or all that are known.
    pub(super) len: usize,
}

impl Prefix {
    pub(super) fn new(plan: &ChoicePlan) -> Prefix {
        Prefix { bias: plan.bias, count: plan.count, tally: ScoreTally::default(), len: 0 }
    }

    /// Takes what can be taken by now.
    pub(super) fn advance(&mut self, scores: &[Option<Scored>]) {
        while !self.is_full()
            && let Some(Some(scored)) = scores.get(self.len)
        {
            self.len += 1;
            let tally = &mut self.tally;
            tally.scored += 1;
            match scored {
                Scored::Mate => tally.mates += 1,
                Scored::Skipped => tally.skipped += 1,
                Scored::Cp(cp) if cp.unsigned_abs() < self.bias.first => tally.below += 1,
                Scored::Cp(cp) if cp.unsigned_abs() > self.bias.last => tally.above += 1,
                Scored::Cp(_) => tally.accepted += 1,
            }
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.tally.accepted >= self.count
    }
}

/// Scores until the prefix is full, the candidates are at their end, or `stop` is set.
pub(super) fn score(
    candidates: Candidates,
    journal: &mut Journal,
    prefix: &mut Prefix,
    scorers: &Scorers,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Result<(), Error> {
    let halt = AtomicBool::new(false);
    let known: Vec<bool> = journal.scores.iter().map(Option::is_some).collect();
    let mut done = known.iter().filter(|known| **known).count() as u64;
    let work = Work { candidates: Mutex::new(candidates), known, scorers, stop, halt: &halt };
    let (send, receive) = sync_channel(WAITING * threads.get());
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            let (work, send) = (&work, send.clone());
            scope.spawn(move || work.run(&send));
        }
        drop(send);
        let mut failed = None;
        // Faults of the engine until it works again: if it is given up, they are not the positions'.
        let mut skipped = Vec::new();
        for result in receive {
            let kept = match result {
                Ok((number, (Scored::Skipped, why))) => {
                    watcher.skipped(number, &why.unwrap_or_default());
                    skipped.push(number);
                    Ok(())
                }
                Ok((number, (scored, _))) => skipped
                    .drain(..)
                    .map(|number| (number, Scored::Skipped))
                    .chain([(number, scored)])
                    .try_for_each(|(number, scored)| journal.add(number, scored)),
                Err(error) => Err(error),
            };
            done += 1;
            if let Err(error) = kept {
                halt.store(true, Ordering::Relaxed);
                failed.get_or_insert(error);
                continue;
            }
            prefix.advance(&journal.scores);
            watcher.progress(&Progress { scored: done, accepted: prefix.tally.accepted });
            if prefix.is_full() {
                halt.store(true, Ordering::Relaxed);
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        skipped.into_iter().try_for_each(|number| journal.add(number, Scored::Skipped))?;
        prefix.advance(&journal.scores);
        Ok(())
    })
}

type Sent = Result<(usize, ScoredWith), Error>;

struct Work<'a> {
    candidates: Mutex<Candidates>,
    /// Candidates whose scores are known.
    known: Vec<bool>,
    scorers: &'a Scorers,
    stop: &'a AtomicBool,
    halt: &'a AtomicBool,
}

impl Work<'_> {
    fn run(&self, send: &SyncSender<Sent>) {
        let mut scorer = self.scorers.scorer();
        while !self.stop.load(Ordering::Relaxed) && !self.halt.load(Ordering::Relaxed) {
            let Some(next) = self.next() else { return };
            let scored = next.and_then(|(number, candidate)| {
                let (position, _) = candidate
                    .play()
                    .ok_or_else(|| Error::fault(format!("no legal moves: {candidate}")))?;
                Ok((number, scorer.score(&position)?))
            });
            let is_over = scored.is_err();
            if send.send(scored).is_err() || is_over {
                return;
            }
        }
    }

    /// The next candidate without a score.
    fn next(&self) -> Option<Result<(usize, super::Candidate), Error>> {
        let mut candidates = lock(&self.candidates);
        candidates.find(|next| match next {
            Ok((number, _)) => !self.known.get(*number).copied().unwrap_or(true),
            Err(_) => true,
        })
    }
}
