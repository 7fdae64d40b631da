//! Opening positions that exceed memory: the same bytes, and errors that say where.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use tables::{
    BadGame, Checkpoint, CountSettings, CountsFile, Filter, Input, MinePlan, Mined, OpeningChoice,
    Resolver, Scratch, Watcher, list, mine, write_counts_json, write_openings,
};

use super::GAMES;

/// Stops the run at once, if asked to.
struct Stopping<'a>(Option<&'a AtomicBool>);

impl Watcher for Stopping<'_> {
    fn progress(&mut self, _: u64, _: u64) {
        if let Some(stop) = self.0 {
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn bad_game(&mut self, _: &Input, _: &BadGame) {}
}

const WANTS: CountSettings = CountSettings {
    mit: true,
    pst: false,
    opening_plies: 60,
    consecutive: 1,
    quiet: false,
    phase_limit: 26,
    sample: 0,
};

fn plan(threads: usize, scratch: &Scratch) -> MinePlan {
    MinePlan {
        wants: WANTS,
        filter: Filter::default(),
        threads: NonZeroUsize::new(threads).unwrap(),
        resolver: Resolver::Masks,
        scratch: scratch.clone(),
    }
}

fn counts_file(mined: Mined) -> CountsFile {
    let Mined { counts, tally, read_state, complete, .. } = mined;
    let inputs = read_state.inputs.clone();
    let checkpoint = (!complete).then(|| Checkpoint { read_state, ..Checkpoint::default() });
    CountsFile { settings: WANTS, counts, tally, inputs, checkpoint }
}

/// A few pieces of a text.
fn text(here: &Path) -> PathBuf {
    let path = here.join("g.pgn");
    fs::write(&path, GAMES.repeat(120)).unwrap();
    path
}

/// The counts file, the table and the JSON.
fn made(file: &CountsFile) -> [Vec<u8>; 3] {
    let (mut table, mut json) = (Vec::new(), Vec::new());
    let openings = file.counts.openings.as_ref().unwrap();
    let choice = OpeningChoice { min_games: 1, min_score: 0.25 };
    write_openings(&mut table, openings, &choice).unwrap();
    write_counts_json(&mut json, &file.counts).unwrap();
    [file.to_bytes().unwrap(), table, json]
}

/// Bytes; room for a hundred positions, and for a thousand.
const MEMORY: [usize; 2] = [5000, 50_000];

#[test]
fn what_is_made_does_not_depend_on_memory_nor_threads() {
    let dir = tempfile::tempdir().unwrap();
    let inputs = list(&[text(dir.path())]).unwrap();
    let run = |threads: usize, scratch: &Scratch| {
        let never = AtomicBool::new(false);
        let mined = mine(&inputs, &plan(threads, scratch), None, &never, &mut Stopping(None));
        counts_file(mined.unwrap())
    };
    let expected = made(&run(1, &Scratch::default()));
    for memory in MEMORY {
        for threads in [1, 2, 5] {
            let out = dir.path().join("out");
            let file = run(threads, &Scratch::with_memory(memory, &out));
            assert!(made(&file) == expected, "{memory} bytes, {threads} threads");
        }
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "a file is left");
}

#[test]
fn stopped_runs_and_sums_do_not_depend_on_memory() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let inputs = list(&[text(here)]).unwrap();
    let never = AtomicBool::new(false);
    let default = plan(1, &Scratch::default());
    let whole = mine(&inputs, &default, None, &never, &mut Stopping(None)).unwrap();
    let whole = counts_file(whole);
    whole.write(&here.join("whole")).unwrap();
    let twice = [here.join("whole"), here.join("whole")];
    let sum = CountsFile::merge(&twice, true, &Scratch::default()).unwrap();
    for memory in MEMORY {
        let scratch = Scratch::with_memory(memory, &here.join("out"));
        let mut earlier = None;
        let mut parts = 0;
        let last = loop {
            let stop = AtomicBool::new(false);
            let mut stopping = Stopping(Some(&stop));
            let mined = mine(&inputs, &plan(2, &scratch), earlier, &stop, &mut stopping).unwrap();
            parts += 1;
            if mined.complete {
                break counts_file(mined);
            }
            counts_file(mined).write(&here.join("checkpoint")).unwrap();
            let file = CountsFile::read_within(&here.join("checkpoint"), &scratch).unwrap();
            let read_state = file.checkpoint.unwrap().read_state;
            earlier = Some(Mined {
                counts: file.counts,
                tally: file.tally,
                read_state,
                cross_check: Default::default(),
                complete: false,
            });
        };
        assert!(parts > 1, "it was never stopped");
        assert!(made(&last) == made(&whole), "{memory} bytes, stopped");
        let merged = CountsFile::merge(&twice, true, &scratch).unwrap();
        assert!(made(&merged) == made(&sum), "{memory} bytes, summed");
    }
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let inputs = list(&[text(here)]).unwrap();
    let scratch = Scratch::with_memory(1000, &here.join("missing/early.keys"));
    for threads in [1, 3] {
        let stop = AtomicBool::new(false);
        let mined = mine(&inputs, &plan(threads, &scratch), None, &stop, &mut Stopping(None));
        let said = mined.unwrap_err().to_string();
        for words in ["missing/early.keys", "cannot write the temporary file", "make room there"] {
            assert!(said.contains(words), "{words}: {said}");
        }
        assert!(stop.into_inner(), "the other threads are to stop");
    }
    let never = AtomicBool::new(false);
    let default = plan(1, &Scratch::default());
    let mined = mine(&inputs, &default, None, &never, &mut Stopping(None)).unwrap();
    counts_file(mined).write(&here.join("c")).unwrap();
    let said = CountsFile::read_within(&here.join("c"), &scratch).unwrap_err().to_string();
    assert!(said.contains("cannot write the temporary file"), "{said}");
}
