//! The evaluation: the material imbalance table.

use crate::params::MaterialTable;
use crate::types::cp;

rows! {
    /// What games say of a balance of material; nothing while there is no table.
    imbalance: Imbalance {
        on: bool = true, 0..=1, 1, Switch, "use the loaded material imbalance table", "PRO-01, PRO-06, AMB-74, AMB-75";
        table: MaterialTable = MaterialTable::None, 0..=5, 1, Choice, "where none is loaded, the table within the program of games from this rating on", "PRO-06, PRO-22, PRO-25, MISS-23";
        mode: i32 = 2, 1..=5, 1, NonLinear, "1 every cell as it is, 2 safe cells by their games, 3 named imbalances only, 4 reliable cells only, 5 the orange settings", "PRO-02, PRO-03, PRO-04, PRO-05, PRO-25";
        weight: i32 = 100, -400..=400, 10, Linear, "share of the value, per cent", "PRO-02: 100";
        symmetric: bool = true, 0..=1, 1, Switch, "a cell is counted together with its colour-flipped one; off: as in the files", "PRO-01";
        min_games: i32 = 10, 1..=10_000, 5, NonLinear, "safe cells: least games", "PRO-03: 10";
        safe_step: i32 = cp(10), 0..=256, 4, Linear, "safe cells: for each doubling of the games from the least on, the first included, 1/256 pawn", "PRO-03: grows with the games";
        safe_steps: i32 = 5, 1..=16, 1, NonLinear, "safe cells: most steps", "PRO-03";
        bishop_pair: bool = true, 0..=1, 1, Switch, "mode 3: the bishop pair, all else equal", "PRO-04";
        rook_two_minors: bool = true, 0..=1, 1, Switch, "mode 3: rook against two minor pieces", "PRO-04";
        queen_three_minors: bool = true, 0..=1, 1, Switch, "mode 3: queen against three minor pieces", "PRO-04";
        rook_bishop_pawn: bool = true, 0..=1, 1, Switch, "mode 3: rook against bishop and pawn", "PRO-04";
        minor_three_pawns: bool = true, 0..=1, 1, Switch, "mode 3: minor piece against three pawns", "PRO-04";
        reliable_games: i32 = 10, 0..=10_000, 5, NonLinear, "mode 4: more games than this", "PRO-05: 10";
        reliable_high: i32 = 90, 50..=100, 1, NonLinear, "mode 4: score above this, per cent, or", "PRO-05: 90";
        reliable_low: i32 = 10, 0..=50, 1, NonLinear, "mode 4: score below this, per cent", "PRO-05: 10";
        orange_high: i32 = 97, 50..=100, 1, NonLinear, "mode 5: score from this on, per cent, or", "PRO-25: 97 to 100";
        orange_low: i32 = 3, 0..=50, 1, NonLinear, "mode 5: score up to this, per cent", "PRO-25: 0 to 3";
        orange_games: i32 = 1, 1..=10_000, 1, NonLinear, "mode 5: least games", "PRO-25: the blog names none";
    }
}
