//! What a search counts about itself (TST-09). Playing searches count nothing: their counter has no
//! size and its calls compile to nothing.

use std::fmt;

/// Something worth counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum SearchEvent {
    /// A node of the main search.
    MainNode,
    /// A node of quiescence.
    QuiescenceNode,
    /// A full evaluation.
    Evaluation,
    /// The hash table was asked in the main search.
    HashProbe,
    /// It knew the position.
    HashHit,
    /// Its value settled the node.
    HashCut,
    /// A move cut in the main search.
    MoveCut,
    /// The first move of a node cut.
    FirstMoveCut,
    /// The hash move cut.
    HashMoveCut,
    /// A killer move cut.
    KillerCut,
    /// A null move was searched.
    NullMove,
    /// It did not cut: the node was searched all the same (SEL-10).
    NullMoveResearch,
    /// A null move was searched though score and threat reached alpha (SEL-07, only without guard).
    GuardedNullMove,
    /// It did not cut (CLM-30).
    GuardedNullMoveResearch,
    /// A subtree was cut off by static pruning (SEL-13).
    StaticPrune,
    /// Lazy evaluation was tried.
    Lazy,
    /// Its guess stood for the evaluation.
    LazyHit,
    /// The evaluation would have come out above alpha all the same.
    LazyError,
    /// A subtree was cut off by futility pruning.
    Futility,
    /// The first trick spared a quiescence search (HOR-02).
    TrickOne,
    /// The second trick spared one (HOR-03).
    TrickTwo,
    /// Reduction 1 (RED-01).
    Reduction1,
    /// Reduction 2a (RED-07).
    Reduction2a,
    /// Reduction 2b (RED-09).
    Reduction2b,
    /// Reduction 2c (RED-11).
    Reduction2c,
    /// Reduction 2d (RED-13).
    Reduction2d,
    /// Two hanging pieces (RED-18).
    TwoHanging,
    /// A late move was searched with less depth.
    LateMove,
    /// It was searched again at full depth.
    LateMoveResearch,
    /// A move was extended for a check (EXT-01).
    CheckExtension,
    /// For a recapture (EXT-04).
    RecaptureExtension,
    /// For a pawn on the seventh rank (EXT-07).
    PawnExtension,
    /// For the step into a simple or a pawn ending (EXT-08, EXT-09).
    EndgameExtension,
    /// For an attack on the king (EXT-11).
    KingExtension,
    /// For a row of hash moves (EXT-12, EXT-14).
    PvExtension,
    /// For a move that alone keeps the value.
    SingularExtension,
    /// An unsorted tree was searched with half its depth first (ORD-17).
    UnsortedTree,
    /// A root score fell outside its window (ASP-02).
    RootFail,
    /// The reopened window, not the open one, was enough.
    RootReopened,
}

impl SearchEvent {
    /// How many kinds there are.
    const COUNT: usize = SearchEvent::RootReopened as usize + 1;
}

/// Counts events, or does not.
pub(crate) trait Statistics {
    /// Whether anything is counted.
    const ON: bool;

    /// Something happened.
    fn count(&mut self, event: SearchEvent);

    /// Adds what another thread of the search has counted.
    fn join(&mut self, other: &SearchStatistics);
}

/// Counts nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NoStatistics;

impl Statistics for NoStatistics {
    const ON: bool = false;

    #[inline]
    fn count(&mut self, _event: SearchEvent) {}

    fn join(&mut self, _other: &SearchStatistics) {}
}

/// How often everything happened.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchStatistics {
    counts: [u64; SearchEvent::COUNT],
    /// The effective branching factors of searches that were deep enough.
    branching: Vec<f64>,
}

impl Default for SearchStatistics {
    fn default() -> SearchStatistics {
        SearchStatistics { counts: [0; SearchEvent::COUNT], branching: Vec::new() }
    }
}

impl Statistics for SearchStatistics {
    const ON: bool = true;

    #[inline]
    fn count(&mut self, event: SearchEvent) {
        self.counts[event as usize] += 1;
    }

    fn join(&mut self, other: &SearchStatistics) {
        self.add(other);
    }
}

impl SearchStatistics {
    /// How often an event happened.
    #[must_use]
    pub fn of(&self, event: SearchEvent) -> u64 {
        self.counts[event as usize]
    }

    /// Adds another search's counts.
    pub fn add(&mut self, other: &SearchStatistics) {
        for (sum, count) in self.counts.iter_mut().zip(other.counts) {
            *sum += count;
        }
        self.branching.extend(&other.branching);
    }

    /// Notes the branching factor of a search.
    pub(crate) fn note_branching(&mut self, factor: Option<f64>) {
        self.branching.extend(factor);
    }

