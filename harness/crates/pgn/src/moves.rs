//! UCI to move and move to SAN. Where a look at the board decides, no moves are generated: whole
//! games are replayed in a fraction of the time.

use shakmaty::san::San;
use shakmaty::uci::{IllegalUciMoveError, UciMove};
use shakmaty::{
    Bitboard, Chess, Move, MoveList, Piece, Position as _, Rank, Role, Square, attacks,
};

/// The same as [`UciMove::to_move`], faster. `is_check`: whether the side to move is in check, here and
/// below.
pub(crate) fn move_of(
    position: &Chess,
    is_check: bool,
    uci: UciMove,
) -> Result<Move, IllegalUciMoveError> {
    plain_move(position, is_check, uci).map_or_else(|| uci.to_move(position), Ok)
}

/// Appends a legal move in SAN, without the sign of a check.
pub(crate) fn push_san(to: &mut String, position: &Chess, is_check: bool, played: Move) {
    San::disambiguate(played, &rivals(position, is_check, played)).append_to_string(to);
}

/// Moves of other men of the same kind to the same square.
fn rivals(position: &Chess, is_check: bool, played: Move) -> MoveList {
    let mut rivals = MoveList::new();
    let Move::Normal { role, from, to, .. } = played else { return rivals };
    let men = position.our(role);
    // The rules of chess have one king; a pawn that captures has its file anyway.
    if matches!(role, Role::Pawn | Role::King) || !men.more_than_one() {
        return rivals;
    }
    let piece = Piece { color: position.turn(), role };
    let reach = attacks::attacks(to, piece, position.board().occupied()) & men;
    for other in reach.into_iter().filter(|other| *other != from) {
        if let Move::Normal { capture, promotion, .. } = played
            && is_king_safe(position, is_check, other, to)
        {
            rivals.push(Move::Normal { role, from: other, capture, to, promotion });
        }
    }
    rivals
}

/// Whether the side to move has no legal move.
pub(crate) fn is_stuck(position: &Chess, is_check: bool) -> bool {
    !has_plain_move(position, is_check) && position.legal_moves().is_empty()
}

/// A legal move other than castling and captures en passant. `None`: one of these, or an illegal one.
fn plain_move(position: &Chess, is_check: bool, uci: UciMove) -> Option<Move> {
    let UciMove::Normal { from, to, promotion } = uci else { return None };
    let board = position.board();
    let role = board.role_at(from)?;
    if !position.us().contains(from) || position.us().contains(to) {
        return None;
    }
    let is_reached = match role {
        Role::Pawn => {
            let is_last = matches!(to.rank(), Rank::First | Rank::Eighth);
            let is_promoted = promotion.is_some_and(|it| !matches!(it, Role::Pawn | Role::King));
            is_last == is_promoted
                && promotion.is_some() == is_promoted
                && pawn_reaches(position, from, to)
        }
        _ => promotion.is_none() && board.attacks_from(from).contains(to),
    };
    let capture = board.role_at(to);
    let is_legal = is_reached && is_king_safe(position, is_check, from, to);
    is_legal.then_some(Move::Normal { role, from, capture, to, promotion })
}

/// Whether nobody attacks the king of the side to move after this move of one of its men.
fn is_king_safe(position: &Chess, is_check: bool, from: Square, to: Square) -> bool {
    let board = position.board();
    let Some(king) = board.king_of(position.turn()) else { return true };
    // Who leaves no line to the king opens none, and without a check there is none to be stopped.
    if king != from && !is_check && attacks::ray(king, from).is_empty() {
        return true;
    }
    let king = if king == from { to } else { king };
    let target = Bitboard::from_square(to);
    let occupied = board.occupied() & !Bitboard::from_square(from) | target;
    (board.attacks_to(king, !position.turn(), occupied) & !target).is_empty()
}

