//! The ratings of a tournament of a night.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::crosstable::{Crosstable, Options, display};
use arena::record::RUN_FILE;
use charts::page::PageTable;
use stats::Wdl;
use stats::ratings::Level;

/// Tables of more players have no column for each.
const MOST_COLUMNS: usize = 32;

/// A player of a tournament, in the words of its `ratings.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Rating {
    pub name: String,
    /// Its Elo, the mean of all being 0; absent where its games tell none.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub error95: Option<f64>,
    /// A bound of its Elo where it won every game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_at_least: Option<f64>,
    /// A bound of its Elo where it lost every game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_at_most: Option<f64>,
    pub games: u64,
    pub points: f64,
    pub wdl: Wdl,
    pub opponents: BTreeMap<String, Wdl>,
}

impl Rating {
    /// Everybody in these runs, the strongest first; nobody where none can be rated.
    pub(super) fn read(runs: &[PathBuf]) -> Vec<Rating> {
        let begun = runs.iter().filter(|run| run.join(RUN_FILE).is_file()).cloned();
        let table = Crosstable::read(&begun.collect::<Vec<_>>(), Options::default());
        let Ok(Crosstable { ratings, .. }) = table else { return Vec::new() };
        let of = |(place, rated): (usize, &stats::ratings::Rated)| {
            let others = (0..ratings.players.len()).filter(|other| *other != place);
            let met = others
                .map(|other| (ratings.players[other].name.clone(), ratings.between(place, other)));
            let blank = Rating {
                name: rated.name.clone(),
                games: rated.games(),
                points: rated.points(),
                wdl: rated.wdl,
                opponents: met.filter(|(_, wdl)| wdl.games() > 0).collect(),
                ..Rating::default()
            };
            match display::level(rated) {
                Level::Elo { elo, error95, .. } => {
                    Rating { elo: Some(elo), error95: error95.ok(), ..blank }
                }
                Level::AtLeast(bound) => Rating { elo_at_least: Some(bound), ..blank },
                Level::AtMost(bound) => Rating { elo_at_most: Some(bound), ..blank },
                Level::None(_) => blank,
            }
        };
        ratings.players.iter().enumerate().map(of).collect()
    }

    /// Its Elo, for people.
    fn words(&self) -> String {
        let bound = |sign: &str, bound: Option<f64>| bound.map(|elo| format!("{sign} {elo:+.1}"));
        match (self.elo, self.error95) {
            (Some(elo), Some(error)) => format!("{elo:+.1} ± {error:.1}"),
            (Some(elo), None) => format!("{elo:+.1}"),
            (None, _) => bound("≥", self.elo_at_least)
                .or_else(|| bound("≤", self.elo_at_most))
                .unwrap_or_else(|| "–".to_owned()),
        }
    }
}

pub(super) fn one_line(ratings: &[Rating]) -> String {
    let players: Vec<String> =
        ratings.iter().map(|player| format!("{} {}", player.name, player.words())).collect();
    format!("Elo {}", players.join(", "))
}

/// The crosstable: its headings, and a row for each player. Results against each other are won,
/// drawn and lost games of the row's player.
pub(crate) fn crosstable(ratings: &[Rating]) -> PageTable {
    let columns = if ratings.len() <= MOST_COLUMNS { ratings } else { &[] };
    let mut head: Vec<String> =
        ["#", "Player", "Elo ± 95 %", "Points", "Games"].map(str::to_owned).into();
    head.extend((1..=columns.len()).map(|place| format!("v {place}")));
    let rows = (1..).zip(ratings).map(|(place, player)| {
        let mut row = vec![
            place.to_string(),
            player.name.clone(),
            player.words(),
            player.points.to_string(),
            player.games.to_string(),
        ];
        row.extend(columns.iter().map(|other| {
            let wdl = player.opponents.get(&other.name);
            wdl.map_or(String::new(), |wdl| format!("{}–{}–{}", wdl.win, wdl.draw, wdl.loss))
        }));
        row
    });
    PageTable { head, rows: rows.collect(), keys: 2 }
}
