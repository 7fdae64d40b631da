//! Moves on Mediocre's board of 16 files, from its two kinds of piece lists (GEN-10; 004, "New
//! piece lists done"): a list for each kind, and one list of 16 slots, in which a promoted man
//! keeps its pawn's slot, so that every kind is looked for among the pawns, too.

use std::hint::black_box;

use engine::Position;
use engine::types::{Color, Piece, Role, Square};

use super::BenchFn;

/// No square of the board: bits of both halves that only other squares have.
const OFF: u8 = 0x88;

const ORTHOGONAL: [u8; 4] = [1, 16, 255, 240];
const DIAGONAL: [u8; 4] = [15, 17, 241, 239];
const ALL_AROUND: [u8; 8] = [1, 16, 255, 240, 15, 17, 241, 239];
const JUMPS: [u8; 8] = [33, 31, 18, 14, 223, 225, 238, 242];

/// One kind's squares: two men and eight that promote.
#[derive(Clone, Copy, Default)]
struct List {
    squares: [u8; 10],
    count: usize,
}

/// A board and the men of the side to move, listed in both ways.
#[derive(Clone)]
struct MailboxBoard {
    codes: [u8; 128],
    turn: Color,
    /// By role.
    lists: [List; 7],
    /// Eight pawns' slots, then those of the pieces.
    slots: [u8; 16],
}

/// The slots of pieces, by role; pawns have those below.
fn ordinary(role: Role) -> std::ops::Range<usize> {
    match role {
        Role::Pawn => 0..0,
        Role::Knight => 8..10,
        Role::Bishop => 10..12,
        Role::Rook => 12..14,
        Role::Queen => 14..15,
        Role::King => 15..16,
    }
}

/// All moves of some positions, castling and en passant left out.
pub(super) fn piece_lists(positions: &[Position]) -> [BenchFn; 2] {
    let boards: Vec<MailboxBoard> = positions.iter().filter_map(MailboxBoard::new).collect();
    let same = boards.clone();
    let (mut moves, mut others) = (Vec::with_capacity(256), Vec::with_capacity(256));
    let by_kind = move || {
        for board in &boards {
            board.by_kind(&mut moves);
            black_box(&moves);
        }
    };
    let by_slot = move || {
        for board in &same {
            board.by_slot(&mut others);
            black_box(&others);
        }
    };
    [Box::new(by_kind), Box::new(by_slot)]
}

impl MailboxBoard {
    /// `None` where there are more men of a kind than the lists take.
    fn new(position: &Position) -> Option<MailboxBoard> {
        let turn = position.turn();
        let mut board =
            MailboxBoard { codes: [0; 128], turn, lists: [List::default(); 7], slots: [OFF; 16] };
        for square in Square::ALL {
            let piece = position.piece_at(square);
            let index = u8::from(square.rank()) * 16 + u8::from(square.file());
            board.codes[usize::from(index)] = u8::try_from(piece.code()).ok()?;
            let Some(role) = piece.role().filter(|_| piece.color() == Some(turn)) else { continue };
            let list = &mut board.lists[role as usize];
            *list.squares.get_mut(list.count)? = index;
            list.count += 1;
            let mut free = ordinary(role).chain(0..8).filter(|&slot| board.slots[slot] == OFF);
            board.slots[free.next()?] = index;
        }
        Some(board)
    }

    #[inline(never)]
    fn by_kind(&self, moves: &mut Vec<u16>) {
        moves.clear();
        for role in Role::ALL {
            let list = &self.lists[role as usize];
            for &from in &list.squares[..list.count] {
                self.moves_of(role, from, moves);
            }
        }
    }

    #[inline(never)]
    fn by_slot(&self, moves: &mut Vec<u16>) {
        moves.clear();
        for role in Role::ALL {
            let code = Piece::new(self.turn, role).code();
            for slot in ordinary(role).chain(0..8) {
                let from = self.slots[slot];
                if from != OFF && usize::from(self.codes[usize::from(from)]) == code {
                    self.moves_of(role, from, moves);
                }
            }
        }
    }

    #[inline(never)]
    fn moves_of(&self, role: Role, from: u8, moves: &mut Vec<u16>) {
        match role {
            Role::Pawn => self.pawn_moves(from, moves),
            Role::Knight => self.walk(from, &JUMPS, 1, moves),
            Role::Bishop => self.walk(from, &DIAGONAL, 7, moves),
            Role::Rook => self.walk(from, &ORTHOGONAL, 7, moves),
            Role::Queen => self.walk(from, &ALL_AROUND, 7, moves),
            Role::King => self.walk(from, &ALL_AROUND, 1, moves),
        }
    }

    /// As far as the way is free, `most` steps; the last may take.
    fn walk(&self, from: u8, deltas: &[u8], most: usize, moves: &mut Vec<u16>) {
        for &delta in deltas {
            let mut to = from;
            for _ in 0..most {
                to = to.wrapping_add(delta);
                if to & OFF != 0 || self.is_own(to) {
                    break;
                }
                moves.push(pack(from, to));
                if self.codes[usize::from(to)] != 0 {
                    break;
                }
            }
        }
    }

    fn pawn_moves(&self, from: u8, moves: &mut Vec<u16>) {
        let (ahead, start, last) = self.turn.fold_wb((16, 1, 7), (240, 6, 0));
        // On the last rank it becomes one of four.
        let mut push = |to: u8| {
            let times = if to >> 4 == last { 4 } else { 1 };
            moves.extend(std::iter::repeat_n(pack(from, to), times));
        };
        let one = from.wrapping_add(ahead);
        if self.codes[usize::from(one & 127)] == 0 {
            push(one);
            let two = one.wrapping_add(ahead);
            if from >> 4 == start && self.codes[usize::from(two & 127)] == 0 {
                push(two);
            }
        }
        for side in [1, 255] {
            let to = one.wrapping_add(side);
            if to & OFF == 0 && self.codes[usize::from(to)] != 0 && !self.is_own(to) {
                push(to);
            }
        }
    }

    fn is_own(&self, square: u8) -> bool {
        let code = self.codes[usize::from(square)];
        self.turn.fold_wb((1..=6).contains(&code), code >= 7)
    }
}

fn pack(from: u8, to: u8) -> u16 {
    u16::from(from) << 8 | u16::from(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::movegen::Select;
    use engine::types::Move;

    /// Both lists give the moves that the engine's generator gives.
    #[test]
    fn the_same_moves() {
        for fen in [
            "r1bqk2r/ppp2ppp/2n2n2/3pp3/1bPP4/2N1PN2/PP3PPP/R1BQKB1R b - - 0 6",
            "1k5n/6P1/8/2q5/4Q1Q1/1p1B4/P1p4P/R3K2N w - - 0 1",
            "1k5n/6P1/8/2q1q3/8/1p1B4/p1p4P/1N5K b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut moves: Vec<Move> = Vec::new();
            position.generate(Select::All, &mut moves);
            let index = |square: Square| u8::from(square.rank()) * 16 + u8::from(square.file());
            let mut expected: Vec<u16> =
                moves.iter().map(|mv| pack(index(mv.from()), index(mv.to()))).collect();
            let board = MailboxBoard::new(&position).unwrap();
            let (mut by_kind, mut by_slot) = (vec![1], vec![2]);
            board.by_kind(&mut by_kind);
            board.by_slot(&mut by_slot);
            expected.sort_unstable();
            by_kind.sort_unstable();
            by_slot.sort_unstable();
            assert_eq!(by_kind, expected, "{fen}");
            assert_eq!(by_slot, expected, "{fen}");
        }
    }
}
