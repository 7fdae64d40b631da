//! The flags of other runners, and the keys of engines, that are known here. The page
//! `docs/coming-from.md` has a row for each; a test compares the two.

use super::numbers::Number::{self, Count, Integer, Real, Seconds, Whole};
use super::runner::Runner::{self, CChessCli, Cutechess, Fastchess};

/// A flag of other runners, or a key of their engines.
pub(super) struct Foreign {
    pub(super) name: &'static str,
    /// The runners that have it.
    pub(super) of: &'static [Runner],
    /// The keys or words that it takes, if it takes such.
    pub(super) keys: &'static [&'static str],
    /// The number that it takes, if it takes one.
    pub(super) number: Option<Number>,
    /// What is said where nothing here does the same; `None` where something does.
    pub(super) note: Option<&'static str>,
}

const fn flag(name: &'static str, of: &'static [Runner]) -> Foreign {
    Foreign { name, of, keys: &[], number: None, note: None }
}

impl Foreign {
    const fn keys(self, keys: &'static [&'static str]) -> Foreign {
        Foreign { keys, ..self }
    }

    const fn number(self, number: Number) -> Foreign {
        Foreign { number: Some(number), ..self }
    }

    const fn note(self, note: &'static str) -> Foreign {
        Foreign { note: Some(note), ..self }
    }
}

const ALL: &[Runner] = &[Fastchess, Cutechess, CChessCli];
const BOTH: &[Runner] = &[Fastchess, Cutechess];
const F: &[Runner] = &[Fastchess];
const Q: &[Runner] = &[Cutechess];
const C: &[Runner] = &[CChessCli];

const NO_FLAG: &str = "needs no flag here";
const NO_LOG: &str = "not taken over: --traffic DIR writes all engine input and output";

pub(super) const FLAGS: &[Foreign] = &[
    flag("engine", ALL),
    flag("each", ALL),
    flag("quick", F).keys(&["cmd", "book"]),
    flag("rounds", ALL).number(Count),
    flag("games", ALL).number(Count),
    flag("repeat", ALL).number(Count),
    flag("noswap", BOTH),
    flag("reverse", BOTH).note("each pair is played with both colours, in whatever order"),
    flag("tournament", BOTH),
    flag("gauntlet", C),
    flag("seeds", BOTH).number(Whole),
    flag("variant", BOTH),
    flag("wait", BOTH).number(Whole).note("games follow each other without a pause"),
    flag("concurrency", ALL).number(Integer),
    flag("force-concurrency", F).note(NO_FLAG),
    flag("use-affinity", F),
    flag("sprt", ALL).keys(&["elo0", "elo1", "alpha", "beta", "model"]),
    flag("draw", ALL).keys(&["movenumber", "movecount", "score", "number", "count"]),
    flag("resign", ALL).keys(&["movecount", "score", "twosided", "number", "count"]),
    flag("maxmoves", BOTH).number(Whole),
    flag("tb", BOTH),
    flag("tbpieces", BOTH).number(Whole).note("all tables that are found are asked"),
    flag("tbignore50", BOTH).note("tables are asked with the fifty-move rule"),
    flag("tbadjudicate", F),
    flag("openings", ALL).keys(&["file", "format", "order", "plies", "start", "policy", "srand"]),
    flag("srand", BOTH).number(Whole),
    flag("bookmode", Q).note("the book is read as its size asks for"),
    flag("pgnout", BOTH).keys(&[
        "file",
        "notation",
        "append",
        "nodes",
        "seldepth",
        "nps",
        "hashfull",
        "tbhits",
        "pv",
        "timeleft",
        "latency",
        "min",
        "match_line",
        "fi",
    ]),
    flag("pgn", C).note("the games are in games.pgn of the run's folder (--out DIR)"),
    flag("epdout", BOTH).note("positions of a finished run: verdict export RUN"),
    flag("sample", C).note("positions of a finished run: verdict export RUN"),
    flag("event", BOTH),
    flag("site", BOTH),
    flag("output", F).note("the output has a form of its own"),
    flag("resultformat", Q).note("the output has a form of its own"),
    flag("report", F).keys(&["penta"]),
    flag("ratinginterval", BOTH).number(Whole),
    flag("scoreinterval", F).number(Whole),
    flag("outcomeinterval", Q).number(Whole).note("every game is in games.jsonl of the run's folder"),
    flag("recover", BOTH).note(
        "needs no flag here: a fault ends only its game; --max-faults says how many end the run",
    ),
    flag("autosaveinterval", F).number(Whole)
        .note("needs no flag here: every game is saved, verdict resume goes on"),
    flag("config", F).keys(&["file", "discard", "outname", "stats"]),
    flag("log", &[Fastchess, CChessCli])
        .keys(&["file", "level", "append", "compress", "realtime", "engine"])
        .note(NO_LOG),
    flag("debug", Q).note(NO_LOG),
    flag("crc32", F)
        .keys(&["pgn"])
        .note("games.digest of the run's folder has digests of the games"),
    flag("check-mate-pvs", F),
    flag("show-latency", F).note("the report of a run has the time that its moves took"),
    flag("testEnv", F).note("the output has a form of its own"),
    flag("strict", F).note("not taken over: the nearest is --max-faults PERCENT, which ends a run at its faults"),
    flag("startup-ms", F).number(Whole),
    flag("ucinewgame-ms", F).number(Whole).note("not taken over: --startup TIME is the longest time to start and to get ready"),
    flag("ping-ms", F).number(Whole).note(
        "not taken over: --startup TIME limits the answer to isready, --hang TIME one that no clock limits",
    ),
];

