//! The table of patterns: who mates, and on which squares it is worth a look. What a pattern
//! promises is checked to the last reply, so that it may be generous (ORD-20, MISS-15).

use shakmaty::attacks;

use super::super::context::Context;
use super::{first_mate, heavy, out_of_reach};
use crate::params::MateThreat;
use crate::types::{Bitboard, Color, File, Move, Rank, Role, Square};

/// A mate known by its pattern.
#[derive(Debug)]
pub(in crate::eval) struct Pattern {
    /// Its switch.
    is_on: fn(&MateThreat) -> bool,
    /// The men that may mate.
    men: fn(&Scene<'_>) -> Bitboard,
    /// The squares on which they may.
    targets: fn(&Scene<'_>) -> Bitboard,
}

/// What all patterns ask for.
struct Scene<'a> {
    cx: &'a Context<'a>,
    /// Who mates.
    color: Color,
    /// Whom.
    king: Square,
    /// Where that king may go as yet.
    flights: Bitboard,
}

/// In the order in which they are tried.
static PATTERNS: [Pattern; 6] = [
    // Two rooks on neighbouring files, a rook and a knight: along an edge that the king cannot leave.
    // Its back rank is looked for before.
    Pattern {
        is_on: |params| params.two_rooks,
        men: |scene| heavy(scene.cx, scene.color),
        targets: along_edges,
    },
    // A rook next to the king, guarded by a knight, a bishop or another man.
    Pattern {
        is_on: |params| params.rook,
        men: |scene| scene.men(Role::Rook),
        targets: beside_and_guarded,
    },
    // A queen or rook next to the king, guarded by a rook, bishop or queen behind her.
    Pattern {
        is_on: |params| params.battery,
        men: protected,
        targets: |scene| attacks::king_attacks(scene.king),
    },
    // A knight's check to a king between its own men.
    Pattern {
        is_on: |params| params.smothered,
        men: |scene| scene.men(Role::Knight),
        targets: smothering,
    },
    // A bishop's check along the only way out: two bishops.
    Pattern {
        is_on: |params| params.bishop,
        men: |scene| scene.men(Role::Bishop),
        targets: along_diagonals,
    },
    // A queen's check from further away, between the king's own rooks.
    Pattern {
        is_on: |params| params.queen_far,
        men: |scene| scene.men(Role::Queen),
        targets: from_afar,
    },
];

/// Those of the table that are on.
pub(in crate::eval) fn known(params: &MateThreat) -> Box<[&'static Pattern]> {
    PATTERNS.iter().filter(|pattern| (pattern.is_on)(params)).collect()
}

/// A mating move of `color` by one of the patterns that are on.
#[inline(never)]
pub(super) fn find(cx: &Context<'_>, color: Color) -> Option<Move> {
    let king = cx.position.king(color.other());
    let closed = cx.position.by_color(color.other()) | cx.attacks[color].any();
    let scene = &Scene { cx, color, king, flights: attacks::king_attacks(king) & !closed };
    let allowed = !out_of_reach(cx, color);
    cx.evaluator.mate_patterns.iter().find_map(|pattern| {
        let men = (pattern.men)(scene);
        if men.is_empty() {
            return None;
        }
        first_mate(cx, color, (pattern.targets)(scene) & allowed, men)
    })
}

impl Scene<'_> {
    fn men(&self, role: Role) -> Bitboard {
        self.cx.men(self.color, role)
    }

    /// The squares where a piece of this role would give check.
    fn checks(&self, role: Role) -> Bitboard {
        let occupied = self.cx.occupied;
        match role {
            Role::Knight => attacks::knight_attacks(self.king),
            Role::Bishop => attacks::bishop_attacks(self.king, occupied),
            Role::Rook => attacks::rook_attacks(self.king, occupied),
            _ => attacks::queen_attacks(self.king, occupied),
        }
    }
}

fn along_edges(scene: &Scene<'_>) -> Bitboard {
    let back_rank = scene.color.fold_wb(Rank::Eighth, Rank::First);
    let edges = [
        Bitboard::from_file(File::A),
        Bitboard::from_file(File::H),
        Bitboard::from_rank(back_rank.flip_vertical()),
    ];
    let of_king =
        |edge: &Bitboard| edge.contains(scene.king) && (scene.flights & !*edge).is_empty();
    let lines = edges.into_iter().filter(of_king).fold(Bitboard::EMPTY, |all, edge| all | edge);
    lines & scene.checks(Role::Rook)
}

fn beside_and_guarded(scene: &Scene<'_>) -> Bitboard {
    let twice = scene.cx.attacks[scene.color].twice();
    attacks::king_attacks(scene.king) & scene.checks(Role::Rook) & twice
}

/// Queens and rooks that have an own man behind them.
fn protected(scene: &Scene<'_>) -> Bitboard {
    heavy(scene.cx, scene.color) & scene.cx.attacks[scene.color].any()
}

fn smothering(scene: &Scene<'_>) -> Bitboard {
    if scene.flights.is_empty() { scene.checks(Role::Knight) } else { Bitboard::EMPTY }
}

fn along_diagonals(scene: &Scene<'_>) -> Bitboard {
    let diagonals = attacks::bishop_attacks(scene.king, Bitboard::FULL);
    let shut_in = (scene.flights & !diagonals).is_empty();
    if shut_in { scene.checks(Role::Bishop) } else { Bitboard::EMPTY }
}

fn from_afar(scene: &Scene<'_>) -> Bitboard {
    /// From two squares away a queen takes three squares from the king, and the one behind it.
    const MOST: usize = 4;
    if scene.flights.count() > MOST {
        return Bitboard::EMPTY;
    }
    scene.checks(Role::Queen) & !attacks::king_attacks(scene.king)
}
