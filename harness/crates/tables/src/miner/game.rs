//! One game after the other.

use super::dedup::Fingerprint;
use super::pending::PendingMoves;
use super::record::Recorder;
use super::{CountSettings, SeenGames};
use crate::count::openings::OpeningCounter;
use crate::count::{MinedCounts, MitCounts, OpeningRecord, PositionSample, PstCounts, SideWdl};
use crate::cross_check::GameEndpoint;
use crate::filter::{Filter, Tags};
use crate::tally::{BadGame, BadGameReason, GameTally};
use pgn::san::{Board, Change, KnownMove, MoveError, Resolver};
use pgn::{
    Extent, GameText, Outcome, ResultWords, ShortWord, Undecided, Variant, WrongMove, quote,
    read_start,
};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, Position as _};

/// Plies at most of a counted game: bounds the memory of a game. The rules allow some 17,700.
const LONGEST: u32 = 1 << 16;

/// Counts games, text after text.
pub(crate) struct Miner<'a> {
    /// Without openings.
    pub(crate) counts: MinedCounts,
    pub(crate) openings: Option<OpeningCounter>,
    pub(crate) tally: GameTally,
    /// Bad games of the texts so far, in order.
    pub(crate) bad: Vec<BadGame>,
    /// Games found since the last `take_games`.
    pub(crate) found: u64,
    /// Games that could be read, with their lines, where both resolvers are asked.
    pub(crate) ends: Vec<(GameEndpoint, u64)>,
    wants: CountSettings,
    filter: &'a Filter,
    resolver: Resolver,
    seen: Option<&'a SeenGames>,
    /// The standard start position.
    initial: Board,
    /// The current line.
    line: u64,
    offset: u64,
    game: MinedGame,
    board: Board,
    /// The game's last words, which are not played yet.
    pending: PendingMoves,
    recorder: Recorder,
    print: Fingerprint,
    /// The start of the current game, for the keys of opening positions.
    chess: Chess,
    /// Keys of opening positions, and who moved to them.
    keys: Vec<(u64, Color)>,
    /// Moves add to the fingerprint or to the keys.
    has_extras: bool,
    /// The filter looks at tags.
    keeps_tags: bool,
}

#[derive(Default)]
struct MinedGame {
    /// Line and offset of its beginning.
    begin: Option<(u64, u64)>,
    tags: Tags,
    /// With its line number.
    fen: Option<(u64, Vec<u8>)>,
    variant: Option<(u64, Variant)>,
    result: ResultWords,
    any_tag: bool,
    stage: GameStage,
    bad: Option<(BadGameReason, u64, String)>,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum GameStage {
    #[default]
    Tags,
    Moves,
    /// The rest is skipped.
    Passed,
    Filtered,
}

impl MinedGame {
    fn clear(&mut self) {
        let mut tags = std::mem::take(&mut self.tags);
        tags.clear();
        *self = MinedGame { tags, ..MinedGame::default() };
    }
}

impl<'a> Miner<'a> {
    pub(crate) fn new(
        wants: CountSettings,
        filter: &'a Filter,
        resolver: Resolver,
        seen: Option<&'a SeenGames>,
        openings: Option<OpeningCounter>,
    ) -> Miner<'a> {
        let initial = Board::new(&Chess::default());
        Miner {
            counts: MinedCounts {
                mit: wants.mit.then(MitCounts::default),
                pst: wants.pst.then(PstCounts::default),
                openings: None,
                sample: (wants.sample > 0).then(|| PositionSample::new(wants.sample as usize)),
            },
            openings,
            tally: GameTally::default(),
            bad: Vec::new(),
            found: 0,
            ends: Vec::new(),
            wants,
            filter,
            resolver,
            seen,
            board: initial.clone(),
            initial,
            line: 0,
            offset: 0,
            game: MinedGame::default(),
            pending: PendingMoves::default(),
            recorder: Recorder::new(wants),
            print: Fingerprint::default(),
            chess: Chess::default(),
            keys: Vec::new(),
            keeps_tags: filter.reads_tags(),
            has_extras: seen.is_some() || wants.sample > 0 || wants.opening_plies > 0,
        }
    }

