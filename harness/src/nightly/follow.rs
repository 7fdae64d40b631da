//! The games of an entry while its process plays them: read off the journals that it writes.

use std::{
    convert::Infallible,
    fs::{self, File},
    io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::time::sleep;

use super::EntryKind;
use crate::{
    screen::{MatchScreen, TournamentScreen},
    tournament::TournamentFile,
};
use arena::{
    collector::MatchObserver,
    plan::Plan,
    record::{GAMES_FILE, GameRecord, Manifest as _, MatchState, RunFile, Side},
};

/// Between two looks.
const OFTEN: Duration = Duration::from_secs(1);
/// Longer lines are no game's.
const MAX_LINE: u64 = 16 << 20;

pub(super) struct Follower {
    dir: PathBuf,
    word: EntryKind,
    quiet: bool,
    runs: Vec<Followed>,
}

impl Follower {
    /// One for the entry in `dir`, which is silent about the games that are there already.
    pub(super) fn new(dir: PathBuf, word: EntryKind, quiet: bool) -> Follower {
        let mut follower = Follower { dir, word, quiet, runs: Vec::new() };
        follower.runs = follower.begun().unwrap_or_default();
        follower
    }

    pub(super) async fn for_ever(&mut self) -> Infallible {
        loop {
            self.look();
            sleep(OFTEN).await;
        }
    }

    /// Shows the games that have ended since the last look.
    pub(super) fn look(&mut self) {
        if self.runs.is_empty() {
            // What is played now was not there when the entry began.
            self.runs = self.unread().map(|runs| self.watched(runs)).unwrap_or_default();
        }
        self.runs.iter_mut().for_each(Followed::look);
    }

    /// Its runs, read as far as they go; `None` before all of them have begun.
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
        let watched = runs.into_iter().map(|(journal, standing, run)| {
            let watch: Box<dyn MatchObserver> = match &together {
                None => Box::new(MatchScreen::new(&standing, self.quiet, None)),
                Some(screen) => {
                    let players = [Side::Base, Side::Test].map(|side| run.label(side));
                    Box::new(screen.rated(&journal.name(), players, &standing))
                }
            };
            Followed { journal, match_state: standing, watch }
        });
        watched.collect()
    }
}

/// A run whose journal grows.
struct Followed {
    journal: JournalTail,
    match_state: MatchState,
    watch: Box<dyn MatchObserver>,
}

impl Followed {
    fn look(&mut self) {
        let Followed { journal, match_state: standing, watch } = self;
        journal.games(|game| {
            // What is wrong with a journal its own process tells.
            if standing.add(game).is_ok() {
                watch.game(game, standing);
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

    /// The games of the whole lines that are new.
    fn games(&mut self, mut each: impl FnMut(&GameRecord)) {
        // Whatever else has that name may have no end.
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
