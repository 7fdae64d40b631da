//! Whether a program can be relied on in matches: it starts, plays legal moves in odd positions
//! under every kind of limit, keeps to the limits, says what it found, plays the same after a new
//! game, and ends when told.

mod limits;
mod signature;

pub use limits::{LimitKind, search_once, shortened};
pub use signature::{Answers, answers, forgets, signature};

use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

use process::Error;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::player::external::External;
use crate::player::program::{ProgramHost, ProgramSettings, ProgramSpec};
use crate::player::{Clock, Fault, GoLimit, Thought};

/// Positions in which engines stumble.
const POSITIONS: [(&str, &str, &str); 11] = [
    ("the start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""),
    (
        "moves after the start position",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    ),
    ("one legal move", "k7/8/1K6/8/8/8/8/1R6 b - - 0 1", ""),
    ("capture en passant", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", ""),
    ("in check, en passant saves", "8/8/8/2k5/3Pp3/8/8/4KR2 b - d3 0 1", ""),
    ("under-promotion", "8/5P1k/8/5K2/8/8/8/8 w - - 0 1", ""),
    ("double check", "4k3/8/8/8/8/5n2/4r3/4K2R w - - 0 1", ""),
    ("castling either side", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ""),
    ("218 moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", ""),
    ("the fiftieth move is near", "8/8/8/4k3/8/8/R7/4K3 w - - 98 120", ""),
    (
        "a repetition is near",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1",
    ),
];

/// What a node limit may be overstepped by: a hundredth and some.
const NODES: u64 = 5_000;
const NODES_ALLOWED: u64 = 7_500;
const MOVETIME: Duration = Duration::from_millis(100);
/// What a time may be overstepped by: the margin of a match.
const MARGIN: Duration = Duration::from_millis(50);
const CLOCK: Duration = Duration::from_millis(1_000);
/// So often in a row an answer must come late before the program answers for it: now and then it is
/// the machine that stands still.
const LATE_TRIES: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    Pass,
    /// Matches work, but with a limit: what the text says.
    Note,
    /// Matches with it will have faults.
    Fail,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub grade: Grade,
    pub what: String,
    /// What was found; empty where there is nothing to say.
    pub found: String,
}

/// Checks a program. To be called on a thread that may block, inside of a multi-threaded runtime.
/// What the program does wrong is in the checks, not an error.
pub fn check(spec: &ProgramSpec) -> Result<Vec<Check>, Error> {
    let settings = ProgramSettings {
        hang: Duration::from_secs(10),
        margin: Duration::from_secs(2),
        hash_mib: Some(16),
        threads: Some(1),
        ..ProgramSettings::default()
    };
    let host = ProgramHost::new(settings, Handle::current(), CancellationToken::new())?;
    let mut report = CheckList::default();
    report.run(spec, &host);
    Ok(report.checks)
}

#[derive(Default)]
struct CheckList {
    checks: Vec<Check>,
}

impl CheckList {
    fn add(&mut self, grade: Grade, what: &str, found: impl Into<String>) {
        self.checks.push(Check { grade, what: what.to_owned(), found: found.into() });
    }

    fn run(&mut self, spec: &ProgramSpec, host: &Arc<ProgramHost>) {
        let mut player = match External::start(spec, host) {
            Ok(player) => player,
            Err(error) => {
                return self.add(Grade::Fail, "starts and sets its options", error.to_string());
            }
        };
        self.add(Grade::Pass, "starts and sets its options", player.identity().name.clone());
        let limits: Vec<(String, GoLimit)> = limits()
            .into_iter()
            .filter(|(what, limit)| match player.refuses_limit(limit) {
                None => true,
                Some(reason) => {
                    self.add(Grade::Note, &format!("plays by {what}"), reason);
                    false
                }
            })
            .collect();
        for (what, limit) in &limits {
            player = match self.under(player, spec, host, what, limit) {
                Some(player) => player,
                None => return,
            };
        }
        self.again(&mut player);
        let pid = player.pid();
        let (grade, found) = match player.quit() {
            None => (Grade::Pass, format!("process {pid}")),
            Some(wrong) => (Grade::Fail, wrong),
        };
        self.add(grade, "ends when told", found);
    }

    /// All positions under one limit; the player, or a fresh one after a fault, if there is one.
    fn under(
        &mut self,
        mut player: External,
        spec: &ProgramSpec,
        host: &Arc<ProgramHost>,
        what: &str,
        limit: &GoLimit,
    ) -> Option<External> {
        let request = format!("plays by {what}");
        let mut wrong = FaultList::default();
        let mut silent = 0;
        for (name, fen, moves) in POSITIONS {
            if player.refuses_start(fen, false).is_some() {
                continue;
            }
            // A limit that was overstepped once needs no more patience.
            let tries = if wrong.0.is_empty() { LATE_TRIES } else { 1 };
            match think_in_time(&mut player, fen, moves, limit, tries) {
                Ok((thought, position)) => {
                    if let Some(fault) = fault(&thought, &position, limit) {
                        wrong.add(name, fault);
                    }
                    silent += usize::from(thought.score.is_none() || thought.depth == 0);
                }
                Err(fault) => {
                    wrong.add(name, fault.to_string());
                    drop(player);
                    player = match External::start(spec, host) {
                        Ok(player) => player,
                        Err(error) => {
                            self.add(Grade::Fail, &request, wrong.to_string());
                            self.add(Grade::Fail, "starts again after that", error.to_string());
                            return None;
                        }
                    };
                }
            }
        }
        let grade = if wrong.0.is_empty() { Grade::Pass } else { Grade::Fail };
        self.add(grade, &request, wrong.to_string());
        if silent > POSITIONS.len() / 2 {
            let found = "adjudication by score will not work";
            self.add(Grade::Note, &format!("says score and depth by {what}"), found);
        }
        Some(player)
    }

    /// A search after a new game, twice.
    fn again(&mut self, player: &mut External) {
        let (_, fen, moves) = POSITIONS[1];
        let mut search =
            || think(player, fen, moves, &GoLimit::Depth(6)).map(|(thought, _)| thought);
        let what = "plays the same after a new game (depth 6)";
        let shown = |it: &Thought| format!("{}, {} nodes", it.best, it.nodes);
        let (grade, found) = match (search(), search()) {
            (Ok(first), Ok(second)) => match (shown(&first), shown(&second)) {
                (first, second) if first == second => (Grade::Pass, first),
                (first, second) => (
                    Grade::Note,
                    format!(
                        "{first}, then {second}: games cannot be repeated, or only with --restart"
                    ),
                ),
            },
            (first, second) => {
                let faults = [first.err(), second.err()].into_iter().flatten();
                let faults: Vec<String> = faults.map(|fault| fault.to_string()).collect();
                (Grade::Fail, faults.join("; "))
            }
        };
        self.add(grade, what, found);
    }
}

/// Faults, and the positions in which each was seen.
#[derive(Default)]
struct FaultList(Vec<(String, Vec<&'static str>)>);

impl FaultList {
    fn add(&mut self, position: &'static str, fault: String) {
        match self.0.iter_mut().find(|(known, _)| *known == fault) {
            Some((_, positions)) => positions.push(position),
            None => self.0.push((fault, vec![position])),
        }
    }
}

impl fmt::Display for FaultList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (fault, positions)) in self.0.iter().enumerate() {
            let between = if place == 0 { "" } else { "; " };
            let positions = match positions.len() {
                len if len == POSITIONS.len() => "every position".to_owned(),
                _ => positions.join(", "),
            };
            write!(f, "{between}{positions}: {fault}")?;
        }
        Ok(())
    }
}

