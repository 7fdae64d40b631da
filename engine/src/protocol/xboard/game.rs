//! The game on the engine's board: moves made and taken back, and its end by the rules.

use crate::movegen::MoveList;
use crate::position::{FenError, Position};
use crate::protocol::moves::move_of;
use crate::types::{Color, Move, MoveKind};

/// A game from its start position on.
#[derive(Debug, Clone)]
pub(super) struct Game {
    start: Position,
    moves: Vec<Move>,
    position: Position,
}

impl Game {
    /// A game that begins here.
    pub(super) fn new(start: Position) -> Game {
        Game { position: start.clone(), start, moves: Vec::new() }
    }

    /// The position on the board, with its history.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// Plies played.
    pub(super) fn ply(&self) -> usize {
        self.moves.len()
    }

    /// The legal moves.
    pub(super) fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.position.legal_moves(&mut moves);
        moves
    }

    /// The legal move that a text means.
    pub(super) fn parse(&self, text: &str) -> Option<Move> {
        move_of(&self.position, text)
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        self.moves.push(mv);
        self.position.play(mv);
    }

    /// Takes moves back; false, and nothing done, if there are not so many.
    pub(super) fn take_back(&mut self, count: usize) -> bool {
        let Some(left) = self.moves.len().checked_sub(count) else { return false };
        self.moves.truncate(left);
        self.position = self.start.clone();
        for &mv in &self.moves {
            self.position.play(mv);
        }
        true
    }

    /// The same men with this colour to move, and no history; false where it is its turn already.
    pub(super) fn set_turn(&mut self, turn: Color) -> Result<bool, FenError> {
        if self.position.turn() == turn {
            return Ok(false);
        }
        let fen = self.position.fen();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        // An en passant square belongs to the other side.
        (fields[1], fields[3]) = (turn.fold_wb("w", "b"), "-");
        *self = Game::new(Position::from_fen(&fields.join(" "))?);
        Ok(true)
    }

    /// How the game has ended by the rules, in the protocol's words.
    pub(super) fn outcome(&self) -> Option<&'static str> {
        let position = &self.position;
        if self.legal_moves().as_slice().is_empty() {
            return Some(match position.turn() {
                _ if !position.in_check() => "1/2-1/2 {Stalemate}",
                Color::White => "0-1 {Black mates}",
                Color::Black => "1-0 {White mates}",
            });
        }
        if position.is_insufficient_material() {
            Some("1/2-1/2 {Draw by insufficient mating material}")
        } else if position.repetitions() >= 2 {
            Some("1/2-1/2 {Draw by repetition}")
        } else if position.is_fifty_moves() {
            Some("1/2-1/2 {Draw by fifty moves rule}")
        } else {
            None
        }
    }
}

/// A move as the protocol writes it: coordinates; in `chess960`, castling as `O-O` and `O-O-O`.
pub(super) fn move_text(mv: Move, chess960: bool) -> String {
    if mv.kind() != MoveKind::Castle || !chess960 {
        return mv.to_uci(false).to_string();
    }
    if mv.to() > mv.from() { "O-O".to_owned() } else { "O-O-O".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::moves::is_a_move;

    fn game(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(Position::from_fen(fen).expect(fen));
        for text in moves.split_whitespace() {
            game.play(game.parse(text).expect(text));
        }
        game
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn ends_of_games() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let queen = "7k/8/6K1/8/8/8/8/5Q2 w - -";
        for (fen, moves, expected) in [
            (START, "", None),
            (START, "f2f3 e7e5 g2g4 d8h4", Some("0-1 {Black mates}")),
            (START, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", Some("1-0 {White mates}")),
            (START, &shuffle[..19], None),
            (START, shuffle, Some("1/2-1/2 {Draw by repetition}")),
            (&format!("{queen} 0 1"), "f1f7", Some("1/2-1/2 {Stalemate}")),
            (&format!("{queen} 98 90"), "f1e1", None),
            (&format!("{queen} 99 90"), "f1e1", Some("1/2-1/2 {Draw by fifty moves rule}")),
            (&format!("{queen} 99 90"), "f1f8", Some("1-0 {White mates}")),
            (
                "8/6k1/8/8/8/8/1q6/K7 w - - 0 1",
                "a1b2",
                Some("1/2-1/2 {Draw by insufficient mating material}"),
            ),
        ] {
            assert_eq!(game(fen, moves).outcome(), expected, "{fen} {moves}");
        }
    }

    #[test]
    fn moves_are_taken_back_with_their_history() {
        let mut game = game(START, "e2e4 e7e5 g1f3");
        assert!(!game.take_back(4));
        assert!(game.take_back(2));
        assert_eq!(game.ply(), 1);
        assert!(game.parse("e7e5").is_some() && game.parse("d2d4").is_none());
        game.set_turn(Color::White).expect("a position");
        assert!(game.parse("d2d4").is_some() && !game.take_back(1));
        let mut check = Game::new(Position::from_fen("k7/8/8/8/8/8/r7/K7 w - - 0 1").expect(""));
        assert!(check.set_turn(Color::Black).is_err());
        assert!(check.parse("a1a2").is_some(), "nothing was changed");
    }

    #[test]
    fn castling_in_every_spelling() {
        let usual = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (text, expected) in
            [("e1g1", "e1g1"), ("O-O", "e1g1"), ("0-0-0+", "e1c1"), ("e1h1", "e1g1")]
        {
            let game = game(usual, "");
            let mv = game.parse(text).expect(text);
            assert_eq!(move_text(mv, false), expected);
        }
        // King g1, rooks b1 and h1: to the king side the king stays where it is.
        let random = game("1r4kr/8/8/8/8/8/8/1R4KR w HBhb - 0 1", "");
        for (text, expected) in
            [("O-O", "O-O"), ("g1h1", "O-O"), ("o-o-o", "O-O-O"), ("g1b1", "O-O-O")]
        {
            let mv = random.parse(text).expect(text);
            assert_eq!(move_text(mv, true), expected);
        }
        assert!(game(START, "").parse("O-O").is_none());
    }

    #[test]
    fn words_that_are_moves() {
        let game = game("8/P6k/8/8/8/8/8/K7 w - - 0 1", "");
        for text in ["a7a8q", "a7a8Q", "a7a8=Q", "A7A8q"] {
            assert!(is_a_move(text) && game.parse(text).is_some(), "{text}");
        }
        for text in ["a7a8", "a7a8k", "h9h8", "a7a8qq"] {
            assert!(game.parse(text).is_none(), "{text}");
        }
        for text in ["", "e2", "bark", "e2-e4", "edit", "é2e4", "a1b"] {
            assert!(!is_a_move(text), "{text}");
        }
    }
}
