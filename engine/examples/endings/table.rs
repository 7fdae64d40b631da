//! Distance to mate in endings of at most four men without pawns, worked out backwards from the mates.
//!
//! Only the stronger side's wins are kept. A stronger side that loses a man has won nothing any more: true of
//! the endings this tool knows.

use engine::Position;
use engine::types::{Bitboard, Color, Role, Square};
use shakmaty::attacks;

/// Not a win of the stronger side, or not a legal position.
const NOT_WON: u8 = u8::MAX;

/// Most men on the board.
const MOST: usize = 4;

/// One side against the other: kings first, then the stronger side's men, then the weaker side's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Material {
    men: Vec<(bool, Role)>,
}

impl Material {
    /// From a name such as `KQKR`, the stronger side first.
    pub(super) fn from_name(name: &str) -> Result<Material, String> {
        let expected =
            || format!("expected an ending of at most four men such as KBNK, found {name:?}");
        let (strong, weak) = name
            .strip_prefix('K')
            .and_then(|sides| sides.split_once('K'))
            .filter(|(strong, weak)| strong.len() + weak.len() + 2 <= MOST)
            .ok_or_else(expected)?;
        let mut men = vec![(true, Role::King), (false, Role::King)];
        for (is_strong, letters) in [(true, strong), (false, weak)] {
            for letter in letters.chars() {
                let role = Role::from_char(letter).filter(|&role| role != Role::Pawn);
                men.push((is_strong, role.ok_or_else(expected)?));
            }
        }
        Ok(Material { men })
    }

    /// The men's roles, each with whether it is the stronger side's.
    pub(super) fn men(&self) -> &[(bool, Role)] {
        &self.men
    }

    fn without(&self, index: usize) -> Material {
        let mut men = self.men.clone();
        men.remove(index);
        Material { men }
    }
}

/// Where the men stand, in the order of [`Material`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Placement([u8; MOST]);

/// The table of one ending, and of those that it leads to.
#[derive(Debug)]
pub(super) struct Table {
    material: Material,
    /// Plies to mate by placement: the stronger side to move, the weaker side to move.
    plies: [Vec<u8>; 2],
    /// Without one of the weaker side's men.
    after_capture: Option<Box<Table>>,
}

const STRONG: usize = 0;
const WEAK: usize = 1;

impl Table {
    /// Works it out.
    pub(super) fn new(material: Material) -> Table {
        let bare = material.men.iter().skip(2).position(|&(strong, _)| !strong);
        let after_capture = bare.map(|index| Box::new(Table::new(material.without(2 + index))));
        let size = 10 << (6 * (material.men.len() - 1));
        let mut table =
            Table { material, plies: [vec![NOT_WON; size], vec![NOT_WON; size]], after_capture };
        table.fill();
        table
    }

    /// Plies until the stronger side mates, both sides playing best; `None` when it does not.
    pub(super) fn plies(&self, position: &Position, strong: Color) -> Option<u8> {
        let mut placement = Placement([0; MOST]);
        let mut left = [position.by_color(strong), position.by_color(strong.other())];
        for (index, &(is_strong, role)) in self.material.men.iter().enumerate() {
            let side = usize::from(!is_strong);
            let Some(sq) = (left[side] & position.by_role(role)).first() else {
                return match &self.after_capture {
                    Some(table) if !is_strong => table.plies(position, strong),
                    _ => None,
                };
            };
            left[side] = left[side].without(sq);
            placement.0[index] = sq as u8;
        }
        if left != [Bitboard::EMPTY; 2] {
            return None;
        }
        let side = if position.turn() == strong { STRONG } else { WEAK };
        self.known(side, placement)
    }

    /// The longest win, in plies.
    pub(super) fn longest(&self) -> u8 {
        let won = self.plies[STRONG].iter().filter(|&&plies| plies != NOT_WON);
        won.copied().max().unwrap_or(0)
    }

