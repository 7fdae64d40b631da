//! Whether two runs were played under the same conditions, whatever their book, seed and length.

use serde_json::Value;

use super::{RunFile, Side};

impl RunFile {
    /// The first condition beside the players and their limits in which two runs differ. The book and how it
    /// is used, the seed, the number of pairs and the rule are none.
    pub fn unlike_conditions(&self, other: &RunFile) -> Option<&'static str> {
        let unlike = |of: &dyn Fn(&RunFile) -> Value| of(self) != of(other);
        let key = |name: &'static str| move |run: &RunFile| run.plan[name].clone();
        let own = |name: &'static str| {
            move |run: &RunFile| -> Value {
                let of = |side: Side| {
                    let own = &run.plan[format!("{side}_own")][name];
                    if own.is_null() { run.plan[name].clone() } else { own.clone() }
                };
                [of(Side::Base), of(Side::Test)].into()
            }
        };
        let has_tables = |run: &RunFile| -> Value { run.plan.get("syzygy").is_some().into() };
        [
            ("hash", unlike(&own("hash"))),
            ("restarts between games", unlike(&own("restart"))),
            ("pondering", unlike(&key("ponder"))),
            ("adjudication", unlike(&key("adjudication"))),
            ("results by tablebases", unlike(&has_tables) || unlike(&key("syzygy_results"))),
        ]
        .into_iter()
        .find_map(|(what, differs)| differs.then_some(what))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::record::Identity;

    fn run(plan: Value) -> RunFile {
        RunFile::new(plan, 1, Identity::default(), Identity::default(), None)
    }

    #[test]
    fn a_condition_of_one_player_is_the_common_one_or_its_own() {
        let both = run(json!({ "hash": "16MiB", "book": "a.epd", "seed": 1, "pairs": 9 }));
        let apart = run(json!({
            "hash": null, "base_own": { "hash": "16MiB" }, "test_own": { "hash": "16MiB" },
            "book": "b.epd", "seed": 2, "pairs": 10,
        }));
        assert_eq!(both.unlike_conditions(&apart), None);
        let larger = run(json!({ "hash": "16MiB", "test_own": { "hash": "32MiB" } }));
        assert_eq!(both.unlike_conditions(&larger), Some("hash"));
        assert_eq!(larger.unlike_conditions(&both), Some("hash"));
    }

    #[test]
    fn every_condition_is_named() {
        let plain = run(json!({ "adjudication": { "draw": null } }));
        for (plan, what) in [
            (json!({ "adjudication": { "draw": { "score": 9 } } }), "adjudication"),
            (json!({ "adjudication": { "draw": null }, "ponder": true }), "pondering"),
            (
                json!({ "adjudication": { "draw": null }, "base_own": { "restart": true } }),
                "restarts between games",
            ),
            (
                json!({ "adjudication": { "draw": null }, "syzygy": ["/tables"] }),
                "results by tablebases",
            ),
        ] {
            assert_eq!(plain.unlike_conditions(&run(plan)), Some(what));
        }
        assert_eq!(plain.unlike_conditions(&plain), None);
    }
}
