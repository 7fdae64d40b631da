//! Special endgames: the 16×16 table, its routines, and tablebase results (END-03..END-12).

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::color_flipped;
use crate::common::verdicts::cases;
use engine::eval::{Breakdown, Evaluator, LineFacts, NoTrace, Term};
use engine::search::{HashSize, Limits};
use engine::types::{Color, Score};
use engine::{Engine, Params, Position};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

fn breakdown(fen: &str, change: impl FnOnce(&mut Params)) -> Breakdown {
    let mut params = Params::default();
    change(&mut params);
    Evaluator::new(&Arc::new(params)).breakdown(&position(fen))
}

/// The evaluation, White minus Black.
fn total(fen: &str) -> i32 {
    breakdown(fen, |_| ()).total.binary()
}

/// A term, White minus Black, in the end game.
fn term(breakdown: &Breakdown, term: Term) -> i32 {
    breakdown.of(term, Color::White).eg() - breakdown.of(term, Color::Black).eg()
}

/// Whether special knowledge made the value.
fn is_known(fen: &str) -> bool {
    let evaluator = Evaluator::new(&Arc::new(Params::default()));
    let mut position = position(fen);
    position.set_table(&evaluator.table);
    evaluator.evaluate(&position, LineFacts::default(), None, &mut NoTrace).known_ending
}

/// The total of both a position and its flipped one, which must be opposite.
fn both_ways(fen: &str) -> i32 {
    let value = total(fen);
    assert_eq!(total(&color_flipped(fen)), -value, "{fen}");
    value
}

/// The `!` cells need no stop in the evaluation: the search ends them as insufficient material
/// (END-06, AMB-61).
#[test]
fn cold_draws_end_the_search_too() {
    for men in ["", "N", "B"] {
        let fen = format!("4k3/8/8/8/8/{}/8/4K3 w - - 0 1", pad(men));
        assert_eq!(both_ways(&fen), 0, "{fen}");
        assert!(is_known(&fen) && position(&fen).is_insufficient_material(), "{fen}");
        assert!(position(&color_flipped(&fen)).is_insufficient_material(), "{fen}");
    }
}

/// A rank with these men on its right.
fn pad(men: &str) -> String {
    if men.is_empty() { "8".to_owned() } else { format!("{}{men}", 8 - men.len()) }
}

/// Men of both colours, kings on e1 and e8.
fn endgame(white: &str, black: &str) -> String {
    format!("4k3/8/{}/8/8/{}/8/4K3 w - - 0 1", pad(&black.to_lowercase()), pad(white))
}

#[test]
fn drawn_endings_may_be_searched() {
    for (white, black) in [("NN", ""), ("N", "N"), ("N", "NN"), ("B", "N"), ("NN", "R"), ("R", "R")]
    {
        let fen = endgame(white, black);
        assert_eq!(both_ways(&fen), 0, "END-06: {white} {black}");
        assert!(!position(&fen).is_insufficient_material());
    }
    // Printed as R one way and as N the other (AMB-59).
    assert_eq!(both_ways(&endgame("NN", "BB")), 0);
    assert_eq!(both_ways(&endgame("BB", "NN")), 0);
    let off = breakdown(&endgame("NN", ""), |params| params.endgame.draws = false);
    assert_eq!(term(&off, Term::EndgameKnowledge), 0);
    assert!(off.total.binary() > 256);
}

#[test]
fn fixed_scores_with_kings_to_the_centre() {
    // END-08: R v B is X, 0.25 = 64; Kd4 stands on 24 and Ke6, seen by Black e3, on 16 (MISS-11).
    assert_eq!(both_ways("8/8/4k3/8/3K4/8/1b6/R7 w - - 0 1"), 64 + 24 - 16);
    // BB v N is Y, 0.50 = 128; a king on the edge counts nothing.
    assert_eq!(both_ways("k7/8/8/8/3K4/8/1n6/BB6 w - - 0 1"), 128 + 24);
    // B v R + N is N: nothing fixed; N v R is x.
    assert!(both_ways(&endgame("B", "RN")) < -512);
    assert_eq!(both_ways("8/8/4k3/8/8/8/1r6/N6K w - - 0 1"), -64 - 16);
    // What was counted before does not matter (AMB-63).
    let materials = |params: &mut Params| params.material.rook = 2000;
    assert_eq!(breakdown("8/8/4k3/8/3K4/8/1b6/R7 w - - 0 1", materials).total.binary(), 72);
    let off = |params: &mut Params| params.endgame.scores = false;
    assert!(breakdown("8/8/4k3/8/3K4/8/1b6/R7 w - - 0 1", off).total.binary() > 256);
}

