//! The ending's type: a material byte for each side, sixteen types, and what the paper does where
//! two of them meet (END-03, END-04, END-06).

use crate::eval::context::Context;
use crate::types::{Bitboard, Color, Role};

/// Types of a side's material.
pub(super) const TYPES: usize = 16;

/// The index table's word for "not supported".
const UNSUPPORTED: u8 = 17;

/// The type of each material byte (END-04). The paper prints it twice, by rows of sixteen for
/// White and as it is for Black.
#[rustfmt::skip]
const INDEX: [u8; 256] = {
    let mut index = [UNSUPPORTED; 256];
    let types: [(usize, u8); 17] = [
        (0b0000_0000, 0),  // king
        (0b0000_0001, 1),  // pawn
        (0b0000_0010, 2),  // two pawns
        (0b0000_0011, 3),  // three pawns
        (0b0000_0100, 4),  // knight
        (0b0000_1000, 5),  // two knights
        (0b0001_0000, 6),  // bishop
        (0b0001_0100, 7),  // knight and bishop
        (0b0010_0000, 8),  // two bishops
        (0b0100_0000, 9),  // rook
        (0b0100_0100, 10), // rook and knight
        (0b0101_0000, 10), // rook and bishop
        (0b0000_0101, 11), // knight and pawn
        (0b0001_0001, ROOK_PAWN), // bishop and pawn
        (0b0100_0001, 14), // rook and pawn
        (0b1000_0000, 15), // queen
        (0b1111_1111, UNSUPPORTED),
    ];
    let mut next = 0;
    while next < types.len() {
        index[types[next].0] = types[next].1;
        next += 1;
    }
    index
};

/// Bishop and a rook pawn whose promotion square it does not cover.
const ROOK_PAWN: u8 = 12;
/// Bishop and any other pawn.
const BISHOP_AND_PAWN: u8 = 13;

/// What is done where two types meet, row White, column Black (END-06, END-07). As printed but for
/// [`UNMIRRORED`].
#[rustfmt::skip]
const JUMP: [&[u8; TYPES]; TYPES] = [
    b"!pNN!R!kNNNNlNNN", // king
    b"PNNNNNNNNNNNlNNd", // pawn
    b"NNNNNNNNNNNNlNNN", // two pawns
    b"NNNNNNNNNNNNNNNN", // three pawns
    b"!NNNRRRxyxNNNNNN", // knight
    b"RNNNRRRNRRyyyyyN", // two knights
    b"!NNNRRRxxxNxyyNN", // bishop
    b"KNNNXNXNNXyxxxxN", // knight and bishop
    b"NNNNYRXNNYxXXXXN", // two bishops
    b"NNNNXRXxyRxxyytq", // rook
    b"NNNNNYNYXXNNNNxx", // rook and minor piece
    b"NNNNNYXXxXNNNNNN", // knight and pawn
    b"LLLNNYYXxYNNNNNN", // bishop and wrong rook pawn
    b"NNNNNYYXxYNNNNNN", // bishop and pawn
    b"NNNNNYNXxTXNNNNN", // rook and pawn
    b"NDNNNNNNNQXNNNNN", // queen
];

/// White's two bishops against two knights: printed as N, and R the other way round (AMB-59).
const UNMIRRORED: EndgameCell = EndgameCell(TYPES * 8 + 5);

/// A cell of the 16×16 tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EndgameCell(usize);

impl EndgameCell {
    /// The cell of a position; `None` when a side's material has no type.
    #[inline]
    pub(super) fn of(cx: &Context<'_>) -> Option<EndgameCell> {
        // No type holds more than a queen: this ends most positions here.
        const MOST: i32 = 9;
        let pieces = &cx.stage.pieces;
        if pieces.white > MOST || pieces.black > MOST {
            return None;
        }
        let white = material_type(cx, Color::White)?;
        let black = material_type(cx, Color::Black)?;
        Some(EndgameCell(TYPES * white + black))
    }

    /// Row White, column Black, as one number.
    pub(super) fn index(self) -> usize {
        self.0
    }

