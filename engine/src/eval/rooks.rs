//! Rooks: connected, doubled, on the 7th and 8th, behind pawns.

use shakmaty::attacks;

use super::attack_map::AttackerClass;
use super::context::Context;
use super::spans::{ahead, beside, file_of, files, step};
use super::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, ByColor, Color, Rank, Role, Score, Square, relative_square};

/// All terms of rooks.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let params = cx.params;
    let on = params.rook_connection.on
        || params.doubled_rooks.on
        || params.rook_seventh.on
        || params.rook_pin_eighth.on
        || params.rook_ram.on
        || params.rook_behind_pawn.on;
    if !on {
        return;
    }
    let pawns = ByColor::new_with(|color| cx.men(color, Role::Pawn));
    for color in Color::ALL {
        let rooks = cx.men(color, Role::Rook);
        if rooks.is_empty() {
            continue;
        }
        let connected = rooks & cx.attacks[color].by(AttackerClass::Rook);
        if connected.any() {
            connection(cx, sum, color, connected);
            doubled(cx, sum, color, connected, pawns);
        }
        on_seventh(cx, sum, color, rooks);
        pin_on_eighth(cx, sum, color, rooks);
        behind_ram(cx, sum, color, rooks, pawns);
        behind_pawns(cx, sum, color, rooks, pawns);
    }
}

/// A rank as a colour counts it.
#[inline]
fn rank(color: Color, rank: Rank) -> Bitboard {
    Bitboard::from_rank(color.fold_wb(rank, rank.flip_vertical()))
}

/// Each rook that another protects, in the middle game (PCE-13).
#[inline]
fn connection<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, color: Color, rooks: Bitboard) {
    let params = &cx.params.rook_connection;
    if !params.on {
        return;
    }
    let bonus = rooks.into_iter().map(|sq| params.table.of(relative_square(color, sq))).sum();
    sum.add(Term::RookConnection, color, Score::new(bonus, 0));
}

/// Rooks that protect each other on a file without pawns (PCE-14, AMB-49): once a side, by the file
/// and by the enemy's pawns, since few of them mean other open files for his rooks; never below 0.
#[inline]
fn doubled<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    color: Color,
    rooks: Bitboard,
    pawns: ByColor<Bitboard>,
) {
    let params = &cx.params.doubled_rooks;
    let behind = rooks & ahead(Color::White, rooks) & !files(pawns.white | pawns.black);
    let sees_another =
        |&sq: &Square| (attacks::rook_attacks(sq, cx.occupied) & file_of(sq) & rooks).any();
    let doubled: Bitboard = behind.into_iter().filter(sees_another).collect();
    if !params.on || doubled.is_empty() {
        return;
    }
    let count = pawns[color.other()].count().min(params.pawns.len() - 1);
    let best = doubled.into_iter().map(|sq| params.file[sq.file() as usize]).max().unwrap_or(0);
    let bonus = (best + params.pawns[count]).max(0);
    sum.add(Term::DoubledRooks, color, Score::both(bonus));
}

/// Each rook on the 7th while the enemy king is on the 8th, in the end game; twice as much when
/// rooks control all squares before the king, so that it cannot get out past its pawns (PCE-15).
/// Where asked for, enemy pawns on the 7th are as good as the king on the 8th (EVA-16).
#[inline]
fn on_seventh<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, color: Color, rooks: Bitboard) {
    let params = &cx.params.rook_seventh;
    let enemy = color.other();
    let king = cx.men(enemy, Role::King);
    let seventh = rank(color, Rank::Seventh);
    let rooks = rooks & seventh;
    if !params.on || rooks.is_empty() {
        return;
    }
    let king_on_eighth = (king & rank(color, Rank::Eighth)).any();
    let prey = params.pawns && (cx.men(enemy, Role::Pawn) & seventh).any();
    if !king_on_eighth && !prey {
        return;
    }
    let front = step(enemy, king | beside(king));
    let caught = king_on_eighth && (front & !cx.attacks[color].by(AttackerClass::Rook)).is_empty();
    let bonus = params.bonus + if caught { params.caught } else { 0 };
    sum.add(Term::RookOnSeventh, color, Score::new(0, bonus * rooks.count() as i32));
}

