//! Texts that nobody wrote: nothing falls over, and both ways to find moves agree.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use tables::{
    BadGame, BadGameReason, CountSettings, CrossCheck, Filter, Input, MinePlan, Mined, Resolver,
    Scratch, Watcher, list, mine,
};

use super::GAMES;

struct Silent;

impl Watcher for Silent {
    fn progress(&mut self, _: u64, _: u64) {}
    fn bad_game(&mut self, _: &Input, _: &BadGame) {}
}

fn mined(text: &[u8], resolver: Resolver) -> Mined {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("g.pgn");
    fs::write(&path, text).unwrap();
    let plan = MinePlan {
        wants: CountSettings {
            mit: true,
            pst: true,
            opening_plies: 9,
            sample: 50,
            ..CountSettings::usual()
        },
        filter: Filter::default(),
        threads: NonZeroUsize::MIN,
        resolver,
        scratch: Scratch::default(),
    };
    mine(&list(&[path]).unwrap(), &plan, None, &AtomicBool::new(false), &mut Silent).unwrap()
}

fn agree(text: &[u8]) {
    let masks = mined(text, Resolver::Masks);
    let legal = mined(text, Resolver::Legal);
    assert!(masks.counts == legal.counts);
    assert_eq!(masks.tally, legal.tally);
    let both = mined(text, Resolver::Both);
    assert_eq!(both.tally.bad.get(&BadGameReason::Disagreement), None);
}

/// Three words that our reader knows and pgn-reader passes over.
#[test]
fn games_that_a_second_reader_reads_otherwise_are_counted() {
    let same = mined(GAMES.as_bytes(), Resolver::Both).cross_check;
    assert_eq!((same.games, same.different, same.first), (22, 0, None));
    for word in ["e2-e4", "P-e4", "♙e4"] {
        let text = format!("[Event \"a\"]\n\n1. {word} e5 1-0\n\n{GAMES}");
        let check = mined(text.as_bytes(), Resolver::Both).cross_check;
        assert_eq!((check.games, check.different), (23, 1), "{word}");
        let (file, line) = check.first.unwrap();
        assert!(file.ends_with("g.pgn") && line == 1, "{file}:{line}");
    }
    assert_eq!(mined(GAMES.as_bytes(), Resolver::Masks).cross_check, CrossCheck::default());
}

/// Words as they stand in games, and some that never should.
fn word() -> impl Strategy<Value = String> {
    let piece = "[NBRQK][a-h]?[1-8]?x?[a-h][1-8][+#]?";
    let pawn = "([a-h]x)?[a-h][1-8](=?[NBRQK])?[+#]?";
    let odd =
        "O-O|O-O-O|0-0|0-0-0|--|Z0|e2e4|N@f3|P@e4|[(){};$!?*\\[\\]]|1-0|0-1|1/2-1/2|[0-9]+\\.+";
    let long = "[NBRQKP♘♝]?[a-h][1-8][-x:×]?[a-h][1-8](=?[nbrqNBRQ]|\\([NBRQ]\\)|/[NBRQ])?";
    let signs = "[a-h]x[a-h]6( ?e\\.p\\.|ep)|[-+=/#\\\\]{1,3}|[±∞⩲†]|N|D|0000|e1[gcha]1|e8[gcha]8";
    prop_oneof![4 => piece, 4 => pawn, 1 => odd, 3 => long, 1 => signs]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn games_with_changed_bytes(
        changes in proptest::collection::vec((0..GAMES.len(), any::<u8>()), 1..60),
    ) {
        let mut text = GAMES.as_bytes().to_vec();
        for (place, byte) in changes {
            text[place] = byte;
        }
        agree(&text);
    }

    #[test]
    fn words_in_any_order(
        words in proptest::collection::vec(word(), 1..200),
        start in prop_oneof![
            Just("8/PPPk4/8/3pP3/8/8/5Kpp/8 w - d6 0 1"),
            Just("r3k2r/pppppppp/8/3N1Q2/3n1q2/8/PPPPPPPP/R3K2R w KQkq - 0 1"),
            Just("4k3/4r3/8/1b6/8/3N4/R3BN1R/4K3 w - - 0 1"),
        ],
    ) {
        // Each word alone first, so that more than the first few are tried.
        let mut text = String::new();
        for word in &words {
            text.push_str(&format!("[Event \"x\"]\n[FEN \"{start}\"]\n\n1. {word} *\n\n"));
        }
        text.push_str(&format!("[Event \"x\"]\n\n{}\n", words.join(" ")));
        agree(text.as_bytes());
    }
}
