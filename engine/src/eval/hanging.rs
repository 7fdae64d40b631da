//! Hanging and threatened pieces: what each man on the board would lose if it were taken now.
//!
//! The papers keep a table of 13 × 256 × 256 bytes, indexed by the man and the attack bytes of both
//! colours on its square (EVA-08, AMB-04). Its formula was never printed (MISS-09); here each entry is
//! what SEE would say of men as the two bytes describe them: cheapest first, kings last (AMB-05).

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::attack_map::{AttackByte, AttackMap, AttackerClass};
use crate::params::{Hanging, by_role};
use crate::position::Position;
use crate::types::{Bitboard, ByColor, Color, Piece, Role, Square, relative_square};

/// What a man loses, in pawns, by piece code and the bytes of White and Black on its square.
pub struct StatusTable {
    entries: Box<[[[u8; 256]; 256]]>,
    /// Whether the men's values stand in their usual order, which the short cut builds on.
    usual_order: bool,
}

impl fmt::Debug for StatusTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StatusTable").finish_non_exhaustive()
    }
}

impl StatusTable {
    /// Fills the table: every pair of bytes that can occur, for every man but the king.
    #[must_use]
    pub fn new(values: &Hanging) -> StatusTable {
        let of = |role| {
            let h = values;
            by_role(role, [h.pawn, h.knight, h.bishop, h.rook, h.queen, 0]).unsigned_abs() as u8
        };
        let armies: Vec<(u8, Army)> = (0..=255)
            .filter_map(|byte| Army::of(AttackByte(byte)).map(|army| (byte, army)))
            .collect();
        let class_values = AttackerClass::ALL.map(|class| match class {
            AttackerClass::Pawn => of(Role::Pawn),
            AttackerClass::Minor => of(Role::Knight).min(of(Role::Bishop)),
            AttackerClass::Rook => of(Role::Rook),
            AttackerClass::Queen => of(Role::Queen),
            AttackerClass::King => 0,
        });
        let mut entries = vec![[[0_u8; 256]; 256]; Piece::CODES].into_boxed_slice();
        for (piece, color, role) in Piece::all().filter(|(_, _, role)| *role != Role::King) {
            let entry = &mut entries[piece.code()];
            for (white, white_army) in &armies {
                for (black, black_army) in &armies {
                    let (own, enemy) =
                        color.fold_wb((white_army, black_army), (black_army, white_army));
                    entry[usize::from(*white)][usize::from(*black)] =
                        exchange(of(role), enemy, own, &class_values);
                }
            }
        }
        let [pawn, knight, bishop, rook, queen] =
            [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(of);
        let usual_order = pawn <= knight && knight == bishop && bishop <= rook && rook <= queen;
        StatusTable { entries, usual_order }
    }

    /// The table of these values, made once as long as somebody uses it: work for milliseconds that
    /// every change of another parameter would repeat.
    #[must_use]
    pub fn shared(values: &Hanging) -> Arc<StatusTable> {
        static MADE: Mutex<Vec<(Hanging, Weak<StatusTable>)>> = Mutex::new(Vec::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        made.retain(|(_, table)| table.strong_count() > 0);
        let known = made.iter().find(|(of, _)| of == values);
        if let Some(table) = known.and_then(|(_, table)| table.upgrade()) {
            return table;
        }
        let table = Arc::new(StatusTable::new(values));
        made.push((values.clone(), Arc::downgrade(&table)));
        table
    }

    /// What the man loses, in pawns; 0 when it is safe (EVA-08).
    #[inline]
    #[must_use]
    pub fn status(&self, piece: Piece, white: AttackByte, black: AttackByte) -> u8 {
        self.entries[piece.code()][usize::from(white.0)][usize::from(black.0)]
    }
}

/// How many men of each class a byte stands for, cheapest class first.
#[derive(Debug, Clone, Copy)]
struct Army([u8; 5]);

impl Army {
    /// The most of each class that a side has without promotions.
    const MOST: [u8; 5] = [2, 3, 2, 1, 1];
    /// Where the king stands in the order of classes.
    const KING: usize = 4;

    /// The men behind a byte; `None` when no position can have it. Men beyond one of each class are
    /// given to the cheapest class present that can still be repeated (AMB-05), or, when there are
    /// more than boards have without promotions, to the dearest piece present.
    fn of(byte: AttackByte) -> Option<Army> {
        let mut men = AttackerClass::ALL.map(|class| u8::from(byte.has(class)));
        let classes: u32 = men.iter().map(|&men| u32::from(men)).sum();
        let extra = byte.count().checked_sub(classes)?;
        if (classes == 0) != (byte.0 == 0) {
            return None;
        }
        for _ in 0..extra {
            let repeatable =
                (0..Army::KING).find(|&class| (1..Army::MOST[class]).contains(&men[class]));
            let class =
                repeatable.or_else(|| (1..Army::KING).rev().find(|&class| men[class] > 0))?;
            men[class] += 1;
        }
        Some(Army(men))
    }

    fn is_empty(&self) -> bool {
        self.0 == [0; 5]
    }
}

/// What the attackers win on a square where a man worth `victim` stands, both sides taking with the
/// cheapest man first and stopping when it suits them. A king takes only what nobody guards.
fn exchange(victim: u8, attackers: &Army, defenders: &Army, values: &[u8; 5]) -> u8 {
    let Some(cheapest) = attackers.0.iter().position(|&men| men > 0) else {
        return 0;
    };
    if cheapest == Army::KING && !defenders.is_empty() {
        return 0;
    }
    let mut left = *attackers;
    left.0[cheapest] -= 1;
    victim.saturating_sub(exchange(values[cheapest], defenders, &left, values))
}

/// The attacked men of a colour, without those that a look at sets shows to be safe: a single
/// attacker that is worth no less than a man somebody protects.
#[inline]
fn doubtful(position: &Position, color: Color, maps: &ByColor<AttackMap>) -> Bitboard {
    let (own, enemy) = (&maps[color], &maps[color.other()]);
    let men = |role| position.men_of(color, role);
    let [pawns, minors, rooks] = [AttackerClass::Pawn, AttackerClass::Minor, AttackerClass::Rook]
        .map(|class| enemy.by(class));
    let cheaper = (men(Role::Knight) | men(Role::Bishop)) & pawns
        | men(Role::Rook) & (pawns | minors)
        | men(Role::Queen) & (pawns | minors | rooks);
    let attacked = position.by_color(color) & enemy.any() & !men(Role::King);
    attacked & (cheaper | !own.any() | enemy.twice())
}

/// A man in danger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HangingMan {
    /// Where it stands.
    pub sq: Square,
    /// What its side loses, in pawns.
    pub loss: u8,
}

/// Up to three men of one colour in danger, the dearest first (EVA-07).
///
/// For the side that has just moved they are its *hanging* pieces, for the side to move the
/// *threatened* ones (AMB-02).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HangingList {
    men: [Option<HangingMan>; 3],
}

