//! Wrong inputs: what is said, and the exit code.

use std::fs;
use std::io::Write as _;

use tables::CountsFile;

use super::{GAMES, refused, tables};

#[test]
fn wrong_usage() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    for (words, expected) in [
        ("count @g.pgn --out @c", "--mit, --pst or --openings"),
        ("count @g.pgn --mit --out @c --where Elo=1", "one of == != < <= > >= ~ at character 4"),
        ("count @g.pgn --mit --out @c --date 20..21", "expected dates"),
        ("count @g.pgn --mit --out @c --plies 5", "expected numbers"),
        ("count @g.pgn --mit --out @c --plies 10..5", "in order"),
        ("count @g.pgn --mit --out @c --min-elo 3000 --max-elo 2000", "found 3000 and 2000"),
        ("mit @g.pgn --out @m --min-elo 3000 --max-elo 2000", "found 3000 and 2000"),
        ("pst @g.pgn --positions 1000 --out @p", "--fit"),
        ("count @g.pgn --mit --out @c --result win", "expected 1-0"),
        ("show KQvKX @c", "'X' is not a piece"),
        ("show KQQvK @c", "at most 1 Q"),
        ("pst @g.pgn --fit --quiet --out @p", "expected at least 1000"),
        ("openings @g.pgn --min-score 101 --out @o", "expected 0 to 100"),
    ] {
        let said = refused(here, words, 64);
        assert!(said.contains(expected), "{words}: {said}");
    }
    tables(here, "count @g.pgn --pst --quiet --out @pst.counts");
    let said = refused(here, "mit @pst.counts --out @m", 64);
    assert!(said.contains("expected counts of material, found pst"), "{said}");
    let said = refused(here, "mit @pst.counts @g.pgn --out @m", 64);
    assert!(said.contains("found both"), "{said}");
    let said = refused(here, "pst @pst.counts --min-elo 5 --out @m", 64);
    assert!(said.contains("count the games again"), "{said}");
    let said = refused(here, "show KPvK @pst.counts", 64);
    assert!(said.contains("expected counts of material"), "{said}");
}

/// Tables do not go among the files of a run, and none of these is written over.
#[test]
fn a_runs_folder_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    let run = here.join("run");
    fs::create_dir(&run).unwrap();
    for file in ["run.json", "games.jsonl"] {
        fs::write(run.join(file), "kept").unwrap();
    }
    tables(here, "count @g.pgn --mit --quiet --out @c");
    for words in [
        "mit @g.pgn --out @run",
        "mit @g.pgn --json @run/games.jsonl",
        "pst @g.pgn --out @run",
        "count @g.pgn --mit --out @run/games.jsonl",
        "openings @g.pgn --out @run/early.keys",
        "merge @c --out @run/sum",
    ] {
        let said = refused(here, words, 64);
        assert!(said.contains("run holds a match (run.json)"), "{words}: {said}");
    }
    assert_eq!(fs::read_dir(&run).unwrap().count(), 2);
    assert_eq!(fs::read(run.join("games.jsonl")).unwrap(), b"kept");
    // A folder of its own is none of the run's.
    tables(here, "mit @g.pgn --quiet --out @run/mit");
}

/// Both spellings of men mean the same, here as for `openings make`.
#[test]
fn men_are_told_apart_by_either_sign() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    tables(here, "count @g.pgn --mit --quiet --out @c");
    assert_eq!(tables(here, "show KRPPvKRP @c"), tables(here, "show KRPP-KRP @c"));
    for men in ["KRPP-KRP", "KRPPvKRP"] {
        assert!(men.parse::<pgn::Material>().is_ok(), "{men}");
    }
}

