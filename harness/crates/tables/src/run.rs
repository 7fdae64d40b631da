//! A run over texts: threads mine pieces, one place puts what they say in order.
//!
//! Sums are kept by each thread and added up at the end; only what has an order (line numbers, bad
//! games, hashes) goes piece by piece to the one place. So results do not depend on the number of
//! threads. When a run is stopped, all pieces that were dealt out are finished: what is counted is
//! always a front part of the texts.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use process::lock;

use super::count::openings::OpeningCounter;
use super::count::{MinedCounts, OpeningCounts};
use super::counts_file::{InputInfo, ReadState};
use super::cross_check::{self, CrossCheck};
use super::filter::Filter;
use super::input::{Content, Feed, Input, Piece, ReadStart};
use super::miner::{CountSettings, Miner, SeenGames};
use super::scratch::Scratch;
use super::tally::{BadGame, GameTally};
use super::text_hash::{PieceHash, text_hash};
use pgn::san::Resolver;
use pgn::{Passing, TextParser};

#[derive(Debug, Clone)]
pub struct MinePlan {
    pub wants: CountSettings,
    pub filter: Filter,
    /// Threads that read games. As many again unpack, where a file has parts to unpack apart.
    pub threads: NonZeroUsize,
    pub resolver: Resolver,
    /// For opening positions that exceed memory.
    pub scratch: Scratch,
}

/// What a run is told while it goes on.
pub trait Watcher {
    /// Bytes read so far, as they are stored, and games found.
    fn progress(&mut self, bytes: u64, games: u64);
    fn bad_game(&mut self, input: &Input, game: &BadGame);
}

#[derive(Debug)]
pub struct Mined {
    pub counts: MinedCounts,
    pub tally: GameTally,
    pub read_state: ReadState,
    /// Of this run, with [`Resolver::Both`].
    pub cross_check: CrossCheck,
    /// Whether the texts were read to their ends.
    pub complete: bool,
}

struct PieceMessage {
    number: u64,
    input: usize,
    what: What,
}

enum What {
    Text(ReadPiece),
    End,
    Broken { offset: u64, why: String },
}

/// What a piece of text holds.
struct ReadPiece {
    len: u64,
    lines: u64,
    /// Lines of the pieces before it that were read in one go with it: bad games count from there.
    lines_before: u64,
    games: u64,
    bad: Vec<BadGame>,
    /// Games compared with a second reader, and the lines of those that differ.
    cross_checked: u64,
    different: Vec<u64>,
    hash: PieceHash,
    /// What goes on behind it and is passed over.
    passing: Passing,
}