#[test]
fn adjustments_are_the_papers_with_both_colours_alike() {
    for (white, black, expected) in [
        // END-05, printed in hundredths of a pawn.
        ("P", "N", 512),
        ("P", "NN", 1024),
        ("PP", "R", 128),
        ("PPP", "NN", 768),
        ("R", "", 256),
        ("Q", "", 256),
        ("NN", "Q", 256),
        ("N", "RP", -128),
        ("Q", "P", 0),
        // AMB-59: what breaks the mirror in print.
        ("PPP", "N", 384),
        ("PPP", "B", 256),
        ("RP", "B", 128),
        ("Q", "NN", -256),
        ("Q", "BN", -256),
        ("Q", "BB", -384),
        ("Q", "B", 0),
        ("Q", "R", 0),
        // END-03, END-04: more than the byte holds is no type.
        ("PPPP", "N", 0),
        ("RR", "", 0),
        ("QR", "", 0),
        ("BPP", "", 0),
    ] {
        let fen = endgame(white, black);
        let found = breakdown(&fen, |_| ());
        assert_eq!(term(&found, Term::EndgameAdjust), expected, "{white} {black}");
        let mirrored = breakdown(&color_flipped(&fen), |_| ());
        assert_eq!(term(&mirrored, Term::EndgameAdjust), -expected, "{white} {black}");
        let off = breakdown(&fen, |params| params.endgame.table = false);
        assert_eq!(term(&off, Term::EndgameAdjust), 0);
    }
}

#[test]
fn pawn_against_king_is_exact() {
    // Won: 8.00, 0.25 a rank, 4/256 for each step that the king is near the promotion square.
    assert_eq!(both_ways("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"), 2048 + 4 * 64 + 4 * 5);
    assert_eq!(both_ways("8/4P3/8/8/8/8/k7/7K w - - 0 1"), 2048 + 6 * 64);
    // Drawn: without the opposition; in the corner. One pawn alone has no pawn-ending bonus
    // (AMB-57): this code decides.
    assert_eq!(both_ways("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"), 0);
    assert_eq!(both_ways("k7/8/1K6/P7/8/8/8/8 w - - 0 1"), 0);
    // The move decides (END-07, MISS-07).
    assert!(total("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1") > 2048);
    assert!(is_known("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"), "END-11");
    let off = breakdown("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", |params| params.endgame.kpk = false);
    assert_eq!(term(&off, Term::EndgameKnowledge), 0);
}

#[test]
fn a_won_pawn_grows_and_is_less_than_a_queen() {
    let mut before = 0;
    for rank in 2..=7 {
        let board: Vec<&str> = (1..=8)
            .rev()
            .map(|r| {
                if r == rank {
                    "4P3"
                } else if r == 1 {
                    "K6k"
                } else {
                    "8"
                }
            })
            .collect();
        let fen = format!("{} w - - 0 1", board.join("/"));
        let value = total(&fen);
        // On e2 the king's square still holds the pawn.
        if value > 0 {
            assert!(value > before, "{fen}");
            before = value;
        }
    }
    assert!(before > 2048 && total("4Q3/8/8/8/8/8/8/K6k b - - 0 1") > before);
}

#[test]
fn bishop_and_knight() {
    // END-09, AMB-60: Bd1 on light squares, kings two files and two ranks apart: one number.
    assert_eq!(both_ways("7k/8/5K2/8/8/8/8/3BN3 w - - 0 1"), 0x780 - 8 * 2 - 150);
    // Bc1 on dark squares, the lone king in its corner.
    assert_eq!(both_ways("8/8/8/8/8/2K5/8/k1B1N3 w - - 0 1"), 0x780 - 8 * 2);
    // Three files and four ranks apart: the rank distance is not lost.
    assert_eq!(both_ways("8/8/8/4k3/8/8/8/2B1N2K w - - 0 1"), 0x780 - 8 * 4 - 200);
    assert!(is_known("7k/8/5K2/8/8/8/8/3BN3 w - - 0 1"));
    let off = |params: &mut Params| params.endgame.kbnk = false;
    let off = breakdown("7k/8/5K2/8/8/8/8/3BN3 w - - 0 1", off);
    assert_eq!(term(&off, Term::EndgameKnowledge), 0);
}

