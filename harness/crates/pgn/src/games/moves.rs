//! From a word of movetext to the move it means, in every way that moves are written: SAN, long
//! algebraic (`Ng1-f3`, `e2-e4`), UCI (`g1f3`, `e7e8q`), with figurines, with signs behind.

use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingSide, Chess, File, Move, Position as _, Rank, Role, Square};

use super::characters::plain;
use super::words::without_signs;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrongMove {
    NotSan,
    Null,
    Illegal,
    Ambiguous,
}

impl WrongMove {
    pub fn expected(self) -> &'static str {
        match self {
            WrongMove::NotSan => "a move in SAN",
            WrongMove::Null => "a move, not a null move,",
            WrongMove::Illegal => "a legal move",
            WrongMove::Ambiguous => "an unambiguous move",
        }
    }
}

pub(crate) fn find_move(position: &Chess, word: &[u8]) -> Result<Move, WrongMove> {
    match SanWord::of(word)? {
        SanWord::Castling(side) => {
            San::Castle(side).to_move(position).map_err(|_| WrongMove::Illegal)
        }
        SanWord::Men(men) => men.find(position),
    }
}

pub(crate) fn is_move(word: &[u8]) -> bool {
    SanWord::of(word).is_ok()
}

enum SanWord {
    Castling(CastlingSide),
    Men(PieceMove),
}

/// What a word says of a man that moves.
struct PieceMove {
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    /// Whether it says that it captures. Many leave that out.
    captures: bool,
    to: Square,
    promotion: Option<Role>,
}

impl SanWord {
    fn of(word: &[u8]) -> Result<SanWord, WrongMove> {
        let plain = plain(word);
        let text = without_signs(&plain);
        let is_zero = |byte: &u8| matches!(byte, b'O' | b'o' | b'0');
        match text {
            b"--" | b"Z0" | b"0000" | b"@@@@" => return Err(WrongMove::Null),
            [a, b'-', b] if [a, b].into_iter().all(is_zero) => {
                return Ok(SanWord::Castling(CastlingSide::KingSide));
            }
            [a, b'-', b, b'-', c] if [a, b, c].into_iter().all(is_zero) => {
                return Ok(SanWord::Castling(CastlingSide::QueenSide));
            }
            _ => (),
        }
        PieceMove::of(text).map(SanWord::Men).ok_or(WrongMove::NotSan)
    }
}

impl PieceMove {
    fn of(text: &[u8]) -> Option<PieceMove> {
        let (role, text) = match text {
            [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K' | b'P'), rest @ ..] => {
                (Role::from_char(char::from(*letter)), rest)
            }
            _ => (None, text),
        };
        let (text, promotion) = split_promotion(text);
        let (from, to) = text.split_last_chunk::<2>()?;
        let (from, captures) = match from {
            [from @ .., b'x' | b':'] => (from, true),
            [from @ .., b'-'] => (from, false),
            _ => (from, false),
        };
        let (file, rank) = match from {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(*file), None),
            [rank @ b'1'..=b'8'] => (None, Some(*rank)),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(*file), Some(*rank)),
            _ => return None,
        };
        Some(PieceMove {
            role,
            file: file.and_then(|file| File::from_char(char::from(file))),
            rank: rank.and_then(|rank| Rank::from_char(char::from(rank))),
            captures,
            to: Square::from_ascii(to).ok()?,
            promotion,
        })
    }

    fn find(&self, position: &Chess) -> Result<Move, WrongMove> {
        if let (Some(file), Some(rank)) = (self.file, self.rank) {
            return self.find_from(position, Square::from_coords(file, rank));
        }
        let mut found = position.san_candidates(self.role.unwrap_or(Role::Pawn), self.to);
        found.retain(|candidate| self.fits(*candidate));
        match found[..] {
            [found] => Ok(found),
            [] => Err(WrongMove::Illegal),
            _ => Err(WrongMove::Ambiguous),
        }
    }

    /// Whichever man stands there, if no letter says which: UCI writes none.
    fn find_from(&self, position: &Chess, from: Square) -> Result<Move, WrongMove> {
        let uci = UciMove::Normal { from, to: self.to, promotion: self.promotion };
        let found = uci.to_move(position).map_err(|_| WrongMove::Illegal)?;
        let is_meant = self.role.is_none_or(|role| role == found.role())
            && (!self.captures || found.is_capture());
        if is_meant { Ok(found) } else { Err(WrongMove::Illegal) }
    }

    /// Whether it may be that move, which goes to the right square.
    fn fits(&self, candidate: Move) -> bool {
        let (Move::Normal { from, .. } | Move::EnPassant { from, .. }) = candidate else {
            return false;
        };
        // A pawn that captures is named by its file; who captures, need not be told.
        let captures = match candidate.is_capture() {
            true => candidate.role() != Role::Pawn || self.file.is_some(),
            false => !self.captures,
        };
        captures
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
            && self.promotion == candidate.promotion()
    }
}

