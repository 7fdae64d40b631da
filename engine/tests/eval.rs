//! The evaluation as a whole (EVA-01, EVA-06): it adds up, it is the same for both colours
//! (EVA-12), and the cache changes nothing.

use std::sync::Arc;

use crate::common::color_flipped;
use engine::eval::{Evaluator, LineFacts, NoTrace, PawnCache, Term};
use engine::params::{SPECS, Shape};
use engine::types::{Color, Move, Role};
use engine::{Params, Position, bench};

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }
}

/// The bench's positions and then positions of random games, 10,000 in all.
fn positions() -> Vec<Position> {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let read = |fen: &&str| Position::from_fen(fen).expect("a position");
    let mut found: Vec<Position> = bench::POSITIONS.iter().map(read).collect();
    let mut moves: Vec<Move> = Vec::new();
    while found.len() < 10_000 {
        let start = bench::POSITIONS[dice.below(bench::POSITIONS.len())];
        let mut position = read(&start);
        for _ in 0..150 {
            moves.clear();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.play(moves[dice.below(moves.len())]);
            if dice.below(4) == 0 {
                found.push(position.clone());
            }
        }
    }
    found.truncate(10_000);
    found
}

/// The same position with the colours exchanged.
fn flipped(position: &Position) -> Position {
    let fen = color_flipped(&position.fen().to_string());
    Position::from_fen(&fen).expect(&fen)
}

/// Two personalities, and REBEL with every switch on: all terms at once.
fn evaluators() -> [(&'static str, Evaluator); 3] {
    let personality = |name| Params::personality(name).expect(name);
    let mut everything = personality("rebel");
    for spec in SPECS.iter().filter(|spec| matches!(spec.shape, Shape::Switch)) {
        spec.set(&mut everything, 0, 1).expect(spec.name);
    }
    [("default", personality("default")), ("rebel", personality("rebel")), ("all", everything)]
        .map(|(name, params)| (name, Evaluator::new(&Arc::new(params))))
}

#[test]
fn the_trace_adds_up() {
    let positions = positions();
    for (name, evaluator) in evaluators() {
        for position in &positions {
            let breakdown = evaluator.breakdown(position);
            assert_eq!(breakdown.sum(), breakdown.total.binary(), "{name}: {}", position.fen());
        }
    }
}

#[test]
fn colours_are_equal() {
    let positions = positions();
    let [white, black] = [Color::White, Color::Black];
    for (name, evaluator) in evaluators() {
        for position in &positions {
            let (here, there) =
                (evaluator.breakdown(position), evaluator.breakdown(&flipped(position)));
            let fen = position.fen();
            assert_eq!(here.total, -there.total, "{name}: {fen}");
            let terms = here.rows.iter().chain(&there.rows).map(|(term, _)| *term);
            for term in terms {
                assert_eq!(
                    here.of(term, white),
                    there.of(term, black),
                    "{name}: {term:?} in {fen}"
                );
                assert_eq!(
                    here.of(term, black),
                    there.of(term, white),
                    "{name}: {term:?} in {fen}"
                );
            }
        }
    }
}

/// HSH-09. What plays is what is explained: with a cache and without, silent and traced.
#[test]
fn the_cache_changes_nothing() {
    for (name, evaluator) in evaluators() {
        let mut cache = PawnCache::new();
        for mut position in positions() {
            position.set_table(&evaluator.table);
            let line = LineFacts::default();
            let cached = evaluator.evaluate(&position, line, Some(&mut cache), &mut NoTrace);
            let anew = evaluator.evaluate(&position, line, None, &mut NoTrace);
            assert_eq!(cached, anew, "{name}: {}", position.fen());
            assert_eq!(cached.value, evaluator.breakdown(&position).total, "{}", position.fen());
        }
    }
}

/// Nobody is ahead at the start but by the right to move, and most things that terms speak of have not
/// happened yet.
#[test]
fn the_start_position() {
    for (name, evaluator) in evaluators() {
        let start = evaluator.breakdown(&Position::startpos());
        let tempo = start.of(Term::Tempo, Color::White);
        assert_eq!(start.total.binary(), tempo.mg(), "{name}");
        let possible = |term: Term| match term {
            Term::Material(role) => role != Role::King,
            Term::PieceSquare(_) => true,
            _ if term.source() == "usual" => name != "rebel",
            _ => POSSIBLE_AT_THE_START.contains(&term),
        };
        for (term, [white, black]) in &start.rows {
            let is_of_the_mover = matches!(term, Term::Tempo | Term::Winnable);
            assert!(white == black || is_of_the_mover, "{name}: {term:?}");
            assert!(possible(*term), "{name}: {term:?} is {white:?} at the start");
        }
    }
}

/// Terms that speak of things the start position has.
const POSSIBLE_AT_THE_START: [Term; 8] = [
    Term::Castling,
    Term::KingSafety,
    Term::Mobility,
    Term::KnightMinimum,
    Term::BishopMinimum,
    Term::BadBishop,
    Term::BishopPair,
    Term::CentreControl,
];

#[test]
fn every_term_names_its_source() {
    for term in Term::COUNTED {
        let (name, source) = (term.name(), term.source());
        let is_source = source.contains('-') || source == "usual";
        assert!(!name.is_empty() && is_source, "{name}: {source}");
        let equals = Term::COUNTED.iter().filter(|other| other.name() == name).count();
        assert_eq!(equals, 1, "{name} is the name of one term");
    }
}
