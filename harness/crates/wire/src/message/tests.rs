//! Round trips of every message, and what is refused of each.

use arena::game::LiveGame;
use arena::player::program::options::Declared;
use arena::player::program::{Capsule, Protocol};
use arena::record::{BySide, GamePage, GameRecord, Identity, Side, Termination, sample};
use arena::session::VariedOption;
use arena::varied::PairValues;
use serde_json::{Value, json};

use super::*;
use crate::chunk::Chunk;
use crate::names::{FileHash, RunId, WorkerName};

fn run() -> RunId {
    "9f3c00000000000a".parse().unwrap()
}

fn alice() -> WorkerName {
    "alice.pc1".parse().unwrap()
}

fn game(number: u64) -> GameRecord {
    GameRecord { hash: format!("{number:016x}"), ..sample(number) }
}

fn faulty(number: u64) -> GameRecord {
    GameRecord { termination: Termination::Crash, ..game(number) }
}

fn capsule() -> Capsule {
    Capsule {
        protocol: Protocol::Uci,
        command: "./engine".to_owned(),
        input: "uci\n".to_owned(),
        transcript: "    0.000012 > uci\n".to_owned(),
        stderr: String::new(),
        exit_status: Some("exited with status 5".to_owned()),
    }
}

fn batch(games: impl IntoIterator<Item = u64>) -> PairsBatch {
    let games = games.into_iter().map(|number| WireGame {
        troubles: vec!["played again, 1 times".to_owned()],
        capsule: (number == 5).then(capsule),
        spoilt: (number == 5)
            .then(|| Spoilt { record: faulty(5), capsule: Some(capsule()) })
            .into_iter()
            .collect(),
        ..WireGame::new(if number == 5 { faulty(5) } else { game(number) })
    });
    PairsBatch {
        v: VERSION,
        run: run(),
        first: 2,
        round: 1,
        games: games.collect(),
        worker: WorkerStamp {
            name: alice(),
            verdict: "a29d18".to_owned(),
            slots: 4,
            nps: 1_830_000,
            scale: 1.0,
            seq: 117,
        },
    }
}

fn worker_card() -> WorkerCard {
    let tables = vec![TableSet { men: 5, sha256: FileHash::of(b"tables") }];
    WorkerCard {
        v: VERSION,
        name: alice(),
        host: "pc1".to_owned(),
        cpu: "AMD Ryzen 5 5600".to_owned(),
        cores: 6,
        slots: 6,
        memory_mb: 15_000,
        target: "x86_64-unknown-linux-gnu".to_owned(),
        level: "x86-64-v3".to_owned(),
        glibc: Some("2.36".to_owned()),
        verdict: "a29d18".to_owned(),
        sandbox: "bwrap".to_owned(),
        tables,
        have: vec![Have { name: "stockfish".parse().unwrap(), sha256: FileHash::of(b"stockfish") }],
        bench: [(run(), BySide { base: Some(2_737_402), test: None })].into(),
        state: WorkerState::Playing,
        run: Some(run()),
        declined: vec![Declined { run: run(), why: "bench of test is 1".to_owned() }],
        until: None,
        joined_at: "2026-12-01T20:11:03Z".to_owned(),
        removed: None,
    }
}

fn run_card() -> RunCard {
    RunCard {
        v: VERSION,
        run: run(),
        name: "2026-12-01-lmr".to_owned(),
        state: RunState::Playing,
        why: None,
        weight: 1.0,
        coordinator: "home.1".parse().unwrap(),
        needs: Needs {
            verdict: "a29d18".to_owned(),
            protocol: VERSION,
            target: "x86_64-unknown-linux-gnu".to_owned(),
            cpu: "x86-64-v3".to_owned(),
            glibc: None,
            memory_mb: 96,
            threads: 1,
            processor: None,
            clock: false,
            tables: Vec::new(),
            sandbox: true,
        },
        plan: json!({"book": "sha256:00"}),
        files: vec![FileCard {
            sha256: FileHash::of(b"sources"),
            bytes: 1_203_000,
            role: "base.sources".to_owned(),
            name: "toy".to_owned(),
            executable: false,
            recipe: Some(FileRecipe {
                command: "make EXE=engine".to_owned(),
                binary: "src/engine".to_owned(),
                commit: "abc".to_owned(),
            }),
        }],
        identities: RunIdentities {
            base: Identity::default(),
            test: Identity::default(),
            book: None,
        },
        signatures: BySide {
            base: Some(Signature::Bench { nodes: 2_737_402 }),
            test: Some(Signature::Positions { hash: "77".to_owned() }),
        },
        chunk: 32,
        pairs: 20_000,
        slots_max: None,
        audit: 0.02,
        barred: vec![Barred { worker: alice(), why: "it lies".to_owned() }],
        varied: Some(vec![VariedOption {
            declared: Declared::uci("name Style type combo default Calm var Calm var Sharp")
                .unwrap(),
            value: "Calm".to_owned(),
        }]),
    }
}

