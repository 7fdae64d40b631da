//! Another runner's flags, one by one, made a command line of ours.

use clap::Command;

use super::engines::{Engine, flag};
use super::words::Group;
use crate::player::program::shell_word;

/// The line that is made.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// The first flag that is none of ours, in words.
    slip: Option<String>,
    /// Whether the line is another runner's as a whole, whose rules hold where ours would be others.
    is_whole: bool,
    engines: Vec<Engine>,
    each: Engine,
    /// Games of an encounter, and encounters.
    games: Option<u64>,
    rounds: Option<u64>,
    /// Flags of ours, as a shell takes them.
    flags: Vec<String>,
    gauntlet: bool,
    notes: Vec<String>,
}

impl Line {
    /// Adds a flag with its values. `command` tells which flags are ours.
    pub(super) fn add(&mut self, group: &Group, command: &Command) {
        let name = group.name();
        let is_ours = command.get_arguments().any(|it| it.get_long() == Some(name))
            || ["help", "version"].contains(&name);
        let joined = ["draw", "resign"].contains(&name) && group.values.len() > 1;
        if is_ours && group.has_two_dashes() && !joined {
            self.flags.push(ours(group));
            return;
        }
        let plays = command.get_arguments().any(|it| it.get_long() == Some("pairs"));
        if !plays {
            return;
        }
        let known = self.translate(group) || is_ours;
        if !known {
            let text = group.text();
            self.notes
                .push(format!("nothing here is known to do what {text} does: it is left out"));
        } else if self.slip.is_none() {
            let typed = &group.typed;
            let word = command.get_name();
            self.slip = Some(match joined && group.has_two_dashes() {
                true => format!("{typed}: expected its parts with commas between them"),
                false => format!("{typed} is no flag of verdict {word}"),
            });
        }
    }

    /// Takes a flag that other runners have, or one that is nearly ours; whether it is known.
    fn translate(&mut self, group: &Group) -> bool {
        self.is_whole |= !group.has_two_dashes() && ["engine", "each"].contains(&group.name());
        match group.name() {
            "engine" => self.engines.push(engine(group)),
            "each" => self.each.keys.extend(Engine::of(group.pairs()).keys),
            "quick" => self.quick(group),
            key @ ("tc" | "st" | "nodes" | "depth" | "timemargin") => {
                self.each.keys.push((key.to_owned(), group.first().to_owned()));
            }
            "time" => self.each.keys.push(("tc".to_owned(), group.first().to_owned())),
            "hash" => self.flags.push(flag("hash", &format!("{}MB", group.first()))),
            "threads" => {
                self.flags.push(flag("option", &format!("Threads={}", group.first())));
                self.note("threads of each engine; processors for games are --slots N");
            }
            "games" => self.games = group.first().parse().ok(),
            "rounds" => self.rounds = group.first().parse().ok(),
            "concurrency" => {
                self.flags.push(flag("concurrency", group.first()));
                self.flags.push(flag("slots", group.first()));
            }
            "openings" | "book" => self.openings(group),
            "sprt" => self.sprt(group),
            "draw" | "resign" => self.flags.push(flag(group.name(), &rule(group))),
            "maxmoves" => self.flags.push(flag("max-moves", group.first())),
            "tb" => {
                let folders = group.first().split(':');
                self.flags.extend(folders.map(|folder| flag("syzygy", folder)));
            }
            "tbadjudicate" => {
                let wanted = group.first().to_ascii_lowercase();
                let results = [("win", "wins"), ("draw", "draws")];
                let ours = results.iter().find(|(theirs, _)| wanted.starts_with(theirs));
                self.flags.extend(ours.map(|(_, ours)| flag("syzygy-results", ours)));
            }
            "ratinginterval" | "scoreinterval" => self.flags.push(flag("interval", group.first())),
            "event" | "site" => self.flags.push(flag(group.name(), &group.values.join(" "))),
            "srand" => self.flags.push(flag("seed", group.first())),
            "tournament" => self.gauntlet = group.first() == "gauntlet",
            "ponder" => self.flags.push("--ponder".to_owned()),
            "use-affinity" | "affinity" => self.flags.push(ours_called("pin", &group.values)),
            "variant" => self.variant(group),
            "log" | "debug" => self.note("--traffic DIR writes what is said to engines and by them"),
            "pgnout" | "pgn" => self.note("the games are in games.pgn of the run's folder (--out DIR)"),
            "epdout" | "fenout" => self.note("positions of a finished run: verdict export RUN"),
            "repeat" | "recover" | "report" | "autosaveinterval" => self.note(&format!(
                "{} needs no flag: both colours are played from each opening, a fault ends its game and \
                 not the run, every run can be resumed, pairs are counted",
                group.typed
            )),
            _ if !group.has_two_dashes() => return self.nearly_ours(group),
            _ => return false,
        }
        true
    }

