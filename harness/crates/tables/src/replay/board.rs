//! A position to replay games on.

use shakmaty::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks,
    rook_attacks,
};
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Role, Setup,
    Square,
};

/// A man's code: 0 to 5 White's pawn, knight, bishop, rook, queen, king; 6 to 11 Black's.
pub(super) type Man = u8;

const EMPTY: Man = 12;

#[inline]
pub(super) fn bit(square: Square) -> u64 {
    1 << u32::from(square)
}

pub(crate) fn squares(board: u64) -> impl Iterator<Item = Square> {
    Bitboard(board).into_iter()
}

/// What a move changes on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Change {
    /// What moves; in castling the king.
    pub(crate) man: Man,
    pub(crate) from: Square,
    pub(crate) to: Square,
    /// What stands on `to` afterwards; differs from `man` after a promotion.
    pub(crate) becomes: Man,
    /// The captured man, and its square.
    pub(crate) captured: Option<(Man, Square)>,
    /// The rook's squares when castling.
    pub(crate) rook: Option<(Square, Square)>,
}

impl Change {
    /// As a move of shakmaty.
    pub(crate) fn to_move(self) -> shakmaty::Move {
        use shakmaty::Move;
        let role = |man: Man| ROLES[usize::from(man % 6)];
        match self {
            Change { rook: Some((rook, _)), from, .. } => Move::Castle { king: from, rook },
            Change { captured: Some((_, on)), from, to, .. } if on != to => {
                Move::EnPassant { from, to }
            }
            Change { man, from, to, becomes, captured, .. } => Move::Normal {
                role: role(man),
                from,
                capture: captured.map(|(man, _)| role(man)),
                to,
                promotion: (becomes != man).then(|| role(becomes)),
            },
        }
    }
}

pub(super) const ROLES: [Role; 6] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
const PAWN: usize = 0;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;
const KING: usize = 5;

/// The squares in line with each square.
static LINES: [u64; 64] = {
    let mut lines = [0; 64];
    let mut square = 0;
    while square < 64 {
        lines[square] = queen_attacks(Square::new(square as u32), Bitboard::EMPTY).0;
        square += 1;
    }
    lines
};

/// Whether the squares share a rank, file or diagonal.
#[inline]
pub(super) fn in_line(square: Square, other: Square) -> bool {
    LINES[usize::from(square)] & bit(other) != 0
}

#[inline]
pub(super) fn man_of(color: Color, role: Role) -> Man {
    side(color) as Man * 6 + (role as u8 - 1)
}

#[inline]
pub(super) fn side(color: Color) -> usize {
    usize::from(color.is_black())
}

/// Placement, side to move, castling and en passant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Board {
    by_role: [u64; 6],
    by_color: [u64; 2],
    men: [Man; 64],
    /// The rooks that may still castle.
    castling: u64,
    /// The square that a pawn skipped with the last move.
    passed: Option<Square>,
    turn: Color,
    /// Whether the side to move is in check.
    check: bool,
    mode: CastlingMode,
}

impl Board {
    pub(crate) fn new(start: &Chess) -> Board {
        let setup = start.to_setup(EnPassantMode::Always);
        let mut board = Board {
            by_role: [0; 6],
            by_color: [0; 2],
            men: [EMPTY; 64],
            castling: setup.castling_rights.0,
            passed: setup.ep_square,
            turn: setup.turn,
            check: false,
            mode: start.castles().mode(),
        };
        for (square, piece) in setup.board {
            board.put(man_of(piece.color, piece.role), square);
        }
        board.check = board.is_attacked(board.king(), board.occupied(), 0);
        board
    }

    /// As a position of shakmaty; `None` if it is not legal, which does not occur after legal
    /// moves.
    pub(crate) fn to_chess(&self) -> Option<Chess> {
        let mut setup = Setup::empty();
        for square in squares(self.occupied()) {
            let man = self.men[usize::from(square)];
            let piece =
                Piece { color: Color::from_white(man < 6), role: ROLES[usize::from(man % 6)] };
            setup.board.set_piece_at(square, piece);
        }
        setup.turn = self.turn;
        setup.castling_rights = Bitboard(self.castling);
        setup.ep_square = self.passed;
        Chess::from_setup(setup, self.mode)
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .ok()
    }

    #[inline]
    pub(crate) fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    pub(crate) fn occupied(&self) -> u64 {
        self.by_color[0] | self.by_color[1]
    }

    #[inline]
    pub(super) fn own(&self) -> u64 {
        self.by_color[side(self.turn)]
    }

