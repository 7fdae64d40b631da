//! Polyglot's books: moves and weights for positions, which make openings of the lines from the
//! start position.
//!
//! An entry is 16 bytes, big-endian: the position's key, the move, its weight, and four bytes for
//! learning, which say nothing here. Moves of weight 0 are there not to be played. An opening ends
//! where the plies asked for do, or where the book knows no move; a position to which several
//! orders of moves lead is one opening, by the first of the shortest, heavier moves first.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead};

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, Role, Square};

use super::error::Defect;
use super::scan::{Entry, Visit};

/// Bytes of an entry.
const ENTRY: usize = 16;

/// A move of the book.
#[derive(Debug, Clone, Copy)]
struct BookMove {
    /// The entry's number in the file, from 1.
    number: u64,
    code: u16,
    weight: u16,
}

/// Hands over the openings of a book.
///
/// # Errors
///
/// Those of reading.
pub(super) fn read_openings(
    book: &mut dyn BufRead,
    max_plies: Option<u32>,
    visit: &mut Visit<'_>,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(book, &mut bytes)?;
    let (entries, rest) = bytes.as_chunks::<ENTRY>();
    if !rest.is_empty() {
        let line = entries.len() as u64 + 1;
        let why = format!("expected entries of {ENTRY} bytes, found {} at the end", rest.len());
        visit(Err(Defect { line, why }));
    }
    let mut moves: HashMap<u64, Vec<BookMove>> = HashMap::new();
    for (number, entry) in (1..).zip(entries) {
        let [a, b, c, d, e, f, g, h, move_high, move_low, high, low, ..] = *entry;
        let code = u16::from_be_bytes([move_high, move_low]);
        let weight = u16::from_be_bytes([high, low]);
        if weight > 0 {
            let key = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
            moves.entry(key).or_default().push(BookMove { number, code, weight });
        }
    }
    for of_position in moves.values_mut() {
        of_position.sort_by_key(|it| (u16::MAX - it.weight, it.number));
    }
    walk(&moves, max_plies.unwrap_or(u32::MAX), visit);
    Ok(())
}

/// A line that is being followed.
#[derive(Clone)]
struct Line {
    /// The entry of its last move.
    number: u64,
    moves: Vec<UciMove>,
    end: Chess,
}

/// From ply to ply, so that each position is met by the fewest moves that lead there.
fn walk(moves: &HashMap<u64, Vec<BookMove>>, max_plies: u32, visit: &mut Visit<'_>) {
    let start = Chess::default();
    let mut met = HashSet::from([key(&start)]);
    let mut lines = vec![Line { number: 1, moves: Vec::new(), end: start }];
    for ply in 0.. {
        let mut longer = Vec::new();
        for line in lines {
            let known = (ply < max_plies).then(|| moves.get(&key(&line.end))).flatten();
            let Some(known) = known else {
                if ply > 0 {
                    visit(Ok(Entry {
                        line: line.number,
                        start: Chess::default(),
                        moves: line.moves,
                        end: line.end,
                        has_counters: true,
                    }));
                }
                continue;
            };
            for &book_move in known {
                match follow(&line, book_move) {
                    Ok(next) => {
                        if met.insert(key(&next.end)) {
                            longer.push(next);
                        }
                    }
                    Err(defect) => visit(Err(defect)),
                }
            }
        }
        if longer.is_empty() {
            return;
        }
        lines = longer;
    }
}

fn key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
    key
}

/// A line with a move more.
fn follow(line: &Line, book_move: BookMove) -> Result<Line, Defect> {
    let BookMove { number, code, .. } = book_move;
    let uci = uci_of(code);
    let legal = uci.and_then(|uci| uci.to_move(&line.end).ok());
    let Some(legal) = legal else {
        let found = uci.map_or(format!("{code:#06x}"), |uci| uci.to_string());
        let after: Vec<String> = line.moves.iter().map(UciMove::to_string).collect();
        let why = format!("expected a legal move after \"{}\", found {found}", after.join(" "));
        return Err(Defect { line: number, why });
    };
    let mut next = Line { number, ..line.clone() };
    next.moves.push(legal.to_uci(CastlingMode::Standard));
    next.end.play_unchecked(legal);
    Ok(next)
}

/// Six bits for each square, three for what a pawn becomes; castling is king takes rook.
fn uci_of(code: u16) -> Option<UciMove> {
    let square = |shift: u32| Square::new(u32::from(code >> shift & 63));
    let promotion = match code >> 12 {
        0 => None,
        1 => Some(Role::Knight),
        2 => Some(Role::Bishop),
        3 => Some(Role::Rook),
        4 => Some(Role::Queen),
        _ => return None,
    };
    Some(UciMove::Normal { from: square(6), to: square(0), promotion })
}
