//! What there is to do, and doing it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{HashSize, Params, Position};
use serde_json::{Map, Value, json};

use super::file::{ClaimsFile, MeasureKind, wrong};
use super::finding::{ClaimOutcome, Finding};
use super::known_finding::{KnownFinding, KnownFindings, look};
use super::measurement::{Measurement, MeasurementState, Selection};
use super::measurement_file::MeasurementFile;
use super::page::{self, ThenAndNow};
use super::terms::{ENGINE_DEPTH, MeasureTerms, PLAYER_DEPTH, StoredTerms, bench_nodes};
use super::{matches, mates, micro, share, speed, table};
use crate::nightly::{Deadline, EntryKind, Night, NightEntry, NightFolder, NightlyPlan};
use arena::record::atomic::replace_by;
use arena::record::{CLAIMS_TABLE, GAMES_FILE};
use process::Error;
use tuning::sweep::speed::in_turn;

/// The measurements of a file of claims in a folder.
#[derive(Debug)]
pub struct Work<'a> {
    pub file: &'a ClaimsFile,
    pub dir: &'a Path,
    /// More words for each match: by whom it is played.
    pub words: Vec<OsString>,
    /// The engine in the personalities that were asked for so far, by the nodes of a short bench.
    engines: RefCell<BTreeMap<String, u64>>,
    /// Players that were asked for so far, in the same way.
    players: RefCell<BTreeMap<String, u64>>,
}

