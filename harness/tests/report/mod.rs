//! `report.html`: what stands on it, and that nothing breaks it.

mod faulty;
mod markup;
mod match_;
mod rules;
mod several;

use std::path::{Path, PathBuf};

use arena::record::{GameRecord, Journal, RunFile};
use arena::report::render;
use serde_json::json;
use tempfile::TempDir;

use markup::Markup;

/// A run's folder with these games, in this order, under this rule.
fn folder(place: &TempDir, name: &str, run: &RunFile, games: &[GameRecord]) -> PathBuf {
    let dir = place.path().join(name);
    let mut journal = Journal::create(&dir).unwrap();
    games.iter().for_each(|game| journal.append(&[game]).unwrap());
    journal.close().unwrap();
    run.write(&dir).unwrap();
    dir
}

/// A run of so many pairs at most under that rule.
fn run_file(rule: &str, pairs: u64) -> RunFile {
    let mut run = crate::common::samples::run_file();
    run.plan = json!({"rule": rule, "pairs": pairs, "hash": "256KiB"});
    run.created = "2026-01-31T12:00:00Z".to_owned();
    run
}

/// The page of one run, after everything that must hold of any page has been asked of it.
fn page(dir: &Path) -> Markup {
    pages(&[dir.to_owned()])
}

fn pages(dirs: &[PathBuf]) -> Markup {
    let page = render(dirs, &[]).unwrap();
    assert_eq!(page, render(dirs, &[]).unwrap(), "not the same twice");
    Markup::checked(page)
}