#[test]
fn files_that_cannot_be_used() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    fs::write(here.join("empty.pgn"), "").unwrap();
    fs::write(here.join("words.txt"), "No games here.\n").unwrap();
    fs::write(here.join("wide.pgn"), b"\xff\xfe[\0E\0").unwrap();
    fs::write(here.join("broken.zip"), b"PK\x03\x04nothing").unwrap();
    fs::create_dir(here.join("folder")).unwrap();
    tables(here, "count @g.pgn --mit --quiet --out @good");
    let good = fs::read(here.join("good")).unwrap();
    fs::write(here.join("short"), &good[..good.len() - 9]).unwrap();
    for (words, expected) in [
        ("count @none.pgn --mit --out @c", "none.pgn"),
        ("count @empty.pgn --mit --out @c", "found none in"),
        ("count @words.txt --mit --out @c", "found none in"),
        ("count @wide.pgn --mit --out @c", "UTF-16"),
        ("count @broken.zip --mit --out @c", "broken.zip"),
        ("count @folder --mit --out @c", "expected files named .pgn"),
        ("count @g.pgn @g.pgn --mit --out @c", "is there twice"),
        ("count @g.pgn --mit --quiet --out @no/such/folder/c", "no/such/folder"),
        ("count @g.pgn --mit --quiet --resume --out @c", "c.checkpoint"),
        ("merge @words.txt --out @c", "expected counts made by `verdict tables`"),
        ("merge @short --out @c", "cannot be unpacked"),
        ("show KPvK @folder", "mit.counts"),
        ("mit-stats @folder", "pos.mat"),
    ] {
        let said = refused(here, words, 74);
        assert!(said.contains(expected), "{words}: {said}");
    }
}

/// A text in an encoding that nobody reads is told as such, however it is packed.
#[test]
fn wide_texts_are_told_when_packed() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let wide: Vec<u8> = GAMES.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = [&b"\xff\xfe"[..], &wide].concat();
    fs::write(here.join("wide.pgn.zst"), zstd::encode_all(&wide[..], 1).unwrap()).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&wide).unwrap();
    fs::write(here.join("wide.pgn.gz"), gz.finish().unwrap()).unwrap();
    let mut zip = zip::ZipWriter::new(fs::File::create(here.join("wide.zip")).unwrap());
    zip.start_file("inside.pgn", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(&wide).unwrap();
    zip.finish().unwrap();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    for name in ["wide.pgn.zst", "wide.pgn.gz", "wide.zip"] {
        let said = refused(here, &format!("count @{name} @g.pgn --mit --quiet --out @c"), 74);
        assert!(said.contains(name) && said.contains("UTF-16 text; expected"), "{said}");
        // What is no text is not searched for games.
        let counts = CountsFile::read(&here.join("c")).unwrap();
        assert_eq!((counts.inputs[0].games, counts.tally.games), (0, 22), "{name}");
    }
}

/// What can be read of a broken text counts; the exit code says that it is not all.
#[test]
fn a_text_that_breaks_off() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let packed = zstd::encode_all(GAMES.repeat(100).as_bytes(), 1).unwrap();
    fs::write(here.join("cut.pgn.zst"), &packed[..packed.len() - 20]).unwrap();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    let said = refused(here, "count @cut.pgn.zst @g.pgn --mit --quiet --out @c", 74);
    assert!(said.contains("cut.pgn.zst cannot be read beyond byte"), "{said}");
    let counts = CountsFile::read(&here.join("c")).unwrap();
    assert!(counts.inputs[0].broken.is_some() && counts.inputs[1].games == 22);
}

/// No damage makes the reader of counts fall over.
#[test]
fn damaged_counts() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    tables(here, "count @g.pgn --mit --pst --openings 4 --sample 50 --quiet --out @c");
    let good = fs::read(here.join("c")).unwrap();
    assert!(CountsFile::parse(&good).is_ok());
    for place in 0..good.len() {
        let mut damaged = good.clone();
        damaged[place] ^= 0x55;
        // A changed letter of a name is no damage that can be seen; numbers have a checksum.
        let _ = CountsFile::parse(&damaged);
        assert!(CountsFile::parse(&good[..place]).is_err(), "{place}");
    }
}

