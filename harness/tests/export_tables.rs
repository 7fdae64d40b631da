//! `verdict export --as csv` and `--as parquet`: games, pairs and moves as tables.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::script::script;
use crate::common::verdict::verdict;
use arena::record::{Games, Summary};

/// A recorded run of three pairs: one is won by whoever has White, one by whoever has Black, one is
/// drawn. A player's name has commas and quotes.
fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tables_run")
}

/// Rows of a table by column, read as RFC 4180 has it; `None` is an empty field without quotes.
struct Rows {
    columns: Vec<String>,
    rows: Vec<Vec<Option<String>>>,
}

impl Rows {
    fn read(text: &str) -> Rows {
        let mut rows: Vec<Vec<Option<String>>> = vec![vec![]];
        let mut rest = text;
        while !rest.is_empty() {
            let mut field = None;
            while let Some(quoted) = rest.strip_prefix('"') {
                let (inside, after) = quoted.split_once('"').unwrap();
                let field: &mut String = field.get_or_insert_default();
                field.push_str(inside);
                rest = after;
                if rest.starts_with('"') {
                    field.push('"');
                }
            }
            let end = rest.find([',', '\n']).unwrap();
            if end > 0 {
                field.get_or_insert_default().push_str(&rest[..end]);
            }
            rows.last_mut().unwrap().push(field);
            if rest[end..].starts_with('\n') {
                rows.push(vec![]);
            }
            rest = &rest[end + 1..];
        }
        assert_eq!(rows.pop(), Some(vec![]), "the last row has its line end");
        let columns: Vec<String> = rows.remove(0).into_iter().map(Option::unwrap).collect();
        assert!(rows.iter().all(|row| row.len() == columns.len()), "{text}");
        Rows { columns, rows }
    }

    fn of(path: PathBuf) -> Rows {
        Rows::read(&fs::read_to_string(path).unwrap())
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    /// The fields of these columns, row by row; nothing is an empty text.
    fn pick<const N: usize>(&self, names: [&str; N]) -> impl Iterator<Item = [&str; N]> {
        let at =
            names.map(|name| self.columns.iter().position(|column| column == name).expect(name));
        self.rows.iter().map(move |row| at.map(|at| row[at].as_deref().unwrap_or_default()))
    }

    fn count(&self, column: &str, value: &str) -> usize {
        self.pick([column]).filter(|[found]| *found == value).count()
    }
}

fn tables(folder: &Path) -> [Rows; 3] {
    ["games", "pairs", "moves"].map(|table| Rows::of(folder.join(format!("{table}.csv"))))
}

fn number(text: &str) -> i64 {
    text.parse().unwrap()
}

#[test]
fn a_recorded_run_as_csv() {
    let dir = tempfile::tempdir().unwrap();
    let words = format!("export {} --as csv --out @tables", recorded().display());
    let exported = verdict(dir.path(), &words);
    assert_eq!(exported.status.code(), Some(0), "{exported:?}");
    for table in ["games", "pairs", "moves"] {
        let file = format!("{table}.csv");
        let written = fs::read_to_string(dir.path().join("tables").join(&file)).unwrap();
        let expected = fs::read_to_string(recorded().join(&file)).unwrap();
        assert_eq!(written, expected, "{file}");
        let one = format!("export {} --as csv --table {table}", recorded().display());
        let printed = verdict(dir.path(), &one);
        assert_eq!(String::from_utf8(printed.stdout).unwrap(), expected, "{file}");
    }
}

/// Sums of the moves are what the journal has of the games, and pairs are made of their games.
#[test]
fn the_tables_add_up() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let book = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"?\"]\n\n1. d4 *\n\n[Event \"?\"]\n\n1. c4 c5 *\n";
    fs::write(here.join("book.pgn"), book).unwrap();
    let words =
        "match --nodes 60 --pairs 3 --max-moves 30 --book @book.pgn --details --quiet --out @run";
    assert!(verdict(here, words).status.code().is_some_and(|code| code <= 2));
    assert_eq!(verdict(here, "export @run --as csv --out @tables").status.code(), Some(0));
    let [games, pairs, moves] = tables(&here.join("tables"));
    let journal: BTreeMap<u64, _> = Games::open(&here.join("run"))
        .unwrap()
        .map(|game| game.unwrap())
        .map(|game| (game.game, game))
        .collect();
    assert_eq!((games.len(), pairs.len(), journal.len()), (6, 3, 6));

