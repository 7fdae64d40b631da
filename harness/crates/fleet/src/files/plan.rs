//! Plans for other machines: `sha256:…` in place of local paths, and back.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use arena::commas;
use arena::plan::Plan;
use arena::player::program::{ProgramSpec, Protocol};
use arena::player::spec::{PlayerSpec, is_file};
use arena::record::{Identity, RunFile, Side, sha256_file, sha256_folder};
use process::files::is_executable;
use process::{Error, lock};
use wire::message::{FileCard, TableSet};
use wire::names::FileHash;

use super::objects::MOST;
use super::places::Places;
use super::tables;

const MARK: &str = "sha256:";
/// Digits of a hash.
const DIGITS: usize = 64;
/// Parameter of an embedded player that names a file.
const FILE: &str = "file";

/// A file of a run, and its local path.
#[derive(Debug, Clone)]
pub(crate) struct SentFile {
    pub(crate) card: FileCard,
    pub(crate) path: PathBuf,
}

/// A plan without paths, and the files that it names.
#[derive(Debug, Clone)]
pub(crate) struct Portable {
    pub(crate) plan: Plan,
    pub(crate) files: Vec<SentFile>,
    /// Tablebases, which workers must have themselves.
    pub(crate) tables: Vec<TableSet>,
    pub(crate) places: Places,
}

/// Stands for a path in a plan: a file with a role, or a folder of tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// As in [`FileCard`]; empty for a folder.
    pub(crate) role: String,
    pub(crate) hash: FileHash,
    /// `None`: a folder.
    pub(crate) name: Option<String>,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{MARK}{}/{name}", self.hash),
            None => write!(f, "{MARK}{}", self.hash),
        }
    }
}

/// Makes a run's plan independent of this machine.
pub(crate) fn portable(plan: &Plan, run: &RunFile) -> Result<Portable, Error> {
    let mut out = Packing { files: Vec::new(), tables: Vec::new(), places: Places::default() };
    let mut sent = Plan {
        base: out.player(plan, run, Side::Base)?,
        test: out.player(plan, run, Side::Test)?,
        base_build: None,
        test_build: None,
        traffic: None,
        ..plan.clone()
    };
    if let Some(book) = &plan.book {
        sent.book = Some(out.file("book", book)?.into());
    }
    for folder in &mut sent.syzygy {
        *folder = out.folder(folder)?.into();
    }
    Ok(Portable { plan: sent, files: out.files, tables: out.tables, places: out.places })
}

struct Packing {
    files: Vec<SentFile>,
    tables: Vec<TableSet>,
    places: Places,
}

impl Packing {
    fn player(&mut self, plan: &Plan, run: &RunFile, side: Side) -> Result<PlayerSpec, Error> {
        let own = |what: &str| format!("{side}.{what}");
        match plan.player(side) {
            PlayerSpec::Embedded { personality, parameters } => {
                let personality = match is_file(personality) {
                    true => self.file(&own("personality"), Path::new(personality))?,
                    false => personality.clone(),
                };
                let mut parameters = parameters.clone();
                for (name, value) in &mut parameters {
                    if name.eq_ignore_ascii_case(FILE) {
                        *value = self.file(&own("parameters"), Path::new(&*value))?;
                    }
                }
                Ok(PlayerSpec::Embedded { personality, parameters })
            }
            spec @ PlayerSpec::Program { .. } => {
                let mut program = ProgramSpec::parse(&spec.to_string())?;
                let mut path = self.file(&own("program"), &program.path)?;
                self.places.add(&program.path.to_string_lossy(), &path);
                if path.starts_with(MARK) {
                    // Only a path that is not UTF-8 would stay.
                    path = commas::escape(&path);
                }
                let folder = program.dir.clone().unwrap_or_default();
                let identity = run.identity(side);
                for (name, value) in &mut program.options {
                    self.option(&own(&format!("option.{name}")), identity, name, value, &folder)?;
                }
                for (number, value) in program.args.iter_mut().enumerate() {
                    let named = folder.join(&*value);
                    // A plain word may happen to be the name of a file in the current folder.
                    if value.contains(['/', '.']) && named.is_file() {
                        let mark = self.file(&own(&format!("argument.{}", number + 1)), &named)?;
                        self.places.add(value, &mark);
                        *value = mark;
                    }
                }
                Ok(written(program.protocol, path, &program.args, &program.options))
            }
        }
    }

