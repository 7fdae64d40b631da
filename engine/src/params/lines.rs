//! Personalities as REBEL has them: one `[Name = value]` a line, comments behind a `*` (PAR-05).
//!
//! A name is one of [`PaperName`] or a row of the table, so every personality can be written so.
//! What no line says is as in the personality `rebel`.

use std::fmt::Write as _;

use super::personality_file::Setting;
use super::{PaperName, Params, SPECS, find};
use crate::text;

/// The personality whose values hold where a file says nothing.
pub(super) const BASE: &str = "rebel";

/// Where the comments begin.
const COMMENT_COLUMN: usize = 40;

/// The parameters that a file in lines changes.
pub(super) fn base() -> Params {
    Params::personality(BASE).unwrap_or_default()
}

/// What the lines set, in their order.
///
/// # Errors
/// The first line that is none, with its number.
pub(super) fn read(text: &str) -> Result<Vec<Setting>, String> {
    let mut settings = Vec::new();
    for (number, line) in text::lines(text) {
        let Some(content) = content(line) else { continue };
        let (name, value, _) = parts(content).ok_or_else(|| {
            format!("line {number}: expected [Name = value], found '{}'", shown(content))
        })?;
        settings.push(Setting {
            line: Some(number),
            name: row_name(name),
            value: value.to_owned(),
        });
    }
    match settings.is_empty() {
        true => Err("expected lines [Name = value], found none".to_owned()),
        false => Ok(settings),
    }
}

/// The line without blanks around it; `None` of empty lines and comments.
fn content(line: &str) -> Option<&str> {
    let line = line.trim();
    (!line.is_empty() && !line.starts_with('*')).then_some(line)
}

/// Name, value and what stands behind `[Name = value]`, which must be a comment. A name may have an
/// index in brackets, a value has none.
fn parts(line: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = line.strip_prefix('[')?.split_once('=')?;
    let (value, behind) = rest.split_once(']')?;
    let (name, value) = (name.trim(), value.trim());
    let is_comment = behind.trim().is_empty() || behind.trim_start().starts_with('*');
    (is_comment && !name.is_empty() && !value.is_empty()).then_some((name, value, behind))
}

/// The name as the table or the papers write it: capitals do not matter.
fn row_name(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    match PaperName::of(name) {
        Some(paper) => paper.name().to_owned(),
        None if find(&lower).is_ok() => lower,
        None => name.to_owned(),
    }
}

/// As much of a text as an error tells, without what a terminal would obey.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let harmless =
        |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    let first = text.chars().take(MOST).map(harmless);
    let more = if text.chars().nth(MOST).is_some() { "…" } else { "" };
    first.collect::<String>() + more
}

/// A file that [`read`] makes these parameters of: REBEL's names first, then the rows in which
/// they differ from the personality `rebel`.
pub(super) fn write(params: &Params) -> String {
    let mut text = format!("* What no line says is as in the personality {BASE}.\n");
    let mut written = base();
    for paper in PaperName::ALL {
        let Some(value) = paper.value(params) else { continue };
        let line = format!("[{} = {value}]", paper.name());
        let _ = writeln!(text, "{line:COMMENT_COLUMN$}* {}", paper.meaning());
        for (row, value) in paper.rows(&value).unwrap_or_default() {
            // Values that a name has made of itself are in range.
            let _ = written.set(row, &value);
        }
    }
    for spec in SPECS.iter() {
        let value = spec.text(params);
        if value != spec.text(&written) {
            let _ = writeln!(text, "[{} = {value}]", spec.name);
        }
    }
    text
}

/// The text with further settings: a line that has the name gets the value and keeps its comment,
/// a name without a line gets one at the end.
pub(super) fn edited<'a>(
    text: &str,
    settings: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (name, value) in settings {
        let is_of = |line: &String| {
            let parts = content(line.trim_start_matches(text::BYTE_ORDER_MARK)).and_then(parts);
            parts.is_some_and(|(own, ..)| row_name(own) == row_name(name))
        };
        match lines.iter_mut().find(|line| is_of(line)) {
            Some(line) => *line = with_value(line, value),
            None => lines.push(format!("[{name} = {value}]")),
        }
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    lines.into_iter().map(|line| line + end).collect()
}

