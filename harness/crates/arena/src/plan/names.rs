//! What players and runs are called where nobody has named them.

use std::path::Path;

use super::Plan;
use crate::player::spec::PlayerSpec;
use crate::record::Side;

impl Plan {
    /// Who plays whom, as a folder's name.
    pub fn slug(&self) -> String {
        let named = |side| self.name(side).map_or_else(|| name(self.player(side)), str::to_owned);
        let words = format!("{}-vs-{}", named(Side::Test), named(Side::Base));
        slug(&words)
    }
}

pub fn slug(words: &str) -> String {
    let mut slug = String::new();
    for c in words.chars().take(60) {
        let c = if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        if !(c == '-' && slug.ends_with('-')) {
            slug.push(c);
        }
    }
    slug.trim_matches('-').to_owned()
}

pub fn name(player: &PlayerSpec) -> String {
    match player {
        PlayerSpec::Embedded { personality, parameters } => parameters
            .iter()
            .fold(personality.clone(), |name, (key, value)| format!("{name}-{key}-{value}")),
        PlayerSpec::Program { path, .. } => Path::new(path)
            .file_stem()
            .map_or("engine".into(), |name| name.to_string_lossy().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_plain() {
        for (words, expected) in [
            ("sh-vs-default", "sh-vs-default"),
            ("Toga II 3.0 (x) vs. me", "toga-ii-3-0-x-vs-me"),
            ("--", ""),
        ] {
            assert_eq!(slug(words), expected, "{words}");
        }
    }

    #[test]
    fn players_are_called_by_what_they_are() {
        for (spec, expected) in [
            ("embedded:rebel", "rebel"),
            ("embedded:default,late_moves.on=true", "default-late_moves.on-true"),
            ("uci:/usr/games/toga2,Hash=16", "toga2"),
            ("xboard:/opt/phalanx.bin", "phalanx"),
        ] {
            assert_eq!(name(&spec.parse().unwrap()), expected, "{spec}");
        }
    }
}