fn beat() -> Beat {
    Beat {
        run: Some(run()),
        seq: 91,
        chunks: vec![HeldChunk { first: 640, pairs: 32, round: 0, done: 11 }],
        playing: vec![Playing { game: 1302, plies: 57, to_move: Side::Test }],
        games_per_s: 3.4,
        nps: Some(1_825_000),
        ..Beat::new(6)
    }
}

fn chunk() -> ChunkMessage {
    ChunkMessage::new(run(), Chunk { first: 640, pairs: 1, round: 2 })
}

fn view() -> RunView {
    RunView {
        v: VERSION,
        summary: json!({"pairs": 7}),
        games_per_s: 2.5,
        line: "7 pairs".to_owned(),
        charts: "<svg/>".to_owned(),
        prefix: 7,
        finished: 9,
        waits: Some(WaitsFor { first: 4, worker: Some(alice()), seconds: 12 }),
        redrawn: 3,
        refused: 1,
        duplicates: 9,
        residuals: vec![ResidualRow {
            worker: alice(),
            chi2: Some(1.5),
            p: Some(0.5),
            time_losses: 0,
            plies: Some(120.5),
            nps: Some(1_830_000),
        }],
        audited: 8,
        struck: 4,
        convicted: vec![Barred { worker: alice(), why: "it lies".to_owned() }],
    }
}