fn limits() -> Vec<(String, GoLimit)> {
    let clock = |moves_to_go, nodes_per_ms| {
        let clock = Clock::even(CLOCK, Duration::from_millis(10));
        GoLimit::Clock(Clock { moves_to_go, nodes_per_ms, ..clock })
    };
    let one_more = ("a clock for one more move".to_owned(), clock(Some(1), None));
    let kinds = [
        GoLimit::Depth(4),
        GoLimit::Nodes(NODES),
        GoLimit::MoveTime(MOVETIME),
        clock(None, None),
        clock(None, NonZeroU64::new(10)),
    ];
    let kinds = kinds.into_iter().map(|limit| (LimitKind::of(&limit).to_string(), limit));
    kinds.chain([one_more]).collect()
}

fn think(
    player: &mut External,
    fen: &str,
    moves: &str,
    limit: &GoLimit,
) -> Result<(Thought, Chess), Fault> {
    let broken = |what: &str| Fault::Garbage(format!("{what}: a defect of this check"));
    let start = fen.parse::<Fen>().map_err(|_| broken(fen))?;
    let mut position: Chess =
        start.into_position(CastlingMode::Standard).map_err(|_| broken(fen))?;
    for text in moves.split_ascii_whitespace() {
        let uci: UciMove = text.parse().map_err(|_| broken(text))?;
        let played = uci.to_move(&position).map_err(|_| broken(text))?;
        position.play_unchecked(played);
    }
    player.new_game(fen, false)?;
    let thought = player.think(position.turn(), moves, limit)?;
    Ok((thought, position))
}

