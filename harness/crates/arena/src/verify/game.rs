//! One game of another machine: whether it can be a game of this run.

use super::VerifyScope;
use super::openings::OpeningVerifier;
use crate::game::{Ends, Limit, PlayerLimits, recheck};
use crate::plan::Plan;
use crate::record::pgn::SanMoves;
use crate::record::{GameRecord, RunFile, Termination};
use process::Error;
use shakmaty::Color;

/// An engine looks at its clock and its node count now and then: so many nodes beyond the limit are
/// no lie.
const OVERSHOOT: u64 = 50_000;
/// Bytes of the words about a fault.
const DETAIL: usize = 64 << 10;

/// Checks games of others by everything that this machine knows of the run.
pub struct GameVerifier {
    openings: OpeningVerifier,
    ends: Ends,
    limits: PlayerLimits,
}

impl GameVerifier {
    /// The book must be there, and be the one that the run began with.
    pub fn of(plan: &Plan, run: &RunFile) -> Result<GameVerifier, Error> {
        let openings =
            OpeningVerifier::of(plan, run.book.as_ref(), VerifyScope::All).map_err(|why| {
                Error::input_output(format!("games of others cannot be checked: {why}"))
            })?;
        let tables = (!plan.syzygy.is_empty()).then_some(plan.syzygy_results);
        let ends = Ends { adjudication: plan.adjudication, tables };
        Ok(GameVerifier { openings, ends, limits: plan.limits() })
    }

    /// Checks number, colours and opening, that every move is legal, hash, result, termination and
    /// adjudication, that there is a note of each move, and that no move has far more nodes than the
    /// limit. Returns its moves; the error says what was expected and found.
    pub fn check(&mut self, game: &GameRecord) -> Result<SanMoves, String> {
        if let Some(contradiction) = game.contradiction() {
            return Err(contradiction);
        }
        self.openings.check(game, true)?;
        let san = recheck(game, Some(&self.ends))?;
        check_lengths(game)?;
        self.check_nodes(game)?;
        Ok(san)
    }

    fn check_nodes(&self, game: &GameRecord) -> Result<(), String> {
        for ((ply, note), turn) in (game.book_plies..).zip(&game.notes).zip(turns(game)) {
            let Limit::Nodes(limit) = self.limits.of(game.player(turn)) else { continue };
            let most = limit.saturating_mul(4).saturating_add(OVERSHOOT);
            if note.nodes > most {
                return Err(format!(
                    "game {}: expected about {limit} nodes at ply {ply}, found {}",
                    game.game, note.nodes
                ));
            }
        }
        Ok(())
    }
}

/// The side to move at each ply after the book.
fn turns(game: &GameRecord) -> impl Iterator<Item = Color> {
    std::iter::successors(Some(game.turn_at(game.book_plies)), |turn| Some(!*turn))
}

/// What is said of moves is said of each, and sums are those of what is summed.
fn check_lengths(game: &GameRecord) -> Result<(), String> {
    let wrong = |what: &str, expected: usize, found: usize| {
        Err(format!("game {}: expected {expected} {what}, found {found}", game.game))
    };
    let played = game.plies.saturating_sub(game.book_plies) as usize;
    let (notes, times, details) = (game.notes.len(), game.time.moves_us.len(), game.details.len());
    if notes != played {
        return wrong("notes of moves", played, notes);
    }
    if times != played {
        return wrong("times of moves", played, times);
    }
    if details != played && details != 0 {
        return wrong("details of moves", played, details);
    }
    let words = game.detail.as_ref().map_or(0, String::len);
    if words > DETAIL {
        return wrong("bytes of words about its end at most", DETAIL, words);
    }
    let mut nodes = [0_u64; 2];
    for (note, turn) in game.notes.iter().zip(turns(game)) {
        let sum = &mut nodes[turn.fold_wb(0, 1)];
        *sum = sum.saturating_add(note.nodes);
    }
    // Who loses by a fault may have searched for a move that does not count.
    let is_whole = !game.termination.is_fault() && game.termination != Termination::Resignation;
    let fits = |(sum, found): (&u64, &u64)| if is_whole { sum == found } else { sum <= found };
    if nodes.iter().zip(&game.nodes).all(fits) {
        Ok(())
    } else {
        Err(format!("game {}: expected nodes {nodes:?}, found {:?}", game.game, game.nodes))
    }
}
