//! The record of one game: the vocabulary of `games.jsonl`.

use std::fmt;

use pgn::Outcome;
use serde::{Deserialize, Serialize};

use super::{Load, MoveDetails};
use crate::is_default;

/// Which of the two players: the reference build or the change being judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The reference build.
    Base,
    /// The change being judged.
    Test,
}

impl Side {
    /// The other player.
    pub fn other(self) -> Side {
        match self {
            Side::Base => Side::Test,
            Side::Test => Side::Base,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Base => "base",
            Side::Test => "test",
        })
    }
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// The position stood for the third time.
    Repetition,
    /// Fifty moves without capture or pawn move.
    FiftyMoves,
    /// Neither side can mate.
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
    /// A move that the rules forbid.
    IllegalMove,
    /// The clock ran out, by the player's own doing.
    TimeLoss,
    /// The clock ran out, and the harness's late wake-up made the difference.
    LateHarness,
    /// The program could not be started, or did not get ready for the game.
    NotStarted,
    /// The program ended or panicked in the game.
    Crash,
    /// The program stopped answering.
    Hang,
    /// The program's answer is not in the protocol.
    Garbage,
    /// Writing to the program failed.
    BrokenPipe,
    /// The program claimed a result that the board did not have.
    FalseClaim,
    /// The program answered one question twice.
    AnsweredTwice,
}

impl Termination {
    /// The word that stands for it in `games.jsonl`, such as `time-loss`.
    pub fn as_str(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::Repetition => "repetition",
            Termination::FiftyMoves => "fifty-moves",
            Termination::InsufficientMaterial => "insufficient-material",
            Termination::Resignation => "resignation",
            Termination::DrawAdjudication => "draw-adjudication",
            Termination::ResignAdjudication => "resign-adjudication",
            Termination::LengthAdjudication => "length-adjudication",
            Termination::TablebaseAdjudication => "tablebase-adjudication",
            Termination::IllegalMove => "illegal-move",
            Termination::TimeLoss => "time-loss",
            Termination::LateHarness => "late-harness",
            Termination::NotStarted => "not-started",
            Termination::Crash => "crash",
            Termination::Hang => "hang",
            Termination::Garbage => "garbage",
            Termination::BrokenPipe => "broken-pipe",
            Termination::FalseClaim => "false-claim",
            Termination::AnsweredTwice => "answered-twice",
        }
    }

    /// Whether the game was ended early, by what the players or a tablebase said of it.
    pub fn is_adjudication(self) -> bool {
        use Termination::{DrawAdjudication, ResignAdjudication, TablebaseAdjudication};
        matches!(self, DrawAdjudication | ResignAdjudication | TablebaseAdjudication)
    }

    /// Whether the game shows nothing of the players, so that it is no result: it did not begin, or the
    /// harness has spoilt it.
    pub fn is_void(self) -> bool {
        matches!(self, Termination::NotStarted | Termination::LateHarness)
    }

    /// Whether a player (or the harness) failed, rather than the game ending by chess.
    pub fn is_fault(self) -> bool {
        use Termination::{
            AnsweredTwice, BrokenPipe, Crash, FalseClaim, Garbage, Hang, IllegalMove, LateHarness,
            NotStarted, TimeLoss,
        };
        matches!(
            self,
            IllegalMove
                | TimeLoss
                | LateHarness
                | NotStarted
                | Crash
                | Hang
                | Garbage
                | BrokenPipe
                | FalseClaim
                | AnsweredTwice
        )
    }
}

/// A score as a player gave it, from the side to move.
///
/// In JSON a number of centipawns, or `"#3"` and `"#-3"` for mates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "JsonScore", into = "JsonScore")]
pub enum Score {
    /// Centipawns, 100 = 1 pawn.
    Cp(i32),
    /// Mate in so many moves; negative when the side to move is mated; 0 is mated now.
    Mate(i32),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum JsonScore {
    Cp(i32),
    Mate(String),
}

impl From<Score> for JsonScore {
    fn from(score: Score) -> JsonScore {
        match score {
            Score::Cp(cp) => JsonScore::Cp(cp),
            Score::Mate(moves) => JsonScore::Mate(format!("#{moves}")),
        }
    }
}

impl TryFrom<JsonScore> for Score {
    type Error = String;

