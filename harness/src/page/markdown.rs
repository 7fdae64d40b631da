//! Pages as Markdown.

use super::{Block, Table};
use crate::record::markdown_text as escaped;

pub(super) fn block(block: &Block) -> String {
    match block {
        Block::Heading { level, text } => format!("{} {}", "#".repeat(*level), escaped(text)),
        Block::Text(text) => escaped(text),
        Block::List { lead, items } => {
            let items = items.iter().map(|item| format!("\n- {}", escaped(item)));
            format!("**{}**{}", escaped(lead), items.collect::<String>())
        }
        Block::Table(table) => of_table(table),
    }
}

fn of_table(table: &Table) -> String {
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |", cells.join(" | "))
    };
    let rule = (0..table.head.len())
        .map(|column| if table.is_of_numbers(column) { "---:|" } else { "---|" });
    let rule = format!("|{}", rule.collect::<String>());
    let rows = table.rows.iter().map(|cells| row(cells));
    [row(&table.head), rule].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}
