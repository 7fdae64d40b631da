//! Boards against shakmaty's positions, for random games of all kinds.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Board, CastlingMode, Chess, Piece, Position as _};
use web::board;

use crate::common::samples::{START, random_game};

/// The men of a drawing.
fn drawn(svg: &str) -> Board {
    let mut board = Board::empty();
    for man in svg.split("data-man=\"").skip(1) {
        let piece = Piece::from_char(man.chars().next().unwrap()).unwrap();
        let square = man.split("data-square=\"").nth(1).unwrap().get(..2).unwrap();
        board.set_piece_at(square.parse().unwrap(), piece);
    }
    board
}

#[test]
fn every_position_of_a_game_is_drawn_as_it_is() {
    let castles = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    let shuffled = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1";
    for (number, fen) in (0..).zip([START, castles, shuffled, "8/P6k/8/8/8/8/p6K/8 w - - 0 1"]) {
        let game = random_game(number, fen, 60);
        let setup: Fen = fen.parse().unwrap();
        let mode = CastlingMode::detect(setup.as_setup());
        let mut position: Chess = setup.into_position(mode).unwrap();
        for text in game.moves.split_ascii_whitespace() {
            let svg = board("b", text, &position, None);
            assert_eq!(drawn(&svg), *position.board(), "{fen}: before {text}");
            let played = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(played);
        }
    }
}
