//! `verdict export`: games of runs for other programs.

mod table_files;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::choices::one_of;
use super::draft::Draft;
use super::verify::VerifyFlags;
use super::{DONE, folders};
use crate::export::tables::{Table, TableFormat};
use crate::export::{Choice, ExportFormat, Exported, export};
use arena::record::RunFile;
use process::{Context as _, Error};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Games as PGN, like games.pgn.
    Pgn,
    /// The last position of each game as EPD, with result (c9), end (c8) and number (id).
    Epd,
    /// Positions after the book: FEN | SCORE | RESULT. The player's score in centipawns and the result
    /// (1.0, 0.5, 0.0) are from White's point of view.
    Training,
    /// Tables of games, pairs and moves: games.csv, pairs.csv and moves.csv in a new folder --out.
    Csv,
    /// The same tables as Parquet, if this verdict was built with it.
    Parquet,
}

/// What is written: the games one after another, or tables of them.
enum Output {
    Games(ExportFormat),
    Tables(TableFormat),
}

impl Form {
    fn output(self) -> Output {
        match self {
            Form::Pgn => Output::Games(ExportFormat::Pgn),
            Form::Epd => Output::Games(ExportFormat::Epd),
            Form::Training => Output::Games(ExportFormat::Training),
            Form::Csv => Output::Tables(TableFormat::Csv),
            Form::Parquet => Output::Tables(TableFormat::Parquet),
        }
    }
}

/// Export games of runs: PGN, final positions as EPD, training positions, tables as CSV or Parquet.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict export results/NAME --as training --quiet-only \
    --out positions.txt\n  verdict export results/2026-01-* --as csv --out january")]
pub struct ExportArgs {
    /// Folders of runs, tournaments, sweeps and nightly runs.
    #[arg(value_name = "DIR", required = true)]
    runs: Vec<PathBuf>,

    /// Output format.
    #[arg(long = "as", value_name = "FORM", value_enum, default_value = "pgn")]
    form: Form,

    /// With --as training: only quiet positions (the side to move is not in check, and the move
    /// played is no capture, promotion or check).
    #[arg(long)]
    quiet_only: bool,

    /// Include games that ended by a fault (PGN and tables always do).
    #[arg(long)]
    faults: bool,

    /// With --as csv or parquet: only these tables. One alone goes to standard output, or --out is its
    /// file.
    #[arg(long, value_name = "TABLE", value_delimiter = ',', value_parser = one_of::<Table>())]
    table: Vec<Table>,

    /// File to write, a new one [default: standard output]; for several tables a folder.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,

    #[command(flatten)]
    verify: VerifyFlags,
}

pub fn run(args: &ExportArgs) -> Result<u8, Error> {
    if args.quiet_only && args.form != Form::Training {
        return Err(Error::usage("--quiet-only needs --as training"));
    }
    let output = args.form.output();
    match output {
        Output::Games(_) if !args.table.is_empty() => {
            return Err(Error::usage("--table needs --as csv or --as parquet"));
        }
        Output::Games(_) => args.out.as_deref().map_or(Ok(()), table_files::refuse_old)?,
        Output::Tables(format) => table_files::check(format, &args.table, args.out.as_deref())?,
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
    args.verify.check(&runs)?;
    let format = match output {
        Output::Games(format) => format,
        Output::Tables(format) => {
            return table_files::write(&runs, format, &args.table, args.out.as_deref());
        }
    };
    let write = |out: &mut dyn Write| -> Result<Exported, Error> {
        let mut out = BufWriter::new(out);
        let mut all = Exported::default();
        for dir in &runs {
            let one = export(dir, format, choice, &mut out).context(dir.display())?;
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
    let what = if format == ExportFormat::Training { "positions" } else { "games" };
    status!("{written} {what} of {games} games; {faulty} games that ended by a fault left out");
    Ok(DONE)
}
