//! Charts of lines over a number.

use super::scale::Scale;
use super::svg::{Naming, Svg, SvgPath, TextAnchor};
use crate::numbers::{count, signed};

/// Room above the plane, for the upper half of the highest label.
const TOP: f64 = 10.0;
const HEIGHT: f64 = 200.0;
/// Room below it, for two rows of letters.
const BELOW: f64 = 40.0;
/// Marks across and up; so few that labels part on a phone.
const MARKS: [usize; 2] = [6, 5];

#[derive(Debug)]
pub struct Series {
    pub class: &'static str,
    /// The line is broken at points that are NaN or infinite.
    pub points: Vec<[f64; 2]>,
}

/// A level that means something.
#[derive(Debug)]
pub struct Guide {
    pub class: &'static str,
    pub y: f64,
    pub label: String,
    /// Whether the label stands below it.
    pub label_below: bool,
}

pub struct LineChart<'a> {
    pub naming: Naming,
    pub x: Scale,
    /// The title of the x axis.
    pub x_name: &'a str,
    pub y: Scale,
    /// How y values are written, with so many decimals.
    pub y_label: &'a dyn Fn(f64, usize) -> String,
    /// Marks are multiples of at least this.
    pub y_least: f64,
    /// The level from which values count up and down.
    pub ground: Option<f64>,
    /// An area: across, and its two ends up.
    pub band: Vec<[f64; 3]>,
    /// A paler one behind it.
    pub wide_band: Vec<[f64; 3]>,
    pub series: Vec<Series>,
    pub guides: Vec<Guide>,
}

impl<'a> LineChart<'a> {
    /// A chart without lines, of signed values over whole numbers, with the ground at 0.
    pub fn new(naming: Naming, x: Scale, x_name: &'a str, y: Scale) -> LineChart<'a> {
        LineChart {
            naming,
            x,
            x_name,
            y,
            y_label: &signed,
            y_least: 0.0,
            ground: Some(0.0),
            band: Vec::new(),
            wide_band: Vec::new(),
            series: Vec::new(),
            guides: Vec::new(),
        }
    }

    pub fn render(&self) -> String {
        let mut svg = Svg::new(&self.naming, TOP + HEIGHT + BELOW);
        self.draw_axes(&mut svg);
        let at = |x: f64, y: f64| [self.x.share(x), HEIGHT * (1.0 - self.y.share(y))];
        let area = |band: &[[f64; 3]]| {
            SvgPath::between(band.iter().map(|&[x, low, high]| {
                let ([x, low], [_, high]) = (at(x, low), at(x, high));
                [x, low, high]
            }))
        };
        let bands = [("band wide", area(&self.wide_band)), ("band", area(&self.band))];
        let lines = self.series.iter().map(|series| {
            (series.class, SvgPath::through(series.points.iter().map(|&[x, y]| at(x, y))))
        });
        let bands = bands.into_iter().skip(usize::from(self.wide_band.is_empty()));
        let paths: Vec<(&str, SvgPath)> = bands.chain(lines).collect();
        svg.plane(TOP, HEIGHT, &paths);
        for guide in &self.guides {
            let y = self.height_of(guide.y);
            svg.level(&format!("guide {}", guide.class), 0.0, 1.0, y);
            let foot = if guide.label_below { y + 14.0 } else { y - 5.0 };
            let class = format!("mark {}", guide.class);
            svg.label(&class, TextAnchor::End, 1.0, foot, &guide.label);
        }
        svg.finish()
    }

    fn height_of(&self, y: f64) -> f64 {
        TOP + HEIGHT * (1.0 - self.y.share(y))
    }

    fn draw_axes(&self, svg: &mut Svg) {
        let [across, up] = MARKS;
        let ticks = self.y.ticks(up, self.y_least);
        for &value in &ticks.values {
            let y = self.height_of(value);
            svg.level("grid", 0.0, 1.0, y);
            svg.margin(y, &(self.y_label)(value, ticks.decimals));
        }
        if let Some(ground) = self.ground {
            svg.level("ground", 0.0, 1.0, self.height_of(ground));
        }
        let foot = TOP + HEIGHT;
        for value in self.x.ticks(across, 1.0).values {
            let x = self.x.share(value);
            svg.upright("grid", x, foot, foot + 4.0);
            svg.label("tick", TextAnchor::Middle, x, foot + 18.0, &count(value.max(0.0) as u64));
        }
        svg.label("tick", TextAnchor::End, 1.0, foot + 35.0, self.x_name);
    }
}
