//! Questions, answers, and what workers send on request.

use arena::game::LiveGame;
use arena::record::{GamePage, GameRecord};
use process::Error;
use serde::{Deserialize, Serialize};

use super::packed::{MOST_UNPACKED, pack, unpack};
use super::{Message, Refused, VERSION, WorkerCard, allow, encode, is_line, may_be_line};
use crate::chunk::{Chunk, MOST_ASKED};
use crate::names::WorkerName;

/// Most games in an answer.
const PAGE: usize = 100;
/// Most lines of a log.
const LINES: usize = 1000;

macro_rules! message {
    ($type:ty, $name:literal, $most:expr, $check:expr) => {
        impl Message for $type {
            const NAME: &'static str = $name;
            const MOST: usize = $most;

            fn version(&self) -> u64 {
                self.v
            }

            fn check(&self) -> Result<(), Refused> {
                let check: fn(&$type) -> Result<(), Refused> = $check;
                check(self)
            }
        }
    };
}

/// `v1.hello.NAME.INSTANCE`: a worker asks to join.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    pub v: u64,
    pub card: WorkerCard,
    /// Milliseconds since its process started.
    pub since_ms: u64,
}

message!(Hello, "a worker's hello", 20 << 10, |hello| match hello.card.v {
    VERSION => hello.card.check(),
    other => Err(Refused::Version(other)),
});

/// The answer to [`Hello`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    pub v: u64,
    pub ok: bool,
    #[serde(default)]
    pub name: Option<WorkerName>,
    /// Why it may not join, or a note; in words.
    #[serde(default)]
    pub say: Option<String>,
    /// Command that updates the worker's verdict.
    #[serde(default)]
    pub update: Option<String>,
    /// When to ask again, in seconds; `None`: never.
    #[serde(default)]
    pub retry_s: Option<u64>,
}

impl Welcome {
    pub fn of(name: WorkerName) -> Welcome {
        let v = VERSION;
        Welcome { v, ok: true, name: Some(name), say: None, update: None, retry_s: None }
    }

    pub fn refused(say: String, retry_s: Option<u64>) -> Welcome {
        Welcome { v: VERSION, ok: false, name: None, say: Some(say), update: None, retry_s }
    }
}

message!(Welcome, "the answer to a hello", 8 << 10, |welcome| {
    allow(may_be_line(welcome.say.as_ref(), 4000), "say")?;
    allow(may_be_line(welcome.update.as_ref(), 1000), "update")
});

/// `v1.need.RUN.NAME.INSTANCE`: which pairs of a chunk are still to be played?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    pub v: u64,
    pub first: u64,
    pub pairs: u32,
    pub round: u32,
}

impl Need {
    pub fn of(Chunk { first, pairs, round }: Chunk) -> Need {
        Need { v: VERSION, first, pairs, round }
    }

    pub fn chunk(self) -> Chunk {
        Chunk { first: self.first, pairs: self.pairs, round: self.round }
    }
}

message!(Need, "a question for what is missing", 1 << 10, |need| {
    allow((1..=MOST_ASKED).contains(&need.pairs), "pairs")?;
    allow(need.first <= u64::MAX / 4, "first")
});

/// The answer to [`Need`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    pub v: u64,
    /// First and last pair of each range.
    pub missing: Vec<[u64; 2]>,
}

impl Missing {
    /// `pairs`: ascending.
    pub fn of(pairs: &[u64]) -> Missing {
        let mut missing: Vec<[u64; 2]> = Vec::new();
        for &pair in pairs {
            match missing.last_mut() {
                Some([_, last]) if last.checked_add(1) == Some(pair) => *last = pair,
                _ => missing.push([pair, pair]),
            }
        }
        Missing { v: VERSION, missing }
    }

    /// The missing pairs that belong to the chunk, ascending.
    pub fn pairs(&self, chunk: Chunk) -> Vec<u64> {
        let is_missing =
            |pair: &u64| self.missing.iter().any(|[first, last]| (first..=last).contains(&pair));
        chunk.range().filter(is_missing).collect()
    }
}

