//! Another runner's flags, one by one, made a command line of ours.

use clap::{Arg, ArgAction, ArgGroup, Command};
use process::terminal::shell_word;

use super::engines::{Engine, flag};
use super::words::FlagGroup;
use crate::cli::first_free;

#[derive(Debug, Default)]
pub(super) struct ForeignLine {
    /// The first flag that is none of ours, in words.
    slip: Option<String>,
    /// Whether the line as a whole is another runner's, whose rules hold where ours differ.
    is_whole: bool,
    /// A cutechess-cli line: each engine has a protocol, or a name from the configuration file.
    is_cutechess: bool,
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

impl ForeignLine {
    /// An empty line; `groups` are all flags that will be added to it.
    pub(super) fn of(groups: &[FlagGroup]) -> ForeignLine {
        let engines = groups.iter().filter(|group| ["engine", "each"].contains(&group.name()));
        let mut keys = engines.flat_map(FlagGroup::pairs).map(|(key, _)| key);
        ForeignLine {
            is_cutechess: keys.any(|key| ["proto", "conf"].contains(&key)),
            ..ForeignLine::default()
        }
    }

    /// Adds a flag with its values. `command` tells which flags are ours.
    pub(super) fn add(&mut self, group: &FlagGroup, command: &Command) {
        let name = group.name();
        let ours = command.get_arguments().find(|it| it.get_long() == Some(name));
        let is_ours = ours.is_some() || ["help", "version"].contains(&name);
        let joined = ["draw", "resign"].contains(&name) && group.values.len() > 1;
        if is_ours && group.has_two_dashes() && !joined {
            self.flags.push(as_typed(group));
            return;
        }
        let plays = command.get_arguments().any(|it| it.get_long() == Some("pairs"));
        if !plays {
            return;
        }
        let is_translated = self.translate(group);
        match ours.filter(|_| !is_translated) {
            Some(ours) if ours.get_action().takes_values() => self.flags.push(as_typed(group)),
            Some(_) if group.first() != "off" => self.flags.push(format!("--{name}")),
            _ => {}
        }
        if !is_translated && ours.is_none() {
            self.notes.push(format!("{}: unknown flag; omitted", group.text()));
        } else if self.slip.is_none() {
            let typed = &group.typed;
            let word = command.get_name();
            self.slip = Some(match joined && group.has_two_dashes() {
                true => format!("{typed}: expected its parts with commas between them"),
                false => format!("{typed} is not a flag of verdict {word}"),
            });
        }
    }

    /// Takes a flag that other runners have; whether it is one.
    fn translate(&mut self, group: &FlagGroup) -> bool {
        self.is_whole |= !group.has_two_dashes() && ["engine", "each"].contains(&group.name());
        match group.name() {
            "engine" => self.engines.push(engine(group)),
            "each" => self.each.keys.extend(Engine::of_words(&group.values).keys),
            "quick" => self.quick(group),
            key @ ("tc" | "st" | "nodes" | "depth" | "timemargin") => {
                self.each.keys.push((key.to_owned(), group.first().to_owned()));
            }
            "time" => self.each.keys.push(("tc".to_owned(), group.first().to_owned())),
            "hash" => {
                let unit = if group.number().is_some() { "MB" } else { "" };
                self.flags.push(flag("hash", &format!("{}{unit}", group.first())));
            }
            "threads" => {
                self.flags.push(flag("option", &format!("Threads={}", group.first())));
                self.note("these are the threads of each engine; --slots N sets how many games search at once");
            }
            "games" | "rounds" => match (group.number(), group.name()) {
                (None | Some(0), _) => self.notes.push(omitted(&group.text())),
                (games, "games") => self.games = games,
                (rounds, _) => self.rounds = rounds,
            },
            "concurrency" => {
                self.flags.extend(["concurrency", "slots"].map(|ours| flag(ours, group.first())));
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
                if ours.is_none() && wanted != "both" {
                    self.notes.push(omitted(&group.text()));
                }
            }
            "ratinginterval" | "scoreinterval" => self.flags.push(flag("interval", group.first())),
            "event" | "site" => self.flags.push(flag(group.name(), &group.values.join(" "))),
            "srand" => self.flags.push(flag("seed", group.first())),
            "tournament" => {
                self.gauntlet = group.first() == "gauntlet";
                if !self.gauntlet && !["roundrobin", "round-robin"].contains(&group.first()) {
                    self.notes.push(omitted(&group.text()));
                }
            }
            "ponder" => self.flags.push("--ponder".to_owned()),
            "use-affinity" | "affinity" => self.flags.push(ours_called("pin", &group.values)),
            "variant" => self.variant(group),
            "log" | "debug" => self.note("--traffic DIR writes all engine input and output"),
            "pgnout" | "pgn" => self.note("the games are in games.pgn of the run's folder (--out DIR)"),
            "epdout" | "fenout" => self.note("positions of a finished run: verdict export RUN"),
            "repeat" | "recover" | "report" | "autosaveinterval" => self.note(&format!(
                "{} needs no flag: each opening is played with both colours, a fault ends only its game, \
                 every run can be resumed, and pairs are counted",
                group.typed
            )),
            _ => return false,
        }
        true
    }

