//! Files that are opened to be read: a pipe, socket, device or folder in the place of one neither
//! makes the program wait nor fills its memory.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

/// The most bytes of a file that describes something: a plan, a run, a summary.
pub const DOCUMENT: u64 = 64 << 20;
/// The most bytes of a file of measurements that is read as a whole.
pub const MEASUREMENTS: u64 = 1 << 30;

/// Opens a plain file, or the one that a link leads to.
pub fn open(path: &Path) -> io::Result<File> {
    // Asked before, too: to open a device can do something already.
    check(&std::fs::metadata(path)?)?;
    // Between the two questions a pipe may take its place: it is not waited for.
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// Opens what was named on the command line: a plain file, or what this process was given open, as
/// `/dev/stdin` and a shell's `<(…)` are.
pub fn open_given(path: &Path) -> io::Result<File> {
    let is_descriptor = path == Path::new("/dev/stdin")
        || ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.parent() == Some(folder.as_ref()));
    if is_descriptor && !path.is_dir() { File::open(path) } else { open(path) }
}

/// Opens the file that has this name. A symbolic link or what is no plain file is an error, and a
/// pipe is not waited for.
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

/// What a plain file holds, if that is at most so many bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_at_most(open(path)?, most)
}

pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text_of(read(path, most)?)
}

/// The text of a file that was named on the command line, see [`open_given`].
pub fn read_given_text(path: &Path, most: u64) -> io::Result<String> {
    text_of(read_at_most(open_given(path)?, most)?)
}

/// What a file holds from here on, if that is at most so many bytes.
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

/// Refuses what is no plain file; the error names its kind.
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

    /// None of these calls would come back if it opened the pipe as files are opened.
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
