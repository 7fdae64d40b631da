//! Pages as Markdown.

use super::{Block, PageTable};
use process::terminal::escape::{Number, is_hidden};

pub(super) fn block(block: &Block) -> String {
    match block {
        Block::Heading { level, text: words } => format!("{} {}", "#".repeat(*level), text(words)),
        Block::Text(words) => text(words),
        Block::List { lead, items } => {
            let items = items.iter().map(|item| format!("\n- {}", text(item)));
            format!("**{}**{}", text(lead), items.collect::<String>())
        }
        Block::Table(table) => of_table(table),
    }
}

fn of_table(table: &PageTable) -> String {
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| text(cell)).collect();
        format!("| {} |", cells.join(" | "))
    };
    let rule = (0..table.head.len())
        .map(|column| if table.is_of_numbers(column) { "---:|" } else { "---|" });
    let rule = format!("|{}", rule.collect::<String>());
    let rows = table.rows.iter().map(|cells| row(cells));
    [row(&table.head), rule].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

/// Foreign text in a table or a sentence: on one line, and no markup.
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '<' | '*' | '_' | '`' | '\\' | '[' => out.extend(['\\', c]),
            c if is_hidden(c) => out += &format!("\\{}", Number(c)),
            c => out.push(c),
        }
    }
    out
}
