//! A search in UCI's words, and the list of options.

use std::fmt::Write as _;
use std::time::Duration;

use crate::engine::SearchReport;
use crate::protocol::console::say;
use crate::protocol::options::{Offer, OfferKind};
use crate::protocol::thinker::Voice;
use crate::search::{Bound, IterationInfo, SearchStatistics};
use crate::types::Move;

/// Prints `info` lines and `bestmove`.
pub(super) struct UciReporter {
    pub(super) chess960: bool,
}

/// No `currmove` and no bounds before this: short searches would drown in them.
const DETAILS_AFTER: Duration = Duration::from_secs(3);

impl Voice for UciReporter {
    fn iteration(&self, info: &IterationInfo<'_>) {
        say(&line(info, self.chess960));
    }

    fn root_fail(&self, info: &IterationInfo<'_>) {
        if info.time >= DETAILS_AFTER {
            say(&line(info, self.chess960));
        }
    }

    fn root_move(&self, mv: Move, number: usize, time: Duration) {
        if time >= DETAILS_AFTER {
            let mv = mv.to_uci(self.chess960);
            say(&format!("info currmove {mv} currmovenumber {number}"));
        }
    }

    fn statistics(&self, statistics: &SearchStatistics) {
        for line in statistics.to_string().lines() {
            say(&format!("info string {line}"));
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

/// The `info` line, the score from the engine's own point of view (ROT-07).
fn line(info: &IterationInfo<'_>, chess960: bool) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let tbhits = match info.tbhits {
        0 => String::new(),
        hits => format!(" tbhits {hits}"),
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {} hashfull {}{tbhits} time {} pv",
        info.depth,
        info.seldepth,
        info.multipv,
        info.score,
        info.nodes,
        info.nps(),
        info.hashfull,
        info.time.as_millis(),
    );
    for mv in info.pv {
        let _ = write!(line, " {}", mv.to_uci(chess960));
    }
    line
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::types::Value;

    #[test]
    fn info_lines() {
        let pv = ["e2e4"].map(|text| Position::startpos().parse_uci(text).expect(text));
        let info = |score, bound| IterationInfo {
            depth: 3,
            seldepth: 5,
            multipv: 2,
            score,
            bound,
            nodes: 100,
            time: Duration::from_millis(10),
            hashfull: 7,
            tbhits: 0,
            pv: &pv,
        };
        assert_eq!(
            line(&info(Value::PAWN, Bound::Exact), false),
            "info depth 3 seldepth 5 multipv 2 score cp 100 nodes 100 nps 10000 hashfull 7 time 10 \
             pv e2e4"
        );
        let hits = IterationInfo { tbhits: 3, ..info(Value::PAWN, Bound::Exact) };
        assert!(line(&hits, false).contains(" hashfull 7 tbhits 3 time 10 "));
        let lower = line(&info(Value::mate_in(3), Bound::Lower), false);
        assert!(lower.contains(" score mate 2 lowerbound nodes "), "{lower}");
        let upper = line(&info(-Value::PAWN, Bound::Upper), false);
        assert!(upper.contains(" score cp -100 upperbound nodes "), "{upper}");
    }
}
