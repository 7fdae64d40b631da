use engine::Params;

use super::*;
use crate::form;
use crate::tune::spsa::Spsa;

fn read_lines(text: &str, base: &Base) -> Result<Vec<SpsaParam>, Error> {
    of_file(&form::read("lines", text)?.params, base, 1000, &Gains::default())
}

#[test]
fn lines_read_back() {
    let text = "lazy.margin, int, 128, 0, 5120, 16, 0.002\n\
                # a remark\n\n\
                king_safety.table[*], float, 100, 50, 200, 5, 0.002 # all of it\n\
                lmr.min_move, 4, 2, 20, 1, 0.002\n";
    let lines = read_lines(text, &Base::standard()).expect("lines");
    let names: Vec<&str> = lines.iter().map(|line| line.tunable.name()).collect();
    assert_eq!(names, ["lazy.margin", "king_safety.table[*]", "lmr.min_move"]);
    assert_eq!(lines.iter().map(|l| l.is_whole).collect::<Vec<_>>(), [true, false, true]);
    for line in &lines {
        let again = SpsaParam::read(&line.text(), &Base::standard()).expect("its own text");
        assert_eq!(again.text(), line.text());
    }
}

#[test]
fn the_engines_own_lines() {
    let params = Params::standard();
    let text = engine::params::spsa(&params);
    let lines = read_lines(&text, &Base::standard()).expect("all of them");
    assert_eq!(lines.len(), text.lines().count());
    let line = SpsaParam::of_name("lazy.margin:32", &Base::standard()).expect("a parameter");
    assert_eq!((line.c_end, line.r_end, line.min, line.max), (32.0, R_END, 0.0, 5120.0));
}

#[test]
fn wrong_lines_say_why() {
    for (text, told) in [
        ("", "no parameters"),
        ("lazy.margin", "expected name, int|float"),
        ("lazy.margn, int, 1, 0, 9, 1, 0.002", "did you mean 'lazy.margin'"),
        ("lazy.margin, float, 128, 0, 5120, 16, 0.002", "only groups"),
        ("lazy.margin, real, 128, 0, 5120, 16, 0.002", "expected int or float"),
        ("lazy.margin, int, x, 0, 5120, 16, 0.002", "value: expected a number"),
        ("lazy.margin, int, 6000, 0, 5120, 16, 0.002", "min 0 ≤ value 6000"),
        ("lazy.margin, int, 128, 0, 9999, 16, 0.002", "within the table's 0..=5120"),
        ("lazy.margin, int, 128, 0, 5120, 0, 0.002", "c_end above 0"),
        ("lazy.margin, int, 128, 120, 140, 16, 0.002", "at most half the range"),
        ("lazy.margin, int, 84, 0, 1024, 32", "expected name, int|float"),
        ("lazy.margin, int, 84, 84, 84, 1, 0.002", "min below max"),
        ("lazy.margin, int, 84.5, 0, 1024, 32, 0.002", "whole number"),
        ("pst.*, int, 100, 50, 200, 9, 0.002\npst.king_mg[a1], int, 0, -9, 9, 1, 1", "twice"),
        ("lazy.on, int, 1, 0, 1, 0.5, 0.002", "on or off"),
        ("lmr.min_move,4,2,20,1,0.002\nlmr.min_move,4,2,20,1,0.002", "twice"),
    ] {
        let error = read_lines(text, &Base::standard()).expect_err(text).to_string();
        assert!(error.contains(told), "{text}: {error}");
    }
}

fn toy() -> Base {
    Base::declaring(&[
        "name Material type spin default 100 min 0 max 400",
        "name Factor type string default 0.25",
        "name Lazy type check default true",
        "name Wide type spin default 3 min -100000000000 max 100000000000",
    ])
}

