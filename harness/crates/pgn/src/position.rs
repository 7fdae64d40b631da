//! One position as books write it: a FEN of four to six fields, or an EPD line.

use std::num::NonZeroU32;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, FromSetup, PositionErrorKinds, Setup};

use super::error::quote;

/// A position and whether its line told the move counters.
#[derive(Debug, Clone)]
pub(super) struct ReadPosition {
    pub(super) position: Chess,
    pub(super) has_counters: bool,
}

/// Reads a FEN of four to six fields or an EPD line. Bytes after the position need not be UTF-8.
///
/// The move counters come from the fifth and sixth field, else from the EPD operations `hmvc`
/// and `fmvn`, else they are 0 and 1. Other operations are passed over. Castling rights may be
/// written as X-FEN or Shredder-FEN; rights that only Chess960 knows make the position a
/// Chess960 position, and `chess960` makes it one in any case.
pub(super) fn read_position(line: &[u8], chess960: bool) -> Result<ReadPosition, String> {
    read(line, chess960, false)
}

/// The same for positions that games begin with: there may be more men than a game can come to.
pub fn read_start(fen: &[u8], chess960: bool) -> Result<Chess, String> {
    read(fen, chess960, true).map(|read| read.position)
}

fn read(line: &[u8], chess960: bool, any_men: bool) -> Result<ReadPosition, String> {
    const NEEDED: [&str; 4] = ["board", "side to move", "castling rights", "en passant square"];
    let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let mut fen = Vec::with_capacity(96);
    for name in NEEDED {
        let field = fields.next().ok_or_else(|| {
            format!("expected a FEN of four to six fields, found no {name} in {}", quote(line))
        })?;
        fen.extend_from_slice(field.strip_suffix(b";").unwrap_or(field));
        fen.push(b' ');
    }
    let mut setup = Fen::from_ascii(&fen)
        .map_err(|e| format!("expected a FEN of four to six fields: {e}: {}", quote(line)))?
        .into_setup();
    if setup.pockets.is_some() || setup.promoted.any() {
        return Err(format!("expected standard chess or Chess960, found {}", quote(line)));
    }
    let rest: Vec<&[u8]> = fields.collect();
    let has_counters = read_counters(&rest, &mut setup)
        .map_err(|expected| format!("expected {expected}, found {}", quote(line)))?;
    let position =
        legal_position(setup, chess960, any_men).map_err(|e| format!("{e}: {}", quote(line)))?;
    Ok(ReadPosition { position, has_counters })
}

/// Sets the counters from what follows the first four fields; says whether there were any.
fn read_counters(rest: &[&[u8]], setup: &mut Setup) -> Result<bool, &'static str> {
    const CLOCK: &str = "a half-move clock";
    const NUMBER: &str = "a move number";
    if rest.first().is_some_and(|field| is_numeric(field)) {
        setup.halfmoves = integer(rest[0]).ok_or(CLOCK)?;
        if let Some(field) = rest.get(1).filter(|field| is_numeric(field)) {
            setup.fullmoves = move_number(integer(field).ok_or(NUMBER)?);
        }
        return Ok(true);
    }
    let operand =
        |opcode: &[u8]| rest.windows(2).find(|pair| pair[0] == opcode).map(|pair| integer(pair[1]));
    let (clock, number) = (operand(b"hmvc"), operand(b"fmvn"));
    if let Some(clock) = clock {
        setup.halfmoves = clock.ok_or(CLOCK)?;
    }
    if let Some(number) = number {
        setup.fullmoves = move_number(number.ok_or(NUMBER)?);
    }
    Ok(clock.is_some() || number.is_some())
}

/// Whether a field stands for a number, be it a bad one: no EPD opcode begins so.
fn is_numeric(field: &[u8]) -> bool {
    matches!(field, [b'0'..=b'9', ..] | [b'+' | b'-', b'0'..=b'9', ..])
}

fn integer(field: &[u8]) -> Option<u32> {
    std::str::from_utf8(field.strip_suffix(b";").unwrap_or(field)).ok()?.parse().ok()
}

/// Many programs count moves from 0.
fn move_number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
}

fn legal_position(setup: Setup, chess960: bool, any_men: bool) -> Result<Chess, String> {
    let in_mode = |setup, mode| {
        let position = Chess::from_setup(setup, mode);
        let position = if any_men {
            position.or_else(shakmaty::PositionError::ignore_too_much_material)
        } else {
            position
        };
        position.map_err(|e| (e.kinds(), e.to_string()))
    };
    if chess960 {
        return in_mode(setup, CastlingMode::Chess960).map_err(|(_, why)| why);
    }
    in_mode(setup.clone(), CastlingMode::Standard).or_else(|(kinds, why)| {
        if kinds == PositionErrorKinds::INVALID_CASTLING_RIGHTS {
            in_mode(setup, CastlingMode::Chess960).map_err(|(_, why)| why)
        } else {
            Err(why)
        }
    })
}
