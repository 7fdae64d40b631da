//! What there is to do, and doing it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{HashSize, Params, Position};
use serde_json::{Map, Value, json};

use super::file::{ClaimsFile, MeasureKind, wrong};
use super::finding::Finding;
use super::known_finding::{KnownFinding, look};
use super::measurement::{Measurement, MeasurementState, Selection};
use super::measurement_file::MeasurementFile;
use super::terms::{ENGINE_DEPTH, MeasureTerms, PLAYER_DEPTH, StoredTerms, bench_nodes};
use super::{mates, micro, share, speed};
use crate::nightly::{Deadline, EntryKind, Night, NightEntry, NightFolder, NightlyPlan};
use arena::record::{CLAIMS_TABLE, GAMES_FILE};
use process::Error;
use tuning::sweep::speed::in_turn;

/// The measurements of a file of claims in a folder.
#[derive(Debug)]
pub struct Work<'a> {
    pub file: &'a ClaimsFile,
    pub dir: &'a Path,
    /// The engine in each personality, by the nodes of a short bench.
    engines: BTreeMap<String, u64>,
    /// Players that were asked for so far, in the same way.
    players: RefCell<BTreeMap<String, u64>>,
}

impl<'a> Work<'a> {
    pub fn new(file: &'a ClaimsFile, dir: &'a Path) -> Result<Work<'a>, Error> {
        let personalities = file.conditions.personalities.iter();
        let nodes = |name: &String| {
            let params = Params::personality(name).map_err(|error| wrong(dir, name, error))?;
            Ok((name.clone(), bench_nodes(params, ENGINE_DEPTH)))
        };
        let engines = personalities.map(nodes).collect::<Result<_, Error>>()?;
        Ok(Work { file, dir, engines, players: RefCell::default() })
    }

    /// What a measurement would be made of, now.
    fn terms(&self, job: &Measurement<'_>) -> Result<MeasureTerms, Error> {
        let engine = self.engines.get(job.personality).copied().unwrap_or_default();
        let players = [self.player(job, true)?.1, self.player(job, false)?.1];
        Ok(MeasureTerms::of(job, engine, &self.file.conditions, &players))
    }

    /// What the benches of both players of a measurement say, now; where positions are played out,
    /// searches of these, which no bench comes near.
    fn player_nodes(&self, job: &Measurement<'_>) -> Result<[u64; 2], Error> {
        if let (MeasureKind::Mates, Some(it)) = (job.measure, &job.claim.mates) {
            let (player, params) = self.player(job, true)?;
            let name = format!("{} {player}", job.claim.id);
            if let Some(&nodes) = self.players.borrow().get(&name) {
                return Ok([nodes; 2]);
            }
            let nodes = mates::nodes(params, it.depth, &it.positions)?;
            self.players.borrow_mut().insert(name, nodes);
            return Ok([nodes; 2]);
        }
        let nodes = |with| {
            let (player, params) = self.player(job, with)?;
            let mut known = self.players.borrow_mut();
            let nodes = known.entry(player).or_insert_with(|| bench_nodes(params, PLAYER_DEPTH));
            Ok::<_, Error>(*nodes)
        };
        Ok([nodes(true)?, nodes(false)?])
    }

    /// Whether what a measurement was begun with is so still.
    fn holds(&self, begun: &StoredTerms, job: &Measurement<'_>) -> Result<bool, Error> {
        begun.terms.are(self.terms(job)?, || self.player_nodes(job))
    }

    /// Whether a result is in its folder, of whatever it was measured.
    fn has_result(&self, job: &Measurement<'_>) -> bool {
        look(job, self.dir).is_ok_and(|found| !matches!(found, KnownFinding::NotYet))
    }

    pub fn state(&self, job: &Measurement<'_>) -> Result<MeasurementState, Error> {
        let dir = self.dir.join(job.name());
        Ok(match StoredTerms::read(&dir)? {
            Some(begun) if self.holds(&begun, job)? => {
                if begun.is_pointless(job.claim) {
                    MeasurementState::Alike
                } else if self.has_result(job) {
                    MeasurementState::Done
                } else {
                    MeasurementState::ToDo
                }
            }
            // A folder that only says what was to come is no loss.
            _ if self.has_result(job) || dir.join(GAMES_FILE).exists() => MeasurementState::Stale,
            _ => MeasurementState::ToDo,
        })
    }

    fn player(&self, job: &Measurement<'_>, with: bool) -> Result<(String, Params), Error> {
        let params = job.claim.params(job.personality, with);
        params.map_err(|reason| wrong(self.dir, &job.claim.id, reason))
    }

    /// All measurements of a selection, the matches last, which are long.
    pub fn jobs(&self, wanted: &Selection) -> Vec<Measurement<'a>> {
        let asks =
            |list: &[String], name: &str| list.is_empty() || list.iter().any(|it| it == name);
        let personalities = &self.file.conditions.personalities;
        let any_known = personalities.iter().any(|name| asks(&wanted.personalities, name));
        let of_measure = |measure: MeasureKind| {
            let claims = self.file.claims.iter();
            let claims = claims.filter(move |claim| claim.range(measure).is_some());
            let count = if measure == MeasureKind::Micro { 1 } else { personalities.len() };
            claims.flat_map(move |claim| {
                let job = move |personality| Measurement { claim, personality, measure };
                personalities.iter().map(String::as_str).take(count).map(job)
            })
        };
        [
            MeasureKind::Micro,
            MeasureKind::Share,
            MeasureKind::Mates,
            MeasureKind::Speed,
            MeasureKind::Match,
        ]
        .into_iter()
        .filter(|measure| wanted.measures.is_empty() || wanted.measures.contains(measure))
        .flat_map(of_measure)
        .filter(|job| {
            let begins = |id: &String| job.claim.id.starts_with(id.as_str());
            wanted.only.is_empty() || wanted.only.iter().any(begins)
        })
        .filter(|job| match job.measure {
            // How a program is built is no matter of personality.
            MeasureKind::Micro => any_known,
            _ => asks(&wanted.personalities, job.personality),
        })
        .collect()
    }

    /// Measures what is not done yet, until the deadline or until `late` says so: a signal ends
    /// games by itself. Returns how many are left.
    pub async fn run(
        &self,
        jobs: &[Measurement<'_>],
        (deadline, late): (Option<Deadline>, &dyn Fn() -> bool),
        say: &dyn Fn(&str),
    ) -> Result<usize, Error> {
        fs::create_dir_all(self.dir).map_err(Error::io(self.dir, "create"))?;
        let positions = speed::positions(self.file.conditions.positions)?;
        // What cannot be measured is said before anything else is.
        for mates in jobs.iter().filter_map(|job| job.claim.mates.as_ref()) {
            mates::positions(&mates.positions)?;
        }
        let mut matches = Vec::new();
        for job in jobs {
            let state = self.state(job)?;
            if state.is_done() {
                continue;
            }
            if late() {
                break;
            }
            if state == MeasurementState::Stale {
                self.put_away(job, say)?;
            }
            let dir = self.dir.join(job.name());
            let alike = match StoredTerms::read(&dir)? {
                Some(before) if self.holds(&before, job)? => before.alike,
                _ => None,
            };
            let mut terms = self.terms(job)?;
            terms.players = Some(self.player_nodes(job)?);
            let mut begun = StoredTerms { terms, alike };
            if job.measure != MeasureKind::Match {
                begun.write(&dir)?;
                self.search(job, &positions, late, say)?;
                continue;
            }
            if begun.alike.is_none() {
                begun.alike = self.search_alike(job, &positions, late)?;
                begun.write(&dir)?;
            }
            if begun.is_pointless(job.claim) {
                say(&format!("{}: both search alike, no match is played", job.name()));
            } else {
                matches.push(self.entry(job));
            }
        }
        if late() {
            // A signal that came before there were games would not end them.
            matches.clear();
        }
        let plan = NightlyPlan { until: None, matches };
        let folder = &NightFolder::open(self.dir)?;
        let night = Night { folder, plan: &plan, deadline, quiet: true, say, note: &|_| () };
        night.play().await?;
        let states = jobs.iter().map(|job| self.state(job));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        Ok(states.iter().filter(|state| !state.is_done()).count())
    }

    /// Whether both players search alike in all positions; `None` when `late` says so meanwhile.
    fn search_alike(
        &self,
        job: &Measurement<'_>,
        positions: &[Position],
        late: &dyn Fn() -> bool,
    ) -> Result<Option<bool>, Error> {
        // Other nodes, other openings: these positions do not tell.
        if job.claim.elo.as_ref().is_some_and(|elo| elo.odds.is_some() || elo.openings.is_some()) {
            return Ok(Some(false));
        }
        let players = [self.player(job, true)?.1, self.player(job, false)?.1].map(Arc::new);
        let depth = self.file.conditions.depth_of(job.personality);
        // Most differ soon.
        for depth in [depth.saturating_sub(3).max(1), depth] {
            let Some(costs) = in_turn(&players, (HashSize::MIN, depth, 0), positions, late) else {
                return Ok(None);
            };
            if costs[0].nodes != costs[1].nodes {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }

    /// Moves a measurement that no longer says anything out of the way; nothing is lost.
    fn put_away(&self, job: &Measurement<'_>, say: &dyn Fn(&str)) -> Result<(), Error> {
        let name = job.name();
        let mut old = (1..).map(|number| self.dir.join("old").join(format!("{name}-{number}")));
        let Some(old) = old.find(|path| !path.exists()) else { return Ok(()) };
        fs::create_dir_all(&old).map_err(Error::io(&old, "create"))?;
        for part in [name.clone(), format!("{name}.plan.json"), format!("{name}.log")] {
            let from = self.dir.join(&part);
            if from.exists() {
                fs::rename(&from, old.join(&part)).map_err(Error::io(&from, "move"))?;
            }
        }
        say(&format!("{name}: measured otherwise, moved to {}", old.display()));
        Ok(())
    }

    /// Measures what needs no match; nothing is written when `late` says so meanwhile.
    fn search(
        &self,
        job: &Measurement<'_>,
        positions: &[Position],
        late: &dyn Fn() -> bool,
        say: &dyn Fn(&str),
    ) -> Result<(), Error> {
        let (claim, name) = (job.claim, job.name());
        let dir = self.dir.join(&name);
        let conditions = &self.file.conditions;
        let depth = claim.depth(job.measure, conditions, job.personality);
        let with = self.player(job, true)?;
        let text = match job.measure {
            MeasureKind::Match => None,
            MeasureKind::Speed => {
                let players = [with, self.player(job, false)?];
                speed::measure(players, (depth, conditions.rounds), positions, late)
                    .map(|found| found.write(&dir).map(|()| found.faster().times()))
            }
            MeasureKind::Share => claim.share.as_ref().and_then(|shared| {
                let found = share::measure(with, shared.counter, depth, positions, late)?;
                let share = found.finding().map(Finding::percent);
                let told = share.unwrap_or_else(|| "nothing counted".to_owned());
                Some(found.write(&dir).map(|()| told))
            }),
            MeasureKind::Mates => match &claim.mates {
                Some(it) => mates::measure(with, it.depth, &it.positions, late)?.map(|found| {
                    let told = found.within(it.moves).map(Finding::percent);
                    found.write(&dir).map(|()| told.unwrap_or_default())
                }),
                None => None,
            },
            MeasureKind::Micro => claim.micro.as_ref().and_then(|compared| {
                let found = micro::measure(compared.benchmark, with.1, positions, late)?;
                Some(found.write(&dir).map(|()| found.faster().times()))
            }),
        };
        if let Some(told) = text {
            say(&format!("{name}: {}", told?));
        }
        Ok(())
    }

    fn entry(&self, job: &Measurement<'_>) -> NightEntry {
        let conditions = &self.file.conditions;
        let elo = job.claim.elo.as_ref();
        let nodes = elo.and_then(|elo| elo.nodes).unwrap_or(conditions.nodes);
        let limit = match elo.map(|elo| (elo.depth, &elo.tc)) {
            Some((Some(depth), _)) => ("depth", json!(depth)),
            Some((_, Some(tc))) => ("tc", json!(tc)),
            _ => ("nodes", json!(nodes)),
        };
        let odds = elo.and_then(|elo| elo.odds);
        let odds = odds.map(|odds| ("test-limit", json!(format!("nodes={}", nodes * odds))));
        let book = elo.and_then(|elo| elo.openings.as_ref()).map(|book| ("book", json!(book)));
        let flags: Map<String, Value> = [
            ("base", json!(job.claim.player(job.personality, false))),
            ("test", json!(job.claim.player(job.personality, true))),
            ("pairs", json!(conditions.pairs)),
            ("seed", json!(conditions.seed)),
            ("rule", json!(format!("los=95,pairs={}", conditions.pairs))),
            limit,
        ]
        .into_iter()
        .chain(odds)
        .chain(book)
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
        NightEntry { name: job.name(), word: EntryKind::Match, flags }
    }

    pub fn readme(&self) -> PathBuf {
        self.dir.join(CLAIMS_TABLE)
    }
}
