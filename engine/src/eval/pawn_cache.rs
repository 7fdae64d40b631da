//! Pawn facts of positions seen before (HSH-09).

use std::fmt;

use super::pawn_structure::{PawnFacts, pawns_by_color};
use crate::memory::touch;
use crate::params::Params;
use crate::position::Position;
use crate::types::{Bitboard, ByColor, Square};

/// A table with one place for each hash of the pawns.
///
/// The pawns themselves are compared, so a wrong answer cannot come out of it. What it holds is
/// true for one set of parameters.
pub struct PawnCache {
    /// An unused place says that without pawns there is nothing to tell, which is true.
    places: Box<[Place]>,
}

/// The facts of some pawns, and of where the kings last stood with them.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    pawns: ByColor<Bitboard>,
    /// `None`: not looked at yet.
    kings: Option<ByColor<Square>>,
    facts: PawnFacts,
}

impl PawnCache {
    const PLACES: usize = 1024;

    /// An empty cache of 64 KiB.
    #[must_use]
    pub fn new() -> PawnCache {
        PawnCache { places: vec![Place::default(); PawnCache::PLACES].into_boxed_slice() }
    }

    /// See [`crate::Engine::warm`].
    pub(crate) fn warm(&self) {
        touch(&self.places);
    }

    /// The facts of a position's pawns, worked out if they are not there.
    #[inline]
    pub(super) fn facts(&mut self, position: &Position, params: &Params) -> PawnFacts {
        let pawns = pawns_by_color(position);
        let kings = Some(ByColor::new_with(|color| position.king(color)));
        let place = &mut self.places[PawnCache::place(&pawns)];
        if place.pawns != pawns {
            *place = Place { pawns, kings, facts: PawnFacts::of(position, params) };
        } else if place.kings != kings {
            place.kings = kings;
            place.facts.shelter(position, &pawns, params);
        }
        place.facts
    }

    /// The place of a structure: the upper bits of a product, in which all pawns have a part.
    #[inline]
    fn place(pawns: &ByColor<Bitboard>) -> usize {
        const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed =
            (pawns.white.0.wrapping_mul(MIX) ^ pawns.black.0).wrapping_mul(MIX.rotate_left(32));
        (mixed >> (u64::BITS - PawnCache::PLACES.ilog2())) as usize
    }
}

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}

impl fmt::Debug for PawnCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PawnCache").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Within what an idle engine may cost; and a place is no larger than a cache line.
    #[test]
    fn cache_is_small() {
        let place = size_of::<Place>();
        assert!(place <= 64, "{place}");
    }

    #[test]
    fn cache_changes_nothing() {
        use crate::eval::{Evaluator, LineFacts, NoTrace};
        let evaluator = Evaluator::new(&std::sync::Arc::new(Params::default()));
        let mut cache = PawnCache::new();
        let mut word: u64 = 3;
        for game in 0..40 {
            let mut position =
                Position::from_fen(crate::bench::POSITIONS[game % 20]).expect("legal");
            position.set_table(&evaluator.table);
            for _ in 0..60 {
                let line = LineFacts::default();
                let with = evaluator.evaluate(&position, line, Some(&mut cache), &mut NoTrace);
                let again = evaluator.evaluate(&position, line, Some(&mut cache), &mut NoTrace);
                let without = evaluator.evaluate(&position, line, None, &mut NoTrace);
                assert_eq!((with, again), (without, without), "{}", position.fen());
                let mut moves: Vec<crate::types::Move> = Vec::new();
                position.legal_moves(&mut moves);
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if moves.is_empty() {
                    break;
                }
                position.play(moves[(word >> 33) as usize % moves.len()]);
            }
        }
    }

    /// One place is used again for other pawns, and they do not get each other's facts.
    #[test]
    fn places_are_shared() {
        let (mut cache, params) = (PawnCache::new(), Params::default());
        let mut used = std::collections::HashSet::new();
        for (a, b) in (0..48).flat_map(|a| (0..48).map(move |b| (a, b))) {
            let fen = |pawn: char, at: usize| {
                let mut squares = vec!['1'; 64];
                squares[8 + at] = pawn;
                squares
            };
            let mut squares = fen('P', a);
            if a == b {
                continue;
            }
            squares[8 + b] = 'p';
            (squares[0], squares[63]) = ('k', 'K');
            let ranks: Vec<String> = squares.chunks(8).map(|rank| rank.iter().collect()).collect();
            // With the kings in opposite corners a pawn may give check to the side not to move.
            let fens = ["w", "b"].map(|turn| format!("{} {turn} - - 0 1", ranks.join("/")));
            let Some(position) = fens.iter().find_map(|fen| Position::from_fen(fen).ok()) else {
                continue;
            };
            assert_eq!(cache.facts(&position, &params), PawnFacts::of(&position, &params));
            used.insert(PawnCache::place(&pawns_by_color(&position)));
        }
        assert!(used.len() > 800, "2256 structures spread over {} places", used.len());
    }
}
