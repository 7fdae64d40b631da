//! A search in UCI's words, and the list of options.

use std::fmt::Write as _;
use std::time::Duration;

use crate::engine::SearchReport;
use crate::protocol::console::say;
use crate::protocol::options::{Offer, OfferKind};
use crate::protocol::thinker::Voice;
use crate::search::IterationInfo;
use crate::types::Move;

/// Prints `info` lines and `bestmove`.
pub(super) struct Reporter {
    pub(super) chess960: bool,
}

/// No `currmove` before this: short searches would drown in them.
const CURRMOVE_AFTER: Duration = Duration::from_secs(3);

impl Voice for Reporter {
    fn iteration(&self, info: &IterationInfo<'_>) {
        let nps = u128::from(info.nodes) * 1_000_000 / info.time.as_micros().max(1);
        let mut line = format!(
            "info depth {} seldepth {} score {} nodes {} nps {nps} hashfull {} time {} pv",
            info.depth,
            info.seldepth,
            info.score,
            info.nodes,
            info.hashfull,
            info.time.as_millis(),
        );
        for mv in info.pv {
            let _ = write!(line, " {}", mv.to_uci(self.chess960));
        }
        say(&line);
    }

    fn root_move(&self, mv: Move, number: usize, time: Duration) {
        if time >= CURRMOVE_AFTER {
            let mv = mv.to_uci(self.chess960);
            say(&format!("info currmove {mv} currmovenumber {number}"));
        }
    }

    fn done(&self, report: SearchReport) {
        let mut line = match report.best {
            Some(best) => format!("bestmove {}", best.to_uci(self.chess960)),
            None => format!("info depth 0 score {}\nbestmove (none)", report.score),
        };
        if let Some(ponder) = report.ponder {
            let _ = write!(line, " ponder {}", ponder.to_uci(self.chess960));
        }
        say(&line);
    }
}

/// The `option` line of an option.
pub(super) fn option_line(Offer { name, kind }: &Offer) -> String {
    let rest = match kind {
        OfferKind::Check(default) => format!("check default {default}"),
        OfferKind::Spin { default, min, max } => {
            format!("spin default {default} min {min} max {max}")
        }
        OfferKind::Combo(choices) => {
            let default = choices.first().copied().unwrap_or_default();
            format!("combo default {default} var {}", choices.join(" var "))
        }
        OfferKind::Button => "button".to_owned(),
        OfferKind::Text(default) if default.is_empty() => "string default <empty>".to_owned(),
        OfferKind::Text(default) => format!("string default {default}"),
    };
    format!("option name {name} type {rest}")
}
