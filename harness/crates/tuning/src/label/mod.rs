//! Positions with a teacher's scores, for tuners: `FEN | centipawns | result`.
//!
//! [`run`] reads games and lists of positions, or plays games itself (`self_play`), takes quiet
//! positions of which none was seen before (`Taker`), lets processes of the teacher search them
//! (`teacher`), and appends a line for each (`file`). The lines depend neither on the number of
//! processes nor on where a run was interrupted: a fixed number of positions that follow one another
//! is one game to the teacher.

mod file;
mod self_play;
mod teacher;

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena::player::GoLimit;
use arena::player::program::{ProgramSettings, ProgramSpec};
use arena::record::Score;
use arena::runner::Stops;
use engine::Params;
use process::Error;
use process::parallel::States;
use process::progress::Progress;
use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

use crate::tune::texel::sample::{Sampling, Taken, Taker, TexelSample, wrong};
use crate::tune::texel::{GameLine, source};
use file::{LabelFile, PlanWords, digest};
pub use self_play::SelfPlay;
use self_play::SelfPlaying;
use teacher::{BLOCK, Lesson, Teachers};

/// What is labelled, and how.
#[derive(Debug, Clone)]
pub struct LabelPlan {
    /// Folders of runs, PGN files, lists of positions.
    pub sources: Vec<PathBuf>,
    /// Games that are played for it, after the sources.
    pub self_play: Option<SelfPlay>,
    pub teacher: ProgramSpec,
    pub settings: ProgramSettings,
    /// Of each search: nodes, depth or time.
    pub limit: GoLimit,
    /// Which positions are quiet, and which are decided, by the embedded engine.
    pub sampling: Sampling,
    /// Positions of one game at most, chosen by chance; `None`: all.
    pub per_game: Option<NonZeroUsize>,
    /// Of that chance, and of the games.
    pub seed: u64,
    /// Whether the lines end with the teacher's best move.
    pub best_moves: bool,
    /// Processes of the teacher.
    pub processes: NonZeroUsize,
    pub out: PathBuf,
}

/// What was read, in this call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadCounts {
    /// Games, and positions that stand by themselves.
    pub games: u64,
    /// Games that have no result, are malformed, or are of a variant.
    pub skipped_games: u64,
    /// Place and reason of the first of them.
    pub first_skipped: Option<String>,
    /// Positions of these games, without those of the book.
    pub positions: u64,
    /// Quiet ones that stood in an earlier game or source; where a few of each game are drawn, those
    /// that would have been.
    pub repeated: u64,
}

/// What came of the positions that were searched, in all calls for one file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelCounts {
    /// Lines of the file.
    pub written: u64,
    /// The best move is a capture or a promotion.
    pub tactical: u64,
    /// The teacher sees a mate.
    pub mates: u64,
    /// The teacher gave no score, resigned, or failed twice.
    pub failed: u64,
}

impl LabelCounts {
    fn searched(&self) -> u64 {
        self.written + self.tactical + self.mates + self.failed
    }
}

/// What a call has come to.
#[derive(Debug, Clone)]
pub struct Labelled {
    pub read: ReadCounts,
    pub counts: LabelCounts,
    /// Positions that were searched in this call.
    pub searched: u64,
    /// Whether nothing is left to do.
    pub is_done: bool,
}

/// Labels until the end of the sources or of `stops`; a later call goes on. To be called inside of a
/// multi-threaded runtime.
///
/// # Errors
/// Unreadable sources, a file that is of another plan, a teacher that does not start, gives no
/// scores or fails again and again; what is written stays.
pub fn run(plan: &LabelPlan, stops: &Stops, progress: &dyn Progress) -> Result<Labelled, Error> {
    for path in &plan.sources {
        source::find(path)?;
    }
    let teachers = Teachers::start(plan, stops)?;
    let mut labelling = Labelling {
        plan,
        stops,
        progress,
        file: LabelFile::open(&plan.out, plan_words(plan, &teachers.name))?,
        teachers,
        seen: HashSet::new(),
        read: ReadCounts::default(),
        chosen: 0,
        digest: 0,
        params: Arc::new(Params::default()),
        takers: States::default(),
    };
    let begun = labelling.file.searched();
    progress.begin("labelling", None);
    let ended = labelling.all();
    labelling.teachers.quit();
    let Labelling { read, file, .. } = labelling;
    let counts = file.counts();
    let searched = file.searched() - begun;
    let is_done = ended.is_ok();
    match ended {
        Ok(()) => file.finish()?,
        Err(_) if stops.now() => file.leave()?,
        Err(error) => {
            // The first error is the one to tell.
            let _ = file.leave();
            return Err(error);
        }
    }
    Ok(Labelled { read, counts, searched, is_done })
}

