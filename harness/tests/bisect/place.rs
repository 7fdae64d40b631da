//! A repository of a toy engine: a script that says its bench, and plays as mutineer with the nodes
//! that it is given, or with fewer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) struct Place(pub(crate) TempDir);

/// What a commit makes of the engine.
#[derive(Clone, Copy, Default)]
pub(crate) struct Version {
    pub(crate) bench: Option<u64>,
    /// Nodes that it searches, whatever it is told.
    pub(crate) nodes: Option<u32>,
    pub(crate) is_broken: bool,
}

/// A version that plays as it should.
pub(crate) fn sound(bench: u64) -> Version {
    Version { bench: Some(bench), ..Version::default() }
}

/// One that searches far less.
pub(crate) fn weak(bench: u64) -> Version {
    Version { nodes: Some(2), ..sound(bench) }
}

pub(crate) fn broken() -> Version {
    Version { is_broken: true, ..Version::default() }
}

pub(crate) const BUILD: &str = "[ ! -e broken ] && cp engine.sh toy && chmod +x toy";

impl Place {
    /// A repository with these commits behind a first one, which is tagged `v1`.
    pub(crate) fn new(versions: &[Version]) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        fs::create_dir(place.repo()).unwrap();
        place.git("init --quiet --initial-branch=main");
        place.commit(&sound(1000), "first");
        place.git("tag v1");
        for (number, version) in (1..).zip(versions) {
            place.commit(version, &format!("change-{number}"));
        }
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.path("repo")
    }

    pub(crate) fn git(&self, words: &str) -> String {
        let mut git = Command::new("git");
        git.arg("-C").arg(self.repo());
        git.args(["-c", "user.name=Nobody", "-c", "user.email=nobody@localhost"]);
        let output = git.args(words.split(' ')).output().unwrap();
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn commit(&self, version: &Version, subject: &str) {
        let engine = env!("CARGO_BIN_EXE_mutineer_process");
        let bench =
            version.bench.map_or(":".to_owned(), |nodes| format!("echo '{nodes} nodes 7 nps'"));
        let play = match version.nodes {
            Some(nodes) => format!("sed -u 's/go nodes .*/go nodes {nodes}/' | {engine}"),
            None => format!("exec {engine}"),
        };
        let script = format!(
            "#!/bin/sh\n# {subject}\nif [ \"$1\" = bench ]; then {bench}; exit; fi\n{play}\n"
        );
        fs::write(self.repo().join("engine.sh"), script).unwrap();
        let mark = self.repo().join("broken");
        let _ = fs::remove_file(&mark);
        if version.is_broken {
            fs::write(mark, "").unwrap();
        }
        self.git("add -A");
        self.git(&format!("commit --quiet -m {subject}"));
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        command.env("VERDICT_CACHE", self.path("cache")).current_dir(self.0.path()).args(words);
        command
    }

    /// The words of a bisection of this repository into a folder.
    pub(crate) fn words<'a>(&self, build: &'a str, out: &'a str, more: &'a str) -> Vec<&'a str> {
        let mut words = vec!["bisect", "--good", "v1", "--bad", "main", "--repo", "repo"];
        words.extend(["--build", build, "--binary", "toy", "--out", out]);
        let short = "--nodes 30 --max-moves 40 --resign movecount=1,score=200 --quiet";
        words.extend(short.split(' '));
        let more = if more.is_empty() { "--elo 50 --pairs 100" } else { more };
        words.extend(more.split_whitespace());
        words
    }

    pub(crate) fn bisect(&self, build: &str, out: &str, more: &str) -> Output {
        self.command(&self.words(build, out, more)).output().unwrap()
    }

    pub(crate) fn summary(&self, out: &str) -> Value {
        read(&self.path(out).join("summary.json"))
    }
}

pub(crate) fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
