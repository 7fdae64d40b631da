use super::*;
use crate::eval::testing::{points, white, white_with};

/// PCE-01, AMB-40: the paper's example, 8 << 2.
#[test]
fn bad_bishop_of_the_paper() {
    let fen = "4k3/8/8/4p3/4P3/3B4/8/4K3 w - - 0 1";
    assert_eq!(white(fen, Term::BadBishop), -32);
    assert_eq!(points(fen, Term::BadBishop).black, (0, 0));
    assert_eq!(white_with(|p| p.bad_bishop.on = false, fen, Term::BadBishop), (0, 0));
}

/// PCE-01, AMB-40: all 13 cells that can stand before the pawn, each << 2.
#[test]
fn bad_bishop_by_the_man_ahead() {
    let men = [('1', 2), ('P', 8), ('N', 2), ('B', 2), ('R', 2), ('Q', 2), ('K', 2)];
    let enemies = [('p', 8), ('n', 4), ('b', 4), ('r', 2), ('q', 2), ('k', 2)];
    for (man, factor) in men.into_iter().chain(enemies) {
        let kings = match man {
            'K' => ("k7", "8"),
            'k' => ("8", "7K"),
            _ => ("k7", "7K"),
        };
        let fen = format!("{}/8/8/4{man}3/4P3/3B4/8/{} b - - 0 1", kings.0, kings.1);
        assert_eq!(white(&fen, Term::BadBishop), -(factor << 2), "{fen}");
    }
}

/// PCE-01: two forward diagonals, no backward one, the first man met, at any distance.
#[test]
fn bad_bishop_looks_forward() {
    let both = "4k3/8/8/2p1p3/2P1P3/3B4/8/4K3 w - - 0 1";
    assert_eq!(white(both, Term::BadBishop), -(8 << 1) - (8 << 2));
    let behind = "4k3/8/8/8/8/3B4/2P1P3/4K3 w - - 0 1";
    assert_eq!(white(behind, Term::BadBishop), 0);
    let screened = "4k3/8/8/8/4P3/3n4/8/1B2K3 w - - 0 1";
    assert_eq!(white(screened, Term::BadBishop), 0);
    let distant = "4k3/8/8/4p3/4P3/8/8/1B2K3 w - - 0 1";
    assert_eq!(white(distant, Term::BadBishop), -32);
}

/// AMB-41: importance 0 costs the bare factor; AMB-39: g2 is as unimportant as b2.
#[test]
fn unimportant_pawns() {
    let edge = "4k3/8/8/7p/7P/6B1/8/4K3 w - - 0 1";
    assert_eq!(white(edge, Term::BadBishop), -8);
    assert_eq!(white_with(|p| p.bad_bishop.everywhere = false, edge, Term::BadBishop), (0, 0));
    let wing = "4k3/8/8/8/8/1p4p1/1P4P1/2B1KB2 w - - 0 1";
    assert_eq!(white(wing, Term::BadBishop), -16);
}

/// White's pair on c1 and f1 against a king and some pieces on the 8th rank.
fn against(pieces: &str) -> String {
    let empty = 7 - pieces.len();
    let rest = if empty > 0 { empty.to_string() } else { String::new() };
    format!("k{pieces}{rest}/8/8/8/8/8/8/2B1KB2 w - - 0 1")
}

/// PCE-02, EVA-15: by the opponent's pieces.
#[test]
fn pair_by_pieces() {
    let cases = [
        ("", 128),
        ("r", 128),
        ("bb", 128),
        ("rn", 96),
        ("rnb", 96),
        ("qn", 64),
        ("rrn", 64),
        ("qr", 32),
        ("qbnn", 32),
        ("qrr", 16),
        ("qrnnb", 16),
        ("qrrb", 16),
        ("qrrnb", 8),
        ("qrrnnbb", 8),
        ("qqqqrr", 8),
    ];
    for (pieces, bonus) in cases {
        assert_eq!(white(&against(pieces), Term::BishopPair), bonus, "{pieces}");
    }
}

/// PCE-03, AMB-56: by the opponent's pawns, instead.
#[test]
fn pair_by_pawns() {
    for (pawns, bonus) in [128, 128, 128, 128, 96, 64, 32, 16, 8].into_iter().enumerate() {
        let empty = if pawns < 8 { (8 - pawns).to_string() } else { String::new() };
        let fen = format!("3rk3/{}{empty}/8/8/8/8/8/2B1KB2 w - - 0 1", "p".repeat(pawns));
        let points = white_with(|p| p.bishop_pair.by_pawns = true, &fen, Term::BishopPair);
        assert_eq!(points, (bonus, bonus), "{pawns}");
        assert_eq!(white(&fen, Term::BishopPair), 128, "by pieces {pawns}");
    }
}

#[test]
fn pair_is_of_both_colours() {
    let same = "3rk3/8/8/8/8/4B3/8/2B1K3 w - - 0 1";
    assert_eq!(white(same, Term::BishopPair), 0);
    assert_eq!(white("3rk3/8/8/8/8/8/8/2B1K3 w - - 0 1", Term::BishopPair), 0);
    for term in [Term::BishopPair, Term::PairAgainstNoMinors] {
        assert_eq!(white_with(|p| p.bishop_pair.on = false, &against("r"), term), (0, 0));
    }
}

/// PCE-04: a quarter of a pawn more against no knight and no bishop.
#[test]
fn pair_against_no_minors() {
    let term = Term::PairAgainstNoMinors;
    assert_eq!(white(&against("qr"), term), 64);
    assert_eq!(white(&against("qn"), term), 0);
    assert_eq!(white(&against("qb"), term), 0);
    let off = white_with(|p| p.bishop_pair.no_minors = false, &against("qr"), term);
    assert_eq!(off, (0, 0));
}

/// PCE-12: 1.25 pawns on a7 and h7; a2 and h2 are the flipped positions.
#[test]
fn trapped_bishop() {
    let term = Term::TrappedBishop;
    let caught = "4k3/B7/1p6/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(white(caught, term), -320);
    assert_eq!(white("4k3/7B/6p1/8/8/8/8/4K3 w - - 0 1", term), -320);
    assert_eq!(points("4k3/8/8/8/8/6P1/7b/4K3 w - - 0 1", term).black, (-320, -320));
    assert_eq!(white("4k3/B7/1P6/8/8/8/8/4K3 w - - 0 1", term), 0);
    assert_eq!(white("4k3/B7/6p1/8/8/8/8/4K3 w - - 0 1", term), 0);
    assert_eq!(white_with(|p| p.trapped_bishop.on = false, caught, term), (0, 0));
}

/// PRO-14: a quarter of a pawn for the bishop.
#[test]
fn bishop_against_knight() {
    let term = Term::BishopVersusKnight;
    let open = "4k3/pp3ppp/3n4/8/8/3B4/PP3PPP/4K3 w - - 0 1";
    assert_eq!(white(open, term), 64);
    assert_eq!(points(open, term).black, (0, 0));
    for fen in [
        "4k3/pp3ppp/3n4/8/3P4/3B4/PP3PPP/4K3 w - - 0 1",
        "4k3/5ppp/3n4/8/8/3B4/PP3PPP/4K3 w - - 0 1",
        "4k3/pp3ppp/3b4/8/8/3B4/PP3PPP/4K3 w - - 0 1",
        "r3k3/pp3ppp/3n4/8/8/3B4/PP3PPP/R3K3 w - - 0 1",
    ] {
        assert_eq!(white(fen, term), 0, "{fen}");
    }
    assert_eq!(white_with(|p| p.bishop_v_knight.on = false, open, term), (0, 0));
}