    /// How many times more nodes each iteration took, the geometric mean over searches; `None` if all
    /// were too short.
    #[must_use]
    pub fn branching_factor(&self) -> Option<f64> {
        let logarithms: f64 = self.branching.iter().map(|factor| factor.ln()).sum();
        let searches = self.branching.len();
        (searches > 0).then(|| (logarithms / searches as f64).exp())
    }

    /// `part` of `whole` in per cent; `None` when there is no whole.
    fn share(&self, part: SearchEvent, whole: SearchEvent) -> Option<f64> {
        let (part, whole) = (self.of(part) as f64, self.of(whole) as f64);
        (whole > 0.0).then(|| 100.0 * part / whole)
    }
}

/// One line a figure: the count, and its share of what it is a part of.
impl fmt::Display for SearchStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use SearchEvent::{
            CheckExtension, EndgameExtension, Evaluation, FirstMoveCut, Futility, GuardedNullMove,
            GuardedNullMoveResearch, HashCut, HashHit, HashMoveCut, HashProbe, KillerCut,
            KingExtension, LateMove, LateMoveResearch, Lazy, LazyError, LazyHit, MainNode, MoveCut,
            NullMove, NullMoveResearch, PawnExtension, PvExtension, QuiescenceNode,
            RecaptureExtension, Reduction1, Reduction2a, Reduction2b, Reduction2c, Reduction2d,
            RootFail, RootReopened, SingularExtension, StaticPrune, TrickOne, TrickTwo, TwoHanging,
            UnsortedTree,
        };
        let nodes = (self.of(QuiescenceNode) + self.of(MainNode)).max(1) as f64;
        writeln!(f, "{:<44}{:>12}", "main search nodes", self.of(MainNode))?;
        for (name, part) in
            [("quiescence nodes, of all", QuiescenceNode), ("full evaluations, of all", Evaluation)]
        {
            let share = 100.0 * self.of(part) as f64 / nodes;
            writeln!(f, "{name:<44}{:>12}{share:>8.1} %", self.of(part))?;
        }
        for (name, part, whole) in [
            ("hash hits, of probes", HashHit, HashProbe),
            ("hash cuts, of probes", HashCut, HashProbe),
            ("cuts by a move, of main nodes", MoveCut, MainNode),
            ("  by the first move", FirstMoveCut, MoveCut),
            ("  by the hash move", HashMoveCut, MoveCut),
            ("  by a killer", KillerCut, MoveCut),
            ("null moves, of main nodes", NullMove, MainNode),
            ("  searched again (SEL-10)", NullMoveResearch, NullMove),
            ("null moves where the threat reaches alpha", GuardedNullMove, NullMove),
            ("  searched again (CLM-30)", GuardedNullMoveResearch, GuardedNullMove),
            ("static prunes, of main nodes", StaticPrune, MainNode),
            ("lazy evaluations that stood, of tries", LazyHit, Lazy),
            ("  wrong about alpha", LazyError, LazyHit),
            ("moves cut by futility, per main node", Futility, MainNode),
            ("trick one, of quiescence nodes", TrickOne, QuiescenceNode),
            ("trick two, of quiescence nodes", TrickTwo, QuiescenceNode),
            ("reduction 1, of main nodes", Reduction1, MainNode),
            ("reduction 2a, of main nodes", Reduction2a, MainNode),
            ("reduction 2b, of main nodes", Reduction2b, MainNode),
            ("reduction 2c, of main nodes", Reduction2c, MainNode),
            ("reduction 2d, of main nodes", Reduction2d, MainNode),
            ("two hanging pieces, of main nodes", TwoHanging, MainNode),
            ("late moves reduced, per main node", LateMove, MainNode),
            ("  searched again", LateMoveResearch, LateMove),
            ("check extensions, of main nodes", CheckExtension, MainNode),
            ("recapture extensions, of main nodes", RecaptureExtension, MainNode),
            ("pawn extensions, of main nodes", PawnExtension, MainNode),
            ("endgame extensions, of main nodes", EndgameExtension, MainNode),
            ("king safety extensions, of main nodes", KingExtension, MainNode),
            ("PV extensions, of main nodes", PvExtension, MainNode),
            ("singular extensions, of main nodes", SingularExtension, MainNode),
            ("unsorted trees, of main nodes", UnsortedTree, MainNode),
            ("root windows reopened in time, of fails", RootReopened, RootFail),
        ] {
            if let Some(share) = self.share(part, whole) {
                writeln!(f, "{name:<44}{:>12}{share:>8.1} %", self.of(part))?;
            }
        }
        if let Some(factor) = self.branching_factor() {
            writeln!(f, "{:<44}{factor:>12.2}", "effective branching factor")?;
        }
        Ok(())
    }
}
