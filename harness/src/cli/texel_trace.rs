//! `verdict tune texel --trace`: other engines' weights.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;

use super::numbers::positive;
use super::tune::{TexelOutput, with_folder};
use crate::screen::ProgressLine;
use process::plain_file::{self, DOCUMENT};
use process::{Context as _, Error};
use tuning::tune::texel::fit::Fitting;
use tuning::tune::texel::trace::{self, Coefficients, TracePlan};

#[derive(Debug, Args)]
#[command(next_help_heading = "Other engines")]
pub(super) struct TraceFlags {
    /// Traces of another engine, compressed or not: FEN or GAME/POSITION; result; index:count index:count …
    ///
    /// GAME is any text without a slash, POSITION any text: lines with one GAME that follow each other are of
    /// one game, which is fitted or held out as a whole and counts once in the errors. Without it each line
    /// counts as a game, and neighbours are held out in blocks.
    #[arg(id = "traces", long = "trace", value_name = "FILE", num_args = 1.., requires = "coefficients",
          conflicts_with = "runs")]
    traces: Vec<PathBuf>,
    /// Names and start values of its coefficients, a line for each: name, value or name, value, min, max.
    #[arg(long, value_name = "FILE", requires = "traces")]
    coefficients: Option<PathBuf>,
    /// Scale of its evaluation v: the expected score is 1 / (1 + e^(-K v)), about 0.005 for centipawns
    /// [default: fitted to the start values].
    #[arg(long, value_name = "K", value_parser = positive, requires = "traces")]
    scale: Option<f64>,
}

/// A fit, and the text of the coefficients' file.
pub(super) struct TraceFit {
    plan: TracePlan,
    text: String,
}

impl TraceFlags {
    pub(super) fn is_given(&self) -> bool {
        !self.traces.is_empty()
    }

    pub(super) fn files(&self) -> &[PathBuf] {
        &self.traces
    }

    pub(super) fn plan(
        self,
        validate: Vec<PathBuf>,
        held_out: NonZeroUsize,
        fitting: Fitting,
        threads: NonZeroUsize,
    ) -> Result<TraceFit, Error> {
        let TraceFlags { traces, coefficients, scale } = self;
        let path =
            coefficients.ok_or_else(|| Error::usage("--trace: expected --coefficients FILE"))?;
        let place = path.display().to_string();
        let text = plain_file::read_given_text(&path, DOCUMENT).context(&place)?;
        let coefficients = Coefficients::read(&place, &text)?;
        let plan = TracePlan { traces, validate, coefficients, held_out, scale, fitting, threads };
        Ok(TraceFit { plan, text })
    }
}

pub(super) fn run(
    TraceFit { plan, text }: TraceFit,
    out: &Path,
    told: TexelOutput,
) -> Result<u8, Error> {
    let fit = with_folder(out, || trace::run(&plan, &ProgressLine::new("positions", told.quiet)))?;
    trace::write(out, &plan, &text, &fit)?;
    told.print(out, || trace::settings(&plan, &fit), || trace::summary(&plan, &fit))
}
