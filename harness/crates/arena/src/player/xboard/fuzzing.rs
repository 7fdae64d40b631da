//! Lines of an xboard engine, as a fuzzer writes them.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color};

use super::answer::{Answer, parse, refuses};
use super::features::Features;
use super::moves::{read, write};
use super::report::thinking;
use crate::player::program::ProgramReport;

/// Castling, promotion, en passant; and Chess960.
const POSITIONS: [&str; 3] = [
    "r3k2r/P6p/8/3pP3/8/8/p6P/R3K2R w KQkq d6 0 1",
    "r3k2r/P6p/8/8/3Pp3/8/p6P/R3K2R b KQkq d3 0 1",
    "1r4kr/8/8/8/8/8/8/1R4KR w HBhb - 0 1",
];

pub fn output(data: &[u8]) {
    let positions: Vec<Chess> = POSITIONS
        .iter()
        .filter_map(|fen| {
            let fen: Fen = fen.parse().ok()?;
            let mode = CastlingMode::detect(fen.as_setup());
            fen.into_position(mode).ok()
        })
        .collect();
    assert_eq!(positions.len(), POSITIONS.len());
    let mut features = Features::of_version_1();
    let mut answers = String::new();
    ProgramReport::default().then(data, thinking);
    for line in data.split(|byte| *byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        if let Some(text) = text.trim().strip_prefix("feature ") {
            answers.clear();
            features.take(text, &mut answers);
            assert!(answers.lines().all(|answer| {
                answer.starts_with("accepted ") || answer.starts_with("rejected ")
            }));
        }
        refuses(line, &["e2e4".to_owned(), "sd".to_owned()]);
        for color in Color::ALL {
            let Answer::Move(text) = parse(line, color) else { continue };
            for position in &positions {
                let Some(uci) = read(position, text) else { continue };
                let Ok(m) = uci.to_move(position) else { continue };
                for san in [false, true] {
                    let again = read(position, &write(position, m, san));
                    assert_eq!(again.and_then(|uci| uci.to_move(position).ok()), Some(m));
                }
            }
        }
    }
    for option in &features.options {
        let _ = option.accept(&option.nearest(16));
    }
}
