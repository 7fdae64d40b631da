//! A position to replay games on.

use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Role, Setup,
    Square,
};

use super::reach::{ATTACKERS, between};

/// A man's code: 0 to 5 White's pawn, knight, bishop, rook, queen, king; 6 to 11 Black's.
pub type Man = u8;

/// The code of no man.
pub const EMPTY: Man = 12;

#[inline]
pub(super) fn bit(square: Square) -> u64 {
    1 << u32::from(square)
}

pub fn squares(board: u64) -> impl Iterator<Item = Square> {
    Bitboard(board).into_iter()
}

/// What a move changes on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// What moves; in castling the king.
    pub man: Man,
    pub from: Square,
    pub to: Square,
    /// What stands on `to` afterwards; differs from `man` after a promotion.
    pub becomes: Man,
    /// The captured man or [`EMPTY`], and its square, which is `to` but for en passant.
    pub captured: Man,
    pub captured_on: Square,
    /// The rook's squares when castling.
    pub rook: Option<(Square, Square)>,
}

/// A move without castling, en passant and promotion: what the compiler knows of the rest costs
/// nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainChange {
    pub(super) man: Man,
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) captured: Man,
}

impl From<PlainChange> for Change {
    #[inline(always)]
    fn from(PlainChange { man, from, to, captured }: PlainChange) -> Change {
        Change { man, from, to, becomes: man, captured, captured_on: to, rook: None }
    }
}

impl Change {
    /// Whether men leave the board or come to it.
    #[inline(always)]
    pub fn is_exchange(&self) -> bool {
        (self.captured != EMPTY) | (self.becomes != self.man)
    }

    /// As a move of shakmaty.
    pub fn to_move(self) -> shakmaty::Move {
        use shakmaty::Move;
        let role = |man: Man| ROLES[usize::from(man % 6)];
        match self {
            Change { rook: Some((rook, _)), from, .. } => Move::Castle { king: from, rook },
            Change { captured_on, from, to, .. } if captured_on != to => {
                Move::EnPassant { from, to }
            }
            Change { man, from, to, becomes, captured, .. } => Move::Normal {
                role: role(man),
                from,
                capture: (captured != EMPTY).then(|| role(captured)),
                to,
                promotion: (becomes != man).then(|| role(becomes)),
            },
        }
    }
}

pub(super) const ROLES: [Role; 6] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
pub(super) const PAWN: usize = 0;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
pub(super) const ROOK: usize = 3;
const QUEEN: usize = 4;
pub(super) const KING: usize = 5;

#[inline]
pub(super) fn man_of(color: Color, role: Role) -> Man {
    side(color) as Man * 6 + (role as u8 - 1)
}

#[inline]
pub(super) fn side(color: Color) -> usize {
    usize::from(color.is_black())
}

/// Placement, side to move, castling and en passant: what it takes to tell which move a word means. No
/// counters, no history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The squares of each man; more of them than men, so that a code needs no check of bounds.
    by_man: [u64; 16],
    by_color: [u64; 2],
    men: [Man; 64],
    /// The rooks that may still castle.
    castling: u64,
    /// The square that a pawn skipped with the last move.
    passed: u64,
    turn: Color,
    mode: CastlingMode,
}

impl Default for Board {
    /// The usual start position.
    fn default() -> Board {
        Board::new(&Chess::default())
    }
}

impl Board {
    pub fn new(start: &Chess) -> Board {
        let setup = start.to_setup(EnPassantMode::Always);
        let mut board = Board {
            by_man: [0; 16],
            by_color: [0; 2],
            men: [EMPTY; 64],
            castling: setup.castling_rights.0,
            passed: setup.ep_square.map_or(0, bit),
            turn: setup.turn,
            mode: start.castles().mode(),
        };
        for (square, piece) in setup.board {
            board.put(man_of(piece.color, piece.role), square);
        }
        board
    }

    /// As a position of shakmaty; `None` if it is not legal, which does not occur after legal
    /// moves.
    pub fn to_chess(&self) -> Option<Chess> {
        let mut setup = Setup::empty();
        for square in squares(self.occupied()) {
            let man = self.men[usize::from(square)];
            let piece =
                Piece { color: Color::from_white(man < 6), role: ROLES[usize::from(man % 6)] };
            setup.board.set_piece_at(square, piece);
        }
        setup.turn = self.turn;
        setup.castling_rights = Bitboard(self.castling);
        setup.ep_square = Bitboard(self.passed).first();
        Chess::from_setup(setup, self.mode)
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .ok()
    }

    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    pub fn occupied(&self) -> u64 {
        self.by_color[0] | self.by_color[1]
    }

    /// The squares of a man.
    #[inline]
    pub(super) fn of_man(&self, man: usize) -> u64 {
        self.by_man[man & 15]
    }

    #[inline]
    pub(super) fn passed(&self) -> u64 {
        self.passed
    }

    #[inline]
    pub(super) fn castling(&self) -> u64 {
        self.castling
    }

    /// The man on a square, or [`EMPTY`].
    #[inline]
    pub fn man(&self, square: Square) -> Man {
        self.men[usize::from(square)]
    }

