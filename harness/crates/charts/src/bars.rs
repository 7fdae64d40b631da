//! Charts of bars: upright ones for counts, level ones for shares of a whole.

use super::scale::Scale;
use super::svg::{Naming, Svg, TextAnchor};
use crate::numbers::{count, short};

/// Room above the tallest bar.
const TOP: f64 = 20.0;
const HEIGHT: f64 = 170.0;
/// Room below, for two rows of letters.
const BELOW: f64 = 40.0;
const MARKS: usize = 4;

#[derive(Debug)]
pub struct Bar {
    pub class: &'static str,
    pub value: u64,
    /// Its tooltip.
    pub hint: String,
}

/// What stands below bars.
#[derive(Debug)]
pub enum Below {
    /// A name below each bar, and its value above.
    Names(Vec<String>),
    /// Names at edges between bars, by how many bars are left of them; values at the left margin.
    Edges(Vec<(usize, String)>),
}

#[derive(Debug)]
pub struct Bars<'a> {
    pub naming: Naming,
    /// From left to right.
    pub bars: Vec<Bar>,
    pub below: Below,
    /// The title of the x axis.
    pub x_name: &'a str,
}

impl Bars<'_> {
    pub fn render(&self) -> String {
        let height = TOP + HEIGHT + BELOW;
        let mut svg = match &self.below {
            Below::Names(_) => Svg::wide(&self.naming, height),
            Below::Edges(_) => Svg::new(&self.naming, height),
        };
        let foot = TOP + HEIGHT;
        let most = self.bars.iter().map(|bar| bar.value).max().unwrap_or(0).max(1);
        let scale = Scale::of([0.0, most as f64]);
        let width = 1.0 / self.bars.len().max(1) as f64;
        let gap = match &self.below {
            Below::Names(_) => 0.08 * width,
            Below::Edges(_) => 0.03 * width,
        };
        if let Below::Edges(_) = &self.below {
            for value in scale.ticks(MARKS, 1.0).values {
                let y = foot - HEIGHT * scale.share(value);
                svg.level("grid", 0.0, 1.0, y);
                svg.margin(y, &short(value));
            }
        }
        for (at, bar) in self.bars.iter().enumerate() {
            let [left, right] = [at as f64 * width, (at + 1) as f64 * width];
            let top = foot - HEIGHT * scale.share(bar.value as f64);
            if bar.value > 0 {
                svg.bar(bar.class, [left + gap, right - gap], [top, foot], &bar.hint);
            }
            if let Below::Names(names) = &self.below {
                let middle = f64::midpoint(left, right);
                svg.label("value", TextAnchor::Middle, middle, top - 6.0, &count(bar.value));
                let name = names.get(at).map_or("", String::as_str);
                svg.label("tick", TextAnchor::Middle, middle, foot + 18.0, name);
            }
        }
        svg.level("ground", 0.0, 1.0, foot);
        if let Below::Edges(edges) = &self.below {
            for (at, name) in edges {
                svg.label("tick", TextAnchor::Middle, *at as f64 * width, foot + 18.0, name);
            }
        }
        svg.label("tick", TextAnchor::End, 1.0, foot + 35.0, self.x_name);
        svg.finish()
    }
}

/// A whole in parts.
#[derive(Debug)]
pub struct StackedBar {
    pub name: String,
    pub note: String,
    /// Style, value and tooltip of each part.
    pub parts: Vec<(&'static str, u64, String)>,
}

/// Height of a row with its labels, and of its bar.
const ROW: [f64; 2] = [52.0, 18.0];

/// Level bars of one length, each divided into its parts.
pub fn wholes(naming: &Naming, rows: &[StackedBar]) -> String {
    let [row, height] = ROW;
    let mut svg = Svg::wide(naming, row * rows.len() as f64);
    for (at, whole) in rows.iter().enumerate() {
        let top = row * at as f64;
        svg.label("name", TextAnchor::Start, 0.0, top + 15.0, &whole.name);
        svg.label("tick", TextAnchor::End, 1.0, top + 15.0, &whole.note);
        let sum = whole.parts.iter().map(|(_, part, _)| *part as f64).sum::<f64>();
        let mut left = 0.0;
        for (class, part, hint) in &whole.parts {
            let right = left + *part as f64 / sum.max(1.0);
            if *part > 0 {
                svg.bar(class, [left, right], [top + 22.0, top + 22.0 + height], hint);
            }
            left = right;
        }
    }
    svg.finish()
}
