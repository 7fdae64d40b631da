//! The horizon and what lies behind it.

use super::pawns;

rows! {
    /// Quiescence.
    qsearch: QSearch {
        see_order: bool = true, 0..=1, 1, Switch, "without hanging men: order captures by SEE here (qs); off: most valuable victim, least valuable attacker", "QS-14, ORD-25";
        see_prune: bool = true, 0..=1, 1, Switch, "skip captures that lose material (qsp)", "QS-02, QS-13, QS-14, CLM-35";
        see_min:   i32 = 0, -512..=512, 16, Search, "least SEE of a capture worth searching, 1/256 pawn", "SEE-11, AMB-31, AMB-68: 0 takes equal captures, 1 only gains";
        promotions: bool = false, 0..=1, 1, Switch, "search every queen promotion, whatever it loses", "QS-02, AMB-34: they count as winning captures";
        underpromotions: bool = false, 0..=1, 1, Switch, "search promotions to lesser pieces that gain by SEE", "QS-15: winglet's";
        hash:      bool = true, 0..=1, 1, Switch, "probe and store the hash table in quiescence", "HSH-01, QS-04";
        full_width: bool = false, 0..=1, 1, Switch, "answer a check by a full-width search of one ply, not within quiescence", "QS-03, QS-09, AMB-30";
    }

    /// Long series of checks in quiescence.
    long_checks: LongChecks {
        on: bool = false, 0..=1, 1, Switch, "search quiet checks in the first plies of quiescence", "QS-04, QS-06, QS-07, QS-01, QS-10";
        plies: i32 = 2, 0..=16, 1, Search, "so many plies", "QS-06, QS-07: 2";
        old: bool = false, 0..=1, 1, Switch, "count them from the iteration's depth, and raise them in the main search too", "QS-06, CLM-33, CLM-34";
        one_reply: i32 = 2, 0..=8, 1, Search, "raised by this when a check has one legal answer", "QS-06, QS-08, AMB-32: 2";
        two_replies: i32 = 1, 0..=8, 1, Search, "raised by this when it has two", "QS-06, QS-08: 1";
    }

    /// Lazy evaluation: a guess in place of an evaluation.
    lazy: Lazy {
        on: bool = false, 0..=1, 1, Switch, "at the horizon and behind it, do not make moves that cannot reach alpha by I_SCORE", "LAZ-01, LAZ-12, CLM-09, CLM-10, LAZ-02, LAZ-03, QS-05; off: [ChessKnowledge = 500]";
        margin: i32 = pawns(0, 50), 0..=5120, 16, Search, "what the evaluation may say beyond the guess, 1/256 pawn", "LAZ-04, LAZ-10, PAR-01: 0.50 × [ChessKnowledge] / 100";
        correction: i32 = 1, 0..=3, 1, Search, "what the last evaluation said beyond I_SCORE is added: 0 not, 1 with its sign, 2 when positive, 3 its size", "LAZ-05, LAZ-06, LAZ-11, AMB-15, CLM-11";
        spare_quadrant: bool = true, 0..=1, 1, Switch, "not behind an evaluation that used the quadrant rule", "LAZ-07";
        spare_endings: bool = true, 0..=1, 1, Switch, "nor behind one with special endgame knowledge", "LAZ-08";
        spare_hash: bool = true, 0..=1, 1, Switch, "nor the hash move of the main search", "the field's; the page has no such exception";
        spare_mates: bool = true, 0..=1, 1, Switch, "nor where a mate threatens", "LAZ-09";
    }

    /// Tricks that spare quiescence.
    horizon: Horizon {
        trick_one: bool = false, 0..=1, 1, Switch, "return when the score stands even after the dearest hanging man is lost", "HOR-01, HOR-02, HOR-04, AMB-17, CLM-14, QS-05";
        safety: i32 = pawns(3, 0), 0..=5120, 16, Search, "with this to spare, 1/256 pawn", "HOR-02: 3.00";
        check: i32 = pawns(9, 0), 0..=5120, 16, Search, "and this when the move came out of check, 1/256 pawn", "HOR-02: 9.00";
        promotion: i32 = pawns(6, 0), 0..=5120, 16, Search, "and this when the opponent can promote, 1/256 pawn", "HOR-02: 6.00";
        trick_two: bool = false, 0..=1, 1, Switch, "return when the score is far above beta", "HOR-03, HOR-04, CLM-15, QS-05";
        far: i32 = pawns(9, 0), 0..=5120, 16, Search, "so far, 1/256 pawn", "HOR-03: 9.00";
    }
}
