//! `verdict replay`: a fault happens again, or it does not.

use std::fs;

use arena::record::{GameRecord, Termination};
use pgn::Outcome;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};

use super::{Place, rascal, scoundrel};
use crate::common::script::{script, sound_at_first};

const PLAN: &str = "--pairs 1 --depth 2 --max-faults off --hang 2s --concurrency 1 --hash 1MiB";

impl Place {
    /// Replays the fault of game 0 of a run: exit code and what it says.
    fn replay(&self, run: &str) -> (i32, String) {
        let fault = self.path(run).join("faults").join("0").join("fault.txt");
        let text = fs::read_to_string(fault).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("replay: verdict ")).unwrap();
        let output = self.verdict(line).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        (output.status.code().unwrap_or(-1), format!("{said}{errors}"))
    }
}

#[test]
fn every_fault_happens_again() {
    for (test, words) in [
        (scoundrel("exit-in-search:3"), "crash: test (white): crashed: exited with status 5"),
        (scoundrel("first panic:2"), "I have a bad conscience"),
        (scoundrel("illegal:4"), "illegal-move: test (white): e1e8"),
        (scoundrel("first null:1"), "illegal-move: test (white): gave no move"),
        (scoundrel("no-move:3"), "garbage: test (white)"),
        (scoundrel("endless-garbage:1"), "64 MiB of output"),
        (scoundrel("hang-go:2"), "hang: test (white)"),
        (scoundrel("until-stop:1"), "until 'stop' was sent"),
        (scoundrel("torn:2"), "crash: test (white): crashed: exited with status 0"),
        (scoundrel("close-stdin:1"), "broken-pipe: test (white)"),
        (rascal("exit-in-search:2"), "crash: test (white): crashed: exited with status 5"),
        (rascal("san illegal:2"), "illegal-move: test (white)"),
        (rascal("no-sd no-move:2"), "garbage: test (white)"),
        (rascal("refuse:1"), "garbage: test (white): garbage: refuses what is legal"),
        (rascal("refuse-position"), "not-started: test (white)"),
        (rascal("claim-draw:2"), "false-claim: test (white)"),
        (rascal("claim-late:2"), "false-claim: test (white)"),
        (rascal("hang:3"), "hang: test (white)"),
    ] {
        let place = Place::new();
        place.play("run", &format!("{PLAN} --test {test}")).decided();
        let (code, said) = place.replay("run");
        let now = said.lines().find_map(|line| line.strip_prefix("now:  ")).unwrap_or_default();
        assert!(code == 0 && now.contains(words), "{test}: {code}: {said}");
        assert!(said.ends_with("the same fault again\n"), "{said}");
    }
}

/// As long as it is tried before the match it is sound.
#[test]
fn a_program_that_does_not_start_does_so_again() {
    for (protocol, program, vices) in [
        ("uci", env!("CARGO_BIN_EXE_scoundrel"), "exit-at-start"),
        ("uci", env!("CARGO_BIN_EXE_scoundrel"), "exit-after-uciok"),
        ("uci", env!("CARGO_BIN_EXE_scoundrel"), "exit-at-new-game"),
        ("xboard", env!("CARGO_BIN_EXE_rascal"), "exit-at-start"),
    ] {
        let place = Place::new();
        let engine = place.path("engine");
        sound_at_first(&engine, program, vices);
        let test = format!("{protocol}:{}", engine.display());
        place.play("run", &format!("{PLAN} --test {test}")).decided();
        let (code, said) = place.replay("run");
        let now = said.lines().find_map(|line| line.strip_prefix("now:  ")).unwrap_or_default();
        assert!(code == 0 && now.contains("not-started: test (white)"), "{vices}: {code}: {said}");
        assert!(said.ends_with("the same fault again\n"), "{said}");
    }
}

/// An engine in this program is watched when it is replayed, as it was in its match.
#[test]
fn an_embedded_player_hangs_again() {
    let place = Place::new();
    let endless =
        "--nodes 18446744073709551615 --pairs 1 --hang 300ms --max-faults off --hash 1MiB";
    place.play("run", endless).decided();
    let (code, said) = place.replay("run");
    assert!(code == 0 && said.contains("now:  hang: "), "{code}: {said}");
}

#[test]
fn overstepping_happens_again() {
    let place = Place::new();
    for (name, test) in [("uci", scoundrel("overstep:3000")), ("xboard", rascal("overstep:3000"))] {
        let limit = "--movetime 20ms --time-margin 2s --pairs 1 --max-faults off";
        place.play(name, &format!("{limit} --test {test}")).decided();
        let (code, said) = place.replay(name);
        assert!(code == 0 && said.contains("now:  time-loss: test (white)"), "{said}");
    }
}

/// The program under its name is another one by then.
#[test]
fn a_mended_program_does_not_do_it_again() {
    for (program, faulty, mended) in [
        ("uci", "first exit-in-search:3", "first"),
        ("uci", "first hang-go:2", "first illegal:2"),
        ("xboard", "exit-in-search:3", "chatter"),
    ] {
        let place = Place::new();
        let engine = place.path("engine.sh");
        let binary = match program {
            "uci" => env!("CARGO_BIN_EXE_scoundrel"),
            _ => env!("CARGO_BIN_EXE_rascal"),
        };
        let write = |vices: &str| script(&engine, &format!("exec {binary} {vices}"));
        write(faulty);
        let test = format!("{program}:{}", engine.display());
        place.play("run", &format!("{PLAN} --test {test}")).decided();
        assert_eq!(place.replay("run").0, 0);
        write(mended);
        let (code, said) = place.replay("run");
        assert_eq!(code, 1, "{said}");
        assert!(said.contains("note: the engine file has changed"), "{said}");
        let expected = match mended {
            "first illegal:2" => "a fault of another kind\n",
            _ => "the fault does not happen again\n",
        };
        assert!(said.ends_with(expected), "{said}");
    }
}

