//! Processes that several players have in common: those that differ only in options which are told
//! between two games.

use std::sync::Arc;

use crate::player::program::options::Declared;
use crate::player::program::{GameOptions, ProgramSpec};
use crate::pool::PlayerPool;

/// An option that differs from game to game, and its value where a player does not set it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct VariedOption {
    #[serde(flatten)]
    pub declared: Declared,
    /// As text.
    pub value: String,
}

/// Pools by what their processes have in common.
#[derive(Default)]
pub(super) struct SharedPools {
    varied: Vec<VariedOption>,
    pools: Vec<(String, Arc<PlayerPool>)>,
}

impl SharedPools {
    /// From now on these options are told between games.
    pub(super) fn vary(&mut self, options: Vec<VariedOption>) {
        self.varied = options;
        self.pools.clear();
    }

    /// The program without the options that are told between games, and the values of these.
    fn split(&self, spec: &ProgramSpec) -> Result<(ProgramSpec, GameOptions), String> {
        let is_varied = |name: &str| {
            self.varied.iter().any(|option| option.declared.name.eq_ignore_ascii_case(name))
        };
        let values = self.varied.iter().map(|VariedOption { declared, value }| {
            let is_own = |own: &&(String, String)| own.0.eq_ignore_ascii_case(&declared.name);
            let own = spec.options.iter().find(is_own).map(|(_, value)| value);
            (declared, own.unwrap_or(value).clone())
        });
        let options = GameOptions::new(spec.protocol, values)?;
        let mut common = spec.clone();
        common.options.retain(|(name, _)| !is_varied(name));
        Ok((common, options))
    }

    /// The pool of a program: of its own by `begin`, or one that uses the processes of a pool with
    /// the same `key`. Fails where an option does not take its value.
    pub(super) fn pool(
        &mut self,
        spec: &ProgramSpec,
        key: &str,
        begin: impl FnOnce(ProgramSpec) -> PlayerPool,
    ) -> Result<PlayerPool, String> {
        if self.varied.is_empty() {
            return Ok(begin(spec.clone()));
        }
        let (common, options) = self.split(spec)?;
        let key = format!("{key} {common:?}");
        if let Some((_, pool)) = self.pools.iter().find(|(known, _)| *known == key) {
            return Ok(pool.with_options(options));
        }
        let pool = Arc::new(begin(common));
        self.pools.push((key, Arc::clone(&pool)));
        Ok(pool.with_options(options))
    }
}
