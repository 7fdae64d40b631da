//! `summary.json` and `summary.md`.

use std::fs;

use arena::collector::Ruling;
use arena::record::{
    FinalVerdict, GameRecord, Side, Summary, SummaryStatistics, Tally, Termination, run_name,
};
use pgn::Outcome;
use serde_json::{Value, json};

use crate::common::samples::{game, pair, run_file};

fn tally(games: impl IntoIterator<Item = GameRecord>) -> Tally {
    let mut tally = Tally::default();
    games.into_iter().for_each(|game| drop(tally.add(&game).unwrap()));
    tally
}

fn judged() -> SummaryStatistics {
    SummaryStatistics {
        elo: Some(12.34),
        elo_error95: Some(5.67),
        elo_anytime95: Some([Some(1.5), Some(23.0)]),
        nelo: Some(20.0),
        nelo_error95: Some(9.0),
        los: Some(0.9995),
        llr: Some(2.95),
        llr_bounds: Some([-2.94, 2.94]),
        evidence: None,
        elo_unbiased: Some(11.9),
        elo_unbiased_ci95: Some([4.6, 19.1]),
        verdict: Some(FinalVerdict::Accept),
        void: None,
        why: [("verdict".to_owned(), "LLR reached its upper bound".to_owned())].into(),
    }
}

fn json(summary: &Summary) -> Value {
    serde_json::to_value(summary).unwrap()
}

/// The keys of what the statistics say, in their order.
const NUMBERS: [&str; 10] = [
    "elo",
    "elo_error95",
    "elo_anytime95",
    "nelo",
    "nelo_error95",
    "los",
    "llr",
    "llr_bounds",
    "elo_unbiased",
    "elo_unbiased_ci95",
];

#[test]
fn the_stable_keys_in_their_order() {
    let summary = Summary::new("night", &run_file(), &tally((0..10).flat_map(pair)), judged());
    let value = json(&summary);
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    let after = ["verdict", "why", "twins", "faults", "base", "test", "plan", "details"];
    assert_eq!(keys, [&["pairs", "games", "wdl", "ptnml"], &NUMBERS[..], &after].concat());
    assert_eq!(
        value["wdl"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["win", "draw", "loss"]
    );
    assert_eq!(value["games"], json!(20));
    assert_eq!(value["ptnml"].as_array().unwrap().len(), 5);
    assert_eq!(value["llr_bounds"], json!([-2.94, 2.94]));
    assert_eq!(value["test"]["options"], json!({"search.pvs": false}));
    assert_eq!(value["plan"], run_file().plan);
}

#[test]
fn numbers_may_come_as_json() {
    let printed = json!({
        "pairs": 1, "wdl": {"win": 2, "draw": 0, "loss": 0}, "elo": null, "elo_error95": null,
        "los": 0.9, "llr_bounds": [-2.94, 2.94], "verdict": "UNDECIDED",
        "why": {"elo": "test won every game"},
    });
    let judged: SummaryStatistics = serde_json::from_value(printed).unwrap();
    assert_eq!((judged.elo, judged.los, judged.llr), (None, Some(0.9), None));
    assert_eq!(judged.llr_bounds, Some([-2.94, 2.94]));
    let page = Summary::new("x", &run_file(), &Tally::default(), judged).markdown();
    assert!(page.contains("| Elo | undefined: test won every game |"), "{page}");
}

#[test]
fn what_is_undefined_is_null_and_says_why() {
    let nothing = Tally::default();
    let judged = Ruling::of(&nothing, None).judged(&nothing);
    let summary = Summary::new("empty", &run_file(), &nothing, judged);
    let value = json(&summary);
    for name in NUMBERS.iter().chain([&"verdict"]) {
        assert_eq!(value[name], Value::Null, "{name}");
        assert!(value["why"][name].is_string(), "{name}");
    }
    let page = summary.markdown();
    for word in ["NaN", "inf ", "null"] {
        assert!(!page.contains(word), "{word} in\n{page}");
    }
}

#[test]
fn written_files_agree() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("my-run");
    fs::create_dir(&run).unwrap();
    let summary =
        Summary::new(&run_name(&run), &run_file(), &tally((0..10).flat_map(pair)), judged());
    summary.write(&run).unwrap();
    let read = Summary::read(&run).unwrap();
    assert_eq!(json(&read), json(&summary));
    let page = fs::read_to_string(run.join("summary.md")).unwrap();
    assert_eq!(page, read.markdown());

    // The page follows the file.
    let path = run.join("summary.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"elo\": 12.34", "\"elo\": -99.5")).unwrap();
    Summary::render_markdown(&run).unwrap();
    assert!(fs::read_to_string(run.join("summary.md")).unwrap().contains("-99.50 ± 5.67"));
}

