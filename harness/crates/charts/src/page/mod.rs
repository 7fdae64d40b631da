//! Pages of paragraphs, lists and tables: Markdown in files, plain text with aligned columns in terminals.
//!
//! What is put in is plain text; each form makes it fit for itself.

mod markdown;
mod text;
mod width;

pub use markdown::text as markdown_text;

/// A page.
#[derive(Debug, Default)]
pub struct Page(Vec<Block>);

#[derive(Debug)]
enum Block {
    Heading { level: usize, text: String },
    Text(String),
    List { lead: String, items: Vec<String> },
    Table(Table),
}

/// A table. Where it is too wide for a window its columns are shown in parts.
#[derive(Debug, Default)]
pub struct Table {
    /// The headings of its columns.
    pub head: Vec<String>,
    /// As many cells in each row.
    pub rows: Vec<Vec<String>>,
    /// So many columns, the first ones, say what a row is of; each part repeats them.
    pub keys: usize,
}

impl Table {
    /// A table without rows, the first `keys` of its columns saying what a row is of.
    pub fn new<T: Into<String>>(keys: usize, head: impl IntoIterator<Item = T>) -> Table {
        let head = head.into_iter().map(Into::into).collect();
        Table { head, rows: Vec::new(), keys }
    }

    /// Whether a column has numbers, or nothing, below its heading.
    fn is_of_numbers(&self, column: usize) -> bool {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        !cells.flat_map(|cell| cell.chars()).any(char::is_alphabetic)
    }
}

impl Page {
    /// Adds a heading, of level 1 for that of the page.
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

    /// Adds a list under a sentence that stands out.
    pub fn list(&mut self, lead: impl Into<String>, items: Vec<String>) {
        self.0.push(Block::List { lead: lead.into(), items });
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.0.push(Block::Table(table));
    }

    /// For files.
    pub fn markdown(&self) -> String {
        self.joined(markdown::block)
    }

    /// For terminals: lines of at most `width` columns, as far as words and cells allow.
    pub fn plain(&self, width: usize) -> String {
        self.joined(|block| text::block(block, width))
    }

    /// The blocks with empty lines between.
    fn joined(&self, shown: impl Fn(&Block) -> String) -> String {
        self.0.iter().map(shown).collect::<Vec<_>>().join("\n\n") + "\n"
    }
}
