//! The evaluation: pawns, passed pawns and pawn endings.

use crate::params::field::Squares;
use crate::params::squares::pawns as squares;

rows! {
    /// Pawn structure: what depends on the pawns alone.
    pawns: Pawns {
        on: bool = true, 0..=1, 1, Switch, "count the pawn structure", "PAW-01..PAW-10";
        formation: bool = true, 0..=1, 1, Switch, "a bonus for connected pawns", "PAW-01, PAW-02, PAW-03";
        formation_1: Squares = squares::FORMATION_1, -256..=256, 4, Linear, "a pawn with a neighbour on its rank, 1/256 pawn", "PAW-01, PAW-07: d4 beside e4 24";
        formation_2: Squares = squares::FORMATION_2, -256..=256, 4, Linear, "a pawn protected by a pawn, or with the square behind it protected, 1/256 pawn", "PAW-02, PAW-03, PAW-07: d4 on c3 16";
        weak: bool = true, 0..=1, 1, Switch, "a penalty for pawns without connection; covers backward pawns", "PAW-04, PAW-05, MISS-34";
        weakpawn_1: Squares = squares::WEAK_1, -256..=256, 4, Linear, "a weak pawn, subtracted, 1/256 pawn", "PAW-05";
        weak_open: bool = true, 0..=1, 1, Switch, "a further penalty for weak pawns on a file without enemy pawns", "PAW-06";
        weakpawn_2: Squares = squares::WEAK_2, -256..=256, 4, Linear, "a weak pawn on an open file, subtracted on top of the other, 1/256 pawn", "PAW-06";
        doubled: bool = true, 0..=1, 1, Switch, "a penalty for doubled pawns", "PAW-08";
        doubled_penalty: i32 = 20, -128..=256, 4, Linear, "each pawn that shares its file with another, 1/256 pawn", "PAW-08: 20";
        isolated_doubled: bool = true, 0..=1, 1, Switch, "a further penalty for doubled pawns without own pawns on the next files", "PAW-09, PAW-10, AMB-50";
        isolated_doubled_penalty: i32 = 20, -128..=256, 4, Linear, "each isolated doubled pawn, 1/256 pawn", "PAW-09, AMB-50: 20, for the pair 40";
        isolated_doubled_open_penalty: i32 = 10, -128..=256, 2, Linear, "each isolated doubled pawn on an open file, added, 1/256 pawn", "PAW-09, AMB-50: 10, for the pair 60 in all";
    }

    /// Isolated pawns by square, as an alternative to the weak pawns.
    isolated: Isolated {
        on: bool = false, 0..=1, 1, Switch, "a penalty for isolated pawns; overlaps with weak pawns", "EVA-02, AMB-82";
        middlegame: Squares = squares::ISOLATED_MG, -256..=256, 2, Linear, "an isolated pawn, middle game, subtracted, 1/256 pawn", "EVA-02, AMB-82: in place of 0.10";
        endgame: Squares = squares::ISOLATED_EG, -256..=256, 2, Linear, "an isolated pawn, end game, subtracted, 1/256 pawn", "EVA-02, MISS-26: half of the middle game";
    }

    /// Attacks on pawns that no pawn protects.
    pressure: Pressure {
        on: bool = true, 0..=1, 1, Switch, "a penalty for attacked pawns without a pawn's protection", "PAW-11, AMB-42";
        factor: Squares = squares::PRESSURE, -64..=64, 1, Linear, "importance of the square, doubled for each attacker, 1/256 pawn", "PAW-11, AMB-42: factor << attackers";
        endgame: i32 = 2, 0..=8, 1, NonLinear, "the end game's penalty as a multiple of the middle game's", "PAW-11: double";
    }

    /// Passed pawns.
    passed: Passed {
        on: bool = true, 0..=1, 1, Switch, "a bonus for passed pawns, with all that follows in this group", "PAS-01";
        middlegame: Squares = squares::PASSED_MG, -512..=512, 4, Linear, "a passed pawn, middle game, 1/256 pawn", "PAS-01";
        endgame: Squares = squares::PASSED_EG, -512..=512, 4, Linear, "a passed pawn, end game, 1/256 pawn", "PAS-01, AMB-39";
        pawn_ending: Squares = squares::PASSED_PAWN_ENDING, -512..=512, 4, Linear, "a passed pawn, pawn ending, 1/256 pawn", "PAS-01, AMB-39, AMB-84";
        connected: bool = true, 0..=1, 1, Switch, "the bonus again for passers beside or protected by a pawn", "PAS-02";
        potential: bool = true, 0..=1, 1, Switch, "the bonus up to three times more for a free way ahead", "PAS-03, AMB-46";
        blocked: bool = true, 0..=1, 1, Switch, "the bonus up to three times more for blocked passers with support", "PAS-04";
        king_support: bool = true, 0..=1, 1, Switch, "a bonus for passers beside their own king, end game", "PAS-05, AMB-47";
        king_support_next: bool = true, 0..=1, 1, Switch, "the king may also control only the square in front", "PAS-05, AMB-47";
        king_support_table: Squares = squares::KING_SUPPORT, -256..=512, 4, Linear, "a passed pawn with its king's support, 1/256 pawn", "PAS-05";
        king_tropism: bool = true, 0..=1, 1, Switch, "a bonus by the enemy king's distance, late end game", "PAS-06, AMB-48, AMB-84";
        king_tropism_table: Squares = squares::KING_TROPISM, -64..=128, 1, Linear, "a passed pawn, for each step to the enemy king, 1/256 pawn", "PAS-06, AMB-39, AMB-48";
        immobility: bool = true, 0..=1, 1, Switch, "a penalty in place of all bonuses for passers behind an own rook", "PAS-07, PAS-14";
        immobility_penalty: i32 = 320, 0..=1024, 16, Linear, "a passer behind an own rook, 1/256 pawn", "PAS-07, PAS-14, MISS-13: more than a pawn";
        immobility_safe_penalty: i32 = 160, 0..=1024, 16, Linear, "the same when the pawn is not attacked, 1/256 pawn", "PAS-07, MISS-13: 50%";
        compelling: bool = true, 0..=1, 1, Switch, "a bonus for far advanced passers that bind an enemy rook or queen", "PAS-08";
        compelling_rook: i32 = 32, -256..=512, 4, Linear, "an enemy rook ahead of a passer on the 5th rank, 1/256 pawn", "PAS-08: 32";
        compelling_queen: i32 = 128, -256..=512, 8, Linear, "an enemy queen ahead of a passer on the 5th rank, 1/256 pawn", "PAS-08: half a pawn";
        compelling_ranks: [i32; 3] = [1, 2, 3], 0..=8, 1, NonLinear, "multiples of the compelling bonus on the 5th, 6th and 7th rank", "PAS-08: doubled, tripled";
    }

    /// The quadrant rule: pawns that the enemy king cannot catch.
    quadrant: Quadrant {
        on: bool = true, 0..=1, 1, Switch, "pawns out of the enemy king's reach count as promoted, pawn endings", "PAS-09, PAS-13, MISS-34";
        bonus: i32 = 2048, 0..=4096, 64, Linear, "a pawn that will promote, 1/256 pawn", "PAS-09: 8 pawns";
        own_king: bool = true, 0..=1, 1, Switch, "an own king in the way costs a step", "PAS-10";
        in_check: bool = true, 0..=1, 1, Switch, "a side in check first has to see to its king: the pawn loses a step", "PAS-09: side to move taken into account";
        one_pawn: bool = true, 0..=1, 1, Switch, "only one pawn of a side gets the bonus", "PAS-11";
        races: bool = true, 0..=1, 1, Switch, "when both sides have such a pawn, see who promotes first and how; off: both get the bonus", "PAS-12, MISS-34";
    }

    /// Pawn endings: a pawn up wins.
    pawn_ending: PawnEnding {
        on: bool = true, 0..=1, 1, Switch, "pawn endings: each pawn counts once more", "END-01";
        bonus: [i32; 9] = [0, 0, 256, 512, 768, 1024, 1280, 1536, 1792], -512..=4096, 32, NonLinear, "by the number of a side's pawns, 1/256 pawn", "END-01, AMB-57: as printed";
        isolated_doubled: bool = true, 0..=1, 1, Switch, "isolated doubled pawns count as one", "END-02";
    }
}
