//! `verdict tables count`, and the reading of games that other words share.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::count_overrides::CountOverrides;
use super::flags::{FilterFlags, MitFlags, PstFlags, ReadingFlags};
use super::interrupts::Interrupts;
use super::screen::MiningScreen;
use super::{BROKEN_OFF, DONE, INPUT_OUTPUT, UNDECIDED, outputs, print_text};
use process::{Context as _, Error};
use tables::{
    Checkpoint, CountSettings, CountsFile, CrossCheck, FINGERPRINTS, Filter, Input, InputInfo,
    Mined, Scratch, list, mine, write_counts_json,
};

/// Count material, piece squares and early positions in one pass, for the other `tables` commands.
///
/// A material balance counts once per game in which it occurs, if the game has a result; the start
/// position is included. Piece squares are counted in every position from ply 16 on, in all games. A bad
/// game is reported and skipped.
///
/// FILES are .pgn, also compressed (.gz, .bz2, .zst, .xz, .zip), folders of these, or - for standard
/// input. A game of more than 16 MiB or 65,536 plies, or with a line of 4 MiB or more, is a bad game.
/// Several threads read a file whose games begin with the tag Event; one thread reads other files.
///
/// Ctrl-C (or SIGTERM) writes FILE.checkpoint beside the counts (exit code 2); --resume continues from
/// it. If games come from standard input or a pipe, nothing is saved (exit code 130). A second Ctrl-C
/// waits for the checkpoint, a third stops without it.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict tables count games/ --mit --pst --out all.counts\n  \
    verdict tables count a.pgn b.pgn.gz --mit --where 'WhiteElo>=2800 && BlackElo>=2800' --out ab.counts")]
pub(super) struct CountArgs {
    /// PGN files.
    #[arg(required = true, value_name = "FILES", value_hint = ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// Count games by material balance.
    #[arg(long)]
    mit: bool,
    /// Count pieces and pawns on squares.
    #[arg(long)]
    pst: bool,
    /// Count the positions of the first MOVES moves of each side.
    #[arg(long, value_name = "MOVES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=500))]
    openings: u32,
    /// Sample N quiet positions with results from all games, for `tables pst --fit`.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=20_000_000))]
    sample: u32,
    /// Counts file to write, for the other `tables` commands.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present = "json")]
    out: Option<PathBuf>,
    /// Also write the counts as JSON to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    json: Option<PathBuf>,
    #[command(flatten)]
    material: MitFlags,
    #[command(flatten)]
    squares: PstFlags,
    #[command(flatten)]
    filter: FilterFlags,
    #[command(flatten)]
    reading: ReadingFlags,
}

pub(super) fn run(args: &CountArgs) -> Result<u8, Error> {
    if !args.mit && !args.pst && args.openings == 0 {
        let why = "nothing to count: expected --mit, --pst or --openings MOVES";
        return Err(Error::usage(why));
    }
    let overrides = CountOverrides {
        opening_plies: Some(2 * args.openings),
        consecutive: args.material.consecutive,
        quiet: args.material.quiet_positions,
        phase_limit: args.squares.phase_limit,
        sample: Some(args.sample),
    };
    let wants =
        overrides.apply(CountSettings { mit: args.mit, pst: args.pst, ..CountSettings::usual() });
    let Some(written) = args.out.as_ref().or(args.json.as_ref()) else {
        return Err(Error::usage("expected --out or --json"));
    };
    args.out.as_deref().map_or(Ok(()), |out| outputs::check_replaced(out, &args.files))?;
    outputs::check([args.json.as_deref(), args.reading.errors.as_deref()], &args.files)?;
    let read = read_games(&args.files, wants, args.filter.filter()?, &args.reading, written)?;
    read.make(&args.reading, written, |counts| {
        if let Some(path) = &args.out {
            counts.write(path)?;
        }
        if let Some(path) = &args.json {
            write_json(counts, path)?;
        }
        Ok(format!("{}\nwritten    {}", counts.tally, written.display()))
    })
}

pub(super) fn write_json(counts: &CountsFile, path: &Path) -> Result<(), Error> {
    outputs::write_by(path, |out| {
        write_counts_json(out, &counts.counts)?;
        out.write_all(b"\n")
    })
}

fn report(check: &CrossCheck, quiet: bool) {
    let CrossCheck { games, different, first } = check;
    match first {
        Some((file, line)) => status!(
            "pgn-reader reads other moves in {different} of {games} games; the first: {file}:{line}"
        ),
        None if *games > 0 && !quiet => status!("pgn-reader reads the same moves in {games} games"),
        None => {}
    }
}

/// What came of reading games.
pub(super) enum ReadResult {
    /// The counts, and the exit code if all else goes well: not 0 if a text was broken.
    Counts(Box<CountsFile>, u8),
    /// Before the end, as was said.
    Stopped(u8),
}

impl ReadResult {
    /// Makes with `make` what is wanted of the counts, prints the text that it returns, and removes
    /// the checkpoint beside `out`: until then it is all there is. Returns the exit code.
    pub(super) fn make(
        self,
        reading: &ReadingFlags,
        out: &Path,
        make: impl FnOnce(&CountsFile) -> Result<String, Error>,
    ) -> Result<u8, Error> {
        let (counts, code) = match self {
            ReadResult::Counts(counts, code) => (counts, code),
            ReadResult::Stopped(code) => return Ok(code),
        };
        let text = make(&counts)?;
        let checkpoint = checkpoint_beside(out);
        if reading.resume && checkpoint.exists() {
            std::fs::remove_file(&checkpoint)
                .context(format!("cannot remove {}", checkpoint.display()))?;
        }
        print_text(&text)?;
        Ok(code)
    }
}

