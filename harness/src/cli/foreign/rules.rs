//! When matches and games end.

use super::engines::flag;
use super::line::{ForeignLine, omitted};
use super::runner::Runner;
use super::words::FlagGroup;
use stats::Rule;

impl ForeignLine {
    pub(super) fn sprt(&mut self, group: &FlagGroup) {
        if self.lacks(group, &["elo0", "elo1", "alpha", "beta"]) {
            return;
        }
        let given = |key| group.value(key);
        let plain = group.values.iter().map(String::as_str).filter(|word| !word.contains('='));
        let plain: Vec<&str> = plain.collect();
        let elo1_there = if self.runner == Runner::CChessCli { "4" } else { "5" };
        let mut rule = match (given("elo0"), given("elo1")) {
            (None, None) if plain.is_empty() => format!("sprt=0,{elo1_there}"),
            (None, None) => format!("sprt={}", plain.join(",")),
            (elo0, elo1) => format!("sprt={},{}", elo0.unwrap_or("0"), elo1.unwrap_or(elo1_there)),
        };
        for key in ["alpha", "beta", "model"] {
            if let Some(value) = given(key) {
                let value = if value == "bayesian" { "bayeselo" } else { value };
                rule.push_str(&format!(",{key}={value}"));
            }
        }
        if let Err(why) = rule.parse::<Rule>() {
            self.wrong.push(format!("{}: {why}", group.text()));
            return;
        }
        if self.runner != Runner::Fastchess && given("model").is_none() {
            rule.push_str(",model=logistic");
            self.note(&format!(
                "elo0 and elo1 are taken as logistic Elo, as {} does; fastchess takes them as normalized \
                 Elo: model=normalized. Here pairs are counted, there single games",
                self.runner.name()
            ));
        }
        self.flags.push(flag("rule", &rule));
    }

    pub(super) fn draw(&mut self, group: &FlagGroup) {
        if group.has_two_dashes() || group.first() == "off" {
            self.flags.push(flag("draw", &joined(group)));
            return;
        }
        if self.lacks(group, &["movenumber", "movecount", "score"]) {
            return;
        }
        let number = |keys: [&str; 2], default| self.number(group, keys, default);
        let (from, count, score) = (
            number(["movenumber", "number"], "0"),
            number(["movecount", "count"], "1"),
            number(["score", "score"], "0"),
        );
        if self.runner == Runner::Cutechess && from == "0" {
            self.note("-draw movenumber=0 adjudicates nothing in cutechess-cli");
            self.flags.push(flag("draw", "off"));
            return;
        }
        let count = self.at_least_1(group, "movecount", count);
        let rule = format!("movenumber={from},movecount={count},score={score}");
        self.flags.push(flag("draw", &rule));
        if self.runner != Runner::CChessCli {
            self.note(&format!(
                "-draw: {} counts anew from each capture and pawn move, verdict does not",
                self.runner.name()
            ));
        }
    }

    pub(super) fn resign(&mut self, group: &FlagGroup) {
        if group.has_two_dashes() || group.first() == "off" {
            self.flags.push(flag("resign", &joined(group)));
            return;
        }
        if self.lacks(group, &["movecount", "score"]) {
            return;
        }
        let count = self.number(group, ["movecount", "count"], "1");
        let score = self.number(group, ["score", "score"], "0");
        let (count, score) =
            (self.at_least_1(group, "movecount", count), self.at_least_1(group, "score", score));
        let twosided = match group.words().filter(|(key, _)| *key == "twosided").last() {
            Some((_, "" | "true")) => ",twosided",
            _ => "",
        };
        self.flags.push(flag("resign", &format!("movecount={count},score={score}{twosided}")));
        if let Some(number) = group.value("number") {
            self.notes.push(omitted(&format!("-resign number={number}")));
        }
    }

    /// Whether keys that cutechess-cli has no default for are missing in a line of it; they are told.
    fn lacks(&mut self, group: &FlagGroup, keys: &[&str]) -> bool {
        if !self.is_whole || self.runner != Runner::Cutechess {
            return false;
        }
        let listed = |keys: &[&str]| keys.iter().map(|key| format!("{key}=")).collect::<Vec<_>>();
        let missing: Vec<&str> =
            keys.iter().copied().filter(|key| group.value(key).is_none()).collect();
        if missing.is_empty() {
            return false;
        }
        let (missing, all) = (listed(&missing).join(", "), listed(keys).join(", "));
        self.wrong.push(format!(
            "{}: missing {missing}; cutechess-cli has no default for any of {all}",
            group.text()
        ));
        true
    }

    /// The value of one of these keys; a runner's default where none is given.
    fn number(&self, group: &FlagGroup, keys: [&str; 2], default: &str) -> String {
        let given = keys.iter().find_map(|key| group.value(key));
        given.unwrap_or(default).to_owned()
    }

    fn at_least_1(&mut self, group: &FlagGroup, key: &str, number: String) -> String {
        if number != "0" {
            return number;
        }
        self.notes.push(format!("{} {key}=0: expected at least 1; 1 is taken", group.typed));
        "1".to_owned()
    }

    pub(super) fn max_moves(&mut self, group: &FlagGroup) {
        if group.first() == "0" {
            self.flags.push(flag("max-moves", "off"));
            return;
        }
        self.flags.push(flag("max-moves", group.first()));
        let from = match self.runner {
            Runner::Fastchess => "the first move of the engines",
            Runner::Cutechess | Runner::CChessCli => "the start position",
        };
        self.note(&format!(
            "-maxmoves: {} counts moves from {from}, verdict by the number that they have in the PGN",
            self.runner.name()
        ));
    }
}

/// A rule of ours, its parts with commas between them.
fn joined(group: &FlagGroup) -> String {
    let parts = group.values.iter().filter(|part| *part != "twosided=false");
    let parts = parts.map(|part| part.strip_suffix("=true").unwrap_or(part));
    parts.collect::<Vec<_>>().join(",")
}
