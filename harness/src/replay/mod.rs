//! A recorded fault brought about again: the program is started as its run had it and told what it
//! was told, and what comes of it is judged by the rules of the game it was in.

mod embedded;
mod input;
mod reproduction;

pub use reproduction::{Ending, Reproduction};

use std::fs;
use std::path::Path;
use std::time::Duration;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position as _};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use arena::collector::{GAME_FILE, INPUT_FILE, TRANSCRIPT_FILE};
use arena::game::Game;
use arena::plan::Plan;
use arena::player::program::{ProgramHost, ProgramSpec};
use arena::player::replay::{RecordedGame, Replayed, Strayed, replay};
use arena::player::spec::{PlayerSpec, embedded_params};
use arena::player::{Fault, Thought};
use arena::pool::PlayerPool;
use arena::record::{GameRecord, RUN_FILE, RunFile, Side, sha256_file};
use arena::schedule::ScheduledGame;
use arena::session::settings;
use pgn::Opening;
use process::Error;
use process::plain_file::{self, DOCUMENT};

fn damaged_file(path: &Path, reason: &str) -> Error {
    Error::input_output(format!("{}: {reason}", path.display()))
}

/// The program that is recorded, which may be gone.
fn program(spec: &PlayerSpec) -> Result<ProgramSpec, Error> {
    ProgramSpec::parse(&spec.to_string()).map_err(|error| {
        Error::input_output(format!("{error}; a replay needs the engine that had the fault"))
    })
}

/// A recorded fault.
#[derive(Debug, Clone)]
pub struct Case {
    plan: Plan,
    spec: PlayerSpec,
    color: Color,
    game: GameRecord,
    start: Chess,
    input: String,
    /// Whether all that it was told was kept.
    whole: bool,
    /// Whether the program's file is the one that played.
    same_build: bool,
}

#[derive(Debug)]
pub struct Replay {
    /// How the game ended when it was played.
    pub then: Ending,
    /// How it ends now.
    pub now: Ending,
    /// The first move that is not the game's.
    pub strayed: Option<Strayed>,
    /// The traffic, with times; empty with an embedded player.
    pub transcript: String,
    /// The end of what came on standard error.
    pub stderr: String,
    pub exit_status: Option<String>,
}

impl Replay {
    pub fn reproduction(&self) -> Reproduction {
        self.now.reproduction(&self.then)
    }
}

impl Case {
    /// Reads the folder of a fault, `results/NAME/faults/GAME`, or a file in it. Those of older
    /// runs have no `run.json` of their own: it is read from the run around them.
    pub fn read(dir: &Path) -> Result<Case, Error> {
        let read = |path: &Path| {
            plain_file::read_text(path, DOCUMENT).map_err(|error| {
                let path = path.display();
                Error::input_output(format!(
                    "{path}: cannot read it: {error}; expected the folder of a fault, \
                     results/NAME/faults/GAME"
                ))
            })
        };
        let dir = &fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
        let dir = if dir.is_file() { dir.parent().unwrap_or(dir) } else { dir };
        let path = dir.join(GAME_FILE);
        let damaged = |reason: String| damaged_file(&path, &reason);
        let game: GameRecord = serde_json::from_str(&read(&path)?)
            .map_err(|error| damaged(format!("expected a game: {error}")))?;
        let start = game.start().map_err(damaged)?;
        let color = game.fault_color().ok_or_else(|| {
            Error::input_output(format!(
                "game {} ended by {}, which is not a fault",
                game.game,
                game.termination.as_str()
            ))
        })?;

        let own = dir.join(RUN_FILE).exists();
        let run_dir = if own { dir } else { dir.ancestors().nth(2).unwrap_or(dir) };
        if !run_dir.join(RUN_FILE).exists() {
            return Err(Error::input_output(format!(
                "{}: expected run.json in it, or, of an older run, in the run's folder around it \
                 (results/NAME/run.json of results/NAME/faults/GAME); copy it into this folder",
                dir.display()
            )));
        }
        let run = RunFile::read(run_dir)?;
        let plan: Plan = serde_json::from_value(run.plan.clone()).map_err(|error| {
            damaged_file(&run_dir.join(RUN_FILE), &format!("expected a plan: {error}"))
        })?;
        let side = game.player(color);
        let spec = match side {
            Side::Base => &plan.base,
            Side::Test => &plan.test,
        };
        let (input, whole, same_build) = match spec {
            PlayerSpec::Embedded { .. } => (String::new(), true, true),
            PlayerSpec::Program { .. } => {
                let program = program(spec)?;
                let transcript = read(&dir.join(TRANSCRIPT_FILE))?;
                let recorded = &run.identity(side).build;
                let same = sha256_file(&program.path).ok() == *recorded || recorded.is_none();
                let (path, whole) = (dir.join(INPUT_FILE), input::is_whole(&transcript));
                let sent = read(&path)?;
                if whole {
                    input::check(&sent, &transcript, program.protocol, game.termination)
                        .map_err(|reason| damaged_file(&path, &reason))?;
                }
                (sent, whole, same)
            }
        };
        Ok(Case { spec: spec.clone(), plan, color, game, start, input, whole, same_build })
    }

    pub fn game(&self) -> &GameRecord {
        &self.game
    }

