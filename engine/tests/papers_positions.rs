//! What 000 tells as behaviour: moves that REBEL plays or avoids because of one term. Each move is
//! searched with the term and without it.
//!
//! The text of the page has come to us without its diagrams. The positions are ours: they have the men
//! that the text names, where it names them. Two are from games, and were found by the switch that
//! decides the move in them.

use std::ops::RangeInclusive;
use std::sync::Arc;

use engine::eval::{Evaluator, Term};
use engine::types::Color;
use engine::{Engine, HashSize, Limits, Params, Position};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

/// A personality, with one switch turned off if a name is given.
fn player(personality: &str, off: Option<&str>) -> Arc<Params> {
    let mut params = Params::personality(personality).expect(personality);
    if let Some(switch) = off {
        assert_eq!(params.get(switch).as_deref(), Ok("true"), "{personality}: {switch}");
        params.set(switch, "false").expect(switch);
    }
    Arc::new(params)
}

/// The best move at each of these depths, each search on its own.
fn best(player: &Arc<Params>, fen: &str, depths: RangeInclusive<u32>) -> Vec<String> {
    let position = position(fen);
    let mut engine = Engine::new(player, HashSize::from_mib(1));
    let mut at = |depth| {
        engine.new_game();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let report = engine.search(&position, &limits, &());
        report.best.expect(fen).to_uci(false).to_string()
    };
    depths.map(&mut at).collect()
}

/// With the switch a player's move at each of these depths is as wanted, and without it at none.
fn decides(
    switch: &str,
    personalities: &[&str],
    fen: &str,
    depths: RangeInclusive<u32>,
    wanted: impl Fn(&str) -> bool,
) {
    for personality in personalities {
        let with = best(&player(personality, None), fen, depths.clone());
        assert!(with.iter().all(|mv| wanted(mv)), "{personality}: {with:?} in {fen}");
        let without = best(&player(personality, Some(switch)), fen, depths.clone());
        assert!(
            !without.iter().any(|mv| wanted(mv)),
            "{personality} without: {without:?} in {fen}"
        );
    }
}

/// PAS-14: not even to win the pawn on a6 does the rook step before its own pawn, where ...Ra2 would
/// bind it.
#[test]
fn no_pawn_is_worth_an_immobile_passer() {
    let fen = "8/5pk1/p2R2p1/P6p/8/7P/1r3PP1/6K1 w - - 0 1";
    decides("passed.immobility", &["rebel", "printed"], fen, 1..=5, |mv| mv != "d6a6");
}

/// PAS-14: Black puts its rook on a2 at once.
#[test]
fn the_rook_goes_behind_the_immobile_passer() {
    let fen = "R7/5pk1/6p1/P6p/8/6PP/3r1PK1/8 b - - 0 1";
    decides("passed.immobility", &["rebel", "printed"], fen, 1..=4, |mv| mv == "d2a2");
}

/// PAS-14: with Black's rook there, White gives up the pawn to bring its rook back into play.
#[test]
fn the_rook_leaves_the_immobile_passer() {
    let fen = "R7/5pk1/6p1/P6p/8/6PP/r4PK1/8 w - - 0 1";
    let leaves = |mv: &str| mv.starts_with("a8") && !mv.starts_with("a8a");
    decides("passed.immobility", &["rebel", "printed"], fen, 1..=4, leaves);
}

/// From a game. White's queen and rook look at g7 and nothing is threatened.
const QUIET_KG8: &str = "1rr3k1/5ppp/4p2q/pp1pQ3/3P4/P1P3RP/1P3PP1/R5K1 b - - 0 27";

/// KSF-13: on h8 the king is in more danger than on g8. Without the steps for its square it is not, for
/// fewer squares are around it.
#[test]
fn the_corner_is_no_safer() {
    let corner = QUIET_KG8.replace("r3k1/", "r4k/");
    for personality in ["rebel", "printed"] {
        let more_danger = |off| {
            let evaluator = Evaluator::new(&player(personality, off));
            let danger = |fen| {
                let points = evaluator.breakdown(&position(fen)).of(Term::KingSafety, Color::White);
                points.mg()
            };
            danger(&corner) - danger(QUIET_KG8)
        };
        assert!(more_danger(None) > 0, "{personality}");
        assert!(more_danger(Some("king_safety.king_square")) <= 0, "{personality} without");
    }
}

