//! `verdict export` on a run that our own engine played.

use crate::common::verdict::verdict;
use arena::record::Games;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

#[test]
fn every_form_of_a_run() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let played = verdict(here, "match --nodes 60 --pairs 3 --max-moves 40 --quiet --out @run");
    assert!(played.status.code().is_some_and(|code| code <= 2), "{played:?}");
    let games: Vec<_> = Games::open(&here.join("run")).unwrap().map(Result::unwrap).collect();

    let pgn = verdict(here, "export @run");
    let rendered = std::fs::read_to_string(here.join("run/games.pgn")).unwrap();
    assert_eq!(text(&pgn.stdout), rendered);

    let epd = text(&verdict(here, "export @run --as epd").stdout);
    assert_eq!(epd.lines().count(), games.len());
    for (line, game) in epd.lines().zip(&games) {
        let end = format!("c9 \"{}\"; id \"{}\";", game.result.as_str(), game.game);
        assert!(line.ends_with(&end), "{line}");
        let fields: Vec<&str> = line.split(' ').take(4).collect();
        position(&fields.join(" "));
    }

    let all = text(&verdict(here, "export @run --as training").stdout);
    let quiet = text(&verdict(here, "export @run --as training --quiet-only").stdout);
    let scored: usize = games.iter().map(|game| game.notes.len()).sum();
    assert!(all.lines().count() <= scored && all.lines().count() > scored / 2);
    assert!(quiet.lines().count() < all.lines().count() && quiet.lines().count() > 10);
    for (words, told) in
        [("export @run --quiet-only", "--as training"), ("export @run @run", "is given twice")]
    {
        let refused = verdict(here, words);
        assert_eq!(refused.status.code(), Some(64), "{words}");
        assert!(text(&refused.stderr).contains(told), "{refused:?}");
    }
    for line in quiet.lines() {
        let [fen, score, result] = line.split(" | ").collect::<Vec<_>>().try_into().unwrap();
        assert!(!position(fen).is_check(), "{line}");
        assert!(score.parse::<i32>().is_ok() && ["0.0", "0.5", "1.0"].contains(&result), "{line}");
        assert!(all.contains(line));
    }
    // Scores are White's: the first of the first game is its first note.
    let first = &games[0];
    let arena::record::Score::Cp(cp) = first.notes[0].score.unwrap() else { panic!("a score") };
    let line = all.lines().next().unwrap();
    let black = line.contains(" b ");
    let white_view = if black { -cp } else { cp };
    assert_eq!(line.split(" | ").nth(1), Some(white_view.to_string().as_str()), "{line}");
}

/// A tournament's games are those of all its matches.
#[test]
fn tournaments_are_exported_whole() {
    let dir = tempfile::tempdir().unwrap();
    let words = "tournament --player embedded --player embedded:rebel --player embedded:prodeo \
                 --pairs 1 --nodes 30 --max-moves 5 --out @cup";
    assert_eq!(verdict(dir.path(), words).status.code(), Some(0));
    let exported = verdict(dir.path(), "export @cup --as epd --out @last");
    assert_eq!(exported.status.code(), Some(0), "{exported:?}");
    let lines = std::fs::read_to_string(dir.path().join("last")).unwrap();
    assert_eq!(lines.lines().count(), 6, "{lines}");
}

#[test]
fn what_cannot_be_exported() {
    let dir = tempfile::tempdir().unwrap();
    let missing = verdict(dir.path(), "export @none");
    assert_eq!(missing.status.code(), Some(74));
    assert!(text(&missing.stderr).contains("none/run.json"), "{missing:?}");
    let missing = verdict(dir.path(), "export @none --out @new");
    assert_eq!(missing.status.code(), Some(74));
    assert!(!dir.path().join("new").exists(), "nothing of it is left behind");
}

/// Half a file is none, and does not stand in the way of the next try; a whole one is not replaced.
#[test]
fn what_breaks_off_leaves_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let played = verdict(here, "match --nodes 30 --pairs 2 --max-moves 5 --quiet --out @run");
    assert!(played.status.code().is_some_and(|code| code <= 2), "{played:?}");
    let games = here.join("run/games.jsonl");
    let text = std::fs::read_to_string(&games).unwrap();
    std::fs::write(&games, text.replacen("\"game\":2", "\"game\":\"x\"", 1)).unwrap();
    let broken = verdict(here, "export @run --as epd --out @e.epd");
    assert_eq!(broken.status.code(), Some(74), "{broken:?}");
    let files: Vec<_> =
        std::fs::read_dir(here).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(files, ["run"]);

    std::fs::write(&games, text).unwrap();
    let whole = verdict(here, "export @run --as epd --out @e.epd");
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    let lines = std::fs::read_to_string(here.join("e.epd")).unwrap();
    assert_eq!(lines.lines().count(), 4, "{lines}");
    let refused = verdict(here, "export @run --as pgn --out @e.epd");
    assert_eq!(refused.status.code(), Some(64), "{refused:?}");
    let said = crate::export::text(&refused.stderr);
    assert!(said.contains("e.epd exists already"), "{said}");
    assert_eq!(std::fs::read_to_string(here.join("e.epd")).unwrap(), lines);
}
