//! `workers.jsonl`: which machines have played a run, one stay in a session a line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use arena::record::{GameRecord, RecordError, WORKERS_FILE, atomic};
use jiff::Timestamp;
use process::plain_file;
use serde::Serialize;
use wire::message::{Beat, WorkerCard};
use wire::names::WorkerName;

/// Bytes of the file at most that are kept of earlier sessions.
const MOST: u64 = 16 << 20;

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Row {
    name: WorkerName,
    host: String,
    cpu: String,
    /// Commit of its verdict.
    verdict: String,
    slots: u32,
    /// Nodes a second of one slot, all slots at work; `null`: not measured.
    nps: Option<u64>,
    joined: String,
    /// `null`: it was there at the end.
    left: Option<String>,
    /// Recorded games of it.
    games: u64,
    /// Attempts at them that were played again, since the machine was late.
    spoilt: u64,
    /// Those games.
    late: u64,
    #[serde(skip)]
    is_known: bool,
}

pub(super) struct Roster {
    path: PathBuf,
    /// Lines of earlier sessions.
    before: String,
    rows: BTreeMap<WorkerName, Row>,
    is_new: bool,
}

impl Roster {
    pub(super) fn open(dir: &Path) -> Roster {
        let path = dir.join(WORKERS_FILE);
        // What cannot be read is no reason not to play.
        let before = plain_file::read_text(&path, MOST).unwrap_or_default();
        Roster { path, before, rows: BTreeMap::new(), is_new: false }
    }

    fn row(&mut self, worker: &WorkerName) -> &mut Row {
        self.is_new = true;
        self.rows.entry(worker.clone()).or_insert_with(|| Row {
            name: worker.clone(),
            host: String::new(),
            cpu: String::new(),
            verdict: String::new(),
            slots: 0,
            nps: None,
            joined: now(),
            left: None,
            games: 0,
            spoilt: 0,
            late: 0,
            is_known: false,
        })
    }

    pub(super) fn heard(&mut self, worker: &WorkerName, beat: &Beat) {
        let row = self.row(worker);
        (row.slots, row.left) = (beat.slots, None);
        row.nps = beat.nps.or(row.nps);
    }

    pub(super) fn left(&mut self, worker: &WorkerName) {
        if self.rows.contains_key(worker) {
            self.row(worker).left.get_or_insert_with(now);
        }
    }

    pub(super) fn recorded(&mut self, worker: &WorkerName, game: &GameRecord) {
        let row = self.row(worker);
        row.games += 1;
        row.spoilt += u64::from(game.time.replays);
        row.late += u64::from(game.time.replays > 0);
    }

    /// Those whose cards were not seen.
    pub(super) fn unknown(&self) -> Vec<WorkerName> {
        self.rows.values().filter(|row| !row.is_known).map(|row| row.name.clone()).collect()
    }

    pub(super) fn card(&mut self, card: &WorkerCard) {
        let row = self.row(&card.name);
        (row.host, row.cpu) = (card.host.clone(), card.cpu.clone());
        (row.verdict, row.slots) = (card.verdict.clone(), card.slots);
        row.is_known = true;
    }

    /// Writes it, if there is anything new.
    pub(super) fn write(&mut self) -> Result<(), RecordError> {
        if !std::mem::take(&mut self.is_new) {
            return Ok(());
        }
        let mut text = self.before.clone();
        for row in self.rows.values() {
            let line = serde_json::to_string(row);
            text += &line.map_err(|error| RecordError::io(&self.path, "write")(error.into()))?;
            text.push('\n');
        }
        atomic::replace_by(&self.path, text)
    }
}

fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use arena::record::{TimeRecord, sample};
    use serde_json::Value;

    use super::*;

    #[test]
    fn each_session_adds_its_workers() {
        let dir = tempfile::tempdir().unwrap();
        let [alice, bob] = ["alice.1", "bob.1"].map(|it| it.parse::<WorkerName>().unwrap());
        let late = || {
            let time = TimeRecord { replays: 2, ..TimeRecord::default() };
            GameRecord { time, ..sample(0) }
        };
        let mut first = Roster::open(dir.path());
        first.heard(&alice, &Beat::new(3));
        first.recorded(&alice, &late());
        first.recorded(&alice, &sample(1));
        first.left(&alice);
        first.left(&bob);
        assert_eq!(first.unknown(), std::slice::from_ref(&alice));
        first.write().unwrap();
        let mut second = Roster::open(dir.path());
        second.heard(&bob, &Beat::new(1));
        second.write().unwrap();
        let text = std::fs::read_to_string(dir.path().join(WORKERS_FILE)).unwrap();
        let rows: Vec<Value> = text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!((&rows[0]["name"], &rows[1]["name"]), (&"alice.1".into(), &"bob.1".into()));
        assert_eq!((&rows[0]["games"], &rows[0]["slots"]), (&2.into(), &3.into()));
        assert_eq!((&rows[0]["spoilt"], &rows[0]["late"]), (&2.into(), &1.into()));
        assert!(rows[0]["left"].is_string() && rows[1]["left"].is_null());
    }
}
