//! Another runner's flags, one by one, made flags of ours.

use std::path::PathBuf;

use clap::Command;
use process::terminal::shell_word;

use super::engines::{Engine, flag};
use super::numbers::Number;
use super::repeats::Gathered;
use super::runner::Runner;
use super::schedule::counts_pairs;
use super::script::inside;
use super::table::{FLAGS, Foreign, known_flag, nearest};
use super::words::FlagGroup;

#[derive(Debug)]
pub(super) struct ForeignLine {
    /// The first flag that is none of ours, in words.
    pub(super) slip: Option<String>,
    /// Whether the line as a whole is another runner's, whose rules hold where ours differ.
    pub(super) is_whole: bool,
    pub(super) runner: Runner,
    /// The folder that its paths begin from; `None`: ours.
    pub(super) folder: Option<PathBuf>,
    pub(super) engines: Vec<Engine>,
    pub(super) each: Engine,
    /// Games of an encounter, and encounters.
    pub(super) games: Option<u64>,
    pub(super) rounds: Option<u64>,
    /// How often each opening is played, if that is said.
    pub(super) repeat: Option<u64>,
    pub(super) is_noswap: bool,
    /// Whether it counts pairs, as fastchess does with two games a round unless it is told otherwise.
    pub(super) counts_pairs: bool,
    /// Flags of ours, as a shell takes them.
    pub(super) flags: Vec<String>,
    pub(super) is_gauntlet: bool,
    pub(super) seeds: Option<u64>,
    pub(super) is_chess960: bool,
    pub(super) notes: Vec<String>,
    /// What no runner understands.
    pub(super) wrong: Vec<String>,
}