/// An answer that is not late, or the last of so many.
fn think_in_time(
    player: &mut External,
    fen: &str,
    moves: &str,
    limit: &GoLimit,
    tries: usize,
) -> Result<(Thought, Chess), Fault> {
    let mut answer = think(player, fen, moves, limit)?;
    for _ in 1..tries {
        let (thought, position) = &answer;
        if late(thought, position, limit).is_none() {
            break;
        }
        answer = think(player, fen, moves, limit)?;
    }
    Ok(answer)
}

/// By how much an answer oversteps its time, where that is more than matches forgive.
fn late(thought: &Thought, position: &Chess, limit: &GoLimit) -> Option<Duration> {
    let allowed = match limit {
        GoLimit::MoveTime(time) => *time,
        GoLimit::Clock(clock) if clock.nodes_per_ms.is_none() => clock.left(position.turn()),
        _ => return None,
    };
    let over = thought.time.saturating_sub(thought.late).saturating_sub(allowed);
    (over > MARGIN).then_some(over)
}

fn fault(thought: &Thought, position: &Chess, limit: &GoLimit) -> Option<String> {
    if thought.best.to_move(position).is_err() {
        return Some(format!("{} is not legal", thought.best));
    }
    match limit {
        GoLimit::Nodes(_) if thought.nodes > NODES_ALLOWED => {
            Some(format!("{} nodes of {NODES}", thought.nodes))
        }
        GoLimit::Depth(plies) if thought.depth > *plies => {
            Some(format!("depth {} of {plies}", thought.depth))
        }
        _ => late(thought, position, limit)
            .map(|over| format!("{} ms over its time", over.as_millis())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_what_they_are_called() {
        let legal = |name: &str| {
            let (_, fen, _) = POSITIONS.iter().find(|(n, ..)| *n == name).unwrap();
            let position: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            (position.legal_moves().len(), position.is_check())
        };
        assert_eq!(legal("one legal move").0, 1);
        assert_eq!(legal("218 moves").0, 218);
        assert!(legal("double check").1);
        for (name, fen, moves) in POSITIONS {
            let mut position: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).expect(name);
            for text in moves.split_ascii_whitespace() {
                let uci: UciMove = text.parse().unwrap();
                position.play_unchecked(uci.to_move(&position).expect(name));
            }
            assert!(!position.is_game_over(), "{name}");
        }
        let (_, fen, _) = POSITIONS[3];
        let position: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        assert!(position.legal_moves().iter().any(|played| played.is_en_passant()));
    }
}
