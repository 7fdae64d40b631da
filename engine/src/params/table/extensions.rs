//! Extensions: moves that are searched deeper.

use super::{pawns, centipawns};

rows! {
    /// What all extensions share.
    extensions: Extensions {
        by_iteration: bool = false, 0..=1, 1, Switch, "a line is extended by the iteration's depth at most", "EXT-15, MISS-16";
        once: bool = true, 0..=1, 1, Switch, "a move is never extended twice; if not, what the rules give adds up", "EXT-10";
        share: i32 = 100, 0..=400, 10, Search, "that limit, per cent of the iteration's depth", "MISS-16: 100";
    }

    /// Extension of checks.
    check_ext: CheckExtension {
        on:     bool = true, 0..=1, 1, Switch, "extend when the side to move is in check", "EXT-01, CLM-20";
        amount: [i32; 5] = [4, 4, 4, 4, 4], 0..=8, 1, Search, "how much for the first, second, third, fourth and each further check on the line, quarter plies", "EXT-01, EXT-03, EXT-16: 1 ply each; EXT-02, AMB-23: 0 1 1 2 1";
        horizon: bool = true, 0..=1, 1, Switch, "a check at the horizon too, instead of quiescence", "HOR-01, QS-12: no";
    }

    /// Extension of recaptures.
    recapture_ext: RecaptureExtension {
        on: bool = false, 0..=1, 1, Switch, "extend winning recaptures near the root's material", "EXT-04, EXT-06, CLM-22";
        amount: i32 = 4, 0..=8, 1, Search, "how much, quarter plies", "EXT-04, EXT-16: 1 ply";
        window: i32 = pawns(5, 0), 0..=5120, 32, Search, "half the window of I_SCORE around the root's, 1/256 pawn", "EXT-05: 5.00";
        narrow: [i32; 12] = centipawns([0, 0, 50, 50, 50, 50, 25, 25, 25, 25, 0, 0]), 0..=512, 8, Search, "by how much each ply narrows it, 1/256 pawn", "EXT-05: 50 and 25 centipawns, to 2.00 at ply 9";
        after: bool = false, 0..=1, 1, Switch, "I_SCORE after the recapture, not before", "AMB-24";
    }

    /// Extension of far pawns.
    pawn_ext: PawnExtension {
        on: bool = false, 0..=1, 1, Switch, "extend pawns that reach the seventh rank", "EXT-07, CLM-23";
        amount: i32 = 4, 0..=8, 1, Search, "how much, quarter plies", "EXT-07: 1 ply";
    }

    /// Extension of steps into endings.
    endgame_ext: EndgameExtension {
        simple: bool = false, 0..=1, 1, Switch, "extend the capture that leads to a simple ending (rooks and minor pieces)", "EXT-08, AMB-84, CLM-23";
        simple_amount: i32 = 4, 0..=16, 1, Search, "how much, quarter plies", "EXT-08: 1 ply";
        pawns: bool = false, 0..=1, 1, Switch, "extend the capture that leads to a pawn ending", "EXT-09, CLM-24";
        pawns_amount: i32 = 12, 0..=24, 1, Search, "how much, quarter plies", "EXT-09: 3 plies";
        pawns_window: i32 = pawns(3, 0), 0..=5120, 32, Search, "when I_SCORE lies within this of equality, 1/256 pawn", "EXT-09: 3.00";
    }

    /// Extension of attacks on the king.
    king_ext: KingExtension {
        on: bool = false, 0..=1, 1, Switch, "extend moves that increase the pressure on the enemy king", "EXT-11, MISS-14, CLM-25";
        amount: i32 = 4, 0..=8, 1, Search, "how much, quarter plies", "EXT-11: 1 ply";
        rise: i32 = pawns(0, 25), 1..=2560, 8, Search, "the danger to the king rises by this, 1/256 pawn", "MISS-14: 0.25";
        level: i32 = pawns(0, 50), 0..=2560, 8, Search, "and reaches this, 1/256 pawn", "MISS-14: 0.50";
    }

    /// Extension of rows of hash moves.
    pv_ext: PvExtension {
        on: bool = false, 0..=1, 1, Switch, "extend when hash moves follow one another on the line ([Pruning = MISC_37] turns it off)", "EXT-12, EXT-14, PRO-24, PAR-03, CLM-26, CLM-27";
        count: i32 = 4, 1..=16, 1, Search, "so many times (M37_COUNT)", "EXT-12, EXT-13, AMB-26, AMB-27: 4; 3 as an experiment";
        amount: i32 = 4, 0..=8, 1, Search, "how much, quarter plies", "EXT-12: 1 ply";
        margin_on: bool = true, 0..=1, 1, Switch, "count only when the hash score is not far below alpha", "EXT-12, AMB-25; off in ProDeo: EXT-14";
        printed: bool = false, 0..=1, 1, Switch, "count, by the sign as printed, only when the hash score is further below alpha than that", "EXT-12, AMB-25: alpha > pvs_score + margin";
        once: bool = false, 0..=1, 1, Switch, "a move that another rule extends does not count", "EXT-14: ProDeo";
        margin: i32 = 256, 0..=2560, 16, Search, "so far (M37_VAL), 1/256 pawn", "EXT-12, EXT-13: 0x100; 2.00 as an experiment";
    }

    /// Extension of a hash move that alone keeps the value.
    singular_ext: SingularExtension {
        on: bool = false, 0..=1, 1, Switch, "extend the hash move when all others fall short of its value", "the field's";
        min_depth: i32 = 8, 4..=20, 1, Search, "least remaining depth, plies", "the field's";
        margin: i32 = 8, 0..=256, 2, Search, "so far short for each ply of remaining depth, 1/256 pawn", "the field's";
        amount: i32 = 4, 0..=8, 1, Search, "how much, quarter plies", "the field's";
        multi_cut: bool = false, 0..=1, 1, Switch, "return when another move reaches beta without it", "the field's";
        far_margin: i32 = 0, 0..=2560, 4, Search, "twice as much when all others fall so much further short, outside of PV nodes, 1/256 pawn (0: never)", "the field's: double extensions";
        rivalled: i32 = 0, 0..=12, 1, Search, "how much less deep, quarter plies, the hash move is searched when another comes near and its value reaches beta", "the field's: negative extensions";
    }
}
