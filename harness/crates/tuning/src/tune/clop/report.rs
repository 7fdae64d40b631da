//! The report of a run: the fitted strength and its maximum.

use serde::Serialize;
use serde_json::{Value, json};

use super::quadratic::Quadratic;
use super::{Clop, ClopFile, Maximum, page};
use crate::base::params_of;
use crate::report::{Circumstances, Report};
use crate::tunable::Tunable;
use crate::tune::tuned_file;
use crate::tune::tuner::Optimizer as _;
use charts::page::{Page, PageTable};
use process::Error;
use stats::Z95;

/// Elo per natural log odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The fitted strength about its maximum.
#[derive(Debug)]
pub(super) struct Landscape<'a> {
    pub(super) clop: &'a Clop,
    pub(super) best: Maximum,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Height {
    /// Against the base.
    pub(super) elo: f64,
    /// Half the width of its 95 % interval, by the fit.
    #[serde(rename = "elo_error95")]
    pub(super) error95: f64,
}

#[derive(Debug, Clone)]
pub(super) struct RangeOutcome<'a> {
    pub(super) tunable: &'a Tunable,
    pub(super) base: i32,
    pub(super) best: i32,
    /// The 95 % interval of `best`.
    pub(super) interval: [f64; 2],
    /// The weighted mean of the values tried.
    pub(super) middle: f64,
}

impl Landscape<'_> {
    /// The fitted strength at values in the parameters' units.
    pub(super) fn height(&self, values: &[f64]) -> Height {
        let each = self.clop.ranges().iter().zip(values);
        let place: Vec<f64> = each.map(|(range, &value)| range.coordinate(value)).collect();
        let elo = ELO * self.best.fit.quadratic.at(&place);
        Height { elo, error95: Z95 * ELO * self.best.fit.error_at(&place) }
    }

    /// At the best values.
    fn top(&self) -> Height {
        self.height(&self.best.values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>())
    }

    /// The fitted strength of the base, where it lies in all ranges: the truth is 0, so it shows
    /// how good the fit is so far from the best.
    fn base(&self) -> Option<Height> {
        let mut each = self.clop.ranges().iter().zip(self.clop.base());
        let inside = each.all(|(range, base)| (range.min..=range.max).contains(base));
        let values: Vec<f64> = self.clop.base().iter().map(|&value| f64::from(value)).collect();
        inside.then(|| self.height(&values))
    }

    pub(super) fn outcomes(&self) -> impl Iterator<Item = RangeOutcome<'_>> {
        self.clop.ranges().iter().enumerate().map(|(number, range)| RangeOutcome {
            tunable: &range.tunable,
            base: self.clop.base()[number],
            best: self.best.values[number],
            interval: self.best.intervals[number],
            middle: self.best.middle[number],
        })
    }

    fn table(&self) -> PageTable {
        let mut table = PageTable::new(1, ["parameter", "base", "best", "95 %", "tried"]);
        for RangeOutcome { tunable, base, best, interval: [low, high], middle } in self.outcomes() {
            let (name, base, best) =
                (tunable.name().to_owned(), tunable.words(base), tunable.words(best));
            let interval = format!("{low:.1} to {high:.1}");
            table.rows.push(vec![name, base, best, interval, format!("{middle:.1}")]);
        }
        table
    }

    fn summary(&self) -> Page {
        let mut page = Page::default();
        page.text(
            "\"best\" is the maximum of the fitted quadratic, with its 95 % interval; an interval over the \
             whole range means that nothing is known. \"tried\" is the weighted mean of the values tried.",
        );
        page.table(self.table());
        if let Some(Height { elo, error95 }) = self.base() {
            page.text(format!(
                "The fit predicts {elo:+.1} ± {error95:.1} Elo for the base, which should be 0."
            ));
        }
        page
    }

    /// The sentence of the verdict, from its comma on.
    fn verdict(&self) -> String {
        let (Height { elo, error95 }, counting) = (self.top(), self.best.counting);
        let mut words = format!(
            ", of which {counting:.0} are near the best. The fit predicts {elo:+.1} ± {error95:.1} Elo for the \
             best values against the base; as the best of many they look better than they are."
        );
        let coefficients = Quadratic::size(self.clop.ranges().len());
        if counting < 10.0 * coefficients as f64 {
            words.push_str(&format!(
                " These are few results for a fit with {coefficients} coefficients."
            ));
        }
        words
    }
}

pub(super) fn report(
    clop: &Clop,
    file: &ClopFile,
    is_over: bool,
    circumstances: Circumstances<'_>,
) -> Result<Report, Error> {
    let ClopFile { plan, axes, batch, .. } = file;
    let landscape = clop.best().map(|best| Landscape { clop, best });
    let landscape = landscape.as_ref();
    let pairs = clop.pairs();
    let verdict = format!(
        "{}{}{}",
        if is_over {
            format!("Finished: {pairs} pairs")
        } else {
            format!("Not finished: {pairs} of {} pairs", plan.pairs)
        },
        landscape.map_or(".".to_owned(), Landscape::verdict),
        circumstances.confirmed("Tuned values against the base", "pairs")
    );
    let values = landscape.map_or(clop.base(), |it| &it.best.values);
    Ok(Report {
        heading: "CLOP",
        intro: "Each pair of games tries values of its own against the base; a quadratic is fitted to \
                the results near the best. All Elo is <strong>tried minus base</strong>.",
        source: circumstances.source("clop.json, points.csv and games.jsonl"),
        conditions: circumstances.conditions(
            &format!("{} against base {}, ", axes.join(" "), plan.base),
            plan,
            &format!("{} pairs, {batch} a batch, seed {}", plan.pairs, plan.seed),
        ),
        verdict,
        summary: landscape.map(Landscape::summary).unwrap_or_default(),
        json: json(clop, landscape, is_over, circumstances),
        figures: landscape.map(page::figures).unwrap_or_default(),
        table: landscape.map(|it| it.table().html("All parameters")).unwrap_or_default(),
        files: vec![tuned_file(
            clop,
            &params_of(&plan.base)?,
            values.iter().map(|&value| f64::from(value)),
        )],
    })
}

fn json(
    clop: &Clop,
    landscape: Option<&Landscape<'_>>,
    is_over: bool,
    circumstances: Circumstances<'_>,
) -> Value {
    let each = landscape.into_iter().flat_map(Landscape::outcomes).map(|outcome| {
        json!({
            "name": outcome.tunable.name(),
            "base": outcome.base,
            "tuned": outcome.best,
            "ci95": outcome.interval,
            "tried": outcome.middle,
        })
    });
    json!({
        "over": is_over,
        "pairs": clop.pairs(),
        "counting": landscape.map(|it| it.best.counting),
        "parameters": each.collect::<Vec<_>>(),
        "top": landscape.map(Landscape::top),
        "base": landscape.and_then(Landscape::base),
        "confirmation": circumstances.confirmation,
    })
}
