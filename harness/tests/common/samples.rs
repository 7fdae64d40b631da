//! Game records and run descriptions to test with.

use std::path::Path;

use arena::record::{
    BookIdentity, GameRecord, Identity, Journal, MoveNote, RunFile, Score, Side, Termination,
    TimeRecord,
};
use pgn::Outcome;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::json;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// A random number generator that is the same in every run.
pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A number below `n`.
pub(crate) fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    (rng.next_u64() % n as u64) as usize
}

/// The start position.
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Record number `game`: random legal moves, a result that depends on the number alone.
pub(crate) fn game(game: u64) -> GameRecord {
    let mut rng = rng(game);
    let plies = 4 + below(&mut rng, 20);
    random_game(game, START, plies)
}

/// At most `plies` random legal moves from a position; the first two are from the book.
pub(crate) fn random_game(game: u64, fen: &str, plies: usize) -> GameRecord {
    let mut rng = rng(game ^ 0xA5A5);
    let setup: Fen = fen.parse().unwrap();
    let mode = CastlingMode::detect(setup.as_setup());
    let mut position: Chess = setup.into_position(mode).unwrap();
    let mut moves = Vec::new();
    while moves.len() < plies && !position.is_game_over() {
        let legal = position.legal_moves();
        // Castling first, so that short random games have it.
        let castling = legal.iter().copied().find(|mv| mv.is_castle());
        let mv = castling.unwrap_or_else(|| legal[below(&mut rng, legal.len())]);
        moves.push(mv.to_uci(mode).to_string());
        position.play_unchecked(mv);
    }
    let result = [Outcome::White, Outcome::Draw, Outcome::Black][below(&mut rng, 3)];
    let mut record = with_moves(game, fen, &moves.join(" "));
    record.result = result;
    record.termination = match result {
        Outcome::Draw => Termination::DrawAdjudication,
        _ => Termination::ResignAdjudication,
    };
    record
}

/// A record with these moves, the first two of which are from the book; drawn.
pub(crate) fn with_moves(game: u64, fen: &str, moves: &str) -> GameRecord {
    let plies = moves.split_ascii_whitespace().count();
    let book_plies = plies.min(2);
    let test_is_white = game.is_multiple_of(2);
    let played = (plies - book_plies) as u64;
    GameRecord {
        game,
        pair: game / 2,
        opening: (game / 2) as usize,
        passed_over: 0,
        white: if test_is_white { Side::Test } else { Side::Base },
        black: if test_is_white { Side::Base } else { Side::Test },
        result: Outcome::Draw,
        termination: Termination::DrawAdjudication,
        detail: None,
        plies: plies as u32,
        book_plies: book_plies as u32,
        fen: fen.to_owned(),
        moves: moves.to_owned(),
        notes: (0..played)
            .map(|i| MoveNote {
                score: [Some(Score::Cp(35 - 7 * i as i32)), Some(Score::Mate(3)), None]
                    [(i % 3) as usize],
                depth: 9,
                nodes: 5_000 + i,
            })
            .collect(),
        details: Vec::new(),
        nodes: [5_000 * played.div_ceil(2), 6_000 * (played / 2)],
        hash: GameRecord::hash_of(fen, moves),
        audit: None,
        time: TimeRecord {
            started_ms: 1_741_539_900_000 + 1_000 * game,
            ended_ms: 1_741_539_900_000 + 1_000 * game + 500,
            moves_us: (0..played).map(|i| 12_345 + i).collect(),
            ..TimeRecord::default()
        },
    }
}

/// Both games of a pair.
pub(crate) fn pair(pair: u64) -> [GameRecord; 2] {
    [game(2 * pair), game(2 * pair + 1)]
}

/// A finished journal with these pairs, in this order.
pub(crate) fn journal(dir: &Path, pairs: impl IntoIterator<Item = u64>) {
    let mut journal = Journal::create(dir).unwrap();
    for number in pairs {
        journal.append(&pair(number).each_ref()).unwrap();
    }
    journal.close().unwrap();
}

/// A player.
pub(crate) fn identity(spec: &str) -> Identity {
    Identity {
        spec: spec.to_owned(),
        name: "mutineer 0.1.0".to_owned(),
        limit: "nodes=3000".to_owned(),
        commit: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
        build: Some("ab".repeat(32)),
        bench: Some(1_234_567),
        ..Identity::default()
    }
}

/// A run of the embedded engine against itself with one mechanism off.
pub(crate) fn run_file() -> RunFile {
    let base = identity("embedded:default");
    let mut test = identity("embedded:default,search.pvs=false");
    test.options.insert("search.pvs".to_owned(), json!(false));
    let book = BookIdentity {
        path: "openings/balanced.epd".to_owned(),
        sha256: "cd".repeat(32),
        openings: 5_000,
    };
    let plan = json!({
        "pairs": 200,
        "limit": {"nodes": 3000},
        "hash": "256 KiB",
        "rule": "los=95,pairs=200",
        "elo1": 0.1,
        "adjudication": [{"draw": 40}, {"resign": 3}],
        "concurrency": 2,
        "slots": 2,
    });
    RunFile::new(plan, 1, base, test, Some(book))
}

/// Puts a list into a random order.
pub(crate) fn shuffle<T>(rng: &mut ChaCha8Rng, list: &mut [T]) {
    for i in (1..list.len()).rev() {
        list.swap(i, below(rng, i + 1));
    }
}

/// A run's description as older versions wrote it, without its seal: it may be changed.
pub(crate) fn unsealed(run: &str) -> String {
    let (head, tail) = run.split_once(",\n  \"seal\": \"").expect("a seal");
    format!("{head}{}", tail.split_once('"').expect("its end").1)
}
