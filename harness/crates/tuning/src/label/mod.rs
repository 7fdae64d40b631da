//! Positions with a teacher's scores, for tuners: `FEN | centipawns | result`.
//!
//! [`run`] reads games and lists of positions in batches, takes quiet positions of which none was
//! seen before ([`Taker`]), lets processes of the teacher search them ([`teacher`]), and appends a
//! line for each ([`file`]). Each position is a new game to the teacher, so that the lines depend
//! neither on the number of processes nor on where a run was interrupted.

mod file;
mod teacher;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena::player::GoLimit;
use arena::player::program::{ProgramSettings, ProgramSpec};
use arena::record::Score;
use arena::runner::Stops;
use engine::Params;
use process::progress::Progress;
use process::{Error, parallel};
use serde::{Deserialize, Serialize};

use crate::tune::texel::sample::{Sampling, Taker, TexelSample, wrong};
use crate::tune::texel::{GameLine, source};
use file::LabelFile;
use teacher::{Lesson, Teachers};

/// What is labelled, and how.
#[derive(Debug, Clone)]
pub struct LabelPlan {
    /// Folders of runs, PGN files, lists of positions.
    pub sources: Vec<PathBuf>,
    pub teacher: ProgramSpec,
    pub settings: ProgramSettings,
    /// Of each search: nodes, depth or time.
    pub limit: GoLimit,
    /// Which positions are quiet, and which are decided, by the embedded engine.
    pub sampling: Sampling,
    /// Positions of one game at most, chosen by chance; `None`: all.
    pub per_game: Option<NonZeroUsize>,
    /// Of that chance.
    pub seed: u64,
    /// Processes of the teacher.
    pub processes: NonZeroUsize,
    pub out: PathBuf,
}

/// What was read, in this call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadCounts {
    pub games: u64,
    /// Games that have no result, are malformed, or are of a variant.
    pub skipped_games: u64,
    /// Positions of these games, without those of the book.
    pub positions: u64,
    /// Quiet ones that stood in an earlier game or source.
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
    /// The teacher gave no score, or failed twice.
    pub failed: u64,
}

impl LabelCounts {
    fn searched(&self) -> u64 {
        self.written + self.tactical + self.mates + self.failed
    }
}

/// What a call has come to.
#[derive(Debug, Clone, Copy)]
pub struct Labelled {
    pub read: ReadCounts,
    pub counts: LabelCounts,
    /// Whether nothing is left to do.
    pub is_done: bool,
}

/// Labels until the end of the sources or of `stops`; a later call goes on.
///
/// # Errors
/// Unreadable sources, a file that is of another plan, a teacher that does not start, gives no
/// scores or fails again and again; what is written stays.
pub fn run(plan: &LabelPlan, stops: &Stops, progress: &dyn Progress) -> Result<Labelled, Error> {
    let mut labelling = Labelling {
        plan,
        stops,
        progress,
        teachers: Teachers::start(plan, stops)?,
        file: LabelFile::open(plan)?,
        seen: HashSet::new(),
        read: ReadCounts::default(),
        chunks: 0,
        params: Arc::new(Params::default()),
    };
    progress.begin("labelling", None);
    let mut result = Ok(());
    for path in &plan.sources {
        let read = source::read(path, source::Results::Optional, &mut |batch| {
            labelling.batch(path, batch)
        });
        match read {
            Ok(skipped) => labelling.read.skipped_games += skipped.games,
            Err(error) => {
                result = Err(error);
                break;
            }
        }
    }
    labelling.teachers.quit();
    let Labelling { read, file, .. } = labelling;
    let counts = file.counts();
    let is_done = !stops.now();
    if is_done {
        result?;
        file.finish()?;
    }
    Ok(Labelled { read, counts, is_done })
}

/// Why a batch is not labelled to its end: the reader of sources ends by an error.
const INTERRUPTED: &str = "interrupted";
/// Positions whose labels are written together.
const CHUNK: usize = 1024;

