//! Builds the players of a plan again if their builds are no longer in the cache.

use std::path::Path;

use super::Plan;
use crate::build::{BuildIdentity, Cache, Recipe, Wanted, build};
use crate::commas;
use crate::player::spec::PlayerSpec;
use process::Error;

impl Plan {
    /// Builds the players again whose builds are no longer in the cache.
    pub fn rebuilt(mut self, cache: &Cache, say: &dyn Fn(&str)) -> Result<Plan, Error> {
        let base = (&mut self.base, &mut self.base_build);
        let test = (&mut self.test, &mut self.test_build);
        for (spec, identity) in [base, test] {
            let (PlayerSpec::Program { path, rest, .. }, Some(known)) = (&*spec, &*identity) else {
                continue;
            };
            let (Some(repo), Some(binary)) = (&known.repo, &known.binary) else { continue };
            if Path::new(&commas::split(path).concat()).is_file() {
                continue;
            }
            let wanted = match known.commit.contains('+') {
                true => Wanted::WorkTree,
                false => Wanted::Revision(known.commit.clone()),
            };
            let command = known.command.clone();
            let recipe = Recipe { repo: repo.clone(), command, binary: binary.clone() };
            say(&format!("{path} is no longer there"));
            let built = build(&wanted, &recipe, cache, say)?;
            if built.identity.commit != known.commit {
                let (was, now) = (known.commit.clone(), built.identity.commit);
                return Err(Error::input_output(format!(
                    "{path} is no longer there, and the work tree of which it was built has changed \
                     since: expected {was}, found {now}"
                )));
            }
            *spec = PlayerSpec::uci(&built.binary, rest.clone());
            // Keep what was asked for then.
            let wanted = known.wanted.clone();
            *identity = Some(BuildIdentity { wanted, ..built.identity });
        }
        Ok(self)
    }
}
