//! Each rule has its chart, drawn over the pairs that count.

use arena::record::{GameRecord, MatchState, Side};
use arena::report::RunResults;
use pgn::Outcome;
use stats::{Evidence, e_value_text};

use super::{folder, page, run_file};
use crate::common::samples::{START, game, random_game, rng, shuffle};

/// A game with that result for test.
fn with_result(number: u64, half_points: u8) -> GameRecord {
    let record = game(number);
    let result = match (half_points, record.white) {
        (1, _) => Outcome::Draw,
        (2, Side::Test) | (0, Side::Base) => Outcome::White,
        _ => Outcome::Black,
    };
    GameRecord { result, ..record }
}

/// Pairs of which test scores three quarters.
fn games(pairs: u64) -> Vec<GameRecord> {
    (0..2 * pairs)
        .map(|number| with_result(number, [2, 1, 2, 1, 2, 2, 0, 2][number as usize % 8]))
        .collect()
}

fn match_state(rule: &str, pairs: u64, games: &[GameRecord]) -> MatchState {
    let mut match_state = MatchState::new(rule.parse().unwrap(), pairs);
    games.iter().for_each(|game| drop(match_state.add(game).unwrap()));
    match_state
}

#[test]
fn a_chart_for_each_rule() {
    let place = tempfile::tempdir().unwrap();
    for (name, rule, chart, word) in [
        ("a", "sprt=0,20,alpha=0.05,beta=0.05,model=logistic", "llr", "accept at 2.94"),
        ("b", "anytime=5%,bets=effects", "evidence", "decides at 20×"),
        ("c", "los=95,pairs=30", "los", "Judged once, after 30 pairs"),
    ] {
        let mut games = games(60);
        let match_state = match_state(rule, 60, &games);
        let counting = match_state.pairs();
        assert!((5..60).contains(&counting), "{rule}: {counting}");
        shuffle(&mut rng(1), &mut games);
        let markup = page(&folder(&place, name, &run_file(rule, 60), &games));
        assert!(markup.ids.contains_key(&format!("run1-{chart}-title")), "{rule}");
        markup.has(word);
        markup.has(">ACCEPT</strong>");
        assert_eq!(markup.figure("Pairs")[0], counting.to_string(), "{rule}");
        markup.has(&format!("{} games more recorded", 120 - 2 * counting));
        markup.has(&format!("After {counting} pairs"));
    }
}

/// A run from before there were bets that learn is judged by the bets of then.
#[test]
fn an_older_run_keeps_its_evidence() {
    let place = tempfile::tempdir().unwrap();
    let games = games(60);
    let of = |name: &str, rule: &str| {
        let dir = folder(&place, name, &run_file(rule, 60), &games);
        let run = RunResults::read(&dir, name).unwrap();
        (run.summary().judged, page(&dir))
    };
    let (older, markup) = of("older", "anytime=5%");
    let counts = match_state("anytime=5%,bets=shares", 60, &games).effective();
    let evidence = Evidence::of(&counts);
    assert_eq!(older.evidence, Some([evidence.better, evidence.worse]));
    assert_eq!(markup.figure("Evidence for better")[0], e_value_text(evidence.better));
    let (newer, _) = of("newer", "anytime=5%,bets=effects");
    assert_ne!(newer.evidence, older.evidence);
    assert_eq!(newer.verdict, older.verdict);
}

/// Both intervals are told, and which is which.
#[test]
fn the_interval_for_every_look_is_the_wider_one() {
    let place = tempfile::tempdir().unwrap();
    let dir = folder(&place, "run", &run_file("los=95", 60), &games(60));
    let markup = page(&dir);
    let [value, note] = markup.figure("Elo at every look");
    assert!(note.contains("after every pair"), "{note}");
    let judged = RunResults::read(&dir, "run").unwrap().summary().judged;
    let [Some(low), Some(high)] = judged.elo_anytime95.unwrap() else { panic!("{value}") };
    assert_eq!(value, format!("{low:+.1} to {high:+.1}"));
    let error = judged.elo_error95.unwrap();
    assert!(high - low > 2.0 * error && high - low < 5.0 * error, "{low} {high} {error}");
    markup.has("band wide");
    markup.has("95% interval for one look");
}

/// The path has one point a pair, and ends where the verdict stands.
#[test]
fn the_path_ends_at_the_verdict() {
    let place = tempfile::tempdir().unwrap();
    let rule = "sprt=0,20,alpha=0.05,beta=0.05,model=logistic";
    let games = games(60);
    let match_state = match_state(rule, 60, &games);
    let markup = page(&folder(&place, "run", &run_file(rule, 60), &games));
    let chart = markup.text.split("run1-llr-desc\">").nth(2).unwrap();
    let path = chart.split("class=\"line ink\" d=\"").nth(1).unwrap().split('"').next().unwrap();
    let points = 1 + path.matches('L').count() as u64;
    assert_eq!(points, match_state.pairs());
    assert!(path.split('L').next_back().unwrap().starts_with("1000 "), "{path}");
    let llr = match_state.statistics().llr.unwrap();
    assert_eq!(markup.figure("LLR")[0], format!("{llr:.2}"));
}

/// Pairs that repeat others show nothing, here as for the verdict.
#[test]
fn twins_are_discounted() {
    let place = tempfile::tempdir().unwrap();
    let mut all = games(12);
    for number in 0..24 {
        let twin = all[number % 8].clone();
        all[number] = GameRecord { game: number as u64, pair: number as u64 / 2, ..twin };
    }
    let markup = page(&folder(&place, "run", &run_file("los=95", 12), &all));
    assert_eq!(markup.figure("Pairs"), ["12", "of 12 planned; 8 repeat others"]);
    markup.has("leaves 4 pairs for Elo");
    let elo = match_state("los=95", 12, &all).statistics().elo;
    assert_eq!(markup.figure("Elo, test minus base")[0], format!("{:+.1}", elo.elo.unwrap()));
    markup.has("fewer than 10 pairs, or 20 games");
}

#[test]
fn thousands_of_pairs_make_a_small_page() {
    let place = tempfile::tempdir().unwrap();
    let games: Vec<GameRecord> = (0..10_000)
        .map(|number| {
            let mut game = random_game(number, START, 6);
            game.opening = (number / 2 % 700) as usize;
            game
        })
        .collect();
    let markup = page(&folder(&place, "run", &run_file("anytime=0.001%", 5_000), &games));
    assert_eq!(markup.figure("Pairs")[0], "5,000");
    assert!(markup.text.len() < 250_000, "{} bytes", markup.text.len());
    markup.has("700 openings played.");
    let told = "Score of test by opening, the 20 best and the 20 worst of 700";
    let table = markup.text.split(&format!("<caption>{told}</caption>")).nth(1).unwrap();
    let table = table.split("</table>").next().unwrap();
    assert_eq!(table.matches("<code>").count(), 40);
    let leads = table.split("data-key=\"").skip(2).step_by(2);
    let leads: Vec<f64> =
        leads.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect();
    assert!(leads.is_sorted_by(|a, b| a >= b), "{leads:?}");
}
