//! The record of one game: the vocabulary of `games.jsonl`.

use std::fmt;

use pgn::Outcome;
use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Load, MoveDetails};
use crate::is_default;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Side {
    /// The reference build.
    Base,
    /// The change being judged.
    Test,
}

impl Side {
    /// The one of two values that is this side's.
    pub fn choose<T>(self, base: T, test: T) -> T {
        match self {
            Side::Base => base,
            Side::Test => test,
        }
    }

    pub fn other(self) -> Side {
        self.choose(Side::Test, Side::Base)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BySide<T> {
    pub base: T,
    pub test: T,
}

impl<T: Copy> BySide<T> {
    pub fn even(both: T) -> BySide<T> {
        BySide { base: both, test: both }
    }

    pub fn of(self, side: Side) -> T {
        side.choose(self.base, self.test)
    }
}

impl<T> BySide<T> {
    pub fn of_ref(&self, side: Side) -> &T {
        side.choose(&self.base, &self.test)
    }

    pub fn of_mut(&mut self, side: Side) -> &mut T {
        side.choose(&mut self.base, &mut self.test)
    }
}

/// Why a game ended. The faults come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Termination {
    Checkmate,
    Stalemate,
    /// Third occurrence of the position.
    Repetition,
    FiftyMoves,
    InsufficientMaterial,
    /// The player to move gave up.
    Resignation,
    /// Adjudicated: both players' scores near zero for long.
    DrawAdjudication,
    /// Adjudicated: a player's score hopeless for long.
    ResignAdjudication,
    /// Adjudicated: the game reached the agreed length.
    LengthAdjudication,
    /// Adjudicated: an endgame tablebase knows the result.
    TablebaseAdjudication,
    IllegalMove,
    /// The clock ran out, by the player's own doing.
    TimeLoss,
    /// The clock ran out, and the harness's late wake-up made the difference.
    LateHarness,
    /// It could not be started, or did not get ready for the game.
    NotStarted,
    /// The program ended or panicked.
    Crash,
    Hang,
    /// An answer outside the protocol.
    Garbage,
    BrokenPipe,
    /// A claim of a result that the board did not have.
    FalseClaim,
    /// Two answers to one question.
    AnsweredTwice,
}

impl Termination {
    /// The word in `games.jsonl`, such as `time-loss`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the game was ended early, by what the players or a tablebase said of it.
    pub fn is_adjudication(self) -> bool {
        use Termination::{DrawAdjudication, ResignAdjudication, TablebaseAdjudication};
        matches!(self, DrawAdjudication | ResignAdjudication | TablebaseAdjudication)
    }

    /// Whether the game shows nothing of the players, so that it is no result.
    pub fn is_void(self) -> bool {
        matches!(self, Termination::NotStarted | Termination::LateHarness)
    }

    pub fn is_fault(self) -> bool {
        self >= Termination::IllegalMove
    }
}

/// A score from the side to move. In JSON a number of centipawns, or `"#3"` and `"#-3"` for mates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    Cp(i32),
    /// Moves to mate; negative when the side to move is mated; 0 is mated now.
    Mate(i32),
}

impl Score {
    /// A number that is the greater the better the score is for the side to move.
    pub fn rank(self) -> i64 {
        match self {
            Score::Cp(cp) => i64::from(cp),
            Score::Mate(moves) if moves > 0 => i64::MAX - i64::from(moves),
            Score::Mate(moves) => i64::MIN - i64::from(moves),
        }
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Score::Cp(cp) => to.serialize_i32(*cp),
            Score::Mate(moves) => to.collect_str(&format_args!("#{moves}")),
        }
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Score, D::Error> {
        from.deserialize_any(ScoreVisitor)
    }
}

struct ScoreVisitor;

