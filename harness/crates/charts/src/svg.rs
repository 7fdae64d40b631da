//! The little of SVG that charts take.
//!
//! A chart is as wide as the page gives it room, while its height, its strokes and its letters keep
//! their size: across, places are shares of the width (0 to 1); down, they are pixels. What is
//! drawn as a path stands in a plane that is stretched to the width, with strokes that are not.
//! Labels of an upright axis stand left of the chart, in the margin that the style sheet leaves.

use std::fmt::{self, Write as _};

use super::html::HtmlText;

/// The style of pictures in files of their own: what [`STYLE`](crate::frame::STYLE) has for charts.
const FILE_STYLE: &str = include_str!("picture.css");
/// Units across a plane.
const ACROSS: f64 = 1000.0;

/// A number with at most two decimals, never NaN or infinite.
struct Num(f64);

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Far beyond any edge is where renderers lose their precision.
        let value = if self.0.is_finite() { self.0.clamp(-1e5, 1e5) } else { 0.0 };
        let text = format!("{value:.2}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

struct Across(f64);

impl fmt::Display for Across {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", Num(100.0 * self.0))
    }
}

#[derive(Debug, Clone)]
pub struct Naming {
    /// Unique on the page.
    pub id: String,
    pub title: String,
    /// What it shows, in a sentence.
    pub desc: String,
}

impl Naming {
    /// Of the chart of that name in a part of the page.
    pub fn new(part: &str, chart: &str, title: &str, desc: String) -> Naming {
        Naming { id: format!("{part}-{chart}"), title: title.to_owned(), desc }
    }
}

/// How a label is aligned to its x.
#[derive(Debug, Clone, Copy)]
pub enum TextAnchor {
    Start,
    Middle,
    End,
}

/// A chart that is being drawn.
#[derive(Debug)]
pub struct Svg {
    out: String,
}

impl Svg {
    /// An empty chart of that height, with a margin for the labels of an upright axis.
    pub fn new(naming: &Naming, height: f64) -> Svg {
        Svg::of_class("chart", naming, height)
    }

    /// An empty chart of that height and of the full width, without a margin.
    pub fn wide(naming: &Naming, height: f64) -> Svg {
        Svg::of_class("chart wide", naming, height)
    }

    fn of_class(class: &str, naming: &Naming, height: f64) -> Svg {
        let Naming { id, title, desc } = naming;
        let (id, title, desc) = (HtmlText(id), HtmlText(title), HtmlText(desc));
        Svg {
            out: format!(
                "<svg class=\"{class}\" role=\"img\" width=\"100%\" height=\"{}\" \
                 aria-labelledby=\"{id}-title {id}-desc\">\
                 <title id=\"{id}-title\">{title}</title><desc id=\"{id}-desc\">{desc}</desc>\n",
                Num(height)
            ),
        }
    }

    /// A picture in a file of its own, of that width and height in pixels, with a ground and with
    /// the little style that it needs.
    pub fn file(naming: &Naming, [width, height]: [f64; 2]) -> Svg {
        let Naming { id, title, desc } = naming;
        let (id, title, desc) = (HtmlText(id), HtmlText(title), HtmlText(desc));
        let (width, height) = (Num(width), Num(height));
        Svg {
            out: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
                 height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
                 aria-labelledby=\"{id}-title {id}-desc\">\n\
                 <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-desc\">{desc}</desc>\n\
                 <style>\n{FILE_STYLE}</style>\n\
                 <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"
            ),
        }
    }

    /// A small drawing in a table, hidden from screen readers: the table says the same.
    pub fn small(height: f64) -> Svg {
        let height = Num(height);
        Svg {
            out: format!(
                "<svg class=\"small\" aria-hidden=\"true\" width=\"100%\" height=\"{height}\">"
            ),
        }
    }

    pub fn level(&mut self, class: &str, from: f64, to: f64, y: f64) {
        self.line(class, [from, y], [to, y]);
    }

    pub fn upright(&mut self, class: &str, x: f64, from: f64, to: f64) {
        self.line(class, [x, from], [x, to]);
    }

    fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let (x1, x2, y1, y2) = (Across(x1), Across(x2), Num(y1), Num(y2));
        self.put(format_args!(
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>\n"
        ));
    }

    /// A filled rectangle from `x` to `to`; `hint` appears when it is pointed at.
    pub fn bar(&mut self, class: &str, x: [f64; 2], y: [f64; 2], hint: &str) {
        self.rect(class, x, y, "", hint);
    }

    /// A filled rectangle of an opacity, 0 to 1.
    pub fn shade(&mut self, class: &str, x: [f64; 2], y: [f64; 2], opacity: f64, hint: &str) {
        self.rect(class, x, y, &format!(" fill-opacity=\"{}\"", Num(opacity)), hint);
    }

    fn rect(
        &mut self,
        class: &str,
        [x, to]: [f64; 2],
        [y, bottom]: [f64; 2],
        more: &str,
        hint: &str,
    ) {
        let (x, width) = (Across(x), Across((to - x).max(0.0)));
        let (y, height) = (Num(y), Num((bottom - y).max(0.0)));
        self.put(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{more}"
        ));
        if hint.is_empty() {
            self.put(format_args!("/>\n"));
        } else {
            self.put(format_args!("><title>{}</title></rect>\n", HtmlText(hint)));
        }
    }

    pub fn dot(&mut self, class: &str, x: f64, y: f64, radius: f64) {
        let (x, y, radius) = (Across(x), Num(y), Num(radius));
        self.put(format_args!(
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>\n"
        ));
    }

    /// Text whose foot is at `y`.
    pub fn label(&mut self, class: &str, anchor: TextAnchor, x: f64, y: f64, text: &str) {
        let anchor = match anchor {
            TextAnchor::Start => "start",
            TextAnchor::Middle => "middle",
            TextAnchor::End => "end",
        };
        let (x, y) = (Across(x), Num(y));
        self.put(format_args!(
            "<text class=\"{class}\" text-anchor=\"{anchor}\" x=\"{x}\" y=\"{y}\">{}</text>\n",
            HtmlText(text)
        ));
    }

    /// Text in the left margin, centred about the height `y`.
    pub fn margin(&mut self, y: f64, text: &str) {
        let y = Num(y + 4.0);
        self.put(format_args!(
            "<text class=\"tick\" text-anchor=\"end\" x=\"0\" dx=\"-8\" y=\"{y}\">{}</text>\n",
            HtmlText(text)
        ));
    }

    /// Paths in a plane of the whole width, from `top` down; what leaves it is clipped.
    pub fn plane(&mut self, top: f64, height: f64, paths: &[(&str, SvgPath)]) {
        let (top, height) = (Num(top), Num(height));
        self.put(format_args!(
            "<svg class=\"plane\" x=\"0\" y=\"{top}\" width=\"100%\" height=\"{height}\" \
             viewBox=\"0 0 {ACROSS} {height}\" preserveAspectRatio=\"none\">\n"
        ));
        for (class, path) in paths.iter().filter(|(_, path)| !path.is_empty()) {
            self.put(format_args!("<path class=\"{class}\" d=\"{}\"/>\n", path.data));
        }
        self.put(format_args!("</svg>\n"));
    }

    pub fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }

    fn put(&mut self, markup: fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = self.out.write_fmt(markup);
    }
}

