//! `verdict export`: games of runs for other programs.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use super::draft::Draft;
use super::verify::VerifyFlags;
use super::{DONE, folders};
use crate::export::{Choice, ExportFormat, Exported, export};
use arena::record::RunFile;
use process::{Context as _, Error};

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
    form: ExportFormat,

    /// With --as training: only quiet positions (the side to move is not in check, and the move
    /// played is no capture, promotion or check).
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

pub fn run(args: &ExportArgs) -> Result<u8, Error> {
    if args.quiet_only && args.form != ExportFormat::Training {
        return Err(Error::usage("--quiet-only needs --as training"));
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
            return Err(Error::usage(format!("{} is given twice", dir.display())));
        }
    }
    if let Some(path) = args.out.as_ref().filter(|path| path.symlink_metadata().is_ok()) {
        let path = path.display();
        return Err(Error::usage(format!("{path} exists already; give another --out")));
    }
    args.verify.check(&runs)?;
    let write = |out: &mut dyn Write| -> Result<Exported, Error> {
        let mut out = BufWriter::new(out);
        let mut all = Exported::default();
        for dir in &runs {
            let one = export(dir, args.form, choice, &mut out).context(dir.display())?;
            all.games += one.games;
            all.faulty += one.faulty;
            all.written += one.written;
        }
        out.flush().context("cannot write")?;
        Ok(all)
    };
    let Exported { games, faulty, written } = match &args.out {
        Some(path) => {
            let mut draft = Draft::create(path).context(path.display())?;
            let exported = write(&mut draft.file).context(path.display())?;
            draft.publish().context(path.display())?;
            exported
        }
        None => write(&mut std::io::stdout().lock())?,
    };
    let what = if args.form == ExportFormat::Training { "positions" } else { "games" };
    status!("{written} {what} of {games} games; {faulty} games that ended by a fault left out");
    Ok(DONE)
}
