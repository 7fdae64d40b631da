//! Players whose parameters or options differ from pair to pair, as a tuner tries them out.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use engine::{HashSize, Params};

use crate::plan::Plan;
use crate::player::program::{GameOptions, Protocol};
use crate::player::spec::{PlayerSpec, embedded_params};
use crate::pool::PlayerPool;
use crate::record::{BySide, Side};
use crate::runner::Contest;
use crate::session::VariedOption;
use process::Error;

/// Text by the name of a parameter or option. Of an embedded player only what differs from the
/// plan's; of a program all options that are varied.
pub type Values = BTreeMap<String, String>;

/// What the players of a pair are given besides their plan.
pub type PairValues = BySide<Values>;

/// Makes players with other values of those of a match. Those of equal values are one, as long as
/// games of them are left.
pub struct VariedPlayers {
    contest: Arc<Contest>,
    kinds: BySide<Kind>,
    /// Those of programs. They are told in this order.
    options: Vec<VariedOption>,
    made: Vec<(Side, Values, Weak<PlayerPool>)>,
}

enum Kind {
    Embedded(Box<Params>, HashSize),
    Program(Protocol),
}

impl Kind {
    fn of(plan: &Plan, side: Side) -> Result<Kind, Error> {
        Ok(match plan.player(side) {
            PlayerSpec::Embedded { personality, parameters } => {
                let params = embedded_params(personality, parameters)?;
                let hash = usize::try_from(plan.embedded_hash(side).0).unwrap_or(usize::MAX);
                Kind::Embedded(Box::new(params), HashSize::from_bytes(hash))
            }
            PlayerSpec::Program { protocol, .. } => Kind::Program(*protocol),
        })
    }
}

impl VariedPlayers {
    /// Of the match that is played by `contest`.
    pub fn new(
        plan: &Plan,
        options: Vec<VariedOption>,
        contest: Arc<Contest>,
    ) -> Result<VariedPlayers, Error> {
        let kinds = BySide { base: Kind::of(plan, Side::Base)?, test: Kind::of(plan, Side::Test)? };
        Ok(VariedPlayers { contest, kinds, options, made: Vec::new() })
    }

    /// For a pair of these values. Fails, with what was expected, where a parameter or option does not
    /// take its value.
    pub fn contest(&mut self, values: &PairValues) -> Result<Arc<Contest>, Error> {
        self.made.retain(|(.., pool)| pool.strong_count() > 0);
        let base = self.pool(Side::Base, &values.base)?;
        let test = self.pool(Side::Test, &values.test)?;
        let Contest { book, rules, stops, live, .. } = &*self.contest;
        let (book, rules) = (Arc::clone(book), rules.clone());
        let (stops, live) = (stops.clone(), live.clone());
        Ok(Arc::new(Contest { book, rules, base, test, stops, live }))
    }

    fn pool(&mut self, side: Side, values: &Values) -> Result<Arc<PlayerPool>, Error> {
        let of_plan = side.choose(&self.contest.base, &self.contest.test);
        if values.is_empty() {
            return Ok(Arc::clone(of_plan));
        }
        let mut made = self.made.iter().filter(|(of, with, _)| *of == side && with == values);
        if let Some(pool) = made.find_map(|(.., pool)| pool.upgrade()) {
            return Ok(pool);
        }
        let pool = Arc::new(match side.choose(&self.kinds.base, &self.kinds.test) {
            Kind::Embedded(params, hash) => {
                let mut params = Params::clone(params);
                for (name, value) in values {
                    params.set(name, value).map_err(Error::usage)?;
                }
                PlayerPool::embedded(params, *hash)
            }
            // Each side has processes of its own, so that few values change between two games.
            Kind::Program(protocol) => of_plan.with_options(self.told(*protocol, values)?),
        });
        self.made.push((side, values.clone(), Arc::downgrade(&pool)));
        Ok(pool)
    }

    /// The values as a program is told them before a game.
    fn told(&self, protocol: Protocol, values: &Values) -> Result<GameOptions, Error> {
        let options = self.options.iter().map(|option| &option.declared);
        if let Some(name) = values.keys().find(|name| !options.clone().any(|it| it.name == **name))
        {
            return Err(Error::usage(format!("{name} is none of the options that are varied")));
        }
        let told = options.filter_map(|it| Some((it, values.get(&it.name)?.clone())));
        GameOptions::new(protocol, told).map_err(Error::usage)
    }
}
