//! `verdict tables pst`: piece-square tables.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::count::write_json;
use super::count_overrides::CountOverrides;
use super::flags::PstFlags;
use super::load_counts::CountSource;
use super::{counts_path, outputs};
use crate::cli::numbers::positive;
use process::Error;
use tables::count::MinedCounts;
use tables::squares::fit::{FitPlan, fit};
use tables::squares::{
    c_source, heat_map_html, heat_map_png, heat_map_svg, occupancy, pst_txt, rust_source,
};
use tables::{CountSettings, CountsFile};

/// Make piece-square tables for middle game and end game, from square frequencies, or with --fit from
/// results.
///
/// Writes to the folder: pst.counts (the counts); PST.TXT, pst.c, pst.rs, pst.svg, pst.html and pst.png
/// (the tables of the evaluation, in 1/256 pawn); evaluation.json, ordering.json and decisions.json, for
/// pruning and reduction, for mutineer (--test embedded:default,file=DIR/evaluation.json).
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tables pst games.pgn.zst --min-elo 2600 --fit --out pst-2600"
)]
pub(super) struct PstArgs {
    /// Folder of the tables. Existing tables are replaced.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, required_unless_present = "json")]
    out: Option<PathBuf>,
    /// Also write the counts as JSON to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    json: Option<PathBuf>,
    /// Fit the values to results by logistic regression, colours merged, instead of by frequency.
    #[arg(long)]
    fit: bool,
    /// Quiet positions sampled from all games for --fit [default: 500000].
    #[arg(long, value_name = "N", requires = "fit", value_parser = clap::value_parser!(u32).range(1..=20_000_000))]
    positions: Option<u32>,
    /// Ridge penalty of --fit towards 0, in virtual positions with result 0.5.
    #[arg(long, value_name = "N", default_value_t = 100.0, value_parser = positive)]
    ridge: f64,
    #[command(flatten)]
    squares: PstFlags,
    #[command(flatten)]
    source: CountSource,
}

/// Positions of a fit that does not say it.
const POSITIONS: u32 = 500_000;

pub(super) fn run(args: &PstArgs) -> Result<u8, Error> {
    let overrides = CountOverrides {
        phase_limit: args.squares.phase_limit,
        sample: args.positions,
        ..CountOverrides::default()
    };
    let sample = if args.fit { POSITIONS } else { 0 };
    let wants = (CountSettings { pst: true, sample, ..CountSettings::usual() }, overrides);
    let others = [args.json.as_deref(), args.source.reading.errors.as_deref()];
    outputs::check(others, &args.source.files)?;
    let file = counts_path(args.out.as_deref(), "pst.counts", args.json.as_deref())?;
    let wanted = if args.fit { "squares and a sample (--fit)" } else { "squares" };
    let has = (wanted, |counts: &MinedCounts| {
        counts.pst.is_some() && (!args.fit || counts.sample.is_some())
    });
    args.source.make(wants, &file, has, |counts| {
        if let Some(path) = &args.json {
            write_json(counts, path)?;
        }
        let Some(folder) = &args.out else {
            return Ok(format!("{}\nwritten    {}", counts.tally, file.display()));
        };
        counts.write(&file)?;
        let fitted = make(args, counts, folder)?;
        Ok(format!("{}\n{fitted}written    {}", counts.tally, folder.display()))
    })
}

/// Writes the tables into a folder; returns what is said of a fit.
fn make(args: &PstArgs, counts: &CountsFile, folder: &Path) -> Result<String, Error> {
    let missing = || Error::input_output("expected counts of squares");
    let pst = counts.counts.pst.as_ref().ok_or_else(missing)?;
    let mut text = String::new();
    let evaluation = match &counts.counts.sample {
        Some(sample) if args.fit => {
            let plan = FitPlan {
                ridge: args.ridge,
                phase_limit: counts.settings.phase_limit,
                threads: args.source.reading.threads(),
            };
            let fitted = fit(sample, &plan).map_err(Error::usage)?;
            for (phase, name) in ["middle game", "end game"].iter().enumerate() {
                let [pawn, knight, bishop, rook, queen] = fitted.worth[phase];
                let (with, without) = fitted.error[phase];
                text.push_str(&format!(
                    "{name}: {} positions; P {pawn:.2} N {knight:.2} B {bishop:.2} R {rook:.2} \
                     Q {queen:.2}; mean squared error {with:.4}, of the mean score {without:.4}\n",
                    fitted.positions[phase]
                ));
            }
            fitted.tables
        }
        _ => occupancy::evaluation(pst),
    };
    let json = |value| format!("{value:#}\n").into_bytes();
    for (name, content) in [
        ("PST.TXT", pst_txt(&evaluation).into_bytes()),
        ("pst.c", c_source(&evaluation).into_bytes()),
        ("pst.rs", rust_source(&evaluation).into_bytes()),
        ("pst.svg", heat_map_svg(&evaluation).into_bytes()),
        ("pst.html", heat_map_html(&evaluation).into_bytes()),
        ("pst.png", heat_map_png(&evaluation)?),
        ("evaluation.json", json(evaluation.evaluation_parameters())),
        ("ordering.json", json(occupancy::ordering(pst).ordering_parameters())),
        ("decisions.json", json(evaluation.decision_parameters())),
    ] {
        outputs::write(&folder.join(name), content)?;
    }
    Ok(text)
}
