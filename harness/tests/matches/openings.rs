//! Where games begin and end, whatever form their opening has.

use std::fs;

use arena::record::{GameRecord, Games, Termination};

use super::Place;

const PLAN: &str = "--nodes 50 --hash 64KiB --order sequential --resign off --quiet";
/// Both knights out and back, again and again.
const DANCE: [&str; 4] = ["Nf3", "Nf6", "Ng1", "Ng8"];

/// The games of a match from a book with this name and text.
fn play(place: &Place, book: &str, text: &str, words: &str) -> Vec<GameRecord> {
    fs::write(place.path(book), text).unwrap();
    let words = format!("match --book @{book} --out @{book}-run {PLAN} {words}");
    let run = format!("{book}-run");
    place.played(&run, place.verdict(&words).output().unwrap()).decided();
    Games::open(&place.path(&run)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// A game of so many knight moves.
fn dance(plies: usize) -> String {
    let moves: Vec<&str> = DANCE.into_iter().cycle().take(plies).collect();
    format!("[Event \"{plies}\"]\n\n{} *\n\n", moves.join(" "))
}

#[test]
fn a_line_that_ends_in_a_repetition_is_passed_over() {
    let place = Place::new();
    let text = format!("{}{}", dance(8), dance(7));
    let games = play(&place, "knights.pgn", &text, "--pairs 2 --max-moves 6");
    assert_eq!(games.len(), 4);
    // Where one move more would repeat, there is a game to play.
    for game in games {
        assert_eq!(game.opening, 1);
        assert!(game.plies > game.book_plies, "{game:?}");
    }
}

/// One opening as moves, as a FEN and as an EPD whose counters are operations.
#[test]
fn adjudication_counts_the_moves_of_the_game() {
    let place = Place::new();
    let pgn = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n";
    let board = "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq -";
    let fen = format!("{board} 2 5\n");
    let epd = format!("{board} hmvc 2; fmvn 5;\n");
    let draw = "--max-moves off --draw movenumber=7,movecount=2,score=100000";
    for (words, termination) in [
        ("--max-moves 7 --draw off", Termination::LengthAdjudication),
        (draw, Termination::DrawAdjudication),
    ] {
        for (book, text, moves) in
            [("ruy.pgn", pgn, 14), ("ruy.fen", &*fen, 6), ("ruy.epd", &*epd, 6)]
        {
            let games = play(&place, book, text, &format!("--pairs 1 --restart {words}"));
            for game in games {
                assert_eq!((game.plies, game.termination), (moves, termination), "{book}");
            }
            fs::remove_dir_all(place.path(&format!("{book}-run"))).unwrap();
        }
    }
}
