//! What is good and bad about a book, as a value; `report` puts it into words.

use std::collections::hash_map::Entry as HashEntry;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde::Serialize;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{ByRole, Color, EnPassantMode, Position};

use super::error::{BookError, Defect};
use super::opening::BookEntry;
use super::scan::scan;
use super::source::{BookFormat, Origin};
use super::terminal::Terminal;

/// Positions that others are compared with: 2^26 keys, about 2.3 GiB with the hash table.
pub(super) const MOST_COMPARED: usize = 1 << 26;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckOptions {
    /// Take at most so many plies of each PGN game; all of them when `None`.
    pub max_plies: Option<u32>,
    /// List at most so many findings of each kind; all are counted.
    pub limit: usize,
}

/// An opening that leads to the same position as one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Duplicate {
    /// Its line, from 1.
    pub line: u64,
    /// The line of the first opening with that position.
    pub first: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TerminalEntry {
    /// Its line, from 1.
    pub line: u64,
    pub why: Terminal,
}

/// Findings of one kind: all counted, the first ones listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Findings<T> {
    pub count: u64,
    pub listed: Vec<T>,
}

impl<T> Findings<T> {
    fn add(&mut self, finding: T, limit: usize) {
        self.count += 1;
        if self.listed.len() < limit {
            self.listed.push(finding);
        }
    }
}

impl<T> Default for Findings<T> {
    fn default() -> Findings<T> {
        Findings { count: 0, listed: Vec::new() }
    }
}

/// What was found in a book. Positions are those at the end of each opening.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CheckReport {
    pub path: PathBuf,
    pub format: BookFormat,
    /// SHA-256 of the file as it lies on the disk.
    pub sha256: String,
    /// Whether nothing is unreadable, duplicate or terminal.
    pub clean: bool,
    /// Entries that can be read, duplicates and terminal ones among them.
    pub openings: u64,
    /// Entries that cannot be read or are illegal.
    pub unreadable: Findings<Defect>,
    /// Positions that came before, among the first 2^26 different ones; move counters do not count,
    /// castling and en passant rights do.
    pub duplicates: Findings<Duplicate>,
    pub terminal: Findings<TerminalEntry>,
    pub terminal_by_reason: BTreeMap<Terminal, u64>,
    /// How many have the side to move in check.
    pub in_check: u64,
    /// How many need Chess960's castling.
    pub chess960: u64,
    pub white_to_move: u64,
    pub black_to_move: u64,
    /// How many stand at each ply of the game, by their move counters and moves.
    pub plies: BTreeMap<u64, u64>,
    /// How many have no move counters, and so no known ply.
    pub plies_unknown: u64,
    /// How many have each number of men on the board.
    pub men: BTreeMap<usize, u64>,
    /// How many have each balance of material, White minus Black, in pawns (1, 3, 3, 5, 9).
    pub balance: BTreeMap<i32, u64>,
}

/// Checks the book at `path`. Bad entries are findings; an error is a file that cannot be read as a
/// whole, or holds no entry.
pub fn check(path: impl AsRef<Path>, options: &CheckOptions) -> Result<CheckReport, BookError> {
    let path = path.as_ref().to_owned();
    let mut report = CheckReport { path: path.clone(), ..CheckReport::default() };
    let mut first_lines = HashMap::new();
    let info = scan(Origin::File(&path), options.max_plies, &mut |entry| match entry {
        Ok(entry) => report.count(&entry, &mut first_lines, options.limit),
        Err(defect) => report.unreadable.add(defect, options.limit),
    })?;
    if report.openings + report.unreadable.count == 0 {
        return Err(BookError::Empty { path });
    }
    report.format = info.format;
    report.sha256 = info.sha256;
    report.clean = report.unreadable.count + report.duplicates.count + report.terminal.count == 0;
    Ok(report)
}

impl CheckReport {
    fn count(&mut self, entry: &BookEntry, first_lines: &mut HashMap<u64, u64>, limit: usize) {
        let (line, end) = (entry.line, &entry.end);
        self.openings += 1;
        let Zobrist64(key) = end.zobrist_hash(EnPassantMode::Legal);
        let is_full = first_lines.len() >= MOST_COMPARED;
        match first_lines.entry(key) {
            HashEntry::Occupied(first) => {
                self.duplicates.add(Duplicate { line, first: *first.get() }, limit);
            }
            HashEntry::Vacant(_) if is_full => {}
            HashEntry::Vacant(none) => _ = none.insert(line),
        }
        if let Some(why) = entry.terminal() {
            self.terminal.add(TerminalEntry { line, why }, limit);
            *self.terminal_by_reason.entry(why).or_default() += 1;
        }
        self.in_check += u64::from(end.is_check());
        self.chess960 += u64::from(end.castles().mode().is_chess960());
        *end.turn().fold_wb(&mut self.white_to_move, &mut self.black_to_move) += 1;
        if entry.has_counters {
            let ply = (u64::from(end.fullmoves().get()) - 1) * 2 + end.turn().fold_wb(0, 1);
            *self.plies.entry(ply).or_default() += 1;
        } else {
            self.plies_unknown += 1;
        }
        *self.men.entry(end.board().occupied().count()).or_default() += 1;
        let balance = material(end, Color::White) - material(end, Color::Black);
        *self.balance.entry(balance).or_default() += 1;
    }
}

/// A side's material in pawns.
fn material(position: &impl Position, color: Color) -> i32 {
    const PAWNS: ByRole<i32> = ByRole { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };
    position
        .board()
        .material_side(color)
        .zip_role()
        .into_iter()
        .map(|(role, count)| PAWNS[role] * i32::from(count))
        .sum()
}
