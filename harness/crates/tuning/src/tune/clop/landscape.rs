//! The fitted strength about its maximum, in numbers and in words.

use serde::Serialize;

use super::quadratic::Quadratic;
use super::{Clop, Maximum};
use crate::tunable::Tunable;
use charts::page::{Page, PageTable};
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
    pub(super) base: f64,
    pub(super) best: f64,
    /// The 95 % interval of `best`.
    pub(super) interval: [f64; 2],
    /// The weighted mean of the values tried.
    pub(super) middle: f64,
    /// Decimals that tell its values apart.
    pub(super) decimals: usize,
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
    pub(super) fn top(&self) -> Height {
        self.height(&self.best.values)
    }

    /// The fitted strength of the base, where it lies in all ranges: the truth is 0, so it shows
    /// how good the fit is so far from the best.
    pub(super) fn base(&self) -> Option<Height> {
        let mut each = self.clop.ranges().iter().zip(self.clop.base());
        let inside = each.all(|(range, base)| (range.min..=range.max).contains(base));
        inside.then(|| self.height(self.clop.base()))
    }

    pub(super) fn outcomes(&self) -> impl Iterator<Item = RangeOutcome<'_>> {
        self.clop.ranges().iter().enumerate().map(|(number, range)| RangeOutcome {
            tunable: &range.tunable,
            base: self.clop.base()[number],
            best: self.best.values[number],
            interval: self.best.intervals[number],
            middle: self.best.middle[number],
            decimals: range.decimals(),
        })
    }

    pub(super) fn table(&self) -> PageTable {
        let mut table = PageTable::new(1, ["parameter", "base", "best", "95 %", "tried"]);
        for outcome in self.outcomes() {
            let RangeOutcome { tunable, base, best, interval: [low, high], middle, decimals } =
                outcome;
            let (name, base, best) =
                (tunable.name().to_owned(), tunable.words(base), tunable.words(best));
            let interval = format!("{low:.decimals$} to {high:.decimals$}");
            table.rows.push(vec![name, base, best, interval, format!("{middle:.decimals$}")]);
        }
        table
    }

    pub(super) fn summary(&self) -> Page {
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
    pub(super) fn verdict(&self) -> String {
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
