//! Which of an engine's thinking lines tell of the move that it plays.
//!
//! The last exact one, but for two cases. Who shows several variations an iteration begins with the
//! best: then it is the line of that iteration whose variation begins with the move. Who answers
//! without a word has said what there is to say in the opponent's time.

use super::report::{details_of, first_move, thinking};
use crate::player::program::{ProgramReport, ProgramSettings, backwards, renew};
use crate::record::MoveDetails;

/// What is said on the way to a move.
pub(super) struct Thinking {
    report: ProgramReport,
    details: Option<MoveDetails>,
    /// The lines before those that are at hand.
    retired: Vec<u8>,
    /// What was said in the opponent's time: the exact lines of the last depth. `None`: it does not
    /// think then.
    pondered: Option<Vec<u8>>,
}

impl Thinking {
    pub(super) fn new(settings: &ProgramSettings) -> Thinking {
        Thinking {
            report: ProgramReport::default(),
            details: settings.details.then(MoveDetails::default),
            retired: Vec::new(),
            pondered: settings.ponder.then(Vec::new),
        }
    }

    /// Takes in a line that was said before it was asked for a move.
    pub(super) fn unasked(&mut self, line: &[u8]) {
        let Some(pondered) = &mut self.pondered else { return };
        let Some(depth) = depth_of(line) else { return };
        if backwards(pondered).next().and_then(depth_of) != Some(depth) {
            pondered.clear();
        }
        pondered.extend_from_slice(line);
        pondered.push(b'\n');
    }

    /// Takes in lines that have to make room for others.
    pub(super) fn retire(&mut self, lines: &[u8]) {
        self.take(lines);
        self.retired.clear();
        self.retired.extend_from_slice(lines);
    }

    /// What it says of its move, now that these are the last lines; `is_played`: whether a word is
    /// that move.
    pub(super) fn of_move(
        mut self,
        lines: &[u8],
        is_played: impl Fn(&str) -> bool,
    ) -> (ProgramReport, Option<MoveDetails>) {
        self.take(lines);
        let begins_so = |line: &&[u8]| first_move(line).is_some_and(&is_played);
        let line = if self.report == ProgramReport::default() {
            self.pondered
                .as_deref()
                .and_then(|lines| last_iteration(backwards(lines)).find(begins_so))
        } else {
            let said = backwards(lines).chain(backwards(&self.retired));
            let line = last_iteration(said).enumerate().find(|(_, line)| begins_so(line));
            // Of the very last line all is taken in already.
            line.filter(|(number, _)| *number > 0).map(|(_, line)| line)
        };
        if let Some((line, told)) = line.and_then(|line| Some((line, thinking(line)?))) {
            self.report = ProgramReport { nodes: self.report.nodes.or(told.nodes), ..told };
            renew(&mut self.details, line, details_of);
        }
        (self.report, self.details)
    }

    fn take(&mut self, lines: &[u8]) {
        self.report = self.report.then(lines, thinking);
        renew(&mut self.details, lines, details_of);
    }
}

/// Of lines from the last to the first the exact ones that have the depth of the last.
fn last_iteration<'a>(lines: impl Iterator<Item = &'a [u8]>) -> impl Iterator<Item = &'a [u8]> {
    let mut last = None;
    let exact = lines.filter_map(|line| Some((depth_of(line)?, line)));
    exact.take_while(move |(depth, _)| *last.get_or_insert(*depth) == *depth).map(|(_, line)| line)
}

