//! Checks of a match before it is played.

use std::num::NonZeroUsize;

use super::{Plan, SideOverrides, Size};
use crate::player::program::ProgramSpec;
use crate::player::spec::PlayerSpec;
use crate::record::{Side, is_threads};
use crate::runner::{Demand, Limits, Pin};
use process::affinity::processors;
use process::{Context as _, Error, machine};
use stats::Rule;

/// The engine's smallest table.
const LEAST_HASH: Size = Size(64 << 10);
/// Protocols count hash in whole MiB.
const LEAST_PROGRAM: Size = Size(1 << 20);
/// More threads are a slip of the finger.
pub const MOST_SLOTS: usize = 1024;
pub const MOST_CONCURRENCY: usize = 4096;
/// More than can be played; twice as many still fit into 64 bits.
pub const MOST_PAIRS: u64 = 1_000_000_000_000;

/// Whether the player could play; finds its files.
pub fn player(side: Side, spec: PlayerSpec) -> Result<PlayerSpec, Error> {
    let flag = format!("--{side} {spec}");
    spec.check().context(flag)
}

/// Checks that all these players can have the hash.
pub fn hash(flag: &str, hash: Option<Size>, players: &[&PlayerSpec]) -> Result<(), Error> {
    let only_embedded = players.iter().all(|player| player.is_embedded());
    let (least, whom) =
        if only_embedded { (LEAST_HASH, "the engine") } else { (LEAST_PROGRAM, "a program") };
    match hash {
        Some(size) if size < least => {
            Err(Error::usage(format!("{flag} {size}: expected at least {least} for {whom}")))
        }
        _ => Ok(()),
    }
}

pub fn name(side: Side, own: &SideOverrides) -> Result<(), Error> {
    match &own.name {
        Some(name) if name.trim().is_empty() => {
            Err(Error::usage(format!("--{side}-name: expected a name, found nothing but blanks")))
        }
        _ => Ok(()),
    }
}

/// Refuses a program whose own option contradicts the hash that it is given.
pub fn side_hash(side: Side, player: &PlayerSpec, given: Option<Size>) -> Result<(), Error> {
    let (Some(size), PlayerSpec::Program { .. }) = (given, player) else { return Ok(()) };
    let Ok(program) = ProgramSpec::parse(&player.to_string()) else { return Ok(()) };
    let option = program.options.into_iter().find(|(name, _)| name.eq_ignore_ascii_case("hash"));
    match option {
        Some((_, option)) if option.trim().parse() != Ok(size.0 >> 20) => {
            Err(Error::usage(format!(
                "--{side} has option Hash={option}, and --hash {size} holds for it: expected one of \
                 them, or the same"
            )))
        }
        _ => Ok(()),
    }
}

/// Threads that a program is told to search on; 0 for an embedded engine.
fn threads(player: &PlayerSpec) -> u64 {
    let PlayerSpec::Program { .. } = player else { return 0 };
    let options = ProgramSpec::parse(&player.to_string()).map_or(Vec::new(), |spec| spec.options);
    let threads_option = options.iter().find(|(name, _)| is_threads(name));
    threads_option.and_then(|(_, value)| value.trim().parse().ok()).unwrap_or(1)
}

/// Only programs think in the opponent's time.
pub fn ponder(ponder: bool, [base, test]: [&PlayerSpec; 2]) -> Result<(), Error> {
    let embedded = [(Side::Base, base), (Side::Test, test)];
    let embedded = embedded.into_iter().find(|(_, player)| player.is_embedded());
    match embedded {
        Some((side, _)) if ponder => Err(Error::usage(format!(
            "--ponder: expected programs, the {side} player is embedded in this one"
        ))),
        _ => Ok(()),
    }
}

pub fn pairs(pairs: Option<u64>, rule: &Rule) -> Result<u64, Error> {
    let wanted = match rule {
        Rule::Los(rule) => rule.pairs,
        _ => None,
    };
    let default = wanted.unwrap_or(if rule.is_sequential() { 20_000 } else { 200 });
    let pairs = pairs.unwrap_or(default);
    match wanted {
        _ if pairs > MOST_PAIRS => {
            Err(Error::usage(format!("--pairs {pairs}: expected at most {MOST_PAIRS}")))
        }
        Some(wanted) if wanted > pairs => Err(Error::usage(format!(
            "--pairs {pairs} is less than the {wanted} pairs that --rule {rule} asks for"
        ))),
        _ => Ok(pairs),
    }
}

pub fn check_slots(slots: NonZeroUsize) -> Result<(), Error> {
    match slots.get() {
        0..=MOST_SLOTS => Ok(()),
        _ => Err(Error::usage(format!("--slots {slots}: expected at most {MOST_SLOTS}"))),
    }
}

impl Plan {
    /// Whether the machine can carry so many games at once.
    pub fn check_width(&self) -> Result<(), Error> {
        let Plan { concurrency, slots, .. } = self;
        check_slots(*slots)?;
        if concurrency.get() > MOST_CONCURRENCY {
            let why = format!("--concurrency {concurrency}: expected at most {MOST_CONCURRENCY}");
            return Err(Error::usage(why));
        }
        if self.ponder && self.pin != Pin::Off {
            return Err(Error::usage(
                "--ponder --pin: a game with pondering needs two processors; expected --pin off",
            ));
        }
        if let (true, Ok(there)) = (self.pin != Pin::Off, processors()) {
            let named = match &self.pin {
                Pin::These(these) => these,
                Pin::Off | Pin::All => &there,
            };
            if let Some(&processor) = named.iter().find(|number| !there.contains(number)) {
                return Err(Error::usage(format!(
                    "--pin: expected processors of {there:?}, which this process may use, found \
                     {processor}"
                )));
            }
            if slots.get() > named.len() {
                return Err(Error::usage(format!(
                    "--slots {slots} --pin: expected at most {}, one for each processor that they \
                     may keep to",
                    named.len()
                )));
            }
        }
        let embedded = [Side::Base, Side::Test].into_iter();
        let embedded = embedded.filter(|side| self.player(*side).is_embedded());
        let sizes: Vec<Size> = embedded.map(|side| self.embedded_hash(side)).collect();
        // More games at once than the match has do not count.
        let games = (self.concurrency.get() as u64).min(self.pairs.saturating_mul(2));
        // Engines in this process need none of what is limited.
        if sizes.len() < 2 {
            let demand = Demand {
                programs: 2 - sizes.len() as u64,
                threads: [Side::Base, Side::Test]
                    .map(|side| threads(self.player(side)))
                    .iter()
                    .sum(),
                games,
                slots: self.slots.get() as u64,
                traffic: self.traffic.is_some(),
            };
            Limits::here().grant(demand).map_err(Error::usage)?;
        }
        let Some(size) = sizes.iter().max().copied() else { return Ok(()) };
        let engines = games.saturating_mul(sizes.len() as u64);
        let all = sizes.iter().fold(0, |sum: u64, size| sum.saturating_add(size.0));
        match machine::memory() {
            Some(memory) if all.saturating_mul(games) > memory => Err(Error::usage(format!(
                "--hash {size} for {engines} embedded engines at once is more than the {} of \
                     memory here: expected less hash or a lower --concurrency",
                Size(memory)
            ))),
            _ => Ok(()),
        }
    }
}
