//! Options of any program, tuned and swept: `dials` has a known strength.

mod bad_input;
mod builds;
mod forms;
mod optimum;
mod resume;
mod told;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::common::script::script;
use crate::common::verdict::verdict;

/// Games that are over soon.
const QUICK: &str = "--depth 1 --max-moves 40 --resign movecount=1,score=250 --hang 20s --quiet";

/// The engine, as a program at `here/engine`, with these vices.
fn engine(here: &Path, vices: &str) -> PathBuf {
    let path = here.join("engine");
    script(&path, &format!("exec {} {vices} \"$@\"", env!("CARGO_BIN_EXE_dials")));
    path
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Runs with JSON as output; what was told.
fn told(here: &Path, words: &str) -> Value {
    let output = verdict(here, &format!("{words} {QUICK} --json"));
    assert!(matches!(output.status.code(), Some(0..=2)), "{words}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The lines of a tuner's parameters, with distances so that they move in few games.
fn lines(here: &Path) {
    let lines = "Aim, int, 20, 0, 100, 8, 0.03\nCare, float, 0.2, 0, 1, 0.08, 0.03\n";
    fs::write(here.join("lines"), lines).unwrap();
}
