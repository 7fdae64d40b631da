//! The evaluation: men in danger.

rows! {
    /// Hanging and threatened pieces: what an exchange on a man's square costs.
    hanging: Hanging {
        pawn:   i32 = 1, 0..=20, 1, NonLinear, "a hanging pawn, pawns",   "EVA-07, EVA-08: 1";
        knight: i32 = 3, 0..=20, 1, NonLinear, "a hanging knight, pawns; used by double attack and wherever the search asks for a threat", "EVA-07, EVA-08, EVA-09: 3";
        bishop: i32 = 3, 0..=20, 1, NonLinear, "a hanging bishop, pawns", "EVA-07, EVA-08: 3";
        rook:   i32 = 5, 0..=20, 1, NonLinear, "a hanging rook, pawns",   "EVA-07, EVA-08: 5";
        queen:  i32 = 9, 0..=20, 1, NonLinear, "a hanging queen, pawns",  "EVA-07, EVA-08: 9";
        xray: bool = false, 0..=1, 1, Switch, "attack maps count sliders behind own sliders", "AMB-06, EVA-03..EVA-06, EVA-14, EVA-16";
    }

    /// Two men threatened at once.
    double_attack: DoubleAttack {
        on: bool = true, 0..=1, 1, Switch, "a bonus when the side that moved threatens two men", "PCE-16";
        bonus: [i32; 11] = [0, 64, 128, 192, 256, 256, 256, 256, 256, 256, 256], -512..=1024, 8, NonLinear, "by what the second man would lose in pawns, 1/256 pawn", "PCE-16: as printed";
    }

    /// Quiet moves that lead nowhere.
    shuffle: Shuffle {
        on: bool = false, 0..=1, 1, Switch, "penalise shuffling moves on the line, middle game", "PRO-07";
        penalty: [i32; 17] = [0, 0, 0, 8, 16, 32, 36, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40], -512..=512, 4, NonLinear, "by the number of shuffling moves, 1/256 pawn", "PRO-07, AMB-76: as printed";
    }
}
