use super::*;

fn figures(text: &str) -> (Option<Score>, u32, u32, u64) {
    let ProgramReport { score, depth, seldepth, nodes, .. } =
        ProgramReport::default().then(text.as_bytes(), info);
    (score, depth.unwrap_or(0), seldepth.unwrap_or(0), nodes.unwrap_or(0))
}

#[test]
fn info_lines() {
    let cp = |cp| Some(Score::Cp(cp));
    let cases = [
        ("", (None, 0, 0, 0)),
        ("info depth 5 seldepth 7 score cp 31 nodes 100 pv e2e4\n", (cp(31), 5, 7, 100)),
        ("info score mate -3 depth 9 nodes 8\n", (Some(Score::Mate(-3)), 9, 0, 8)),
        ("info depth 2 score mate 0\r\n", (Some(Score::Mate(0)), 2, 0, 0)),
        // The last exact score counts, not a bound after it; nodes are the last given.
        (
            "info depth 4 score cp 10 nodes 50\n\
             info depth 5 score cp 90 lowerbound nodes 70\n\
             info depth 5 currmove e2e4 currmovenumber 1 nodes 90\n",
            (cp(10), 4, 0, 90),
        ),
        ("info depth 5 score cp 90 upperbound nodes 70\n", (cp(90), 5, 0, 70)),
        (
            "info depth 5 score cp 90 upperbound nodes 70\ninfo depth 6 nodes 71\n",
            (cp(90), 5, 0, 71),
        ),
        // Only the first variation.
        (
            "info depth 3 multipv 1 score cp 5 nodes 6\ninfo depth 3 multipv 2 score cp -5\n",
            (cp(5), 3, 0, 6),
        ),
        // Free text is not read; fields after the variation are.
        ("info string depth 9 score cp 77\n", (None, 0, 0, 0)),
        ("info depth 3 score cp 1 string nodes 4\n", (cp(1), 3, 0, 0)),
        ("info pv e2e4 e7e5 depth 3 score cp 1 nodes 4\n", (cp(1), 3, 0, 4)),
        ("info depth 12/30 score cp 1 nodes 4\n", (cp(1), 12, 0, 4)),
        // Nonsense leaves no figure rather than a wrong one.
        ("info\ninfo \ninfo depth\ninfo score\ninfo score cp\n", (None, 0, 0, 0)),
        ("info depth x seldepth -1 score cp abc nodes 1e9\n", (None, 0, 0, 1)),
        ("info score cp 99999999999999 nodes 99999999999999999999\n", (cp(i32::MAX), 0, 0, 0)),
        ("information depth 3 score cp 1\n", (None, 0, 0, 0)),
    ];
    for (text, expected) in cases {
        assert_eq!(figures(text), expected, "{text:?}");
    }
}

/// A bound counts beside the exact score that it follows, not beside a later one.
#[test]
fn bounds() {
    let (exact, cp) = (Some(Score::Cp(30)), Score::Cp);
    for (lines, expected) in [
        ("30", (exact, None)),
        ("30|5 upperbound|-60 upperbound", (exact, Some(ScoreBound::AtMost(cp(-60))))),
        ("5 lowerbound|30", (exact, None)),
        ("5 upperbound|30|31 lowerbound", (exact, Some(ScoreBound::AtLeast(cp(31))))),
        ("7 lowerbound", (Some(cp(7)), Some(ScoreBound::AtLeast(cp(7))))),
    ] {
        let line = |score| format!("info depth 5 score cp {score} nodes 9\n");
        let text: String = lines.split('|').map(line).collect();
        let report = ProgramReport::default().then(text.as_bytes(), info);
        assert_eq!((report.score, report.bound), expected, "{lines}");
    }
}

