//! Charts of how a match went: Elo, and what its rule looks at, over the pairs that count.

use super::run::RunResults;
use crate::record::CountedPair;
use charts::figure::{Figure, Key};
use charts::lines::{Guide, LineChart, Series};
use charts::numbers::{count, fixed, power_of_ten, signed};
use charts::scale::Scale;
use charts::svg::Naming;
use stats::{self, Anytime, Evidence, LosRule, Pentanomial, Rule, Sprt, percent_clamped};

/// The scale of Elo fits what comes after this share of the pairs: the first intervals are too
/// wide.
const SETTLED_FROM: f64 = 0.1;
/// Evidence against is not shown below a thousandth: it falls without end.
const LEAST_EVIDENCE: f64 = -3.0;

pub(super) fn elo(id: &str, run: &RunResults) -> Figure {
    let mut points: Vec<[f64; 4]> = run
        .path
        .iter()
        .map(|counted| {
            let elo = stats::display_elo(&counted.effective);
            let [elo, low, high] = [elo.elo, elo.low95, elo.high95].map(number);
            [counted.pairs as f64, elo, low, high]
        })
        .collect();
    let heading = "Elo over pairs";
    let at_every_look = run.path.iter().map(|counted| {
        let anytime = stats::anytime_elo(&counted.effective);
        [counted.pairs as f64, number(anytime.low95), number(anytime.high95)]
    });
    // The first pairs' Elo, without an interval, is far off any scale.
    let begins = points.iter().position(|[.., high]| high.is_finite()).unwrap_or(0);
    let points = points.split_off(begins);
    let last_counts = last(run);
    let last = stats::display_elo(&last_counts);
    let elo = match last.elo {
        Ok(elo) => elo,
        Err(why) => return Figure::nothing(heading, &why.to_string()),
    };
    let pairs = run.tally.state.pairs();
    let settled = points.iter().filter(|point| point[0] >= SETTLED_FROM * pairs as f64);
    let values = settled.flat_map(|&[_, elo, low, high]| [elo, low, high]);
    let wide = stats::anytime_elo(&last_counts);
    let values = values.chain([wide.low95, wide.high95].map(number));
    let interval = match (last.low95, last.high95) {
        (Ok(low), Ok(high)) => {
            format!("95% interval {} to {}", signed(low, 1), signed(high, 1))
        }
        (Err(why), _) | (_, Err(why)) => format!("no interval: {why}"),
    };
    let every =
        wide.ends().map_or_else(|why| why.to_string(), |it| stats::interval_in_words(it, 1));
    let desc = format!(
        "After {} pairs Elo {}, {interval}; at every look {every}.",
        count(pairs),
        signed(elo, 1)
    );
    let naming = Naming::new(id, "elo", "Elo, test minus base, over pairs", desc);
    let y = Scale::of(values.chain([0.0])).with_room(0.06, 0.06);
    let chart = LineChart {
        band: points.iter().map(|&[pairs, _, low, high]| [pairs, low, high]).collect(),
        wide_band: at_every_look.skip(begins).collect(),
        series: vec![Series {
            class: "line test",
            points: points.iter().map(|&[pairs, elo, ..]| [pairs, elo]).collect(),
        }],
        ..over_pairs(run, naming, y)
    };
    let keys = [
        Key::Line("test", "test minus base"),
        Key::WideBand("95% interval at every look"),
        Key::Band("95% interval for one look"),
    ];
    let drawn = if last.error95.is_ok() { &keys[..] } else { &keys[..2] };
    Figure::new(heading, chart.render()).with_keys(drawn).with_note(
        "The narrow interval holds the true difference in 95% of matches at one pair fixed \
         beforehand. The wide one holds it at all pairs together.",
    )
}

pub(super) fn rule(id: &str, run: &RunResults) -> Figure {
    match &run.terms.rule {
        Rule::Los(rule) => los(id, run, rule),
        Rule::Sprt(sprt) => llr(id, run, sprt),
        Rule::Anytime(test) => evidence(id, run, test),
    }
}

fn llr(id: &str, run: &RunResults, sprt: &Sprt) -> Figure {
    let llr_at = |at: &CountedPair| sprt.llr_of_pairs(&at.effective, Some(&at.effective_games));
    let points = points(run, |at| number(llr_at(at)));
    let [lower, upper] = sprt.bounds();
    let llr = number(run.path.last().map_or(Ok(0.0), llr_at));
    let values = points.iter().map(|&[_, llr]| llr);
    let desc = format!(
        "After {} pairs the LLR is {}; the rule rejects at {} and accepts at {}.",
        count(run.tally.state.pairs()),
        fixed(llr, 2),
        fixed(lower, 2),
        fixed(upper, 2)
    );
    let naming = Naming::new(id, "llr", "Log-likelihood ratio over pairs", desc);
    let y = Scale::of(values.chain([lower, upper])).with_room(0.1, 0.1);
    let chart = LineChart {
        series: vec![Series { class: "line ink", points }],
        guides: vec![
            guide("test", upper, format!("accept at {}", fixed(upper, 2)), false),
            guide("base", lower, format!("reject at {}", fixed(lower, 2)), true),
        ],
        ..over_pairs(run, naming, y)
    };
    let note = format!(
        "SPRT of {} against {} Elo ({}), α {}, β {}.",
        sprt.elo0(),
        sprt.elo1(),
        sprt.model(),
        sprt.alpha(),
        sprt.beta()
    );
    Figure::new("LLR over pairs", chart.render()).with_note(&note)
}

