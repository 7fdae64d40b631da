//! The moves of a game in SAN.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position as _};

use crate::record::GameRecord;
use pgn::Replay;

/// What a replay of a game's moves gives its PGN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SanMoves {
    /// Whether the game begins in the usual start position, its move counters included.
    pub(super) is_usual: bool,
    /// Whether the castling rights of its start exist in Chess960 only.
    pub(super) is_chess960: bool,
    first_number: u32,
    first_turn: Color,
    /// Each followed by a space.
    text: String,
}

impl SanMoves {
    /// Of a game that begins in `start`, before its first move.
    pub fn new(start: &Chess) -> SanMoves {
        let usual = Chess::default();
        SanMoves {
            // Equality of positions leaves the move counters out.
            is_usual: *start == usual
                && start.halfmoves() == usual.halfmoves()
                && start.fullmoves() == usual.fullmoves(),
            is_chess960: start.castles().mode().is_chess960(),
            first_number: start.fullmoves().get(),
            first_turn: start.turn(),
            text: String::with_capacity(1024),
        }
    }

    /// The error names the ply that is not legal.
    pub(super) fn of(game: &GameRecord) -> Result<SanMoves, String> {
        let mut replay = Replay::new(game.start()?);
        let mut moves = SanMoves::new(replay.position());
        for (ply, uci) in game.moves.split_ascii_whitespace().enumerate() {
            let played = uci.parse::<UciMove>().ok();
            let played = played
                .and_then(|uci| replay.move_of(uci).ok())
                .ok_or_else(|| format!("ply {}: expected a legal move, found {uci:?}", ply + 1))?;
            moves.play(&mut replay, played);
        }
        Ok(moves)
    }

    /// Appends a legal move, and plays it.
    pub fn play(&mut self, replay: &mut Replay, played: Move) {
        replay.play_as_san(played, &mut self.text);
        self.text.push(' ');
    }

    /// Number and mover of each move, and the move.
    pub(super) fn words(&self) -> impl Iterator<Item = (u32, Color, &[u8])> {
        let of_first_move = u32::from(self.first_turn.is_black());
        let words = self.text.as_bytes().split(|byte| *byte == b' ');
        (of_first_move..).zip(words.filter(|word| !word.is_empty())).map(move |(ply, san)| {
            let turn = Color::from_white(ply.is_multiple_of(2));
            (self.first_number.saturating_add(ply / 2), turn, san)
        })
    }
}
