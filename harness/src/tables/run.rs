//! A run over texts: threads mine pieces, one place puts what they say in order.
//!
//! Sums are kept by each thread and added up at the end; only what has an order (line numbers, bad
//! games, hashes) goes piece by piece to the one place. So results do not depend on the number of
//! threads. When a run is stopped, all pieces that were dealt out are finished: what is counted is
//! always a front part of the texts.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use sha2::{Digest as _, Sha256};

use super::count::Counts;
use super::counts_file::{InputFacts, Standing};
use super::filter::Filter;
use super::input::{Content, Feed, Input, Piece, Start};
use super::miner::{Countings, Miner, Seen};
use super::replay::Resolver;
use super::tally::{BadGame, Tally};
use crate::opening::parse_text;
use crate::record::hex;

/// What is done with the texts.
#[derive(Debug, Clone)]
pub struct MinePlan {
    /// What is counted.
    pub wants: Countings,
    /// Which games.
    pub filter: Filter,
    /// Threads that read games; unpacking takes one more.
    pub threads: NonZeroUsize,
    /// How moves are found.
    pub resolver: ResolverChoice,
}

/// How moves are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ResolverChoice {
    /// By masks.
    #[default]
    Masks,
    /// Among all legal moves.
    Legal,
    /// Both ways, compared.
    Both,
}

impl From<ResolverChoice> for Resolver {
    fn from(choice: ResolverChoice) -> Resolver {
        match choice {
            ResolverChoice::Masks => Resolver::Fast,
            ResolverChoice::Legal => Resolver::Slow,
            ResolverChoice::Both => Resolver::Both,
        }
    }
}

/// What a run is told while it goes on.
pub trait Watcher {
    /// Bytes read so far, as they are stored, and games found.
    fn progress(&mut self, bytes: u64, games: u64);
    /// A bad game. They come in the order of the texts.
    fn bad_game(&mut self, input: &Input, game: &BadGame);
}

/// What a run has come to.
#[derive(Debug)]
pub struct Mined {
    /// The sums.
    pub counts: Counts,
    /// What became of the games.
    pub tally: Tally,
    /// How far it came.
    pub standing: Standing,
    /// Whether the texts were read to their ends.
    pub complete: bool,
}

/// What is said of a piece.
struct Said {
    number: u64,
    input: usize,
    what: What,
}

enum What {
    Text { len: u64, lines: u64, games: u64, bad: Vec<BadGame>, digest: [u8; 32] },
    End,
    Broken { offset: u64, why: String },
}

/// Reads texts to their ends, or until `stop` is set; goes on from where an earlier run came.
///
/// The result holds the earlier run's sums, too.
pub fn mine(
    inputs: &[Input],
    plan: &MinePlan,
    earlier: Option<Mined>,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Mined {
    let earlier = earlier.unwrap_or_else(|| Mined {
        counts: Miner::new(plan.wants, &plan.filter, Resolver::Fast, None).counts,
        tally: Tally::default(),
        standing: Standing::default(),
        complete: false,
    });
    let Mined { mut counts, mut tally, mut standing, .. } = earlier;
    let seen = plan.filter.dedup.then(|| Seen::new(&std::mem::take(&mut standing.seen)));
    let read = Arc::new(AtomicU64::new(0));
    let start = Start { input: standing.inputs.len(), offset: standing.offset };
    let feed = Mutex::new(Feed::new(inputs, start, Arc::clone(&read)));
    let (send, receive) = mpsc::sync_channel::<Said>(4 * plan.threads.get());
    let mut fold = Fold { inputs, filter: &plan.filter, standing, games: tally.games, watcher };
    let complete = thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.threads.get())
            .map(|_| {
                let (feed, send, seen) = (&feed, send.clone(), seen.as_ref());
                scope.spawn(move || work(plan, feed, seen, stop, &send))
            })
            .collect();
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for said in receive {
            waiting.insert(said.number, said);
            while let Some(said) = waiting.remove(&due) {
                fold.take(said);
                due += 1;
            }
            fold.watcher.progress(read.load(Ordering::Relaxed), fold.games);
        }
        let mut complete = true;
        for worker in workers {
            match worker.join() {
                Ok(done) => {
                    counts.merge(&done.counts);
                    tally.merge(&done.tally);
                    complete &= done.complete;
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        complete
    });
    let mut standing = fold.standing;
    // Nobody asks for them any more once all is read.
    standing.seen = seen.filter(|_| !complete).map(Seen::into_sorted).unwrap_or_default();
    Mined { counts, tally, standing, complete }
}

struct Done {
    counts: Counts,
    tally: Tally,
    /// Nothing was left to read.
    complete: bool,
}

fn work(
    plan: &MinePlan,
    feed: &Mutex<Feed<'_>>,
    seen: Option<&Seen>,
    stop: &AtomicBool,
    send: &SyncSender<Said>,
) -> Done {
    let mut miner = Miner::new(plan.wants, &plan.filter, plan.resolver.into(), seen);
    let mut buffer = Vec::new();
    let complete = loop {
        if stop.load(Ordering::Relaxed) {
            break false;
        }
        let piece = feed.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(piece) = piece else { break true };
        // Whoever receives outlives all that send.
        let _ = send.send(mine_piece(piece, &mut miner, &mut buffer));
    };
    Done { counts: miner.counts, tally: miner.tally, complete }
}

fn mine_piece(piece: Piece, miner: &mut Miner<'_>, buffer: &mut Vec<u8>) -> Said {
    let Piece { number, input, offset, .. } = piece;
    let what = match piece.content(buffer) {
        Content::End => What::End,
        Content::Broken(error) => What::Broken { offset, why: error.to_string() },
        Content::Text(text) => {
            let before = miner.tally.games;
            let lines = parse_text(text, miner, |miner, line, at| {
                miner.place(line, offset + at as u64);
            });
            What::Text {
                len: text.len() as u64,
                lines,
                games: miner.tally.games - before,
                bad: std::mem::take(&mut miner.bad),
                digest: Sha256::digest(text).into(),
            }
        }
    };
    Said { number, input, what }
}

/// What has an order.
struct Fold<'a> {
    inputs: &'a [Input],
    filter: &'a Filter,
    standing: Standing,
    games: u64,
    watcher: &'a mut dyn Watcher,
}

impl Fold<'_> {
    fn take(&mut self, said: Said) {
        let Some(input) = self.inputs.get(said.input) else { return };
        let standing = &mut self.standing;
        match said.what {
            What::Text { len, lines, games, bad, digest } => {
                for mut game in bad {
                    game.line += standing.lines;
                    game.mistake_line += standing.lines;
                    self.watcher.bad_game(input, &game);
                }
                standing.offset += len;
                standing.lines += lines;
                standing.games += games;
                standing.digests.push(digest);
                self.games += games;
            }
            What::Broken { offset, why } => {
                standing.broken = Some(format!("cannot be read beyond byte {offset}: {why}"));
            }
            What::End => {
                let mut hash = Sha256::new();
                for digest in standing.digests.drain(..) {
                    hash.update(digest);
                }
                let facts = InputFacts {
                    name: input.name.clone(),
                    bytes: standing.offset,
                    lines: standing.lines,
                    games: standing.games,
                    hash: hex(&hash.finalize()),
                    broken: standing.broken.take(),
                    filter: self.filter.clone(),
                };
                standing.inputs.push(facts);
                (standing.offset, standing.lines, standing.games) = (0, 0, 0);
            }
        }
    }
}
