//! How like the recorded fault one is that a replay brings about.

use arena::record::Termination;

/// How a fault, or a game without one, ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Why the game ended; `None`: it goes on.
    pub termination: Option<Termination>,
    pub detail: String,
    /// How many plies were played before.
    pub plies: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reproduction {
    /// The same fault at the same place.
    Same,
    /// The same kind of fault, in words what is not the same.
    Kind(String),
    Another,
    None,
}

impl Ending {
    /// How like `then`, the recorded fault, this one is.
    pub(super) fn reproduction(&self, then: &Ending) -> Reproduction {
        let same_words = self.essence() == then.essence();
        match self.termination {
            None => Reproduction::None,
            now if now != then.termination => Reproduction::Another,
            _ if self.plies != then.plies => Reproduction::Kind(format!(
                "after {} plies now, after {} in the game",
                self.plies, then.plies
            )),
            _ if !same_words => Reproduction::Kind("its text differs".to_owned()),
            _ => Reproduction::Same,
        }
    }

    /// What of its words does not change from time to time; nothing where they tell a time.
    fn essence(&self) -> Option<&str> {
        let end = match self.termination? {
            // How the process ended, which is told before what it was told last.
            Termination::Crash => " after '",
            Termination::IllegalMove | Termination::FalseClaim | Termination::Garbage => {
                "; last line: '"
            }
            _ => return None,
        };
        let words = self.detail.split("; stderr: '").next()?;
        words.split(end).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(termination: Termination, detail: &str, plies: usize) -> Ending {
        Ending { termination: Some(termination), detail: detail.to_owned(), plies }
    }

    #[test]
    fn place_and_words_count_beside_the_kind() {
        use Termination::{Crash, Hang, IllegalMove};
        let crash = "test (white): crashed: exited with status 5 after 'go depth 2'";
        let told = format!("{crash}; last line: 'info time 3'; stderr: 'at 17:03'");
        let later = format!("{crash}; last line: 'info time 4'; stderr: 'at 17:04'");
        let other = crash.replace("status 5", "status 6");
        let (place, words) = (
            Reproduction::Kind("after 9 plies now, after 8 in the game".to_owned()),
            Reproduction::Kind("its text differs".to_owned()),
        );
        for (now, then, expected) in [
            (ending(Crash, &told, 8), ending(Crash, &later, 8), Reproduction::Same),
            (ending(Crash, &told, 9), ending(Crash, &told, 8), place.clone()),
            (ending(Crash, &other, 8), ending(Crash, &told, 8), words.clone()),
            (ending(IllegalMove, "e1e8", 8), ending(IllegalMove, "e1e8", 8), Reproduction::Same),
            (ending(IllegalMove, "h1h7", 8), ending(IllegalMove, "e1e8", 8), words),
            (ending(Hang, "within 2s", 8), ending(Hang, "within 2.1s", 8), Reproduction::Same),
            (ending(Hang, "within 2s", 9), ending(Hang, "within 2s", 8), place),
            (ending(Hang, "", 8), ending(Crash, "", 8), Reproduction::Another),
            (
                Ending { termination: None, ..ending(Crash, "", 8) },
                ending(Crash, "", 8),
                Reproduction::None,
            ),
        ] {
            assert_eq!(now.reproduction(&then), expected, "{now:?}, {then:?}");
        }
    }
}
