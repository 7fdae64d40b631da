//! Games, counts and conditions as a fuzzer writes them.

use std::num::NonZeroUsize;

use super::count::openings::OpeningCounter;
use super::count::{MinedCounts, OpeningCounts};
use super::miner::Miner;
use super::scratch::Scratch;
use super::{BadGameReason, Condition, CountSettings, CountsFile, Filter};
use pgn::san::Resolver;
use pgn::{Passing, TextParser, begins_game};

/// Reads `data` as counts, which read back as they were, or as games: both ways to find moves
/// agree, and a text read in parts comes to the same sums. A first line that is a condition is one.
pub fn tables(data: &[u8]) {
    if let Ok(file) = CountsFile::parse(data) {
        let bytes = file.to_bytes().expect("in memory");
        assert_eq!(CountsFile::parse(&bytes), Ok(file));
        return;
    }
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(data.len());
    let first = String::from_utf8_lossy(&data[..end]);
    let condition = first.parse::<Condition>().ok();
    if let Some(condition) = &condition {
        assert_eq!(String::from(condition.clone()).parse::<Condition>().as_ref(), Ok(condition));
    }
    let filter = Filter { condition, ..Filter::default() };
    // A table of material is large, and to clear and compare it takes longer than all the rest. Not
    // a sample: which positions are drawn goes by their places in the text.
    let mit = data.len().is_multiple_of(16);
    let wants = CountSettings { mit, pst: true, opening_plies: 8, ..CountSettings::usual() };
    let mined = |resolver: Resolver, parts: &[&[u8]]| {
        let scratch = Scratch::default();
        let openings = OpeningCounter::new(&scratch, NonZeroUsize::MIN);
        let mut miner = Miner::new(wants, &filter, resolver, None, Some(openings));
        for part in parts {
            let mut parser = TextParser::new(&mut miner, 0, Passing::default());
            parser.read(part, true);
            parser.finish();
        }
        let openings = miner.openings.expect("counted").finish().expect("in memory");
        let (openings, _) = OpeningCounts::sum(openings, &scratch).expect("in memory");
        (MinedCounts { openings: Some(openings), ..miner.counts }, miner.tally)
    };
    let (counts, tally) = mined(Resolver::Both, &[data]);
    assert_eq!(tally.bad.get(&BadGameReason::Disagreement), None);
    let lines = memchr::memchr_iter(b'\n', data).map(|end| end + 1);
    let mut parts = Vec::new();
    let mut begin = 0;
    for line in lines.filter(|&line| line < data.len() && begins_game(data, line)) {
        parts.push(&data[begin..line]);
        begin = line;
    }
    parts.push(&data[begin..]);
    let (in_parts, tally_in_parts) = mined(Resolver::Masks, &parts);
    assert!(in_parts == counts);
    assert_eq!(tally_in_parts, tally);
}
