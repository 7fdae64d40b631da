//! The journal: games recorded, a torn last line, resuming, the lock.

use std::path::Path;
use std::{fs, io};

use arena::record::{GameRecord, Games, Journal, RecordError, Torn};

use crate::common::samples::{game, journal, pair};

fn path(dir: &Path) -> std::path::PathBuf {
    dir.join("games.jsonl")
}

/// The journal, the torn line that was cut off, and the games.
fn resume(dir: &Path) -> Result<(Journal, Option<Torn>, Vec<GameRecord>), RecordError> {
    let torn = Games::open(dir).ok().and_then(|mut games| {
        games.by_ref().for_each(drop);
        games.torn()
    });
    let mut games = Vec::new();
    let (journal, _) = Journal::open_for_resume(dir, |_, game| {
        games.push(game.clone());
        Ok(())
    })?;
    Ok((journal, torn, games))
}

fn read(dir: &Path) -> Result<Vec<GameRecord>, RecordError> {
    Games::open(dir)?.collect()
}

fn line(game: &GameRecord) -> String {
    serde_json::to_string(game).unwrap() + "\n"
}

#[test]
fn what_is_appended_is_read_back_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("a/b");
    let mut journal = Journal::create(&run).unwrap();
    let written = [pair(3), pair(0), pair(1)];
    for pair in &written {
        journal.append(&pair.each_ref()).unwrap();
    }
    journal.append(&[&game(9)]).unwrap();
    let expected: Vec<_> = written.into_iter().flatten().chain([game(9)]).collect();
    assert_eq!(read(&run).unwrap(), expected, "readable while it is written");
    drop(journal);
    let (_, torn, games) = resume(&run).unwrap();
    assert_eq!(games, expected);
    assert_eq!(torn, None);
}

#[test]
fn a_pair_torn_at_any_byte_loses_no_whole_line() {
    // In memory: a disk that is told to keep each of a thousand journals takes half a minute.
    let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    journal(dir.path(), [0, 1]);
    let before = fs::read(path(dir.path())).unwrap();
    let [first, second] = pair(2);
    let (first_line, second_line) = (line(&first), line(&second));
    let both = first_line.clone() + &second_line;
    for cut in 0..=both.len() {
        let mut torn = before.clone();
        torn.extend(&both.as_bytes()[..cut]);
        fs::write(path(dir.path()), &torn).unwrap();
        // A line is whole as soon as its last brace is there.
        let whole =
            [first_line.len() - 1, both.len() - 1].iter().filter(|&&end| cut >= end).count();
        let kept = [&[][..], &[&first_line], &[&first_line, &second_line]][whole]
            .iter()
            .map(|line| line.len())
            .sum::<usize>();

        assert_eq!(read(dir.path()).unwrap().len(), 4 + whole, "cut at {cut}");
        let (mut journal, torn, games) = resume(dir.path()).unwrap();
        assert_eq!(games.len(), 4 + whole, "cut at {cut}");
        let expected_torn = cut.saturating_sub(kept);
        assert_eq!(torn.map_or(0, |torn| torn.bytes), expected_torn as u64);
        if let Some(torn) = torn {
            assert_eq!(torn.line, 5 + whole as u64);
        }
        // Only what is missing is played again.
        let mut expected = before.clone();
        expected.extend(both.as_bytes());
        match whole {
            0 => journal.append(&[&first, &second]).unwrap(),
            1 => journal.append(&[&second]).unwrap(),
            _ => {}
        }
        journal.close().unwrap();
        assert!(fs::read(path(dir.path())).unwrap() == expected, "cut at {cut}");
    }
}

#[test]
fn tails_that_are_no_text_are_cut() {
    for tail in [&[0_u8; 5_000][..], b"\xff\xfe{\"game\":", b"{", b"\0\0\0\n", b"}\n"] {
        let dir = tempfile::tempdir().unwrap();
        journal(dir.path(), [0]);
        let before = fs::read(path(dir.path())).unwrap();
        fs::write(path(dir.path()), [&before, tail].concat()).unwrap();
        let (_journal, torn, games) = resume(dir.path()).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(torn.unwrap().bytes, tail.len() as u64);
        assert_eq!(fs::read(path(dir.path())).unwrap(), before);
    }
}

