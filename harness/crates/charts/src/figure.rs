//! A chart with its heading, keys and note.

use super::html::HtmlText;

/// What a style in a chart stands for.
#[derive(Debug, Clone, Copy)]
pub enum Key<'a> {
    Line(&'static str, &'a str),
    Area(&'static str, &'a str),
    Band(&'a str),
    WideBand(&'a str),
}

/// A chart, or why there is none.
#[derive(Debug, Default)]
pub struct Figure {
    heading: String,
    keys: String,
    body: String,
    note: String,
}

impl Figure {
    pub fn new(heading: &str, chart: String) -> Figure {
        Figure { heading: heading.to_owned(), body: chart, ..Figure::default() }
    }

    /// A figure without a chart, and the reason.
    pub fn nothing(heading: &str, why: &str) -> Figure {
        Figure::new(heading, format!("<p class=\"none\">Nothing to draw: {}.</p>\n", HtmlText(why)))
    }

    pub fn with_keys(mut self, keys: &[Key]) -> Figure {
        for key in keys {
            let (shape, class, label) = match *key {
                Key::Line(class, label) => ("key-line", class, label),
                Key::Area(class, label) => ("key-area", class, label),
                Key::Band(label) => ("key-area", "band", label),
                Key::WideBand(label) => ("key-area", "band wide", label),
            };
            self.keys.push_str(&format!(
                "<span class=\"key\"><span class=\"{shape} {class}\"></span>{}</span>",
                HtmlText(label)
            ));
        }
        self
    }

    pub fn with_note(self, note: &str) -> Figure {
        Figure { note: note.to_owned(), ..self }
    }

    pub fn render(&self) -> String {
        let Figure { heading, keys, body, note } = self;
        let heading = HtmlText(heading);
        let keys =
            if keys.is_empty() { String::new() } else { format!("<p class=\"keys\">{keys}</p>\n") };
        let note = if note.is_empty() {
            String::new()
        } else {
            format!("<p class=\"note\">{}</p>\n", HtmlText(note))
        };
        format!(
            "<figure>\n<figcaption><h3>{heading}</h3></figcaption>\n{keys}{body}{note}</figure>\n"
        )
    }
}
