//! Whether a capsule still has all that its program was told.

use arena::collector::TRANSCRIPT_FILE;
use arena::player::program::Protocol;
use arena::record::Termination;

/// What stands behind the time in a line of the transcript that the program was told.
const SENT: &str = " > ";
/// How wide the time is.
const TIME: usize = 12;
/// What the transcript says in place of what was not kept.
const LEFT_OUT: &str = " bytes left out …";

/// Whether all of a game was kept.
pub(super) fn is_whole(transcript: &str) -> bool {
    !transcript.contains(LEFT_OUT)
}

/// Compares what a program of a game that ended so was told with the traffic kept beside it.
pub(super) fn check(
    input: &str,
    transcript: &str,
    protocol: Protocol,
    ended: Termination,
) -> Result<(), String> {
    let sent = transcript.lines().filter(|line| line.get(TIME..TIME + SENT.len()) == Some(SENT));
    let told: Vec<&str> = sent.map(|line| &line[TIME + SENT.len()..]).collect();
    let lines: Vec<&str> = input.lines().map(str::trim_ascii_end).collect();
    let first = match protocol {
        Protocol::Uci => "uci",
        Protocol::Xboard => "xboard",
    };
    // A program that could not be run at all was told nothing.
    let unheard = told.is_empty() && ended == Termination::NotStarted;
    if lines.first() != Some(&first) && !(unheard && lines.is_empty()) {
        let found = lines.first().map_or("nothing".to_owned(), |line| format!("'{line}'"));
        return Err(format!(
            "line 1: expected what the program was told, '{first}'; found {found}"
        ));
    }
    for number in 0..lines.len().max(told.len()) {
        let (line, told) = (lines.get(number), told.get(number));
        // The transcript writes other bytes than ASCII in other ways.
        if line == told || line.is_some_and(|line| !line.is_ascii()) {
            continue;
        }
        let word = |line: Option<&&str>| line.map_or("nothing".to_owned(), |l| format!("'{l}'"));
        let (number, found, expected) = (number + 1, word(line), word(told));
        return Err(format!(
            "line {number}: expected {expected}, which {TRANSCRIPT_FILE} says was told; found {found}"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRANSCRIPT: &str = "    0.000012 > uci\n    0.000300 < uciok\n    0.000400 > setoption \
                              name Book value Ans\\xc3\\xa4tze\n    0.000410 > isready\n";
    const INPUT: &str = "uci\nsetoption name Book value Ansätze\nisready\n";

    #[test]
    fn what_is_missing_or_changed_is_named() {
        let check = |input: &str| check(input, TRANSCRIPT, Protocol::Uci, Termination::Crash);
        assert_eq!(check(INPUT), Ok(()));
        for (input, expected) in [
            ("".to_owned(), "line 1: "),
            ("xboard\n".to_owned(), "line 1: "),
            (INPUT.replace("isready\n", ""), "line 3: expected 'isready'"),
            (INPUT.replace("isready", "isre"), "line 3: expected 'isready'"),
            (INPUT.to_owned() + "quit\n", "line 4: expected nothing"),
        ] {
            let error = check(&input).unwrap_err();
            assert!(error.starts_with(expected), "{input}: {error}");
        }
    }

    #[test]
    fn a_program_that_never_ran_was_told_nothing() {
        let check = |ended| check("", "", Protocol::Uci, ended);
        assert_eq!(check(Termination::NotStarted), Ok(()));
        assert!(check(Termination::Crash).is_err());
    }
}
