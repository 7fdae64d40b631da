//! From PGN files to candidates.

use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::{Chess, Move, Position as _};

use super::candidate::{Candidate, PackedMove, draw, priority};
use super::plan::GamesPlan;
use super::pool::{Offered, Pool};
use super::tally::ReadTally;
use pgn::san::SanPosition;
use pgn::{BookFormat, Extent, GameText, Lines, Origin, Variant, parse, read_start, with_text};
use process::Error;
use tables::Tags;

/// Games between two calls of `progress`.
const STEP: u64 = 1000;

/// Reads all files of a plan. `progress` is told the number of games so far. `None`: `stop` was set.
pub(super) fn read(
    plan: &GamesPlan,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
) -> Result<Option<(Pool, ReadTally)>, Error> {
    let mut reader = GameReader::new(plan, progress);
    for file in &plan.files {
        if let Err(error) = read_file(&file.path, &mut reader, stop) {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            return Err(error);
        }
    }
    Ok(Some(reader.done()))
}

fn read_file(path: &Path, reader: &mut GameReader<'_>, stop: &AtomicBool) -> Result<(), Error> {
    let mut is_pgn = true;
    let before = reader.tally.games;
    with_text(Origin::File(path), &mut |format, text| {
        is_pgn = format == BookFormat::Pgn;
        match is_pgn {
            true => parse(&mut Lines::new(&mut Stoppable { text, stop }), reader),
            false => Ok(()),
        }
    })?;
    if !is_pgn || reader.tally.games == before {
        let path = path.display();
        return Err(Error::input_output(format!("{path}: expected games in PGN, found none")));
    }
    Ok(())
}

/// A text that ends with an error when `stop` is set.
struct Stoppable<'a> {
    text: &'a mut dyn BufRead,
    stop: &'a AtomicBool,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.text.read(buffer)
    }
}

impl BufRead for Stoppable<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        self.text.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.text.consume(amount);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Tags,
    Moves,
    /// The plies that are wanted are read.
    Done,
    Filtered,
    OtherStart,
    Bad,
}

/// A position of the current game at a ply that is wanted.
struct Place {
    priority: u64,
    plies: usize,
}

pub(super) struct GameReader<'a> {
    plan: &'a GamesPlan,
    progress: &'a mut dyn FnMut(u64),
    pool: Pool,
    tally: ReadTally,
    stage: Stage,
    has_tag: bool,
    has_word: bool,
    tags: Tags,
    fen: Option<Vec<u8>>,
    is_variant: bool,
    position: SanPosition,
    moves: Vec<PackedMove>,
    /// Positions of this game that were looked at, and why they are left out.
    looked_at: ReadTally,
    places: Vec<Place>,
}

impl<'a> GameReader<'a> {
    pub(super) fn new(plan: &'a GamesPlan, progress: &'a mut dyn FnMut(u64)) -> GameReader<'a> {
        GameReader {
            plan,
            progress,
            pool: Pool::new(usize::try_from(plan.candidates).unwrap_or(usize::MAX)),
            tally: ReadTally::default(),
            stage: Stage::Tags,
            has_tag: false,
            has_word: false,
            tags: Tags::default(),
            fen: None,
            is_variant: false,
            position: SanPosition::default(),
            moves: Vec::new(),
            looked_at: ReadTally::default(),
            places: Vec::new(),
        }
    }

    /// What all games gave.
    pub(super) fn done(self) -> (Pool, ReadTally) {
        let GameReader { pool, mut tally, .. } = self;
        tally.candidates = pool.len() as u64;
        (pool, tally)
    }

    fn clear(&mut self) {
        self.stage = Stage::Tags;
        (self.has_tag, self.has_word, self.is_variant) = (false, false, false);
        self.tags.clear();
        self.fen = None;
        self.moves.clear();
        self.looked_at = ReadTally::default();
        self.places.clear();
    }

    /// The tags are complete.
    fn set_up(&mut self) {
        if self.stage != Stage::Tags {
            return;
        }
        let start = self.fen.as_ref().map(|fen| read_start(fen, false));
        let is_usual = start.is_none_or(|start| start.is_ok_and(|start| start == Chess::default()));
        self.stage = match () {
            () if self.is_variant || !is_usual => Stage::OtherStart,
            () if !self.plan.filter.accepts(&self.tags) => Stage::Filtered,
            () => {
                self.position = SanPosition::default();
                Stage::Moves
            }
        };
    }

    fn play(&mut self, word: &[u8]) {
        let played = self.position.play(word).ok();
        let Some((mv, packed)) = played.and_then(|mv| Some((mv, PackedMove::new(mv)?))) else {
            self.stage = Stage::Bad;
            return;
        };
        self.moves.push(packed);
        let plies = self.moves.len();
        if plies >= self.plan.plies.first as usize {
            self.look(mv);
        }
        if plies >= self.plan.plies.last as usize {
            self.stage = Stage::Done;
        }
    }

    /// Notes the position after a move, if it may open a game.
    fn look(&mut self, mv: Move) {
        let (tally, position) = (&mut self.looked_at, self.position.chess());
        tally.positions += 1;
        if position.is_check() {
            // Mates, too.
            tally.in_check += 1;
        } else if position.legal_moves().is_empty() || position.is_insufficient_material() {
            tally.ended += 1;
        } else if mv.is_capture() && can_capture_on(position, mv) {
            tally.recapture += 1;
        } else {
            let priority = priority(self.plan.seed, position);
            self.places.push(Place { priority, plies: self.moves.len() });
        }
    }

    /// Offers the places of a game that is complete, as many as are wanted of each.
    fn offer(&mut self) {
        self.tally.positions += self.looked_at.positions;
        self.tally.ended += self.looked_at.ended;
        self.tally.in_check += self.looked_at.in_check;
        self.tally.recapture += self.looked_at.recapture;
        // A game that comes back to a position has reached it once.
        self.places.sort_unstable_by_key(|place| place.priority);
        let all = self.places.len();
        self.places.dedup_by_key(|place| place.priority);
        self.tally.duplicates += (all - self.places.len()) as u64;
        // Drawn anew for each game: by priority alone all would offer the same well-known positions.
        let game = self.tally.games;
        self.places.sort_unstable_by_key(|place| draw(game, place.priority));
        let wanted = self.plan.per_game as usize;
        self.tally.surplus += self.places.len().saturating_sub(wanted) as u64;
        for place in self.places.iter().take(wanted) {
            let candidate = || Candidate { game, moves: self.moves[..place.plies].into() };
            match self.pool.offer(place.priority, candidate) {
                Offered::New => (),
                Offered::Duplicate => self.tally.duplicates += 1,
                Offered::Beyond => self.tally.beyond += 1,
            }
        }
    }
}

