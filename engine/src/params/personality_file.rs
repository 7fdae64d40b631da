//! Files of parameters: JSON, or lines as REBEL's personalities have them.

use std::fs;

use serde_json::{Map, Value as Json};

use super::lines::{self, shown};
use super::{PaperName, Params, PersonalityError};
use crate::text::BYTE_ORDER_MARK;

/// How a file of parameters is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileForm {
    /// One object of names and values, `{"search.pvs": false}`; alone it stands on the table's
    /// defaults.
    Json,
    /// `[Name = value]` a line (PAR-05); alone it stands on the personality `rebel`.
    Rebel,
}

/// A file of parameters as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalityFile {
    path: String,
    text: String,
}

/// One parameter, cell or REBEL's name, and what a file sets it to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    /// From 1, where it is known.
    pub(super) line: Option<usize>,
    pub(super) name: String,
    pub(super) value: String,
}

impl FileForm {
    /// The form of a text, by its first character that is no blank.
    fn of(text: &str) -> Result<FileForm, String> {
        let begin = text.trim_start();
        match begin.chars().next() {
            Some('{') => Ok(FileForm::Json),
            Some('[' | '*') => Ok(FileForm::Rebel),
            first => {
                let line = 1 + text[..text.len() - begin.len()].matches('\n').count();
                let found = match first {
                    Some(_) => format!("'{}'", shown(begin.lines().next().unwrap_or_default())),
                    None => "nothing".to_owned(),
                };
                Err(format!(
                    "line {line}: expected parameters as JSON, {{\"name\": value}}, or as lines \
                     [Name = value], found {found}"
                ))
            }
        }
    }

    fn settings(self, text: &str) -> Result<Vec<Setting>, String> {
        match self {
            FileForm::Json => json_settings(text),
            FileForm::Rebel => lines::read(text),
        }
    }

    /// A file's text that has these parameters when it is read alone.
    #[must_use]
    pub fn write(self, params: &Params) -> String {
        match self {
            FileForm::Json => json_text(&params.overrides()),
            FileForm::Rebel => lines::write(params),
        }
    }
}

impl PersonalityFile {
    /// A text as if it had been read from a file.
    #[must_use]
    pub fn of_text(path: &str, text: &str) -> PersonalityFile {
        PersonalityFile { path: path.to_owned(), text: text.to_owned() }
    }

    /// Reads a file; whether it holds parameters shows when it is applied.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &str) -> Result<PersonalityFile, PersonalityError> {
        let path = path.to_owned();
        match fs::read(&path) {
            // Comments may be in any code page.
            Ok(bytes) => Ok(PersonalityFile::of_text(&path, &String::from_utf8_lossy(&bytes))),
            Err(error) => Err(PersonalityError::File { path, why: error.to_string() }),
        }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// How it is written.
    ///
    /// # Errors
    /// When it is no file of parameters.
    pub fn form(&self) -> Result<FileForm, PersonalityError> {
        FileForm::of(self.without_mark()).map_err(|why| self.fault(why))
    }

    /// The personality that the file is.
    ///
    /// # Errors
    /// Names, values and lines that are none, with the line.
    pub fn params(&self) -> Result<Params, PersonalityError> {
        let mut params = match self.form()? {
            FileForm::Json => Params::default(),
            FileForm::Rebel => lines::base(),
        };
        self.apply(&mut params)?;
        Ok(params)
    }

    /// Sets what the file says and leaves the rest as it is.
    ///
    /// # Errors
    /// As [`PersonalityFile::params`]; nothing is changed then.
    pub fn apply(&self, params: &mut Params) -> Result<(), PersonalityError> {
        *params = changed(params.clone(), self.without_mark()).map_err(|why| self.fault(why))?;
        Ok(())
    }

    /// Names and values that the file sets, in its order.
    ///
    /// # Errors
    /// When it is no file of parameters. Names and values are not looked at.
    pub fn settings(&self) -> Result<Vec<(String, String)>, PersonalityError> {
        let settings = self.form()?.settings(self.without_mark()).map_err(|why| self.fault(why))?;
        Ok(settings.into_iter().map(|setting| (setting.name, setting.value)).collect())
    }

