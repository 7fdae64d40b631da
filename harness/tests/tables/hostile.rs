//! Texts that are made to be hard to read: games without end, games without tags, bombs.

use std::fs;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use tables::{
    BadGame, Checkpoint, CountSettings, CountsFile, CrossCheck, Filter, Input, MinePlan, Mined,
    Resolver, Scratch, Watcher, list, mine,
};

use super::{GAMES, refused, tables};

/// Keeps what is told of bad games; stops the run as soon as there is anything to tell, if asked to.
struct Hearer<'a> {
    stop: Option<&'a AtomicBool>,
    bad: Vec<(u64, u64, String)>,
}

impl Watcher for Hearer<'_> {
    fn progress(&mut self, _bytes: u64, _games: u64) {
        if let Some(stop) = self.stop {
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn bad_game(&mut self, _input: &Input, game: &BadGame) {
        self.bad.push((game.line, game.offset, game.detail.clone()));
    }
}

fn plan(threads: usize) -> MinePlan {
    MinePlan {
        wants: CountSettings { pst: true, ..CountSettings::usual() },
        filter: Filter::default(),
        threads: NonZeroUsize::new(threads).unwrap(),
        resolver: Resolver::Masks,
        scratch: Scratch::default(),
    }
}

/// All of a text, plain and packed, by one thread and several, which must agree.
fn read(text: &[u8]) -> (Mined, Vec<(u64, u64, String)>) {
    let dir = tempfile::tempdir().unwrap();
    let (plain, packed) = (dir.path().join("g.pgn"), dir.path().join("g.pgn.zst"));
    fs::write(&plain, text).unwrap();
    fs::write(&packed, zstd::encode_all(text, 1).unwrap()).unwrap();
    let run = |path: &Path, threads: usize| {
        let inputs = list(&[path.to_owned()]).unwrap();
        let mut hearer = Hearer { stop: None, bad: Vec::new() };
        let never = AtomicBool::new(false);
        (mine(&inputs, &plan(threads), None, &never, &mut hearer).unwrap(), hearer.bad)
    };
    let (first, bad) = run(&plain, 1);
    for (path, threads) in [(&plain, 3), (&packed, 1), (&packed, 3)] {
        let (other, also_bad) = run(path, threads);
        assert!(other.counts == first.counts && other.tally == first.tally);
        assert_eq!(other.read_state.inputs[0].hash, first.read_state.inputs[0].hash);
        assert_eq!(also_bad, bad);
    }
    (first, bad)
}

const NEXT: &[u8] = b"\n\n[Event \"b\"]\n[Result \"0-1\"]\n\n1. d4 0-1\n";

/// A game of more than a few MiB is one game, however it becomes so long.
#[test]
fn a_long_game_is_one_game() {
    const LONG: usize = 6 << 20;
    let long = "a".repeat(500);
    let tags = format!("[Remark \"{long}\"]\n").repeat(LONG / 500).into_bytes();
    let comment = format!("{{{}}}", format!("[White \"{long}\"]\n\n1-0\n").repeat(LONG / 500));
    let lines = format!("( {} )\n", "Nf6 ".repeat(100)).repeat(LONG / 400).into_bytes();
    let unclosed = b"(".repeat(3 << 20);
    for (name, before, within) in [
        ("tags", &tags[..], &b""[..]),
        ("comment", b"", comment.as_bytes()),
        ("variations", b"", &lines),
        ("unclosed variations", b"", &unclosed),
    ] {
        let head = b"[Event \"a\"]\n[Result \"1-0\"]\n";
        let text = [head, before, b"\n1. e4 ", within, b" 1-0", NEXT].concat();
        let (mined, bad) = read(&text);
        let bad_ones = u64::from(name.starts_with("unclosed"));
        assert_eq!((mined.tally.games, mined.tally.counted), (2, 2 - bad_ones), "{name}: {bad:?}");
    }
}

/// One that is too long is bad, once, told by line and byte; the game behind it is read.
#[test]
fn a_game_too_long_is_one_bad_game() {
    let line = [b"x".repeat(1 << 20), b"\n".to_vec()].concat();
    for within in [line.repeat(20), b"x".repeat(20 << 20)] {
        let text = [b"[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {\n", &within[..], NEXT].concat();
        let (mined, bad) = read(&text);
        assert_eq!((mined.tally.games, mined.tally.counted), (2, 1), "{bad:?}");
        assert_eq!(
            mined.read_state.inputs[0].lines,
            text.split(|&byte| byte == b'\n').count() as u64 - 1
        );
        let [(1, 0, what)] = &bad[..] else { panic!("{bad:?}") };
        assert!(what.contains("at most 16 MiB"), "{what}");
    }
    let moves = b"Nf3 Nf6 Ng1 Ng8\n".repeat(20_000);
    let (mined, bad) =
        read(&[b"[Event \"a\"]\n[Result \"1-0\"]\n\n", &moves[..], b"1-0", NEXT].concat());
    assert_eq!((mined.tally.games, mined.tally.counted), (2, 1), "{bad:?}");
    assert!(bad[0].2.contains("at most 65536 plies"), "{bad:?}");
}

/// A small game over several lines, longer by a comment.
fn game_without_tags() -> Vec<u8> {
    [b"1. e4 {", &b"x".repeat(20 << 10)[..], b"} e5\n2. Nf3 Nc6\n3. Bb5 1-0\n\n"].concat()
}

/// Texts whose games have no tags are not cut within games.
#[test]
fn games_without_tags_stay_whole() {
    const GAMES: usize = 600;
    let (mined, bad) = read(&game_without_tags().repeat(GAMES));
    assert_eq!((mined.tally.games, mined.tally.counted), (GAMES as u64, GAMES as u64));
    assert_eq!((mined.tally.plies, bad.len()), (5 * GAMES as u64, 0), "{bad:?}");
}

/// Stopped again and again where pieces do not end with games, and within a game that is passed over:
/// the same as in one go.
#[test]
fn a_stopped_run_goes_on_within_long_games() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("a.pgn"), game_without_tags().repeat(800)).unwrap();
    let line = [b"x".repeat(1 << 20), b"\n".to_vec()].concat();
    let mut packed =
        zstd::Encoder::new(fs::File::create(here.join("b.pgn.zst")).unwrap(), 1).unwrap();
    packed.write_all(b"[Event \"long\"]\n\n1. e4 {\n").unwrap();
    for _ in 0..90 {
        packed.write_all(&line).unwrap();
    }
    packed.write_all(NEXT).unwrap();
    packed.finish().unwrap();
    // A line in many pieces, each of which begins like a game. They are as long as any is.
    let unit = b"[Event \"bbbbb\"] ";
    let head = b"[Event \"a\"]\n\n1. e4 {            ";
    assert_eq!((unit.len(), head.len()), (16, 32));
    let line = [&head[..], &unit.repeat((60 << 20) / 16), b"\n\n1. e5\n", NEXT].concat();
    fs::write(here.join("c.pgn.zst"), zstd::encode_all(&line[..], 1).unwrap()).unwrap();
    let inputs = ["a.pgn", "b.pgn.zst", "c.pgn.zst"].map(|name| here.join(name));
    let inputs = list(&inputs).unwrap();
    let run = |earlier: Option<Mined>, stops: bool| {
        let stop = AtomicBool::new(false);
        let mut hearer = Hearer { stop: stops.then_some(&stop), bad: Vec::new() };
        let mined = mine(&inputs, &plan(1), earlier, &stop, &mut hearer).unwrap();
        (mined, hearer.bad)
    };
    let (whole, bad) = run(None, false);
    assert_eq!((whole.tally.games, whole.tally.counted, bad.len()), (804, 802, 2), "{bad:?}");

    let (mut earlier, mut bad_in_parts, mut passing, mut within_lines) = (None, Vec::new(), 0, 0);
    let last = loop {
        let (mined, mut bad) = run(earlier, true);
        bad_in_parts.append(&mut bad);
        if mined.complete {
            break mined;
        }
        passing += u32::from(mined.read_state.passing.game);
        within_lines += u32::from(mined.read_state.passing.line);
        let Mined { counts, tally, read_state, .. } = mined;
        let inputs = read_state.inputs.clone();
        let checkpoint = Some(Checkpoint { read_state, ..Checkpoint::default() });
        let file = CountsFile { settings: plan(1).wants, counts, tally, inputs, checkpoint };
        let file = CountsFile::parse(&file.to_bytes().unwrap()).unwrap();
        let read_state = file.checkpoint.unwrap().read_state;
        let (counts, tally) = (file.counts, file.tally);
        earlier = Some(Mined {
            counts,
            tally,
            read_state,
            cross_check: CrossCheck::default(),
            complete: false,
        });
    };
    assert!(passing > 0, "no stop within the long game");
    assert!(within_lines > 0, "no stop within the long line");
    assert!(last.counts == whole.counts && last.tally == whole.tally);
    assert_eq!(last.read_state, whole.read_state);
    assert_eq!(bad_in_parts, bad);
}

