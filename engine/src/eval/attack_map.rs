//! The papers' WB and BB: for every square how many men of a colour control it, and of what kinds.
//!
//! Mobility, king safety, pawns, passed pawns, centre, outposts and hanging pieces all read them
//! (EVA-06). REBEL kept 64 bytes a colour (EVA-03), and Mediocre found bytes three times cheaper to
//! set up than integers (EVA-14); here the same bytes lie across eight bitboards, which need no
//! clearing and answer for many squares at once.

use shakmaty::attacks;

use crate::position::Position;
use crate::types::{Bitboard, Color, Role, Square};

/// The kinds of attackers that a byte tells apart; the number is the bit (EVA-04).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttackerClass {
    /// A pawn, bit 3.
    Pawn = 3,
    /// A knight or bishop, bit 4.
    Minor = 4,
    /// A rook, bit 5.
    Rook = 5,
    /// A queen, bit 6.
    Queen = 6,
    /// The king, bit 7.
    King = 7,
}

impl AttackerClass {
    /// All of them, cheapest first.
    pub const ALL: [AttackerClass; 5] = [
        AttackerClass::Pawn,
        AttackerClass::Minor,
        AttackerClass::Rook,
        AttackerClass::Queen,
        AttackerClass::King,
    ];

    /// The class of a role.
    #[must_use]
    pub const fn of(role: Role) -> AttackerClass {
        match role {
            Role::Pawn => AttackerClass::Pawn,
            Role::Knight | Role::Bishop => AttackerClass::Minor,
            Role::Rook => AttackerClass::Rook,
            Role::Queen => AttackerClass::Queen,
            Role::King => AttackerClass::King,
        }
    }
}

/// One square's byte: bits 0–2 count the attackers, up to 7; bits 3–7 name their classes (EVA-04).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AttackByte(pub u8);

impl AttackByte {
    /// How many men control the square; 7 stands for 7 and more (AMB-05).
    #[inline]
    #[must_use]
    pub const fn count(self) -> u32 {
        (self.0 & 7) as u32
    }

    /// Whether a man of a class controls the square.
    #[inline]
    #[must_use]
    pub const fn has(self, class: AttackerClass) -> bool {
        self.0 & 1 << class as u8 != 0
    }

    /// The cheapest man that controls the square, in pawns: 1, 3, 5, 9, king 99, nobody 0 (EVA-10).
    #[inline]
    #[must_use]
    pub const fn smallest(self) -> i32 {
        const PAWNS: [i32; 9] = [1, 3, 5, 9, 99, 0, 0, 0, 0];
        PAWNS[(self.0 >> 3).trailing_zeros() as usize]
    }
}

/// A colour's bytes for the whole board, held by bit instead of by square: plane *b* is the set of
/// squares whose byte has bit *b* set. A question about many squares is then one about sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AttackMap {
    planes: [u64; 8],
}

impl AttackMap {
    /// The map of a colour: every square its men control, empty or occupied by either side
    /// (EVA-05). With `xray`, sliders look through own sliders that go the same way (AMB-06).
    #[must_use]
    pub fn of(position: &Position, color: Color, xray: bool) -> AttackMap {
        let mut map = AttackMap::default();
        let men = |role| position.men_of(color, role);
        let pawns = men(Role::Pawn);
        let (west, east) = pawn_attacks(color, pawns);
        map.add(west, AttackerClass::Pawn);
        map.add(east, AttackerClass::Pawn);
        let occupied = position.occupied();
        let queens = men(Role::Queen);
        let (straight, diagonal) = if xray {
            (occupied & !(men(Role::Rook) | queens), occupied & !(men(Role::Bishop) | queens))
        } else {
            (occupied, occupied)
        };
        for sq in men(Role::Knight) {
            map.add(attacks::knight_attacks(sq), AttackerClass::Minor);
        }
        for sq in men(Role::Bishop) {
            map.add(attacks::bishop_attacks(sq, diagonal), AttackerClass::Minor);
        }
        for sq in men(Role::Rook) {
            map.add(attacks::rook_attacks(sq, straight), AttackerClass::Rook);
        }
        for sq in queens {
            let squares =
                attacks::rook_attacks(sq, straight) | attacks::bishop_attacks(sq, diagonal);
            map.add(squares, AttackerClass::Queen);
        }
        map.add(attacks::king_attacks(position.king(color)), AttackerClass::King);
        map
    }

    /// One man more controls `squares`.
    #[inline]
    fn add(&mut self, squares: Bitboard, class: AttackerClass) {
        let planes = &mut self.planes;
        let twos = planes[0] & squares.0;
        let fours = planes[1] & twos;
        let beyond = planes[2] & fours;
        planes[0] = planes[0] ^ squares.0 | beyond;
        planes[1] = planes[1] ^ twos | beyond;
        planes[2] = planes[2] ^ fours | beyond;
        planes[class as usize] |= squares.0;
    }

