//! Which games of PGN files and archives are a match's, and what they have shown.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::archive;
use super::imported_match::GameIdentity;
use crate::crosstable::{CrosstableInput, GameTags, Meeting, PgnGames};
use pgn::Origin;
use pgn::compression::{Compression, peek};
use process::{Context as _, Error, plain_file};

/// Bytes that tell whether there are games.
const HEAD: u64 = 1024;

/// What a file has of a match.
pub(super) struct FoundGames {
    pub(super) meeting: Meeting,
    /// Games of other matches.
    pub(super) of_others: u64,
    /// How many matches of these players the file has one after the other, as far as rounds tell.
    pub(super) sessions: usize,
}

impl GameIdentity {
    /// Whether a game is this match's, as far as its tags tell; `test` is the number that the name of
    /// its file in an archive begins with.
    fn has(&self, test: Option<u64>, game: &GameTags<'_>) -> bool {
        if self.test.zip(test).is_some_and(|(own, other)| own != other) {
            return false;
        }
        let [one, other] = &self.names;
        let are_players = [(one, other), (other, one)]
            .iter()
            .any(|(white, black)| *white == game.white && *black == game.black);
        let event = self.event.as_deref().filter(|_| !game.event.is_empty());
        let site = String::from_utf8_lossy(game.site);
        let run = site.split_once("/tests/view/").map(|(_, run)| run.trim());
        let is_run = |own: &String| run.is_none_or(|run| run == own);
        are_players
            && event.is_none_or(|event| event.as_bytes() == game.event)
            && self.run.as_ref().is_none_or(is_run)
    }

    /// The games of this match in a file, without the first `passed` of the sessions in it.
    pub(super) fn games_in(&self, path: &Path, passed: usize) -> Result<FoundGames, Error> {
        let mut sessions = Sessions::default();
        let mut of_others = 0;
        let tally = read(path, &mut |test, game| {
            let is_own = self.has(test, game);
            of_others += u64::from(!is_own);
            is_own && sessions.number_of(game) >= passed
        })?;
        let results = &tally.results;
        let meeting = match self.names.each_ref().map(|name| results.find(name)) {
            [Some(test), Some(base)] => Meeting::of(results, test, base),
            _ => Meeting::default(),
        };
        Ok(FoundGames { meeting, of_others, sessions: sessions.ended + 1 })
    }
}

/// fastchess appends to a PGN file: a round that a player had with the same colours before is another
/// session, which may be another match or one that was resumed.
#[derive(Default)]
pub struct Sessions {
    /// How many were followed by another one.
    pub ended: usize,
    known: HashSet<(String, [Vec<u8>; 2])>,
}

impl Sessions {
    /// The number of the session that the next game is of, from 0.
    pub fn number_of(&mut self, game: &GameTags<'_>) -> usize {
        let place = (game.white.to_owned(), [game.event, game.round].map(<[u8]>::to_vec));
        let has_round = ![&b""[..], b"?", b"-"].contains(&game.round);
        if has_round && !self.known.insert(place.clone()) {
            self.ended += 1;
            self.known = HashSet::from([place]);
        }
        self.ended
    }
}