/// The depth of an exact thinking line.
fn depth_of(line: &[u8]) -> Option<u32> {
    thinking(line).filter(|report| report.exact)?.depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Score;

    type ThoughtFields = (Option<i32>, u32, u64, String);

    /// What counts for the move `e4` after these lines, those before the bar in the opponent's time.
    fn told(lines: &str, ponder: bool) -> ThoughtFields {
        told_cut(lines, ponder, usize::MAX)
    }

    /// As [`told`], where the first lines, so many, have to make room.
    fn told_cut(lines: &str, ponder: bool, cut: usize) -> ThoughtFields {
        let settings = ProgramSettings { ponder, details: true, ..ProgramSettings::default() };
        let mut thinking = Thinking::new(&settings);
        let (before, after) = lines.split_once('|').unwrap_or(("", lines));
        before.lines().for_each(|line| thinking.unasked(line.as_bytes()));
        let at = after.match_indices('\n').nth(cut).map_or(0, |(at, _)| at + 1);
        if at > 0 {
            thinking.retire(&after.as_bytes()[..at]);
        }
        let (report, details) = thinking.of_move(&after.as_bytes()[at..], |word| word == "e4");
        let score = report.score.map(|score| match score {
            Score::Cp(value) | Score::Mate(value) => value,
        });
        let (depth, nodes) = (report.depth.unwrap_or(0), report.nodes.unwrap_or(0));
        (score, depth, nodes, details.unwrap().pv)
    }

    #[test]
    fn of_several_variations_the_one_that_is_played_counts() {
        let best_first = "4 9 1 40 d4\n4 8 1 44 e4\n5 30 1 50 e4 e5\n5 20 1 60 d4\n5 -9 2 70 a3\n";
        let best = (Some(30), 5, 70, "e4 e5".to_owned());
        assert_eq!(told(best_first, false), best);
        for cut in 0..5 {
            assert_eq!(told_cut(best_first, false, cut), best, "cut after {cut}");
        }
        let numbered = "5 30 1 50\t1. e4 e5\n5 20 1 60\t1. d4\nmove e4\n";
        assert_eq!(told(numbered, false), (Some(30), 5, 60, "1. e4 e5".to_owned()));
        // Of an unfinished iteration there may be the best line only.
        let unfinished = "5 7 1 50 d4\n5 6 1 60 e4\n6 31 2 90 e4\n";
        assert_eq!(told(unfinished, false), (Some(31), 6, 90, "e4".to_owned()));
    }

    #[test]
    fn otherwise_the_last_exact_line_counts() {
        for (lines, expected) in [
            ("", (None, 0, 0, "")),
            ("4 10 1 40 e4\n5 30 1 50 d4\n", (Some(30), 5, 50, "d4")),
            ("5 10 1 40 d4\n5 30 1 50 e4\n", (Some(30), 5, 50, "e4")),
            ("4 10 1 40 e4\n5 30 1 50 d4\n5 60 1 55 e4!\n", (Some(30), 5, 55, "d4")),
            ("5 60 1 55 e4!\n", (Some(60), 5, 55, "")),
            // Without a variation none can be told from others.
            ("5 30 1 50\n5 20 1 60\n", (Some(20), 5, 60, "")),
        ] {
            let (score, depth, nodes, pv) = expected;
            assert_eq!(told(lines, false), (score, depth, nodes, pv.to_owned()), "{lines}");
        }
    }

    #[test]
    fn who_says_nothing_has_said_it_in_the_opponents_time() {
        let silent = (None, 0, 0, String::new());
        let hit = "8 5 1 70 e4 c5\n9 12 1 90 e4 e5\n9 50 1 95 e4!\nHint: e5\n|move e4\n";
        assert_eq!(told(hit, true), (Some(12), 9, 90, "e4 e5".to_owned()));
        assert_eq!(told(hit, false), silent);
        let several = "8 5 1 70 d4\n9 12 1 90 e4 e5\n9 3 1 95 d4\n|move e4\n";
        assert_eq!(told(several, true), (Some(12), 9, 90, "e4 e5".to_owned()));
        // Another reply was expected.
        assert_eq!(told("9 12 1 90 d4 d5\n|move e4\n", true), silent);
        let lines = "9 12 1 90 e4 e5\n|3 7 1 20 d4\nmove e4\n";
        assert_eq!(told(lines, true), (Some(7), 3, 20, "d4".to_owned()));
    }
}
