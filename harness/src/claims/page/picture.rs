//! The picture of a claim: what was measured, as intervals beside the claimed range.

use std::collections::BTreeMap;

use super::sign::Sign;
use crate::claims::MeasureKind;
use crate::claims::finding::{ClaimRange, Finding};
use charts::numbers::{fixed, signed};
use charts::scale::Scale;
use charts::svg::{Naming, Svg, TextAnchor};

/// Narrow, so that its letters can be read on a telephone.
const WIDTH: f64 = 480.0;
/// Where the axis begins and ends.
const PLOT: [f64; 2] = [82.0, 322.0];
/// Where the outcomes begin.
const WORDS: f64 = 336.0;
const EDGE: f64 = 10.0;
const HEAD: f64 = 30.0;
const ROW: f64 = 38.0;
const FOOT: f64 = 26.0;
const TICKS: usize = 6;

/// What is measured, and in which unit it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Axis {
    Elo,
    Times,
    Share,
    /// Ways to write the same code differ more than searches do.
    Code,
}

impl Axis {
    pub(super) fn of(measure: MeasureKind) -> Axis {
        match measure {
            MeasureKind::Match | MeasureKind::More => Axis::Elo,
            MeasureKind::Speed => Axis::Times,
            MeasureKind::Share | MeasureKind::Mates => Axis::Share,
            MeasureKind::Micro => Axis::Code,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Axis::Elo => "strength",
            Axis::Times => "speed",
            Axis::Share => "share",
            Axis::Code => "speed of the code",
        }
    }

    /// The amount of no effect.
    fn nought(self) -> Option<f64> {
        match self {
            Axis::Elo => Some(0.0),
            Axis::Times | Axis::Code => Some(1.0),
            Axis::Share => None,
        }
    }

    /// An amount as it is drawn: shares in per cent.
    fn drawn(self, amount: f64) -> f64 {
        if self == Axis::Share { 100.0 * amount } else { amount }
    }

    fn tick(self, value: f64, decimals: usize) -> String {
        match self {
            Axis::Elo => signed(value, decimals),
            Axis::Times | Axis::Code => format!("{}×", fixed(value, decimals)),
            Axis::Share => format!("{}%", fixed(value, decimals)),
        }
    }

    pub(super) fn amount(self, finding: Finding) -> String {
        let [low, high] = finding.interval.map(|end| self.drawn(end));
        let value = self.drawn(finding.value);
        match self {
            Axis::Elo => format!("{} ± {}", signed(value, 1), fixed((high - low) / 2.0, 1)),
            Axis::Times | Axis::Code => {
                format!("{}× ({}–{})", fixed(value, 2), fixed(low, 2), fixed(high, 2))
            }
            Axis::Share => {
                format!("{}% ({}–{})", fixed(value, 1), fixed(low, 1), fixed(high, 1))
            }
        }
    }
}

/// One way to measure a claim.
pub(super) struct Panel {
    pub head: String,
    pub axis: Axis,
    pub claimed: ClaimRange,
    pub rows: Vec<Row>,
}

/// What was found in one personality.
pub(super) struct Row {
    pub name: String,
    pub sign: Sign,
    /// The amount in words.
    pub detail: String,
    pub finding: Option<Finding>,
}

pub(super) type Scales = BTreeMap<Axis, Scale>;

/// A scale for each axis that takes all claimed and measured amounts.
pub(super) fn scales<'a>(panels: impl IntoIterator<Item = &'a Panel>) -> Scales {
    let mut values: BTreeMap<Axis, Vec<f64>> = BTreeMap::new();
    for panel in panels {
        let axis = panel.axis;
        let findings = panel.rows.iter().filter_map(|row| row.finding);
        let ends = findings.flat_map(|it| it.interval.into_iter().chain([it.value]));
        let amounts = panel.claimed.into_iter().flatten().chain(ends).chain(axis.nought());
        values.entry(axis).or_default().extend(amounts.map(|amount| axis.drawn(amount)));
    }
    values.into_iter().map(|(axis, all)| (axis, Scale::of(all).with_room(0.06, 0.06))).collect()
}

/// The same in words.
pub(super) fn description(panels: &[Panel]) -> String {
    let panel = |panel: &Panel| {
        let rows = panel.rows.iter().map(|row| {
            let detail = match row.detail.as_str() {
                "" => String::new(),
                detail => format!(" {detail},"),
            };
            format!("{}{detail} {}", row.name, row.sign.word)
        });
        format!("{}; {}", panel.head, rows.collect::<Vec<_>>().join("; "))
    };
    panels.iter().map(panel).collect::<Vec<_>>().join(". ")
}

pub(super) fn draw(id: &str, title: &str, panels: &[Panel], scales: &Scales) -> String {
    let naming = Naming { id: id.to_owned(), title: title.to_owned(), desc: description(panels) };
    let height = |panel: &Panel| HEAD + ROW * panel.rows.len() as f64 + FOOT;
    let mut svg = Svg::file(&naming, [WIDTH, panels.iter().map(height).sum::<f64>() + 4.0]);
    let mut top = 0.0;
    for panel in panels {
        if let Some(scale) = scales.get(&panel.axis) {
            draw_panel(&mut svg, panel, scale, top);
        }
        top += height(panel);
    }
    svg.finish()
}

/// A share of the picture's width.
fn across(pixels: f64) -> f64 {
    pixels / WIDTH
}

