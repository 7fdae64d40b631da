//! The rows, one file for each part of the engine. Each number stands here once, with range, step,
//! meaning and source.
//!
//! Units: values and margins are in 1/256 pawn (the papers' "binary"); `pawns` and `cp` convert the
//! papers' decimal pawns and centipawns, and the source column repeats their figure.

use std::sync::LazyLock;

use super::ParamSpec;
use crate::types::cp;

/// Decimal hundredths of a pawn, as the papers write margins: `pawns(0, 50)` is 0.50.
const fn pawns(whole: i32, hundredths: i32) -> i32 {
    cp(whole * 100 + hundredths)
}

/// A list by depth that goes on with its last value.
const fn steady<const N: usize>(printed: [i32; N]) -> [i32; 32] {
    by_depth(printed, 0)
}

/// A list by depth that goes on one higher each time.
const fn rising<const N: usize>(printed: [i32; N]) -> [i32; 32] {
    by_depth(printed, 1)
}

const fn by_depth<const N: usize>(printed: [i32; N], growth: i32) -> [i32; 32] {
    let mut list = [0; 32];
    let mut depth = 0;
    while depth < list.len() {
        list[depth] = if depth < N { printed[depth] } else { list[depth - 1] + growth };
        depth += 1;
    }
    list
}

/// Margins by depth in centipawns, going on with the last.
const fn margins<const N: usize>(printed: [i32; N]) -> [i32; 32] {
    centipawns(steady(printed))
}

/// Centipawns to 1/256 pawn, cell by cell.
const fn centipawns<const N: usize>(mut list: [i32; N]) -> [i32; N] {
    let mut index = 0;
    while index < N {
        list[index] = cp(list[index]);
        index += 1;
    }
    list
}

/// Groups of rows: a struct for each group, with its defaults, and the rows' descriptions.
macro_rules! rows {
    ($(
        $(#[doc = $group_doc:literal])+
        $group:ident: $Group:ident {
            $(
                $name:ident: $type:ty = $default:expr, $range:expr, $step:expr, $kind:ident,
                    $meaning:literal, $source:literal;
            )+
        }
    )+) => {
        $(
            $(#[doc = $group_doc])+
            #[derive(Debug, Clone, PartialEq)]
            pub struct $Group {
                $(#[doc = $meaning] pub $name: $type,)+
            }

            impl Default for $Group {
                fn default() -> $Group {
                    $Group { $($name: $default,)+ }
                }
            }
        )+

        /// The rows of this file, in order.
        pub(super) const SPECS: &[$crate::params::ParamSpec] = &[$($(
            $crate::params::ParamSpec {
                name: concat!(stringify!($group), ".", stringify!($name)),
                shape: <$type as $crate::params::field::Field>::SHAPE,
                kind: $crate::params::field::Kind::$kind,
                min: *$range.start(),
                max: *$range.end(),
                step: $step,
                meaning: $meaning,
                source: $source,
                get: |params, cell| {
                    $crate::params::field::Field::cell(&params.$group.$name, cell)
                },
                set: |params, cell, value| {
                    $crate::params::field::Field::set_cell(&mut params.$group.$name, cell, value);
                },
            },
        )+)+];
    };
}

/// The files and their groups: together the parameter table.
macro_rules! table {
    ($($file:ident { $($group:ident: $Group:ident,)+ })+) => {
        $(
            mod $file;
            pub use $file::{$($Group),+};
        )+

        /// Every parameter of the engine, a plain value: two engines in one process may differ in
        /// all of it.
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct Params {
            $($(#[doc = concat!("The rows `", stringify!($group), ".*`.")] pub $group: $Group,)+)+
        }

        /// The rows of the parameter table, in order.
        pub static SPECS: LazyLock<Vec<&'static ParamSpec>> =
            LazyLock::new(|| [$($file::SPECS),+].into_iter().flatten().collect());
    };
}

table! {
    base { material: Material, pst: Pst, phase: Phase, see: See, }
    threats { hanging: Hanging, double_attack: DoubleAttack, shuffle: Shuffle, }
    pawns {
        pawns: Pawns,
        isolated: Isolated,
        pressure: Pressure,
        passed: Passed,
        quadrant: Quadrant,
        pawn_ending: PawnEnding,
    }
    pieces {
        bad_bishop: BadBishop,
        bishop_pair: BishopPair,
        trapped_bishop: TrappedBishop,
        bishop_v_knight: BishopVersusKnight,
        strong_square: StrongSquare,
        knight_blockade: KnightBlockade,
        cooperative_knights: CooperativeKnights,
        centre: Centre,
        pins: Pins,
    }
    rooks {
        rook_connection: RookConnection,
        doubled_rooks: DoubledRooks,
        rook_seventh: RookOnSeventh,
        rook_pin_eighth: RookPinEighth,
        rook_ram: RookBehindRam,
        rook_behind_pawn: RookBehindPawn,
    }
    king {
        king_safety: KingSafety,
        shelter: Shelter,
        castling: Castling,
        opposite_kings: OppositeKings,
        king_tropism: KingTropism,
        initiative: Initiative,
        mate_threat: MateThreat,
    }
    mobility {
        mobility: Mobility,
        minimum_mobility: MinimumMobility,
        queen_mobility: QueenMobility,
    }
    classical {
        piece_mobility: PieceMobility,
        king_danger: KingDanger,
        king_shelter: KingShelter,
        king_squares: KingSquares,
        piece_threats: PieceThreats,
        minor_pieces: MinorPieces,
        heavy_pieces: HeavyPieces,
        pawn_ranks: PawnRanks,
        passers: Passers,
        space: Space,
        tempo: Tempo,
        winnable: Winnable,
        scale: Scale,
    }
    endgame { endgame: Endgame, scaling: Scaling, }
    imbalance { imbalance: Imbalance, }
    root {
        aspiration: Aspiration,
        root: Root,
        time: Time,
        contempt: Contempt,
        opening: Opening,
    }
    search { search: SearchParams, correction: Correction, iir: InternalReduction, }
    selective {
        selective: Selective,
        null_move: NullMove,
        futility: Futility,
        skip_quiets: SkipQuiets,
        static_cut: StaticCut,
        probcut: ProbCut,
        late_moves: LateMoves,
    }
    reductions {
        reductions: Reductions,
        reduction1: Reduction1,
        reduction2a: Reduction2a,
        reduction2b: Reduction2b,
        reduction2c: Reduction2c,
        reduction2d: Reduction2d,
        two_hanging: TwoHanging,
        lmr: LateMoveReduction,
        move_squares: MoveSquares,
        history_reduction: HistoryReduction,
    }
    extensions {
        extensions: Extensions,
        check_ext: CheckExtension,
        recapture_ext: RecaptureExtension,
        pawn_ext: PawnExtension,
        endgame_ext: EndgameExtension,
        king_ext: KingExtension,
        pv_ext: PvExtension,
        singular_ext: SingularExtension,
    }
    quiescence { qsearch: QSearch, long_checks: LongChecks, lazy: Lazy, horizon: Horizon, }
    order {
        order: Order,
        killers: Killers,
        history: History,
        history_pst: HistoryPst,
        unsorted: Unsorted,
        iid: InternalDeepening,
    }
}
