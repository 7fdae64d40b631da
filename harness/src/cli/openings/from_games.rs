//! `verdict openings make --from`: a book of real games.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, ValueHint};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::make::{MakeArgs, centipawns};
use super::screen::BookScreen;
use crate::cli::disk_full::or_resumable;
use crate::cli::draft::Draft;
use crate::cli::flags::{PlayerFlag, WidthFlags};
use crate::cli::match_::OutputFlags;
use crate::cli::{DONE, UNDECIDED, interrupted, outputs, print, runtime};
use crate::make_book::from_games::{
    BookFile, BookFolder, ChoicePlan, GameFile, GamesBook, GamesPlan, GamesTally, Range, Scorers,
    ScoringPlan, build_of, make,
};
use arena::game::Limit;
use arena::plan::{millis, parse};
use arena::player::spec::PlayerSpec;
use arena::record::Manifest as _;
use process::terminal::shell_path;
use process::{Context as _, Error, parallel};
use tables::{Condition, Filter};

/// Threads that watch over programs.
const WORKERS: usize = 2;
/// A game has no use for more.
const MOST_PLIES: u32 = 200;

/// Flags of books from games.
#[derive(Debug, Args)]
#[command(next_help_heading = "Books from games")]
pub(super) struct FromGamesFlags {
    /// PGN files of real games, also compressed (.gz, .bz2, .zst, .xz, .zip). Only games from the start position
    /// count.
    #[arg(long = "from", id = "files", value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// Plies after which positions of the games are taken. Positions in check are left out, and those in which
    /// the piece that has just captured can be recaptured: the first move would be all but forced.
    #[arg(long, value_name = "A..B", default_value = "8..16", value_parser = plies, requires = "files")]
    ply: Range,
    /// Advantage of either side in pawns, as the engine scores it [default: 0 to --window].
    #[arg(long, value_name = "A..B", value_parser = bias, requires = "files", conflicts_with = "window")]
    bias: Option<Range>,
    /// Engine that scores: embedded[:personality], uci:PATH[,Option=value…] or xboard:PATH[,Option=value…].
    /// Each thread runs one, with Threads=1 and 16 MB of hash unless its options say otherwise
    /// [default: embedded].
    #[arg(long, value_name = "SPEC", requires = "files")]
    by: Option<PlayerFlag>,
    /// Search depth per score in plies, instead of --nodes.
    #[arg(long, value_name = "N", requires = "files", conflicts_with = "nodes")]
    depth: Option<NonZeroU32>,
    /// Longest time of a program for a score, like 90s. If it takes longer it is ended and started again, and
    /// the position is skipped.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse::duration_with_unit,
          requires = "files")]
    hang: Duration,
    /// Positions of one game, at most.
    #[arg(long, value_name = "N", default_value = "1", requires = "files")]
    per_game: NonZeroU32,
    /// Candidates, at most 20,000,000; if the games have more, these are drawn at random. Reading takes about
    /// 70 bytes of memory for each, and two for each ply before it.
    #[arg(long, value_name = "N", default_value_t = 1_000_000,
          value_parser = clap::value_parser!(u64).range(1..=20_000_000), requires = "files")]
    candidates: u64,
    /// Minimum Elo of both players.
    #[arg(long, value_name = "ELO", requires = "files")]
    min_elo: Option<u32>,
    /// Expression on PGN tags, as of `verdict tables count`, like 'WhiteElo>=2600 && Event~"Candidates"'.
    #[arg(long = "where", id = "condition", value_name = "EXPRESSION", requires = "files")]
    condition: Option<Condition>,
    /// Write score and source behind each position, as EPD operations: ce 84; c0 "game 12, ply 10"; (.epd only).
    #[arg(long, requires = "files")]
    annotate: bool,
    /// Working folder, kept when the book is made: with another --bias, --count or --out the next command
    /// makes another book of its scores [default: the name of the book with .work behind it, and removed].
    #[arg(long, value_name = "DIR", requires = "files", value_hint = ValueHint::DirPath)]
    work: Option<PathBuf>,
}

impl FromGamesFlags {
    pub(super) fn is_wanted(&self) -> bool {
        !self.files.is_empty()
    }
}

fn range<T: Copy + PartialOrd>(
    text: &str,
    read: impl Fn(&str) -> Result<T, String>,
    example: &str,
) -> Result<[T; 2], String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let bound = |text: &str| read(text).map_err(|why| format!("{why}, in a range like {example}"));
    let (first, last) = (bound(first)?, bound(last)?);
    match first <= last {
        true => Ok([first, last]),
        false => Err(format!("expected a range from the lower to the higher, like {example}")),
    }
}

