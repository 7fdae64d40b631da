//! Names that tell the players of several runs apart.

use std::collections::{BTreeMap, BTreeSet};

use arena::record::Identity;
use process::Error;

/// What makes a player: equal ones are the same player. A program's bench is its behaviour; where
/// it is not known, its file stands for it.
type Essence<'a> = (&'a str, String, &'a str, String);

/// How many digits of a hash or commit are shown.
const DIGITS: usize = 10;

/// A name for each identity; equal players have equal names, and different ones different names.
///
/// A player is called what it was named; else an embedded one by its spec, a program by its own
/// name, its commit and the options given to it, without options beyond the third unless they are
/// needed; where that is not enough, limit, commit, bench, build and at last a number follow.
pub(super) fn names(identities: &[&Identity]) -> Vec<String> {
    let mut full_names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for identity in identities {
        let full = full_name(identity);
        full_names.entry(shortened(&full)).or_default().insert(full);
    }
    let short_name = |identity: &Identity| {
        let full = full_name(identity);
        let short = shortened(&full);
        if full_names.get(&short).is_some_and(|names| names.len() > 1) { full } else { short }
    };
    let mut by_name: BTreeMap<String, BTreeMap<Essence<'_>, &Identity>> = BTreeMap::new();
    for identity in identities {
        let players = by_name.entry(short_name(identity)).or_default();
        players.entry(essence(identity)).or_insert(identity);
    }
    let mut names: BTreeMap<(String, Essence<'_>), String> = BTreeMap::new();
    for (short, players) in by_name {
        let players: Vec<(Essence<'_>, &Identity)> = players.into_iter().collect();
        let who: Vec<&Identity> = players.iter().map(|(_, identity)| *identity).collect();
        for ((essence, _), name) in players.into_iter().zip(distinct_names(&short, &who)) {
            names.insert((short.clone(), essence), name);
        }
    }
    let name = |identity: &&Identity| {
        let short = short_name(identity);
        names.get(&(short.clone(), essence(identity))).cloned().unwrap_or(short)
    };
    identities.iter().map(name).collect()
}

fn essence(identity: &Identity) -> Essence<'_> {
    let options: BTreeMap<_, _> = identity.options.iter().collect();
    let options = options.iter().map(|(name, value)| format!("{name}={value};")).collect();
    let program = match (identity.bench, &identity.build) {
        (Some(bench), _) => bench.to_string(),
        (None, Some(build)) => build.clone(),
        (None, None) => identity.commit.clone().unwrap_or_default(),
    };
    (&identity.name, options, &identity.limit, program)
}

fn full_name(identity: &Identity) -> String {
    if let Some(alias) = &identity.alias {
        return alias.clone();
    }
    if identity.spec.starts_with("embedded") {
        return identity.spec.clone();
    }
    let mut name = identity.own_name().into_owned();
    if let Some(commit) = &identity.commit {
        name.push_str(&format!(" ({})", head(commit)));
    }
    if let Some(options) = given_options(&identity.spec) {
        name.push_str(&format!(" {options}"));
    }
    name
}

/// The name with at most three options, and how many more there are.
fn shortened(name: &str) -> String {
    const SHOWN: usize = 3;
    let commas: Vec<usize> = name.match_indices(',').map(|(at, _)| at).collect();
    match commas.get(SHOWN) {
        Some(&end) => format!("{},+{}", &name[..end], commas.len() - SHOWN),
        None => name.to_owned(),
    }
}

/// What stands in a program's spec after its path, whose commas are escaped.
fn given_options(spec: &str) -> Option<&str> {
    let commas = spec.match_indices(',').map(|(at, _)| at);
    let first = commas.into_iter().find(|&at| !spec[..at].ends_with('\\'))?;
    Some(&spec[first + 1..])
}

/// Names for different players of one short name.
fn distinct_names(short: &str, players: &[&Identity]) -> Vec<String> {
    let mut names = vec![short.to_owned(); players.len()];
    let traits: [fn(&Identity) -> String; 4] = [
        |player| player.limit.clone(),
        |player| player.commit.as_deref().map(head).unwrap_or_default(),
        |player| player.bench.map(|bench| format!("bench {bench}")).unwrap_or_default(),
        |player| player.build.as_deref().map(|b| format!("build {}", head(b))).unwrap_or_default(),
    ];
    for of in traits {
        if are_different(&names) {
            return names;
        }
        let values: Vec<String> = players.iter().map(|player| of(player)).collect();
        if values.iter().any(|value| *value != values[0]) {
            for (name, value) in names.iter_mut().zip(values).filter(|(_, value)| !value.is_empty())
            {
                name.push_str(&format!(" [{value}]"));
            }
        }
    }
    if !are_different(&names) {
        let numbered = names.iter_mut().zip(1..);
        numbered.for_each(|(name, number)| name.push_str(&format!(" #{number}")));
    }
    names
}

fn are_different(names: &[String]) -> bool {
    names.iter().collect::<BTreeSet<_>>().len() == names.len()
}

fn head(digits: &str) -> String {
    digits.chars().take(DIGITS).collect()
}

/// Names of players in PGN of these runs, with their names here; `None` for a name of several.
pub(super) type NamesInPgn = BTreeMap<String, Option<String>>;

/// The user's names for players.
pub(super) struct Renaming<'a> {
    names: BTreeMap<&'a str, &'a str>,
    unused: BTreeSet<&'a str>,
}

