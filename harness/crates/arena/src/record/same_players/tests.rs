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
    let plan =
        json!({"hash": "1MiB", "time_margin_ms": 0, "base_own": {"name": "a"}, "test_own": own});
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
    let unnamed = Identity { name: String::new(), spec: r"uci:/a/e\,1,Hash=1".to_owned(), ..first };
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
