//! `verdict personality`: personalities of the embedded engine, shown, compared, changed and made.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueHint};
use engine::Params;
use engine::params::{FileForm, PaperName, PersonalityFile, SPECS, is_file};
use serde_json::{Map, json};

use super::choices::one_of;
use super::{DONE, outputs, print, print_json};
use process::Error;
use process::terminal::escape::lines;

/// Show, compare, change and make personalities of mutineer.
///
/// A personality is a name (default, rebel, printed, prodeo, mediocre, winglet) or a file, whose name has a dot
/// or a slash. A file is JSON, or lines [Name = value] as in REBEL's personalities.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  \
    verdict personality make rebel ChessKnowledge=200 --out mine.eng\n  \
    verdict match --base embedded:rebel --test embedded:mine.eng")]
pub struct PersonalityArgs {
    #[command(subcommand)]
    word: PersonalityCommand,
}

#[derive(Debug, Subcommand)]
enum PersonalityCommand {
    Show(ShowArgs),
    Diff(DiffArgs),
    Set(SetArgs),
    Make(MakeArgs),
}

/// Print a personality as a file.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict personality show rebel --form rebel")]
struct ShowArgs {
    /// Name or file.
    #[arg(value_name = "NAME|FILE", value_hint = ValueHint::FilePath)]
    personality: String,
    /// Form to print it in.
    #[arg(long, value_parser = one_of::<Form>(), default_value_t, value_name = "FORM")]
    form: Form,
}

/// List the parameters in which two personalities differ.
///
/// REBEL's names come first: – where none of their values says what the personality has.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict personality diff rebel mine.eng")]
struct DiffArgs {
    /// Name or file.
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    a: String,
    /// Name or file.
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    b: String,
    /// List every cell of tables, not only how many differ.
    #[arg(long)]
    cells: bool,
    /// Print one JSON object instead of text: for each parameter its two values.
    #[arg(long, conflicts_with = "cells")]
    json: bool,
}

/// Change parameters of a personality's file.
///
/// Comments in a file of lines stay.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict personality set mine.eng M37_VAL=2.00 M37_COUNT=3")]
struct SetArgs {
    /// File; with --out also a name.
    #[arg(value_name = "NAME|FILE", value_hint = ValueHint::FilePath)]
    personality: String,
    /// Parameters and values; file=FILE for all that a file sets.
    #[arg(required = true, value_name = "NAME=VALUE")]
    changes: Vec<String>,
    /// File to write [default: the file itself]. An existing file is replaced.
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
    /// Form of the file [default: the one it has; of a new file json if it ends in .json, rebel otherwise].
    #[arg(long, value_parser = one_of::<Form>(), value_name = "FORM")]
    form: Option<Form>,
}

/// Make a personality's file from another personality, parameters and files of tables.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  \
    verdict personality make rebel file=pst-2600/evaluation.json M37_COUNT=3 --out mine.eng")]
struct MakeArgs {
    /// Name or file to begin with.
    #[arg(value_name = "NAME|FILE", value_hint = ValueHint::FilePath)]
    personality: String,
    /// Parameters and values; file=FILE for all that a file sets. What comes later counts.
    #[arg(value_name = "NAME=VALUE")]
    changes: Vec<String>,
    /// File to write. An existing file is replaced.
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: PathBuf,
    /// Form of the file [default: json if it ends in .json, rebel otherwise].
    #[arg(long, value_parser = one_of::<Form>(), value_name = "FORM")]
    form: Option<Form>,
}

/// How a personality is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[derive(strum::Display, strum::EnumString, strum::EnumIter, strum::EnumMessage)]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Form {
    /// One JSON object with what differs from the table's defaults.
    #[default]
    Json,
    /// Lines [Name = value] with what differs from the personality rebel.
    Rebel,
}

impl From<Form> for FileForm {
    fn from(form: Form) -> FileForm {
        match form {
            Form::Json => FileForm::Json,
            Form::Rebel => FileForm::Rebel,
        }
    }
}

/// In a parameter's place: a file of parameters.
const FILE: &str = "file";

pub fn run(args: &PersonalityArgs) -> Result<u8, Error> {
    match &args.word {
        PersonalityCommand::Show(args) => {
            print(FileForm::from(args.form).write(&load(&args.personality)?))?;
        }
        PersonalityCommand::Diff(args) => diff(args)?,
        PersonalityCommand::Set(args) => {
            let own = is_file(&args.personality).then(|| PathBuf::from(&args.personality));
            let out = args.out.clone().or(own).ok_or_else(|| {
                Error::usage(format!(
                    "{} is built in: expected --out FILE to write to",
                    args.personality
                ))
            })?;
            write(&args.personality, &args.changes, &out, args.form)?;
        }
        PersonalityCommand::Make(args) => {
            write(&args.personality, &args.changes, &args.out, args.form)?;
        }
    }
    Ok(DONE)
}

