//! Static exchange evaluation: what a move wins by captures on its target square (SEE-01..16).
//!
//! winglet's swap algorithm, with the corrections of the register: en passant counts its pawn and
//! empties its square (SEE-18), a promotion inside the sequence makes a queen whose whole value can
//! be lost (AMB-64), pawns promote on their last rank (AMB-65), attackers behind attackers join
//! along every line (SEE-08, SEE-15), and the king takes only what nobody defends (SEE-05).

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::Position;
use super::make::en_passant_victim;
use crate::types::{Move, MoveKind, Value};

/// What each role is worth in an exchange, 1/256 pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExchangeValues {
    values: [i32; 7],
}

/// More than any sum of captures: what losing the king costs.
const KING: i32 = 100_000;

impl ExchangeValues {
    /// From a function of the role; the king's value is fixed.
    #[must_use]
    pub fn new(value: impl Fn(Role) -> i32) -> ExchangeValues {
        let mut values = [0; 7];
        for role in Role::ALL {
            values[role as usize] = if role == Role::King { KING } else { value(role) };
        }
        ExchangeValues { values }
    }

    /// A role's value, 1/256 pawn.
    #[inline]
    #[must_use]
    pub const fn of(&self, role: Role) -> i32 {
        self.values[role as usize]
    }
}

/// Whether pinned men take part in an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeePins {
    /// Everybody takes part (SEE-10, as winglet does).
    Ignored,
    /// A capture that leaves the own king in check, at that point of the exchange, does not happen.
    Respected,
}

/// One capture of an exchange; the first may be a move without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeeStep {
    /// Whose move it is.
    pub side: Color,
    /// What moves, before it promotes.
    pub role: Role,
    /// Where it comes from.
    pub from: Square,
    /// The man that stood on the target, or was taken en passant.
    pub takes: Option<Role>,
    /// What a pawn becomes.
    pub promotes: Option<Role>,
    /// What it wins for its side at this moment, 1/256 pawn, with what a promotion adds.
    pub gain: Value,
    /// Men of both colours behind the one that took, which can take from now on (SEE-08).
    pub reveals: Bitboard,
}

/// The exchange under way: what is left and who may still take.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    occupied: Bitboard,
    /// The men of both colours that attack the target; some may have taken already.
    attackers: Bitboard,
    pins: SeePins,
}

impl Position {
    /// What `mv` wins for the side to move, both sides free to stop taking: minimax over the
    /// captures on the target square, 1/256 pawn. Castling wins nothing.
    #[must_use]
    pub fn see(&self, mv: Move, values: &ExchangeValues, pins: SeePins) -> Value {
        self.exchange(mv, values, pins, |_| ())
    }

    /// Whether a quiet move or a capture wins at least `least` by [`Position::see`]. The exchange is
    /// worked out only where the men alone do not decide it.
    #[must_use]
    pub fn see_reaches(
        &self,
        mv: Move,
        least: Value,
        values: &ExchangeValues,
        pins: SeePins,
    ) -> bool {
        let role = |sq| self.piece_at(sq).role();
        let promotions = matches!(mv.to().rank(), Rank::First | Rank::Eighth);
        if mv.is_plain() && !promotions {
            let wins = role(mv.to()).map_or(0, |role| values.of(role));
            let risks = role(mv.from()).map_or(0, |role| values.of(role));
            if wins < least.binary() {
                return false;
            }
            if wins - risks >= least.binary() {
                return true;
            }
        }
        self.see(mv, values, pins) >= least
    }

    /// The exchange of [`Position::see`] spelt out (SEE-12): `mv` and every capture that follows it,
    /// up to the last man that can take, and how many of them happen if both sides stop when
    /// going on gains nothing. Empty for castling.
    #[must_use]
    pub fn see_steps(
        &self,
        mv: Move,
        values: &ExchangeValues,
        pins: SeePins,
    ) -> (Vec<SeeStep>, usize) {
        let mut steps: Vec<SeeStep> = Vec::new();
        self.exchange(mv, values, pins, |step| steps.push(step));
        let (mut worth, mut happen) = (0, steps.len());
        for (n, step) in steps.iter().enumerate().skip(1).rev() {
            worth = step.gain.binary() - worth;
            if worth <= 0 {
                (worth, happen) = (0, n);
            }
        }
        (steps, happen)
    }

    /// Works the exchange out and tells each capture.
    #[inline]
    fn exchange(
        &self,
        mv: Move,
        values: &ExchangeValues,
        pins: SeePins,
        mut tell: impl FnMut(SeeStep),
    ) -> Value {
        let (from, to) = (mv.from(), mv.to());
        if mv.kind() == MoveKind::Castle {
            return Value::ZERO;
        }
        let mut side = self.turn();
        let mut occupied = self.occupied() ^ Bitboard::from_square(from);
        let mut takes = self.piece_at(to).role();
        if mv.kind() == MoveKind::EnPassant {
            occupied ^= Bitboard::from_square(en_passant_victim(to));
            takes = Some(Role::Pawn);
        }
        let mut first_gain = takes.map_or(0, |role| values.of(role));
        let mover = self.piece_at(from).role().unwrap_or(Role::Pawn);
        let mut standing_role = mover;
        if let Some(role) = mv.promotion() {
            standing_role = role;
            first_gain += values.of(role) - values.of(Role::Pawn);
        }
        let mut standing = values.of(standing_role);
        occupied |= Bitboard::from_square(to);

        let mut gains = [0; 33];
        gains[0] = first_gain;
        let mut length = 1;
        let attackers = self.attackers(to, occupied);
        let mut exchange = Exchange { position: self, target: to, occupied, attackers, pins };
        tell(SeeStep {
            side,
            role: mover,
            from,
            takes,
            promotes: mv.promotion(),
            gain: Value::new(first_gain),
            reveals: (attackers & occupied).without(self.attackers(to, self.occupied())),
        });
        side = side.other();
        while let Some((from, role, promotes)) = exchange.next_attacker(side) {
            let before = exchange.attackers;
            exchange.take(from, role);
            let raise = if promotes { values.of(Role::Queen) - values.of(Role::Pawn) } else { 0 };
            tell(SeeStep {
                side,
                role,
                from,
                takes: Some(standing_role),
                promotes: promotes.then_some(Role::Queen),
                gain: Value::new(standing + raise),
                reveals: (exchange.attackers & exchange.occupied).without(before),
            });
            gains[length] = standing + raise - gains[length - 1];
            standing = values.of(role) + raise;
            standing_role = if promotes { Role::Queen } else { role };
            length += 1;
            side = side.other();
        }
        for n in (1..length).rev() {
            gains[n - 1] = -gains[n].max(-gains[n - 1]);
        }
        Value::new(gains[0])
    }
}