/// What openings and clocks decided in place of the players.
#[test]
fn openings_that_decide_and_losses_on_time() {
    use Outcome::{Black, Draw, White};
    let results = [[White, White], [Black, Black], [Black, Black], [White, Black], [Draw, White]];
    let mut games: Vec<_> = (0..5).flat_map(pair).collect();
    for (game, result) in games.iter_mut().zip(results.concat()) {
        game.result = result;
    }
    games[4].termination = Termination::TimeLoss;
    let summary = Summary::new("run", &run_file(), &tally(games), judged());
    assert_eq!(summary.details.white_ptnml, [2, 0, 1, 1, 1]);
    assert_eq!(summary.details.decided_by_opening, Some(0.6));
    assert_eq!(summary.details.time_loss_share, Some(0.1));
    let page = summary.markdown();
    for expected in ["60.0% of the pairs", "(White 1, Black 2)", "10.0% of the games"] {
        assert!(page.contains(expected), "{expected} in\n{page}");
    }
}

/// A program that does not know `go nodes` plays at depth 1, or for ever.
#[test]
fn players_that_do_not_keep_to_their_nodes_are_told() {
    let summary = |nodes: u64| {
        let games = (0..4).flat_map(pair).map(|mut game| {
            let answers = game.notes.len() as u64;
            let test_is_white = game.white == Side::Test;
            let [first, second] = if test_is_white { [nodes, 3_000] } else { [3_000, nodes] };
            game.nodes = [answers.div_ceil(2) * first, answers / 2 * second];
            game
        });
        Summary::new("run", &run_file(), &tally(games), judged())
    };
    for (nodes, told) in [(4, true), (1_000, false), (3_000, false), (20_000, true)] {
        let summary = summary(nodes);
        assert_eq!(summary.test.nodes_per_move.map(f64::round), Some(nodes as f64));
        assert_eq!((summary.base.ignores_nodes(), summary.test.ignores_nodes()), (false, told));
        let expected = format!("**Test does not obey its limit**: {nodes} nodes per move");
        assert_eq!(summary.markdown().contains(&expected), told);
    }
}

