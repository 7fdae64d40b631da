//! Thinking, pondering, analysing: what the session asks the thinking thread for, and what it makes
//! of the answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::output::{Progress, XboardReporter};
use super::session::{Task, XboardMode, XboardSession};
use crate::engine::SearchReport;
use crate::position::Position;
use crate::protocol::console::say;
use crate::protocol::thinker::SearchJob;
use crate::search::Limits;

impl XboardSession {
    /// Begins to think about the engine's move, or says how the game has ended.
    pub(super) fn think(&mut self) {
        if let Some(outcome) = self.game.outcome() {
            say(outcome);
            return;
        }
        let since = Instant::now();
        let limits = Limits { since: Some(since), ..self.limits(self.game.ply()) };
        self.begin(Task::Thinking { since }, self.game.position().clone(), limits);
    }

    /// Begins to analyse, if there is anything to analyse.
    pub(super) fn analyze(&mut self) {
        if !self.game.legal_moves().as_slice().is_empty() {
            self.begin(Task::Analyzing, self.game.position().clone(), Limits::default());
        }
    }

    /// Begins to ponder, if the reply is known and the game goes on after it. Nodes that stand for
    /// time are not to be had on the opponent's.
    fn ponder(&mut self) {
        let Some(expected) = self.expected.filter(|_| self.hard && !self.clock.counts_nodes())
        else {
            return;
        };
        let mut game = self.game.clone();
        if !game.legal_moves().as_slice().contains(&expected) {
            return;
        }
        let hint = self.text(expected);
        game.play(expected);
        if game.outcome().is_some() {
            return;
        }
        if self.posts() {
            say(&format!("Hint: {hint}"));
        }
        let limits = Limits { ponder: true, ..self.limits(game.ply()) };
        let left = self.clock.left();
        // The last move of a control may take all there is.
        let spare = match &limits.clock {
            Some(clock) if clock.moves_to_go == Some(1) => self.options.overhead,
            _ => left / 10,
        };
        let task = Task::Pondering { expected, least: left.saturating_sub(spare) };
        self.begin(task, game.position().clone(), limits);
    }

    /// The opponent played the expected move, which is on the board now: the search goes on as the
    /// engine's own. False if it was not begun under the clock that is told now.
    pub(super) fn ponderhit(&mut self, least: Duration) -> bool {
        if self.clock.left() < least {
            return false;
        }
        self.task = Task::Thinking { since: Instant::now() };
        self.thinker.ponderhit();
        true
    }

    fn limits(&self, ply: usize) -> Limits {
        let XboardSession { options, clock, .. } = self;
        let limits = clock.limits(ply, options.overhead, &options.params().time);
        Limits { nodes_per_ms: options.nodes_per_ms, ..limits }
    }

    /// Hands over what has been set since the last search.
    pub(super) fn prepare(&mut self) {
        if let Some(job) = self.options.player() {
            self.thinker.send(job);
        }
    }

    fn begin(&mut self, task: Task, position: Position, mut limits: Limits) {
        self.prepare();
        limits.multipv = self.options.multipv;
        limits.strength = self.options.strength();
        self.task = task;
        self.search += 1;
        // What was searched before is stopped, but may have a line to say yet.
        self.progress.silence();
        self.progress = Arc::new(Progress::new());
        let voice = XboardReporter {
            number: self.search,
            events: self.events.clone(),
            post: Arc::clone(&self.post),
            progress: Arc::clone(&self.progress),
            chess960: self.chess960(),
        };
        let (infinite, counted) = (matches!(task, Task::Analyzing), self.options.statistics);
        let voice = Box::new(voice);
        self.thinker.search(SearchJob { position, limits, infinite, counted, voice });
    }

    /// Ends whatever is searched; nobody hears of it any more.
    pub(super) fn abandon(&mut self) {
        self.progress.silence();
        self.thinker.stop();
        self.search += 1;
        self.task = Task::Idle;
    }

    /// The end of a search: makes the engine's move.
    pub(super) fn found(&mut self, number: u64, report: &SearchReport) {
        let Task::Thinking { since } = self.task else { return };
        if number != self.search {
            return;
        }
        self.task = Task::Idle;
        let Some(best) = report.best else { return };
        self.clock.charge(self.game.ply(), since.elapsed());
        let text = self.text(best);
        self.game.play(best);
        self.expected = report.ponder;
        say(&format!("move {text}"));
        match self.game.outcome() {
            Some(outcome) => say(outcome),
            None if self.mode == XboardMode::Play => self.ponder(),
            None => {}
        }
    }
}
