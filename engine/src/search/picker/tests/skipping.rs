//! Quiet moves that are left out once one was given up.

use super::*;

const FEN: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1";

/// What the picker hands out when it is told to skip quiet moves behind so many.
fn picked(bench: &Bench, before: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut picker = Picker::new(Wanted::All, Move::NONE, bench.ply, &bench.position, 0);
    let squares = bench.position.check_squares();
    let mut picked = Vec::new();
    loop {
        if picked.len() == before {
            picker.skip_quiets(&mut bench.sources(&mut moves), &squares);
        }
        match picker.next(&mut bench.sources(&mut moves)) {
            Some(scored) => picked.push(scored.mv),
            None => return picked,
        }
    }
}

/// Behind the skip come captures, and quiet moves that give check: before quiet moves are generated and
/// among them alike.
#[test]
fn checks_and_captures_are_left() {
    let checking = "4k3/8/8/3p4/2B1P3/8/8/R3K2Q w Q - 0 1";
    for fen in [FEN, checking] {
        let bench = Bench::of("default", fen);
        let position = &bench.position;
        let squares = position.check_squares();
        let all = picked(&bench, usize::MAX);
        for before in 0..all.len() {
            let mut expected = all.clone();
            let mut place = 0;
            expected.retain(|&mv| {
                place += 1;
                place <= before || !mv.is_quiet() || position.gives_check(mv, &squares)
            });
            assert_eq!(picked(&bench, before), expected, "{fen} {before}");
        }
    }
    let checks =
        |fen| picked(&Bench::of("default", fen), 0).iter().filter(|mv| mv.is_quiet()).count();
    assert_eq!((checks(FEN), checks(checking) > 3), (0, true));
}

/// All moves at once: nothing is left out.
#[test]
fn a_picker_without_stages_goes_on() {
    let bench = Bench::of("rebel", FEN);
    assert_eq!(picked(&bench, 3), picked(&bench, usize::MAX));
}
