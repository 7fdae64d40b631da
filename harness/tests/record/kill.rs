//! A writer killed by SIGKILL at any moment loses at most the pair it was writing.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use arena::record::{Games, Journal, PairJoiner};

use crate::common::samples::{below, game, pair, rng};

/// Where the child writes; set only for the child.
const FOLDER: &str = "RECORD_KILL_TEST_FOLDER";

/// The child: resumes the run and writes the missing pairs until it is killed.
#[test]
#[ignore = "runs as the child of the test below"]
fn child() {
    let Ok(dir) = env::var(FOLDER) else { return };
    let mut recorded = BTreeSet::new();
    let opened = Journal::open_for_resume(Path::new(&dir), |_, game| {
        recorded.insert(game.game);
        Ok(())
    });
    let (mut journal, _) = opened.unwrap();
    for number in 0_u64.. {
        match [2 * number, 2 * number + 1].map(|game| recorded.contains(&game)) {
            [true, true] => {}
            [false, false] => journal.append(&pair(number).each_ref()).unwrap(),
            [first, _] => journal.append(&[&game(2 * number + u64::from(first))]).unwrap(),
        }
    }
}

#[test]
fn killed_again_and_again() {
    let dir = tempfile::tempdir().unwrap();
    drop(Journal::create(dir.path()).unwrap());
    let mut rng = rng(7);
    let mut most = 0;
    for round in 0..12 {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--ignored", "--exact", "record::kill::child"])
            .env(FOLDER, dir.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(20 + below(&mut rng, 60) as u64));
        assert_eq!(child.try_wait().unwrap(), None, "round {round}: the child must be writing");
        child.kill().unwrap();
        child.wait().unwrap();

        let mut halves = PairJoiner::default();
        let games: Vec<_> = Games::open(dir.path()).unwrap().map(Result::unwrap).collect();
        let pairs = games.iter().filter(|game| halves.add(game.game, ()).is_some()).count();
        assert!(games.iter().all(|found| *found == game(found.game)));
        assert!(games.len() - 2 * pairs <= 1, "at most one half pair");
        assert!(games.len() >= most, "round {round}: {} games of {most} are left", games.len());
        most = games.len();
    }
    assert!(most > 0, "the children wrote nothing");
}