#[test]
fn details() {
    let of = |line: &str| details_of(line.as_bytes()).map(|details| details.comment());
    let line = "info depth 9 seldepth 14 score cp 3 nodes 8 hashfull 7 tbhits 2 pv e2e4 e7e5\n";
    assert_eq!(of(line).as_deref(), Some("sd=14 hashfull=7 tbhits=2 pv=\"e2e4 e7e5\""));
    assert_eq!(of("info depth 9 pv e2e4").as_deref(), Some("pv=\"e2e4\""));
    for other in [
        "info depth 9 seldepth 14 nodes 8",
        "info depth 9 multipv 2 pv e2e4",
        "info depth 9 score cp 3 lowerbound pv e2e4",
        "info string pv e2e4",
        "bestmove e2e4",
    ] {
        assert_eq!(of(other), None, "{other}");
    }
}

#[test]
fn best_moves() {
    let uci = |text: &str| Some(Ok(text.parse::<UciMove>().unwrap()));
    assert_eq!(best_move(b"bestmove e2e4 ponder e7e5"), uci("e2e4"));
    assert_eq!(best_move(b"  bestmove   a7a8q  "), uci("a7a8q"));
    assert_eq!(best_move(b"bestmove 0000"), Some(Ok(UciMove::Null)));
    assert_eq!(best_move(b"bestmove (none)"), Some(Ok(UciMove::Null)));
    assert_eq!(best_move(b"bestmove"), Some(Err(b"".as_slice())));
    assert_eq!(best_move(b"bestmove \xff\xfe"), Some(Err(b"\xff\xfe".as_slice())));
    assert_eq!(best_move(b"bestmove e9e4"), Some(Err(b"e9e4".as_slice())));
    assert_eq!(best_move(b"bestmoves e2e4"), None);
    assert_eq!(best_move(b"info bestmove e2e4"), None);
}

/// From malformed lines only values that are really there are taken.
#[test]
fn nonsense_is_no_report() {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

    let words = "info depth score cp mate -1 nodes 18446744073709551616 multipv 1 2 pv e2e4 \
                 string lowerbound seldepth \n \r\n bestmove a7a8q \x00 \u{FFFD} 1/2 +3";
    let words: Vec<_> = words.split(' ').collect();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut next = |below: usize| rng.next_u32() as usize % below;
    for _ in 0..20_000 {
        let mut text = Vec::new();
        for _ in 0..next(12) {
            text.extend_from_slice(words[next(words.len())].as_bytes());
            text.push(b' ');
        }
        for _ in 0..next(4) {
            let at = next(text.len() + 1);
            text.insert(at, next(256) as u8);
        }
        let said: Vec<_> =
            text.split(u8::is_ascii_whitespace).filter(|it| !it.is_empty()).collect();
        let report = info(&text);
        assert!(report.is_none() || said.first() == Some(&b"info".as_slice()), "{text:?}");
        if let Some(nodes) = report.and_then(|report| report.nodes) {
            let is_it = |word: &&[u8]| number::<u64>(word) == Some(nodes);
            assert!(said.iter().any(is_it), "{nodes} nodes of {text:?}");
        }
        if let Some(Ok(best)) = best_move(&text) {
            assert_eq!(said.first(), Some(&b"bestmove".as_slice()), "{text:?}");
            let is_it = |word: &&[u8]| UciMove::from_ascii(word).ok() == Some(best);
            assert!(best == UciMove::Null || said[1..].iter().any(is_it), "{best} of {text:?}");
        }
    }
}

#[test]
fn expected_replies() {
    for (line, reply) in [
        ("bestmove e2e4 ponder e7e5\r\n", Some("e7e5")),
        ("bestmove e2e4  ponder  a7a8q x", Some("a7a8q")),
        ("bestmove e2e4", None),
        ("bestmove e2e4 ponder", None),
        ("bestmove e2e4 ponder (none)", None),
        ("bestmove e2e4 ponder 0000", None),
    ] {
        let found = expected_reply(line.as_bytes()).map(|reply| reply.to_string());
        assert_eq!(found.as_deref(), reply, "{line}");
    }
}
