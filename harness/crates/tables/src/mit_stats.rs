//! The table by which the paper describes its material imbalance tables (PRO-06).

use super::count::{MitCounts, mit};
use charts::frame::whole;
use charts::page::PageTable;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MitStatistics {
    pub name: String,
    /// The least Elo of its players, if there is a limit.
    pub min_elo: Option<u32>,
    /// `None` if not known.
    pub games: Option<u64>,
    /// Cells with games.
    pub cells: u64,
    /// Cells with a score of 0, 1, 2, 3, 97, 98, 99 and 100 per cent.
    pub extremes: [u64; 8],
}

/// The percentages with a column of their own.
const EXTREMES: [u8; 8] = [0, 1, 2, 3, 97, 98, 99, 100];

impl MitStatistics {
    pub fn of_counts(name: &str, min_elo: Option<u32>, mit: &MitCounts) -> MitStatistics {
        let percents = mit.used().map(|(_, wdl)| wdl.percent());
        MitStatistics::of_percents(name, min_elo, Some(mit.games), percents)
    }

    /// From the scores of all used cells, in per cent.
    pub fn of_percents(
        name: &str,
        min_elo: Option<u32>,
        games: Option<u64>,
        percents: impl Iterator<Item = u8>,
    ) -> MitStatistics {
        let (mut cells, mut extremes) = (0, [0; 8]);
        for percent in percents {
            cells += 1;
            if let Some(column) = EXTREMES.iter().position(|&extreme| extreme == percent) {
                extremes[column] += 1;
            }
        }
        MitStatistics { name: name.to_owned(), min_elo, games, cells, extremes }
    }

    fn columns(&self) -> Vec<String> {
        let or_dash = |number: Option<u64>| number.map_or("–".to_owned(), grouped);
        let mut columns = vec![
            self.name.clone(),
            self.min_elo.map_or("0".to_owned(), |elo| elo.to_string()),
            or_dash(self.games),
            grouped(self.cells),
            // Rounded down, as the paper does.
            format!("{}%", self.cells * 100 / mit::CELLS as u64),
        ];
        columns.extend(self.extremes.iter().map(|&cells| grouped(cells)));
        columns
    }
}

/// A number with points between thousands, as the paper prints them.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('.');
        }
        text.push(digit);
    }
    text
}

fn heads() -> Vec<String> {
    let mut heads =
        ["Table", "Min. ELO", "Games used", "Cells in use", "Perc"].map(str::to_owned).to_vec();
    heads.extend(EXTREMES.iter().map(|percent| format!("{percent}%")));
    heads
}

pub fn ascii(rows: &[MitStatistics]) -> String {
    aligned(std::iter::once(heads()).chain(rows.iter().map(MitStatistics::columns)).collect())
}

/// The blog's full range (PRO-25): cells at each percentage, a column for each table.
pub fn full(tables: &[(&str, &[u8])]) -> String {
    let names = tables.iter().map(|(name, _)| (*name).to_owned());
    let mut lines = vec![std::iter::once("Score".to_owned()).chain(names).collect::<Vec<_>>()];
    for percent in 0..=100 {
        let cells = |(_, percents): &(&str, &[u8])| {
            grouped(percents.iter().filter(|own| **own == percent).count() as u64)
        };
        lines
            .push(std::iter::once(format!("{percent}%")).chain(tables.iter().map(cells)).collect());
    }
    aligned(lines)
}

/// Columns under their heads, the first to the left.
fn aligned(lines: Vec<Vec<String>>) -> String {
    let width = |column: usize| {
        lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            text += &match column {
                0 => format!("{cell:<width$}"),
                _ => format!("  {cell:>width$}"),
            };
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        if number == 0 {
            let all = widths.iter().sum::<usize>() + 2 * (widths.len() - 1);
            text.push_str(&"-".repeat(all));
            text.push('\n');
        }
    }
    text
}

pub fn html(rows: &[MitStatistics]) -> String {
    let title = "Material imbalance tables";
    let all = grouped(mit::CELLS as u64);
    let intro = format!("Cells by White's score in them, of {all} cells in all.");
    let rows = rows.iter().map(MitStatistics::columns).collect();
    let table = PageTable { head: heads(), rows, keys: 1 };
    whole([title, title], &intro, &table.html(title), "the tables' counts", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's first row.
    #[test]
    fn as_the_paper_prints_it() {
        let row = MitStatistics {
            name: "MIT-3100".to_owned(),
            min_elo: Some(3100),
            games: Some(357_459),
            cells: 54_703,
            extremes: [9276, 93, 83, 98, 161, 125, 91, 13_178],
        };
        let text = ascii(&[row]);
        let last = text.lines().last().unwrap_or_default();
        let words: Vec<&str> = last.split_whitespace().collect();
        let printed = "MIT-3100 3100 357.459 54.703 23% 9.276 93 83 98 161 125 91 13.178";
        assert_eq!(words.join(" "), printed);
    }

    #[test]
    fn the_full_range() {
        let text = full(&[("a", &[0, 0, 7, 100]), ("b", &[])]);
        let lines: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines.len(), 2 + 101);
        assert_eq!(lines[0], ["Score", "a", "b"]);
        for (percent, cells) in [(0, "2"), (7, "1"), (8, "0"), (100, "1")] {
            assert_eq!(lines[2 + percent], [&format!("{percent}%"), cells, "0"]);
        }
    }

    #[test]
    fn names_are_not_markup() {
        let row = MitStatistics::of_percents("<b>", None, None, [0, 50, 100].into_iter());
        assert_eq!((row.cells, row.extremes), (3, [1, 0, 0, 0, 0, 0, 0, 1]));
        assert!(html(&[row]).contains("&lt;b&gt;"));
    }
}
