//! What an entry's process has said, to tell why it ended.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use process::plain_file;

/// How much of a log is looked at, in bytes: its end.
const NEAR: u64 = 64 << 10;

/// The length of a log in bytes; 0 if there is no log.
pub(super) fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Why a process ended, by what it has written to its log since `since`.
pub(super) fn why(path: &Path, since: u64) -> String {
    let from = since.max(length(path).saturating_sub(NEAR));
    let mut text = Vec::new();
    let read = plain_file::open(path).and_then(|mut file| {
        file.seek(SeekFrom::Start(from))?;
        file.read_to_end(&mut text)
    });
    match read {
        Ok(_) => why_of(&String::from_utf8_lossy(&text)),
        Err(error) => format!("{}: {error}", path.display()),
    }
}

/// The reason of a "stopped" or "void" line; else the last error; else the last line.
fn why_of(text: &str) -> String {
    let of_line = |line: &str, word: &str| match line.split_once(&format!(": {word}: ")) {
        // A match of a tournament.
        Some((dir, why)) => {
            let name = Path::new(dir).file_name().unwrap_or_default().to_string_lossy();
            Some(format!("{name}: {why}"))
        }
        None => line.strip_prefix(word)?.strip_prefix(": ").map(str::to_owned),
    };
    let of_line = |line| of_line(line, "stopped").or_else(|| of_line(line, "void"));
    let stopped: Vec<String> = text.lines().filter_map(of_line).collect();
    if !stopped.is_empty() {
        return stopped.join("; ");
    }
    let error = text.lines().rev().find(|line| line.starts_with("error:"));
    error.or(text.lines().next_back()).unwrap_or("it said nothing").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_the_error_not_what_follows_it() {
        let usage =
            "error: invalid value 'x' for '--nodes'\n\nFor more information, try '--help'.\n";
        assert_eq!(why_of(usage), "error: invalid value 'x' for '--nodes'");
        assert_eq!(why_of("2/20 games\n3/20 games\n"), "3/20 games");
        assert_eq!(why_of(""), "it said nothing");
        let faults = "3/20 games\nstopped: 3 games in a row could not start; /x: gone\n\
                      when the engine is fixed, continue with: verdict resume night/a\n";
        assert_eq!(why_of(faults), "3 games in a row could not start; /x: gone");
        let tournament = "night/all/01-a-v-b: stopped: 3 of 20 games\n\
                          night/all/02-a-v-c: void: 4 of 20 games\nnot finished yet\n";
        assert_eq!(why_of(tournament), "01-a-v-b: 3 of 20 games; 02-a-v-c: 4 of 20 games");
    }

    #[test]
    fn lines_of_an_earlier_run_are_not_these() {
        let log = tempfile::NamedTempFile::new().unwrap();
        fs::write(log.path(), "error: of yesterday\n").unwrap();
        let since = length(log.path());
        assert_eq!(why(log.path(), 0), "error: of yesterday");
        assert_eq!(why(log.path(), since), "it said nothing");
    }
}
