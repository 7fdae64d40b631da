//! The embedding API: an engine is a value, and searching is a call.

use std::sync::Arc;

use crate::eval::ImbalanceTable;
use crate::params::Params;
use crate::position::Position;
use crate::search::{
    Branching, Buffers, Crew, HashSize, HashTable, Helpers, Heuristics, Limits, NoStatistics,
    Observer, OpeningTable, RootReport, SearchStatistics, Setup, Statistics, Worker,
};
use crate::tablebase::Probing;
use crate::types::{Move, Value};

/// What a search found.
#[derive(Debug, Clone)]
pub struct SearchReport {
    /// The best move; `None` only when there is no legal move.
    pub best: Option<Move>,
    /// The reply it expects.
    pub ponder: Option<Move>,
    /// Score of the best move, side to move; mate or draw when there is no move.
    pub score: Value,
    /// Completed iterations, plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes searched, by all threads.
    pub nodes: u64,
    /// Positions found in endgame tablebases.
    pub tbhits: u64,
    /// The principal variation.
    pub pv: Vec<Move>,
}

impl From<RootReport> for SearchReport {
    fn from(report: RootReport) -> SearchReport {
        SearchReport {
            best: report.pv.first().copied(),
            ponder: report.pv.get(1).copied(),
            score: report.score,
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            tbhits: report.tbhits,
            pv: report.pv,
        }
    }
}

/// An engine: parameters, hash table, and what it has learned in this game.
///
/// Two engines share nothing but the [`Setup`] they were given. Besides its hash table an engine
/// takes less than 256 KiB, unless its parameters keep histories after earlier moves
/// (`history.reply`, `history.follow_up`).
#[derive(Debug)]
pub struct Engine {
    setup: Arc<Setup>,
    /// As asked for.
    size: HashSize,
    hash: Arc<HashTable>,
    heuristics: Heuristics,
    buffers: Buffers,
    /// The threads beside the one that asks for a search.
    helpers: Helpers,
    /// Nothing has been searched in this game.
    first_search: bool,
}

impl Engine {
    /// An engine that has learned nothing.
    #[must_use]
    pub fn new(params: &Arc<Params>, hash: HashSize) -> Engine {
        Engine::with_setup(&Arc::new(Setup::new(params)), hash)
    }

    /// An engine that shares its tables with others of the same parameters.
    #[must_use]
    pub fn with_setup(setup: &Arc<Setup>, hash: HashSize) -> Engine {
        Engine {
            setup: Arc::clone(setup),
            size: hash,
            hash: Arc::new(HashTable::new(hash.table())),
            heuristics: Heuristics::new(),
            buffers: Buffers::new(hash.evaluations()),
            helpers: Helpers::default(),
            first_search: true,
        }
    }

    /// Forgets everything: what follows depends on nothing before.
    pub fn new_game(&mut self) {
        self.hash.clear();
        self.buffers.clear();
        self.heuristics.clear();
        self.helpers.forget();
        self.first_search = true;
    }

    /// Brings a small engine's tables into the processor's caches, line after line, which is faster
    /// than meeting each line by chance in the search. Worth it where a processor turns from one
    /// engine to another; changes nothing else.
    pub fn warm(&self) {
        self.hash.warm();
        self.heuristics.warm();
        self.buffers.warm();
    }

    /// The parameters it plays by.
    #[must_use]
    pub fn params(&self) -> &Arc<Params> {
        &self.setup.params
    }

    /// Plays by other parameters from now on, and forgets everything.
    pub fn set_params(&mut self, params: &Arc<Params>) {
        self.use_setup(self.other_setup(params, self.setup.imbalance.clone()));
    }

    /// Uses a material imbalance table from now on, or none, and forgets everything.
    pub fn set_imbalance(&mut self, imbalance: Option<Arc<ImbalanceTable>>) {
        self.use_setup(self.other_setup(&self.setup.params, imbalance));
    }

    /// Uses endgame tablebases from now on, and forgets everything.
    pub fn set_probing(&mut self, probing: Probing) {
        let setup = self.other_setup(&self.setup.params, self.setup.imbalance.clone());
        self.use_setup(setup.with_probing(probing));
    }

    /// What is wrong with an endgame tablebase that a search could not read: it plays on without any. Told once.
    #[must_use]
    pub fn table_fault(&self) -> Option<String> {
        self.setup.probing.tables.as_ref()?.take_fault().map(str::to_owned)
    }

