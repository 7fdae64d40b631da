//! A position as SVG, with a description in words.

use std::fmt::Write as _;

use charts::html::HtmlText;
use shakmaty::{Chess, Color, File, Position as _, Rank, Role, Square};

use crate::pieces;

/// Side of a square.
const SIZE: u32 = 10;
/// Width of the margin with the names of files and ranks.
const MARGIN: u32 = 4;

/// A board with White at the bottom. `id` must be unique on the page, `title` names the position,
/// `last` is the last move's origin and target.
pub fn board(id: &str, title: &str, position: &Chess, last: Option<[Square; 2]>) -> String {
    let whole = 8 * SIZE + MARGIN;
    let (id, title) = (HtmlText(id), HtmlText(title));
    let mut out = format!(
        "<svg class=\"board\" role=\"img\" viewBox=\"0 0 {whole} {whole}\" \
         aria-labelledby=\"{id}-title {id}-desc\"><title id=\"{id}-title\">{title}</title>\
         <desc id=\"{id}-desc\">{}</desc>\n",
        in_words(position)
    );
    let checked = position.is_check().then(|| position.board().king_of(position.turn())).flatten();
    for square in Square::ALL {
        let [x, y] = corner(square);
        let shade = if square.is_light() { "light" } else { "dark" };
        let moved = if last.is_some_and(|last| last.contains(&square)) { " moved" } else { "" };
        let check = if checked == Some(square) { " check" } else { "" };
        put(
            &mut out,
            format_args!(
                "<rect class=\"{shade}{moved}{check}\" x=\"{x}\" y=\"{y}\" width=\"{SIZE}\" height=\"{SIZE}\"/>"
            ),
        );
    }
    for (at, file) in (0..).zip(File::ALL) {
        let (x, y) = (MARGIN + at * SIZE + SIZE / 2, 8 * SIZE + MARGIN - 1);
        put(&mut out, format_args!("<text class=\"coordinate\" x=\"{x}\" y=\"{y}\">{file}</text>"));
    }
    for (at, rank) in (0..).zip(Rank::ALL) {
        let y = (7 - at) * SIZE + SIZE / 2 + 1;
        put(&mut out, format_args!("<text class=\"coordinate\" x=\"2\" y=\"{y}\">{rank}</text>"));
    }
    for (square, piece) in position.board() {
        let [x, y] = corner(square);
        let color = if piece.color.is_white() { "white" } else { "black" };
        let (outline, lines) = (pieces::outline(piece.role), pieces::lines(piece.role));
        put(
            &mut out,
            format_args!(
                "\n<g class=\"man {color}\" data-man=\"{}\" data-square=\"{square}\" transform=\"translate({x} {y})\">\
             <path d=\"{outline}\"/>",
                piece.char()
            ),
        );
        if !lines.is_empty() {
            put(&mut out, format_args!("<path class=\"inner\" d=\"{lines}\"/>"));
        }
        out.push_str("</g>");
    }
    out.push_str("</svg>\n");
    out
}

fn put(out: &mut String, markup: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = out.write_fmt(markup);
}

fn corner(square: Square) -> [u32; 2] {
    let [file, rank] = [u32::from(square.file()), u32::from(square.rank())];
    [MARGIN + file * SIZE, (7 - rank) * SIZE]
}

/// `White: king g1, pawns e4 f2. Black: king g8. White to move.`
pub(crate) fn in_words(position: &Chess) -> String {
    let side = |color: Color| {
        let men = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
        let men = men.into_iter().filter_map(|role| {
            let squares = position.board().by_piece(role.of(color));
            let squares: Vec<String> = squares.into_iter().map(|it| it.to_string()).collect();
            let name = match role {
                Role::King => "king",
                Role::Queen => "queen",
                Role::Rook => "rook",
                Role::Bishop => "bishop",
                Role::Knight => "knight",
                Role::Pawn => "pawn",
            };
            let plural = if squares.len() > 1 { "s" } else { "" };
            (!squares.is_empty()).then(|| format!("{name}{plural} {}", squares.join(" ")))
        });
        men.collect::<Vec<_>>().join(", ")
    };
    let turn = if position.turn().is_white() { "White" } else { "Black" };
    let check = if position.is_check() { ", in check" } else { "" };
    format!("White: {}. Black: {}. {turn} to move{check}.", side(Color::White), side(Color::Black))
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::{Board, CastlingMode, Piece};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    /// The pieces that a drawing shows.
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
    fn the_drawing_is_the_position() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/8/8/8/8/6k1/6q1/7K w - - 0 1",
        ] {
            let position = position(fen);
            let svg = board("b", "x", &position, None);
            assert_eq!(drawn(&svg), *position.board(), "{fen}");
            assert_eq!(svg.matches("<rect").count(), 64);
            assert_eq!(svg.matches("check\"").count(), usize::from(position.is_check()), "{fen}");
        }
    }

    #[test]
    fn the_same_in_words() {
        let text = in_words(&position("6k1/8/8/8/4P3/8/5P2/6KR b - - 0 1"));
        assert_eq!(text, "White: king g1, rook h1, pawns f2 e4. Black: king g8. Black to move.");
        let svg = board("b", "a<b", &Chess::default(), Some([Square::E2, Square::E4]));
        assert!(svg.contains("a&lt;b") && !svg.contains(" style="), "{svg}");
        assert_eq!(svg.matches(" moved").count(), 2);
    }
}
