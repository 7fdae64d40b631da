//! `verdict stats`: the numbers of a match for given counts, and how rules behave.

mod bisect;
mod imported;
mod intervals;
mod looks;
mod model;
mod pgn;
mod power;
mod recorded;
mod several;
mod simulate;

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};
use serde_json::json;

pub(super) use recorded::difference;

use super::folders::{Holds, holds};
use super::verify::VerifyFlags;
use super::{DONE, FAULTS, print};
use process::terminal::escape::lines;
use process::terminal::window_width;
use process::{Context as _, Error};
use stats::{
    Decision, Defined, Pentanomial, Sprt, Statistics, Unbiased, Verdict, Wdl, interval_in_words,
    percent_clamped,
};

/// Print Elo, LOS and LLR of a run, a PGN file, results of fastchess, OpenBench or fishtest, or given
/// counts, test minus base; power and error rates of stopping rules.
#[derive(Debug, Clone, Args)]
#[command(
    group = ArgGroup::new("counts").required(true).args(["run", "ptnml", "wdl"]),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    before_help = "Example:\n  verdict stats --ptnml 34,54,63,64,75 --sprt elo0=0,elo1=5\n  \
        verdict stats results/2026-01-31-a-match\n  verdict stats games.pgn --test 'Glaurung 2.2'\n  \
        verdict stats power --elo 3",
)]
pub struct StatsArgs {
    #[command(subcommand)]
    word: Option<StatsCommand>,

    /// Folder of a run, judged by its own rule or by --sprt; or a PGN file (also .gz, .bz2, .zst, .xz,
    /// .zip) with the games of --test against --base.
    ///
    /// Several runs of the same players (other machines or seeds) are added up. A tournament, a nightly run
    /// or any other folder of runs is listed, one line per run. In PGN pairs are found by round and
    /// opening; other games count singly. Duplicate pairs and games (same moves) are not counted.
    ///
    /// JSON files are read as results of others: fastchess's config.json, OpenBench's
    /// api/workload/ID/info, fishtest's api/get_run/ID. PGN files and archives (.pgn.tar) beside them are
    /// compared with their counts, and tell pairs that these do not have.
    #[arg(value_name = "RUN|PGN|JSON")]
    pub run: Vec<PathBuf>,

    /// Name of the test engine in the PGN, or in results of others, whose sides are turned where it is
    /// their base.
    #[arg(long, value_name = "NAME")]
    pub test: Option<String>,

    /// Name of its opponent; not needed if test has only one opponent.
    #[arg(long, value_name = "NAME", requires = "test")]
    pub base: Option<String>,

    /// Pentanomial counts of test; DD includes pairs of one win and one loss.
    #[arg(long, value_name = "LL,LD,DD,WD,WW")]
    pub ptnml: Option<Pentanomial>,

    /// Wins, draws and losses of test (trinomial: games are taken as independent).
    #[arg(long, value_name = "W,D,L")]
    pub wdl: Option<Wdl>,

    /// Apply an SPRT; short form: ELO0,ELO1. The exit code is then 0 accepted, 1 rejected, 2 undecided.
    ///
    /// Defaults: alpha and beta 0.05, model normalized. Other models: logistic, and bayeselo, which needs
    /// single games (a run, a PGN or --wdl).
    #[arg(
        long,
        value_name = "elo0=ELO,elo1=ELO[,alpha=P,beta=P,model=M]",
        allow_hyphen_values = true
    )]
    pub sprt: Option<Sprt>,

    /// Also print what a run said after so many games, separated by commas, and how its verdict wavered.
    #[arg(
        long,
        value_name = "GAMES,…",
        value_delimiter = ',',
        requires = "run",
        conflicts_with = "test"
    )]
    at: Vec<u64>,

    /// Print JSON with the keys of summary.json.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    verify: VerifyFlags,
}

#[derive(Debug, Clone, Subcommand)]
enum StatsCommand {
    Power(power::PowerArgs),
    Bisect(bisect::BisectArgs),
    Simulate(simulate::SimulateArgs),
}

