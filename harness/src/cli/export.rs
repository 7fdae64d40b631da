//! `verdict export`: games of runs for other programs.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::draft::Draft;
use super::folders;
use super::verify::VerifyFlags;
use super::{DONE, WRONG_USAGE};
use crate::export::{Choice, Exported, Form, export};
use arena::record::RunFile;

/// Export games of runs: PGN, final positions as EPD, training positions.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict export results/NAME --as training --quiet-only \
    --out positions.txt")]
pub struct ExportArgs {
    /// Folders of runs, tournaments, sweeps and nightly runs.
    #[arg(value_name = "DIR", required = true)]
    runs: Vec<PathBuf>,

    /// Output format.
    #[arg(long = "as", value_name = "FORM", value_enum, default_value = "pgn")]
    form: Form,

    /// Training: only quiet positions (the move played is no capture, promotion or check; not in check).
    #[arg(long)]
    quiet_only: bool,

    /// Include games that ended by a fault.
    #[arg(long)]
    faults: bool,

    /// File to write, a new one [default: standard output].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    verify: VerifyFlags,
}

pub fn run(args: &ExportArgs) -> anyhow::Result<u8> {
    if args.quiet_only && args.form != Form::Training {
        status!("error: --quiet-only needs --as training");
        return Ok(WRONG_USAGE);
    }
    let choice = Choice { quiet: args.quiet_only, faults: args.faults };
    let mut runs = Vec::new();
    for dir in &args.runs {
        runs.extend(folders::runs_in(dir)?);
    }
    let mut seen = BTreeSet::new();
    for dir in &runs {
        RunFile::read(dir)?;
        if !seen.insert(fs::canonicalize(dir).unwrap_or_else(|_| dir.clone())) {
            status!("error: {} is given twice", dir.display());
            return Ok(WRONG_USAGE);
        }
    }
    if let Some(path) = args.out.as_ref().filter(|path| path.symlink_metadata().is_ok()) {
        status!("error: {} exists already; give another --out", path.display());
        return Ok(WRONG_USAGE);
    }
    args.verify.check(&runs)?;
    let write = |out: &mut dyn Write| -> anyhow::Result<Exported> {
        let mut out = BufWriter::new(out);
        let mut all = Exported::default();
        for dir in &runs {
            let one = export(dir, args.form, choice, &mut out)
                .with_context(|| dir.display().to_string())?;
            all.games += one.games;
            all.faulty += one.faulty;
            all.written += one.written;
        }
        out.flush().context("cannot write")?;
        Ok(all)
    };
    let Exported { games, faulty, written } = match &args.out {
        Some(path) => {
            let name = || path.display().to_string();
            let mut draft = Draft::create(path).with_context(name)?;
            let exported = write(&mut draft.file).with_context(name)?;
            draft.publish().with_context(name)?;
            exported
        }
        None => write(&mut std::io::stdout().lock())?,
    };
    let what = if args.form == Form::Training { "positions" } else { "games" };
    status!("{written} {what} of {games} games; {faulty} games that ended by a fault left out");
    Ok(DONE)
}