/// Whether a pawn of the side to move goes there, other than en passant.
fn pawn_reaches(position: &Chess, from: Square, to: Square) -> bool {
    let occupied = position.board().occupied();
    if from.file() != to.file() {
        return position.board().attacks_from(from).contains(to) && occupied.contains(to);
    }
    let Some(next) = ahead(position, from).filter(|next| !occupied.contains(*next)) else {
        return false;
    };
    let home = position.turn().fold_wb(Rank::Second, Rank::Seventh);
    let is_step = to == next;
    let is_leap = || from.rank() == home && ahead(position, next) == Some(to);
    (is_step || is_leap()) && !occupied.contains(to)
}

fn ahead(position: &Chess, from: Square) -> Option<Square> {
    from.offset(position.turn().fold_wb(8, -8))
}

/// Whether a free man or the king can move. Most positions show so without their legal moves.
fn has_plain_move(position: &Chess, is_check: bool) -> bool {
    let (board, us) = (position.board(), position.us());
    let free = free_men(position, is_check);
    let blocked = board.occupied().shift(position.turn().fold_wb(-8, 8));
    if (free & board.pawns() & !blocked).any() {
        return true;
    }
    let is_mobile = |from| (board.attacks_from(from) & !us).any();
    let king_moves = || {
        let king = board.king_of(position.turn())?;
        let mut squares = (attacks::king_attacks(king) & !us).into_iter();
        squares.find(|to| is_king_safe(position, is_check, king, *to))
    };
    (free & !board.pawns()).into_iter().any(is_mobile) || king_moves().is_some()
}

/// Men of the side to move that no line could pin to their king; the king is none. In check: none.
fn free_men(position: &Chess, is_check: bool) -> Bitboard {
    let board = position.board();
    match board.king_of(position.turn()) {
        Some(king) if !is_check => {
            let empty = Bitboard::EMPTY;
            let lines = attacks::rook_attacks(king, empty) | attacks::bishop_attacks(king, empty);
            position.us() & !lines & !Bitboard::from_square(king)
        }
        _ => Bitboard::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;
    use shakmaty::san::SanPlus;

    use super::*;
    use crate::Replay;
    use crate::random::RandomWords;

    /// Pins, checks, castling, promotions, captures en passant, mates, stalemates.
    const POSITIONS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "6k1/8/8/Q7/8/Q7/2K4Q/8 w - - 0 1",
        "nrk1bqrb/pppp2pp/4pp2/2n5/8/1N2PP2/PPPP2PP/1RKNBQRB w GBgb - 0 1",
    ];

    fn start(fen: &str) -> Chess {
        let fen: Fen = fen.parse().unwrap();
        let mode = CastlingMode::detect(fen.as_setup());
        fen.into_position(mode).unwrap()
    }

    /// All words of squares, legal or not, at each position of random games.
    #[test]
    fn every_word_means_what_the_rules_say() {
        let mut words: Vec<UciMove> = Vec::new();
        for from in Square::ALL {
            for to in Square::ALL {
                let promotions = [None, Some(Role::Queen), Some(Role::Knight), Some(Role::King)];
                words.extend(promotions.map(|promotion| UciMove::Normal { from, to, promotion }));
            }
        }
        let mut random = RandomWords::new(b"moves of games 1", 1, 1);
        let mut plain = 0;
        for fen in POSITIONS {
            for _ in 0..3 {
                let mut replay = Replay::new(start(fen));
                for _ in 0..60 {
                    let position = replay.position().clone();
                    let is_check = position.is_check();
                    for &uci in &words {
                        let expected = uci.to_move(&position).ok();
                        assert_eq!(replay.move_of(uci).ok(), expected, "{uci} in {position:?}");
                        plain += u32::from(plain_move(&position, is_check, uci).is_some());
                    }
                    let moves = position.legal_moves();
                    let has_move = has_plain_move(&position, is_check);
                    assert!(!has_move || !moves.is_empty(), "{position:?}");
                    let Some(count) = u32::try_from(moves.len()).ok().filter(|it| *it > 0) else {
                        break;
                    };
                    let played = moves[random.below(count) as usize];
                    let mut text = String::new();
                    replay.play_as_san(played, &mut text);
                    assert_eq!(text, SanPlus::from_move(position, played).to_string());
                }
            }
        }
        assert!(plain > 10_000, "{plain}");
    }
}
