//! Pages as plain text.

use super::{Block, PageTable, width};
use process::terminal::escape::shown;

/// Between two columns.
const GAP: &str = "  ";
/// A word of more columns is clipped: names have no bound.
const LONGEST_WORD: usize = 1000;
/// The least width of a key column and of a wrapped column.
const LEAST: usize = 12;

pub(super) fn block(block: &Block, width: usize) -> String {
    match block {
        Block::Heading { text, .. } => shown(text).into_owned(),
        Block::Text(text) => lines(&shown(text), width).join("\n"),
        Block::List { lead, items } => {
            let items =
                items.iter().map(|item| lines(&shown(item), width.saturating_sub(2)).join("\n  "));
            let lead = lines(&shown(lead), width).join("\n");
            items.fold(lead, |list, item| list + "\n- " + &item)
        }
        Block::Table(table) => of_table(table, width),
    }
}

/// The words in lines of at most so many columns; a word that is longer has a line of its own.
fn lines(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let word = &width::clipped(word, LONGEST_WORD);
        let columns = width::of(word);
        let line = lines.len() - 1;
        if used > 0 && used + 1 + columns > most {
            lines.push(word.clone());
            used = columns;
        } else {
            let gap = if used > 0 { " " } else { "" };
            lines[line].push_str(gap);
            lines[line].push_str(word);
            used += gap.len() + columns;
        }
    }
    lines
}

fn of_table(table: &PageTable, width: usize) -> String {
    let rows = std::iter::once(&table.head).chain(&table.rows);
    let mut grid = TextGrid {
        rows: rows
            .map(|row| row.iter().map(|cell| vec![shown(cell).into_owned()]).collect())
            .collect(),
        keys: table.keys.min(table.head.len()),
        numbers: (0..table.head.len()).map(|column| table.is_of_numbers(column)).collect(),
    };
    grid.fit(width);
    let parts = grid.parts(width);
    parts.iter().map(|columns| grid.part(columns)).collect::<Vec<_>>().join("\n\n")
}

/// Cells of some lines each, the headings as the first row.
struct TextGrid {
    rows: Vec<Vec<Vec<String>>>,
    keys: usize,
    /// Which columns have numbers, shown to the right.
    numbers: Vec<bool>,
}

impl TextGrid {
    fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).min().unwrap_or(0)
    }

    fn width(&self, column: usize) -> usize {
        let lines = self.rows.iter().flat_map(|row| &row[column]);
        lines.map(|line| width::of(line)).max().unwrap_or(0)
    }

    /// The width of these columns side by side.
    fn total(&self, columns: impl Iterator<Item = usize>) -> usize {
        columns
            .map(|column| self.width(column) + GAP.len())
            .sum::<usize>()
            .saturating_sub(GAP.len())
    }

    /// Narrows columns where all are wider than the window: key columns are clipped, another column
    /// too wide for a part of its own is wrapped.
    fn fit(&mut self, window: usize) {
        if self.total(0..self.columns()) <= window {
            return;
        }
        let most = (window / 3).max(LEAST);
        for row in &mut self.rows {
            for cell in row[..self.keys].iter_mut().flatten() {
                *cell = width::clipped(cell, most);
            }
        }
        let taken = self.total(0..self.keys) + if self.keys > 0 { GAP.len() } else { 0 };
        let rest = window.saturating_sub(taken).max(LEAST);
        for column in self.keys..self.columns() {
            if self.width(column) > rest {
                for row in &mut self.rows {
                    row[column] = lines(&row[column].join(" "), rest);
                }
            }
        }
    }

    /// The columns of each part: as many as there is room for, one at least.
    fn parts(&self, window: usize) -> Vec<Vec<usize>> {
        let keys: Vec<usize> = (0..self.keys).collect();
        let mut parts = vec![keys.clone()];
        for column in self.keys..self.columns() {
            let last = parts.len() - 1;
            let with_it = parts[last].iter().copied().chain([column]);
            if parts[last].len() > keys.len() && self.total(with_it) > window {
                parts.push([keys.as_slice(), &[column]].concat());
            } else {
                parts[last].push(column);
            }
        }
        parts
    }

    fn part(&self, columns: &[usize]) -> String {
        let shapes: Vec<(usize, usize, bool)> = columns
            .iter()
            .map(|&column| (column, self.width(column), self.numbers[column]))
            .collect();
        let mut out = Vec::new();
        for row in &self.rows {
            let height = columns.iter().map(|&column| row[column].len()).max().unwrap_or(0);
            for line in 0..height {
                let cells = shapes.iter().map(|&(column, wide, to_the_right)| {
                    let cell = row[column].get(line).map_or("", String::as_str);
                    let blanks = " ".repeat(wide - width::of(cell));
                    if to_the_right { blanks + cell } else { cell.to_owned() + &blanks }
                });
                out.push(cells.collect::<Vec<_>>().join(GAP).trim_end().to_owned());
            }
        }
        out.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    fn table(keys: usize, columns: usize) -> PageTable {
        let head = (0..columns).map(|column| format!("v {column}"));
        let row = |name: &str| {
            let numbers = (1..columns).map(|column| format!("{}–0–{column}", column * 7));
            std::iter::once(name.to_owned()).chain(numbers).collect()
        };
        PageTable { head: head.collect(), rows: vec![row("国際象棋"), row("A*b_c|")], keys }
    }

    fn plain(table: PageTable, width: usize) -> String {
        let mut page = Page::default();
        page.table(table);
        page.plain(width)
    }

    #[test]
    fn columns_are_aligned_by_what_is_seen() {
        let text = plain(table(1, 3), 80);
        assert_eq!(
            text,
            "v 0         v 1     v 2\n国際象棋  7–0–1  14–0–2\nA*b_c|    7–0–1  14–0–2\n"
        );
    }

    #[test]
    fn no_line_is_wider_than_the_window() {
        for window in [20, 31, 40, 79, 80, 120] {
            let text = plain(table(1, 12), window);
            assert!(text.lines().all(|line| width::of(line) <= window), "{window}\n{text}");
            let shown = text.lines().filter(|line| line.starts_with("国")).count();
            assert!(text.contains("77–0–11") && shown >= 1, "{text}");
            assert_eq!(text.matches("v 0").count(), shown, "{text}");
        }
    }

    #[test]
    fn what_comes_last_is_broken_into_lines() {
        let words = "one two three four five six seven eight nine ten";
        let rows = vec![vec!["name".to_owned(), words.to_owned()]];
        let head = vec!["Entry".to_owned(), "What".to_owned()];
        let text = plain(PageTable { head, rows, keys: 1 }, 30);
        assert!(text.lines().all(|line| width::of(line) <= 30), "{text}");
        assert_eq!(text.split_whitespace().skip(3).collect::<Vec<_>>().join(" "), words);
        assert!(text.lines().nth(2).unwrap().starts_with("       "), "{text}");
    }

    #[test]
    fn foreign_text_leaves_the_terminal_as_it_is() {
        let mut page = Page::default();
        page.text("a\u{1b}[31m b\u{202e}c [d] *e*");
        assert_eq!(page.plain(80), "a<U+001B>[31m b<U+202E>c [d] *e*\n");
        assert!(page.markdown().contains("\\[d] \\*e\\*"));
    }
}
