use std::fs;

use super::*;

const LINES: [&str; 4] = ["a", "b", "c", "d"];

fn game(line: &str) -> u64 {
    u64::from(line.as_bytes()[0] - b'a')
}

/// A folder with the digests of these lines.
fn sealed(lines: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut chain = Chain::create(dir.path()).unwrap();
    for pair in lines.chunks(2) {
        chain.append(pair.iter().map(|line| (game(line), line.as_bytes()))).unwrap();
    }
    chain.sync().unwrap();
    dir
}

/// What a journal of these lines comes to; what is changed is told by its place.
fn found(dir: &Path, lines: &[&str]) -> Result<(Vec<u64>, u64), usize> {
    let mut check = DigestCheck::open(dir).unwrap();
    for (at, line) in lines.iter().enumerate() {
        let told = check.line(game(line), at as u64 + 1, line.as_bytes()).unwrap();
        told.map_err(|_| at)?;
    }
    let findings = check.finish(|| false).unwrap();
    let uncovered = findings.uncovered.map_or(0, |(_, count)| count);
    Ok((findings.missing.into_iter().collect(), uncovered))
}

#[test]
fn what_was_changed_is_named_and_what_is_missing_told() {
    let dir = sealed(&LINES);
    let found = |lines: &[&str]| found(dir.path(), lines);
    assert_eq!(found(&LINES), Ok((vec![], 0)));
    assert_eq!(found(&["a", "bx", "c", "d"]), Err(1));
    assert_eq!(found(&["b", "a", "c", "d"]), Err(1), "moved");
    assert_eq!(found(&["a", "c", "d"]), Ok((vec![1], 0)), "taken out");
    assert_eq!(found(&["a", "b"]), Ok((vec![2, 3], 0)));
    assert_eq!(found(&["a", "c", "d", "bx"]), Err(3), "taken out and put back changed");
    assert_eq!(found(&["a", "b", "x", "c", "d"]), Err(2), "put between");
    assert_eq!(found(&["a", "b", "c", "d", "e", "f", "g"]), Ok((vec![], 3)), "put behind");
    // What is written meanwhile is no gap.
    assert_eq!(DigestCheck::open(dir.path()).unwrap().finish(|| true).unwrap().missing.len(), 0);
}

/// Who reads a run that is being played may read a line before its digest is written.
#[test]
fn digests_may_come_after_their_lines() {
    let all = ["a", "b", "c", "d", "e", "f"];
    let whole = fs::read(sealed(&all).path().join(DIGEST_FILE)).unwrap();
    let of_one = whole.len() / all.len();
    // So many digests are there at first, and so many when further lines are read.
    for at_first in 0..=all.len() {
        for read in at_first..=all.len() {
            for meanwhile in at_first..=all.len() {
                let dir = tempfile::tempdir().unwrap();
                let path = dir.path().join(DIGEST_FILE);
                fs::write(&path, &whole[..at_first * of_one]).unwrap();
                let mut check = DigestCheck::open(dir.path()).unwrap();
                for (at, line) in all.iter().enumerate() {
                    if at == read {
                        fs::write(&path, &whole[..meanwhile * of_one]).unwrap();
                    }
                    let is_covered =
                        check.line(game(line), at as u64 + 1, line.as_bytes()).unwrap();
                    let known = if at < read { at_first } else { meanwhile };
                    assert_eq!(is_covered, Ok(at < known), "{at_first} {read} {meanwhile}");
                }
                fs::write(&path, &whole).unwrap();
                let findings = check.finish(|| false).unwrap();
                assert!(findings.missing.is_empty() && findings.uncovered.is_none());
            }
        }
    }
}

