//! The table of all runs.

use super::key_figures::{NO_VERDICT, elo, verdict_class};
use super::other::OtherMatch;
use super::run::RunResults;
use crate::record::{FinalVerdict, Side, limit_named};
use charts::html::{Cell, Column, HtmlText, Table};
use charts::numbers::{count, fixed};
use charts::scale::Scale;
use charts::svg::Svg;
use stats::{Rule, Statistics, Wdl, e_value_text, percent_clamped};

const HEIGHT: f64 = 18.0;
/// Stands for what is not known.
const NONE: &str = "–";

#[derive(Debug)]
pub(super) struct OverviewRow {
    id: String,
    name: String,
    players: [String; 2],
    limit: String,
    /// `None` where only games were counted.
    pairs: Option<u64>,
    /// `None` where only pairs were counted.
    wdl: Option<Wdl>,
    statistics: Statistics,
    verdict: Option<FinalVerdict>,
    /// What stands for no verdict.
    open: &'static str,
    /// What the rule looks at, in words and as a number.
    looked_at: (String, Option<f64>),
    /// `None` of matches that others played.
    faults: Option<u64>,
}

impl OverviewRow {
    /// `id` is that of the run's section.
    pub(super) fn of(id: String, run: &RunResults) -> OverviewRow {
        let statistics = run.tally.state.statistics();
        let [test, base] =
            [Side::Test, Side::Base].map(|side| limit_named(&run.file.identity(side).limit));
        let looked_at = match &run.terms.rule {
            Rule::Los(_) => (NONE.to_owned(), None),
            Rule::Sprt(_) => llr(&statistics),
            Rule::Anytime(_) => {
                let better = run.tally.state.evidence().map(|evidence| evidence.better);
                (better.map_or("–".to_owned(), |it| format!("e {}", e_value_text(it))), better)
            }
        };
        OverviewRow {
            id,
            name: run.name.clone(),
            players: [Side::Test, Side::Base]
                .map(|side| without_folders(&run.file.identity(side).spec)),
            limit: if test == base { test } else { format!("{test} against {base}") },
            pairs: Some(run.tally.state.pairs()),
            wdl: Some(run.tally.counts.wdl),
            statistics,
            verdict: run.ruling().verdict,
            open: "OPEN",
            looked_at,
            faults: Some(run.tally.faults.total),
        }
    }

    /// `id` is that of the match's section.
    pub(super) fn of_other(id: String, other: &OtherMatch) -> OverviewRow {
        let statistics = other.statistics;
        OverviewRow {
            id,
            name: other.name.clone(),
            players: other.players.clone(),
            limit: other.conditions.clone(),
            pairs: statistics.pairs.ok(),
            wdl: statistics.wdl.ok(),
            verdict: statistics.verdict.ok().map(FinalVerdict::from),
            open: NONE,
            looked_at: llr(&statistics),
            statistics,
            faults: None,
        }
    }

    /// The run in a few words, for the page's title.
    pub(super) fn title(&self) -> String {
        let verdict = match (self.verdict, self.faults) {
            (Some(verdict), _) => verdict.as_str().to_owned(),
            (None, Some(_)) => NO_VERDICT.to_owned(),
            (None, None) => elo(&self.statistics),
        };
        format!("{}: {verdict}", self.name)
    }
}

