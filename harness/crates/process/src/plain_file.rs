//! Opens files safely: a pipe, socket, device or folder in place of a file neither blocks the
//! program nor fills its memory.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Most bytes of a file that describes something, such as a plan or a summary.
pub const DOCUMENT: u64 = 64 << 20;
/// Most bytes of a file of measurements that is read at once.
pub const MEASUREMENTS: u64 = 1 << 30;

/// Opens a regular file; links are followed.
pub fn open(path: &Path) -> io::Result<File> {
    // Checked before opening, too, because opening a device can have an effect.
    check(&std::fs::metadata(path)?)?;
    // A pipe may have taken its place meanwhile: do not wait for a writer.
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// Opens a path from the command line: a regular file, or an open file of this process, such as
/// `/dev/stdin` or a shell's `<(…)`.
pub fn open_given(path: &Path) -> io::Result<File> {
    let is_descriptor = path == Path::new("/dev/stdin")
        || ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.parent() == Some(folder.as_ref()));
    if is_descriptor && !path.is_dir() { File::open(path) } else { open(path) }
}

/// Opens the file with this name. Symbolic links and other kinds of files are errors; a pipe does
/// not block.
pub fn open_itself(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let opened = options.custom_flags(flags).open(path);
    let file = opened.map_err(|error| match error.raw_os_error() {
        Some(libc::ELOOP) => {
            io::Error::other("it is a symbolic link, expected a plain file; remove the link")
        }
        _ => error,
    })?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// Contents of a regular file; an error if it is longer than `most`.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_at_most(open(path)?, most)
}

pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text_of(read(path, most)?)
}

/// Text of a file from the command line, see [`open_given`].
pub fn read_given_text(path: &Path, most: u64) -> io::Result<String> {
    text_of(read_at_most(open_given(path)?, most)?)
}

/// The rest of a file; an error if it is longer than `most`.
pub fn read_at_most(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let why = format!("expected at most {} MiB, found more", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let why = format!("expected UTF-8, found something else at byte {at}");
        io::Error::new(io::ErrorKind::InvalidData, why)
    })
}

/// An error unless it is a regular file. The error names the kind.
pub fn check(metadata: &Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    let found = match () {
        () if kind.is_file() => return Ok(()),
        () if kind.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    };
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("expected a plain file, found {found}"),
    ))
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;
    use std::fs;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::net::UnixListener;

    use super::*;

    fn mkfifo(path: &Path) {
        let path = CString::new(path.as_os_str().as_bytes()).unwrap();
        // SAFETY: a plain system call on a text that ends in NUL.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    }

    /// Each of these calls would block if it opened the pipe in the usual way.
    #[test]
    fn what_is_no_plain_file_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        mkfifo(&at("pipe"));
        let _socket = UnixListener::bind(at("socket")).unwrap();
        std::os::unix::fs::symlink(at("pipe"), at("link")).unwrap();
        for (path, kind) in [
            (at("pipe"), "a pipe"),
            (at("link"), "a pipe"),
            (at("socket"), "a socket"),
            ("/dev/zero".into(), "a device"),
            (dir.path().to_owned(), "directory"),
        ] {
            for error in [open, open_given].map(|open| open(&path).unwrap_err()) {
                assert!(error.to_string().contains(kind), "{path:?}: {error}");
            }
        }
        assert_eq!(open(&at("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_link_is_not_opened() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        fs::write(&file, "mine").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(open_itself(&file, OpenOptions::new().append(true)).is_ok());
        let error = open_itself(&link, OpenOptions::new().append(true)).unwrap_err();
        assert!(error.to_string().contains("symbolic link"), "{error}");
    }

    #[test]
    fn a_longer_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "abcd").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "abcd");
        assert_eq!(read(&path, 3).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        fs::write(&path, b"a\xff").unwrap();
        assert!(read_text(&path, 4).unwrap_err().to_string().contains("byte 1"));
    }
}
