//! What is wrong is told before the first game.

use super::place::{BUILD, Place, broken, said, sound, weak};

#[test]
fn wrong_ends_are_refused() {
    let place = Place::new(&[sound(1001), sound(1002), weak(1003)]);
    place.git("checkout --quiet -b side main~2");
    place.commit(&sound(1004), "side-1");
    place.git("checkout --quiet main");
    place.git("merge --quiet --no-ff -s ours -m merged side");
    place.commit(&weak(1005), "change-5");
    let fork = place.git("rev-parse --short=10 main~4");
    for (good, bad, code, told) in [
        ("nosuch", "main", 64, "expected a branch, a tag or a commit, found 'nosuch'"),
        ("v1", "nosuch", 64, "found 'nosuch'"),
        ("main", "v1", 64, "the other way round"),
        ("main", "HEAD", 64, "are one commit"),
        ("main~1", "main", 64, "no commit lies between"),
        ("v1", "workdir", 64, "expected commits"),
        ("side", "main~2", 64, &*format!("both come from {fork}")),
        ("side", "main", 64, "is not on the line of first parents"),
    ] {
        let mut words = place.words(BUILD, "out", "");
        (words[2], words[4]) = (good, bad);
        let output = place.command(&words).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{good} {bad}: {output:?}");
        assert!(said(&output).contains(told), "{good} {bad}: {}", said(&output));
        assert!(!place.path("out").exists(), "{good} {bad}");
    }
    // No repository, and flags that are wrong: nothing is built.
    for (from, to, code, told) in [
        ("repo", ".", 64, "not a git repository"),
        ("50", "0", 64, "expected Elo above 0"),
        ("--quiet", "--book=none.epd", 74, "none.epd"),
        ("--quiet", "--alpha=0", 64, "--alpha"),
        ("50", "-5", 64, "expected Elo above 0, at most"),
    ] {
        let words = place.words(BUILD, "out", "");
        let words: Vec<&str> =
            words.into_iter().map(|word| if word == from { to } else { word }).collect();
        let output = place.command(&words).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{to}: {output:?}");
        assert!(said(&output).contains(told), "{to}: {}", said(&output));
        assert!(!place.path("cache").exists() && !place.path("out").exists(), "{to}");
    }
}

/// After the first build.
#[test]
fn a_wrong_option_is_told_before_more_is_built() {
    let place = Place::new(&[sound(1001), sound(1002), weak(1003)]);
    let build = format!("echo >> {}/count; {BUILD}", place.0.path().display());
    let output = place.bisect(&build, "out", "--option NoSuch=1");
    assert_eq!(output.status.code(), Some(64), "{output:?}");
    assert!(said(&output).contains("NoSuch"), "{}", said(&output));
    let builds = std::fs::read_to_string(place.path("count")).unwrap();
    assert_eq!(builds.lines().count(), 1);
    assert!(!place.path("out").exists());
}

#[test]
fn both_ends_have_to_build_and_differ() {
    let place = Place::new(&[sound(1001), broken()]);
    let output = place.bisect(BUILD, "out", "");
    assert_eq!(output.status.code(), Some(74), "{output:?}");
    assert!(said(&output).contains("the bad commit has to build"), "{}", said(&output));
    let place = Place::new(&[sound(1001), sound(1000)]);
    let output = place.bisect(BUILD, "out", "");
    assert_eq!(output.status.code(), Some(64), "{output:?}");
    assert!(said(&output).contains("bench 1000"), "{}", said(&output));
    assert!(!place.path("out").exists());
}

#[test]
fn a_folder_that_is_in_use_is_refused() {
    let place = Place::new(&[sound(1001), weak(1002)]);
    assert_eq!(place.bisect(BUILD, "out", "").status.code(), Some(0));
    let again = place.bisect(BUILD, "out", "");
    assert_eq!(again.status.code(), Some(64), "{again:?}");
    assert!(said(&again).contains("holds a bisection (bisect.json)"), "{}", said(&again));
}

#[test]
fn elo_below_0_is_out_of_range() {
    let place = Place::new(&[]);
    for words in [
        &["bisect", "--good", "v1", "--others", "-1"][..],
        &["stats", "bisect", "--elo", "-5"],
        &["stats", "bisect", "--others", "-1"],
        &["stats", "bisect", "--noise", "-1"],
        &["stats", "bisect", "--loss", "-5"],
    ] {
        let output = place.command(words).output().unwrap();
        assert_eq!(output.status.code(), Some(64), "{words:?}: {output:?}");
        assert!(said(&output).contains("expected Elo"), "{words:?}: {}", said(&output));
    }
}

/// Also that of a bisection which was killed in its first build.
#[test]
fn a_folder_that_is_missing_cannot_be_resumed() {
    let place = Place(tempfile::tempdir().unwrap());
    let output = place.command(&["resume", "nosuch"]).output().unwrap();
    assert_eq!(output.status.code(), Some(64), "{output:?}");
    assert!(said(&output).contains("nosuch does not exist"), "{}", said(&output));
}
