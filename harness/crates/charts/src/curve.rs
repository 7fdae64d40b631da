//! Charts of measured points with their intervals, and a line fitted to them.

use super::scale::Scale;
use super::svg::{Naming, Svg, SvgPath, TextAnchor};
use crate::numbers::{fixed, signed};

/// Room above the plane, for the upper half of the highest label.
const TOP: f64 = 10.0;
const HEIGHT: f64 = 220.0;
/// Room below it, for two rows of letters.
const BELOW: f64 = 40.0;
/// Marks across and up; so few that labels part on a phone.
const MARKS: [usize; 2] = [6, 5];
/// An interval's height beyond that of all points at which it is cut off.
const CUT: f64 = 1.0;

#[derive(Debug, Clone, Copy)]
pub struct Dot {
    pub class: &'static str,
    pub x: f64,
    pub y: f64,
    /// Half the width of its interval.
    pub error: f64,
}

pub struct Curve<'a> {
    pub naming: Naming,
    /// The title of the x axis.
    pub x_name: &'a str,
    pub dots: Vec<Dot>,
    /// A line, and the band about it: across, height, half the band's width.
    pub line: Vec<[f64; 3]>,
    /// A level to be marked upright, and the ends of its interval.
    pub top: Option<[f64; 3]>,
}

/// Points of a fitted line.
const LINE_POINTS: u32 = 60;

/// A line over evenly spaced places: height and half the band's width at each.
pub fn line([from, to]: [f64; 2], at: impl Fn(f64) -> [f64; 2]) -> Vec<[f64; 3]> {
    let place = |i| from + (to - from) * f64::from(i) / f64::from(LINE_POINTS);
    let point = |x| {
        let [height, half] = at(x);
        [x, height, half]
    };
    (0..=LINE_POINTS).map(place).map(point).collect()
}

impl Curve<'_> {
    pub fn render(&self) -> String {
        let across = self.dots.iter().map(|dot| dot.x);
        let x = Scale::of(across).with_room(0.04, 0.04);
        let y = self.up();
        let place = |value: f64| TOP + HEIGHT * (1.0 - y.share(value));
        let mut svg = Svg::new(&self.naming, TOP + HEIGHT + BELOW);
        let ticks = y.ticks(MARKS[1], 0.0);
        for &value in &ticks.values {
            svg.level("grid", 0.0, 1.0, place(value));
            svg.margin(place(value), &signed(value, ticks.decimals));
        }
        svg.level("ground", 0.0, 1.0, place(0.0).clamp(TOP, TOP + HEIGHT));
        let foot = TOP + HEIGHT;
        let ticks = x.ticks(MARKS[0], 0.0);
        for &value in &ticks.values {
            let at = x.share(value);
            svg.upright("grid", at, foot, foot + 4.0);
            svg.label("tick", TextAnchor::Middle, at, foot + 18.0, &fixed(value, ticks.decimals));
        }
        svg.label("tick", TextAnchor::End, 1.0, foot + 35.0, self.x_name);
        let down = |value: f64| HEIGHT * (1.0 - y.share(value));
        let band =
            SvgPath::between(self.line.iter().map(|&[at, middle, half]| {
                [x.share(at), down(middle - half), down(middle + half)]
            }));
        let line =
            SvgPath::through(self.line.iter().map(|&[at, middle, _]| [x.share(at), down(middle)]));
        svg.plane(TOP, HEIGHT, &[("band", band), ("line ink", line)]);
        if let Some([at, low, high]) = self.top {
            let inside = |value: f64| x.share(value).clamp(0.0, 1.0);
            svg.level("guide base", inside(low), inside(high), TOP + 4.0);
            svg.upright("guide base", inside(at), TOP, foot);
        }
        for dot in self.dots.iter().filter(|dot| dot.y.is_finite()) {
            let at = x.share(dot.x);
            if dot.error.is_finite() && dot.error > 0.0 {
                let ends = [dot.y + dot.error, dot.y - dot.error];
                let [high, low] = ends.map(|end| place(end).clamp(TOP, foot));
                svg.upright(&format!("whisker {}", dot.class), at, high, low);
            }
            svg.dot(dot.class, at, place(dot.y).clamp(TOP, foot), 4.0);
        }
        svg.finish()
    }

    /// Intervals much longer than all points lie apart would leave nothing to see of these.
    fn up(&self) -> Scale {
        let known: Vec<&Dot> = self.dots.iter().filter(|dot| dot.y.is_finite()).collect();
        let heights = known.iter().map(|dot| dot.y);
        let least = heights.clone().fold(0.0, f64::min);
        let most = heights.fold(0.0, f64::max);
        let room = CUT * (most - least).max(1.0);
        let ends = known.iter().filter(|dot| dot.error.is_finite());
        let ends = ends.flat_map(|dot| [dot.y - dot.error, dot.y + dot.error]);
        let ends = ends.map(|end| end.clamp(least - room, most + room));
        Scale::of(ends.chain([least, most])).with_room(0.06, 0.06)
    }
}
