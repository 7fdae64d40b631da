//! What is seen of a run over games: a bar of bytes, and what is wrong with games.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::Instant;

use indicatif::ProgressBar;

use crate::screen::style;
use process::plain_file::open_itself;
use process::{Context as _, Error};
use tables::{BadGame, Input, Watcher};

/// Bad games that are shown.
const SHOWN: u64 = 20;

pub(super) struct MiningScreen {
    bar: ProgressBar,
    quiet: bool,
    shown: u64,
    begin: Instant,
    games_before: Option<u64>,
    list: Option<(BufWriter<File>, u64)>,
    list_error: Option<std::io::Error>,
}

impl MiningScreen {
    /// With `errors`, the list of bad games goes there, behind its first `listed` bytes.
    pub(super) fn new(
        inputs: &[Input],
        errors: Option<&Path>,
        listed: u64,
        quiet: bool,
    ) -> Result<MiningScreen, Error> {
        let list = errors.map(|path| {
            let open = || {
                let there = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
                if there < listed {
                    let why =
                        format!("expected the {listed} bytes of a stopped run, found {there}");
                    return Err(std::io::Error::other(why));
                }
                let mut options = OpenOptions::new();
                options.create(true).write(true).truncate(false);
                let mut file = open_itself(path, &mut options)?;
                file.set_len(listed)?;
                file.seek(SeekFrom::End(0))?;
                Ok::<_, std::io::Error>(BufWriter::new(file))
            };
            open().context(format!("cannot write the list of bad games {}", path.display()))
        });
        let list = list.transpose()?.map(|file| (file, listed));
        let bar = if quiet { ProgressBar::hidden() } else { bar(inputs) };
        let begin = Instant::now();
        Ok(MiningScreen { bar, quiet, shown: 0, begin, games_before: None, list, list_error: None })
    }

    /// How many bytes the list of bad games has.
    pub(super) fn finish(self) -> Result<u64, Error> {
        self.bar.finish_and_clear();
        let Some((mut file, listed)) = self.list else { return Ok(0) };
        let written = self.list_error.map_or_else(|| file.flush(), Err);
        written.context("cannot write the list of bad games")?;
        Ok(listed)
    }
}

fn bar(inputs: &[Input]) -> ProgressBar {
    let total: u64 = inputs.iter().map(|input| input.bytes).sum();
    let known = inputs.iter().all(|input| input.bytes > 0 || input.is_lasting());
    let (bar, template) = if known {
        let template = "{bar:40} {bytes}/{total_bytes}, {bytes_per_sec}, {msg}, {eta} left";
        (ProgressBar::new(total), template)
    } else {
        (ProgressBar::new_spinner(), "{spinner} {bytes}, {bytes_per_sec}, {msg}")
    };
    bar.with_style(style(template))
}

impl Watcher for MiningScreen {
    fn progress(&mut self, bytes: u64, games: u64) {
        let before = *self.games_before.get_or_insert(games);
        self.bar.set_position(bytes);
        let rate = (games - before) as f64 / self.begin.elapsed().as_secs_f64().max(1e-3);
        self.bar.set_message(format!("{games} games, {rate:.0} games/s"));
    }

    fn bad_game(&mut self, input: &Input, game: &BadGame) {
        let BadGame { line, offset, mistake_line, reason, detail } = game;
        let text = format!(
            "{}:{mistake_line}: game of line {line} (byte {offset}): {reason}: {detail}",
            input.name
        );
        if reason.is_fatal() {
            self.shown += 1;
            if self.shown <= SHOWN && !self.quiet {
                self.bar.suspend(|| status!("{text}"));
            }
        }
        if let Some((file, listed)) = &mut self.list
            && self.list_error.is_none()
        {
            *listed += text.len() as u64 + 1;
            self.list_error = writeln!(file, "{text}").err();
        }
    }
}
