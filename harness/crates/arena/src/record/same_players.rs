//! A/A tests: whether both sides are the same player, and what the figures mean then.

use serde_json::{Map, Value};

use super::{Identity, RunFile};
use crate::player::{commas, program::launch_words};

/// What programs call the number of threads that they search with.
const THREADS: [&str; 2] = ["threads", "cores"];

impl RunFile {
    /// Whether test and base are the same player, so that the run is an A/A test: equal are the
    /// program, its arguments and options, the files that these name, the limit, and all else that
    /// is a player's own but for its name.
    pub fn same_players(&self) -> bool {
        let (base, test) = (&self.base, &self.test);
        let own = |side| self.plan.get(format!("{side}_own")).and_then(Value::as_object);
        let (base_own, test_own) = (own("base"), own("test"));
        // Limits are compared as they are played.
        let keys = [base_own, test_own].into_iter().flatten().flat_map(Map::keys);
        let mut keys = keys.filter(|key| !["name", "limit"].contains(&key.as_str()));
        // A key that a player does not have of its own has the plan's common value.
        let of = |own: Option<&'_ Map<String, Value>>, key: &str| {
            own.and_then(|own| own.get(key)).or(self.plan.get(key)).cloned()
        };
        self.games_of.is_none()
            && is_same_program(base, test)
            && base.options == test.options
            && base.files == test.files
            && base.limit == test.limit
            && keys.all(|key| of(base_own, key) == of(test_own, key))
    }
}

/// Whether an option of this name says on how many threads a program searches.
pub fn is_threads(name: &str) -> bool {
    THREADS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

impl Identity {
    /// As far as its options say.
    pub fn threads(&self) -> u64 {
        let threads_option = self.options.iter().find(|(name, _)| is_threads(name));
        let told = threads_option.and_then(|(_, value)| value.as_str()?.trim().parse().ok());
        told.unwrap_or(1)
    }

    /// Whether it should play the same game each time: no time counts, and one thread searches.
    fn repeats_itself(&self) -> bool {
        let limit = &self.limit;
        let counts_no_time = ["nodes=", "depth="].iter().any(|kind| limit.starts_with(kind))
            || limit.ends_with("nodes/ms");
        counts_no_time && self.threads() <= 1
    }

    /// What the figures of an A/A test of this player mean.
    pub fn aa_test(&self) -> String {
        let mut text = "test and base are the same player (program, options and limits are equal): an A/A \
                        test. Its result shows the noise of the conditions; ACCEPT and REJECT say nothing \
                        about a change."
            .to_owned();
        if self.repeats_itself() {
            text.push_str(
                " Without a clock and with one thread both games of a pair are equal, so that every pair \
                 is drawn; if one is not, the engine is not reproducible.",
            );
        }
        text
    }

    fn is_embedded(&self) -> bool {
        self.spec.starts_with("embedded")
    }
}

fn is_same_program(a: &Identity, b: &Identity) -> bool {
    let is_known = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
    match (a.is_embedded(), b.is_embedded()) {
        // Options are told as differences from the personality.
        (true, true) => a.name == b.name,
        (false, false) => {
            let file = |it: &Identity| commas::head(&it.spec).0.to_owned();
            // What a script starts may lie beside it.
            let is_whole = !a.is_script || file(a) == file(b);
            let is_same_file = is_known(&a.build, &b.build) && is_whole;
            (is_same_file || is_known(&a.commit, &b.commit))
                && launch_words(&a.spec) == launch_words(&b.spec)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn player(spec: &str, build: &str) -> Identity {
        Identity {
            spec: spec.to_owned(),
            name: "X".to_owned(),
            limit: "nodes=100".to_owned(),
            build: Some(build.to_owned()),
            ..Identity::default()
        }
    }

    fn are_same(base: &Identity, test: &Identity) -> bool {
        are_same_with(&json!({"hash": "1MiB"}), base, test)
    }

    /// `own` is the test's own.
    fn are_same_with(own: &Value, base: &Identity, test: &Identity) -> bool {
        let plan = json!({"hash": "1MiB", "time_margin_ms": 0, "base_own": {"name": "a"}, "test_own": own});
        RunFile::new(plan, 1, base.clone(), test.clone(), None).same_players()
    }

    #[test]
    fn players_are_the_same_whatever_they_are_called() {
        let here = player("uci:/a/x,Hash=1", "f0");
        let there = Identity { alias: Some("Y".to_owned()), ..player("uci:/b/y,Hash=1", "f0") };
        assert!(are_same(&here, &here) && are_same(&here, &there));
        // Builds of one commit need not be equal, byte by byte.
        let of = |commit: &str, build: &str| Identity {
            commit: Some(commit.to_owned()),
            ..player("uci:/cache/x", build)
        };
        assert!(are_same(&of("c0", "f0"), &of("c0", "f1")));
        assert!(!are_same(&of("c0", "f0"), &of("c0+d1", "f1")));
        let embedded = player("embedded:default", "f0");
        assert!(are_same(&embedded, &player("embedded", "f0")));
    }

    #[test]
    fn all_that_is_a_players_own_but_its_name_counts() {
        let one = player("uci:/a/x", "f0");
        for (own, same) in [
            (json!({}), true),
            (json!({"name": "b"}), true),
            (json!({"hash": "1MiB", "time_margin_ms": 0}), true),
            (json!({"hash": "2MiB"}), false),
            (json!({"time_margin_ms": 500}), false),
            (json!({"restart": true}), false),
            (json!({"anything": 1}), false),
        ] {
            assert_eq!(are_same_with(&own, &one, &one), same, "{own}");
        }
    }

    #[test]
    fn whatever_differs_makes_two_players() {
        let one = player("uci:/a/x", "f0");
        let mut threads = one.clone();
        threads.options.insert("Threads".to_owned(), json!("2"));
        let mut file = one.clone();
        file.files.insert("Book".to_owned(), "f9".to_owned());
        let script = Identity { is_script: true, ..one.clone() };
        for other in [
            player("uci:/a/x", "f1"),
            player("uci:/a/x,arg=--fast", "f0"),
            player("uci:/a/x,dir=/b", "f0"),
            player("embedded:default", "f0"),
            Identity { limit: "nodes=200".to_owned(), ..one.clone() },
            Identity { build: None, ..one.clone() },
            threads.clone(),
            file,
        ] {
            assert!(!are_same(&one, &other), "{other:?}");
        }
        assert!(are_same(&script, &script));
        // A comma that is part of a path ends no path.
        let [first, second] = [r"uci:/opt/a\,1/e", r"uci:/opt/a\,2/e"]
            .map(|spec| Identity { spec: spec.to_owned(), ..script.clone() });
        assert!(are_same(&first, &first) && !are_same(&first, &second));
        let unnamed =
            Identity { name: String::new(), spec: r"uci:/a/e\,1,Hash=1".to_owned(), ..first };
        assert_eq!(unnamed.own_name(), "e,1");
        assert!(!are_same(&script, &Identity { spec: "uci:/b/x".to_owned(), ..script.clone() }));
        let names = [player("embedded:default", "f0"), player("embedded:rebel", "f0")];
        let rebel = Identity { name: "Y".to_owned(), ..names[1].clone() };
        assert!(!are_same(&names[0], &rebel));
        assert_eq!((one.threads(), threads.threads()), (1, 2));
        assert!(
            one.aa_test().contains("pair is drawn") && !threads.aa_test().contains("pair is drawn")
        );
    }
}