#[test]
fn a_page_for_people() {
    let mut games: Vec<_> = (0..10).flat_map(pair).collect();
    games[3].termination = Termination::IllegalMove;
    games.push(game(24));
    let summary = Summary::new("my_run", &run_file(), &tally(games), judged());
    let page = summary.markdown();
    let wdl = summary.wdl;
    for expected in [
        "# my\\_run: ACCEPT",
        "**test minus base**",
        "Test is `mutineer 0.1.0 (0123456789) search.pvs=false`",
        "| Verdict | ACCEPT |\n| Reason | LLR reached its upper bound |",
        "| Elo | +12.34 ± 5.67 (95%) |",
        "| LOS | 99.95% |",
        "| LLR | 2.950, bounds -2.940 and 2.940 |",
        &format!("| Games | 20: {} won, {} drawn, {} lost by test |", wdl.win, wdl.draw, wdl.loss),
        "not counted | 1 games, 0 complete pairs among them |",
        "| search.pvs | default | false |",
        "| plan: rule | los=95,pairs=200 |",
        "| plan: limit.nodes | 3000 |",
        "| illegal-move | 1 |",
        "| kind | base | test | harness |",
        "## Duplicate games\n\nNone",
    ] {
        assert!(page.contains(expected), "expected {expected:?} in\n{page}");
    }
    let line = format!(
        "Elo +12.3 ± 5.7 (95%), LOS 99.95%, LLR 2.95 (-2.94, 2.94), rule los=95,pairs=200, 20 games W {} D {} L {}, \
         Ptnml {:?}, nodes=3000, hash 256 KiB, book balanced.epd, seed 1",
        wdl.win, wdl.draw, wdl.loss, summary.ptnml
    );
    assert_eq!(summary.one_line(), line);
    let anytime =
        SummaryStatistics { llr: None, evidence: Some([3.0, -1.0]), ..summary.judged.clone() };
    let anytime = Summary { judged: anytime, ..summary.clone() };
    let told = "evidence 20.09× for better, 0.37× for worse";
    assert!(anytime.one_line().contains(told), "{}", anytime.one_line());
    assert!(anytime.markdown().contains(&format!("| Evidence | {told} |")));
    let block = summary.commit_block();
    let who = format!("\nTest: {}; base: {}", summary.test.label, summary.base.label);
    assert!(block.contains(&who), "{block}");
    assert!(block.starts_with(&line) && page.contains(&format!("```\n{block}\n```")), "{block}");
    let cells = |row: &str| row.replace("\\|", "").matches('|').count();
    for table in page.split("\n\n").filter(|block| block.starts_with('|')) {
        let mut rows = table.lines();
        let head = cells(rows.next().unwrap());
        assert!(rows.all(|row| cells(row) == head), "{table}");
    }
}

/// Summaries of earlier versions call a void run UNDECIDED, and say why beside it.
#[test]
fn a_void_run_of_an_older_version_is_void() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("summary.json");
    let written = |change: &dyn Fn(&mut Value)| {
        Summary::new("x", &run_file(), &tally((0..4).flat_map(pair)), judged())
            .write(dir.path())
            .unwrap();
        let mut json: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        json["verdict"] = "UNDECIDED".into();
        json["why"] = json!({});
        change(&mut json);
        fs::write(&path, json.to_string()).unwrap();
        let judged = Summary::read(dir.path()).unwrap().judged;
        (judged.verdict.unwrap(), judged.void)
    };
    let void = (FinalVerdict::Void, Some("9 of 20 games".to_owned()));
    assert_eq!(written(&|json| json["void"] = "9 of 20 games".into()), void);
    assert_eq!(written(&|json| json["why"] = json!({ "verdict": "9 of 20 games" })), void);
    assert_eq!(written(&|_| ()), (FinalVerdict::Undecided, None));
}

#[test]
fn many_twins_get_a_hint() {
    let mut games: Vec<_> = (0..10).flat_map(pair).collect();
    for i in 0..10 {
        games[2 * i + 1].hash = games[2 * i].hash.clone();
    }
    let page = Summary::new("x", &run_file(), &tally(games), judged()).markdown();
    assert!(page.contains("equal builds"), "{page}");
    assert!(page.contains("In 10 pairs both games are equal"), "{page}");
    assert!(!page.contains("fewer openings"), "{page}");
}

#[test]
fn foreign_text_breaks_no_table() {
    let mut run = run_file();
    run.test.spec = "uci:/a|b\n`x`,Name=<b>_*[".to_owned();
    run.test.name = "`evil`|\nname".to_owned();
    let page = Summary::new("x", &run, &tally([]), judged()).markdown();
    assert!(page.contains("uci:/a\\|b\\<U+000A>\\`x\\`,Name=\\<b>\\_\\*\\["), "{page}");
    assert!(page.contains("Test is ` evil |<U+000A>name (0123456789) search.pvs=false`"), "{page}");
}