/// Counts whose header says what cannot be are refused, with what was expected.
#[test]
fn headers_with_absurd_totals_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    tables(here, "count @g.pgn --mit --pst --openings 4 --quiet --out @good");
    let good = fs::read(here.join("good")).unwrap();
    let magic = good.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let len = u32::from_le_bytes(good[magic..magic + 4].try_into().unwrap()) as usize;
    let (header, body) = good[magic + 4..].split_at(len);
    let header: serde_json::Value = serde_json::from_slice(header).unwrap();
    let write = |header: &serde_json::Value| {
        let header = serde_json::to_vec(header).unwrap();
        let len = (header.len() as u32).to_le_bytes();
        fs::write(here.join("bad"), [&good[..magic], &len, &header, body].concat()).unwrap();
    };
    write(&header);
    tables(here, "merge @bad --out @sum");
    let huge = serde_json::json!(u64::MAX - 1);
    for (places, expected) in [
        (&["/tally/games"][..], "the sum of their parts"),
        (&["/tally/counted"], "the sum of their parts"),
        (&["/tally/filtered", "/tally/duplicates"], "more than can be counted"),
        (&["/tally/plies"], "half-moves, expected at most"),
        (&["/tally/empty"], "empty games, expected at most"),
        (&["/inputs/0/bytes"], "bytes of a text, expected at most"),
        (&["/inputs/0/lines"], "lines, expected at most"),
        (&["/inputs/0/games"], "games, expected at most"),
    ] {
        let mut absurd = header.clone();
        for place in places {
            *absurd.pointer_mut(place).expect(place) = huge.clone();
        }
        write(&absurd);
        let said = refused(here, "merge @bad --out @sum", 74);
        assert!(said.contains("bad: expected counts") && said.contains(expected), "{said}");
    }
    // Fewer games than the tables were made of.
    let mut few = header.clone();
    for place in ["/tally/games", "/inputs/0/games"] {
        *few.pointer_mut(place).unwrap() = 1.into();
    }
    few["tally"]["counted"] = 1.into();
    few["tally"]["bad"] = serde_json::json!({});
    write(&few);
    let said = refused(here, "merge @bad --out @sum", 74);
    assert!(said.contains("expected at most 1, the games that count"), "{said}");
}
