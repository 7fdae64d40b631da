//! The rating of each revision.

use serde::Serialize;

use super::{LeftOut, Revision, Runs};
use crate::crosstable::{Crosstable, Options};
use process::Error;
use stats::LEAST_PAIRS;
use stats::ratings::{Estimate, RatingScale, Ratings, Unrated};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    pub name: String,
    pub commit: String,
    pub subject: String,
    pub author: String,
    pub date: String,
    /// Against the first revision that is rated.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of that difference.
    pub error95: Option<f64>,
    /// Against the revision before it in the list, if both are rated.
    pub gain: Option<f64>,
    pub gain_error95: Option<f64>,
    pub games: u64,
    /// Why it has no rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    pub revisions: Vec<Row>,
    /// Games of all commits that were rated.
    pub games: u64,
    /// Folders of the runs.
    pub runs: Vec<String>,
    /// Limit, hash, book and options of all of them, in words.
    pub conditions: Option<String>,
    /// How many of the runs were ended by their rule before their last pair.
    pub stopped_early: u64,
    /// Runs between commits that are not rated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

impl Outcome {
    /// Rates the commits of all runs together.
    pub fn new(revisions: &[Revision], runs: &Runs) -> Result<Outcome, Error> {
        let ratings = if runs.folders.is_empty() {
            None
        } else {
            let options = Options {
                scale: RatingScale::default(),
                names: runs.names.clone(),
                ..Options::default()
            };
            Some(Crosstable::read(&runs.folders, options)?.ratings)
        };
        let place = |name: &str| {
            let players = &ratings.as_ref()?.players;
            players.iter().position(|player| player.name == name)
        };
        let places: Vec<Option<usize>> =
            revisions.iter().map(|revision| place(&revision.name)).collect();
        // The others are against this one.
        let anchor = places.iter().position(Option::is_some).unwrap_or(0);
        let against = |at: usize, other: usize| {
            let (Some(ratings), Some(&Some(first)), Some(&Some(second))) =
                (&ratings, places.get(other), places.get(at))
            else {
                return Err("no recorded games".to_owned());
            };
            difference(ratings, second, first).map_err(|why| why.to_string())
        };
        let row = |(at, revision): (usize, &Revision)| {
            let games =
                ratings.as_ref().zip(places[at]).map_or(0, |(it, at)| it.players[at].games());
            let difference = match places[at] {
                Some(_) if at == anchor => Ok((0.0, Some(0.0))),
                Some(_) => against(at, anchor),
                None => Err("no recorded games".to_owned()),
            };
            let gain = at.checked_sub(1).and_then(|before| against(at, before).ok());
            let commit = revision.commit.clone();
            Row {
                name: revision.name.clone(),
                commit: commit.commit,
                subject: commit.subject,
                author: commit.author,
                date: commit.date,
                elo: difference.as_ref().ok().map(|it| it.0),
                error95: difference.as_ref().ok().and_then(|it| it.1),
                gain: gain.map(|it| it.0),
                gain_error95: gain.and_then(|it| it.1),
                games,
                why: difference.err(),
            }
        };
        let rows = revisions.iter().enumerate().map(row).collect();
        let games = ratings.as_ref().map_or(0, |ratings| ratings.games()[0]);
        Ok(Outcome {
            revisions: rows,
            games,
            runs: runs.folders.iter().map(|run| run.display().to_string()).collect(),
            conditions: runs.conditions.clone(),
            stopped_early: runs.stopped_early,
            left_out: runs.left_out.clone(),
        })
    }

    /// Whether every revision is rated.
    pub fn is_complete(&self) -> bool {
        self.revisions.iter().all(|row| row.elo.is_some())
    }
}

/// Of one player against another; without an error where a handful of games was played.
fn difference(
    ratings: &Ratings,
    first: usize,
    second: usize,
) -> Result<(f64, Option<f64>), Unrated> {
    let Estimate { elo, error95 } = ratings.difference(first, second)?;
    let few = [first, second].map(|place| ratings.players[place].games() < 2 * LEAST_PAIRS);
    Ok((elo, (!few.contains(&true) && error95.is_finite()).then_some(error95)))
}
