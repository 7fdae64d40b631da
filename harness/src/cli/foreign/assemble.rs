//! What was gathered of another runner's line, put together as a line of ours.

use clap::{Arg, ArgAction, ArgGroup, Command};
use process::terminal::shell_word;

use super::engines::{Engine, flag};
use super::limits::Limits;
use super::line::{ForeignLine, omitted};
use crate::cli::first_free;

/// A line of ours.
pub(super) struct OurLine {
    /// What was wrong with the words, in words.
    pub(super) slip: String,
    /// Without the program's name, as a shell takes it.
    pub(super) line: String,
    pub(super) notes: Vec<String>,
    /// What no runner understands.
    pub(super) wrong: Vec<String>,
    pub(super) unlimited: Vec<Unlimited>,
}

/// An engine that the line says no limit of.
#[derive(Debug)]
pub(super) struct Unlimited {
    /// The flag of ours that gives it one, and how its value begins.
    pub(super) flag: &'static str,
    pub(super) prefix: String,
    /// What is missing, in words.
    pub(super) why: String,
}

impl ForeignLine {
    /// Our line; `None` where no flag was another's. `before`, the words before the first flag, names
    /// `command` in `cli`.
    pub(super) fn translated(
        mut self,
        before: &[String],
        command: &Command,
        cli: &Command,
    ) -> Option<OurLine> {
        let slip = self.slip.take()?;
        let is_match = before.is_empty() || before == ["match"];
        // A gauntlet of two is a match.
        let is_many = self.engines.len() > 2 || self.is_gauntlet && self.engines.len() != 2;
        let many = is_many || before == ["tournament"];
        let (words, command) = match is_match {
            true => {
                let word = if many { "tournament" } else { "match" };
                (vec![word.to_owned()], cli.find_subcommand(word).unwrap_or(command))
            }
            false => (before.iter().map(|word| shell_word(word)).collect(), command),
        };
        let has_test = self.has("test");
        self.tell_of_engines(many);
        let unlimited = if self.is_whole { self.unlimited(many) } else { Vec::new() };
        let mut parts = if many { self.players() } else { self.sides() };
        parts.extend(self.of_all(many));
        if many && self.is_gauntlet {
            parts.push("--gauntlet".to_owned());
            parts.extend(self.seeds.map(|seeds| flag("seeds", &seeds.to_string())));
        }
        let pairs = self.pairs().map(|pairs| flag("pairs", &pairs.to_string()));
        if self.is_chess960 && !self.has("book") {
            self.flags.push("--chess960".to_owned());
        }
        // Where the user had it in a line of another runner; behind our own flags otherwise.
        if self.is_whole {
            let defaults = self.defaults_there(many);
            parts.extend(pairs);
            parts.append(&mut self.flags);
            parts.extend(defaults);
        } else {
            parts.append(&mut self.flags);
            parts.extend(pairs);
        }
        if let Some(first) = self.engines.first().filter(|_| !many && !has_test) {
            let name = first.called().unwrap_or("the first engine").to_owned();
            self.notes.insert(0, format!("all results are test minus base, and {name} is test"));
        }
        let slip = match self.is_whole {
            true => "this is a fastchess/cutechess-cli command line".to_owned(),
            false => slip,
        };
        let (parts, omissions) = typable(parts, command);
        self.notes.extend(omissions.iter().map(|part| omitted(part)));
        let line = [words, parts].concat().join(" ");
        Some(OurLine { slip, line, notes: self.notes, wrong: self.wrong, unlimited })
    }

    /// Flags for what holds in a runner that is told nothing of it, and is other than ours.
    fn defaults_there(&mut self, many: bool) -> Vec<String> {
        let name = self.runner.name();
        let mut flags = Vec::new();
        if !self.has("book") && !self.is_chess960 {
            self.note(&format!(
                "without -openings {name} begins each game from the start position; here the openings \
                 of the included book are played"
            ));
        } else if self.has("book") && !self.has("order") {
            flags.push(flag("order", "sequential"));
        }
        if many && self.has("rule") {
            self.flags.retain(|flag| name_of(flag) != "rule");
            self.note("-sprt: the pairings of a tournament have equal length; omitted");
        }
        flags.extend(["draw", "resign", "max-moves"].into_iter().filter_map(|rule| {
            let is_off = !self.has(rule);
            is_off.then(|| flag(rule, "off"))
        }));
        if !self.has("concurrency") {
            self.note(&format!(
                "without -concurrency {name} plays one game at a time; here as many as there are \
                 processors (--slots N)"
            ));
        }
        flags
    }