#[test]
fn damage_before_the_last_line_is_named_and_left_alone() {
    let good = |number| line(&game(number));
    let wrong_pair = good(2).replace("\"pair\":1", "\"pair\":7");
    let same_side = good(2).replace("\"black\":\"base\"", "\"black\":\"test\"");
    let wrong_plies = good(2).replacen("\"plies\":", "\"plies\":9", 1);
    let future = good(2).replace("draw-adjudication", "boredom").replace("resign-a", "boredom-a");
    let cases = [
        (good(0) + "garbage\n" + &good(1), 2, "expected a game"),
        (good(0) + "\n" + &good(1), 2, "expected a game"),
        (good(0)[..50].to_owned() + &good(1) + &good(2), 1, "expected a game"),
        (good(0) + &good(1) + "{\"game\":2}\n", 3, "missing field"),
        (good(0) + "[]", 2, "expected a game"),
        (good(0) + &wrong_pair, 2, "game 2 belongs to pair 1, found pair 7"),
        (good(0) + &same_side, 2, "found test against test"),
        (good(0) + &wrong_plies, 2, "plies, found"),
        (good(0) + &future, 2, "boredom"),
    ];
    for (text, line, reason) in cases {
        let dir = tempfile::tempdir().unwrap();
        fs::write(path(dir.path()), &text).unwrap();
        let error = resume(dir.path()).unwrap_err();
        let message = error.to_string();
        assert!(matches!(error, RecordError::Damaged { line: l, .. } if l == line), "{message}");
        assert!(message.contains(reason), "{message}");
        assert!(message.contains("games.jsonl"), "{message}");
        // One line number, the file's; and what to do.
        assert!(!message.contains("at line"), "{message}");
        let way_on =
            format!("without this line (keep a copy) `verdict resume {}`", dir.path().display());
        assert!(message.contains(&way_on), "{message}");
        assert!(read(dir.path()).is_err());
        assert_eq!(fs::read_to_string(path(dir.path())).unwrap(), text);
    }
}

#[test]
fn a_line_without_end_is_damage_not_a_memory_hog() {
    let dir = tempfile::tempdir().unwrap();
    let file = fs::File::create(path(dir.path())).unwrap();
    file.set_len(1 << 30).unwrap();
    assert!(matches!(resume(dir.path()), Err(RecordError::Damaged { line: 1, .. })));
}

#[test]
fn games_recorded_twice() {
    let dir = tempfile::tempdir().unwrap();
    let mut later = game(1);
    later.time.started_ms += 1;
    fs::write(path(dir.path()), [line(&game(1)), line(&game(0)), line(&later)].concat()).unwrap();
    assert_eq!(read(dir.path()).unwrap(), [game(1), game(0)], "the same but for its times");

    let mut other = game(1);
    other.notes[0].nodes += 1;
    fs::write(path(dir.path()), [line(&game(1)), line(&game(0)), line(&other)].concat()).unwrap();
    let error = resume(dir.path()).unwrap_err();
    assert!(matches!(error, RecordError::Conflict { line: 3, game: 1, .. }), "{error}");
}

#[test]
fn one_writer_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    // A lock file that a killed process left means nothing.
    fs::write(dir.path().join("run.lock"), "12345\n").unwrap();
    let first = Journal::create(dir.path()).unwrap();
    for second in [Journal::create(dir.path()).err(), resume(dir.path()).err()] {
        let error = second.unwrap();
        assert!(matches!(error, RecordError::InUse { .. }), "{error}");
        let process = std::process::id().to_string();
        assert!(error.to_string().contains(&process), "{error}");
    }
    drop(first);
    assert!(resume(dir.path()).is_ok());
}

#[test]
fn a_run_is_never_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    // An empty journal alone is a start that failed.
    drop(Journal::create(dir.path()).unwrap());
    journal(dir.path(), [0]);
    let create = || Journal::create(dir.path()).unwrap_err();
    let error = create();
    assert!(matches!(error, RecordError::NoRunFile { .. }), "{error}");
    fs::write(dir.path().join("run.json"), "{}").unwrap();
    let error = create().to_string();
    assert!(error.contains("verdict resume"), "{error}");
    fs::rename(dir.path().join("games.jsonl"), dir.path().join("games.jsonl.zst")).unwrap();
    let error = create();
    assert!(matches!(error, RecordError::Exists { .. }), "{error}");
    fs::remove_file(dir.path().join("games.jsonl.zst")).unwrap();
    let error = create();
    assert!(matches!(error, RecordError::NoGames { .. }), "{error}");
    let error = resume(dir.path()).unwrap_err();
    assert!(matches!(error, RecordError::NoGames { .. }), "{error}");
}

#[test]
fn folders_that_cannot_be_written_or_hold_no_run() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Journal::create(&file.join("run")).unwrap_err();
    assert!(matches!(error, RecordError::Io { .. }), "{error}");
    assert!(error.to_string().contains("file/run"), "{error}");

    let nowhere = dir.path().join("nowhere");
    let error = resume(&nowhere).unwrap_err();
    assert!(
        matches!(&error, RecordError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound),
        "{error}"
    );
    assert!(!nowhere.exists());
    fs::create_dir_all(path(&nowhere)).unwrap();
    assert!(resume(&nowhere).unwrap_err().to_string().contains("not a regular file"));
    assert!(!nowhere.join("run.lock").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_no_journal() {
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", path(dir.path())).unwrap();
    assert!(resume(dir.path()).unwrap_err().to_string().contains("not a regular file"));
    assert!(Journal::create(dir.path()).is_err());
}

#[test]
fn a_packed_journal_reads_the_same() {
    let dir = tempfile::tempdir().unwrap();
    journal(dir.path(), [1, 0]);
    let games = read(dir.path()).unwrap();
    let packed = zstd::encode_all(&fs::read(path(dir.path())).unwrap()[..], 3).unwrap();
    fs::remove_file(path(dir.path())).unwrap();
    fs::write(dir.path().join("games.jsonl.zst"), packed).unwrap();
    assert_eq!(read(dir.path()).unwrap(), games);
}
