use shakmaty::fen::Fen;

use super::*;

fn position(fen: &str, mode: CastlingMode) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(mode).unwrap()
}

#[test]
fn every_spelling_is_understood() {
    let usual = position("r3k2r/8/8/8/8/8/P6N/R3K2R w KQkq - 0 1", CastlingMode::Standard);
    for (text, expected) in [
        ("a1b1", Some("a1b1")),
        ("A1-B1", Some("a1b1")),
        ("e1g1", Some("e1g1")),
        ("O-O", Some("e1g1")),
        ("0-0-0+", Some("e1c1")),
        ("o-o", Some("e1g1")),
        ("Nf3", Some("h2f3")),
        ("Rb1!", Some("a1b1")),
        ("a4", Some("a2a4")),
        // The referee refuses these.
        ("h1h8", Some("h1h8")),
        ("Qd4", Some("0000")),
        ("Rxa2", Some("0000")),
        // Nobody does these.
        ("castles", None),
        ("", None),
        ("e2e9", None),
        ("e2e4e5", None),
        ("éé", None),
    ] {
        let found = read(&usual, text).map(|m| m.to_string());
        assert_eq!(found.as_deref(), expected, "{text}");
    }
    let promotion = position("8/P6k/8/8/8/8/8/K7 w - - 0 1", CastlingMode::Standard);
    for text in ["a7a8q", "a7a8Q", "a7-a8=q", "a8=Q"] {
        assert_eq!(read(&promotion, text).unwrap().to_string(), "a7a8q", "{text}");
    }
    let check = position("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", CastlingMode::Standard);
    assert_eq!(read(&check, "O-O").unwrap().to_string(), "e1g1");
}

#[test]
fn moves_for_the_engine() {
    let written = |fen: &str, mode, text: &str| {
        let position = position(fen, mode);
        let m = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        (write(&position, m, false), write(&position, m, true))
    };
    let both = |plain: &str, san: &str| (plain.to_owned(), san.to_owned());
    let usual = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let standard = CastlingMode::Standard;
    assert_eq!(written(usual, standard, "e1g1"), both("e1g1", "O-O"));
    assert_eq!(written(usual, standard, "e1a1"), both("e1c1", "O-O-O"));
    assert_eq!(written(usual, standard, "h1h8"), both("h1h8", "Rxh8+"));
    let random = "1r4kr/8/8/8/8/8/8/1R4KR w HBhb - 0 1";
    assert_eq!(written(random, CastlingMode::Chess960, "g1h1"), both("O-O", "O-O"));
    let position = position(random, CastlingMode::Chess960);
    assert_eq!(read(&position, "O-O-O").unwrap().to_string(), "g1b1");
    assert_eq!(read(&position, "g1h1").unwrap().to_string(), "g1h1");
}
