use clap::{CommandFactory as _, Parser as _};

use super::like::{Translated, of_command};
use super::script::RunnerCommand;
use super::*;
use crate::cli::Cli;
use process::{Error, ErrorKind as ErrorKindOf};

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
             -concurrency 4 -openings file=UHO.epd format=epd order=random start=3 \
             -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 model=normalized -pgnout file=out.pgn \
             -resign movecount=3 score=400 twosided=true -draw movenumber=40 movecount=8 score=10 \
             -maxmoves 200 -tb /syzygy -recover -ratinginterval 10 -event night -srand 7",
            "match --test uci:sf,Hash=16 --test-name new --base uci:./old,arg=-x --base-name old \
             --tc 10+0.1 --option Threads=2 --time-margin 20ms --pairs 500 --concurrency 4 \
             --slots 4 --book UHO.epd --order random --opening-offset 2 \
             --rule sprt=0,5,alpha=0.05,beta=0.1,model=normalized \
             --resign movecount=3,score=400,twosided --draw movenumber=40,movecount=8,score=10 \
             --max-moves 200 --syzygy /syzygy --interval 20 --event night --seed 7",
        ),
        (
            "-engine cmd=a tc=40/60 -engine cmd=b st=2 proto=xboard -each nodes=500",
            "match --test uci:a --test-limit tc=40/60 --base xboard:b --base-limit movetime=2s \
             --time-margin 0ms --pairs 1 --draw off --resign off --max-moves off",
        ),
        (
            "match -engine cmd=a name=a -engine cmd=b name=b nodes=9 -engine cmd=c name=c st=0.1 \
             -tournament gauntlet -seeds 2 -rounds 3",
            "tournament --player a=uci:a --player b=uci:b --player c=uci:c --limit-of b=nodes=9 \
             --limit-of c=movetime=0.1s --time-margin 0ms --gauntlet --seeds 2 --pairs 3 --draw off \
             --resign off --max-moves off",
        ),
        (
            "-quick cmd=a cmd=b book=book.epd",
            "match --test uci:a --base uci:b --tc 10+0.1 --time-margin 0ms --pairs 25000 \
             --book book.epd --order random --concurrency QUICK --slots QUICK \
             --draw movenumber=30,movecount=8,score=8 --resign off --max-moves off",
        ),
    ] {
        let processors = std::thread::available_parallelism().unwrap().get();
        let ours = ours.replace("QUICK", &processors.saturating_sub(2).max(1).to_string());
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
            "match --base uci:b --pairs 2 --test uci:a --draw off --resign off --max-moves off",
        ),
        (
            "match --base uci:a -engine cmd=b",
            "match --test uci:b --pairs 2 --base uci:a --draw off --resign off --max-moves off",
        ),
        (
            "match --nodes 5 -each tc=1+1",
            "match --tc 1+1 --pairs 2 --draw off --resign off --max-moves off",
        ),
        ("match -concurrency 2 --slots 1", "match --concurrency 2 --slots 2"),
        (
            "sweep lmr.min_move=1..8 -engine cmd=a -games 4",
            "sweep lmr.min_move=1..8 --pairs 4 --draw off --resign off --max-moves off",
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
                 --limit-of a=nodes=5 --limit-of a-2=nodes=7 --restart --pairs 2 --draw off \
                 --resign off --max-moves off";
    assert_eq!(here(two), named);
    // What is said of each wins, in all runners.
    let unlike = explain(&two.replace("nodes=5", "restart=off")).unwrap();
    assert!(unlike.contains("restart=off: -each restart=on"), "{unlike}");
}

