//! Tries every program before the first game: whether it starts, is ready for what it is to play,
//! and ends a search by its limit. Otherwise all its games would be lost, for no reason of chess.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use shakmaty::Position as _;
use tokio::runtime::Handle;

use super::SessionError;
use super::player::Asked;
use crate::compliance::{LimitKind, search_once, shortened};
use crate::game::Limit;
use crate::player::external::External;
use crate::player::program::{
    EngineIdentity, ProgramHost, ProgramSettings, ProgramSpec, StartError, StartErrorKind,
};
use crate::player::{Fault, GoLimit};
use pgn::Book;
use process::Context as _;

/// A short search that takes longer does not end by its limit, unless programs have more time to
/// start.
const PATIENCE: Duration = Duration::from_secs(10);
/// Openings of an indexed book that are looked at.
const LOOKED_AT: usize = 1000;

pub(super) struct PreflightPlayer<'a> {
    pub(super) spec: &'a ProgramSpec,
    pub(super) asked: &'a Asked<'a>,
}

impl PreflightPlayer<'_> {
    /// Tries the program in a process of its own, so that nothing of it is left in any game.
    pub(super) fn preflight(&self) -> Result<EngineIdentity, SessionError> {
        let Asked { plan, side, book, stops, .. } = *self.asked;
        let settings = self.settings();
        let host = ProgramHost::new(settings, Handle::current(), stops.now_token())?;
        let refused = |reason| SessionError::Program { who: plan.called(side), reason };
        let mut player = External::start(self.spec, &host).map_err(|error| match error.fault {
            Fault::Lack(lack) => SessionError::Lack(lack),
            _ => refused(self.not_started(&host.settings.startup, &error)),
        })?;
        let limit = plan.limits().of(side);
        if let Some(reason) = refusal(&player, limit, book) {
            player.quit();
            return Err(refused(format!("{}: {reason}", self.spec.path.display())));
        }
        let identity = player.identity().clone();
        let short = shortened(limit.first_go());
        let searched = search_once(&mut player, &short, host.settings.margin);
        // Nothing of it is left when the match begins.
        player.quit();
        match searched {
            Ok(()) => {}
            Err(fault @ (Fault::Hang(_) | Fault::NotStarted(_) | Fault::Garbage(_))) => {
                let obeyed = self.obeyed(&host, limit)?;
                return Err(refused(self.disobeys(limit, &fault, &obeyed)));
            }
            // Retry, then try other limits to see whether this limit is the cause.
            Err(fault @ Fault::Crash(_)) if !obeys(self.spec, &host, &short)? => {
                let obeyed = self.obeyed(&host, limit)?;
                if !obeyed.is_empty() {
                    return Err(refused(self.disobeys(limit, &fault, &obeyed)));
                }
            }
            Err(Fault::Lack(lack)) => return Err(SessionError::Lack(lack)),
            // No matter of limits: its games will tell, and keep what is known of it.
            Err(_) => {}
        }
        Ok(identity)
    }

    fn settings(&self) -> ProgramSettings {
        let settings = self.asked.settings();
        let startup = self.asked.plan.startup_ms.map(Duration::from_millis).unwrap_or_default();
        ProgramSettings { hang: settings.hang.min(PATIENCE.max(startup)), ..settings }
    }

    fn not_started(&self, startup: &Duration, error: &StartError) -> String {
        if error.kind == StartErrorKind::Options {
            return error.to_string();
        }
        let path = self.spec.path.display();
        let said = error.capsule.first_words();
        let said = said.map_or(String::new(), |words| format!("\n  It printed {words}."));
        let (word, other) = (self.spec.protocol.word(), self.spec.protocol.other().word());
        format!(
            "{error}{said}\n  If it speaks {word} only when told to: {word}:{path},arg=--{word}. If it \
             speaks {other}: {other}:{path}. If it needs longer than {startup:?} to start: --startup 1m."
        )
    }

    /// The other kinds of limits that it obeys. An error when something of ours is lacking: then
    /// nothing is known.
    fn obeyed(
        &self,
        host: &Arc<ProgramHost>,
        limit: Limit,
    ) -> Result<Vec<LimitKind>, SessionError> {
        let own = LimitKind::of(&limit.first_go());
        let others = LimitKind::COMMON.into_iter().filter(|kind| *kind != own);
        thread::scope(|scope| {
            let mut tries = Vec::new();
            for kind in others {
                let tried = move || obeys(self.spec, host, &kind.short());
                let thread = thread::Builder::new().spawn_scoped(scope, tried);
                tries.push((kind, thread.context("cannot start a thread that tries an engine")?));
            }
            let mut obeyed = Vec::new();
            for (kind, thread) in tries {
                if thread.join().unwrap_or(Ok(false))? {
                    obeyed.push(kind);
                }
            }
            Ok(obeyed)
        })
    }

    fn disobeys(&self, limit: Limit, fault: &Fault, obeyed: &[LimitKind]) -> String {
        let own = LimitKind::of(&limit.first_go());
        let path = self.spec.path.display();
        let list = |kinds: &[LimitKind], of: &dyn Fn(&LimitKind) -> String, last: &str| {
            let words: Vec<String> = kinds.iter().map(of).collect();
            match words.split_last() {
                Some((end, rest)) if !rest.is_empty() => {
                    format!("{} {last} {end}", rest.join(", "))
                }
                _ => words.concat(),
            }
        };
        let way_out = match obeyed {
            [] => {
                let other = self.spec.protocol.other().word();
                let tried = list(&LimitKind::COMMON, &LimitKind::to_string, "or");
                format!(
                    "It answers no search by {tried}. If it speaks {other}: {other}:{path}. \
                     verdict check says more."
                )
            }
            kinds => format!(
                "It obeys {}: expected {} in place of {limit}.",
                list(kinds, &LimitKind::to_string, "and"),
                list(kinds, &|kind| kind.flag().to_owned(), "or"),
            ),
        };
        let hang = self.settings().hang;
        let cut = matches!(fault, Fault::Hang(_))
            && hang.as_millis() < u128::from(self.asked.plan.hang_ms);
        let slow = match cut {
            true => format!(" If its first search takes longer than {hang:?}: --startup 1m."),
            false => String::new(),
        };
        format!("{path} does not obey {own}: {fault}.\n  {way_out}{slow}")
    }
}

/// Whether a new process ends a search by this limit.
fn obeys(
    spec: &ProgramSpec,
    host: &Arc<ProgramHost>,
    limit: &GoLimit,
) -> Result<bool, SessionError> {
    let tried = External::start(spec, host).map_err(|error| error.fault).and_then(|mut player| {
        let margin = host.settings.margin;
        let searched = match player.refuses_limit(limit) {
            None => search_once(&mut player, limit, margin).map(|()| true),
            Some(_) => Ok(false),
        };
        player.quit();
        searched
    });
    match tried {
        Err(Fault::Lack(lack)) => Err(SessionError::Lack(lack)),
        tried => Ok(tried.unwrap_or(false)),
    }
}

/// The program's own reason why it cannot play, if it gives one.
fn refusal(player: &External, limit: Limit, book: &Book) -> Option<&'static str> {
    player.refuses_limit(&limit.first_go()).or_else(|| {
        // Each costs a read if the book is indexed. The game of a later bad one will say so.
        let some = if book.is_indexed() { LOOKED_AT } else { usize::MAX };
        book.openings().take(some).flatten().find_map(|opening| {
            let chess960 = opening.start.castles().mode().is_chess960();
            player.refuses_start(&opening.fen, chess960)
        })
    })
}
