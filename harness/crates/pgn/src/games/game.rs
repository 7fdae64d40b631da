//! One game while it is read: from tags and words to a [`BookEntry`] or a [`Defect`].

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, FromSetup as _, Position as _, Setup};

use super::super::error::{Defect, quote};
use super::super::opening::BookEntry;
use super::super::position::{ReadPosition, read_position};
use super::super::san::SanPosition;

/// A game that may not have begun yet.
#[derive(Default)]
pub(super) struct BookGame {
    /// Which game of the file, from 1.
    number: u64,
    max_plies: Option<u32>,
    /// The offset of the line that is read, and that of the game's first line.
    offset: u64,
    begin: Option<u64>,
    fen: Option<(u64, Vec<u8>)>,
    chess960: bool,
    /// The start, and the position after `moves`; set when the moves begin.
    board: Option<(Chess, SanPosition)>,
    has_counters: bool,
    moves: Vec<UciMove>,
    /// The first thing wrong; the rest of the game is then passed over.
    defect: Option<Defect>,
}

impl BookGame {
    pub(super) fn new(number: u64, max_plies: Option<u32>) -> BookGame {
        BookGame { number, max_plies, has_counters: true, ..BookGame::default() }
    }

    pub(super) fn place(&mut self, offset: u64) {
        self.offset = offset;
    }

    /// Where the game begins: here, unless it has begun.
    fn begin(&mut self) -> u64 {
        *self.begin.get_or_insert(self.offset)
    }

    pub(super) fn tag(&mut self, line: u64, name: &[u8], value: &[u8]) {
        self.begin();
        match name.to_ascii_lowercase().as_slice() {
            b"fen" => self.fen = Some((line, value.to_vec())),
            b"variant" => match Variant::of(value) {
                Variant::Standard => (),
                Variant::Chess960 => self.chess960 = true,
                Variant::Other => {
                    self.fail(line, "expected standard chess or Chess960 as Variant", value);
                }
            },
            _ => (),
        }
    }

    pub(super) fn begin_moves(&mut self) {
        self.begin();
        self.set_up();
    }

    pub(super) fn san(&mut self, line: u64, word: &[u8]) {
        if self.defect.is_some()
            || self.max_plies.is_some_and(|max| self.moves.len() >= max as usize)
        {
            return;
        }
        let Some((_, position)) = &mut self.board else { return };
        match position.play(word) {
            Ok(mv) => self.moves.push(mv.to_uci(position.chess().castles().mode())),
            Err(wrong) => {
                let position = position.chess();
                let side = position.turn().fold_wb("White", "Black");
                let (expected, number) = (wrong.expected(), position.fullmoves());
                let why = format!("expected {expected} for {side} at move {number}");
                self.fail(line, &why, word);
            }
        }
    }

    /// Records what is wrong, unless something was before.
    pub(super) fn fail(&mut self, line: u64, expected: &str, found: &[u8]) {
        if self.defect.is_none() {
            let found = match found {
                [] => String::new(),
                bytes => format!(", found {}", quote(bytes)),
            };
            let why = format!("game {}: {expected}{found}", self.number);
            let offset = self.begin();
            self.defect = Some(Defect { line, offset, why });
        }
    }

    /// What became of the game that began on this line, and room for the next.
    pub(super) fn take(&mut self, line: u64) -> Option<Result<BookEntry, Defect>> {
        self.set_up();
        let offset = self.begin();
        let next =
            BookGame { offset: self.offset, ..BookGame::new(self.number + 1, self.max_plies) };
        let game = std::mem::replace(self, next);
        if let Some(defect) = game.defect {
            return Some(Err(defect));
        }
        let (start, end) = game.board?;
        let end = end.into_chess();
        let (moves, has_counters) = (game.moves, game.has_counters);
        Some(Ok(BookEntry { line, offset, start, moves, end, has_counters }))
    }

    fn set_up(&mut self) {
        if self.board.is_some() {
            return;
        }
        let start = match self.fen.take() {
            None => {
                let mode = CastlingMode::from_chess960(self.chess960);
                let usual = Chess::from_setup(Setup::initial(), mode);
                usual.map_err(|error| (1, error.to_string()))
            }
            Some((line, fen)) => match read_position(&fen, self.chess960) {
                Ok(ReadPosition { position, has_counters }) => {
                    self.has_counters = has_counters;
                    Ok(position)
                }
                Err(why) => Err((line, why)),
            },
        };
        match start {
            Ok(start) => self.board = Some((start.clone(), SanPosition::new(start))),
            Err((line, why)) => self.fail(line, &why, b""),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// Chess, or nothing.
    Standard,
    Chess960,
    Other,
}

impl Variant {
    pub fn of(value: &[u8]) -> Variant {
        match value.trim_ascii().to_ascii_lowercase().as_slice() {
            b"" | b"?" | b"standard" | b"normal" | b"chess" | b"from position" => Variant::Standard,
            b"chess960" | b"chess 960" | b"fischerandom" | b"fischerrandom" | b"frc" => {
                Variant::Chess960
            }
            _ => Variant::Other,
        }
    }
}