impl<'a> Renaming<'a> {
    pub(super) fn new(names: &'a [(String, String)]) -> Renaming<'a> {
        let names: BTreeMap<&str, &str> =
            names.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
        Renaming { unused: names.keys().copied().collect(), names }
    }

    pub(super) fn get(&mut self, name: &str) -> Option<&'a str> {
        let (&from, &to) = self.names.get_key_value(name)?;
        self.unused.remove(from);
        Some(to)
    }

    pub(super) fn finish(self) -> Result<(), Error> {
        match self.unused.first() {
            Some(name) => Err(Error::usage(format!("--name: no player is called {name:?}"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn player(spec: &str, name: &str) -> Identity {
        Identity {
            spec: spec.into(),
            name: name.into(),
            limit: "depth=4".into(),
            ..Identity::default()
        }
    }

    #[test]
    fn players_are_told_apart_by_what_differs() {
        let default = player("embedded:default", "mutineer default");
        let changed = player("embedded:default,lmr.on=false", "mutineer default");
        let deeper = Identity { limit: "depth=6".into(), ..default.clone() };
        let glaurung = player("uci:/usr/games/glaurung", "Glaurung 2.2");
        let mut small = player(r"uci:/a\,b/glaurung,Hash=1", "Glaurung 2.2");
        small.options.insert("Hash".into(), json!("1"));
        let rebuilt = Identity { build: Some("0123456789abcdef".into()), ..glaurung.clone() };
        let all = [&default, &changed, &deeper, &glaurung, &small, &rebuilt, &default];
        assert_eq!(
            names(&all),
            [
                "embedded:default [depth=4]",
                "embedded:default,lmr.on=false",
                "embedded:default [depth=6]",
                "Glaurung 2.2",
                "Glaurung 2.2 Hash=1",
                "Glaurung 2.2 [build 0123456789]",
                "embedded:default [depth=4]",
            ]
        );
    }

    #[test]
    fn options_beyond_the_third_are_named_where_they_are_needed() {
        let many = |last: &str| player(&format!("embedded:x,a=1,b=2,c=3,d=4,e={last}"), "mutineer");
        assert_eq!(names(&[&many("5")]), ["embedded:x,a=1,b=2,c=3,+2"]);
        let (five, six) = (many("5"), many("6"));
        assert_eq!(names(&[&five, &six]), [five.spec.clone(), six.spec.clone()]);
    }

    #[test]
    fn equal_bench_is_one_player_whatever_the_build() {
        let one = Identity { bench: Some(7), build: Some("a".into()), ..player("uci:x", "X") };
        let two = Identity { build: Some("b".into()), ..one.clone() };
        assert_eq!(names(&[&one, &two]), ["X", "X"]);
    }

    #[test]
    fn what_nothing_tells_apart_is_numbered() {
        let one = player("uci:x", "X");
        let mut two = one.clone();
        two.options.insert("Style".into(), json!("wild"));
        assert_eq!(names(&[&two, &one]), ["X #2", "X #1"]);
    }
}
