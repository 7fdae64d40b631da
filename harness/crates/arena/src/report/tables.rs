//! The tables of a run.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::key_figures::time_losses;
use super::pace::Spent;
use super::run::RunResults;
use crate::record::{Charged, Identity, Side, Termination, limit_named, option_rows};
use charts::html::{Cell, Column, HtmlText, Table};
use charts::numbers::{count, duration, fixed, millis, percent_of, short};
use charts::svg::Svg;

/// Openings listed at either end of the table.
const OPENINGS_LISTED: usize = 20;
/// Test first, as Elo has it.
const SIDES: [Side; 2] = [Side::Test, Side::Base];

/// Test's score by opening, the best first; of many the best and the worst.
pub(super) fn openings(run: &RunResults) -> String {
    let all = run.openings.len();
    if all < 2 {
        return String::new();
    }
    let openings = run.openings.extremes(OPENINGS_LISTED);
    let label = match openings.len() == all {
        true => "Score of test by opening".to_owned(),
        false => format!(
            "Score of test by opening, the {OPENINGS_LISTED} best and the {OPENINGS_LISTED} worst of {}",
            count(all as u64)
        ),
    };
    let head = [
        ("Opening", Column::Number),
        ("Points", Column::Number),
        ("Ahead by", Column::Number),
        ("Position", Column::Long),
    ];
    let mut table = Table::new(&label, &head).sortable();
    for opening in openings {
        let half = |half_points: f64| {
            let points = fixed(half_points / 2.0, 1);
            points.trim_end_matches(".0").to_owned()
        };
        let (points, lead) = (opening.half_points as f64, opening.lead() as f64);
        let sign = if lead > 0.0 { "+" } else { "" };
        table.row([
            Cell::html(opening.index.to_string()),
            Cell::keyed(
                format!("{} of {}", half(points), count(2 * opening.pairs)),
                Some(points / opening.pairs as f64),
            ),
            Cell::keyed(format!("{sign}{}", half(lead)), Some(lead)),
            Cell::html(format!("<code>{}</code>", HtmlText(&opening.start))),
        ]);
    }
    table.render()
}

/// What each machine of a fleet has played.
pub(super) fn machines(run: &RunResults) -> String {
    let workers = run.fleet().map(|fleet| fleet.workers).unwrap_or_default();
    if workers.is_empty() {
        return String::new();
    }
    let head = [
        ("Machine", Column::Long),
        ("Games", Column::Number),
        ("Pairs lost", Column::Number),
        ("drawn", Column::Number),
        ("won", Column::Number),
        ("χ²", Column::Number),
        ("p", Column::Number),
        ("Time losses", Column::Number),
        ("Plies a game", Column::Number),
    ];
    let cell = |value: Option<f64>, digits| {
        Cell::keyed(value.map_or("–".to_owned(), |value| fixed(value, digits)), value)
    };
    let mut table = Table::new("Machines, and how far they are from all others", &head).sortable();
    for worker in &workers {
        let [lost, drawn, won] = worker.pairs.map(Cell::count);
        table.row([
            Cell::text(worker.name()),
            Cell::count(worker.games),
            lost,
            drawn,
            won,
            cell(worker.chi2, 1),
            cell(worker.p, 3),
            Cell::count(worker.time_losses),
            cell(Some(worker.average_plies), 1),
        ]);
    }
    table.render()
}

pub(super) fn ends(run: &RunResults) -> String {
    let counts = &run.tally.counts;
    let games = counts.games();
    if games == 0 {
        return String::new();
    }
    let head = [
        ("End", Column::Text),
        ("Games", Column::Number),
        ("Share", Column::Number),
        ("", Column::Drawing),
    ];
    let mut table = Table::new("How games ended", &head).sortable();
    let mut ends: Vec<(&String, u64)> =
        counts.terminations.iter().map(|(end, &games)| (end, games)).collect();
    ends.sort_by_key(|&(end, games)| (std::cmp::Reverse(games), end));
    for (end, ended) in ends {
        let is_fault = serde_json::from_value::<Termination>(Value::String(end.clone()))
            .is_ok_and(Termination::is_fault);
        let fault = if is_fault { " <em>fault</em>" } else { "" };
        let mut drawing = Svg::small(10.0);
        drawing.bar("plain", [0.0, ended as f64 / games as f64], [0.0, 10.0], "");
        table.row([
            Cell::html(format!("{}{fault}", HtmlText(&end.replace('-', " ")))),
            Cell::count(ended),
            Cell::keyed(percent_of(ended, games), Some(ended as f64)),
            Cell::html(drawing.finish()),
        ]);
    }
    table.render()
}

/// By kind, and the first of them one by one.
pub(super) fn faults(run: &RunResults) -> String {
    let faults = &run.tally.faults;
    if faults.total == 0 {
        return String::new();
    }
    let head = [
        ("Fault", Column::Text),
        ("test", Column::Number),
        ("base", Column::Number),
        ("harness", Column::Number),
    ];
    let mut table =
        Table::new("Faults of all recorded games, by the side at fault", &head).sortable();
    let sides = [&faults.test, &faults.base, &faults.harness];
    let kinds: BTreeSet<&String> = sides.iter().flat_map(|side| side.keys()).collect();
    for kind in kinds {
        let number =
            |side: &BTreeMap<String, u64>| Cell::count(side.get(kind).copied().unwrap_or(0));
        let [test, base, harness] = sides.map(number);
        table.row([Cell::text(&kind.replace('-', " ")), test, base, harness]);
    }
    let mut out = table.render();
    let head = [
        ("Game", Column::Number),
        ("Fault", Column::Text),
        ("By", Column::Text),
        ("What happened", Column::Long),
    ];
    let mut table = Table::new("The first faults", &head).sortable();
    for (game, fault) in &run.faults {
        let charged = match fault.charged {
            Charged::Player(side) => side.to_string(),
            Charged::Harness => "harness".to_owned(),
        };
        table.row([
            Cell::html(game.to_string()),
            Cell::text(&fault.termination.as_str().replace('-', " ")),
            Cell::html(charged),
            Cell::text(&fault.detail),
        ]);
    }
    out.push_str(&table.render());
    out
}

