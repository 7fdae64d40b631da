//! mutineer's parameters as options of a program: it lists them only when it is asked to, and all the same
//! each can be given, misspelt ones are refused, and what is given is what is played.

use std::sync::Arc;

use arena::player::GoLimit;
use arena::player::program::ProgramSettings;
use engine::{Engine, HashSize, Limits, Params, Position};

use crate::common::players::{Bench, LONG, bench, bench_with, play, spec};

const MUTINEER: &str = env!("CARGO_BIN_EXE_mutineer_process");
const DEPTH: u32 = 5;

/// The nodes of a search by the engine itself.
fn embedded(parameters: &[(&str, &str)]) -> u64 {
    let mut params = Params::personality("rebel").unwrap();
    for (name, value) in parameters {
        params.set(name, value).unwrap();
    }
    let mut engine = Engine::new(&Arc::new(params), HashSize::from_mib(1));
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    engine.search(&Position::startpos(), &limits, &()).nodes
}

/// The nodes of the same search by the program, and what it was told before the game.
fn program(bench: &Bench, protocol: &str, options: &str) -> (u64, String) {
    let mut player = bench.start(&spec(&format!("{protocol}:{MUTINEER}{options}")));
    let told = player.capsule().input;
    let thoughts = play(&mut player, &GoLimit::Depth(DEPTH), 1).unwrap();
    (thoughts[0].nodes, told)
}

/// A value that `default` has is another than the personality's, and given it counts.
#[test]
fn what_is_given_is_played_whatever_is_listed() {
    let (name, listed) = ("material.pawn", Params::standard().get("material.pawn").unwrap());
    let settings = ProgramSettings { hash_mib: Some(1), ..Default::default() };
    let bench = bench_with(settings);
    let expected = embedded(&[(name, &listed)]);
    assert_ne!(expected, embedded(&[]), "it makes a difference");
    for protocol in ["uci", "xboard"] {
        let (nodes, told) = program(&bench, protocol, ",Personality=rebel");
        assert_eq!(nodes, embedded(&[]), "{protocol}");
        assert!(!told.contains("List"), "the short list will do: {told}");
        for options in [
            format!(",Personality=rebel,{name}={listed}"),
            format!(",{name}={listed},Personality=Rebel"),
        ] {
            let (nodes, told) = program(&bench, protocol, &options);
            assert_eq!(nodes, expected, "{protocol}{options}: {told}");
            assert_eq!(told.matches("List Parameters").count(), 2, "{told}");
        }
    }
}

#[test]
fn a_misspelt_parameter_is_refused_with_the_nearest() {
    let bench = bench(LONG);
    for protocol in ["uci", "xboard"] {
        for (options, part) in [
            (",search.psv=1", "has no option 'search.psv'; did you mean 'search.pvs'?"),
            (",lmr.min_move=many", "option 'lmr.min_move': expected an integer from 0 to 60"),
        ] {
            let reason = bench.refusal(&format!("{protocol}:{MUTINEER}{options}"));
            assert!(reason.contains(part), "{protocol}{options}: {reason}");
        }
    }
}