/// Of equals the one furthest up the board takes first, from the a-file on: the papers leave the
/// choice open, and this one is the same for both colours.
#[inline]
fn most_advanced(men: Bitboard, side: Color) -> Option<Square> {
    let rank = side.fold_wb(men.last()?, men.first()?).rank();
    (men & Bitboard::from_rank(rank)).first()
}

impl Exchange<'_> {
    /// A man takes: those that stood behind it on its line join in (SEE-08, SEE-15). Behind a knight
    /// there is no line, behind a king nobody is left.
    #[inline]
    fn take(&mut self, from: Square, role: Role) {
        self.occupied ^= Bitboard::from_square(from);
        let (position, target, occupied) = (self.position, self.target, self.occupied);
        let queens = position.by_role(Role::Queen);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            let bishops = position.by_role(Role::Bishop) | queens;
            self.attackers |= attacks::bishop_attacks(target, occupied) & bishops;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            let rooks = position.by_role(Role::Rook) | queens;
            self.attackers |= attacks::rook_attacks(target, occupied) & rooks;
        }
    }

    /// The man of `side` that takes next and whether it promotes: pawn, knight, bishop, rook,
    /// promoting pawn, queen, and the king when nobody can take back (SEE-05).
    fn next_attacker(&self, side: Color) -> Option<(Square, Role, bool)> {
        let position = self.position;
        let ours = self.attackers & self.occupied & position.by_color(side);
        if ours.is_empty() {
            return None;
        }
        let promotes = self.target.rank() == side.fold_wb(Rank::Eighth, Rank::First);
        let order = if promotes {
            [Role::Knight, Role::Bishop, Role::Rook, Role::Pawn, Role::Queen]
        } else {
            [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        };
        for role in order {
            let mut candidates = ours & position.men_of(side, role);
            while let Some(from) = most_advanced(candidates, side) {
                if self.may_take(from, side) {
                    return Some((from, role, promotes && role == Role::Pawn));
                }
                candidates.discard(from);
            }
        }
        let king = ours & position.by_role(Role::King);
        let from = king.first()?;
        self.king_may_take(from, side).then_some((from, Role::King, false))
    }

    /// Whether taking with the man on `from` leaves the king of `side` unattacked by sliders.
    #[inline]
    fn may_take(&self, from: Square, side: Color) -> bool {
        if self.pins == SeePins::Ignored {
            return true;
        }
        let position = self.position;
        let king = position.king(side);
        let occupied = self.occupied ^ Bitboard::from_square(from);
        // The man on the target is the one being taken.
        let enemies =
            position.by_color(side.other()) & occupied & !Bitboard::from_square(self.target);
        let steppers = attacks::knight_attacks(king) & position.by_role(Role::Knight)
            | attacks::pawn_attacks(side, king) & position.by_role(Role::Pawn);
        ((position.slider_attackers(king, occupied) | steppers) & enemies).is_empty()
    }

    /// The king takes only where no enemy is left to take back.
    fn king_may_take(&self, from: Square, side: Color) -> bool {
        let position = self.position;
        let occupied = self.occupied ^ Bitboard::from_square(from);
        let attackers = position.attackers(self.target, occupied) & occupied;
        let mut enemies = attackers & position.by_color(side.other());
        enemies.discard(self.target);
        enemies.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::MoveList;
    use crate::params::by_role;

    /// A threshold is reached where the whole exchange says so, with promotions, too.
    #[test]
    fn a_threshold_is_that_of_the_exchange() {
        let values = ExchangeValues::new(|role| by_role(role, [256, 768, 800, 1280, 2500, 0]));
        let promoting = "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1";
        let mut reached = [0; 2];
        for fen in crate::bench::POSITIONS.iter().copied().chain([promoting]) {
            let position = Position::from_fen(fen).expect(fen);
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            for &mv in moves.as_slice() {
                let see = position.see(mv, &values, SeePins::Ignored);
                for least in [-2500, -600, -256, -1, 0, 1, 256, 1000].map(Value::new) {
                    let reaches = position.see_reaches(mv, least, &values, SeePins::Ignored);
                    assert_eq!(reaches, see >= least, "{fen} {mv:?} {see:?} {least:?}");
                    reached[usize::from(reaches)] += 1;
                }
            }
        }
        assert!(reached.into_iter().all(|times| times > 100), "{reached:?}");
    }
}