/// It arrives as it was sent, with unknown fields as well; another version is refused by number,
/// even if nothing else of it is known.
fn round_trip<T: Message + PartialEq + std::fmt::Debug>(message: T) {
    let json = encode(&message).unwrap();
    let mut value: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(decode::<T>(&json).as_ref(), Ok(&message));
    value["invented_later"] = json!([1]);
    assert_eq!(decode::<T>(value.to_string().as_bytes()).as_ref(), Ok(&message), "{}", T::NAME);
    for other in [VERSION - 1, VERSION + 1] {
        value["v"] = json!(other);
        let found = decode::<T>(value.to_string().as_bytes());
        assert_eq!(found, Err(Refused::Version(other)), "{}", T::NAME);
    }
    assert_eq!(decode::<T>(br#"{"v":7,"all":"new"}"#), Err(Refused::Version(7)));
    assert!(matches!(decode::<T>(b"{}"), Err(Refused::Json(_))), "{}", T::NAME);
    let long = vec![b' '; T::MOST + 1];
    assert_eq!(decode::<T>(&long), Err(Refused::Size { found: T::MOST + 1, most: T::MOST }));
}

#[test]
fn every_message_arrives_as_it_was_sent() {
    round_trip(batch(4..8));
    round_trip(run_card());
    round_trip(RunMark { v: VERSION, recorded: 1204 });
    round_trip(worker_card());
    round_trip(beat());
    round_trip(chunk());
    let values = PairValues {
        base: [("lmr.min_move".to_owned(), "4".to_owned())].into(),
        test: [("Style".to_owned(), "Sharp".to_owned())].into(),
    };
    round_trip(ChunkMessage { values: Some(values), ..chunk() });
    round_trip(Hello { v: VERSION, card: worker_card(), since_ms: 120 });
    round_trip(Welcome::of(alice()));
    round_trip(Welcome::refused("alice.pc1 is signed in already".to_owned(), Some(60)));
    round_trip(Need::of(Chunk { first: 640, pairs: 32, round: 1 }));
    round_trip(Missing::of(&[652, 653, 671]));
    round_trip(Ask::beat());
    round_trip(Ask::log(200));
    round_trip(Ask::live(15));
    round_trip(LogTail { v: VERSION, lines: vec!["joined".to_owned()] });
    let live = LiveGame {
        game: 1302,
        white: Side::Test,
        fen: sample(0).fen,
        moves: "e2e4 e7e5".to_owned(),
        book_plies: 2,
        notes: Vec::new(),
        moves_us: vec![900],
    };
    round_trip(LiveGames { v: VERSION, games: vec![live] });
    for what in [
        QueriedGames::Page { from: Some(1200), count: 100 },
        QueriedGames::Page { from: None, count: 1 },
        QueriedGames::Game(7),
        QueriedGames::Live,
    ] {
        round_trip(Query::new(what));
    }
    let many = json(&Query::new(QueriedGames::Page { from: None, count: 101 }));
    let many = serde_json::to_vec(&many).unwrap();
    assert_eq!(decode::<Query>(&many), Err(Refused::Field("what.page.count")));
    round_trip(GamesPage::from(GamePage { from: 3, total: 9, games: vec![game(0), game(1)] }));
    round_trip(view());
}

#[test]
fn the_words_of_the_protocol() {
    let held = json(&beat());
    assert_eq!(held["chunks"], json!([{"first": 640, "pairs": 32, "round": 0, "done": 11}]));
    assert_eq!(held["playing"], json!([{"game": 1302, "plies": 57, "to_move": "test"}]));
    let card = json(&run_card());
    assert_eq!((&card["state"], &card["run"]), (&json!("playing"), &json!("9f3c00000000000a")));
    assert_eq!(card["signatures"]["base"], json!({"kind": "bench", "nodes": 2_737_402}));
    assert_eq!(card["signatures"]["test"], json!({"kind": "positions", "hash": "77"}));
    assert_eq!(json(&worker_card())["bench"]["9f3c00000000000a"]["base"], json!(2_737_402));
    let plain = json!({"v": 2, "run": "9f3c00000000000a", "first": 640, "pairs": 1, "round": 2,
                       "audit": false});
    assert_eq!(json(&chunk()), plain);
    assert!(encode(&chunk()).unwrap().len() <= 300);
    let missing = json!({"v": 2, "missing": [[652, 660], [671, 671]]});
    let pairs: Vec<u64> = (652..=660).chain([671]).collect();
    assert_eq!(json(&Missing::of(&pairs)), missing);
    assert_eq!(json(&Ask::live(15))["what"], json!("live"));
}

fn json(message: &impl Serialize) -> Value {
    serde_json::to_value(message).unwrap()
}

#[test]
fn missing_pairs_are_those_of_the_chunk() {
    let chunk = Chunk { first: 10, pairs: 5, round: 0 };
    let answer = Missing::of(&[10, 11, 14]);
    assert_eq!((answer.missing.len(), answer.pairs(chunk)), (2, vec![10, 11, 14]));
    let wide = Missing { v: VERSION, missing: vec![[0, u64::MAX], [12, 11]] };
    assert_eq!(wide.pairs(chunk), [10, 11, 12, 13, 14]);
    assert!(Missing::of(&[]).pairs(chunk).is_empty());
}

fn refused<T: Message + Clone>(message: &T, change: impl FnOnce(&mut T)) -> Refused {
    let mut changed = message.clone();
    change(&mut changed);
    let json = serde_json::to_vec(&changed).unwrap();
    decode::<T>(&json).map(|_| ()).unwrap_err()
}

#[test]
fn values_that_are_not_allowed() {
    let batch = batch(4..8);
    let wrong = |change: &dyn Fn(&mut PairsBatch)| refused(&batch, change);
    assert_eq!(wrong(&|it| it.games[0].record.pair = 9), Refused::Field("games"));
    assert_eq!(wrong(&|it| it.first = 3), Refused::Field("games"));
    assert_eq!(wrong(&|it| it.games[1] = it.games[0].clone()), Refused::Field("games"));
    let many: Vec<WireGame> = (4..69).map(|number| WireGame::new(game(number))).collect();
    assert_eq!(wrong(&|it| it.games = many.clone()), Refused::Field("games"));
    let bell = "\u{7}".to_owned();
    assert_eq!(wrong(&|it| it.games[0].troubles[0] = bell.clone()), Refused::Field("troubles"));
    let nine = vec![String::new(); 9];
    assert_eq!(wrong(&|it| it.games[0].troubles = nine.clone()), Refused::Field("troubles"));
    assert_eq!(wrong(&|it| it.games[1].spoilt[0].record.game = 6), Refused::Field("spoilt"));
    let nine = vec![Spoilt { record: faulty(5), capsule: None }; 9];
    assert_eq!(wrong(&|it| it.games[1].spoilt = nine.clone()), Refused::Field("spoilt"));
    // A capsule belongs to a fault, and does not fill a disk.
    assert_eq!(wrong(&|it| it.games[0].capsule = Some(capsule())), Refused::Field("capsule"));
    let long = "x".repeat(CAPSULE_BYTES);
    let too_long = |capsule: &mut Option<Capsule>| capsule.as_mut().unwrap().stderr = long.clone();
    assert_eq!(wrong(&|it| too_long(&mut it.games[1].capsule)), Refused::Field("capsule"));
    let attempt = |it: &mut PairsBatch| too_long(&mut it.games[1].spoilt[0].capsule);
    assert_eq!(wrong(&attempt), Refused::Field("spoilt"));
    assert_eq!(wrong(&|it| it.worker.scale = 0.0), Refused::Field("scale"));
    assert!(matches!(wrong(&|it| it.worker.scale = f64::NAN), Refused::Json(_)));

    let card = run_card();
    let wrong = |change: &dyn Fn(&mut RunCard)| refused(&card, change);
    for name in ["", "..", "a/b", "a\\b", "a\nb"] {
        assert_eq!(wrong(&|it| it.files[0].name = name.to_owned()), Refused::Field("files.name"));
    }
    for binary in ["/bin/sh", "../engine", "a/../../b", ""] {
        let change =
            |it: &mut RunCard| it.files[0].recipe.as_mut().unwrap().binary = binary.to_owned();
        assert_eq!(wrong(&change), Refused::Field("files.recipe.binary"));
    }
    assert_eq!(wrong(&|it| it.files[0].bytes = 1 << 30), Refused::Field("files.bytes"));
    assert_eq!(wrong(&|it| it.chunk = 0), Refused::Field("chunk"));
    assert_eq!(wrong(&|it| it.audit = 1.5), Refused::Field("audit"));
    assert_eq!(wrong(&|it| it.weight = -1.0), Refused::Field("weight"));
    assert_eq!(wrong(&|it| it.needs.threads = 0), Refused::Field("needs"));
    let two_lines = |it: &mut RunCard| it.varied.as_mut().unwrap()[0].declared.name.push('\n');
    assert_eq!(wrong(&two_lines), Refused::Field("varied"));

    assert_eq!(refused(&worker_card(), |it| it.host = "\u{1b}[2J".into()), Refused::Field("host"));
    assert_eq!(refused(&beat(), |it| it.chunks[0].done = 33), Refused::Field("chunks"));
    let hello = Hello { v: VERSION, card: worker_card(), since_ms: 0 };
    assert_eq!(refused(&hello, |it| it.card.v = 3), Refused::Version(3));
    assert_eq!(refused(&chunk(), |it| it.pairs = 0), Refused::Field("pairs"));
    let valued = ChunkMessage { values: Some(PairValues::default()), ..chunk() };
    assert_eq!(refused(&valued, |it| it.pairs = 2), Refused::Field("values"));
    // A program would take it for two lines.
    let lines = |it: &mut ChunkMessage| {
        it.values.as_mut().unwrap().test.insert("a".to_owned(), "1\nquit".to_owned());
    };
    assert_eq!(refused(&valued, lines), Refused::Field("values"));
}

#[test]
fn results_are_packed_and_belong_to_who_sent_them() {
    let sent = batch(4..8);
    let [packed] = <[Packed; 1]>::try_from(sent.clone().pack().unwrap()).unwrap();
    assert_eq!((packed.id.clone(), packed.games), (sent.message_id(), vec![4, 5, 6, 7]));
    let found = PairsBatch::unpack(&packed.bytes).unwrap();
    assert_eq!(found, sent);
    assert_eq!(found.expect(run(), &alice()), Ok(()));
    let other = "0000000000000001".parse().unwrap();
    assert_eq!(found.expect(other, &alice()), Err(Refused::OtherRun(run())));
    let bob = "bob.1".parse().unwrap();
    assert_eq!(found.expect(run(), &bob), Err(Refused::OtherWorker(alice())));
    let mut reversed = sent.clone();
    reversed.games.reverse();
    assert_eq!(reversed.message_id(), sent.message_id());
    for other in [PairsBatch { round: 2, ..sent.clone() }, batch(4..6)] {
        assert_ne!(other.message_id(), sent.message_id());
    }
}

/// Text that packs to about three quarters of its length.
fn noise(seed: u64, bytes: usize) -> String {
    let mut state = seed;
    let digits = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(b'0' + (state >> 58) as u8)
    });
    digits.take(bytes).collect()
}

