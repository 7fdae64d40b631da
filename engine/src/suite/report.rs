//! What came of suites, as a table for people and as JSON for programs.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::case::Case;
use super::file::SuiteFile;
use super::run::Outcome;
use crate::position::Position;
use crate::types::Move;

/// Files with what came of each of their positions.
#[derive(Debug, Clone)]
pub struct Report<'a> {
    /// Personality, limits and hash in words: what the figures hold for.
    pub conditions: String,
    /// The files, each with as many outcomes as positions.
    pub files: Vec<(&'a SuiteFile, &'a [Outcome])>,
}

/// How many were solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SolvedTally {
    /// Positions solved.
    pub solved: usize,
    /// Positions.
    pub total: usize,
    /// Bad lines left out.
    pub skipped: usize,
    /// Median of the nodes to the solution, over the solved positions; of two in the middle the greater.
    pub median_nodes: Option<u64>,
}

impl SolvedTally {
    fn new(outcomes: &[Outcome], skipped: usize) -> SolvedTally {
        let mut nodes: Vec<u64> =
            outcomes.iter().filter_map(|outcome| outcome.solution_nodes).collect();
        nodes.sort_unstable();
        SolvedTally {
            solved: outcomes.iter().filter(|outcome| outcome.solved).count(),
            total: outcomes.len(),
            skipped,
            median_nodes: nodes.get(nodes.len() / 2).copied(),
        }
    }

    fn share(self) -> f64 {
        100.0 * self.solved as f64 / self.total.max(1) as f64
    }

    fn line(self, name: &str, width: usize) -> String {
        let nodes = self.median_nodes.map_or("–".to_owned(), |nodes| nodes.to_string());
        let mut line = format!(
            "{name:<width$}  {:>6} {:>6}  {:>5.1} %  {nodes:>12}",
            self.solved,
            self.total,
            self.share()
        );
        if self.skipped > 0 {
            let _ = write!(line, "  {} bad lines skipped", self.skipped);
        }
        line
    }

    fn json(self) -> Json {
        json!({
            "solved": self.solved, "total": self.total, "skipped": self.skipped,
            "median_solution_nodes": self.median_nodes,
        })
    }
}

impl Report<'_> {
    /// All files together.
    #[must_use]
    pub fn total(&self) -> SolvedTally {
        let outcomes: Vec<Outcome> =
            self.files.iter().flat_map(|(_, outcomes)| outcomes.iter().copied()).collect();
        SolvedTally::new(&outcomes, self.files.iter().map(|(file, _)| file.skipped).sum())
    }

    /// A line a file and one of all; with `failed` the positions not solved below their file.
    #[must_use]
    pub fn text(&self, failed: bool) -> String {
        let names = self.files.iter().map(|(file, _)| file.name.chars().count());
        let width = names.chain(["total".len()]).max().unwrap_or(0);
        let mut text = format!(
            "{}\n\n{:<width$}  {:>6} {:>6}  {:>7}  {:>12}\n",
            self.conditions, "file", "solved", "of", "", "median nodes"
        );
        for &(file, outcomes) in &self.files {
            let _ = writeln!(
                text,
                "{}",
                SolvedTally::new(outcomes, file.skipped).line(&file.name, width)
            );
            for (case, outcome) in file.cases.iter().zip(outcomes) {
                if failed && !outcome.solved {
                    let _ = writeln!(text, "    {}", failure(case, outcome));
                }
            }
        }
        let _ = write!(text, "{}", self.total().line("total", width));
        text
    }

    /// Everything, positions in file order.
    #[must_use]
    pub fn json(&self) -> Json {
        let files = self.files.iter().map(|&(file, outcomes)| {
            let mut json = json!({ "file": file.name });
            merge(&mut json, SolvedTally::new(outcomes, file.skipped).json());
            let positions = file.cases.iter().zip(outcomes);
            json["positions"] = positions.map(|(case, outcome)| position(case, outcome)).collect();
            json
        });
        let mut json = json!({ "engine": crate::NAME, "conditions": self.conditions });
        merge(&mut json, self.total().json());
        json["files"] = files.collect();
        json
    }
}

