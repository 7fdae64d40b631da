//! The player whose parameters or options are varied.

use engine::Params;

use crate::tunable::{Base, Tunable};
use arena::commas;
use arena::player::program::options::Declared;
use arena::player::program::{GameOptions, Protocol};
use arena::player::spec::{PlayerSpec, embedded_params};
use arena::session::{AskedProgram, VariedOption};
use arena::varied::Values;
use process::{Context as _, Error};

/// The parameters of an embedded player. Fails for another player, or one that cannot play.
pub fn params_of(player: &PlayerSpec) -> Result<Params, Error> {
    match player {
        PlayerSpec::Embedded { personality, parameters } => {
            embedded_params(personality, parameters).context("--base")
        }
        PlayerSpec::Program { .. } => Err(Error::usage(format!(
            "--base {player}: expected an embedded player, only it has the parameters of mutineer"
        ))),
    }
}

/// The values of a player; a program has `options`, as it was asked for them. Fails for an embedded
/// player that cannot play.
pub fn base_of(player: &PlayerSpec, options: &[VariedOption]) -> Result<Base, Error> {
    Ok(match player {
        PlayerSpec::Embedded { .. } => Base::Embedded(Box::new(params_of(player)?)),
        PlayerSpec::Program { .. } => Base::Program(options.to_vec()),
    })
}

/// The options of a program with their values in the player: as it sets them, else their defaults.
pub fn options_of(asked: AskedProgram) -> Vec<VariedOption> {
    let AskedProgram { identity, declared } = asked;
    let option = |declared: Declared| {
        let is_own = |(name, _): &&(String, String)| name.eq_ignore_ascii_case(&declared.name);
        let set = identity.options.iter().rev().find(is_own).map(|(_, value)| value.clone());
        let value = set.or(declared.default.clone()).unwrap_or_default();
        VariedOption { declared, value }
    };
    declared.into_iter().map(option).collect()
}

/// The options of these tunables.
pub fn varied<'a>(tunables: impl Iterator<Item = &'a Tunable>) -> Vec<VariedOption> {
    tunables.filter_map(Tunable::option).cloned().collect()
}

/// The values as a program is told them before a game.
pub(crate) fn game_options<'a>(
    protocol: Protocol,
    values: impl Iterator<Item = (&'a Tunable, f64)>,
) -> Result<GameOptions, Error> {
    let values = values
        .filter_map(|(tunable, value)| Some((&tunable.option()?.declared, tunable.text(value))));
    GameOptions::new(protocol, values).map_err(Error::usage)
}

/// What the player of `base` is given to have these values.
pub(crate) fn values(tunables: &[&Tunable], base: &Base, values: &[f64]) -> Values {
    let each = tunables.iter().zip(values);
    let given = each.flat_map(|(tunable, value)| tunable.settings(base, *value));
    given.filter(|(name, value)| base.params().is_none_or(|it| is_new(it, name, value))).collect()
}

fn is_new(base: &Params, name: &str, value: &str) -> bool {
    base.get(name).as_deref() != Ok(value)
}

/// The player of `base` with other values.
pub fn with_values<'a>(
    player: &PlayerSpec,
    base: &Base,
    values: impl Iterator<Item = (&'a Tunable, f64)>,
) -> PlayerSpec {
    let mut player = player.clone();
    let changed = values.filter(|(tunable, value)| tunable.get(base) != *value);
    let settings: Vec<(String, String)> =
        changed.flat_map(|(tunable, value)| tunable.settings(base, value)).collect();
    match &mut player {
        PlayerSpec::Embedded { parameters, .. } => {
            let new = settings
                .into_iter()
                .filter(|(name, value)| base.params().is_none_or(|it| is_new(it, name, value)));
            parameters.extend(new);
        }
        PlayerSpec::Program { rest, .. } => {
            let is_replaced = |part: &str| {
                let own = part.split_once('=').map_or(part, |(own, _)| own).trim();
                settings.iter().any(|(name, _)| name.eq_ignore_ascii_case(own))
            };
            let kept = commas::split(rest).into_iter().skip(1).filter(|part| !is_replaced(part));
            let set = settings.iter().map(|(name, value)| format!("{name}={value}"));
            let mut written = String::new();
            for part in kept.chain(set) {
                commas::append(&mut written, &commas::escape(&part));
            }
            *rest = written;
        }
    }
    player
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_a_program_are_put_in_the_place_of_its_own() {
        let declared =
            Declared::uci("name Material type spin default 100 min 0 max 400").expect("a spin");
        let options = [VariedOption { declared, value: "30".to_owned() }];
        let player: PlayerSpec =
            r"uci:/bin/sh,Book=a\,b,material=30,arg=x".parse().expect("a player");
        let base = base_of(&player, &options).expect("a base");
        let tunable = Tunable::find("Material", &base).expect("an option");
        let with = |value: f64| with_values(&player, &base, [(&tunable, value)].into_iter());
        assert_eq!(with(30.0), player);
        assert_eq!(with(50.0).to_string(), r"uci:/bin/sh,Book=a\,b,arg=x,Material=50");
    }
}