pub(super) fn time_use(run: &RunResults) -> String {
    let head = [("", Column::Text), ("test", Column::Number), ("base", Column::Number)];
    let mut table = Table::new("Time use in all recorded games", &head);
    let mut row = |name: &str, show: &dyn Fn(Side) -> Option<String>| {
        let [test, base] = SIDES.map(|side| Cell::html(show(side).unwrap_or("–".to_owned())));
        table.row([Cell::text(name), test, base]);
    };
    let recorded = run.tally.recorded_games();
    if recorded == 0 {
        return String::new();
    }
    let seconds = |side: Side| run.tally.thinking[side as usize].as_secs_f64();
    row("time a move", &|side| run.pace.mean(side, Spent::Millis).map(millis));
    row("nodes a move", &|side| {
        run.pace.mean(side, Spent::Nodes).map(|nodes| count(nodes.round() as u64))
    });
    row("nodes a second", &|side| {
        let (nodes, seconds) = (run.tally.nodes[side as usize], seconds(side));
        (seconds > 0.0 && nodes > 0).then(|| short(nodes as f64 / seconds))
    });
    row("thinking time", &|side| {
        let seconds = seconds(side);
        (seconds > 0.0).then(|| duration(seconds))
    });
    row("games lost on time", &|side| {
        let lost = time_losses(run, side);
        Some(format!("{} ({})", count(lost), percent_of(lost, recorded)))
    });
    table.render()
}

pub(super) fn players(run: &RunResults) -> String {
    let head = [("", Column::Long), ("test", Column::Long), ("base", Column::Long)];
    let mut table = Table::new("Players", &head);
    let of = |side: Side| run.file.identity(side);
    let mut row = |name: &str, show: &dyn Fn(&Identity) -> Option<String>| {
        let [test, base] = SIDES.map(|side| {
            let value = show(of(side)).filter(|value| !value.is_empty());
            Cell::text(value.as_deref().unwrap_or("–"))
        });
        table.row([Cell::text(name), test, base]);
    };
    row("given as", &|player| Some(player.spec.clone()));
    row("name", &|player| Some(player.name.clone()));
    row("limit", &|player| Some(limit_named(&player.limit)));
    row("commit", &|player| player.commit.clone());
    row("build (sha256)", &|player| player.build.clone());
    row("bench", &|player| player.bench.map(count));
    let players = SIDES.map(of);
    let [test, base] = players.map(|player| &player.options);
    let is_different = |name: &str| test.get(name) != base.get(name);
    for (name, [test, base]) in option_rows(players, is_different) {
        let [test, base] =
            [test, base].map(|text| if text.is_empty() { "–".to_owned() } else { text });
        table.row([name, test, base].map(|text| Cell::text(&text)));
    }
    let equal = test.keys().filter(|name| !is_different(name)).count() as u64;
    if equal > 0 {
        let equal_text = format!("{}, see run.json", count(equal));
        table.row(["equal options of both", &equal_text, &equal_text].map(Cell::text));
    }
    table.render()
}

pub(super) fn conditions(run: &RunResults) -> String {
    let head = [("Condition", Column::Long), ("Value", Column::Long)];
    let mut table = Table::new("Conditions", &head);
    let file = &run.file;
    let mut row = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            table.row([Cell::text(name), Cell::text(&value)]);
        }
    };
    row("rule", Some(run.terms.rule.to_string()));
    row(
        "book",
        file.book.as_ref().map(|book| format!("{}, {} openings", book.path, count(book.openings))),
    );
    row("book (sha256)", file.book.as_ref().map(|book| book.sha256.clone()));
    row("openings played", Some(count(run.tally.counts.openings)));
    let passed_over = run.tally.counts.passed_over;
    row("bad entries skipped", (passed_over > 0).then(|| count(passed_over)));
    row("seed", Some(file.seed.to_string()));
    if let Value::Object(plan) = &file.plan {
        let shown = ["base", "test", "rule", "book", "seed"];
        let scalars = plan.iter().filter(|(key, value)| {
            !shown.contains(&key.as_str())
                && !matches!(value, Value::Object(_) | Value::Array(_) | Value::Null)
        });
        for (key, value) in scalars {
            row(&key.replace('_', " "), Some(plain(value)));
        }
        for (key, value) in
            plan.get("adjudication").and_then(Value::as_object).into_iter().flatten()
        {
            row(&format!("adjudication: {}", key.replace('_', " ")), Some(plain(value)));
        }
    }
    row("started", Some(file.created.clone()));
    let active = run.tally.active().as_secs_f64();
    row("at work", (active > 0.0).then(|| duration(active)));
    let recorded = run.tally.recorded_games() as f64;
    row("games a second", (active > 0.0).then(|| fixed(recorded / active, 2)));
    row("processor", file.machine.cpu.clone());
    row("processors", file.machine.cores.map(|cores| cores.to_string()));
    row("system", file.machine.os.clone());
    row("verdict", Some(file.versions.verdict.clone()));
    table.render()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "off".to_owned(),
        Value::Object(map) => {
            let fields = map
                .iter()
                .map(|(key, value)| format!("{} {}", key.replace('_', " "), plain(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