/// What a pawn becomes, taken from the end: `e8=Q`, `e8Q`, `e7e8q`, `e8(Q)`, `e8/Q`.
fn split_promotion(text: &[u8]) -> (&[u8], Option<Role>) {
    let (rest, letter) = match text {
        [rest @ .., b'(', letter, b')'] => (rest.strip_suffix(b"=").unwrap_or(rest), letter),
        [rest @ .., b'=' | b'/', letter] | [rest @ .., letter] => (rest, letter),
        [] => return (text, None),
    };
    match letter.to_ascii_lowercase() {
        b'n' | b'b' | b'r' | b'q' | b'k' if matches!(rest, [.., b'1' | b'8']) => {
            (rest, Role::from_char(char::from(*letter)))
        }
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    fn position(fen: &str, mode: CastlingMode) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(mode).unwrap()
    }

    fn found(fen: &str, word: &str) -> Result<String, WrongMove> {
        let position = position(fen, CastlingMode::Standard);
        let found = find_move(&position, word.as_bytes())?;
        Ok(found.to_uci(CastlingMode::Standard).to_string())
    }

    /// All ways to write a move, but for castling.
    fn spellings(position: &Chess, played: Move) -> Vec<String> {
        let san = San::from_move(position, played).to_string();
        let from = played.from().expect("no drops in chess");
        let letter = match played.role() {
            Role::Pawn => String::new(),
            role => role.upper_char().to_string(),
        };
        let sign = if played.is_capture() { "x" } else { "-" };
        let to = played.to();
        let Some(role) = played.promotion() else {
            let mut all = vec![
                format!("{letter}{from}{sign}{to}"),
                format!("{letter}{from}{to}"),
                format!("{from}{to}"),
                format!("{from}-{to}"),
            ];
            let figurine = ["♟", "♘", "♝", "♖", "♛", "♔"][played.role() as usize - 1];
            all.push(format!("{figurine}{from}{to}"));
            all.push(san.replace('x', ":"));
            all.push(san.replace('x', "×"));
            all.push(san.replace('x', ""));
            if played.is_en_passant() {
                all.extend(["ep", "e.p"].map(|ep| format!("{san}{ep}")));
            }
            all.push(san);
            return all;
        };
        let (upper, lower) = (role.upper_char(), role.char());
        let san = san.split('=').next().unwrap_or_default().to_owned();
        let mut all = Vec::new();
        for stem in [san, format!("{from}{to}"), format!("{from}{sign}{to}")] {
            for end in ["=Q", "Q", "(Q)", "/Q", "=(Q)", "=q", "q"] {
                let end = end.replace('Q', &upper.to_string()).replace('q', &lower.to_string());
                all.push(format!("{stem}{end}"));
            }
        }
        all
    }

    #[test]
    fn every_way_to_write_a_move_finds_it() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/pPp2ppp/2n1b3/3pP3/1b1Q4/2N2N2/PPP2PPP/R3K2R w KQkq d6 0 10",
            "1n2k3/P1P5/8/8/6pP/8/1p6/R1B1K2R b KQ h3 0 40",
            "7k/8/8/2R1R3/8/3N1N2/8/2R1K3 w - - 3 50",
        ] {
            let position = position(fen, CastlingMode::Standard);
            for played in position.legal_moves() {
                if played.is_castle() {
                    continue;
                }
                for word in spellings(&position, played) {
                    for signs in ["", "+", "#", "++", "+-", "=", "+/-", "\\", "+="] {
                        let word = format!("{word}{signs}");
                        let found = find_move(&position, word.as_bytes());
                        assert_eq!(found, Ok(played), "{word} in {fen}");
                    }
                }
            }
        }
    }

    #[test]
    fn castling_in_all_spellings() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for word in
            ["O-O", "o-o", "0-0", "O–O", "O-O+-", "e1g1", "e1-g1", "Ke1g1", "Ke1-g1", "e1h1"]
        {
            assert_eq!(found(fen, word).as_deref(), Ok("e1g1"), "{word}");
        }
        for word in ["O-O-O", "o-o-o", "0-0-0", "0–0–0", "e1c1", "Ke1-c1", "e1a1"] {
            assert_eq!(found(fen, word).as_deref(), Ok("e1c1"), "{word}");
        }
        // Not by a rook, not over an attacked square, not by the name of a usual move.
        assert_eq!(found(fen, "Re1g1"), Err(WrongMove::Illegal));
        assert_eq!(found(fen, "Kg1"), Err(WrongMove::Illegal));
        assert_eq!(found(&fen.replace("8/8/8/8", "8/5r2/8/8"), "e1g1"), Err(WrongMove::Illegal));
        assert_eq!(found("3k4/8/8/8/8/8/8/K3R3 w - - 0 1", "e1g1").as_deref(), Ok("e1g1"));
        let chess960 = position("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", CastlingMode::Chess960);
        for word in ["O-O", "e1f1", "Ke1f1"] {
            let found = find_move(&chess960, word.as_bytes()).map(Move::is_castle);
            assert_eq!(found, Ok(true), "{word}");
        }
    }

    #[test]
    fn what_may_be_read_in_two_ways() {
        let both = "4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1";
        for (fen, word, expected) in [
            // A small b is a file.
            (both, "bc4", Ok("b3c4")),
            (both, "bxc4", Ok("b3c4")),
            (both, "Bc4", Ok("f1c4")),
            (both, "b3b4", Ok("b3b4")),
            (both, "b4", Ok("b3b4")),
            ("4k3/8/8/8/8/8/1B6/4K3 w - - 0 1", "b2c3", Ok("b2c3")),
            ("4k3/8/8/8/8/8/1B6/4K3 w - - 0 1", "Pb2c3", Err(WrongMove::Illegal)),
            // Captures need not be told, but pawns that capture are named by their file.
            (both, "c4", Err(WrongMove::Illegal)),
            (both, "xc4", Err(WrongMove::Illegal)),
            (both, "Bxd3", Err(WrongMove::Illegal)),
            ("1b2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8b", Ok("a7b8b")),
            ("1b2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", Err(WrongMove::Illegal)),
            ("1b2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=", Err(WrongMove::Illegal)),
            ("1b2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=K", Err(WrongMove::Illegal)),
            ("4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1", "Nd2", Err(WrongMove::Ambiguous)),
            ("4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1", "Nf3-d2", Ok("f3d2")),
        ] {
            assert_eq!(found(fen, word), expected.map(str::to_owned), "{word}");
        }
    }

    #[test]
    fn what_is_no_move() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for word in ["--", "Z0", "0000", "@@@@"] {
            assert_eq!(found(fen, word), Err(WrongMove::Null), "{word}");
        }
        for word in [
            "",
            "N",
            "e",
            "e9",
            "Sf3",
            "♘",
            "Nf3-",
            "ng1f3",
            "N@f3",
            "e2e4e5",
            "0",
            "=",
            "e.p",
            "Ng1–",
            "±Nf3",
            "\u{fffd}f3",
            "resigns",
            "e2--e4",
            "Nf3,",
        ] {
            assert_eq!(found(fen, word), Err(WrongMove::NotSan), "{word}");
        }
        assert_eq!(found(fen, "e2e5"), Err(WrongMove::Illegal));
    }
}
