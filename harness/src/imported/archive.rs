//! Files in a tar archive, as OpenBench's server collects the PGN of a workload: a stream of headers of
//! 512 bytes, each with its file behind it.

use std::io::{self, Read};

const BLOCK: usize = 512;
/// The longest file, in bytes.
const LONGEST: u64 = 256 << 20;
/// Where a header has the letters by which tar is known.
const MAGIC: std::ops::Range<usize> = 257..262;

/// How many first bytes [`is_tar`] needs.
pub(super) const HEAD: u64 = BLOCK as u64;

pub(super) fn is_tar(head: &[u8]) -> bool {
    head.get(MAGIC) == Some(b"ustar")
}

/// Hands the name and the bytes of each plain file to `visit`.
pub(super) fn members(
    mut archive: impl Read,
    visit: &mut dyn FnMut(&str, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut long_name = None;
    let mut number = 0_u64;
    loop {
        let mut header = [0; BLOCK];
        let read = read_full(&mut archive, &mut header)?;
        // Two blocks of zeros end it; some writers are content with one.
        if read == BLOCK && header.iter().all(|byte| *byte == 0) {
            return Ok(());
        }
        if read == 0 {
            return Err(invalid(format!("it is cut off behind file {number}: it has no end")));
        }
        number += 1;
        if read < BLOCK || !is_tar(&header) || checksum(&header) != octal(&header[148..156]) {
            return Err(invalid(format!("file {number}: expected a header of tar")));
        }
        let size = octal(&header[124..136]);
        let size = size.filter(|size| *size <= LONGEST).ok_or_else(|| {
            invalid(format!("file {number}: expected at most {} MiB", LONGEST >> 20))
        })?;
        let mut bytes = Vec::new();
        archive.by_ref().take(size).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < size {
            return Err(invalid(format!("file {number}: it is cut off")));
        }
        let rest = size.next_multiple_of(BLOCK as u64) - size;
        if io::copy(&mut archive.by_ref().take(rest), &mut io::sink())? < rest {
            return Err(invalid(format!("file {number}: it is cut off behind it")));
        }
        match header[156] {
            0 | b'0' => {
                let name = long_name.take().unwrap_or_else(|| name(&header));
                visit(&name, &bytes)?;
            }
            // Names that a header has no room for.
            b'L' => long_name = Some(text(&bytes)),
            b'x' => long_name = path_of_pax(&bytes).or(long_name),
            _ => long_name = None,
        }
    }
}

fn invalid(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Fills the buffer as far as there are bytes.
fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The sum of a header's bytes, those of the sum itself taken for spaces.
fn checksum(header: &[u8; BLOCK]) -> Option<u64> {
    let byte =
        |(at, byte): (usize, &u8)| if (148..156).contains(&at) { 32 } else { u64::from(*byte) };
    Some(header.iter().enumerate().map(byte).sum())
}

/// An octal number that spaces or zero bytes end.
fn octal(field: &[u8]) -> Option<u64> {
    let digits = text(field);
    u64::from_str_radix(digits.trim(), 8).ok()
}

fn name(header: &[u8; BLOCK]) -> String {
    match (text(&header[345..500]), text(&header[..100])) {
        (prefix, name) if prefix.is_empty() => name,
        (prefix, name) => format!("{prefix}/{name}"),
    }
}

/// Up to the first zero byte.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The path among extended records, each `LENGTH KEY=value\n`.
fn path_of_pax(bytes: &[u8]) -> Option<String> {
    let records = String::from_utf8_lossy(bytes);
    records.lines().find_map(|record| record.split_once(" path=").map(|(_, path)| path.to_owned()))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An archive of these files.
    pub(in crate::imported) fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = Vec::new();
        for (name, bytes) in files {
            let mut header = [0; BLOCK];
            header[..name.len()].copy_from_slice(name.as_bytes());
            let size = format!("{:011o}", bytes.len());
            header[124..135].copy_from_slice(size.as_bytes());
            header[156] = b'0';
            header[257..263].copy_from_slice(b"ustar\0");
            let sum = format!("{:06o}\0 ", checksum(&header).unwrap());
            header[148..156].copy_from_slice(sum.as_bytes());
            archive.extend(header);
            archive.extend(*bytes);
            archive.resize(archive.len().next_multiple_of(BLOCK), 0);
        }
        archive.extend([0; 2 * BLOCK]);
        archive
    }

    fn read(archive: &[u8]) -> io::Result<Vec<(String, usize)>> {
        let mut files = Vec::new();
        members(archive, &mut |name, bytes| {
            files.push((name.to_owned(), bytes.len()));
            Ok(())
        })?;
        Ok(files)
    }

    #[test]
    fn files_with_their_names() {
        let archive = tar(&[("1.2.3.pgn.bz2", &[7; 600]), ("b", b""), ("c", &[1; 512])]);
        assert!(is_tar(&archive));
        let files = [("1.2.3.pgn.bz2", 600), ("b", 0), ("c", 512)];
        assert_eq!(read(&archive).unwrap(), files.map(|(name, size)| (name.to_owned(), size)));
    }

    #[test]
    fn what_is_broken_is_refused() {
        let archive = tar(&[("a", &[1; 600])]);
        assert!(read(&archive[..700]).is_err(), "cut off in a file");
        assert!(read(&archive[..300]).is_err(), "cut off in a header");
        assert!(read(&archive[..512 + 700]).is_err(), "cut off in what fills the last block");
        assert!(read(&archive[..3 * 512]).is_err(), "cut off behind a file");
        assert!(read(&archive[..3 * 512 + 100]).is_err(), "cut off in its end");
        assert!(read(&archive[..4 * 512]).is_ok(), "one block ends it");
        let mut wrong = archive.clone();
        wrong[0] = b'z';
        assert!(read(&wrong).is_err(), "the sum is another one");
        assert!(read(b"").is_err());
    }
}
