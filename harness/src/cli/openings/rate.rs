//! `verdict openings rate`: how many pairs a match needs with each of several books.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use crate::book_rates::{BookRates, BookRatesFile, BookResults};
use crate::cli::crew::Crew;
use crate::cli::flags::PlanFlags;
use crate::cli::folders::{is_run, runs_in};
use crate::cli::match_::{OutputFlags, print_finished};
use crate::cli::scale::scale;
use crate::cli::stats::difference;
use crate::cli::tournament::play_all;
use crate::cli::{DONE, FAULTS, UNDECIDED, first_free, new_folder, print, print_json};
use arena::build::Cache;
use arena::output_folder::{self, Owner};
use arena::plan::Plan;
use arena::record::{Manifest as _, RUN_FILE, Side, run_name};
use arena::session::{OpenRun, PlayedMatch, Session, SessionError};
use process::Error;
use process::terminal::escape::lines;
use process::terminal::window_width;

/// Compare books: play the same match with each, and print the pairs that each needs for the same verdict.
///
/// A match of a fixed number of pairs is played with every BOOK, all advancing together; --pairs holds for
/// each. The first book is what the others are compared with. The players should differ clearly, so that
/// few pairs show how much each book says: one engine at two node limits, like --base-limit nodes=8000
/// --test-limit nodes=12000. Continue with `verdict resume`.
///
/// Instead of books, folders of finished matches can be given, one for each book, by the same players.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict openings rate balanced.epd biased.epd --base uci:stockfish \\\n    \
    --test uci:stockfish --base-limit nodes=8000 --test-limit nodes=12000 --pairs 500\n  \
    verdict openings rate results/with-balanced results/with-biased"
)]
pub(super) struct RateArgs {
    /// Opening books, or folders of runs.
    #[arg(required = true, value_name = "BOOK|RUN", value_hint = ValueHint::AnyPath)]
    books: Vec<PathBuf>,

    #[command(flatten)]
    flags: PlanFlags,

    /// Folder of the matches, new or empty [default: results/DATE-books; none for folders of runs].
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFlags,
}

pub(super) fn run(args: RateArgs) -> Result<u8, Error> {
    let folders = args.books.iter().filter(|book| book.is_dir()).count();
    match folders {
        0 => play_books(args),
        folders if folders == args.books.len() => rate_runs(&args),
        _ => Err(Error::usage(
            "expected either books or folders of runs, found both; play the books first, then compare the \
             folders",
        )),
    }
}

/// Compares matches that were played.
fn rate_runs(args: &RateArgs) -> Result<u8, Error> {
    if args.flags.base.is_some() || args.flags.test.is_some() {
        return Err(Error::usage(
            "--base and --test are those of the matches, which are played already: expected books",
        ));
    }
    if let Some(dir) = &args.out {
        output_folder::refuse(dir, Owner::New)?;
    }
    let mut runs = Vec::new();
    for dir in &args.books {
        runs.extend(named_runs(dir)?);
    }
    let mut books: Vec<BookResults> = Vec::with_capacity(runs.len());
    for (name, dir) in runs {
        let name = first_free(&name, |name| books.iter().all(|book| book.name != name));
        let book = BookResults::read(&name, &dir)?;
        if let Some(first) = books.first() {
            refuse_unlike(first, &book)?;
        }
        books.push(book);
    }
    let rates = BookRates { books };
    if let Some(dir) = &args.out {
        std::fs::create_dir_all(dir).map_err(Error::io(dir, "create the folder"))?;
        rates.write(dir)?;
    }
    print_rates(&rates, args.out.as_deref(), args.output)?;
    Ok(DONE)
}

/// Refuses to compare books by matches in which more than the book differs.
fn refuse_unlike(first: &BookResults, book: &BookResults) -> Result<(), Error> {
    let (a, b) = (first.dir.display(), book.dir.display());
    for side in [Side::Base, Side::Test] {
        if let Some(what) = difference(first.run.identity(side), book.run.identity(side)) {
            return Err(Error::usage(format!(
                "expected matches of the same players: {side} of {a} and of {b} differ in {what}"
            )));
        }
    }
    match first.run.unlike_conditions(&book.run) {
        Some(what) => Err(Error::usage(format!(
            "expected matches under the same conditions: {a} and {b} differ in {what}"
        ))),
        None => Ok(()),
    }
}

/// The runs that a folder is or holds, with the names of their books.
fn named_runs(dir: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    if BookRatesFile::is_in(dir) {
        let file = BookRatesFile::read(dir)?;
        let runs = file.runs(dir);
        return Ok(file.books.into_iter().map(|book| book.name).zip(runs).collect());
    }
    let runs = if is_run(dir) { vec![dir.to_owned()] } else { runs_in(dir)? };
    Ok(runs.into_iter().map(|run| (run_name(&run), run)).collect())
}

