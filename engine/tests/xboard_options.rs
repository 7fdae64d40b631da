//! The binary's options over xboard's protocol: which are listed, and what setting them does.

use engine::params::SPECS;

use crate::common::session::Session;
use crate::xboard::until_pong;

#[test]
fn features_and_options() {
    let mut session = Session::start();
    session.send("xboard");
    let lines = session.ask("protover 2", "feature done=1");
    for feature in [
        "ping=1",
        "setboard=1",
        "usermove=1",
        "san=0",
        "colors=0",
        "reuse=1",
        "myname=\"mutineer",
        "variants=\"normal,fischerandom\"",
        "option=\"Personality -combo *Default /// rebel /// printed /// prodeo",
        "option=\"Clear Hash -button\"",
        "option=\"ChessKnowledge -spin -1 -1 500\"",
        "option=\"Selective Search -spin -1 -1 1\"",
    ] {
        assert!(lines.iter().any(|line| line.contains(feature)), "{feature}: {lines:?}");
    }
    let options = |lines: &[String]| lines.iter().filter(|line| line.contains(" option=")).count();
    assert!(options(&lines) <= 25, "{lines:?}");
    session.send("option List Parameters=1");
    let all = session.ask("protover 2", "feature done=1");
    // Rows of numbers that xboard has no room for are left out.
    let left_out = options(&lines) + SPECS.len() - options(&all);
    let long = SPECS.iter().filter(|spec| spec.cells() > 64).count();
    assert!((long..long + 10).contains(&left_out), "{left_out} of which {long} tables");
    assert!(all.iter().all(|line| line.len() < 512), "{all:?}");
    session.send("option List Parameters=0");
    assert_eq!(session.ask("protover 2", "feature done=1"), lines);
    let told = until_pong(
        &mut session,
        "memory 2\noption Personality=rebel\noption search.pvs=0\noption Clear Hash\n\
         option pst.knight_mg[e4]=33\noption Move Overhead=50\ncores 1",
    );
    assert_eq!(told, [""; 0]);
    assert_eq!(until_pong(&mut session, "option OpeningTable="), ["# OpeningTable: none"]);
    let told = until_pong(&mut session, "option Personality = rebel\noption search.pvs= True");
    assert_eq!(told, [""; 0]);
    let told = until_pong(&mut session, "option ChessKnowledge=200\noption Selective Search=2");
    assert!(told.len() == 1 && told[0].contains("expected 0 to 1, found 2"), "{told:?}");
    let told = until_pong(&mut session, "option search.psv=1\nmemory lots");
    assert!(told[0].contains("did you mean 'search.pvs'") && told[1].contains("whole number"));
    session.quit();
}

/// Sends every option back as it was listed, but for the personality.
fn send_all_back(session: &mut Session) {
    let offered = session.ask("protover 2", "feature done=1");
    let offers = offered.iter().filter_map(|line| line.strip_prefix("feature option=\""));
    for offer in offers.map(|offer| offer.trim_end_matches('"')) {
        let (name, rest) = offer.split_once(" -").expect("a kind");
        let (kind, default) = rest.split_once(' ').unwrap_or((rest, ""));
        let value = match kind {
            "combo" if name == "Personality" => "rebel",
            "combo" => default.split(" /// ").next().expect("a default").trim_start_matches('*'),
            "spin" => default.split(' ').next().expect("a default"),
            "button" => continue,
            _ => default,
        };
        session.send(&format!("option {name}={value}"));
    }
}

/// What is played then is the personality, whatever is listed.
#[test]
fn a_personality_survives_what_is_sent_back() {
    let thought = |arguments: &[&str], set: fn(&mut Session)| {
        let mut session = Session::start_with(arguments);
        session.send("xboard");
        set(&mut session);
        let told = until_pong(&mut session, "new\nforce\npost\nsd 5\nlevel 0 60 0");
        assert!(!told.iter().any(|line| line.starts_with("Error")), "{told:?}");
        let lines = session.ask("usermove e2e4\ngo", "move ");
        session.quit();
        // Depth, score and nodes of the last thinking line: the time apart.
        let words: Vec<String> =
            lines[lines.len() - 2].split_whitespace().map(str::to_owned).collect();
        [0, 1, 3].map(|index| words[index].clone())
    };
    let rebel = thought(&[], |session| session.send("option Personality=rebel"));
    assert_ne!(thought(&[], |_| ()), rebel);
    for arguments in [&[][..], &["--all-options"]] {
        assert_eq!(thought(arguments, send_all_back), rebel, "{arguments:?}");
    }
}