/// What is read is not written over, whichever output it is, and no device becomes a file.
#[test]
fn games_are_never_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::create_dir(here.join("games")).unwrap();
    fs::write(here.join("games/g.pgn"), GAMES).unwrap();
    for words in [
        "count @games/g.pgn --mit --out @games/g.pgn",
        "count @games --mit --out @games/../games/g.pgn",
        "count @games/g.pgn --mit --out @c --json @games/g.pgn",
        "count @games/g.pgn --mit --out @c --errors @games/g.pgn",
        "mit @games/g.pgn --out @m --csv @games/g.pgn",
        "pst @games --out @p --json @games/g.pgn",
        "openings @games/g.pgn --out @games/g.pgn",
        "openings @games --out @o --errors @games/g.pgn",
    ] {
        let said = refused(here, words, 64);
        assert!(said.contains("g.pgn is to be read"), "{words}: {said}");
        assert_eq!(fs::read_to_string(here.join("games/g.pgn")).unwrap(), GAMES, "{words}");
    }
    let said = refused(here, "count @games --mit --out @games", 64);
    assert!(said.contains("expected a plain file"), "{said}");
    assert!(refused(here, "count @games --mit --out -", 64).contains("-: expected the name"));
    // Counts may take the place of one of the counts that they are the sum of.
    tables(here, "count @games --mit --quiet --out @sum");
    tables(here, "merge @sum --out @sum");
}

#[cfg(unix)]
#[test]
fn links_give_way_and_what_they_lead_to_is_unharmed() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    fs::write(here.join("counts"), "old").unwrap();
    std::os::unix::fs::symlink("counts", here.join("link")).unwrap();
    tables(here, "count @g.pgn --mit --quiet --out @link");
    assert!(fs::symlink_metadata(here.join("link")).unwrap().is_file());
    assert_eq!(fs::read(here.join("counts")).unwrap(), b"old");
    for (words, file) in [
        ("count @g.pgn --mit --quiet --out @c --json", "json"),
        ("count @g.pgn --mit --quiet --out @c --errors", "errors"),
        ("openings @g.pgn --quiet --min-games 1 --out", "openings"),
    ] {
        fs::write(here.join("counts"), "").unwrap();
        std::os::unix::fs::symlink("counts", here.join(file)).unwrap();
        let words = format!("{words} @{file}");
        // What is added to is refused, what is made anew takes its place.
        let written = file != "errors";
        if written {
            tables(here, &words);
        } else {
            assert!(refused(here, &words, 74).contains("symbolic link"));
        }
        assert_eq!(fs::symlink_metadata(here.join(file)).unwrap().is_file(), written, "{file}");
        assert_eq!(fs::read(here.join("counts")).unwrap(), b"", "{file}");
    }
}

/// Counts know how they were made; what asks for something else is refused.
#[test]
fn counts_cannot_be_counted_otherwise() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    tables(here, "count @g.pgn --mit --pst --openings 20 --quiet --out @c");
    for (words, expected) in [
        ("mit @c --out @m --consecutive 3", "--consecutive 3, found 1"),
        ("mit @c --out @m --quiet-positions", "--quiet-positions, found all"),
        ("pst @c --out @p --phase-limit 30", "--phase-limit 30, found 26"),
        ("openings @c --out @o --moves 5", "--moves 5, found 20"),
    ] {
        let said = refused(here, words, 64);
        assert!(said.contains(expected), "{words}: {said}");
    }
    tables(here, "mit @c --out @m --consecutive 1");
    tables(here, "openings @c --out @o --moves 20");
}

#[test]
fn nothing_counted_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("g.pgn"), GAMES).unwrap();
    let words = "tables count @g.pgn --mit --quiet --where WhitElo>=2800 --out @c";
    let output = crate::common::verdict::verdict(here, words);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("no game counts"), "{said}");
}
