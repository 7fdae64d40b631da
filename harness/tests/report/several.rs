//! Several runs on one page.

use arena::record::GameRecord;

use super::{folder, pages, run_file};
use crate::common::samples::game;

fn games(pairs: u64) -> Vec<GameRecord> {
    (0..2 * pairs).map(game).collect()
}

#[test]
fn a_table_of_all_comes_first() {
    let place = tempfile::tempdir().unwrap();
    let dirs = [
        folder(&place, "one", &run_file("los=95", 20), &games(20)),
        folder(&place, "two", &run_file("sprt=0,5", 90), &games(30)),
        folder(&place, "three", &run_file("anytime=5%", 90), &games(30)),
        folder(&place, "four", &run_file("anytime=5%", 90), &[]),
    ];
    let markup = pages(&dirs);
    markup.has("<h1>4 matches</h1>");
    markup.has("<table class=\"sortable runs\">");
    let (table, sections) = markup.text.split_once("<section").unwrap();
    for (number, name) in ["one", "two", "three", "four"].iter().enumerate() {
        let id = format!("run{}", number + 1);
        assert!(table.contains(&format!("<a href=\"#{id}\">{name}</a>")), "{name}");
        assert!(sections.contains(&format!("<h2 id=\"{id}-name\">{name}</h2>")), "{name}");
    }
    assert!(table.contains(">LLR ") && table.contains(">e ") && table.contains("undefined"));
    assert_eq!(markup.text.matches("<script>").count(), 1);
}

#[test]
fn runs_of_one_name_are_told_apart() {
    let place = tempfile::tempdir().unwrap();
    let dirs = ["x/night", "y/night", "z/day"]
        .map(|name| folder(&place, name, &run_file("los=95", 2), &games(2)));
    let markup = pages(&dirs);
    for dir in &dirs[..2] {
        markup.has(&format!("-name\">{}</h2>", dir.display()));
    }
    markup.has("-name\">day</h2>");
}