/// Reads texts to their ends, or until `stop` is set. Goes on from where an earlier run came, and
/// adds to its sums. Fails if the scratch cannot be written or read; then `stop` is set.
pub fn mine(
    inputs: &[Input],
    plan: &MinePlan,
    earlier: Option<Mined>,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> io::Result<Mined> {
    let earlier = earlier.unwrap_or_else(|| Mined {
        counts: Miner::new(plan.wants, &plan.filter, Resolver::Masks, None, None).counts,
        tally: GameTally::default(),
        read_state: ReadState::default(),
        cross_check: CrossCheck::default(),
        complete: false,
    });
    let Mined { mut counts, mut tally, mut read_state, .. } = earlier;
    let mut openings = Vec::from_iter(counts.openings.take());
    let seen = plan.filter.dedup.then(|| SeenGames::new(&std::mem::take(&mut read_state.seen)));
    let read = Arc::new(AtomicU64::new(0));
    let (offset, passing) = (read_state.offset, read_state.passing);
    let start = ReadStart { input: read_state.inputs.len(), offset, passing };
    let feed = Mutex::new(Feed::new(inputs, start, plan.threads, Arc::clone(&read)));
    let (send, receive) = mpsc::sync_channel::<PieceMessage>(4 * plan.threads.get());
    let cross_check = CrossCheck::default();
    let mut fold =
        Fold { inputs, filter: &plan.filter, read_state, cross_check, games: tally.games, watcher };
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
        for message in receive {
            waiting.insert(message.number, message);
            while let Some(said) = waiting.remove(&due) {
                fold.take(said);
                due += 1;
            }
            fold.watcher.progress(read.load(Ordering::Relaxed), fold.games);
        }
        let mut complete = Ok(true);
        for worker in workers {
            match worker.join() {
                Ok(done) => {
                    counts.merge(&done.counts);
                    tally.merge(&done.tally);
                    match done.openings {
                        Ok(parts) => openings.extend(parts),
                        Err(error) => complete = Err(error),
                    }
                    complete = complete.map(|complete| complete && done.complete);
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        complete
    })?;
    if plan.wants.opening_plies > 0 {
        counts.openings = Some(OpeningCounts::sum(openings, &plan.scratch)?.0);
    }
    let Fold { mut read_state, cross_check, .. } = fold;
    // No later run needs them once all is read.
    read_state.seen = seen.filter(|_| !complete).map(SeenGames::into_sorted).unwrap_or_default();
    Ok(Mined { counts, tally, read_state, cross_check, complete })
}

struct Done {
    /// Without openings.
    counts: MinedCounts,
    openings: io::Result<Vec<OpeningCounts>>,
    tally: GameTally,
    /// Nothing was left to read.
    complete: bool,
}

fn work(
    plan: &MinePlan,
    feed: &Mutex<Feed<'_>>,
    seen: Option<&SeenGames>,
    stop: &AtomicBool,
    send: &SyncSender<PieceMessage>,
) -> Done {
    let counter = || OpeningCounter::new(&plan.scratch, plan.threads);
    let openings = (plan.wants.opening_plies > 0).then(counter);
    let mut miner = Miner::new(plan.wants, &plan.filter, plan.resolver, seen, openings);
    let mut buffer = Vec::new();
    let complete = loop {
        let mut feed = lock(feed);
        if stop.load(Ordering::Relaxed) {
            break false;
        }
        let Some(piece) = feed.next(stop) else { break feed.is_at_end() };
        let mut series = PieceReader { miner: &mut miner, buffer: &mut buffer, stop, send };
        series.read(piece, feed);
    };
    let openings = miner.openings.map_or(Ok(Vec::new()), OpeningCounter::finish);
    Done { counts: miner.counts, openings, tally: miner.tally, complete }
}

/// Pieces that one thread reads in sequence, since a game may go on from each to the next.
struct PieceReader<'a, 'm> {
    miner: &'a mut Miner<'m>,
    buffer: &'a mut Vec<u8>,
    stop: &'a AtomicBool,
    send: &'a SyncSender<PieceMessage>,
}

impl PieceReader<'_, '_> {
    /// Reads a piece, and the pieces behind it while a game is open. The feed stays locked until
    /// the last of them. A stop ends the series where no game is open, or where nothing would be
    /// kept anyway.
    fn read(&mut self, first: Piece, feed: MutexGuard<'_, Feed<'_>>) {
        let PieceReader { miner, buffer, stop, send } = self;
        // The receiver outlives the senders: sending cannot fail.
        let send_message =
            |number, input, what| _ = send.send(PieceMessage { number, input, what });
        let mut feed = Some(feed);
        let mut parser = TextParser::new(*miner, first.offset, first.passing);
        let mut next = Some(first);
        let mut waiting: Option<(u64, usize, ReadPiece)> = None;
        while let Some(piece) = next.take() {
            let Piece { number, input, offset, is_open, .. } = piece;
            if !is_open {
                feed = None;
            }
            let text = match piece.content(buffer) {
                Content::Text(text) => text,
                end => {
                    // What was open ends with the text.
                    parser.finish();
                    parser.game().ends.clear();
                    if let Some((number, input, mut read)) = waiting.take() {
                        read.take_games(parser.game());
                        send_message(number, input, What::Text(read));
                    }
                    let what = match end {
                        Content::Broken(error) => What::Broken { offset, why: error.to_string() },
                        _ => What::End,
                    };
                    send_message(number, input, what);
                    return;
                }
            };
            let was_open = waiting.is_some();
            if let Some((number, input, read)) = waiting.take() {
                send_message(number, input, What::Text(read));
            }
            let lines_before = parser.lines();
            parser.read(text, !is_open);
            if !is_open {
                parser.finish();
            }
            if parser.game().openings.as_ref().is_some_and(OpeningCounter::has_failed) {
                stop.store(true, Ordering::Relaxed);
            }
            let ends = std::mem::take(&mut parser.game().ends);
            // Of a game that goes on in the next piece the second reader would see a part.
            let different =
                if is_open || was_open { None } else { cross_check::different(text, &ends) };
            let mut read = ReadPiece {
                len: text.len() as u64,
                lines: parser.lines() - lines_before,
                lines_before,
                games: 0,
                bad: Vec::new(),
                cross_checked: if different.is_some() { ends.len() as u64 } else { 0 },
                different: different.unwrap_or_default(),
                hash: PieceHash::of(text),
                passing: if is_open { parser.passing() } else { Passing::default() },
            };
            read.take_games(parser.game());
            waiting = Some((number, input, read));
            let rests = stop.load(Ordering::Relaxed) && parser.can_rest();
            if !rests && let Some(feed) = &mut feed {
                next = feed.next(stop);
            }
        }
        if let Some((number, input, read)) = waiting {
            send_message(number, input, What::Text(read));
        }
    }
}

impl ReadPiece {
    /// Takes over the games found since the last call.
    fn take_games(&mut self, miner: &mut Miner<'_>) {
        self.games += std::mem::take(&mut miner.found);
        self.bad.append(&mut miner.bad);
    }
}

/// Results that depend on the order of pieces.
struct Fold<'a> {
    inputs: &'a [Input],
    filter: &'a Filter,
    read_state: ReadState,
    cross_check: CrossCheck,
    games: u64,
    watcher: &'a mut dyn Watcher,
}

impl Fold<'_> {
    fn take(&mut self, message: PieceMessage) {
        let Some(input) = self.inputs.get(message.input) else { return };
        let read_state = &mut self.read_state;
        match message.what {
            What::Text(read) => {
                let lines_before = read_state.lines - read.lines_before;
                for mut game in read.bad {
                    game.line += lines_before;
                    game.mistake_line += lines_before;
                    self.watcher.bad_game(input, &game);
                }
                let check = &mut self.cross_check;
                check.games += read.cross_checked;
                check.different += read.different.len() as u64;
                if let (None, Some(line)) = (&check.first, read.different.first()) {
                    check.first = Some((input.name.clone(), lines_before + line));
                }
                read_state.offset += read.len;
                read_state.lines += read.lines;
                read_state.games += read.games;
                read_state.hashes.push(read.hash);
                read_state.passing = read.passing;
                self.games += read.games;
            }
            What::Broken { offset, why } => {
                read_state.broken = Some(format!("cannot be read beyond byte {offset}: {why}"));
            }
            What::End => {
                let info = InputInfo {
                    name: input.name.clone(),
                    bytes: read_state.offset,
                    lines: read_state.lines,
                    games: read_state.games,
                    hash: text_hash(&std::mem::take(&mut read_state.hashes)),
                    broken: read_state.broken.take(),
                    filter: self.filter.clone(),
                };
                read_state.inputs.push(info);
                (read_state.offset, read_state.lines, read_state.games) = (0, 0, 0);
                read_state.passing = Passing::default();
            }
        }
    }
}

#[cfg(test)]
mod tests;