#[test]
fn digests_cannot_be_changed_one_by_one() {
    let dir = sealed(&LINES);
    let forged = sealed(&["a", "bx", "c", "d"]);
    let read = |dir: &Path| fs::read_to_string(dir.join(DIGEST_FILE)).unwrap();
    let (mine, theirs) = (read(dir.path()), read(forged.path()));
    let mut lines: Vec<&str> = mine.lines().collect();
    lines[1] = theirs.lines().nth(1).unwrap();
    fs::write(dir.path().join(DIGEST_FILE), lines.join("\n") + "\n").unwrap();
    assert_eq!(found(dir.path(), &["a", "bx", "c", "d"]), Err(2));
}

#[test]
fn it_goes_on_after_a_kill_at_any_moment() {
    let whole = fs::read(sealed(&LINES).path().join(DIGEST_FILE)).unwrap();
    for cut in 0..=whole.len() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(DIGEST_FILE), &whole[..cut]).unwrap();
        let mut check = DigestCheck::open(dir.path()).unwrap();
        for (number, line) in (1..).zip(LINES) {
            check.line(game(line), number, line.as_bytes()).unwrap().unwrap();
        }
        let (mut chain, _) = check.into_chain().unwrap();
        assert!(fs::read(dir.path().join(DIGEST_FILE)).unwrap() == whole, "cut at {cut}");
        chain.append([(4, b"e".as_slice())]).unwrap();
        let all = ["a", "b", "c", "d", "e"];
        assert_eq!(found(dir.path(), &all), Ok((vec![], 0)), "cut at {cut}");
    }
}

#[test]
fn a_game_that_was_taken_out_is_played_again() {
    let dir = sealed(&LINES);
    let mut check = DigestCheck::open(dir.path()).unwrap();
    for (number, line) in (1..).zip(["a", "c", "d"]) {
        check.line(game(line), number, line.as_bytes()).unwrap().unwrap();
    }
    let (mut chain, _) = check.into_chain().unwrap();
    chain.append([(1, b"by".as_slice())]).unwrap();
    assert_eq!(found(dir.path(), &["a", "c", "d", "by"]), Ok((vec![], 0)));
}

#[test]
fn older_runs_have_none_and_damage_is_named() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(found(dir.path(), &LINES), Ok((vec![], 4)), "none is covered");
    assert!(!DigestCheck::open(dir.path()).unwrap().finish(|| false).unwrap().file_exists);
    let path = dir.path().join(DIGEST_FILE);
    fs::write(&path, "0 xyz\n1 zzz\n").unwrap();
    let error = DigestCheck::open(dir.path()).unwrap().line(0, 1, b"a").unwrap_err();
    assert!(matches!(error, RecordError::Damaged { line: 1, .. }), "{error}");
    assert!(!error.to_string().contains("remove"), "{error}");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(DigestCheck::open(dir.path()).is_err());
}

#[test]
fn what_no_digest_covers_is_told_by_its_number() {
    let dir = sealed(&LINES);
    let path = dir.path().join(DIGEST_FILE);
    let whole = fs::read_to_string(&path).unwrap();
    let told = |on_trust: u64| {
        let mut check = DigestCheck::open(dir.path()).unwrap();
        for (number, line) in (1..).zip(LINES) {
            check.line(game(line), number, line.as_bytes()).unwrap().unwrap();
        }
        check.finish(|| false).unwrap().words(on_trust).join("; ")
    };
    assert_eq!(told(0), "");
    let shortened = |lines: usize| whole.lines().take(lines).map(|line| format!("{line}\n"));
    fs::write(&path, shortened(2).collect::<String>()).unwrap();
    assert_eq!(told(0), "", "as a kill leaves it");
    assert!(told(1).starts_with("2 games (games.jsonl, from line 3 on)"), "{}", told(1));
    for lines in [1, 0] {
        fs::write(&path, shortened(lines).collect::<String>()).unwrap();
        let count = 4 - lines;
        assert!(told(0).starts_with(&format!("{count} games (games.jsonl")), "{}", told(0));
    }
    fs::remove_file(&path).unwrap();
    assert!(told(0).contains("is missing: 4 games"), "{}", told(0));
}
