//! `harness/docs/export.md`: the columns that it lists, and its recipes, which print what the page says.
//! A recipe whose package is not installed is left out: `.ci/run` installs pandas, `scripts/recipes.sh` all.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::verdict::verdict;
use harness::export::tables::Table;
use strum::IntoEnumIterator as _;

const PAGE: &str = include_str!("../docs/export.md");

#[test]
fn the_page_lists_the_columns() {
    for table in Table::iter() {
        let (_, section) = PAGE.split_once(&format!("### {}", table.as_str())).unwrap();
        let section = section.split("\n#").next().unwrap();
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        let expected: Vec<String> = table
            .columns()
            .iter()
            .map(|it| format!("| `{}` | {} | {} |", it.name, it.kind.as_str(), it.meaning))
            .collect();
        assert_eq!(rows.collect::<Vec<_>>(), expected, "{}", table.as_str());
    }
}

/// A recipe and what it prints.
struct Recipe {
    package: &'static str,
    code: &'static str,
    output: &'static str,
}

fn recipes() -> Vec<Recipe> {
    let blocks = PAGE.split("```python\n").skip(1).map(|rest| {
        let (code, rest) = rest.split_once("```\n").unwrap();
        let (_, rest) = rest.split_once("```text\n").unwrap();
        let (output, _) = rest.split_once("```").unwrap();
        let import = code.lines().rfind(|line| line.starts_with("import ")).unwrap();
        Recipe { package: import.strip_prefix("import ").unwrap(), code, output }
    });
    blocks.collect()
}

/// The Pythons that may have the packages. Those who want every recipe to run name one that has them all.
fn pythons() -> (Vec<String>, bool) {
    match std::env::var("RECIPES_PYTHON") {
        Ok(python) => (vec![python], true),
        // The system's packages are those of the system's Python, which need not be the first.
        Err(_) => (["python3", "/usr/bin/python3"].map(str::to_owned).into(), false),
    }
}

/// The folder that the page's commands are given in: results/NAME is the recorded run, and tables its
/// tables.
fn place() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recipes_run");
    let run = dir.path().join("results/NAME");
    fs::create_dir_all(&run).unwrap();
    fs::copy(recorded.join("run.json"), run.join("run.json")).unwrap();
    let packed = fs::read(recorded.join("games.jsonl.zst")).unwrap();
    fs::write(run.join("games.jsonl"), zstd::decode_all(&packed[..]).unwrap()).unwrap();
    let exported = verdict(dir.path(), "export @results/NAME --as csv --out @tables");
    assert_eq!(exported.status.code(), Some(0), "{exported:?}");
    dir
}

#[test]
fn recipes_print_what_the_page_says() {
    let recipes = recipes();
    let packages: Vec<&str> = recipes.iter().map(|recipe| recipe.package).collect();
    assert_eq!(packages, ["duckdb", "pandas", "polars"]);
    let dir = place();
    let (pythons, is_strict) = pythons();
    for Recipe { package, code, output } in recipes {
        let run = |python: &String, code: &str| {
            Command::new(python).args(["-c", code]).current_dir(dir.path()).output()
        };
        let has = |python: &&String| {
            run(python, &format!("import {package}")).is_ok_and(|it| it.status.success())
        };
        let python = match pythons.iter().find(has) {
            Some(python) => python,
            None if is_strict => &pythons[0],
            None => {
                eprintln!("not run: {pythons:?}: no {package}; scripts/recipes.sh installs it");
                continue;
            }
        };
        let ran = run(python, code).unwrap();
        assert!(ran.status.success(), "{package}: {}", String::from_utf8_lossy(&ran.stderr));
        assert_eq!(String::from_utf8(ran.stdout).unwrap(), output, "{package}");
    }
}