    /// The number of men of each code.
    pub fn census(&self) -> [u8; 12] {
        std::array::from_fn(|man| self.of_man(man).count_ones() as u8)
    }

    /// The king of the side to move; there always is one.
    #[inline]
    pub(super) fn king(&self) -> Square {
        self.king_of(side(self.turn))
    }

    #[inline(always)]
    pub(super) fn king_of(&self, side: usize) -> Square {
        Square::new(self.of_man(side * 6 + KING).trailing_zeros() & 63)
    }

    /// Whether the side not to move, without the men on `without`, attacks a square, given
    /// `occupied`.
    #[inline]
    pub(super) fn is_attacked(&self, square: Square, occupied: u64, without: u64) -> bool {
        self.is_attacked_by(1 - side(self.turn), square, occupied, without)
    }

    /// Whether a side, without the men on `without`, attacks a square, given `occupied`.
    #[inline(always)]
    pub(super) fn is_attacked_by(
        &self,
        side: usize,
        square: Square,
        occupied: u64,
        without: u64,
    ) -> bool {
        let from = &ATTACKERS[usize::from(square)];
        let men = |role: usize| self.of_man(side * 6 + role);
        let queens = men(QUEEN);
        let near = (from.knights & men(KNIGHT))
            | (from.pawns[side] & men(PAWN))
            | (from.kings & men(KING));
        let far = (from.straight & (men(ROOK) | queens)) | (from.diagonal & (men(BISHOP) | queens));
        if near & !without != 0 {
            return true;
        }
        let mut far = far & !without;
        while far != 0 {
            if between(square, Square::new(far.trailing_zeros() & 63)) & occupied == 0 {
                return true;
            }
            far &= far - 1;
        }
        false
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.is_attacked(self.king(), self.occupied(), 0)
    }

    #[inline]
    fn put(&mut self, man: Man, square: Square) {
        self.by_man[usize::from(man & 15)] |= bit(square);
        self.by_color[usize::from(man / 6)] |= bit(square);
        self.men[usize::from(square)] = man;
    }

    /// The move must be legal.
    #[inline(always)]
    pub fn play(&mut self, change: &Change) {
        let Change { man, from, to, becomes, captured, captured_on, rook } = *change;
        let side = side(self.turn);
        // Where nothing is captured these change nothing.
        self.by_man[usize::from(captured & 15)] &= !bit(captured_on);
        self.by_color[1 - side] &= !bit(captured_on);
        self.men[usize::from(captured_on)] = EMPTY;
        self.by_man[usize::from(man & 15)] &= !bit(from);
        self.men[usize::from(from)] = EMPTY;
        let mut own = self.by_color[side] & !bit(from);
        if let Some((rook_from, rook_to)) = rook {
            let rook = man - KING as Man + ROOK as Man;
            // In Chess960 king and rook may change places: all leave before any comes.
            self.by_man[usize::from(rook & 15)] ^= bit(rook_from);
            self.by_man[usize::from(rook & 15)] |= bit(rook_to);
            self.men[usize::from(rook_from)] = EMPTY;
            self.men[usize::from(rook_to)] = rook;
            own = (own & !bit(rook_from)) | bit(rook_to);
        }
        self.by_man[usize::from(becomes & 15)] |= bit(to);
        self.by_color[side] = own | bit(to);
        self.men[usize::from(to)] = becomes;
        self.castling &= KEPT[usize::from(man & 15)] & !(bit(from) | bit(to));
        let (from, to) = (u32::from(from), u32::from(to));
        let is_double = (usize::from(man) == side * 6 + PAWN) & (from ^ to == 16);
        self.passed = u64::from(is_double) << ((from + to) / 2);
        self.turn = !self.turn;
    }

    /// The same of such a move of one side.
    #[inline(always)]
    pub fn play_plain<const BLACK: bool>(&mut self, change: &PlainChange) {
        let PlainChange { man, from, to, captured } = *change;
        let side = usize::from(BLACK);
        let moved = bit(from) | bit(to);
        // Where nothing is captured these change nothing.
        self.by_man[usize::from(captured & 15)] &= !bit(to);
        self.by_color[1 - side] &= !bit(to);
        self.by_man[usize::from(man & 15)] ^= moved;
        self.by_color[side] ^= moved;
        self.men[usize::from(from)] = EMPTY;
        self.men[usize::from(to)] = man;
        if self.castling != 0 {
            self.castling &= KEPT[usize::from(man & 15)] & !moved;
        }
        let (from, to) = (u32::from(from), u32::from(to));
        let is_double = (usize::from(man) == side * 6 + PAWN) & (from ^ to == 16);
        self.passed = u64::from(is_double) << ((from + to) / 2);
        self.turn = Color::from_white(BLACK);
    }
}

/// What a man's move leaves of the rights to castle: a king's none of its side.
static KEPT: [u64; 16] = {
    let mut kept = [!0; 16];
    kept[KING] = !0xff;
    kept[KING + 6] = !(0xff << 56);
    kept
};

/// The first rank of a side.
#[inline]
pub(super) fn home_rank(color: Color) -> u64 {
    color.fold_wb(0xff, 0xff << 56)
}
