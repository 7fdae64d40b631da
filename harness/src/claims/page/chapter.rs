//! Claims in the order of the texts that they are from.

use crate::claims::file::Paper;
use crate::claims::{Claim, ClaimsFile};

/// The claims of one chapter of a text.
pub(super) struct Chapter<'a> {
    pub paper_id: &'a str,
    pub name: &'a str,
    pub claims: Vec<&'a Claim>,
    paper: Option<&'a Paper>,
}

impl Chapter<'_> {
    pub(super) fn paper_title(&self) -> String {
        match self.paper {
            Some(paper) => format!("{} ({})", paper.title, self.by().unwrap_or_default()),
            None => format!("Text {}", self.paper_id),
        }
    }

    /// Who wrote it, and when, if it is known.
    pub(super) fn by(&self) -> Option<String> {
        let paper = self.paper?;
        let year = paper.year.as_ref().map_or(String::new(), |year| format!(", {year}"));
        Some(format!("{}{year}", paper.by))
    }
}

/// In the order of the texts, then of the file.
pub(super) fn chapters(file: &ClaimsFile) -> Vec<Chapter<'_>> {
    let mut chapters: Vec<Chapter<'_>> = Vec::new();
    for claim in &file.claims {
        let (paper_id, name) = place(&claim.source);
        match chapters.iter_mut().find(|it| (it.paper_id, it.name) == (paper_id, name)) {
            Some(chapter) => chapter.claims.push(claim),
            None => {
                let paper = file.papers.iter().find(|paper| paper.id == paper_id);
                chapters.push(Chapter { paper_id, name, claims: vec![claim], paper });
            }
        }
    }
    let order = |id: &str| file.papers.iter().position(|paper| paper.id == id);
    chapters.sort_by_key(|chapter| order(chapter.paper_id).unwrap_or(usize::MAX));
    chapters
}

/// The text of a source and its chapter: `000 Move Ordering (2)` is in "Move Ordering" of 000.
fn place(source: &str) -> (&str, &str) {
    let (paper, rest) = source.split_once(' ').unwrap_or((source, ""));
    let paper = paper.trim_end_matches(',');
    let name = rest.split([',', '(']).next().unwrap_or_default().trim();
    (paper, if name.is_empty() { "Elsewhere in the text" } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_have_chapters() {
        for (source, paper, name) in [
            ("000 Move Ordering (2)", "000", "Move Ordering"),
            ("000 Lazy Eval", "000", "Lazy Eval"),
            ("002 Quiescence search, 004", "002", "Quiescence search"),
            ("003", "003", "Elsewhere in the text"),
        ] {
            assert_eq!(place(source), (paper, name));
        }
    }
}
