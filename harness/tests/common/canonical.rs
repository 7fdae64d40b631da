//! What two runs of one plan have in common.

use std::path::Path;

use arena::record::{Games, RecordError};

/// The games sorted by number, one line each, without their times. Two runs of one plan at node or
/// depth limits give the same text. `pairs` keeps the games of the first so many pairs: those
/// before a verdict fell, where more were under way.
pub(crate) fn canonical(dir: &Path, pairs: Option<u64>) -> Result<String, RecordError> {
    let mut lines = Vec::new();
    for game in Games::open(dir)? {
        let game = game?;
        if pairs.is_none_or(|pairs| game.pair < pairs) {
            lines.push((game.game, game.canonical_line().unwrap()));
        }
    }
    lines.sort_unstable();
    Ok(lines.into_iter().map(|(_, line)| line + "\n").collect())
}
