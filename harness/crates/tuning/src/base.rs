//! The player whose parameters are varied.

use engine::Params;

use crate::tunable::Tunable;
use arena::player::spec::{PlayerSpec, embedded_params};
use process::{Context as _, Error};

/// The parameters of an embedded player. Fails for another player, or one that cannot play.
pub fn params_of(player: &PlayerSpec) -> Result<Params, Error> {
    match player {
        PlayerSpec::Embedded { personality, parameters } => {
            embedded_params(personality, parameters).context("--base")
        }
        PlayerSpec::Program { .. } => Err(not_embedded(player)),
    }
}

/// The error for a base that is no embedded player.
pub fn not_embedded(base: &dyn std::fmt::Display) -> Error {
    Error::usage(format!(
        "--base {base}: expected an embedded player; only the parameters of mutineer can be varied"
    ))
}

/// An embedded player with other values. Fails as [`params_of`] does.
pub(crate) fn with_values(
    player: &PlayerSpec,
    tunables: &[Tunable],
    values: &[i32],
) -> Result<PlayerSpec, Error> {
    let base = params_of(player)?;
    let mut player = player.clone();
    if let PlayerSpec::Embedded { parameters, .. } = &mut player {
        for (tunable, &value) in
            tunables.iter().zip(values).filter(|(tunable, value)| tunable.get(&base) != **value)
        {
            let cells = tunable.cells(&base, f64::from(value)).into_iter();
            let cells = cells.filter(|(name, value)| base.get(name) != Ok(value.to_string()));
            parameters.extend(cells.map(|(name, value)| (name, value.to_string())));
        }
    }
    Ok(player)
}