fn evidence(id: &str, run: &RunResults, test: &Anytime) -> Figure {
    let tenths = |logarithm: f64| logarithm * std::f64::consts::LOG10_E;
    let nothing = Evidence { better: 0.0, worse: 0.0 };
    let better = points(run, |at| tenths(at.evidence.unwrap_or(nothing).better));
    let worse = points(run, |at| tenths(at.evidence.unwrap_or(nothing).worse));
    let bound = tenths(test.bound());
    let values = better.iter().chain(&worse).map(|&[_, value]| value.max(LEAST_EVIDENCE));
    let factor = 1.0 / test.alpha();
    let desc = format!(
        "After {} pairs: {}; it decides from {} times.",
        count(run.tally.state.pairs()),
        run.tally.state.evidence().unwrap_or(nothing),
        fixed(factor, 0)
    );
    let naming = Naming::new(id, "evidence", "Evidence (e-values) over pairs, logarithmic", desc);
    let y = Scale::of(values.chain([0.0, bound])).with_room(0.06, 0.1);
    let chart = LineChart {
        y_label: &|value, _| power_of_ten(value),
        y_least: 1.0,
        series: vec![
            Series { class: "line test", points: better },
            Series { class: "line base", points: worse },
        ],
        guides: vec![guide("ink", bound, format!("decides at {}×", fixed(factor, 0)), false)],
        ..over_pairs(run, naming, y)
    };
    Figure::new("Evidence over pairs", chart.render())
        .with_keys(&[Key::Line("test", "test is stronger"), Key::Line("base", "test is weaker")])
        .with_note(
            "E-values: what a bettor on either side would have made of a stake of 1. They may be \
             looked at after every pair.",
        )
}

fn los(id: &str, run: &RunResults, rule: &LosRule) -> Figure {
    let points = points(run, |at| 100.0 * number(stats::display_los(&at.effective)));
    let heading = "LOS over pairs";
    let los = match stats::display_los(&last(run)) {
        Ok(los) => los,
        Err(why) => return Figure::nothing(heading, &why.to_string()),
    };
    let after = rule.pairs.unwrap_or(run.terms.pairs);
    let desc = format!(
        "After {} pairs LOS is {}; judged once, after {} pairs.",
        count(run.tally.state.pairs()),
        percent_clamped(los),
        count(after)
    );
    let (accept, reject) = (rule.percent, 100.0 - rule.percent);
    let naming = Naming::new(id, "los", "Likelihood of superiority over pairs", desc);
    let y = Scale::of([0.0, 100.0]);
    let chart = LineChart {
        y_label: &|value, decimals| format!("{}%", fixed(value, decimals)),
        ground: Some(50.0),
        series: vec![Series { class: "line ink", points }],
        guides: vec![
            guide("test", accept, format!("accept from {accept}%"), true),
            guide("base", reject, format!("reject to {reject}%"), false),
        ],
        ..over_pairs(run, naming, y)
    };
    let note = format!(
        "Judged once, after {} pairs. The path does not matter: a rule that looked at LOS after \
         every pair and stopped when it is high would accept changes that are worth nothing far too \
         often.",
        count(after)
    );
    Figure::new(heading, chart.render()).with_note(&note)
}

/// NaN breaks off a line.
fn number(defined: stats::Defined) -> f64 {
    defined.unwrap_or(f64::NAN)
}

fn points(run: &RunResults, value: impl Fn(&CountedPair) -> f64) -> Vec<[f64; 2]> {
    let point = |counted: &CountedPair| [counted.pairs as f64, value(counted)];
    run.path.iter().map(point).collect()
}

fn last(run: &RunResults) -> Pentanomial {
    run.path.last().map_or_else(Pentanomial::default, |counted| counted.effective)
}

fn over_pairs(run: &RunResults, naming: Naming, y: Scale) -> LineChart<'static> {
    let pairs = Scale::of([0.0, run.tally.state.pairs().max(1) as f64]);
    LineChart::new(naming, pairs, "pairs", y)
}

fn guide(class: &'static str, y: f64, label: String, label_below: bool) -> Guide {
    Guide { class, y, label, label_below }
}
