//! What programs need from a machine, read from their files, and how much memory.

use std::fs;
use std::path::Path;

use arena::plan::{Plan, Size};
use arena::player::program::ProgramSpec;
use arena::player::spec::PlayerSpec;
use arena::record::Side;

/// What a program's file requires; `None`: nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ProgramNeeds {
    /// As [`crate::machine::target`].
    pub(crate) target: Option<String>,
    pub(crate) glibc: Option<String>,
}

/// ELF, 64 bits, little-endian.
const ELF: &[u8] = b"\x7fELF\x02\x01";
/// ELF numbers of processor families.
const MACHINES: [(u64, &str); 4] =
    [(62, "x86_64"), (183, "aarch64"), (243, "riscv64"), (21, "powerpc64")];
/// Section type of library versions (SHT_GNU_verneed).
const VERSIONS: u64 = 0x6fff_fffe;
/// Prefix of a version of glibc.
const GLIBC: &str = "GLIBC_";

impl ProgramNeeds {
    pub(crate) fn of(program: &Path) -> ProgramNeeds {
        fs::read(program).map(|bytes| ProgramNeeds::of_bytes(&bytes)).unwrap_or_default()
    }

    fn of_bytes(bytes: &[u8]) -> ProgramNeeds {
        if !bytes.starts_with(ELF) {
            // For example a script.
            return ProgramNeeds::default();
        }
        let machine = number(bytes, 18, 2);
        let known = MACHINES.iter().find(|(number, _)| Some(*number) == machine);
        let target = known.map(|(_, name)| format!("{name}-linux"));
        ProgramNeeds { target, glibc: glibc(bytes) }
    }
}

/// A little-endian number of `count` bytes.
fn number(bytes: &[u8], at: u64, count: usize) -> Option<u64> {
    let at = usize::try_from(at).ok()?;
    let bytes = bytes.get(at..at.checked_add(count)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// The highest glibc version that a program requires; `None`: none, or unreadable.
fn glibc(bytes: &[u8]) -> Option<String> {
    let (table, size) = (number(bytes, 0x28, 8)?, number(bytes, 0x3a, 2)?);
    let header = |index: u64| table.checked_add(index.checked_mul(size)?);
    let headers = (0..number(bytes, 0x3c, 2)?).filter_map(header);
    let versions = { headers }.find(|at| number(bytes, at + 4, 4) == Some(VERSIONS))?;
    // The header names the section of names by its index.
    let names = header(number(bytes, versions.checked_add(0x28)?, 4)?)?;
    let from = usize::try_from(number(bytes, names.checked_add(0x18)?, 8)?).ok()?;
    let length = usize::try_from(number(bytes, names.checked_add(0x20)?, 8)?).ok()?;
    latest(bytes.get(from..from.checked_add(length)?)?)
}

/// The highest version in a list of names, each ended by 0.
fn latest(names: &[u8]) -> Option<String> {
    let names = names.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
    let versions = names.filter_map(|name| name.strip_prefix(GLIBC));
    let numbered = versions.filter_map(|text| Some((version(text)?, text)));
    numbered.max().map(|(_, text)| text.to_owned())
}

/// The numbers of a version; `None` for other texts.
pub(crate) fn version(text: &str) -> Option<Vec<u32>> {
    text.split('.').map(|part| part.parse().ok()).collect()
}

/// Memory of both players of a game, in MB: hash tables, loaded files, and a constant.
pub(crate) fn memory_mb(plan: &Plan, loaded: u64) -> u64 {
    const EACH: u64 = 32;
    const USUAL: u64 = 16;
    let hash = |side: Side| match plan.player(side) {
        PlayerSpec::Embedded { .. } => plan.embedded_hash(side).0 >> 20,
        spec @ PlayerSpec::Program { .. } => {
            let own = option(spec, "hash");
            own.or_else(|| plan.hash(side).map(|Size(bytes)| bytes >> 20)).unwrap_or(USUAL)
        }
    };
    let tables = hash(Side::Base).saturating_add(hash(Side::Test));
    tables.saturating_add(2 * EACH).saturating_add(loaded >> 20)
}

/// Threads of the player with more of them.
pub(crate) fn threads(plan: &Plan) -> u32 {
    let of = |side: Side| option(plan.player(side), "threads").unwrap_or(1);
    u32::try_from(of(Side::Base).max(of(Side::Test)).max(1)).unwrap_or(u32::MAX)
}

fn option(spec: &PlayerSpec, wanted: &str) -> Option<u64> {
    let options = ProgramSpec::parse(&spec.to_string()).ok()?.options;
    let (_, value) = options.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted))?;
    value.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_says_what_it_needs() {
        let own = std::env::current_exe().unwrap();
        let needs = ProgramNeeds::of(&own);
        assert_eq!(needs.target.as_deref(), Some(&*crate::machine::target()));
        if cfg!(target_env = "gnu") {
            let (needed, here) = (needs.glibc.unwrap(), process::machine::glibc().unwrap());
            assert!(version(&needed) <= version(&here), "{needed} of {here}");
        }
        assert_eq!(ProgramNeeds::of_bytes(b"#!/bin/sh\n"), ProgramNeeds::default());
        // A truncated file gives no version and no panic.
        let bytes = fs::read(own).unwrap();
        for end in 0..100 {
            assert_eq!(ProgramNeeds::of_bytes(&bytes[..end]).glibc, None);
        }
    }

    #[test]
    fn the_latest_version_counts() {
        let names = b"\0libc.so.6\0GLIBC_2.9\0GLIBC_PRIVATE\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_";
        assert_eq!(latest(names).as_deref(), Some("2.34"));
        assert_eq!(latest(b"nothing"), None);
        assert!(version("2.9") < version("2.34") && version("x").is_none());
    }
}
