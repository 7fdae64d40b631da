//! The data file of claims.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use engine::Params;
use serde::Deserialize;

use super::finding::{ClaimOutcome, ClaimRange};
use super::{Benchmark, Counter};
use arena::player::spec::PlayerSpec;
use process::plain_file::{self, DOCUMENT};
use process::{Context as _, Error};
use tuning::base::params_of;

const SHIPPED: &str = include_str!("../../claims/claims.json");
/// Words of a quote: the texts belong to their authors.
const MOST_QUOTED: usize = 15;

/// How a claim is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum MeasureKind {
    /// A match with the mechanism against without it.
    Match,
    /// More pairs, with other openings, of a match that left its claim unclear.
    More,
    /// Time to a fixed depth.
    Speed,
    /// Counters of the search.
    Share,
    /// Won positions played out.
    Mates,
    /// A micro-benchmark of two ways to write the same code.
    Micro,
}

impl MeasureKind {
    /// The ways to measure a claim; more of a match is none of its own.
    pub(super) fn ways() -> impl Iterator<Item = MeasureKind> + Clone {
        MeasureKind::value_variants().iter().copied().filter(|it| *it != MeasureKind::More)
    }

    /// Whether games are played for it.
    pub(super) fn is_match(self) -> bool {
        matches!(self, MeasureKind::Match | MeasureKind::More)
    }
}

/// How everything is measured.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    pub personalities: Vec<String>,
    /// Pairs of a match.
    pub pairs: u64,
    /// Pairs in all of a match that left its claim unclear.
    #[serde(default)]
    pub most_pairs: Option<u64>,
    /// Nodes a move.
    pub nodes: u64,
    /// Seed of the openings.
    pub seed: u64,
    /// Positions that are searched for speed.
    pub positions: usize,
    /// Searches of each position.
    pub rounds: u32,
    /// To which depth, in plies, by personality.
    pub depth: BTreeMap<String, u32>,
}

/// What a claim says of strength.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EloClaim {
    /// Elo with the mechanism minus Elo without.
    pub elo: ClaimRange,
    /// The match has this depth a move, in plies, in place of nodes.
    #[serde(default)]
    pub depth: Option<u32>,
    /// The match has so many nodes a move, in place of the file's.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// The match has this clock, like `1+0.01`, in place of nodes: the claim is about time.
    #[serde(default)]
    pub tc: Option<String>,
    /// The player with the mechanism has so many times the nodes: a faster processor is one, too.
    #[serde(default)]
    pub odds: Option<u64>,
    /// The book, where the usual openings seldom lead to what the claim is about; a path from where
    /// `verdict` runs.
    #[serde(default)]
    pub openings: Option<PathBuf>,
}

/// What a claim says of a share that the search counts, by the player with the mechanism.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareClaim {
    pub counter: Counter,
    /// The share, 0 to 1.
    pub of: ClaimRange,
}

/// What a claim says of speed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speed {
    /// Time without the mechanism over time with it.
    pub faster: ClaimRange,
    /// So many plies deeper than the file says: the claim is about long searches.
    #[serde(default)]
    pub deeper: u32,
}

/// What a claim says of positions that only one side can win, when the player with the mechanism
/// plays them out against itself.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedOut {
    /// A book; a path from where `verdict` runs, but `harness/claims/kbnk.epd` is part of it.
    pub positions: PathBuf,
    /// Plies of each search.
    pub depth: u32,
    /// Moves within which it is to be mate.
    pub moves: u32,
    /// The share of the positions in which it is, 0 to 1.
    pub of: ClaimRange,
}

/// What a claim says of two ways to build a program.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compared {
    pub benchmark: Benchmark,
    /// Time of the other way over time of the one that is said to be better.
    pub faster: ClaimRange,
}

/// What was found out of a claim in another way.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elsewhere {
    pub outcome: ClaimOutcome,
    pub found: String,
    /// The file that it can be read in, from the folder of the repository.
    pub file: PathBuf,
}

