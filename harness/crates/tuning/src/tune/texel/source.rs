//! Sources of positions: games of runs and of PGN files, and lists of positions with results.

use std::fs::Metadata;
use std::path::Path;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;

use super::batches::{BATCH, Batches, GameLine, Scores, Skipped};
use super::games::PgnGames;
use arena::record::Games;
use pgn::{BookFormat, Lines, Origin, parse, positions_on, quote, with_text};
use process::Error;

/// What positions of lists have to come with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Nothing.
    Positions,
    /// Their game's result.
    Results,
    /// Their game's result, or else a score.
    ResultsOrScores,
}

impl Wanted {
    fn in_words(self) -> &'static str {
        match self {
            Wanted::Positions => "a position, as FEN, as EPD, or as FEN | score | result",
            Wanted::Results => {
                "a position and its game's result, FEN | score | 1.0, FEN | 0.5 or an EPD with c9 \"1-0\"; or \
                 [0.5] (a score without a result serves with --lambda below 1)"
            }
            Wanted::ResultsOrScores => {
                "a position with a score or its game's result, FEN | score | 1.0, FEN | score, FEN | 0.5 or an \
                 EPD with c9 \"1-0\"; or [0.5]"
            }
        }
    }
}

/// Lines of a list that are held out together: neighbours are often from one game.
const BLOCK: u64 = 1024;

/// Fails when there is no such source, before anything is read.
pub(crate) fn find(path: &Path) -> Result<Metadata, Error> {
    std::fs::metadata(path).map_err(|error| {
        let path = path.display();
        Error::input_output(format!(
            "{path}: {error}; expected a run's folder, a PGN file or a list of positions"
        ))
    })
}

/// Hands the games of a run's folder or a PGN file, or the positions of a list, to `take` in
/// batches.
pub(crate) fn read(
    path: &Path,
    wanted: Wanted,
    take: &mut dyn FnMut(&[GameLine]) -> Result<(), Error>,
) -> Result<Skipped, Error> {
    if !find(path)?.is_dir() {
        return read_text(path, wanted, take);
    }
    let mut games = Games::open(path)?
        .filter(|game| !game.as_ref().is_ok_and(|game| game.termination.is_fault()));
    loop {
        let batch = games.by_ref().take(BATCH).collect::<Result<Vec<_>, _>>()?;
        if batch.is_empty() {
            return Ok(Skipped::default());
        }
        take(&batch.iter().map(GameLine::of_record).collect::<Vec<_>>())?;
    }
}

/// A file of games in PGN or of positions, compressed or not.
fn read_text(
    path: &Path,
    wanted: Wanted,
    take: &mut dyn FnMut(&[GameLine]) -> Result<(), Error>,
) -> Result<Skipped, Error> {
    let mut batches = Batches::new(take);
    let mut skipped = Skipped::default();
    with_text(Origin::File(path), &mut |format, text| {
        let mut lines = Lines::new(text);
        if format == BookFormat::Pgn {
            let mut games = PgnGames::new(path, &mut batches);
            parse(&mut lines, &mut games)?;
            skipped = games.skipped;
            return Ok(());
        }
        let mut before = None;
        while let Some(line) = lines.next_line()? {
            let number = line.number;
            for text in positions_on(line.bytes) {
                let Some((mut found, moves)) = position(number, text, wanted) else {
                    batches.fail(Error::input_output(format!(
                        "{}:{number}: expected {}, found {}",
                        path.display(),
                        wanted.in_words(),
                        quote(text)
                    )));
                    break;
                };
                // A list does not name its games, but the positions of a game follow one another.
                let now = moves.map(|moves| (moves, found.result));
                skipped.alone += u64::from(now.is_none());
                type Place = (u32, Option<f32>);
                let goes_on = |before: Place, now: Place| before.0 <= now.0 && before.1 == now.1;
                found.is_new = !before.zip(now).is_some_and(|(before, now)| goes_on(before, now));
                before = now;
                batches.add(found);
            }
            if batches.failed.is_some() {
                break;
            }
        }
        Ok(())
    })
    .map_err(|error| Error::input_output(error.to_string()))?;
    batches.finish()?;
    Ok(skipped)
}