fn plies(text: &str) -> Result<Range, String> {
    let ply = |text: &str| {
        let ply = text.parse().ok().filter(|ply| (1..=MOST_PLIES).contains(ply));
        ply.ok_or_else(|| format!("expected plies from 1 to {MOST_PLIES}"))
    };
    range(text, ply, "8..16").map(|[first, last]| Range { first, last })
}

fn bias(text: &str) -> Result<Range, String> {
    if !text.contains("..") {
        return Err("expected a range of pawns, like 0.7..1.3".to_owned());
    }
    range(text, centipawns, "0.7..1.3").map(|[first, last]| Range { first, last })
}

pub(super) fn run(args: &MakeArgs) -> Result<u8, Error> {
    let flags = &args.from_games;
    let by = match flags.by.clone() {
        None => PlayerSpec::embedded(),
        Some(PlayerFlag::Ready(spec)) => spec.check().context("--by")?,
        Some(PlayerFlag::Build { wanted, .. }) => {
            return Err(Error::usage(format!(
                "--by {wanted}: expected an engine that is there: embedded, uci:PATH or xboard:PATH"
            )));
        }
    };
    if flags.annotate && args.out.extension().is_none_or(|extension| extension != "epd") {
        return Err(Error::usage("--annotate: expected a book of the name *.epd as --out"));
    }
    let game_file = |path: &PathBuf| {
        let metadata = std::fs::metadata(path).map_err(Error::io(path, "read"))?;
        if metadata.is_dir() {
            let path = path.display();
            return Err(Error::usage(format!(
                "--from {path}: expected a PGN file, found a folder"
            )));
        }
        let path = std::path::absolute(path).map_err(Error::io(path, "find"))?;
        Ok(GameFile { path, bytes: metadata.len() })
    };
    let files = flags.files.iter().map(game_file).collect::<Result<_, Error>>()?;
    let limit = match flags.depth {
        Some(plies) => Limit::Depth(plies.get()),
        None => Limit::Nodes(args.nodes),
    };
    let file = BookFile {
        format: BookFile::FORMAT,
        games: GamesPlan {
            files,
            plies: flags.ply,
            per_game: flags.per_game.get(),
            candidates: flags.candidates,
            seed: args.seed,
            filter: Filter {
                min_elo: flags.min_elo,
                condition: flags.condition.clone(),
                ..Filter::default()
            },
        },
        scoring: ScoringPlan { build: build_of(&by)?, by, limit, hang_ms: millis(flags.hang) },
        book: ChoicePlan {
            bias: flags.bias.unwrap_or(Range { first: 0, last: args.window }),
            count: args.count.get(),
            out: std::path::absolute(&args.out).map_err(Error::io(&args.out, "find"))?,
            annotate: flags.annotate,
            keep: flags.work.is_some(),
        },
        is_made: false,
    };
    let stop = interrupted::flag();
    // A place that cannot be written to, and an engine that cannot score, show before the work.
    refuse_games(&file)?;
    drop(draft(&args.out)?);
    let runtime = runtime(WORKERS)?;
    let scorers = Scorers::new(&file.scoring, runtime.handle().clone())?;
    let dir = flags.work.clone().unwrap_or_else(|| beside(&args.out));
    let folder = BookFolder::for_book(&dir, file)?;
    let output = OutputFlags { json: args.json, quiet: args.quiet, interval: None };
    or_resumable(
        &dir,
        &again(&dir),
        work(folder, &scorers, parallel::threads(args.threads), output, &stop.0),
    )
}

/// The default working folder of a book.
fn beside(book: &Path) -> PathBuf {
    let mut name = book.as_os_str().to_owned();
    name.push(".work");
    PathBuf::from(name)
}

/// Goes on with the book in a working folder.
pub(in crate::cli) fn resume(
    dir: &Path,
    width: &WidthFlags,
    output: OutputFlags,
) -> Result<u8, Error> {
    let stop = interrupted::flag();
    let folder = BookFolder::open(dir)?;
    let scoring = &folder.file.scoring;
    if build_of(&scoring.by)? != scoring.build {
        return Err(Error::usage(format!(
            "{}: expected the build of {} that scored so far, found another; its scores may differ: \
             make the book anew",
            dir.display(),
            scoring.by
        )));
    }
    refuse_games(&folder.file)?;
    let runtime = runtime(WORKERS)?;
    let scorers = Scorers::new(scoring, runtime.handle().clone())?;
    let threads: Option<NonZeroUsize> =
        width.concurrency.or(width.slots.and_then(NonZeroUsize::new));
    or_resumable(
        dir,
        &again(dir),
        work(folder, &scorers, parallel::threads(threads), output, &stop.0),
    )
}