/// Reads games with a progress bar; Ctrl-C leaves a checkpoint beside `out`, where temporary files
/// are, too.
pub(super) fn read_games(
    files: &[PathBuf],
    wants: CountSettings,
    filter: Filter,
    reading: &ReadingFlags,
    out: &Path,
) -> Result<ReadResult, Error> {
    let inputs = list(files)?;
    let checkpoint = checkpoint_beside(out);
    let scratch = Scratch::beside(out);
    let texts: Vec<(String, u64)> = inputs.iter().map(|i| (i.name.clone(), i.bytes)).collect();
    let errors = reading.errors.as_ref().map(|path| path.display().to_string());
    let mut listed = 0;
    let mut earlier = None;
    if reading.resume {
        if let Some(input) = inputs.iter().find(|input| !input.is_lasting()) {
            let why = format!("--resume: {} cannot be read again", input.name);
            return Err(Error::usage(why));
        }
        let file = CountsFile::read_within(&checkpoint, &scratch)?;
        let wrong = |what| Error::usage(format!("--resume: {} is {what}", checkpoint.display()));
        let stopped = file.checkpoint.ok_or_else(|| wrong("no checkpoint".to_owned()))?;
        // What tells games apart, and draws positions of them.
        let uses_fingerprints = filter.dedup || wants.sample > 0;
        let different = [
            ("other files", stopped.texts != texts),
            ("other filters", stopped.filter != filter),
            ("another list of bad games", stopped.errors.is_some() && stopped.errors != errors),
            ("other things to count", file.settings != wants),
            (
                "hashes of another version; count again, without --resume",
                stopped.read_state.offset > 0 && stopped.read_state.hashes.is_empty(),
            ),
            (
                "fingerprints of another version; count again, without --resume",
                uses_fingerprints && stopped.fingerprints != FINGERPRINTS,
            ),
        ];
        if let Some((what, _)) = different.iter().find(|(_, is)| *is) {
            return Err(wrong(format!("of a run with {what}")));
        }
        listed = stopped.listed;
        earlier = Some(Mined {
            counts: file.counts,
            tally: file.tally,
            read_state: stopped.read_state,
            cross_check: CrossCheck::default(),
            complete: false,
        });
    }
    let mut screen = MiningScreen::new(&inputs, reading.errors.as_deref(), listed, reading.quiet)?;
    let keeps = inputs.iter().all(Input::is_lasting);
    let interrupts = Interrupts::listen(keeps);
    let plan = reading.plan(wants, filter.clone(), scratch);
    let mined = mine(&inputs, &plan, earlier, &interrupts.stop, &mut screen);
    let listed = screen.finish()?;
    let Mined { counts, tally, read_state, cross_check, complete } = mined?;
    report(&cross_check, reading.quiet);
    let mut file = CountsFile {
        settings: wants,
        counts,
        tally,
        inputs: read_state.inputs.clone(),
        checkpoint: None,
    };
    if !complete && !keeps {
        let games = file.tally.games;
        status!("stopped after {games} games; nothing is saved, since a pipe cannot be read again");
        return Ok(ReadResult::Stopped(BROKEN_OFF));
    }
    if !complete {
        let tally = file.tally.clone();
        file.checkpoint = Some(Checkpoint {
            read_state,
            texts,
            filter,
            errors,
            listed,
            fingerprints: FINGERPRINTS,
        });
        file.write(&checkpoint)?;
        interrupts.end_with(format!(
            "stopped after {} games; continue with the same command and --resume",
            tally.games
        ));
        return Ok(ReadResult::Stopped(UNDECIDED));
    }
    interrupts.set_read();
    finished(file, &inputs)
}

/// What a stopped run leaves beside its counts.
fn checkpoint_beside(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

fn finished(file: CountsFile, inputs: &[Input]) -> Result<ReadResult, Error> {
    let mut code = DONE;
    for input in &file.inputs {
        if let Some(why) = &input.broken {
            code = INPUT_OUTPUT;
            status!("error: {} {why}; the games before it are counted", input.name);
        } else if input.games == 0 {
            status!("warning: {}: no game found", input.name);
        }
    }
    let mut known: HashMap<&str, &str> = HashMap::new();
    for InputInfo { name, hash, .. } in file.inputs.iter().filter(|input| input.games > 0) {
        match known.entry(hash) {
            Entry::Occupied(other) => {
                status!("warning: {name} holds the same text as {}: see --dedup", other.get());
            }
            Entry::Vacant(new) => _ = new.insert(name),
        }
    }
    if file.tally.games == 0 {
        const SHOWN: usize = 5;
        let names: Vec<&str> = inputs.iter().take(SHOWN).map(|input| input.name.as_str()).collect();
        let more = if inputs.len() > SHOWN { ", …" } else { "" };
        let names = names.join(", ");
        return Err(Error::input_output(format!(
            "expected PGN games, found none in {names}{more}"
        )));
    }
    if file.tally.counted == 0 {
        status!("warning: no game counts; check the reasons above and the tag names in --where");
    }
    Ok(ReadResult::Counts(Box::new(file), code))
}
