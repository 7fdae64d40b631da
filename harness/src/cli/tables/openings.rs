//! `verdict tables openings`: the early-opening table.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use engine::search::OpeningTable;

use super::count_overrides::CountOverrides;
use super::load_counts::CountSource;
use super::{command_line, outputs};
use crate::cli::numbers::number;
use process::Error;
use tables::count::{MinedCounts, OpeningCounts};
use tables::{CountSettings, CountsFile, OpeningChoice, chosen_keys, provenance, write_openings};

/// Make an early-opening table: the positions that the games reached in their first moves.
///
/// mutineer gives root moves into these positions a bonus (setoption name OpeningTable value FILE). Writes
/// one line per position: its key, and as a comment the number of games and the score of the side that
/// moved there. Also writes the counts to FILE.counts. Positions that exceed 64 MiB of memory go to a
/// temporary file beside FILE, about 11 bytes each.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tables openings games.pgn.zst --min-elo 2600 --moves 20 --out early.keys"
)]
pub(super) struct OpeningTableArgs {
    /// Table to write. An existing file is replaced.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: PathBuf,
    /// Use the first N moves of each side [default: 20].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=500))]
    moves: Option<u32>,
    /// Drop positions that fewer than N games reached. Games without a result count.
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_games: u64,
    /// Drop positions where the side that moved there scored less than PERCENT.
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    min_score: f64,
    /// Also write the table packed, with its provenance in its first lines, as mutineer carries one.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pack: Option<PathBuf>,
    /// Where the games are from; stands in the head of the packed table.
    #[arg(long, value_name = "TEXT", requires = "pack")]
    source: Option<String>,
    #[command(flatten)]
    games: CountSource,
}

/// Half-moves of a table that does not say how many moves.
const PLIES: u32 = 40;

fn percent(text: &str) -> Result<f64, String> {
    number(text, |percent| (0.0..=100.0).contains(&percent), "0 to 100")
}

pub(super) fn run(args: &OpeningTableArgs) -> Result<u8, Error> {
    let overrides = CountOverrides {
        opening_plies: args.moves.map(|moves| 2 * moves),
        ..CountOverrides::default()
    };
    let wants = (CountSettings { opening_plies: PLIES, ..CountSettings::usual() }, overrides);
    let mut file = args.out.as_os_str().to_owned();
    file.push(".counts");
    let file = PathBuf::from(file);
    outputs::check_replaced(&file, &args.games.files)?;
    let errors = args.games.reading.errors.as_deref();
    let written = [Some(&*args.out), args.pack.as_deref(), errors];
    outputs::check(written, &args.games.files)?;
    let has = ("openings", |counts: &MinedCounts| counts.openings.is_some());
    args.games.make(wants, &file, has, |counts| {
        let missing = || Error::input_output("expected counts of openings");
        let openings = counts.counts.openings.as_ref().ok_or_else(missing)?;
        let choice = OpeningChoice { min_games: args.min_games, min_score: args.min_score / 100.0 };
        if let Some(path) = &args.pack {
            outputs::write(path, packed(args, counts, openings, &choice)?)?;
        }
        let head = format!(
            "# Positions after moves of {} games, up to ply {}, with at least {} games and a score \
             of {:.0}% or more.\n",
            openings.games, counts.settings.opening_plies, args.min_games, args.min_score
        );
        let chosen = outputs::write_by(&args.out, |out| {
            out.write_all(head.as_bytes())?;
            write_openings(out, openings, &choice)
        })?;
        counts.write(&file)?;
        Ok(format!(
            "{}\n{chosen} of {} positions\nwritten    {}",
            counts.tally,
            openings.len(),
            args.out.display()
        ))
    })
}

/// The same table in the engine's own small form.
fn packed(
    args: &OpeningTableArgs,
    counts: &CountsFile,
    openings: &OpeningCounts,
    choice: &OpeningChoice,
) -> Result<Vec<u8>, Error> {
    let table = OpeningTable::from_keys(chosen_keys(openings, choice)?);
    let (chosen, all) = (table.len() as u64, openings.len());
    let facts = [
        ("games", openings.games.to_string()),
        ("positions", format!("{chosen} after moves up to ply {}", counts.settings.opening_plies)),
        (
            "dropped",
            format!(
                "{} of {all} positions: fewer than {} games, or a score below {:.0} %",
                all - chosen,
                args.min_games,
                args.min_score
            ),
        ),
    ];
    Ok(table.pack(&provenance(counts, args.source.as_deref(), &facts, &command_line())))
}
