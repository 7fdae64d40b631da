//! What matches say of their books.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use arena::record::{FinalVerdict, Games, PairStatus, RunFile, Side, Summary, Tally, run_name};
use arena::report::RunResults;
use process::{Context as _, Error};
use stats::{Defined, PairSignal, PairsRatio, Pentanomial, Wdl};

/// Different pairs of a match: those that repeat others do not count.
#[derive(Debug, Clone)]
pub struct BookResults {
    pub name: String,
    pub dir: PathBuf,
    pub run: RunFile,
    pub pairs: Pentanomial,
    pub games: Wdl,
    pub repeated_pairs: u64,
    /// Thinking of both players in a game, in seconds; `None` where nothing was played.
    pub seconds_a_game: Option<f64>,
    /// Of the match; `None`: it is not finished.
    pub verdict: Option<FinalVerdict>,
}

impl BookResults {
    /// Of the match in `dir`, finished or not.
    pub fn read(name: &str, dir: &Path) -> Result<BookResults, Error> {
        let run = RunFile::read(dir)?;
        let (mut pairs, mut games, mut repeated_pairs) =
            (Pentanomial::default(), Wdl::default(), 0);
        let mut tally = Tally::default();
        for game in Games::open(dir)? {
            let counted = tally.add(&game?).map_err(Error::input_output).context(dir.display())?;
            for (pair, _) in counted {
                match pair.pair_status {
                    PairStatus::New => {
                        pairs.add_pair(pair.half_points.iter().sum());
                        pair.half_points.iter().for_each(|&points| games.add_game(points));
                    }
                    PairStatus::Repeated => repeated_pairs += 1,
                    PairStatus::Void => (),
                }
            }
        }
        let thinking: f64 = tally.thinking.iter().map(std::time::Duration::as_secs_f64).sum();
        let recorded = tally.recorded_games();
        let seconds_a_game = (recorded > 0).then(|| thinking / recorded as f64);
        let (name, dir) = (name.to_owned(), dir.to_owned());
        let verdict = verdict(&dir)?;
        Ok(BookResults { name, dir, run, pairs, games, repeated_pairs, seconds_a_game, verdict })
    }

    /// Too many of its games ended by faults: they say nothing of the book.
    pub fn is_void(&self) -> bool {
        self.verdict == Some(FinalVerdict::Void)
    }

    pub fn signal(&self) -> Defined<PairSignal> {
        PairSignal::of(&self.pairs)
    }

    pub fn draw_share(&self) -> Option<f64> {
        share(self.games.draw, self.games.games())
    }

    /// The share of pairs that are not shared one to one.
    pub fn decided_share(&self) -> Option<f64> {
        share(self.pairs.pairs() - self.pairs.dd_wl, self.pairs.pairs())
    }
}

/// As recorded, or as the games say where no summary was written.
fn verdict(dir: &Path) -> Result<Option<FinalVerdict>, Error> {
    if let Ok(summary) = Summary::read(dir) {
        return Ok(summary.judged.verdict);
    }
    Ok(RunResults::read(dir, &run_name(dir))?.summary().judged.verdict)
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Books that the same players have played; the first is what the others are compared with.
#[derive(Debug, Clone)]
pub struct BookRates {
    pub books: Vec<BookResults>,
}

impl BookRates {
    /// Pairs that a book needs for each of the first one's, for the same verdict. `None` also where either
    /// has too few pairs or is void.
    pub fn pairs_needed(&self, book: &BookResults) -> Option<PairsRatio> {
        let first = self.books.first()?;
        if first.is_void() || book.is_void() {
            return None;
        }
        let first = first.signal().ok()?;
        book.signal().ok()?.pairs_against(&first)
    }

    /// What the time of such a ratio is: pairs take longer with one book than with another.
    pub(super) fn time_per_pair(&self, book: &BookResults) -> Option<f64> {
        let first = self.books.first()?.seconds_a_game.filter(|seconds| *seconds > 0.0)?;
        Some(book.seconds_a_game? / first)
    }

    pub fn json(&self) -> Value {
        let books: Vec<Value> = self.books.iter().map(|book| self.book_json(book)).collect();
        let first = self.books.first();
        let label = |side| first.map(|book| book.run.label(side));
        json!({
            "base": label(Side::Base),
            "test": label(Side::Test),
            "compared_with": first.map(|book| &book.name),
            "books": books,
        })
    }

    fn book_json(&self, book: &BookResults) -> Value {
        let signal = book.signal().ok();
        let ratio = self.pairs_needed(book);
        let time = ratio.and_then(|ratio| Some(ratio.ratio * self.time_per_pair(book)?));
        json!({
            "name": book.name,
            "folder": book.dir.file_name().map(|name| name.to_string_lossy()),
            "book": book.run.book,
            "verdict": book.verdict,
            "pairs": book.pairs.pairs(),
            "repeated_pairs": book.repeated_pairs,
            "ptnml": book.pairs,
            "wdl": book.games,
            "nelo": signal.map(|signal| signal.nelo),
            "nelo_error95": signal.map(|signal| signal.error95()),
            "draw_share": book.draw_share(),
            "decided_share": book.decided_share(),
            "seconds_a_game": book.seconds_a_game,
            "pairs_needed": ratio.map(|ratio| ratio.ratio),
            "pairs_needed_ci95": ratio.map(|ratio| [ratio.low95, ratio.high95]),
            "time_needed": time,
        })
    }
}