/// A position with what is known of it, and its full-move number if it has one. Formats: `FEN | score
/// | result` as `verdict export` and `verdict label` write it (score in centipawns, White's view), to
/// which a best move may be added and whose result may be missing; `FEN | result`; an EPD, which may
/// have the result in an operation, as in `c9 "1-0";` or `[0.5]`.
fn position(number: u64, line: &[u8], wanted: Wanted) -> Option<(GameLine, Option<u32>)> {
    let text = std::str::from_utf8(line).ok()?;
    let mut parts = text.split('|').map(str::trim);
    let epd = parts.next()?;
    let (fen, rest) = board(epd)?;
    let (mut score, mut result) = (None, None);
    for (place, part) in parts.enumerate() {
        if let (0, Ok(centipawns)) = (place, part.parse::<i32>()) {
            score = Some(centipawns);
        } else if let (None, Some(found)) = (result, parse_result(part)) {
            result = Some(found);
        } else if place == 0 || part.parse::<UciMove>().is_err() {
            return None;
        }
    }
    if !text.contains('|') {
        result = rest.split([' ', ';', ',']).filter_map(parse_result).next_back();
    }
    let is_enough = match wanted {
        Wanted::Positions => true,
        Wanted::Results => result.is_some(),
        Wanted::ResultsOrScores => result.is_some() || score.is_some(),
    };
    if !is_enough {
        return None;
    }
    let is_counted = fen.split(' ').count() == 6;
    let fen: Fen = fen.parse().ok()?;
    let moves = is_counted.then_some(fen.as_setup().fullmoves.get());
    let white_moves = fen.as_setup().turn.is_white();
    let score_white = score.map(|score| if white_moves { score } else { score.saturating_neg() });
    let line = GameLine {
        number: number / BLOCK,
        line: Some(number),
        is_new: true,
        fen: fen.to_string(),
        moves: String::new(),
        result,
        scores: score_white.map_or_else(Scores::default, |said| Scores::Given(vec![Some(said)])),
    };
    Some((line, moves))
}

/// A FEN, with its counters if it has them, and the text after it.
fn board(text: &str) -> Option<(&str, &str)> {
    let mut ends = text.match_indices(' ').map(|(at, _)| at).chain([text.len()]);
    let four = ends.by_ref().nth(3)?;
    let is_counter = |from: usize, to: usize| {
        let word = &text[from..to];
        !word.trim().is_empty() && word.trim().bytes().all(|byte| byte.is_ascii_digit())
    };
    let (first, second) = (ends.next(), ends.next());
    let end = match (first, second) {
        (Some(first), Some(second)) if is_counter(four, first) && is_counter(first, second) => {
            second
        }
        _ => four,
    };
    Some((&text[..end], &text[end..]))
}

