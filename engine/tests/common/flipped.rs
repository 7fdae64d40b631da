//! A position seen from the other side.

/// The position with colours exchanged: ranks turned over, the other side to move, castling rights
/// and en passant square to match, counters as they are.
pub(crate) fn color_flipped(fen: &str) -> String {
    let exchanged = |text: &str| -> String {
        let other = |c: char| {
            if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        text.chars().map(other).collect()
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let board: Vec<String> = fields[0].rsplit('/').map(exchanged).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let counters = fields[4..].join(" ");
    format!("{} {turn} {} {en_passant} {counters}", board.join("/"), exchanged(fields[2]))
}

#[test]
fn flipping_exchanges_colours() {
    let fen = "r3k3/1p6/8/3pP3/8/8/2N5/4K2R w Kq d6 0 9";
    let flipped = "4k2r/2n5/8/8/3Pp3/8/1P6/R3K3 b kQ d3 0 9";
    assert_eq!(color_flipped(fen), flipped);
    assert_eq!(color_flipped(flipped), fen);
}
