//! What is varied: the values of a player as it is.

use engine::Params;

use arena::session::VariedOption;

/// The values from which all others are counted.
#[derive(Debug, Clone)]
pub enum Base {
    /// Those of the engine in this program.
    Embedded(Box<Params>),
    /// The options that a program declares, each with its value in this player.
    Program(Vec<VariedOption>),
}

impl Base {
    /// The engine in this program, as it is.
    #[cfg(test)]
    pub(crate) fn standard() -> Base {
        Base::Embedded(Box::new(Params::standard()))
    }

    /// A program that declares these options, in UCI's words.
    #[cfg(test)]
    pub(crate) fn declaring(options: &[&str]) -> Base {
        let option = |text: &&str| {
            let declared = arena::player::program::options::Declared::uci(text).expect(text);
            let value = declared.default.clone().unwrap_or_default();
            VariedOption { declared, value }
        };
        Base::Program(options.iter().map(option).collect())
    }

    /// `None` for a program.
    pub fn params(&self) -> Option<&Params> {
        match self {
            Base::Embedded(params) => Some(params),
            Base::Program(_) => None,
        }
    }
}