    /// Replaces a value that names files or folders by their hashes.
    fn option(
        &mut self,
        role: &str,
        identity: &Identity,
        name: &str,
        value: &mut String,
        folder: &Path,
    ) -> Result<(), Error> {
        if value.trim().is_empty() {
            return Ok(());
        }
        let named = folder.join(value.trim());
        let folders: Vec<&Path> = value.trim().split(':').map(Path::new).collect();
        let is_known = identity.files.keys().any(|known| known.eq_ignore_ascii_case(name));
        // A file that the engine itself has written is not needed.
        let mark = if named.is_file() && is_known {
            self.file(role, &named)?
        } else if named.is_dir() && is_known {
            self.folder(&named)?
        } else if folders.len() > 1 && folders.iter().all(|it| folder.join(it).is_dir()) {
            let marks = folders.iter().map(|it| self.folder(&folder.join(it)));
            marks.collect::<Result<Vec<_>, _>>()?.join(":")
        } else {
            return Ok(());
        };
        self.places.add(value.trim(), &mark);
        *value = mark;
        Ok(())
    }

    /// Adds a file; returns its mark.
    fn file(&mut self, role: &str, path: &Path) -> Result<String, Error> {
        let metadata = path.metadata().map_err(Error::io(path, "read"))?;
        let bytes = metadata.len();
        if bytes > MOST {
            return Err(Error::usage(format!(
                "{}: a file of {} MB does not travel, expected {} MB at most",
                path.display(),
                bytes >> 20,
                MOST >> 20
            )));
        }
        let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(|| {
            Error::usage(format!("{}: expected a file with a name in UTF-8", path.display()))
        })?;
        let sha256 = hash_of(path)?;
        let mark = format!("{MARK}{sha256}/{name}");
        let card = FileCard {
            sha256,
            bytes,
            role: role.to_owned(),
            name: name.to_owned(),
            executable: is_executable(&metadata),
            recipe: None,
        };
        self.files.push(SentFile { card, path: path.to_owned() });
        Ok(mark)
    }

    fn folder(&mut self, path: &Path) -> Result<String, Error> {
        let sha256: FileHash =
            sha256_folder(path).map_err(Error::input_output)?.parse().map_err(Error::fault)?;
        let mark = format!("{MARK}{sha256}");
        let set = TableSet { men: tables::men(path), sha256 };
        if !self.tables.contains(&set) {
            self.tables.push(set);
        }
        Ok(mark)
    }
}

/// Hash of a file's contents, read once: all matches of a tournament name the same programs.
pub(crate) fn hash_of(path: &Path) -> Result<FileHash, Error> {
    type Version = (PathBuf, u64, Option<SystemTime>);
    static KNOWN: Mutex<BTreeMap<Version, FileHash>> = Mutex::new(BTreeMap::new());
    let metadata = path.metadata().map_err(Error::io(path, "read"))?;
    let version = (path.to_owned(), metadata.len(), metadata.modified().ok());
    if let Some(known) = lock(&KNOWN).get(&version) {
        return Ok(known.clone());
    }
    let hash: FileHash =
        sha256_file(path).map_err(Error::input_output)?.parse().map_err(Error::fault)?;
    lock(&KNOWN).insert(version, hash.clone());
    Ok(hash)
}

fn written(
    protocol: Protocol,
    path: String,
    args: &[String],
    options: &[(String, String)],
) -> PlayerSpec {
    let mut rest = String::new();
    for arg in args {
        commas::append(&mut rest, &commas::escape(&format!("arg={arg}")));
    }
    for (name, value) in options {
        commas::append(&mut rest, &commas::escape(&format!("{name}={value}")));
    }
    PlayerSpec::Program { protocol, path, rest }
}