    #[inline]
    fn begin(&mut self) {
        if self.game.begin.is_none() {
            self.game.begin = Some((self.line, self.offset));
        }
    }

    /// Whether a fingerprint is needed.
    #[inline]
    fn wants_print(&self) -> bool {
        self.seen.is_some() || self.wants.sample > 0
    }

    fn spoil(&mut self, reason: BadGameReason, line: u64, detail: impl FnOnce() -> String) {
        self.game.stage = GameStage::Passed;
        if self.game.bad.is_none() {
            self.game.bad = Some((reason, line, detail()));
        }
    }

    /// The tags are complete: sets up the board, or skips the game.
    fn set_up(&mut self) {
        if self.game.stage != GameStage::Tags {
            return;
        }
        if !self.filter.accepts(&self.game.tags) {
            self.game.stage = GameStage::Filtered;
            return;
        }
        self.game.stage = GameStage::Moves;
        if let Some((line, Variant::Other)) = self.game.variant {
            let expected = "expected standard chess or Chess960 as Variant".to_owned();
            return self.spoil(BadGameReason::Variant, line, || expected);
        }
        match &self.game.fen {
            None => {
                self.board.clone_from(&self.initial);
                if self.wants.opening_plies > 0 {
                    self.chess = Chess::default();
                }
            }
            Some((line, fen)) => {
                let chess960 = matches!(self.game.variant, Some((_, Variant::Chess960)));
                match read_start(fen, chess960) {
                    Ok(start) => {
                        self.board = Board::new(&start);
                        self.chess = start;
                    }
                    Err(why) => return self.spoil(BadGameReason::StartPosition, *line, || why),
                }
            }
        }
        self.recorder.begin(&self.board);
        self.keys.clear();
        if self.wants_print() {
            self.print = match self.game.fen {
                None => Fingerprint::begin(),
                Some(_) => Fingerprint::begin_from(&self.chess),
            };
        }
    }

    /// Plays the words that wait, up to the first that is wrong.
    fn play_pending(&mut self) {
        if !self.pending.is_empty() {
            self.play_words();
        }
    }

    #[inline(never)]
    fn play_words(&mut self) {
        let words = self.pending.take(self.board.turn());
        let is_short = self.recorder.ply() + (words as u32) < LONGEST;
        let by_masks = is_short && self.resolver == Resolver::Masks;
        for index in 0..words {
            let is_plain = by_masks && {
                let says = *self.pending.says(index);
                match self.board.turn() {
                    Color::White => self.play_plain::<false>(&says),
                    Color::Black => self.play_plain::<true>(&says),
                }
            };
            if !is_plain {
                let (line, word) = self.pending.word(index);
                if !self.play_any(line, word.as_bytes()) {
                    return;
                }
            }
        }
    }

    /// Plays the move if it is a plain one. `BLACK` tells who is to move.
    #[inline(always)]
    fn play_plain<const BLACK: bool>(&mut self, says: &KnownMove) -> bool {
        let Some(plain) = self.board.find_known::<BLACK>(says) else { return false };
        let change = plain.into();
        self.recorder.play(&self.board, &change);
        self.board.play_plain::<BLACK>(&plain);
        self.note_played(&change);
        true
    }

    /// A word of any kind. Returns whether it is a move.
    #[inline(never)]
    fn play_any(&mut self, line: u64, word: &[u8]) -> bool {
        if self.recorder.ply() >= LONGEST {
            let expected = || format!("expected at most {LONGEST} plies");
            self.spoil(BadGameReason::Syntax, line, expected);
            return false;
        }
        match self.resolver.find(&self.board, word) {
            Ok(change) => {
                self.recorder.play(&self.board, &change);
                self.board.play(&change);
                self.note_played(&change);
                true
            }
            Err(error) => {
                self.fail_move(line, word, error);
                false
            }
        }
    }