pub(super) const ENGINE_KEYS: &[Foreign] = &[
    flag("cmd", ALL),
    flag("name", ALL),
    flag("dir", BOTH),
    flag("arg", Q),
    flag("args", F),
    flag("proto", BOTH),
    flag("tc", ALL),
    flag("st", BOTH).number(Seconds),
    flag("movetime", C).number(Seconds),
    flag("nodes", ALL).number(Whole),
    flag("depth", ALL).number(Whole),
    flag("plies", F).number(Whole),
    flag("timemargin", BOTH).number(Whole),
    flag("restart", BOTH),
    flag("ponder", Q),
    flag("option.NAME", ALL),
    flag("conf", Q).note("engines.json is not read: give cmd=, proto= and the options"),
    flag("stderr", Q).note(NO_LOG),
    flag("initstr", Q).note("nothing is sent but the protocol"),
    flag("trust", Q).note("an engine's claims are not believed: the rules decide"),
    flag("tscale", Q)
        .number(Real)
        .note("not taken over: --hang TIME and --startup TIME are the longest times for an answer"),
    flag("whitepov", Q).note("scores are taken from the side to move, as the protocols have it"),
    flag("debug", Q).note(NO_LOG),
    flag("book", Q)
        .note("not taken over: both engines get the openings of --book FILE, a Polyglot book too"),
    flag("bookdepth", Q)
        .number(Count)
        .note("not taken over: --opening-plies N is the length of the openings of --book"),
    flag("timeout", C)
        .number(Seconds)
        .note("not taken over: --hang TIME is the longest time for an answer that no clock limits"),
];

pub(super) fn known_flag(name: &str) -> Option<&'static Foreign> {
    FLAGS.iter().find(|flag| flag.name == name)
}

pub(super) fn known_key(key: &str) -> Option<&'static Foreign> {
    let key = if key.starts_with("option.") { "option.NAME" } else { key };
    ENGINE_KEYS.iter().find(|known| known.name == key)
}

/// The name among these that is nearest to a word, if it is near.
pub(super) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |name: &&str| strsim::normalized_damerau_levenshtein(name, word);
    let nearest = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    nearest.filter(|name| likeness(name) >= 0.6)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    /// The rows of a table of the page: the first cell's name, the marks of the runners, the text.
    fn rows(heading: &str) -> Vec<(String, [bool; 3], String)> {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/coming-from.md");
        let page = fs::read_to_string(page).unwrap();
        let (_, table) = page.split_once(heading).unwrap_or_else(|| panic!("no {heading}"));
        let rows = table.lines().skip_while(|line| !line.starts_with("|--"));
        let rows = rows.skip(1).take_while(|line| line.starts_with('|')).map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [name, marks @ .., text] = cells.as_slice() else { panic!("{row}") };
            let name = name.trim_matches('`').trim_start_matches('-');
            let name = name.split(['=', ' ']).next().unwrap().trim_matches('`');
            let marks = [0, 1, 2].map(|runner| *marks.get(runner).unwrap_or(&"") == "×");
            (name.to_owned(), marks, (*text).to_owned())
        });
        rows.collect()
    }

    #[test]
    fn the_page_and_the_code_know_the_same() {
        let cli = Cli::command();
        let ours = |flag: &str| {
            ["match", "tournament"].iter().any(|word| {
                let command = cli.find_subcommand(word).unwrap();
                command.get_arguments().any(|it| it.get_long() == Some(flag))
            })
        };
        for (heading, known) in [("## Flags", FLAGS), ("## Keys of engines", ENGINE_KEYS)] {
            let rows = rows(heading);
            let on_page: Vec<&str> = rows.iter().map(|(name, ..)| name.as_str()).collect();
            let in_code: Vec<&str> = known.iter().map(|flag| flag.name).collect();
            assert_eq!(on_page, in_code, "{heading}");
            for ((name, marks, text), flag) in rows.iter().zip(known) {
                let of = [Fastchess, Cutechess, CChessCli].map(|runner| flag.of.contains(&runner));
                assert_eq!(marks, &of, "{name}");
                for key in flag.keys {
                    assert!(text.contains(&format!("`{key}")), "{name}: {key}");
                }
                for word in text.split('`').skip(1).step_by(2) {
                    let word = word.split(' ').next().unwrap_or_default();
                    if let Some(flag) = word.strip_prefix("--") {
                        assert!(ours(flag), "{name}: {word} is no flag here");
                    }
                }
            }
        }
    }

    #[test]
    fn near_misses() {
        let flags = || FLAGS.iter().map(|flag| flag.name);
        assert_eq!(nearest("ronuds", flags()), Some("rounds"));
        assert_eq!(nearest("max-moves", flags()), Some("maxmoves"));
        assert_eq!(nearest("x", flags()), None);
    }
}
