//! Engines at the end of a run: they are told to quit, and have time for it.

use std::path::PathBuf;

use super::Place;
use crate::common::script::script;

impl Place {
    /// An engine that takes its time after `quit` and leaves a file then: its spec, and the file.
    fn thorough(&self, name: &str) -> (String, PathBuf) {
        let (program, saved) = (self.path(name), self.path(&format!("{name}.saved")));
        let engine = env!("CARGO_BIN_EXE_scoundrel");
        script(&program, &format!("{engine}\nsleep 0.3\n: > '{}'", saved.display()));
        (format!("uci:{}", program.display()), saved)
    }
}

#[test]
fn a_run_that_ends_by_its_plan_lets_engines_quit() {
    let place = Place::new();
    let [(base, base_saved), (test, test_saved)] = ["base", "test"].map(|n| place.thorough(n));
    let plan = "--pairs 1 --nodes 100 --max-moves 5";
    let played = place.play("run", &format!("{plan} --base {base} --test {test}")).decided();
    assert!(base_saved.exists() && test_saved.exists(), "{}", played.stderr);
}