/// The line with another value; a comment stays in its column where there is room.
fn with_value(line: &str, value: &str) -> String {
    let Some((name, rest)) = line.split_once('=') else { return line.to_owned() };
    let Some((old, behind)) = rest.split_once(']') else { return line.to_owned() };
    let head = format!("{name}= {value}]");
    let comment = behind.trim_start();
    if comment.is_empty() {
        return head;
    }
    let column = name.chars().count() + old.chars().count() + behind.chars().count() + 2
        - comment.chars().count();
    let column = column.max(head.chars().count() + 1);
    format!("{head:column$}{comment}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::PERSONALITIES;

    /// As the pages of REBEL print them.
    const PRINTED: &str = "\
  [ChessKnowledge = 200]
  [Selective Search = 0]

  [Pruning = MISC_37]                   * turn off PVS extension
  [M37_VAL = 2.00]                      * set margin to 2.00 (default is 1.00)
  [M37_COUNT = 3]                       * set counter to 3 (more PVS extensions)
* a comment
[PST.Knight_MG[E4] = -33]
";

    fn settings(text: &str) -> Vec<(String, String)> {
        let read = read(text).unwrap_or_else(|error| panic!("{error}"));
        read.into_iter().map(|setting| (setting.name, setting.value)).collect()
    }

    #[test]
    fn lines_as_they_are_printed() {
        let wanted = [
            ("ChessKnowledge", "200"),
            ("Selective Search", "0"),
            ("Pruning", "MISC_37"),
            ("M37_VAL", "2.00"),
            ("M37_COUNT", "3"),
            ("pst.knight_mg[e4]", "-33"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(settings(PRINTED), wanted);
        assert_eq!(settings(&PRINTED.replace('\n', "\r\n")), wanted);
        assert_eq!(settings(&format!("\u{feff}{PRINTED}")), wanted);
        let lines: Vec<_> = read(PRINTED).into_iter().flatten().map(|one| one.line).collect();
        assert_eq!(lines, [1, 2, 4, 5, 6, 8].map(Some));
    }

    #[test]
    fn what_is_no_such_line_is_told() {
        for (line, found) in [
            ("ChessKnowledge = 100", "'ChessKnowledge = 100'"),
            ("[ChessKnowledge 100]", "'[ChessKnowledge 100]'"),
            ("[ChessKnowledge = 100", "'[ChessKnowledge = 100'"),
            ("[ChessKnowledge = ]", "'[ChessKnowledge = ]'"),
            ("[= 100]", "'[= 100]'"),
            ("[M37_COUNT = 3] [M37_VAL = 2.00]", "'[M37_COUNT = 3] [M37_VAL = 2.00]'"),
            ("[Event \"Hastings\"]", "[Event"),
            ("\u{1b}[31m", "\\u{1b}[31m"),
        ] {
            let error = read(&format!("* text\n{line}\n")).expect_err(line);
            assert!(error.starts_with("line 2: expected [Name = value], found"), "{error}");
            assert!(error.contains(found), "{error}");
        }
        assert!(read("* nothing but a comment\n").is_err());
    }

    /// Every personality can be written in lines, and nothing is lost.
    #[test]
    fn what_is_written_reads_back() {
        for (name, _) in PERSONALITIES {
            let params = Params::personality(name).expect(name);
            let mut read = base();
            for (name, value) in settings(&write(&params)) {
                read.set(&name, &value).unwrap_or_else(|error| panic!("{error}"));
            }
            assert_eq!(read, params, "{name}");
        }
        let rebel: Vec<String> = write(&base()).lines().map(str::to_owned).collect();
        let heads = ["* What", "[ChessKnowledge = 100] ", "[Selective Search = 1] ", "[M37_VAL = "];
        assert!(rebel.iter().zip(heads).all(|(line, head)| line.starts_with(head)), "{rebel:?}");
        assert_eq!(rebel.len(), 5);
    }

    #[test]
    fn an_edit_keeps_the_rest() {
        let edit = |text: &str, name: &str, value: &str| edited(text, [(name, value)]);
        let once = edit(PRINTED, "m37_val", "1.50");
        let (old, new) = ("[M37_VAL = 2.00]  ", "[M37_VAL = 1.50]  ");
        assert_eq!(once, PRINTED.replace(old, new));
        let long = edit(PRINTED, "M37_COUNT", "1234567890123456789012345");
        assert!(long.contains("[M37_COUNT = 1234567890123456789012345] * set counter"), "{long}");
        let appended = edit(PRINTED, "lazy.correction", "2");
        assert_eq!(appended, format!("{PRINTED}[lazy.correction = 2]\n"));
        let pawn = |value| format!("[Material.Pawn = {value}]");
        assert_eq!(edit(&(pawn(1) + "\r\n"), "material.pawn", "2"), pawn(2) + "\r\n");
        let marked = format!("\u{feff}{}", pawn(1));
        assert_eq!(edit(&marked, "material.pawn", "2"), format!("\u{feff}{}\n", pawn(2)));
    }
}
