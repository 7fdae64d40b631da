//! mutineer: a chess engine library. First stand-in: the embedding API over shakmaty's rules, one
//! ply deep, so that the match loop can be built against it.

use std::sync::Arc;
use std::time::Duration;

use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, uci::UciMove, zobrist::Zobrist64,
};

/// Every tunable number; see `Params::set`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    stand_in: i32,
}

/// Why a parameter was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParamError(pub String);

impl Params {
    /// The named personality's parameters ("default", "rebel").
    pub fn personality(name: &str) -> Result<Params, ParamError> {
        match name {
            "default" | "rebel" => Ok(Params::default()),
            _ => Err(ParamError(format!("unknown personality '{name}' (known: default, rebel)"))),
        }
    }
    /// Sets one parameter by its dotted name; the error names the nearest real one.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        if name == "search.pvs" {
            self.stand_in = i32::from(value == "true");
            Ok(())
        } else {
            Err(ParamError(format!("unknown parameter '{name}'; did you mean 'search.pvs'?")))
        }
    }
    /// What differs from the default personality, name and value.
    pub fn differences(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// The size of a hash table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashSize(usize);
impl HashSize {
    /// A size in bytes, at least 64 KiB.
    pub fn from_bytes(bytes: usize) -> HashSize {
        HashSize(bytes.max(65536))
    }
    /// The size in bytes.
    pub fn bytes(self) -> usize {
        self.0
    }
}

/// A score in 1/256 pawn, side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value(pub i32);
impl Value {
    /// Centipawns.
    pub fn cp(self) -> i32 {
        self.0 * 100 / 256
    }
    /// Moves to mate, negative when mated; `None` for an ordinary score.
    pub fn mate(self) -> Option<i32> {
        None
    }
}

/// A move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move(shakmaty::Move);
impl Move {
    /// shakmaty's form of the move's UCI text.
    pub fn to_uci(self, mode: CastlingMode) -> UciMove {
        UciMove::from_move(self.0, mode)
    }
}

/// A position with its history.
#[derive(Debug, Clone)]
pub struct Position(Chess);
impl Position {
    /// Reads a FEN of four to six fields.
    pub fn from_fen(fen: &str) -> Result<Position, ParamError> {
        let fen: Fen = fen.parse().map_err(|e| ParamError(format!("{e}")))?;
        Ok(Position(
            fen.into_position(CastlingMode::Chess960).map_err(|e| ParamError(format!("{e}")))?,
        ))
    }
    /// Finds the legal move of a UCI text.
    pub fn parse_uci(&self, text: &str) -> Result<Move, ParamError> {
        let uci: UciMove = text.parse().map_err(|e| ParamError(format!("{e}")))?;
        uci.to_move(&self.0).map(Move).map_err(|e| ParamError(format!("{e}")))
    }
    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.0.play_unchecked(mv.0);
    }
    /// Whether there is no legal move.
    pub fn key(&self) -> u64 {
        self.0.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
    }
}

/// What ends a search. All that are set hold at once; none set: searches until stopped.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Nodes at most.
    pub nodes: Option<u64>,
    /// Depth in plies at most.
    pub depth: Option<u32>,
    /// This time for the move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<ClockLimit>,
    /// Kept back for the way to the clock from every time limit.
    pub overhead: Duration,
}
/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockLimit {
    /// Time left.
    pub remaining: Duration,
    /// Increment a move.
    pub increment: Duration,
    /// Moves to the next control.
    pub moves_to_go: Option<u32>,
}

/// Watches a search and can end it.
pub trait Observer {
    /// Asked now and then: true ends the search with the best move so far.
    fn stop(&self) -> bool {
        false
    }
}
impl Observer for () {}

/// What a search found.
#[derive(Debug, Clone)]
pub struct SearchReport {
    /// The best move; none when there is no legal move.
    pub best: Option<Move>,
    /// Its score, side to move.
    pub score: Value,
    /// Completed depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// An engine: its hash table, its parameters, what it learned in this game.
pub struct Engine {
    params: Arc<Params>,
    _hash: Vec<u8>,
}
impl Engine {
    /// An engine with cleared tables.
    pub fn new(params: &Arc<Params>, hash: HashSize) -> Engine {
        Engine { params: Arc::clone(params), _hash: vec![0; hash.0] }
    }
    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self._hash.fill(0);
    }
    /// Searches.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        observer: &dyn Observer,
    ) -> SearchReport {
        let value = |p: &Chess| {
            let m = p.board().material();
            let c = |s: &shakmaty::ByRole<u8>| {
                i32::from(s.pawn)
                    + 3 * i32::from(s.knight)
                    + 3 * i32::from(s.bishop)
                    + 5 * i32::from(s.rook)
                    + 9 * i32::from(s.queen)
            };
            256 * p.turn().fold_wb(c(&m.white) - c(&m.black), c(&m.black) - c(&m.white))
        };
        let moves = position.0.legal_moves();
        let budget = limits.nodes.unwrap_or(3000);
        let mut best = None;
        let mut nodes = 0;
        let salt = self.params.stand_in as u64;
        while nodes < budget && !observer.stop() {
            for &m in &moves {
                let mut c = position.0.clone();
                c.play_unchecked(m);
                nodes += 1;
                let noise = (c.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0 ^ salt)
                    .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                    >> 58;
                let v = -value(&c) + noise as i32 + if c.is_checkmate() { 9999 } else { 0 };
                if best.is_none_or(|(b, _)| v > b) {
                    best = Some((v, m));
                }
            }
            if moves.is_empty() {
                break;
            }
        }
        SearchReport {
            best: best.map(|b| Move(b.1)),
            score: Value(best.map_or(0, |b| b.0)),
            depth: 1,
            seldepth: 1,
            nodes,
        }
    }
}
