//! A match that another program played, of which only counts are known.

use super::key_figures::{FigureRow, list, of_sprt, of_statistics, verdict_class};
use crate::record::FinalVerdict;
use charts::html::HtmlText;
use charts::numbers::{count, counted, percent};
use stats::{Sprt, Statistics};

pub struct OtherMatch {
    pub name: String,
    /// Test and base.
    pub players: [String; 2],
    pub conditions: String,
    /// Test minus base, with the verdict of `sprt`.
    pub statistics: Statistics,
    pub sprt: Option<Sprt>,
    /// What its file says of its own test, in words.
    pub given: Option<String>,
    /// The file that the counts are from.
    pub source: String,
    pub notes: Vec<String>,
}

impl OtherMatch {
    /// Its part of a page; `id` tells it from others.
    pub(super) fn section(&self, id: &str) -> String {
        let [test, base] = [0, 1].map(|side| HtmlText(&self.players[side]));
        let verdict = self.statistics.verdict.ok().map(FinalVerdict::from);
        let mut out = format!(
            "<section id=\"{id}\" aria-labelledby=\"{id}-name\">\n<h2 id=\"{id}-name\">{}</h2>\n\
             <p class=\"who\"><span class=\"side test\">test</span> {test}</p>\n\
             <p class=\"who\"><span class=\"side base\">base</span> {base}</p>\n\
             <p class=\"who soft\">{}</p>\n",
            HtmlText(&self.name),
            HtmlText(&self.conditions)
        );
        if let (Some(verdict), Some(sprt)) = (verdict, &self.sprt) {
            out.push_str(&format!(
                "<p class=\"verdict\"><strong class=\"{}\">{verdict}</strong> {}</p>\n",
                verdict_class(Some(verdict)),
                HtmlText(&sprt.to_string())
            ));
        }
        let mut rows = of_statistics(&self.statistics);
        rows.extend(self.sprt.map(|sprt| of_sprt(&sprt, &self.statistics)));
        rows.extend(
            self.given.clone().map(|given| ("Its own test", given, "as its file says".to_owned())),
        );
        rows.extend(self.results());
        out.push_str(&format!("<dl class=\"figures\">\n{}</dl>\n", list(&rows)));
        let source = format!("Counts from {}.", self.source);
        for note in self.notes.iter().chain([&source]) {
            out.push_str(&format!("<p class=\"remark\">{}</p>\n", HtmlText(note)));
        }
        out.push_str("</section>\n");
        out
    }

    fn results(&self) -> Vec<FigureRow> {
        let Statistics { pairs, wdl, ptnml, games, score, .. } = &self.statistics;
        let mut rows = Vec::new();
        if let (Ok(pairs), Ok(ptnml)) = (pairs, ptnml) {
            let [ll, ld, dd, wd, ww] = ptnml.to_array();
            rows.push((
                "Pairs",
                count(*pairs),
                format!("LL {ll}, LD {ld}, DD+WL {dd}, WD {wd}, WW {ww}"),
            ));
        }
        if let Ok(wdl) = wdl {
            let wdl = format!("{} – {} – {}", count(wdl.win), count(wdl.draw), count(wdl.loss));
            rows.push(("Won – drawn – lost", wdl, counted(*games, "game")));
        }
        if let Ok(score) = score {
            rows.push(("Score of test", percent(*score), counted(*games, "game")));
        }
        rows
    }
}