#[test]
fn a_batch_that_is_too_large_goes_in_parts() {
    let mut sent = batch(4..20);
    for (seed, game) in (1..).zip(&mut sent.games) {
        game.record.detail = Some(noise(seed, 200_000));
    }
    let parts = sent.clone().pack().unwrap();
    assert!(parts.len() > 1);
    let numbers: Vec<u64> = parts.iter().flat_map(|part| part.games.clone()).collect();
    assert_eq!(numbers, (4..20).collect::<Vec<_>>());
    let mut found = Vec::new();
    for part in &parts {
        assert!(part.bytes.len() <= 900 << 10);
        // A pair stays together.
        assert_eq!(part.games.len() % 2, 0);
        found.push(PairsBatch::unpack(&part.bytes).unwrap());
    }
    let games: Vec<WireGame> = found.iter().flat_map(|part| part.games.clone()).collect();
    assert_eq!(games, sent.games);

    // Rather without what is kept of a fault than not at all.
    sent.games.truncate(2);
    let transcript = noise(3, 1 << 20);
    for most in [400_000, 860_000] {
        sent.games[1].record.detail = Some(noise(2, most));
        sent.games[1].capsule = Some(Capsule { transcript: transcript.clone(), ..capsule() });
        let [part] = <[Packed; 1]>::try_from(sent.clone().pack().unwrap()).unwrap();
        let found = PairsBatch::unpack(&part.bytes).unwrap();
        assert_eq!(found.games[1].record, sent.games[1].record);
        let kept = found.games[1].capsule.as_ref().unwrap();
        assert!(kept.transcript.contains("left out") && kept.input == "uci\n", "{most}");
    }
    let last = std::iter::successors(Some(sent.clone()), PairsBatch::shorter).last().unwrap();
    assert!(last.games.iter().all(|it| it.capsule.is_none() && it.spoilt.is_empty()));

    sent.games[0].record.detail = Some(noise(1, 2 << 20));
    assert_eq!(sent.pack().unwrap_err().kind(), process::ErrorKind::Fault);
}

