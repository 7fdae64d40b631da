//! What Unix knows about a file besides its bytes.

use std::ffi::CString;
use std::fs::{self, Metadata, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// Reading at a position, independent of other readers of the same file.
pub use std::os::unix::fs::FileExt as ReadAt;
pub use std::os::unix::fs::symlink;

/// The permission bits.
pub fn mode(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o7777
}

/// Whether anybody may execute it.
pub fn is_executable(metadata: &Metadata) -> bool {
    mode(metadata) & 0o111 != 0
}

/// Device and inode: identify a file, whatever its name is.
pub fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// Gives only the owner access to a folder.
pub fn make_private(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))
}

/// Makes a file readable for everybody, writable for nobody, and executable if it is a program.
pub fn share(path: &Path, is_program: bool) -> io::Result<()> {
    let mode = if is_program { 0o555 } else { 0o444 };
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Makes a folder readable for everybody.
pub fn share_folder(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o755))
}

/// Sets whether the owner may execute a file. The owner may read and write it.
pub fn make_program(path: &Path, is_program: bool) -> io::Result<()> {
    let mode = if is_program { 0o755 } else { 0o644 };
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Free space at a path, in bytes.
pub fn free_space(path: &Path) -> io::Result<u64> {
    let name = CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other)?;
    // SAFETY: plain numbers, and all zeros are such.
    let mut found: libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: the name ends by a zero, and the memory is our own.
    match unsafe { libc::statvfs(name.as_ptr(), &raw mut found) } {
        0 => Ok(found.f_bavail.saturating_mul(found.f_frsize)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Replaces a file by one that only its owner can read. Readers find the old or the new file.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    // One that a killed process has left may be readable for others.
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}
