//! Count settings given on the command line.

use tables::CountSettings;

/// The [`CountSettings`] given on the command line; `None` where none is given.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CountOverrides {
    pub(super) opening_plies: Option<u32>,
    pub(super) consecutive: Option<u32>,
    /// Only quiet positions; nobody can ask for the others only.
    pub(super) quiet: bool,
    pub(super) phase_limit: Option<i32>,
    pub(super) sample: Option<u32>,
}

impl CountOverrides {
    /// `usual`, overridden by what was given.
    pub(super) fn apply(&self, usual: CountSettings) -> CountSettings {
        CountSettings {
            opening_plies: self.opening_plies.unwrap_or(usual.opening_plies),
            consecutive: self.consecutive.unwrap_or(usual.consecutive),
            quiet: self.quiet || usual.quiet,
            phase_limit: self.phase_limit.unwrap_or(usual.phase_limit),
            sample: self.sample.unwrap_or(usual.sample),
            ..usual
        }
    }

    /// Refuses counts that were made otherwise: they cannot be counted anew.
    pub(super) fn check(&self, made: &CountSettings) -> Result<(), String> {
        let differs = |flag: &str, given: Option<i64>, made: i64| match given {
            Some(asked) if asked != made => Some(format!("{flag} {asked}, found {made}")),
            _ => None,
        };
        let moves = |plies: u32| i64::from(plies / 2);
        let found = [
            differs("--moves", self.opening_plies.map(moves), moves(made.opening_plies)),
            differs("--consecutive", self.consecutive.map(i64::from), i64::from(made.consecutive)),
            (self.quiet && !made.quiet).then(|| "--quiet-positions, found all".to_owned()),
            differs("--phase-limit", self.phase_limit.map(i64::from), i64::from(made.phase_limit)),
            differs("--positions", self.sample.map(i64::from), i64::from(made.sample)),
        ];
        match found.into_iter().flatten().next() {
            Some(what) => Err(format!("expected counts made with {what}: count the games again")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_must_be_what_was_made() {
        let made = CountSettings { opening_plies: 40, ..CountSettings::usual() };
        assert_eq!(CountOverrides::default().check(&made), Ok(()));
        let moves = |moves: u32| CountOverrides {
            opening_plies: Some(2 * moves),
            ..CountOverrides::default()
        };
        assert_eq!(moves(20).check(&made), Ok(()));
        assert!(moves(5).check(&made).unwrap_err().contains("--moves 5, found 20"));
        let quiet = CountOverrides { quiet: true, ..CountOverrides::default() };
        assert!(quiet.check(&made).is_err());
        assert_eq!(quiet.check(&CountSettings { quiet: true, ..made }), Ok(()));
        let runs = CountOverrides {
            consecutive: Some(3),
            phase_limit: Some(30),
            ..CountOverrides::default()
        };
        assert!(runs.check(&made).is_err());
        let counted = runs.apply(CountSettings::usual());
        assert_eq!((counted.consecutive, counted.phase_limit, counted.sample), (3, 30, 0));
        assert_eq!(runs.check(&counted), Ok(()));
    }
}