/// Counts those games of a PGN file, or of the PGN files in a tar archive, that `only` says yes to; it
/// is given the number that a name in an archive begins with.
pub fn read(
    path: &Path,
    only: &mut dyn FnMut(Option<u64>, &GameTags<'_>) -> bool,
) -> Result<CrosstableInput, Error> {
    let mut games = PgnGames::default();
    match archive_at(path)? {
        None => games.add(Origin::File(path), &mut |game| only(None, game))?,
        Some(bytes) => {
            let mut failed = None;
            let read = archive::members(bytes, &mut |name, bytes| {
                // A worker that was stopped may have none.
                if is_empty(bytes)? {
                    return Ok(());
                }
                let test = number_of(name);
                let inside = PathBuf::from(format!("{}: {name}", path.display()));
                let text = Origin::Memory(&inside, bytes);
                games.add(text, &mut |game| only(test, game)).map_err(|error| {
                    failed = Some(error);
                    io::ErrorKind::Other.into()
                })
            });
            if let Some(error) = failed {
                return Err(error);
            }
            read.context(path.display())?;
        }
    }
    games.finish_input();
    Ok(games.into_tally())
}

/// Whether a text, compressed or not, has nothing but white space.
fn is_empty(bytes: &[u8]) -> io::Result<bool> {
    let (head, _) = match Compression::of(bytes) {
        None | Some(Compression::Zip) => peek(Box::new(bytes) as Box<dyn Read + Send>, HEAD)?,
        Some(compression) => peek(compression.decompress(bytes)?, HEAD)?,
    };
    Ok(head.trim_ascii().is_empty())
}

/// The bytes of a tar archive, also a compressed one; `None` for any other file.
fn archive_at(path: &Path) -> Result<Option<Box<dyn Read + Send>>, Error> {
    let failed = |error: io::Error| Error::io(path, "read")(error);
    let (head, bytes) =
        peek(plain_file::open_given(path).map_err(failed)?, archive::HEAD).map_err(failed)?;
    let stream: Box<dyn Read + Send> = match Compression::of(&head) {
        None => Box::new(bytes),
        // An archive of another kind.
        Some(Compression::Zip) => return Ok(None),
        Some(compression) => compression.decompress(bytes).map_err(failed)?,
    };
    let (head, bytes) = peek(stream, archive::HEAD).map_err(failed)?;
    Ok(archive::is_tar(&head).then(|| Box::new(bytes) as Box<dyn Read + Send>))
}

/// The number of the test with which OpenBench's names begin: `TEST.RESULT.INDEX.pgn.bz2`.
fn number_of(name: &str) -> Option<u64> {
    let name = name.rsplit('/').next().unwrap_or(name);
    let mut parts = name.split('.');
    let numbers = [parts.next()?, parts.next()?, parts.next()?].map(|part| part.parse().ok());
    let [Some(test), Some(_), Some(_)]: [Option<u64>; 3] = numbers else { return None };
    Some(test)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use bzip2::Compression as Level;
    use bzip2::write::BzEncoder;

    use super::super::archive::tests::tar;
    use super::*;

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = BzEncoder::new(Vec::new(), Level::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn an_archive_may_have_files_without_games() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("5.pgn.tar");
        let game = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
        let members = [("5.1.1.pgn.bz2", packed("\n")), ("5.2.3.pgn.bz2", packed(game))];
        let members = members.each_ref().map(|(name, bytes)| (*name, bytes.as_slice()));
        std::fs::write(&path, tar(&members)).unwrap();
        let identity = GameIdentity {
            names: ["b", "a"].map(str::to_owned),
            test: Some(5),
            ..GameIdentity::default()
        };
        let found = identity.games_in(&path, 0).unwrap();
        assert_eq!((found.meeting.games().loss, found.of_others), (1, 0));
        // The files of another test.
        let other = GameIdentity { test: Some(6), ..identity };
        let found = other.games_in(&path, 0).unwrap();
        assert_eq!((found.meeting.games().games(), found.of_others), (0, 1));
    }

    #[test]
    fn games_are_told_by_players_event_and_run() {
        let run = "65d0aaaaaaaaaaaaaaaaaaaa";
        let identity = GameIdentity {
            names: ["New-1", "Base-2"].map(str::to_owned),
            run: Some(run.to_owned()),
            event: Some("E".to_owned()),
            ..GameIdentity::default()
        };
        let site = format!("https://x/tests/view/{run}");
        let game = GameTags {
            white: "Base-2",
            black: "New-1",
            event: b"E",
            site: site.as_bytes(),
            round: b"1",
        };
        assert!(identity.has(None, &game));
        assert!(identity.has(None, &GameTags { site: b"?", event: b"", ..game }));
        for other in [
            GameTags { white: "New-1", ..game },
            GameTags { white: "Base-3", ..game },
            GameTags { event: b"F", ..game },
            GameTags { site: b"https://x/tests/view/65d0bbbbbbbbbbbbbbbbbbbb", ..game },
        ] {
            assert!(!identity.has(None, &other), "{other:?}");
        }
    }

    #[test]
    fn names_in_archives() {
        for (name, number) in [
            ("12.3.0.pgn.bz2", Some(12)),
            ("a/12.3.0.pgn", Some(12)),
            ("12.pgn", None),
            ("x.3.0.pgn", None),
            ("", None),
        ] {
            assert_eq!(number_of(name), number, "{name}");
        }
    }
}
