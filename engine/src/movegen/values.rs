//! The byte values that REBEL's generator gives to moves (GEN-02, GEN-03, GEN-04).

use shakmaty::{Color, Role, Square};

use super::sink::Sink;
use crate::position::Position;
use crate::types::{Move, MoveKind, Piece, Value, relative_square};

/// Why a move has its place in the order; earlier classes are tried first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveClass {
    /// The move of the hash table (ORD-01).
    Hash,
    /// A killer that mated, or the mate that threatened before the defence (ORD-02, ORD-21).
    MateKiller,
    /// A capture that wins material (ORD-03).
    Winning,
    /// A promotion to a queen that is neither of the winning nor of the losing captures (ORD-05,
    /// ORD-06).
    Promotion,
    /// A capture that loses nothing (ORD-07).
    Equal,
    /// A quiet move that did well elsewhere: killers, historic mate killer, answer to the last move
    /// (ORD-08, ORD-12).
    Killer,
    /// Any other move that does not capture, castling and lesser promotions among them.
    Quiet,
    /// A capture or promotion to a queen that loses material; without SEE also a capture with a
    /// lesser promotion.
    Losing,
}

/// A move and its place in the order.
///
/// DIFFERS: the papers keep three parallel byte arrays, from, to and value (GEN-02). Here a move
/// is 16 bits, and its value 16 more: the paper's signed byte in the upper half, a fraction of a
/// point in the lower, which breaks ties by history or by the size of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Ordering points × 256.
    pub value: i16,
    see: i16,
    /// What kind of move it is to the order.
    pub class: MoveClass,
}

impl ScoredMove {
    const NO_SEE: i16 = i16::MIN;

    /// A move whose exchange nobody has looked at.
    #[inline]
    #[must_use]
    pub const fn new(mv: Move, value: i16, class: MoveClass) -> ScoredMove {
        ScoredMove { mv, value, see: ScoredMove::NO_SEE, class }
    }

    /// What the exchange wins, if it was worked out to find the move's place: it need not be worked
    /// out again.
    #[inline]
    #[must_use]
    pub fn see(&self) -> Option<Value> {
        (self.see != ScoredMove::NO_SEE).then(|| Value::new(i32::from(self.see)))
    }

    /// Keeps what the exchange wins. Only a king that takes a guarded man loses more than fits, and
    /// that is no legal move.
    #[inline]
    pub(crate) fn keep_see(&mut self, see: Value) {
        self.see = see.binary().clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16;
    }
}

/// Ordering points × 256, from whole points.
#[inline]
#[must_use]
pub(crate) const fn points(whole: i32) -> i16 {
    (if whole > 127 {
        127
    } else if whole < -128 {
        -128
    } else {
        whole
    } * 256) as i16
}

/// The ordering tables: 12 tables of 64 squares, not the evaluation's (GEN-03).
#[derive(Debug, Clone)]
pub struct OrderTable {
    squares: [[i8; 64]; Piece::CODES],
}

impl OrderTable {
    /// From White's six tables; Black's are their mirrors (MISS-08).
    pub fn new(white: impl Fn(Role, Square) -> i32) -> OrderTable {
        let mut squares = [[0; 64]; Piece::CODES];
        for (piece, color, role) in Piece::all() {
            for sq in Square::ALL {
                let seen = relative_square(color, sq);
                squares[piece.code()][sq as usize] = white(role, seen).clamp(-64, 63) as i8;
            }
        }
        OrderTable { squares }
    }

    /// Table value of the target minus that of the start, points.
    #[inline]
    #[must_use]
    pub fn difference(&self, piece: Piece, from: Square, to: Square) -> i32 {
        let table = &self.squares[piece.code()];
        i32::from(table[to as usize]) - i32::from(table[from as usize])
    }
}

/// The constant values, points (GEN-04).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamps {
    /// Promotion to a queen with capture: 121.
    pub capture_promotion: i32,
    /// Promotion to a queen: 120.
    pub promotion: i32,
    /// Equal captures by what takes what: QxQ 119 … PxP 114.
    pub equal_captures: [i32; 7],
    /// O-O 103.
    pub castle_king_side: i32,
    /// O-O-O 102.
    pub castle_queen_side: i32,
    /// Promotion to a lesser piece: 101.
    pub minor_promotion: i32,
}

/// Order of [`Stamps::equal_captures`].
pub(crate) const EQUAL_CAPTURES: [(Role, Role); 7] = [
    (Role::Queen, Role::Queen),
    (Role::Rook, Role::Rook),
    (Role::Knight, Role::Bishop),
    (Role::Bishop, Role::Bishop),
    (Role::Bishop, Role::Knight),
    (Role::Knight, Role::Knight),
    (Role::Pawn, Role::Pawn),
];

impl Stamps {
    /// The stamp of an equal capture, points; `None` when the two are not of one worth.
    #[must_use]
    pub fn equal_capture(&self, taker: Role, taken: Role) -> Option<i32> {
        let index = EQUAL_CAPTURES.iter().position(|&pair| pair == (taker, taken))?;
        Some(self.equal_captures[index])
    }
}

/// Receives moves and gives each its byte value while generating.
pub struct Stamp<'a> {
    /// The board the moves belong to.
    pub position: &'a Position,
    /// The ordering tables.
    pub table: &'a OrderTable,
    /// The constants.
    pub stamps: &'a Stamps,
    /// Where the moves go.
    pub moves: &'a mut Vec<ScoredMove>,
}

impl Stamp<'_> {
    /// Points and class. What takes without a stamp is ordered by the tables, among the losing
    /// captures until an update knows better.
    fn value(&self, role: Role, mv: Move) -> (i32, MoveClass) {
        let us: Color = self.position.turn();
        let by_table = |class| {
            let difference = self.table.difference(Piece::new(us, role), mv.from(), mv.to());
            (difference.clamp(-128, 100), class)
        };
        let capture = |taken: Option<Role>| {
            let stamp = taken.and_then(|taken| self.stamps.equal_capture(role, taken));
            stamp.map_or_else(|| by_table(MoveClass::Losing), |points| (points, MoveClass::Equal))
        };
        match mv.kind() {
            MoveKind::Castle if mv.to() > mv.from() => {
                (self.stamps.castle_king_side, MoveClass::Quiet)
            }
            MoveKind::Castle => (self.stamps.castle_queen_side, MoveClass::Quiet),
            MoveKind::CapturePromoteQueen => (self.stamps.capture_promotion, MoveClass::Promotion),
            MoveKind::PromoteQueen => (self.stamps.promotion, MoveClass::Promotion),
            MoveKind::EnPassant => capture(Some(Role::Pawn)),
            MoveKind::Capture => capture(self.position.piece_at(mv.to()).role()),
            MoveKind::Quiet | MoveKind::DoublePush => by_table(MoveClass::Quiet),
            _ if mv.is_capture() => (self.stamps.minor_promotion, MoveClass::Losing),
            _ => (self.stamps.minor_promotion, MoveClass::Quiet),
        }
    }
}

impl Sink for Stamp<'_> {
    #[inline]
    fn push(&mut self, role: Role, mv: Move) {
        let (value, class) = self.value(role, mv);
        self.moves.push(ScoredMove::new(mv, points(value), class));
    }
}