/// A text that claims are from.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// What the sources of its claims begin with.
    pub id: String,
    pub title: String,
    /// Who wrote it.
    pub by: String,
    #[serde(default)]
    pub year: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The register's id, with a letter where a claim has several parts.
    pub id: String,
    pub claim: String,
    /// A phrase of the text, letter for letter, of at most 15 words.
    #[serde(default)]
    pub quote: Option<String>,
    /// The text's id and its chapter.
    pub source: String,
    /// The register's ids of what it is about.
    pub mechanisms: Vec<String>,
    /// Of which it was claimed: it is measured in them as well.
    #[serde(default)]
    pub personalities: Vec<String>,
    /// Parameters with the mechanism.
    #[serde(default)]
    pub with: BTreeMap<String, String>,
    #[serde(default)]
    pub without: BTreeMap<String, String>,
    #[serde(default, rename = "match")]
    pub elo: Option<EloClaim>,
    #[serde(default)]
    pub speed: Option<Speed>,
    #[serde(default)]
    pub share: Option<ShareClaim>,
    #[serde(default)]
    pub mates: Option<PlayedOut>,
    #[serde(default)]
    pub micro: Option<Compared>,
    /// The mechanism acts so seldom, or so late in a game, that a match is played even if both
    /// players search alike in all positions that are looked into.
    #[serde(default)]
    pub rare: bool,
    /// Measured, but not by `verdict claims`.
    #[serde(default)]
    pub elsewhere: Option<Elsewhere>,
    /// Why it is not measured.
    #[serde(default)]
    pub not: Option<String>,
}

impl Conditions {
    /// The first value that must not be 0 and is.
    fn nought(&self) -> Option<&str> {
        let depths = self.depth.iter().map(|(_, &plies)| ("depth", u64::from(plies)));
        let counts = [
            ("pairs", self.pairs),
            ("nodes", self.nodes),
            ("positions", self.positions as u64),
            ("rounds", u64::from(self.rounds)),
        ];
        counts.into_iter().chain(depths).find_map(|(what, count)| (count == 0).then_some(what))
    }

    fn wrong(&self) -> Option<String> {
        if let Some(what) = self.nought() {
            return Some(format!("{what}: expected at least 1, found 0"));
        }
        let most = self.most_pairs.filter(|&most| most < self.pairs)?;
        Some(format!("most_pairs: expected at least pairs, {}, found {most}", self.pairs))
    }

    pub fn depth_of(&self, personality: &str) -> u32 {
        self.depth.get(personality).copied().unwrap_or(1)
    }
}

impl Claim {
    /// What it says of a measure; `None` where it is not measured so.
    pub fn range(&self, measure: MeasureKind) -> Option<ClaimRange> {
        match measure {
            MeasureKind::Match | MeasureKind::More => self.elo.as_ref().map(|it| it.elo),
            MeasureKind::Speed => self.speed.as_ref().map(|it| it.faster),
            MeasureKind::Share => self.share.as_ref().map(|it| it.of),
            MeasureKind::Mates => self.mates.as_ref().map(|it| it.of),
            MeasureKind::Micro => self.micro.as_ref().map(|it| it.faster),
        }
    }

