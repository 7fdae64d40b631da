//! Checks that the numbers of a counts file are consistent and within bounds.

use super::{CountsFile, InputInfo, ReadState};
use crate::count::MinedCounts;
use crate::count::pst::Phase;
use crate::tally::GameTally;

/// More bytes than any text has: 1 PiB.
const MOST_BYTES: u64 = 1 << 50;

fn at_most(what: &str, found: u64, bound: u64, why: &str) -> Result<(), String> {
    if found <= bound {
        return Ok(());
    }
    Err(format!("found {found} {what}, expected at most {bound}, {why}"))
}

/// Refuses a sum that differs from that of its parts.
fn sum_of(what: &str, found: u64, parts: impl IntoIterator<Item = u64>) -> Result<(), String> {
    let sum = parts.into_iter().try_fold(0_u64, u64::checked_add);
    if sum == Some(found) {
        return Ok(());
    }
    let sum = sum.map_or("more than can be counted".to_owned(), |sum| sum.to_string());
    Err(format!("found {found} {what}, expected the sum of their parts, {sum}"))
}

/// Refuses impossible numbers; the error says what was found and expected.
pub(super) fn check(file: &CountsFile) -> Result<(), String> {
    let GameTally { games, counted, plies, empty, filtered, duplicates, .. } = file.tally;
    sum_of("games", games, [counted, filtered, duplicates, file.tally.skipped()])?;
    at_most("empty games", empty, counted, "the games that count")?;
    let none = ReadState::default();
    let read_state = file.checkpoint.as_ref().map_or(&none, |stopped| &stopped.read_state);
    let of_input = |input: &InputInfo| [input.bytes, input.lines, input.games];
    let mut texts: Vec<[u64; 3]> = file.inputs.iter().map(of_input).collect();
    texts.push([read_state.offset, read_state.lines, read_state.games]);
    let mut bytes = 0_u64;
    for [length, lines, games] in &texts {
        at_most("bytes of a text", *length, MOST_BYTES, "the longest that is read")?;
        at_most("lines", *lines, *length, "the bytes of their text")?;
        at_most("games", *games, *length, "the bytes of their text")?;
        bytes = bytes.saturating_add(*length);
    }
    sum_of("games", games, texts.iter().map(|[_, _, games]| *games))?;
    at_most("half-moves", plies, bytes, "the bytes of the texts")?;
    check_counts(&file.counts, counted, plies)
}

fn check_counts(counts: &MinedCounts, counted: u64, plies: u64) -> Result<(), String> {
    const GAMES: &str = "the games that count";
    if let Some(mit) = &counts.mit {
        at_most("games by material", mit.games, counted, GAMES)?;
        at_most("games beyond the limits", mit.beyond, mit.games, GAMES)?;
        let most = mit.used().map(|(_, wdl)| wdl.games()).max().unwrap_or(0);
        at_most("games with a balance of material", most, mit.games, GAMES)?;
    }
    if let Some(pst) = &counts.pst {
        const POSITIONS: &str = "the positions of the games that count";
        at_most("games by squares", pst.games, counted, GAMES)?;
        let [middle, end] = pst.positions;
        let most = plies.saturating_add(counted);
        at_most("positions", middle.saturating_add(end), most, POSITIONS)?;
        for (phase, positions) in Phase::ALL.into_iter().zip(pst.positions) {
            let most = pst.cells_of(phase).iter().max().copied().unwrap_or(0);
            at_most("men on a square", most, positions, POSITIONS)?;
        }
    }
    if let Some(openings) = &counts.openings {
        at_most("games by openings", openings.games, counted, GAMES)?;
        at_most("games with a position", openings.most_games(), openings.games, GAMES)?;
    }
    Ok(())
}
