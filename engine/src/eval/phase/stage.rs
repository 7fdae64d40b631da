//! The stages of a position, and what each rule of the page calls a late end game (AMB-84).

use crate::position::Position;
use crate::types::{ByColor, Role};

/// The papers' stages of one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// Less than half of the middle game is left.
    pub endgame: bool,
    /// Kings and pawns: the third table of passed pawns (PAS-01), its own limit of reductions
    /// (RED-10), the target of the extension of three plies (EXT-09).
    pub pawn_ending: bool,
    /// The kind of its late end game.
    pub ending: Ending,
    /// Each side's pieces as the papers count board material: N 3, B 3, R 5, Q 9; 31 at the start.
    pub pieces: ByColor<i32>,
}

/// Kinds of late end games, by the men besides kings and pawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Queens, or more rooks and minor pieces together than a late end game has.
    None,
    /// No man.
    Pawns,
    /// Knights and bishops, of one or both sides, however many.
    Light,
    /// Rooks, however many.
    Rooks,
    /// Rooks and minor pieces, no more of them on a side than `phase.late_endgame`: without this
    /// border every middle game without queens would be such an ending.
    RooksAndLight,
    /// Any of these where kinds do not count: no side has more than `phase.late_endgame`.
    Few,
}

impl Ending {
    /// Of a position, in which no side has more than a late end game's number of pieces, or one has.
    #[inline]
    pub(super) fn of(position: &Position, few: bool, by_kind: bool) -> Ending {
        let has = |role| position.by_role(role).any();
        if has(Role::Queen) || !by_kind && !few {
            return Ending::None;
        }
        if !by_kind {
            return Ending::Few;
        }
        match (has(Role::Rook), has(Role::Knight) || has(Role::Bishop)) {
            (false, false) => Ending::Pawns,
            (false, true) => Ending::Light,
            (true, false) => Ending::Rooks,
            (true, true) if few => Ending::RooksAndLight,
            (true, true) => Ending::None,
        }
    }
}

impl Stage {
    /// The late end game of S_DEPTH: "rook endings, B/N and pawn endings" (SEL-03).
    #[inline]
    #[must_use]
    pub fn is_late_for_null_moves(&self) -> bool {
        matches!(self.ending, Ending::Pawns | Ending::Light | Ending::Rooks | Ending::Few)
    }

    /// That of reductions 2b and 2c: "rook endings, B/N endings"; the pawn ending is a stage of its
    /// own there (RED-10).
    #[inline]
    #[must_use]
    pub fn is_late_for_reductions(&self) -> bool {
        matches!(self.ending, Ending::Light | Ending::Rooks)
            || self.ending == Ending::Few && !self.pawn_ending
    }

    /// That of the king's distance to passed pawns: "pawn-endings, light piece endings, rook endings,
    /// rook+light piece endings" (PAS-06).
    #[inline]
    #[must_use]
    pub fn is_late_for_passers(&self) -> bool {
        self.ending != Ending::None
    }

    /// The simple ending of extensions: "a rook and/or bishop/knight ending" (EXT-08).
    #[inline]
    #[must_use]
    pub fn is_simple_ending(&self) -> bool {
        self.is_late_for_passers() && !self.pawn_ending
    }
}

#[cfg(test)]
mod tests {
    use super::super::Phase;
    use super::*;
    use crate::Params;

    fn stage_by(by_kind: bool, men: &str) -> Stage {
        let (white, black) = men.split_once('v').expect("men of both sides");
        let rank = |men: &str| format!("{men}{}", 8 - men.len());
        let fen = format!(
            "{}/ppp2ppp/8/8/8/8/PPP2PPP/{} w - - 0 1",
            rank(&format!("k{}", black.to_lowercase())),
            rank(&format!("K{white}"))
        );
        let position = Position::from_fen(&fen).expect(&fen);
        let mut params = Params::default();
        params.phase.by_kind = by_kind;
        Phase::new(&params.phase).stage(&position)
    }

    #[test]
    fn stages_are_the_papers() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let position = Position::from_fen(start).expect(start);
        let start = Phase::new(&Params::default().phase).stage(&position);
        assert_eq!((start.pieces.white, start.pieces.black), (31, 31));
        assert!(!start.endgame && !start.is_late_for_passers() && !start.pawn_ending);
        assert!(stage_by(true, "QvQ").endgame);
        assert!(!stage_by(true, "RvR").pawn_ending && stage_by(true, "v").pawn_ending);
    }

    /// What each rule calls a late end game, in the order null moves (SEL-03), reductions (RED-10),
    /// passed pawns (PAS-06), simple ending (EXT-08).
    #[test]
    fn each_rule_has_its_own_late_endings() {
        for (men, by_kind, by_number) in [
            ("v", [true, false, true, false], [true, false, true, false]),
            ("RvR", [true; 4], [true; 4]),
            ("RRvRR", [true; 4], [false; 4]),
            ("BvN", [true; 4], [true; 4]),
            ("BBNvBNN", [true; 4], [false; 4]),
            ("RBvRN", [false, false, true, true], [true; 4]),
            ("RvB", [false, false, true, true], [true; 4]),
            ("RRBvRRN", [false; 4], [false; 4]),
            ("QvR", [false; 4], [false; 4]),
        ] {
            for (kinds, wanted) in [(true, by_kind), (false, by_number)] {
                let stage = stage_by(kinds, men);
                let is = [
                    stage.is_late_for_null_moves(),
                    stage.is_late_for_reductions(),
                    stage.is_late_for_passers(),
                    stage.is_simple_ending(),
                ];
                assert_eq!(is, wanted, "{men}, by kind: {kinds}");
            }
        }
    }
}