    for [number_of, plies, book, white_nodes, black_nodes, white_us, black_us] in games.pick([
        "game",
        "plies",
        "book_plies",
        "white_nodes",
        "black_nodes",
        "white_time_us",
        "black_time_us",
    ]) {
        let record = &journal[&(number(number_of) as u64)];
        assert_eq!([number(white_nodes), number(black_nodes)], record.nodes.map(|n| n as i64));
        let own = moves.pick(["game", "color", "is_book", "nodes", "time_us", "move", "pv"]);
        let own: Vec<_> = own.filter(|[game, ..]| *game == number_of).collect();
        assert_eq!(own.len() as i64, number(plies));
        let sum = |color: &str, at: usize| -> i64 {
            let of_color = own.iter().filter(|row| row[1] == color && row[2] == "false");
            of_color.map(|row| number(row[at])).sum()
        };
        assert_eq!([sum("white", 3), sum("black", 3)], [number(white_nodes), number(black_nodes)]);
        assert_eq!([sum("white", 4), sum("black", 4)], [number(white_us), number(black_us)]);
        let of_book: Vec<_> = own.iter().filter(|row| row[2] == "true").collect();
        assert_eq!(of_book.len() as i64, number(book));
        assert!(of_book.iter().all(|row| row[3].is_empty() && row[4].is_empty()));
        let uci: Vec<&str> = own.iter().map(|row| row[5]).collect();
        assert_eq!(uci.join(" "), record.moves);
        assert!(
            own.iter().any(|row| row[6].starts_with(row[5])),
            "a variation begins with its move"
        );
    }
    assert!(games.pick(["book_plies"]).any(|[plies]| plies == "3"));
    for [pair, score, ptnml, plies] in pairs.pick(["pair", "score", "ptnml", "plies"]) {
        let own: Vec<_> = games
            .pick(["pair", "test_score", "plies"])
            .filter(|[own, ..]| *own == pair)
            .map(|[_, score, plies]| (score.parse::<f64>().unwrap(), number(plies)))
            .collect();
        let sum: f64 = own.iter().map(|(score, _)| score).sum();
        assert_eq!(score.parse::<f64>().unwrap(), sum);
        assert_eq!(number(ptnml) as f64, 2.0 * sum);
        assert_eq!(number(plies), own.iter().map(|(_, plies)| plies).sum::<i64>());
    }
    let summary = Summary::read(&here.join("run")).unwrap();
    assert_eq!(pairs.count("pair_status", "counted") as u64, summary.twins.effective_pairs);
}

/// Runs that are not whole, and pairs that say nothing: each is there, and its status says what it is.
#[test]
fn the_status_of_pairs() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    // Equal players from two openings: later pairs repeat the first two.
    let two = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/4p3/8/8/8/8/8/4K3 w - - 0 1\n";
    fs::write(here.join("two.epd"), two).unwrap();
    let words = "match --test embedded --base embedded --nodes 30 --pairs 4 --max-moves 4 --book @two.epd \
                 --slots 1 --quiet --out @run";
    assert!(verdict(here, words).status.code().is_some_and(|code| code <= 2));
    let pairs = |name: &str| {
        let printed = verdict(here, &format!("export @{name} --as csv --table pairs"));
        assert_eq!(printed.status.code(), Some(0), "{printed:?}");
        Rows::read(&String::from_utf8(printed.stdout).unwrap())
    };
    let whole = pairs("run");
    assert_eq!(
        (whole.count("pair_status", "counted"), whole.count("pair_status", "repeated")),
        (2, 2)
    );

    // A journal without one line in the middle and torn at its end, as after kills.
    fs::create_dir(here.join("part")).unwrap();
    fs::copy(here.join("run/run.json"), here.join("part/run.json")).unwrap();
    let journal = fs::read_to_string(here.join("run/games.jsonl")).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    let second = lines.iter().position(|line| line.starts_with("{\"game\":2,")).unwrap();
    let mut kept: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    kept.remove(second);
    let torn = kept.last().unwrap().len() / 2;
    kept.last_mut().unwrap().truncate(torn);
    fs::write(here.join("part/games.jsonl"), kept.concat()).unwrap();
    let part = pairs("part");
    let statuses: BTreeMap<&str, &str> =
        part.pick(["pair", "pair_status"]).map(|[pair, status]| (pair, status)).collect();
    assert_eq!(statuses["0"], "counted");
    assert_eq!(statuses["1"], "incomplete");
    assert!(statuses.values().filter(|status| **status == "beyond").count() >= 1, "{statuses:?}");
    for [status, score, ptnml] in part.pick(["pair_status", "score", "ptnml"]) {
        let is_incomplete = status == "incomplete";
        assert_eq!([score.is_empty(), ptnml.is_empty()], [is_incomplete; 2], "{status}");
    }
}