    /// By these and the present tables otherwise.
    fn other_setup(&self, params: &Arc<Params>, imbalance: Option<Arc<ImbalanceTable>>) -> Setup {
        let Setup { opening, probing, .. } = &*self.setup;
        Setup::with_imbalance(params, imbalance)
            .with_opening(opening.clone())
            .with_probing(probing.clone())
    }

    /// Plays by all this from now on, and forgets everything unless it did so already. User interfaces
    /// send all options again, and files are read again, before a search: what is known of the game
    /// is not to be lost for it.
    pub(crate) fn play_by(
        &mut self,
        params: &Arc<Params>,
        imbalance: Option<Arc<ImbalanceTable>>,
        opening: Option<Arc<OpeningTable>>,
        probing: Probing,
    ) {
        let setup = &*self.setup;
        if setup.params == *params
            && setup.imbalance == imbalance
            && setup.opening == opening
            && setup.probing == probing
        {
            return;
        }
        let setup = Setup::with_imbalance(params, imbalance).with_opening(opening);
        self.use_setup(setup.with_probing(probing));
    }

    fn use_setup(&mut self, setup: Setup) {
        self.setup = Arc::new(setup);
        self.new_game();
    }

    /// The size of its hash tables: less than was asked for when the machine has not so much.
    #[must_use]
    pub fn hash_size(&self) -> HashSize {
        if self.hash.size() < self.size.table() { self.hash.size() } else { self.size }
    }

    /// Uses a hash table of another size, and forgets everything.
    pub fn set_hash(&mut self, size: HashSize) {
        let threads = self.threads();
        self.size = size;
        // The old memory is given back first.
        self.helpers = Helpers::default();
        self.buffers = Buffers::new(0);
        self.hash = Arc::new(HashTable::new(HashSize::MIN));
        self.hash = Arc::new(HashTable::new(size.table()));
        self.set_threads(threads);
        self.heuristics.clear();
        self.first_search = true;
    }

    /// How many threads a search has: fewer than were asked for when the system has not so many.
    #[must_use]
    pub fn threads(&self) -> usize {
        1 + self.helpers.count()
    }

    /// Searches with so many threads from now on, the calling one among them; the others wait between
    /// searches. They share the hash table, and each has its part of the room for evaluations. What is
    /// known of the game stays.
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.max(1);
        let evaluations = self.size.evaluations() / threads;
        self.helpers = Helpers::default();
        self.buffers.resize_evaluations(evaluations);
        self.helpers = Helpers::start(threads - 1, evaluations);
    }

    /// Searches a position until a limit is reached or the observer stops it.
    ///
    /// With one thread, `nodes` or `depth` as the only limit and after [`Engine::new_game`], the report is a
    /// pure function of position, history, parameters, hash size and limit.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        observer: &dyn Observer,
    ) -> SearchReport {
        self.search_with(position, limits, observer, &mut NoStatistics)
    }

    /// The same search, the same result, and what happened in it (TST-09).
    pub fn search_counted(
        &mut self,
        position: &Position,
        limits: &Limits,
        observer: &dyn Observer,
    ) -> (SearchReport, SearchStatistics) {
        let mut statistics = SearchStatistics::default();
        let branching = Branching::new(observer);
        let report = self.search_with(position, limits, &branching, &mut statistics);
        statistics.note_branching(branching.factor());
        (report, statistics)
    }

    /// What a position is worth to the side to move once captures are played out (QS-01).
    pub fn quiescence(&mut self, position: &Position) -> Value {
        let limits = Limits::default();
        let memory = (&*self.hash, &mut self.heuristics, &mut self.buffers);
        Worker::new(&self.setup, position, memory, &limits, &(), &mut NoStatistics)
            .quiescence_at_root()
    }

    fn search_with<S: Statistics>(
        &mut self,
        position: &Position,
        limits: &Limits,
        observer: &dyn Observer,
        statistics: &mut S,
    ) -> SearchReport {
        let memory = (&*self.hash, &mut self.heuristics, &mut self.buffers);
        let worker = Worker::new(&self.setup, position, memory, limits, observer, statistics);
        let crew = Crew { helpers: &self.helpers, setup: &self.setup, hash: &self.hash };
        worker.with_crew(crew).deepen(std::mem::take(&mut self.first_search)).into()
    }
}
