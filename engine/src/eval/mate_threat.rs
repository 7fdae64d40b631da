//! Mates that threaten: patterns read off the attack maps, then checked to the last reply (EVA-13,
//! the evaluation's half of ORD-20). They add nothing to the sum; the search cuts on its own mate
//! and tries the other side's threat early.

use shakmaty::attacks;

use super::attack_map::AttackerClass;
use super::context::Context;
use crate::types::{Bitboard, ByColor, Color, Move, MoveKind, Rank, Role, Square};

/// For each colour a move that mates: at once if it is on the move, else the threat that the other
/// side must meet. `None` says only that no known pattern is there (MISS-15).
#[inline]
pub(super) fn detect(cx: &Context<'_>) -> ByColor<Option<Move>> {
    if !cx.params.mate_threat.on {
        return ByColor::default();
    }
    ByColor::new_with(|color| mate(cx, color))
}

/// A mating move of `color`.
#[inline]
fn mate(cx: &Context<'_>, color: Color) -> Option<Move> {
    let params = &cx.params.mate_threat;
    let (attack, defence) = (&cx.attacks[color], &cx.attacks[color.other()]);
    let king = cx.position.king(color.other());
    let (rooks, queens) = (attack.by(AttackerClass::Rook), attack.by(AttackerClass::Queen));
    // Where only the enemy king, or nobody, guards and no own man is in the way.
    let targets = |squares: Bitboard| {
        let guarded = defence.any() & !defence.king_only();
        squares & !guarded & !cx.position.by_color(color)
    };
    let contact = attacks::king_attacks(king) & queens & attack.twice();
    if params.queen && contact.any() && targets(contact).any() {
        let found = first_mate(cx, color, targets(contact), cx.men(color, Role::Queen));
        if found.is_some() {
            return found;
        }
    }
    let home = Bitboard::from_rank(color.fold_wb(Rank::Eighth, Rank::First));
    if params.back_rank && home.contains(king) {
        let entries = targets(home & (rooks | queens));
        if entries.any() && is_shut_in(cx, color, king, home) {
            let checks = entries & attacks::rook_attacks(king, cx.occupied);
            let heavy = cx.men(color, Role::Rook) | cx.men(color, Role::Queen);
            return first_mate(cx, color, checks, heavy);
        }
    }
    None
}

/// Whether the enemy king of `color` cannot leave its back rank.
#[inline]
fn is_shut_in(cx: &Context<'_>, color: Color, king: Square, home: Bitboard) -> bool {
    let closed = cx.position.by_color(color.other()) | cx.attacks[color].any();
    (attacks::king_attacks(king) & !home & !closed).is_empty()
}

/// The first move of one of `men`, rooks and queens of `color`, to one of `targets` that mates.
#[inline(never)]
fn first_mate(cx: &Context<'_>, color: Color, targets: Bitboard, men: Bitboard) -> Option<Move> {
    let queens = cx.men(color, Role::Queen);
    targets.into_iter().find_map(|to| {
        let straight = attacks::rook_attacks(to, cx.occupied) & men;
        let diagonal = attacks::bishop_attacks(to, cx.occupied) & queens & men;
        let from = (straight | diagonal).into_iter().find(|&from| is_mate(cx, color, from, to))?;
        let capture = cx.occupied.contains(to);
        let kind = if capture { MoveKind::Capture } else { MoveKind::Quiet };
        Some(Move::new(from, to, kind))
    })
}

