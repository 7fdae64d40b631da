//! A sitting of a run: trials played, results learned, until the end, flatness or the user.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use super::{
    Spsa, SpsaFile,
    band::{self, Best},
    games::Games,
    preflight::at,
};
use crate::{
    plan::{Plan, WidthFlags},
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
    let mut games = Games::open(dir, &plan, resources, stops.clone())?;
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
