//! `verdict ratings`: everyone in some runs and PGN files, rated together.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{ArgAction, Args};

use super::verify::VerifyFlags;
use super::{DONE, print};
use crate::crosstable::{Crosstable, Options, elostat_table};
use process::Error;
use process::terminal::window_width;
use stats::ratings::RatingScale;

/// Compute ratings over runs and PGN files, with a crosstable and the LOS of each player over each.
///
/// Ratings are maximum likelihood over all games; a draw is half a win. Errors are 95 %, from pairs of
/// games (one opening, swapped colours) where possible. A player with 100 % or 0 % gets a bound instead
/// of a rating. Groups of players that no results connect are rated separately. Duplicate pairs and games (same
/// players, same moves) are reported and not counted. A run and its own PGN count once.
#[derive(Debug, Clone, Args)]
#[command(
    before_help = "Examples:\n  verdict ratings results/gauntlet --anchor 'Glaurung 2.2=2930'\n  \
                   verdict ratings games.pgn.zst --min-games 20 --white-advantage on --json\n  \
                   verdict ratings games.pgn --elostat --mean 2090"
)]
pub struct RatingsArgs {
    /// Folders of runs, PGN files (also .gz, .bz2, .zst, .xz, .zip).
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Fix a player's rating. With several anchors their mean is fixed. May be repeated.
    #[arg(long = "anchor", value_name = "NAME=ELO", value_parser = anchor)]
    anchors: Vec<(String, f64)>,

    /// Mean rating of a group of players without an anchor.
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_hyphen_values = true)]
    mean: f64,

    /// Also fit the advantage of White.
    #[arg(long, value_name = "on|off", default_value = "off", action = ArgAction::Set,
          value_parser = PossibleValuesParser::new(["on", "off"]).map(|word| word == "on"))]
    white_advantage: bool,

    /// Leave out players with fewer than N games, and their games.
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_games: u64,

    /// Rename a player, by its name in PGN, or its name or spec in a run. Players with equal names are one
    /// player. May be repeated.
    #[arg(long = "name", value_name = "NAME|SPEC=NAME", value_parser = renaming)]
    names: Vec<(String, String)>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,

    /// Print Markdown instead of text.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,

    /// Print EloStat's table: ratings against the average opponent, margins + and - with the opponents'
    /// ratings taken as known. EloStat's start rating is --mean.
    #[arg(long, conflicts_with_all = ["json", "markdown", "white_advantage"])]
    elostat: bool,

    #[command(flatten)]
    verify: VerifyFlags,
}

fn anchor(text: &str) -> Result<(String, f64), String> {
    let parts = text.rsplit_once('=').map(|(name, elo)| (name.trim(), elo.trim().parse::<f64>()));
    match parts {
        Some((name, Ok(elo))) if !name.is_empty() && elo.is_finite() => Ok((name.to_owned(), elo)),
        _ => Err("expected NAME=ELO, such as 'Glaurung 2.2=2930'".to_owned()),
    }
}

fn renaming(text: &str) -> Result<(String, String), String> {
    match text.rsplit_once('=').map(|(from, to)| (from.trim(), to.trim())) {
        Some((from, to)) if !from.is_empty() && !to.is_empty() => {
            Ok((from.to_owned(), to.to_owned()))
        }
        _ => Err("expected NAME=NAME, the second one without '='".to_owned()),
    }
}

pub fn run(args: RatingsArgs) -> Result<u8, Error> {
    args.verify.check(&args.inputs)?;
    let scale = RatingScale {
        mean: args.mean,
        anchors: args.anchors,
        white_advantage: args.white_advantage,
    };
    let options = Options { scale, min_games: args.min_games, names: args.names };
    if args.elostat {
        print(elostat_table(&args.inputs, &options)?)?;
        return Ok(DONE);
    }
    let table = Crosstable::read(&args.inputs, options)?;
    let text = if args.json {
        format!("{:#}\n", table.json())
    } else if args.markdown {
        table.page().markdown()
    } else {
        table.page().plain(window_width())
    };
    print(text)?;
    Ok(DONE)
}