/// KSF-13. At one ply `printed` prefers another move without the steps, too.
#[test]
fn the_king_stays_on_g8() {
    let stays = |mv: &str| mv != "g8h8";
    for (personality, depths) in [("rebel", 1..=3), ("printed", 2..=3)] {
        decides("king_safety.king_square", &[personality], QUIET_KG8, depths, stays);
    }
}

/// From a game. Nothing but the bishop's diagonal, from g2 to b7, calls for a move of the knight.
const QUIET_NF3: &str = "r1bqr1k1/pppn1pbp/3p1np1/4p3/2P5/1P3NP1/PB1PPPBP/RN1Q1RK1 w - - 1 8";

/// The moves that the page names, with what they gain for the knight, 1/256 pawn: two a step. From f3
/// e5 and g5 are 6 steps, from e1 c2, d3 and f3 are 10, from g5 e4, f3 and f7 are 10, from h4 f3 and g6
/// are 6.
const OPENING_MOVES: [(&str, i32); 3] = [("f3e1", 8), ("f3g5", 8), ("f3h4", 0)];

/// PCE-17: the bishop on g2 gains no mobility by Ne1, Ng5 and Nh4.
#[test]
fn the_open_diagonal_is_no_gain() {
    for personality in ["rebel", "printed"] {
        let gain = |off, uci| {
            let evaluator = Evaluator::new(&player(personality, off));
            let mobility = |position: &Position| {
                let breakdown = evaluator.breakdown(position);
                let of = |color| breakdown.of(Term::Mobility, color).mg();
                of(Color::White) - of(Color::Black)
            };
            let before = position(QUIET_NF3);
            let mut after = before.clone();
            after.play(before.parse_uci(uci).expect(uci));
            mobility(&after) - mobility(&before)
        };
        for (uci, knight) in OPENING_MOVES {
            assert_eq!(gain(None, uci), knight, "{personality}: {uci}");
            assert!(gain(Some("mobility.xray"), uci) > knight, "{personality} without: {uci}");
        }
    }
}

/// PCE-17. `printed` does not move the knight without the x-ray, either.
#[test]
fn the_knight_stays_on_f3() {
    let stays = |mv: &str| OPENING_MOVES.iter().all(|(opening, _)| *opening != mv);
    decides("mobility.xray", &["rebel"], QUIET_NF3, 1..=2, stays);
    for personality in ["rebel", "printed"] {
        let moves = best(&player(personality, None), QUIET_NF3, 1..=4);
        assert!(moves.iter().all(|mv| stays(mv)), "{personality}: {moves:?}");
    }
}

/// PCE-18: the pawn on a7 is not taken, because of 1...b6. A search of one ply does not see that move.
#[test]
fn the_pawn_on_a7_is_poisoned() {
    let fen = "2kr3r/pppn1ppp/5n2/4p3/4P3/2N1B3/PPP2PPP/3R1RK1 w - - 0 1";
    decides("trapped_bishop.on", &["rebel", "printed"], fen, 2..=4, |mv| mv != "e3a7");
}

/// END-13: 1.Re5 keeps the king from e8 and e7, and wins. Without the rule for a king in front of the
/// pawn 1.Rh7 looks better, which lets it get to e8. `default` sees it by its tables too.
#[test]
fn the_rook_cuts_the_king_off() {
    let fen = "5k2/8/8/3P3R/2K5/8/3r4/8 w - - 0 1";
    decides("endgame.krpkr", &["rebel", "printed"], fen, 4..=5, |mv| mv == "h5e5");
    let found = best(&player("default", None), fen, 3..=10);
    assert!(found.iter().all(|mv| mv == "h5e5"), "{found:?}");
}
