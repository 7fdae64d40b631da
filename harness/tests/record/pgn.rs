//! `games.pgn`, read back by an independent reader.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;

use ::pgn::Outcome;
use arena::record::{
    GameRecord, MoveNote, RecordError, RunFile, Score, Termination, TimeRecord, pgn,
};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use strum::VariantArray as _;

use crate::common::samples::{START, game, journal, random_game, run_file, with_moves};

/// A game as the reader sees it.
#[derive(Debug, Default)]
struct Read {
    tags: BTreeMap<String, String>,
    position: Chess,
    mode: Option<CastlingMode>,
    moves: Vec<String>,
    comments: Vec<String>,
    outcome: String,
}

struct ReadBack;

impl Visitor for ReadBack {
    type Tags = Read;
    type Movetext = Read;
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, Read> {
        ControlFlow::Continue(Read::default())
    }

    fn tag(&mut self, read: &mut Read, name: &[u8], value: RawTag<'_>) -> ControlFlow<Read> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        let value = value.decode_utf8_lossy().into_owned();
        assert!(read.tags.insert(name, value).is_none(), "a tag twice");
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, mut read: Read) -> ControlFlow<Read, Read> {
        let mode = CastlingMode::from_chess960(read.tags.contains_key("Variant"));
        read.mode = Some(mode);
        if let Some(fen) = read.tags.get("FEN") {
            read.position = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
        }
        ControlFlow::Continue(read)
    }

    fn san(&mut self, read: &mut Read, san: SanPlus) -> ControlFlow<Read> {
        let mv = san.san.to_move(&read.position).unwrap();
        assert_eq!(SanPlus::from_move(read.position.clone(), mv), san, "the check signs, too");
        read.position.play_unchecked(mv);
        read.moves.push(mv.to_uci(read.mode.unwrap()).to_string());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, read: &mut Read, comment: RawComment<'_>) -> ControlFlow<Read> {
        let text = String::from_utf8(comment.as_bytes().to_vec()).unwrap();
        read.comments.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, read: &mut Read, outcome: pgn_reader::Outcome) -> ControlFlow<Read> {
        read.outcome = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, read: Read) -> Read {
        read
    }
}

fn read_back(text: &str) -> Vec<Read> {
    Reader::new(text.as_bytes()).read_games(&mut ReadBack).map(Result::unwrap).collect()
}

fn text_of(game: &GameRecord, run: &RunFile) -> String {
    let mut text = String::new();
    pgn::PgnWriter::of(run, "event").append(&mut text, game).unwrap();
    assert!(text.lines().all(|line| line.starts_with('[') || line.chars().count() < 80), "{text}");
    assert!(text.ends_with("\n\n"));
    text
}

/// One game, rendered and read back: the same moves and the same result.
fn round_trip(game: &GameRecord) -> Read {
    let mut read = read_back(&text_of(game, &run_file()));
    assert_eq!(read.len(), 1);
    let read = read.remove(0);
    assert_eq!(read.moves.join(" "), game.moves);
    assert_eq!(read.outcome, game.pgn_result());
    assert_eq!(read.tags["Result"], game.pgn_result());
    assert_eq!(read.tags["PlyCount"], game.plies.to_string());
    read
}

#[test]
fn a_whole_journal() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("the-run");
    journal(&folder, [2, 0, 1]);
    for _ in 0..2 {
        assert_eq!(pgn::render(&folder, &run_file()).unwrap(), 6);
    }
    let games = read_back(&fs::read_to_string(folder.join("games.pgn")).unwrap());
    let rounds: Vec<_> = games.iter().map(|game| game.tags["Round"].as_str()).collect();
    assert_eq!(rounds, ["3.1", "3.2", "1.1", "1.2", "2.1", "2.2"]);
    for (read, number) in games.iter().zip([4, 5, 0, 1, 2, 3]) {
        assert_eq!(read.moves.join(" "), game(number).moves);
        assert_eq!(read.tags["Event"], "the-run");
        assert_eq!(read.tags["GameNumber"], number.to_string());
        assert_eq!(read.tags["OpeningIndex"], (number / 2).to_string());
    }
}

