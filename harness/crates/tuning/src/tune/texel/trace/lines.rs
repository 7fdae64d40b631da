//! The lines of a trace.

use std::path::Path;

use process::Error;
use process::progress::Progress;
use shakmaty::fen::Fen;

use super::super::pairs::PhasePairs;
use super::super::slopes::{Examples, SlopeBlock};
use super::super::source::parse_result;
use super::super::targets::Target;
use super::Coefficients;
use pgn::{BookError, Lines, Origin, quote, with_text};

/// Positions between two steps of progress.
const SOME: u64 = 4096;

/// A line, read.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceLine<'a> {
    /// What tells its game, if its id does: the text before the first `/`.
    pub game: Option<&'a str>,
    /// White's score, 0 to 1.
    pub result: f32,
    /// Index and count, ascending by index.
    pub counts: Vec<(u16, f32)>,
    /// What the evaluation has beside the coefficients.
    pub rest: f32,
}

/// Reads a line; `coefficients`: how many there are. The error says what was expected.
pub fn read_line(line: &str, coefficients: usize) -> Result<TraceLine<'_>, String> {
    let fields: Vec<&str> = line.split(';').map(str::trim).collect();
    let (id, result, counts, rest) = match fields[..] {
        [id, result, counts] | [id, result, counts, ""] => (id, result, counts, "0"),
        [id, result, counts, rest] => (id, result, counts, rest),
        _ => return Err("expected FEN or id; result; index:count index:count …".to_owned()),
    };
    let number = |text: &str| text.parse().ok().filter(|number: &f32| number.is_finite());
    let score = || number(result).filter(|score| (0.0..=1.0).contains(score));
    let result = parse_result(result).or_else(score).ok_or_else(|| {
        format!(
            "expected a result, 1-0, 1/2-1/2, 0-1 or White's score from 0 to 1, found '{result}'"
        )
    })?;
    let rest = number(rest)
        .ok_or_else(|| format!("expected a number behind the counts, found '{rest}'"))?;
    let mut read = Vec::new();
    for word in counts.split_whitespace() {
        let wrong = || format!("expected index:count, found '{word}'");
        let (index, count) = word.split_once(':').ok_or_else(wrong)?;
        let index: usize = index.parse().map_err(|_| wrong())?;
        let count = number(count).ok_or_else(wrong)?;
        if index >= coefficients {
            return Err(format!(
                "expected an index below {coefficients}, the number of coefficients, found {index}"
            ));
        }
        read.push((u16::try_from(index).map_err(|_| wrong())?, count));
    }
    read.sort_unstable_by_key(|(index, _)| *index);
    if let Some(twice) = read.windows(2).find(|two| two[0].0 == two[1].0) {
        return Err(format!("the index {} is there twice", twice[0].0));
    }
    read.retain(|(_, count)| *count != 0.0);
    let is_fen = id.parse::<Fen>().is_ok();
    let game = id.split_once('/').map(|(game, _)| game).filter(|_| !is_fen);
    Ok(TraceLine { game, result, counts: read, rest })
}

/// Positions of one side of the split.
#[derive(Debug)]
pub(super) struct TraceSet {
    pub(super) examples: Examples,
    block: SlopeBlock,
    /// Each position's game, those of one side by side.
    pub(super) games: Vec<u32>,
    /// Of games.
    pub(super) count: usize,
}

impl Default for TraceSet {
    fn default() -> TraceSet {
        let (examples, block) = (Examples(Vec::new()), SlopeBlock::default());
        TraceSet { examples, block, games: Vec::new(), count: 0 }
    }
}

impl TraceSet {
    fn push(&mut self, value: f32, line: &TraceLine<'_>, pairs: &PhasePairs, goes_on: bool) {
        // The scale is known when all are read.
        let target = Target { expected: line.result, scale: 1.0 };
        self.block.push(value, target, &line.counts, pairs);
        self.count += usize::from(!goes_on || self.games.is_empty());
        self.games.push(u32::try_from(self.count).unwrap_or(u32::MAX));
        if self.block.is_full() {
            self.examples.0.push(std::mem::take(&mut self.block));
        }
    }

    /// With its last positions, which fill no block.
    fn close(&mut self) {
        if !self.block.values.is_empty() {
            self.examples.0.push(std::mem::take(&mut self.block));
        }
    }
}

/// The positions to fit, and those held out.
pub(super) struct Split<'a> {
    coefficients: &'a Coefficients,
    pairs: &'a PhasePairs,
    /// Lines without games that are held out together.
    block: u64,
    pub(super) fitted: TraceSet,
    pub(super) held_out: TraceSet,
    /// Lines whose game is not known.
    pub(super) alone: u64,
}

impl<'a> Split<'a> {
    pub(super) fn new(
        coefficients: &'a Coefficients,
        pairs: &'a PhasePairs,
        block: u64,
    ) -> Split<'a> {
        let (fitted, held_out) = (TraceSet::default(), TraceSet::default());
        Split { coefficients, pairs, block, fitted, held_out, alone: 0 }
    }

    /// Lines read.
    pub(super) fn lines(&self) -> u64 {
        (self.fitted.games.len() + self.held_out.games.len()) as u64
    }

    /// Adds a file, compressed or not. One in `every` games, or blocks of lines, is held out; none
    /// without it.
    pub(super) fn read(
        &mut self,
        path: &Path,
        every: Option<u64>,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let mut failed = None;
        let (mut game, mut number, mut positions) = (None::<String>, 0, 0);
        let read = with_text(Origin::File(path), &mut |_, text| {
            let mut lines = Lines::new(text);
            while let Some(line) = lines.next_line()? {
                let bytes = line.bytes.trim_ascii();
                if bytes.is_empty() || bytes.starts_with(b"#") {
                    continue;
                }
                let text = String::from_utf8_lossy(bytes);
                let parsed = match read_line(&text, self.coefficients.0.len()) {
                    Ok(parsed) => parsed,
                    Err(why) => {
                        let (place, line) = (path.display(), line.number);
                        let text = quote(bytes);
                        failed =
                            Some(Error::input_output(format!("{place}:{line}: {why}; in {text}")));
                        return Ok(());
                    }
                };
                let goes_on = parsed.game.is_some() && parsed.game == game.as_deref();
                if !goes_on {
                    game = parsed.game.map(str::to_owned);
                    number += 1;
                }
                let group = match parsed.game {
                    Some(_) => number,
                    None => positions / self.block,
                };
                self.alone += u64::from(parsed.game.is_none());
                positions += 1;
                let is_held_out = every.is_some_and(|every| group % every == every - 1);
                let set = if is_held_out { &mut self.held_out } else { &mut self.fitted };
                let value = parsed.rest + value(&parsed.counts, self.coefficients);
                set.push(value, &parsed, self.pairs, goes_on);
                if positions % SOME == 0 {
                    progress.advance(SOME);
                }
            }
            Ok(())
        });
        self.fitted.close();
        self.held_out.close();
        failed.map_or(Ok(()), Err)?;
        read.map(drop).map_err(|error| match error {
            // The words of a book are not for a trace.
            BookError::Read { source, .. } => {
                Error::input_output(format!("{}: cannot read the trace: {source}", path.display()))
            }
            error => error.into(),
        })
    }
}

fn value(counts: &[(u16, f32)], coefficients: &Coefficients) -> f32 {
    let each = counts
        .iter()
        .map(|&(index, count)| f64::from(count) * coefficients.0[usize::from(index)].start);
    each.sum::<f64>() as f32
}
