//! One search under way: the position it walks, what it may use, when it must end.

use super::clock::SearchClock;
use super::evaluation_cache::EvaluationCache;
use super::heuristics::Heuristics;
use super::lag::Stalls;
use super::limits::{Limits, Observer};
use super::plan::Plan;
use super::pv::PvTable;
use super::root::Crew;
use super::setup::Setup;
use super::stack::{StackEntry, seen_by};
use super::statistics::{SearchEvent, Statistics};
use super::team::Seat;
use super::tt::HashTable;
use crate::eval::{Evaluation, NoTrace, PawnCache, Threats};
use crate::movegen::ScoredMove;
use crate::position::Position;
use crate::types::{MAX_PLY, Value};

/// Nodes between two looks of a helper, a power of two: the leader waits for it.
const HELPER_LOOKS: u64 = 128;

/// An odd number whose multiples look like chance.
const SALT: u64 = 0x9e37_79b9_7f4a_7c15;

/// Memory that a search needs and the next one can use again.
#[derive(Debug)]
pub(crate) struct Buffers {
    /// The moves of all plies on the present line, one after another (GEN-02: 5000 for all plies).
    pub(super) moves: Vec<ScoredMove>,
    pub(super) pv: PvTable,
    /// What each ply of the line knows of itself (GEN-08).
    pub(super) stack: Box<[StackEntry; MAX_PLY + 1]>,
    pub(super) stalls: Stalls,
    /// The threats of a position that were worked out before its evaluation, by its key.
    pub(super) threats: Option<(u64, Threats)>,
    pawns: PawnCache,
    evaluations: EvaluationCache,
    /// Goes into the keys of evaluations, so that none outlives the square table that it was made by.
    table_salt: u64,
}

impl Buffers {
    /// With so many bytes for evaluations met before.
    pub(crate) fn new(evaluations: usize) -> Buffers {
        Buffers {
            moves: Vec::with_capacity(5000),
            pv: PvTable::new(),
            stack: Box::new([StackEntry::default(); MAX_PLY + 1]),
            stalls: Stalls::default(),
            threats: None,
            pawns: PawnCache::new(),
            evaluations: EvaluationCache::new(evaluations),
            table_salt: 0,
        }
    }

    /// Takes so many bytes for evaluations from now on.
    pub(crate) fn resize_evaluations(&mut self, bytes: usize) {
        self.evaluations = EvaluationCache::new(bytes);
    }

    /// See [`crate::Engine::warm`].
    pub(crate) fn warm(&self) {
        self.pawns.warm();
    }

    /// The evaluation of a position will be asked for soon.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        self.evaluations.prefetch(key);
    }

    /// Values are of another square table from now on.
    pub(super) fn change_table(&mut self) {
        self.table_salt = self.table_salt.wrapping_add(SALT);
    }

    /// Forgets what was worked out under other parameters, and the last game's clock.
    pub(crate) fn clear(&mut self) {
        self.stalls = Stalls::default();
        self.threats = None;
        self.pawns = PawnCache::new();
        self.evaluations.clear();
    }
}

/// A search under way.
pub(crate) struct Worker<'a, S: Statistics> {
    pub(super) setup: &'a Setup,
    pub(super) position: Position,
    pub(super) hash: &'a HashTable,
    pub(super) heuristics: &'a mut Heuristics,
    pub(super) buffers: &'a mut Buffers,
    pub(super) limits: &'a Limits,
    pub(super) observer: &'a dyn Observer,
    pub(super) clock: SearchClock<'a>,
    pub(super) nodes: u64,
    /// Positions found in endgame tablebases.
    pub(super) tbhits: u64,
    /// The most men of a position that they are asked for; 0 for none.
    pub(super) table_men: u32,
    pub(super) seldepth: usize,
    /// Set once; every value returned after that is meaningless.
    pub(super) stopped: bool,
    pub(super) stats: &'a mut S,
    pub(super) plan: Plan,
    /// Checks in quiescence that are being answered full-width.
    pub(super) answering: usize,
    /// Nodes between two looks at the clock and the observer, a power of two.
    pub(super) look_interval: u64,
    /// Nodes that may be searched, as far as they are granted.
    granted: u64,
    /// The helpers to be called.
    pub(super) crew: Option<Crew<'a>>,
    /// The place among the threads of the search, if there are several.
    pub(super) seat: Option<Seat>,
}

/// The memory of a search: the table that its threads share, and what each has of its own.
type Memory<'a> = (&'a HashTable, &'a mut Heuristics, &'a mut Buffers);