#[test]
fn tags_in_the_order_of_the_roster() {
    let text = text_of(&game(1), &run_file());
    let names: Vec<_> =
        text.lines().filter_map(|line| line.strip_prefix('[')?.split(' ').next()).collect();
    assert_eq!(
        names,
        [
            "Event",
            "Site",
            "Date",
            "Round",
            "White",
            "Black",
            "Result",
            "UTCTime",
            "GameNumber",
            "OpeningIndex",
            "WhiteSide",
            "WhiteName",
            "WhiteSpec",
            "BlackSide",
            "BlackName",
            "BlackSpec",
            "TimeControl",
            "PlyCount",
            "Termination"
        ]
    );
    let read = round_trip(&game(1));
    for (name, value) in [
        ("Date", "2025.03.09"),
        ("UTCTime", "17:05:01"),
        ("Round", "1.2"),
        ("White", "mutineer 0.1.0 (0123456789)"),
        ("Black", "mutineer 0.1.0 (0123456789) search.pvs=false"),
        ("WhiteSide", "base"),
        ("BlackSide", "test"),
        ("BlackSpec", "embedded:default,search.pvs=false"),
        ("TimeControl", "nodes=3000"),
    ] {
        assert_eq!(read.tags[name], value);
    }
    let mut run = run_file();
    run.test.limit = "1+0.01".to_owned();
    let other = &read_back(&text_of(&game(1), &run))[0];
    assert!(!other.tags.contains_key("TimeControl"));
    assert_eq!(other.tags["WhiteTimeControl"], "nodes=3000");
    assert_eq!(other.tags["BlackTimeControl"], "1+0.01");
}

#[test]
fn random_games_of_every_kind_come_back() {
    for fen in [
        START,
        // Black begins; en passant at once; promotions.
        "rnbqkbnr/pppp1ppp/8/8/3Pp3/5P2/PPP1P1PP/RNBQKBNR b KQkq d3 0 3",
        "8/P6k/8/8/8/8/p6K/8 w - - 0 50",
        // Chess960: castling with king and rook side by side.
        "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
        "5k2/8/8/8/8/8/8/RK6 w A - 0 1",
    ] {
        for number in 0..40 {
            let record = random_game(number, fen, 60);
            let read = round_trip(&record);
            assert_eq!(read.tags.get("FEN").map(String::as_str), (fen != START).then_some(fen));
            assert_eq!(read.tags.contains_key("SetUp"), fen != START);
        }
    }
    let castled = random_game(0, "5k2/8/8/8/8/8/8/RK6 w A - 0 1", 1);
    assert_eq!(castled.moves, "b1a1");
    let read = round_trip(&castled);
    assert_eq!(read.tags["Variant"], "Chess960");
    assert!(text_of(&castled, &run_file()).contains("1. O-O-O"));
}

#[test]
fn move_comments() {
    let mut record = with_moves(0, START, "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7");
    let note = |score, nodes| MoveNote { score, depth: 9, nodes };
    record.notes = vec![
        note(Some(Score::Cp(35)), 5_000),
        note(Some(Score::Cp(-120)), 1),
        note(Some(Score::Mate(2)), 2),
        note(None, 3),
        note(Some(Score::Mate(1)), 4),
    ];
    record.time = TimeRecord { moves_us: vec![12_345, 0, 61_000_999, 5], ..TimeRecord::default() };
    record.result = Outcome::White;
    record.termination = Termination::Checkmate;
    let read = round_trip(&record);
    assert_eq!(
        read.comments,
        [
            "book",
            "book",
            "+0.35/9 0.012s n=5000",
            "-1.20/9 0.000s n=1",
            "+M3/9 61.000s n=2",
            "0.000s n=3",
            "+M1/9 n=4, White mates",
        ]
    );
    assert_eq!(read.tags["Date"], "????.??.??");
    let text = text_of(&record, &run_file());
    assert!(text.contains("1. e4 {book} e5 {book} 2. Bc4 {+0.35/9 0.012s n=5000} Nc6"), "{text}");
}

