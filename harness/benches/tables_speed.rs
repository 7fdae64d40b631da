//! What tables from games cost in processor time, beside the bare replay of the same games (every
//! legal move by pgn-reader and shakmaty, nothing counted) and beside their tokens alone
//! (pgn-reader, no move resolved). `none passes` is with a filter on tags that rejects every game.
//!
//! `cargo bench -p harness --bench tables_speed -- GAMES.pgn [ROUNDS]`
//!
//! Ways take turns, round after round; each way's best round is printed, since whoever else uses the
//! machine only ever adds time. One way alone, for a profiler or for counting instructions:
//! `… -- GAMES.pgn 1 replay|tokens|masks|legal`.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::fs::File;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use tables::{
    BadGame, CountSettings, Filter, Input, MinePlan, Resolver, Scratch, Watcher, list, mine,
};

/// Plays every move that is legal, to the first that is not.
#[derive(Default)]
struct Replay {
    moves: u64,
}

impl Visitor for Replay {
    type Tags = Chess;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).ok();
            let position = fen.and_then(|fen| {
                let setup = fen.into_setup();
                let mode = CastlingMode::detect(&setup);
                setup.position(mode).ok()
            });
            match position {
                Some(position) => *start = position,
                None => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(start)
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                self.moves += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn end_game(&mut self, _: Chess) {}
}

/// Reads every move, and resolves none.
#[derive(Default)]
struct Tokens {
    moves: u64,
}

impl Visitor for Tokens {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        std::hint::black_box(san);
        self.moves += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

struct Silent;

impl Watcher for Silent {
    fn progress(&mut self, _: u64, _: u64) {}
    fn bad_game(&mut self, _: &Input, _: &BadGame) {}
}

fn replay(path: &Path) -> u64 {
    let mut reader = Reader::new(File::open(path).unwrap());
    let mut visitor = Replay::default();
    while reader.read_game(&mut visitor).unwrap().is_some() {}
    visitor.moves
}

fn tokens(path: &Path) -> u64 {
    let mut reader = Reader::new(File::open(path).unwrap());
    let mut visitor = Tokens::default();
    while reader.read_game(&mut visitor).unwrap().is_some() {}
    visitor.moves
}

/// Seconds of processor time that this process has had.
fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a place for the answer.
    let done = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(done, 0, "no clock of processor time");
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn tables(path: &Path, threads: usize, resolver: Resolver, filter: Filter) -> u64 {
    let inputs = list(&[path.to_owned()]).unwrap();
    let plan = MinePlan {
        wants: CountSettings { mit: true, pst: true, ..CountSettings::usual() },
        filter,
        threads: NonZeroUsize::new(threads).unwrap(),
        resolver,
        scratch: Scratch::default(),
    };
    let mined = mine(&inputs, &plan, None, &AtomicBool::new(false), &mut Silent);
    mined.unwrap().tally.plies
}

fn main() {
    // Cargo runs this in the package's folder; its users are in the repository's.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let _ = std::env::set_current_dir(root);
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let Some(path) = words.first().map(PathBuf::from) else {
        eprintln!("usage: cargo bench -p harness --bench tables_speed -- GAMES.pgn [ROUNDS [WAY]]");
        return;
    };
    let rounds: usize = words.get(1).map_or(5, |word| word.parse().unwrap());
    let bytes = std::fs::metadata(&path).unwrap().len() as f64;
    let (all, none) = (Filter::default, || Filter { min_elo: Some(9999), ..Filter::default() });
    type Way<'a> = (&'a str, Box<dyn Fn() -> u64 + 'a>);
    let mut ways: Vec<Way<'_>> = vec![
        ("replay", Box::new(|| replay(&path))),
        ("tokens", Box::new(|| tokens(&path))),
        ("masks", Box::new(|| tables(&path, 1, Resolver::Masks, all()))),
        ("masks, none passes", Box::new(|| tables(&path, 1, Resolver::Masks, none()))),
        ("masks, two threads", Box::new(|| tables(&path, 2, Resolver::Masks, all()))),
        ("legal", Box::new(|| tables(&path, 1, Resolver::Legal, all()))),
    ];
    if let Some(only) = words.get(2) {
        ways.retain(|(name, _)| name == only);
    }
    let mut best = vec![(f64::INFINITY, 0); ways.len()];
    for _ in 0..rounds {
        for ((_, way), best) in ways.iter().zip(&mut best) {
            let begin = processor_time();
            let moves = way();
            best.0 = best.0.min(processor_time() - begin);
            best.1 = moves;
        }
    }
    for ((name, _), (seconds, moves)) in ways.iter().zip(&best) {
        println!(
            "{name:20} {seconds:7.3} s  {:7.1} MB/s  {:5.1} M moves/s  {:.3} of replay  ({moves} moves)",
            bytes / seconds / 1e6,
            *moves as f64 / seconds / 1e6,
            seconds / best[0].0
        );
    }
}
