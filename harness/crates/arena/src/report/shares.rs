//! Charts of results: pairs by score, games by colour, openings.

use super::run::RunResults;
use charts::bars::{Bar, Bars, Below, StackedBar, wholes};
use charts::figure::{Figure, Key};
use charts::numbers::{count, counted, fixed, percent, percent_of, signed};
use charts::svg::Naming;
use stats::{self, Wdl};

const SCORES: [&str; 5] = ["0", "½", "1", "1½", "2"];
/// Steps of the histogram of openings.
const OPENING_STEPS: usize = 10;

pub(super) fn pairs(id: &str, run: &RunResults) -> Figure {
    let scores = run.tally.counts.effective_ptnml;
    let classes = ["base", "base", "even", "test", "test"];
    let title = "Pairs by test's score";
    let chart = by_score(id, "pairs", title, &scores, &classes, "points of test in a pair");
    let mut figure = Figure::new(title, chart);
    if run.tally.counts.twins.repeated_pairs > 0 {
        figure = figure.with_note("Without pairs that repeat an earlier one.");
    }
    figure
}

/// What the openings are worth.
pub(super) fn white(id: &str, run: &RunResults) -> Figure {
    let scores = run.openings.white();
    let title = "Pairs by White's score";
    let chart = by_score(id, "white", title, &scores, &["plain"; 5], "points of White in a pair");
    let counts = &run.tally.counts;
    let white = counts.white;
    let [lost, .., won] = scores;
    let elo = stats::display_elo(&white);
    let worth = match (elo.elo, elo.error95) {
        (Ok(elo), Ok(error)) => {
            format!(" (Elo {} ± {}, games taken as independent)", signed(elo, 1), fixed(error, 1))
        }
        _ => String::new(),
    };
    let note = format!(
        "White scores {}{worth}. In {} White won both games, in {} Black did: there the opening may \
         have decided.",
        percent_of(2 * white.win + white.draw, 2 * white.games()),
        counted(won, "pair"),
        counted(lost, "pair"),
    );
    Figure::new(title, chart).with_note(&note)
}

fn by_score(
    id: &str,
    chart: &str,
    title: &str,
    scores: &[u64; 5],
    classes: &[&'static str; 5],
    x_name: &str,
) -> String {
    let all: u64 = scores.iter().sum();
    let each = scores.iter().zip(SCORES);
    let phrases: Vec<String> =
        each.clone().map(|(pairs, score)| format!("{score}: {}", count(*pairs))).collect();
    let bars = each.zip(classes).map(|((&pairs, score), class)| Bar {
        class,
        value: pairs,
        hint: format!("{score}: {}, {}", counted(pairs, "pair"), percent_of(pairs, all)),
    });
    let naming = Naming::new(id, chart, title, format!("{}.", phrases.join(", ")));
    let names = scores.iter().zip(SCORES).map(|(pairs, score)| match all {
        0 => score.to_owned(),
        _ => format!("{score} · {}", percent_of(*pairs, all)),
    });
    let below = Below::Names(names.collect());
    Bars { naming, bars: bars.collect(), below, x_name }.render()
}

pub(super) fn colors(id: &str, run: &RunResults) -> Figure {
    let [white, black] = run.by_color;
    let rows = [("all games", white + black), ("with White", white), ("with Black", black)];
    let whole = |(name, wdl): (&str, Wdl)| {
        let Wdl { win, draw, loss } = wdl;
        let hint = |games: u64, end: &str| {
            format!("{name}: {} {end}, {}", count(games), percent_of(games, wdl.games()))
        };
        StackedBar {
            name: name.to_owned(),
            note: format!(
                "{} · +{} ={} −{}",
                percent_of(2 * win + draw, 2 * wdl.games()),
                count(win),
                count(draw),
                count(loss)
            ),
            parts: vec![
                ("test", win, hint(win, "won")),
                ("even", draw, hint(draw, "drawn")),
                ("base", loss, hint(loss, "lost")),
            ],
        }
    };
    let phrases: Vec<String> = rows
        .iter()
        .map(|(name, wdl)| {
            format!("{name}: {} won, {} drawn, {} lost", wdl.win, wdl.draw, wdl.loss)
        })
        .collect();
    let title = "Test's results by colour";
    let naming = Naming::new(id, "colours", title, format!("{}.", phrases.join("; ")));
    let figure = Figure::new(title, wholes(&naming, &rows.map(whole))).with_keys(&[
        Key::Area("test", "won"),
        Key::Area("even", "drawn"),
        Key::Area("base", "lost"),
    ]);
    match (score(white), score(black)) {
        (Some(white), Some(black)) => figure.with_note(&format!(
            "Colour advantage: in a hundred games test scores {} points {} with White than with Black.",
            fixed(100.0 * (white - black).abs(), 1),
            if white < black { "less" } else { "more" }
        )),
        _ => figure,
    }
}

fn score(wdl: Wdl) -> Option<f64> {
    let games = wdl.games();
    (games > 0).then(|| (wdl.win as f64 + wdl.draw as f64 / 2.0) / games as f64)
}

/// By test's mean score; none where each opening has one pair, since that is the chart of pairs.
pub(super) fn openings(id: &str, run: &RunResults) -> Option<Figure> {
    if !run.openings.any_again() {
        return None;
    }
    let title = "Openings by test's score";
    let step = 1.0 / OPENING_STEPS as f64;
    let counts = run.openings.by_score(OPENING_STEPS);
    let bars = counts.iter().enumerate().map(|(at, &openings)| {
        let [from, to] = [at, at + 1].map(|edge| percent(edge as f64 * step));
        Bar {
            class: match at {
                _ if at + 1 < OPENING_STEPS / 2 => "base",
                _ if at > OPENING_STEPS / 2 => "test",
                _ => "even",
            },
            value: openings,
            hint: format!("{from} to {to}: {}", counted(openings, "opening")),
        }
    });
    let edge = |at: usize| (at, format!("{}%", 100 * at / OPENING_STEPS));
    let edges = (0..=OPENING_STEPS).step_by(OPENING_STEPS / 5).map(edge).collect();
    let played = run.openings.len() as u64;
    let naming = Naming::new(
        id,
        "openings",
        title,
        format!("{} by test's mean score in their pairs.", counted(played, "opening")),
    );
    let below = Below::Edges(edges);
    let chart = Bars { naming, bars: bars.collect(), below, x_name: "test's mean score" }.render();
    Some(Figure::new(title, chart).with_note(&format!("{} played.", counted(played, "opening"))))
}
