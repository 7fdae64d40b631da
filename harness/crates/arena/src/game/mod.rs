//! One game as a plain state machine: whose turn it is, what that player is told, what its answer
//! does. No files, no threads, no clock of its own; the [`runner`](crate::runner) drives it.

mod adjudication;
mod audit;
mod limit;
mod live;
mod recheck;
mod referee;
mod tablebase;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use audit::AuditShare;
pub use limit::{Limit, PlayerLimits, TimeControl};
pub use live::LiveGame;
pub use recheck::{Ends, is_proven, recheck};
pub use tablebase::{TablebaseResults, Tablebases};

use std::sync::Arc;
use std::time::Duration;

use shakmaty::uci::UciMove;
use shakmaty::{ByColor, Chess, Color, Position as _};

use self::adjudication::Tracker;
use self::audit::Audited;
use self::limit::{Clocks, Overrun};
use self::referee::Referee;
use crate::player::{Fault, GoLimit, Thought, append_move};
use crate::record::{GameRecord, Load, MoveDetails, MoveNote, Side, Termination, TimeRecord};
use crate::schedule::ScheduledGame;
use pgn::{Opening, Outcome};

/// What holds for every game of a match.
#[derive(Debug, Clone)]
pub struct GameRules {
    pub limits: PlayerLimits,
    pub adjudication: Adjudication,
    pub tablebases: Option<Arc<Tablebases>>,
    /// Which of their results end a game.
    pub tablebase_results: TablebaseResults,
    /// The adjudicated games that are played to their end all the same.
    pub audit: Option<AuditShare>,
    /// Whether all that players say of their moves is recorded.
    pub details: bool,
    /// Forgiven base and test at every move before it is a loss on time.
    pub time_margins: [Duration; 2],
    /// How long a player may say nothing where no clock says it.
    pub hang: Duration,
    /// What the processors have to carry, where that is too much and a clock counts.
    pub oversubscribed: Option<Load>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameEnd {
    pub outcome: Outcome,
    pub termination: Termination,
    /// A fault in words.
    pub detail: Option<String>,
}

impl GameEnd {
    /// One that needs no words.
    fn by(termination: Termination, outcome: Outcome) -> GameEnd {
        GameEnd { outcome, termination, detail: None }
    }
}

/// A game in progress, or just over.
#[derive(Debug, Clone)]
pub struct Game {
    scheduled: ScheduledGame,
    start_fen: String,
    referee: Referee,
    clocks: Clocks,
    tracker: Tracker,
    tablebases: Option<Arc<Tablebases>>,
    tablebase_results: TablebaseResults,
    audit: bool,
    audited: Option<Audited>,
    moves: Vec<UciMove>,
    /// The same as UCI writes them, parted by single spaces.
    moves_text: String,
    book_plies: usize,
    notes: Vec<MoveNote>,
    /// As many, or none at all.
    details: Vec<MoveDetails>,
    wants_details: bool,
    times: Vec<Duration>,
    nodes: [u64; 2],
    oversubscribed: Option<Load>,
    end: Option<GameEnd>,
}

impl Game {
    /// A game from an opening, its book moves played. It may be over at once.
    pub fn new(scheduled: ScheduledGame, opening: &Opening, rules: &GameRules) -> Game {
        let mut referee = Referee::new(opening.start.clone());
        let mut moves = Vec::with_capacity(160);
        let mut moves_text = String::with_capacity(800);
        for &uci in &opening.moves {
            // A book is checked when it is read; should a move be wrong all the same, the game
            // begins before it rather than in a position that is not on the board.
            let Ok(played) = referee.play(uci) else { break };
            moves.push(played);
            append_move(&mut moves_text, played);
        }
        let end = referee.verdict();
        let limits = ByColor::new_with(|color| rules.limits.of(scheduled.side(color)));
        let margins = ByColor::new_with(|color| rules.time_margins[scheduled.side(color) as usize]);
        Game {
            scheduled,
            start_fen: opening.fen.clone(),
            referee,
            clocks: Clocks::new(limits, margins),
            tracker: Tracker::new(rules.adjudication),
            tablebases: rules.tablebases.clone(),
            tablebase_results: rules.tablebase_results,
            audit: rules.audit.is_some_and(|share| share.takes(scheduled.game)),
            audited: None,
            book_plies: moves.len(),
            moves,
            moves_text,
            notes: Vec::new(),
            details: Vec::new(),
            wants_details: rules.details,
            times: Vec::new(),
            nodes: [0; 2],
            oversubscribed: rules.oversubscribed,
            end,
        }
    }

    pub fn scheduled(&self) -> ScheduledGame {
        self.scheduled
    }

    /// The start position as FEN, before the book moves.
    pub fn start_fen(&self) -> &str {
        &self.start_fen
    }

    /// All moves so far, book moves among them.
    pub fn moves(&self) -> &[UciMove] {
        &self.moves
    }

    pub fn moves_text(&self) -> &str {
        &self.moves_text
    }

    pub fn is_chess960(&self) -> bool {
        self.position().castles().mode().is_chess960()
    }

    pub fn position(&self) -> &Chess {
        self.referee.position()
    }

    pub fn turn(&self) -> Color {
        self.position().turn()
    }

    pub fn to_move(&self) -> Side {
        self.scheduled.side(self.turn())
    }

    /// What the player to move is told.
    pub fn limit(&self) -> GoLimit {
        self.clocks.go(self.turn())
    }

