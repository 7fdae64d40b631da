//! Counts and their sources.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, thread};

use serde_json::Value;
use tables::{CountsFile, list};

use super::{GAMES, SLOW, json, tables};

/// The independent slow count and ours, to the last number.
#[test]
fn as_the_slow_script_counts() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("games.pgn"), GAMES).unwrap();
    let slow: Value = serde_json::from_str(SLOW).unwrap();
    for way in ["masks", "legal", "both"] {
        let words = format!(
            "count @games.pgn --mit --pst --openings 15 --quiet --resolve {way} --out @c --json @j"
        );
        let said = tables(here, &words);
        assert!(said.starts_with("22 games: 22 counted"), "{said}");
        let fast = json(&here.join("j"));
        assert_eq!(fast["mit"], slow["mit"]);
        assert_eq!(fast["pst"], slow["pst"]);
        assert_eq!(fast["openings"], slow["openings"]);
    }
}

/// Each table by itself, as JSON alone.
#[test]
fn json_alone() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("games.pgn"), GAMES).unwrap();
    let slow: Value = serde_json::from_str(SLOW).unwrap();
    for name in ["mit", "pst"] {
        tables(here, &format!("{name} @games.pgn --quiet --json @{name}.json"));
        let found = json(&here.join(format!("{name}.json")));
        assert_eq!(found, serde_json::json!({ name: slow[name] }));
    }
    let files: Vec<_> = fs::read_dir(here).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    super::refused(here, "mit @games.pgn --quiet", 64);
}

/// Which of several equal games counts depends on the threads; nothing that is counted does.
#[test]
fn any_of_equal_games_counts_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let pad = "[Event \"other\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    fs::write(here.join("near.pgn"), format!("{GAMES}{pad}")).unwrap();
    fs::write(here.join("far.pgn"), format!("{}{GAMES}{GAMES}", pad.repeat(7))).unwrap();
    let words = "count --mit --pst --openings 9 --sample 60 --dedup --quiet --out @c";
    let [near, far] = ["near", "far"].map(|name| {
        tables(here, &format!("{words} @{name}.pgn"));
        CountsFile::read(&here.join("c")).unwrap().counts
    });
    assert!(near.sample.as_ref().is_some_and(|sample| sample.sorted().len() == 60));
    assert!(near == far);
}