impl Visitor<'_> for ScoreVisitor {
    type Value = Score;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a score like 35 or \"#3\"")
    }

    fn visit_i64<E: de::Error>(self, cp: i64) -> Result<Score, E> {
        let wrong = |_| E::invalid_value(Unexpected::Signed(cp), &self);
        i32::try_from(cp).map(Score::Cp).map_err(wrong)
    }

    fn visit_u64<E: de::Error>(self, cp: u64) -> Result<Score, E> {
        let wrong = |_| E::invalid_value(Unexpected::Unsigned(cp), &self);
        i32::try_from(cp).map(Score::Cp).map_err(wrong)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Score, E> {
        let moves = text.strip_prefix('#').and_then(|moves| moves.parse().ok());
        moves.map(Score::Mate).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// What a player said of one move. In JSON `[score, depth, nodes]`: the order of the fields is the
/// format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(Option<Score>, u32, u64)")]
pub struct MoveNote {
    /// From the side that moved.
    pub score: Option<Score>,
    /// In plies.
    pub depth: u32,
    /// Of this move's search.
    pub nodes: u64,
}

impl From<MoveNote> for (Option<Score>, u32, u64) {
    fn from(note: MoveNote) -> (Option<Score>, u32, u64) {
        (note.score, note.depth, note.nodes)
    }
}

/// All of a record that depends on a clock.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeRecord {
    /// Milliseconds since 1970 (UTC); 0 when unknown.
    pub started_ms: u64,
    /// Milliseconds since 1970 (UTC); 0 when unknown.
    #[serde(default)]
    pub ended_ms: u64,
    /// Thinking time of each move after the book, in microseconds.
    pub moves_us: Vec<u64>,
    /// How often the game was begun again because the harness woke too late for a clock.
    #[serde(default, skip_serializing_if = "is_default")]
    pub replays: u32,
    /// Set where more threads searched at once than there were processors, and a clock counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oversubscribed: Option<Load>,
    /// Which machine of a fleet played it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// By what that machine multiplied the times of the limits (`--scale-to`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
}

impl TimeRecord {
    /// `ended_ms`; where that is not recorded, the earliest possible end: the start and all
    /// thinking time.
    pub fn end_ms(&self) -> u64 {
        if self.ended_ms > 0 {
            return self.ended_ms;
        }
        let thinking = self.moves_us.iter().fold(0_u64, |sum, &us| sum.saturating_add(us));
        self.started_ms.saturating_add(thinking / 1_000)
    }
}

/// How an adjudicated game went on when it was played to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit {
    pub result: Outcome,
    /// A fault or the agreed length says nothing of the adjudication.
    pub termination: Termination,
    /// All plies, those before the adjudication among them.
    pub plies: u32,
}

/// One line of `games.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number in the schedule, from 0.
    pub game: u64,
    /// `game / 2`.
    pub pair: u64,
    /// Index in the book as read, from 0.
    pub opening: usize,
    /// Bad entries of the book that were passed over to it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub passed_over: u32,
    pub white: Side,
    pub black: Side,
    pub result: Outcome,
    pub termination: Termination,
    /// What a fault was, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Length of `moves`, book plies included.
    pub plies: u32,
    /// Plies at the start that came from the book.
    pub book_plies: u32,
    /// The start position, FEN.
    pub fen: String,
    /// UCI, parted by single spaces.
    pub moves: String,
    /// One note for each ply after the book.
    pub notes: Vec<MoveNote>,
    /// One for each note; empty unless asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<MoveDetails>,
    /// The white and the black player's.
    pub nodes: [u64; 2],
    /// Hash of start position and moves, 16 hexadecimal digits: equal games have equal hashes.
    pub hash: String,
    /// Only of games that were audited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
    pub time: TimeRecord,
}

impl GameRecord {
    /// The score of the test player in half points: 0, 1 or 2.
    pub fn test_half_points(&self) -> u8 {
        self.result.half_points(self.white == Side::Test)
    }

    /// As PGN has it: `*` for a void game.
    pub fn pgn_result(&self) -> &'static str {
        if self.termination.is_void() { "*" } else { self.result.as_str() }
    }
}
