//! Each method finds what is best, within the error that it states.

use super::{engine, lines, told};

/// As far from the best values as the first is from its own, both are 40 % of careless moves away.
#[test]
fn spsa_finds_what_is_best() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    lines(here);
    let found = told(
        here,
        "tune spsa --base @engine,Style=Sharp,Guard=true --params @lines --pairs 320 --batch 4 --seed 3 \
         --confirm-pairs 20 --out @t",
    );
    for (parameter, best, near) in [(0, 60.0, 12.0), (1, 0.5, 0.12)] {
        let parameter = &found["parameters"][parameter];
        let tuned = parameter["tuned"].as_f64().unwrap();
        assert!((tuned - best).abs() < near, "{parameter}");
        if let [Some(low), Some(high)] =
            [0, 1].map(|end: usize| parameter["best_ci95"][end].as_f64())
        {
            assert!(low <= best && best <= high, "{parameter}");
        }
    }
    assert_eq!(found["confirmation"]["verdict"], "ACCEPT", "{}", found["confirmation"]);
}

#[test]
fn clop_finds_what_is_best() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    let found = told(
        here,
        "tune clop Aim=0..100 Care=0.2..0.8 --base @engine,Style=Sharp,Guard=true,Aim=50,Care=0.4 \
         --pairs 400 --batch 16 --seed 2 --confirm none --out @t",
    );
    for (parameter, best, near) in [(0, 60.0, 12.0), (1, 0.5, 0.12)] {
        let parameter = &found["parameters"][parameter];
        let tuned = parameter["tuned"].as_f64().unwrap();
        let [low, high] = [0, 1].map(|end: usize| parameter["ci95"][end].as_f64().unwrap());
        assert!((tuned - best).abs() < near, "{parameter}");
        assert!(low <= best && best <= high, "{parameter}");
    }
}

/// The parabola's maximum has its interval; the hopeless are dropped.
#[test]
fn sweeps_find_what_is_best() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    let found = told(
        here,
        "sweep Aim=40:80:10 --base @engine,Style=Sharp,Guard=true,Care=0.5,Aim=50 --pairs 100 --seed 2 \
         --confirm none --alpha 1% --out @s",
    );
    let parabola = &found["sweep"]["parabola"];
    let [low, high] = [0, 1].map(|end: usize| parabola["top_ci95"][end].as_f64().unwrap());
    assert!(low <= 60.0 && 60.0 <= high && high - low < 30.0, "{parabola}");
    assert_eq!(found["sweep"]["best"], "Aim=60", "{found}");
}

/// Lists and switches have no values between: each is tried, and the best confirmed.
#[test]
fn lists_and_switches_are_swept() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    let found = told(
        here,
        "sweep Style=Dull,Sharp,Wild Guard=true,false --base @engine,Aim=60,Care=0.5 --pairs 60 --seed 2 \
         --confirm-pairs 20 --out @s",
    );
    assert_eq!(found["sweep"]["best"], "Style=Sharp Guard=true", "{found}");
    assert!(found["sweep"]["parabola"].is_null());
    assert_eq!(found["confirmation"]["verdict"], "ACCEPT", "{found}");
    // A candidate's match is a match of two players with all their options.
    let file = super::json(&here.join("s/sweep.json"));
    let folder = file["candidates"][2]["folder"].as_str().unwrap();
    let run = super::json(&here.join("s").join(folder).join("run.json"));
    assert!(run["test"]["spec"].as_str().unwrap().ends_with("Style=Sharp,Guard=true"), "{run}");
}

/// Of programs that speak xboard, too, whose options are features.
#[test]
fn options_of_xboard() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let engine = engine(here, "");
    let base = format!("xboard:{},Style=Sharp,Guard=1,Care=0.5", engine.display());
    let found =
        told(here, &format!("sweep Aim=20,60 --base {base} --pairs 30 --confirm none --out @s"));
    assert_eq!(found["sweep"]["best"], "Aim=60", "{found}");
}

/// Nodes are those that the program tells: exact, and a function of its options here.
#[test]
fn speed_is_what_the_program_tells() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    for more in ["", "--restart"] {
        let found = crate::common::verdict::verdict(
            here,
            &format!(
                "sweep Aim=60 --base @engine,Style=Sharp,Guard=true,Care=0.5 --measure speed --depth 3 \
                 --book {} --pairs 2 --quiet --json --out @s{more} {more}",
                concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/openings.epd")
            ),
        );
        assert_eq!(found.status.code(), Some(0), "{found:?}");
        let found: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
        // 1,000 nodes and 10,000 times the share of careless moves in each of two positions.
        assert_eq!(found["speed"][0]["nodes"], 2 * (1000 + 3700), "{found}");
        assert_eq!(found["speed"][1]["nodes"], 2 * (1000 + 200), "{found}");
    }
}