#[test]
fn what_has_no_counterpart_is_told() {
    let text = explain("-engine cmd=a conf=b -each tc=inf depth=3 nodes=4 -noswap -epdout f -x 1");
    let text = text.unwrap();
    for part in ["conf=b", "depth=3", "-noswap", "verdict export", "-x 1"] {
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

pub(super) fn like(line: &str) -> Result<Translated, Error> {
    let command = RunnerCommand::in_text(line, |_| None)?;
    of_command(&command, "match", &Cli::command())
}

/// The line that is played; clap reads it.
pub(super) fn played(line: &str) -> String {
    let translated = like(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let words = std::iter::once("verdict").chain(translated.words.iter().map(String::as_str));
    if let Err(error) = Cli::try_parse_from(words) {
        panic!("{line}: {:?}: {error}", translated.words);
    }
    translated.words.join(" ")
}

pub(super) fn noted(line: &str) -> String {
    like(line).unwrap_or_else(|error| panic!("{line}: {error}")).notes.join("\n")
}

/// The kinds of lines that the manuals of the three have as examples, with engines of ours.
#[test]
fn lines_of_the_manuals_are_played() {
    for (theirs, ours) in [
        (
            "fastchess -engine cmd=./new.exe name=New -engine cmd=./old.exe name=Old \
             -openings file=8moves.epd format=epd order=random -each tc=30+0.3 option.Hash=32 \
             -rounds 100 -repeat -concurrency 2",
            "match --test uci:./new.exe --test-name New --base uci:./old.exe --base-name Old --tc 30+0.3 \
             --option Hash=32 --time-margin 0ms --pairs 100 --book 8moves.epd --order random \
             --concurrency 2 --slots 2 --draw off --resign off --max-moves off",
        ),
        (
            "./fastchess -engine cmd=./a name=A option.Threads=1 nodes=200000 \
             -engine cmd=./b name=B option.Threads=2 nodes=100000 \
             -openings file=UHO.epd format=epd order=random -each tc=300+5 \
             -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 \
             -sprt elo0=0 elo1=2 alpha=0.05 beta=0.05 -rounds 100000 -concurrency 3 \
             -pgnout notation=san nodes=true file=./games/sprt.pgn",
            "match --test uci:./a,Threads=1 --test-name A --base uci:./b,Threads=2 --base-name B \
             --tc 300+5 --time-margin 0ms --pairs 100000 --book UHO.epd --order random \
             --resign movecount=3,score=600 --draw movenumber=34,movecount=8,score=20 \
             --rule sprt=0,2,alpha=0.05,beta=0.05 --concurrency 3 --slots 3 --max-moves off",
        ),
        (
            "cutechess-cli -engine cmd=sloppy -engine cmd=sloppy -each proto=xboard tc=40/60 -rounds 10",
            "match --test xboard:sloppy --base xboard:sloppy --tc 40/60 --time-margin 0ms --pairs 5 \
             --draw off --resign off --max-moves off",
        ),
        (
            "cutechess-cli -engine name=Old cmd=old32 dir=/opt/old proto=xboard \
             -engine cmd=glaurung proto=uci option.Threads=1 -each tc=40/1:30+1",
            "match --test xboard:old32,dir=/opt/old --test-name Old --base uci:glaurung,Threads=1 \
             --tc 40/90+1 --time-margin 0ms --pairs 1 --draw off --resign off --max-moves off",
        ),
        (
            "cutechess-cli -engine cmd=a -engine cmd=b -engine cmd=c -each proto=uci tc=4 -games 2 \
             -rounds 10 -repeat",
            "tournament --player uci:a --player uci:b --player uci:c --tc 4 --time-margin 0ms --pairs 10 \
             --draw off --resign off --max-moves off",
        ),
        (
            "./c-chess-cli -each tc=4+0.04 option.Hash=8 option.Threads=1 \
             -engine cmd=demolito 'option.Time Buffer=80' nodes=200000 \
             -engine 'cmd=../Engines/critter -x' depth=11 \
             -games 1920 -concurrency 8 -openings file=test/chess960.epd order=random -repeat \
             -sprt elo0=1 elo1=5 -resign count=3 score=700 -draw number=40 count=8 score=10 -pgn out.pgn 2",
            "match --test uci:demolito,Time Buffer=80 --base uci:../Engines/critter,arg=-x,dir=../Engines \
             --tc 4+0.04 --option Hash=8 --option Threads=1 --time-margin 0ms --pairs 960 \
             --concurrency 8 --slots 8 --book test/chess960.epd --order random \
             --rule sprt=1,5,model=logistic --resign movecount=3,score=700 \
             --draw movenumber=40,movecount=8,score=10 --max-moves off",
        ),
        // As the workers of OpenBench and fishtest type it.
        (
            "fastchess-ob -engine dir=Engines/ cmd=./x-1 proto=uci tc=inf nodes=5000 option.Hash=8 name=X-dev \
             -engine dir=Engines/ cmd=./x-2 proto=uci tc=inf nodes=5000 option.Hash=8 name=X-base \
             -openings file=Books/b.epd format=epd order=random start=17 -srand 3 -rounds 4 \
             -repeat -recover -resign movecount=3 score=400 -pgnout file=p.pgn seldepth=true match_line='^a b'",
            "match --test uci:Engines/x-1,dir=Engines/,Hash=8 --test-name X-dev \
             --base uci:Engines/x-2,dir=Engines/,Hash=8 --base-name X-base --nodes 5000 --pairs 4 \
             --book Books/b.epd --order random --opening-offset 16 --seed 3 \
             --resign movecount=3,score=400 --details --draw off --max-moves off",
        ),
        (
            "cd /fast; ./fastchess -engine cmd=./n name=N -engine cmd=/o name=N -each tc=0/5+0.05 \
             -openings file=b.epd plies=16 -rounds 1",
            "match --test uci:/fast/n,dir=/fast --test-name N --base uci:/o,dir=/fast --base-name N-2 \
             --tc 5+0.05 --time-margin 0ms --pairs 1 --book /fast/b.epd --order sequential --draw off --resign off --max-moves off",
        ),
    ] {
        let ours = ours.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(played(theirs), ours);
    }
}

#[test]
fn defaults_are_those_of_the_runner() {
    let engines = "-engine cmd=a -engine cmd=b -each nodes=5";
    for (flags, part) in [
        ("-draw movecount=4", " --draw movenumber=0,movecount=4,score=0 "),
        ("-resign score=300", " --resign movecount=1,score=300 "),
        ("-resign movecount=3", " --resign movecount=3,score=1 "),
        ("-openings file=b.pgn plies=8", " --opening-plies 8 --order sequential "),
        ("-openings file=b.epd order=random", " --order random "),
        ("-rounds 300 -games 1", " --pairs 150 "),
        ("-games 300", " --pairs 300 "),
        ("-variant fischerandom", " --chess960 "),
        ("-startup-ms 500", " --startup 500ms "),
        ("-use-affinity 0,1", " --pin 0,1 "),
        ("-report penta=false -ratinginterval 6", " --interval 6 "),
        ("-maxmoves 0", " --max-moves off "),
        ("-tb /a:/b", " --syzygy /a --syzygy /b "),
    ] {
        let line = format!("{} ", played(&format!("fastchess {engines} {flags}")));
        assert!(line.contains(part), "{flags}: {line}");
    }
    let line = played(&format!("cutechess-cli {engines} -sprt elo0=0 elo1=9 alpha=0.05 beta=0.05"));
    assert!(line.contains("--rule sprt=0,9,alpha=0.05,beta=0.05,model=logistic"), "{line}");
    let threads = std::thread::available_parallelism().unwrap();
    let line = played(&format!("fastchess {engines} -concurrency 0"));
    assert!(line.contains(&format!("--slots {threads} ")), "{line}");
    // Of repeated keys the last holds, and what is said of each holds for every engine.
    let line = played(
        "fastchess -engine cmd=a nodes=1 nodes=2 option.Hash=1 -engine cmd=b -each plies=9 \
                       option.hash=4 nodes=3 args='-a -b'",
    );
    assert!(
        line.starts_with("match --test uci:a,arg=-a,arg=-b --base uci:b,arg=-a,arg=-b --nodes 3 "),
        "{line}"
    );
}

#[test]
fn what_nothing_stands_for_is_told() {
    let engines = "-engine cmd=a -engine cmd=b -each nodes=5";
    for flags in [
        "-openings file=b.epd plies=16",
        "-maxmoves 200",
        "-noswap",
        "-reverse",
        "-wait 5",
        "-tbpieces 5",
        "-tbignore50",
        "-log file=l",
        "-crc32 pgn=true",
        "-testEnv",
        "-strict",
        "-show-latency",
        "-force-concurrency",
        "-autosaveinterval 3",
        "-ping-ms 5",
        "-ucinewgame-ms 5",
        "-ratinginterval 0",
        "-scoreinterval 0",
        "-pgnout file=a notation=uci",
        "-pgnout file=a min=true",
        "-pgnout file=a match_line=x",
        "-epdout file=a",
        "-output format=cutechess",
        "-config outname=x",
        "-concurrency -1",
        "-tournament gauntlet -engine cmd=c -sprt elo0=0 elo1=5",
        "-draw movecount=3 score=5",
        "-resign score=0",
        "-report penta=false",
        "-recover",
        "-games 1",
        "-rounds 3 -games 1",
    ] {
        let (with, without) =
            (format!("fastchess {engines} {flags}"), format!("fastchess {engines}"));
        let notes = noted(&with);
        let known = noted(&without);
        let new: Vec<&str> = notes.lines().filter(|note| !known.contains(note)).collect();
        assert!(!new.is_empty(), "{flags}: {notes}");
    }
    let both = noted("fastchess -engine cmd=a nodes=5 -engine cmd=b nodes=6 -each tc=1+0.1");
    assert!(both.contains("nodes=5") && both.contains("nodes=6"), "{both}");
}

#[test]
fn what_no_runner_understands_is_refused() {
    for (line, near) in [
        ("fastchess -engine cmd=a -engine cmd=b -ronuds 5", "-rounds"),
        ("fastchess -engine cmd=a -engine cmd=b -each tcc=5", "tc"),
        ("fastchess -engine cmd=a -engine cmd=b -sprt elo0=0 elo=5", "elo1"),
        ("fastchess -engine cmd=a -engine cmd=b -draw movecuont=5", "movecount"),
        ("fastchess -engine cmd=a -engine cmd=b -variant crazyhouse", "Chess960"),
        ("fastchess -engine cmd=a", "at least two"),
        ("fastchess -engine cmd=a -engine name=b", "cmd="),
        ("fastchess -config file=config.json -engine cmd=a -engine cmd=b", "config.json"),
        ("fastchess engine cmd=a", "'engine'"),
    ] {
        let error = like(line).unwrap_err();
        assert_eq!(error.kind(), ErrorKindOf::Usage, "{line}");
        assert!(error.to_string().contains(near), "{line}: {error}");
    }
}
