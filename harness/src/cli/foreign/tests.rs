use clap::{CommandFactory as _, Parser as _};

use super::*;
use crate::cli::Cli;

fn explain(line: &str) -> Option<String> {
    let words: Vec<OsString> =
        std::iter::once("verdict").chain(line.split_whitespace()).map(OsString::from).collect();
    explained(&words, &Cli::command())
}

/// The line to type, of one that is another runner's or nearly ours.
fn here(line: &str) -> String {
    let text = explain(line).unwrap_or_else(|| panic!("{line}: nothing is told"));
    let typed = text.lines().find_map(|line| line.strip_prefix("  verdict "));
    let typed = typed.unwrap_or_else(|| panic!("{text}")).to_owned();
    let words = std::iter::once("verdict").chain(typed.split_whitespace());
    if let Err(error) = Cli::try_parse_from(words) {
        panic!("{line}: {typed}: {error}");
    }
    typed
}

#[test]
fn whole_command_lines_of_other_runners() {
    for (theirs, ours) in [
        (
            "-engine cmd=sf name=new option.Hash=16 -engine cmd=./old name=old args=-x \
             -each tc=10+0.1 option.Threads=2 timemargin=20 -rounds 500 -games 2 -repeat \
             -concurrency 4 -openings file=UHO.epd format=epd order=random start=3 plies=8 \
             -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 model=normalized -pgnout file=out.pgn \
             -resign movecount=3 score=400 twosided=true -draw movenumber=40 movecount=8 score=10 \
             -maxmoves 200 -tb /syzygy -recover -ratinginterval 10 -event night -srand 7",
            "match --test uci:sf,Hash=16 --test-name new --base uci:./old,arg=-x --base-name old \
             --tc 10+0.1 --option Threads=2 --time-margin 20ms --pairs 500 --concurrency 4 \
             --slots 4 --book UHO.epd --order random --opening-offset 2 --opening-plies 8 \
             --rule sprt=0,5,alpha=0.05,beta=0.1,model=normalized \
             --resign movecount=3,score=400,twosided --draw movenumber=40,movecount=8,score=10 \
             --max-moves 200 --syzygy /syzygy --interval 10 --event night --seed 7",
        ),
        (
            "-engine cmd=a tc=40/60 -engine cmd=b st=2 proto=xboard -each nodes=500",
            "match --test uci:a --test-limit tc=40/60 --base xboard:b --base-limit movetime=2s \
             --nodes 500 --draw off --resign off",
        ),
        (
            "match -engine cmd=a name=a -engine cmd=b name=b nodes=9 -engine cmd=c name=c \
             -each st=0.1 -tournament gauntlet -rounds 3",
            "tournament --player a=uci:a --player b=uci:b --player c=uci:c --limit-of b=nodes=9 \
             --movetime 0.1s --gauntlet --pairs 3 --draw off --resign off",
        ),
        (
            "-quick a b book.epd",
            "match --test uci:a --base uci:b --tc 10+0.1 --book book.epd --order random \
             --draw off --resign off",
        ),
    ] {
        let ours = ours.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(here(theirs), ours);
    }
}

/// cutechess-cli's bounds are logistic Elo, fastchess' normalized Elo unless it has a model.
#[test]
fn bounds_of_an_sprt_are_in_the_elo_of_their_runner() {
    const SPRT: &str = "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05";
    const RULE: &str = "--rule sprt=0,5,alpha=0.05,beta=0.05";
    for (engines, model) in [
        ("-engine cmd=a -engine cmd=b", ""),
        ("-engine cmd=a proto=uci -engine cmd=b proto=uci", ",model=logistic"),
        ("-engine cmd=a -engine cmd=b -each proto=uci", ",model=logistic"),
        ("-engine conf=a -engine conf=b", ",model=logistic"),
        ("-engine cmd=a proto=uci -engine cmd=b -sprt model=bayesian", ",model=bayeselo"),
    ] {
        let (engines, given) = match engines.split_once(" -sprt ") {
            Some((engines, model)) => (engines, format!("{SPRT} {model}")),
            None => (engines, SPRT.to_owned()),
        };
        for line in [format!("{engines} {given}"), format!("{given} {engines}")] {
            let (ours, text) = (here(&line), explain(&line).unwrap());
            assert!(ours.contains(&format!("{RULE}{model} ")), "{line}: {ours}");
            assert_eq!(text.contains("logistic Elo"), model == ",model=logistic", "{text}");
        }
    }
}