    /// The byte of a square: the papers' `WB[square]`.
    #[inline]
    #[must_use]
    pub fn byte(&self, sq: Square) -> AttackByte {
        let mut byte = 0;
        for (bit, plane) in self.planes.iter().enumerate() {
            byte |= ((plane >> sq as u32 & 1) as u8) << bit;
        }
        AttackByte(byte)
    }

    /// All squares under control: byte not 0.
    #[inline]
    #[must_use]
    pub fn any(&self) -> Bitboard {
        Bitboard(self.planes[0] | self.planes[1] | self.planes[2])
    }

    /// The squares under control of a class.
    #[inline]
    #[must_use]
    pub fn by(&self, class: AttackerClass) -> Bitboard {
        Bitboard(self.planes[class as usize])
    }

    /// The squares under control of two men or more: `byte & 6`.
    #[inline]
    #[must_use]
    pub fn twice(&self) -> Bitboard {
        Bitboard(self.planes[1] | self.planes[2])
    }

    /// The squares that only the king controls: byte 0x81 (AMB-07).
    #[inline]
    #[must_use]
    pub fn king_only(&self) -> Bitboard {
        let [_, _, _, pawn, minor, rook, queen, king] = self.planes;
        Bitboard(king & !(pawn | minor | rook | queen))
    }
}

/// What pawns of a colour control towards the a-file and towards the h-file.
#[inline]
#[must_use]
pub fn pawn_attacks(color: Color, pawns: Bitboard) -> (Bitboard, Bitboard) {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    match color {
        Color::White => (Bitboard((pawns.0 & NOT_A) << 7), Bitboard((pawns.0 & NOT_H) << 9)),
        Color::Black => (Bitboard((pawns.0 & NOT_A) >> 9), Bitboard((pawns.0 & NOT_H) >> 7)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's own loop: scan the board, count and mark each controlled square.
    fn scanned(position: &Position, color: Color) -> [u8; 64] {
        let mut table = [0_u8; 64];
        for sq in position.by_color(color) {
            let role = position.piece_at(sq).role().expect("a man stands here");
            for target in attacks::attacks(sq, role.of(color), position.occupied()) {
                let byte = &mut table[target as usize];
                *byte = (*byte & 7).saturating_add(1).min(7)
                    | *byte & !7
                    | 1 << AttackerClass::of(role) as u8;
            }
        }
        table
    }

    /// EVA-03, EVA-04, AMB-05; EVA-14 is about the speed of the same table.
    #[test]
    fn bytes_are_the_papers() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "1k6/8/8/8/R6R/2NP1PN1/3N1N2/4Q1K1 w - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ];
        for fen in fens {
            let position = Position::from_fen(fen).expect(fen);
            for color in Color::ALL {
                let (map, table) =
                    (AttackMap::of(&position, color, false), scanned(&position, color));
                for sq in Square::ALL {
                    assert_eq!(map.byte(sq).0, table[sq as usize], "{fen} {color} {sq}");
                }
                let set = |test: &dyn Fn(u8) -> bool| -> Bitboard {
                    Square::ALL.into_iter().filter(|&sq| test(table[sq as usize])).collect()
                };
                assert_eq!(map.any(), set(&|byte| byte != 0));
                assert_eq!(map.twice(), set(&|byte| byte & 6 != 0));
                assert_eq!(map.king_only(), set(&|byte| byte == 0x81));
            }
        }
    }

    /// EVA-03, EVA-05: the knight on g1 marks e2, f3 and h3, own men or not.
    #[test]
    fn the_knight_on_g1() {
        let start = AttackMap::of(&Position::startpos(), Color::White, false);
        assert_eq!(start.byte(Square::F3).0, 2 | 8 | 16 | 1, "two pawns and the knight");
        assert_eq!(start.byte(Square::E2).count(), 4, "knight, bishop, queen, king");
        assert_eq!(start.byte(Square::E2).0, 4 | 16 | 64 | 128);
    }

    /// EVA-10.
    #[test]
    fn smallest_attacker() {
        let smallest = |byte| AttackByte(byte).smallest();
        assert_eq!(smallest(0), 0);
        assert_eq!(smallest(0x81), 99);
        assert_eq!([8 | 1, 16 | 1, 32 | 1, 64 | 1].map(smallest), [1, 3, 5, 9]);
        assert_eq!(smallest(0xf8 | 5), 1);
        assert_eq!(smallest(0xe0 | 3), 5);
    }

    #[test]
    fn xray_is_a_switch() {
        let position = Position::from_fen("4k3/8/8/8/3R4/8/3R4/4K3 w - - 0 1").expect("legal");
        let count = |xray| AttackMap::of(&position, Color::White, xray).byte(Square::D8).count();
        assert_eq!((count(false), count(true)), (1, 2));
    }
}
