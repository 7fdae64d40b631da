//! HTML: text that breaks nothing, tables.

use std::fmt;

use crate::numbers as words;
use process::terminal::escape::{Number, is_hidden};

/// Foreign text, safe in elements and in quoted attributes of HTML and SVG.
#[derive(Debug, Clone, Copy)]
pub struct HtmlText<'a>(pub &'a str);

impl fmt::Display for HtmlText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c if is_hidden(c) => HtmlText(&Number(c).to_string()).fmt(f)?,
                c => fmt::Write::write_char(f, c)?,
            }
        }
        Ok(())
    }
}

pub fn text(text: &str) -> String {
    HtmlText(text).to_string()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    Text,
    /// Text that may be one long word, at the left.
    Long,
    /// At the right; sorted from the largest first.
    Number,
    /// Something drawn; not sorted by.
    Drawing,
}

/// A cell: HTML, and what it is sorted by if not by its text.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    html: String,
    key: Option<String>,
}

impl Cell {
    pub fn html(html: String) -> Cell {
        Cell { html, key: None }
    }

    pub fn text(text: &str) -> Cell {
        Cell::html(self::text(text))
    }

    pub fn count(number: u64) -> Cell {
        Cell::keyed(words::count(number), Some(number as f64))
    }

    /// A cell of HTML that is sorted by a number; what has none comes last.
    pub fn keyed(html: String, key: Option<f64>) -> Cell {
        let key = key.filter(|key| key.is_finite());
        Cell { html, key: Some(key.map(|key| key.to_string()).unwrap_or_default()) }
    }
}

/// A table of which the first cell of each row is the row's heading.
#[derive(Debug, Clone)]
pub struct Table {
    head: Vec<(String, Column)>,
    rows: Vec<Vec<Cell>>,
    /// What it shows, for those who do not see it.
    label: String,
    class: &'static str,
}

impl Table {
    pub fn new(label: &str, head: &[(&str, Column)]) -> Table {
        let head = head.iter().map(|(name, column)| (text(name), *column)).collect();
        Table { head, rows: Vec::new(), label: text(label), class: "" }
    }

    /// Makes it sortable by a click on a heading.
    pub fn sortable(self) -> Table {
        Table { class: " class=\"sortable\"", ..self }
    }

    /// The same, with room for what the table of all runs says in its first column.
    pub fn of_runs(self) -> Table {
        Table { class: " class=\"sortable runs\"", ..self }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.head.len(), "a cell for each heading of {}", self.label);
        self.rows.push(cells);
    }

    /// The table in a frame that scrolls where it is too wide, with a shadow at an edge that hides
    /// more.
    pub fn render(&self) -> String {
        let mut out = format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\
             <table{1}><caption>{0}</caption>\n<thead><tr>",
            self.label, self.class
        );
        for (name, column) in &self.head {
            let class = class_of(*column);
            out.push_str(&match name.as_str() {
                "" => format!("<td{class}></td>"),
                name => format!("<th scope=\"col\"{class}>{name}</th>"),
            });
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            out.push_str("<tr>");
            for (at, (cell, (_, column))) in row.iter().zip(&self.head).enumerate() {
                let class = class_of(*column);
                let key = cell.key.as_ref().map(|key| format!(" data-key=\"{}\"", HtmlText(key)));
                let key = key.unwrap_or_default();
                let html = &cell.html;
                out.push_str(&match at {
                    0 => format!("<th scope=\"row\"{class}{key}>{html}</th>"),
                    _ => format!("<td{class}{key}>{html}</td>"),
                });
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></div>\n");
        out
    }
}

fn class_of(column: Column) -> &'static str {
    match column {
        Column::Text => "",
        Column::Long => " class=\"x\"",
        Column::Number => " class=\"n\"",
        Column::Drawing => " class=\"d\"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_only_text() {
        let wild = "<b a=\"1\" c='2'>&\u{0}\n\u{202e}é♞</b>";
        assert_eq!(
            text(wild),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&lt;U+0000&gt;&lt;U+000A&gt;&lt;U+202E&gt;é♞&lt;/b&gt;"
        );
    }

    #[test]
    fn a_table_has_headings_both_ways() {
        let mut table = Table::new("who & what", &[("a<b", Column::Text), ("n", Column::Number)]);
        table.row([Cell::text("x<y"), Cell::keyed("5".to_owned(), Some(5.0))]);
        table.row([Cell::text("z"), Cell::keyed("–".to_owned(), Some(f64::NAN))]);
        let html = table.sortable().render();
        for part in [
            "<caption>who &amp; what</caption>",
            "<th scope=\"col\">a&lt;b</th><th scope=\"col\" class=\"n\">n</th>",
            "<th scope=\"row\">x&lt;y</th><td class=\"n\" data-key=\"5\">5</td>",
            "<td class=\"n\" data-key=\"\">–</td>",
            "<table class=\"sortable\">",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
    }
}