/// Faults are told in the words of programs, which may hold anything.
#[test]
fn faults_and_odd_names() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let scoundrel = env!("CARGO_BIN_EXE_scoundrel");
    script(&here.join("odd, \"name\""), &format!("exec {scoundrel} exit-in-search:1"));
    let output = Command::new(env!("CARGO_BIN_EXE_verdict"))
        .args(["match", "--base", &format!("uci:{scoundrel}"), "--test"])
        .arg(format!("uci:{}", here.join("odd\\, \"name\"").display()))
        .args(["--test-name", "a, \"b\"\nc", "--pairs", "1", "--nodes", "10", "--max-moves", "9"])
        .args(["--quiet", "--max-faults", "off", "--out"])
        .arg(here.join("run"))
        .output()
        .unwrap();
    assert!(output.status.code().is_some_and(|code| code <= 3), "{output:?}");
    assert_eq!(verdict(here, "export @run --as csv --out @tables").status.code(), Some(0));
    let [games, pairs, _] = tables(&here.join("tables"));
    assert_eq!((games.len(), pairs.len()), (2, 1));
    let journal: Vec<_> = Games::open(&here.join("run")).unwrap().map(Result::unwrap).collect();
    for ([fault, charged, detail, score], record) in
        games.pick(["is_fault", "charged", "detail", "test_score"]).zip(&journal)
    {
        assert_eq!([fault, charged, score], ["true", "test", "0.0"]);
        assert_eq!(detail, record.detail.as_deref().unwrap());
    }
    for [name] in pairs.pick(["test"]) {
        assert!(name.contains("a, \"b\"") && name.contains('c'), "{name}");
    }
}

/// The runs of a folder stand in one table, each by its own name.
#[test]
fn several_runs_in_one_table() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let words = "tournament --player embedded --player embedded:rebel --player embedded:prodeo \
                 --pairs 1 --nodes 30 --max-moves 5 --quiet --out @cup";
    assert_eq!(verdict(here, words).status.code(), Some(0));
    let words =
        format!("export @cup {} --as csv --table games,pairs --out @tables", recorded().display());
    assert_eq!(verdict(here, &words).status.code(), Some(0));
    let games = Rows::of(here.join("tables/games.csv"));
    let runs: BTreeMap<&str, usize> =
        games.pick(["run"]).fold(BTreeMap::new(), |mut runs, [run]| {
            *runs.entry(run).or_default() += 1;
            runs
        });
    assert_eq!(runs.len(), 4, "{runs:?}");
    assert_eq!(runs["tables_run"], 6);
    assert!(runs.values().sum::<usize>() == 12, "{runs:?}");
    assert_eq!(Rows::of(here.join("tables/pairs.csv")).len(), 6);
    assert!(!here.join("tables/moves.csv").exists());
}

#[test]
fn what_cannot_be_a_table() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let run = recorded().display().to_string();
    fs::write(here.join("old"), "mine").unwrap();
    fs::create_dir(here.join("full")).unwrap();
    fs::write(here.join("full/games.csv"), "mine").unwrap();
    for (words, told) in [
        (format!("export {run} --as csv"), "--out DIR"),
        (format!("export {run} --as csv --out @old"), "no new or empty folder"),
        (format!("export {run} --as csv --out @full"), "no new or empty folder"),
        (format!("export {run} --as csv --table games --out @old"), "exists already"),
        (format!("export {run} --as pgn --table games"), "--as csv"),
        (format!("export {run} --as csv --table game --out @new"), "games"),
        (format!("export {run} --as csv --quiet-only --out @new"), "--as training"),
        (format!("export {run} {run} --as csv --out @new"), "given twice"),
    ] {
        let refused = verdict(here, &words);
        assert_eq!(refused.status.code(), Some(64), "{words}: {refused:?}");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains(told), "{words}: {said}");
    }
    assert_eq!(fs::read_to_string(here.join("old")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(here.join("full/games.csv")).unwrap(), "mine");
    let missing = verdict(here, "export @none --as csv --out @new");
    assert_eq!(missing.status.code(), Some(74), "{missing:?}");

    // Half a table is none.
    fs::create_dir(here.join("broken")).unwrap();
    fs::copy(recorded().join("run.json"), here.join("broken/run.json")).unwrap();
    let journal = fs::read_to_string(recorded().join("games.jsonl")).unwrap();
    let broken = journal.replacen("\"game\":3", "\"game\":\"x\"", 1);
    fs::write(here.join("broken/games.jsonl"), broken).unwrap();
    let failed = verdict(here, "export @broken --as csv --out @new");
    assert_eq!(failed.status.code(), Some(74), "{failed:?}");
    assert!(!here.join("new").exists(), "nothing of it is left behind");
}

