//! Rendering and counting a long run needs a few bytes a game, not the games.

#![allow(clippy::unwrap_used)] // In tests a failure is a panic.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use arena::record::{GameRecord, Games, Identity, RunFile, Tally, pgn};
use arena::report::RunResults;
use serde_json::{Value, json};

/// Counts the bytes in use and the most there ever were.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: both calls are handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(in_use, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that `work` had in use at once.
fn peak(work: impl FnOnce()) -> usize {
    let before = IN_USE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    work();
    PEAK.load(Ordering::Relaxed) - before
}

/// A journal of `games` games of some 500 bytes, all different.
fn write_journal(dir: &Path, games: u64) {
    let mut value: Value = json!({
        "opening": 0, "white": "test", "black": "base", "result": "1-0",
        "termination": "resign-adjudication", "plies": 4, "book_plies": 0,
        "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "moves": "e2e4 e7e5 g1f3 b8c6", "notes": [[35, 9, 3000], [-20, 9, 3000], [7, 9, 3000]],
        "nodes": [6000, 6000],
        "time": {"started_ms": 1, "moves_us": [900, 900, 900, 900]},
    });
    let mut out = BufWriter::new(File::create(dir.join("games.jsonl")).unwrap());
    for game in 0..games {
        value["game"] = json!(game);
        value["pair"] = json!(game / 2);
        value["hash"] = json!(format!("{game:016x}"));
        value["detail"] = json!("x".repeat(200));
        let record: GameRecord = serde_json::from_value(value.clone()).unwrap();
        writeln!(out, "{}", serde_json::to_string(&record).unwrap()).unwrap();
    }
}

#[test]
fn memory_grows_by_a_few_bytes_a_game() {
    let plan = json!({"rule": "los=95,pairs=100000", "pairs": 100_000});
    let run = RunFile::new(plan, 1, Identity::default(), Identity::default(), None);
    let needs = |games: u64| {
        let dir = tempfile::tempdir().unwrap();
        write_journal(dir.path(), games);
        let read = peak(|| assert_eq!(Games::open(dir.path()).unwrap().count() as u64, games));
        let rendered = peak(|| assert_eq!(pgn::render(dir.path(), &run).unwrap(), games));
        let tallied = peak(|| {
            let mut tally = Tally::default();
            for game in Games::open(dir.path()).unwrap() {
                tally.add(&game.unwrap()).unwrap();
            }
            assert_eq!(tally.counts.games(), games);
        });
        let reported = peak(|| {
            let run =
                RunResults::new(dir.path(), "run", run.clone()).unwrap().with_games(dir.path());
            assert_eq!(run.unwrap().summary().games, games);
        });
        // The measure measures: this one does hold all games.
        let held = peak(|| assert!(Games::open(dir.path()).unwrap().collect::<Vec<_>>().len() > 1));
        assert!(held as u64 > 400 * games);
        [read, rendered, tallied, reported]
    };
    let few = needs(2_000);
    let many = needs(32_000);
    // A hash table doubles, and holds its old half while it grows: up to 2 · 1.5 · 17 bytes.
    for ((name, limit), (few, many)) in
        [("reading", 60), ("PGN", 60), ("tally", 200), ("report", 200)]
            .iter()
            .zip(few.into_iter().zip(many))
    {
        let grown = many.saturating_sub(few) / 30_000;
        assert!(grown <= *limit, "{name}: {grown} bytes a game");
    }
}