#[test]
fn every_termination_has_its_words() {
    use Outcome::{Black, Draw, White};
    let cases = [
        (Termination::Checkmate, Black, "normal", "Black mates"),
        (Termination::Stalemate, Draw, "normal", "Draw by stalemate"),
        (Termination::Repetition, Draw, "normal", "Draw by 3-fold repetition"),
        (Termination::FiftyMoves, Draw, "normal", "Draw by fifty moves rule"),
        (Termination::InsufficientMaterial, Draw, "normal", "Draw by insufficient mating material"),
        (Termination::Resignation, Black, "normal", "White resigns"),
        (Termination::DrawAdjudication, Draw, "adjudication", "Draw by adjudication"),
        (Termination::ResignAdjudication, White, "adjudication", "White wins by adjudication"),
        (
            Termination::LengthAdjudication,
            Draw,
            "adjudication",
            "Draw by adjudication: length of the game",
        ),
        (
            Termination::LengthAdjudication,
            Black,
            "adjudication",
            "Black wins by adjudication: length of the game",
        ),
        (
            Termination::TablebaseAdjudication,
            Draw,
            "adjudication",
            "Draw by adjudication: tablebase",
        ),
        (Termination::IllegalMove, White, "illegal move", "Black makes an illegal move"),
        (Termination::TimeLoss, Black, "time forfeit", "White loses on time"),
        (
            Termination::TimeLoss,
            Draw,
            "time forfeit",
            "Draw: White runs out of time and the other side cannot mate",
        ),
        (
            Termination::LateHarness,
            White,
            "time forfeit",
            "Black loses on time by the harness's delay",
        ),
        (Termination::NotStarted, White, "abandoned", "Black does not start"),
        (Termination::Crash, White, "abandoned", "Black disconnects"),
        (Termination::Hang, Black, "abandoned", "White's connection stalls"),
        (Termination::Garbage, Black, "abandoned", "White answers outside the protocol"),
        (Termination::BrokenPipe, White, "abandoned", "Black disconnects: broken pipe"),
        (
            Termination::FalseClaim,
            White,
            "abandoned",
            "Black claims a result that the board does not have",
        ),
        (Termination::AnsweredTwice, Black, "abandoned", "White answers twice"),
    ];
    for termination in Termination::VARIANTS {
        assert!(cases.iter().any(|(case, ..)| case == termination), "{termination:?}");
    }
    for (termination, result, tag, words) in cases {
        for moves in ["", "e2e4", "e2e4 e7e5", "e2e4 e7e5 g1f3 b8c6"] {
            let mut record = with_moves(0, START, moves);
            (record.termination, record.result) = (termination, result);
            if termination == Termination::TimeLoss && record.plies % 2 == 1 {
                continue;
            }
            let read = round_trip(&record);
            assert_eq!(read.tags["Termination"], tag);
            let last = read.comments.last().unwrap();
            assert!(last == words || last.ends_with(&format!(", {words}")), "{last}");

            record.detail = Some("bestmove {e2e5}\nat \"once\" %  100".to_owned());
            let read = round_trip(&record);
            let last = read.comments.last().unwrap();
            assert!(
                last.ends_with(&format!("{words} (bestmove (e2e5)<U+000A>at \"once\" % 100)")),
                "{last}"
            );
        }
    }
}

#[test]
fn foreign_text_breaks_no_game() {
    let mut run = run_file();
    run.test.name = "quo\"te] \\ {}\n".to_owned();
    run.test.limit = "%\t1".to_owned();
    let mut record = game(0);
    record.termination = Termination::Crash;
    let percents = format!("}} 1-0 {{ {}", "% %x ".repeat(100));
    for detail in ["}", "\\", "} *\n[Event \"x\"]\n", ";", &percents, &"x".repeat(10_000)] {
        record.detail = Some(detail.to_owned());
        let mut text = String::new();
        pgn::PgnWriter::of(&run, "a \"run\"").append(&mut text, &record).unwrap();
        assert!(!text.lines().any(|line| line.starts_with('%')));
        let read = &read_back(&text)[..];
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].moves.join(" "), record.moves);
        assert_eq!(read[0].tags["Event"], "a \"run\"");
        assert_eq!(read[0].tags["WhiteName"], "quo\"te] \\ {}<U+000A>");
    }
}

/// A number in a damaged record asks for no memory.
#[test]
fn a_game_of_any_number_of_plies_is_written() {
    let game = GameRecord { plies: u32::MAX, ..with_moves(7, START, "e2e4 e7e5") };
    let mut text = String::new();
    pgn::PgnWriter::of(&run_file(), "x").append(&mut text, &game).unwrap();
    assert!(text.contains("1. e4") && text.contains("e5"), "{text}");
}

#[test]
fn a_game_against_the_rules_is_named() {
    let dir = tempfile::tempdir().unwrap();
    journal(dir.path(), [0]);
    pgn::render(dir.path(), &run_file()).unwrap();
    let before = fs::read(dir.path().join("games.pgn")).unwrap();
    for (fen, moves, expected) in [
        (START, "e2e4 e2e4", "game 7: ply 2: expected a legal move, found \"e2e4\""),
        (START, "e2e4 ?", "game 7: ply 2"),
        ("nonsense", "e2e4", "game 7: start position \"nonsense\""),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "", "game 7: start position"),
    ] {
        let bad = with_moves(7, fen, moves);
        let mut text = "kept".to_owned();
        let error = pgn::PgnWriter::of(&run_file(), "x").append(&mut text, &bad).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
        assert_eq!(text, "kept");

        let line = serde_json::to_string(&bad).unwrap() + "\n";
        let games = dir.path().join("games.jsonl");
        let journal = fs::read_to_string(&games).unwrap();
        fs::write(&games, journal.clone() + &line).unwrap();
        let error = pgn::render(dir.path(), &run_file()).unwrap_err();
        assert!(matches!(error, RecordError::Replay { game: 7, .. }));
        fs::write(&games, journal).unwrap();
        assert_eq!(fs::read(dir.path().join("games.pgn")).unwrap(), before, "the old file stays");
        let left = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(left.into_iter().all(|name| !name.to_string_lossy().ends_with(".tmp")));
    }
}