    fn try_from(score: JsonScore) -> Result<Score, String> {
        match score {
            JsonScore::Cp(cp) => Ok(Score::Cp(cp)),
            JsonScore::Mate(text) => text
                .strip_prefix('#')
                .and_then(|moves| moves.parse().ok())
                .map(Score::Mate)
                .ok_or_else(|| format!("expected a score like 35 or \"#3\", found {text:?}")),
        }
    }
}

/// What a player said of one move. In JSON `[score, depth, nodes]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(Option<Score>, u32, u64)", into = "(Option<Score>, u32, u64)")]
pub struct MoveNote {
    /// The score, from the side that moved.
    pub score: Option<Score>,
    /// Depth in plies.
    pub depth: u32,
    /// Nodes searched for this move.
    pub nodes: u64,
}

impl From<(Option<Score>, u32, u64)> for MoveNote {
    fn from((score, depth, nodes): (Option<Score>, u32, u64)) -> MoveNote {
        MoveNote { score, depth, nodes }
    }
}

impl From<MoveNote> for (Option<Score>, u32, u64) {
    fn from(note: MoveNote) -> (Option<Score>, u32, u64) {
        (note.score, note.depth, note.nodes)
    }
}

/// Everything in a game's record that depends on a clock.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeRecord {
    /// When the game began, in milliseconds since 1970 (UTC); 0 when unknown.
    pub started_ms: u64,
    /// When the game ended, in milliseconds since 1970 (UTC); 0 when unknown.
    #[serde(default)]
    pub ended_ms: u64,
    /// Thinking time of each played move after the book, in microseconds.
    pub moves_us: Vec<u64>,
    /// How often it was begun again before, since the harness woke too late for a clock.
    #[serde(default, skip_serializing_if = "is_default")]
    pub replays: u32,
    /// How many threads searched at once, and on how many processors, where these were too few and a
    /// clock counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oversubscribed: Option<Load>,
}

impl TimeRecord {
    /// When the game ended; where that is not recorded, the start and all thinking time, which is
    /// the earliest possible end.
    pub fn end_ms(&self) -> u64 {
        if self.ended_ms > 0 {
            return self.ended_ms;
        }
        let thinking = self.moves_us.iter().fold(0_u64, |sum, &us| sum.saturating_add(us));
        self.started_ms.saturating_add(thinking / 1_000)
    }
}

/// How an adjudicated game went on, played to its end to audit the adjudication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit {
    /// The result it came to.
    pub result: Outcome,
    /// Why it ended then; a fault or the agreed length says nothing of the adjudication.
    pub termination: Termination,
    /// All plies it had then.
    pub plies: u32,
}

/// One finished game: one line of `games.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game's number in the schedule, from 0.
    pub game: u64,
    /// The pair's number in the schedule, from 0: `game / 2`.
    pub pair: u64,
    /// The opening's index in the book as read, from 0.
    pub opening: usize,
    /// Bad entries of the book that were passed over to it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub passed_over: u32,
    /// Who has the white men.
    pub white: Side,
    /// Who has the black men.
    pub black: Side,
    /// The result.
    pub result: Outcome,
    /// Why it ended.
    pub termination: Termination,
    /// What a fault was, in words; absent in a game that ended by chess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// All plies of `moves`, book plies among them.
    pub plies: u32,
    /// How many of the first plies came from the book.
    pub book_plies: u32,
    /// The start position, FEN.
    pub fen: String,
    /// The moves from `fen`, UCI, parted by single spaces.
    pub moves: String,
    /// One note for each ply after the book.
    pub notes: Vec<MoveNote>,
    /// More of each of these plies; only where it was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<MoveDetails>,
    /// All nodes of the white and of the black player.
    pub nodes: [u64; 2],
    /// Hash of start position and moves, 16 hexadecimal digits: equal games have equal hashes.
    pub hash: String,
    /// How the game went on after its adjudication; only of games that were audited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
    /// What depends on the clock.
    pub time: TimeRecord,
}

impl GameRecord {
    /// The score of the test player in half points: 0, 1 or 2.
    pub fn test_half_points(&self) -> u8 {
        self.result.half_points(self.white == Side::Test)
    }

    /// The result as PGN has it: `*` of a game that shows nothing of the players.
    pub fn pgn_result(&self) -> &'static str {
        if self.termination.is_void() { "*" } else { self.result.as_str() }
    }
}