/// Prints the statistics to standard output and returns the exit code: that of the test's
/// verdict, 0 without a test; that of faults for a run which they make void.
pub fn run(args: &StatsArgs) -> Result<u8, Error> {
    match &args.word {
        Some(StatsCommand::Power(args)) => return power::run(args),
        Some(StatsCommand::Bisect(args)) => return bisect::run(args),
        Some(StatsCommand::Simulate(args)) => return simulate::run(args),
        None => (),
    }
    let is_imported = imported::are_imported(&args.run)?;
    for path in &args.run {
        // What is missing is better named by itself than by the file that it would hold.
        std::fs::metadata(path).context(format!("{}: cannot read", path.display()))?;
        if is_imported && path.is_dir() {
            return Err(Error::usage(format!(
                "{}: expected files beside results of others, found a folder; `verdict report` takes \
                 runs and such results together",
                path.display()
            )));
        }
        if args.run.len() > 1 && path.is_file() && !is_imported {
            return Err(Error::usage(format!(
                "{}: expected a run's folder, as several are given, found a file; `verdict ratings` \
                 takes runs and PGN together",
                path.display()
            )));
        }
    }
    if is_imported {
        let names = [args.test.as_ref(), args.base.as_ref()];
        let shown = imported::results(&args.run, names, args.sprt.as_ref())?;
        print(if args.json {
            shown.json.to_string() + "\n"
        } else {
            lines(&shown.text).into_owned()
        })?;
        return Ok(shown.verdict.map_or(DONE, Verdict::exit_code));
    }
    args.verify.check(&args.run)?;
    let looks = looks::asked(&args.run, &args.at)?;
    let (mut recorded, mut of_pgn) = (None, None);
    let statistics = match (&args.run[..], &args.test) {
        ([path], test) if test.is_some() || path.is_file() => {
            let (test, base) = (test.as_deref(), args.base.as_deref());
            let shown = pgn::statistics(path, test, base, args.sprt.as_ref())?;
            of_pgn.insert(shown).statistics
        }
        ([dir], _) => {
            let word = match holds(dir)? {
                Holds::Runs { kind, runs } => {
                    let (page, json) = several::results_of(dir, kind, &runs, args.sprt.as_ref())?;
                    let text = match args.json {
                        true => json.to_string() + "\n",
                        false => page.plain(window_width()),
                    };
                    print(text)?;
                    return Ok(DONE);
                }
                Holds::Sweep(_) => Some("a sweep"),
                Holds::Tuner => Some("a tuner's work"),
                Holds::Run => None,
            };
            if let Some(kind) = word {
                let dir = dir.display();
                return Err(Error::usage(format!(
                    "{dir}: expected a run's folder, found {kind}: its table is in {dir}/summary.md, \
                     and `verdict report {dir}` makes its page"
                )));
            }
            recorded.insert(recorded::statistics(dir, args.sprt.as_ref())?).statistics
        }
        ([_, ..], Some(_)) => {
            let files = args.run.len();
            return Err(Error::usage(format!(
                "--test names a player of one PGN file, found {files} files"
            )));
        }
        (dirs @ [_, ..], None) => of_pairs(&recorded::together(dirs)?, args.sprt.as_ref()),
        ([], Some(_)) => {
            return Err(Error::usage(
                "--test names a player of a PGN file, which must be given too",
            ));
        }
        ([], None) => statistics(args),
    };
    let text = if args.json {
        let mut json = match &recorded {
            Some(shown) => shown.json(),
            None => json!(statistics),
        };
        of_pgn.iter().for_each(|shown| shown.add_to(&mut json));
        if let Some(looks) = looks {
            json["at"] = looks.json();
        }
        json.to_string() + "\n"
    } else {
        let ruling = recorded.as_ref().map(|shown| shown.words.as_str());
        let of_pgn = of_pgn.map_or(String::new(), |shown| shown.words());
        let at = looks.map_or(String::new(), |looks| looks.page().plain(window_width()));
        lines(&(render(&statistics, args.sprt.as_ref(), ruling) + &of_pgn + &at)).into_owned()
    };
    print(text)?;
    Ok(match recorded.map(|shown| shown.ruling) {
        Some(ruling) if ruling.too_many_faults().is_some() => FAULTS,
        _ => statistics.verdict.map_or(DONE, Verdict::exit_code),
    })
}

/// The statistics that the arguments ask for, with the verdict of their test.
pub fn statistics(args: &StatsArgs) -> Statistics {
    let sprt = args.sprt.as_ref();
    match (&args.ptnml, &args.wdl) {
        (Some(pairs), _) => of_pairs(pairs, sprt),
        (None, wdl) => judged(Statistics::of_games(&wdl.unwrap_or_default(), sprt), sprt),
    }
}

