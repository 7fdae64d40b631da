//! The start positions of Chess960, by Scharnagl's numbers.

/// All 960 start positions as FEN lines, in the order of their numbers: 518 is that of chess.
pub fn chess960() -> String {
    let mut lines = String::with_capacity(960 * 64);
    for number in 0..960 {
        let white: String = back_rank(number).iter().collect();
        let black = white.to_ascii_lowercase();
        lines += &format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1\n");
    }
    lines
}

/// White's men behind the pawns, a-file first.
fn back_rank(number: usize) -> [char; 8] {
    /// Which of the five files that are left after bishops and queen the knights have.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    let mut rank = ['.'; 8];
    rank[2 * light + 1] = 'B';
    rank[2 * dark] = 'B';
    place(&mut rank, queen, 'Q');
    let (first, second) = KNIGHTS[knights];
    // The later one first: the earlier one's file is still counted then.
    place(&mut rank, second, 'N');
    place(&mut rank, first, 'N');
    for man in ['R', 'K', 'R'] {
        place(&mut rank, 0, man);
    }
    rank
}

/// Puts a man on the `nth` free file.
fn place(rank: &mut [char; 8], nth: usize, man: char) {
    if let Some(file) = rank.iter_mut().filter(|file| **file == '.').nth(nth) {
        *file = man;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Book;

    #[test]
    fn all_960_are_there_once_and_chess_is_518() {
        let lines = chess960();
        let different: HashSet<&str> = lines.lines().collect();
        assert_eq!(different.len(), 960);
        let at = |number: usize| lines.lines().nth(number).unwrap();
        assert!(at(518).ends_with("RNBQKBNR w KQkq - 0 1"));
        // From the table of numbers that is in use since 2002.
        assert!(at(0).ends_with("BBQNNRKR w KQkq - 0 1"));
        assert!(at(959).ends_with("RKRNNQBB w KQkq - 0 1"));
        for line in lines.lines() {
            let rank = line.split(['/', ' ']).nth(7).unwrap();
            let places = |man| rank.match_indices(man).map(|(at, _)| at).collect::<Vec<_>>();
            let (rooks, bishops) = (places('R'), places('B'));
            assert!(rooks[0] < places('K')[0] && places('K')[0] < rooks[1], "{rank}");
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{rank}");
        }
    }

    #[test]
    fn it_is_a_book() {
        let book = Book::from_bytes("chess960.epd", chess960().as_bytes()).unwrap();
        assert_eq!(book.len(), 960);
        // In 18 of them king and rooks stand as in chess.
        assert_eq!(book.chess960(), Some(942));
    }
}
