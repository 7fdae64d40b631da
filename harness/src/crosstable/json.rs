//! A crosstable for programs.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Crosstable, InputCounts, display};
use stats::Wdl;
use stats::ratings::{Level, Rated, Ratings, Separation};

/// The LOS matrix of more players is left out: it grows with their square.
const MOST_IN_MATRIX: usize = 200;

/// Everything, with keys that scripts may rely on.
pub(super) fn render(table: &Crosstable) -> Value {
    let ratings = &table.ratings;
    let [games, paired] = ratings.games();
    let scale = &table.options.scale;
    let anchors: Map<String, Value> =
        scale.anchors.iter().map(|(name, elo)| (name.clone(), json!(elo))).collect();
    let mut counted = table.counted.json();
    let left_out = &mut counted["left_out"];
    left_out["players_of_few_games"] = json!(table.left_out);
    left_out["min_games"] = json!(table.options.min_games);
    let white = match &ratings.white {
        Ok(white) => json!({"elo": white.elo, "error95": white.error95}),
        Err(why) => json!({"elo": null, "error95": null, "why": why.to_string()}),
    };
    let groups = ratings.groups.iter().map(|group| {
        json!({
            "players": group.players,
            "anchored": group.anchored,
            "separation": match group.separation {
                Separation::First => "first",
                Separation::NeverMet => "never-met",
                Separation::OneSided => "one-sided",
            },
        })
    });
    let groups: Vec<Value> = groups.collect();
    let players = ratings.players.iter().zip(opponents(ratings)).enumerate();
    let players: Vec<Value> =
        players.map(|(place, (rated, opponents))| player(place, rated, opponents)).collect();
    json!({
        "games": games,
        "pairs": paired / 2,
        "scale": {"mean": scale.mean, "anchors": anchors},
        "counted": counted,
        "white_advantage": white,
        "groups": groups,
        "players": players,
        "los": superiority(ratings),
    })
}

impl InputCounts {
    /// As `verdict ratings --json` has it.
    pub(crate) fn json(&self) -> Value {
        let mut json = json!({
            "runs": self.runs,
            "pgn_files": self.pgn_files,
            "pairs_told": self.pairs_tagged,
            "pairs_found": self.pairs_found,
            "pairs_by_round": self.pairs_by_round,
            "single_games": self.single_games,
            "repeated_single_games": self.repeated_games,
            "left_out": {
                "unfinished": self.unfinished,
                "lost_by_both": self.lost_by_both,
                "unusable": self.unusable,
                "first_unusable": self.first_unusable.as_ref().map(ToString::to_string),
                "against_itself": self.against_itself,
                "same_inputs": self.same_inputs,
                "same_games": self.same_games,
                "repeated_pairs": self.repeated_pairs,
                "repeated_games": self.repeated_games,
                "void_pairs": self.void_pairs,
                "beyond_gap": self.beyond_gap,
                "runs_without_games": self.runs_without_games,
            },
        });
        if self.of_others > 0 {
            json["left_out"]["of_other_matches"] = self.of_others.into();
        }
        json
    }
}

fn player(place: usize, rated: &Rated, opponents: Map<String, Value>) -> Value {
    let mut out = json!({
        "rank": place + 1,
        "name": rated.name,
        "group": rated.group.map(|group| group + 1),
        "elo": null,
        "error95": null,
        "games": rated.games(),
        "points": rated.points(),
        "score": (rated.games() > 0).then(|| rated.score()),
        "wdl": rated.wdl,
    });
    match display::level(rated) {
        Level::Elo { elo, error95, error95_known_opponents } => {
            out["elo"] = json!(elo);
            out["error95"] = json!(error95.ok());
            out["error95_known_opponents"] = json!(error95_known_opponents.ok());
            if let Err(why) = error95 {
                out["why"] = json!({"error95": why.to_string()});
            }
        }
        Level::AtLeast(bound) => {
            out["elo_at_least"] = json!(bound);
            out["why"] = json!({"elo": "every game against the group was won"});
        }
        Level::AtMost(bound) => {
            out["elo_at_most"] = json!(bound);
            out["why"] = json!({"elo": "every game against the group was lost"});
        }
        Level::None(why) => out["why"] = json!({"elo": why.to_string()}),
    }
    out["opponents"] = Value::Object(opponents);
    out
}

/// Each player's results by opponent, the strongest first.
fn opponents(ratings: &Ratings) -> Vec<Map<String, Value>> {
    let mut opponents = vec![BTreeMap::new(); ratings.players.len()];
    for (first, second, wdl) in ratings.meetings() {
        opponents[first].insert(second, wdl);
        opponents[second].insert(first, wdl.mirrored());
    }
    let named = |(other, wdl): (usize, Wdl)| (ratings.players[other].name.clone(), json!(wdl));
    opponents.into_iter().map(|of| of.into_iter().map(named).collect()).collect()
}

/// Rows and columns in the order of the players.
fn superiority(ratings: &Ratings) -> Value {
    let places = 0..ratings.players.len();
    if places.len() > MOST_IN_MATRIX {
        let why = format!("more than {MOST_IN_MATRIX} players");
        return json!({ "matrix": null, "why": why });
    }
    let row = |place: usize| -> Vec<Option<f64>> {
        let los = |other| display::los(ratings, place, other).ok().filter(|_| place != other);
        places.clone().map(los).collect()
    };
    json!({ "matrix": places.clone().map(row).collect::<Vec<_>>() })
}