#[test]
fn wrong_bishop_draws_in_the_corner() {
    // a8 is light: the bishop on c1 cannot help (END-07, MISS-12). With the adjustment +1.00.
    assert_eq!(both_ways("k7/8/1K6/8/P7/8/8/2B5 w - - 0 1"), 0);
    assert_eq!(both_ways("6k1/8/6K1/8/7P/8/8/5B2 w - - 0 1"), 0);
    // First in the corner, and not: the other king is near, the pawn is too far.
    assert_eq!(both_ways("4k3/K7/8/8/4B3/8/7P/8 w - - 0 1"), 0);
    let only_corner = |params: &mut Params| params.endgame.kbpk_race = false;
    assert!(breakdown("4k3/K7/8/8/4B3/8/7P/8 w - - 0 1", only_corner).total.binary() > 512);
    // Not yet in the corner; the pawn runs; the right bishop; another pawn (AMB-58: type 13).
    for fen in [
        "8/8/1K6/4k3/P7/8/8/2B5 w - - 0 1",
        "8/8/7P/3k4/8/8/8/K4B2 w - - 0 1",
        "k7/8/1K6/8/P7/8/8/5B2 w - - 0 1",
        "1k6/8/1K6/8/1P6/8/8/2B5 w - - 0 1",
    ] {
        assert!(both_ways(fen) > 512 && !is_known(fen), "{fen}");
    }
    // Against a pawn nothing is won either.
    assert_eq!(both_ways("k7/7p/1K6/8/P7/8/8/2B5 w - - 0 1"), 0);
    // Types 12 and 13 differ in the jump table alone.
    let adjust = |fen: &str| term(&breakdown(fen, |_| ()), Term::EndgameAdjust);
    assert_eq!(adjust("8/8/1K6/4k3/P7/8/8/2B5 w - - 0 1"), 256);
    let off = |params: &mut Params| params.endgame.kbpk = false;
    assert!(breakdown("k7/8/1K6/8/P7/8/8/2B5 w - - 0 1", off).total.binary() > 512);
}

#[test]
fn rook_and_pawn_against_rook() {
    // END-10: in front on the file 0.10 = 26; Ke3 16, Ke7 (seen by Black e2) 8.
    assert_eq!(both_ways("8/4k3/8/8/4P3/4K3/r7/7R w - - 0 1"), 26 + 16 - 8);
    // On the next file 0.20 = 51.
    assert_eq!(both_ways("8/3k4/8/8/4P3/4K3/r7/7R w - - 0 1"), 51 + 16 - 8);
    // Two files away, beside, behind: the score stays.
    for fen in [
        "8/2k5/8/8/4P3/4K3/r7/7R w - - 0 1",
        "8/8/8/8/4Pk2/8/r7/4K2R w - - 0 1",
        "8/4P3/8/4k3/8/4K3/r7/7R w - - 0 1",
    ] {
        let found = breakdown(fen, |_| ());
        assert_eq!(term(&found, Term::EndgameKnowledge), 0, "{fen}");
        assert!(!is_known(fen));
    }
    let off = |params: &mut Params| params.endgame.krpkr = false;
    assert!(breakdown("8/4k3/8/8/4P3/4K3/r7/7R w - - 0 1", off).total.binary() > 128);
}

#[test]
fn queen_against_pawn_and_rook() {
    // MISS-12: a rook's or bishop's pawn on the seventh, guarded, the queen's king far away.
    for fen in ["7K/8/8/8/8/7Q/p7/1k6 w - - 0 1", "7K/8/8/8/8/7Q/2p5/1k6 w - - 0 1"] {
        assert!(both_ways(fen).abs() <= 56, "{fen}");
        assert!(is_known(fen));
        let off = breakdown(fen, |params| params.endgame.kqkp = false);
        assert_eq!(term(&off, Term::EndgameKnowledge), 0);
    }
    // A centre or knight's pawn, a pawn on the sixth, a king near enough: won.
    for fen in [
        "7K/8/8/8/8/7Q/1p6/k7 w - - 0 1",
        "7K/8/8/8/8/7Q/3p4/4k3 w - - 0 1",
        "7K/8/8/8/8/p6Q/8/1k6 w - - 0 1",
        "8/8/8/8/3K4/7Q/p7/1k6 w - - 0 1",
    ] {
        assert!(both_ways(fen) > 1024, "{fen}");
    }
    // KQKR: a driven king, kings together, rook and king apart; 16, 8 and 4 a step.
    let knowledge = |fen| term(&breakdown(fen, |_| ()), Term::EndgameKnowledge);
    assert_eq!(knowledge("k7/8/1K6/8/8/8/8/1Q5r w - - 0 1"), 3 * 16 + 5 * 8 + 6 * 4);
    assert_eq!(knowledge("8/8/8/3kr3/8/8/8/Q6K w - - 0 1"), 3 * 8);
    assert!(both_ways("8/8/8/3kr3/8/8/8/Q6K w - - 0 1") > 512);
    let off = breakdown("8/8/8/3kr3/8/8/8/Q6K w - - 0 1", |params| params.endgame.kqkr = false);
    assert_eq!(term(&off, Term::EndgameKnowledge), 0);
}

