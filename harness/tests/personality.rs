//! `verdict personality` as its users run it.

use std::fs;
use std::path::Path;
use std::process::Command;

use engine::Params;
use serde_json::Value;

use crate::common::verdict::verdict;

/// What a command says on standard output.
fn said(here: &Path, words: &str) -> String {
    let output = verdict(here, words);
    assert_eq!(output.status.code(), Some(0), "{words}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The parameters of a file in the folder.
fn read(here: &Path, name: &str) -> Params {
    Params::load(here.join(name).to_str().unwrap()).unwrap()
}

/// Each personality, written in either form, is the same again.
#[test]
fn what_is_shown_is_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    for name in ["default", "rebel", "printed", "prodeo", "mediocre", "winglet"] {
        for (form, file) in [("json", "shown.json"), ("rebel", "shown.eng")] {
            let text = said(here, &format!("personality show {name} --form {form}"));
            fs::write(here.join(file), text).unwrap();
            assert_eq!(read(here, file), Params::personality(name).unwrap(), "{name} {form}");
            let diff = said(here, &format!("personality diff {name} @{file}"));
            assert_eq!(diff, "no difference\n");
        }
    }
    let text = said(here, "personality show rebel --form rebel");
    assert!(text.contains("[ChessKnowledge = 100] "), "{text}");
}

#[test]
fn files_are_made_and_changed() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let tables = r#"{"material.pawn": 300, "king_safety.on": false}"#;
    fs::write(here.join("tables.json"), tables).unwrap();
    let made = "personality make prodeo file=@tables.json material.pawn=301 chessknowledge=200";
    for file in ["mine.eng", "mine.json"] {
        let told = said(here, &format!("{made} --out @{file}"));
        assert!(told.contains("[ChessKnowledge]") && told.contains("256"), "{told}");
        let mut wanted = Params::personality("prodeo").unwrap();
        wanted.set("king_safety.on", "false").unwrap();
        (wanted.material.pawn, wanted.lazy.margin) = (301, 256);
        assert_eq!(read(here, file), wanted, "{file}");
    }
    assert!(fs::read_to_string(here.join("mine.json")).unwrap().starts_with('{'));

    // A file of lines keeps its comments; the rest is added.
    let lines = "* mine\n[ChessKnowledge = 100]  * as usual\n";
    fs::write(here.join("lines.eng"), lines).unwrap();
    said(here, "personality set @lines.eng chessknowledge=400 search.pvs=on");
    let text = fs::read_to_string(here.join("lines.eng")).unwrap();
    assert_eq!(text, "* mine\n[ChessKnowledge = 400]  * as usual\n[search.pvs = on]\n");
    // JSON stays JSON, whatever its name, and another file is written in the form of its name.
    fs::rename(here.join("mine.json"), here.join("mine.txt")).unwrap();
    said(here, "personality set @mine.txt M37_COUNT=3");
    assert!(fs::read_to_string(here.join("mine.txt")).unwrap().starts_with('{'));
    assert_eq!(read(here, "mine.txt").pv_ext.count, 3);
    said(here, "personality set @lines.eng M37_COUNT=3 --out @lines.json");
    assert_eq!(fs::read_to_string(here.join("lines.eng")).unwrap(), text, "not changed");
    assert_eq!(read(here, "lines.json").pv_ext.count, 3);
    assert!(fs::read_to_string(here.join("lines.json")).unwrap().starts_with('{'));
}

#[test]
fn differences_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let file = "[ChessKnowledge = 500]\n[pst.knight_mg[e4] = -33]\n";
    fs::write(here.join("one.eng"), file).unwrap();
    let diff = said(here, "personality diff rebel @one.eng");
    let rows: Vec<Vec<&str>> =
        diff.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let rebel = Params::personality("rebel").unwrap().get("pst.knight_mg[e4]").unwrap();
    let wanted = [
        ["[ChessKnowledge]", "100", "500"],
        ["pst.knight_mg[e4]", &rebel, "-33"],
        ["lazy.on", "true", "false"],
    ];
    for row in wanted {
        assert!(rows.iter().any(|own| own == &row), "{row:?}: {diff}");
    }
    assert_eq!(rows.len(), wanted.len(), "{diff}");
    let json: Value =
        serde_json::from_str(&said(here, "personality diff rebel @one.eng --json")).unwrap();
    assert_eq!(json["lazy.on"], serde_json::json!(["true", "false"]));
    let many = said(here, "personality diff rebel mediocre");
    assert!(many.contains(" of 64 cells") && !many.contains("pst.knight_mg[e4]"), "{many}");
    let cells = said(here, "personality diff rebel mediocre --cells");
    assert!(!cells.contains(" of 64 cells") && cells.contains("pst.knight_mg["), "{cells}");
}

