//! Runs with little or nothing sound in them.

use std::fs;

use arena::record::{GAMES_FILE, GameRecord, Side, Termination};
use pgn::Outcome;

use super::{folder, page, run_file};
use crate::common::samples::game;

const RULES: [&str; 3] = ["los=95", "sprt=0,5", "anytime=5%"];

/// Test's or base's fault, which loses the game.
fn fault(number: u64, of: Side, termination: Termination) -> GameRecord {
    let record = game(number);
    let result = if record.white == of { Outcome::Black } else { Outcome::White };
    let detail = Some(format!("{of} did it in game {number}"));
    GameRecord { result, termination, detail, ..record }
}

#[test]
fn no_game_yet() {
    let place = tempfile::tempdir().unwrap();
    for (number, rule) in RULES.iter().enumerate() {
        let markup = page(&folder(&place, &format!("run{number}"), &run_file(rule, 50), &[]));
        markup.has(">NO VERDICT YET</strong> 0 of 50 pairs count so far");
        markup.has("No pair of games counts yet.");
        assert_eq!(markup.figure("Elo, test minus base"), ["undefined", "no games"]);
        markup.lacks("class=\"chart");
    }
}

#[test]
fn half_a_pair_and_a_torn_line() {
    let place = tempfile::tempdir().unwrap();
    let dir = folder(&place, "run", &run_file("los=95", 50), &[game(0)]);
    let journal = dir.join(GAMES_FILE);
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, format!("{text}{}", &text[..40])).unwrap();
    let markup = page(&dir);
    markup.has("1 game more recorded");
    markup.has("Line 2 of the journal is cut off after 40 bytes");
}

#[test]
fn one_pair() {
    let place = tempfile::tempdir().unwrap();
    for (number, rule) in RULES.iter().enumerate() {
        for (result, name) in [(Outcome::White, "even"), (Outcome::Draw, "drawn")] {
            let games = [0, 1].map(|number| GameRecord { result, ..game(number) });
            let name = format!("{name}{number}");
            let markup = page(&folder(&place, &name, &run_file(rule, 50), &games));
            assert_eq!(markup.figure("Pairs")[0], "1");
        }
    }
}

#[test]
fn nothing_but_faults() {
    let place = tempfile::tempdir().unwrap();
    for (number, rule) in RULES.iter().enumerate() {
        let games: Vec<GameRecord> = (0..40)
            .map(|number| {
                let record = fault(number, Side::Test, Termination::Crash);
                GameRecord { moves: String::new(), plies: 0, notes: Vec::new(), ..record }
            })
            .collect();
        let markup = page(&folder(&place, &format!("run{number}"), &run_file(rule, 20), &games));
        markup.has("Every game ended by a fault (test 40, base 0, verdict itself 0)");
        markup.has("crash <em>fault</em>");
        markup.has("test did it in game 19");
        markup.lacks("test did it in game 20");
        assert_eq!(markup.figure("Elo, test minus base")[0], "undefined");
        assert_eq!(markup.figure("Score of test")[0], "0.0%");
    }
}

#[test]
fn faults_are_charged() {
    let place = tempfile::tempdir().unwrap();
    let mut games: Vec<GameRecord> = (0..40).map(game).collect();
    games[3] = fault(3, Side::Base, Termination::TimeLoss);
    games[8] = fault(8, Side::Test, Termination::Crash);
    games[9] = fault(9, Side::Base, Termination::LateHarness);
    games[12] = fault(12, Side::Test, Termination::NotStarted);
    let markup = page(&folder(&place, "run", &run_file("los=95", 20), &games));
    markup.has(
        "4 of 40 recorded games ended by a fault (10.0%): test 2, base 1, verdict itself 1. They count as \
         they ended, except games that could not start or that verdict itself delayed: 0 were played \
         again, 2 pairs are not counted.",
    );
    assert_eq!(markup.figure("Pairs")[0], "18");
    let row = "<th scope=\"row\">games lost on time</th>";
    markup.has(&format!("{row}<td class=\"n\">0 (0.0%)</td><td class=\"n\">1 (2.5%)</td>"));
}

/// Names, paths, options, positions, details: all of it is foreign.
#[test]
fn foreign_text_stays_text() {
    const WILD: &str = "</title><script>alert(1)</script>\"'&<b onload=x>";
    let place = tempfile::tempdir().unwrap();
    let mut run = run_file("los=95", 20);
    run.test.name = WILD.to_owned();
    run.base.spec = WILD.to_owned();
    run.base.limit = WILD.to_owned();
    run.test.commit = Some(WILD.to_owned());
    run.test.options.insert(WILD.to_owned(), WILD.into());
    run.test.options.insert(format!("{WILD}[a1]"), WILD.into());
    run.plan[WILD] = WILD.into();
    run.plan["adjudication"] = serde_json::json!({WILD: {WILD: WILD}});
    run.created = WILD.to_owned();
    run.machine.cpu = Some(WILD.to_owned());
    run.versions.verdict = WILD.to_owned();
    if let Some(book) = &mut run.book {
        book.path = WILD.to_owned();
        book.sha256 = WILD.to_owned();
    }
    let mut games: Vec<GameRecord> = (0..40).map(game).collect();
    for game in &mut games {
        game.fen = WILD.to_owned();
    }
    games[5].termination = Termination::Crash;
    games[5].detail = Some(WILD.to_owned());
    let dir = folder(&place, "a<b>&'c", &run, &games);
    for dirs in [vec![dir.clone()], vec![dir.clone(), dir]] {
        let markup = super::pages(&dirs);
        markup.lacks("alert(1)</script>\"");
        markup.lacks("<script>alert");
        markup.lacks("<b ");
        markup.lacks("a<b>");
        markup.has("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
        markup.has("a&lt;b&gt;&amp;&#39;c");
    }
}
