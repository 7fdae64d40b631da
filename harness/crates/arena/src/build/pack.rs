//! A source tree as one file, and back. What is unpacked may come from somebody else: nothing of it
//! gets out of its folder.
//!
//! A file of this kind is compressed by zstd. In it are the line `verdict tree 1`, then for each
//! file: a byte for its kind (`f`, `x` a program, `l` a link), the length of its path (4 bytes,
//! little-endian), the path, the length of its content (8 bytes), the content. A link's content is
//! what it leads to. An `e` ends it.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Component, Path, PathBuf};

use process::Error;
use process::files::{is_executable, make_program, symlink};

const HEAD: &[u8] = b"verdict tree 1\n";
const FILES: usize = 100_000;
const PATH: u32 = 1_000;
/// Bytes of all files.
const CONTENT: u64 = 2 << 30;
const LEVEL: i32 = 9;
/// Of git, and of cargo's results.
const LEFT_OUT: [&str; 2] = [".git", "target"];

/// Writes a tree; returns the bytes of its files.
pub(super) fn pack(tree: &Path, to: &Path) -> Result<u64, Error> {
    let mut paths = Vec::new();
    find(tree, tree, &mut paths)?;
    paths.sort_unstable();
    let file = File::create(to).map_err(Error::io(to, "create"))?;
    let failed = |error| Error::io(to, "write")(error);
    let mut out = zstd::Encoder::new(BufWriter::new(file), LEVEL).map_err(failed)?;
    out.write_all(HEAD).map_err(failed)?;
    let mut all = 0;
    for path in &paths {
        let from = tree.join(path);
        let metadata = fs::symlink_metadata(&from).map_err(Error::io(&from, "read"))?;
        let (kind, content) = if metadata.is_symlink() {
            let target = fs::read_link(&from).map_err(Error::io(&from, "read"))?;
            (b'l', target.into_os_string().into_encoded_bytes())
        } else {
            let kind = if is_executable(&metadata) { b'x' } else { b'f' };
            (kind, fs::read(&from).map_err(Error::io(&from, "read"))?)
        };
        all += content.len() as u64;
        let name = path.to_str().ok_or_else(|| {
            Error::input_output(format!("{}: expected a name in UTF-8", from.display()))
        })?;
        let length = u32::try_from(name.len()).unwrap_or(u32::MAX);
        if all > CONTENT || length > PATH || paths.len() > FILES {
            return Err(Error::input_output(format!(
                "{}: expected sources of at most {} MB in {FILES} files",
                tree.display(),
                CONTENT >> 20
            )));
        }
        out.write_all(&[kind]).map_err(failed)?;
        out.write_all(&length.to_le_bytes()).map_err(failed)?;
        out.write_all(name.as_bytes()).map_err(failed)?;
        out.write_all(&(content.len() as u64).to_le_bytes()).map_err(failed)?;
        out.write_all(&content).map_err(failed)?;
    }
    out.write_all(b"e").map_err(failed)?;
    out.finish().and_then(|mut out| out.flush()).map_err(failed)?;
    Ok(all)
}

fn find(tree: &Path, folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(Error::io(folder, "read"))? {
        let entry = entry.map_err(Error::io(folder, "read"))?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(Error::io(folder, "read"))?);
        let is_top = folder == tree;
        let name = entry.file_name();
        if name == LEFT_OUT[0] || (is_top && name == LEFT_OUT[1]) {
            continue;
        }
        if kind.is_dir() {
            find(tree, &path, paths)?;
        } else if kind.is_file() || kind.is_symlink() {
            paths.extend(path.strip_prefix(tree).map(Path::to_owned));
        }
    }
    Ok(())
}

/// Makes a tree anew from such a file. An error says what is wrong with it; the folder is of no use
/// then.
pub(super) fn unpack(from: &Path, tree: &Path) -> Result<(), Error> {
    let file = File::open(from).map_err(Error::io(from, "read"))?;
    let wrong = |why: &str| Error::input_output(format!("{}: {why}", from.display()));
    let mut input = zstd::Decoder::new(file).map_err(Error::io(from, "read"))?;
    // A megabyte is to need no gigabyte of memory.
    input.window_log_max(27).map_err(Error::io(from, "read"))?;
    unpack_from(&mut BufReader::new(input), tree, &wrong)
}

