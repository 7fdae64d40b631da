use super::*;

#[test]
fn names() {
    for (name, group, switch, unit) in [
        ("lmr.min_move", false, false, ""),
        ("lazy.margin", false, false, "1/256 pawn"),
        ("lazy.on", false, true, ""),
        ("king_safety.table[7]", false, false, ""),
        ("pst.knight_mg[e4]", false, false, ""),
        ("king_safety.table[*]", true, false, "per cent"),
    ] {
        let tunable = Tunable::of_table(name).expect(name);
        assert_eq!((tunable.is_group(), tunable.is_switch()), (group, switch), "{name}");
        assert!(unit.is_empty() || tunable.unit() == unit, "{name}: {}", tunable.unit());
    }
    for (name, told) in [
        ("lazy.margn", "did you mean 'lazy.margin'"),
        ("king_safety.table", "king_safety.table[*]"),
        ("king_safety.table[99]", "'king_safety.table[0]' to 'king_safety.table[34]'"),
        ("spoons.*", "no evaluation weight"),
        ("lazy.margin[*]", "is one number"),
        ("", "unknown parameter"),
    ] {
        let error = Tunable::of_table(name).expect_err(name).to_string();
        assert!(error.contains(told), "{name}: {error}");
    }
}

#[test]
fn values() {
    let tunable = |name: &str| Tunable::of_table(name).expect(name);
    for (name, text, pawns, expected) in [
        ("lazy.margin", "0.25", true, 64.0),
        ("lazy.margin", "64", false, 64.0),
        ("lazy.on", "off", false, 0.0),
        ("king_safety.table[*]", "110%", false, 110.0),
    ] {
        assert_eq!(tunable(name).read(text, pawns).ok(), Some(expected), "{name} {text}");
    }
    for (name, text, pawns) in [
        ("lazy.margin", "0.25", false),
        ("lmr.min_move", "2.5", true),
        ("lmr.min_move", "two", false),
        ("lmr.min_move", "nan", false),
        ("lazy.margin", "1e300", false),
    ] {
        assert!(tunable(name).read(text, pawns).is_err(), "{name} {text}");
    }
    assert!(tunable("lazy.margin").check(100_000.0).is_err());
    assert_eq!(tunable("lazy.margin").words(64.0), "64 (0.25)");
}

/// Tables within the engine: their names are the values, by the rows' names or the short ones.
#[test]
fn tables_by_name() {
    let base = Base::standard();
    let rebel = Params::personality("rebel").expect("known");
    for (name, row, on, value) in [
        ("mit", "imbalance.table", "true", "3100"),
        ("imbalance.table", "imbalance.table", "false", "all"),
        ("Openings", "opening.table", "true", "2600"),
    ] {
        let tunable = Tunable::find(name, &base).expect(name);
        assert!(!tunable.is_ordered() && tunable.check_number().is_err(), "{name}");
        let place = tunable.read(&value.to_uppercase(), false).expect(value);
        assert_eq!(tunable.check(place).ok(), Some(place));
        assert_eq!(tunable.text(place), value);
        let params = Tunable::turned(&rebel, [(&tunable, place)]);
        assert_eq!(params.get(row).as_deref(), Ok(value));
        let switch = format!("{}.on", row.split('.').next().unwrap_or_default());
        assert_eq!(params.get(&switch).as_deref(), Ok(on), "{name}: off in rebel");
        let mut set = rebel.clone();
        for (name, value) in tunable.settings(&base, place) {
            set.set(&name, &value).expect(&name);
        }
        assert_eq!(set, params);
        let error = tunable.read("310", false).expect_err("no table").to_string();
        assert!(error.contains("unknown name '310'") && error.contains("none, "), "{error}");
    }
    let group = Tunable::of_table("imbalance.*").expect("a group");
    let scaled = group.settings(&base, 50.0);
    assert!(scaled.iter().all(|(name, _)| name != "imbalance.table"), "{scaled:?}");
}

#[test]
fn groups_scale_what_is_there() {
    let base = Params::standard();
    let tunable = Tunable::of_table("king_safety.table[*]").expect("a table");
    let cells = tunable.settings(&Base::standard(), 50.0);
    let mut params = base.clone();
    tunable.turn(&base, 50.0, &mut params);
    assert_eq!(params.get(&cells[7].0).as_ref(), Ok(&cells[7].1));
    let total = |params: &Params| -> i32 {
        let base = Base::Embedded(Box::new(params.clone()));
        tunable
            .settings(&base, 100.0)
            .iter()
            .map(|(_, value)| value.parse::<i32>().expect("whole"))
            .sum()
    };
    assert!((total(&params) * 2 - total(&base)).abs() <= 35, "{cells:?}");
    assert_eq!(tunable.get(&Base::standard()), 100.0);
}

