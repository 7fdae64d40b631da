//! Polyglot's books: moves and weights for positions, which make openings of the lines from the
//! start position.
//!
//! An entry is 16 bytes, big-endian: the position's key, the move, its weight, and four bytes for
//! learning, which say nothing here. Moves of weight 0 are there not to be played. An opening ends
//! where the plies asked for do, or where the book knows no move, or before a position of its own
//! line comes back. A position to which several orders of moves lead is one opening, by the first
//! of the shortest, heavier moves first.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, BufRead};

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, Role, Square};

use super::error::Defect;
use super::opening::{BookEntry as Opening, Visit};

/// Bytes of an entry.
const ENTRY: usize = 16;
/// Plies of the longest openings. Real books end far before; without it, a made-up one could have
/// openings that take more memory than its file by any factor.
const LONGEST: u32 = 512;
/// Moves that a message about one shows before it.
const SHOWN: usize = 16;

/// Entries that are read: 256 MiB of entries. What a small packed file holds may be without end.
const MOST_ENTRIES: u32 = 1 << 24;

#[derive(Debug, Clone, Copy)]
struct BookMove {
    /// Of the position in which it is played.
    key: u64,
    /// The entry's number in the file, from 1.
    number: u32,
    code: u16,
    weight: u16,
}

/// All moves of the book, by key; those of a position the heaviest first.
struct Moves(Vec<BookMove>);

impl Moves {
    fn new(mut moves: Vec<BookMove>) -> Moves {
        moves.sort_unstable_by_key(|it| (it.key, u16::MAX - it.weight, it.number));
        Moves(moves)
    }

    /// Those of a position; none if the book does not know it.
    fn get(&self, key: u64) -> Option<&[BookMove]> {
        let Moves(moves) = self;
        let begin = moves.partition_point(|it| it.key < key);
        let len = moves[begin..].partition_point(|it| it.key == key);
        (len > 0).then(|| &moves[begin..begin + len])
    }
}

pub(super) fn read_openings(
    book: &mut dyn BufRead,
    max_plies: Option<u32>,
    visit: &mut Visit<'_>,
) -> io::Result<()> {
    let mut moves = Vec::new();
    for number in 1.. {
        let entry = match read_entry(book)? {
            Ok(entry) if number <= MOST_ENTRIES => entry,
            Ok(_) => return Err(too_many()),
            Err(0) => break,
            Err(rest) => {
                let why = format!("expected entries of {ENTRY} bytes, found {rest} at the end");
                let line = number.into();
                visit(Err(Defect { line, offset: offset(line), why }));
                break;
            }
        };
        let [a, b, c, d, e, f, g, h, move_high, move_low, high, low, ..] = entry;
        let code = u16::from_be_bytes([move_high, move_low]);
        let weight = u16::from_be_bytes([high, low]);
        if weight > 0 {
            let key = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
            moves.push(BookMove { key, number, code, weight });
        }
    }
    walk(&Moves::new(moves), max_plies.map_or(LONGEST, |plies| plies.min(LONGEST)), visit);
    Ok(())
}

