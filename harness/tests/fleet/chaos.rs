//! A whole fleet under fire: workers, broker and coordinator die again and again, the broker is away for
//! a minute, and engines misbehave. In the end everything is as if one machine had played alone.

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

use super::files::engine;
use super::outages::broker;
use super::same::summary;
use super::{Fleet, Running};
use crate::common::canonical::canonical;

/// Between two deaths of workers.
const WORKER_DIES_EVERY: Duration = Duration::from_secs(1);
const BROKER_STOPS_FOR: Duration = Duration::from_secs(60);
/// Without a game for this long the run is stuck. A chunk of a dead worker comes back after 30 s.
const STUCK_AFTER: Duration = Duration::from_secs(300);
const LOOK_EVERY: Duration = Duration::from_millis(20);
const ORPHANS_END_WITHIN: Duration = Duration::from_secs(10);
/// Slots of each worker.
const SLOTS: [usize; 4] = [1, 1, 2, 2];
/// Pairs of a chunk, in turn: each coordinator may cut otherwise.
const CHUNKS: [u32; 4] = [2, 1, 3, 1];

/// One match of the test.
struct Battle {
    run: &'static str,
    words: String,
    games: usize,
    coordinator_deaths: usize,
    broker_deaths: usize,
    broker_stops: bool,
}

const EMBEDDED: &str = "--test embedded,search.pvs=false --nodes 150";

#[test]
#[ignore = "five minutes; scripts/fleet-chaos.sh"]
fn embedded_players() {
    fight("embedded", EMBEDDED, 800, [4, 2], true);
}

#[test]
#[ignore = "three minutes; scripts/fleet-chaos.sh"]
fn a_process() {
    fight("uci", &format!("--base uci:mutineer {EMBEDDED}"), 600, [3, 2], false);
}

#[test]
#[ignore = "20 minutes; scripts/fleet-chaos.sh"]
fn engines_that_misbehave() {
    let seed = seed();
    // A process that was killed has told its last words to nobody: a new one for each game.
    let words = format!(
        "--base xboard:rascal,arg=chaos:{seed} --test uci:scoundrel,arg=chaos:{seed} --nodes 100 --restart \
         --max-moves 30 --draw off --resign off --max-faults off --hang 3s --hash 1MiB"
    );
    fight("rogues", &words, 600, [3, 1], false);
}