    fn known(&self, side: usize, placement: Placement) -> Option<u8> {
        Some(self.plies[side][self.index(placement)]).filter(|&plies| plies != NOT_WON)
    }

    /// Backwards, a ply at a time.
    fn fill(&mut self) {
        // Placements by the plies that they are won or lost in.
        let mut waiting: Vec<Vec<Placement>> = vec![Vec::new(); usize::from(NOT_WON) + 2];
        for placement in self.all_placements() {
            if self.is_legal(placement, WEAK) && self.is_mate(placement) {
                waiting[0].push(placement);
            }
            if let Some(plies) = self.captures(placement) {
                waiting[usize::from(plies) + 1].push(placement);
            }
        }
        for plies in 0..NOT_WON - 1 {
            let side = if plies % 2 == 0 { WEAK } else { STRONG };
            for placement in std::mem::take(&mut waiting[usize::from(plies)]) {
                let index = self.index(placement);
                if self.plies[side][index] != NOT_WON {
                    continue;
                }
                self.plies[side][index] = plies;
                for before in self.before(placement, side) {
                    let won = if side == WEAK {
                        self.known(STRONG, before).is_none()
                    } else {
                        self.known(WEAK, before).is_none() && self.is_lost(before)
                    };
                    if won {
                        waiting[usize::from(plies) + 1].push(before);
                    }
                }
            }
        }
    }

    /// Every placement of men on squares of their own, the stronger king in its triangle.
    fn all_placements(&self) -> impl Iterator<Item = Placement> + use<> {
        let men = self.material.men.len();
        let size = 1_u32 << (6 * men);
        (0..size).filter_map(move |number| {
            let mut placement = Placement([0; MOST]);
            for (index, sq) in placement.0[..men].iter_mut().enumerate() {
                *sq = (number >> (6 * (men - 1 - index)) & 63) as u8;
            }
            let squares = &placement.0[..men];
            let apart = (1..men).all(|index| !squares[..index].contains(&squares[index]));
            (apart && triangle(squares[0]).is_some()).then_some(placement)
        })
    }

    fn occupied(&self, placement: Placement) -> Bitboard {
        let squares = placement.0[..self.material.men.len()].iter();
        squares.fold(Bitboard::EMPTY, |all, &sq| all.with(square(sq)))
    }

    /// Whether no man of `side` stands where it takes the other king: the other side has just moved.
    fn is_legal(&self, placement: Placement, to_move: usize) -> bool {
        let king = placement.0[if to_move == STRONG { 1 } else { 0 }];
        !self.is_attacked(placement, king, to_move == STRONG)
    }

    /// Whether a side attacks a square. A man that shares its square with one of the other side has been taken
    /// by it.
    fn is_attacked(&self, placement: Placement, target: u8, by_strong: bool) -> bool {
        let (target, occupied) = (square(target), self.occupied(placement));
        let mut men = self.material.men.iter().zip(placement.0).enumerate();
        men.any(|(index, (&(strong, role), sq))| {
            strong == by_strong
                && steps(role, sq, occupied).contains(target)
                && self.man_at(placement, sq, index).is_none()
        })
    }

    /// The weaker side is to move, in check, and has no move.
    fn is_mate(&self, placement: Placement) -> bool {
        let king = placement.0[1];
        self.is_attacked(placement, king, true) && self.weak_moves(placement).next().is_none()
    }

    /// Every move of the weaker side leads to a position that the stronger side is known to win.
    fn is_lost(&self, placement: Placement) -> bool {
        self.weak_moves(placement)
            .all(|after| after.is_some_and(|after| self.known(STRONG, after).is_some()))
    }

