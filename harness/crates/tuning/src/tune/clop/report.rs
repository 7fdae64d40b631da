//! The report of a run: the fitted strength and its maximum.

use serde_json::{Value, json};

use super::landscape::Landscape;
use super::{Clop, ClopFile, ClopParam, page};
use crate::number;
use crate::report::{Circumstances, Report};
use crate::tune::outputs::{Outputs, TunedValue};
use crate::tune::tuner::{Optimizer as _, Tuner as _};
use process::Error;

pub(super) fn report(
    clop: &Clop,
    file: &ClopFile,
    is_over: bool,
    circumstances: Circumstances<'_>,
) -> Result<Report, Error> {
    let ClopFile { plan, axes, batch, .. } = file;
    let landscape = clop.best().map(|best| Landscape { clop, best });
    let landscape = landscape.as_ref();
    let pairs = clop.pairs();
    let verdict = format!(
        "{}{}{}",
        if is_over {
            format!("Finished: {pairs} pairs")
        } else {
            format!("Not finished: {pairs} of {} pairs", plan.pairs)
        },
        landscape.map_or(".".to_owned(), Landscape::verdict),
        circumstances.confirmed("Tuned values against the base", "pairs")
    );
    let values = landscape.map_or(clop.base(), |it| &it.best.values);
    Ok(Report {
        heading: "CLOP",
        intro: "Each pair of games tries values of its own against the base; a quadratic is fitted to \
                the results near the best. All Elo is <strong>tried minus base</strong>.",
        source: circumstances.source("clop.json, points.csv and games.jsonl"),
        conditions: circumstances.conditions(
            &format!("{} against base {}, ", axes.join(" "), plan.base),
            plan,
            &format!("{} pairs, {batch} a batch, seed {}", plan.pairs, plan.seed),
        ),
        verdict,
        summary: landscape.map(Landscape::summary).unwrap_or_default(),
        json: json(clop, landscape, is_over, circumstances),
        figures: landscape.map(page::figures).unwrap_or_default(),
        table: landscape.map(|it| it.table().html("All parameters")).unwrap_or_default(),
        files: Outputs { base: &file.base()?, spec: &plan.base, form: file.form.as_ref() }
            .files(&tuned_values(clop, values)),
    })
}

fn tuned_values<'a>(clop: &'a Clop, values: &[f64]) -> Vec<TunedValue<'a>> {
    let of = |(range, &tuned): (&'a ClopParam, &f64)| TunedValue {
        tunable: &range.tunable,
        tuned,
        decimals: range.decimals(),
        range: [range.min, range.max],
    };
    clop.ranges().iter().zip(values).map(of).collect()
}

fn json(
    clop: &Clop,
    landscape: Option<&Landscape<'_>>,
    is_over: bool,
    circumstances: Circumstances<'_>,
) -> Value {
    let each = landscape.into_iter().flat_map(Landscape::outcomes).map(|outcome| {
        json!({
            "name": outcome.tunable.name(),
            "base": number::json(outcome.base),
            "tuned": number::json(outcome.best),
            "ci95": outcome.interval,
            "tried": outcome.middle,
        })
    });
    json!({
        "over": is_over,
        "pairs": clop.pairs(),
        "counting": landscape.map(|it| it.best.counting),
        "parameters": each.collect::<Vec<_>>(),
        "top": landscape.map(Landscape::top),
        "base": landscape.and_then(Landscape::base),
        "confirmation": circumstances.confirmation,
    })
}