/// The plan for this machine. `place` returns the local path of a mark.
pub(crate) fn restored(
    plan: Plan,
    place: &dyn Fn(&Mark) -> Result<PathBuf, Error>,
) -> Result<Plan, Error> {
    let text = |role: &str, text: &str| -> Result<String, Error> {
        match marks(role, text) {
            Some(marks) => {
                let paths = marks.iter().map(|mark| {
                    let path = place(mark)?.into_os_string().into_string();
                    path.map_err(|path| Error::usage(format!("{path:?}: expected a name in UTF-8")))
                });
                Ok(paths.collect::<Result<Vec<_>, _>>()?.join(":"))
            }
            None => Ok(text.to_owned()),
        }
    };
    let player = |spec: &PlayerSpec, side: Side| -> Result<PlayerSpec, Error> {
        let own = |what: &str| format!("{side}.{what}");
        match spec {
            PlayerSpec::Embedded { personality, parameters } => {
                let personality = text(&own("personality"), personality)?;
                let parameters = parameters.iter().map(|(name, value)| {
                    let value = match name.eq_ignore_ascii_case(FILE) {
                        true => text(&own("parameters"), value)?,
                        false => value.clone(),
                    };
                    Ok((name.clone(), value))
                });
                let parameters = parameters.collect::<Result<_, Error>>()?;
                Ok(PlayerSpec::Embedded { personality, parameters })
            }
            PlayerSpec::Program { protocol, path, rest } => {
                let path = commas::split(path).concat();
                let Some(_) = marks(&own("program"), &path) else {
                    return Err(Error::usage(format!(
                        "{side}: expected a program by its hash, found {path}"
                    )));
                };
                let path = commas::escape(&text(&own("program"), &path)?);
                let (mut args, mut options) = (Vec::new(), Vec::new());
                for part in commas::split(rest).into_iter().skip(1) {
                    let (name, value) = part.split_once('=').unwrap_or((&part, ""));
                    match name.trim() {
                        "arg" => {
                            let role = own(&format!("argument.{}", args.len() + 1));
                            args.push(text(&role, value)?);
                        }
                        // The working folder is local.
                        "dir" => {}
                        name => {
                            let role = own(&format!("option.{name}"));
                            options.push((name.to_owned(), text(&role, value)?));
                        }
                    }
                }
                Ok(written(*protocol, path, &args, &options))
            }
        }
    };
    let (base, test) = (player(&plan.base, Side::Base)?, player(&plan.test, Side::Test)?);
    let path = |role: &str, path: &Path| text(role, &path.to_string_lossy()).map(PathBuf::from);
    let book = plan.book.as_deref().map(|book| path("book", book)).transpose()?;
    let syzygy = plan.syzygy.iter().map(|folder| path("", folder)).collect::<Result<_, _>>()?;
    Ok(Plan { base, test, book, syzygy, traffic: None, ..plan })
}

/// Options of a program that name files or folders.
pub(crate) fn options_with_marks(spec: &PlayerSpec) -> Vec<String> {
    let PlayerSpec::Program { rest, .. } = spec else { return Vec::new() };
    let parts = commas::split(rest).into_iter().skip(1);
    let named = parts.filter_map(|part| {
        let (name, value) = part.split_once('=')?;
        marks("", value).map(|_| name.trim().to_owned())
    });
    named.collect()
}

/// The marks in a value: one file, or folders separated by colons; `None` for other texts.
fn marks(role: &str, text: &str) -> Option<Vec<Mark>> {
    let mut rest = text;
    let mut marks = Vec::new();
    loop {
        let after = rest.strip_prefix(MARK)?;
        let hash = after.get(..DIGITS)?.parse().ok()?;
        rest = &after[DIGITS..];
        if let Some(name) = rest.strip_prefix('/') {
            let role = role.to_owned();
            return marks
                .is_empty()
                .then(|| vec![Mark { role, hash, name: Some(name.to_owned()) }]);
        }
        marks.push(Mark { role: String::new(), hash, name: None });
        match rest.strip_prefix(':') {
            Some(more) => rest = more,
            None => return rest.is_empty().then_some(marks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_names() {
        let hash = FileHash::of(b"x");
        let file = |name: &str| {
            let role = "test.option.Book".to_owned();
            Mark { role, hash: hash.clone(), name: Some(name.to_owned()) }
        };
        let folder = || Mark { role: String::new(), hash: hash.clone(), name: None };
        let found = |text: &str| marks("test.option.Book", text);
        assert_eq!(found(&format!("sha256:{hash}/a:b, c")), Some(vec![file("a:b, c")]));
        assert_eq!(found(&format!("sha256:{hash}")), Some(vec![folder()]));
        assert_eq!(found(&format!("sha256:{hash}:sha256:{hash}")), Some(vec![folder(), folder()]));
        for text in
            ["", "/a/b", "sha256:12", &format!("sha256:{hash}x"), &format!("sha256:{hash}:/a")]
        {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
