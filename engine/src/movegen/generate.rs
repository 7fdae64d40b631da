//! The generators: all moves, captures and promotions, quiets, evasions (GEN-01, 14, 18, 19).

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use super::sink::Sink;
use crate::position::{FILE_A, FILE_H, Pins, Position, castling_path};
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
        let targets = attacks::king_attacks(king) & (frame.takes | frame.steps);
        let danger = if targets.any() {
            self.attacked_by(us.other(), frame.occupied ^ Bitboard::from_square(king))
        } else {
            Bitboard::EMPTY
        };
        self.steps_from(&frame, Role::King, king, targets & !danger, sink);
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
                    // The king's way begins on an empty square next to it, where castling is the
                    // usual: the map of danger is there.
                    let safe = if self.is_chess960() {
                        self.castling_is_safe(us, king, rook)
                    } else {
                        (castling_path(us, king, rook) & danger).is_empty()
                    };
                    if safe {
                        sink.push(Role::King, Move::new(king, rook, MoveKind::Castle));
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
        let pinned = pins.map_or(Bitboard::EMPTY, Pins::pinned);
        for from in self.men_of(frame.us, Role::Knight) & !pinned {
            self.steps_from(frame, Role::Knight, from, attacks::knight_attacks(from), sink);
        }
        self.sliders(frame, Role::Bishop, attacks::bishop_attacks, pins, sink);
        self.sliders(frame, Role::Rook, attacks::rook_attacks, pins, sink);
        self.sliders(frame, Role::Queen, attacks::queen_attacks, pins, sink);
    }

    /// The sliders of one role.
    #[inline]
    fn sliders<S: Sink>(
        &self,
        frame: &Frame,
        role: Role,
        reach: impl Fn(Square, Bitboard) -> Bitboard,
        pins: Option<&Pins>,
        sink: &mut S,
    ) {
        for from in self.men_of(frame.us, role) {
            let mut targets = reach(from, frame.occupied);
            if let Some(pins) = pins
                && pins.pinned().contains(from)
            {
                targets &= attacks::ray(pins.king(), from);
            }
            self.steps_from(frame, role, from, targets, sink);
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
        match frame.us {
            Color::White => self.pawns_of::<true, S>(frame, pawns, allowed, sink),
            Color::Black => self.pawns_of::<false, S>(frame, pawns, allowed, sink),
        }
    }

    fn pawns_of<const WHITE: bool, S: Sink>(
        &self,
        frame: &Frame,
        pawns: Bitboard,
        allowed: Bitboard,
        sink: &mut S,
    ) {
        let us = Color::from_white(WHITE);
        let forward = us.fold_wb(8, -8);
        let last = Bitboard::from_rank(us.fold_wb(Rank::Eighth, Rank::First));
        let third = Bitboard::from_rank(us.fold_wb(Rank::Third, Rank::Sixth));
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
