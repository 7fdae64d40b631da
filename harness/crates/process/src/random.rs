//! Secrets.

use std::fs::File;
use std::io::{self, Read as _};

/// 128 random bits from the system.
pub fn secret() -> io::Result<[u8; 16]> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}