fn load(name: &str) -> Result<Params, Error> {
    Params::load(name).map_err(Error::usage)
}

/// Writes a personality with changes, and says what they are.
fn write(name: &str, changes: &[String], out: &Path, form: Option<Form>) -> Result<(), Error> {
    let before = load(name)?;
    let mut after = before.clone();
    let (mut settings, mut files) = (Vec::new(), Vec::new());
    for change in changes {
        let (name, value) = change.split_once('=').ok_or_else(|| {
            Error::usage(format!("expected NAME=VALUE or file=FILE, found '{change}'"))
        })?;
        let (name, value) = (name.trim(), value.trim());
        if name.eq_ignore_ascii_case(FILE) {
            let file = PersonalityFile::read(value).map_err(Error::usage)?;
            file.apply(&mut after).map_err(Error::usage)?;
            settings.extend(file.settings().map_err(Error::usage)?);
            files.push(PathBuf::from(value));
        } else {
            after.set(name, value).map_err(Error::usage)?;
            settings.push((name.to_owned(), value.to_owned()));
        }
    }
    outputs::check([Some(out)], &files)?;
    let file = is_file(name).then(|| PersonalityFile::read(name)).transpose();
    let file = file.map_err(Error::usage)?;
    let own = match &file {
        Some(file) => Some(file.form().map_err(Error::usage)?),
        None => None,
    };
    let is_json = out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let by_name = if is_json { FileForm::Json } else { FileForm::Rebel };
    let form = match form {
        Some(form) => form.into(),
        None => own.filter(|_| out == Path::new(name)).unwrap_or(by_name),
    };
    let text = match file {
        Some(file) if form == FileForm::Rebel && own == Some(form) => {
            let settings = settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            let edited = file.edited(settings);
            // A cell may stand behind its table: then the edited lines say something else.
            match edited.params().map_err(Error::usage)? == after {
                true => edited.text().to_owned(),
                false => form.write(&after),
            }
        }
        _ => form.write(&after),
    };
    outputs::write(out, text)?;
    let changes = listed(&differences(&before, &after), false, (name, "now"));
    print(lines(&format!("{changes}written {}\n", out.display())))
}

/// A parameter in which two personalities differ, and what each has.
struct Difference {
    name: String,
    values: [String; 2],
    /// Of a table: its cells that differ, of how many.
    cells: Option<(Vec<CellDifference>, usize)>,
}

type CellDifference = (String, [String; 2]);

fn differences(a: &Params, b: &Params) -> Vec<Difference> {
    let papers = PaperName::ALL.into_iter().filter_map(|paper| {
        let values = [a, b].map(|params| paper.value(params).unwrap_or_else(|| "–".to_owned()));
        let name = format!("[{}]", paper.name());
        (values[0] != values[1]).then_some(Difference { name, values, cells: None })
    });
    let rows = SPECS.iter().filter_map(|spec| {
        let values = [a, b].map(|params| spec.text(params));
        let cell = |cell| {
            let values = [a, b].map(|params| spec.get(params, cell).to_string());
            (values[0] != values[1]).then(|| (spec.cell_name(cell), values))
        };
        let cells = || ((0..spec.cells()).filter_map(cell).collect(), spec.cells());
        (values[0] != values[1]).then(|| Difference {
            name: spec.name.to_owned(),
            values,
            cells: (spec.cells() > 1).then(cells),
        })
    });
    papers.chain(rows).collect()
}

/// A table of the differences, in words where there are none.
fn listed(differences: &[Difference], all_cells: bool, heads: (&str, &str)) -> String {
    if differences.is_empty() {
        return "no difference\n".to_owned();
    }
    /// Cells of a table that are listed one by one unasked.
    const FEW: usize = 4;
    let mut table = vec![[String::new(), heads.0.to_owned(), heads.1.to_owned()]];
    for Difference { name, values: [a, b], cells } in differences {
        match cells {
            None => table.push([name.clone(), a.clone(), b.clone()]),
            Some((cells, _)) if all_cells || cells.len() <= FEW => {
                let cells = cells.iter().cloned();
                table.extend(cells.map(|(name, [a, b])| [name, a, b]));
            }
            Some((cells, of)) => {
                let count = format!("{} of {of} cells", cells.len());
                table.push([name.clone(), count, String::new()]);
            }
        }
    }
    let width = |column: usize| {
        table.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let (names, firsts) = (width(0), width(1));
    let line = |[name, a, b]: &[String; 3]| {
        format!("{name:names$}  {a:firsts$}  {b}").trim_end().to_owned() + "\n"
    };
    table.iter().map(line).collect()
}

fn diff(args: &DiffArgs) -> Result<(), Error> {
    let differences = differences(&load(&args.a)?, &load(&args.b)?);
    if args.json {
        let rows = differences.into_iter().map(|found| (found.name, json!(found.values)));
        return print_json(&rows.collect::<Map<_, _>>());
    }
    print(lines(&listed(&differences, args.cells, (&args.a, &args.b))))
}