fn can_capture_on(position: &Chess, last: Move) -> bool {
    let moves = position.legal_moves();
    moves.iter().any(|reply| reply.is_capture() && reply.to() == last.to())
}

impl GameText for GameReader<'_> {
    fn tag(&mut self, _line: u64, name: &[u8], value: &[u8]) {
        self.has_tag = true;
        if self.plan.filter.reads_tags() {
            self.tags.add(name, value);
        }
        if name.eq_ignore_ascii_case(b"fen") {
            self.fen = Some(value.trim_ascii().to_vec());
        } else if name.eq_ignore_ascii_case(b"variant") {
            self.is_variant = Variant::of(value) != Variant::Standard;
        }
    }

    fn begin_moves(&mut self, _line: u64) {
        self.set_up();
    }

    fn san(&mut self, _line: u64, word: &[u8]) {
        self.has_word = true;
        if self.stage == Stage::Moves {
            self.play(word);
        }
    }

    fn fail(&mut self, _line: u64, _expected: &str, _found: &[u8]) {
        if matches!(self.stage, Stage::Tags | Stage::Moves) {
            self.stage = Stage::Bad;
        }
    }

    fn finish(&mut self, _extent: &Extent) {
        self.set_up();
        // Words between games are no game.
        if !self.has_tag && self.moves.is_empty() && (self.has_word || self.stage == Stage::Bad) {
            return self.clear();
        }
        self.tally.games += 1;
        match self.stage {
            Stage::Filtered => self.tally.filtered += 1,
            Stage::OtherStart => self.tally.other_start += 1,
            Stage::Bad => self.tally.bad += 1,
            _ if self.moves.len() < self.plan.plies.first as usize => self.tally.short += 1,
            _ => self.offer(),
        }
        if self.tally.games.is_multiple_of(STEP) {
            (self.progress)(self.tally.games);
        }
        self.clear();
    }

    fn wants_moves(&self) -> bool {
        matches!(self.stage, Stage::Tags | Stage::Moves)
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::{GameFile, Range};
    use super::*;
    use tables::Filter;

    fn plan(first: u32, last: u32) -> GamesPlan {
        GamesPlan {
            files: Vec::new(),
            plies: Range { first, last },
            per_game: 1,
            candidates: 1000,
            seed: 1,
            filter: Filter::default(),
        }
    }

    /// The candidates of a text, as their moves, and what became of its games.
    fn read_text(plan: GamesPlan, text: &str) -> (Vec<String>, ReadTally) {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("games.pgn");
        std::fs::write(&path, text).expect("a file");
        let files = vec![GameFile { path, bytes: 0 }];
        let stop = AtomicBool::new(false);
        let (pool, tally) = read(&GamesPlan { files, ..plan }, &stop, &mut |_| ())
            .expect("games")
            .expect("no stop");
        let left_out = tally.ended + tally.in_check + tally.recapture;
        let not_taken = tally.surplus + tally.duplicates + tally.beyond;
        assert_eq!(tally.positions, left_out + not_taken + tally.candidates, "{tally:?}");
        assert_eq!(tally.candidates, pool.len() as u64);
        (pool.iter().map(ToString::to_string).collect(), tally)
    }

    #[test]
    fn positions_that_force_a_move_are_left_out() {
        // A check, an exchange that is not over, one that is, and a capture that none can answer.
        for (moves, check, recapture, kept) in [
            ("1. e4 e5 2. Qh5 Nc6 3. Qxf7+", 1, 0, 0),
            ("1. d4 d5 2. c4 e6 3. cxd5", 0, 1, 0),
            ("1. d4 d5 2. c4 e6 3. cxd5 exd5", 0, 0, 1),
            ("1. e4 b6 2. Nf3 g5 3. Nxg5 a6", 0, 0, 1),
            ("1. a4 b5 2. axb5", 0, 0, 1),
        ] {
            let plies = moves.split(' ').filter(|word| !word.ends_with('.')).count() as u32;
            let (candidates, tally) = read_text(plan(plies, plies), &format!("{moves} *\n"));
            let found = (tally.in_check, tally.recapture, candidates.len());
            assert_eq!(found, (check, recapture, kept), "{moves}");
        }
    }

    #[test]
    fn games_are_left_out_for_a_reason() {
        let fen =
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 2. e5 *\n\n";
        let usual = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. a3 a6 2. b3 *\n\n";
        let text = format!(
            "{fen}{usual}[Variant \"Atomic\"]\n\n1. e4 e5 2. d3 *\n\n[Event \"short\"]\n\n1. e4 *\n\n\
             [Event \"bad\"]\n\n1. e4 Ke3 2. d4 *\n\n[Event \"late\"]\n\n1. e4 e5 2. d4 d6 3. Qxh7 *\n"
        );
        let (candidates, tally) = read_text(plan(3, 3), &text);
        assert_eq!((tally.games, tally.other_start, tally.short, tally.bad), (6, 2, 1, 1));
        let mut games: Vec<_> = candidates.iter().map(|it| it.split(' ').next()).collect();
        games.sort_unstable();
        assert_eq!(games, [Some("2"), Some("6")]);
    }

    #[test]
    fn equal_positions_count_once_and_games_give_no_more_than_wanted() {
        let text = "1. d4 Nf6 2. c4 e6 3. Nc3 *\n\n1. c4 Nf6 2. d4 e6 3. Nc3 *\n\n";
        let (candidates, tally) = read_text(GamesPlan { per_game: 9, ..plan(3, 5) }, text);
        assert_eq!((candidates.len(), tally.duplicates, tally.surplus), (3, 3, 0));
        let (candidates, tally) = read_text(plan(3, 5), text);
        assert_eq!(tally.surplus, 4);
        assert_eq!(candidates.len() as u64, 2 - tally.duplicates);
        let (few, tally) = read_text(GamesPlan { per_game: 9, candidates: 2, ..plan(3, 5) }, text);
        assert_eq!((few.len(), tally.beyond > 0), (2, true));
        // A game that comes back to a position.
        let (back, tally) = read_text(
            GamesPlan { per_game: 9, ..plan(4, 8) },
            "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *",
        );
        assert_eq!((back.len(), tally.duplicates), (4, 1));
    }

    #[test]
    fn filters_look_at_the_tags() {
        let game = |elo| format!("[WhiteElo \"{elo}\"]\n[BlackElo \"2600\"]\n\n1. e4 e5 *\n\n");
        let text = game(2400) + &game(2500) + "1. d4 d5 *\n";
        let filter = Filter { min_elo: Some(2500), ..Filter::default() };
        let (candidates, tally) = read_text(GamesPlan { filter, ..plan(2, 2) }, &text);
        assert_eq!((candidates, tally.filtered), (vec!["2 e2e4 e7e5".to_owned()], 2));
    }

    #[test]
    fn what_holds_no_games_is_told() {
        let dir = tempfile::tempdir().expect("a folder");
        let stop = AtomicBool::new(false);
        for (name, text) in [("a.pgn", "no games\n"), ("b.epd", "8/8/8/8/8/8/8/K1k5 w - -\n")] {
            let path = dir.path().join(name);
            std::fs::write(&path, text).expect("a file");
            let files = vec![GameFile { path, bytes: 0 }];
            let error = read(&GamesPlan { files, ..plan(1, 2) }, &stop, &mut |_| ()).err();
            let error = error.unwrap_or_else(|| panic!("{name}"));
            assert!(error.to_string().contains("expected games in PGN"), "{error}");
        }
        stop.store(true, Ordering::Relaxed);
        let path = dir.path().join("c.pgn");
        std::fs::write(&path, "1. e4 e5 *\n").expect("a file");
        let files = vec![GameFile { path, bytes: 0 }];
        let stopped = read(&GamesPlan { files, ..plan(1, 2) }, &stop, &mut |_| ());
        assert!(stopped.is_ok_and(|read| read.is_none()));
    }
}
