//! The numbers of a file of counts.

use super::leb128::{NumberReader, push_leb128};
use crate::count::sample::SampledPosition;
use crate::count::{
    MinedCounts, MitCounts, OpeningCounts, PositionSample, PstCounts, SideWdl, mit,
};
use crate::miner::CountSettings;

fn push_wdl(body: &mut Vec<u8>, wdl: SideWdl) {
    for games in [wdl.wins, wdl.draws, wdl.losses] {
        push_leb128(body, u64::from(games));
    }
}

pub(super) fn write_counts(body: &mut Vec<u8>, counts: &MinedCounts) {
    if let Some(mit) = &counts.mit {
        for number in [mit.games, mit.beyond, mit.used().count() as u64] {
            push_leb128(body, number);
        }
        let mut last = 0;
        for (cell, wdl) in mit.used() {
            push_leb128(body, (cell - last) as u64);
            last = cell;
            push_wdl(body, wdl);
        }
    }
    if let Some(pst) = &counts.pst {
        for number in pst.positions.iter().chain([&pst.games]).chain(pst.cells()) {
            push_leb128(body, *number);
        }
    }
    if let Some(openings) = &counts.openings {
        push_leb128(body, openings.games);
        push_leb128(body, openings.len() as u64);
        let mut last = 0;
        for (key, wdl, undecided) in openings.sorted() {
            push_leb128(body, key - last);
            last = key;
            push_wdl(body, wdl);
            push_leb128(body, u64::from(undecided));
        }
    }
    if let Some(sample) = &counts.sample {
        let positions = sample.sorted();
        push_leb128(body, positions.len() as u64);
        for SampledPosition { priority, occupied, men, black, points } in positions {
            let rest = u64::from(points) << 1 | u64::from(black);
            for number in [priority, occupied, men as u64, (men >> 64) as u64, rest] {
                push_leb128(body, number);
            }
        }
    }
}

pub(super) fn read_counts(
    numbers: &mut NumberReader<'_>,
    wants: &CountSettings,
) -> Option<MinedCounts> {
    let mut counts = MinedCounts::default();
    if wants.mit {
        let mut mit = MitCounts::of_games(numbers.next()?, numbers.next()?);
        let mut cell = 0;
        for _ in 0..numbers.next()? {
            cell = numbers.next_usize()?.checked_add(cell).filter(|&cell| cell < mit::CELLS)?;
            mit.add(cell, numbers.next_wdl()?);
        }
        counts.mit = Some(mit);
    }
    if wants.pst {
        let positions = [numbers.next()?, numbers.next()?];
        let mut pst = PstCounts::of_positions(positions, numbers.next()?);
        for cell in 0..pst.cells().len() {
            pst.add(cell, numbers.next()?);
        }
        counts.pst = Some(pst);
    }
    if wants.opening_plies > 0 {
        let mut openings = OpeningCounts::of_games(numbers.next()?);
        let mut key = 0_u64;
        for _ in 0..numbers.next()? {
            key = key.checked_add(numbers.next()?)?;
            let wdl = numbers.next_wdl()?;
            openings.add(key, wdl, numbers.next_u32()?);
        }
        counts.openings = Some(openings);
    }
    if wants.sample > 0 {
        let mut sample = PositionSample::new(wants.sample as usize);
        for _ in 0..numbers.next()? {
            sample.add(read_position(numbers)?);
        }
        counts.sample = Some(sample);
    }
    Some(counts)
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

pub(super) fn read_seen(numbers: &mut NumberReader<'_>) -> Option<Vec<[u64; 2]>> {
    let mut seen = Vec::new();
    for _ in 0..numbers.next()? {
        seen.push([numbers.next()?, numbers.next()?]);
    }
    Some(seen)
}

pub(super) fn write_seen(body: &mut Vec<u8>, seen: &[[u64; 2]]) {
    push_leb128(body, seen.len() as u64);
    for print in seen.iter().flatten() {
        push_leb128(body, *print);
    }
}
