//! A move in 16 bits.

use std::fmt;

use shakmaty::{File, Role, Square};

/// What is special about a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum MoveKind {
    /// An ordinary move to an empty square.
    Quiet = 0,
    /// A pawn's first step of two squares.
    DoublePush = 1,
    /// Castling, written as king takes own rook, so that Chess960 needs no other form.
    Castle = 2,
    /// An ordinary capture.
    Capture = 4,
    /// En passant.
    EnPassant = 6,
    /// Promotion on an empty square.
    PromoteKnight = 8,
    /// Promotion on an empty square.
    PromoteBishop = 9,
    /// Promotion on an empty square.
    PromoteRook = 10,
    /// Promotion on an empty square.
    PromoteQueen = 11,
    /// Promotion with capture.
    CapturePromoteKnight = 12,
    /// Promotion with capture.
    CapturePromoteBishop = 13,
    /// Promotion with capture.
    CapturePromoteRook = 14,
    /// Promotion with capture.
    CapturePromoteQueen = 15,
}

impl MoveKind {
    const BY_CODE: [MoveKind; 16] = [
        MoveKind::Quiet,
        MoveKind::DoublePush,
        MoveKind::Castle,
        MoveKind::Quiet,
        MoveKind::Capture,
        MoveKind::Quiet,
        MoveKind::EnPassant,
        MoveKind::Quiet,
        MoveKind::PromoteKnight,
        MoveKind::PromoteBishop,
        MoveKind::PromoteRook,
        MoveKind::PromoteQueen,
        MoveKind::CapturePromoteKnight,
        MoveKind::CapturePromoteBishop,
        MoveKind::CapturePromoteRook,
        MoveKind::CapturePromoteQueen,
    ];

    /// The promotion to `role`, which is knight, bishop, rook or queen (anything else: queen).
    #[inline]
    #[must_use]
    pub const fn promotion(role: Role, capture: bool) -> MoveKind {
        let offset = match role {
            Role::Knight => 0,
            Role::Bishop => 1,
            Role::Rook => 2,
            _ => 3,
        };
        MoveKind::BY_CODE[8 + offset + if capture { 4 } else { 0 }]
    }
}

/// A move: from and to squares and what is special about it.
///
/// Not tied to a position: whether it can be played there, ask the position. The default is
/// [`Move::NONE`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

impl Move {
    /// No move (a1a1, which no piece can play).
    pub const NONE: Move = Move(0);

    /// A move of its parts.
    #[inline]
    #[must_use]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        Move(from as u16 | (to as u16) << 6 | (kind as u16) << 12)
    }

    /// The 16 bits: from (0–5), to (6–11), kind (12–15).
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The move of 16 bits; any bits are a move, though perhaps one that no position has.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// Whether this is [`Move::NONE`].
    #[inline]
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Where it starts.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u32)
    }

    /// Where it ends; for castling the rook's square.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u32)
    }

    /// Where the man that moves stands behind it; for castling the king's square.
    #[inline]
    #[must_use]
    pub fn landing(self) -> Square {
        match self.kind() {
            MoveKind::Castle if self.to() > self.from() => {
                Square::from_coords(File::G, self.from().rank())
            }
            MoveKind::Castle => Square::from_coords(File::C, self.from().rank()),
            _ => self.to(),
        }
    }

    /// What is special about it.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        MoveKind::BY_CODE[(self.0 >> 12) as usize]
    }

    /// Whether one man goes from one square to the other, perhaps taking what stands there: neither
    /// castling nor en passant nor promotion.
    #[inline]
    #[must_use]
    pub const fn is_plain(self) -> bool {
        self.0 & 0b1010 << 12 == 0
    }

    /// Whether it is a pawn's first step of two squares.
    #[inline]
    #[must_use]
    pub const fn is_double_push(self) -> bool {
        self.0 >> 12 == MoveKind::DoublePush as u16
    }

    /// Whether it takes a man.
    #[inline]
    #[must_use]
    pub const fn is_capture(self) -> bool {
        self.0 & 4 << 12 != 0
    }

    /// Whether it promotes.
    #[inline]
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        self.0 & 8 << 12 != 0
    }

    /// Whether it neither takes nor promotes.
    #[inline]
    #[must_use]
    pub const fn is_quiet(self) -> bool {
        self.0 & 12 << 12 == 0
    }

    /// What it promotes to.
    #[inline]
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        match self.kind() {
            MoveKind::PromoteKnight | MoveKind::CapturePromoteKnight => Some(Role::Knight),
            MoveKind::PromoteBishop | MoveKind::CapturePromoteBishop => Some(Role::Bishop),
            MoveKind::PromoteRook | MoveKind::CapturePromoteRook => Some(Role::Rook),
            MoveKind::PromoteQueen | MoveKind::CapturePromoteQueen => Some(Role::Queen),
            _ => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}({:?})", self.from(), self.to(), self.kind())
    }
}