#[derive(Debug, Clone, Default)]
pub struct SvgPath {
    data: String,
    is_drawing: bool,
}

impl SvgPath {
    /// A line through points, each a share of the width and pixels down. At what is no number it is
    /// broken off; a point by itself becomes a dot.
    pub fn through(points: impl IntoIterator<Item = [f64; 2]>) -> SvgPath {
        let mut path = SvgPath::default();
        points.into_iter().for_each(|point| path.add(point));
        path
    }

    /// The area between two lines through the same points: each a share of the width, and pixels
    /// down of the one and of the other. Points at which either is no number are left out.
    pub fn between(points: impl IntoIterator<Item = [f64; 3]>) -> SvgPath {
        let points = points.into_iter().filter(|point| point.iter().all(|value| value.is_finite()));
        let points: Vec<[f64; 3]> = points.collect();
        let there = points.iter().map(|&[x, y, _]| [x, y]);
        let back = points.iter().rev().map(|&[x, _, y]| [x, y]);
        let mut path = SvgPath::through(there.chain(back));
        if !path.is_empty() {
            path.data.push('Z');
        }
        path
    }

    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    fn add(&mut self, [x, y]: [f64; 2]) {
        if !(x.is_finite() && y.is_finite()) {
            self.is_drawing = false;
            return;
        }
        let (x, y) = (Num(ACROSS * x), Num(y));
        // Writing to a String cannot fail.
        let _ = if self.is_drawing {
            write!(self.data, "L{x} {y}")
        } else {
            // Of no length, so that round ends make a dot of it.
            write!(self.data, "M{x} {y}h0")
        };
        self.is_drawing = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_sound() {
        for (number, text) in [
            (1.0, "1"),
            (-0.001, "0"),
            (12.3456, "12.35"),
            (100.0, "100"),
            (f64::NAN, "0"),
            (f64::NEG_INFINITY, "0"),
            (1e300, "100000"),
        ] {
            assert_eq!(Num(number).to_string(), text);
        }
    }

    #[test]
    fn paths_break_off_where_there_is_no_number() {
        let nan = f64::NAN;
        let path = SvgPath::through([[0.0, nan], [0.1, 5.0], [0.2, 6.5], [nan, 1.0], [0.5, 7.0]]);
        assert_eq!(path.data, "M100 5h0L200 6.5M500 7h0");
        let area = SvgPath::between([[0.0, 1.0, 2.0], [0.5, nan, 2.0], [1.0, 3.0, 4.0]]);
        assert_eq!(area.data, "M0 1h0L1000 3L1000 4L0 2Z");
        assert!(SvgPath::through([]).is_empty() && SvgPath::between([[nan; 3]]).is_empty());
    }

    #[test]
    fn names_are_escaped() {
        let [id, title, desc] = ["a\"b", "<t>", "d&"].map(str::to_owned);
        let mut svg = Svg::new(&Naming { id, title, desc }, 10.0);
        svg.label("x", TextAnchor::End, 0.5, 3.0, "<script>");
        svg.bar("t", [0.25, 0.5], [0.0, 8.0], "a<b");
        let markup = svg.finish();
        for part in [
            "aria-labelledby=\"a&quot;b-title a&quot;b-desc\"",
            "<title id=\"a&quot;b-title\">&lt;t&gt;</title>",
            "x=\"50%\" y=\"3\">&lt;script&gt;</text>",
            "x=\"25%\" y=\"0\" width=\"25%\" height=\"8\"><title>a&lt;b</title>",
        ] {
            assert!(markup.contains(part), "{part} in {markup}");
        }
    }
}