#[test]
fn flags_that_nearly_are_ours() {
    for (typed, ours) in [
        ("match --sprt 0,5 --pairs 9", "match --rule sprt=0,5 --pairs 9"),
        ("match --sprt elo0=0 elo1=5", "match --rule sprt=0,5"),
        ("match --sprt", "match --rule sprt=0,5"),
        ("match --openings book.pgn --nodes 5", "match --book book.pgn --nodes 5"),
        ("match --openings=file=book.pgn", "match --book book.pgn"),
        ("match --threads 4", "match --option Threads=4"),
        ("match --games 100 --nodes 10", "match --nodes 10 --pairs 50"),
        ("match --games 101", "match --pairs 51"),
        ("match --engine cmd=a --engine cmd=b", "match --test uci:a --base uci:b"),
        ("match --engine a --pairs 4", "match --test uci:a --pairs 4"),
        ("match --each tc=1+0.1", "match --tc 1+0.1"),
        ("match --st 5", "match --movetime 5s"),
        ("match --pgnout x.pgn --pairs 3", "match --pairs 3"),
        (
            "match --draw movenumber=4 movecount=3 score=8",
            "match --draw movenumber=4,movecount=3,score=8",
        ),
        ("match -pairs 4", "match --pairs 4"),
        ("match -audit 2% -pairs 4", "match --audit 2% --pairs 4"),
        ("match -time-margin 20ms -details", "match --time-margin 20ms --details"),
        ("match -restart on -fair off -hash 8MB", "match --restart --hash 8MB"),
        // Engines take the sides that are not given, and nothing is said twice.
        (
            "match --test uci:a -engine cmd=b",
            "match --base uci:b --test uci:a --draw off --resign off",
        ),
        (
            "match --base uci:a -engine cmd=b",
            "match --test uci:b --base uci:a --draw off --resign off",
        ),
        ("match --nodes 5 -each tc=1+1", "match --tc 1+1 --draw off --resign off"),
        ("match -concurrency 2 --slots 1", "match --concurrency 2 --slots 2"),
        (
            "sweep lmr.min_move=1..8 -engine cmd=a -games 4",
            "sweep lmr.min_move=1..8 --pairs 2 --draw off --resign off",
        ),
        ("sweep lmr.min_move=1..8 --games 10", "sweep lmr.min_move=1..8 --pairs 5"),
        ("tournament --player a=uci:sf --games 10", "tournament --player a=uci:sf --pairs 5"),
    ] {
        assert_eq!(here(typed), ours, "{typed}");
    }
}

/// Every key of an engine, of one or of each, changes the line or is told.
#[test]
fn no_key_of_an_engine_vanishes() {
    let keys = [
        "name=x",
        "proto=xboard",
        "proto=other",
        "arg=-x",
        "args=-x",
        "dir=/x",
        "tc=1+1",
        "st=1",
        "nodes=5",
        "depth=5",
        "timemargin=5",
        "restart=on",
        "ponder",
        "ponder=on",
        "option.Hash=1",
        "conf=x",
        "whitepov",
    ];
    let others = ["-games x", "-rounds x", "-openings file=b policy=round", "-sprt elo2=3"];
    let others =
        others.iter().chain(&["-tournament knockout", "-tbadjudicate x", "-quick a b c d"]);
    let matches = "-engine cmd=a KEY -engine cmd=b";
    let tournament = "-engine cmd=/p/a KEY -engine cmd=/q/a nodes=7 -engine cmd=c";
    let lines = [matches, tournament, "-engine cmd=a -engine cmd=b -each KEY"];
    let cases = lines.iter().flat_map(|line| keys.iter().map(move |key| (*line, *key)));
    let cases = cases.chain(others.map(|words| ("-engine cmd=a -engine cmd=b KEY", *words)));
    for (line, key) in cases {
        let (with, without) = (line.replace("KEY", key), line.replace("KEY", ""));
        let value = key.split(' ').next_back().unwrap_or_default();
        let text = explain(&with).unwrap();
        let is_told = text.lines().any(|line| line.starts_with("note: ") && line.contains(value));
        assert!(here(&with) != here(&without) || is_told, "{with}: {text}");
    }
    let two = "-engine cmd=/p/a nodes=5 -engine cmd=/q/a nodes=7 -engine cmd=c -each restart=on";
    let named = "tournament --player a=uci:/p/a --player a-2=uci:/q/a --player uci:c \
                 --limit-of a=nodes=5 --limit-of a-2=nodes=7 --restart --draw off --resign off";
    assert_eq!(here(two), named);
    let unlike = explain(&two.replace("nodes=5", "restart=off")).unwrap();
    assert!(unlike.contains("restart=off: no equivalent"), "{unlike}");
}

#[test]
fn what_has_no_counterpart_is_told() {
    let text = explain("-engine cmd=a conf=b -each tc=inf depth=3 nodes=4 -noswap -epdout f -x 1");
    let text = text.unwrap();
    for part in ["conf=b", "tc=inf", "depth=3", "-noswap", "verdict export", "-x 1"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_clap_says_better_is_left_to_it() {
    for line in
        ["match --pears 3", "match --pairs x", "stats --sprt", "", "match", "tables mit a -x"]
    {
        assert_eq!(explain(line), None, "{line}");
    }
}