    /// What the jump table says; unless `mirrored`, [`UNMIRRORED`] as printed.
    pub(super) fn action(self, mirrored: bool) -> Action {
        if self == UNMIRRORED && !mirrored {
            return Action::Nothing;
        }
        Action::of(JUMP[self.0 / TYPES][self.0 % TYPES])
    }
}

/// What to do with an ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// N: nothing more.
    Nothing,
    /// R and !: a draw.
    Draw,
    /// X, x: a small advantage of one colour, and kings to the centre.
    Small(Color),
    /// Y, y: a larger one.
    Large(Color),
    /// Code of its own, for the colour that has more.
    Special(Special, Color),
}

/// Endings with code of their own (END-07).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    /// L: bishop and wrong rook pawn against at most two pawns.
    WrongBishop,
    /// P: pawn against king.
    Pawn,
    /// K: bishop and knight against king.
    BishopKnight,
    /// D: queen against pawn.
    QueenPawn,
    /// T: rook and pawn against rook.
    RookPawn,
    /// Q: queen against rook.
    QueenRook,
}

impl Action {
    /// Capital letters are White's advantage.
    fn of(letter: u8) -> Action {
        let strong = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match letter.to_ascii_uppercase() {
            b'R' | b'!' => Action::Draw,
            b'X' => Action::Small(strong),
            b'Y' => Action::Large(strong),
            b'L' => Action::Special(Special::WrongBishop, strong),
            b'P' => Action::Special(Special::Pawn, strong),
            b'K' => Action::Special(Special::BishopKnight, strong),
            b'D' => Action::Special(Special::QueenPawn, strong),
            b'T' => Action::Special(Special::RookPawn, strong),
            b'Q' => Action::Special(Special::QueenRook, strong),
            _ => Action::Nothing,
        }
    }
}

/// The type of a side's material, 0..16.
fn material_type(cx: &Context<'_>, color: Color) -> Option<usize> {
    let byte = material_byte(Role::ALL.map(|role| cx.men(color, role).count()));
    let mut kind = INDEX[byte];
    // The index knows only one type for bishop and pawn (AMB-58).
    if kind == ROOK_PAWN && !is_wrong_bishop(cx, color) {
        kind = BISHOP_AND_PAWN;
    }
    (kind != UNSUPPORTED).then_some(usize::from(kind))
}

/// The material byte of a side (END-03): pawns in bits 0–1, knights 2–3, bishops 4–5, rook 6,
/// queen 7; all ones when there are more of a kind than the byte is meant for.
fn material_byte([pawns, knights, bishops, rooks, queens, _]: [usize; 6]) -> usize {
    if pawns > 3 || knights > 2 || bishops > 2 || rooks > 1 || queens > 1 {
        return 0xff;
    }
    pawns | knights << 2 | bishops << 4 | rooks << 6 | queens << 7
}