impl HangingList {
    /// No man is in danger.
    pub(super) const NONE: HangingList = HangingList { men: [None; 3] };

    /// The men of `color` that stand to be lost.
    #[must_use]
    pub fn of(
        position: &Position,
        color: Color,
        maps: &ByColor<AttackMap>,
        table: &StatusTable,
    ) -> HangingList {
        let mut list = HangingList::NONE;
        let attacked = position.by_color(color) & maps[color.other()].any();
        let men = if table.usual_order { doubtful(position, color, maps) } else { attacked };
        for sq in men {
            let (white, black) = (maps.white.byte(sq), maps.black.byte(sq));
            let loss = table.status(position.piece_at(sq), white, black);
            if loss > 0 {
                list.insert(HangingMan { sq, loss }, color);
            }
        }
        list
    }

    /// Keeps the three dearest; of equals the one nearer to its own back rank and a-file first, so
    /// that both colours list alike.
    fn insert(&mut self, man: HangingMan, color: Color) {
        let place = |man: &HangingMan| relative_square(color, man.sq);
        let mut next = Some(man);
        for slot in &mut self.men {
            let Some(candidate) = next else { return };
            let goes_before = slot
                .is_none_or(|here| (candidate.loss, place(&here)) > (here.loss, place(&candidate)));
            if goes_before {
                next = slot.replace(candidate);
            }
        }
    }