/// The next entry, or how many bytes are there instead.
fn read_entry(book: &mut dyn BufRead) -> io::Result<Result<[u8; ENTRY], usize>> {
    let mut entry = [0; ENTRY];
    let mut filled = 0;
    while filled < ENTRY {
        match io::Read::read(book, &mut entry[filled..]) {
            Ok(0) => return Ok(Err(filled)),
            Ok(len) => filled += len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Ok(entry))
}

fn too_many() -> io::Error {
    let why = format!("expected a Polyglot book of at most {MOST_ENTRIES} entries, found more");
    io::Error::new(io::ErrorKind::FileTooLarge, why)
}

/// A line that is being followed: its last position.
struct BookLine {
    /// Its place in the tree.
    node: usize,
    end: Chess,
}

/// From ply to ply, so that each position is met by the fewest moves that lead there.
fn walk(moves: &Moves, max_plies: u32, visit: &mut Visit<'_>) {
    let mut lines = vec![BookLine { node: 0, end: Chess::default() }];
    let mut tree = BookTree::new(&lines[0].end);
    let mut turning = Vec::new();
    for ply in 0.. {
        let mut longer = Vec::new();
        for line in lines {
            let known = (ply < max_plies).then(|| moves.get(key(&line.end))).flatten();
            let Some(known) = known else {
                if ply > 0 {
                    visit(Ok(tree.opening(line)));
                }
                continue;
            };
            let (mut goes_on, mut earlier) = (false, Vec::new());
            for &book_move in known {
                let (uci, end) = match follow(&tree, &line, book_move) {
                    Ok(next) => next,
                    Err(defect) => {
                        visit(Err(defect));
                        continue;
                    }
                };
                match tree.meet(line.node, book_move.number.into(), uci, &end) {
                    FirstVisit::First(node) => longer.push(BookLine { node, end }),
                    FirstVisit::Again(node) if tree.steps[node].ply <= ply => {
                        earlier.push(node);
                        continue;
                    }
                    FirstVisit::Again(_) => (),
                }
                goes_on = true;
            }
            if !goes_on && !earlier.is_empty() {
                turning.push((line, earlier));
            }
        }
        if longer.is_empty() {
            break;
        }
        lines = longer;
    }
    // A line whose moves all lead to earlier positions ends there, unless another opening goes on
    // from one of these.
    for (line, earlier) in turning {
        let goes_on = |&node: &usize| tree.steps[node].has_opening && !tree.is_on(node, line.node);
        if !earlier.iter().any(goes_on) {
            visit(Ok(tree.opening(line)));
        }
    }
}

/// The positions that were met, each behind the one from which it was first met.
struct BookTree {
    steps: Vec<TreeNode>,
    places: HashMap<u64, usize>,
}

/// How a position was first met.
struct TreeNode {
    /// The place of the position before; the start position's is its own.
    before: usize,
    ply: u32,
    /// The entry of the move.
    number: u64,
    uci: UciMove,
    /// An opening ends there or behind.
    has_opening: bool,
}

enum FirstVisit {
    First(usize),
    Again(usize),
}

impl BookTree {
    fn new(start: &Chess) -> BookTree {
        let step =
            TreeNode { before: 0, ply: 0, number: 1, uci: UciMove::Null, has_opening: false };
        BookTree { steps: vec![step], places: HashMap::from([(key(start), 0)]) }
    }

    /// A move of the entry `number` leads from one position to another.
    fn meet(&mut self, before: usize, number: u64, uci: UciMove, to: &Chess) -> FirstVisit {
        let node = self.steps.len();
        match self.places.entry(key(to)) {
            Entry::Occupied(place) => FirstVisit::Again(*place.get()),
            Entry::Vacant(place) => {
                place.insert(node);
                let ply = self.steps[before].ply + 1;
                self.steps.push(TreeNode { before, ply, number, uci, has_opening: false });
                FirstVisit::First(node)
            }
        }
    }

    /// Whether a position is on the line that leads to another.
    fn is_on(&self, node: usize, end: usize) -> bool {
        let mut place = end;
        while self.steps[place].ply > self.steps[node].ply {
            place = self.steps[place].before;
        }
        place == node
    }

    /// The last moves that lead to a position, at most so many.
    fn last_moves(&self, node: usize, most: usize) -> Vec<UciMove> {
        let mut moves = Vec::new();
        let mut step = &self.steps[node];
        while step.ply > 0 && moves.len() < most {
            moves.push(step.uci);
            step = &self.steps[step.before];
        }
        moves.reverse();
        moves
    }

    fn opening(&mut self, line: BookLine) -> Opening {
        let mut place = line.node;
        while !self.steps[place].has_opening {
            self.steps[place].has_opening = true;
            place = self.steps[place].before;
        }
        Opening {
            line: self.steps[line.node].number,
            offset: offset(self.steps[line.node].number),
            start: Chess::default(),
            moves: self.last_moves(line.node, LONGEST as usize),
            end: line.end,
            has_counters: true,
        }
    }
}

/// Where the entry of a number begins, which counts from 1.
fn offset(number: u64) -> u64 {
    (number - 1) * ENTRY as u64
}

fn key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
    key
}

/// The move, and where it leads from the end of a line.
fn follow(
    tree: &BookTree,
    line: &BookLine,
    book_move: BookMove,
) -> Result<(UciMove, Chess), Defect> {
    let BookMove { number, code, .. } = book_move;
    let number = u64::from(number);
    let uci = uci_of(code);
    let legal = uci.and_then(|uci| uci.to_move(&line.end).ok());
    let Some(legal) = legal else {
        let found = uci.map_or(format!("{code:#06x}"), |uci| uci.to_string());
        let moves = tree.last_moves(line.node, SHOWN);
        let left_out = if (moves.len() as u32) < tree.steps[line.node].ply { "… " } else { "" };
        let after: Vec<String> = moves.iter().map(UciMove::to_string).collect();
        let after = after.join(" ");
        let why = format!("expected a legal move after \"{left_out}{after}\", found {found}");
        return Err(Defect { line: number, offset: offset(number), why });
    };
    let mut end = line.end.clone();
    end.play_unchecked(legal);
    Ok((legal.to_uci(CastlingMode::Standard), end))
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