fn seed() -> u64 {
    std::env::var("CHAOS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

fn fight(
    run: &'static str,
    words: &str,
    games: usize,
    [coordinator_deaths, broker_deaths]: [usize; 2],
    broker_stops: bool,
) {
    let Some(fleet) = Fleet::start() else { return };
    for (from, to) in [
        (env!("CARGO_BIN_EXE_mutineer_process"), "mutineer"),
        (env!("CARGO_BIN_EXE_rascal"), "rascal"),
        (env!("CARGO_BIN_EXE_scoundrel"), "scoundrel"),
    ] {
        engine(from, &fleet.path(to));
    }
    let seed = seed();
    let words = format!("match {words} --quiet --pairs {} --seed {seed}", games / 2);
    let mut war = War::begin(fleet, seed);
    war.fight(&Battle { run, words, games, coordinator_deaths, broker_deaths, broker_stops });
    war.end();
}

struct War {
    fleet: Fleet,
    tokens: [String; 2],
    rng: ChaCha8Rng,
    workers: Vec<Running>,
    /// Workers that were started.
    started: usize,
    last_death: Instant,
    /// Until when the broker does nothing.
    stopped: Option<(libc::pid_t, Instant)>,
    began: Instant,
}

impl War {
    fn begin(fleet: Fleet, seed: u64) -> War {
        let tokens = ["alice", "bob"].map(|name| fleet.invite(name));
        let rng = ChaCha8Rng::seed_from_u64(seed);
        let now = Instant::now();
        let mut war = War {
            fleet,
            tokens,
            rng,
            workers: Vec::new(),
            started: 0,
            last_death: now,
            stopped: None,
            began: now,
        };
        for place in 0..SLOTS.len() {
            let worker = war.worker(place);
            war.workers.push(worker);
        }
        war
    }

    /// A new process in that place, under a name that none had before.
    fn worker(&mut self, place: usize) -> Running {
        self.started += 1;
        let words = format!(
            "worker --join {} --name w{} --slots {} --sandbox bwrap",
            self.tokens[place % 2],
            self.started,
            SLOTS[place]
        );
        self.process(&format!("worker{place}.log"), &words)
    }

    /// As [`Fleet::begin`]; the words of earlier processes stay in the file.
    fn process(&self, log: &str, words: &str) -> Running {
        let log = fs::File::options().create(true).append(true).open(self.fleet.path(log)).unwrap();
        let mut command = self.fleet.command(words);
        command.env("VERDICT_CACHE", self.fleet.path("cache"));
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        Running(command.spawn().unwrap())
    }

    /// Whether a second is over; then a worker has died, and another has come.
    fn worker_dies(&mut self) -> bool {
        if self.last_death.elapsed() < WORKER_DIES_EVERY {
            return false;
        }
        self.last_death = Instant::now();
        let place = self.rng.next_u64() as usize % SLOTS.len();
        self.workers[place].kill();
        self.workers[place] = self.worker(place);
        true
    }

    fn coordinator(&self, battle: &Battle, session: usize) -> Running {
        let fleet = format!("--fleet srv --slots {} --chunk {}", session % 2, CHUNKS[session % 4]);
        let words = match session {
            0 => format!("{} --out {} {fleet}", battle.words, battle.run),
            _ => format!("resume {} --quiet {fleet}", battle.run),
        };
        self.process(&format!("{}.log", battle.run), &words)
    }

    fn broker_stops(&mut self) {
        let pid = broker(&self.fleet);
        // SAFETY: a plain system call.
        assert_eq!(unsafe { libc::kill(pid, libc::SIGSTOP) }, 0);
        self.stopped = Some((pid, Instant::now() + BROKER_STOPS_FOR));
    }

    fn broker_goes_on(&mut self) {
        if let Some((pid, until)) = self.stopped
            && Instant::now() >= until
        {
            // SAFETY: a plain system call.
            unsafe { libc::kill(pid, libc::SIGCONT) };
            self.stopped = None;
        }
    }

    /// Plays the match on one machine, and then under fire.
    fn fight(&mut self, battle: &Battle) {
        let Battle { run, words, games, .. } = battle;
        let alone = self.fleet.run(&format!("{words} --out {run}-alone"));
        let expected = Outcome::of(&self.fleet, &format!("{run}-alone"), alone.status.code());
        assert_eq!(expected.games.len(), *games, "{}", String::from_utf8_lossy(&alone.stderr));

        let began = Instant::now();
        let mut session = 0;
        let (mut coordinator_deaths, mut broker_deaths, mut worker_deaths) = (0, 0, 0);
        let (mut unplayed, mut without_broker) = (0, 0);
        let log = format!("{run}.log");
        let mut said_before = 0;
        let mut coordinator = self.coordinator(battle, session);
        let mut last = (0, Instant::now());
        let mut must_stop = battle.broker_stops;
        let code = loop {
            sleep(LOOK_EVERY);
            worker_deaths += usize::from(self.worker_dies());
            self.broker_goes_on();
            let recorded = self.fleet.log(&format!("{run}/games.jsonl")).lines().count();
            if recorded > last.0 {
                last = (recorded, Instant::now());
            }
            assert!(last.1.elapsed() < STUCK_AFTER, "{recorded} games: {}", self.fleet.log(&log));
            if let Some(status) = coordinator.0.try_wait().unwrap() {
                let code = status.code();
                // Chunks that lost four workers are played when the run is resumed.
                if code.is_some_and(|code| code < 3) || recorded >= *games {
                    break code;
                }
                let said = self.fleet.log(&log).split_off(said_before);
                let away = ["no broker answers at", "the broker cannot be reached"];
                if away.iter().any(|words| said.contains(words)) {
                    // It was being started again.
                    without_broker += 1;
                } else {
                    assert!(said.contains("not all pairs were played"), "{status}: {said}");
                    unplayed += 1;
                    session += 1;
                }
                said_before += said.len();
                coordinator = self.coordinator(battle, session);
                continue;
            }
            let due = |deaths: usize, all: usize| recorded >= games * (deaths + 1) / (all + 1);
            if coordinator_deaths < battle.coordinator_deaths
                && due(coordinator_deaths, battle.coordinator_deaths)
            {
                coordinator.kill();
                coordinator_deaths += 1;
                said_before = self.fleet.log(&log).len();
                session += 1;
                coordinator = self.coordinator(battle, session);
            } else if must_stop && recorded >= games / 10 {
                must_stop = false;
                self.broker_stops();
            } else if self.stopped.is_none()
                && broker_deaths < battle.broker_deaths
                && due(broker_deaths, battle.broker_deaths)
            {
                // SAFETY: a plain system call.
                assert_eq!(unsafe { libc::kill(broker(&self.fleet), libc::SIGKILL) }, 0);
                broker_deaths += 1;
            }
        };
        let found = Outcome::of(&self.fleet, run, code);
        found.assert_is(&expected, run);
        assert_eq!(
            (coordinator_deaths, broker_deaths, must_stop),
            (battle.coordinator_deaths, battle.broker_deaths, false),
            "{run}: it was over too soon"
        );
        println!(
            "{run:8} {games} games, {:.0} s: {worker_deaths} workers, {coordinator_deaths} coordinators, \
             {broker_deaths} brokers killed{}; of the coordinators {without_broker} found no broker, {unplayed} \
             gave up chunks that had lost four workers; exit code {}: the same",
            began.elapsed().as_secs_f64(),
            if battle.broker_stops { ", the broker stopped for 60 s" } else { "" },
            code.unwrap_or(-1)
        );
    }

    fn end(mut self) {
        self.workers.clear();
        self.fleet.serve.signal(libc::SIGTERM);
        assert_eq!(self.fleet.serve.code(), Some(0));
        let place = self.fleet.dir.path().to_str().unwrap().to_owned();
        let until = Instant::now() + ORPHANS_END_WITHIN;
        loop {
            let left = processes_of(&place);
            if left.is_empty() {
                break;
            }
            assert!(Instant::now() < until, "left behind: {left:?}");
            sleep(LOOK_EVERY);
        }
        println!(
            "{} workers started, no process left, {:.0} s",
            self.started,
            self.began.elapsed().as_secs_f64()
        );
    }
}

/// Command lines in which a folder occurs.
fn processes_of(place: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(place)).collect()
}

/// What must not depend on who has played.
struct Outcome {
    code: Option<i32>,
    games: BTreeMap<u64, String>,
    summary: serde_json::Value,
}

impl Outcome {
    fn of(fleet: &Fleet, run: &str, code: Option<i32>) -> Outcome {
        let raw = fleet.log(&format!("{run}/games.jsonl"));
        let mut times: BTreeMap<u64, usize> = BTreeMap::new();
        for line in raw.lines() {
            let game: serde_json::Value = serde_json::from_str(line).unwrap();
            // An honest worker's games are never struck.
            let number = game["game"].as_u64().unwrap_or_else(|| panic!("{run}: {line}"));
            *times.entry(number).or_default() += 1;
        }
        let twice: Vec<u64> = times.iter().filter(|it| *it.1 != 1).map(|it| *it.0).collect();
        assert!(twice.is_empty(), "{run}: games that are recorded twice: {twice:?}");
        let lines = canonical(&fleet.path(run), None).unwrap();
        let games = times.into_keys().zip(lines.lines().map(without_chance)).collect();
        Outcome { code, games, summary: summary(&fleet.path(run)) }
    }

    fn assert_is(&self, expected: &Outcome, run: &str) {
        let missing: Vec<&u64> =
            expected.games.keys().filter(|game| !self.games.contains_key(game)).collect();
        assert!(missing.is_empty(), "{run}: games that are not recorded: {missing:?}");
        let differ: Vec<(&String, &String)> = expected
            .games
            .iter()
            .filter_map(|(game, alone)| Some((alone, self.games.get(game)?)))
            .filter(|(alone, found)| alone != found)
            .collect();
        if let Some((alone, found)) = differ.first() {
            panic!("{run}: {} games differ; alone:\n{alone}\non the fleet:\n{found}", differ.len());
        }
        assert_eq!(self.games.len(), expected.games.len(), "{run}: games beyond the last one");
        assert_eq!(self.code, expected.code, "{run}: exit code");
        assert_eq!(self.summary, expected.summary, "{run}: summary.json");
    }
}

/// An engine's last words to standard error name its process and threads; how much of a line without
/// an end has arrived when its process is killed is chance.
fn without_chance(line: &str) -> String {
    let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
    if let Some(detail) = game["detail"].as_str() {
        let detail = detail.split("; stderr: ").next().unwrap();
        let detail = detail.split("; last line: 'all work").next().unwrap();
        game["detail"] = detail.to_owned().into();
    }
    game.to_string()
}