pub(super) fn overview(rows: &[OverviewRow]) -> String {
    let head = [
        ("Run", Column::Text),
        ("Verdict", Column::Text),
        ("Elo ± 95%", Column::Number),
        ("Interval", Column::Drawing),
        ("LOS", Column::Number),
        ("LLR or e", Column::Number),
        ("Pairs", Column::Number),
        ("W–D–L", Column::Number),
        ("Faults", Column::Number),
        ("Limit", Column::Text),
    ];
    let mut table = Table::new("All runs; Elo is test minus base", &head).of_runs();
    let ends = rows.iter().flat_map(|row| {
        let elo = row.statistics.elo;
        [elo.low95, elo.high95, elo.elo].into_iter().filter_map(Result::ok)
    });
    let scale = Scale::of(ends.chain([0.0])).with_room(0.04, 0.04);
    for row in rows {
        let OverviewRow { id, name, players: [test, base], limit, pairs, wdl, verdict, .. } = row;
        let (id, name, limit) = (HtmlText(id), HtmlText(name), HtmlText(limit));
        let statistics = &row.statistics;
        let (looked_at, key) = &row.looked_at;
        let score = wdl.map(|wdl| {
            (2.0 * wdl.win as f64 + wdl.draw as f64) / (2 * (wdl.win + wdl.draw + wdl.loss)) as f64
        });
        let wdl = wdl.map_or(NONE.to_owned(), |wdl| {
            format!("{}–{}–{}", count(wdl.win), count(wdl.draw), count(wdl.loss))
        });
        table.row([
            Cell::html(format!(
                "<a href=\"#{id}\">{name}</a>{}{}",
                player("test", test),
                player("base", base)
            )),
            Cell::html(format!(
                "<strong class=\"{}\">{}</strong>",
                verdict_class(*verdict),
                verdict.map_or(row.open, FinalVerdict::as_str)
            )),
            Cell::keyed(elo(statistics), statistics.elo.elo.ok()),
            Cell::html(interval(statistics, &scale)),
            Cell::keyed(
                statistics.los.map_or("–".to_owned(), percent_clamped),
                statistics.los.ok(),
            ),
            Cell::keyed(looked_at.clone(), *key),
            counted(*pairs),
            Cell::keyed(wdl, score),
            counted(row.faults),
            Cell::html(limit.to_string()),
        ]);
    }
    table.render()
}

fn counted(number: Option<u64>) -> Cell {
    number.map_or_else(|| Cell::keyed(NONE.to_owned(), None), Cell::count)
}

/// The log-likelihood ratio of an SPRT, in words and as a number.
fn llr(statistics: &Statistics) -> (String, Option<f64>) {
    let llr = statistics.llr.ok();
    (llr.map_or(NONE.to_owned(), |llr| format!("LLR {}", fixed(llr, 2))), llr)
}

/// Drops the folders of the program, which leave no room for what matters.
fn without_folders(spec: &str) -> String {
    let (program, options) = match spec.split_once(',') {
        Some((program, options)) => (program, format!(",{options}")),
        None => (spec, String::new()),
    };
    match (program.split_once(':'), program.rsplit_once('/')) {
        // A branch may have a stroke in its name.
        (Some((kind, _)), Some((_, name))) if kind != "git" => format!("{kind}:{name}{options}"),
        _ => spec.to_owned(),
    }
}

fn player(side: &str, label: &str) -> String {
    let label = HtmlText(label);
    format!(
        "<span class=\"clip\" title=\"{label}\"><span class=\"side {side}\">{side}</span> {label}</span>"
    )
}

/// Elo and its interval beside those of the other runs.
fn interval(statistics: &Statistics, scale: &Scale) -> String {
    let mut svg = Svg::small(HEIGHT);
    svg.upright("ground", scale.share(0.0), 0.0, HEIGHT);
    let elo = statistics.elo;
    if let (Ok(low), Ok(high)) = (elo.low95, elo.high95) {
        svg.level("whisker", scale.share(low), scale.share(high), HEIGHT / 2.0);
    }
    if let Ok(elo) = elo.elo {
        svg.dot("test", scale.share(elo), HEIGHT / 2.0, 3.5);
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_without_their_folders() {
        for (spec, short) in [
            ("uci:/usr/games/toga2", "uci:toga2"),
            ("uci:target/release/x,Hash=16,EvalFile=/a/b", "uci:x,Hash=16,EvalFile=/a/b"),
            ("embedded:default,killers.on=false", "embedded:default,killers.on=false"),
            ("embedded,lazy.on=true", "embedded,lazy.on=true"),
            ("git:topic/x", "git:topic/x"),
        ] {
            assert_eq!(without_folders(spec), short);
        }
    }
}