/// Rooks on the 8th that pin along it (PRO-11). The diagrams are lost; the three figures are given
/// to (MISS-24): two men tied to the king, or one whose king cannot step off the rank to free it;
/// one man pinned to the king; a man pinned to a rook or queen. The best one counts, once. The men
/// are knights and bishops: a rook or queen looks back along the rank and is not paralysed.
#[inline]
fn pin_on_eighth<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, color: Color, rooks: Bitboard) {
    let params = &cx.params.rook_pin_eighth;
    let eighth = rank(color, Rank::Eighth);
    let rooks = rooks & eighth;
    if !params.on || rooks.is_empty() {
        return;
    }
    let enemy = color.other();
    let men = cx.position.by_color(enemy);
    let king = cx.men(enemy, Role::King);
    let targets = eighth & (king | cx.men(enemy, Role::Queen) | cx.men(enemy, Role::Rook));
    let mut tied_to_king = Bitboard::EMPTY;
    let mut tied_to_piece = false;
    for rook in rooks {
        for target in targets {
            let shield = attacks::between(rook, target) & cx.occupied;
            if (shield & !cx.minors(enemy)).any() || shield.is_empty() {
                continue;
            }
            let single = !shield.more_than_one();
            if king.contains(target) {
                if single || shield.count() == 2 {
                    tied_to_king |= shield;
                }
            } else {
                tied_to_piece |= single;
            }
        }
    }
    let bonus = if tied_to_king.any() {
        let flight = step(enemy, king | beside(king)) & !men & !cx.attacks[color].any();
        if tied_to_king.more_than_one() || flight.is_empty() { params.lasting } else { params.king }
    } else if tied_to_piece {
        params.piece
    } else {
        0
    };
    sum.add(Term::RookPinEighth, color, Score::both(bonus));
}

/// A rook behind an own pawn that an enemy pawn blocks has nothing to do there: Re1, e4 against e5
/// (PRO-16, MISS-25).
#[inline]
fn behind_ram<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    color: Color,
    rooks: Bitboard,
    pawns: ByColor<Bitboard>,
) {
    let params = &cx.params.rook_ram;
    if !params.on {
        return;
    }
    let enemy = color.other();
    let rams = pawns[color] & step(enemy, pawns[enemy]);
    let idle = rooks & ahead(enemy, rams);
    if idle.is_empty() {
        return;
    }
    sum.add(Term::RookBehindRam, color, Score::both(-params.penalty * idle.count() as i32));
}

