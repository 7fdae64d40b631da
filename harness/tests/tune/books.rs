//! Tuners by games that play from books so large that they are not read before.

use std::fs;

use pgn::INDEXED_FROM;

use crate::common::verdict::verdict;

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
const PLAN: &str = "--base embedded:default,lazy.on=true --nodes 30 --pairs 4 --batch 2 \
                    --max-moves 20 --hash 64KiB --order sequential --confirm none --book @book.epd";

#[test]
fn a_bad_entry_that_is_passed_over_is_told_once() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let size = usize::try_from(INDEXED_FROM).unwrap();
    let good = INITIAL.repeat(size / INITIAL.len() + 1);
    fs::write(here.join("book.epd"), format!("# large\n{INITIAL}hello\n{good}")).unwrap();
    for tune in ["tune spsa --param lazy.margin:64:0.02", "tune clop lazy.margin=0..512"] {
        for quiet in ["", "--quiet"] {
            let output = verdict(here, &format!("{tune} {PLAN} {quiet} --out @t"));
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{tune}: {said}");
            let expected = "pair 1 skips";
            assert_eq!(said.matches(expected).count(), 1, "{tune}: {said}");
            assert!(said.contains("book.epd:3: expected a FEN"), "{tune}: {said}");
            fs::remove_dir_all(here.join("t")).unwrap();
        }
    }
}
