//! The generators: all moves, captures and promotions, quiets, evasions (GEN-01, 14, 18, 19).

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use super::sink::Sink;
use crate::position::{Pins, Position};
use crate::types::{Move, MoveKind};

/// Which moves are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Select {
    /// Every move (GEN-01).
    All,
    /// Captures, en passant and promotions to a queen, captures with underpromotion too (GEN-19).
    Captures,
    /// What [`Select::Captures`] leaves: together they are [`Select::All`].
    Quiets,
}

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// A rule of the generator: what is allowed beyond how the men move.
struct Frame {
    us: Color,
    /// Targets of captures.
    takes: Bitboard,
    /// Targets of moves to empty squares.
    steps: Bitboard,
    /// Targets of promotions to empty squares: captures want these too.
    promotions: Bitboard,
    occupied: Bitboard,
    select: Select,
}

impl Position {
    /// Generates pseudo-legal moves: they may leave the king in check, [`Position::is_legal`] tells
    /// (GEN-16). In check use [`Position::evasions`].
    pub fn generate<S: Sink>(&self, select: Select, sink: &mut S) {
        let everywhere = Bitboard::FULL;
        let frame = self.frame(select, everywhere);
        self.pawns(&frame, self.men_of(frame.us, Role::Pawn), everywhere, sink);
        self.en_passant_moves(&frame, sink);
        self.pieces(&frame, None, sink);
        let king = self.king(frame.us);
        self.steps_from(&frame, Role::King, king, attacks::king_attacks(king), sink);
        if select != Select::Captures {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.can_castle(side) {
                    sink.push(Role::King, Move::new(king, rook, MoveKind::Castle));
                }
            }
        }
    }

    /// Generates the moves that may answer a check: king moves, captures of the checker and
    /// interpositions, in double check king moves only (GEN-18). Pseudo-legal: the king's targets
    /// may be attacked, the others pinned.
    pub fn evasions<S: Sink>(&self, select: Select, checkers: Bitboard, sink: &mut S) {
        let us = self.turn();
        let king = self.king(us);
        if let Some(checker) = checkers.single_square() {
            let answers = attacks::between(king, checker) | Bitboard::from_square(checker);
            let frame = self.frame(select, answers);
            self.pawns(&frame, self.men_of(us, Role::Pawn), Bitboard::FULL, sink);
            self.en_passant_moves(&frame, sink);
            self.pieces(&frame, None, sink);
        }
        let frame = self.frame(select, Bitboard::FULL);
        self.steps_from(&frame, Role::King, king, attacks::king_attacks(king), sink);
    }

    /// Generates exactly the legal moves: pins and checks are masks, so nothing is tested twice.
    pub fn legal_moves<S: Sink>(&self, sink: &mut S) {
        let us = self.turn();
        let pins = self.pins();
        let king = pins.king();
        let answers = match pins.checkers().single_square() {
            Some(checker) => attacks::between(king, checker) | Bitboard::from_square(checker),
            None if pins.checkers().is_empty() => Bitboard::FULL,
            None => Bitboard::EMPTY,
        };
        let frame = self.frame(Select::All, Bitboard::FULL);
        let fleeing = self.occupied() ^ Bitboard::from_square(king);
        for to in attacks::king_attacks(king) & (frame.takes | frame.steps) {
            if !self.is_attacked(to, us.other(), fleeing) {
                let kind =
                    if frame.takes.contains(to) { MoveKind::Capture } else { MoveKind::Quiet };
                sink.push(Role::King, Move::new(king, to, kind));
            }
        }
        if answers.is_empty() {
            return;
        }
        let frame = self.frame(Select::All, answers);
        let pawns = self.men_of(us, Role::Pawn);
        self.pawns(&frame, pawns & !pins.pinned(), Bitboard::FULL, sink);
        for pawn in pawns & pins.pinned() {
            self.pawns(&frame, Bitboard::from_square(pawn), attacks::ray(king, pawn), sink);
        }
        self.pieces(&frame, Some(&pins), sink);
        if let Some(target) = self.en_passant() {
            for from in attacks::pawn_attacks(us.other(), target) & pawns {
                let mv = Move::new(from, target, MoveKind::EnPassant);
                if self.is_legal(mv, &pins) {
                    sink.push(Role::Pawn, mv);
                }
            }
        }
        if pins.checkers().is_empty() {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.can_castle(side) {
                    let mv = Move::new(king, rook, MoveKind::Castle);
                    if self.is_legal(mv, &pins) {
                        sink.push(Role::King, mv);
                    }
                }
            }
        }
    }

    #[inline]
    fn frame(&self, select: Select, answers: Bitboard) -> Frame {
        let us = self.turn();
        let occupied = self.occupied();
        let takes = self.by_color(us.other()) & answers;
        let steps = !occupied & answers;
        Frame {
            us,
            takes: if select == Select::Quiets { Bitboard::EMPTY } else { takes },
            steps: if select == Select::Captures { Bitboard::EMPTY } else { steps },
            promotions: steps,
            occupied,
            select,
        }
    }

    /// Knights, bishops, rooks, queens; with `pins`, the pinned stay on their line.
    #[inline]
    fn pieces<S: Sink>(&self, frame: &Frame, pins: Option<&Pins>, sink: &mut S) {
        let ours = self.by_color(frame.us);
        let pinned = pins.map_or(Bitboard::EMPTY, Pins::pinned);
        for from in self.by_role(Role::Knight) & ours & !pinned {
            self.steps_from(frame, Role::Knight, from, attacks::knight_attacks(from), sink);
        }
        for role in [Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.by_role(role) & ours {
                let mut targets = match role {
                    Role::Bishop => attacks::bishop_attacks(from, frame.occupied),
                    Role::Rook => attacks::rook_attacks(from, frame.occupied),
                    _ => attacks::queen_attacks(from, frame.occupied),
                };
                if let Some(pins) = pins
                    && pinned.contains(from)
                {
                    targets &= attacks::ray(pins.king(), from);
                }
                self.steps_from(frame, role, from, targets, sink);
            }
        }
    }

    #[inline]
    fn steps_from<S: Sink>(
        &self,
        frame: &Frame,
        role: Role,
        from: Square,
        targets: Bitboard,
        sink: &mut S,
    ) {
        sink.push_from(role, from, targets & frame.takes, MoveKind::Capture);
        sink.push_from(role, from, targets & frame.steps, MoveKind::Quiet);
    }

    /// Pawn moves except en passant, of the given pawns, to the allowed squares.
    #[inline]
    fn pawns<S: Sink>(&self, frame: &Frame, pawns: Bitboard, allowed: Bitboard, sink: &mut S) {
        let forward = frame.us.fold_wb(8, -8);
        let last = Bitboard::from_rank(frame.us.fold_wb(Rank::Eighth, Rank::First));
        let third = Bitboard::from_rank(frame.us.fold_wb(Rank::Third, Rank::Sixth));
        let empty = !frame.occupied;

        let single = pawns.shift(forward) & empty;
        let double = (single & third).shift(forward) & empty & allowed & frame.steps;
        let single = single & allowed;
        sink.push_pawns(single & frame.steps & !last, forward, MoveKind::Quiet);
        sink.push_pawns(double, 2 * forward, MoveKind::DoublePush);

        // A promotion without capture counts as tactical only when it makes a queen.
        let promotions = single & last & frame.promotions;
        if promotions.any() {
            let roles = match frame.select {
                Select::All => &PROMOTIONS[..],
                Select::Captures => &PROMOTIONS[..1],
                Select::Quiets => &PROMOTIONS[1..],
            };
            sink.push_promotions(promotions, forward, false, roles);
        }
        for (sideways, from_files) in [(-1, !FILE_A), (1, !FILE_H)] {
            let delta = forward + sideways;
            let targets = (pawns & from_files).shift(delta) & frame.takes & allowed;
            sink.push_pawns(targets & !last, delta, MoveKind::Capture);
            let promotions = targets & last;
            if promotions.any() {
                sink.push_promotions(promotions, delta, true, &PROMOTIONS);
            }
        }
    }

    #[inline]
    fn en_passant_moves<S: Sink>(&self, frame: &Frame, sink: &mut S) {
        if let Some(target) = self.en_passant()
            && frame.select != Select::Quiets
        {
            let takers = attacks::pawn_attacks(frame.us.other(), target);
            for from in takers & self.men_of(frame.us, Role::Pawn) {
                sink.push(Role::Pawn, Move::new(from, target, MoveKind::EnPassant));
            }
        }
    }
}

const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);
