//! Games played at random: the board against shakmaty's, the masks against all legal moves.

use crate::{RandomWords, ShortWord, chess960, read_start};
use shakmaty::san::San;
use shakmaty::{Chess, Color, Position as _};

use super::board::{Board, Change};
use super::known::{KnownMove, KnownWords};
use super::resolve::Resolver;

/// Starts with much to go wrong: castling of all kinds, many queens, pins, promotions.
const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9",
    "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
    "7k/PPPPP3/8/8/8/8/ppppp3/7K w - - 0 1",
    "1nbk1bn1/8/8/pppppppp/PPPPPPPP/8/8/1NBK1BN1 b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/RRR1KRRR w - - 0 1",
    "n1nbkbnn/8/8/8/8/8/8/NNNBKBNN w - - 0 1",
];

/// Whether a word tells of a plain move, which is then played.
fn play_plain(board: &mut Board, known: &mut KnownWords, word: ShortWord) -> bool {
    fn play<const BLACK: bool>(board: &mut Board, says: &KnownMove) -> bool {
        let plain = board.find_known::<BLACK>(says);
        plain.inspect(|plain| board.play_plain::<BLACK>(plain)).is_some()
    }
    let says = known.get(board.turn(), word);
    match board.turn() {
        Color::White => play::<false>(board, says),
        Color::Black => play::<true>(board, says),
    }
}

/// Every position of games that are played at random from one start.
fn positions(start: &str, games: u64, mut visit: impl FnMut(&Chess, &Board, &mut RandomWords)) {
    let mut known = KnownWords::default();
    for game in 0..games {
        let mut words = RandomWords::new(b"replays at hazar", 1, game);
        let mut chess = read_start(start.as_bytes(), false).expect(start);
        let mut board = Board::new(&chess);
        for _ in 0..150 {
            visit(&chess, &board, &mut words);
            let moves = chess.legal_moves();
            let Some(&played) = moves.get(words.below(moves.len() as u32) as usize) else { break };
            let san = San::from_move(&chess, played).to_string();
            let change = Resolver::Masks.find(&board, san.as_bytes()).expect("legal");
            assert_eq!(change.to_move(), played, "{san} in {chess:?}");
            let word = ShortWord::new(san.as_bytes());
            let mut plainly = board.clone();
            let is_plain = word.is_some_and(|word| play_plain(&mut plainly, &mut known, word));
            board.play(&change);
            chess.play_unchecked(played);
            assert_eq!(board, Board::new(&chess), "after {san}");
            assert!(!is_plain || plainly == board, "after {san}");
        }
    }
}

#[test]
fn boards_follow_the_games() {
    for start in STARTS {
        positions(start, 60, |_, _, _| ());
    }
    for start in chess960().lines().step_by(37) {
        positions(start, 10, |_, _, _| ());
    }
}

/// Every legal move is found by the masks alone, except for odd spellings.
#[test]
fn masks_find_every_move() {
    let (mut plains, mut words) = (0, KnownWords::default());
    for start in STARTS {
        positions(start, 6, |chess, board, _| {
            for legal in chess.legal_moves() {
                let san = San::from_move(chess, legal).to_string();
                for sign in ["", "+", "#", "++"] {
                    let word = ShortWord::new(format!("{san}{sign}").as_bytes());
                    let Some(word) = word else { continue };
                    let found = board.find(word);
                    let is_move = found.map(|change| change.to_move()) == Some(legal);
                    assert!(is_move, "{san}{sign} in {chess:?}: {found:?}");
                    let says = words.get(board.turn(), word);
                    let plain = match board.turn() {
                        Color::White => board.find_known::<false>(says),
                        Color::Black => board.find_known::<true>(says),
                    };
                    assert!(
                        plain.is_none() || plain.map(Change::from) == found,
                        "{san}{sign}: {plain:?}"
                    );
                    plains += usize::from(plain.is_some());
                }
            }
        });
    }
    assert!(plains > 100_000, "{plains} plain ones");
}

/// What the masks find of words that are mostly wrong is what all legal moves say.
#[test]
fn masks_never_find_what_is_wrong() {
    const LETTERS: &[u8] = b"NBRQKaceghx12348+=QO-0#P";
    for start in STARTS.into_iter().chain(chess960().lines().step_by(97)) {
        positions(start, 4, |chess, board, words| {
            let mut pick = |text: &[u8]| text[words.below(text.len() as u32) as usize];
            for _ in 0..20 {
                let mut word = vec![pick(b"NBRQKNBRQabcdefghabcdefghO0P")];
                for _ in 0..[0, 0, 1, 1, 2, 3][usize::from(pick(&[0, 1, 2, 3, 4, 5]))] {
                    word.push(pick(LETTERS));
                }
                word.extend([pick(b"abcdefgh"), pick(b"12345678")]);
                word.extend(
                    ["", "+", "=Q", "=N", "R", "#"][usize::from(pick(&[0, 0, 0, 1, 2, 3, 4, 5]))]
                        .bytes(),
                );
                let found = Resolver::Both.find(board, &word);
                let legal = Resolver::Legal.find(board, &word);
                assert_eq!(found, legal, "{} in {chess:?}", String::from_utf8_lossy(&word));
            }
        });
    }
}