/// Several tables and numbers scaled together; a cell is turned by one tunable only.
#[test]
fn groups_of_many() {
    let base = Params::standard();
    let tunable = |name: &str| Tunable::of_table(name).expect(name);
    let material = tunable("material.*");
    let mut params = base.clone();
    material.turn(&base, 110.0, &mut params);
    let pawn = |params: &Params| params.get("material.pawn").expect("there").parse::<f64>();
    assert_eq!(pawn(&params), pawn(&base).map(|pawn| (1.1 * pawn).round()));
    assert_eq!(material.settings(&Base::standard(), 100.0).len(), 5);
    assert_eq!(tunable("pst.*_mg").settings(&Base::standard(), 100.0).len(), 6 * 64);
    for (a, b, expected) in [
        ("material.*", "material.rook", true),
        ("king_safety.table[*]", "king_safety.table[3]", true),
        ("king_safety.table[2]", "king_safety.table[3]", false),
        ("pst.*", "pst.knight_*", true),
        ("pst.*_eg", "pst.*_mg", false),
        ("lazy.margin", "lazy.margin", true),
    ] {
        assert_eq!(tunable(a).overlaps(&tunable(b)), expected, "{a} {b}");
        assert_eq!(tunable(b).overlaps(&tunable(a)), expected, "{b} {a}");
    }
}

fn toy() -> Base {
    Base::declaring(&[
        "name Material type spin default 100 min 0 max 400",
        "name Lazy Eval type check default true",
        "name Style type combo default Normal var Solid One var Normal var Risky",
        "name Factor type string default 0.25",
        "name Book type string default <empty>",
        "name Clear Hash type button",
        "name Seed type spin default 1 min -9223372036854775808 max 9223372036854775807",
        "name Far type spin default 9223372036854775807 min 0 max 9223372036854775807",
        "name Twice type spin default 1 min 0 max 2",
        "name twice type spin default 1 min 0 max 3",
    ])
}

#[test]
fn options_of_programs() {
    let base = toy();
    for (name, found, start, range, ordered, whole) in [
        ("material", "Material", 100.0, (0.0, 400.0), true, true),
        ("Lazy Eval", "Lazy Eval", 1.0, (0.0, 1.0), false, true),
        ("Style", "Style", 1.0, (0.0, 2.0), false, true),
        ("Factor", "Factor", 0.25, (f64::NEG_INFINITY, f64::INFINITY), true, false),
        ("Seed", "Seed", 1.0, (-9_007_199_254_740_992.0, 9_007_199_254_740_992.0), true, true),
    ] {
        let tunable = Tunable::find(name, &base).expect(name);
        assert_eq!((tunable.name(), tunable.get(&base), tunable.range()), (found, start, range));
        assert_eq!((tunable.is_ordered(), tunable.is_whole()), (ordered, whole), "{name}");
        assert_eq!(tunable.check_number().is_ok(), ordered, "{name}");
    }
    for (name, text, value, written) in [
        ("Material", "50", 50.0, "50"),
        ("Lazy Eval", "off", 0.0, "false"),
        ("Style", "solid one", 0.0, "Solid One"),
        ("Factor", "1e-3", 0.001, "0.001"),
    ] {
        let tunable = Tunable::find(name, &base).expect(name);
        assert_eq!(tunable.read(text, true).ok(), Some(value), "{name}");
        assert_eq!(tunable.settings(&base, value), [(name.to_owned(), written.to_owned())]);
    }
    for (name, text) in [
        ("Material", "2.5"),
        ("Lazy Eval", "2"),
        ("Style", "wild"),
        ("Factor", "inf"),
        ("Seed", "1e17"),
    ] {
        assert!(Tunable::find(name, &base).expect(name).read(text, true).is_err(), "{name}");
    }
    assert!(Tunable::find("Material", &base).expect("a spin").check(401.0).is_err());
    let factor = Tunable::find("Factor", &base).expect("a number");
    assert!(factor.playable(0.1 + 0.2) == 0.3 && factor.step().is_none());
}

#[test]
fn options_that_cannot_be_varied() {
    for (base, name, told) in [
        (toy(), "Materiel", "did you mean 'Material'"),
        (toy(), "Clear Hash", "is a button"),
        (toy(), "Book", "is text"),
        (toy(), "Far", "to begin with"),
        (toy(), "Twice", "declares 'Twice' twice"),
        (Base::declaring(&[]), "Material", "declares no options"),
        (Base::declaring(&["name X type spin min 0 max 9"]), "X", "to begin with"),
    ] {
        let error = Tunable::find(name, &base).expect_err(name);
        assert_eq!(error.kind(), process::ErrorKind::Usage);
        assert!(error.to_string().contains(told), "{name}: {error}");
    }
}