    /// One of our flags with a single dash.
    fn nearly_ours(&mut self, group: &Group) -> bool {
        const OURS: [&str; 12] = [
            "base", "test", "pairs", "movetime", "seeds", "option", "rule", "seed", "slots", "out",
            "restart", "json",
        ];
        let is_ours = OURS.contains(&group.name());
        if is_ours {
            self.flags.push(ours(group));
        }
        is_ours
    }

    /// `-quick ENGINE ENGINE BOOK`.
    fn quick(&mut self, group: &Group) {
        self.is_whole = true;
        let mut values = group.values.iter();
        let engines = values.by_ref().take(2);
        self.engines.extend(engines.map(|cmd| Engine::of([("cmd", cmd.as_str())].into_iter())));
        self.each.keys.push(("tc".to_owned(), "10+0.1".to_owned()));
        if let Some(book) = values.next() {
            self.flags.extend([flag("book", book), flag("order", "random")]);
        }
    }

    fn openings(&mut self, group: &Group) {
        let file = group.value("file").or(group.values.first().map(String::as_str));
        self.flags.push(flag("book", file.unwrap_or("FILE")));
        if let Some(order) = group.value("order") {
            self.flags.push(flag("order", order));
        }
        let start = group.value("start").and_then(|start| start.parse::<u64>().ok());
        if let Some(passed @ 1..) = start.map(|start| start.saturating_sub(1)) {
            self.flags.push(flag("opening-offset", &passed.to_string()));
        }
        if let Some(plies) = group.value("plies") {
            self.flags.push(flag("opening-plies", plies));
        }
    }

    fn sprt(&mut self, group: &Group) {
        let given = |key| group.value(key);
        let plain: Vec<&str> = group.values.iter().map(String::as_str).collect();
        let mut rule = match (given("elo0"), given("elo1")) {
            (None, None) if plain.is_empty() => "sprt=0,5".to_owned(),
            (None, None) => format!("sprt={}", plain.join(",")),
            (elo0, elo1) => format!("sprt={},{}", elo0.unwrap_or("0"), elo1.unwrap_or("5")),
        };
        for key in ["alpha", "beta", "model"] {
            if let Some(value) = given(key) {
                let value = if value == "bayesian" { "bayeselo" } else { value };
                rule.push_str(&format!(",{key}={value}"));
            }
        }
        self.flags.push(flag("rule", &rule));
    }

    fn variant(&mut self, group: &Group) {
        match group.first() {
            "standard" => {}
            "fischerandom" | "fischerrandom" | "chess960" => self.note(
                "Chess960: a book of such positions is enough, or instead of a book --chess960",
            ),
            other => {
                self.notes.push(format!("only chess and Chess960 are played here, not {other}"));
            }
        }
    }

    fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }

    /// The slip, our line without the program's name, and what is to be known of it; `None` where no flag
    /// was another's. `before` are the words before the first flag.
    pub(super) fn translated(mut self, before: &[String]) -> Option<(String, String, Vec<String>)> {
        let slip = self.slip.take()?;
        let is_match = before.is_empty() || before == ["match"];
        let many = self.engines.len() > 2 || before == ["tournament"] || self.gauntlet;
        let mut parts = match (is_match, many) {
            (true, true) => vec!["tournament".to_owned()],
            (true, false) => vec!["match".to_owned()],
            (false, _) => before.iter().map(|word| shell_word(word)).collect(),
        };
        parts.extend(if many { self.players() } else { self.sides() });
        parts.extend(self.of_each());
        if self.gauntlet {
            parts.push("--gauntlet".to_owned());
        }
        let has = |flags: &[String], name: &str| {
            let typed = format!("--{name} ");
            flags.iter().any(|flag| flag.starts_with(&typed))
        };
        let pairs = self.pairs().map(|pairs| flag("pairs", &pairs.to_string()));
        let adjudication = ["draw", "resign"].into_iter().filter(|rule| !has(&self.flags, rule));
        let adjudication: Vec<String> = match self.is_whole {
            true => adjudication.map(|rule| flag(rule, "off")).collect(),
            false => Vec::new(),
        };
        // Where the user had it in a line of another runner; behind our own flags otherwise.
        if self.is_whole {
            parts.extend(pairs);
            parts.append(&mut self.flags);
        } else {
            parts.append(&mut self.flags);
            parts.extend(pairs);
        }
        parts.extend(adjudication);
        if let Some(first) = self.engines.first().filter(|_| !many) {
            let name = first.name().or(first.get("cmd")).unwrap_or("the first engine").to_owned();
            self.notes.insert(0, format!("all results are test minus base, and {name} is test"));
        }
        Some((slip, parts.join(" "), self.notes))
    }

    /// Pairs that are as many games, if a number is given.
    fn pairs(&self) -> Option<u64> {
        match (self.rounds, self.games) {
            (None, None) => None,
            (rounds, games) => {
                let games = games.unwrap_or(2).saturating_mul(rounds.unwrap_or(1));
                Some(games.div_ceil(2))
            }
        }
    }

    /// The players of a match, the first as test.
    fn sides(&mut self) -> Vec<String> {
        let mut parts = Vec::new();
        for (engine, side) in self.engines.iter().zip(["test", "base"]) {
            parts.push(flag(side, &engine.spec(&self.each)));
            parts.extend(engine.name().map(|name| flag(&format!("{side}-name"), name)));
            let (limit, left_out) = engine.limit();
            let limit = limit.map(|(kind, value)| format!("{kind}={value}"));
            parts.extend(limit.map(|limit| flag(&format!("{side}-limit"), &limit)));
            let margin = engine.get("timemargin").map(|ms| format!("{ms}ms"));
            parts.extend(margin.map(|margin| flag(&format!("{side}-margin"), &margin)));
            if engine.get("restart") == Some("on") {
                parts.push(format!("--{side}-restart"));
            }
            self.notes.extend(left_out.into_iter().chain(engine.unknown()).map(left_out_note));
        }
        parts
    }

    /// The players of a tournament.
    fn players(&mut self) -> Vec<String> {
        let (mut parts, mut limits) = (Vec::new(), Vec::new());
        for engine in &self.engines {
            let spec = engine.spec(&self.each);
            let named = engine.name().map(|name| format!("{name}={spec}"));
            parts.push(flag("player", &named.unwrap_or(spec)));
            let (limit, left_out) = engine.limit();
            if let (Some((kind, value)), Some(name)) = (limit, engine.name()) {
                limits.push(flag("limit-of", &format!("{name}={kind}={value}")));
            }
            self.notes.extend(left_out.into_iter().chain(engine.unknown()).map(left_out_note));
        }
        parts.append(&mut limits);
        parts
    }

    /// What holds for all engines.
    fn of_each(&mut self) -> Vec<String> {
        let (limit, left_out) = self.each.limit();
        let mut parts: Vec<String> =
            limit.map(|(kind, value)| flag(kind, &value)).into_iter().collect();
        parts.extend(
            self.each.options().map(|(name, value)| flag("option", &format!("{name}={value}"))),
        );
        let margin = self.each.get("timemargin").map(|ms| format!("{ms}ms"));
        parts.extend(margin.map(|margin| flag("time-margin", &margin)));
        for (key, ours) in [("restart", "--restart"), ("ponder", "--ponder")] {
            let is_on = self.each.get(key).is_some_and(|value| !["off", "auto"].contains(&value));
            parts.extend(is_on.then(|| ours.to_owned()));
        }
        self.notes.extend(left_out.into_iter().chain(self.each.unknown()).map(left_out_note));
        parts
    }
}

fn left_out_note(typed: String) -> String {
    format!("{typed} is left out: nothing here does it, or not beside the rest")
}

/// An engine by `cmd=…` and so on, or by its name alone.
fn engine(group: &Group) -> Engine {
    match group.values.as_slice() {
        [alone] if !alone.contains('=') => Engine::of([("cmd", alone.as_str())].into_iter()),
        _ => Engine::of(group.pairs()),
    }
}

/// A rule of adjudication, its parts with commas between them.
fn rule(group: &Group) -> String {
    let parts = group.values.iter().filter(|part| *part != "twosided=false");
    let parts = parts.map(|part| part.strip_suffix("=true").unwrap_or(part));
    parts.collect::<Vec<_>>().join(",")
}

fn ours(group: &Group) -> String {
    ours_called(group.name(), &group.values)
}

fn ours_called(name: &str, values: &[String]) -> String {
    let values = values.iter().map(|value| format!(" {}", shell_word(value)));
    format!("--{name}{}", values.collect::<String>())
}
