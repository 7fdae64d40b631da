//! What a fuzzer drives: everything that reads what others wrote, and what has to hold of it. Each
//! target takes any bytes; `harness/fuzz` has the programs, its `corpus` the texts to begin with,
//! which the tests read as well.

use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use clap::{Command, CommandFactory as _, FromArgMatches as _, Parser};
use engine::params::{FileForm, PersonalityFile};
use process::lock;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode};

pub use crate::make_book::from_games::fuzzing::games;

use crate::cli::flags::{PlanFlags, PlayerFlag, ReadyPlayer, ReadyPlayers};
pub use crate::cli::fuzzing::like;
pub use crate::imported::fuzzing::{archive, results as imported};
pub use arena::build::sources;
use arena::game::Game;
use arena::plan::{Plan, Size};
use arena::player::Thought;
pub use arena::player::fuzzing::{uci, xboard};
use arena::player::program::options::Declared;
use arena::player::spec::{PlayerSpec, embedded_params};
pub use arena::record::fuzzing::journal;
use arena::record::{RunFile, Score, Side};
use arena::schedule::ScheduledGame;
use arena::session::VariedOption;
use pgn::{Book, Opening};
use stats::{Course, Pentanomial, Rule, Statistics, anytime_elo};
pub use tables::fuzzing::tables;
use tuning::form;
use tuning::sweep::Axis;
use tuning::tunable::Base;
use tuning::tune::clop::ClopParam;
use tuning::tune::spsa::{Gains, SpsaParam, of_file};
use tuning::tune::texel::trace::{Coefficients, read_line};
#[cfg(feature = "fleet")]
pub use wire::fuzzing::{card, chunk, pairs};

/// A target: its name, which is its corpus's, and what it does with some bytes.
pub type FuzzTarget = (&'static str, fn(&[u8]));

pub const TARGETS: &[FuzzTarget] = &[
    ("uci", uci),
    ("xboard", xboard),
    ("epd", epd),
    ("pgn", pgn),
    ("plan", plan),
    ("journal", journal),
    ("rule", rule),
    ("player", player),
    ("tables", tables),
    ("imported", imported),
    ("archive", archive),
    ("like", like),
    ("games", games),
    ("params", params),
    ("personality", personality),
    ("trace", trace),
    ("sources", sources),
    #[cfg(feature = "fleet")]
    ("chunk", chunk),
    #[cfg(feature = "fleet")]
    ("pairs", pairs),
    #[cfg(feature = "fleet")]
    ("card", card),
];

pub fn epd(data: &[u8]) {
    book("fuzz.epd", data);
}

pub fn pgn(data: &[u8]) {
    book("fuzz.pgn", data);
}

/// Every opening of a book can be played, and its position reads back as it was.
fn book(name: &str, data: &[u8]) {
    let Ok(book) = Book::from_bytes(name, data) else { return };
    assert!(book.terminal().is_some_and(|terminal| book.len() > terminal));
    for opening in book.openings().flatten() {
        let mut position = opening.start.clone();
        for uci in &opening.moves {
            let Ok(m) = uci.to_move(&position) else { panic!("{uci} in {}", opening.fen) };
            shakmaty::Position::play_unchecked(&mut position, m);
        }
        // Alone it may be over, and then is no book.
        let alone = Book::from_bytes("fen.epd", opening.fen.as_bytes());
        if let Ok(alone) = alone {
            let fen = alone.opening(0).map(|opening| opening.fen).ok();
            assert_eq!(fen.as_deref(), Some(&*opening.fen));
        }
    }
    assert_eq!(book.openings().flatten().count(), book.len());
}

/// `run.json` and the plan inside.
pub fn plan(data: &[u8]) {
    let Ok(run) = serde_json::from_slice::<RunFile>(data) else { return };
    let _ = run.conditions();
    let written = serde_json::to_vec(&run).unwrap_or_default();
    let again: Option<RunFile> = serde_json::from_slice(&written).ok();
    let again = again.as_ref().map(|again| run.same_run(again));
    assert_eq!(again, Some(Ok(())));
    let Ok(plan) = serde_json::from_value::<Plan>(run.plan) else { return };
    let value = serde_json::to_value(&plan).unwrap_or_default();
    assert_eq!(serde_json::from_value::<Plan>(value).ok().as_ref(), Some(&plan));
    let _ = (
        plan.rules(None),
        plan.width(),
        plan.embedded_hash(arena::record::Side::Test),
        plan.slug(),
    );
    let _ = plan.rule.judge(&Course::default(), None, plan.pairs, plan.pairs);
    begin_game(&plan);
    let _ = plan.recheck();
}

/// Some plies under the plan's rules, each of a second.
fn begin_game(plan: &Plan) {
    let opening = Opening {
        index: 0,
        start: Chess::new(),
        fen: Fen::from_position(&Chess::new(), EnPassantMode::Legal).to_string(),
        moves: Vec::new(),
    };
    let scheduled = ScheduledGame { game: 0, opening: 0, white: Side::Test };
    let mut game = Game::new(scheduled, &opening, &plan.rules(None));
    for (number, text) in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"].into_iter().enumerate() {
        let Ok(best) = text.parse() else { return };
        let _ = game.limit().time(game.turn());
        let (time, late) = (Duration::from_secs(1), Duration::ZERO);
        let (depth, nodes, score) = (1, u64::MAX >> 8, Some(Score::Cp(0)));
        let (seldepth, bound, details) = (depth, None, None);
        let thought = Thought { best, score, bound, depth, seldepth, nodes, details, time, late };
        if game.apply(&thought).is_some() {
            return;
        }
        assert_eq!(game.moves().len(), number + 1);
    }
}

