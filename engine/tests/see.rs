//! SEE against `data/see.txt`: with pins ignored the pseudo-legal oracle, with pins respected the
//! legal one.

use engine::position::{ExchangeValues, Position, SeePins};
use engine::types::Role;

/// The file's values, in its own unit.
fn values() -> ExchangeValues {
    ExchangeValues::new(|role| match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    })
}

#[test]
fn both_oracles() {
    let (mut checked, mut apart) = (0, 0);
    for line in include_str!("data/see.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let (fen, uci) = (fields[0], fields[2]);
        let oracle = |key: &str| -> i32 {
            let field = fields.iter().find_map(|field| field.strip_prefix(key)).expect(key);
            field.split_whitespace().next().and_then(|n| n.parse().ok()).expect("a number")
        };
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = position.parse_uci(uci).expect(uci);
        let (pseudo, legal) = (oracle("lva_pseudo="), oracle("lva_legal="));
        let see = |pins| position.see(mv, &values(), pins).binary();
        assert_eq!(see(SeePins::Ignored), pseudo, "pins ignored: {line}");
        assert_eq!(see(SeePins::Respected), legal, "pins respected: {line}");
        checked += 1;
        apart += usize::from(pseudo != legal);
    }
    assert_eq!((checked, apart), (49, 1), "cases, and cases where a pin matters");
}

/// The steps of an exchange (SEE-12) add up to its value: of those that happen, the mover's gains
/// less the enemy's.
#[test]
fn steps_add_up() {
    let (mut longest, mut stopped) = (0, 0);
    for line in include_str!("data/see.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let position = Position::from_fen(fields[0]).expect("a position");
        let mv = position.parse_uci(fields[2]).expect("a move");
        for pins in [SeePins::Ignored, SeePins::Respected] {
            let (steps, happen) = position.see_steps(mv, &values(), pins);
            let sum: i32 = steps[..happen]
                .iter()
                .map(|step| {
                    let gain = step.gain.binary();
                    if step.side == position.turn() { gain } else { -gain }
                })
                .sum();
            assert_eq!(sum, position.see(mv, &values(), pins).binary(), "{line}");
            assert!(steps.iter().skip(1).all(|step| step.takes.is_some()), "{line}");
            longest = longest.max(steps.len());
            stopped += usize::from(happen < steps.len());
        }
    }
    assert!(longest >= 6 && stopped >= 10, "{longest} {stopped}");
}