impl ForeignLine {
    pub(super) fn of(runner: Runner, is_whole: bool) -> ForeignLine {
        ForeignLine {
            slip: None,
            is_whole,
            runner,
            folder: None,
            engines: Vec::new(),
            each: Engine::default(),
            games: None,
            rounds: None,
            repeat: None,
            is_noswap: false,
            counts_pairs: false,
            flags: Vec::new(),
            is_gauntlet: false,
            seeds: None,
            is_chess960: false,
            notes: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Adds all flags. `command` tells which are ours.
    pub(super) fn add_all(&mut self, groups: &[FlagGroup], command: &Command) {
        if !self.is_whole {
            groups.iter().for_each(|group| self.add(group, command));
            return;
        }
        let Gathered { groups, notes, wrong } = Gathered::of(groups, self.runner);
        self.counts_pairs = self.runner == Runner::Fastchess && counts_pairs(&groups);
        self.wrong.extend(wrong);
        groups.iter().for_each(|group| self.add(group, command));
        self.notes.extend(notes);
    }

    /// Adds a flag with its values.
    fn add(&mut self, group: &FlagGroup, command: &Command) {
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
            let known = FLAGS.iter().map(|flag| flag.name);
            let near = nearest(name, known)
                .map_or(String::new(), |near| format!("; did you mean -{near}?"));
            self.wrong.push(format!("{}: unknown flag{near}", group.text()));
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
        if let Some(known) = known_flag(group.name()) {
            if let Some(wrong) = self.is_whole.then(|| wrong_numbers(group, known)).flatten() {
                self.wrong.push(wrong);
                return true;
            }
            if !known.keys.is_empty() {
                self.check_keys(group, known.keys);
            }
            if let (true, Some(other)) = (self.is_whole, known.of.first())
                && !known.of.contains(&self.runner)
            {
                let (runner, other) = (self.runner.name(), other.name());
                self.note(&format!(
                    "{}: {runner} has no such flag; read as {other} has it",
                    group.typed
                ));
            }
            if let Some(note) = known.note {
                if !group.is_implied {
                    self.note(&format!("{}: {note}", group.typed));
                }
                return true;
            }
        }
        match group.name() {
            "engine" => self.engines.push(engine(group)),
            "each" => self.each = self.each.with(&Engine::of_words(&group.values)),
            key @ ("tc" | "st" | "nodes" | "depth" | "timemargin") => self.of_each(key, group),
            "time" => self.of_each("tc", group),
            "hash" => {
                let unit = if group.number().is_some() { "MB" } else { "" };
                self.flags.push(flag("hash", &format!("{}{unit}", group.first())));
            }
            "threads" => {
                self.flags.push(flag("option", &format!("Threads={}", group.first())));
                self.note("these are the threads of each engine; --slots N sets how many games search at once");
            }
            "games" | "rounds" => self.schedule(group),
            "repeat" => self.repeat = group.number().or(Some(2)),
            "noswap" => self.is_noswap = true,
            "concurrency" => self.concurrency(group),
            "openings" | "book" => self.openings(group),
            "sprt" => self.sprt(group),
            "draw" => self.draw(group),
            "resign" => self.resign(group),
            "maxmoves" => self.max_moves(group),
            "tb" => {
                let folders = group.first().split([':', ';']).filter(|folder| !folder.is_empty());
                let folders = folders.map(|it| flag("syzygy", &inside(self.folder.as_deref(), it)));
                self.flags.extend(folders);
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
            "ratinginterval" | "scoreinterval" => self.interval(group),
            "event" | "site" => self.flags.push(flag(group.name(), &group.values.join(" "))),
            "srand" => self.flags.push(flag("seed", group.first())),
            "tournament" => match group.first() {
                "gauntlet" => self.is_gauntlet = true,
                "roundrobin" | "round-robin" => self.is_gauntlet = false,
                _ => self.notes.push(omitted(&group.text())),
            },
            "gauntlet" => self.is_gauntlet = true,
            "seeds" => self.seeds = group.number().filter(|seeds| *seeds > 0),
            "ponder" => self.flags.push("--ponder".to_owned()),
            "use-affinity" | "affinity" => self.flags.push(ours_called("pin", &group.values)),
            "variant" => self.variant(group),
            "pgnout" => self.pgnout(group),
            "fenout" => self.note("positions of a finished run: verdict export RUN"),
            "check-mate-pvs" => self.flags.push("--details".to_owned()),
            "report" => {
                if group.value("penta") == Some("false") {
                    self.note("-report penta=false: pairs are counted here, and say more");
                }
            }
            "config" => self.config(group),
            "startup-ms" => self.flags.push(flag("startup", &format!("{}ms", group.first()))),
            _ => return false,
        }
        true
    }

    fn of_each(&mut self, key: &str, group: &FlagGroup) {
        self.each = self.each.with(&Engine::of([(key, group.first())].into_iter()));
    }

    /// Tells keys that the flag does not have.
    fn check_keys(&mut self, group: &FlagGroup, keys: &[&str]) {
        for (key, value) in group.pairs().filter(|(key, _)| !keys.contains(key)) {
            let near = nearest(key, keys.iter().copied());
            let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
            self.wrong.push(format!("{} {key}={value}: unknown key{near}", group.typed));
        }
        let takes_words = ["sprt", "openings", "book", "pgnout"].contains(&group.name());
        let is_wrong =
            |word: &&String| !word.contains('=') && !["off", "twosided"].contains(&word.as_str());
        if let Some(word) =
            group.values.iter().find(is_wrong).filter(|_| self.is_whole && !takes_words)
        {
            self.wrong.push(format!("{} {word}: expected KEY=VALUE", group.typed));
        }
    }

    fn variant(&mut self, group: &FlagGroup) {
        match group.first() {
            "standard" => {}
            "fischerandom" | "fischerrandom" | "chess960" => self.is_chess960 = true,
            other => self.wrong.push(format!("verdict plays only chess and Chess960, not {other}")),
        }
    }

    fn pgnout(&mut self, group: &FlagGroup) {
        self.note(&format!(
            "{}: the games are in games.pgn of the run's folder (--out DIR)",
            group.typed
        ));
        let is_on = |key: &&str| group.value(key) == Some("true");
        if ["seldepth", "hashfull", "tbhits", "pv", "timeleft"].iter().any(is_on) {
            self.flags.push("--details".to_owned());
        }
        let mut others: Vec<String> = ["nps", "latency", "min"]
            .into_iter()
            .filter(is_on)
            .map(|key| format!("{key}=true"))
            .collect();
        let has_value = |(key, value): &(&str, &str)| match *key {
            "notation" => *value != "san",
            key => key == "match_line",
        };
        others.extend(group.pairs().filter(has_value).map(|(key, value)| format!("{key}={value}")));
        others.extend(group.values.iter().filter(|it| *it == "min").cloned());
        for other in others {
            self.notes.push(format!("{} {other}: no counterpart; omitted", group.typed));
        }
    }

    fn config(&mut self, group: &FlagGroup) {
        match group.value("file").filter(|_| group.value("discard") != Some("true")) {
            Some(file) => self.wrong.push(format!(
                "-config file={file}: its engines and flags are not read; type them in the line. verdict \
                 stats {file} reads its results"
            )),
            None => self.note("-config: needs no flag here: every run can be resumed by its folder"),
        }
    }

    pub(super) fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }
}

/// What of a flag is not the number that it takes.
fn wrong_numbers(group: &FlagGroup, known: &Foreign) -> Option<String> {
    if let Some(number) = known.number {
        let expected = match group.values.as_slice() {
            [] if group.name() == "repeat" => None,
            [only] => number.refused(only),
            _ => Some("one number"),
        };
        return expected.map(|expected| format!("{}: expected {expected}", group.text()));
    }
    let keys = group.pairs().filter(|(key, _)| known.keys.contains(key));
    let mut wrong = keys.filter_map(|(key, value)| {
        let expected = Number::of_key(key)?.refused(value)?;
        Some(format!("{} {key}={value}: expected {expected}", group.typed))
    });
    wrong.next()
}

pub(super) fn omitted(typed: &str) -> String {
    format!("{typed}: no equivalent, or conflicts with another flag; omitted")
}

/// An engine by `cmd=…` and so on, or by its name alone.
fn engine(group: &FlagGroup) -> Engine {
    match group.values.as_slice() {
        [alone] if !alone.contains('=') => Engine::of([("cmd", alone.as_str())].into_iter()),
        words => Engine::of_words(words),
    }
}

fn as_typed(group: &FlagGroup) -> String {
    ours_called(group.name(), &group.values)
}

fn ours_called(name: &str, values: &[String]) -> String {
    let values = values.iter().map(|value| format!(" {}", shell_word(value)));
    format!("--{name}{}", values.collect::<String>())
}