    /// What the weaker side's legal moves lead to; `None` where one takes a man.
    fn weak_moves(&self, placement: Placement) -> impl Iterator<Item = Option<Placement>> + '_ {
        self.moves(placement, false).filter_map(move |(index, to)| {
            let taken = self.man_at(placement, to, index).is_some();
            let mut after = placement;
            after.0[index] = to;
            self.is_legal(after, STRONG).then_some((!taken).then_some(after))
        })
    }

    /// The quickest win by taking a man of the weaker side, in the plies after the capture.
    fn captures(&self, placement: Placement) -> Option<u8> {
        let rest = self.after_capture.as_ref()?;
        if !self.is_legal(placement, STRONG) {
            return None;
        }
        let taking = self.moves(placement, true).filter_map(|(index, to)| {
            let taken = self.man_at(placement, to, index)?;
            let mut squares = placement;
            squares.0[index] = to;
            squares.0.copy_within(taken + 1.., taken);
            rest.is_legal(squares, WEAK).then(|| rest.known(WEAK, squares)).flatten()
        });
        taking.min()
    }

    /// Moves of one side's men to squares that none of its own occupies; `usize` is the man.
    fn moves(&self, placement: Placement, strong: bool) -> impl Iterator<Item = (usize, u8)> + '_ {
        let occupied = self.occupied(placement);
        let men = self.material.men.iter().enumerate();
        men.filter(move |(_, man)| man.0 == strong).flat_map(move |(index, &(_, role))| {
            let to = steps(role, placement.0[index], occupied);
            to.into_iter().map(move |to| (index, to as u8)).filter(move |&(_, to)| {
                self.man_at(placement, to, index)
                    .is_none_or(|other| self.material.men[other].0 != strong)
            })
        })
    }

    fn man_at(&self, placement: Placement, sq: u8, except: usize) -> Option<usize> {
        let men = 0..self.material.men.len();
        men.into_iter().find(|&index| index != except && placement.0[index] == sq)
    }

    /// Placements from which a quiet move of the other side leads to one where `side` is to move.
    fn before(&self, placement: Placement, side: usize) -> Vec<Placement> {
        let (mover, occupied) = (side == WEAK, self.occupied(placement));
        let to_move = if mover { STRONG } else { WEAK };
        let mut found = Vec::new();
        for (index, from) in self.moves(placement, mover) {
            if occupied.contains(square(from)) {
                continue;
            }
            let mut before = placement;
            before.0[index] = from;
            if self.is_legal(before, to_move) {
                found.push(before);
            }
        }
        found
    }

    /// Its place in the table: of mirrored placements all but one go to the place of the other.
    fn index(&self, placement: Placement) -> usize {
        let men = self.material.men.len();
        let mut squares = placement.0;
        let squares = &mut squares[..men];
        let turn = |squares: &mut [u8], mirrored: fn(u8) -> u8| {
            squares.iter_mut().for_each(|sq| *sq = mirrored(*sq));
        };
        if squares[0] & 7 > 3 {
            turn(squares, |sq| sq ^ 7);
        }
        if squares[0] >> 3 > 3 {
            turn(squares, |sq| sq ^ 56);
        }
        // Over the long diagonal.
        let turned = |sq: u8| sq >> 3 | (sq & 7) << 3;
        let over = squares.iter().find(|&&sq| turned(sq) != sq).is_some_and(|&sq| turned(sq) < sq);
        if over {
            turn(squares, |sq| sq >> 3 | (sq & 7) << 3);
        }
        let king = triangle(squares[0]).unwrap_or_default();
        squares[1..].iter().fold(king, |index, &sq| index << 6 | usize::from(sq))
    }
}

fn square(sq: u8) -> Square {
    Square::new(u32::from(sq))
}

fn steps(role: Role, from: u8, occupied: Bitboard) -> Bitboard {
    let from = square(from);
    match role {
        Role::King => attacks::king_attacks(from),
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Knight => attacks::knight_attacks(from),
        Role::Pawn => Bitboard::EMPTY,
    }
}

/// The number of a square in the triangle a1, d1, d4.
fn triangle(sq: u8) -> Option<usize> {
    const FIRST: [usize; 4] = [0, 3, 5, 6];
    let (file, rank) = (usize::from(sq & 7), usize::from(sq >> 3));
    (file < 4 && rank <= file).then(|| FIRST[rank] + file)
}
