//! Values of options that a program is told before a game, and that differ from game to game.

use std::sync::Arc;

use super::options::Declared;
use super::spec::Protocol;

/// Values of options for one game, in an order that is the same for all games of a pool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameOptions(Arc<[GameOption]>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct GameOption {
    name: String,
    value: String,
    /// The line, with its end, that sets it.
    line: String,
}

impl GameOptions {
    /// Values as text. Fails, with what was expected, where an option does not take its value.
    pub fn new<'a>(
        protocol: Protocol,
        values: impl Iterator<Item = (&'a Declared, String)>,
    ) -> Result<GameOptions, String> {
        let option = |(declared, value): (&Declared, String)| {
            let line = declared.accept(&value)?.line(protocol, &declared.name);
            Ok(GameOption { name: declared.name.clone(), value, line })
        };
        Ok(GameOptions(values.map(option).collect::<Result<_, String>>()?))
    }

    /// Whether one is a copy of the other.
    pub fn is_same(&self, other: &GameOptions) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Name and value of each.
    pub fn values(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.0.iter().map(|option| (option.name.clone(), option.value.clone()))
    }

    /// These, with the values of `others` where they have one.
    pub fn with(&self, others: &GameOptions) -> GameOptions {
        let of_name = |own: &GameOption| others.0.iter().find(|it| it.name == own.name);
        GameOptions(self.0.iter().map(|own| of_name(own).unwrap_or(own).clone()).collect())
    }

    /// The lines, with their ends, that set all of them.
    pub fn lines(&self) -> String {
        self.0.iter().map(|option| option.line.as_str()).collect()
    }

    /// The lines that set those in which `before` differs.
    pub fn changes(&self, before: &GameOptions) -> String {
        let is_new = |option: &&GameOption| !before.0.contains(option);
        self.0.iter().filter(is_new).map(|option| option.line.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_is_told() {
        let declared = [
            "name Material type spin default 100 min 0 max 400",
            "name Lazy type check default true",
        ];
        let declared = declared.map(|text| Declared::uci(text).unwrap());
        let options = |values: [&str; 2]| {
            GameOptions::new(Protocol::Uci, declared.iter().zip(values.map(str::to_owned)))
        };
        let one = options(["100", "true"]).unwrap();
        let other = options(["50", "true"]).unwrap();
        assert_eq!(other.changes(&one), "setoption name Material value 50\n");
        assert_eq!(one.changes(&one), "");
        // A process of which nothing is known hears all.
        assert_eq!(one.changes(&GameOptions::default()), one.lines());
        assert_eq!(one.lines().lines().count(), 2);
        assert!(options(["401", "true"]).unwrap_err().contains("0 to 400"));
        let xboard =
            GameOptions::new(Protocol::Xboard, [(&declared[1], "off".to_owned())].into_iter());
        assert_eq!(xboard.unwrap().lines(), "option Lazy=0\n");
    }
}
