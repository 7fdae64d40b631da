//! A sitting of a run: trials played, results learned, until the end, flatness or the user.

use std::{
    collections::HashMap,
    path::Path,
    time::{Duration, Instant},
};

use super::{
    Spsa, SpsaFile,
    band::{self, Best},
    games::Table,
    preflight::at,
    report::Told,
};
use crate::{
    plan::{Plan, WidthFlags},
    record::{Games, Summary},
    runner::Stops,
    session::{Resources, SessionError},
};

/// Between two lines on the screen.
const LINE_EVERY: Duration = Duration::from_secs(15);
/// Parameters told in such a line.
const TOLD: usize = 6;

/// How a sitting ended.
#[derive(Debug)]
pub struct Sitting {
    /// What was learned.
    pub spsa: Spsa,
    /// Whether the run is at its end.
    pub is_over: bool,
    /// Why it must stop, if by faults.
    pub faults: Option<String>,
}

impl Sitting {
    /// What is told of it, with the match at the end where that was played.
    #[must_use]
    pub fn told<'a>(&'a self, file: &'a SpsaFile, confirmation: Option<&'a Summary>) -> Told<'a> {
        let Sitting { spsa, is_over, .. } = self;
        Told { spsa, file, is_over: *is_over, confirmation, truth: &[] }
    }
}

/// What the journal of `dir` has learned, without playing on.
///
/// # Errors
/// When the journal is damaged.
pub fn replay(dir: &Path, file: &SpsaFile) -> anyhow::Result<Sitting> {
    let mut spsa = file.begin()?;
    let mut points = HashMap::new();
    for game in Games::open(dir)? {
        let game = game?;
        points.insert(game.game, game.test_half_points());
    }
    loop {
        let pairs = spsa.next_pairs();
        if pairs.is_empty() || band::is_done(&spsa, file.flat) {
            return Ok(Sitting { spsa, is_over: true, faults: None });
        }
        let pair = |pair: u64| Some(points.get(&(2 * pair))? + points.get(&(2 * pair + 1))?);
        match pairs.map(pair).collect::<Option<Vec<u8>>>() {
            Some(results) => spsa.learn(&results),
            None => return Ok(Sitting { spsa, is_over: false, faults: None }),
        }
    }
}

/// Goes on with the run in `dir` until it is over or stopped.
///
/// # Errors
/// When games cannot be played or kept.
pub async fn play(
    dir: &Path,
    file: &SpsaFile,
    width: &WidthFlags,
    resources: &mut Resources,
    stops: &Stops,
    say: &dyn Fn(&str),
) -> anyhow::Result<Sitting> {
    let plan: Plan = file.plan.clone().with_width(width).recheck().map_err(SessionError::from)?;
    let (base, mut spsa) = (file.base()?, file.begin()?);
    let mut games = Table::open(dir, &plan, resources, stops.clone())?;
    let mut shown = Instant::now();
    let mut faults = None;
    let is_over = loop {
        let pairs = spsa.next_pairs();
        if pairs.is_empty() || band::is_done(&spsa, file.flat) {
            break true;
        }
        let trial = spsa.trial();
        let [plus, minus] = [&trial.plus, &trial.minus].map(|side| at(spsa.lines(), &base, side));
        match games.play(pairs, plus, minus).await? {
            Some(results) => spsa.learn(&results),
            None => break false,
        }
        if let Some(fault) = games.fault() {
            faults = Some(fault.to_owned());
            break false;
        }
        if shown.elapsed() >= LINE_EVERY {
            shown = Instant::now();
            say(&line(&spsa, plan.pairs));
        }
    };
    games.close()?;
    Ok(Sitting { spsa, is_over, faults })
}

/// How a run stands: pairs, and each parameter with its band.
#[must_use]
pub fn line(spsa: &Spsa, total: u64) -> String {
    let bands = band::bands(spsa);
    let each = spsa.lines().iter().enumerate().take(TOLD).map(|(number, line)| {
        let (name, theta) = (line.knob.name(), spsa.theta()[number]);
        match bands.as_ref().and_then(|bands| bands[number].best) {
            Some(Best { low, high, .. }) => {
                format!("{name} {theta:.1} (best {low:.1} to {high:.1})")
            }
            None => format!("{name} {theta:.1}"),
        }
    });
    let each: Vec<String> = each.collect();
    let more = spsa.lines().len().saturating_sub(TOLD);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}/{total} pairs · {}{more}", spsa.pairs(), each.join(" · "))
}
