//! CLM-74: "of two hanging men one is lost in 90 %". Positions of games are searched in which the side that
//! has moved has none, one, or two and more men in danger by the evaluation; told is in how many of them
//! the best variation wins material.
//!
//! `two_hanging FILE [DEPTH [MOST]]`: a position a line, FEN before a `|` (`verdict export --as training`);
//! plies (6), and how many of each kind are searched (1000), spread over the file.

use std::error::Error;
use std::sync::Arc;

use engine::eval::Evaluator;
use engine::types::Role;
use engine::{Engine, HashSize, Limits, Params, Position};

/// Hash table, in bytes.
const HASH: usize = 16 << 20;
const KINDS: [&str; 3] = ["none", "one", "two or three"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let file = words.next().ok_or("expected: two_hanging FILE [DEPTH [MOST]]")?;
    let depth = words.next().map_or(Ok(6), |depth| depth.parse())?;
    let most = words.next().map_or(Ok(1000), |most| most.parse())?;
    let params = Arc::new(Params::personality("rebel")?);
    let evaluator = Evaluator::new(&params);

    let mut kinds: [Vec<Position>; 3] = Default::default();
    for (number, line) in (1..).zip(std::fs::read_to_string(&file)?.lines()) {
        let fen = line.split('|').next().unwrap_or_default().trim();
        let position =
            Position::from_fen(fen).map_err(|error| format!("{file}:{number}: {error}"))?;
        if !position.in_check() {
            let men = evaluator.hanging(&position, position.turn().other()).iter().count();
            kinds[men.min(2)].push(position);
        }
    }

    let mut engine = Engine::new(&params, HashSize::from_bytes(HASH));
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    println!(
        "| men in danger | positions | searched | a man or more is lost |\n|---|---:|---:|---:|"
    );
    for (kind, positions) in KINDS.iter().zip(&kinds) {
        let mut account = (0_u32, 0_u32);
        for position in positions.iter().step_by(positions.len().div_ceil(most).max(1)) {
            engine.new_game();
            let found = engine.search(position, &limits, &());
            account.0 += 1;
            account.1 += u32::from(
                found.score.mate().is_some_and(|moves| moves > 0) || wins(position, &found.pv),
            );
        }
        let (searched, lost) = (f64::from(account.0), f64::from(account.1));
        let share = lost / searched.max(1.0);
        let error = 1.96 * (share * (1.0 - share) / searched.max(1.0)).sqrt();
        println!(
            "| {kind} | {} | {searched} | {:.1} % ± {:.1} |",
            positions.len(),
            100.0 * share,
            100.0 * error
        );
    }
    Ok(())
}

/// Whether a variation leaves the side that begins it with more material than it had, by a pawn at least.
fn wins(position: &Position, variation: &[engine::types::Move]) -> bool {
    let mut position = position.clone();
    let us = position.turn();
    let mut won = 0;
    for &mv in variation {
        let gain = worth(position.taken_by(mv).role())
            + mv.promotion().map_or(0, |role| worth(Some(role)) - 1);
        won += if position.turn() == us { gain } else { -gain };
        position.play(mv);
    }
    won > 0
}

/// In pawns.
fn worth(role: Option<Role>) -> i32 {
    match role {
        Some(Role::Pawn) => 1,
        Some(Role::Knight | Role::Bishop) => 3,
        Some(Role::Rook) => 5,
        Some(Role::Queen) => 9,
        Some(Role::King) | None => 0,
    }
}