    /// `-quick ENGINE ENGINE BOOK`.
    fn quick(&mut self, group: &FlagGroup) {
        self.is_whole = true;
        let mut values = group.values.iter();
        let engines = values.by_ref().take(2);
        self.engines.extend(engines.map(|cmd| Engine::of([("cmd", cmd.as_str())].into_iter())));
        self.each.keys.push(("tc".to_owned(), "10+0.1".to_owned()));
        if let Some(book) = values.next() {
            self.flags.extend([flag("book", book), flag("order", "random")]);
        }
        self.notes.extend(values.map(|value| omitted(value)));
    }

    fn openings(&mut self, group: &FlagGroup) {
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
        self.omit_others(group, &["file", "format", "order", "start", "plies"]);
    }

    /// Notes the values `key=value` of other keys, which say nothing here.
    fn omit_others(&mut self, group: &FlagGroup, known: &[&str]) {
        let others = group.pairs().filter(|(key, _)| !known.contains(key));
        self.notes.extend(others.map(|(key, value)| omitted(&format!("{key}={value}"))));
    }

    fn sprt(&mut self, group: &FlagGroup) {
        let given = |key| group.value(key);
        let plain = group.values.iter().map(String::as_str).filter(|word| !word.contains('='));
        let plain: Vec<&str> = plain.collect();
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
        if self.is_cutechess && given("model").is_none() {
            rule.push_str(",model=logistic");
            self.note(
                "elo0 and elo1 are taken as logistic Elo, as cutechess-cli does; fastchess takes them as \
                 normalized Elo: model=normalized",
            );
        }
        self.flags.push(flag("rule", &rule));
        self.omit_others(group, &["elo0", "elo1", "alpha", "beta", "model"]);
    }

    fn variant(&mut self, group: &FlagGroup) {
        match group.first() {
            "standard" => {}
            "fischerandom" | "fischerrandom" | "chess960" => self.note(
                "Chess960: use a --book of Chess960 positions, or --chess960 instead of a book",
            ),
            other => self.notes.push(format!("verdict plays only chess and Chess960, not {other}")),
        }
    }

    fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }

    /// The slip, our line without the program's name, and what is to be known of it; `None` where
    /// no flag was another's. `before`, the words before the first flag, names `command` in `cli`.
    pub(super) fn translated(
        mut self,
        before: &[String],
        command: &Command,
        cli: &Command,
    ) -> Option<(String, String, Vec<String>)> {
        let slip = self.slip.take()?;
        let is_match = before.is_empty() || before == ["match"];
        let many = self.engines.len() > 2 || before == ["tournament"] || self.gauntlet;
        let (words, command) = match is_match {
            true => {
                let word = if many { "tournament" } else { "match" };
                (vec![word.to_owned()], cli.find_subcommand(word).unwrap_or(command))
            }
            false => (before.iter().map(|word| shell_word(word)).collect(), command),
        };
        let has_test = self.has("test");
        let mut parts = if many { self.players() } else { self.sides() };
        parts.extend(self.of_each());
        if self.gauntlet {
            parts.push("--gauntlet".to_owned());
        }
        let pairs = self.pairs().map(|pairs| flag("pairs", &pairs.to_string()));
        let off = |rule: &&str| self.is_whole && !self.has(rule);
        let adjudication = ["draw", "resign"].into_iter().filter(off);
        let adjudication: Vec<String> = adjudication.map(|rule| flag(rule, "off")).collect();
        // Where the user had it in a line of another runner; behind our own flags otherwise.
        if self.is_whole {
            parts.extend(pairs);
            parts.append(&mut self.flags);
        } else {
            parts.append(&mut self.flags);
            parts.extend(pairs);
        }
        parts.extend(adjudication);
        if let Some(first) = self.engines.first().filter(|_| !many && !has_test) {
            let name = first.name().or(first.get("cmd")).unwrap_or("the first engine").to_owned();
            self.notes.insert(0, format!("all results are test minus base, and {name} is test"));
        }
        let slip = match self.is_whole {
            true => "this is a fastchess/cutechess-cli command line".to_owned(),
            false => slip,
        };
        let (parts, omissions) = typable(parts, command);
        self.notes.extend(omissions.iter().map(|part| omitted(part)));
        Some((slip, [words, parts].concat().join(" "), self.notes))
    }

    /// Whether the user gave a flag of ours.
    fn has(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| name_of(flag) == name)
    }

    /// Pairs that are as many games, if a number is given.
    fn pairs(&self) -> Option<u64> {
        self.rounds.or(self.games)?;
        let games = self.games.unwrap_or(2).saturating_mul(self.rounds.unwrap_or(1));
        Some(games.div_ceil(2))
    }

    /// The players of a match, the first as test, unless the user has given them in our words.
    fn sides(&mut self) -> Vec<String> {
        let mut free = ["test", "base"].into_iter().filter(|side| !self.has(side));
        let (mut parts, mut notes) = (Vec::new(), Vec::new());
        for engine in &self.engines {
            let spec = engine.spec(&self.each);
            let Some(side) = free.next() else {
                notes.push(spec);
                continue;
            };
            parts.push(flag(side, &spec));
            parts.extend(engine.name().map(|name| flag(&format!("{side}-name"), name)));
            let (limit, untold) = engine.limit();
            let limit = limit.map(|(kind, value)| format!("{kind}={value}"));
            parts.extend(limit.map(|limit| flag(&format!("{side}-limit"), &limit)));
            let margin = engine.get("timemargin").map(|ms| format!("{ms}ms"));
            parts.extend(margin.map(|margin| flag(&format!("{side}-margin"), &margin)));
            let restarts = engine.is_on("restart");
            if restarts {
                parts.push(format!("--{side}-restart"));
            }
            notes.extend(untold);
            notes.extend(engine.not_mapped(|key| match key {
                "name" | "timemargin" => true,
                "restart" => restarts || self.is_of_each(engine, key),
                _ => self.is_of_each(engine, key),
            }));
        }
        self.notes.extend(notes.iter().map(|typed| omitted(typed)));
        parts
    }

    /// The players of a tournament. Those with a limit of their own need a name.
    fn players(&mut self) -> Vec<String> {
        let (mut parts, mut limits, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        let mut names: Vec<String> =
            self.engines.iter().filter_map(|engine| engine.name().map(str::to_owned)).collect();
        for engine in &self.engines {
            let spec = engine.spec(&self.each);
            let (limit, untold) = engine.limit();
            let name = match (engine.name(), &limit) {
                (None, Some(_)) => engine.called().map(|name| unused(name, &mut names)),
                (name, _) => name.map(str::to_owned),
            };
            let named = name.as_ref().map(|name| format!("{name}={spec}"));
            parts.push(flag("player", &named.unwrap_or(spec)));
            if let (Some((kind, value)), Some(name)) = (limit, name) {
                limits.push(flag("limit-of", &format!("{name}={kind}={value}")));
            }
            notes.extend(untold);
            notes.extend(engine.not_mapped(|key| key == "name" || self.is_of_each(engine, key)));
        }
        self.notes.extend(notes.iter().map(|typed| omitted(typed)));
        parts.append(&mut limits);
        parts
    }

    /// Whether what a key says of an engine holds for each.
    fn is_of_each(&self, engine: &Engine, key: &str) -> bool {
        match key {
            "restart" | "ponder" => engine.is_on(key) == self.each.is_on(key),
            "timemargin" => engine.get(key) == self.each.get(key),
            _ => false,
        }
    }

    fn of_each(&mut self) -> Vec<String> {
        let (limit, untold) = self.each.limit();
        let mut parts: Vec<String> =
            limit.map(|(kind, value)| flag(kind, &value)).into_iter().collect();
        let options = self.each.options().map(|(name, value)| format!("{name}={value}"));
        parts.extend(options.map(|option| flag("option", &option)));
        let margin = self.each.get("timemargin").map(|ms| format!("{ms}ms"));
        parts.extend(margin.map(|margin| flag("time-margin", &margin)));
        for (key, ours) in [("restart", "--restart"), ("ponder", "--ponder")] {
            parts.extend(self.each.is_on(key).then(|| ours.to_owned()));
        }
        let told = |key: &str| ["timemargin", "restart", "ponder"].contains(&key);
        let untold = untold.into_iter().chain(self.each.not_mapped(told));
        self.notes.extend(untold.map(|typed| omitted(&typed)));
        parts
    }
}

