//! The pairs that a question about rules assumes: true differences in Elo and a shape.

use clap::Args;

use super::super::numbers::number;
use process::Error;
use stats::{MAX_ELO, PairModel, Pentanomial};

/// Which pairs are to be expected.
#[derive(Debug, Clone, Args)]
pub(super) struct ModelFlags {
    /// True Elo of test minus base; several are separated by commas.
    #[arg(long, value_name = "ELO,…", value_delimiter = ',', default_value = "0,2,5,10",
          allow_hyphen_values = true, value_parser = elo)]
    elo: Vec<f64>,
    /// Pentanomial distribution of equal engines; it is shifted to each Elo.
    #[arg(long, value_name = "LL,LD,DD,WD,WW", default_value = "10,15,50,15,10")]
    pub(super) shape: Pentanomial,
}

fn elo(text: &str) -> Result<f64, String> {
    let wanted = format!("an Elo difference, -{MAX_ELO} to {MAX_ELO}");
    number(text, |elo| (-MAX_ELO..=MAX_ELO).contains(&elo), &wanted)
}

impl ModelFlags {
    /// Each difference with its model; an error where the shape cannot be bent to it.
    pub(super) fn models(&self) -> Result<Vec<(f64, PairModel)>, Error> {
        let model = |&elo: &f64| match PairModel::new(&self.shape, elo) {
            Ok(model) => Ok((elo, model)),
            Err(why) => Err(Error::usage(format!("--shape {} at {elo} Elo: {why}", self.shape))),
        };
        self.elo.iter().map(model).collect()
    }
}
