//! Conditions of play: odds, clocks of nodes, pondering, restarts, openings, tablebases, audits.

use arena::plan::Plan;
use arena::record::{GameRecord, Games, RunFile, Termination};
use pgn::Outcome;

use super::{Place, scoundrel};

pub(super) fn mutineer() -> String {
    format!("uci:{}", env!("CARGO_BIN_EXE_mutineer_process"))
}

fn records(place: &Place, name: &str) -> Vec<GameRecord> {
    let mut games: Vec<GameRecord> =
        Games::open(&place.path(name)).unwrap().map(Result::unwrap).collect();
    games.sort_by_key(|game| game.game);
    games
}

/// The moves of all games. (A program tells the depth it was at, the embedded engine the one it
/// has finished.)
fn moves(place: &Place, name: &str) -> Vec<String> {
    records(place, name).into_iter().map(|game| game.moves).collect()
}

/// All that was said to processes and by them, of each.
fn traffic(place: &Place, name: &str) -> Vec<String> {
    let files = std::fs::read_dir(place.path(name)).unwrap();
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn games_on_a_clock_of_nodes_can_be_repeated() {
    let place = Place::new();
    let clock = "--tc 0.4+0.002 --nodes-clock 100 --pairs 3 --seed 3 --max-moves 30 --hash 1MiB";
    let plan = format!("{clock} --test embedded,search.pvs=false");
    place.play("one", &plan).decided();
    place.play("two", &format!("{plan} --concurrency 5 --slots 3")).decided();
    assert_eq!(place.games("one"), place.games("two"));
    // A program plays as the embedded engine does.
    let program = format!("--test {},search.pvs=false {clock}", mutineer());
    place.play("program", &program).decided();
    assert_eq!(moves(&place, "one"), moves(&place, "program"));
    for game in records(&place, "one") {
        let nodes = game.nodes.iter().max().unwrap();
        // 0.4 s and 30 increments, a hundred nodes a millisecond; the margin is forgiven, and who is
        // sure of a move thinks less.
        assert!((5_000..60_000).contains(nodes), "{nodes} nodes");
    }
}

#[test]
fn times_are_scaled_to_the_machine_and_both_are_recorded() {
    let place = Place::new();
    let scaled = "--movetime 10ms --time-margin 30s --scale-to 1 --pairs 1 --max-moves 2";
    place.play("scaled", scaled).decided();
    let run = RunFile::read(&place.path("scaled")).unwrap();
    // No machine is as slow as one node a second.
    assert_eq!(run.base.limit, "movetime=1ms");
    assert_eq!(run.base.limit_meant.as_deref(), Some("movetime=10ms at 1 nodes/s"));
    assert_eq!(run.plan["movetime_ms"], 10);
    assert!(run.plan["scale"]["here"].as_u64().unwrap() > 10, "{}", run.plan["scale"]);
    let words = "movetime=1ms (movetime=10ms at 1 nodes/s)";
    assert!(run.conditions().contains(words), "{}", run.conditions());
    let plan: Plan = serde_json::from_value(run.plan).unwrap();
    assert_eq!(plan.limit_in_words(), words);
    // What is resumed has the times it was begun with.
    place.resume("scaled", "").decided();
    let refused = place.verdict("match --nodes 100 --scale-to 1000").output().unwrap();
    assert_eq!(refused.status.code(), Some(64));
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(error.contains("--scale-to 1000 nodes/s: expected times, like --tc 1+0.01"), "{error}");
}

#[test]
fn odds_of_nodes_are_kept() {
    let place = Place::new();
    let plan = "--nodes 200 --test-limit nodes=50 --pairs 2 --max-moves 20";
    let played = place.play("odds", plan).decided();
    for game in records(&place, "odds") {
        let [white, black] = game.nodes.map(|nodes| nodes as f64);
        let test_share = match game.white {
            arena::record::Side::Test => white / (white + black),
            arena::record::Side::Base => black / (white + black),
        };
        assert!((0.15..0.25).contains(&test_share), "{test_share}");
    }
    let summary = played.summary();
    assert_eq!(summary.test.identity.limit, "nodes=50");
    assert!(summary.details.conditions.starts_with("base nodes=200, test nodes=50"));
}

#[test]
fn programs_ponder_and_start_anew() {
    let place = Place::new();
    let both = format!("--base {0} --test {0}", mutineer());
    let plan = "--tc 1+0.02 --time-margin 30s --pairs 1 --max-moves 12 --resign off";
    let ponder = format!("{both} {plan} --ponder --traffic {}", place.path("said").display());
    let played = place.play("ponder", &ponder).decided();
    assert_eq!(played.summary().faults.total, 0, "{}", played.stdout);
    let said = traffic(&place, "said").concat();
    for word in [" > go ponder ", " > ponderhit", " > stop"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let spec = scoundrel("first");
    let plan = format!("--base {spec} --test {spec} --nodes 50 --pairs 4 --max-moves 9");
    // Eight games of two players, one after the other; each is tried in a process of its own before.
    for (name, restart, processes) in
        [("anew", "--restart", 18), ("again", "", 4), ("one", "--test-restart", 11)]
    {
        let traffic_to = place.path(&format!("{name}-said"));
        let traffic_to = format!("--concurrency 1 --traffic {}", traffic_to.display());
        let played = place.play(name, &format!("{plan} {restart} {traffic_to}")).decided();
        assert_eq!(played.summary().faults.total, 0, "{}", played.stdout);
        let said = traffic(&place, &format!("{name}-said"));
        assert_eq!(said.len(), processes, "{name}");
        let played = said.iter().filter(|text| text.contains(" < bestmove "));
        assert_eq!(played.count(), processes, "{name}");
    }
    assert_eq!(moves(&place, "anew"), moves(&place, "again"));
    assert_eq!(moves(&place, "anew"), moves(&place, "one"));
    let run = std::fs::read_to_string(place.path("one/summary.json")).unwrap();
    assert!(run.contains("test restarted"), "{run}");
}

#[test]
fn a_share_of_the_adjudicated_games_is_audited() {
    let place = Place::new();
    // Draws at the first chance, so that many adjudications are wrong.
    let plan = "--nodes 100 --pairs 6 --seed 2 --draw movenumber=6,movecount=1,score=200 \
                --max-moves 60";
    place.play("plain", plan).decided();
    let played = place.play("audited", &format!("{plan} --audit 50%")).decided();
    let (plain, audited) = (records(&place, "plain"), records(&place, "audited"));
    let without: Vec<GameRecord> =
        audited.iter().map(|game| GameRecord { audit: None, ..game.clone() }).collect();
    for (plain, audited) in plain.iter().zip(&without) {
        assert_eq!(plain.canonical_line().unwrap(), audited.canonical_line().unwrap());
    }
    let audits = audited.iter().filter(|game| game.audit.is_some());
    assert!(audits.clone().count() >= 2, "{audited:?}");
    assert!(audits.clone().all(|game| game.audit.is_some_and(|audit| audit.plies > game.plies)));
    let summary = played.summary().audit.unwrap();
    assert_eq!(summary.resolved + summary.unresolved, audits.count() as u64);
    let again = place.play("again", &format!("{plan} --audit 50% --concurrency 9")).decided();
    assert_eq!(again.summary().audit, Some(summary));
}

#[test]
fn tablebases_end_games() {
    let place = Place::new();
    let book = place.path("book.epd");
    let openings = "8/8/8/4k3/8/8/4P3/4K2R w K - 0 1\n8/8/8/8/4k3/8/4p3/4K3 w - - 0 1\n\
                    8/4k3/8/4P3/4K3/8/8/8 w - - 0 1\n8/8/8/4k3/8/8/8/4K2R w - - 0 1\n";
    std::fs::write(&book, openings).unwrap();
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let words = format!(
        "match --book @book.epd --order sequential --pairs 4 --nodes 300 --quiet --resign off \
         --draw off --syzygy {tables} --out @tables"
    );
    let output = place.verdict(&words).output().unwrap();
    assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
    let games = records(&place, "tables");
    let by_tables =
        games.iter().filter(|game| game.termination == Termination::TablebaseAdjudication);
    assert!(by_tables.count() >= 2, "{games:?}");
    // Draws may be left to the players, wins too.
    for (results, are_draws) in [("wins", false), ("draws", true)] {
        let words = words.replace("@tables", &format!("@{results} --syzygy-results {results}"));
        let output = place.verdict(&words).output().unwrap();
        assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
        let games = records(&place, results).into_iter();
        let ended = games.filter(|game| game.termination == Termination::TablebaseAdjudication);
        let draws: Vec<bool> = ended.map(|game| game.result == Outcome::Draw).collect();
        assert!(!draws.is_empty() && draws.iter().all(|&draw| draw == are_draws), "{results}");
    }
    // A folder without tables is none.
    let output = place.verdict("match --syzygy @ --out @none").output().unwrap();
    assert_eq!(output.status.code(), Some(74));
    assert!(String::from_utf8_lossy(&output.stderr).contains("KRvK.rtbw"), "{output:?}");
}

#[test]
fn openings_in_order_from_an_offset_and_tags_of_ones_own() {
    let place = Place::new();
    let plan = "--nodes 50 --pairs 3 --max-moves 9 --order sequential --opening-offset 2 --pin";
    place.play("order", &format!("{plan} --event My_event --site Here")).decided();
    let openings: Vec<usize> = records(&place, "order").iter().map(|game| game.opening).collect();
    assert_eq!(openings, [2, 2, 3, 3, 4, 4]);
    let pgn = std::fs::read_to_string(place.path("order").join("games.pgn")).unwrap();
    assert!(pgn.contains("[Event \"My_event\"]\n[Site \"Here\"]"), "{pgn}");
}

/// All that players say: once for each move, in the PGN, and nothing else becomes different.
#[test]
fn details_of_every_move() {
    let place = Place::new();
    let plan = "--nodes 400 --pairs 2 --max-moves 15 --hash 1MiB";
    let without = |name: &str| -> Vec<String> {
        let games = records(&place, name).into_iter();
        let games = games.map(|game| GameRecord { details: Vec::new(), ..game });
        games.map(|game| game.canonical_line().unwrap()).collect()
    };
    place.play("plain", plan).decided();
    place.play("details", &format!("{plan} --details")).decided();
    assert_eq!(without("plain"), without("details"));
    place.play("again", &format!("{plan} --details --concurrency 3")).decided();
    assert_eq!(place.games("details"), place.games("again"));
    let both = format!("--base {0} --test {0}", mutineer());
    let played = place.play("program", &format!("{both} {plan} --details")).decided();
    let lines = played.summary().lines.unwrap();
    let told: usize = records(&place, "program").iter().map(|game| game.details.len()).sum();
    assert_eq!(lines.base.announced + lines.test.announced, told as u64);
    assert_eq!((lines.base.illegal, lines.test.illegal), (0, 0), "{lines:?}");
    for (name, games) in ["details", "program"].map(|name| (name, records(&place, name))) {
        for game in games {
            assert_eq!(game.details.len(), game.notes.len(), "{name}");
            let played = game.moves.split(' ').skip(game.book_plies as usize);
            for (details, played) in game.details.iter().zip(played) {
                assert_eq!(details.pv.split(' ').next(), Some(played), "{name}");
                assert!(details.seldepth > 0 && details.hashfull.is_some(), "{name}: {details:?}");
            }
        }
        let pgn = std::fs::read_to_string(place.path(name).join("games.pgn")).unwrap();
        let words: Vec<&str> = pgn.split_ascii_whitespace().collect();
        let has = |word: &str| words.iter().any(|it| it.starts_with(word));
        assert!(has("sd=") && has("hashfull=") && has("pv=\""), "{pgn}");
        assert!(!has("tl="), "{pgn}");
    }
    // A clock of nodes, so that what is left can be counted: two seconds are 2,000 nodes.
    let clock = "--tc 2+0.01 --nodes-clock 1 --pairs 1 --max-moves 12 --hash 1MiB --details";
    place.play("clock", clock).decided();
    for game in records(&place, "clock") {
        let mut left = [2_000_000; 2];
        for (i, (details, note)) in game.details.iter().zip(&game.notes).enumerate() {
            let left = &mut left[i % 2];
            *left = *left + 10_000 - note.nodes * 1_000;
            assert_eq!(details.left_us, Some(*left));
        }
    }
}

/// A file for each process, with all that was said.
#[test]
fn traffic_is_written_where_it_is_asked_for() {
    let place = Place::new();
    let spec = scoundrel("first");
    let plan = format!("--base {spec} --test {spec} --nodes 50 --pairs 2 --max-moves 9");
    let with = format!("{plan} --concurrency 1 --traffic {}", place.path("said").display());
    place.play("with", &with).decided();
    place.play("without", &plan).decided();
    assert_eq!(place.games("with"), place.games("without"));
    let files = traffic(&place, "said");
    assert_eq!(files.len(), 4);
    let moves: u32 = records(&place, "with").iter().map(|game| game.plies - game.book_plies).sum();
    // Each program is tried before the match.
    let moves = moves + 2;
    let count = |word: &str| files.iter().map(|text| text.matches(word).count()).sum::<usize>();
    assert_eq!(count(" > go nodes 50"), moves as usize);
    assert_eq!(count(" < bestmove "), moves as usize);
    assert_eq!(count(" > quit"), 4);
    // A folder that cannot be made.
    std::fs::write(place.path("file"), "").unwrap();
    let words = format!("match {plan} --traffic @file/folder --out @none");
    let output = place.verdict(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(74), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("--traffic"), "{output:?}");
}

#[test]
fn conditions_that_cannot_be_kept_are_refused() {
    let place = Place::new();
    for (words, expected) in [
        (format!("--base {} --tc 1 --nodes-clock 100", scoundrel("first")), "no option nodestime"),
        ("--nodes 50 --nodes-clock 100".to_owned(), "expected a clock"),
        ("--ponder".to_owned(), "the base player is embedded"),
        ("--opening-plies 4".to_owned(), "expected a book with moves"),
        ("--test-limit 5".to_owned(), "nodes=N"),
        ("--option hash".to_owned(), "expected Name=value"),
        ("--option no.such.row=3".to_owned(), "no.such.row"),
        ("--base-hash 1KiB".to_owned(), "--base-hash 1KiB: expected at least 64KiB"),
        ("--audit 200%".to_owned(), "percentage"),
    ] {
        let played = place.play("refused", &words);
        assert_eq!(played.code, 64, "{words}: {}", played.stderr);
        assert!(played.stderr.contains(expected), "{words}: {}", played.stderr);
        assert!(!played.dir.join("run.json").exists(), "{words}");
    }
}

#[test]
fn chess960_from_its_own_start_positions() {
    let place = Place::new();
    let plan = "match --chess960 --nodes 300 --pairs 4 --max-moves 60 --hash 1MiB --base embedded";
    let play = |name: &str, words: &str| {
        let words = format!("{plan} --quiet --out @{name} {words}");
        let output = place.verdict(&words).output().unwrap();
        assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let told = play("embedded", "--test embedded --interval 4");
    assert!(told.contains("4/8 games · ") && told.contains("8/8 games · "), "{told}");
    let games = records(&place, "embedded");
    assert!(games.iter().all(|game| !game.termination.is_fault()), "{games:?}");
    assert!(games.iter().any(|game| game.opening != 518));
    // Castling is the king taking his rook, in this process and over UCI.
    play("program", &format!("--test {}", mutineer()));
    assert_eq!(moves(&place, "embedded"), moves(&place, "program"));
    // An engine that cannot do so loses no games for it.
    let words = format!("{plan} --test {} --out @cannot", scoundrel("no-options"));
    let output = place.verdict(&words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(64), "{said}");
    assert!(said.contains("has no option UCI_Chess960"), "{said}");
}