impl<'a, S: Statistics> Worker<'a, S> {
    pub(crate) fn new(
        setup: &'a Setup,
        position: &Position,
        (hash, heuristics, buffers): Memory<'a>,
        limits: &'a Limits,
        observer: &'a dyn Observer,
        stats: &'a mut S,
    ) -> Worker<'a, S> {
        let mut position = position.clone();
        position.set_table(&heuristics.square_table(setup, &position, hash));
        hash.grow_old();
        Worker::at(setup, position, (hash, heuristics, buffers), limits, observer, stats)
    }

    /// The same in a position that has its square table, and in a hash table that is in use.
    pub(super) fn at(
        setup: &'a Setup,
        position: Position,
        (hash, heuristics, buffers): Memory<'a>,
        limits: &'a Limits,
        observer: &'a dyn Observer,
        stats: &'a mut S,
    ) -> Worker<'a, S> {
        let clock = SearchClock::start(limits, &setup.params.time);
        let look_interval = clock.look_interval();
        if setup.params.history_pst.on {
            buffers.change_table();
        }
        heuristics.begin_search(&setup.params);
        buffers.moves.clear();
        buffers.stack[0] = StackEntry { in_check: position.in_check(), ..StackEntry::default() };
        let plan = Plan::new(setup, &position);
        Worker {
            setup,
            position,
            hash,
            heuristics,
            buffers,
            limits,
            observer,
            clock,
            nodes: 0,
            tbhits: 0,
            table_men: if limits.strength.is_some() { 0 } else { setup.probing.men() },
            seldepth: 0,
            stopped: false,
            stats,
            plan,
            answering: 0,
            look_interval,
            granted: limits.most_nodes().unwrap_or(u64::MAX),
            crew: None,
            seat: None,
        }
    }

    /// With helpers, which begin with the first iteration.
    pub(crate) fn with_crew(self, crew: Crew<'a>) -> Worker<'a, S> {
        Worker { crew: Some(crew), ..self }
    }

    /// Becomes one of several threads: nodes are granted to all of them together.
    pub(super) fn take_seat(&mut self, seat: Seat) {
        if seat.helper().is_some() {
            self.look_interval = HELPER_LOOKS;
        }
        if self.limits.nodes.is_some() {
            self.granted = seat.more_nodes();
        }
        self.seat = Some(seat);
    }

    /// The nodes of all threads.
    pub(super) fn nodes_of_all(&self) -> u64 {
        self.nodes + self.seat.as_ref().map_or(0, Seat::nodes_of_others)
    }

    /// Positions found in tablebases by all threads.
    pub(super) fn tbhits_of_all(&self) -> u64 {
        self.tbhits + self.seat.as_ref().map_or(0, Seat::tbhits_of_others)
    }

    /// The nodes that a clock of nodes is charged for.
    pub(super) fn nodes_charged(&self) -> u64 {
        if self.limits.nodes_per_ms.is_some() { self.nodes_of_all() } else { self.nodes }
    }

    /// Counts a node on `ply`; true when the search must end before it.
    #[inline]
    pub(super) fn enter_node(&mut self, ply: usize) -> bool {
        if self.nodes >= self.granted && !self.is_granted_more() {
            self.stopped = true;
            return true;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes & (self.look_interval - 1) == 0 {
            self.stopped |= self.must_stop();
        }
        self.stopped
    }

    #[cold]
    fn is_granted_more(&mut self) -> bool {
        let more = self.seat.as_ref().map_or(0, Seat::more_nodes);
        self.granted += more;
        more > 0
    }

    #[cold]
    fn must_stop(&mut self) -> bool {
        if let Some(seat) = &self.seat {
            seat.tell(self.nodes, self.tbhits);
        }
        let charged = self.nodes_charged();
        self.observer.stop() || self.clock.end_is_over(self.observer, charged)
    }

    /// The static value for the side to move; all of the evaluation stays on the stack (GEN-08).
    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize) -> Value {
        let key = self.evaluation_key(ply);
        // Late in the fifty moves the clock counts: then a position has no value of its own.
        let scaling = &self.setup.params.scaling;
        let late = scaling.fifty_moves && self.position.halfmoves() >= scaling.fifty_from as u32;
        let known = if late { None } else { self.buffers.evaluations.probe(key) };
        let evaluation = known.unwrap_or_else(|| {
            self.stats.count(SearchEvent::Evaluation);
            self.evaluate_anew(ply)
        });
        if known.is_none() && !late {
            self.buffers.evaluations.store(key, evaluation);
        }
        self.buffers.stack[ply].evaluation = Some(evaluation);
        seen_by(self.position.turn(), evaluation.value)
    }

    /// What an evaluation depends on: the position, the square table, and what the side that moved
    /// here is charged for shuffling (PRO-07).
    #[inline]
    pub(super) fn evaluation_key(&self, ply: usize) -> u64 {
        let key = self.position.key() ^ self.buffers.table_salt;
        let shuffle = &self.setup.params.shuffle;
        if !shuffle.on {
            return key;
        }
        let charge = shuffle.charge(self.buffers.stack[ply].facts.shuffles);
        key ^ i64::from(charge).cast_unsigned().wrapping_mul(SALT).rotate_left(32)
    }

    /// The evaluation itself, not counted and not kept.
    pub(super) fn evaluate_anew(&mut self, ply: usize) -> Evaluation {
        let Buffers { stack, threats, pawns, .. } = &mut *self.buffers;
        let facts = stack[ply].facts;
        let (evaluator, position) = (&self.setup.evaluator, &self.position);
        let threats = match *threats {
            Some((key, threats)) if key == position.key() => threats,
            _ => evaluator.threats(position),
        };
        evaluator.evaluate_knowing(threats, position, facts, Some(pawns), &mut NoTrace)
    }

    /// The same, if it is not known yet.
    #[inline]
    pub(super) fn value_here(&mut self, ply: usize) -> Value {
        match self.buffers.stack[ply].value(self.position.turn()) {
            Some(value) => value,
            None => self.evaluate(ply),
        }
    }
}
