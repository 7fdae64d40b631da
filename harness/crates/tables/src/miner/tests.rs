//! What is counted by moves is what is counted position by position.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use engine::eval::MaterialCounts;
use pgn::{Outcome, Passing, RandomWords, TextParser, read_start};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position as _, Role};

use super::{CountSettings, Miner};
use crate::count::pst::{FIRST_PLY, MEN, Phase};
use crate::count::{PstCounts, SideWdl};
use crate::filter::Filter;
use pgn::san::Resolver;

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "7k/PPPPP3/8/8/8/8/ppppp3/7K w - - 0 1",
];

/// Sums over the positions of all games.
#[derive(Default)]
struct ByPosition {
    material: BTreeMap<usize, SideWdl>,
    beyond: u64,
    squares: BTreeMap<(usize, usize, usize), u64>,
    positions: [u64; 2],
    games: u64,
}

fn phase_of(chess: &Chess) -> usize {
    let worth = |role| chess.board().by_role(role).count();
    let pieces = 3 * (worth(Role::Knight) + worth(Role::Bishop));
    usize::from(pieces + 5 * worth(Role::Rook) + 9 * worth(Role::Queen) <= 26)
}

impl ByPosition {
    fn add_game(&mut self, positions: &[Chess], wdl: SideWdl) {
        let mut cells = BTreeSet::new();
        let mut beyond = false;
        for (ply, chess) in positions.iter().enumerate() {
            let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
            let men = roles.map(|role| {
                let all = chess.board().by_role(role);
                [all & chess.board().white(), all & chess.board().black()].map(|b| b.count() as u8)
            });
            let flat: Vec<u8> = men.concat();
            match MaterialCounts(flat.try_into().expect("ten")).index() {
                Some(cell) => _ = cells.insert(cell),
                None => beyond = true,
            }
            if ply >= FIRST_PLY as usize {
                let phase = phase_of(chess);
                self.positions[phase] += 1;
                for (square, piece) in chess.board().clone() {
                    let man = piece.role as usize - 1 + 6 * usize::from(piece.color.is_black());
                    *self.squares.entry((phase, man, usize::from(square))).or_default() += 1;
                }
            }
        }
        for cell in cells {
            *self.material.entry(cell).or_default() += wdl;
        }
        self.beyond += u64::from(beyond);
        self.games += u64::from(positions.len() > FIRST_PLY as usize);
    }

    fn assert_squares(&self, counts: &PstCounts) {
        assert_eq!((counts.positions, counts.games), (self.positions, self.games));
        for phase in Phase::ALL {
            for man in 0..MEN {
                for (square, &count) in counts.board(phase, man).iter().enumerate() {
                    let place = (phase as usize, man, square);
                    assert_eq!(count, self.squares.get(&place).copied().unwrap_or(0), "{place:?}");
                }
            }
        }
    }
}

#[test]
fn moves_count_what_positions_count() {
    let (mut text, mut sums) = (String::new(), ByPosition::default());
    for game in 0..400 {
        let mut words = RandomWords::new(b"games to counts!", 5, game);
        let start = STARTS[words.below(4) as usize];
        let mut chess = read_start(start.as_bytes(), false).expect(start);
        let (outcome, result) =
            [(Outcome::White, "1-0"), (Outcome::Draw, "1/2-1/2"), (Outcome::Black, "0-1")]
                [words.below(3) as usize];
        writeln!(text, "[Event \"{game}\"]\n[FEN \"{start}\"]\n[Result \"{result}\"]\n").unwrap();
        let mut positions = vec![chess.clone()];
        for _ in 0..words.below(200) {
            let moves = chess.legal_moves();
            let Some(&played) = moves.get(words.below(moves.len() as u32) as usize) else { break };
            write!(text, "{} ", SanPlus::from_move(chess.clone(), played)).unwrap();
            chess.play_unchecked(played);
            positions.push(chess.clone());
        }
        // Of a broken game nothing is counted, whatever came before.
        if words.below(4) == 0 {
            text += "Ke4xQ";
        } else {
            sums.add_game(&positions, SideWdl::of_white(outcome));
        }
        writeln!(text, " {result}\n").unwrap();
    }
    let wants = CountSettings { mit: true, pst: true, ..CountSettings::usual() };
    let filter = Filter::default();
    let mut miner = Miner::new(wants, &filter, Resolver::Masks, None, None);
    let mut parser = TextParser::new(&mut miner, 0, Passing::default());
    parser.read(text.as_bytes(), true);
    parser.finish();
    let (mit, pst) = (miner.counts.mit.expect("asked for"), miner.counts.pst.expect("asked for"));
    assert!(mit.games > 250 && mit.games < 350, "{}", mit.games);
    assert_eq!(mit.used().collect::<BTreeMap<_, _>>(), sums.material);
    assert_eq!(mit.beyond, sums.beyond);
    sums.assert_squares(&pst);
}