fn unpack_from(
    input: &mut impl Read,
    tree: &Path,
    wrong: &dyn Fn(&str) -> Error,
) -> Result<(), Error> {
    let mut entries = Entries::of(input).map_err(|why| wrong(&why))?;
    fs::create_dir_all(tree).map_err(Error::io(tree, "create"))?;
    let mut links = Vec::new();
    while let Some(Entry { path, kind }) = entries.next().map_err(|why| wrong(&why))? {
        let to = tree.join(&path);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(Error::io(folder, "create"))?;
        }
        match kind {
            EntryKind::File { content, is_program } => {
                let file = File::create_new(&to);
                let written = file.and_then(|mut file| file.write_all(&content));
                written.map_err(Error::io(&to, "write"))?;
                make_program(&to, is_program).map_err(Error::io(&to, "write"))?;
            }
            EntryKind::Link(target) => links.push((to, target)),
        }
    }
    // Behind all files: no file can be written through one of them.
    links
        .iter()
        .try_for_each(|(path, target)| symlink(target, path).map_err(Error::io(path, "write")))
}

/// What is in a packed tree, as far as it is in order.
pub(super) struct Entries<'a, R> {
    input: &'a mut R,
    files: usize,
    /// Bytes that may still come.
    left: u64,
}

#[derive(Debug)]
pub(super) struct Entry {
    /// From the tree's top, and inside of it.
    pub(super) path: PathBuf,
    pub(super) kind: EntryKind,
}

#[derive(Debug)]
pub(super) enum EntryKind {
    File { content: Vec<u8>, is_program: bool },
    Link(PathBuf),
}

fn torn(error: std::io::Error) -> String {
    format!("its content cannot be read: {error}")
}

impl<'a, R: Read> Entries<'a, R> {
    pub(super) fn of(input: &'a mut R) -> Result<Entries<'a, R>, String> {
        let mut head = [0; HEAD.len()];
        input.read_exact(&mut head).map_err(torn)?;
        match head == HEAD {
            true => Ok(Entries { input, files: 0, left: CONTENT }),
            false => Err("expected packed sources".to_owned()),
        }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).map_err(torn)?;
        Ok(bytes)
    }

    fn content(&mut self, length: u64) -> Result<Vec<u8>, String> {
        self.left = self.left.checked_sub(length).ok_or("it holds more than sources may")?;
        let mut content = Vec::new();
        self.input.by_ref().take(length).read_to_end(&mut content).map_err(torn)?;
        match content.len() as u64 == length {
            true => Ok(content),
            false => Err("it ends too soon".to_owned()),
        }
    }

    /// `None`: that was all.
    pub(super) fn next(&mut self) -> Result<Option<Entry>, String> {
        let [kind] = self.bytes()?;
        if kind == b'e' {
            return Ok(None);
        }
        self.files += 1;
        if self.files > FILES {
            return Err("it holds too many files".to_owned());
        }
        let length = u32::from_le_bytes(self.bytes()?);
        if length > PATH {
            return Err("a path in it is too long".to_owned());
        }
        let path = String::from_utf8(self.content(length.into())?);
        let path = path.map_err(|_| "a path in it is no UTF-8".to_owned())?;
        let path =
            inside(Path::new(&path)).ok_or_else(|| format!("its path {path:?} leads out of it"))?;
        let length = u64::from_le_bytes(self.bytes()?);
        let kind = match kind {
            b'f' | b'x' => {
                EntryKind::File { content: self.content(length)?, is_program: kind == b'x' }
            }
            b'l' if length <= u64::from(PATH) => {
                let target = String::from_utf8(self.content(length)?);
                let target = target.map_err(|_| "a link in it is no UTF-8".to_owned())?;
                if !stays_inside(&path, Path::new(&target)) {
                    return Err(format!("its link {} leads out of it", path.display()));
                }
                EntryKind::Link(target.into())
            }
            _ => return Err("it holds something that is neither file nor link".to_owned()),
        };
        Ok(Some(Entry { path, kind }))
    }
}

/// A path of plain names, none of git's own folder.
fn inside(path: &Path) -> Option<PathBuf> {
    let plain = path.components().all(|part| match part {
        Component::Normal(name) => name != LEFT_OUT[0],
        _ => false,
    });
    (plain && path.components().next().is_some()).then(|| path.components().collect())
}

/// Whether a link of the tree leads to something in it, whatever is there.
fn stays_inside(link: &Path, target: &Path) -> bool {
    let mut depth = link.components().count().saturating_sub(1);
    target.components().all(|part| match part {
        Component::Normal(_) => {
            depth += 1;
            true
        }
        Component::CurDir => true,
        Component::ParentDir if depth > 0 => {
            depth -= 1;
            true
        }
        _ => false,
    })
}