#[test]
fn lines_of_programs() {
    let text = "material, int, 50, 0, 400, 20, 0.002\nFactor, float, 0.5, 0.0, 1.0, 0.05, 0.002\n\
                Wide, 3, -90000000000, 90000000000, 500, 0.002";
    let lines = read_lines(text, &toy()).expect("lines");
    let names: Vec<&str> = lines.iter().map(|line| line.tunable.name()).collect();
    assert_eq!(names, ["Material", "Factor", "Wide"]);
    assert_eq!((lines[1].is_whole, lines[1].start, lines[1].c_end), (false, 0.5, 0.05));
    for line in &lines {
        let again = SpsaParam::read(&line.text(), &toy()).expect("its own text");
        assert_eq!(again.text(), line.text());
    }
    let named = SpsaParam::of_name("Material", &toy()).expect("an option");
    assert_eq!((named.start, named.min, named.max, named.c_end), (100.0, 0.0, 400.0, 20.0));
    for (text, told) in [
        ("Materiel, int, 50, 0, 400, 20, 0.002", "did you mean 'Material'"),
        ("Material, int, 50, 0, 500, 20, 0.002", "within the declared 0..=400"),
        ("Material, float, 50, 0, 400, 20, 0.002", "only options of text"),
        ("Lazy, int, 1, 0, 1, 0.5, 0.002", "on or off"),
        (
            "Material, 50, 0, 400, 20, 0.002\nmaterial, 50, 0, 400, 20, 0.002",
            "lines:2: 'Material' is there twice",
        ),
    ] {
        let error = read_lines(text, &toy()).expect_err(text).to_string();
        assert!(error.contains(told), "{text}: {error}");
    }
    let error = SpsaParam::of_name("Factor", &toy()).expect_err("no range").to_string();
    assert!(error.contains("declares no range"), "{error}");
}

/// The perturbation and the step of each game are those of weather-factory's formulas, worked out
/// beside them.
#[test]
fn steps_of_weather_factory_are_its_own() {
    let text = r#"{"Material": {"value": 50.4, "min_value": 0, "max_value": 400, "step": 10}}"#;
    let (pairs, gains) = (5000, Gains::default());
    let params = form::read("file", text).expect("steps").params;
    let lines = of_file(&params, &toy(), pairs, &gains).expect("a parameter");
    assert_eq!(lines[0].start, 50.0);
    let spsa = Spsa::new(lines, gains, pairs, 1, 7);
    for k in [1, 100, 5000] {
        let t = 2.0 * k as f64;
        let c_t = 1.0 / t.powf(gains.gamma);
        let a_t = 1.0 / (t + 0.1 * 10_000.0).powf(gains.alpha);
        assert!((spsa.reach(0, k) - 10.0 * c_t).abs() < 1e-9);
        assert!((spsa.stride(0, k) - a_t * 10.0 / c_t).abs() < 1e-9);
    }
}

#[test]
fn ranges_of_chess_tuning_tools() {
    let read = |text: &str| read_lines(text, &toy());
    let lines =
        read(r#"{"Factor": "Real(0.0, 1.0)", "Material": "Integer(20, 220)"}"#).expect("ranges");
    assert_eq!((lines[0].start, lines[0].c_end, lines[0].is_whole), (0.25, 0.05, false));
    assert_eq!((lines[1].start, lines[1].c_end, lines[1].is_whole), (100.0, 10.0, true));
    for (text, told) in [
        (r#"{"Material": "Real(20.0, 220.0)"}"#, "expected Integer"),
        (r#"{"Material": "(1, 2, 4)"}"#, "a list of values"),
        (r#"{"Material": "Integer(150, 220)"}"#, "min 150 ≤ value 100"),
        (r#"{"Material": "Integer(50, 1)"}"#, "lower end first, found 50 and 1"),
        (r#"{"Material": "Integer(0, 500)"}"#, "expected 0 to 400, found 500"),
        (r#"{"Factor": "Real(0, 1, prior=log-uniform)"}"#, "LOWER above 0 with log-uniform"),
    ] {
        let error = read(text).expect_err(text).to_string();
        assert!(error.contains(told), "{text}: {error}");
    }
}