    #[inline(always)]
    fn note_played(&mut self, change: &Change) {
        self.recorder.played(&self.board);
        if self.has_extras {
            self.note_extras(change);
        }
    }

    #[inline(never)]
    fn note_extras(&mut self, change: &Change) {
        if self.wants_print() {
            self.print.play(change);
        }
        if self.recorder.ply() <= self.wants.opening_plies {
            self.chess.play_unchecked(change.to_move());
            let Zobrist64(key) = self.chess.zobrist_hash(EnPassantMode::Legal);
            self.keys.push((key, !self.board.turn()));
        }
    }

    #[cold]
    fn fail_move(&mut self, line: u64, word: &[u8], error: MoveError) {
        let (reason, expected) = match error {
            MoveError::Wrong(wrong) => {
                let reason = match wrong {
                    WrongMove::NotSan if self.recorder.ply() == 0 && !self.game.any_tag => {
                        BadGameReason::Prose
                    }
                    WrongMove::NotSan => BadGameReason::NotAMove,
                    WrongMove::Null => BadGameReason::NullMove,
                    WrongMove::Illegal => BadGameReason::IllegalMove,
                    WrongMove::Ambiguous => BadGameReason::AmbiguousMove,
                };
                (reason, wrong.expected())
            }
            MoveError::Disagreement => {
                (BadGameReason::Disagreement, "the move that all legal moves say")
            }
        };
        let side = self.board.turn().fold_wb("White", "Black");
        let ply = self.recorder.ply();
        self.spoil(reason, line, || {
            format!("ply {}: expected {expected} for {side}, found {}", ply + 1, quote(word))
        });
    }

    /// The result by tag, or by the token after the moves where the tag has none.
    fn decided(&self) -> Result<Outcome, (BadGameReason, String)> {
        self.game.result.decided().map_err(|why| {
            let reason = match why {
                Undecided::Differ(_) => BadGameReason::TwoResults,
                Undecided::LostByBoth => BadGameReason::LostByBoth,
                Undecided::Open { .. } => BadGameReason::NoResult,
            };
            (reason, why.to_string())
        })
    }

    /// Counts the complete game.
    fn count(&mut self) {
        let decided = self.decided();
        let result = decided.as_ref().copied().ok();
        let plies = self.recorder.ply();
        if !self.filter.accepts_length(plies) || !self.filter.accepts_result(result.as_ref()) {
            self.tally.filtered += 1;
            return;
        }
        // Of duplicates, too: which of them counts may depend on the threads.
        if let Err((reason, detail)) = decided {
            self.report(reason, None, detail);
        }
        self.print.mix(result.map_or(0, |outcome| 1 + outcome as u64));
        if self.seen.is_some_and(|seen| !seen.is_new(self.print)) {
            self.tally.duplicates += 1;
            return;
        }
        self.tally.counted += 1;
        self.tally.plies += u64::from(plies);
        self.tally.empty += u64::from(plies == 0);
        self.recorder.end(&self.board);
        let wdl = result.map(SideWdl::of_white);
        if let (Some(mit), Some(wdl)) = (&mut self.counts.mit, wdl) {
            self.recorder.add_to_mit(mit, wdl);
        }
        if let Some(pst) = &mut self.counts.pst {
            self.recorder.add_to_pst(pst, &self.board);
        }
        if let (Some(sample), Some(outcome)) = (&mut self.counts.sample, result) {
            self.recorder.add_to_sample(sample, self.print, outcome);
        }
        if let Some(openings) = &mut self.openings {
            openings.games += 1;
            // A game that comes back to a position has reached it once. Who moved is part of the
            // key.
            self.keys.sort_unstable_by_key(|&(key, _)| key);
            self.keys.dedup();
            for &(key, mover) in &self.keys {
                let games = wdl.map_or(SideWdl::default(), |wdl| mover.fold_wb(wdl, wdl.flipped()));
                openings.add(OpeningRecord {
                    key,
                    wdl: games,
                    undecided: u32::from(wdl.is_none()),
                });
            }
        }
    }

