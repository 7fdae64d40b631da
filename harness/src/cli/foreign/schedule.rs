//! How many games, from which openings, and how many at once.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use super::engines::flag;
use super::line::{ForeignLine, omitted};
use super::runner::Runner;
use super::script::inside;
use super::words::FlagGroup;

impl ForeignLine {
    pub(super) fn schedule(&mut self, group: &FlagGroup) {
        match (group.number(), group.name()) {
            (None | Some(0), _) => self.notes.push(omitted(&group.text())),
            (games, "games") => self.games = games,
            (rounds, _) => self.rounds = rounds,
        }
    }

    pub(super) fn concurrency(&mut self, group: &FlagGroup) {
        let games = match group.first().parse::<i64>() {
            // So many processors are left free.
            Ok(free @ ..=0) => {
                let all = available_parallelism().map_or(1, NonZeroUsize::get) as u64;
                let games = all.saturating_sub(free.unsigned_abs()).max(1);
                self.note(&format!("-concurrency {free} is {games} of the {all} processors here"));
                games.to_string()
            }
            _ => group.first().to_owned(),
        };
        self.flags.extend(["concurrency", "slots"].map(|ours| flag(ours, &games)));
    }

    pub(super) fn openings(&mut self, group: &FlagGroup) {
        let alone = group.values.iter().find(|word| !word.contains('='));
        let file = group.value("file").or(alone.map(String::as_str));
        let file = file.map_or("FILE".to_owned(), |file| inside(self.folder.as_deref(), file));
        self.flags.push(flag("book", &file));
        if let Some(order) = group.value("order") {
            self.flags.push(flag("order", order));
        }
        let start = group.value("start").and_then(|start| start.parse::<u64>().ok());
        if let Some(passed @ 1..) = start.map(|start| start.saturating_sub(1)) {
            self.flags.push(flag("opening-offset", &passed.to_string()));
        }
        let is_epd = match group.value("format") {
            Some(format) => format == "epd",
            None => file.contains(".epd") || file.contains(".fen"),
        };
        match group.value("plies").map(|plies| (plies, plies.parse::<i64>())) {
            Some((plies, _)) if is_epd => {
                self.note(&format!(
                    "plies={plies}: positions of an EPD book have no moves; omitted"
                ));
            }
            Some((_, Ok(..=0))) | None => {}
            Some((plies, _)) => self.flags.push(flag("opening-plies", plies)),
        }
        if let Some(seed) = group.value("srand") {
            self.flags.push(flag("seed", seed));
        }
        if let Some(policy) = group.value("policy").filter(|policy| *policy != "default") {
            self.note(&format!("policy={policy}: each pair of games has an opening of its own"));
        }
    }

    pub(super) fn interval(&mut self, group: &FlagGroup) {
        let Some(interval) = group.number().filter(|interval| *interval > 0) else {
            self.note(&format!("{}: the result is printed at the end only", group.text()));
            return;
        };
        let of_pairs = group.name() == "ratinginterval" && self.counts_pairs && self.is_whole;
        let games = if of_pairs { interval.saturating_mul(2) } else { interval };
        if of_pairs {
            self.note(&format!("-ratinginterval {interval} counts rounds there, and games here"));
        }
        self.flags.push(flag("interval", &games.to_string()));
    }

    /// Pairs that are as many games, if a number is given, or the line is a runner's, which then has
    /// a number of its own.
    pub(super) fn pairs(&mut self) -> Option<u64> {
        if !self.is_whole {
            self.rounds.or(self.games)?;
            let games = self.games.unwrap_or(2).saturating_mul(self.rounds.unwrap_or(1));
            return Some(games.div_ceil(2));
        }
        let is_fastchess = self.runner == Runner::Fastchess;
        let (games, rounds) = match is_fastchess {
            true => schedule_of_fastchess(self.games, self.rounds),
            false => (self.games.unwrap_or(1), self.rounds.unwrap_or(1)),
        };
        if is_fastchess && games > 2 {
            self.wrong.push(format!(
                "-games {games} -rounds {rounds}: fastchess plays 1 or 2 games a round; more of them are \
                 more -rounds"
            ));
        }
        let total = games.saturating_mul(rounds);
        let name = self.runner.name();
        if self.rounds.or(self.games).is_none() {
            self.note(&format!("without -rounds {name} plays {total} games; --pairs N plays more"));
        }
        let is_paired = match self.runner {
            Runner::Fastchess => games == 2,
            Runner::Cutechess | Runner::CChessCli => self.repeat == Some(2),
        };
        if self.is_noswap {
            self.note("-noswap: here each opening is played with both colours");
        } else if !is_paired {
            self.note(
                "there openings are not played in pairs; here each is played twice, with both colours",
            );
        }
        let pairs = total.div_ceil(2);
        if total % 2 == 1 {
            self.note(&format!("{total} games are {pairs} pairs: one game more"));
        }
        Some(pairs)
    }
}

/// Games of a round and rounds, as fastchess mends what was meant the other way round.
fn schedule_of_fastchess(games: Option<u64>, rounds: Option<u64>) -> (u64, u64) {
    match (games.unwrap_or(2), rounds.unwrap_or(2)) {
        (games, rounds @ ..=2) if games > 2 => (rounds, games),
        as_said => as_said,
    }
}

/// Whether fastchess counts pairs.
pub(super) fn counts_pairs(groups: &[FlagGroup]) -> bool {
    let find = |name: &str| groups.iter().find(|it| !it.has_two_dashes() && it.name() == name);
    let is =
        |name: &str, key: &str, value: &str| find(name).and_then(|it| it.value(key)) == Some(value);
    let number = |name: &str| find(name).and_then(FlagGroup::number);
    let (games, _) = schedule_of_fastchess(number("games"), number("rounds"));
    games == 2
        && !is("report", "penta", "false")
        && !is("output", "format", "cutechess")
        && !is("sprt", "model", "bayesian")
}
