//! Journals as a fuzzer writes them.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::LazyLock;

use super::pgn::PgnWriter;
use super::strike::Strikes;
use super::{GameRecord, Games, Identity, RunFile, Tally};

fn games(data: &[u8]) -> Games {
    let strikes = Strikes::of(&mut Cursor::new(data), u64::MAX).unwrap_or_default();
    Games::new(PathBuf::from("games.jsonl"), Box::new(Cursor::new(data.to_vec())), strikes)
}

/// Reads `data` as a journal. Every game must read back as it was written, and the whole lines
/// alone must give the same games.
pub fn journal(data: &[u8]) {
    let mut read = games(data);
    let mut records: Vec<GameRecord> = Vec::new();
    let mut damage = None;
    for game in &mut read {
        match game {
            Ok(game) => records.push(game),
            Err(error) => damage = Some(error.to_string()),
        }
    }
    let whole = usize::try_from(read.whole_bytes()).unwrap_or(usize::MAX);
    assert!(whole <= data.len());
    if damage.is_none() {
        assert!(read.torn().is_none_or(|torn| torn.bytes as usize == data.len() - whole));
        let again: Vec<_> = games(&data[..whole]).map_while(Result::ok).collect();
        assert_eq!(again, records);
    }
    // Once: it asks the machine.
    static RUN: LazyLock<RunFile> = LazyLock::new(|| {
        let side = |name: &str| Identity { name: name.to_owned(), ..Identity::default() };
        RunFile::new(serde_json::Value::Null, 1, side("base"), side("test"), None)
    });
    let mut tally = Tally::default();
    let (writer, mut pgn) = (PgnWriter::of(&RUN, "fuzz"), String::new());
    for record in &records {
        let line = serde_json::to_string(record).unwrap_or_default();
        let again: Option<GameRecord> = serde_json::from_str(&line).ok();
        assert_eq!(again.as_ref(), Some(record));
        assert!(record.canonical_line().is_ok_and(|line| !line.contains('\n')));
        let _ = tally.add(record);
        let _ = writer.append(&mut pgn, record);
    }
    assert_eq!(tally.recorded_games(), records.len() as u64);
    assert!(tally.counts.pairs <= tally.state.pairs());
    let _ = (tally.state.statistics(), tally.state.forecast(), tally.active());
}
