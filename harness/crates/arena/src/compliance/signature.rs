//! By what a program is known to play the same somewhere else: its nodes and moves in fixed
//! positions, at the limit of the match.

use process::{Context as _, Error};
use sha2::{Digest as _, Sha256};
use std::thread;
use tokio::runtime::Handle;

use super::think;
use crate::game::Limit;
use crate::player::external::External;
use crate::player::program::{ProgramHost, ProgramSettings, ProgramSpec};
use crate::player::{Fault, GoLimit};
use crate::runner::Stops;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Openings, middle games and endings, none of them forced.
const POSITIONS: [(&str, &str); 8] = [
    (START, ""),
    (START, "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6"),
    (START, "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 d1c2 e8g8"),
    ("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9", ""),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", ""),
    ("2r2rk1/1bqnbppp/1p2pn2/p7/P1BP4/2N1BN2/1P2QPPP/2R2RK1 b - - 3 15", ""),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", ""),
    ("8/5pk1/4p1p1/3pP2p/3P1P1P/2K3P1/8/8 b - - 4 40", ""),
];
/// Larger limits are cut: a machine is not kept from playing for minutes.
const MOST_NODES: u64 = 200_000;
const MOST_DEPTH: u32 = 12;
/// Where times count, which no two searches have in common.
const INSTEAD_OF_TIME: GoLimit = GoLimit::Depth(5);
/// Digits of the hash.
const DIGITS: usize = 16;

/// What a program answered in all positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// Of all searches.
    pub nodes: u64,
    moves: String,
}

impl Answers {
    /// In one line; equal for equal answers.
    pub fn in_words(&self) -> String {
        let hash = hex::encode(Sha256::digest(format!("{} {}", self.nodes, self.moves)));
        format!("{} nodes, {}", self.nodes, &hash[..DIGITS])
    }
}

/// What several processes of a program, all at work at once, answer. To be called inside of a
/// multi-threaded runtime, on a thread that may block.
pub fn answers(
    spec: &ProgramSpec,
    settings: &ProgramSettings,
    limit: Limit,
    processes: usize,
    stops: &Stops,
) -> Result<Vec<Answers>, Error> {
    let rounds = rounds(spec, settings, limit, processes, 1, stops)?;
    Ok(rounds.into_iter().flatten().collect())
}

/// As [`answers`], so many times in each process: the answers of each.
fn rounds(
    spec: &ProgramSpec,
    settings: &ProgramSettings,
    limit: Limit,
    processes: usize,
    count: usize,
    stops: &Stops,
) -> Result<Vec<Vec<Answers>>, Error> {
    let host = ProgramHost::new(settings.clone(), Handle::current(), stops.now_token())?;
    let limit = match limit {
        Limit::Nodes(nodes) => GoLimit::Nodes(nodes.min(MOST_NODES)),
        Limit::Depth(depth) => GoLimit::Depth(depth.min(MOST_DEPTH)),
        Limit::MovetimeMs(_) | Limit::Clock(_) => INSTEAD_OF_TIME,
    };
    thread::scope(|scope| {
        let mut asked = Vec::new();
        for _ in 0..processes {
            let ask = || {
                let mut player = External::start(spec, &host).map_err(|error| error.fault)?;
                let answers = match player.refuses_limit(&limit) {
                    None => (0..count).map(|_| all(&mut player, &limit)).collect(),
                    Some(reason) => Err(Fault::Garbage(reason.to_owned())),
                };
                player.quit();
                answers
            };
            let thread = thread::Builder::new().spawn_scoped(scope, ask);
            asked.push(thread.context("cannot start a thread that asks an engine")?);
        }
        let answered = asked.into_iter().map(|thread| match thread.join() {
            Ok(answers) => answers.map_err(|fault| Error::fault(fault.to_string())),
            Err(panicked) => std::panic::resume_unwind(panicked),
        });
        answered.collect()
    })
}

/// What two processes of a program both answer, one after the other; `None` of one that does not
/// repeat itself, or does not answer: its games will tell.
pub fn signature(
    spec: &ProgramSpec,
    settings: &ProgramSettings,
    limit: Limit,
    stops: &Stops,
) -> Option<Answers> {
    let mut first = answers(spec, settings, limit, 1, stops).ok()?;
    let second = answers(spec, settings, limit, 1, stops).ok()?;
    if first == second { first.pop() } else { None }
}

/// Whether a process of a program answers in all positions as it did before. Every position is a new game,
/// so one that keeps something of earlier games does not. `false` also if it does not answer.
pub fn forgets(
    spec: &ProgramSpec,
    settings: &ProgramSettings,
    limit: Limit,
    stops: &Stops,
) -> bool {
    let of = |answers: Vec<Answers>| answers.windows(2).all(|pair| pair[0] == pair[1]);
    let rounds = rounds(spec, settings, limit, 1, 2, stops);
    rounds.is_ok_and(|rounds| rounds.into_iter().all(of))
}

fn all(player: &mut External, limit: &GoLimit) -> Result<Answers, Fault> {
    let mut answers = Answers { nodes: 0, moves: String::new() };
    for (fen, moves) in POSITIONS {
        let (thought, _) = think(player, fen, moves, limit)?;
        answers.nodes = answers.nodes.saturating_add(thought.nodes);
        answers.moves += &format!("{}:{} ", thought.best, thought.nodes);
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::uci::UciMove;
    use shakmaty::{CastlingMode, Chess, Position as _};

    #[test]
    fn the_positions_can_be_played() {
        for (fen, moves) in POSITIONS {
            let start: Fen = fen.parse().expect(fen);
            let mut position: Chess = start.into_position(CastlingMode::Standard).expect(fen);
            for text in moves.split_ascii_whitespace() {
                let played: UciMove = text.parse().expect(text);
                position.play_unchecked(played.to_move(&position).expect(text));
            }
            assert!(position.legal_moves().len() > 3, "{fen}");
        }
    }

    #[test]
    fn other_nodes_or_moves_are_another_signature() {
        let answers = |nodes, moves: &str| Answers { nodes, moves: moves.to_owned() }.in_words();
        let all = [answers(7, "e2e4:7 "), answers(8, "e2e4:8 "), answers(7, "d2d4:7 ")];
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2]);
        assert_eq!(all[0], answers(7, "e2e4:7 "));
    }
}