    /// For whoever watches.
    pub fn so_far(&self) -> LiveGame {
        LiveGame {
            game: self.scheduled.game,
            white: self.scheduled.side(Color::White),
            fen: self.start_fen.clone(),
            moves: self.moves_text.clone(),
            book_plies: self.book_plies,
            notes: self.notes.clone(),
            moves_us: self.times.iter().copied().map(micros).collect(),
        }
    }

    pub fn wants_details(&self) -> bool {
        self.wants_details
    }

    pub fn end(&self) -> Option<&GameEnd> {
        self.end.as_ref()
    }

    /// Takes the answer of the player to move: clock, move, rules, adjudication.
    pub fn apply(&mut self, thought: &Thought) -> Option<&GameEnd> {
        let mover = self.turn();
        let nodes = &mut self.nodes[mover.fold_wb(0, 1)];
        *nodes = nodes.saturating_add(thought.nodes);
        let spent = (thought.time, thought.late);
        if let Err(overrun) = self.clocks.charge(mover, spent, thought.nodes) {
            let (termination, over, whose) = match overrun {
                Overrun::Player(over) => (Termination::TimeLoss, over, "the player's doing"),
                Overrun::Harness(over) => (Termination::LateHarness, over, "the harness's doing"),
            };
            let over_ms = over.as_secs_f64() * 1000.0;
            let mut detail = format!("over its time by {over_ms:.1} ms, {whose}");
            if let (Some(load), Overrun::Player(_)) = (self.oversubscribed, overrun) {
                detail.push_str(&format!(" or the machine's: {load}"));
            }
            return self.lose(mover, termination, detail);
        }
        let played = match self.referee.play(thought.best) {
            Ok(played) => played,
            Err(error) => {
                let detail = match thought.best {
                    // As long as a game goes on there is a legal move.
                    UciMove::Null => "gave no move (`bestmove (none)` or `bestmove 0000`) in a \
                                      position with legal moves"
                        .to_owned(),
                    other => format!("{other}: {error}"),
                };
                return self.lose(mover, Termination::IllegalMove, detail);
            }
        };
        self.moves.push(played);
        append_move(&mut self.moves_text, played);
        self.notes.push(MoveNote {
            score: thought.score,
            depth: thought.depth,
            nodes: thought.nodes,
        });
        if self.wants_details {
            let announced = thought.details.as_deref().cloned().unwrap_or_default();
            let left_us = self.clocks.left(mover).map(micros);
            self.details.push(MoveDetails { left_us, ..announced });
        }
        self.times.push(thought.time);
        // The tracker sees every move, the rules come first.
        let next_move = self.position().fullmoves();
        let adjudicated = self.tracker.note(mover, thought.score, next_move);
        self.end = self.referee.verdict().or(adjudicated).or_else(|| self.ask_tablebases());
        if self.audit && self.end.as_ref().is_some_and(|end| end.termination.is_adjudication()) {
            self.begin_audit();
        }
        self.end.as_ref()
    }

    fn ask_tablebases(&self) -> Option<GameEnd> {
        let outcome = self.tablebases.as_ref()?.outcome(self.position())?;
        let takes = self.tablebase_results.takes(outcome);
        takes.then_some(GameEnd::by(Termination::TablebaseAdjudication, outcome))
    }

    /// Ends the game by a fault of `side`, or by its giving up; not for what we lacked.
    pub fn fault(&mut self, side: Side, fault: &Fault) -> Option<&GameEnd> {
        let color = self.scheduled.color(side);
        self.lose(color, fault.termination()?, fault.to_string())
    }

    fn lose(&mut self, loser: Color, termination: Termination, detail: String) -> Option<&GameEnd> {
        let side = self.scheduled.side(loser);
        let detail = termination.is_fault().then(|| format!("{side} ({loser}): {detail}"));
        // FIDE 6.9: who could never mate does not win by the clock.
        let cannot_win = termination == Termination::TimeLoss
            && self.position().has_insufficient_material(!loser);
        let outcome = if cannot_win { Outcome::Draw } else { Outcome::win(!loser) };
        self.end = Some(GameEnd { outcome, termination, detail });
        self.end.as_ref()
    }

    /// The record of a game that has ended; `None` of one that has not. It began and ended at
    /// these times, in milliseconds since 1970.
    pub fn into_record(mut self, started_ms: u64, ended_ms: u64) -> Option<GameRecord> {
        let mut end = self.end.take()?;
        let audit = self.end_audit(&mut end);
        let hash = GameRecord::hash_of(&self.start_fen, &self.moves_text);
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        Some(GameRecord {
            game: self.scheduled.game,
            pair: self.scheduled.pair(),
            opening: self.scheduled.opening,
            passed_over: 0,
            white: self.scheduled.side(Color::White),
            black: self.scheduled.side(Color::Black),
            result: end.outcome,
            termination: end.termination,
            detail: end.detail,
            plies: count(self.moves.len()),
            book_plies: count(self.book_plies),
            fen: self.start_fen,
            moves: self.moves_text,
            notes: self.notes,
            details: self.details,
            nodes: self.nodes,
            hash,
            audit,
            time: TimeRecord {
                started_ms,
                ended_ms,
                moves_us: self.times.iter().copied().map(micros).collect(),
                oversubscribed: self.oversubscribed,
                ..TimeRecord::default()
            },
        })
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
