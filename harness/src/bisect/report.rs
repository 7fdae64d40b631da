//! `summary.md`, `summary.json` and `report.html` of a bisection.

use std::path::Path;

use serde_json::{Value, json};

use super::{BisectFile, Outcome, Row, RowState, Search, State};
use arena::record::{Manifest as _, RecordError, run_name, write_outcome};
use charts::bars::{Bar, Bars, Below};
use charts::curve::{Curve, Dot};
use charts::figure::{Figure, Key};
use charts::frame::whole;
use charts::html::HtmlText;
use charts::numbers::counted;
use charts::page::{Page, PageTable};
use charts::svg::Naming;
use process::Error;

const INTRO: &str = "Which commit lost Elo: builds of the commits between a good one and a bad one play \
                     against the good one.";
/// Commits of less are not in the table, unless they were played or passed over.
const LIKELY: f64 = 0.005;

/// Renders a bisection's folder as it stands.
pub fn render(dir: &Path) -> Result<(), Error> {
    let file = BisectFile::read(dir)?;
    let mut search = Search::read(&file, dir)?;
    let outcome = Outcome::new(&file, &mut search, dir);
    write(&file, &outcome, dir)?;
    Ok(())
}

/// Writes the files; returns the summary for people and for programs.
pub fn write(
    file: &BisectFile,
    outcome: &Outcome,
    dir: &Path,
) -> Result<(Page, Value), RecordError> {
    let name = run_name(dir);
    let mut page = Page::default();
    page.heading(1, name.as_str());
    page.text(conditions(file));
    page.text(verdict(file, outcome));
    named(outcome).into_iter().for_each(|line| page.text(line));
    page.table(table(outcome));
    let json = json(file, outcome);
    write_outcome(dir, &page, &json, &html(file, outcome, &name))?;
    Ok((page, json))
}

fn json(file: &BisectFile, outcome: &Outcome) -> Value {
    let mut json = json!({
        "good": file.good,
        "bad": file.bad,
        "alpha": file.alpha,
        "elo": file.elo,
        "others": file.others,
        "rule": file.rule.map(|rule| rule.to_string()),
        "conditions": conditions(file),
        "verdict": verdict(file, outcome),
    });
    let outcome = serde_json::to_value(outcome).unwrap_or_default();
    if let (Value::Object(json), Value::Object(outcome)) = (&mut json, outcome) {
        json.extend(outcome);
    }
    json
}

fn conditions(file: &BisectFile) -> String {
    let how = match file.rule {
        Some(rule) => format!("plain halving by {rule}"),
        None => {
            let others = file.others.map(|elo| format!(", other commits ± {elo} Elo"));
            let (elo, alpha) = (file.elo, percent(file.alpha));
            format!("losses from {elo} Elo, alpha {alpha}{}", others.unwrap_or_default())
        }
    };
    format!(
        "{} from {} ({}) to {} ({}), {}, {how}; `{}`",
        counted(file.last() as u64, "commit"),
        file.good,
        file.short(0),
        file.bad,
        file.short(file.last()),
        file.plan.limit_in_words(),
        file.build
    )
}

fn percent(share: f64) -> String {
    format!("{} %", (1000.0 * share).round() / 10.0)
}

/// What came of it, in a sentence or two.
fn verdict(file: &BisectFile, outcome: &Outcome) -> String {
    let sure = outcome.probability.map(|it| format!(", {}", sure(it))).unwrap_or_default();
    let loss =
        outcome.loss.map(|loss| format!(" It lost about {loss:.0} Elo.")).unwrap_or_default();
    let pairs = match outcome.pairs {
        1 => " 1 pair counts.".to_owned(),
        pairs => format!(" {pairs} pairs count."),
    };
    let said = match (outcome.state, &outcome.named[..]) {
        (State::Found, [only, ..]) => {
            format!("{} lost the Elo{sure}.{loss}", file.words(*only))
        }
        (State::Found | State::OneOf, all) => format!(
            "One of these {} lost the Elo{sure}; what lies between them does not play.{loss}",
            counted(all.len() as u64, "commit")
        ),
        (State::NoLoss, _) => match outcome.probability_of_no_loss {
            Some(none) => format!("No commit lost {} Elo or more, {}.", file.elo, self::sure(none)),
            None => format!(
                "No loss is shown: {} is not weaker than {} by --rule.",
                file.bad, file.good
            ),
        },
        (State::Undecided, _) if file.rule.is_some() => {
            format!("Undecided: {} cannot play its match.", file.bad)
        }
        (State::Undecided, _) => format!(
            "Undecided: all pairs that could tell more are played (--pairs, --book).{}",
            likeliest(outcome)
        ),
        (State::Unfinished, _) => format!("Not finished.{}", likeliest(outcome)),
    };
    said + &pairs
}

fn sure(probability: f64) -> String {
    format!("probability {:.1} %", (100.0 * probability).min(99.9))
}

fn likeliest(outcome: &Outcome) -> String {
    outcome.likeliest().map_or(String::new(), |row| {
        let probability = 100.0 * row.probability.unwrap_or(0.0);
        let (number, subject) = (row.number, &row.subject);
        let short = row.commit.get(..10).unwrap_or_default();
        format!(" Likeliest so far: {number} {short} {subject}, {probability:.0} %.")
    })
}

