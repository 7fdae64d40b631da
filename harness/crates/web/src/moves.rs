//! A game as a list of moves, finished or under way.

use arena::game::LiveGame;
use arena::record::{GameRecord, MoveNote, Score, Side};
use charts::numbers::{count, fixed, signed};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, Square};

/// A game to be shown.
pub(crate) struct ShownGame {
    pub(crate) number: u64,
    pub(crate) white: Side,
    /// `None`: under way.
    pub(crate) end: Option<ShownEnd>,
    start: Chess,
    fen: String,
    pub(crate) plies: Vec<Ply>,
}

pub(crate) struct ShownEnd {
    /// As in PGN.
    pub(crate) result: &'static str,
    pub(crate) termination: &'static str,
    pub(crate) detail: Option<String>,
}

/// A move with its player's search figures.
pub(crate) struct Ply {
    pub(crate) san: String,
    /// Number of the full move.
    pub(crate) number: u32,
    pub(crate) is_white: bool,
    pub(crate) is_book: bool,
    note: Option<MoveNote>,
    us: Option<u64>,
    squares: [Square; 2],
    played: shakmaty::Move,
}

/// Parts of a game record.
struct Parts<'a> {
    fen: &'a str,
    moves: &'a str,
    book_plies: usize,
    notes: &'a [MoveNote],
    moves_us: &'a [u64],
}

impl ShownGame {
    /// Reads a recorded game. The error is a message.
    pub(crate) fn recorded(game: &GameRecord) -> Result<ShownGame, String> {
        let end = ShownEnd {
            result: game.pgn_result(),
            termination: game.termination.as_str(),
            detail: game.detail.clone(),
        };
        let parts = Parts {
            fen: &game.fen,
            moves: &game.moves,
            book_plies: game.book_plies as usize,
            notes: &game.notes,
            moves_us: &game.time.moves_us,
        };
        ShownGame::new(game.game, game.white, Some(end), &parts)
    }

    pub(crate) fn live(game: &LiveGame) -> Result<ShownGame, String> {
        let parts = Parts {
            fen: &game.fen,
            moves: &game.moves,
            book_plies: game.book_plies,
            notes: &game.notes,
            moves_us: &game.moves_us,
        };
        ShownGame::new(game.game, game.white, None, &parts)
    }

    fn new(
        number: u64,
        white: Side,
        end: Option<ShownEnd>,
        of: &Parts,
    ) -> Result<ShownGame, String> {
        let fen = of.fen.parse::<Fen>().map_err(|error| format!("start position: {error}"))?;
        let mode = CastlingMode::detect(fen.as_setup());
        let start: Chess =
            fen.into_position(mode).map_err(|error| format!("start position: {error}"))?;
        let mut position = start.clone();
        let mut plies = Vec::new();
        for (at, text) in of.moves.split_ascii_whitespace().enumerate() {
            let legal = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok());
            let played =
                legal.ok_or_else(|| format!("ply {}: {text:?} is no legal move", at + 1))?;
            let (is_white, number) = (position.turn().is_white(), position.fullmoves().get());
            let told = at.checked_sub(of.book_plies);
            plies.push(Ply {
                is_white,
                number,
                is_book: told.is_none(),
                note: told.and_then(|at| of.notes.get(at)).copied(),
                us: told.and_then(|at| of.moves_us.get(at)).copied(),
                squares: [played.from().unwrap_or(played.to()), played.to()],
                played,
                san: SanPlus::from_move_and_play_unchecked(&mut position, played).to_string(),
            });
        }
        Ok(ShownGame { number, white, end, start, fen: of.fen.to_owned(), plies })
    }

    /// The side that plays this colour.
    pub(crate) fn side(&self, is_white: bool) -> Side {
        if is_white { self.white } else { self.white.other() }
    }

    /// Position after `plies` moves, its FEN, and the squares of the last move.
    pub(crate) fn after(&self, plies: usize) -> (Chess, String, Option<[Square; 2]>) {
        let mut position = self.start.clone();
        let played = self.plies.iter().take(plies);
        played.for_each(|ply| position.play_unchecked(ply.played));
        let last = plies.checked_sub(1).and_then(|at| self.plies.get(at));
        let fen = match last {
            None => self.fen.clone(),
            Some(_) => Fen::from_position(&position, EnPassantMode::Legal).to_string(),
        };
        (position, fen, last.map(|ply| ply.squares))
    }
}

