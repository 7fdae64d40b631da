//! What a Unix system knows of files beside their bytes.

use std::fs::Metadata;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

/// Reading at a place, whatever others read of the same file.
pub use std::os::unix::fs::FileExt as ReadAt;
pub use std::os::unix::fs::symlink;

/// The permission bits.
pub fn mode(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o7777
}

/// Whether anybody may run it.
pub fn is_executable(metadata: &Metadata) -> bool {
    mode(metadata) & 0o111 != 0
}

/// What tells a file from all others, whatever its name: device and inode.
pub fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}