/// The commits that are named, with what git knows of them.
fn named(outcome: &Outcome) -> Vec<String> {
    let rows = outcome.named.iter().filter_map(|number| outcome.commits.get(*number));
    let mut lines: Vec<String> = rows
        .map(|row| {
            let bench = row.bench.map_or(String::new(), |nodes| format!(", bench {nodes}"));
            let Row { commit, subject, author, date, .. } = row;
            format!("{commit} {subject}, by {author}, {date}{bench}")
        })
        .collect();
    if let (Some(fork), [only]) = (&outcome.fork, &outcome.named[..])
        && let Some(row) = outcome.commits.get(*only)
    {
        let short = row.commit.get(..10).unwrap_or_default();
        lines.push(format!(
            "It is a merge. Which commit of its branch: verdict bisect --good {fork} --bad {short}^2"
        ));
    }
    lines
}

fn is_shown(row: &Row) -> bool {
    row.state != RowState::Untouched || row.probability.unwrap_or(0.0) >= LIKELY
}

fn words(state: RowState) -> &'static str {
    match state {
        RowState::Good => "good",
        RowState::Played => "played",
        RowState::Built => "built",
        RowState::Same => "same bench",
        RowState::PassedOver => "passed over",
        RowState::Untouched => "",
    }
}

fn table(outcome: &Outcome) -> PageTable {
    let head = ["#", "commit", "Elo ± 95 %", "pairs", "posterior", "bench", "state", "subject"];
    let mut table = PageTable::new(2, head);
    for row in outcome.commits.iter().filter(|row| is_shown(row)) {
        let elo = match (row.elo, row.elo_error95) {
            (Some(elo), Some(error)) => format!("{elo:+.1} ± {error:.1}"),
            (Some(elo), None) => format!("{elo:+.1}"),
            (None, _) => String::new(),
        };
        let pairs = if row.pairs > 0 { row.pairs.to_string() } else { String::new() };
        let posterior = row.probability.map_or(String::new(), |it| format!("{:.1} %", 100.0 * it));
        table.rows.push(vec![
            row.number.to_string(),
            row.commit.get(..10).unwrap_or_default().to_owned(),
            elo,
            pairs,
            posterior,
            row.bench.map_or(String::new(), |nodes| nodes.to_string()),
            words(row.state).to_owned(),
            row.subject.clone(),
        ]);
    }
    table
}

fn html(file: &BisectFile, outcome: &Outcome, name: &str) -> String {
    let mut body = format!(
        "<section>\n<h2>{}</h2>\n<p class=\"who soft\">{}</p>\n<p>{}</p>\n",
        HtmlText(name),
        HtmlText(&conditions(file)),
        HtmlText(&verdict(file, outcome))
    );
    for line in named(outcome) {
        body.push_str(&format!("<p>{}</p>\n", HtmlText(&line)));
    }
    let figures: String =
        [posterior(outcome), played(outcome)].iter().map(Figure::render).collect();
    body.push_str(&format!("<div class=\"charts\">\n{figures}</div>\n"));
    body.push_str(&table(outcome).html("Commits that were played, passed over, or are likely"));
    body.push_str("</section>\n");
    whole([name, "A bisection"], INTRO, &body, "bisect.json and the journals of its matches", "")
}

fn naming(id: &str, title: &str, desc: &str) -> Naming {
    Naming { id: id.to_owned(), title: title.to_owned(), desc: desc.to_owned() }
}

fn posterior(outcome: &Outcome) -> Figure {
    const HEADING: &str = "Posterior by commit";
    let bars = outcome.commits.iter().skip(1).filter_map(|row| {
        let probability = 100.0 * row.probability?;
        let (number, subject) = (row.number, &row.subject);
        Some(Bar {
            class: if outcome.named.contains(&row.number) { "base" } else { "test" },
            value: probability.round() as u64,
            hint: format!("{number}: {probability:.1} %, {subject}"),
        })
    });
    let bars: Vec<Bar> = bars.collect();
    if bars.is_empty() {
        return Figure::nothing(HEADING, "plain halving has no posterior");
    }
    let last = bars.len();
    let edges = [1, last.div_ceil(2), last];
    let edges = edges.into_iter().map(|number| (number, number.to_string())).collect();
    let desc = "How likely each commit is to have lost the Elo, in per cent, from good to bad.";
    let below = Below::Edges(edges);
    let naming = naming("posterior", HEADING, desc);
    let chart = Bars { naming, bars, below, x_name: "commit" }.render();
    Figure::new(HEADING, chart).with_note(desc)
}

fn played(outcome: &Outcome) -> Figure {
    const HEADING: &str = "Elo against the good commit";
    let dots = outcome.commits.iter().filter(|row| row.pairs > 0).map(|row| Dot {
        class: "test",
        x: row.number as f64,
        y: row.elo.unwrap_or(f64::NAN),
        error: row.elo_error95.unwrap_or(f64::NAN),
    });
    let good = Dot { class: "base", x: 0.0, y: 0.0, error: 0.0 };
    let dots: Vec<Dot> = std::iter::once(good).chain(dots).collect();
    if dots.len() < 2 {
        return Figure::nothing(HEADING, "no pair counts yet");
    }
    let desc = "Elo of each commit that has played, against the good one, with 95 % intervals.";
    let naming = naming("played", HEADING, desc);
    let chart = Curve { naming, x_name: "commit", dots, line: Vec::new(), top: None }.render();
    let keys = [Key::Line("test", "played, 95% intervals"), Key::Area("base", "the good commit")];
    Figure::new(HEADING, chart).with_keys(&keys).with_note(desc)
}