#[test]
fn all_off_is_nought() {
    for (fen, _) in cases(include_str!("data/endgame.epd")) {
        let off = breakdown(&fen, |params| params.endgame.on = false);
        for silent in [Term::EndgameAdjust, Term::EndgameKnowledge] {
            assert_eq!(off.of(silent, Color::White), Score::ZERO, "{fen}");
            assert_eq!(off.of(silent, Color::Black), Score::ZERO, "{fen}");
        }
    }
}

#[test]
fn colours_are_alike() {
    for (fen, _) in cases(include_str!("data/endgame.epd")) {
        let (own, turned) = (breakdown(&fen, |_| ()), breakdown(&color_flipped(&fen), |_| ()));
        assert_eq!(own.total, -turned.total, "{fen}");
        assert_eq!(own.sum(), own.total.binary(), "{fen}");
        for &(term, [white, black]) in &own.rows {
            assert_eq!(turned.of(term, Color::White), black, "{fen} {}", term.name());
            assert_eq!(turned.of(term, Color::Black), white, "{fen} {}", term.name());
        }
    }
}

/// Up to a pawn is drawish.
fn verdict(value: i32) -> i32 {
    if value.abs() <= 256 { 0 } else { value.signum() }
}

/// The knowledge agrees with the tablebase where the position is quiet.
#[test]
fn tablebase_results() {
    let mut engine = Engine::new(&Arc::new(Params::default()), HashSize::from_mib(1));
    let wrong: Vec<String> = cases(include_str!("data/endgame.epd"))
        .into_iter()
        .filter(|(fen, result)| searched(&mut engine, fen, 1) != *result)
        .map(|(fen, _)| fen)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The verdict of a search so many plies deep, White's view.
fn searched(engine: &mut Engine, fen: &str, depth: u32) -> i32 {
    let position = position(fen);
    engine.new_game();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let score = engine.search(&position, &limits, &()).score.binary();
    verdict(position.turn().fold_wb(score, -score))
}

/// The share of a folder's `*.epd` that agrees, by file: the evaluation alone, without endgame
/// knowledge, and after a search of one ply.
#[test]
#[ignore = "reads the folder that ENDGAMES names and prints figures"]
fn share_that_agrees() {
    let folder = std::env::var("ENDGAMES").expect("ENDGAMES names a folder");
    let mut files: Vec<_> = fs::read_dir(Path::new(&folder))
        .expect("readable")
        .map(|file| file.expect("file").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "epd"));
    files.sort();
    let off = |params: &mut Params| params.endgame.on = false;
    let mut engine = Engine::new(&Arc::new(Params::default()), HashSize::from_mib(1));
    let mut sums = [0; 4];
    println!("file, positions, evaluation agrees, without endgame knowledge, after one ply");
    for path in files {
        let cases = cases(&fs::read_to_string(&path).expect("text"));
        let mut counts = [cases.len(), 0, 0, 0];
        for (fen, result) in &cases {
            let agrees = [
                verdict(total(fen)) == *result,
                verdict(breakdown(fen, off).total.binary()) == *result,
                searched(&mut engine, fen, 1) == *result,
            ];
            for (count, agrees) in counts[1..].iter_mut().zip(agrees) {
                *count += usize::from(agrees);
            }
            if !agrees[2] {
                println!("    {fen} {result} {}", total(fen));
            }
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        println!(
            "{}, {}",
            name.unwrap_or_default(),
            counts.map(|count| count.to_string()).join(", ")
        );
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    println!("all, {}", sums.map(|count| count.to_string()).join(", "));
}