fn draw_panel(svg: &mut Svg, panel: &Panel, scale: &Scale, top: f64) {
    let axis = panel.axis;
    let [left, right] = PLOT;
    let place = |drawn: f64| across(left + (right - left) * scale.share(drawn).clamp(0.0, 1.0));
    let at = |amount: f64| place(axis.drawn(amount));
    svg.label("name", TextAnchor::Start, across(EDGE), top + 20.0, &panel.head);
    let (from, to) = (top + HEAD, top + HEAD + ROW * panel.rows.len() as f64);
    if panel.claimed != [None, None] {
        let [low, high] = panel.claimed;
        let ends = [low.map_or(across(left), at), high.map_or(across(right), at)];
        // A single amount is a line.
        let ends = [ends[0], ends[1].max(ends[0] + across(1.0))];
        svg.bar("range", ends, [from, to], "claimed");
    }
    let ticks = scale.ticks(TICKS, 0.0);
    for &value in &ticks.values {
        svg.upright("grid", place(value), from, to + 4.0);
        let text = axis.tick(value, ticks.decimals);
        svg.label("tick", TextAnchor::Middle, place(value), to + 18.0, &text);
    }
    if let Some(nought) = axis.nought() {
        svg.upright("guide", at(nought), from, to);
    }
    for (row, y) in panel.rows.iter().zip((0..).map(|row| from + ROW * (f64::from(row) + 0.5))) {
        let class = row.sign.class;
        svg.label("name", TextAnchor::Start, across(EDGE), y + 4.0, &row.name);
        if let Some(finding) = row.finding {
            let [low, high] = finding.interval.map(at);
            let whisker = format!("whisker {class}");
            svg.level(&whisker, low, high, y);
            for end in [low, high] {
                svg.upright(&whisker, end, y - 5.0, y + 5.0);
            }
            svg.dot(class, at(finding.value), y, 5.0);
        }
        let sign = format!("value {class}");
        let lift = if row.detail.is_empty() { 4.0 } else { -3.0 };
        svg.label(&sign, TextAnchor::Start, across(WORDS), y + lift, &row.sign.text());
        if !row.detail.is_empty() {
            svg.label("tick", TextAnchor::Start, across(WORDS), y + 12.0, &row.detail);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::ClaimOutcome;

    fn panel(axis: Axis, claimed: ClaimRange, interval: [f64; 2]) -> Panel {
        let finding = Finding { value: f64::midpoint(interval[0], interval[1]), interval };
        let sign = Sign::of_outcome(ClaimOutcome::Contradicted);
        let detail = axis.amount(finding);
        let row = Row { name: "a<b".to_owned(), sign, detail, finding: Some(finding) };
        Panel { head: "speed".to_owned(), axis, claimed, rows: vec![row] }
    }

    /// The scale goes from 0.94 to 2.06, the plot from 82 to 322 of 480.
    #[test]
    fn intervals_stand_where_their_amounts_are() {
        let panels = [panel(Axis::Times, [Some(1.5), None], [1.2, 2.0])];
        let scales = scales(&panels);
        let svg = draw("X", "t & u", &panels, &scales);
        let place = |amount: f64| 100.0 * (82.0 + 240.0 * (amount - 0.94) / 1.12) / 480.0;
        for (amount, part) in [
            (1.6, format!("<circle class=\"base\" cx=\"{:.2}%\"", place(1.6))),
            (1.5, format!("<rect class=\"range\" x=\"{:.2}%\"", place(1.5))),
            (1.0, format!("<line class=\"guide\" x1=\"{:.2}%\"", place(1.0))),
        ] {
            assert!(svg.contains(&part), "{amount}: {part} in {svg}");
        }
        for part in [
            // Without an upper end the range goes on to the edge, 322: from 202.
            "width=\"25%\" height=\"38\"><title>claimed</title>",
            "<title id=\"X-title\">t &amp; u</title>",
            "speed; a&lt;b 1.60× (1.20–2.00), contradicted</desc>",
            ">✗ contradicted</text>",
            ">a&lt;b</text>",
        ] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
    }

    /// Two claims of one chapter: what one needs, the other's axis has as well.
    #[test]
    fn a_chapter_has_one_scale_for_each_unit() {
        let panels = [
            panel(Axis::Elo, [Some(-10.0), Some(10.0)], [-20.0, 5.0]),
            panel(Axis::Elo, [Some(50.0), None], [60.0, 90.0]),
            panel(Axis::Share, [Some(0.05), Some(0.07)], [0.03, 0.05]),
        ];
        let scales = scales(&panels);
        assert_eq!(scales.len(), 2);
        let elo = scales[&Axis::Elo];
        assert!((elo.share(-20.0) - 0.06 / 1.12).abs() < 1e-9, "{elo:?}");
        assert!((elo.share(90.0) - 1.06 / 1.12).abs() < 1e-9, "{elo:?}");
        let share = scales[&Axis::Share];
        assert!((share.share(3.0) - 0.06 / 1.12).abs() < 1e-9, "in per cent: {share:?}");
    }

    /// Of one position nothing is known of the interval.
    #[test]
    fn an_interval_without_an_end_stays_in_the_picture() {
        let mut panels = [panel(Axis::Times, [None, None], [0.0, 2.0])];
        panels[0].rows[0].finding = Some(Finding { value: 1.5, interval: [0.0, f64::INFINITY] });
        let svg = draw("X", "", &panels, &scales(&panels));
        let right = format!("x2=\"{:.2}%\"", 100.0 * 322.0 / 480.0);
        assert!(svg.contains(&right) && !svg.contains("class=\"range\""), "{svg}");
    }
}