    /// For the comparison with a second reader.
    fn note_end(&mut self) {
        if self.resolver == Resolver::Both
            && let (Some((line, _)), Some(position)) = (self.game.begin, self.board.to_chess())
        {
            self.ends.push((GameEndpoint::new(self.recorder.ply(), &position), line));
        }
    }

    fn report(&mut self, reason: BadGameReason, mistake: Option<u64>, detail: String) {
        self.tally.add_bad(reason);
        let (line, offset) = self.game.begin.unwrap_or((self.line, self.offset));
        let mistake_line = mistake.unwrap_or(line);
        self.bad.push(BadGame { line, offset, mistake_line, reason, detail });
    }
}

impl GameText for Miner<'_> {
    #[inline]
    fn place(&mut self, line: u64, offset: u64) {
        self.line = line;
        self.offset = offset;
    }

    fn tag(&mut self, line: u64, name: &[u8], value: &[u8]) {
        self.begin();
        self.game.any_tag = true;
        if self.keeps_tags {
            self.game.tags.add(name, value);
        }
        match name.len() {
            3 if name.eq_ignore_ascii_case(b"fen") => {
                self.game.fen = Some((line, value.trim_ascii().to_vec()));
            }
            6 if name.eq_ignore_ascii_case(b"result") => {
                self.game.result.tag = Some(value.trim_ascii().to_vec());
            }
            7 if name.eq_ignore_ascii_case(b"variant") => {
                self.game.variant = Some((line, Variant::of(value)));
            }
            _ => (),
        }
    }

    #[inline]
    fn begin_moves(&mut self, _line: u64) {
        if self.game.stage == GameStage::Tags {
            self.begin();
            self.set_up();
        }
    }

    #[inline]
    fn short(&mut self, line: u64, word: ShortWord) {
        if self.game.stage == GameStage::Moves && self.pending.push(line, word) {
            self.play_words();
        }
    }

    fn san(&mut self, line: u64, word: &[u8]) {
        self.play_pending();
        if self.game.stage == GameStage::Moves {
            self.play_any(line, word);
        }
    }

    fn result(&mut self, _line: u64, word: &[u8]) {
        self.begin();
        self.game.result.token = Some(word.to_vec());
    }

    fn fail(&mut self, line: u64, expected: &str, found: &[u8]) {
        self.begin();
        self.play_pending();
        if self.game.stage != GameStage::Filtered {
            self.spoil(BadGameReason::Syntax, line, || match found {
                [] => expected.to_owned(),
                found => format!("{expected} {}", quote(found)),
            });
        }
    }

    fn finish(&mut self, _extent: &Extent) {
        self.set_up();
        self.play_pending();
        let bad = self.game.bad.take();
        // Words of a filtered game that were not looked at.
        let is_nothing = self.game.stage == GameStage::Filtered
            && !self.game.any_tag
            && self.game.result.token.is_none();
        let is_prose = matches!(bad, Some((BadGameReason::Prose, ..)));
        if is_nothing {
            return self.game.clear();
        }
        self.tally.games += u64::from(!is_prose);
        self.found += u64::from(!is_prose);
        match bad {
            Some((reason, line, detail)) => self.report(reason, Some(line), detail),
            None if self.game.stage == GameStage::Filtered => self.tally.filtered += 1,
            None => {
                self.note_end();
                self.count();
            }
        }
        self.game.clear();
    }

    #[inline]
    fn wants_moves(&self) -> bool {
        matches!(self.game.stage, GameStage::Tags | GameStage::Moves)
    }
}
