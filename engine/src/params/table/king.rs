//! The evaluation: the king's safety, its shelter, castling, mate threats, the initiative.

use crate::params::field::Squares;
use crate::types::cp;

/// Steps by the king's square. Printed for the black king; here seen from White's side, a1 first.
#[rustfmt::skip]
const PREFILL: Squares = Squares([
    2, 0, 0, 0, 0, 0, 0, 2,
    2, 1, 1, 1, 1, 1, 1, 2,
    4, 3, 3, 3, 3, 3, 3, 4,
    4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4,
]);

/// Steps by who takes part in the attack: bit 0 pawn, 1 knight or bishop, 2 rook, 3 queen, 4 king.
#[rustfmt::skip]
const PATTERN: [i32; 32] = [
    0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 2, 2, 2, 3, 3, 3,
    0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3,
];

/// Centipawns by steps; the last entry stands for all beyond.
#[rustfmt::skip]
const DANGER: [i32; 35] = [
    0, 2, 3, 6, 12, 18, 25, 37, 50, 75,
    100, 125, 150, 175, 200, 225, 250, 275, 300, 325,
    350, 375, 400, 425, 450, 475, 500, 525, 550, 575,
    600, 600, 600, 600, 600,
];

rows! {
    /// Progressive king safety: steps are counted around a king, a table turns them into points.
    king_safety: KingSafety {
        on: bool = true, 0..=1, 1, Switch, "count the danger to both kings", "KSF-07, KSF-11, KSF-12, EVA-11, EVA-12";
        king_square: bool = true, 0..=1, 1, Switch, "start from the king's square", "KSF-01, KSF-13";
        prefill: Squares = PREFILL, -8..=16, 1, NonLinear, "steps by the king's square, before anything attacks it", "KSF-01: as printed, ranks turned over";
        prefill_pieces: i32 = 2, 0..=16, 1, NonLinear, "fewest enemy rooks, bishops and knights for prefill and shelter to count", "KSF-02, AMB-12: 2";
        outer: bool = true, 0..=1, 1, Switch, "the three squares two ranks in front add to the attack pattern", "KSF-03, AMB-13";
        near_attacked: i32 = 1, -4..=8, 1, NonLinear, "steps for an attacked square beside or behind the king", "KSF-04: 1";
        near_king_only: i32 = 1, -4..=8, 1, NonLinear, "more steps when only the king protects that square", "KSF-04, AMB-07: 1";
        front_attacked: i32 = 1, -4..=8, 1, NonLinear, "steps for an attacked square in front of the king", "KSF-05: 1";
        front_bare: i32 = 1, -4..=8, 1, NonLinear, "more steps when no man of the king's side stands there", "KSF-05, AMB-11: 1";
        front_king_only: i32 = 1, -4..=8, 1, NonLinear, "more steps when only the king protects that square", "KSF-05, AMB-07: 1";
        attack_pattern: bool = true, 0..=1, 1, Switch, "count which classes of men attack together", "KSF-06";
        pattern: [i32; 32] = PATTERN, -8..=16, 1, NonLinear, "steps by the classes of men that attack the zone: 1 pawn, 2 knight or bishop, 4 rook, 8 queen, 16 king", "KSF-06, AMB-08: as printed";
        table: [i32; 35] = DANGER, -200..=2000, 5, NonLinear, "danger by steps, centipawns; the last entry for all beyond", "KSF-07, AMB-09, AMB-10: as printed";
        scale: i32 = 100, 0..=400, 5, NonLinear, "part of the table that counts, per cent", "KSF-07, AMB-09";
        endgame: i32 = 100, 0..=200, 10, NonLinear, "part of the danger that counts in the end game, per cent", "KSF-08: 100, the enemy queen decides";
        needs_queen: bool = true, 0..=1, 1, Switch, "no danger from an enemy without a queen", "KSF-08";
        not_lone_queen: bool = true, 0..=1, 1, Switch, "no danger from an enemy whose only piece is a queen", "KSF-09, AMB-12";
    }

    /// The pawns before the king: further steps of king safety, counted in halves.
    shelter: Shelter {
        shield: bool = true, 0..=1, 1, Switch, "count missing and advanced pawns of the king's three files", "MISS-03, KSF-10";
        missing: i32 = 2, -8..=16, 1, NonLinear, "no pawn on the two ranks before the king, half steps a file", "MISS-03";
        advanced: i32 = 1, -8..=16, 1, NonLinear, "the pawn stands two ranks ahead, half steps a file", "MISS-03";
        rams: bool = true, 0..=1, 1, Switch, "count enemy pawns that meet the shield", "MISS-04, KSF-10";
        ram: i32 = -1, -8..=8, 1, NonLinear, "shield pawn blocked head-on by an enemy pawn, half steps", "MISS-04";
        lever: i32 = 2, -8..=16, 1, NonLinear, "shield pawn that an enemy pawn attacks, or will after a step, half steps", "MISS-04: COUNTER+1";
    }

    /// Castling, as long as the enemy has a queen; middle game.
    castling: Castling {
        on: bool = true, 0..=1, 1, Switch, "points for having castled or being able to", "MISS-05, KSF-10, EVA-16";
        castled: i32 = 32, -256..=512, 4, Linear, "king castled, or as if, 1/256 pawn", "MISS-05";
        rights: i32 = 12, -256..=512, 4, Linear, "not castled, but may still castle, 1/256 pawn", "MISS-05";
        lost: i32 = 24, -256..=512, 4, Linear, "penalty: neither, and the d- or e-file has no pawns, 1/256 pawn", "MISS-05";
    }

    /// Kings castled to opposite wings: pawns that storm the enemy's; middle game.
    opposite_kings: OppositeKings {
        on: bool = true, 0..=1, 1, Switch, "pawn storms when the kings castled to opposite wings", "MISS-06, KSF-10";
        storm: [i32; 8] = [0, 0, 4, 12, 24, 32, 32, 0], -256..=512, 4, Linear, "free pawn on the enemy king's three files, by its rank, 1/256 pawn", "MISS-06";
    }

    /// Pieces near the enemy king; middle game.
    king_tropism: KingTropism {
        on: bool = false, 0..=1, 1, Switch, "points for pieces near the enemy king", "EVA-16: a wish";
        weights: [i32; 4] = [1, 1, 2, 3], -16..=32, 1, Linear, "knight, bishop, rook, queen: for each step nearer than seven, 1/256 pawn", "EVA-16: no figures given";
    }

    /// The initiative: several advantages at once.
    initiative: Initiative {
        on: bool = true, 0..=1, 1, Switch, "a bonus for several advantages at once", "PRO-08";
        safe: i32 = cp(25), 0..=2560, 8, NonLinear, "the own king is safe while its danger is less, 1/256 pawn", "PRO-08, AMB-77: 0.25";
        some: i32 = cp(25), 0..=2560, 8, NonLinear, "attack, passed pawns or mobility worth this count once, 1/256 pawn", "PRO-08: 0.25";
        much: i32 = cp(50), 0..=2560, 8, NonLinear, "attack, passed pawns or mobility worth this count twice, 1/256 pawn", "PRO-08: 0.50";
        bonus: [i32; 8] = [0, 0, 0, 32, 64, 128, 192, 256], -256..=1024, 8, NonLinear, "by the number of advantages, 1/256 pawn", "PRO-08: as printed";
        scale: i32 = 100, 0..=400, 5, NonLinear, "part of the bonus that counts, per cent", "PRO-08: a big bonus loses, a small one might gain";
    }

    /// Mates that threaten, told to the search and worth nothing in the sum.
    mate_threat: MateThreat {
        on: bool = true, 0..=1, 1, Switch, "look for mates on the move", "ORD-20, EVA-13, MISS-15";
        queen: bool = true, 0..=1, 1, Switch, "a supported queen next to the king", "ORD-20, MISS-15: Qg7#";
        back_rank: bool = true, 0..=1, 1, Switch, "a rook or queen on the king's back rank", "MISS-15";
        two_rooks: bool = false, 0..=1, 1, Switch, "a rook or queen along another edge that the king cannot leave: two rooks, rook and knight", "ORD-20, MISS-15";
        rook: bool = false, 0..=1, 1, Switch, "a rook next to the king, guarded by a knight, a bishop or another man", "ORD-20, MISS-15";
        battery: bool = false, 0..=1, 1, Switch, "a queen or rook next to the king, guarded by the rook, bishop or queen behind her", "ORD-20, MISS-15";
        smothered: bool = false, 0..=1, 1, Switch, "a knight's check to a king between its own men", "ORD-20, MISS-15";
        bishop: bool = false, 0..=1, 1, Switch, "a bishop's check along the only way out: two bishops", "ORD-20, MISS-15";
        queen_far: bool = false, 0..=1, 1, Switch, "a queen's check that is not next to the king", "ORD-20, MISS-15";
    }
}
