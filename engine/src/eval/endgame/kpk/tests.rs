use super::*;

/// A plain solver, square by square and move by move, for positions with the pawn on files a
/// to d.
struct Slow {
    won: Vec<bool>,
}

const STEPS: [(i32, i32); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

fn step(sq: usize, (file, rank): (i32, i32)) -> Option<usize> {
    let (file, rank) = (sq as i32 % 8 + file, sq as i32 / 8 + rank);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

fn near(a: usize, b: usize) -> bool {
    (a % 8).abs_diff(b % 8) <= 1 && (a / 8).abs_diff(b / 8) <= 1
}

fn covered(pawn: usize, sq: usize) -> bool {
    sq / 8 == pawn / 8 + 1 && (sq % 8).abs_diff(pawn % 8) == 1
}

impl Slow {
    fn index(strong_moves: bool, pawn: usize, strong: usize, weak: usize) -> usize {
        (usize::from(strong_moves) * 64 + pawn) * 4096 + strong * 64 + weak
    }

    fn legal(strong_moves: bool, pawn: usize, strong: usize, weak: usize) -> bool {
        pawn != strong
            && pawn != weak
            && !near(strong, weak)
            && !(strong_moves && covered(pawn, weak))
    }

    fn solve() -> Slow {
        let mut slow = Slow { won: vec![false; 2 * 64 * 4096] };
        loop {
            let mut changed = false;
            for pawn in (8..56).rev().filter(|pawn| pawn % 8 < 4) {
                for strong in 0..64 {
                    for weak in 0..64 {
                        for mover in [true, false] {
                            let index = Slow::index(mover, pawn, strong, weak);
                            if !slow.won[index]
                                && Slow::legal(mover, pawn, strong, weak)
                                && slow.wins(mover, pawn, strong, weak)
                            {
                                slow.won[index] = true;
                                changed = true;
                            }
                        }
                    }
                }
            }
            if !changed {
                return slow;
            }
        }
    }

    fn wins(&self, strong_moves: bool, pawn: usize, strong: usize, weak: usize) -> bool {
        if strong_moves {
            let king = STEPS.iter().filter_map(|&by| step(strong, by)).any(|to| {
                Slow::legal(false, pawn, to, weak) && self.won[Slow::index(false, pawn, to, weak)]
            });
            return king || self.pawn_wins(pawn, strong, weak);
        }
        let mut moves = 0;
        for to in STEPS.iter().filter_map(|&by| step(weak, by)) {
            if near(to, strong) || covered(pawn, to) {
                continue;
            }
            moves += 1;
            if to == pawn || !self.won[Slow::index(true, pawn, strong, to)] {
                return false;
            }
        }
        moves > 0 || covered(pawn, weak)
    }

    fn pawn_wins(&self, pawn: usize, strong: usize, weak: usize) -> bool {
        let next = pawn + 8;
        if next == strong || next == weak {
            return false;
        }
        if next >= 56 {
            return !near(weak, next) || near(strong, next);
        }
        let double = next + 8;
        self.won[Slow::index(false, next, strong, weak)]
            || (pawn < 16
                && double != strong
                && double != weak
                && self.won[Slow::index(false, double, strong, weak)])
    }
}

#[test]
fn equals_a_plain_solver_everywhere() {
    let slow = Slow::solve();
    let mut won = [0; 2];
    for pawn in (8..56).filter(|pawn| pawn % 8 < 4) {
        for (strong, weak) in (0..64).flat_map(|strong| (0..64).map(move |weak| (strong, weak))) {
            for mover in [false, true] {
                let expected = slow.won[Slow::index(mover, pawn, strong, weak)];
                let [pawn, strong, weak] = [pawn, strong, weak].map(|sq| Square::new(sq as u32));
                assert_eq!(is_won(mover, strong, weak, pawn), expected, "{pawn} {strong} {weak}");
                won[usize::from(mover)] += u32::from(expected);
            }
        }
    }
    // The number that bitbases of this size (both movers, files a to d) are known to hold.
    assert_eq!(won[0] + won[1], 111_282);
}

#[test]
fn size() {
    assert_eq!(size_of::<Table>(), 24 * 1024);
}

#[test]
fn textbook_positions() {
    let won = |mover, strong, weak, pawn| is_won(mover, strong, weak, pawn);
    use Square::*;
    // The king on the sixth before its pawn wins whoever moves; on the fifth it needs the
    // opposition.
    assert!(won(true, E6, E8, E5) && won(false, E6, E8, E5));
    assert!(!won(true, E5, E7, E4) && won(false, E5, E7, E4));
    // Rook pawn: the corner draws.
    assert!(!won(true, B6, A8, A5) && !won(false, H6, H8, H5));
    // The square of the pawn.
    assert!(won(true, A1, H5, A5) && !won(true, A1, D5, A5) && won(false, H1, F4, A5));
    assert!(!won(false, H1, E4, A5), "it steps into the square");
    // Mirrored files agree.
    assert!(won(true, D6, D8, D5) && won(true, E6, E8, E5));
    // A pawn that comes to the seventh with check is stalemated.
    assert!(!won(false, E6, E8, E7) && !won(true, D6, D8, E6) && won(false, D6, D8, E6));
}
