//! Whatever is generated when: the same moves, each once, whatever junk the hash table and the
//! killers hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Bench;
use crate::movegen::{MoveClass, ScoredMove};
use crate::params::Params;
use crate::position::Position;
use crate::search::picker::{Wanted, is_tactical};
use crate::types::{Move, Value};

/// Numbers that look random and never change.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

fn legal(position: &Position) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The ways to order captures and whatever can be switched on.
fn personalities() -> Vec<Params> {
    let mut everything = Params::personality("rebel").expect("known");
    for name in [
        "order.history",
        "killers.counter",
        "history.piece_to",
        "history.reply",
        "history.follow_up",
        "history.captures",
        "history_reduction.on",
    ] {
        everything.set(name, "true").expect(name);
    }
    everything.order.checks = 20;
    let mut victims = Params::default();
    (victims.order.see, victims.qsearch.see_order) = (false, false);
    let mut modest = Params::default();
    (modest.killers.older, modest.order.hanging, modest.history.captures) = (false, true, true);
    let rebel = Params::personality("rebel").expect("known");
    vec![Params::default(), rebel, everything, victims, modest]
}

/// Positions of random games from the bench's, with the moves that led there on the stack.
fn positions(dice: &mut Dice) -> Vec<Position> {
    let mut found = Vec::new();
    for fen in crate::bench::POSITIONS {
        let mut position = Position::from_fen(fen).expect(fen);
        for _ in 0..3 {
            found.push(position.clone());
            for _ in 0..7 {
                let moves = legal(&position);
                if moves.is_empty() {
                    break;
                }
                position.play(moves[dice.roll(moves.len())]);
            }
        }
    }
    found
}

/// A move from the hash table or a killer slot: possible here, or any bits.
fn any_move(dice: &mut Dice, moves: &[Move]) -> Move {
    if dice.roll(3) == 0 || moves.is_empty() {
        Move::from_bits(dice.roll(1 << 16) as u16)
    } else {
        moves[dice.roll(moves.len())]
    }
}

/// Fills killers, histories and the line with what may or may not fit.
fn fill(bench: &mut Bench, dice: &mut Dice) {
    let moves = legal(&bench.position);
    for ply in 1..=bench.ply {
        let mv = any_move(dice, &moves);
        bench.stack[ply].mv = mv;
        bench.stack[ply].piece = bench.position.piece_at(mv.to());
        bench.stack[ply].evaluation = None;
    }
    if dice.roll(2) == 0 {
        bench.evaluate(0);
    }
    if dice.roll(2) == 0 {
        bench.evaluate(1);
    }
    for _ in 0..12 {
        let mv = any_move(dice, &moves);
        let mate = Value::mate_in(bench.ply + 1);
        let value = if dice.roll(4) == 0 { mate } else { Value::ZERO };
        let ply = bench.ply - 2 * dice.roll(2);
        bench.cut(ply, mv, 1 + dice.roll(20) as i32, value);
    }
}

/// Each move once, with what was said of it.
fn by_move(picked: &[ScoredMove]) -> BTreeMap<u16, ScoredMove> {
    let map: BTreeMap<u16, ScoredMove> =
        picked.iter().map(|scored| (scored.mv.to_bits(), *scored)).collect();
    assert_eq!(map.len(), picked.len(), "a move came twice: {picked:?}");
    map
}

fn keys(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
    let mut keys: Vec<u16> = moves.into_iter().map(Move::to_bits).collect();
    keys.sort_unstable();
    keys
}

/// The stages of a staged picker.
fn stage(class: MoveClass) -> u8 {
    match class {
        MoveClass::Hash => 0,
        MoveClass::MateKiller => 1,
        MoveClass::Winning | MoveClass::Promotion | MoveClass::Equal => 2,
        MoveClass::Killer => 3,
        MoveClass::Quiet => 4,
        MoveClass::Losing => 5,
    }
}

fn check(bench: &mut Bench, hash_move: Move) {
    let context = format!("{} hash {hash_move:?}", bench.position.fen());
    let moves = legal(&bench.position);
    let squares = bench.position.check_squares();
    let mut ways = Vec::new();
    for staged in [false, true] {
        let mut params = (*bench.setup.params).clone();
        params.order.staged = staged;
        bench.setup.params = Arc::new(params);

        let all = bench.picked(Wanted::All, hash_move);
        let map = by_move(&all);
        assert_eq!(map.keys().copied().collect::<Vec<_>>(), keys(moves.clone()), "{context}");
        if moves.contains(&hash_move) {
            assert_eq!((all[0].mv, all[0].class), (hash_move, MoveClass::Hash), "{context}");
        }
        if staged {
            let historic = bench.setup.params.killers.historic;
            let late = |scored: &ScoredMove| historic && scored.class == MoveClass::Killer;
            let stages: Vec<u8> = all
                .iter()
                .filter(|scored| !late(scored))
                .map(|scored| stage(scored.class))
                .collect();
            assert!(stages.is_sorted(), "{context}: {all:?}");
        } else {
            assert!(all.is_sorted_by(|a, b| a.value >= b.value), "{context}: {all:?}");
        }
        ways.push(map);

        let captures = by_move(&bench.picked(Wanted::Captures, hash_move));
        let tactical = moves.iter().copied().filter(|mv| is_tactical(*mv));
        assert_eq!(captures.keys().copied().collect::<Vec<_>>(), keys(tactical), "{context}");

        let checking = bench.picked(Wanted::CapturesThenChecks, hash_move);
        let wanted = moves.iter().copied().filter(|mv| {
            let check = bench.position.gives_check(*mv, &squares);
            check || captures.contains_key(&mv.to_bits())
        });
        assert_eq!(
            by_move(&checking).keys().copied().collect::<Vec<_>>(),
            keys(wanted),
            "{context}"
        );
        let place = |scored: &ScoredMove| match scored.class {
            MoveClass::Hash => 0,
            MoveClass::Losing => 3,
            _ => 1 + u8::from(scored.mv.is_quiet()),
        };
        assert!(checking.is_sorted_by_key(place), "{context}: checks before losing captures");
    }
    // Both rate alike, but for a killer that is the historic mate killer, too.
    let [list, staged] = &ways[..] else { panic!("two ways") };
    for (key, one) in list {
        let other = &staged[key];
        assert_eq!(one.class, other.class, "{context}");
        let both = one.class == MoveClass::Killer && bench.setup.params.killers.historic;
        assert!(one.value == other.value || both, "{context}: {one:?} {other:?}");
        assert!(one.class == MoveClass::Hash || one.see() == other.see(), "{context}");
    }
}

/// GEN-15, GEN-16, GEN-17, GEN-18, ORD-16, ORD-22, QS-04, HSH-06.
#[test]
fn pickers_agree() {
    let mut dice = Dice(9);
    for params in personalities() {
        for position in positions(&mut dice) {
            let mut bench = Bench::new(&params, &position, 4);
            let moves = legal(&position);
            for _ in 0..3 {
                fill(&mut bench, &mut dice);
                let hash_move = any_move(&mut dice, &moves);
                check(&mut bench, hash_move);
            }
            check(&mut bench, Move::NONE);
        }
    }
}
