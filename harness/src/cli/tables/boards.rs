//! `verdict tables boards`: how often a material table speaks in real games.

use std::path::Path;

use clap::Args;

use super::count_overrides::CountOverrides;
use super::load_counts::CountSource;
use arena::player::spec::{PlayerSpec, embedded_params};
use process::Error;
use tables::count::MinedCounts;
use tables::{BoardUse, CountSettings};

/// Print how often mutineer's material table speaks in real games, and how right it is.
///
/// Quiet positions are sampled evenly from all games with a result: from ply 16 on, no check, no capture or
/// promotion right before or after. For each player: the cells of its table that are worth something to it,
/// the share of positions with such a cell, how many of these have unequal material by 1 3 3 5 9, the
/// score of the side that the table favours, and the mean value.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tables boards games.pgn.zst --player embedded:default,mit=3100,imbalance.mode=5"
)]
pub(super) struct BoardsArgs {
    /// Whose table: an embedded player with mit=NAME. May be repeated.
    #[arg(long, value_name = "SPEC", required = true)]
    player: Vec<PlayerSpec>,
    /// Positions to sample [default: 500000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20_000_000))]
    positions: Option<u32>,
    #[command(flatten)]
    games: CountSource,
}

/// Positions of a sample that does not say it.
const POSITIONS: u32 = 500_000;

pub(super) fn run(args: &BoardsArgs) -> Result<u8, Error> {
    let players = args.player.iter().map(|player| match player {
        PlayerSpec::Embedded { personality, parameters } => {
            Ok((player.to_string(), embedded_params(personality, parameters)?))
        }
        PlayerSpec::Program { .. } => Err(Error::usage(format!(
            "--player {player}: expected an embedded player, only its table can be asked"
        ))),
    });
    let players: Vec<_> = players.collect::<Result<_, Error>>()?;
    let overrides = CountOverrides { sample: args.positions, ..CountOverrides::default() };
    let wants = (CountSettings { sample: POSITIONS, ..CountSettings::usual() }, overrides);
    let has = ("a sample", |counts: &MinedCounts| counts.sample.is_some());
    args.games.make(wants, Path::new("boards"), has, |counts| {
        let missing = || Error::input_output("expected a sample of positions");
        let sample = counts.counts.sample.as_ref().ok_or_else(missing)?;
        let line = |(name, params): &(String, _)| {
            format!("{name}\n  {}", BoardUse::of(params, sample).words())
        };
        let lines: Vec<String> = players.iter().map(line).collect();
        Ok(format!("{}\n{}", counts.tally, lines.join("\n")))
    })
}