/// The text of a rule, and behind a line end five counts to judge by it.
pub fn rule(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (text, counts) = text.split_once('\n').unwrap_or((&text, ""));
    let counts: Pentanomial = counts.trim().parse().unwrap_or_default();
    let Ok(rule) = text.parse::<Rule>() else { return };
    assert_eq!(rule.to_string().parse::<Rule>().as_ref(), Ok(&rule));
    let pairs = counts.pairs();
    let course = Course { counts, ..Course::default() };
    let _ = rule.judge(&course, None, pairs, pairs.saturating_mul(2));
    let _ = anytime_elo(&counts);
    let statistics = Statistics::of_pairs(&counts, None, rule.sprt());
    let numbers = [statistics.elo.elo, statistics.nelo.nelo, statistics.los, statistics.llr];
    assert!(numbers.iter().flatten().all(|number| number.is_finite()), "{numbers:?}");
}

/// A player's text, and on further lines a match's command line, a word each.
pub fn player(data: &[u8]) {
    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct FuzzedFlags {
        #[command(flatten)]
        flags: PlanFlags,
    }

    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let _ = (first.parse::<PlayerFlag>(), first.parse::<Size>());
    if let Ok(spec) = first.parse::<PlayerSpec>() {
        assert_eq!(spec.to_string().parse::<PlayerSpec>().ok().as_ref(), Some(&spec));
        match spec {
            // The default one has hundreds of numbers of its own, read anew each time.
            PlayerSpec::Embedded { parameters, .. } => {
                let _ = embedded_params("winglet", &parameters);
            }
            PlayerSpec::Program { .. } => _ = spec.check(),
        }
    }
    // Made once: that takes longer than reading with it.
    static COMMAND: LazyLock<Mutex<Command>> = LazyLock::new(|| Mutex::new(FuzzedFlags::command()));
    let matches = lock(&COMMAND);
    let matches = { matches }.try_get_matches_from_mut(lines);
    let Ok(FuzzedFlags { flags }) =
        matches.and_then(|matches| FuzzedFlags::from_arg_matches(&matches))
    else {
        return;
    };
    let ready = || "uci:/bin/sh".parse().ok().map(ReadyPlayer::of);
    let Ok(plan) = flags.plan(ReadyPlayers { base: ready(), test: ready() }) else { return };
    let value = serde_json::to_value(&plan).unwrap_or_default();
    assert_eq!(serde_json::from_value::<Plan>(value).ok(), Some(plan));
}

/// A program that declares an option of every kind.
static OPTIONS: LazyLock<Base> = LazyLock::new(|| {
    let options = [
        "name Aim type spin default 20 min 0 max 100",
        "name Care type string default 0.2",
        "name Style type combo default Dull var Dull var Sharp",
        "name Guard type check default false",
    ];
    let option = |text| {
        let declared = Declared::uci(text)?;
        let value = declared.default.clone()?;
        Some(VariedOption { declared, value })
    };
    Base::Program(options.into_iter().filter_map(option).collect())
});

/// A personality's file in either form: what is made of it reads back from both.
pub fn personality(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(params) = PersonalityFile::of_text("fuzz", &text).params() else { return };
    for form in [FileForm::Json, FileForm::Rebel] {
        let again = PersonalityFile::of_text("fuzz", &form.write(&params)).params();
        assert_eq!(again.as_ref(), Ok(&params), "{form:?}");
    }
}

/// A parameter file of another tool: what tuners make of it reads back.
pub fn params(data: &[u8]) {
    let Ok(file) = form::read("fuzz", &String::from_utf8_lossy(data)) else { return };
    for param in &file.params {
        if let Ok(range) = ClopParam::given(&param.what, &OPTIONS) {
            let again = ClopParam::read(range.text(), &OPTIONS);
            assert!(again.is_ok_and(|again| (again.min, again.max) == (range.min, range.max)));
        }
        if let Ok(axis) = Axis::given(&param.what, &OPTIONS) {
            let again = Axis::read(axis.text(), &OPTIONS);
            assert!(again.is_ok_and(|again| again.values == axis.values), "{}", axis.text());
        }
    }
    let Ok(lines) = of_file(&file.params, &OPTIONS, 1000, &Gains::default()) else { return };
    for line in lines {
        let again = SpsaParam::read(&line.text(), &OPTIONS).map(|again| again.text());
        assert_eq!(again.ok(), Some(line.text()));
    }
}

/// Lines of a trace, the names of its coefficients before an empty line.
pub fn trace(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (names, lines) = text.split_once("\n\n").unwrap_or((&text, ""));
    let Ok(coefficients) = Coefficients::read("fuzz", names) else { return };
    let values: Vec<String> = coefficients.0.iter().map(|it| it.start.to_string()).collect();
    let again = Coefficients::read("fuzz", &Coefficients::with_values(names, &values));
    let starts = |all: &Coefficients| all.0.iter().map(|it| it.start).collect::<Vec<_>>();
    assert_eq!(again.ok().as_ref().map(starts), Some(starts(&coefficients)));
    for line in lines.lines() {
        if let Ok(line) = read_line(line, coefficients.0.len()) {
            assert!(
                line.counts.iter().all(|(index, _)| usize::from(*index) < coefficients.0.len())
            );
            assert!((0.0..=1.0).contains(&line.result));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_corpus_passes_its_target() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
        for &(name, target) in TARGETS {
            let folder = corpus.join(name);
            let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
            let mut files: Vec<_> = files.collect();
            files.sort();
            assert!((3..=60).contains(&files.len()), "{name}: {} files", files.len());
            for file in files {
                println!("{}", file.display());
                target(&fs::read(&file).unwrap());
            }
        }
    }
}
