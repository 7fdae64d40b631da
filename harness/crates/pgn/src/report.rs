//! A check's report in words.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use super::check::{CheckReport, Findings, MOST_COMPARED};
use super::terminal::Terminal;

impl Display for CheckReport {
    /// One line a listed finding, as `file:line: what`, then the figures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        for defect in &self.unreadable.listed {
            writeln!(f, "{path}:{defect}")?;
        }
        let mut list = |line: u64, what: &dyn Display| writeln!(f, "{path}:{line}: {what}");
        for duplicate in &self.duplicates.listed {
            list(duplicate.line, &format_args!("the position of line {} again", duplicate.first))?;
        }
        for entry in &self.terminal.listed {
            list(entry.line, &format_args!("the game is over: {}", entry.why))?;
        }
        writeln!(f, "{path}: {}, {} openings, sha256 {}", self.format, self.openings, self.sha256)?;
        let mut row = |name: &str, value: &dyn Display| writeln!(f, "  {name:<12} {value}");
        row("unreadable", &Count(&self.unreadable))?;
        let compared = match self.openings > MOST_COMPARED as u64 {
            true => format!(" (compared with {MOST_COMPARED} positions)"),
            false => String::new(),
        };
        row("duplicates", &format_args!("{}{compared}", Count(&self.duplicates)))?;
        row("terminal", &format_args!("{}{}", Count(&self.terminal), Reasons(self)))?;
        row("in check", &self.in_check)?;
        row("Chess960", &self.chess960)?;
        let (white, black) = (self.white_to_move, self.black_to_move);
        row("to move", &format_args!("White {white}, Black {black}"))?;
        let unknown = match self.plies_unknown {
            0 => String::new(),
            n => format!("  unknown: {n}"),
        };
        row("ply", &format_args!("{}{unknown}", Histogram(&self.plies)))?;
        row("men", &Histogram(&self.men))?;
        row("balance", &format_args!("{}  (White - Black, pawns)", Histogram(&self.balance)))?;
        writeln!(f, "  {}", if self.clean { "clean" } else { "not clean" })
    }
}

/// How many, and how many of them were left out above.
struct Count<'a, T>(&'a Findings<T>);

impl<T> Display for Count<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Findings { count, listed } = self.0;
        match count - listed.len() as u64 {
            0 => write!(f, "{count}"),
            hidden => write!(f, "{count} ({hidden} not listed)"),
        }
    }
}

struct Reasons<'a>(&'a CheckReport);

impl Display for Reasons<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: &BTreeMap<Terminal, u64> = &self.0.terminal_by_reason;
        reasons.iter().try_for_each(|(reason, count)| write!(f, ", {reason} {count}"))
    }
}

/// `value: count` for each value.
struct Histogram<'a, K>(&'a BTreeMap<K, u64>);

impl<K: Display> Display for Histogram<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        for (value, count) in self.0 {
            write!(f, "{gap}{value}: {count}")?;
            gap = "  ";
        }
        Ok(())
    }
}