fn play_books(args: RateArgs) -> Result<u8, Error> {
    let RateArgs { books, flags, out, output } = args;
    check(&flags)?;
    let dir = out.unwrap_or_else(|| new_folder("books"));
    output_folder::refuse(&dir, Owner::New)?;
    let say = |line: &str| output.print_status(line);
    let crew = Crew::of(&flags.match_flags.width)?;
    let players = flags.players(&Cache::of_user(), &say)?;
    let _holds = players.holds();
    let mut names: Vec<String> = Vec::with_capacity(books.len());
    let mut plans = Vec::with_capacity(books.len());
    for book in books {
        let stem = book.file_name().unwrap_or_default().to_string_lossy();
        let stem = stem.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("book");
        let name = first_free(stem, |name| names.iter().all(|other| other != name));
        names.push(name);
        let mut flags = flags.clone();
        flags.match_flags.book = Some(book);
        plans.push(flags.plan(players.clone())?);
    }
    scale(&mut plans, &say);
    let recorded = plans.iter().map(Plan::to_json).collect::<Result<Vec<_>, _>>()?;
    let file = BookRatesFile::new(names.into_iter().zip(recorded));
    let played = play_all(&dir, output, (&crew, None), |stops, resources| {
        for plan in &plans {
            resources.check(plan)?;
        }
        file.write(&dir)?;
        let runs = file.runs(&dir).into_iter().zip(plans);
        runs.map(|(run, plan)| Ok(Session::begin(plan, Some(run), resources, stops.part())?))
            .collect()
    })?;
    crew.or_resumable(&dir, conclude(&dir, &crew, output, played))
}

/// What makes no sense where several books are compared.
fn check(flags: &PlanFlags) -> Result<(), Error> {
    if flags.base.is_none() && flags.test.is_none() {
        return Err(Error::usage("expected --base and --test: who plays with the books"));
    }
    if let Some(book) = &flags.match_flags.book {
        return Err(Error::usage(format!(
            "--book {}: expected the books without a flag",
            book.display()
        )));
    }
    match flags.match_flags.rule {
        Some(rule) => Err(Error::usage(format!(
            "--rule {rule}: books are compared after a fixed number of pairs, expected --pairs"
        ))),
        None => Ok(()),
    }
}

pub(in crate::cli) fn resume(dir: &Path, crew: &Crew, output: OutputFlags) -> Result<u8, Error> {
    let file = BookRatesFile::read(dir)?;
    let begun = |run: PathBuf| run.join(RUN_FILE).exists().then(|| OpenRun::open(&run)).transpose();
    let begun = file.runs(dir).into_iter().map(begun).collect::<Result<Vec<_>, _>>()?;
    if begun.iter().all(|begun| begun.as_ref().is_some_and(OpenRun::is_finished)) {
        print_finished(dir, output);
        let played = begun.into_iter().flatten().map(OpenRun::conclude).collect();
        return crew.or_resumable(dir, conclude(dir, crew, output, played));
    }
    let played = play_all(dir, output, (crew, None), |stops, resources| {
        let again = |(book, begun): (&crate::book_rates::RatedBook, Option<OpenRun>)| {
            let (run, stops) = (dir.join(&book.folder), stops.part());
            Ok(match begun {
                Some(begun) => crew.resume(begun, resources, stops)?,
                None => Session::begin_planned(&book.plan, &run, &crew.width, resources, stops)?,
            })
        };
        file.books.iter().zip(begun).map(again).collect()
    })?;
    crew.or_resumable(dir, conclude(dir, crew, output, played))
}

/// Writes and prints what the matches in `dir` say so far.
fn conclude(
    dir: &Path,
    crew: &Crew,
    output: OutputFlags,
    played: Vec<Result<PlayedMatch, SessionError>>,
) -> Result<u8, Error> {
    let (mut is_finished, mut is_faulty) = (true, false);
    for played in played {
        let played = played?;
        is_finished &= played.verdict.is_some();
        if let Some(faults) = &played.too_many_faults {
            is_faulty = true;
            status!("{}: {}", played.dir.display(), faults.0);
        }
    }
    let file = BookRatesFile::read(dir)?;
    let books = file.books.iter().zip(file.runs(dir));
    let books =
        books.map(|(book, run)| BookResults::read(&book.name, &run)).collect::<Result<_, _>>()?;
    let rates = BookRates { books };
    rates.write(dir)?;
    print_rates(&rates, Some(dir), output)?;
    if !is_finished {
        status!("{}", crew.not_finished(dir));
    }
    Ok(match (is_faulty, is_finished) {
        (true, _) => FAULTS,
        (false, true) => DONE,
        (false, false) => UNDECIDED,
    })
}

fn print_rates(rates: &BookRates, dir: Option<&Path>, output: OutputFlags) -> Result<(), Error> {
    if output.json {
        return print_json(&rates.json());
    }
    let text = rates.page().plain(window_width());
    let recorded = dir.map_or(String::new(), |dir| format!("\nRecorded in {}", dir.display()));
    print(lines(&format!("{}{recorded}", text.trim_end())).into_owned() + "\n")
}
