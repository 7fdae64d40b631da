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
    /// Captures, with en passant and capturing underpromotions, and promotions to a queen (GEN-19).
    Captures,
    /// The same and every other promotion (QS-15).
    Loud,
    /// What [`Select::Captures`] leaves: together they are [`Select::All`].
    Quiets,
}

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// What one call generates: for whom, which moves, and masks of their target squares.
struct TargetMasks {
    us: Color,
    /// Targets of captures.
    captures: Bitboard,
    /// Targets of moves to empty squares.
    quiets: Bitboard,
    /// Targets of non-capturing promotions, of which [`Select::Captures`] takes those to a queen.
    promotions: Bitboard,
    occupied: Bitboard,
    select: Select,
}

impl Position {
    /// Generates pseudo-legal moves, which may leave the king in check: test them with
    /// [`Position::is_legal`] (GEN-16). In check use [`Position::evasions`].
    pub fn generate<S: Sink>(&self, select: Select, sink: &mut S) {
        let everywhere = Bitboard::FULL;
        let masks = self.target_masks(select, everywhere);
        self.pawns(&masks, self.men_of(masks.us, Role::Pawn), everywhere, sink);
        self.en_passant_moves(&masks, sink);
        self.pieces(&masks, None, sink);
        let king = self.king(masks.us);
        self.push_targets(&masks, Role::King, king, attacks::king_attacks(king), sink);
        if matches!(select, Select::All | Select::Quiets) {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.can_castle(side) {
                    sink.push(Role::King, Move::new(king, rook, MoveKind::Castle));
                }
            }
        }
    }

    /// Generates evasions: king moves, captures of the checker and interpositions; in double check
    /// king moves only (GEN-18). Pseudo-legal: the king may step onto an attacked square, and other
    /// pieces may be pinned.
    pub fn evasions<S: Sink>(&self, select: Select, checkers: Bitboard, sink: &mut S) {
        let us = self.turn();
        let king = self.king(us);
        if let Some(checker) = checkers.single_square() {
            let check_mask = attacks::between(king, checker) | Bitboard::from_square(checker);
            let masks = self.target_masks(select, check_mask);
            self.pawns(&masks, self.men_of(us, Role::Pawn), Bitboard::FULL, sink);
            self.en_passant_moves(&masks, sink);
            self.pieces(&masks, None, sink);
        }
        let masks = self.target_masks(select, Bitboard::FULL);
        self.push_targets(&masks, Role::King, king, attacks::king_attacks(king), sink);
    }

    /// Generates exactly the legal moves, with masks for pins and checks.
    pub fn legal_moves<S: Sink>(&self, sink: &mut S) {
        let us = self.turn();
        let pins = self.pins();
        let king = pins.king();
        let check_mask = match pins.checkers().single_square() {
            Some(checker) => attacks::between(king, checker) | Bitboard::from_square(checker),
            None if pins.checkers().is_empty() => Bitboard::FULL,
            None => Bitboard::EMPTY,
        };
        let masks = self.target_masks(Select::All, Bitboard::FULL);
        let targets = attacks::king_attacks(king) & (masks.captures | masks.quiets);
        let danger = if targets.any() {
            self.attacked_by(us.other(), masks.occupied ^ Bitboard::from_square(king))
        } else {
            Bitboard::EMPTY
        };
        self.push_targets(&masks, Role::King, king, targets & !danger, sink);
        if check_mask.is_empty() {
            return;
        }
        let masks = self.target_masks(Select::All, check_mask);
        let pawns = self.men_of(us, Role::Pawn);
        self.pawns(&masks, pawns & !pins.pinned(), Bitboard::FULL, sink);
        for pawn in pawns & pins.pinned() {
            self.pawns(&masks, Bitboard::from_square(pawn), attacks::ray(king, pawn), sink);
        }
        self.pieces(&masks, Some(&pins), sink);
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
                    // In standard chess the path's first square is an empty neighbour of the
                    // king, so that `targets` is not empty and `danger` is computed.
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
    fn target_masks(&self, select: Select, allowed: Bitboard) -> TargetMasks {
        let us = self.turn();
        let occupied = self.occupied();
        let captures = self.by_color(us.other()) & allowed;
        let quiets = !occupied & allowed;
        TargetMasks {
            us,
            captures: if select == Select::Quiets { Bitboard::EMPTY } else { captures },
            quiets: if matches!(select, Select::Captures | Select::Loud) {
                Bitboard::EMPTY
            } else {
                quiets
            },
            promotions: quiets,
            occupied,
            select,
        }
    }

    /// Knights, bishops, rooks, queens; with `pins`, the pinned stay on their line.
    #[inline]
    fn pieces<S: Sink>(&self, masks: &TargetMasks, pins: Option<&Pins>, sink: &mut S) {
        let pinned = pins.map_or(Bitboard::EMPTY, Pins::pinned);
        for from in self.men_of(masks.us, Role::Knight) & !pinned {
            self.push_targets(masks, Role::Knight, from, attacks::knight_attacks(from), sink);
        }
        self.sliders(masks, Role::Bishop, attacks::bishop_attacks, pins, sink);
        self.sliders(masks, Role::Rook, attacks::rook_attacks, pins, sink);
        self.sliders(masks, Role::Queen, attacks::queen_attacks, pins, sink);
    }

    /// The sliders of one role.
    #[inline]
    fn sliders<S: Sink>(
        &self,
        masks: &TargetMasks,
        role: Role,
        reach: impl Fn(Square, Bitboard) -> Bitboard,
        pins: Option<&Pins>,
        sink: &mut S,
    ) {
        for from in self.men_of(masks.us, role) {
            let mut targets = reach(from, masks.occupied);
            if let Some(pins) = pins
                && pins.pinned().contains(from)
            {
                targets &= attacks::ray(pins.king(), from);
            }
            self.push_targets(masks, role, from, targets, sink);
        }
    }

    #[inline]
    fn push_targets<S: Sink>(
        &self,
        masks: &TargetMasks,
        role: Role,
        from: Square,
        targets: Bitboard,
        sink: &mut S,
    ) {
        sink.push_from(role, from, targets & masks.captures, MoveKind::Capture);
        sink.push_from(role, from, targets & masks.quiets, MoveKind::Quiet);
    }

    /// Pawn moves except en passant, of the given pawns, to the allowed squares.
    #[inline]
    fn pawns<S: Sink>(
        &self,
        masks: &TargetMasks,
        pawns: Bitboard,
        allowed: Bitboard,
        sink: &mut S,
    ) {
        match masks.us {
            Color::White => self.pawns_of::<true, S>(masks, pawns, allowed, sink),
            Color::Black => self.pawns_of::<false, S>(masks, pawns, allowed, sink),
        }
    }

    fn pawns_of<const WHITE: bool, S: Sink>(
        &self,
        masks: &TargetMasks,
        pawns: Bitboard,
        allowed: Bitboard,
        sink: &mut S,
    ) {
        let us = Color::from_white(WHITE);
        let forward = us.fold_wb(8, -8);
        let last = Bitboard::from_rank(us.fold_wb(Rank::Eighth, Rank::First));
        let third = Bitboard::from_rank(us.fold_wb(Rank::Third, Rank::Sixth));
        let empty = !masks.occupied;

        let single = pawns.shift(forward) & empty;
        let double = (single & third).shift(forward) & empty & allowed & masks.quiets;
        let single = single & allowed;
        sink.push_pawns(single & masks.quiets & !last, forward, MoveKind::Quiet);
        sink.push_pawns(double, 2 * forward, MoveKind::DoublePush);

        // A promotion without capture counts as tactical only when it makes a queen.
        let promotions = single & last & masks.promotions;
        if promotions.any() {
            let roles = match masks.select {
                Select::All | Select::Loud => &PROMOTIONS[..],
                Select::Captures => &PROMOTIONS[..1],
                Select::Quiets => &PROMOTIONS[1..],
            };
            sink.push_promotions(promotions, forward, false, roles);
        }
        for (sideways, from_files) in [(-1, !FILE_A), (1, !FILE_H)] {
            let delta = forward + sideways;
            let targets = (pawns & from_files).shift(delta) & masks.captures & allowed;
            sink.push_pawns(targets & !last, delta, MoveKind::Capture);
            let promotions = targets & last;
            if promotions.any() {
                sink.push_promotions(promotions, delta, true, &PROMOTIONS);
            }
        }
    }

    #[inline]
    fn en_passant_moves<S: Sink>(&self, masks: &TargetMasks, sink: &mut S) {
        if let Some(target) = self.en_passant()
            && masks.select != Select::Quiets
        {
            let takers = attacks::pawn_attacks(masks.us.other(), target);
            for from in takers & self.men_of(masks.us, Role::Pawn) {
                sink.push(Role::Pawn, Move::new(from, target, MoveKind::EnPassant));
            }
        }
    }
}
