//! A ledger for people.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Ledger, LedgerTest};
use arena::record::FinalVerdict;
use charts::figure::{Figure, Key};
use charts::frame::whole;
use charts::html::HtmlText;
use charts::lines::{LineChart, Series};
use charts::numbers::{count, signed};
use charts::page::{Page, PageTable};
use charts::scale::Scale;
use charts::svg::Naming;
use stats::{e_value_text, percent_clamped};

/// Folders named for each reason to skip.
const NAMED: usize = 3;

pub(super) fn of(ledger: &Ledger) -> Page {
    let mut page = Page::default();
    page.heading(1, format!("Ledger of {}", roots(ledger)));
    sentences(ledger).into_iter().for_each(|text| page.text(text));
    page.table(gains(ledger));
    page.heading(2, "Tests");
    page.table(tests(ledger));
    if !ledger.skipped.is_empty() {
        page.heading(2, "Not counted");
        page.table(skipped(ledger));
    }
    page
}

fn roots(ledger: &Ledger) -> String {
    let roots = ledger.roots.iter().map(|root| root.display().to_string());
    roots.collect::<Vec<_>>().join(", ")
}

fn sentences(ledger: &Ledger) -> Vec<String> {
    let ended = |verdict| ledger.count(verdict);
    let accepted = ended(Some(FinalVerdict::Accept));
    let mut out = vec![format!(
        "{} tests of a change: {accepted} accepted, {} rejected, {} undecided, {} not finished. All Elo is \
         test minus base.",
        ledger.tests.len(),
        ended(Some(FinalVerdict::Reject)),
        ended(Some(FinalVerdict::Undecided)),
        ended(None)
    )];
    if let Some(shrunk) = &ledger.shrunk {
        out.push(format!(
            "Of the {accepted} accepted, {:.1} are expected to be no gains. If no change did anything, the \
             rules would accept at most {:.1} of {} on average.",
            shrunk.false_accepts,
            ledger.most_false_accepts(),
            ledger.tests.len()
        ));
        out.push(format!(
            "By all tests together, {} of the changes tried do nothing; the mean effect is {:+.1} Elo, with a \
             deviation of {:.1}.",
            percent_clamped(shrunk.neutral),
            shrunk.mean,
            shrunk.deviation
        ));
    }
    let fdr = &ledger.fdr;
    out.push(format!(
        "False-discovery rate {:.3}% (e-LOND): {} tests reach it. The next one may err with {}: --rule \
         anytime={}.",
        100.0 * fdr.alpha(),
        fdr.discoveries(),
        alpha_text(fdr.level_for_a_rule()),
        alpha_text(fdr.level_for_a_rule())
    ));
    let others = ledger.of_other_terms().count();
    if let Some(terms) = ledger.of_other_terms().find_map(|test| test.terms) {
        out.push(format!(
            "{others} tests asked a ledger of other terms (the first: --fdr {} --tests {}). The rate holds for \
             one --fdr and one --tests in the whole series.",
            alpha_text(terms.fdr),
            terms.tests
        ));
    }
    if ledger.unmeasured() > 0 {
        out.push(format!(
            "{} accepted tests have no interval and are in no sum.",
            ledger.unmeasured()
        ));
    }
    out
}

/// A probability of error as the rule takes it, `0.312%`.
pub(crate) fn alpha_text(alpha: f64) -> String {
    format!("{}%", stats::short(100.0 * alpha))
}

fn gains(ledger: &Ledger) -> PageTable {
    let mut table = PageTable::new(1, ["Accepted gains added up", "Elo", "95 % interval"]);
    let with_error = |elo: f64, error: f64| {
        [format!("{elo:+.1}"), format!("{:+.1} to {:+.1}", elo - error, elo + error)]
    };
    let mut row = |name: String, [elo, interval]: [String; 2]| {
        table.rows.push(vec![name, elo, interval]);
    };
    let (measured, error) = ledger.measured();
    row("as measured (too high: the winner's curse)".to_owned(), with_error(measured, error));
    if let Some(shrunk) = &ledger.shrunk {
        let [low, high] = shrunk.sum_ci95;
        row(
            "estimated from all tests".to_owned(),
            [format!("{:+.1}", shrunk.sum), format!("{low:+.1} to {high:+.1}")],
        );
    }
    if let Some(check) = &ledger.check {
        row(format!("checked by {}", check.folder.display()), with_error(check.elo, check.error95));
    }
    if let Some((difference, error)) = ledger.check_difference() {
        row("check minus estimate".to_owned(), with_error(difference, error));
    }
    table
}

/// The way from the folder that was read.
fn short_path(ledger: &Ledger, path: &Path) -> String {
    let mut roots = ledger.roots.iter();
    let short =
        roots.find_map(|root| path.strip_prefix(root).ok().filter(|it| *it != Path::new("")));
    short.unwrap_or(path).display().to_string()
}

