//! Tables as text: in the papers' style, and as source.

use super::super::count::pst::Phase;
use super::{ROLES, SquareTables};

/// The twelve tables of a phase, in the order of the papers' men: name, role, whether Black's.
fn men() -> impl Iterator<Item = (String, usize, bool)> {
    [('W', false), ('B', true)].into_iter().flat_map(|(side, black)| {
        "PNBRQK".chars().zip(0..).map(move |(man, role)| (format!("{side}{man}"), role, black))
    })
}

fn value(tables: &SquareTables, phase: Phase, role: usize, black: bool, square: usize) -> i32 {
    tables.table(phase, role)[if black { square ^ 56 } else { square }]
}

/// Rows of eight numbers, the eighth rank first.
fn board(tables: &SquareTables, phase: Phase, role: usize, black: bool) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        text += &format!("  {} |", rank + 1);
        for file in 0..8 {
            text += &format!("{:>6} |", value(tables, phase, role, black, rank * 8 + file));
        }
        text.push('\n');
    }
    text.push_str("        a       b       c       d       e       f       g       h\n");
    text
}

/// `PST.TXT`: all tables as boards, eighth rank first, then as C.
pub fn pst_txt(tables: &SquareTables) -> String {
    let mut text = format!("Piece-square tables: {}\n", tables.meaning);
    for phase in Phase::ALL {
        for (name, role, black) in men() {
            let colour = if black { "black" } else { "white" };
            let role_name = ROLES[role];
            text += &format!("\n{name} {colour} {role_name}, {phase}\n\n");
            text.push_str(&board(tables, phase, role, black));
        }
    }
    text += &format!("\n\nReady to use C code\n\n{}", c_source(tables));
    text
}

/// Rows of a table in source, a1 first.
fn rows(tables: &SquareTables, phase: Phase, role: usize, black: bool) -> String {
    let mut text = String::new();
    for rank in 0..8 {
        text.push_str("   ");
        for file in 0..8 {
            text += &format!(" {:>5},", value(tables, phase, role, black, rank * 8 + file));
        }
        text.push('\n');
    }
    text
}

/// The tables as C: two arrays of twelve boards, a1 = 0 to h8 = 63.
pub fn c_source(tables: &SquareTables) -> String {
    let mut text = format!("/* Piece-square tables: {}. a1 = 0 to h8 = 63. */\n", tables.meaning);
    for phase in Phase::ALL {
        text += &format!("\nstatic const int pst_{phase}[12][64] = {{\n");
        for (name, role, black) in men() {
            text += &format!("  {{ /* {name} */\n{}  }},\n", rows(tables, phase, role, black));
        }
        text.push_str("};\n");
    }
    text
}

/// The tables as Rust: two arrays of twelve boards, a1 = 0 to h8 = 63.
pub fn rust_source(tables: &SquareTables) -> String {
    let mut text = format!("// Piece-square tables: {}. a1 = 0 to h8 = 63.\n", tables.meaning);
    for phase in Phase::ALL {
        let name = phase.to_string().to_uppercase();
        text += &format!(
            "\n/// White's pawn to king, Black's pawn to king.\n\
             pub const PST_{name}: [[i32; 64]; 12] = [\n"
        );
        for (name, role, black) in men() {
            text += &format!("    // {name}\n    [\n{}    ],\n", rows(tables, phase, role, black));
        }
        text.push_str("];\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    fn numbers(text: &str) -> Vec<i32> {
        let words = text.split(|c: char| c.is_whitespace() || ",|".contains(c));
        words.filter_map(|word| word.parse().ok()).collect()
    }

    #[test]
    fn white_and_black_mirror_each_other() {
        let tables = sample();
        for text in [c_source(&tables), rust_source(&tables)] {
            let arrays: Vec<&str> = text.split("[12][64]").collect();
            let arrays = if arrays.len() == 3 { arrays } else { text.split("; 12]").collect() };
            let cells = numbers(&arrays[1].replace("[i32", ""));
            assert_eq!(cells.len(), 12 * 64, "{text}");
            assert_eq!(&cells[64..128], tables.table(Phase::Middlegame, 1));
            assert_eq!(cells[7 * 64], tables.table(Phase::Middlegame, 1)[56], "BN on a1");
        }
    }

    #[test]
    fn boards_have_the_eighth_rank_on_top() {
        let text = pst_txt(&sample());
        let line = text.lines().find(|line| line.starts_with("  8 |")).expect("a board");
        let rank: Vec<i32> = numbers(line)[1..].to_vec();
        assert_eq!(rank, sample().table(Phase::Middlegame, 0)[56..]);
        assert!(text.contains("static const int pst_endgame[12][64]"));
    }
}
