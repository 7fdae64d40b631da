//! Material, piece-square tables, the phases, exchanges.

use crate::params::field::Squares;
use crate::params::squares;
use crate::types::cp;

rows! {
    /// Material values.
    material: Material {
        pawn:   i32 = cp(100), 64..=640,   8, Linear, "a pawn, 1/256 pawn",   "GEN-07, EVA-01, MISS-17: P1";
        knight: i32 = cp(325), 256..=1600, 8, Linear, "a knight, 1/256 pawn", "GEN-07, MISS-17: N3";
        bishop: i32 = cp(335), 256..=1600, 8, Linear, "a bishop, 1/256 pawn", "GEN-07, MISS-17: B3";
        rook:   i32 = cp(500), 512..=2560, 8, Linear, "a rook, 1/256 pawn",   "GEN-07, MISS-17: R5";
        queen:  i32 = cp(975), 1024..=4096, 16, Linear, "a queen, 1/256 pawn", "GEN-07, MISS-17: Q9";
    }

    /// Piece-square tables of the evaluation, from White's side, added to the material.
    pst: Pst {
        pawn_mg:   Squares = squares::PAWN_MG,   -1024..=1024, 4, Linear, "pawn, middle game, 1/256 pawn",   "MISS-18";
        knight_mg: Squares = squares::KNIGHT_MG, -1024..=1024, 4, Linear, "knight, middle game, 1/256 pawn", "MISS-18";
        bishop_mg: Squares = squares::BISHOP_MG, -1024..=1024, 4, Linear, "bishop, middle game, 1/256 pawn", "MISS-18";
        rook_mg:   Squares = squares::ROOK_MG,   -1024..=1024, 4, Linear, "rook, middle game, 1/256 pawn",   "MISS-18";
        queen_mg:  Squares = squares::QUEEN_MG,  -1024..=1024, 4, Linear, "queen, middle game, 1/256 pawn",  "MISS-18";
        king_mg:   Squares = squares::KING_MG,   -1024..=1024, 4, Linear, "king, middle game, 1/256 pawn",   "MISS-18";
        pawn_eg:   Squares = squares::PAWN_EG,   -1024..=1024, 4, Linear, "pawn, end game, 1/256 pawn",      "MISS-18";
        knight_eg: Squares = squares::KNIGHT_EG, -1024..=1024, 4, Linear, "knight, end game, 1/256 pawn",    "MISS-18";
        bishop_eg: Squares = squares::BISHOP_EG, -1024..=1024, 4, Linear, "bishop, end game, 1/256 pawn",    "MISS-18";
        rook_eg:   Squares = squares::ROOK_EG,   -1024..=1024, 4, Linear, "rook, end game, 1/256 pawn",      "MISS-18";
        queen_eg:  Squares = squares::QUEEN_EG,  -1024..=1024, 4, Linear, "queen, end game, 1/256 pawn",     "MISS-18";
        king_eg:   Squares = squares::KING_EG,   -1024..=1024, 4, Linear, "king, end game, 1/256 pawn",      "MISS-18";
    }

    /// The game's phase: pieces of both sides, N 3, B 3, R 5, Q 9, 62 at the start.
    phase: Phase {
        taper:      bool = true, 0..=1, 1, Switch, "blend middle game and end game by the men left; off: one or the other", "AMB-84";
        middlegame: i32 = 52, 1..=62, 2, NonLinear, "men from which all is middle game", "AMB-84";
        endgame:    i32 = 10, 0..=60, 2, NonLinear, "men up to which all is end game; without tapering the border lies half-way", "AMB-84";
        late_endgame: i32 = 8, 0..=31, 1, NonLinear, "most pieces a side has in a late end game, without queens; where kinds count, of rooks with minor pieces only", "PAS-06, AMB-84: rook and minor piece";
        by_kind:    bool = false, 0..=1, 1, Switch, "late end games by the kind of their men, however many, as each rule defines it; off: one definition, by number", "EXT-08, SEL-03, PAS-06, RED-10, AMB-84";
    }

    /// Static exchange evaluation.
    see: See {
        pawn:   i32 = cp(100), 64..=640,    8, Search, "a pawn in exchanges, 1/256 pawn",   "SEE-03, SEE-13: 100";
        knight: i32 = cp(300), 256..=1600,  8, Search, "a knight in exchanges, 1/256 pawn", "SEE-03, SEE-13: 300";
        bishop: i32 = cp(300), 256..=1600,  8, Search, "a bishop in exchanges, 1/256 pawn", "SEE-03, SEE-13: 300";
        rook:   i32 = cp(500), 512..=2560,  8, Search, "a rook in exchanges, 1/256 pawn",   "SEE-03, SEE-13: 500";
        queen:  i32 = cp(900), 1024..=4096, 16, Search, "a queen in exchanges, 1/256 pawn", "SEE-03, SEE-13: 900";
        pins:   bool = false, 0..=1, 1, Switch, "captures that expose the own king do not take part", "SEE-10";
    }
}
