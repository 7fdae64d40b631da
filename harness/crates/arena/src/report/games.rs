//! Charts of the games themselves: how long they are, and what a move takes.

use std::collections::BTreeMap;

use super::pace::Spent;
use super::run::RunResults;
use crate::record::Side;
use charts::bars::{Bar, Bars, Below};
use charts::figure::{Figure, Key};
use charts::lines::{LineChart, Series};
use charts::numbers::{count, counted, fixed, millis, short};
use charts::scale::Scale;
use charts::svg::Naming;

const MOST_BARS: u32 = 24;
/// Bars with a number.
const MOST_EDGES: usize = 6;

/// Game lengths in full moves.
pub(super) fn lengths(id: &str, run: &RunResults) -> Figure {
    let title = "Game lengths";
    let (Some((&shortest, _)), Some((&longest, _))) =
        (run.lengths.first_key_value(), run.lengths.last_key_value())
    else {
        return Figure::nothing(title, "no games");
    };
    let games: u64 = run.lengths.values().sum();
    let bins = Bins::of(&run.lengths, shortest, longest);
    let bars = bins.counts.iter().zip(0..).map(|(&games, at): (_, u32)| {
        let from = bins.first + at * bins.width;
        let moves = match bins.width {
            1 => from.to_string(),
            width => format!("{from}–{}", from + width - 1),
        };
        Bar {
            class: "plain",
            value: games,
            hint: format!("{moves} moves: {}", counted(games, "game")),
        }
    });
    let every = bins.counts.len().div_ceil(MOST_EDGES).max(1);
    let edges = (0..=bins.counts.len()).step_by(every).map(|at| {
        let moves = u64::from(bins.first) + at as u64 * u64::from(bins.width);
        (at, count(moves))
    });
    let plies = run.tally.counts.plies;
    let mean = fixed(plies as f64 / 2.0 / games.max(1) as f64, 1);
    let desc =
        format!("{}: {shortest} to {longest} moves, {mean} on average.", counted(games, "game"));
    let naming = Naming::new(id, "lengths", title, desc);
    let below = Below::Edges(edges.collect());
    let chart = Bars { naming, bars: bars.collect(), below, x_name: "moves" }.render();
    Figure::new(title, chart).with_note(&format!(
        "{shortest} to {longest} moves, {mean} on average, book moves among them."
    ))
}

struct Bins {
    first: u32,
    width: u32,
    counts: Vec<u64>,
}

impl Bins {
    /// Round bins, at most [`MOST_BARS`].
    fn of(lengths: &BTreeMap<u32, u64>, shortest: u32, longest: u32) -> Bins {
        let mut width = 1;
        for factor in [2, 5, 2].into_iter().cycle() {
            if longest / width - shortest / width < MOST_BARS {
                break;
            }
            width = match factor {
                // 1, 2, 5, 10, 20, 50 …
                5 => width / 2 * 5,
                factor => width * factor,
            };
        }
        let first = shortest / width;
        let mut counts = vec![0; (longest / width - first) as usize + 1];
        for (&length, &games) in lengths {
            if let Some(bin) = counts.get_mut((length / width - first) as usize) {
                *bin += games;
            }
        }
        Bins { first: first * width, width, counts }
    }
}

pub(super) fn pace(id: &str, run: &RunResults, spent: Spent) -> Option<Figure> {
    let [base, test] = [Side::Base, Side::Test].map(|side| run.pace.means(side, spent));
    let all = || base.iter().chain(&test);
    let most = all().map(|&(_, mean)| mean).fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let (chart, title, y_label): (_, _, &dyn Fn(f64, usize) -> String) = match spent {
        Spent::Millis if most >= 10_000.0 => {
            ("time", "Time a move", &|ms, _| format!("{} s", fixed(ms / 1e3, 0)))
        }
        Spent::Millis => {
            ("time", "Time a move", &|ms, decimals| format!("{} ms", fixed(ms, decimals)))
        }
        Spent::Nodes => ("nodes", "Nodes a move", &|nodes, _| short(nodes)),
    };
    let mean_text = |side: Side| match (run.pace.mean(side, spent), spent) {
        (Some(mean), Spent::Millis) => millis(mean),
        (Some(mean), Spent::Nodes) => count(mean.round() as u64),
        (None, _) => "not known".to_owned(),
    };
    let title = format!("{title}, by move number");
    let [base_text, test_text] = [mean_text(Side::Base), mean_text(Side::Test)];
    let desc = format!(
        "Mean of all moves: test {test_text}, base {base_text}. By move number, where at least a few \
         games got so far."
    );
    let line = |means: &[(f64, f64)]| means.iter().map(|&(number, mean)| [number, mean]).collect();
    let lines = LineChart {
        naming: Naming::new(id, chart, &title, desc),
        x: Scale::of(all().map(|&(number, _)| number)),
        x_name: "move number",
        y: Scale::of([0.0, most]).with_room(0.0, 0.06),
        y_label,
        y_least: 0.0,
        ground: Some(0.0),
        band: Vec::new(),
        wide_band: Vec::new(),
        series: vec![
            Series { class: "line test", points: line(&test) },
            // Dashed, so that an equal line shows through.
            Series { class: "line base", points: line(&base) },
        ],
        guides: Vec::new(),
    };
    let figure = Figure::new(&title, lines.render());
    Some(figure.with_keys(&[
        Key::Line("test", &format!("test, mean {test_text}")),
        Key::Line("base", &format!("base, mean {base_text}")),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_round_and_hold_every_game() {
        for (lengths, first, width, bars) in [
            (vec![7], 7, 1, 1),
            (vec![10, 33], 10, 1, 24),
            (vec![10, 34], 10, 2, 13),
            (vec![12, 12, 75], 10, 5, 14),
            (vec![0, 239], 0, 10, 24),
            (vec![3, 5_899], 0, 500, 12),
        ] {
            let mut counts = BTreeMap::new();
            lengths.iter().for_each(|&length| *counts.entry(length).or_default() += 1);
            let bins = Bins::of(&counts, lengths[0], lengths[lengths.len() - 1]);
            assert_eq!((bins.first, bins.width, bins.counts.len()), (first, width, bars));
            assert_eq!(bins.counts.iter().sum::<u64>(), lengths.len() as u64);
        }
    }
}