#[test]
fn mistakes_are_told_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let text = "* mine\n[ChessKnowledge = 100]\n";
    fs::write(here.join("mine.eng"), text).unwrap();
    for (name, text) in [
        ("name.eng", "\n[ChesKnowledge = 100]\n"),
        ("range.eng", "[M37_COUNT = 99]\n"),
        ("table.json", "{\n\"pst.knight_mg\": [1, 2, 3]}"),
        ("twice.eng", "[M37_COUNT = 3]\n[M37_COUNT = 4]\n"),
        ("games.pgn", "[Event \"Hastings\"]\n"),
        ("picture.png", "\u{89}PNG\r\n"),
    ] {
        fs::write(here.join(name), text).unwrap();
    }
    for (words, told) in [
        (
            "show @name.eng",
            "name.eng: line 2: unknown parameter 'ChesKnowledge'; did you mean 'ChessKnowledge'?",
        ),
        ("show @range.eng", "range.eng: line 1: parameter 'M37_COUNT': expected 1 to 16, found 99"),
        ("show @table.json", "table.json: line 2: parameter 'pst.knight_mg': expected 64 numbers"),
        ("show @twice.eng", "twice.eng: line 2: 'M37_COUNT' stands twice, first in line 1"),
        ("show @games.pgn", "games.pgn: line 1: expected [Name = value]"),
        ("diff rebel @picture.png", "picture.png: line 1: expected parameters as JSON"),
        ("show fritz", "unknown personality 'fritz'"),
        ("set rebel M37_COUNT=3", "rebel is built in: expected --out FILE"),
        ("set @mine.eng M37_COUNT", "expected NAME=VALUE or file=FILE, found 'M37_COUNT'"),
        ("set @mine.eng M37_COUNT=0", "expected 1 to 16, found 0"),
        ("set @mine.eng file=@name.eng", "name.eng: line 2: "),
        (
            "set @mine.eng lazy.margin=85",
            "mine.eng: line 3: 'lazy.margin' sets lazy.margin, and so does 'ChessKnowledge' in line 2",
        ),
        ("make rebel file=@mine.eng --out @mine.eng", "is to be read"),
    ] {
        let output = verdict(here, &format!("personality {words}"));
        assert_eq!(output.status.code(), Some(64), "{words}: {output:?}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(told), "{words}: {error}");
        assert_eq!(fs::read_to_string(here.join("mine.eng")).unwrap(), text, "{words}");
    }
}

/// What is made can be played, and a name of REBEL's in a spec is what it is in a file.
#[test]
fn matches_are_played_with_them() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    said(here, "personality make rebel ChessKnowledge=400 --out @mine.eng");
    let games = "--pairs 2 --nodes 60 --max-moves 6 --quiet";
    let words = "match --base embedded:rebel,ChessKnowledge=400 --test embedded:@mine.eng";
    let output = verdict(here, &format!("{words} {games} --out @run"));
    assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
    let run = fs::read_to_string(here.join("run/run.json")).unwrap();
    assert!(run.contains("mine.eng"), "{run}");
}

/// The page's examples, as they are printed: what `cat` shows is there before.
#[test]
fn the_page_prints_what_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/personalities.md");
    let page = fs::read_to_string(page).unwrap();
    let mut ran = 0;
    for example in page.split("```").skip(1).step_by(2).flat_map(|block| block.split("$ ").skip(1))
    {
        let (command, printed) = example.split_once('\n').unwrap();
        let words = command.split_once(' ').unwrap();
        if let ("cat", name) = words {
            fs::write(dir.path().join(name), printed).unwrap();
            continue;
        }
        let mut verdict = Command::new(env!("CARGO_BIN_EXE_verdict"));
        let output = verdict.args(words.1.split(' ')).current_dir(dir.path()).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        assert_eq!(String::from_utf8(said).unwrap(), printed, "{command}");
        ran += 1;
    }
    assert!(ran >= 9, "{ran}");
}