/// A fuzz target: nothing of a packed tree is outside of it.
#[cfg(any(test, fuzzing, feature = "testing"))]
pub fn sources(data: &[u8]) {
    let mut input = data;
    let Ok(mut entries) = Entries::of(&mut input) else { return };
    while let Ok(Some(Entry { path, kind })) = entries.next() {
        let plain = |path: &Path| path.components().all(|it| matches!(it, Component::Normal(_)));
        assert!(plain(&path) && path.components().count() > 0, "{path:?}");
        if let EntryKind::Link(target) = kind {
            assert!(target.is_relative(), "{target:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpack_bytes(bytes: &[u8], tree: &Path) -> Result<(), Error> {
        unpack_from(&mut &*bytes, tree, &|why| Error::input_output(why.to_owned()))
    }

    fn entry(kind: u8, path: &str, content: &[u8]) -> Vec<u8> {
        let mut bytes = vec![kind];
        bytes.extend(u32::try_from(path.len()).unwrap().to_le_bytes());
        bytes.extend(path.as_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(content);
        bytes
    }

    #[test]
    fn a_tree_comes_back_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let (tree, packed, again) =
            (dir.path().join("a"), dir.path().join("a.zst"), dir.path().join("b"));
        fs::create_dir_all(tree.join("src/deep")).unwrap();
        fs::create_dir_all(tree.join(".git")).unwrap();
        fs::create_dir_all(tree.join("target")).unwrap();
        for (path, text) in [
            ("Makefile", "all:"),
            ("src/deep/x.c", ""),
            (".git/config", "x"),
            ("target/engine", "x"),
            ("run.sh", "#!"),
        ] {
            fs::write(tree.join(path), text).unwrap();
        }
        make_program(&tree.join("run.sh"), true).unwrap();
        symlink(Path::new("deep/x.c"), tree.join("src/link.c")).unwrap();
        assert_eq!(pack(&tree, &packed).unwrap(), 14);
        unpack(&packed, &again).unwrap();
        let mut found = Vec::new();
        find(&again, &again, &mut found).unwrap();
        found.sort_unstable();
        let expected = ["Makefile", "run.sh", "src/deep/x.c", "src/link.c"];
        assert_eq!(found, expected.map(PathBuf::from));
        assert!(is_executable(&fs::metadata(again.join("run.sh")).unwrap()));
        assert!(!again.join(".git").exists() && !again.join("target").exists());
        assert_eq!(fs::read_link(again.join("src/link.c")).unwrap(), Path::new("deep/x.c"));
    }

    #[test]
    fn nothing_gets_out_of_its_folder() {
        let dir = tempfile::tempdir().unwrap();
        let outside = dir.path().join("outside");
        let long = "x".repeat(2000);
        for (number, bytes) in [
            entry(b'f', "../outside", b"x"),
            entry(b'f', "a/../../outside", b"x"),
            entry(b'f', outside.to_str().unwrap(), b"x"),
            entry(b'f', ".git/hooks/post-checkout", b"x"),
            entry(b'f', "", b"x"),
            entry(b'f', &long, b"x"),
            entry(b'l', "link", b"../outside"),
            entry(b'l', "link", b"/etc"),
            [entry(b'l', "link", b"."), entry(b'f', "link/../../outside", b"x")].concat(),
            [entry(b'f', "same", b"x"), entry(b'f', "same", b"x")].concat(),
            entry(b'd', "folder", b""),
        ]
        .into_iter()
        .enumerate()
        {
            let tree = dir.path().join(number.to_string());
            let bytes = [HEAD, &bytes, b"e"].concat();
            sources(&bytes);
            assert!(unpack_bytes(&bytes, &tree).is_err(), "{number}");
            assert!(!outside.exists(), "{number}");
        }
    }

    #[test]
    fn what_is_torn_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let whole = [HEAD, &entry(b'f', "a/b", b"text"), &entry(b'l', "c", b"a/b"), b"e"].concat();
        for end in 0..whole.len() {
            let tree = dir.path().join(end.to_string());
            assert!(unpack_bytes(&whole[..end], &tree).is_err(), "{end}");
        }
        assert!(unpack_bytes(&whole, &dir.path().join("whole")).is_ok());
    }
}