    /// Whether the user gave a flag of ours.
    fn has(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| name_of(flag) == name)
    }

    /// The engines with what is said of each.
    fn effective(&self) -> Vec<Engine> {
        self.engines.iter().map(|engine| engine.with(&self.each)).collect()
    }

    /// What holds for all engines, if it is the same.
    fn shared<T: PartialEq>(&self, get: impl Fn(&Engine) -> Option<T>) -> Option<T> {
        let mut values: Vec<Option<T>> = self.effective().iter().map(&get).collect();
        let of_each = get(&self.each);
        let first = values.pop();
        match first {
            None => of_each,
            // The other side may be given in our words.
            Some(only) if values.is_empty() => only.filter(|only| of_each.as_ref() == Some(only)),
            Some(first) => first.filter(|it| values.iter().all(|other| other.as_ref() == Some(it))),
        }
    }

    /// Tells what of the engines nothing here stands for.
    fn tell_of_engines(&mut self, many: bool) {
        let mut notes = Vec::new();
        let (effective, each) = (self.effective(), &self.each);
        let all = if effective.is_empty() { std::slice::from_ref(each) } else { &effective[..] };
        for engine in all {
            let limits = engine.limit(self.runner);
            notes.extend(limits.notes);
            // With a limit beside it, a clock that is none says nothing.
            if let (None, Some(none)) = (&limits.flag, limits.none) {
                notes.push(omitted(&none));
            }
            notes.extend(engine.notes());
            for key in ["ponder", "restart", "timemargin"] {
                let differs = self.shared(|it| Some(it.get(key).map(str::to_owned))).is_none();
                let has_flag = key != "ponder" && !many || effective.is_empty();
                let is_said = key == "timemargin" || engine.is_on(key);
                if let (true, false, true, Some(value)) =
                    (differs, has_flag, is_said, engine.get(key))
                {
                    let value = if value.is_empty() { String::new() } else { format!("={value}") };
                    notes.push(omitted(&format!("{key}{value}")));
                }
            }
        }
        for engine in &self.engines {
            let replaced = engine.replaced_by(each).into_iter();
            notes.extend(replaced.map(|(own, holds)| {
                format!("{own}: -each {holds} holds for every engine, as in {}", self.runner.name())
            }));
        }
        let runner = self.runner;
        let wrong: Vec<String> = all.iter().filter_map(|engine| engine.wrong(runner)).collect();
        notes.retain(|note| !wrong.contains(note));
        notes.iter().for_each(|note| self.note(note));
        for wrong in wrong {
            if !self.wrong.contains(&wrong) {
                self.wrong.push(wrong);
            }
        }
    }

    /// The engines without a limit; of a line that our limits stand in none.
    fn unlimited(&self, many: bool) -> Vec<Unlimited> {
        if ["nodes", "depth", "movetime", "tc"].iter().any(|limit| self.has(limit)) {
            return Vec::new();
        }
        let flags = ["test-limit", "base-limit"].into_iter().filter(|_| !many);
        let mut flags = flags.chain(std::iter::repeat("limit-of"));
        let mut unlimited = Vec::new();
        for engine in self.effective() {
            let flag = flags.next().unwrap_or("limit-of");
            let Limits { flag: None, none, wrong: None, .. } = engine.limit(self.runner) else {
                continue;
            };
            let name = engine.called().unwrap_or("an engine");
            let typed = none.map_or(String::new(), |none| format!(" ({none} is none here)"));
            let prefix = if many { format!("{name}=") } else { String::new() };
            let why = format!(
                "{name} has no limit{typed}: give it one in the line, like -each tc=8+0.08, or beside \
                 it, like --tc 8+0.08 or --nodes 10000"
            );
            unlimited.push(Unlimited { flag, prefix, why });
        }
        unlimited
    }

    /// The players of a match, the first as test, unless the user has given them in our words.
    fn sides(&mut self) -> Vec<String> {
        let mut free = ["test", "base"].into_iter().filter(|side| !self.has(side));
        let (mut parts, mut notes, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let limit = self.shared(|it| it.limit(self.runner).flag);
        let margin = self.shared(Engine::margin);
        for engine in self.effective() {
            let spec = engine.spec(&self.each, self.runner, self.folder.as_deref());
            let Some(side) = free.next() else {
                notes.push(spec);
                continue;
            };
            parts.push(flag(side, &spec));
            if let Some(name) = engine.name() {
                let name = unused(name, &mut names);
                parts.push(flag(&format!("{side}-name"), &name));
            }
            if limit.is_none() {
                let limit = engine.limit(self.runner).flag;
                let limit = limit.map(|(kind, value)| format!("{kind}={value}"));
                parts.extend(limit.map(|limit| flag(&format!("{side}-limit"), &limit)));
            }
            if margin.is_none() {
                let margin = engine.margin();
                parts.extend(margin.map(|margin| flag(&format!("{side}-margin"), &margin)));
            }
            if engine.is_on("restart") && self.shared(restarts).is_none() {
                parts.push(format!("--{side}-restart"));
            }
        }
        self.notes.extend(notes.iter().map(|typed| omitted(typed)));
        parts
    }

    /// The players of a tournament. Those with a limit of their own need a name.
    fn players(&mut self) -> Vec<String> {
        let (mut parts, mut limits) = (Vec::new(), Vec::new());
        let effective = self.effective();
        let mut names = Vec::new();
        let mut own: Vec<Option<String>> = effective
            .iter()
            .map(|engine| engine.name().map(|name| unused(name, &mut names)))
            .collect();
        let shared = self.shared(|it| it.limit(self.runner).flag);
        for (engine, own) in effective.iter().zip(&mut own) {
            let spec = engine.spec(&self.each, self.runner, self.folder.as_deref());
            let limit = engine.limit(self.runner).flag.filter(|_| shared.is_none());
            let name = match (own.take(), &limit) {
                (None, Some(_)) => engine.called().map(|name| unused(name, &mut names)),
                (name, _) => name,
            };
            let named = name.as_ref().map(|name| format!("{name}={spec}"));
            parts.push(flag("player", &named.unwrap_or(spec)));
            if let (Some((kind, value)), Some(name)) = (limit, name) {
                limits.push(flag("limit-of", &format!("{name}={kind}={value}")));
            }
        }
        parts.append(&mut limits);
        parts
    }

    /// What holds for all players.
    fn of_all(&mut self, many: bool) -> Vec<String> {
        let limit = self.shared(|it| it.limit(self.runner).flag);
        let mut parts: Vec<String> = limit.iter().map(|(kind, value)| flag(kind, value)).collect();
        let options = self.each.options().map(|(name, value)| format!("{name}={value}"));
        parts.extend(options.map(|option| flag("option", &option)));
        let is_timed = |engine: &Engine| {
            engine
                .limit(self.runner)
                .flag
                .is_some_and(|(kind, _)| ["tc", "movetime"].contains(&kind))
        };
        match self.shared(Engine::margin) {
            Some(margin) => parts.push(flag("time-margin", &margin)),
            // Nothing is forgiven there unless it is asked for.
            None if self.is_whole && self.effective().iter().any(is_timed) => {
                let forgives = |engine: &Engine| engine.margin().is_some() && !many;
                let all_say = self.effective().iter().all(forgives);
                parts.extend((!all_say).then(|| flag("time-margin", "0ms")));
            }
            None => {}
        }
        parts.extend(self.shared(restarts).map(|()| "--restart".to_owned()));
        let ponders = self.shared(|it| it.is_on("ponder").then_some(()));
        parts.extend(ponders.map(|()| "--ponder".to_owned()));
        parts
    }
}

fn restarts(engine: &Engine) -> Option<()> {
    engine.is_on("restart").then_some(())
}

/// The flags that can stand beside those before them, and those that cannot.
fn typable(parts: Vec<String>, command: &Command) -> (Vec<String>, Vec<String>) {
    let mut before: Vec<&Arg> = Vec::new();
    let mut known: Vec<String> = Vec::new();
    // What was said twice alike is said.
    let parts = parts.into_iter().filter(|part| {
        let is_new = !known.contains(part);
        known.extend(is_new.then(|| part.clone()));
        is_new || !part.starts_with("--")
    });
    parts.collect::<Vec<_>>().into_iter().partition(|part| {
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
