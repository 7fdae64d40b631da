//! Files of other tools: what came in goes out, with the tuned values in it.

use std::fs;

use serde_json::Value;

use super::{engine, json, told};

#[test]
fn what_is_tuned_is_written_in_the_form_that_came() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    let steps = r#"{"Aim": {"value": 30, "min_value": 0, "max_value": 100, "step": 12}}"#;
    let ranges = r#"{"engines": [{"command": "engine", "fixed_parameters": {"Threads": 1}}],
                     "parameter_ranges": {"Aim": "Integer(0, 100)", "Care": "Real(0.1, 0.9)"}}"#;
    for (name, text) in [
        (
            "openbench",
            "# two\nAim , int, 30, 0, 100, 9.50, 0.0200\nCare, float, 0.20, 0.0, 1.0, 0.08, 0.02 # x\n",
        ),
        ("fishtest", "Aim,30,0,100,9.5,0.02\n"),
        ("weather-factory", steps),
        ("chess-tuning-tools", ranges),
    ] {
        fs::write(here.join(name), text).unwrap();
        let found = told(
            here,
            &format!(
                "tune spsa --base @engine,Style=Sharp --params @{name} --pairs 8 --batch 2 --confirm none \
                 --out @t-{name}"
            ),
        );
        let out = here.join(format!("t-{name}"));
        let tuned = json(&out.join("tuned.json"));
        let aim = found["parameters"][0]["tuned"].as_f64().unwrap();
        assert_eq!(tuned["Aim"].as_f64(), Some(aim), "{name}");
        let setoption = fs::read_to_string(out.join("setoption.txt")).unwrap();
        assert!(setoption.starts_with(&format!("setoption name Aim value {aim}\n")), "{setoption}");
        let table = fs::read_to_string(out.join("tuned.md")).unwrap();
        assert!(table.contains(&format!("| `Aim` | 20 | {aim} | 0 to 100 |")), "{table}");
        let file = |name: &str| fs::read_to_string(out.join(name)).unwrap();
        match name {
            "openbench" => {
                let care = found["parameters"][1]["tuned"].as_f64().unwrap();
                let expected = format!(
                    "# two\nAim , int, {aim}, 0, 100, 9.50, 0.0200\nCare, float, {care:.4}, 0.0, 1.0, 0.08, 0.02 # x\n"
                );
                assert_eq!(file("tuned-params.txt"), expected);
            }
            "fishtest" => {
                assert_eq!(file("tuned-params.txt"), format!("Aim,{aim},0,100,9.5,0.02\n"))
            }
            "weather-factory" => {
                let written = json(&out.join("tuned-params.json"));
                assert_eq!(written["Aim"]["value"].as_f64(), Some(aim));
                assert_eq!(written["Aim"]["step"], 12);
            }
            _ => {
                let written = json(&out.join("tuned-params.json"));
                let fixed = &written["engines"][0]["fixed_parameters"];
                assert_eq!(
                    (fixed["Threads"].as_i64(), fixed["Aim"].as_f64()),
                    (Some(1), Some(aim))
                );
                assert_eq!(written["parameter_ranges"]["Care"], "Real(0.1, 0.9)");
            }
        }
    }
}

/// The same files say where CLOP searches, and what is swept.
#[test]
fn clop_and_sweeps_read_them_too() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    fs::write(here.join("lines"), "Aim, int, 30, 20, 60, 10, 0.002\n").unwrap();
    let found = told(
        here,
        "tune clop --params @lines --base @engine --pairs 6 --batch 2 --confirm none --out @t",
    );
    assert_eq!(found["parameters"][0]["name"], "Aim");
    assert_eq!(json(&here.join("t/clop.json"))["axes"], serde_json::json!(["Aim=20..60"]));
    assert!(fs::read_to_string(here.join("t/tuned-params.txt")).unwrap().starts_with("Aim, int, "));
    let list = r#"{"Style": "('Sharp', 'Wild')", "Care": "Real(0.1, 1.6, prior=log-uniform)"}"#;
    fs::write(here.join("list"), list).unwrap();
    told(here, "sweep --params @list --lines --base @engine --pairs 2 --confirm none --out @s");
    let file = json(&here.join("s/sweep.json"));
    let names: Vec<&str> = file["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|candidate: &Value| candidate["name"].as_str().unwrap())
        .collect();
    assert_eq!(names[..2], ["Style=Sharp", "Style=Wild"]);
    // The third of nine is the start, 0.2.
    assert_eq!((names.len(), names[2]), (10, "Care=0.1"));
}