/// A position that the teacher is asked about, with its game's result for White.
type Chosen = (TexelSample, Option<f32>);

struct Labelling<'a> {
    plan: &'a LabelPlan,
    stops: &'a Stops,
    progress: &'a dyn Progress,
    teachers: Teachers<'a>,
    file: LabelFile,
    /// Keys of the positions so far.
    seen: HashSet<u64>,
    read: ReadCounts,
    /// Positions chosen before this batch.
    chosen: u64,
    /// Of those.
    digest: u64,
    params: Arc<Params>,
    takers: States<Taker<'a>>,
}

impl Labelling<'_> {
    fn all(&mut self) -> Result<(), Error> {
        let plan = self.plan;
        let mut playing = None;
        if let Some(games) = &plan.self_play {
            // The games that are kept are this plan's.
            self.file.write()?;
            let (settings, kept) = (&plan.settings, self.file.games());
            playing = Some(SelfPlaying::new((games, plan.seed), settings, self.stops, kept)?);
        }
        for path in &plan.sources {
            let skipped = source::read(path, source::Wanted::Positions, &mut |batch| {
                self.batch(path, batch)
            })?;
            self.read.skipped_games += skipped.games;
            let first = self.read.first_skipped.take();
            self.read.first_skipped = first.or(skipped.first);
        }
        if let Some(playing) = &mut playing {
            loop {
                let games = playing.batch(plan.processes)?;
                if games.is_empty() {
                    break;
                }
                self.batch(Path::new("--self-play"), &games)?;
            }
            playing.close();
        }
        match self.file.searched() > self.chosen {
            true => Err(self.changed()),
            false => Ok(()),
        }
    }

    /// Takes the positions of a batch, and labels those that no earlier call has.
    fn batch(&mut self, path: &Path, lines: &[GameLine]) -> Result<(), Error> {
        if self.stops.now() {
            return Err(interrupted());
        }
        let Labelling { plan, params, seen, read, takers, .. } = self;
        let begin = || Taker::new(params, &plan.sampling);
        let lot = |key| mixed(key ^ mixed(plan.seed));
        let take = |taker: &mut Taker, line: &GameLine, seen: &HashSet<u64>| match plan.per_game {
            Some(most) => taker.draw(line, most, lot, seen),
            None => taker.take(line),
        };
        let taken = takers.map(lines, plan.processes, begin, |taker, line| take(taker, line, seen));
        let mut again = None;
        let mut chosen = Vec::new();
        for (line, mut taken) in lines.iter().zip(taken) {
            let is_seen = |taken: &Taken| taken.samples.iter().any(|it| seen.contains(&it.key));
            if plan.per_game.is_some() && matches!(&taken, Ok(Some(taken)) if is_seen(taken)) {
                // Another game of the batch has drawn the same position: this one draws others.
                taken = take(again.get_or_insert_with(begin), line, seen);
            }
            let Some(taken) = taken.map_err(|why| wrong(path, line, why))? else { continue };
            read.games += u64::from(line.is_new);
            read.positions += taken.positions;
            read.repeated += taken.repeated;
            for sample in taken.samples {
                if seen.insert(sample.key) {
                    chosen.push((sample, line.result));
                } else {
                    read.repeated += 1;
                }
            }
        }
        let done = self.file.searched().saturating_sub(self.chosen).min(chosen.len() as u64);
        let (done, rest) = chosen.split_at(done as usize);
        self.digest = done.iter().fold(self.digest, |before, (it, _)| digest(before, it.key));
        if !rest.is_empty() && !self.file.continues(self.digest) {
            return Err(self.changed());
        }
        self.label(rest)?;
        self.digest = rest.iter().fold(self.digest, |before, (it, _)| digest(before, it.key));
        self.chosen += chosen.len() as u64;
        Ok(())
    }

    fn label(&mut self, chosen: &[Chosen]) -> Result<(), Error> {
        let Labelling { plan, teachers, file, .. } = self;
        let mut blocks = chosen.chunks(BLOCK);
        teachers.search(chosen, self.progress, |lessons| {
            let (Some(block), Some(lessons)) = (blocks.next(), lessons) else {
                return Err(interrupted());
            };
            let (mut text, mut counts) = (String::new(), file.counts());
            for (chosen, lesson) in block.iter().zip(lessons) {
                match lesson {
                    Lesson::Scored { score: Score::Cp(score), best, is_quiet: true } => {
                        text.push_str(&line_of(chosen, score, plan.best_moves.then_some(best)));
                        counts.written += 1;
                    }
                    Lesson::Scored { score: Score::Cp(_), .. } => counts.tactical += 1,
                    Lesson::Scored { score: Score::Mate(_), .. } => counts.mates += 1,
                    Lesson::None => counts.failed += 1,
                }
            }
            let searched = counts.searched();
            if 2 * counts.failed > searched {
                return Err(Error::fault(format!(
                    "{}: no score in {} of {searched} positions, among the last {}; expected a teacher that \
                     tells a score before its move (UCI: `info … score cp`)",
                    plan.teacher.command_line(),
                    counts.failed,
                    block.last().map_or("", |(sample, _)| &sample.fen)
                )));
            }
            file.append(&text, block.iter().map(|(sample, _)| sample.key), counts)
        })
    }

    fn changed(&self) -> Error {
        Error::usage(format!(
            "{}: the sources, or what verdict takes from them, have changed since it was begun: expected the \
             same {} positions at their start, or another --out",
            self.plan.out.display(),
            self.file.searched()
        ))
    }
}

