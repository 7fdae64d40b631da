//! What a row of the table can hold.

use shakmaty::{Role, Square};

/// The form of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One whole number.
    Number,
    /// On or off.
    Switch,
    /// A number for each square, a1 first, from White's side.
    Squares,
    /// So many numbers.
    List(usize),
    /// One of these names.
    Choice(&'static [&'static str]),
}

/// What a parameter is to a tuner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A margin, depth or bonus of the search.
    Search,
    /// An evaluation weight in which the score is linear.
    Linear,
    /// An evaluation weight in which it is not.
    NonLinear,
    /// A move-ordering value.
    Order,
    /// Turns a mechanism on or off.
    Switch,
    /// Names a table; there is nothing between two of them.
    Choice,
}

/// A table of 64 squares, a1 = 0 … h8 = 63, from White's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Squares(pub [i16; 64]);

impl Squares {
    /// The value of a square seen by White.
    #[inline]
    #[must_use]
    pub const fn of(&self, sq: Square) -> i32 {
        self.0[sq as usize] as i32
    }
}

/// Cells of a piece-square table by king bucket: twelve buckets of 64 squares.
pub(crate) const KING_CELLS: usize = 12 * 64;

/// A field's cells, whatever its type.
pub(super) trait Field {
    const SHAPE: Shape;
    fn cell(&self, index: usize) -> i32;
    fn set_cell(&mut self, index: usize, value: i32);
}

impl Field for i32 {
    const SHAPE: Shape = Shape::Number;

    fn cell(&self, _index: usize) -> i32 {
        *self
    }

    fn set_cell(&mut self, _index: usize, value: i32) {
        *self = value;
    }
}

impl Field for bool {
    const SHAPE: Shape = Shape::Switch;

    fn cell(&self, _index: usize) -> i32 {
        i32::from(*self)
    }

    fn set_cell(&mut self, _index: usize, value: i32) {
        *self = value != 0;
    }
}

impl Field for Squares {
    const SHAPE: Shape = Shape::Squares;

    fn cell(&self, index: usize) -> i32 {
        i32::from(self.0[index])
    }

    fn set_cell(&mut self, index: usize, value: i32) {
        self.0[index] = value as i16;
    }
}

impl<const N: usize> Field for [i32; N] {
    const SHAPE: Shape = Shape::List(N);

    fn cell(&self, index: usize) -> i32 {
        self[index]
    }

    fn set_cell(&mut self, index: usize, value: i32) {
        self[index] = value;
    }
}

pub(super) fn square_name(cell: usize) -> String {
    Square::new(cell as u32 & 63).to_string()
}

/// The member of a group of six that belongs to a role.
pub(crate) fn by_role<T>(role: Role, [pawn, knight, bishop, rook, queen, king]: [T; 6]) -> T {
    match role {
        Role::Pawn => pawn,
        Role::Knight => knight,
        Role::Bishop => bishop,
        Role::Rook => rook,
        Role::Queen => queen,
        Role::King => king,
    }
}