/// The book must not replace the games that it is made of.
fn refuse_games(file: &BookFile) -> Result<(), Error> {
    let games: Vec<PathBuf> = file.games.files.iter().map(|file| file.path.clone()).collect();
    outputs::refuse_read(&file.book.out, &games).context("--out")
}

fn draft(out: &Path) -> Result<Draft, Error> {
    Draft::create(out).context(format!("cannot write the book {}", out.display()))
}

fn again(dir: &Path) -> String {
    format!("verdict resume {}", shell_path(dir))
}

fn work(
    folder: BookFolder,
    scorers: &Scorers,
    threads: NonZeroUsize,
    output: OutputFlags,
    stop: &AtomicBool,
) -> Result<u8, Error> {
    let mut screen = BookScreen::new(&folder.file, output.quiet);
    let made = make(&folder, scorers, threads, stop, &mut screen);
    screen.finish();
    let again = again(&folder.dir);
    let Some(book) = made.inspect_err(|_| {
        status!("what is known is kept; continue with: {again}");
    })?
    else {
        status!("stopped; continue with: {again}");
        return Ok(UNDECIDED);
    };
    let plan = folder.file.book.clone();
    if book.openings.is_empty() {
        return Err(nothing(&folder.file, &book.tally, &shell_path(&folder.dir)));
    }
    let text = match plan.out.extension().and_then(|extension| extension.to_str()) {
        Some("fen") => book.to_fen(),
        Some("pgn") => book.to_pgn(),
        _ => book.to_epd(plan.annotate),
    };
    let failed = || format!("cannot write the book {}", plan.out.display());
    let mut draft = draft(&plan.out)?;
    std::io::Write::write_all(&mut draft.file, text.as_bytes())
        .and_then(|()| draft.publish())
        .context(failed())?;
    match plan.keep {
        true => folder.write_made()?,
        false => folder.remove()?,
    }
    print_made(&plan, &book, &hex::encode(Sha256::digest(&text)), output)?;
    Ok(DONE)
}

/// Why the book would be empty.
fn nothing(file: &BookFile, tally: &GamesTally, dir: &str) -> Error {
    let Range { first, last } = file.book.bias;
    Error::usage(format!(
        "no opening is left: expected positions after ply {} to {} with a score of {} to {} pawns\n\
         {tally}\nThe scores are in {dir}",
        file.games.plies.first,
        file.games.plies.last,
        pawns(first),
        pawns(last),
    ))
}

pub(super) fn pawns(cp: u32) -> String {
    format!("{:.2}", f64::from(cp) / 100.0)
}

fn print_made(
    plan: &ChoicePlan,
    book: &GamesBook,
    sha256: &str,
    output: OutputFlags,
) -> Result<(), Error> {
    let accepted = book.openings.len() as u64;
    if output.json {
        let made = json!({ "path": plan.out, "sha256": sha256, "tally": book.tally });
        return print(format_args!("{made:#}\n"));
    }
    let Range { first, last } = plan.bias;
    let out = plan.out.display();
    let told = book.tally.to_string().replace('\n', "\n  ");
    print(format_args!(
        "{out}: {accepted} openings of {} to {} pawns, sha256 {sha256}\n  {told}\n",
        pawns(first),
        pawns(last)
    ))?;
    if accepted < plan.count {
        output.print_status(&format!(
            "the games give {accepted} openings of the {} that were asked for; more plies, a larger \
             --per-game or a wider --bias give more",
            plan.count
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_in_order_and_in_bounds() {
        assert_eq!(plies("8..16"), Ok(Range { first: 8, last: 16 }));
        assert_eq!(plies("10"), Ok(Range { first: 10, last: 10 }));
        assert_eq!(bias("0.7..1.3"), Ok(Range { first: 70, last: 130 }));
        assert_eq!(bias("0..0.3"), Ok(Range { first: 0, last: 30 }));
        for wrong in ["16..8", "0..4", "8..201", "8...16", "..16", "8..", "", "a..b", "-1..4"] {
            assert!(plies(wrong).is_err(), "{wrong}");
        }
        for wrong in ["1.3..0.7", "-0.3..0.3", "0.5", "0..101", "nan..1", "..1", "0..inf", ""] {
            assert!(bias(wrong).is_err(), "{wrong}");
        }
    }
}
