//! Engines that score positions: mutineer in this process, or any program.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use engine::{Engine, HashSize, Limits, Setup};
use shakmaty::{Chess, Position as _};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::super::text::as_read;
use super::plan::ScoringPlan;
use super::scores::Scored;
use super::trial;
use arena::game::Limit;
use arena::player::external::External;
use arena::player::program::{ProgramHost, ProgramSettings, ProgramSpec};
use arena::player::spec::{PlayerSpec, embedded_params};
use arena::player::{Fault, GoLimit};
use arena::record::{Score, sha256_file};
use process::{Context as _, Error};

/// Of a program that is not told otherwise, in MiB, and of the embedded engine in bytes.
const HASH_MIB: u64 = 16;
const HASH_BYTES: usize = 1 << 20;
/// After so many faults in a row, in whatever positions, the engine is given up.
const MOST_FAULTS: u32 = 20;

/// Makes the scorers of all threads.
pub enum Scorers {
    Embedded { setup: Arc<Setup>, limits: Limits },
    Program { spec: ProgramSpec, host: Arc<ProgramHost>, limit: GoLimit, faults: Arc<AtomicU32> },
}

/// SHA-256 of the engine's file; of this program's for an embedded engine.
pub fn build_of(by: &PlayerSpec) -> Result<String, Error> {
    let path = match by {
        PlayerSpec::Embedded { .. } => {
            std::env::current_exe().context("cannot find verdict's file")?
        }
        PlayerSpec::Program { .. } => ProgramSpec::parse(&by.to_string())?.path,
    };
    Ok(sha256_file(&path)?)
}

impl Scorers {
    /// Programs are watched over on `runtime`, a multi-threaded one. Fails where the engine does not start,
    /// refuses an option, or does not obey the limit.
    pub fn new(plan: &ScoringPlan, runtime: Handle) -> Result<Scorers, Error> {
        match &plan.by {
            PlayerSpec::Embedded { personality, parameters } => {
                let params = embedded_params(personality, parameters)?;
                let mut limits = Limits::default();
                match plan.limit {
                    Limit::Depth(plies) => limits.depth = Some(plies),
                    Limit::Nodes(nodes) => limits.nodes = Some(nodes),
                    _ => return Err(Error::fault("a limit of neither nodes nor depth")),
                }
                Ok(Scorers::Embedded { setup: Arc::new(Setup::new(&Arc::new(params))), limits })
            }
            program @ PlayerSpec::Program { .. } => {
                let spec = ProgramSpec::parse(&program.to_string())?;
                let settings = ProgramSettings {
                    hash_mib: Some(HASH_MIB),
                    threads: Some(1),
                    hang: Duration::from_millis(plan.hang_ms),
                    ..ProgramSettings::default()
                };
                let limit = match plan.limit {
                    Limit::Depth(plies) => GoLimit::Depth(plies),
                    Limit::Nodes(nodes) => GoLimit::Nodes(nodes),
                    _ => return Err(Error::fault("a limit of neither nodes nor depth")),
                };
                trial::run(&spec, &settings, runtime.clone(), &limit)
                    .context(format!("--by {program}"))?;
                let host = ProgramHost::new(settings, runtime, CancellationToken::new())?;
                Ok(Scorers::Program { spec, host, limit, faults: Arc::default() })
            }
        }
    }

    pub(super) fn scorer(&self) -> Box<dyn Scorer + '_> {
        match self {
            Scorers::Embedded { setup, limits } => Box::new(EmbeddedScorer {
                engine: Engine::with_setup(setup, HashSize::from_bytes(HASH_BYTES)),
                limits,
            }),
            Scorers::Program { spec, host, limit, faults } => {
                Box::new(ProgramScorer { spec, host, limit, faults, player: None })
            }
        }
    }
}

/// A score, and why there is none where the position is skipped.
pub(super) type ScoredWith = (Scored, Option<String>);

pub(super) trait Scorer {
    /// The score of a position by itself, as a book gives it. An error ends all scoring.
    fn score(&mut self, position: &Chess) -> Result<ScoredWith, Error>;
}

struct EmbeddedScorer<'a> {
    engine: Engine,
    limits: &'a Limits,
}

impl Scorer for EmbeddedScorer<'_> {
    fn score(&mut self, position: &Chess) -> Result<ScoredWith, Error> {
        let fen = as_read(position);
        let seen = engine::Position::from_fen(&fen)
            .map_err(|why| Error::fault(format!("the engine refuses the position {fen}: {why}")))?;
        self.engine.new_game();
        let score = self.engine.search(&seen, self.limits, &()).score;
        let scored = score.mate().map_or(Scored::Cp(score.cp()), |_| Scored::Mate);
        Ok((scored, None))
    }
}

/// A program, started when it is needed, and again after each fault.
struct ProgramScorer<'a> {
    spec: &'a ProgramSpec,
    host: &'a Arc<ProgramHost>,
    limit: &'a GoLimit,
    /// In a row, of all threads.
    faults: &'a AtomicU32,
    player: Option<External>,
}

impl ProgramScorer<'_> {
    fn think(&mut self, position: &Chess) -> Result<Option<Score>, Fault> {
        let fen = as_read(position);
        let player = match &mut self.player {
            Some(player) => player,
            none => {
                none.insert(External::start(self.spec, self.host).map_err(|error| error.fault)?)
            }
        };
        if let Some(why) = player.refuses_start(&fen, false) {
            return Err(Fault::NotStarted(why.to_owned()));
        }
        player.new_game(&fen, false)?;
        let score = player.think(position.turn(), "", self.limit)?.score;
        player.end_game()?;
        Ok(score)
    }
}

impl Scorer for ProgramScorer<'_> {
    fn score(&mut self, position: &Chess) -> Result<ScoredWith, Error> {
        let thought = self.think(position);
        if thought.is_ok() && self.player.as_ref().is_some_and(|player| !player.is_reusable()) {
            self.player.take().map(External::quit);
        }
        let why = match thought {
            Ok(Some(score)) => {
                self.faults.store(0, Ordering::Relaxed);
                let scored = match score {
                    Score::Cp(cp) => Scored::Cp(cp),
                    Score::Mate(_) => Scored::Mate,
                };
                return Ok((scored, None));
            }
            Ok(None) => "says no score".to_owned(),
            Err(Fault::Lack(lack)) => return Err(Error::input_output(lack)),
            Err(fault) => {
                self.player = None;
                fault.to_string()
            }
        };
        let faults = self.faults.fetch_add(1, Ordering::Relaxed) + 1;
        if faults >= MOST_FAULTS {
            let spec = self.spec.path.display();
            return Err(Error::fault(format!(
                "{spec} failed in {faults} positions in a row; the last time it {why}"
            )));
        }
        Ok((Scored::Skipped, Some(why)))
    }
}