impl<'a> Work<'a> {
    pub fn new(file: &'a ClaimsFile, dir: &'a Path) -> Work<'a> {
        let (engines, players) = (RefCell::default(), RefCell::default());
        Work { file, dir, words: Vec::new(), engines, players }
    }

    fn engine_nodes(&self, personality: &str) -> Result<u64, Error> {
        if let Some(&nodes) = self.engines.borrow().get(personality) {
            return Ok(nodes);
        }
        let params = Params::personality(personality);
        let params = params.map_err(|error| wrong(self.dir, personality, error))?;
        let nodes = bench_nodes(params, ENGINE_DEPTH);
        self.engines.borrow_mut().insert(personality.to_owned(), nodes);
        Ok(nodes)
    }

    /// What a measurement would be made of, now.
    fn terms(&self, measurement: &Measurement<'_>) -> Result<MeasureTerms, Error> {
        let engine = self.engine_nodes(measurement.personality)?;
        let players = [self.player(measurement, true)?.1, self.player(measurement, false)?.1];
        Ok(MeasureTerms::of(measurement, engine, &self.file.conditions, &players))
    }

    /// What the benches of both players of a measurement say, now; where positions are played out,
    /// searches of these, which no bench comes near.
    fn player_nodes(&self, measurement: &Measurement<'_>) -> Result<[u64; 2], Error> {
        if let (MeasureKind::Mates, Some(it)) = (measurement.measure, &measurement.claim.mates) {
            let (player, params) = self.player(measurement, true)?;
            let name = format!("{} {player}", measurement.claim.id);
            if let Some(&nodes) = self.players.borrow().get(&name) {
                return Ok([nodes; 2]);
            }
            let nodes = mates::nodes(params, it.depth, &it.positions)?;
            self.players.borrow_mut().insert(name, nodes);
            return Ok([nodes; 2]);
        }
        let nodes = |with| {
            let (player, params) = self.player(measurement, with)?;
            let mut known = self.players.borrow_mut();
            let nodes = known.entry(player).or_insert_with(|| bench_nodes(params, PLAYER_DEPTH));
            Ok::<_, Error>(*nodes)
        };
        Ok([nodes(true)?, nodes(false)?])
    }

    /// Whether what a measurement was begun with is so still.
    fn holds(&self, begun: &StoredTerms, measurement: &Measurement<'_>) -> Result<bool, Error> {
        begun.terms.are(self.terms(measurement)?, || self.player_nodes(measurement))
    }

    /// Whether a result is in its folder, of whatever it was measured.
    fn has_result(&self, measurement: &Measurement<'_>) -> bool {
        look(measurement, self.dir).is_ok_and(|found| !matches!(found, KnownFinding::NotYet))
    }

    /// What is known of a measurement, of a match with what more of it was played.
    pub(super) fn known(&self, measurement: &Measurement<'_>) -> Result<KnownFinding, Error> {
        Ok(match self.state(measurement)? {
            MeasurementState::Done if measurement.measure == MeasureKind::More => {
                KnownFinding::Nothing
            }
            MeasurementState::Done => {
                let more = measurement.more();
                let goes_on = measurement.measure == MeasureKind::Match
                    && self.state(&more)? == MeasurementState::Done;
                if goes_on {
                    let dirs = [measurement, &more].map(|part| self.dir.join(part.name()));
                    matches::look(measurement.claim, &dirs.each_ref().map(PathBuf::as_path))
                } else {
                    look(measurement, self.dir)?
                }
            }
            MeasurementState::Alike => KnownFinding::Alike,
            MeasurementState::Stale => KnownFinding::Stale(Box::new(look(measurement, self.dir)?)),
            MeasurementState::ToDo => KnownFinding::NotYet,
            MeasurementState::NotNeeded => KnownFinding::Nothing,
        })
    }

    pub(super) fn all_known(&self) -> Result<KnownFindings, Error> {
        let all = self.measurements(&Selection::default()).into_iter();
        all.map(|measurement| Ok((measurement.name(), self.known(&measurement)?))).collect()
    }

    /// Whether a match was played and left its claim unclear.
    fn is_unclear(&self, measurement: &Measurement<'_>) -> Result<bool, Error> {
        if self.state(measurement)? != MeasurementState::Done {
            return Ok(false);
        }
        let found = look(measurement, self.dir)?;
        Ok(matches!(
            found,
            KnownFinding::Undefined(_) | KnownFinding::Found { outcome: ClaimOutcome::Unclear, .. }
        ))
    }

    pub fn state(&self, measurement: &Measurement<'_>) -> Result<MeasurementState, Error> {
        if measurement.measure == MeasureKind::More && !self.is_unclear(&measurement.first())? {
            return Ok(MeasurementState::NotNeeded);
        }
        let dir = self.dir.join(measurement.name());
        Ok(match StoredTerms::read(&dir)? {
            Some(begun) if self.holds(&begun, measurement)? => {
                if begun.is_pointless(measurement.claim) {
                    MeasurementState::Alike
                } else if self.has_result(measurement) {
                    MeasurementState::Done
                } else {
                    MeasurementState::ToDo
                }
            }
            // A folder that only says what was to come is no loss.
            _ if self.has_result(measurement) || dir.join(GAMES_FILE).exists() => {
                MeasurementState::Stale
            }
            _ => MeasurementState::ToDo,
        })
    }

    fn player(&self, measurement: &Measurement<'_>, with: bool) -> Result<(String, Params), Error> {
        let params = measurement.claim.params(measurement.personality, with);
        params.map_err(|reason| wrong(self.dir, &measurement.claim.id, reason))
    }

    /// All measurements of a selection: the matches last, which are long, and more of a match
    /// behind all of them.
    pub fn measurements(&self, wanted: &Selection) -> Vec<Measurement<'a>> {
        let asks =
            |list: &[String], name: &str| list.is_empty() || list.iter().any(|it| it == name);
        let conditions = &self.file.conditions;
        let known = self.file.personalities();
        let any_known = known.into_iter().any(|name| asks(&wanted.personalities, name));
        let goes_on = conditions.part(MeasureKind::More).0 > 0;
        let of_measure = |measure: MeasureKind| {
            let claims = self.file.claims.iter();
            let claims = claims.filter(move |claim| claim.range(measure).is_some());
            let count = if measure == MeasureKind::Micro { 1 } else { usize::MAX };
            claims.flat_map(move |claim| {
                let measurement = move |personality| Measurement { claim, personality, measure };
                claim.measured_in(conditions).take(count).map(measurement)
            })
        };
        [
            MeasureKind::Micro,
            MeasureKind::Share,
            MeasureKind::Mates,
            MeasureKind::Speed,
            MeasureKind::Match,
            MeasureKind::More,
        ]
        .into_iter()
        .filter(|&measure| goes_on || measure != MeasureKind::More)
        .filter(|measure| wanted.measures.is_empty() || wanted.measures.contains(measure))
        .flat_map(of_measure)
        .filter(|measurement| {
            let begins = |id: &String| measurement.claim.id.starts_with(id.as_str());
            wanted.only.is_empty() || wanted.only.iter().any(begins)
        })
        .filter(|measurement| match measurement.measure {
            // How a program is built is no matter of personality.
            MeasureKind::Micro => any_known,
            _ => asks(&wanted.personalities, measurement.personality),
        })
        .collect()
    }

    /// Measures what is not done yet, until the deadline or until `late` says so: a signal ends
    /// games by itself. Returns how many are left.
    pub async fn run(
        &self,
        measurements: &[Measurement<'_>],
        (deadline, late): (Option<Deadline>, &dyn Fn() -> bool),
        say: &dyn Fn(&str),
    ) -> Result<usize, Error> {
        fs::create_dir_all(self.dir).map_err(Error::io(self.dir, "create"))?;
        let positions = speed::positions(self.file.conditions.positions)?;
        // What cannot be measured is said before anything else is.
        for mates in measurements.iter().filter_map(|measurement| measurement.claim.mates.as_ref())
        {
            mates::positions(&mates.positions)?;
        }
        let folder = &NightFolder::open(self.dir)?;
        for measurement in measurements {
            if late() {
                break;
            }
            let Some(entry) = self.prepare(measurement, &positions, late, say)? else { continue };
            // A signal that came before there were games would not end them.
            if late() {
                break;
            }
            let (plan, words) =
                (&NightlyPlan { until: None, matches: vec![entry] }, &self.words[..]);
            let night = Night { folder, plan, deadline, words, quiet: true, say, note: &|_| () };
            if night.play().await?.by_user {
                break;
            }
        }
        let states = measurements.iter().map(|measurement| self.state(measurement));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        Ok(states.iter().filter(|state| !state.is_done()).count())
    }

    /// Measures what is not done yet and needs no games; returns the match that is to be played.
    fn prepare(
        &self,
        measurement: &Measurement<'_>,
        positions: &[Position],
        late: &dyn Fn() -> bool,
        say: &dyn Fn(&str),
    ) -> Result<Option<NightEntry>, Error> {
        let state = self.state(measurement)?;
        if state.is_done() {
            return Ok(None);
        }
        if state == MeasurementState::Stale {
            self.put_away(measurement, say)?;
        }
        let dir = self.dir.join(measurement.name());
        let alike = match StoredTerms::read(&dir)? {
            Some(before) if self.holds(&before, measurement)? => before.alike,
            _ => None,
        };
        let mut terms = self.terms(measurement)?;
        terms.players = Some(self.player_nodes(measurement)?);
        let mut begun = StoredTerms { terms, alike };
        if !measurement.measure.is_match() {
            begun.write(&dir)?;
            self.search(measurement, positions, late, say)?;
            return Ok(None);
        }
        if begun.alike.is_none() {
            begun.alike = self.search_alike(measurement, positions, late)?;
            begun.write(&dir)?;
        }
        if begun.is_pointless(measurement.claim) {
            say(&format!("{}: both search alike, no match is played", measurement.name()));
            return Ok(None);
        }
        Ok(Some(self.entry(measurement)))
    }

    /// Whether both players search alike in all positions; `None` when `late` says so meanwhile.
    fn search_alike(
        &self,
        measurement: &Measurement<'_>,
        positions: &[Position],
        late: &dyn Fn() -> bool,
    ) -> Result<Option<bool>, Error> {
        // Other nodes, other openings: these positions do not tell. A rare mechanism is played whatever they
        // tell, and more is played of a match.
        let elo = measurement.claim.elo.as_ref();
        if measurement.claim.rare
            || measurement.measure == MeasureKind::More
            || elo.is_some_and(|elo| elo.odds.is_some() || elo.openings.is_some())
        {
            return Ok(Some(false));
        }
        let players =
            [self.player(measurement, true)?.1, self.player(measurement, false)?.1].map(Arc::new);
        let depth = self.file.conditions.depth_of(measurement.personality);
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
    fn put_away(&self, measurement: &Measurement<'_>, say: &dyn Fn(&str)) -> Result<(), Error> {
        let name = measurement.name();
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
        measurement: &Measurement<'_>,
        positions: &[Position],
        late: &dyn Fn() -> bool,
        say: &dyn Fn(&str),
    ) -> Result<(), Error> {
        let (claim, name) = (measurement.claim, measurement.name());
        let dir = self.dir.join(&name);
        let conditions = &self.file.conditions;
        let depth = claim.depth(measurement.measure, conditions, measurement.personality);
        let with = self.player(measurement, true)?;
        let text = match measurement.measure {
            MeasureKind::Match | MeasureKind::More => None,
            MeasureKind::Speed => {
                let players = [with, self.player(measurement, false)?];
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

    fn entry(&self, measurement: &Measurement<'_>) -> NightEntry {
        let conditions = &self.file.conditions;
        let (pairs, seed) = conditions.part(measurement.measure);
        let elo = measurement.claim.elo.as_ref();
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
            ("base", json!(measurement.claim.player(measurement.personality, false))),
            ("test", json!(measurement.claim.player(measurement.personality, true))),
            ("pairs", json!(pairs)),
            ("seed", json!(seed)),
            ("rule", json!(format!("los=95,pairs={pairs}"))),
            limit,
        ]
        .into_iter()
        .chain(odds)
        .chain(book)
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
        NightEntry { name: measurement.name(), word: EntryKind::Match, bisect: false, flags }
    }

    pub fn readme(&self) -> PathBuf {
        self.dir.join(CLAIMS_TABLE)
    }

    /// Writes the table, the page for visitors and its pictures from what lies in the folders.
    pub fn write_pages(&self) -> Result<(), Error> {
        let known = self.all_known()?;
        let ThenAndNow { page, pictures } = page::render(self.file, &known);
        let folder = self.dir.join(page::PICTURES);
        fs::create_dir_all(&folder).map_err(Error::io(&folder, "create"))?;
        for (name, picture) in pictures {
            write_changed(&folder.join(name), picture)?;
        }
        write_changed(&self.dir.join(page::PAGE), page)?;
        write_changed(&self.readme(), table::render(self, &known)?)
    }
}

/// Writes a file unless it is there with that text: of a hundred pictures few change.
fn write_changed(path: &Path, text: String) -> Result<(), Error> {
    if fs::read_to_string(path).is_ok_and(|before| before == text) {
        return Ok(());
    }
    Ok(replace_by(path, text)?)
}