/// The flags that can stand beside those before them, and those that cannot.
fn typable(parts: Vec<String>, command: &Command) -> (Vec<String>, Vec<String>) {
    let mut before: Vec<&Arg> = Vec::new();
    parts.into_iter().partition(|part| {
        let Some(name) = part.starts_with("--").then(|| name_of(part)) else { return true };
        let arg = command.get_arguments().find(|arg| arg.get_long() == Some(name));
        let Some(arg) = arg else { return ["help", "version"].contains(&name) };
        let fits = before.iter().all(|other| can_stand_together(command, arg, other));
        if fits {
            before.push(arg);
        }
        fits
    })
}

fn can_stand_together(command: &Command, one: &Arg, other: &Arg) -> bool {
    if one.get_id() == other.get_id() {
        return matches!(one.get_action(), ArgAction::Append | ArgAction::Count);
    }
    let excludes = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|it| it.get_id() == other.get_id())
    };
    let is_of_one = |group: &ArgGroup| {
        let both = [one, other].iter().all(|arg| group.get_args().any(|id| id == arg.get_id()));
        both && !group.clone().is_multiple()
    };
    !excludes(one, other) && !excludes(other, one) && !command.get_groups().any(is_of_one)
}

/// The name, or the first with a number behind it that nobody has; noted as used.
fn unused(name: &str, used: &mut Vec<String>) -> String {
    let name = first_free(name, |name| used.iter().all(|used| used != name));
    used.push(name.clone());
    name
}

/// The name of a flag of ours, as it stands in a line.
fn name_of(flag: &str) -> &str {
    flag.split(' ').next().unwrap_or_default().trim_start_matches("--")
}

fn omitted(typed: &str) -> String {
    format!("{typed}: no equivalent, or conflicts with another flag; omitted")
}

/// An engine by `cmd=…` and so on, or by its name alone.
fn engine(group: &FlagGroup) -> Engine {
    match group.values.as_slice() {
        [alone] if !alone.contains('=') => Engine::of([("cmd", alone.as_str())].into_iter()),
        words => Engine::of_words(words),
    }
}

/// A rule of adjudication, its parts with commas between them.
fn rule(group: &FlagGroup) -> String {
    let parts = group.values.iter().filter(|part| *part != "twosided=false");
    let parts = parts.map(|part| part.strip_suffix("=true").unwrap_or(part));
    parts.collect::<Vec<_>>().join(",")
}

fn as_typed(group: &FlagGroup) -> String {
    ours_called(group.name(), &group.values)
}

fn ours_called(name: &str, values: &[String]) -> String {
    let values = values.iter().map(|value| format!(" {}", shell_word(value)));
    format!("--{name}{}", values.collect::<String>())
}
