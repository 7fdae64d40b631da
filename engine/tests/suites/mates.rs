//! Mates: found at the depth that they need, as long as they are, and none where there is none.

use std::sync::Arc;

use engine::suite::{Case, Outcome, SuiteFile};
use engine::{Engine, HashSize, Limits};

use super::{file_of, full_width, nodes, params, personalities, search, solved};

/// The files that ship with the tests, by moves to mate.
fn shipped() -> [(u32, SuiteFile); 3] {
    [
        (2, "mate_in_2.epd", include_str!("../data/mate_in_2.epd")),
        (3, "mate_in_3.epd", include_str!("../data/mate_in_3.epd")),
        (4, "mate_in_4.epd", include_str!("../data/mate_in_4.epd")),
    ]
    .map(|(moves, name, text)| (moves, SuiteFile::parse(name, text, false).expect(name)))
}

/// Positions whose mate is not announced in exactly the moves that it takes, by the right move.
fn wrong(results: &[(&Case, Outcome)]) -> Vec<String> {
    let is_wrong = |case: &Case, outcome: &Outcome| {
        !outcome.solved || outcome.score.mate() != case.mate.map(|moves| moves as i32)
    };
    let wrong = results.iter().filter(|(case, outcome)| is_wrong(case, outcome));
    wrong.map(|(case, outcome)| format!("{}: {outcome:?}", case.id)).collect()
}

/// Mate in N takes 2N − 1 plies, and a search that leaves nothing out sees it that deep. It must
/// not take for ever either: extensions without bounds are found out by the nodes they need.
fn are_found_at_the_depth_due(moves: u32, file: &SuiteFile, at_most: u64) {
    for personality in personalities() {
        // Without killers and extensions it takes longer.
        let at_most = if personality == "winglet" { 4 * at_most } else { at_most };
        let limits = Limits { depth: Some(2 * moves - 1), ..nodes(at_most) };
        let results = search(file, &full_width(personality), &limits);
        let wrong = wrong(&results);
        assert!(wrong.is_empty(), "{personality}, mate in {moves}: {wrong:#?}");
    }
}

#[test]
fn found_at_the_depth_due() {
    for (moves, file) in &shipped() {
        are_found_at_the_depth_due(*moves, file, 1_000_000);
    }
}

/// However many threads search, and whatever they tell each other by the hash table: the same mates at the
/// same depth.
#[test]
fn several_threads_find_the_same() {
    let params = Arc::new(full_width("default"));
    let mut engine = Engine::new(&params, HashSize::from_mib(4));
    engine.set_threads(3);
    for (moves, file) in &shipped()[..2] {
        let limits = Limits { depth: Some(2 * moves - 1), ..Limits::default() };
        for case in file.cases.iter().step_by(3) {
            engine.new_game();
            let report = engine.search(&case.position, &limits, &());
            assert!(case.is_solved(report.best, report.score), "{}: {report:?}", case.id);
            assert_eq!(report.score.mate(), Some(*moves as i32), "{}", case.id);
        }
    }
}

/// As the personalities play, reductions, pruning and all: nearly every mate in two is found in
/// 50,000 nodes, and no mate is announced that is shorter than there is.
#[test]
fn found_in_play() {
    for personality in personalities() {
        for (moves, file) in &shipped() {
            let results = search(file, &params(personality), &nodes(50_000));
            let total = results.len();
            if *moves == 2 {
                let solved = solved(&results);
                assert!(20 * solved >= 19 * total, "{personality}: {solved} of {total}");
            }
            let invented: Vec<&str> = results
                .iter()
                .filter(|(_, outcome)| outcome.score.mate().is_some_and(|n| n < *moves as i32))
                .map(|(case, _)| case.id.as_str())
                .collect();
            assert!(invented.is_empty(), "{personality}, mate in {moves}: {invented:?}");
        }
    }
}

/// All mates of a folder: those in up to four moves at the depth due, the longer ones as far as a
/// million nodes go.
#[test]
#[ignore = "reads mate_in_1.epd to mate_in_8.epd of the folder that MATES names, prints figures"]
fn all_of_a_folder() {
    println!("personality, mate in, positions, found in 1,000,000 nodes, median nodes");
    for moves in 1..=8 {
        let file = file_of("MATES", &format!("mate_in_{moves}.epd"));
        if moves <= 4 {
            are_found_at_the_depth_due(moves, &file, 5_000_000);
        }
        for personality in personalities() {
            let results = search(&file, &params(personality), &nodes(1_000_000));
            let mut times: Vec<u64> =
                results.iter().filter_map(|(_, outcome)| outcome.solution_nodes).collect();
            times.sort_unstable();
            let (total, solved) = (results.len(), solved(&results));
            let median = times.get(solved / 2).copied().unwrap_or(0);
            println!("{personality}, {moves}, {total}, {solved}, {median}");
        }
    }
}
