//! `verdict stats power`: how many pairs a question takes.

use clap::Args;
use serde_json::json;

use super::super::{DONE, numbers::number, print};
use super::model::ModelFlags;
use process::Error;
use stats::{LEAST_PAIRS, LosRule, Pentanomial, Prospect, Rule, pairs_for_los, power_of_los};

/// Compute how many pairs a stopping rule needs for a given difference in Elo.
///
/// los: the pairs after which it accepts with probability --power; with pairs=N, how often it accepts after
/// N pairs. sprt: how often it accepts, and its average number of pairs. anytime: its approximate number of
/// pairs, from the growth of its e-value (simulated averages are within 30 %).
#[derive(Debug, Clone, Args)]
#[command(before_help = "Example:\n  verdict stats power --elo 3,5 --rule los=95 --rule sprt=0,5 \
    --rule anytime=5%")]
pub(super) struct PowerArgs {
    /// Stopping rule: los=, sprt= or anytime=. May be repeated.
    #[arg(
        long = "rule",
        value_name = "RULE",
        default_value = "los=95",
        allow_hyphen_values = true
    )]
    rules: Vec<Rule>,
    #[command(flatten)]
    model: ModelFlags,
    /// Wanted power of the los rule: how often it accepts.
    #[arg(long, value_name = "PERCENT", default_value_t = 80.0, value_parser = percent)]
    power: f64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

fn percent(text: &str) -> Result<f64, String> {
    let is_above_half = |percent| percent > 50.0 && percent < 100.0;
    number(text.trim_end_matches('%'), is_above_half, "a percentage above 50 and below 100")
}

/// What is told of one rule at one Elo.
enum PowerFigure {
    Los(Option<u64>),
    /// How often so many pairs show it, 0 to 1.
    LosAfter(u64, f64),
    Sprt(Prospect),
    /// Pairs to a decision, about.
    Anytime(Option<f64>),
}

pub(super) fn run(args: &PowerArgs) -> Result<u8, Error> {
    let models = args.model.models()?;
    let mut rows = Vec::new();
    for rule in &args.rules {
        for &(elo, model) in &models {
            let answer = match rule {
                // A verdict takes as many pairs at least.
                Rule::Los(LosRule { percent, pairs: None }) => PowerFigure::Los(
                    pairs_for_los(&model, *percent, args.power / 100.0)
                        .map(|pairs| pairs.max(LEAST_PAIRS)),
                ),
                Rule::Los(LosRule { percent, pairs: Some(pairs) }) => {
                    let pairs = *pairs;
                    PowerFigure::LosAfter(pairs, power_of_los(&model, *percent, pairs))
                }
                Rule::Sprt(sprt) => {
                    PowerFigure::Sprt(sprt.prospect(&model, 0.0).map_err(|why| {
                        Error::usage(format!("--rule {rule}: {why}; see verdict stats simulate"))
                    })?)
                }
                Rule::Anytime(test) => {
                    PowerFigure::Anytime(test.pairs_left(&Pentanomial::default(), &model))
                }
            };
            rows.push((rule, elo, answer));
        }
    }
    let text = if args.json {
        let rows = rows.iter().map(|(rule, elo, answer)| match answer {
            PowerFigure::Los(pairs) => {
                json!({"rule": rule, "elo": elo, "power": args.power, "pairs": pairs})
            }
            PowerFigure::LosAfter(pairs, accept) => {
                json!({"rule": rule, "elo": elo, "accept": accept, "pairs": pairs})
            }
            PowerFigure::Sprt(Prospect { accept, pairs }) => {
                json!({"rule": rule, "elo": elo, "accept": accept, "pairs": pairs})
            }
            PowerFigure::Anytime(pairs) => json!({"rule": rule, "elo": elo, "pairs": pairs}),
        });
        format!("{}\n", json!({ "rows": rows.collect::<Vec<_>>() }))
    } else {
        let mut text = String::new();
        for (rule, elo, answer) in &rows {
            let figure_text = match answer {
                PowerFigure::Los(Some(pairs)) => {
                    format!("{pairs} pairs to accept in {}% of matches", args.power)
                }
                PowerFigure::LosAfter(pairs, accept) => {
                    format!("accepts {:.1}% after its {pairs} pairs", 100.0 * accept)
                }
                PowerFigure::Anytime(Some(pairs)) => {
                    format!("decides after about {pairs:.0} pairs")
                }
                PowerFigure::Los(None) | PowerFigure::Anytime(None) => {
                    "not with any number of pairs".to_owned()
                }
                PowerFigure::Sprt(Prospect { accept, pairs }) => {
                    format!(
                        "accepts {:.1}%, ends after {pairs:.0} pairs on average",
                        100.0 * accept
                    )
                }
            };
            text += &format!("{rule} at {elo:+} Elo: {figure_text}\n");
        }
        text
    };
    print(text)?;
    Ok(DONE)
}