#[test]
fn bombs_do_not_go_off() {
    let bomb = zstd::encode_all(&*vec![b' '; 64 << 20], 3).unwrap();
    assert!(bomb.len() < 16 << 10);
    assert_eq!(PairsBatch::unpack(&bomb), Err(Refused::Bomb(8 << 20)));
    // Many frames, one behind the other.
    let frames = zstd::encode_all(&*vec![b' '; 1 << 20], 3).unwrap().repeat(9);
    assert_eq!(PairsBatch::unpack(&frames), Err(Refused::Bomb(8 << 20)));
    // A window that would take 2 GiB: magic, no single segment, window log 31.
    let window = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00];
    assert!(matches!(PairsBatch::unpack(&window), Err(Refused::Packing(_))));
    let long = vec![0; (900 << 10) + 1];
    let size = Refused::Size { found: long.len(), most: 900 << 10 };
    assert_eq!(PairsBatch::unpack(&long), Err(size));
    let deep = zstd::encode_all("[".repeat(1 << 20).as_bytes(), 3).unwrap();
    assert!(matches!(PairsBatch::unpack(&deep), Err(Refused::Json(_))));
    let sent = batch(4..6).pack().unwrap().remove(0).bytes;
    assert!(matches!(PairsBatch::unpack(&sent[..sent.len() - 4]), Err(Refused::Packing(_))));
}

#[test]
fn a_beat_of_many_slots_leaves_out_games() {
    let playing = (0..1024).map(|game| Playing { game, plies: 57, to_move: Side::Base });
    let sent = Beat { playing: playing.collect(), ..beat() };
    let json = sent.encode().unwrap();
    let found: Beat = decode(&json).unwrap();
    assert_eq!(found.chunks, beat().chunks);
    assert!((1..1024).contains(&found.playing.len()));
}

#[test]
fn a_long_log_leaves_out_its_first_lines() {
    let lines: Vec<String> = (0..1000).map(|number| format!("{number:>300}")).collect();
    let found: LogTail = decode(&LogTail::encode(lines.clone()).unwrap()).unwrap();
    assert!((100..1000).contains(&found.lines.len()) && lines.ends_with(&found.lines));
}

#[test]
fn the_page_is_packed() {
    assert_eq!(RunView::unpack(&view().pack().unwrap()), Ok(view()));
    let page = GamesPage::from(GamePage { from: 3, total: 9, games: vec![game(0), game(1)] });
    assert_eq!(GamesPage::unpack(&page.pack().unwrap()), Ok(page));
}