/// A position that the teacher is asked about, with its game's result for White.
type Chosen = (TexelSample, Option<f32>);

struct Labelling<'a> {
    plan: &'a LabelPlan,
    stops: &'a Stops,
    progress: &'a dyn Progress,
    teachers: Teachers<'a>,
    file: LabelFile,
    /// Keys of quiet positions so far.
    seen: HashSet<u64>,
    read: ReadCounts,
    /// Of all sources so far.
    chunks: u64,
    params: Arc<Params>,
}

impl Labelling<'_> {
    /// Takes the positions of a batch, and labels those that no earlier call has.
    fn batch(&mut self, path: &Path, lines: &[GameLine]) -> Result<(), Error> {
        let plan = self.plan;
        let taker = || Taker::new(&self.params, &plan.sampling);
        let taken = parallel::map(lines, plan.processes, taker, |taker, line| taker.take(line));
        let mut chosen = Vec::new();
        for (line, taken) in lines.iter().zip(taken) {
            let Some(taken) = taken.map_err(|why| wrong(path, line, why))? else { continue };
            self.read.games += u64::from(line.is_new);
            self.read.positions += taken.positions;
            let mut samples = taken.samples;
            samples.retain(|sample| {
                let is_new = self.seen.insert(sample.key);
                self.read.repeated += u64::from(!is_new);
                is_new
            });
            self.thin_out(&mut samples);
            chosen.extend(samples.into_iter().map(|sample| (sample, line.result)));
        }
        chosen.chunks(CHUNK).try_for_each(|chunk| self.chunk(chunk))
    }

    fn chunk(&mut self, chosen: &[Chosen]) -> Result<(), Error> {
        self.chunks += 1;
        if self.chunks <= self.file.chunks() {
            return Ok(());
        }
        let lessons = self.teachers.search(chosen, self.progress)?;
        if self.stops.now() {
            return Err(Error::usage(INTERRUPTED));
        }
        let (mut text, mut counts) = (String::new(), self.file.counts());
        for ((sample, result), lesson) in chosen.iter().zip(lessons) {
            match lesson {
                Lesson::Score(Score::Cp(score), true) => {
                    let white = if sample.fen.contains(" w ") { score } else { -score };
                    text.push_str(&line_of(sample, white, *result));
                    counts.written += 1;
                }
                Lesson::Score(Score::Cp(_), false) => counts.tactical += 1,
                Lesson::Score(Score::Mate(_), _) => counts.mates += 1,
                Lesson::None => counts.failed += 1,
            }
        }
        let searched = counts.searched();
        if 2 * counts.failed > searched {
            return Err(Error::fault(format!(
                "{}: no score in {} of {searched} positions; expected a teacher that tells `info … score \
                 cp` before its move",
                self.plan.teacher.command_line(),
                counts.failed
            )));
        }
        self.file.append(&text, counts, self.chunks)
    }

    /// Leaves as many of a game's positions as are wanted: those whose keys, mixed with the seed,
    /// are the least.
    fn thin_out(&self, samples: &mut Vec<TexelSample>) {
        let Some(most) = self.plan.per_game.map(NonZeroUsize::get) else { return };
        if samples.len() > most {
            let mut lots: Vec<u64> = samples.iter().map(|it| lot(it.key, self.plan.seed)).collect();
            lots.sort_unstable();
            let last = lots[most - 1];
            samples.retain(|sample| lot(sample.key, self.plan.seed) <= last);
        }
    }
}

/// A number by chance: SplitMix64 of the key and the seed.
fn lot(key: u64, seed: u64) -> u64 {
    let mut mixed = key ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// A line of the file: the position, White's centipawns, White's result where it is known.
fn line_of(sample: &TexelSample, white: i32, result: Option<f32>) -> String {
    match result {
        Some(result) => format!("{} | {white} | {result:.1}\n", sample.fen),
        None => format!("{} | {white}\n", sample.fen),
    }
}
