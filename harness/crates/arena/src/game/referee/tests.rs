use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, EnPassantMode};

use super::*;

fn start(fen: &str) -> Option<Referee> {
    let fen: Fen = fen.parse().unwrap();
    fen.into_position(CastlingMode::Standard).ok().map(Referee::new)
}

/// Every line of draw_rules.txt: python-chess's word on repetition, fifty moves, mate,
/// stalemate and material.
#[test]
fn draw_rules() {
    let table = include_str!("../../../../../tests/data/draw_rules.txt");
    let mut lines = 0;
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, fen, moves, oracle, last] = columns[..] else {
            panic!("draw_rules.txt: expected five columns: {line}")
        };
        // One line starts with the side not to move in check: not a position to play from.
        let Some(mut referee) = start(fen) else {
            assert_eq!(name, "99 plies + mate on the 100th ply: mate takes precedence");
            continue;
        };
        for uci in moves.split_whitespace() {
            referee.play(uci.parse().unwrap()).unwrap();
        }
        let is = |word: &str| oracle.split(' ').any(|fact| fact == format!("{word}=1"));
        let fen = Fen::from_position(referee.position(), EnPassantMode::PseudoLegal);
        assert_eq!(fen.to_string(), last, "{name}");
        let occurrences = referee.0.occurrences();
        assert_eq!(occurrences >= 2, is("rep2"), "{name}: second occurrence");
        assert_eq!(occurrences >= 3, is("rep3"), "{name}: third occurrence");
        let expected = [
            ("mate", Termination::Checkmate),
            ("stale", Termination::Stalemate),
            ("insuf", Termination::InsufficientMaterial),
            ("rep3", Termination::Repetition),
            ("fifty", Termination::FiftyMoves),
        ]
        .into_iter()
        .find_map(|(word, termination)| is(word).then_some(termination));
        assert_eq!(referee.verdict().map(|end| end.termination), expected, "{name}");
        lines += 1;
    }
    assert!(lines > 50, "only {lines} cases");
}

#[test]
fn mate_on_the_hundredth_ply_wins() {
    let mut referee = start("k7/8/1K6/8/8/8/7Q/8 w - - 99 90").unwrap();
    referee.play("h2h8".parse().unwrap()).unwrap();
    let end = referee.verdict().unwrap();
    assert_eq!((end.outcome, end.termination), (Outcome::White, Termination::Checkmate));
}

/// Engines may say "king takes rook" in a usual game and two squares in Chess960: what is written
/// and told is the game's own spelling.
#[test]
fn castling_is_written_as_the_game_does() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (mode, written) in [(CastlingMode::Standard, "e1g1"), (CastlingMode::Chess960, "e1h1")] {
        for said in ["e1g1", "e1h1"] {
            let fen: Fen = fen.parse().unwrap();
            let mut referee = Referee::new(fen.into_position(mode).unwrap());
            let played = referee.play(said.parse().unwrap()).unwrap();
            assert_eq!(played.to_string(), written, "{said}");
        }
    }
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut referee = Referee::new(Chess::default());
    assert!(referee.play("e2e5".parse().unwrap()).is_err());
    assert!(referee.play("0000".parse().unwrap()).is_err());
    assert_eq!(referee.position(), &Chess::default());
    assert_eq!(referee.0.occurrences(), 1);
}