    /// What makes a replay less than the game, in words.
    pub fn caveats(&self) -> Vec<&'static str> {
        let caveats = [
            (!self.same_build, "the engine file has changed since the game"),
            (!self.whole, "the recorded input of this long game is incomplete"),
        ];
        caveats.into_iter().filter(|(holds, _)| *holds).map(|(_, text)| text).collect()
    }

    /// Brings the fault about again. Blocks as long as the program takes; to be called on a thread
    /// that may block, inside of a multi-threaded runtime. What the program does wrong is no error.
    pub fn replay(&self) -> Result<Replay, Error> {
        match &self.spec {
            PlayerSpec::Embedded { personality, parameters } => {
                let params =
                    embedded_params(personality, parameters).map_err(Error::input_output)?;
                let size =
                    usize::try_from(self.plan.embedded_hash(self.side()).0).unwrap_or(usize::MAX);
                let hash = engine::HashSize::from_bytes(size);
                Ok(self.embedded(PlayerPool::embedded(params, hash)))
            }
            PlayerSpec::Program { .. } => self.program(),
        }
    }

    fn then(&self) -> Ending {
        let detail = self.game.detail.clone().unwrap_or_default();
        Ending { termination: Some(self.game.termination), detail, plies: self.game.plies as usize }
    }

    /// The game before its first move of a player.
    fn begin(&self) -> Game {
        let start = self.start.clone();
        let moves = self.game.moves.split_ascii_whitespace().map_while(|uci| uci.parse().ok());
        let moves = moves.take(self.game.book_plies as usize).collect();
        let GameRecord { game, opening, white, .. } = self.game;
        let fen = self.game.fen.clone();
        let opening = Opening { index: opening, start, fen, moves };
        let scheduled = ScheduledGame { game, opening: opening.index, white };
        Game::new(scheduled, &opening, &self.plan.rules(None))
    }

    /// The positions in which the game's moves were played.
    fn positions(&self, moves: &[UciMove]) -> Vec<Chess> {
        let mut position = self.start.clone();
        let before = |uci: &UciMove| {
            let before = position.clone();
            position.play_unchecked(uci.to_move(&position).ok()?);
            Some(before)
        };
        moves.iter().map_while(before).collect()
    }

    /// What the players answered after the book, as it is recorded.
    fn thoughts(&self) -> impl Iterator<Item = Thought> + '_ {
        let moves = self.game.moves.split_ascii_whitespace().map_while(|uci| uci.parse().ok());
        let moves = moves.skip(self.game.book_plies as usize);
        let noted = moves.zip(&self.game.notes).zip(&self.game.time.moves_us);
        noted.map(|((best, note), us)| Thought {
            best,
            score: note.score,
            bound: None,
            depth: note.depth,
            seldepth: 0,
            nodes: note.nodes,
            details: None,
            time: Duration::from_micros(*us),
            late: Duration::ZERO,
        })
    }

    fn program(&self) -> Result<Replay, Error> {
        let spec = program(&self.spec)?;
        let host = ProgramHost::new(
            settings(&self.plan, self.side()),
            Handle::current(),
            CancellationToken::new(),
        )?;
        let mut game = self.begin();
        let time = |game: &Game| game.limit().time(game.turn());
        let mut times = vec![time(&game); game.moves().len() + 1];
        for thought in self.thoughts() {
            game.apply(&thought);
            times.push(time(&game));
        }
        let positions = self.positions(game.moves());
        let moves = game.moves();
        let sent = RecordedGame { input: &self.input, moves, positions: &positions, times: &times };
        let Replayed { fault, last, ply, strayed, complete, capsule } = replay(&spec, &host, &sent);
        let last_ply = self.game.plies as usize;
        // Before the first search nobody has moved but by the book.
        let plies = ply.max(self.game.book_plies as usize);
        let now = match (fault, last) {
            (Some(fault), _) => self.judge(game, plies, Err(fault)),
            (None, Some((ply, thought))) if complete && ply >= last_ply => {
                self.judge(game, ply, Ok(thought))
            }
            _ => goes_on("does nothing wrong".to_owned(), plies),
        };
        Ok(Replay {
            then: self.then(),
            now,
            strayed,
            transcript: capsule.transcript,
            stderr: capsule.stderr,
            exit_status: capsule.exit_status,
        })
    }

    fn side(&self) -> Side {
        self.game.player(self.color)
    }

    /// What an answer after `plies` does to the game.
    fn judge(&self, mut game: Game, plies: usize, answer: Result<Thought, Fault>) -> Ending {
        let side = self.side();
        let best = answer.as_ref().map(|thought| thought.best).ok();
        let end = match &answer {
            Ok(thought) => game.apply(thought),
            Err(fault) => game.fault(side, fault),
        };
        match (end, best) {
            (Some(end), _) if end.termination.is_fault() || best.is_none() => Ending {
                termination: Some(end.termination),
                detail: end.detail.clone().unwrap_or_default(),
                plies,
            },
            (_, Some(best)) => goes_on(format!("plays {best}"), plies),
            // What was lacking ends no game.
            _ => goes_on(answer.err().map(|fault| fault.to_string()).unwrap_or_default(), plies),
        }
    }
}

fn goes_on(detail: String, plies: usize) -> Ending {
    Ending { termination: None, detail, plies }
}
