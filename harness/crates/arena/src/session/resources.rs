//! What matches are played with: books, tablebases, players. Matches of one session share them.

use std::path::PathBuf;
use std::sync::Arc;

use super::shared::{SharedPools, VariedOption};
use super::{SessionError, load, player};
use crate::game::{GameRules, Tablebases};
use crate::hands::{Hands, Here};
use crate::plan::Plan;
use crate::pool::PlayerPool;
use crate::record::{BookIdentity, Identity, RunFile, Side};
use crate::runner::{Contest, LiveGames, Stops};
use pgn::{Book, BookFormat};
use process::Error;
use process::children::Confinement;

/// File, plies of its games, whether it is Chess960's.
type BookKey = (Option<PathBuf>, Option<u32>, bool);

/// Each made once.
pub struct Resources {
    books: Vec<(BookKey, Arc<Book>)>,
    tablebases: Vec<(Vec<PathBuf>, Arc<Tablebases>)>,
    players: Vec<(String, Arc<PlayerPool>, Identity)>,
    shared: SharedPools,
    stops: Stops,
    hands: Arc<dyn Hands>,
    is_shown: bool,
    confinement: Option<Arc<Confinement>>,
}

/// How many openings a plan's book has.
pub fn openings(plan: &Plan) -> Result<u64, SessionError> {
    Resources::new(Stops::default()).book(plan).map(|book| book.len() as u64)
}

impl Resources {
    pub fn new(stops: Stops) -> Resources {
        Resources {
            books: Vec::new(),
            tablebases: Vec::new(),
            players: Vec::new(),
            shared: SharedPools::default(),
            stops,
            hands: Arc::new(Here),
            is_shown: false,
            confinement: None,
        }
    }

    /// Has others play the matches.
    pub fn with_hands(self, hands: Arc<dyn Hands>) -> Resources {
        Resources { hands, ..self }
    }

    /// Has programs run there.
    pub fn confined(self, confinement: Arc<Confinement>) -> Resources {
        Resources { confinement: Some(confinement), ..self }
    }

    /// Who plays the matches.
    pub fn hands(&self) -> Arc<dyn Hands> {
        Arc::clone(&self.hands)
    }

    /// From now on the games of each match can be looked at while they are played.
    pub fn show(&mut self) {
        self.is_shown = true;
    }

    /// From now on these options of programs are told between two games: players that differ only
    /// in them use the same processes.
    pub fn vary(&mut self, options: Vec<VariedOption>) {
        self.players.clear();
        self.shared.vary(options);
    }

    /// Checks that a match can be played.
    pub fn check(&mut self, plan: &Plan) -> Result<(), SessionError> {
        self.ready(plan, self.stops.clone()).map(drop)
    }

    /// Checks what a match is played with, of its players only `sides`: others may not be built
    /// yet.
    pub fn look_at(&mut self, plan: &Plan, sides: &[Side]) -> Result<(), SessionError> {
        let book = self.checked_book(plan)?;
        self.tablebases(plan)?;
        sides.iter().try_for_each(|side| self.player(plan, *side, &book).map(drop))
    }

    pub fn ready(
        &mut self,
        plan: &Plan,
        stops: Stops,
    ) -> Result<(RunFile, Arc<Contest>), SessionError> {
        let value = plan.to_json()?;
        let book = self.checked_book(plan)?;
        let identity = BookIdentity {
            path: book.path().display().to_string(),
            sha256: book.sha256().to_owned(),
            openings: book.len() as u64,
        };
        let tablebases = self.tablebases(plan)?;
        if let Some(path) = &plan.traffic {
            std::fs::create_dir_all(path)
                .map_err(|source| SessionError::Traffic { path: path.clone(), source })?;
        }
        let (base, base_identity) = self.player(plan, Side::Base, &book)?;
        let (test, test_identity) = self.player(plan, Side::Test, &book)?;
        let load = load::of(plan, [&base_identity, &test_identity]);
        let oversubscribed = Some(load).filter(|load| load.is_too_much() && !plan.repeats_itself());
        let rules = GameRules { oversubscribed, ..plan.rules(tablebases) };
        let run = RunFile::new(value, plan.seed, base_identity, test_identity, Some(identity));
        let live = self.is_shown.then(|| Arc::new(LiveGames::default()));
        Ok((run, Arc::new(Contest { book, rules, base, test, stops, live })))
    }

    fn checked_book(&mut self, plan: &Plan) -> Result<Arc<Book>, SessionError> {
        let book = self.book(plan)?;
        match (plan.openings.plies, book.format()) {
            (Some(plies), BookFormat::Epd) => Err(Error::usage(format!(
                "--opening-plies {plies}: expected a book with moves (--book FILE.pgn or FILE.bin)"
            ))
            .into()),
            _ => Ok(book),
        }
    }

    fn book(&mut self, plan: &Plan) -> Result<Arc<Book>, SessionError> {
        let key = (plan.book.clone(), plan.openings.plies, plan.openings.chess960);
        if let Some((_, book)) = self.books.iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(book));
        }
        let book = Arc::new(plan.read_book()?);
        self.books.push((key, Arc::clone(&book)));
        Ok(book)
    }

    fn tablebases(&mut self, plan: &Plan) -> Result<Option<Arc<Tablebases>>, SessionError> {
        let folders = &plan.syzygy;
        if folders.is_empty() {
            return Ok(None);
        }
        if let Some((_, tables)) = self.tablebases.iter().find(|(known, _)| known == folders) {
            return Ok(Some(Arc::clone(tables)));
        }
        let tables = Arc::new(Tablebases::open(folders)?);
        self.tablebases.push((folders.clone(), Arc::clone(&tables)));
        Ok(Some(tables))
    }

    /// Players with the same settings are one, whatever they play in.
    fn player(
        &mut self,
        plan: &Plan,
        side: Side,
        book: &Book,
    ) -> Result<(Arc<PlayerPool>, Identity), SessionError> {
        let settings = (
            plan.player(side),
            plan.limits().of(side),
            plan.hash(side),
            (plan.ponder, plan.details, plan.restarts(side), &plan.traffic),
            (plan.hang_ms, plan.startup_ms, plan.time_margin(side)),
            (&plan.book, plan.openings.chess960, plan.build(side), plan.name(side)),
        );
        let key = format!("{settings:?}");
        // Both sides of one match have pools of their own all the same: their processes stay apart.
        let key = if plan.base == plan.test { format!("{side} {key}") } else { key };
        if let Some((_, pool, identity)) = self.players.iter().find(|(known, ..)| *known == key) {
            return Ok((Arc::clone(pool), identity.clone()));
        }
        let (pool, identity) = {
            let confinement = self.confinement.clone();
            let asked = player::Asked { plan, side, book, stops: &self.stops, confinement };
            player::ready(&asked, &mut self.shared)?
        };
        let pool = Arc::new(pool);
        self.players.push((key, Arc::clone(&pool), identity.clone()));
        Ok((pool, identity))
    }
}
