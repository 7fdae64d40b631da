//! What an engine says of its search, put together from its lines.

use super::lines;
use crate::player::ScoreBound;
use crate::record::{MoveDetails, Score};

/// The last figures of a search, as far as they were given.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProgramReport {
    /// The last exact score, or the last bound if there was no exact one; from the side to move.
    pub(crate) score: Option<Score>,
    /// The score is no bound.
    pub(crate) exact: bool,
    /// The last bound since the last exact score.
    pub(crate) bound: Option<ScoreBound>,
    /// Depths of the line that gave the score, else the last ones given.
    pub(crate) depth: Option<u32>,
    pub(crate) seldepth: Option<u32>,
    pub(crate) nodes: Option<u64>,
}

impl ProgramReport {
    /// The report of `bytes`, lines that came after those `self` was made of; `read` gives what one
    /// line says. Reads from the end and stops when nothing older can matter, usually after one
    /// line.
    pub(crate) fn then(
        &self,
        bytes: &[u8],
        read: impl Fn(&[u8]) -> Option<ProgramReport>,
    ) -> ProgramReport {
        let mut newer = ProgramReport::default();
        for report in lines::backwards(bytes).filter_map(read) {
            newer = newer.after(&report);
            if newer.exact && newer.nodes.is_some() {
                break;
            }
        }
        newer.after(self)
    }

    /// Puts `older` under `self`: its figures count where `self` has none.
    fn after(self, older: &ProgramReport) -> ProgramReport {
        let older_score =
            older.score.is_some() && !self.exact && (older.exact || self.score.is_none());
        let scored = if older_score { older } else { &self };
        ProgramReport {
            score: scored.score,
            exact: scored.exact,
            bound: self.bound.or(older.bound.filter(|_| !self.exact)),
            depth: scored.depth.or(self.depth).or(older.depth),
            seldepth: scored.seldepth.or(self.seldepth).or(older.seldepth),
            nodes: self.nodes.or(older.nodes),
        }
    }
}

/// Puts what the last line with a variation in `bytes` says in the place of `details`, where
/// details are wanted; `read` gives what one line says.
pub(crate) fn renew(
    details: &mut Option<MoveDetails>,
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Option<MoveDetails>,
) {
    if let Some(details) = details
        && let Some(newer) = lines::backwards(bytes).find_map(read)
    {
        *details = newer;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_continues_over_cuts() {
        let exact = |cp, depth, nodes| ProgramReport {
            score: Some(Score::Cp(cp)),
            exact: true,
            bound: None,
            depth: Some(depth),
            seldepth: None,
            nodes,
        };
        let at_least = |cp| Some(ScoreBound::AtLeast(Score::Cp(cp)));
        let bound = |cp, depth, nodes| ProgramReport {
            exact: false,
            bound: at_least(cp),
            ..exact(cp, depth, nodes)
        };
        let said = [
            bound(80, 3, Some(30)),
            exact(10, 4, Some(50)),
            bound(90, 5, Some(70)),
            bound(91, 6, None),
        ];
        let read = |line: &[u8]| said.get(usize::from(line[0] - b'0')).copied();
        for (text, bound) in [("0\n1\n2\n3\n4\n", at_least(91)), ("0\n2\n1\n", None)] {
            let whole = ProgramReport::default().then(text.as_bytes(), read);
            assert_eq!(whole, ProgramReport { bound, nodes: whole.nodes, ..exact(10, 4, None) });
            for cut in (2..text.len()).step_by(2) {
                let (first, second) = text.as_bytes().split_at(cut);
                let report = ProgramReport::default().then(first, read).then(second, read);
                assert_eq!(report, whole, "{text:?} cut at {cut}");
            }
        }
    }
}