/// Of the embedded engine there is no input: it plays the game again.
#[test]
fn the_embedded_engine_plays_its_game_again() {
    let place = Place::new();
    place.play("run", "--pairs 1 --nodes 200 --max-moves 12 --test embedded,killers.on=false");
    let games = fs::read_to_string(place.path("run").join("games.jsonl")).unwrap();
    let line = games.lines().find(|line| line.starts_with("{\"game\":0,")).unwrap();
    let mut game: GameRecord = serde_json::from_str(line).unwrap();
    // As if the player who began had crashed at a later move.
    let moves: Vec<&str> = game.moves.split(' ').collect();
    game.plies = (moves.len() as u32 - 1) / 2 * 2;
    game.moves = moves[..game.plies as usize].join(" ");
    game.termination = Termination::Crash;
    game.result = Outcome::win(!game.turn());
    let fault = place.path("run").join("faults").join("0");
    fs::create_dir_all(&fault).unwrap();
    for (change, code, words) in [("", 1, "now:  no fault: plays "), ("another", 1, "plays")] {
        let mut game = game.clone();
        if !change.is_empty() {
            let own = game.moves.split(' ').next().unwrap().to_owned();
            let position = game.fen.parse::<Fen>().unwrap();
            let position: Chess = position.into_position(CastlingMode::Standard).unwrap();
            let legal = position.legal_moves();
            let mut texts = legal.iter().map(|m| m.to_uci(CastlingMode::Standard).to_string());
            (game.moves, game.plies) = (texts.find(|text| *text != own).unwrap(), 1);
        }
        fs::write(fault.join("game.json"), serde_json::to_string(&game).unwrap()).unwrap();
        let output = place.verdict("replay @run/faults/0").output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(words), "{said}");
        assert_eq!(said.contains(", in the game "), !change.is_empty(), "{said}");
    }
}

/// Of the same kind is not the same: the place and the move count.
#[test]
fn another_fault_of_its_kind_is_told() {
    for (then, now, words) in [
        ("first exit-in-search:3", "first exit-in-search:1", "plies now, after"),
        ("first exit-in-search:2", "first segfault:2", "text differs"),
    ] {
        let place = Place::new();
        let engine = place.path("engine.sh");
        let binary = env!("CARGO_BIN_EXE_scoundrel");
        let write = |vices: &str| script(&engine, &format!("exec {binary} {vices}"));
        write(then);
        place.play("run", &format!("{PLAN} --test uci:{}", engine.display())).decided();
        write(now);
        let (code, said) = place.replay("run");
        assert_eq!(code, 1, "{said}");
        let last = said.lines().last().unwrap_or_default();
        assert!(last.starts_with("the same kind of fault"), "{said}");
        assert!(last.contains(words), "{said}");
    }
}

/// A fault's folder is given to somebody else, who has the program but not the run.
#[test]
fn a_copied_capsule_is_replayed_without_its_run() {
    let place = Place::new();
    place.play("run", &format!("{PLAN} --test {}", scoundrel("illegal:2"))).decided();
    let (from, to) = (place.path("run/faults/0"), place.path("mailed"));
    fs::create_dir(&to).unwrap();
    for file in fs::read_dir(&from).unwrap().flatten() {
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
    fs::remove_dir_all(place.path("run")).unwrap();
    for fault in ["@mailed", "@mailed/fault.txt"] {
        let output = place.verdict(&format!("replay {fault}")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.ends_with("the same fault again\n"), "{fault}: {said}");
    }
    fs::remove_file(to.join("run.json")).unwrap();
    let output = place.verdict("replay @mailed").output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(74), "{stderr}");
    assert!(stderr.contains("mailed: expected run.json in it"), "{stderr}");
}

#[test]
fn a_damaged_input_is_no_finding() {
    let place = Place::new();
    place.play("run", &format!("{PLAN} --test {}", scoundrel("illegal:3"))).decided();
    let path = place.path("run/faults/0/input.txt");
    let whole = fs::read_to_string(&path).unwrap();
    let half = &whole[..whole.len() / 2];
    for (text, words) in [("", "line 1: expected what the program was told"), (half, "expected '")]
    {
        fs::write(&path, text).unwrap();
        let output = place.verdict("replay @run/faults/0").output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(74), "{stderr}");
        assert!(stderr.contains("faults/0/input.txt: line"), "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
}

#[test]
fn what_is_no_fault_is_refused() {
    let place = Place::new();
    let plan = format!("{PLAN} --test {}", scoundrel("exit-in-search:3"));
    place.play("run", &plan).decided();
    let run = place.path("run");
    for (fault, expected) in [("@run", "game.json"), ("@no-such", "no-such/game.json")] {
        let output = place.verdict(&format!("replay {fault}")).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(74), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    }
    let file = run.join("faults/0/game.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"crash\"", "\"checkmate\"")).unwrap();
    let output = place.verdict("replay @run/faults/0").output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("ended by checkmate"), "{stderr}");
}