    /// The personalities that it is measured in: those of the file, then its own.
    pub fn measured_in<'a>(
        &'a self,
        conditions: &'a Conditions,
    ) -> impl Iterator<Item = &'a str> + Clone {
        let all = &conditions.personalities;
        let own = self.personalities.iter().filter(|name| !all.contains(name));
        all.iter().chain(own).map(String::as_str)
    }

    /// To which depth positions are searched for speed or a share, in plies.
    pub fn depth(&self, measure: MeasureKind, conditions: &Conditions, personality: &str) -> u32 {
        let deeper = match (measure, &self.speed) {
            (MeasureKind::Speed, Some(speed)) => speed.deeper,
            _ => 0,
        };
        conditions.depth_of(personality) + deeper
    }

    /// The player with the mechanism, or without it.
    pub fn player(&self, personality: &str, with: bool) -> String {
        let values = if with { &self.with } else { &self.without };
        let values = values.iter().map(|(name, value)| format!(",{name}={value}"));
        format!("embedded:{personality}{}", values.collect::<String>())
    }

    /// The same and its parameters.
    pub(super) fn params(&self, personality: &str, with: bool) -> Result<(String, Params), String> {
        let player = self.player(personality, with);
        let spec = player.parse::<PlayerSpec>().map_err(|error| error.to_string());
        match spec.and_then(|spec| params_of(&spec).map_err(|error| error.to_string())) {
            Ok(params) => Ok((player, params)),
            Err(why) => Err(format!("{player}: {why}")),
        }
    }

    fn wrong(&self, conditions: &Conditions) -> Option<String> {
        if let Some(quote) = &self.quote {
            let words = quote.split_whitespace().count();
            if !(1..=MOST_QUOTED).contains(&words) {
                return Some(format!(
                    "quote: expected 1 to {MOST_QUOTED} words, found {words}: quote a phrase"
                ));
            }
        }
        let compared = self.elo.is_some() || self.speed.is_some();
        let ranges = MeasureKind::ways().filter_map(|it| self.range(it));
        let measured = ranges.clone().next().is_some();
        let given = [measured, self.not.is_some(), self.elsewhere.is_some()];
        if given.into_iter().filter(|is_given| *is_given).count() != 1 {
            let what = "expected a measure: match, speed, share, mates or micro, or an outcome: \
                        elsewhere, or why there is none: not; found none or several of them";
            return Some(what.to_owned());
        }
        if !measured {
            return None;
        }
        let odds = self.elo.as_ref().and_then(|elo| elo.odds).is_some();
        if compared && self.with == self.without && !odds {
            return Some("expected two different players, found with equal to without".to_owned());
        }
        if let Some(elo) = &self.elo {
            let by_nodes = elo.nodes.is_some() || odds;
            if u8::from(elo.depth.is_some()) + u8::from(elo.tc.is_some()) + u8::from(by_nodes) > 1 {
                return Some("expected depth, or tc, or nodes and odds, found several".to_owned());
            }
            if elo.tc.is_some() && elo.clock().is_none() {
                return Some(format!("tc: expected like \"1+0.01\", found {:?}", elo.tc));
            }
        }
        if self.mates.as_ref().is_some_and(|it| it.depth == 0 || it.moves == 0) {
            return Some("expected a depth and moves of at least 1, found 0".to_owned());
        }
        for range in ranges {
            if let [Some(low), Some(high)] = range
                && low > high
            {
                return Some(format!(
                    "expected a range, its lower end first, found [{low}, {high}]"
                ));
            }
        }
        let shares = [MeasureKind::Share, MeasureKind::Mates].map(|it| self.range(it));
        let ends = shares.into_iter().flatten().flatten().flatten();
        if let Some(end) = ends.into_iter().find(|end| !(0.0..=1.0).contains(end)) {
            return Some(format!("of: expected a share, 0 to 1, found {end}"));
        }
        let personalities = self.measured_in(conditions);
        let players = personalities.flat_map(|name| [true, false].map(|with| (name, with)));
        for (name, with) in players {
            if let Err(why) = self.params(name, with) {
                return Some(why);
            }
        }
        None
    }
}

/// An error in the claim with this id, or in another named part of a file.
pub(super) fn wrong(path: &Path, id: &str, reason: impl Display) -> Error {
    Error::input_output(format!("{}: {id}: {reason}", path.display()))
}

/// All claims and how they are measured.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimsFile {
    pub conditions: Conditions,
    /// In the order in which their claims are shown.
    #[serde(default)]
    pub papers: Vec<Paper>,
    pub claims: Vec<Claim>,
}

impl ClaimsFile {
    /// The claims of a file, or those that are part of this program.
    pub fn read(path: Option<&Path>) -> Result<ClaimsFile, Error> {
        let Some(path) = path else {
            return ClaimsFile::parse(Path::new("harness/claims/claims.json"), SHIPPED);
        };
        let text = plain_file::read_given_text(path, DOCUMENT).context(path.display())?;
        ClaimsFile::parse(path, &text)
    }

