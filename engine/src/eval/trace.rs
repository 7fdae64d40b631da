//! What the evaluation tells while it counts: nothing, or every term.

use crate::types::{ByColor, Color, Role, Score};

macro_rules! terms {
    ($($variant:ident, $name:literal, $source:literal;)+) => {
        /// A term of the evaluation.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Term {
            /// Material of one role.
            Material(Role),
            /// Piece-square table of one role.
            PieceSquare(Role),
            $(#[doc = concat!($name, " (", $source, ").")] $variant,)+
        }

        impl Term {
            /// The terms that do not come from the board's sums, in the order they are counted.
            pub const COUNTED: &[Term] = &[$(Term::$variant),+];

            /// The term's name.
            #[must_use]
            pub fn name(self) -> String {
                match self {
                    Term::Material(role) => format!("material {role:?}").to_lowercase(),
                    Term::PieceSquare(role) => format!("pst {role:?}").to_lowercase(),
                    $(Term::$variant => $name.to_owned(),)+
                }
            }

            /// Its register ids.
            #[must_use]
            pub fn source(self) -> &'static str {
                match self {
                    Term::Material(_) => "GEN-07",
                    Term::PieceSquare(_) => "MISS-18",
                    $(Term::$variant => $source,)+
                }
            }
        }
    };
}

terms! {
    PawnFormation, "pawn formation", "PAW-01, PAW-02, PAW-03, PAW-07";
    WeakPawn, "weak pawn", "PAW-05";
    WeakPawnOpenFile, "weak pawn, open file", "PAW-06";
    DoubledPawn, "doubled pawn", "PAW-08";
    IsolatedDoubled, "isolated doubled pawn", "PAW-09, PAW-10";
    IsolatedPawn, "isolated pawn", "EVA-02";
    PawnPressure, "pawn pressure", "PAW-11";
    PassedPawn, "passed pawn", "PAS-01";
    ConnectedPasser, "connected passer", "PAS-02";
    PasserPotential, "passer's potential", "PAS-03";
    BlockedPasser, "blocked passer", "PAS-04";
    PasserKingSupport, "passer, own king", "PAS-05";
    PasserKingTropism, "passer, enemy king", "PAS-06";
    ImmobilePasser, "passer behind rook", "PAS-07";
    CompellingPasser, "compelling passer", "PAS-08";
    Quadrant, "quadrant", "PAS-09, PAS-10, PAS-11, PAS-12";
    KingSafety, "king safety", "KSF-01..KSF-10, MISS-03, MISS-04";
    Castling, "castling", "MISS-05";
    OppositeKings, "opposite kings", "MISS-06";
    KingTropism, "king tropism", "EVA-16";
    Mobility, "mobility", "MOB-01..MOB-08";
    QueenMobility, "queen mobility", "MISS-20";
    KnightMinimum, "knight's least mobility", "MOB-09";
    BishopMinimum, "bishop's least mobility", "MOB-10";
    BadBishop, "bad bishop", "PCE-01";
    BishopPair, "bishop pair", "PCE-02, PCE-03";
    PairAgainstNoMinors, "pair v no minors", "PCE-04";
    StrongSquare, "strong square", "PCE-05, PRO-15";
    CentreControl, "centre control", "PCE-06, PCE-07";
    Pin, "pin", "PCE-08, PCE-09";
    DiscoveredAttack, "discovered attack", "PCE-10";
    Skewer, "skewer", "PCE-11";
    TrappedBishop, "trapped bishop", "PCE-12";
    RookConnection, "rook connection", "PCE-13";
    DoubledRooks, "doubled rooks", "PCE-14";
    RookOnSeventh, "rook on the 7th", "PCE-15";
    RookPinEighth, "rook pin on the 8th", "PRO-11";
    RookBehindRam, "rook behind a ram", "PRO-16";
    RookBehindPawn, "rook behind pawns", "PRO-17";
    KnightBlockade, "knight blockade", "PRO-18";
    CooperativeKnights, "cooperative knights", "PRO-20";
    DoubleAttack, "double attack", "PCE-16";
    BishopVersusKnight, "bishop v knight", "PRO-14";
    Imbalance, "material imbalance", "PRO-01..PRO-06";
    Initiative, "initiative", "PRO-08";
    AntiShuffle, "anti-shuffle", "PRO-07";
    PieceMobility, "mobility by piece", "usual";
    KingDanger, "king danger", "usual";
    KingShelter, "shelter and storm", "usual";
    PieceThreats, "threats", "usual";
    MinorPieces, "knights and bishops", "usual";
    HeavyPieces, "rooks and queens", "usual";
    PawnRanks, "pawns by rank", "usual";
    CandidatePawn, "candidate pawn", "usual";
    PasserRanks, "passed pawns by rank", "usual";
    Space, "space", "usual";
    KingSquares, "king squares", "usual";
    Tempo, "tempo", "usual";
    PawnEnding, "pawn ending", "END-01, END-02";
    EndgameAdjust, "endgame table", "END-03, END-04, END-05";
    EndgameKnowledge, "endgame knowledge", "END-06..END-10";
    Winnable, "winnable", "usual";
    OppositeBishops, "opposite bishops", "MISS-33";
    FiftyMoves, "fifty moves", "MISS-33";
}

/// Hears of every term. Chosen at compile time: what is not heard costs nothing.
pub trait Trace {
    /// Whether terms that are kept incrementally or in a cache are counted out for it.
    const DETAILED: bool;

    /// A term's points for a colour, from that colour's view.
    fn add(&mut self, term: Term, color: Color, score: Score);
}

/// Plays: hears nothing.
#[derive(Debug, Clone, Copy)]
pub struct NoTrace;

impl Trace for NoTrace {
    const DETAILED: bool = false;

    #[inline]
    fn add(&mut self, _term: Term, _color: Color, _score: Score) {}
}

/// The evaluation under way: what is added to it is also told, so the trace cannot but add up.
#[derive(Debug)]
pub(super) struct Sum<'t, T> {
    /// White minus Black.
    pub(super) total: Score,
    trace: &'t mut T,
}

impl<'t, T: Trace> Sum<'t, T> {
    pub(super) fn new(trace: &'t mut T) -> Sum<'t, T> {
        Sum { total: Score::ZERO, trace }
    }

    /// Points for a colour, from that colour's view.
    #[inline]
    pub(super) fn add(&mut self, term: Term, color: Color, score: Score) {
        self.total += if color.is_white() { score } else { -score };
        self.trace.add(term, color, score);
    }

    /// A term that both colours have.
    #[inline]
    pub(super) fn add_both(&mut self, term: Term, scores: ByColor<Score>) {
        self.add(term, Color::White, scores.white);
        self.add(term, Color::Black, scores.black);
    }

    /// Points that the board's own sums already hold: told, not added.
    pub(super) fn tell(&mut self, term: Term, color: Color, score: Score) {
        self.trace.add(term, color, score);
    }

    /// Makes the total `score`, White minus Black; the difference is told as points of the colour
    /// that gains by it, phase by phase.
    #[inline]
    pub(super) fn replace(&mut self, term: Term, score: Score) {
        let difference = score - self.total;
        let gain = |sign: i32| {
            Score::new((difference.mg() * sign).max(0), (difference.eg() * sign).max(0))
        };
        self.add_both(term, ByColor { white: gain(1), black: gain(-1) });
    }
}