    #[inline]
    pub(super) fn of_role(&self, role: Role) -> u64 {
        self.by_role[role as usize - 1]
    }

    #[inline]
    pub(super) fn passed(&self) -> Option<Square> {
        self.passed
    }

    #[inline]
    pub(super) fn castling(&self) -> u64 {
        self.castling
    }

    /// The square must not be empty.
    #[inline]
    pub(crate) fn man(&self, square: Square) -> Man {
        self.men[usize::from(square)]
    }

    /// The number of men of each code.
    pub(crate) fn census(&self) -> [u8; 12] {
        std::array::from_fn(|man| {
            (self.by_role[man % 6] & self.by_color[man / 6]).count_ones() as u8
        })
    }

    /// The king of the side to move; there always is one.
    #[inline]
    pub(super) fn king(&self) -> Square {
        let king = self.by_role[KING] & self.own();
        Square::new(king.trailing_zeros().min(63))
    }

    /// Whether the side not to move, without the men on `without`, attacks a square, given
    /// `occupied`.
    #[inline]
    pub(super) fn is_attacked(&self, square: Square, occupied: u64, without: u64) -> bool {
        let them = self.by_color[1 - side(self.turn)] & !without;
        let leapers = (knight_attacks(square).0 & self.by_role[KNIGHT])
            | (king_attacks(square).0 & self.by_role[KING])
            | (pawn_attacks(self.turn, square).0 & self.by_role[PAWN]);
        if leapers & them != 0 {
            return true;
        }
        let straight = (self.by_role[ROOK] | self.by_role[QUEEN]) & them;
        let diagonal = (self.by_role[BISHOP] | self.by_role[QUEEN]) & them;
        (rook_attacks(square, Bitboard(occupied)).0 & straight)
            | (bishop_attacks(square, Bitboard(occupied)).0 & diagonal)
            != 0
    }

    #[inline]
    pub(crate) fn is_check(&self) -> bool {
        self.check
    }

    /// Whether the move that was just made attacks the king of the side now to move.
    #[inline]
    fn gives_check(&self, change: &Change) -> bool {
        let king = self.king();
        let takes_elsewhere = change.captured.is_some_and(|(_, square)| square != change.to);
        if change.rook.is_some() || takes_elsewhere || in_line(king, change.from) {
            return self.is_attacked(king, self.occupied(), 0);
        }
        let (to, occupied) = (change.to, self.occupied());
        let is_open = || between(king, to).0 & occupied == 0;
        let straight = king.file() == to.file() || king.rank() == to.rank();
        match usize::from(change.becomes % 6) {
            PAWN => pawn_attacks(self.turn, king).0 & bit(to) != 0,
            KNIGHT => knight_attacks(king).0 & bit(to) != 0,
            BISHOP => in_line(king, to) && !straight && is_open(),
            ROOK => straight && is_open(),
            QUEEN => in_line(king, to) && is_open(),
            _ => false,
        }
    }

    #[inline]
    fn put(&mut self, man: Man, square: Square) {
        self.by_role[usize::from(man % 6)] |= bit(square);
        self.by_color[usize::from(man / 6)] |= bit(square);
        self.men[usize::from(square)] = man;
    }

    #[inline]
    fn take(&mut self, man: Man, square: Square) {
        self.by_role[usize::from(man % 6)] &= !bit(square);
        self.by_color[usize::from(man / 6)] &= !bit(square);
        self.men[usize::from(square)] = EMPTY;
    }

    /// The move must be legal.
    #[inline]
    pub(crate) fn play(&mut self, change: &Change) {
        self.take(change.man, change.from);
        if let Some((man, square)) = change.captured {
            self.take(man, square);
        }
        if let Some((from, to)) = change.rook {
            let rook = change.man - KING as Man + ROOK as Man;
            // In Chess960 king and rook may change places: all leave before any comes.
            self.take(rook, from);
            self.put(rook, to);
        }
        self.put(change.becomes, change.to);
        self.castling &= !(bit(change.from) | bit(change.to));
        self.passed = None;
        match usize::from(change.man % 6) {
            KING => self.castling &= !home_rank(self.turn),
            PAWN if u32::from(change.from).abs_diff(u32::from(change.to)) == 16 => {
                let between = (u32::from(change.from) + u32::from(change.to)) / 2;
                self.passed = Some(Square::new(between));
            }
            _ => (),
        }
        self.turn = !self.turn;
        self.check = self.gives_check(change);
    }
}

/// The first rank of a side.
#[inline]
pub(super) fn home_rank(color: Color) -> u64 {
    color.fold_wb(0xff, 0xff << 56)
}
