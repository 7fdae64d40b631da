//! A base that is built from a commit, and whose build is gone when the run is resumed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::{QUICK, json};

/// Runs in the repository; `@` stands for the place, `~` for a blank.
fn run(here: &Path, program: &str, words: &str) -> Output {
    let place = format!("{}/", here.display());
    let words = words.split_whitespace().map(|word| word.replace('@', &place).replace('~', " "));
    let mut command = Command::new(program);
    command.args(words).current_dir(here.join("repo")).env("VERDICT_CACHE", here.join("cache"));
    command.output().unwrap()
}

#[test]
fn a_build_that_is_gone_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::create_dir(here.join("repo")).unwrap();
    let script = format!("#!/bin/sh\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_dials"));
    fs::write(here.join("repo/engine.sh"), script).unwrap();
    let author = "-c user.name=nobody -c user.email=nobody-at-localhost";
    for words in ["init --quiet", "add engine.sh", &format!("{author} commit --quiet -m one")] {
        let output = run(here, "git", words);
        assert!(output.status.success(), "{output:?}");
    }
    let verdict = |words: &str| run(here, env!("CARGO_BIN_EXE_verdict"), words);
    for (method, manifest) in
        [("tune spsa --param Aim:10:0.1", "spsa.json"), ("sweep Aim=30,50", "sweep.json")]
    {
        let words = format!(
            "{method} --base git:HEAD,Style=Sharp --build cp~engine.sh~engine&&chmod~+x~engine \
             --binary engine --pairs 6 --confirm-pairs 2 {QUICK} --out @t"
        );
        let output = verdict(&words);
        assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
        assert!(json(&here.join("t").join(manifest))["plan"]["base_build"]["commit"].is_string());
        // As after a kill before the confirmation match, with the build pruned since.
        fs::remove_dir_all(here.join("t/confirm")).unwrap();
        let output = verdict("builds prune --all");
        assert!(output.status.success(), "{output:?}");
        let rest = verdict("resume @t --quiet");
        assert!(matches!(rest.status.code(), Some(0..=2)), "{rest:?}");
        fs::remove_dir_all(here.join("t")).unwrap();
    }
}