#[test]
fn packing_and_threads_make_no_difference() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    // Several pieces of a text, none of them with equal numbers of games.
    let text = GAMES.repeat(150);
    let write = |name: &str, bytes: &[u8]| fs::write(here.join(name), bytes).unwrap();
    write("games.pgn", text.as_bytes());
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(text.as_bytes()).unwrap();
    write("games.pgn.gz", &gz.finish().unwrap());
    write("games.pgn.zst", &zstd::encode_all(text.as_bytes(), 1).unwrap());
    let mut bz2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz2.write_all(text.as_bytes()).unwrap();
    write("games.pgn.bz2", &bz2.finish().unwrap());
    let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 0);
    xz.write_all(text.as_bytes()).unwrap();
    write("games.pgn.xz", &xz.finish().unwrap());
    let mut zip = zip::ZipWriter::new(fs::File::create(here.join("games.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("inside.pgn", options).unwrap();
    zip.write_all(text.as_bytes()).unwrap();
    zip.finish().unwrap();

    let count = |name: &str, threads: u32| {
        let words = format!(
            "count @{name} --mit --pst --openings 5 --sample 500 --quiet --threads {threads} --out @c"
        );
        tables(here, &words);
        let bytes = fs::read(here.join("c")).unwrap();
        let file = CountsFile::parse(&bytes).unwrap();
        (file.counts, file.tally, file.inputs[0].hash.clone(), file.inputs[0].lines, bytes)
    };
    let plain = count("games.pgn", 1);
    let threads = count("games.pgn", 3);
    assert!(plain.4 == threads.4, "byte for byte the same file");
    for name in ["games.pgn.gz", "games.pgn.zst", "games.pgn.bz2", "games.pgn.xz", "games.zip"] {
        let packed = count(name, 2);
        assert!(packed.0 == plain.0 && packed.1 == plain.1, "{name}");
        assert_eq!((&packed.2, packed.3), (&plain.2, plain.3), "{name}");
    }

    let piped = Command::new(env!("CARGO_BIN_EXE_verdict"))
        .args(["tables", "count", "-", "--mit", "--pst", "--openings", "5", "--sample", "500"])
        .args(["--quiet", "--out"])
        .arg(here.join("piped"))
        .stdin(Stdio::from(fs::File::open(here.join("games.pgn.gz")).unwrap()))
        .output()
        .unwrap();
    assert!(piped.status.success(), "{piped:?}");
    let piped = CountsFile::read(&here.join("piped")).unwrap();
    assert!(piped.counts == plain.0 && piped.inputs[0].hash == plain.2);
}

/// Nothing of a pipe is taken before its games are read.
#[test]
fn pipes_by_name_are_read_whole() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    for (word, counts) in
        [("mit", "mit/mit.counts"), ("pst", "pst/pst.counts"), ("openings", "openings.counts")]
    {
        let mut verdict = Command::new(env!("CARGO_BIN_EXE_verdict"))
            .args(["tables", word, "/dev/stdin", "--quiet", "--out"])
            .arg(here.join(word))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        verdict.stdin.take().unwrap().write_all(GAMES.as_bytes()).unwrap();
        assert!(verdict.wait().unwrap().success(), "{word}");
        let counts = CountsFile::read(&here.join(counts)).unwrap();
        assert_eq!(counts.inputs[0].bytes, GAMES.len() as u64, "{word}");
    }
}

/// Who opens a named pipe waits for its writer: that is only done once, to read it.
#[test]
fn named_pipes_are_not_opened_before() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe.pgn");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let is_counts = CountsFile::is_one(&pipe);
        send.send((is_counts, list(&[pipe]).unwrap().len()))
    });
    assert_eq!(receive.recv_timeout(Duration::from_secs(30)), Ok((false, 1)));
}

#[test]
fn folders_and_dedup() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::create_dir_all(here.join("all/inner")).unwrap();
    fs::write(here.join("all/a.pgn"), GAMES).unwrap();
    fs::write(here.join("all/inner/b.PGN"), GAMES).unwrap();
    fs::write(here.join("all/notes.txt"), "no games").unwrap();
    let said = tables(here, "count @all --mit --pst --quiet --out @twice --json @twice.json");
    assert!(said.starts_with("44 games: 44 counted"), "{said}");
    // Engines that think alike have played some games twice.
    for (name, files) in [("one", "@all/a.pgn"), ("both", "@all")] {
        let words =
            format!("count {files} --mit --pst --dedup --quiet --out @{name} --json @{name}.json");
        let said = tables(here, &words);
        assert!(said.contains(": 14 counted"), "{said}");
    }
    assert_eq!(json(&here.join("both.json")), json(&here.join("one.json")));
    let slow: Value = serde_json::from_str(SLOW).unwrap();
    let start = "8 8 2 2 2 2 2 2 1 1";
    let doubled = json(&here.join("twice.json"))["mit"][start][0].as_u64();
    assert_eq!(doubled, slow["mit"][start][0].as_u64().map(|wins| 2 * wins));
}