fn tests(ledger: &Ledger) -> PageTable {
    let head = ["run", "began", "verdict", "pairs", "Elo", "estimated", "no gain", "e-value"];
    let mut table = PageTable::new(1, head);
    let number = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
    for test in &ledger.tests {
        let LedgerTest { elo, error95, estimate, .. } = test;
        let elo = elo.map(|elo| {
            let error = error95.map_or(String::new(), |error| format!(" ± {error:.1}"));
            format!("{elo:+.1}{error}")
        });
        let mark = if test.is_discovery { " *" } else { "" };
        table.rows.push(vec![
            short_path(ledger, &test.folder),
            test.created.chars().take(10).collect(),
            test.verdict.map_or("not finished", FinalVerdict::as_str).to_owned(),
            test.pairs.to_string(),
            number(elo),
            number(estimate.map(|it| format!("{:+.1} ± {:.1}", it.elo, stats::Z95 * it.error))),
            number(estimate.map(|it| percent_clamped(it.no_gain))),
            // A rule at that level decides from its inverse.
            format!("{} of {:.0}×{mark}", e_value_text(test.log_e), test.level.recip()),
        ]);
    }
    table
}

fn skipped(ledger: &Ledger) -> PageTable {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for skipped in &ledger.skipped {
        let folder = short_path(ledger, &skipped.folder);
        reasons.entry(&skipped.why).or_default().push(folder);
    }
    let mut table = PageTable::new(1, ["why", "folders", "such as"]);
    for (why, folders) in reasons {
        let named = folders.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        table.rows.push(vec![why.to_owned(), folders.len().to_string(), named]);
    }
    table
}

pub(super) fn html(ledger: &Ledger) -> String {
    let name = format!("Ledger of {}", roots(ledger));
    let mut body = format!("<section>\n<h2>{}</h2>\n", HtmlText(&name));
    for text in sentences(ledger) {
        body.push_str(&format!("<p>{}</p>\n", HtmlText(&text)));
    }
    body.push_str(&gains(ledger).html("Accepted gains added up"));
    body.push_str(&format!("<div class=\"charts\">\n{}</div>\n", course(ledger).render()));
    body.push_str(&tests(ledger).html("Tests, in the order in which they began"));
    if !ledger.skipped.is_empty() {
        body.push_str(&skipped(ledger).html("Not counted"));
    }
    body.push_str("</section>\n");
    let intro = "What was tried, what was accepted, and what it was worth. All Elo is test minus base. Behind each \
                 e-value stands what the false-discovery rate asked for; an asterisk marks those that reach it.";
    whole([&name, "A ledger"], intro, &body, "summary.json and the journals of the runs", "")
}

/// The accepted gains, added up test by test.
fn course(ledger: &Ledger) -> Figure {
    let heading = "Gains added up";
    let (mut measured, mut estimated) = (vec![[0.0, 0.0]], vec![[0.0, 0.0]]);
    for (number, test) in (1_u64..).zip(&ledger.tests) {
        let (Some(elo), Some(estimate)) = (test.elo, &test.estimate) else { continue };
        if test.is_accepted() {
            for (line, gain) in [(&mut measured, elo), (&mut estimated, estimate.elo)] {
                let sum = line.last().map_or(0.0, |[_, sum]: &[f64; 2]| *sum);
                // A step, not a slope.
                line.extend([[number as f64, sum], [number as f64, sum + gain]]);
            }
        }
    }
    if measured.len() < 2 {
        return Figure::nothing(heading, "no change with an interval was accepted");
    }
    let end = |line: &[[f64; 2]]| line.last().map_or(0.0, |[_, sum]| *sum);
    let tests = ledger.tests.len();
    let desc = format!(
        "After {} tests {} Elo as measured, {} as estimated from all tests.",
        count(tests as u64),
        signed(end(&measured), 1),
        signed(end(&estimated), 1)
    );
    let naming = Naming::new("ledger", "gains", "Accepted gains added up, over tests", desc);
    let values = measured.iter().chain(&estimated).map(|[_, sum]| *sum);
    let y = Scale::of(values.chain([0.0])).with_room(0.06, 0.06);
    for line in [&mut measured, &mut estimated] {
        let last = end(line);
        line.push([tests as f64, last]);
    }
    let chart = LineChart {
        series: vec![
            Series { class: "line base", points: measured },
            Series { class: "line test", points: estimated },
        ],
        ..LineChart::new(naming, Scale::of([0.0, tests as f64]), "tests", y)
    };
    Figure::new(heading, chart.render()).with_keys(&[
        Key::Line("base", "as measured"),
        Key::Line("test", "estimated from all tests"),
    ])
}