/// A rook that attacks an enemy pawn from behind, above all in the end game (PRO-17, MISS-25).
#[inline]
fn behind_pawns<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    color: Color,
    rooks: Bitboard,
    pawns: ByColor<Bitboard>,
) {
    let params = &cx.params.rook_behind_pawn;
    if !params.on {
        return;
    }
    let enemy = color.other();
    let mut attacked = 0;
    for rook in rooks & ahead(color, pawns[enemy]) {
        let before = ahead(enemy, Bitboard::from_square(rook));
        let seen = attacks::rook_attacks(rook, cx.occupied) & before;
        attacked += i32::from((seen & pawns[enemy]).any());
    }
    let each = Score::new(params.middlegame, params.endgame);
    sum.add(Term::RookBehindPawn, color, each * attacked);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing::{points, white, white_with};

    /// PCE-13: the paper's figures, and the middle game only.
    #[test]
    fn connected_rooks() {
        let bonus = |fen| points(fen, Term::RookConnection).white;
        let d1_d6 = "7k/8/3R4/8/8/8/8/3R2K1 w - - 0 1";
        assert_eq!(bonus(d1_d6), (26, 0));
        assert_eq!(bonus("6k1/1R1R4/8/8/8/8/8/6K1 w - - 0 1"), (100, 0));
        assert_eq!(bonus("7k/8/8/8/8/8/8/3RR1K1 w - - 0 1"), (12, 0));
        assert_eq!(bonus("7k/8/3R4/8/3N4/8/8/3R2K1 w - - 0 1"), (0, 0), "a knight between");
        assert_eq!(bonus("7k/8/4R3/8/8/8/8/3R2K1 w - - 0 1"), (0, 0));
        let off = white_with(|p| p.rook_connection.on = false, d1_d6, Term::RookConnection);
        assert_eq!(off, (0, 0));
    }

    /// PCE-14, AMB-49: doubled on the d- and e-file against seven pawns; worth less at the edge and
    /// against fewer pawns, never a penalty, once a side.
    #[test]
    fn doubled_rooks() {
        let term = Term::DoubledRooks;
        let d_file = "7k/ppp1pppp/8/8/8/3R4/8/3R2K1 w - - 0 1";
        assert_eq!(white(d_file, term), 32);
        assert_eq!(white("7k/pppp1ppp/8/8/8/4R3/8/4R1K1 w - - 0 1", term), 32);
        assert_eq!(white("7k/1ppppppp/8/8/8/R7/8/R5K1 w - - 0 1", term), 32 - 12);
        assert_eq!(white("7k/ppp1ppp1/8/8/8/3R4/8/3R2K1 w - - 0 1", term), 16);
        assert_eq!(white("7k/pp2ppp1/8/8/8/2R5/8/2R3K1 w - - 0 1", term), 8 - 4);
        assert_eq!(white("7k/1pp1ppp1/8/8/8/R7/8/R5K1 w - - 0 1", term), 0, "8 - 12");
        assert_eq!(white("7k/ppp4p/8/8/8/3R4/8/3R2K1 w - - 0 1", term), 0, "four pawns");
        assert_eq!(white("7k/ppp1pppp/8/3R4/8/3R4/8/3R2K1 w - - 0 1", term), 32, "three rooks");
        assert_eq!(white_with(|p| p.doubled_rooks.on = false, d_file, term), (0, 0));
    }

    /// PCE-14, AMB-49: the file has no pawn of either colour, nothing stands between, and a rank
    /// is no file.
    #[test]
    fn doubled_on_open_files_only() {
        for fen in [
            "7k/ppp1pppp/8/8/8/3R4/3P4/3R2K1 w - - 0 1",
            "7k/ppppppp1/8/8/8/3R4/8/3R2K1 w - - 0 1",
            "7k/ppp1pppp/8/8/3P4/3R4/8/3R2K1 w - - 0 1",
            "7k/ppp1pppp/8/8/8/3R4/3N4/3R2K1 w - - 0 1",
            "7k/ppp2ppp/8/8/8/8/8/3RR1K1 w - - 0 1",
            "7k/ppp3pp/8/3RR3/8/3NN3/8/3RR1K1 w - - 0 1",
        ] {
            assert_eq!(white(fen, Term::DoubledRooks), 0, "{fen}");
        }
    }

    /// PCE-15: 50, or 100 when the king cannot get out past its pawns; the end game only.
    #[test]
    fn rook_on_seventh() {
        let term = Term::RookOnSeventh;
        let caught = "6k1/R7/6pp/8/8/8/8/6K1 w - - 0 1";
        let bonus = |fen| points(fen, term).white;
        assert_eq!(bonus("6k1/R4ppp/8/8/8/8/8/6K1 w - - 0 1"), (0, 50));
        assert_eq!(bonus(caught), (0, 100));
        assert_eq!(bonus("7k/R7/8/8/8/8/8/6K1 w - - 0 1"), (0, 100), "two squares in the corner");
        assert_eq!(bonus("6k1/R5p1/8/8/8/8/8/6K1 w - - 0 1"), (0, 50), "h7 is free");
        assert_eq!(bonus("6k1/RR6/8/8/8/8/8/6K1 w - - 0 1"), (0, 200), "each rook");
        assert_eq!(bonus("8/R7/6k1/8/8/8/8/6K1 w - - 0 1"), (0, 0), "the king is out");
        assert_eq!(bonus("6k1/8/R7/8/8/8/8/6K1 w - - 0 1"), (0, 0));
        assert_eq!(white_with(|p| p.rook_seventh.on = false, caught, term), (0, 0));
        // EVA-16
        let prey = "8/R5p1/6k1/8/8/8/8/6K1 w - - 0 1";
        assert_eq!(bonus(prey), (0, 0));
        assert_eq!(white_with(|p| p.rook_seventh.pawns = true, prey, term), (0, 50));
    }

    /// PRO-11, MISS-24: 0.50, 0.25 and 0.12 of a pawn.
    #[test]
    fn pins_on_the_eighth() {
        let term = Term::RookPinEighth;
        let cases = [
            ("R1nbk3/8/8/8/8/8/8/6K1 w - - 0 1", 128, "two men tied"),
            ("R4bk1/5ppp/8/8/8/8/8/6K1 w - - 0 1", 128, "no way off the rank"),
            ("R4bk1/5pp1/8/8/8/3B4/8/6K1 w - - 0 1", 128, "h7 under control"),
            ("R4bk1/5pp1/8/8/8/8/8/6K1 w - - 0 1", 64, "h7 free"),
            ("Rn1q4/8/6k1/8/8/8/8/6K1 w - - 0 1", 31, "pinned to the queen"),
            ("Rn1r4/8/6k1/8/8/8/8/6K1 w - - 0 1", 31, "pinned to a rook"),
            ("Rr1q4/8/6k1/8/8/8/8/6K1 w - - 0 1", 0, "a rook looks back"),
            ("Rq1r4/8/6k1/8/8/8/8/6K1 w - - 0 1", 0, "so does a queen"),
            ("R4rk1/5ppp/8/8/8/8/8/6K1 w - - 0 1", 0, "rooks that face each other"),
            ("Rn3rk1/5ppp/8/8/8/8/8/6K1 w - - 0 1", 31, "tied to the rook, not to the king"),
            ("RN4k1/5ppp/8/8/8/8/8/6K1 w - - 0 1", 0, "an own man"),
            ("8/R4bk1/8/8/8/8/8/6K1 w - - 0 1", 0, "the 7th"),
            ("R1n1k1bR/8/8/8/8/8/8/6K1 w - - 0 1", 128, "from both sides"),
        ];
        for (fen, bonus, why) in cases {
            assert_eq!(white(fen, term), bonus, "{why}: {fen}");
        }
        assert_eq!(white_with(|p| p.rook_pin_eighth.on = false, cases[0].0, term), (0, 0));
    }

    /// PRO-16, MISS-25: Re1 behind e4 against e5.
    #[test]
    fn rook_behind_ram() {
        let term = Term::RookBehindRam;
        let ram = "6k1/8/8/4p3/4P3/8/8/4R1K1 w - - 0 1";
        assert_eq!(white(ram, term), -12);
        assert_eq!(white("6k1/8/8/4p3/4P3/8/4R3/4R1K1 w - - 0 1", term), -24);
        assert_eq!(white("6k1/8/4p3/8/4P3/8/8/4R1K1 w - - 0 1", term), 0, "not blocked");
        assert_eq!(white("4R1k1/8/8/4p3/4P3/8/8/6K1 b - - 0 1", term), 0, "before it");
        assert_eq!(white_with(|p| p.rook_ram.on = false, ram, term), (0, 0));
    }

    /// PRO-17, MISS-25: from behind, at a pawn it sees, above all in the end game.
    #[test]
    fn rook_behind_pawns() {
        let bonus = |fen| points(fen, Term::RookBehindPawn).white;
        let behind = "3R4/8/6k1/3p4/8/8/8/6K1 w - - 0 1";
        assert_eq!(bonus(behind), (8, 16));
        assert_eq!(bonus("8/8/6k1/3p4/8/8/8/3R2K1 w - - 0 1"), (0, 0), "from the front");
        assert_eq!(bonus("3R4/3n4/6k1/3p4/8/8/8/6K1 w - - 0 1"), (0, 0), "not seen");
        assert_eq!(bonus("3R4/8/6k1/3P4/3p4/8/8/6K1 w - - 0 1"), (0, 0), "an own pawn first");
        let off = white_with(|p| p.rook_behind_pawn.on = false, behind, Term::RookBehindPawn);
        assert_eq!(off, (0, 0));
    }
}
