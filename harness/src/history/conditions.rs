//! What the games of two runs must have in common, so that their Elo can be put together.

use std::path::Path;

use arena::commas;
use arena::record::RunFile;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Keys of a plan that leave a player's strength as it is, and those compared by themselves.
const NOT_COMPARED: [&str; 26] = [
    "base",
    "test",
    "base_build",
    "test_build",
    "base_own",
    "test_own",
    "scale",
    "time_margin_ms",
    "hang_ms",
    "startup_ms",
    "seed",
    "pairs",
    "rule",
    "adjudication",
    "audit",
    "max_faults",
    "details",
    "event",
    "site",
    "concurrency",
    "slots",
    "fair",
    "pin",
    "traffic",
    "syzygy_results",
    "book",
];

/// Limit, hash, book and options, the same for both players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Conditions(Map<String, Value>);

impl Conditions {
    /// Those of a plan as JSON; `None` where they differ between the two players.
    pub fn of(plan: &Value) -> Option<Conditions> {
        let both = plan.as_object()?;
        let kept = |(key, value): (&String, &Value)| {
            let counts = !NOT_COMPARED.contains(&key.as_str()) && !value.is_null();
            counts.then(|| (key.clone(), value.clone()))
        };
        let mut all: Map<String, Value> = both.iter().filter_map(kept).collect();
        // The same book may lie elsewhere.
        let book =
            both.get("book").and_then(Value::as_str).and_then(|path| Path::new(path).file_name());
        all.insert(
            "book".to_owned(),
            book.map_or(Value::Null, |name| name.to_string_lossy().into()),
        );
        let [base, test] = ["base", "test"].map(|side| of_one(both, side));
        (base == test).then(|| {
            all.extend(base);
            Conditions(all)
        })
    }
}

/// What one player has of its own: options behind its path, limit, hash.
fn of_one(plan: &Map<String, Value>, side: &str) -> Map<String, Value> {
    let own = plan.get(&format!("{side}_own")).and_then(Value::as_object).cloned();
    let mut own = own.unwrap_or_default();
    own.retain(|key, _| !["name", "time_margin_ms"].contains(&key.as_str()));
    let spec = plan.get(side).and_then(Value::as_str).unwrap_or_default();
    let mut options: Vec<String> = commas::split(spec).into_iter().skip(1).collect();
    options.sort();
    own.insert("options".to_owned(), options.into());
    own
}

/// In words, for people.
pub(super) fn in_words(run: &RunFile) -> String {
    let limit = run.base.limit_anywhere();
    let mut parts =
        vec![if limit.contains('=') { limit.to_owned() } else { format!("tc={limit}") }];
    match run.plan.get("hash") {
        None | Some(Value::Null) => (),
        Some(hash) => {
            parts.push(format!("hash {}", hash.as_str().map_or(hash.to_string(), str::to_owned)))
        }
    }
    let book = run.book.as_ref().and_then(|book| Path::new(&book.path).file_name());
    parts
        .push(book.map_or("no book".to_owned(), |name| format!("book {}", name.to_string_lossy())));
    let options = commas::split(&run.base.spec).into_iter().skip(1);
    parts.extend(options);
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_makes_players_stronger_counts() {
        let plan = |change: Value| {
            let mut plan = json!({"base": "uci:/a/x,Hash=1,Style=2", "test": "uci:/b/x,Style=2,Hash=1",
                "nodes": 100, "hash": "1MiB", "book": "/here/b.epd", "seed": 1, "pairs": 5,
                "base_own": {"name": "v1"}, "test_own": {"name": "v2"}, "slots": 2});
            for (key, value) in change.as_object().unwrap() {
                plan[key] = value.clone();
            }
            Conditions::of(&plan)
        };
        let usual = plan(json!({}));
        assert!(usual.is_some());
        for same in [
            json!({"seed": 3, "pairs": 9, "slots": 1}),
            json!({"book": "/there/b.epd", "pin": "on"}),
        ] {
            assert_eq!(plan(same), usual);
        }
        let options = json!({"base": "uci:/a/x,Style=3", "test": "uci:/b/x,Style=3"});
        let own = json!({"base_own": {"hash": "2MiB"}, "test_own": {"hash": "2MiB"}});
        for other in
            [json!({"nodes": 101}), json!({"hash": "2MiB"}), json!({"book": null}), options, own]
        {
            let other = plan(other);
            assert!(other.is_some() && other != usual, "{other:?}");
        }
        for odds in
            [json!({"base_own": {"limit": {"nodes": 7}}}), json!({"base": "uci:/a/x,Style=3"})]
        {
            assert_eq!(plan(odds), None);
        }
    }
}
