//! A run of another process. It sends its state; games are requested when somebody looks at them.

use std::sync::{Arc, Mutex};

use arena::game::LiveGame;
use arena::record::{GamePage, GameRecord};
use process::lock;

use crate::site::Site;
use crate::source::{Answer, Charts, RunSource};
use crate::state::RunState;

/// Requests games from the process that plays a run. By default there are none.
pub trait Asked: Send + Sync + 'static {
    /// As [`RunSource::games`].
    fn games(&self, _from: Option<u64>, _count: usize) -> Answer<'_, GamePage> {
        Box::pin(async { Ok(GamePage::default()) })
    }

    /// As [`RunSource::game`].
    fn game(&self, _number: u64) -> Answer<'_, Option<GameRecord>> {
        Box::pin(async { Ok(None) })
    }

    /// As [`RunSource::live`].
    fn live(&self) -> Answer<'_, Vec<LiveGame>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// No process to ask.
impl Asked for () {}

/// A run on a site whose state is set from outside. It stays until [`Site::remove`].
#[derive(Clone)]
pub struct ToldRun {
    shown: Arc<Shown>,
    site: Site,
}

struct Shown {
    now: Mutex<(Arc<RunState>, Charts)>,
    asked: Box<dyn Asked>,
}

impl ToldRun {
    /// Shows the run. `charts` is HTML of [`arena::report::fragment`] for this state.
    pub fn show(site: &Site, state: RunState, charts: &str, asked: impl Asked) -> ToldRun {
        let first = Charts { version: 1, html: charts.into() };
        let state = Arc::new(RunState { charts_version: 1, ..state });
        let shown = Shown { now: Mutex::new((state, first)), asked: Box::new(asked) };
        let told = ToldRun { shown: Arc::new(shown), site: site.clone() };
        site.add(Arc::clone(&told.shown) as Arc<dyn RunSource>);
        told
    }

    /// Sets the newest state, which must have the same id.
    pub fn tell(&self, state: RunState, charts: &str) {
        let mut now = lock(&self.shown.now);
        if *now.1.html != *charts {
            now.1 = Charts { version: now.1.version + 1, html: charts.into() };
        }
        now.0 = Arc::new(RunState { charts_version: now.1.version, ..state });
        drop(now);
        self.site.changed();
    }
}

impl RunSource for Shown {
    fn state(&self) -> Arc<RunState> {
        Arc::clone(&lock(&self.now).0)
    }

    fn charts(&self) -> Answer<'_, Charts> {
        let charts = lock(&self.now).1.clone();
        Box::pin(async { Ok(charts) })
    }

    fn games(&self, from: Option<u64>, count: usize) -> Answer<'_, GamePage> {
        self.asked.games(from, count)
    }

    fn game(&self, number: u64) -> Answer<'_, Option<GameRecord>> {
        self.asked.game(number)
    }

    fn live(&self) -> Answer<'_, Vec<LiveGame>> {
        self.asked.live()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::RecordedRuns;
    use crate::testing::Told;

    #[test]
    fn new_charts_have_a_new_version_and_old_ones_keep_theirs() {
        let site = Site::new(RecordedRuns::none());
        let state = |finished| RunState { finished, ..Told::named("r1", "one").0 };
        let told = ToldRun::show(&site, state(1), "<p>a</p>", ());
        let run = site.find("r1").unwrap();
        let mut seen = Vec::new();
        for (finished, charts) in [(2, "<p>a</p>"), (3, "<p>b</p>"), (4, "<p>b</p>")] {
            told.tell(state(finished), charts);
            seen.push((run.state().finished, run.state().charts_version));
        }
        assert_eq!(seen, [(2, 1), (3, 2), (4, 2)]);
        site.remove("r1");
        assert!(site.find("r1").is_none());
    }
}
