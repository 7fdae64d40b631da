//! What a search counts about itself (TST-09): it changes nothing, and the counts agree.

use std::sync::Arc;

use engine::search::SearchEvent;
use engine::{Engine, HashSize, Limits, Params, Position, SearchReport, bench};

const PERSONALITIES: [&str; 6] = ["default", "rebel", "printed", "prodeo", "mediocre", "winglet"];
/// A part, and what it is a part of.
const PARTS: [(SearchEvent, SearchEvent); 14] = [
    (SearchEvent::HashHit, SearchEvent::HashProbe),
    (SearchEvent::HashCut, SearchEvent::HashProbe),
    (SearchEvent::MoveCut, SearchEvent::MainNode),
    (SearchEvent::FirstMoveCut, SearchEvent::MoveCut),
    (SearchEvent::HashMoveCut, SearchEvent::MoveCut),
    (SearchEvent::KillerCut, SearchEvent::MoveCut),
    (SearchEvent::NullMove, SearchEvent::MainNode),
    (SearchEvent::NullMoveResearch, SearchEvent::NullMove),
    (SearchEvent::GuardedNullMoveResearch, SearchEvent::GuardedNullMove),
    (SearchEvent::StaticPrune, SearchEvent::MainNode),
    (SearchEvent::LazyHit, SearchEvent::Lazy),
    (SearchEvent::LazyError, SearchEvent::LazyHit),
    (SearchEvent::LateMoveResearch, SearchEvent::LateMove),
    (SearchEvent::RootReopened, SearchEvent::RootFail),
];

#[test]
fn counting_changes_nothing_and_adds_up() {
    let limits = Limits { depth: Some(5), ..Limits::default() };
    for name in PERSONALITIES {
        let params = Arc::new(Params::personality(name).expect(name));
        let mut engine = Engine::new(&params, HashSize::from_mib(4));
        for fen in bench::POSITIONS.iter().step_by(4) {
            let position = Position::from_fen(fen).expect(fen);
            let told = |report: &SearchReport| (report.nodes, report.score, report.best);
            engine.new_game();
            let plain = told(&engine.search(&position, &limits, &()));
            engine.new_game();
            let (report, counts) = engine.search_counted(&position, &limits, &());
            assert_eq!(told(&report), plain, "{name}: {fen}");
            let nodes = counts.of(SearchEvent::MainNode) + counts.of(SearchEvent::QuiescenceNode);
            assert_eq!(nodes, report.nodes, "{name}: {fen}");
            for (part, whole) in PARTS {
                assert!(
                    counts.of(part) <= counts.of(whole),
                    "{name}: {part:?} of {whole:?}: {fen}"
                );
            }
        }
    }
}