/// Ends the work after [`Stops`]; nobody is told.
fn interrupted() -> Error {
    Error::usage("interrupted")
}

/// Another number for each, as if by chance: SplitMix64.
fn mixed(number: u64) -> u64 {
    pgn::mix(number.wrapping_add(0x9E37_79B9_7F4A_7C15))
}

/// A line of the file: the position, White's centipawns, White's result where it is known, the best
/// move where it is wanted. `score` is that of the side to move.
fn line_of((sample, result): &Chosen, score: i32, best: Option<UciMove>) -> String {
    let white = if sample.fen.contains(" w ") { score } else { score.saturating_neg() };
    let result = result.map_or_else(String::new, |result| format!(" | {result:.1}"));
    let best = best.map_or_else(String::new, |best| format!(" | {best}"));
    format!("{} | {white}{result}{best}\n", sample.fen)
}

/// What changes the lines.
fn plan_words(plan: &LabelPlan, name: &str) -> PlanWords {
    let LabelPlan { sources, teacher, settings, limit, sampling, per_game, seed, .. } = plan;
    let sources: Vec<_> = sources.iter().map(|path| path.display().to_string()).collect();
    let per_game = per_game.map_or("all".to_owned(), |most| most.to_string());
    let hash = settings.hash_mib.map_or("the engine's".to_owned(), |mib| format!("{mib} MiB"));
    BTreeMap::from([
        ("sources", sources.join(" ")),
        ("teacher", format!("{} ({name})", teacher.command_line())),
        ("hash", hash),
        ("limit", format!("{limit:?}")),
        ("margin", sampling.margin.to_string()),
        ("decided", sampling.decided.to_string()),
        ("positions a game", per_game),
        ("seed", seed.to_string()),
        ("self-play", plan.self_play.as_ref().map_or("none".to_owned(), SelfPlay::to_string)),
        ("best moves", plan.best_moves.to_string()),
    ])
}