impl Ply {
    /// Such as `12. Nf3` or `12… Nf6`.
    pub(crate) fn numbered(&self) -> String {
        let dots = if self.is_white { "." } else { "…" };
        format!("{}{dots} {}", self.number, self.san)
    }

    /// Score from the mover's viewpoint, depth and time, as far as known; with `in_words` also the
    /// nodes, in a sentence.
    pub(crate) fn told(&self, in_words: bool) -> String {
        if self.is_book {
            return if in_words { "from the book" } else { "book" }.to_owned();
        }
        let mut parts = Vec::new();
        if let Some(MoveNote { score, depth, nodes }) = self.note {
            if let Some(score) = score {
                let score = match score {
                    Score::Cp(cp) => signed(f64::from(cp) / 100.0, 2),
                    Score::Mate(moves) => format!("#{moves}"),
                };
                parts.push(if in_words { format!("score {score}") } else { score });
            }
            if depth > 0 {
                parts.push(if in_words { format!("depth {depth}") } else { format!("d{depth}") });
            }
            if in_words && nodes > 0 {
                parts.push(format!("{} nodes", count(nodes)));
            }
        }
        parts.extend(self.us.map(|us| match us as f64 / 1e6 {
            time if time < 0.0995 => format!("{} ms", fixed(1e3 * time, 1)),
            time => format!("{} s", fixed(time, 2)),
        }));
        parts.join(if in_words { ", " } else { " · " })
    }
}

#[cfg(test)]
mod tests {
    use arena::record::{TimeRecord, sample};

    use super::*;

    fn game() -> GameRecord {
        let note = |cp, depth| MoveNote { score: Some(Score::Cp(cp)), depth, nodes: 1234 };
        GameRecord {
            moves: "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1".to_owned(),
            book_plies: 2,
            notes: vec![note(35, 9), note(-7, 0), note(0, 3), note(100, 4)],
            time: TimeRecord { moves_us: vec![1_500_000, 4_200], ..TimeRecord::default() },
            ..sample(6)
        }
    }

    #[test]
    fn moves_and_what_was_said_of_them() {
        let shown = ShownGame::recorded(&game()).unwrap();
        let sans: Vec<String> = shown.plies.iter().map(Ply::numbered).collect();
        assert_eq!(sans[..3], ["1. e4", "1… e5", "2. Nf3"]);
        assert_eq!(sans[6], "4. O-O");
        let told = |at: usize, in_words| shown.plies[at].told(in_words);
        assert_eq!((told(0, false), told(0, true)), ("book".into(), "from the book".into()));
        assert_eq!(told(2, false), "+0.35 · d9 · 1.50 s");
        assert_eq!(told(3, true), "score −0.07, 1,234 nodes, 4.2 ms");
        assert_eq!(told(6, false), "");
        assert_eq!((shown.side(true), shown.side(false)), (Side::Test, Side::Base));
    }

    #[test]
    fn positions_are_those_of_the_game() {
        let shown = ShownGame::recorded(&game()).unwrap();
        let (start, fen, last) = shown.after(0);
        assert_eq!((start, fen, last), (Chess::default(), sample(0).fen, None));
        let (position, fen, last) = shown.after(7);
        let squares = Some([Square::E1, Square::H1]);
        assert_eq!((position.turn().is_black(), last), (true, squares));
        assert!(
            fen.starts_with("r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b"),
            "{fen}"
        );
        // A ply beyond the end means the last one.
        assert_eq!(shown.after(99).0, position);
    }

    #[test]
    fn what_cannot_be_followed_is_told() {
        for (fen, moves) in [("no fen", ""), (&*sample(0).fen, "e2e4 e2e4")] {
            let game = GameRecord { fen: fen.to_owned(), moves: moves.to_owned(), ..game() };
            assert!(ShownGame::recorded(&game).is_err());
        }
    }
}