mod parquet_files {
    use std::fs::File;

    use super::*;
    use ::parquet::basic::{LogicalType, Type as Physical};
    use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
    use ::parquet::record::Field;
    use harness::export::tables::{Cell, Table, TableFormat, begin};

    /// A field as CSV has it.
    fn in_csv(field: &Field, is_time: bool) -> Option<String> {
        match field {
            Field::Null => None,
            Field::Str(text) => Some(text.clone()),
            Field::Bool(flag) => Some(flag.to_string()),
            Field::Double(number) => Some(format!("{number:?}")),
            Field::Long(number) if !is_time => Some(number.to_string()),
            Field::TimestampMillis(at) => {
                let at = jiff::Timestamp::from_millisecond(*at).unwrap();
                Some(at.strftime("%FT%T.%3fZ").to_string())
            }
            other => panic!("no such kind: {other:?}"),
        }
    }

    #[test]
    fn parquet_has_what_csv_has() {
        let dir = tempfile::tempdir().unwrap();
        let here = dir.path();
        let words = "match --nodes 40 --pairs 2 --max-moves 9 --details --quiet --out @run";
        assert!(verdict(here, words).status.code().is_some_and(|code| code <= 2));
        for form in ["csv", "parquet"] {
            let words = format!("export @run {} --as {form} --out @{form}", recorded().display());
            let exported = verdict(here, &words);
            assert_eq!(exported.status.code(), Some(0), "{exported:?}");
        }
        for table in ["games", "pairs", "moves"] {
            let csv = Rows::of(here.join(format!("csv/{table}.csv")));
            let file = File::open(here.join(format!("parquet/{table}.parquet"))).unwrap();
            let reader = SerializedFileReader::new(file).unwrap();
            let schema = reader.metadata().file_metadata().schema_descr_ptr();
            let columns = schema.columns();
            let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
            assert_eq!(names, csv.columns);
            let mut rows = 0;
            for (row, expected) in reader.get_row_iter(None).unwrap().zip(&csv.rows) {
                let found: Vec<Option<String>> = row
                    .unwrap()
                    .get_column_iter()
                    .zip(columns)
                    .map(|((_, field), column)| {
                        let logical = column.logical_type_ref();
                        in_csv(field, matches!(logical, Some(LogicalType::Timestamp { .. })))
                    })
                    .collect();
                assert_eq!(&found, expected, "{table}");
                rows += 1;
            }
            assert_eq!(rows, csv.len(), "{table}");
            let is_flag = |at: usize| columns[at].physical_type() == Physical::BOOLEAN;
            let flags = (0..columns.len()).filter(|at| is_flag(*at));
            assert!(flags.map(|at| names[at]).all(|name| name.starts_with("is_")), "{names:?}");
        }
    }

    #[test]
    fn a_table_needs_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let run = recorded().display().to_string();
        let refused = verdict(dir.path(), &format!("export {run} --as parquet --table games"));
        assert_eq!(refused.status.code(), Some(64), "{refused:?}");
        let one = format!("export {run} --as parquet --table games --out @g.parquet");
        assert_eq!(verdict(dir.path(), &one).status.code(), Some(0));
        let file = File::open(dir.path().join("g.parquet")).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        assert_eq!(reader.metadata().file_metadata().num_rows(), 6);
    }

    /// More rows than are held in memory.
    #[test]
    fn a_long_table_has_several_groups() {
        const ROWS: u64 = 70_000;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("moves.parquet");
        let mut file = File::create(&path).unwrap();
        let width = Table::Moves.columns().len();
        let mut sink = begin(Table::Moves, TableFormat::Parquet, &mut file).unwrap();
        for number in 0..ROWS {
            let mut row = vec![Cell::None; width];
            row[1] = number.into();
            sink.row(&row).unwrap();
        }
        sink.finish().unwrap();
        drop(sink);
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        assert_eq!(reader.num_row_groups(), 2);
        let rows = reader.get_row_iter(None).unwrap();
        let numbers = rows.map(|row| row.unwrap().get_column_iter().nth(1).unwrap().1.clone());
        assert!(numbers.eq((0..ROWS as i64).map(Field::Long)));
    }
}
