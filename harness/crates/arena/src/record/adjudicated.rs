//! How many games of a run were ended early, in words.

use serde_json::Value;

use super::{Summary, Termination};

impl Summary {
    /// Games that adjudication ended, of how many that it could have. Rules that were off, and a
    /// limit of length that no game reached, are left out. `None` if nothing is left, or no game
    /// counts.
    pub fn adjudicated(&self) -> Option<String> {
        let decided = self.games.saturating_sub(self.wdl.draw);
        let ended = |by: Termination| self.details.terminations.get(by.as_str()).copied();
        let rule = |name: &str| self.plan.get("adjudication").and_then(|rules| rules.get(name));
        let is_on = |name: &str| rule(name).is_some_and(|rule| !rule.is_null());
        let has_tables =
            self.plan.get("syzygy").and_then(Value::as_array).is_some_and(|it| !it.is_empty());
        let (draws, wins) = (format!("{} draws", self.wdl.draw), format!("{decided} wins"));
        let all = format!("{} games", self.games);
        let parts = [
            (Termination::DrawAdjudication, is_on("draw"), &draws, "by score"),
            (Termination::ResignAdjudication, is_on("resign"), &wins, "by resignation"),
            (Termination::LengthAdjudication, false, &draws, "by length"),
            (Termination::TablebaseAdjudication, has_tables, &all, "by tablebases"),
        ];
        let parts = parts.into_iter().filter_map(|(by, is_on, of, how)| {
            let count = ended(by).or(is_on.then_some(0))?;
            Some(format!("{count} of {of} {how}"))
        });
        let shown: Vec<String> = parts.collect();
        (self.games > 0 && !shown.is_empty()).then(|| shown.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;
    use stats::Wdl;

    #[test]
    fn rules_that_are_on_are_shown() {
        let mut summary = Summary {
            games: 10,
            wdl: Wdl { win: 3, draw: 4, loss: 3 },
            plan: json!({"adjudication": {"draw": {}, "resign": null, "max_moves": 400}}),
            ..Summary::default()
        };
        summary.details.terminations =
            BTreeMap::from([("draw-adjudication".to_owned(), 2), ("checkmate".to_owned(), 6)]);
        let shown = summary.adjudicated().unwrap();
        assert_eq!(shown, "2 of 4 draws by score");
        summary.plan = json!({"syzygy": ["/tb"]});
        summary.details.terminations = BTreeMap::from([("resign-adjudication".to_owned(), 5)]);
        let shown = summary.adjudicated().unwrap();
        assert_eq!(shown, "5 of 6 wins by resignation, 0 of 10 games by tablebases");
        summary.plan = json!({});
        summary.details.terminations.clear();
        assert_eq!(summary.adjudicated(), None);
    }
}
