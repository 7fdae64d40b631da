//! A/A tests: whether both sides are the same player, and what the figures mean then.

use serde_json::{Map, Value};

use super::{Identity, RunFile};
use crate::commas;

/// What programs call the number of threads that they search with.
const THREADS: [&str; 2] = ["threads", "cores"];

impl RunFile {
    /// Whether test and base are the same player, so that the run is an A/A test: equal are the
    /// program, its arguments and options, the files that these name, the limit, and all else that
    /// is a player's own but for its name.
    pub fn same_players(&self) -> bool {
        let (base, test) = (&self.base, &self.test);
        let own = |side| self.plan.get(format!("{side}_own")).and_then(Value::as_object);
        let (base_own, test_own) = (own("base"), own("test"));
        // Limits are compared as they are played.
        let keys = [base_own, test_own].into_iter().flatten().flat_map(Map::keys);
        let mut keys = keys.filter(|key| !["name", "limit"].contains(&key.as_str()));
        // A key that a player does not have of its own has the plan's common value.
        let of = |own: Option<&'_ Map<String, Value>>, key: &str| {
            own.and_then(|own| own.get(key)).or(self.plan.get(key)).cloned()
        };
        self.games_of.is_none()
            && is_same_program(base, test)
            && base.options == test.options
            && base.files == test.files
            && base.limit == test.limit
            && keys.all(|key| of(base_own, key) == of(test_own, key))
    }
}

/// Whether an option of this name says on how many threads a program searches.
pub fn is_threads(name: &str) -> bool {
    THREADS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

impl Identity {
    /// As far as its options say.
    pub fn threads(&self) -> u64 {
        let threads_option = self.options.iter().find(|(name, _)| is_threads(name));
        let value = threads_option.and_then(|(_, value)| value.as_str()?.trim().parse().ok());
        value.unwrap_or(1)
    }

    /// Whether it should play the same game each time: no time counts, and one thread searches.
    fn repeats_itself(&self) -> bool {
        let limit = &self.limit;
        let counts_no_time = ["nodes=", "depth="].iter().any(|kind| limit.starts_with(kind))
            || limit.ends_with("nodes/ms");
        counts_no_time && self.threads() <= 1
    }

    /// What the figures of an A/A test of this player mean.
    pub fn aa_test(&self) -> String {
        let mut text = "test and base are the same player (program, options and limits are equal): an A/A \
                        test. Its result shows the noise of the conditions; ACCEPT and REJECT say nothing \
                        about a change."
            .to_owned();
        if self.repeats_itself() {
            text.push_str(
                " Without a clock and with one thread both games of a pair are equal, so that every pair \
                 is drawn; if one is not, the engine is not reproducible.",
            );
        }
        text
    }

    fn is_embedded(&self) -> bool {
        self.spec.starts_with("embedded")
    }
}

/// The parts of a player's text that say how the program is started: its arguments, its working
/// directory.
fn launch_words(spec: &str) -> Vec<String> {
    let mut words = commas::split(spec);
    words
        .retain(|word| ["arg", "dir"].contains(&word.split('=').next().unwrap_or_default().trim()));
    words
}

fn is_same_program(a: &Identity, b: &Identity) -> bool {
    let is_known = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
    match (a.is_embedded(), b.is_embedded()) {
        // Options are told as differences from the personality.
        (true, true) => a.name == b.name,
        (false, false) => {
            let file = |it: &Identity| commas::head(&it.spec).0.to_owned();
            // What a script starts may lie beside it.
            let is_whole = !a.is_script || file(a) == file(b);
            let is_same_file = is_known(&a.build, &b.build) && is_whole;
            (is_same_file || is_known(&a.commit, &b.commit))
                && launch_words(&a.spec) == launch_words(&b.spec)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