/// Whether all pawns of a colour stand on the a- or all on the h-file, and its bishop cannot go to
/// their promotion square.
fn is_wrong_bishop(cx: &Context<'_>, color: Color) -> bool {
    let (pawns, bishops) = (cx.men(color, Role::Pawn), cx.men(color, Role::Bishop));
    let on = |file: Bitboard| pawns.is_subset(file);
    let (a_file, h_file) = (Bitboard(0x0101_0101_0101_0101), Bitboard(0x8080_8080_8080_8080));
    // a8 and h1 are light, a1 and h8 dark.
    let light_corner = color.is_white() == on(a_file);
    let covering = if light_corner { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    (on(a_file) || on(h_file)) && (bishops & covering).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;

    fn papers_table(name: &str) -> serde_json::Value {
        let text = include_str!("../../../tests/data/papers_tables.json");
        let mut json: serde_json::Value = serde_json::from_str(text).expect("JSON");
        json["tables"][name].take()
    }

    /// END-04: both printed lists, rows sixteen apart for White.
    #[test]
    fn index_is_the_papers() {
        for (name, step) in [("endgame.index_white", 16), ("endgame.index_black", 1)] {
            let table = papers_table(name);
            let printed = table["values"].as_array().expect("a list");
            assert_eq!(printed.len(), INDEX.len());
            for (byte, (printed, &own)) in printed.iter().zip(&INDEX).enumerate() {
                let own = if own == UNSUPPORTED { 17 } else { u64::from(own) * step };
                assert_eq!(printed.as_u64(), Some(own), "{name}, byte {byte:#x}");
            }
        }
    }

    /// END-06: the jump table letter by letter, with the register's correction (AMB-59).
    #[test]
    fn jumps_are_the_papers() {
        let table = papers_table("endgame.jump");
        let corrected = table["proposed_cells"].as_array().expect("corrections");
        for (row, letters) in JUMP.iter().enumerate() {
            for (column, &own) in letters.iter().enumerate() {
                let correction = corrected.iter().find(|cell| cell[0] == row && cell[1] == column);
                let printed =
                    correction.map_or(&table["rows"][row][column], |correction| &correction[2]);
                assert_eq!(
                    printed.as_str(),
                    Some(char::from(own).to_string().as_str()),
                    "{row} {column}"
                );
            }
        }
    }

    /// END-06: not mirrored, the jump table is the printed one.
    #[test]
    fn jumps_are_as_printed() {
        let table = papers_table("endgame.jump");
        for cell in 0..TYPES * TYPES {
            let printed = table["rows"][cell / TYPES][cell % TYPES].as_str().expect("a letter");
            let printed = Action::of(printed.as_bytes()[0]);
            assert_eq!(EndgameCell(cell).action(false), printed, "{cell}");
        }
        assert_ne!(UNMIRRORED.action(false), UNMIRRORED.action(true));
    }

    #[test]
    fn byte_is_the_papers() {
        // END-03: pawns 0–1, knights 2–3, bishops 4–5, rook 6, queen 7.
        assert_eq!(material_byte([3, 0, 0, 0, 0, 1]), 3);
        assert_eq!(material_byte([1, 1, 0, 0, 0, 1]), 5);
        assert_eq!(material_byte([0, 0, 2, 0, 0, 1]), 32);
        assert_eq!(material_byte([1, 0, 0, 1, 0, 1]), 65);
        assert_eq!(material_byte([0, 0, 0, 0, 1, 1]), 128);
        for too_many in
            [[4, 0, 0, 0, 0, 1], [0, 3, 0, 0, 0, 1], [0, 0, 3, 0, 0, 1], [0, 0, 0, 2, 0, 1]]
        {
            assert_eq!(INDEX[material_byte(too_many)], UNSUPPORTED);
        }
        assert_eq!(material_byte([0, 0, 0, 0, 2, 1]), 0xff);
    }

    /// Both halves say the same of both colours (AMB-59).
    #[test]
    fn tables_are_mirrors() {
        let adjust = Params::default().endgame.adjust;
        for white in 0..TYPES {
            for black in 0..TYPES {
                let (cell, mirror) =
                    (EndgameCell(white * TYPES + black), EndgameCell(black * TYPES + white));
                assert_eq!(adjust[cell.0], -adjust[mirror.0], "{white} {black}");
                let turned = match mirror.action(true) {
                    Action::Small(color) => Action::Small(color.other()),
                    Action::Large(color) => Action::Large(color.other()),
                    Action::Special(special, color) => Action::Special(special, color.other()),
                    same => same,
                };
                assert_eq!(cell.action(true), turned, "{white} {black}");
            }
        }
    }

    /// Only L and Q cells combine an adjustment with code of their own (AMB-63); since the queen's
    /// row is corrected (AMB-59), only L does.
    #[test]
    fn adjustments_meet_no_fixed_score() {
        let adjust = Params::default().endgame.adjust;
        for (cell, &points) in adjust.iter().enumerate() {
            let action = EndgameCell(cell).action(true);
            let adjustable =
                matches!(action, Action::Nothing | Action::Special(Special::WrongBishop, _));
            assert!(points == 0 || adjustable, "{cell}: {action:?}");
        }
    }
}