fn of_pairs(pairs: &Pentanomial, sprt: Option<&Sprt>) -> Statistics {
    judged(Statistics::of_pairs(pairs, None, sprt), sprt)
}

/// The same with the verdict of the test whose LLR it has.
fn judged(statistics: Statistics, sprt: Option<&Sprt>) -> Statistics {
    let verdict = sprt.map(|sprt| match statistics.llr.map(|llr| sprt.decide(llr)) {
        Ok(Decision::H1) => Verdict::Accept,
        Ok(Decision::H0) => Verdict::Reject,
        Ok(Decision::Continue) | Err(_) => Verdict::Undecided,
    });
    statistics.with_verdict(verdict)
}

/// The statistics as lines of text, with the test that their LLR is of; what is undefined is left
/// out, or says why. `ruling` is a run's verdict and why it fell, or why there is none.
pub fn render(statistics: &Statistics, sprt: Option<&Sprt>, ruling: Option<&str>) -> String {
    let mut text = String::from("All Elo is test minus base.\n");
    let mut line = |name: &str, value: String| {
        text += &format!("{name:<8} {value}\n");
    };
    let games = statistics.games;
    line(
        "games",
        match statistics.pairs.map(|pairs| (pairs, games.saturating_sub(pairs.saturating_mul(2)))) {
            Ok((pairs, 0)) => format!("{games} in {pairs} pairs"),
            Ok((pairs, single)) => format!("{games}, {} in {pairs} pairs", games - single),
            Err(_) => games.to_string(),
        },
    );
    if let Ok(Wdl { win, draw, loss }) = statistics.wdl {
        line("WDL", format!("{win} won, {draw} drawn, {loss} lost"));
    }
    if let Ok(Pentanomial { ll, ld, dd_wl, wd, ww }) = statistics.ptnml {
        line("Ptnml", format!("LL {ll}, LD {ld}, DD+WL {dd_wl}, WD {wd}, WW {ww}"));
    }
    line("score", show(statistics.score, |score| format!("{:.2}%", 100.0 * score)));
    line("Elo", with_error(statistics.elo.elo, statistics.elo.error95));
    if let (Ok(low), Ok(high)) = (statistics.elo.low95, statistics.elo.high95) {
        line("", format!("95% interval {low:+.2} to {high:+.2}, for one look"));
    }
    if let Ok(ends) = statistics.anytime.ends() {
        line("", format!("95% interval {}, at every look", interval_in_words(ends, 2)));
    }
    if let Ok(unbiased) = statistics.unbiased {
        let Unbiased { elo, low95, high95, .. } = unbiased;
        let [elo, low95, high95] = [elo, low95, high95].map(|number| match number {
            Ok(number) => format!("{number:+.2}"),
            Err(why) => why.to_string(),
        });
        line(
            "unbiased",
            format!("{elo}, 95% from {low95} to {high95}: corrected for early stopping"),
        );
    }
    line("nElo", with_error(statistics.nelo.nelo, statistics.nelo.error95));
    line("LOS", show(statistics.los, percent_clamped));
    if let Ok([lower, upper]) = statistics.llr_bounds {
        let llr = show(statistics.llr, |llr| format!("{llr:.2}"));
        line("LLR", format!("{llr} (reject to {lower:.2}, accept from {upper:.2})"));
    }
    if let Some(sprt) = sprt {
        line("SPRT", sprt.to_string());
    }
    let verdict = statistics.verdict.ok().map(|verdict| verdict.to_string());
    if let Some(verdict) = ruling.map(str::to_owned).or(verdict) {
        line("verdict", verdict);
    }
    text
}

fn show(value: Defined, format: impl Fn(f64) -> String) -> String {
    value.map_or_else(|why| format!("undefined: {why}"), format)
}

fn with_error(value: Defined, error: Defined) -> String {
    match (value, error) {
        (Ok(value), Ok(error)) => format!("{value:+.2} ± {error:.2}"),
        (Ok(value), Err(why)) => format!("{value:+.2}, error undefined: {why}"),
        (Err(why), _) => format!("undefined: {why}"),
    }
}
