//! The report of a sweep or a tuner's run: `summary.md`, `summary.json` and `report.html`.

use std::path::Path;

use serde_json::Value;

use crate::simulated_engine::Peak;
use arena::plan::Plan;
use arena::record::{RecordError, Summary, atomic, run_name, write_outcome};
use charts::figure::Figure;
use charts::frame::whole;
use charts::html::HtmlText;
use charts::page::Page;

/// What a report tells besides the results of the games.
#[derive(Debug, Clone, Copy, Default)]
pub struct Circumstances<'a> {
    /// The confirmation match.
    pub confirmation: Option<&'a Summary>,
    /// Empty unless simulated.
    pub peaks: &'a [Peak],
}

impl<'a> Circumstances<'a> {
    pub fn confirmed_by(confirmation: Option<&'a Summary>) -> Circumstances<'a> {
        Circumstances { confirmation, peaks: &[] }
    }

    /// The conditions in one line; `of`, where there is any, ends with a comma.
    pub(crate) fn conditions(&self, of: &str, plan: &Plan, schedule: &str) -> String {
        if self.peaks.is_empty() {
            return format!("{of}{}, {schedule}", plan.limit_in_words());
        }
        let peaks: Vec<String> = self.peaks.iter().map(Peak::words).collect();
        format!("SIMULATED, nothing was played: {}; {of}{schedule}", peaks.join(", "))
    }

    /// The result of the confirmation match as a further sentence; empty without one.
    pub(crate) fn confirmed(&self, what: &str, pairs: &str) -> String {
        let sentence = |summary: &Summary| {
            format!(" {what}, {} {pairs}: {}.", summary.pairs, summary.judged.words())
        };
        self.confirmation.map_or(String::new(), sentence)
    }

    /// What the page names as its source.
    pub(crate) fn source(&self, files: &'static str) -> &'static str {
        if self.peaks.is_empty() { files } else { "a simulated engine" }
    }
}

#[derive(Debug)]
pub struct Report {
    /// The heading of the page.
    pub(crate) heading: &'static str,
    /// Its first paragraph, HTML.
    pub(crate) intro: &'static str,
    pub(crate) source: &'static str,
    /// In one line.
    pub(crate) conditions: String,
    /// May be empty.
    pub(crate) verdict: String,
    /// The summary's text between conditions and verdict.
    pub(crate) summary: Page,
    /// `summary.json`; [`Report::write`] adds the conditions.
    pub(crate) json: Value,
    pub(crate) figures: Vec<Figure>,
    /// HTML below the figures.
    pub(crate) table: String,
    /// Other files: name and content.
    pub(crate) files: Vec<(&'static str, String)>,
}

impl Report {
    /// Writes all files into `dir`; returns the summary for people and for programs.
    pub fn write(mut self, dir: &Path) -> Result<(Page, Value), RecordError> {
        let name = run_name(dir);
        for (file, text) in std::mem::take(&mut self.files) {
            atomic::replace_by(&dir.join(file), text)?;
        }
        let html = self.page(&name);
        let Report { conditions, verdict, summary, mut json, .. } = self;
        let mut page = Page::default();
        page.heading(1, name);
        page.text(conditions.as_str());
        page.append(summary);
        page.text(verdict);
        json["conditions"] = conditions.into();
        write_outcome(dir, &page, &json, &html)?;
        Ok((page, json))
    }

    fn page(&self, name: &str) -> String {
        let mut body = format!(
            "<section>\n<h2>{}</h2>\n<p class=\"who soft\">{}</p>\n",
            HtmlText(name),
            HtmlText(&self.conditions)
        );
        if !self.verdict.is_empty() {
            body.push_str(&format!("<p>{}</p>\n", HtmlText(&self.verdict)));
        }
        if !self.figures.is_empty() {
            let figures: String = self.figures.iter().map(Figure::render).collect();
            body.push_str(&format!("<div class=\"charts\">\n{figures}</div>\n"));
        }
        body.push_str(&format!("{}</section>\n", self.table));
        whole([name, self.heading], self.intro, &body, self.source, "")
    }
}