/// Reads a result, White's view.
pub(super) fn parse_result(word: &str) -> Option<f32> {
    match word.trim_matches(['"', '[', ']', ' ']) {
        "1-0" | "1.0" => Some(1.0),
        "1/2-1/2" | "0.5" => Some(0.5),
        "0-1" | "0.0" => Some(0.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::BOOK_PLIES;
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn lines(name: &str, text: &str) -> Result<(Vec<GameLine>, Skipped), Error> {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("a file");
        let mut found = Vec::new();
        let skipped = read(&path, Wanted::Results, &mut |lines| {
            found.extend_from_slice(lines);
            Ok(())
        })?;
        Ok((found, skipped))
    }

    #[test]
    fn positions_of_all_kinds() {
        let short = "8/8/8/4k3/8/8/4P3/4K3 b - -";
        for (line, fen, result, score) in [
            (format!("{START} | 35 | 1.0"), START, 1.0, Some(35)),
            (
                format!("{short} 3 40 | 120 | 0.5"),
                "8/8/8/4k3/8/8/4P3/4K3 b - - 3 40",
                0.5,
                Some(-120),
            ),
            (format!("{START} | 0.0"), START, 0.0, None),
            (format!("{START} | 35 | 1.0 | e2e4 "), START, 1.0, Some(35)),
            (format!("{START} | 0.5 | e2e4"), START, 0.5, None),
            (format!("{short} c9 \"1-0\";"), "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1", 1.0, None),
            (format!("{START} [0.5]"), START, 0.5, None),
            (
                format!("{short} hmvc 0; c9 \"1/2-1/2\"; id \"7\";"),
                "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1",
                0.5,
                None,
            ),
        ] {
            let (found, _) = lines("list.epd", &format!("{line}\n")).expect(&line);
            let scores = score.map_or(Scores::Unknown(0), |score| Scores::Given(vec![Some(score)]));
            let expected = GameLine {
                line: Some(1),
                is_new: true,
                fen: fen.to_owned(),
                result: Some(result),
                scores,
                ..GameLine::default()
            };
            assert_eq!(found, [expected], "{line}");
        }
        let broken =
            ["x | 1.0", "35", "35 | e2e4", "35 | 1.0 | e2", "35 | 1.0 | 0.5", "e2e4 | 1.0", ""];
        let broken = broken.map(|rest| format!("{START} | {rest}"));
        let broken = broken.iter().map(String::as_str);
        for line in broken.chain(["{START}", "8/8 w - - | 1.0", "nonsense"]) {
            let error = lines("list.epd", &format!("# first\n{line}\n")).expect_err(line);
            assert!(error.to_string().contains("list.epd:2: expected a position"), "{error}");
        }
    }

    /// What a list has to come with depends on who reads it.
    #[test]
    fn positions_without_a_result() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("list");
        for (rest, wanted, is_enough) in [
            ("", Wanted::Positions, true),
            (" | 35", Wanted::Positions, true),
            ("", Wanted::ResultsOrScores, false),
            (" | 35", Wanted::ResultsOrScores, true),
            (" | 35 | e2e4", Wanted::ResultsOrScores, true),
            (" | 1.0", Wanted::ResultsOrScores, true),
            (" | 35", Wanted::Results, false),
        ] {
            std::fs::write(&path, format!("{START}{rest}\n")).expect("a file");
            let mut results = Vec::new();
            let found = read(&path, wanted, &mut |lines| {
                results.extend(lines.iter().map(|line| line.result));
                Ok(())
            });
            assert_eq!(found.is_ok(), is_enough, "{rest} {wanted:?}");
            let result = rest.ends_with("1.0").then_some(1.0);
            assert_eq!(results, if is_enough { vec![result] } else { vec![] }, "{rest}");
        }
    }

    /// Lists do not name their games: a game ends where the move numbers start again or the result changes.
    #[test]
    fn games_of_a_list() {
        let short = "8/8/8/4k3/8/8/4P3/4K3 b - -";
        let list = format!(
            "{short} 0 30 | 1.0\n{short} 0 31 | 1.0\n{short} 0 33 | 0.5\n{short} 0 33 | 0.5\n\
             {short} 0 7 | 0.5\n{short} [0.5]\n{short} [0.5]\n"
        );
        let (found, skipped) = lines("list", &list).expect("positions");
        assert_eq!(skipped.alone, 2);
        let new: Vec<bool> = found.iter().map(|line| line.is_new).collect();
        assert_eq!(new, [true, false, true, false, true, true, true]);
    }

    #[test]
    fn games_of_pgn() {
        let text = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 {good} Nc6 1-0\n\n\
                    [Event \"no result\"]\n[Result \"*\"]\n\n1. d4 *\n\n\
                    [Event \"illegal\"]\n[Result \"0-1\"]\n\n1. e5 0-1\n\n\
                    [Event \"fen\"]\n[FEN \"8/8/8/4k3/8/8/4P3/4K3 b - - 0 1\"]\n[Result \"1/2-1/2\"]\n\n\
                    1... Kd5 1/2-1/2\n";
        let (found, skipped) = lines("games.pgn", text).expect("games");
        assert_eq!(skipped.games, 2);
        let first = skipped.first.expect("the game without a result");
        let expected = "games.pgn:6: game of line 6 (byte 60): expected a result, found '*'";
        assert!(first.ends_with(expected), "{first}");
        let told: Vec<_> =
            found.iter().map(|line| (line.number, line.moves.trim(), line.result)).collect();
        assert_eq!(told, [(1, "e2e4 e7e5 g1f3 b8c6", Some(1.0)), (4, "e5d5", Some(0.5))]);
        assert_eq!(found[0].scores, Scores::Unknown(BOOK_PLIES));
        assert_eq!(found[1].scores, Scores::Unknown(0));
    }

    /// The comment of a program scores the position before the move, the comment of a server the position after
    /// it; book moves have no score.
    #[test]
    fn scores_of_pgn() {
        let programs =
            "[Result \"1-0\"]\n\n1. e4 {book} e5 {-0.20/9 0.1s} 2. Nf3 {+0.35/9} Nc6 {-M4/9} 1-0\n";
        let servers = "[Result \"1-0\"]\n\n1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. Nf3 { [%eval 0.1] } 1-0\n";
        let scores = |text| lines("games.pgn", text).expect("games").0[0].scores.clone();
        assert_eq!(scores(programs), Scores::Given(vec![None, Some(-20), Some(35), None]));
        assert_eq!(scores(servers), Scores::Given(vec![None, Some(-30), Some(20), Some(-10)]));
    }

    /// All notations of a move are equal; evaluation signs are not moves.
    #[test]
    fn games_of_pgn_as_people_write_them() {
        let text = "[Result \"1-0\"]\n\n1. e2-e4 \u{b1} d7d5 = 2. e4xd5 N Qxd5 +/- 3. Ng1f3+= 1-0\n\n\
                    \u{feff}[Result \"0-0\"]\n\n1. e4 e5 0-0\n";
        let (found, skipped) = lines("games.pgn", text).expect("games");
        let told: Vec<_> = found.iter().map(|line| (line.moves.trim(), line.result)).collect();
        assert_eq!(told, [("e2e4 d7d5 e4d5 d8d5 g1f3", Some(1.0))]);
        let first = skipped.first.expect("the double forfeit");
        let expected = "found that both players have lost";
        assert!(first.contains("games.pgn:5:") && first.ends_with(expected), "{first}");
    }

    /// If the tag and the token differ there is no result. Errors name the line, and the game's line and byte.
    #[test]
    fn mistakes_of_pgn_are_told() {
        for (text, expected) in [
            (
                "[Result \"1-0\"]\n\n1. e4 e5 0-1\n",
                "games.pgn:1: game of line 1 (byte 0): expected one result",
            ),
            (
                "[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[Result \"1-0\"]\n\n1. e4 e5\n2. Ke3 1-0\n",
                "games.pgn:8: game of line 5 (byte 30): ply 3: expected ",
            ),
            (
                "[Result \"1-0\"]\n\n1. e4 ) e5 1-0\n",
                "games.pgn:3: game of line 1 (byte 0): expected '('",
            ),
            (
                "[Result \"1-0\"]\n\n1. e4 {open\n\n[Event \"b\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n",
                "games.pgn:3: game of line 1 (byte 0): expected '}'",
            ),
        ] {
            let (_, skipped) = lines("games.pgn", text).expect("games");
            let first = skipped.first.expect("a mistake");
            assert_eq!(skipped.games, 1);
            assert!(first.contains(expected), "{first}");
        }
    }

    /// Files that were joined have byte-order marks between them, even without an end of line there.
    #[test]
    fn lists_that_were_joined() {
        for between in ["\n\u{feff}", "\u{feff}"] {
            let list = format!("\u{feff}{START} | 1.0{between}{START} | 0.0\n");
            let (found, _) = lines("list.epd", &list).expect("positions");
            assert_eq!(
                found.iter().map(|line| line.result).collect::<Vec<_>>(),
                [Some(1.0), Some(0.0)]
            );
        }
    }

    /// A missing file is named as it was typed.
    #[test]
    fn a_missing_source_is_named() {
        let error = read(Path::new("missing.epd"), Wanted::Results, &mut |_| Ok(()))
            .expect_err("nothing is there");
        assert!(error.to_string().starts_with("missing.epd: "), "{error}");
    }
}
