//! Pages of paragraphs, lists and tables: Markdown in files, plain text with aligned columns in
//! terminals.
//!
//! Blocks hold plain text; each output form escapes it.

mod markdown;
mod text;
mod width;

pub use markdown::text as markdown_text;

use crate::html::{Cell, Column, Table};
use crate::numbers;

#[derive(Debug, Default)]
pub struct Page(Vec<Block>);

#[derive(Debug)]
enum Block {
    Heading { level: usize, text: String },
    Text(String),
    List { lead: String, items: Vec<String> },
    Table(PageTable),
}

/// A table. Where it is too wide for a window its columns are shown in parts.
#[derive(Debug, Default)]
pub struct PageTable {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// The first columns, so many, identify a row; each part repeats them.
    pub keys: usize,
}

impl PageTable {
    /// A table without rows; the first `keys` columns identify a row.
    pub fn new<T: Into<String>>(keys: usize, head: impl IntoIterator<Item = T>) -> PageTable {
        let head = head.into_iter().map(Into::into).collect();
        PageTable { head, rows: Vec::new(), keys }
    }

    /// As HTML, with typeset numbers.
    pub fn html(&self, label: &str) -> String {
        let head: Vec<(&str, Column)> =
            (0..).zip(&self.head).map(|(at, name)| (name.as_str(), self.html_column(at))).collect();
        let mut table = Table::new(label, &head);
        for row in &self.rows {
            let cells = row.iter().enumerate();
            table.row(cells.map(|(at, cell)| match at < self.keys {
                true => Cell::text(cell),
                false => Cell::text(&numbers::typeset(cell)),
            }));
        }
        table.render()
    }

    /// Of text when most of its cells begin with a letter.
    fn html_column(&self, at: usize) -> Column {
        let cells = self.rows.iter().filter_map(|row| row.get(at)?.chars().next());
        let words = cells.clone().filter(|first| first.is_alphabetic()).count();
        match 2 * words > cells.count() {
            true if at < self.keys => Column::Long,
            true => Column::Text,
            false => Column::Number,
        }
    }

    /// Whether a column has numbers, or nothing, below its heading.
    fn is_of_numbers(&self, column: usize) -> bool {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        !cells.flat_map(|cell| cell.chars()).any(char::is_alphabetic)
    }
}

impl Page {
    pub fn heading(&mut self, level: usize, text: impl Into<String>) {
        self.0.push(Block::Heading { level, text: text.into() });
    }

    /// Adds a paragraph; an empty one is none.
    pub fn text(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.0.push(Block::Text(text));
        }
    }

    /// Adds a list under a sentence in bold.
    pub fn list(&mut self, lead: impl Into<String>, items: Vec<String>) {
        self.0.push(Block::List { lead: lead.into(), items });
    }

    pub fn table(&mut self, table: PageTable) {
        self.0.push(Block::Table(table));
    }

    pub fn append(&mut self, other: Page) {
        self.0.extend(other.0);
    }

    /// For files.
    pub fn markdown(&self) -> String {
        self.joined(markdown::block)
    }

    /// For terminals: lines of at most `width` columns, as far as words and cells allow.
    pub fn plain(&self, width: usize) -> String {
        self.joined(|block| text::block(block, width))
    }

    /// The blocks, separated by empty lines.
    fn joined(&self, shown: impl Fn(&Block) -> String) -> String {
        self.0.iter().map(shown).collect::<Vec<_>>().join("\n\n") + "\n"
    }
}
