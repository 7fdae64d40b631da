//! The embedded engine as a player.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{ClockLimit, Engine, HashSize, IterationInfo, Limits, Observer, Params, Setup};
use shakmaty::Color;

use super::{Player, PlayerFault, SharedBoard};
use crate::game::Game;
use crate::player::{Fault, GoLimit, Halt, Thought, millis};
use crate::record::{MoveDetails, Score};
use process::cpu_time;

/// Kept back from every time limit: what a move costs between the search's end and our clock.
const OVERHEAD: Duration = Duration::from_millis(1);

/// An engine in this process. One that panicked must be dropped.
pub(crate) struct Embedded {
    engine: Engine,
    has_played: bool,
}

impl Embedded {
    pub(crate) fn new(setup: &Arc<Setup>, hash: HashSize) -> Embedded {
        Embedded { engine: Engine::with_setup(setup, hash), has_played: false }
    }
}

impl Player for Embedded {
    fn new_game(&mut self, _: &Game) -> Result<(), PlayerFault> {
        if self.has_played {
            self.engine.new_game();
        }
        self.has_played = true;
        Ok(())
    }

    /// Plays the move found on the board.
    fn think(
        &mut self,
        game: &Game,
        board: &mut SharedBoard,
        halt: Halt<'_>,
    ) -> Result<Thought, Fault> {
        let position = board.catch_up(game)?;
        let limits = engine_limits(game.limit(), game.turn());
        let chess960 = position.is_chess960();
        let details = game.wants_details().then(RefCell::default);
        let watch = SearchObserver { halt, chess960, details };
        let is_timed = limits.movetime.is_some() || limits.clock.is_some();
        let (started, busy) = (Instant::now(), is_timed.then(cpu_time::of_thread));
        // After a panic the caller drops both engine and position, so no broken state is seen.
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let report = self.engine.search(position, &limits, &watch);
            let time = started.elapsed();
            // Time without a processor is not its doing: this program was stopped, or starved.
            let late = busy.map_or(Duration::ZERO, |busy| {
                time.saturating_sub(cpu_time::of_thread().saturating_sub(busy))
            });
            let best = report.best.map(|best| {
                let uci = best.to_uci(chess960);
                position.play(best);
                uci
            });
            (report, best, (time, late))
        }));
        let (report, best, (time, late)) =
            searched.map_err(|panic| Fault::Crash(panic_text(&*panic)))?;
        let best =
            best.ok_or_else(|| Fault::Garbage("no move in a position that has one".into()))?;
        let score = report.score.mate().map_or(Score::Cp(report.score.cp()), Score::Mate);
        board.played += 1;
        Ok(Thought {
            best,
            score: Some(score),
            bound: None,
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            details: watch.details.map(|details| Box::new(details.into_inner())),
            time,
            late,
        })
    }

    fn warm(&self) {
        self.engine.warm();
    }

    fn params(&self) -> Option<&Arc<Params>> {
        Some(self.engine.params())
    }
}

/// Ends a search when it is to end, and keeps what it says of its move where that is wanted.
struct SearchObserver<'a> {
    halt: Halt<'a>,
    chess960: bool,
    details: Option<RefCell<MoveDetails>>,
}

impl Observer for SearchObserver<'_> {
    fn stop(&self) -> bool {
        self.halt.is_set()
    }

    fn iteration(&self, info: &IterationInfo<'_>) {
        if let Some(details) = self.details.as_ref().filter(|_| info.multipv == 1) {
            let hashfull = u32::try_from(info.hashfull).ok();
            let seldepth = info.seldepth;
            let mut newer = MoveDetails { seldepth, hashfull, ..MoveDetails::default() };
            let moves: Vec<String> =
                info.pv.iter().map(|mv| mv.to_uci(self.chess960).to_string()).collect();
            newer.take_pv(moves.iter().map(String::as_bytes));
            details.replace(newer);
        }
    }
}

/// Time as a program is told it, so that both play alike.
fn whole(time: Duration) -> Duration {
    Duration::from_millis(millis(time))
}

fn engine_limits(limit: GoLimit, turn: Color) -> Limits {
    let mut limits = Limits { overhead: OVERHEAD, ..Limits::default() };
    match limit {
        GoLimit::Nodes(nodes) => limits.nodes = Some(nodes),
        GoLimit::Depth(plies) => limits.depth = Some(plies),
        GoLimit::MoveTime(time) => limits.movetime = Some(whole(time)),
        GoLimit::Clock(clock) => {
            let remaining = whole(clock.left(turn));
            let increment = Duration::from_millis(clock.increment(turn).as_millis() as u64);
            let moves_to_go = clock.moves_to_go;
            limits.nodes_per_ms = clock.nodes_per_ms;
            limits.clock = Some(ClockLimit { remaining, increment, moves_to_go });
        }
    }
    limits
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.unwrap_or_else(|| "no message".into()))
}
