//! `verdict stats power`: how many pairs a question takes.

use clap::Args;
use serde_json::{Value, json};

use super::super::numbers::number;
use super::super::{DONE, print};
use super::model::ModelFlags;
use process::Error;
use stats::{Course, LEAST_PAIRS, LosRule, PairModel, Prospect, Rule, pairs_for_los, power_of_los};

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

pub(super) fn run(args: &PowerArgs) -> Result<u8, Error> {
    let models = args.model.models()?;
    let (mut rows, mut text) = (Vec::new(), String::new());
    for (rule, (elo, model)) in
        args.rules.iter().flat_map(|rule| models.iter().map(move |it| (rule, it)))
    {
        let (row, words) = figure(rule, *elo, model, args.power)?;
        rows.push(row);
        text += &format!("{rule} at {elo:+} Elo: {words}\n");
    }
    print(if args.json { format!("{}\n", json!({ "rows": rows })) } else { text })?;
    Ok(DONE)
}

/// What a rule is expected to do under a model, as JSON and in words.
fn figure(rule: &Rule, elo: f64, model: &PairModel, power: f64) -> Result<(Value, String), Error> {
    let never = || "not with any number of pairs".to_owned();
    Ok(match rule {
        Rule::Los(LosRule { percent, pairs: None }) => {
            // A verdict takes as many pairs at least.
            let pairs = pairs_for_los(model, *percent, power / 100.0).map(|it| it.max(LEAST_PAIRS));
            let words =
                pairs.map(|pairs| format!("{pairs} pairs to accept in {power}% of matches"));
            let row = json!({"rule": rule, "elo": elo, "power": power, "pairs": pairs});
            (row, words.unwrap_or_else(never))
        }
        Rule::Los(LosRule { percent, pairs: Some(pairs) }) => {
            let accept = power_of_los(model, *percent, *pairs);
            let words = format!("accepts {:.1}% after its {pairs} pairs", 100.0 * accept);
            (json!({"rule": rule, "elo": elo, "accept": accept, "pairs": pairs}), words)
        }
        Rule::Sprt(sprt) => {
            let Prospect { accept, pairs } = sprt.prospect(model, 0.0).map_err(|why| {
                Error::usage(format!("--rule {rule}: {why}; see verdict stats simulate"))
            })?;
            let share = 100.0 * accept;
            let words = format!("accepts {share:.1}%, ends after {pairs:.0} pairs on average");
            (json!({"rule": rule, "elo": elo, "accept": accept, "pairs": pairs}), words)
        }
        Rule::Anytime(test) => {
            let pairs = test.pairs_left(&Course::default(), model);
            let words = pairs.map(|pairs| format!("decides after about {pairs:.0} pairs"));
            (json!({"rule": rule, "elo": elo, "pairs": pairs}), words.unwrap_or_else(never))
        }
    })
}
