use std::fmt::Write as _;
use std::fs;

use process::ErrorKind;
use process::progress::Unseen;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

use super::super::targets::expected;
use super::*;

const SCALE: f64 = 0.005;
/// Middle game and end game of three terms, in centipawns.
const TRUTH: [f64; 6] = [100.0, 140.0, 320.0, 280.0, -15.0, 30.0];
const NAMES: &str = "pawn_mg, 80\npawn_eg, 80.0, 0, 500\nknight_mg, 300\nknight_eg, 300\n\
                     # two of one kind\ncentre_mg, 0\ncentre_eg, 0\n";

/// A trace whose results are drawn by the true coefficients: positions of one game have one result.
fn trace(positions: usize, of_a_game: usize, seed: u64) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |below: u32| f64::from(rng.next_u32() % below);
    let mut text = String::from("# made\n");
    for game in 0..positions / of_a_game {
        let mut lines = Vec::new();
        let mut sum = 0.0;
        for _ in 0..of_a_game {
            let phase = below(25) / 24.0;
            let counts = [below(5) - 2.0, below(3) - 1.0, below(9) - 4.0];
            let mut line = String::new();
            for (term, count) in counts.into_iter().enumerate() {
                for (half, share) in [phase, 1.0 - phase].into_iter().enumerate() {
                    let (index, count) = (2 * term + half, (count * share * 1e4).round() / 1e4);
                    sum += count * TRUTH[index];
                    write!(line, "{index}:{count} ").expect("text");
                }
            }
            lines.push(line);
        }
        let score = expected(SCALE * sum / of_a_game as f64);
        let result = if below(1 << 24) / f64::from(1 << 24) < score { "1-0" } else { "0-1" };
        for (ply, line) in lines.iter().enumerate() {
            writeln!(text, "g{game}/{ply}; {result}; {line}").expect("text");
        }
    }
    text
}

fn plan(paths: Vec<PathBuf>, scale: Option<f64>) -> TracePlan {
    TracePlan {
        traces: paths,
        validate: Vec::new(),
        coefficients: Coefficients::read("names", NAMES).expect("coefficients"),
        held_out: NonZeroUsize::new(10).expect("above 0"),
        scale,
        fitting: Fitting { l2: 0.0, ..Fitting::default() },
        threads: NonZeroUsize::MIN,
    }
}

/// 20,000 positions give the true weights back, within the errors told, packed or not.
#[test]
fn the_true_weights_are_found() {
    let dir = tempfile::tempdir().expect("a folder");
    let (plain, packed) = (dir.path().join("trace"), dir.path().join("trace.gz"));
    let text = trace(20_000, 1, 7);
    fs::write(&plain, &text).expect("a file");
    let mut writer = flate2::write::GzEncoder::new(
        fs::File::create(&packed).expect("a file"),
        flate2::Compression::fast(),
    );
    std::io::Write::write_all(&mut writer, text.as_bytes()).expect("a packed file");
    writer.finish().expect("a packed file");
    let found = run(&plan(vec![plain], Some(SCALE)), &Unseen).expect("a fit");
    assert_eq!(found.positions.iter().sum::<usize>(), 20_000);
    assert!((1_900..2_100).contains(&found.positions[1]), "{:?}", found.positions);
    for ((value, truth), error) in found.values.iter().zip(TRUTH).zip(&found.errors95) {
        let error = error.expect("many games");
        assert!(error < 40.0, "± {error}");
        // One of six may be outside in a quarter of all seeds.
        assert!((value - truth).abs() < 1.5 * error, "{value} ± {error}, {truth} true");
    }
    let again = run(&plan(vec![packed], Some(SCALE)), &Unseen).expect("a fit");
    assert_eq!(again.values, found.values);
}

/// Positions of one game count as one: the errors are those of the games.
#[test]
fn games_are_known_by_their_ids() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("trace");
    fs::write(&path, trace(6_000, 6, 3)).expect("a file");
    let found = run(&plan(vec![path.clone()], Some(SCALE)), &Unseen).expect("a fit");
    assert_eq!(found.games, 900);
    assert_eq!(found.positions, [5_400, 600]);
    let alone = fs::read_to_string(&path).expect("a trace").replace('/', "-");
    fs::write(&path, alone).expect("a file");
    let alone = run(&plan(vec![path], Some(SCALE)), &Unseen).expect("a fit");
    assert_eq!((alone.games, alone.positions), (5_400, [5_400, 600]));
}

/// Lines without games are held out in blocks of 1,024, or of fewer where that would be none.
#[test]
fn short_traces_are_held_out_in_short_blocks() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("trace");
    for (lines, block, held_out) in [(1_200, 30, 120), (15_000, 1_024, 1_024)] {
        let text = trace(lines, 1, 4).replace('/', "-");
        fs::write(&path, text).expect("a file");
        let found = run(&plan(vec![path.clone()], Some(SCALE)), &Unseen).expect("a fit");
        assert_eq!((found.block, found.positions), (block, [lines - held_out, held_out]));
    }
    fs::write(&path, trace(150, 1, 4)).expect("a file");
    let error = run(&plan(vec![path], Some(SCALE)), &Unseen).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InputOutput);
}