    /// A file in lines with other values: lines and comments stay as they are.
    #[must_use]
    pub fn edited<'a>(
        &self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> PersonalityFile {
        PersonalityFile { path: self.path.clone(), text: lines::edited(&self.text, settings) }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    fn without_mark(&self) -> &str {
        self.text.trim_start_matches(BYTE_ORDER_MARK)
    }

    fn fault(&self, why: String) -> PersonalityError {
        PersonalityError::File { path: self.path.clone(), why }
    }
}

/// Parameters with what a text in either form sets.
///
/// # Errors
/// Why not, with the line.
pub(super) fn changed(mut params: Params, text: &str) -> Result<Params, String> {
    let mut claims = Claims::default();
    for Setting { line, name, value } in FileForm::of(text)?.settings(text)? {
        let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        params.set(&name, &value).map_err(|error| format!("{place}{error}"))?;
        claims.add(line, &name, &value).map_err(|why| format!("{place}{why}"))?;
    }
    Ok(params)
}

/// The rows and cells that a file has set: each with the name by which, and the line.
#[derive(Default)]
struct Claims(Vec<(String, String, Option<usize>)>);

impl Claims {
    /// Refuses what is set already. Cells of a table may follow it.
    fn add(&mut self, line: Option<usize>, name: &str, value: &str) -> Result<(), String> {
        let rows = match PaperName::of(name) {
            Some(paper) => paper.rows(value).unwrap_or_default(),
            None => vec![(name, String::new())],
        };
        for (row, _) in rows {
            let is_of_row = |own: &str| {
                own.strip_prefix(row).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
            };
            if let Some((_, other, first)) = self.0.iter().find(|(own, ..)| is_of_row(own)) {
                let first = first.map(|line| format!(" in line {line}")).unwrap_or_default();
                return Err(match other == name {
                    true => format!("'{name}' stands twice, first{first}"),
                    false => format!("'{name}' sets {row}, and so does '{other}'{first}"),
                });
            }
            self.0.push((row.to_owned(), name.to_owned(), line));
        }
        Ok(())
    }
}

/// What a JSON object sets.
fn json_settings(text: &str) -> Result<Vec<Setting>, String> {
    let object: Map<String, Json> =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut settings = Vec::new();
    for (name, value) in object {
        let value = match value {
            Json::Array(cells) => {
                cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
            }
            Json::String(name) => name,
            other => other.to_string(),
        };
        // The object has only the last of several values of a name.
        let lines = lines_of_key(text, &name);
        let all = if lines.is_empty() { vec![None] } else { lines.into_iter().map(Some).collect() };
        let setting = |line| Setting { line, name: name.clone(), value: value.clone() };
        settings.extend(all.into_iter().map(setting));
    }
    Ok(settings)
}

/// The lines in which a name is a key.
fn lines_of_key(text: &str, name: &str) -> Vec<usize> {
    let key = Json::from(name).to_string();
    let keys = text
        .match_indices(&key)
        .filter(|(at, _)| text[at + key.len()..].trim_start().starts_with(':'));
    keys.map(|(at, _)| 1 + text[..at].matches('\n').count()).collect()
}

/// One line a parameter.
#[must_use]
pub fn json_text(overrides: &Json) -> String {
    let entries = overrides.as_object().into_iter().flatten();
    let lines: Vec<String> =
        entries.map(|(name, value)| format!("  {}: {value}", Json::from(name.as_str()))).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        changed(Params::default(), text).expect_err(text)
    }

    #[test]
    fn both_forms_say_the_same() {
        let lines = "* REBEL's\n[ChessKnowledge = 200]\n[search.pvs = off] * by row\n";
        let json = r#"{"ChessKnowledge": 200, "search.pvs": false}"#;
        let read = |text: &str| changed(Params::standard(), text);
        assert_eq!(read(lines), read(json));
        assert_ne!(read(lines), Ok(Params::standard()));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, told) in [
            (
                "[ChesKnowledge = 100]",
                "line 1: unknown parameter 'ChesKnowledge'; did you mean 'ChessKnowledge'?",
            ),
            (
                "* a\n\n[search.psv = on]",
                "line 3: unknown parameter 'search.psv'; did you mean 'search.pvs'?",
            ),
            ("[M37_COUNT = 99]", "line 1: parameter 'M37_COUNT': expected 1 to 16, found 99"),
            ("[pst.knight_mg = 1,2,3]", "line 1: parameter 'pst.knight_mg': expected 64 numbers"),
            ("[lazy.margin = 99999]", "line 1: parameter 'lazy.margin': expected 0 to 5120"),
            ("{\n\"search.pvs\": true,\n \"search.psv\": 1}", "line 3: unknown parameter"),
            (
                "{\n\"pst.knight_mg\": [1,2,3]}",
                "line 2: parameter 'pst.knight_mg': expected 64 numbers",
            ),
            ("{\"material.pawn\": 99999}", "line 1: parameter 'material.pawn': expected"),
            ("{\"material.pawn\": }", "at line 1 column 19"),
            (
                "\n  \u{89}PNG\n",
                "line 2: expected parameters as JSON, {\"name\": value}, or as lines [Name = value], found '",
            ),
            (
                " \n",
                "line 2: expected parameters as JSON, {\"name\": value}, or as lines [Name = value], found nothing",
            ),
            ("[1, 2]", "line 1: expected [Name = value], found '[1, 2]'"),
        ] {
            let error = error(text);
            assert!(
                error.starts_with(told) || error.contains(told) && told.starts_with("at"),
                "{error}"
            );
        }
    }

    #[test]
    fn what_stands_twice_is_refused() {
        let table = vec!["1"; 64].join(",");
        let table = format!("[pst.knight_mg[e4] = 1]\n[pst.knight_mg = {table}]");
        for (text, told) in [
            (
                "[M37_COUNT = 3]\n\n[m37_count = 3]",
                "line 3: 'M37_COUNT' stands twice, first in line 1",
            ),
            (
                "[ChessKnowledge = 100]\n[lazy.margin = 128]",
                "line 2: 'lazy.margin' sets lazy.margin, and so does 'ChessKnowledge' in line 1",
            ),
            (
                "[pv_ext.on = true]\n[Pruning = MISC_37]",
                "line 2: 'Pruning' sets pv_ext.on, and so does 'pv_ext.on' in line 1",
            ),
            (
                &table,
                "line 2: 'pst.knight_mg' sets pst.knight_mg, and so does 'pst.knight_mg[e4]' in line 1",
            ),
            (
                "{\"search.pvs\": true,\n\"search.pvs\" : true}",
                "line 2: 'search.pvs' stands twice, first in line 1",
            ),
        ] {
            assert_eq!(error(text), told);
        }
        // A cell may follow its table, and 500 sets no margin.
        let table = vec!["7"; 64].join(",");
        let text = format!("[pst.knight_mg = {table}]\n[pst.knight_mg[e4] = 9]");
        let params = changed(Params::default(), &text).expect("in order");
        assert_eq!(params.get("pst.knight_mg[e4]").as_deref(), Ok("9"));
        let text = "[ChessKnowledge = 500]\n[lazy.margin = 85]";
        assert_eq!(changed(Params::default(), text).map(|params| params.lazy.margin), Ok(85));
    }
}