/// Equal starts are equal however they are written.
#[test]
fn equal_games_have_equal_starts() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
    let moved = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b";
    let passed = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq";
    for (starts, different) in [
        (vec![String::new(), format!("{usual} KQkq - 0 1"), format!("{usual}  HAha -  0 9")], 1),
        (vec![format!("{moved} KQkq e3 0 1"), format!("{moved} KQkq - 0 1")], 1),
        (vec![format!("{passed} e3 0 3"), format!("{passed} - 0 3")], 2),
        (vec![String::new(), format!("{usual} KQk - 0 1"), format!("{moved} KQkq - 0 1")], 3),
    ] {
        let game = |variant: &str, start: &String| {
            let fen = if start.is_empty() { String::new() } else { format!("[FEN \"{start}\"]\n") };
            let knight = if start.contains(" b ") { "Nf6" } else { "Nf3" };
            format!("[Event \"x\"]\n[Result \"1-0\"]\n{variant}{fen}\n1. {knight} 1-0\n\n")
        };
        let of =
            |variant: &str| starts.iter().map(|start| game(variant, start)).collect::<String>();
        let text = of("") + &of("[Variant \"Chess960\"]\n");
        fs::write(here.join("g.pgn"), text).unwrap();
        let said = tables(here, "count @g.pgn --mit --dedup --quiet --out @c");
        let expected = format!("{} games: {different} counted", 2 * starts.len());
        assert!(said.starts_with(&expected), "{starts:?}: {said}");
    }
}

#[test]
fn filters() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let game = |elo: u32, date: &str, event: &str, result: &str| {
        format!(
            "[Event \"{event}\"]\n[Date \"{date}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"2700\"]\n\
             [Result \"{result}\"]\n[TimeControl \"{elo}+1\"]\n\n1. e4 e5 2. Nf3 {result}\n\n"
        )
    };
    let games = game(2600, "2019.05.01", "Cup", "1-0")
        + &game(2750, "2020.??.??", "League", "0-1")
        + &game(2900, "2021.12.31", "Cup final", "*");
    fs::write(here.join("g.pgn"), games).unwrap();
    for (filter, counted) in [
        ("", 3),
        ("--min-elo 2700", 2),
        ("--min-elo 2800", 0),
        ("--min-elo 2800 --elo-of either", 1),
        ("--max-elo 2750", 2),
        ("--result 1-0,0-1", 2),
        ("--event cup", 2),
        ("--date 2020..2020", 1),
        ("--date ..2019.05.01", 1),
        ("--plies 4..", 0),
        ("--plies 3..3", 3),
        ("--time-control 2900+", 1),
        ("--where WhiteElo>2700&&!(Event~cup)", 1),
    ] {
        let said = tables(here, &format!("count @g.pgn --pst --mit --quiet --out @c {filter}"));
        assert!(said.starts_with(&format!("3 games: {counted} counted")), "{filter}: {said}");
    }
}

/// A balance that stood too short does not count, nor one that never was quiet.
#[test]
fn balances_that_stood() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    // A pawn is gone for one position; then one each for four, after an exchange of the first.
    let game = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 c6 1-0\n";
    fs::write(here.join("g.pgn"), game).unwrap();
    let cells = |words: &str| {
        tables(here, &format!("count @g.pgn --mit --quiet --out @c --json @j {words}"));
        let mit = json(&here.join("j"))["mit"].as_object().unwrap().clone();
        let mut names: Vec<String> = mit.keys().map(|name| name[..3].to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(cells(""), ["7 7", "8 7", "8 8"].map(str::to_owned));
    assert_eq!(cells("--consecutive 2"), ["7 7", "8 8"].map(str::to_owned));
    assert_eq!(cells("--consecutive 4"), ["7 7"].map(str::to_owned));
    assert_eq!(cells("--quiet-positions"), ["7 7", "8 8"].map(str::to_owned));
}

/// Positions from half-move 16 on, counted from the FEN.
#[test]
fn squares_count_from_half_move_16_on() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 40";
    let moves = "1. Kd1 Kd8 2. Ke1 Ke8 ".repeat(4);
    let game =
        |more: &str| format!("[Event \"x\"]\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n{moves}{more}*\n");
    for (more, pawn_e2, pawn_e4) in [("", 1, 0), ("1. e4 Kd8 ", 1, 2)] {
        fs::write(here.join("g.pgn"), game(more)).unwrap();
        tables(here, "count @g.pgn --pst --quiet --out @c --json @j");
        let pst = json(&here.join("j"));
        let pawns = &pst["pst"]["endgame"]["P"];
        assert_eq!((pawns[12].as_u64(), pawns[28].as_u64()), (Some(pawn_e2), Some(pawn_e4)));
    }
}