/// Whether the rook or queen of `color` on `from` mates on `to`, next to the king or on its back
/// rank. A yes is certain; a pinned defender may make it say no to a mate.
fn is_mate(cx: &Context<'_>, color: Color, from: Square, to: Square) -> bool {
    let position = cx.position;
    let enemy = color.other();
    let king = position.king(enemy);
    let (left, taken) = (Bitboard::from_square(from), Bitboard::from_square(to));
    let shadow = Bitboard::from_square(king);
    // The board after the move; what is on it is asked of the men as they still stand.
    let occupied = cx.occupied & !left | taken;
    let rays = |occupied| {
        let straight = attacks::rook_attacks(to, occupied);
        let queen = cx.men(color, Role::Queen).contains(from);
        if queen { straight | attacks::bishop_attacks(to, occupied) } else { straight }
    };
    if !rays(occupied).contains(king) {
        return false;
    }
    // No flight: what the king leaves behind does not stop a line.
    let through = occupied & !shadow;
    let covered = rays(through);
    let flights = attacks::king_attacks(king) & !(position.by_color(enemy) & !taken) & !covered;
    let is_open = |sq| (position.attackers_of(sq, color, through) & !left).is_empty();
    if flights.into_iter().any(is_open) {
        return false;
    }
    // Nobody takes the man or comes between. Pawns never move to their own back rank.
    let helpers = !shadow & !taken;
    let answers = attacks::between(to, king) | taken;
    let is_answered = |sq| (position.attackers_of(sq, enemy, occupied) & helpers).any();
    if answers.into_iter().any(is_answered) {
        return false;
    }
    // The own king stays safe.
    let own_king = position.king(color);
    (position.attackers_of(own_king, enemy, occupied) & !taken).is_empty()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::eval::{Evaluator, LineFacts, NoTrace};
    use crate::{Params, Position};

    /// The mates of both colours as text.
    fn mates_with(params: Params, fen: &str) -> [Option<String>; 2] {
        let evaluator = Evaluator::new(&Arc::new(params));
        let mut position = Position::from_fen(fen).expect(fen);
        position.set_table(&evaluator.table);
        let found = evaluator.evaluate(&position, LineFacts::default(), None, &mut NoTrace).mates;
        Color::ALL.map(|color| found[color].map(|mv| mv.to_uci(false).to_string()))
    }

    fn white(fen: &str) -> Option<String> {
        mates_with(Params::default(), fen)[0].clone()
    }

    const QG7: &str = "r4rk1/pp2qp1p/6pQ/8/8/8/PBP2PPP/3R2K1 w - - 0 1";

    /// The paper's mate, ORD-20: White mates with Qg7; with Black to move it is a threat, which
    /// 1...f6, 1...Qe5 and 1...Qf6 meet and other moves do not.
    #[test]
    fn the_papers_mate() {
        assert_eq!(white(QG7).as_deref(), Some("h6g7"));
        assert_eq!(white(&QG7.replace(" w ", " b ")).as_deref(), Some("h6g7"));
        assert_eq!(white("r4rk1/pp2q2p/5ppQ/8/8/8/PBP2PPP/3R2K1 w - - 0 1"), None, "f6");
        assert_eq!(white("r4rk1/pp3p1p/6pQ/4q3/8/8/PBP2PPP/3R2K1 w - - 0 1"), None, "Qe5");
        assert_eq!(white("r4rk1/pp3p1p/5qpQ/8/8/8/PBP2PPP/3R2K1 w - - 0 1"), None, "Qf6");
        let other = "r4rk1/p3qp1p/1p4pQ/8/8/8/PBP2PPP/3R2K1 w - - 0 1";
        assert_eq!(white(other).as_deref(), Some("h6g7"));
    }

    #[test]
    fn the_queen_must_be_safe_and_the_king_shut_in() {
        let plain = "5rk1/7p/5Q1P/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(white(plain).as_deref(), Some("f6g7"));
        assert_eq!(white("6k1/7p/5Q1P/8/8/8/8/4K3 w - - 0 1"), Some("f6g7".to_owned()));
        // Without the pawn's support, with the queen pinned, with a bishop behind her that takes
        // once she has moved, with a flight on d8.
        assert_eq!(white("5rk1/7p/5Q2/8/8/8/8/4K3 w - - 0 1"), None);
        assert_eq!(white("5rk1/7p/5Q1P/8/8/8/8/5K2 w - - 0 1"), None);
        assert_eq!(white("5rk1/5p1p/5Q1P/4b3/8/8/8/1K6 w - - 0 1"), None);
        assert_eq!(white("4k3/5p2/6Q1/6N1/8/8/8/4K3 w - - 0 1"), None);
    }

    #[test]
    fn back_rank() {
        assert_eq!(white("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").as_deref(), Some("a1a8"));
        assert_eq!(white("6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1").as_deref(), Some("a1a8"));
        assert_eq!(white("r5k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), Some("a1a8".to_owned()), "takes");
        // Luft, a knight that guards a8, a bishop that interposes on d8, a rook that comes back.
        assert_eq!(white("6k1/5pp1/7p/8/8/8/8/R5K1 w - - 0 1"), None);
        assert_eq!(white("6k1/2n2ppp/8/8/8/8/8/R5K1 w - - 0 1"), None);
        assert_eq!(white("6k1/5ppp/8/6b1/8/8/8/R5K1 w - - 0 1"), None);
        assert_eq!(white("6k1/5ppp/8/8/8/3r4/8/R5K1 w - - 0 1"), None);
        // A bishop covers the luft.
        let covered = "6k1/5pp1/7p/8/8/3B4/8/R5K1 w - - 0 1";
        assert_eq!(white(covered).as_deref(), Some("a1a8"));
        // Black, too.
        let black = "r5k1/8/8/8/8/8/5PPP/6K1 w - - 0 1";
        assert_eq!(mates_with(Params::default(), black)[1].as_deref(), Some("a8a1"));
    }

    #[test]
    fn switches() {
        let back_rank = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
        let mut params = Params::default();
        params.mate_threat.queen = false;
        assert_eq!(mates_with(params.clone(), QG7)[0], None);
        assert!(mates_with(params.clone(), back_rank)[0].is_some());
        params.mate_threat.queen = true;
        params.mate_threat.back_rank = false;
        assert_eq!(mates_with(params.clone(), back_rank)[0], None);
        assert!(mates_with(params.clone(), QG7)[0].is_some());
        params.mate_threat.on = false;
        assert_eq!(mates_with(params, QG7)[0], None);
    }
}
