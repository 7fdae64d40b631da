//! The early-opening table as the engine reads it (PRO-19): keys of the positions that moves of
//! strong games lead to.

use super::count::OpeningCounts;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpeningChoice {
    /// At least so many games reached the position.
    pub min_games: u64,
    /// The side that moved there scored at least this, 0 to 1, in games with a result.
    pub min_score: f64,
}

/// A line for each chosen position: its key, and as a comment the games and the score of the side
/// that moved there. Also returns the number of lines.
pub fn opening_text(openings: &OpeningCounts, choice: &OpeningChoice) -> (String, usize) {
    let mut text = String::new();
    let mut chosen = 0;
    for (key, wdl, undecided) in openings.sorted() {
        let games = wdl.games() + u64::from(undecided);
        // Without a result there is no score to be too low.
        let scores = wdl.games() == 0 || wdl.score() >= choice.min_score;
        if games >= choice.min_games && scores {
            chosen += 1;
            let score = 100.0 * wdl.score();
            let of = if undecided > 0 { format!(" of {}", wdl.games()) } else { String::new() };
            text += &format!("{key:016x} # {games} games, {score:.0}%{of}\n");
        }
    }
    (text, chosen)
}

#[cfg(test)]
mod tests {
    use super::super::count::SideWdl;
    use super::*;

    /// The engine finds the positions, by key.
    #[test]
    fn the_engine_reads_the_table() {
        let mut openings = OpeningCounts::default();
        let start = engine::Position::startpos();
        openings.add(start.key(), SideWdl { wins: 3, draws: 1, losses: 0 }, 1);
        openings.add(7, SideWdl { wins: 0, draws: 0, losses: 9 }, 0);
        openings.add(8, SideWdl { wins: 1, draws: 0, losses: 0 }, 0);
        let (text, chosen) =
            opening_text(&openings, &OpeningChoice { min_games: 2, min_score: 0.4 });
        assert_eq!(chosen, 1);
        assert_eq!(text, format!("{:016x} # 5 games, 88% of 4\n", start.key()));
        let table = engine::search::OpeningTable::parse(&text).expect("the engine's form");
        assert!(table.len() == 1 && table.contains(&start));
    }
}
