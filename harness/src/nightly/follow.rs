//! Shows the games of an entry while its process plays them, from the journals that it writes.

use std::convert::Infallible;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::sleep;

use super::EntryKind;
use crate::screen::{MatchScreen, TournamentScreen};
use crate::tournament::TournamentFile;
use arena::collector::MatchObserver;
use arena::plan::Plan;
use arena::record::{GAMES_FILE, GameRecord, Manifest as _, MatchState, RunFile, Side};

/// Time between two reads of the journals.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum length of a line.
const MAX_LINE: u64 = 16 << 20;

pub(super) struct Follower {
    dir: PathBuf,
    word: EntryKind,
    quiet: bool,
    runs: Vec<Followed>,
}

impl Follower {
    /// Follows the entry in `dir`; games that are already recorded are not shown.
    pub(super) fn new(dir: PathBuf, word: EntryKind, quiet: bool) -> Follower {
        let mut follower = Follower { dir, word, quiet, runs: Vec::new() };
        follower.runs = follower.begun().unwrap_or_default();
        follower
    }

    pub(super) async fn for_ever(&mut self) -> Infallible {
        loop {
            self.look();
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Shows the games that have ended since the last look.
    pub(super) fn look(&mut self) {
        if self.runs.is_empty() {
            // These runs are new, so that all their games are shown.
            self.runs = self.unread().map(|runs| self.watched(runs)).unwrap_or_default();
        }
        self.runs.iter_mut().for_each(Followed::look);
    }

    /// The runs with their recorded games counted; `None` until all of them have begun.
    fn begun(&self) -> Option<Vec<Followed>> {
        let mut runs = self.unread()?;
        for (journal, match_state, _) in &mut runs {
            journal.games(|game| {
                let _ = match_state.add(game);
            });
        }
        Some(self.watched(runs))
    }

    fn unread(&self) -> Option<Vec<(JournalTail, MatchState, RunFile)>> {
        let folders = match self.word {
            EntryKind::Match => vec![self.dir.clone()],
            EntryKind::Tournament => TournamentFile::read(&self.dir).ok()?.runs(&self.dir),
        };
        let unread = |folder: &PathBuf| {
            let run = RunFile::read(folder).ok()?;
            let plan: Plan = serde_json::from_value(run.plan.clone()).ok()?;
            Some((JournalTail::of(folder), MatchState::new(plan.rule, plan.pairs), run))
        };
        folders.iter().map(unread).collect()
    }

    fn watched(&self, runs: Vec<(JournalTail, MatchState, RunFile)>) -> Vec<Followed> {
        let together = match self.word {
            EntryKind::Match => None,
            EntryKind::Tournament => {
                let states = runs.iter().map(|(_, match_state, _)| match_state);
                Some(TournamentScreen::new(states, self.quiet, None))
            }
        };
        let watched = runs.into_iter().map(|(journal, match_state, run)| {
            let observer: Box<dyn MatchObserver> = match &together {
                None => Box::new(MatchScreen::new(&match_state, self.quiet, None)),
                Some(screen) => {
                    let players = [Side::Base, Side::Test].map(|side| run.label(side));
                    Box::new(screen.rated(&journal.name(), players, &match_state))
                }
            };
            Followed { journal, match_state, observer }
        });
        watched.collect()
    }
}

/// A run whose journal grows.
struct Followed {
    journal: JournalTail,
    match_state: MatchState,
    observer: Box<dyn MatchObserver>,
}

impl Followed {
    fn look(&mut self) {
        let Followed { journal, match_state, observer } = self;
        journal.games(|game| {
            // The process that writes the journal reports its errors.
            if match_state.add(game).is_ok() {
                observer.game(game, match_state);
            }
        });
    }
}

/// A journal, and how far it was read.
struct JournalTail {
    path: PathBuf,
    read: u64,
}

impl JournalTail {
    fn of(folder: &Path) -> JournalTail {
        JournalTail { path: folder.join(GAMES_FILE), read: 0 }
    }

    fn name(&self) -> String {
        let folder = self.path.parent().and_then(Path::file_name).unwrap_or_default();
        folder.to_string_lossy().into_owned()
    }

    /// Hands over the games of complete new lines.
    fn games(&mut self, mut each: impl FnMut(&GameRecord)) {
        // Anything else, such as a pipe, may never end.
        if !fs::metadata(&self.path).is_ok_and(|metadata| metadata.is_file()) {
            return;
        }
        let Ok(mut file) = File::open(&self.path) else { return };
        if file.seek(SeekFrom::Start(self.read)).is_err() {
            return;
        }
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut reader).take(MAX_LINE).read_until(b'\n', &mut line);
            if read.is_err() || line.last() != Some(&b'\n') {
                return;
            }
            self.read += line.len() as u64;
            if let Ok(game) = serde_json::from_slice(&line) {
                each(&game);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use arena::record::sample;

    #[test]
    fn each_whole_line_is_shown_once() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = JournalTail::of(dir.path());
        let mut told = |file: &mut File, text: &str| {
            file.write_all(text.as_bytes()).unwrap();
            let mut games: Vec<u64> = Vec::new();
            journal.games(|game| games.push(game.game));
            games
        };
        let line = |number| serde_json::to_string(&sample(number)).unwrap();
        let mut file = File::create(dir.path().join(GAMES_FILE)).unwrap();
        assert_eq!(told(&mut file, &format!("{}\n{}\n", line(1), line(0))), [1, 0]);
        assert!(told(&mut file, "").is_empty());
        let torn = line(2);
        assert!(told(&mut file, &torn[..20]).is_empty());
        assert_eq!(told(&mut file, &format!("{}\n{}", &torn[20..], line(3))), [2]);
        assert_eq!(told(&mut file, "\nno game\n"), [3]);
    }

    #[test]
    fn what_may_have_no_end_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(GAMES_FILE)).unwrap();
        JournalTail::of(dir.path()).games(|_| panic!("a game"));
    }
}
