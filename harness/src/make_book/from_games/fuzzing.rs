//! What a fuzzer drives: games from anywhere, and what stands in a working folder.

use shakmaty::Position as _;
use tables::Filter;

use super::plan::{BookFile, GamesPlan, Range};
use super::reader::GameReader;
use super::{Candidate, scores};
use arena::record::Manifest as _;
use pgn::{Lines, parse};

/// Games, of which every candidate can be played; and each line as one of a working folder.
pub fn games(data: &[u8]) {
    let plan = GamesPlan {
        files: Vec::new(),
        plies: Range { first: 1, last: 12 },
        per_game: 3,
        candidates: 20,
        seed: 1,
        filter: Filter { min_elo: data.first().map(|&byte| u32::from(byte)), ..Filter::default() },
    };
    let mut no_progress = |_| ();
    let mut reader = GameReader::new(&plan, &mut no_progress);
    let mut text = data;
    // A text in memory can be read to its end.
    let _ = parse(&mut Lines::new(&mut text), &mut reader);
    let (pool, tally) = reader.done();
    let left_out = tally.ended + tally.in_check + tally.recapture;
    let not_taken = tally.surplus + tally.duplicates + tally.beyond;
    assert_eq!(tally.positions, left_out + not_taken + tally.candidates, "{tally:?}");
    assert!(tally.candidates <= plan.candidates);
    let of_games = tally.filtered + tally.other_start + tally.bad + tally.short;
    assert!(of_games <= tally.games, "{tally:?}");
    for candidate in pool.iter() {
        let read: Option<Candidate> = candidate.to_string().parse().ok();
        assert_eq!(read.as_ref(), Some(candidate));
        let Some((position, line)) = candidate.play() else { panic!("{candidate}") };
        assert!((1..=12).contains(&line.len()) && !position.is_check());
        assert!(!position.legal_moves().is_empty());
    }
    for line in String::from_utf8_lossy(data).lines() {
        if let Ok(candidate) = line.parse::<Candidate>() {
            assert!(candidate.play().is_some(), "{line}");
        }
        scores::fuzz(line);
    }
    if let Ok(file) = serde_json::from_slice::<BookFile>(data) {
        let _ = file.check();
        assert_eq!(file.difference(&file), None);
    }
}
