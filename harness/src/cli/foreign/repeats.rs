//! Flags as their runner understands them where they are given again, or stand for others.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use super::runner::Runner;
use super::table::known_flag;
use super::words::FlagGroup;

/// The flags of a line, each once but for engines.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) groups: Vec<FlagGroup>,
    pub(super) notes: Vec<String>,
    /// What the runner refuses.
    pub(super) wrong: Vec<String>,
}

impl Gathered {
    /// Of a line of this runner.
    pub(super) fn of(typed: &[FlagGroup], runner: Runner) -> Gathered {
        let mut all = Gathered::default();
        for group in typed {
            match group.name() {
                _ if group.has_two_dashes() => all.groups.push(group.clone()),
                "quick" => match quick(group) {
                    Ok(groups) => groups.into_iter().for_each(|it| all.add(it, runner)),
                    Err(wrong) => all.wrong.push(wrong),
                },
                // There it sets the number of games, which a later -games sets anew.
                "repeat" if runner == Runner::Fastchess => {
                    let values = match group.values.is_empty() {
                        true => vec!["2".to_owned()],
                        false => group.values.clone(),
                    };
                    all.add(FlagGroup { typed: "-games".to_owned(), values, ..*group }, runner);
                }
                _ => all.add(group.clone(), runner),
            }
        }
        all
    }

    fn add(&mut self, group: FlagGroup, runner: Runner) {
        let is_repeatable = match runner {
            Runner::Cutechess => group.name() == "engine",
            Runner::Fastchess | Runner::CChessCli => group.is_of_engines(),
        };
        let is_same = |it: &&mut FlagGroup| !it.has_two_dashes() && it.name() == group.name();
        let known = known_flag(group.name()).filter(|_| !is_repeatable);
        let earlier = known.and_then(|known| Some((known, self.groups.iter_mut().find(is_same)?)));
        let Some((known, earlier)) = earlier else {
            self.groups.push(group);
            return;
        };
        if runner == Runner::Cutechess {
            let typed = &group.typed;
            self.wrong.push(format!("{typed}: given twice, which cutechess-cli refuses; keep one"));
            return;
        }
        if known.keys.is_empty() {
            if !earlier.is_implied && earlier.values != group.values {
                self.notes.push(format!("{}: {}", earlier.text(), follows(&group, &group.text())));
            }
            *earlier = group;
            return;
        }
        for (key, value) in group.pairs() {
            let replaced = earlier.value(key).filter(|old| !earlier.is_implied && *old != value);
            self.notes.extend(replaced.map(|old| {
                let typed = &group.typed;
                format!("{typed} {key}={old}: {}", follows(&group, &format!("{key}={value}")))
            }));
        }
        earlier.is_implied &= group.is_implied;
        earlier.values.extend(group.values);
    }
}

fn follows(group: &FlagGroup, text: &str) -> String {
    let of = if group.is_implied { " of -quick" } else { "" };
    format!("{text}{of} follows and holds")
}

/// What `-quick cmd=ENGINE cmd=ENGINE book=BOOK` stands for.
fn quick(group: &FlagGroup) -> Result<Vec<FlagGroup>, String> {
    let values = |wanted: &str| -> Vec<&str> {
        group
            .words()
            .filter(|(key, value)| *key == wanted && !value.is_empty())
            .map(|it| it.1)
            .collect()
    };
    let (engines, books) = (values("cmd"), values("book"));
    let ([one, other], Some(book)) = (engines.as_slice(), books.last()) else {
        return Err(format!("{}: expected -quick cmd=ENGINE cmd=ENGINE book=FILE", group.text()));
    };
    if engines.len() + books.len() != group.values.len() {
        return Err(format!("{}: expected only cmd= and book= behind -quick", group.text()));
    }
    // Two processors stay free, and one game is played at least.
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    let games_at_once = processors.saturating_sub(2).max(1).to_string();
    let engine = |cmd: &str| ("engine", vec![format!("cmd={cmd}"), "tc=10+0.1".to_owned()]);
    let parts = [
        engine(one),
        engine(other),
        ("openings", vec![format!("file={book}"), "order=random".to_owned()]),
        ("games", vec!["2".to_owned()]),
        ("rounds", vec!["25000".to_owned()]),
        ("concurrency", vec![games_at_once]),
        ("draw", ["movenumber=30", "movecount=8", "score=8"].map(str::to_owned).to_vec()),
        ("output", vec!["format=cutechess".to_owned()]),
    ];
    let groups = parts.into_iter().map(|(name, values)| FlagGroup {
        typed: format!("-{name}"),
        values,
        is_implied: true,
    });
    Ok(groups.collect())
}