    /// All personalities that anything is measured in.
    pub fn personalities(&self) -> Vec<&str> {
        let all = self.claims.iter().flat_map(|claim| claim.measured_in(&self.conditions));
        let mut names: Vec<&str> = Vec::new();
        for name in self.conditions.personalities.iter().map(String::as_str).chain(all) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn parse(path: &Path, text: &str) -> Result<ClaimsFile, Error> {
        let file: ClaimsFile = serde_json::from_str(text).map_err(|error| {
            Error::input_output(format!(
                "{}:{}: expected {{\"conditions\": …, \"claims\": […]}}: {error}",
                path.display(),
                error.line()
            ))
        })?;
        if let Some(reason) = file.conditions.wrong() {
            return Err(wrong(path, "conditions", reason));
        }
        let depth = &file.conditions.depth;
        if let Some(name) = file.personalities().into_iter().find(|&name| !depth.contains_key(name))
        {
            let reason = "expected its depth among the conditions, as \"depth\": {\"rebel\": 7}";
            return Err(wrong(path, name, reason));
        }
        let mut ids = HashSet::new();
        for claim in &file.claims {
            let plain = claim.id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
            let found = if claim.id.is_empty() || !plain {
                Some("expected an id of letters, digits and '-'".to_owned())
            } else if !ids.insert(&claim.id) {
                Some("expected an id of its own, found it again".to_owned())
            } else {
                claim.wrong(&file.conditions)
            };
            if let Some(reason) = found {
                return Err(wrong(path, &claim.id, reason));
            }
        }
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_registers_claims_are_there() {
        let file = ClaimsFile::read(None).unwrap();
        let has = |id: &str| file.claims.iter().any(|claim| claim.id.starts_with(id));
        let missing: Vec<_> =
            (1..=85).map(|number| format!("CLM-{number:02}")).filter(|id| !has(id)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        for claim in &file.claims {
            let has_paper = file.papers.iter().any(|it| claim.source.starts_with(&it.id));
            assert!(has_paper, "{}: {}", claim.id, claim.source);
        }
        for personality in &file.conditions.personalities {
            assert!(file.conditions.depth.contains_key(personality), "{personality}");
        }
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        let conditions = r#"{"personalities": ["rebel"], "pairs": 1, "nodes": 1, "seed": 1,
            "positions": 1, "rounds": 1, "depth": {"rebel": 1}}"#;
        let claim = |rest: &str| {
            let head = r#""id": "X", "claim": "", "source": "", "mechanisms": []"#;
            let text = format!(r#"{{"conditions": {conditions}, "claims": [{{{head}, {rest}}}]}}"#);
            ClaimsFile::parse(Path::new("c.json"), &text).unwrap_err().to_string()
        };
        let mates = |depth: u32, moves: u32, least: &str| {
            format!(
                r#""mates": {{"positions": "", "depth": {depth}, "moves": {moves}, "of": [{least}, null]}}"#
            )
        };
        let on = r#""with": {"iid.on": "true"}, "without": {"iid.on": "false"}"#;
        for (rest, expected) in [
            (on.to_owned(), "expected a measure"),
            (format!(r#"{on}, "not": "so", "match": {{"elo": [0, 1]}}"#), "several of them"),
            (format!(r#"{on}, "match": {{"elo": [2, 1]}}"#), "lower end first, found [2, 1]"),
            (r#""match": {"elo": [0, 1], "depth": 3, "odds": 2}"#.to_owned(), "found several"),
            (format!(r#"{on}, "match": {{"elo": [0, 1], "tc": "soon"}}"#), "like \"1+0.01\""),
            (r#""elsewhere": {"outcome": "sure", "found": "", "file": ""}"#.to_owned(), "sure"),
            (r#""share": {"counter": "spoons", "of": [0, 1]}"#.to_owned(), "spoons"),
            (r#""micro": {"benchmark": "forks", "faster": [1, 2]}"#.to_owned(), "forks"),
            (r#""micro": {"benchmark": "piece_lists", "faster": [2, 1]}"#.to_owned(), "a range"),
            (mates(0, 5, "0.5"), "at least 1"),
            (mates(5, 0, "0.5"), "at least 1"),
            (mates(5, 26, "40"), "a share, 0 to 1"),
            (r#""with": {}, "speed": {"faster": [1, null]}"#.to_owned(), "two different players"),
            (on.replace("iid.on", "iid.onn") + r#", "match": {"elo": [0, 1]}"#, "iid.on"),
            (r#""witth": {}"#.to_owned(), "c.json:2"),
            (
                format!(r#""quote": "{}", "not": "so""#, "so ".repeat(16)),
                "found 16: quote a phrase",
            ),
            (r#""quote": " ", "not": "so""#.to_owned(), "quote: expected 1 to 15 words, found 0"),
        ] {
            let said = claim(&rest);
            assert!(said.contains(expected), "{said}");
        }
        let text = format!("{{\"conditions\": {conditions}, \"claims\": []}}");
        for what in ["\"pairs\"", "\"nodes\"", "\"positions\"", "\"rounds\"", "\"rebel\""] {
            let text = text.replace(&format!("{what}: 1"), &format!("{what}: 0"));
            let said = ClaimsFile::parse(Path::new("c.json"), &text).unwrap_err().to_string();
            assert!(said.contains("c.json: conditions: ") && said.contains("at least 1"), "{said}");
        }
        let least = text.replace(r#""nodes""#, r#""most_pairs": 0, "nodes""#);
        let said = ClaimsFile::parse(Path::new("c.json"), &least).unwrap_err().to_string();
        assert!(said.contains("most_pairs: expected at least pairs, 1, found 0"), "{said}");
        let text = text.replace(r#"["rebel"]"#, r#"["rebel", "prodeo"]"#);
        let said = ClaimsFile::parse(Path::new("c.json"), &text).unwrap_err().to_string();
        assert!(said.contains("c.json: prodeo: expected its depth"), "{said}");
    }
}