    /// The men, dearest first.
    pub fn iter(&self) -> impl Iterator<Item = HangingMan> + '_ {
        self.men.iter().flatten().copied()
    }

    /// What the dearest man loses, in pawns: the papers' THREAT when these are the threatened
    /// pieces (EVA-09). 0 when all are safe.
    #[must_use]
    pub fn highest(&self) -> i32 {
        self.loss(0)
    }

    /// What the second man loses, in pawns; 0 when fewer than two are in danger.
    #[must_use]
    pub fn second(&self) -> i32 {
        self.loss(1)
    }

    fn loss(&self, index: usize) -> i32 {
        self.men[index].map_or(0, |man| i32::from(man.loss))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{ExchangeValues, SeePins};
    use crate::types::Value;

    fn table() -> StatusTable {
        StatusTable::new(&Hanging::default())
    }

    fn maps(position: &Position) -> ByColor<AttackMap> {
        ByColor::new_with(|color| AttackMap::of(position, color, false))
    }

    fn lists(fen: &str) -> ByColor<HangingList> {
        let position = Position::from_fen(fen).expect(fen);
        let maps = maps(&position);
        ByColor::new_with(|color| HangingList::of(&position, color, &maps, &table()))
    }

    fn text(list: &HangingList) -> String {
        let men: Vec<String> = list.iter().map(|man| format!("{} {}", man.sq, man.loss)).collect();
        men.join(", ")
    }

    /// EVA-07, EVA-09, AMB-02: both lists of one position, dearest first, three at most.
    #[test]
    fn lists_are_sorted() {
        let fen = "3r2k1/5ppp/8/q2b4/1P2P3/2p5/Q4PPP/R5K1 w - - 0 1";
        let ByColor { white, black } = lists(fen);
        assert_eq!(
            (text(&white).as_str(), text(&black).as_str()),
            ("a2 9, b4 1, e4 1", "a5 9, d5 2")
        );
        assert_eq!((white.highest(), white.second()), (9, 1));
    }

    /// EVA-08, AMB-03: net gain, not the man's full value.
    #[test]
    fn gain_is_net() {
        // A rook attacks a knight that a pawn protects: safe. A bishop attacks a protected rook: 2.
        assert_eq!(text(&lists("4k3/5p2/4n3/8/8/8/4R3/4K3 w - - 0 1").black), "");
        assert_eq!(text(&lists("4k3/3p4/4r3/8/6B1/8/8/4K3 w - - 0 1").black), "e6 2");
        // The king may take only what nobody guards.
        assert_eq!(text(&lists("4k3/8/8/8/8/1b6/2n5/2K5 w - - 0 1").black), "");
        assert_eq!(text(&lists("4k3/8/8/8/8/8/2n5/2K5 w - - 0 1").black), "c2 3");
    }

    /// What SEE says of every man attacked in three middle games, the table says too.
    #[test]
    fn agrees_with_see() {
        let values =
            ExchangeValues::new(|role| Value::PAWN.binary() * by_role(role, [1, 3, 3, 5, 9, 0]));
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1",
            "2r3k1/1q3ppp/p3p3/1p1n4/3P4/1P1B1Q2/P4PPP/2R3K1 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).expect(fen);
            let maps = maps(&position);
            let mut moves: Vec<crate::types::Move> = Vec::new();
            position.legal_moves(&mut moves);
            for sq in position.by_color(position.turn().other()) {
                let piece = position.piece_at(sq);
                let best = moves
                    .iter()
                    .filter(|mv| mv.to() == sq && mv.is_capture())
                    .map(|&mv| position.see(mv, &values, SeePins::Ignored).binary() / 256)
                    .max();
                let loss = table().status(piece, maps.white.byte(sq), maps.black.byte(sq));
                let loss = i32::from(loss);
                if let Some(best) = best {
                    assert_eq!(loss, best.max(0), "{fen} {sq}");
                }
            }
        }
    }

    /// The men that are not looked up are safe by the table.
    #[test]
    fn the_short_cut_leaves_nobody_out() {
        let table = table();
        for fen in crate::bench::POSITIONS {
            let position = Position::from_fen(fen).expect(fen);
            let maps = maps(&position);
            for color in Color::ALL {
                let safe = position.by_color(color) & !doubtful(&position, color, &maps);
                for sq in safe {
                    let (white, black) = (maps.white.byte(sq), maps.black.byte(sq));
                    assert_eq!(table.status(position.piece_at(sq), white, black), 0, "{fen} {sq}");
                }
            }
        }
    }

    /// Values out of their usual order are looked up man by man.
    #[test]
    fn odd_values_count() {
        let fen = "2r1r1k1/1p3p1p/8/2N1N3/1P1P4/8/8/6K1 w - - 0 1";
        let losses = |values: &Hanging| {
            let position = Position::from_fen(fen).expect(fen);
            let maps = maps(&position);
            let list = HangingList::of(&position, Color::White, &maps, &StatusTable::new(values));
            list.iter().map(|man| man.loss).collect::<Vec<_>>()
        };
        assert!(losses(&Hanging::default()).is_empty());
        assert_eq!(losses(&Hanging { knight: 8, ..Hanging::default() }), [3, 3]);
    }
}
