//! `--personality` and `--set`: who plays, whatever the command.

use engine::Params;

/// How both are written, for the commands' usage.
pub(crate) const USAGE: &str =
    "  --personality NAME|FILE              a personality by name (default: default), or a file: JSON with
                                       what differs from the table's defaults, or lines
                                       [Name = value] with what differs from 'rebel'; a file's
                                       name has a dot or a slash
  --set NAME=VALUE                     change one parameter of it; may be repeated
  --set file=FILE                      change all parameters that the file names";

/// In a parameter's place: a file of parameters.
const FILE: &str = "file";

/// A player as the options name it.
#[derive(Debug)]
pub(crate) struct Player<'a> {
    personality: &'a str,
    /// `NAME=VALUE`, in the order given.
    sets: Vec<&'a str>,
}

impl Default for Player<'_> {
    fn default() -> Self {
        Player { personality: "default", sets: Vec::new() }
    }
}

impl<'a> Player<'a> {
    /// Takes a word, and the value behind it, if it is an option of the player: true then.
    ///
    /// # Errors
    /// Where the value is missing.
    pub(crate) fn take(
        &mut self,
        word: &str,
        words: &mut impl Iterator<Item = &'a str>,
    ) -> Result<bool, String> {
        let mut value = || words.next().ok_or_else(|| format!("{word}: expected a value after it"));
        match word {
            "--personality" => self.personality = value()?,
            "--set" => self.sets.push(value()?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The parameters: by personality first, then one by one.
    ///
    /// # Errors
    /// Names, values and files that are none, with what was expected.
    pub(crate) fn params(&self) -> Result<Params, String> {
        let mut params = Params::load(self.personality).map_err(|error| error.to_string())?;
        for set in &self.sets {
            let (name, value) = set
                .split_once('=')
                .ok_or_else(|| format!("--set: expected NAME=VALUE, found '{set}'"))?;
            if name.eq_ignore_ascii_case(FILE) {
                params.apply_file(value).map_err(|error| error.to_string())?;
            } else {
                params.set(name, value).map_err(|error| error.to_string())?;
            }
        }
        Ok(params)
    }

    /// The parameters in words: `rebel, search.pvs=true`.
    pub(crate) fn words(&self) -> String {
        [&[self.personality], &self.sets[..]].concat().join(", ")
    }
}
