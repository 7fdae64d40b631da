//! Programs for a test, written as shell scripts.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a program that is sound when it is first started, as it is before a match, and `program` with
/// these vices from then on.
pub(crate) fn sound_at_first(path: &Path, program: &str, vices: &str) {
    let tried = format!("{}.tried", path.display());
    let first = format!("[ -e '{tried}' ] || {{ : >'{tried}'; exec {program}; }}");
    script(path, &format!("{first}\nexec {program} {vices}"));
}

/// Writes a program: what stands behind `#!/bin/sh`.
///
/// Another process writes it. A file that this one has open for writing is open in whatever another
/// test starts at that moment, and nobody can run it until then ("text file busy").
pub(crate) fn script(path: &Path, text: &str) {
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "cat >\"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    writer.stdin.take().unwrap().write_all(format!("#!/bin/sh\n{text}\n").as_bytes()).unwrap();
    assert!(writer.wait().unwrap().success(), "{}", path.display());
}