/// Counts of the wrong side give no weights, with or without a scale; counts of the side to move tell
/// nothing, so that no scale is the best.
#[test]
fn another_viewpoint_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("trace");
    let turned = |text: String, every: usize| -> String {
        let lines = text.lines().enumerate().map(|(number, line)| match number % every {
            0 => line.replace("1-0", "won").replace("0-1", "1-0").replace("won", "0-1") + "\n",
            _ => format!("{line}\n"),
        });
        lines.collect()
    };
    fs::write(&path, turned(trace(2_000, 1, 5), 1)).expect("a file");
    for scale in [Some(SCALE), None] {
        let error = run(&plan(vec![path.clone()], scale), &Unseen).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InputOutput, "{error}");
    }
    fs::write(&path, turned(trace(2_000, 1, 5), 2)).expect("a file");
    let error = run(&plan(vec![path.clone()], None), &Unseen).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    fs::write(&path, trace(2_000, 1, 5)).expect("a file");
    run(&plan(vec![path], None), &Unseen).expect("a fit");
}

/// What draws the weights is told as it was: the table of another engine is not here.
#[test]
fn settings_say_what_was_done() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("trace");
    fs::write(&path, trace(2_000, 1, 5)).expect("a file");
    let plan = plan(vec![path], Some(SCALE));
    let found = settings(&plan, &run(&plan, &Unseen).expect("a fit"));
    assert_eq!(found["fitting"]["l2_to"], "start");
    assert_eq!(found["sampling"]["held_out"], 10);
}

/// Without one the scale is fitted to the start values: with all true but a factor, it is that.
#[test]
fn the_scale_is_that_of_the_start_values() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("trace");
    fs::write(&path, trace(20_000, 1, 5)).expect("a file");
    let names: String = TRUTH
        .iter()
        .enumerate()
        .map(|(index, value)| format!("w{index}, {}\n", value / 100.0))
        .collect();
    let coefficients = Coefficients::read("names", &names).expect("coefficients");
    let found = run(&TracePlan { coefficients, ..plan(vec![path.clone()], None) }, &Unseen);
    let scale = found.expect("a fit").scale;
    assert!((scale - 100.0 * SCALE).abs() < 0.05 * 100.0 * SCALE, "{scale}");
    let names: String = (0..TRUTH.len()).map(|index| format!("w{index}, 0\n")).collect();
    let coefficients = Coefficients::read("names", &names).expect("coefficients");
    let error = run(&TracePlan { coefficients, ..plan(vec![path], None) }, &Unseen).unwrap_err();
    assert!(error.kind() == ErrorKind::Usage && error.to_string().contains("--scale"), "{error}");
}

#[test]
fn lines() {
    let line = read_line("8/8/8/4k3/8/8/4P3/4K3 b - - 0 1; 1/2-1/2; 3:-1 0:0.25 2:0; -12.5", 4);
    let expected =
        TraceLine { game: None, result: 0.5, counts: vec![(0, 0.25), (3, -1.0)], rest: -12.5 };
    assert_eq!(line, Ok(expected));
    let line = read_line("game 7/31;0.75;1:2", 4);
    let expected =
        TraceLine { game: Some("game 7"), result: 0.75, counts: vec![(1, 2.0)], rest: 0.0 };
    assert_eq!(line, Ok(expected));
    for (line, told) in [
        ("", "expected FEN or id"),
        ("x; 1-0", "expected FEN or id"),
        ("x; won; 1:1", "expected a result"),
        ("x; 1.5; 1:1", "expected a result"),
        ("x; 1-0; 1", "expected index:count"),
        ("x; 1-0; -1:1", "expected index:count"),
        ("x; 1-0; 1:nan", "expected index:count"),
        ("x; 1-0; 4:1", "below 4"),
        ("x; 1-0; 1:1 1:2", "is there twice"),
        ("x; 1-0; 1:1; much", "behind the counts"),
    ] {
        let error = read_line(line, 4).expect_err(line);
        assert!(error.contains(told), "{line}: {error}");
    }
}

#[test]
fn coefficients_and_their_values() {
    let all = Coefficients::read("names", NAMES).expect("coefficients").0;
    assert_eq!((all.len(), all[1].ends, all[1].decimals), (6, [0.0, 500.0], 1));
    let values: Vec<String> = (0..6).map(|value| value.to_string()).collect();
    let expected = "pawn_mg, 0\npawn_eg, 1, 0, 500\nknight_mg, 2\nknight_eg, 3\n# two of one kind\n\
                    centre_mg, 4\ncentre_eg, 5\n";
    assert_eq!(Coefficients::with_values(NAMES, &values), expected);
    for (text, told) in [
        ("", "no coefficients"),
        ("pawn", "names:1: expected name, value"),
        ("pawn, x", "expected name, value"),
        (", 3", "expected name, value"),
        ("pawn, 3, 4, 5", "min 4 ≤ value 3"),
        ("pawn, 3\npawn, 4", "names:2: 'pawn' is there twice"),
    ] {
        let error = Coefficients::read("names", text).expect_err(text);
        assert!(error.to_string().contains(told), "{text}: {error}");
    }
}

#[test]
fn a_bad_line_is_told_with_its_place() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("trace");
    for (text, told) in [
        ("x; 1-0; 1:1\ny; 1-0; 9:1\n", "trace:2: expected an index below 6"),
        ("", "expected at least 100"),
    ] {
        fs::write(&path, text).expect("a file");
        let error = run(&plan(vec![path.clone()], Some(SCALE)), &Unseen).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InputOutput);
        assert!(error.to_string().contains(told), "{error}");
    }
    let error = run(&plan(vec![dir.path().join("none")], Some(SCALE)), &Unseen).unwrap_err();
    assert!(error.to_string().contains("none"), "{error}");
}