fn merge(json: &mut Json, more: Json) {
    if let (Json::Object(json), Json::Object(more)) = (json, more) {
        json.extend(more);
    }
}

/// `WAC.002: played Rd7 (cp 35), wanted bm Rxb2`.
fn failure(case: &Case, outcome: &Outcome) -> String {
    let played = outcome.best.map_or("nothing".to_owned(), |mv| case.position.san(mv));
    let wanted = case.wanted();
    let mut line = format!("{}: played {played} ({}), wanted {wanted}", case.id, outcome.score);
    for comment in &case.comments {
        let _ = write!(line, "; {comment}");
    }
    line
}

fn position(case: &Case, outcome: &Outcome) -> Json {
    let Case { id, position, best, avoid, mate, comments } = case;
    json!({
        "id": id, "fen": position.fen(),
        "bm": sans(position, best), "am": sans(position, avoid), "dm": mate, "comments": comments,
        "solved": outcome.solved,
        "played": outcome.best.map(|mv| position.san(mv)),
        "cp": outcome.score.mate().map_or_else(|| Some(outcome.score.cp()), |_| None),
        "mate": outcome.score.mate(),
        "depth": outcome.depth, "nodes": outcome.nodes, "solution_nodes": outcome.solution_nodes,
    })
}

fn sans(position: &Position, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| position.san(mv)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Value;

    fn file() -> SuiteFile {
        let text = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8; dm 1; id \"first\";\n\
                    6k1/5ppp/8/8/8/8/8/K2R4 w - - am Rd8; c0 \"not so fast\";\n\
                    rubbish\n";
        SuiteFile::parse("some.epd", text, true).expect("two positions")
    }

    fn outcomes(file: &SuiteFile) -> [Outcome; 2] {
        let solved = Outcome {
            solved: true,
            best: Some(file.cases[0].best[0]),
            score: Value::mate_in(1),
            depth: 2,
            nodes: 90,
            solution_nodes: Some(7),
        };
        [solved, Outcome { solved: false, solution_nodes: None, ..solved }]
    }

    #[test]
    fn the_table() {
        let file = file();
        let outcomes = outcomes(&file);
        let report =
            Report { conditions: "here and now".into(), files: vec![(&file, &outcomes[..])] };
        let text = report.text(true);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "here and now");
        assert_eq!(lines[3], "some.epd       1      2   50.0 %             7  1 bad lines skipped");
        assert_eq!(lines[4], "    line 2: played Rd8# (mate 1), wanted am Rd8#; not so fast");
        assert!(lines[5].starts_with("total          1      2"), "{text}");
        assert_eq!(report.text(false).lines().count(), 5);
    }

    #[test]
    fn json_says_all() {
        let file = file();
        let outcomes = outcomes(&file);
        let report = Report { conditions: String::new(), files: vec![(&file, &outcomes[..])] };
        let json = report.json();
        assert_eq!((&json["solved"], &json["total"]), (&json!(1), &json!(2)));
        assert_eq!(json["files"][0]["skipped"], 1);
        let [first, second] = [0, 1].map(|index| &json["files"][0]["positions"][index]);
        assert_eq!((&first["bm"], &first["dm"]), (&json!(["Rd8#"]), &json!(1)));
        assert_eq!((&first["mate"], &first["cp"]), (&json!(1), &Json::Null));
        assert_eq!((&first["solution_nodes"], &first["nodes"]), (&json!(7), &json!(90)));
        assert_eq!(second["solution_nodes"], Json::Null);
    }

    #[test]
    fn the_median_of_nothing_is_nothing() {
        assert_eq!(SolvedTally::new(&[], 0).median_nodes, None);
        assert_eq!(SolvedTally::new(&[], 3).line("x", 1).matches("0.0 %").count(), 1);
    }
}
