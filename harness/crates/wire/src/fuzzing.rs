//! Fuzz targets for messages that come from other machines.

use std::collections::HashSet;
use std::fmt::Debug;
use std::num::NonZeroU32;
use std::time::Duration;

use crate::chunk::{Chunk, Split};
use crate::ledger::{Ledger, Took};
use crate::message::{
    Ask, Beat, ChunkMessage, Hello, LiveGames, LogTail, Message, Missing, Need, PairsBatch, Query,
    RunCard, RunMark, RunView, Welcome, WorkerCard, decode, encode,
};
use crate::names::Subject;
use crate::token::Token;

/// Decodes a message. If that works, encoding and decoding it again gives the same message. The new
/// JSON may be longer: numbers may be written with more digits.
fn message<T: Message + PartialEq + Debug>(data: &[u8]) -> Option<T> {
    let message: T = decode(data).ok()?;
    if let Ok(json) = encode(&message) {
        assert_eq!(decode::<T>(&json).as_ref(), Ok(&message));
    }
    Some(message)
}

/// Chunk messages, questions about them, and subjects.
pub fn chunk(data: &[u8]) {
    if let Some(chunk) = message::<ChunkMessage>(data) {
        assert_eq!(chunk.chunk().range().count(), chunk.pairs as usize);
    }
    let need = message::<Need>(data);
    if let Some(need) = need {
        assert!(!need.chunk().range().is_empty());
    }
    if let Some(missing) = message::<Missing>(data) {
        let chunk = Chunk { first: 7, pairs: 64, round: 0 };
        let pairs = missing.pairs(chunk);
        assert_eq!(Missing::of(&pairs).pairs(chunk), pairs);
    }
    _ = (message::<Ask>(data), message::<Query>(data), message::<Welcome>(data));
    _ = (message::<LogTail>(data), message::<LiveGames>(data), message::<RunMark>(data));
    _ = Subject::parse(&String::from_utf8_lossy(data));
}

/// Results, as packed bytes or as JSON.
pub fn pairs(data: &[u8]) {
    let Some(batch) = PairsBatch::unpack(data).ok().or_else(|| message(data)) else { return };
    let sender = batch.worker.name.clone();
    assert_eq!(batch.expect(batch.run, &sender), Ok(()));
    let id = batch.message_id();
    if let Ok(parts) = batch.clone().pack()
        && let [part] = parts.as_slice()
    {
        assert_eq!(part.id, id);
        assert_eq!(PairsBatch::unpack(&part.bytes).as_ref(), Ok(&batch));
    }
}

/// Cards of runs and workers, beats, pages of games, invitations.
pub fn card(data: &[u8]) {
    _ = (message::<RunCard>(data), message::<WorkerCard>(data), message::<Hello>(data));
    _ = message::<RunView>(data);
    if let Some(beat) = message::<Beat>(data) {
        heard(&beat);
    }
    if let Ok(token) = Token::read(&String::from_utf8_lossy(data)) {
        assert_eq!(Token::read(&token.reveal()).ok().as_ref(), Some(&token));
    }
}

/// Whatever a worker claims to hold, the run can be finished without it.
fn heard(beat: &Beat) {
    let (Some(each), Ok(worker)) = (NonZeroU32::new(32), "a.1".parse()) else { return };
    let mut ledger = Ledger::new(Split::new(70, each), &HashSet::new());
    ledger.beat(&worker, beat, Duration::ZERO);
    for game in 0..140 {
        assert_eq!(ledger.recorded(game, &worker), Took::Fresh);
    }
    assert!(ledger.is_done());
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_file_of_the_corpus_passes_its_target() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
        type Target = fn(&[u8]);
        let targets: [(&str, Target); 3] =
            [("chunk", super::chunk), ("pairs", super::pairs), ("card", super::card)];
        for (name, target) in targets {
            for entry in fs::read_dir(corpus.join(name)).unwrap() {
                let file = entry.unwrap().path();
                println!("{}", file.display());
                target(&fs::read(&file).unwrap());
            }
        }
    }

    /// Adds whole messages to the corpus, as seeds for the fuzzer.
    #[test]
    fn the_corpus_has_what_it_is_named_for() {
        use crate::message::{Refused, decode};

        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
        let read = |name: &str| fs::read(corpus.join(name)).unwrap();
        for good in ["chunk/plain", "chunk/audit", "chunk/values"] {
            assert!(decode::<super::ChunkMessage>(&read(good)).is_ok(), "{good}");
        }
        for good in ["pairs/packed", "pairs/two-frames"] {
            assert!(super::PairsBatch::unpack(&read(good)).is_ok(), "{good}");
        }
        assert!(decode::<super::PairsBatch>(&read("pairs/json")).is_ok());
        assert!(decode::<super::PairsBatch>(&read("pairs/capsule")).is_ok());
        let bomb = super::PairsBatch::unpack(&read("pairs/bomb"));
        assert!(matches!(bomb, Err(Refused::Bomb(_))));
        let next = super::PairsBatch::unpack(&read("pairs/next-version"));
        assert_eq!(next, Err(Refused::Version(9)));
        for good in ["card/run", "card/run-stopped"] {
            assert!(decode::<super::RunCard>(&read(good)).is_ok(), "{good}");
        }
        assert!(decode::<super::WorkerCard>(&read("card/worker")).is_ok());
        assert!(decode::<super::Hello>(&read("card/hello")).is_ok());
        assert!(decode::<super::Beat>(&read("card/beat-forged")).is_ok());
        assert!(decode::<super::RunView>(&read("card/view")).is_ok());
        for good in ["card/token", "card/token-open"] {
            let line = String::from_utf8(read(good)).unwrap();
            assert!(super::Token::read(&line).is_ok(), "{good}");
        }
    }
}
