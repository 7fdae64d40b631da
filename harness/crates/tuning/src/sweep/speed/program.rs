//! The speed of a program, by what it tells of its searches.

use std::sync::Arc;

use engine::Position;
use shakmaty::Color;
use tokio::runtime::Handle;

use super::Cost;
use crate::base::game_options;
use crate::tunable::Tunable;
use arena::plan::Plan;
use arena::player::external::External;
use arena::player::program::{GameOptions, ProgramHost, ProgramSpec};
use arena::player::{Fault, GoLimit};
use arena::record::Side;
use arena::runner::Stops;
use arena::session::settings;
use process::Error;

/// A program that is timed.
pub(super) struct ProgramClock {
    spec: ProgramSpec,
    host: Arc<ProgramHost>,
    /// Whether values are set when it is started, in place of between two searches.
    restart: bool,
    depth: u32,
    /// Running, and what it was told last.
    player: Option<(External, GameOptions)>,
}

impl ProgramClock {
    pub(super) fn new(plan: &Plan, depth: u32) -> Result<ProgramClock, Error> {
        let spec = ProgramSpec::parse(&plan.base.to_string())?;
        let settings = settings(plan, Side::Base);
        let host = ProgramHost::new(settings, Handle::current(), Stops::default().now_token())?;
        Ok(ProgramClock { spec, host, restart: plan.restarts(Side::Base), depth, player: None })
    }

    pub(super) fn options<'a>(
        &self,
        values: impl Iterator<Item = (&'a Tunable, f64)>,
    ) -> Result<GameOptions, Error> {
        game_options(self.spec.protocol, values)
    }

    /// Searches every position, each player in turn before the next position; who begins changes
    /// with position and round.
    pub(super) fn in_turn(
        &mut self,
        players: &[GameOptions],
        round: u32,
        positions: &[Position],
    ) -> Result<Vec<Cost>, Error> {
        let nothing = vec![0; positions.len()];
        let nothing = Cost { nodes: nothing.clone(), micros: nothing };
        let mut costs = vec![nothing; players.len()];
        for (place, position) in positions.iter().enumerate() {
            for turn in 0..players.len() {
                let player = (turn + place + round as usize) % players.len();
                let (nodes, micros) = self.search(&players[player], position)?;
                costs[player].nodes[place] = nodes;
                costs[player].micros[place] = micros;
            }
        }
        Ok(costs)
    }

    /// Nodes and microseconds.
    fn search(&mut self, options: &GameOptions, position: &Position) -> Result<(u64, u64), Error> {
        let told = |fault: Fault| {
            let error = match fault {
                Fault::Lack(lack) => Error::input_output(lack),
                fault => Error::fault(fault),
            };
            error.context(self.spec.path.display())
        };
        let ready = match self.player.take().filter(|_| !self.restart) {
            Some((mut player, was)) => {
                let changes = options.changes(&was);
                let set = if changes.is_empty() { Ok(()) } else { player.set_options(&changes) };
                set.map(|()| player)
            }
            None => {
                let spec = self.spec.clone().with_options(options.values());
                External::start(&spec, &self.host).map_err(|error| error.fault)
            }
        };
        let mut player = ready.map_err(told)?;
        let fen = position.fen();
        let turn = if fen.split(' ').nth(1) == Some("b") { Color::Black } else { Color::White };
        let thought = player
            .new_game(&fen, position.is_chess960())
            .and_then(|()| player.think(turn, "", &GoLimit::Depth(self.depth)))
            .map_err(told)?;
        let micros = u64::try_from(thought.time.as_micros()).unwrap_or(u64::MAX);
        if self.restart {
            player.quit();
        } else {
            self.player = Some((player, options.clone()));
        }
        Ok((thought.nodes, micros))
    }
}
