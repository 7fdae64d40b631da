//! The part of a page that one run has.

use super::pace::Spent;
use super::run::RunResults;
use super::{games, key_figures, paths, shares, tables};
use crate::record::Side;
use charts::html::HtmlText;

/// `id` tells the run from others.
pub(super) fn section(id: &str, run: &RunResults) -> String {
    let [test, base] = [Side::Test, Side::Base].map(|side| {
        let player = run.file.identity(side);
        format!("{} · {}", player.name, player.spec)
    });
    let mut out = format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-name\">\n<h2 id=\"{id}-name\">{}</h2>\n\
         <p class=\"who\"><span class=\"side test\">test</span> {}</p>\n\
         <p class=\"who\"><span class=\"side base\">base</span> {}</p>\n\
         <p class=\"who soft\">{}</p>\n",
        HtmlText(&run.name),
        HtmlText(&test),
        HtmlText(&base),
        HtmlText(&run.file.conditions())
    );
    out.push_str(&key_figures::figures(run));
    out.push_str(&key_figures::remarks(run));
    if run.tally.state.pairs() > 0 {
        out.push_str("<div class=\"charts\">\n");
        let figures = [
            Some(paths::elo(id, run)),
            Some(paths::rule(id, run)),
            Some(shares::pairs(id, run)),
            Some(shares::colors(id, run)),
            Some(shares::white(id, run)),
            shares::openings(id, run),
            Some(games::lengths(id, run)),
            games::pace(id, run, Spent::Millis),
            games::pace(id, run, Spent::Nodes),
        ];
        figures.iter().flatten().for_each(|figure| out.push_str(&figure.render()));
        out.push_str("</div>\n");
    } else {
        out.push_str("<p class=\"none\">No pair of games counts yet.</p>\n");
    }
    out.push_str(&format!(
        "<div class=\"tables\">\n{}{}</div>\n{}{}{}",
        tables::ends(run),
        tables::time_use(run),
        tables::faults(run),
        tables::machines(run),
        tables::openings(run)
    ));
    out.push_str(&format!(
        "<details><summary>Players and conditions</summary>\n{}{}</details>\n</section>\n",
        tables::players(run),
        tables::conditions(run)
    ));
    out
}
