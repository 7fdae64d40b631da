//! The numbers of a file of counts.

use std::io::{self, Read, Write};

use super::read::ReadError;
use crate::count::openings::{RunWriter, read_record};
use crate::count::sample::SampledPosition;
use crate::count::{MinedCounts, MitCounts, OpeningCounts, PositionSample, PstCounts, mit};
use crate::leb128::{NumberReader, NumberStream, push_leb128, push_wdl};
use crate::miner::CountSettings;
use crate::scratch::Scratch;

pub(super) fn write_counts(out: &mut impl Write, counts: &MinedCounts) -> io::Result<()> {
    let mut body = Vec::new();
    if let Some(mit) = &counts.mit {
        for number in [mit.games, mit.beyond, mit.used().count() as u64] {
            push_leb128(&mut body, number);
        }
        let mut last = 0;
        for (cell, wdl) in mit.used() {
            push_leb128(&mut body, (cell - last) as u64);
            last = cell;
            push_wdl(&mut body, wdl);
        }
    }
    if let Some(pst) = &counts.pst {
        for number in pst.positions.iter().chain([&pst.games]).chain(pst.cells()) {
            push_leb128(&mut body, *number);
        }
    }
    if let Some(openings) = &counts.openings {
        push_leb128(&mut body, openings.games);
        push_leb128(&mut body, openings.len());
        out.write_all(&body)?;
        body.clear();
        io::copy(&mut openings.bytes(), out)?;
    }
    if let Some(sample) = &counts.sample {
        let positions = sample.sorted();
        push_leb128(&mut body, positions.len() as u64);
        for SampledPosition { priority, occupied, men, black, points } in positions {
            let rest = u64::from(points) << 1 | u64::from(black);
            for number in [priority, occupied, men as u64, (men >> 64) as u64, rest] {
                push_leb128(&mut body, number);
            }
        }
    }
    out.write_all(&body)
}

/// Reads what `wants` says was counted; opening positions beyond memory go to the scratch.
pub(super) fn read_counts(
    numbers: &mut NumberStream<impl Read>,
    wants: &CountSettings,
    scratch: &Scratch,
) -> Result<MinedCounts, ReadError> {
    let mut counts = MinedCounts::default();
    if wants.mit {
        let [games, beyond, cells] = next(numbers, three)?;
        let mut mit = MitCounts::of_games(games, beyond);
        let mut cell = 0;
        for _ in 0..cells {
            let (distance, wdl) = next(numbers, |it| Some((it.next_usize()?, it.next_wdl()?)))?;
            cell =
                distance.checked_add(cell).filter(|&cell| cell < mit::CELLS).ok_or_else(wrong)?;
            mit.add(cell, wdl);
        }
        counts.mit = Some(mit);
    }
    if wants.pst {
        let [middle, end, games] = next(numbers, three)?;
        let mut pst = PstCounts::of_positions([middle, end], games);
        for cell in pst.cells_mut() {
            *cell = next(numbers, one)?;
        }
        counts.pst = Some(pst);
    }
    if wants.opening_plies > 0 {
        let games = next(numbers, one)?;
        let positions = next(numbers, one)?;
        let mut run = RunWriter::new(scratch);
        let mut key = 0_u64;
        for _ in 0..positions {
            let record = next(numbers, |numbers| read_record(numbers, key))?;
            key = record.key;
            run.push(record).map_err(ReadError::Failed)?;
        }
        counts.openings = Some(OpeningCounts::new(run.finish().map_err(ReadError::Failed)?, games));
    }
    if wants.sample > 0 {
        let mut sample = PositionSample::new(wants.sample as usize);
        for _ in 0..next(numbers, one)? {
            sample.add(next(numbers, read_position)?);
        }
        counts.sample = Some(sample);
    }
    Ok(counts)
}

fn wrong() -> ReadError {
    ReadError::Found("found numbers that cannot be, or too few".to_owned())
}

fn next<T>(
    numbers: &mut NumberStream<impl Read>,
    read: impl FnOnce(&mut NumberReader<'_>) -> Option<T>,
) -> Result<T, ReadError> {
    let read = numbers.read(read).map_err(|error| ReadError::Found(error.to_string()))?;
    read.ok_or_else(wrong)
}

fn one(numbers: &mut NumberReader<'_>) -> Option<u64> {
    numbers.next()
}

fn three(numbers: &mut NumberReader<'_>) -> Option<[u64; 3]> {
    Some([numbers.next()?, numbers.next()?, numbers.next()?])
}

/// `None` if it could not have been drawn.
fn read_position(numbers: &mut NumberReader<'_>) -> Option<SampledPosition> {
    let (priority, occupied) = (numbers.next()?, numbers.next()?);
    let men = u128::from(numbers.next()?) | u128::from(numbers.next()?) << 64;
    let rest = numbers.next()?;
    let points = u8::try_from(rest >> 1).ok().filter(|&points| points <= 2)?;
    let position = SampledPosition { priority, occupied, men, black: rest & 1 == 1, points };
    (occupied.count_ones() <= 32 && position.men().all(|(man, _)| man < 12)).then_some(position)
}

pub(super) fn read_seen(numbers: &mut NumberStream<impl Read>) -> Result<Vec<[u64; 2]>, ReadError> {
    let mut seen = Vec::new();
    for _ in 0..next(numbers, one)? {
        seen.push(next(numbers, |numbers| Some([numbers.next()?, numbers.next()?]))?);
    }
    Ok(seen)
}

pub(super) fn write_seen(out: &mut impl Write, seen: &[[u64; 2]]) -> io::Result<()> {
    let mut body = Vec::new();
    push_leb128(&mut body, seen.len() as u64);
    for print in seen.iter().flatten() {
        push_leb128(&mut body, *print);
    }
    out.write_all(&body)
}
