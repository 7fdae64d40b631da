//! The evaluation: special endgames, and what makes every advantage smaller.

use super::pawns;
use crate::params::field::Squares;
use crate::params::squares::endgame as squares;

rows! {
    /// The 16×16 endgame table and the routines it calls.
    endgame: Endgame {
        on: bool = true, 0..=1, 1, Switch, "endgame table and routines", "END-03, END-04, END-12";
        table: bool = true, 0..=1, 1, Switch, "adjust the score by the ending's type", "END-05";
        adjust: [i32; 256] = squares::ADJUST, -2048..=2048, 8, NonLinear, "by White's type (rows) and Black's (columns), White minus Black, 1/256 pawn; cells mirrored in the diagonal must be each other's negatives, so none is free alone", "END-05, AMB-59: -4.00 to 4.00";
        draws: bool = true, 0..=1, 1, Switch, "R and ! endings are draws", "END-06, AMB-61";
        mirrored: bool = true, 0..=1, 1, Switch, "White's two bishops against two knights are a draw, too; off: the cell as printed, only Black's", "END-06, AMB-59: R for N";
        scores: bool = true, 0..=1, 1, Switch, "X, Y, x and y endings have a fixed score", "END-08";
        small: i32 = pawns(0, 25), 0..=512, 4, Linear, "X and x: the better side's score, 1/256 pawn", "END-08, AMB-63: 0.25";
        large: i32 = pawns(0, 50), 0..=512, 4, Linear, "Y and y: the better side's score, 1/256 pawn", "END-08, AMB-63: 0.50";
        king_centre: Squares = squares::KING_CENTRE, -256..=256, 4, Linear, "own king in X, Y, x, y and rook endings, 1/256 pawn", "END-08, AMB-62, MISS-11: 8 a ring";
        kpk: bool = true, 0..=1, 1, Switch, "pawn against king: exact", "END-07, END-11, MISS-07, AMB-57";
        kpk_win: i32 = pawns(8, 0), 256..=4096, 16, NonLinear, "a won pawn against king, before its rank, 1/256 pawn", "MISS-07: as the quadrant's 8.00";
        kpk_rank: i32 = 64, 0..=256, 4, NonLinear, "for each rank that a winning pawn has come, 1/256 pawn", "MISS-07";
        kpk_king: i32 = 4, 0..=32, 1, NonLinear, "for each step that its king is nearer to the promotion square, 1/256 pawn", "MISS-07";
        kbpk: bool = true, 0..=1, 1, Switch, "wrong bishop and rook pawn: a draw when the defending king holds the corner", "END-07, MISS-12, AMB-58";
        kbpk_race: bool = true, 0..=1, 1, Switch, "or when it comes there first", "MISS-12";
        kbnk: bool = true, 0..=1, 1, Switch, "mate with bishop and knight", "END-07, END-09";
        kbnk_base: i32 = 0x780, 512..=4096, 16, NonLinear, "bishop and knight against king, 1/256 pawn", "END-09: 0x780";
        kbnk_distance: i32 = 8, 0..=64, 1, NonLinear, "off for each step between the kings, 1/256 pawn", "END-09, AMB-60: 8";
        kbnk_dark: Squares = squares::KBNK_DARK, 0..=512, 10, NonLinear, "off by the lone king's square, bishop on dark squares, 1/256 pawn", "END-09: TABLE1 as printed";
        kbnk_light: Squares = squares::KBNK_LIGHT, 0..=512, 10, NonLinear, "off by the lone king's square, bishop on light squares, 1/256 pawn", "END-09: TABLE2 as printed";
        lone_king: bool = false, 0..=1, 1, Switch, "a lone king against queen, rook or both bishops, no pawns: material and kings count alone", "usual";
        lone_king_edge: i32 = 12, 0..=64, 2, NonLinear, "the lone king off the centre: for the sum of the squares of its steps by file and by rank, 1/256 pawn", "usual";
        lone_king_kings: i32 = 16, 0..=128, 2, NonLinear, "for each step that the kings are nearer, 1/256 pawn", "usual";
        haste: i32 = 0, 0..=128, 4, NonLinear, "in an ending that the table knows to be won by four pawns or more: how much less a better position counts a move later, in 1/256 of what it is better", "the field's: results/endings";
        solved: bool = false, 0..=1, 1, Switch, "bishop and knight against king, queen against rook: at the root the quickest mate, worked out by retrograde analysis", "results/endings";
        kqkp: bool = true, 0..=1, 1, Switch, "queen against pawn", "END-07, MISS-12";
        kqkp_king: i32 = 8, 0..=64, 1, NonLinear, "for each step that the queen's king is nearer to the promotion square, 1/256 pawn", "MISS-12";
        kqkp_rook_pawn: i32 = 4, 0..=7, 1, NonLinear, "a- and h-pawn on the 7th: king's distance within which the queen wins, steps", "MISS-12";
        kqkp_bishop_pawn: i32 = 4, 0..=7, 1, NonLinear, "c- and f-pawn on the 7th: king's distance within which the queen wins, steps", "MISS-12";
        krpkr: bool = true, 0..=1, 1, Switch, "rook and pawn against rook: all but a draw with the king in front", "END-07, END-10, END-13";
        krpkr_same_file: i32 = pawns(0, 10), 0..=512, 2, NonLinear, "defending king on the pawn's file, 1/256 pawn", "END-10: 0.10";
        krpkr_adjacent_file: i32 = pawns(0, 20), 0..=512, 2, NonLinear, "defending king on the file beside, 1/256 pawn", "END-10: 0.20";
        kqkr: bool = true, 0..=1, 1, Switch, "queen against rook", "END-07, MISS-12";
        kqkr_edge: i32 = 16, 0..=128, 2, NonLinear, "for each step that the rook's king is off the centre, 1/256 pawn", "MISS-12";
        kqkr_kings: i32 = 8, 0..=64, 1, NonLinear, "for each step that the kings are nearer, 1/256 pawn", "MISS-12";
        kqkr_rook: i32 = 4, 0..=64, 1, NonLinear, "for each step between the rook and its king, 1/256 pawn", "MISS-12";
    }

    /// Advantages that are hard to win.
    scaling: Scaling {
        opposite_bishops: bool = true, 0..=1, 1, Switch, "opposite-coloured bishops without other pieces keep a share of the score", "MISS-33";
        opposite_bishops_share: i32 = 50, 0..=100, 5, NonLinear, "that share, per cent", "MISS-33: 0.5";
        fifty_moves: bool = true, 0..=1, 1, Switch, "the score fades as fifty moves without progress draw near", "MISS-33";
        fifty_from: i32 = 60, 0..=100, 5, NonLinear, "plies without progress from which it fades", "MISS-33: 60";
        fifty_end: i32 = 100, 1..=200, 5, NonLinear, "plies without progress at which nothing is left", "MISS-33: 100, without the jump at 60";
    }
}