// The size limit allows for every second pair of a chunk.
message!(Missing, "what is missing of a chunk", 64 << 10, |answer| {
    allow(answer.missing.len() <= MOST_ASKED as usize, "missing")
});

/// `v1.ask.…`: a request to workers to send a beat, their log or their games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    pub v: u64,
    pub what: AskedFor,
    /// Lines of the log.
    #[serde(default)]
    pub lines: Option<u32>,
    /// How long to keep sending, in seconds.
    #[serde(default)]
    pub for_s: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AskedFor {
    Beat,
    Log,
    /// Games under way.
    Live,
}

impl Ask {
    pub fn beat() -> Ask {
        Ask { v: VERSION, what: AskedFor::Beat, lines: None, for_s: None }
    }

    pub fn log(lines: u32) -> Ask {
        Ask { v: VERSION, what: AskedFor::Log, lines: Some(lines), for_s: None }
    }

    pub fn live(for_s: u32) -> Ask {
        Ask { v: VERSION, what: AskedFor::Live, lines: None, for_s: Some(for_s) }
    }
}

message!(Ask, "a question to workers", 1 << 10, |_| Ok(()));

/// `v1.log.NAME.INSTANCE`: the last lines of a worker's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogTail {
    pub v: u64,
    pub lines: Vec<String>,
}

impl LogTail {
    /// Encodes the last of these lines; older ones are left out if it would be too large.
    pub fn encode(lines: Vec<String>) -> Result<Vec<u8>, Error> {
        let mut log = LogTail { v: VERSION, lines };
        loop {
            match encode(&log) {
                Err(_) if !log.lines.is_empty() => {
                    log.lines.drain(..log.lines.len().div_ceil(4));
                }
                done => return done,
            }
        }
    }
}

message!(LogTail, "a worker's log", 64 << 10, |log| {
    allow(log.lines.len() <= LINES, "lines")?;
    allow(log.lines.iter().all(|line| is_line(line, 4000)), "lines")
});

/// `v1.live.RUN.NAME.INSTANCE`: the games under way at a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveGames {
    pub v: u64,
    pub games: Vec<LiveGame>,
}

message!(LiveGames, "the games under way", 128 << 10, |live| {
    allow(live.games.len() <= 1024, "games")?;
    let plain = |game: &LiveGame| is_line(&game.fen, 200) && is_line(&game.moves, 16 << 10);
    allow(live.games.iter().all(plain), "games")
});

/// `v1.query.RUN`: the page asks the coordinator for games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    pub v: u64,
    pub what: QueriedGames,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QueriedGames {
    /// Games in the order of the journal.
    Page {
        /// Index of the first game, from 0; `None`: the last `count` games.
        from: Option<u64>,
        count: u32,
    },
    /// The game with this number.
    Game(u64),
    /// Games under way at the coordinator.
    Live,
}

impl Query {
    pub fn new(what: QueriedGames) -> Query {
        Query { v: VERSION, what }
    }
}

message!(Query, "a question for games", 1 << 10, |query| match query.what {
    QueriedGames::Page { count, .. } => allow(count as usize <= PAGE, "what.page.count"),
    QueriedGames::Game(_) | QueriedGames::Live => Ok(()),
});

/// The answer to [`Query`], compressed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GamesPage {
    pub v: u64,
    /// Index of the first game in the journal.
    #[serde(default)]
    pub from: u64,
    /// Number of games in the journal.
    #[serde(default)]
    pub total: u64,
    #[serde(default)]
    pub games: Vec<GameRecord>,
    #[serde(default)]
    pub live: Vec<LiveGame>,
}

impl From<GamePage> for GamesPage {
    fn from(GamePage { from, total, games }: GamePage) -> GamesPage {
        GamesPage { v: VERSION, from, total, games, live: Vec::new() }
    }
}

impl GamesPage {
    pub fn pack(&self) -> Result<Vec<u8>, Error> {
        pack(self)
    }

    pub fn unpack(packed: &[u8]) -> Result<GamesPage, Refused> {
        unpack(packed)
    }
}

message!(GamesPage, "a page of games", MOST_UNPACKED, |page| {
    allow(page.games.len() <= PAGE, "games")?;
    allow(page.live.len() <= 1024, "live")
});
