//! Histories: success of moves, kept by several keys (ORD-23).

use super::scores::Scores;
use super::{CutInfo, LastMoves};
use crate::params::{self, Params};
use crate::position::Position;
use crate::types::{Color, Depth, Move, Piece, Square};

/// How much a cut is worth (MISS-29).
#[derive(Debug, Clone, Copy, Default)]
struct CutBonus {
    square: i32,
    linear: i32,
    most: i32,
    malus: i32,
    gravity: bool,
}

impl CutBonus {
    fn new(rules: &params::History) -> CutBonus {
        let params::History { square, linear, most, malus, gravity, .. } = *rules;
        CutBonus { square, linear, most, malus, gravity }
    }

    /// For a cut with so much depth left: what the move gains, and what those before it lose.
    fn of(&self, depth: Depth) -> (i32, i32) {
        let plies = depth.to_plies();
        let gain = (self.square * plies * plies + self.linear * plies) / 16;
        let gain = gain.min(self.most);
        (gain, gain * self.malus / 100)
    }
}

/// Success of quiet moves and of captures.
#[derive(Debug, Default)]
pub(super) struct Histories {
    /// Quiet moves by colour, from and to.
    butterfly: Scores,
    /// Quiet moves by piece and target: `H[pt][sq]`.
    piece_to: Scores,
    /// Quiet moves by the enemy's last move, role and target.
    replies: Scores,
    /// Quiet moves by the own last move, role and target.
    follow_ups: Scores,
    /// Captures by piece, target and victim.
    captures: Scores,
    /// Whether `piece_to` is more than what the piece-square tables learn from.
    orders_by_piece: bool,
    bonus: CutBonus,
}

const SQUARES: usize = 64;
const ROLES: usize = 6;
/// Cells behind one earlier move: role and target, the colour is known.
const AFTER: usize = ROLES * SQUARES;

/// Colour, from and to.
#[inline]
fn by_squares(color: Color, mv: Move) -> usize {
    (color as usize * SQUARES + mv.from() as usize) * SQUARES + mv.to() as usize
}

/// Piece and target.
#[inline]
pub(super) fn by_piece(piece: Piece, to: Square) -> usize {
    piece.index() * SQUARES + to as usize
}

/// How many cells [`by_piece`] needs.
pub(super) const BY_PIECE: usize = Piece::CODES * SQUARES;

/// Role and target behind an earlier move. Castling stands at the rook's square, apart from the king's
/// moves; with them no gain was shown (results/2026-11-27-castling).
#[inline]
fn by_role(piece: Piece, to: Square) -> usize {
    piece.role().map_or(0, |role| role as usize - 1) * SQUARES + to as usize
}

/// Where the cells behind an earlier move begin.
#[inline]
fn after((piece, to): (Piece, Square)) -> usize {
    (piece.code().saturating_sub(1) * SQUARES + to as usize) * AFTER
}

/// Piece, target and the victim's role.
#[inline]
fn by_capture(piece: Piece, to: Square, victim: Piece) -> usize {
    by_piece(piece, to) * ROLES + victim.role().map_or(0, |role| role as usize - 1)
}

impl Histories {
    pub(super) fn begin_search(&mut self, params: &Params) {
        let rules = &params.history;
        let last_moves = (Piece::CODES - 1) * SQUARES * AFTER;
        self.butterfly.fit(params.order.history, 2 * SQUARES * SQUARES);
        self.piece_to.fit(rules.piece_to || params.history_pst.on, BY_PIECE);
        self.replies.fit(rules.reply, last_moves);
        self.follow_ups.fit(rules.follow_up, last_moves);
        self.captures.fit(rules.captures, BY_PIECE * ROLES);
        for scores in [
            &mut self.butterfly,
            &mut self.piece_to,
            &mut self.replies,
            &mut self.follow_ups,
            &mut self.captures,
        ] {
            scores.fade(rules.keep);
        }
        self.orders_by_piece = rules.piece_to;
        self.bonus = CutBonus::new(rules);
    }

    pub(super) fn cut(&mut self, info: &CutInfo<'_>) {
        let (gain, loss) = self.bonus.of(info.depth);
        if info.mv.is_quiet() {
            let last = LastMoves::of(info.stack, info.ply);
            self.quiet(info, last, info.mv, gain);
            for &mv in info.tried.quiets() {
                self.quiet(info, last, mv, -loss);
            }
        }
        self.take(info, info.mv, gain);
        for &mv in info.tried.captures() {
            self.take(info, mv, -loss);
        }
    }

    /// A quiet move gains or loses by every key.
    fn quiet(&mut self, info: &CutInfo<'_>, last: LastMoves, mv: Move, bonus: i32) {
        let (piece, to, gravity) = (info.piece(mv), mv.to(), self.bonus.gravity);
        self.butterfly.add(by_squares(info.color(), mv), bonus, gravity);
        self.piece_to.add(by_piece(piece, mv.landing()), bonus, gravity);
        if let Some(enemy) = last.enemy() {
            self.replies.add(after(enemy) + by_role(piece, to), bonus, gravity);
        }
        if let Some(own) = last.own() {
            self.follow_ups.add(after(own) + by_role(piece, to), bonus, gravity);
        }
    }

    /// A capture gains or loses; other moves do not.
    fn take(&mut self, info: &CutInfo<'_>, mv: Move, bonus: i32) {
        if mv.is_capture() {
            let cell = by_capture(info.piece(mv), mv.to(), info.position.taken_by(mv));
            self.captures.add(cell, bonus, self.bonus.gravity);
        }
    }

    /// A share of `weight` by a capture's score.
    #[inline]
    pub(super) fn capture(&self, piece: Piece, to: Square, victim: Piece, weight: i32) -> i32 {
        self.captures.of(by_capture(piece, to, victim)) * weight / Scores::MAX
    }

    /// The sum of what the histories say of a quiet move of a node, −2000..2000 each, whatever their
    /// weights.
    #[inline]
    pub(super) fn plain(&self, rows: &HistoryRows, piece: Piece, mv: Move) -> i32 {
        let cell = by_role(piece, mv.to());
        let squares = mv.from() as usize * SQUARES + mv.to() as usize;
        self.butterfly.of(rows.butterfly + squares)
            + self.replies.of(rows.replies + cell)
            + self.follow_ups.of(rows.follow_ups + cell)
            + if self.orders_by_piece { self.piece_to(piece, mv.landing()) } else { 0 }
    }

    #[inline]
    pub(super) fn piece_to(&self, piece: Piece, to: Square) -> i32 {
        self.piece_to.of(by_piece(piece, to))
    }

    pub(super) fn warm(&self) {
        for scores in [&self.butterfly, &self.piece_to, &self.captures] {
            scores.warm();
        }
    }
}

/// Where a node's cells begin in the histories of quiet moves; a history has none behind a move that
/// there was not.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct HistoryRows {
    butterfly: usize,
    replies: usize,
    follow_ups: usize,
}

impl HistoryRows {
    #[inline]
    pub(super) fn of(position: &Position, last: LastMoves) -> HistoryRows {
        let row = |last: Option<(Piece, Square)>| last.map_or(Scores::NOWHERE, after);
        HistoryRows {
            butterfly: by_squares(position.turn(), Move::NONE),
            replies: row(last.enemy()),
            follow_ups: row(last.own()),
        }
    }
}

/// The histories of quiet moves as one node reads them.
#[derive(Debug)]
pub(in crate::search) struct QuietScores<'a> {
    position: &'a Position,
    butterfly: &'a [i16],
    butterfly_weight: i32,
    /// The others, each with its weight; `None` when all are off.
    others: Option<Others<'a>>,
}

#[derive(Debug)]
struct Others<'a> {
    /// `None` where it is kept for the piece-square tables only.
    piece_to: Option<(&'a Scores, i32)>,
    after: [(&'a [i16], i32); 2],
}

impl<'a> QuietScores<'a> {
    #[inline]
    pub(super) fn new(
        histories: &'a Histories,
        position: &'a Position,
        last: LastMoves,
        params: &Params,
    ) -> QuietScores<'a> {
        let rules = &params.history;
        let any = rules.piece_to || rules.reply || rules.follow_up;
        let rows = HistoryRows::of(position, last);
        QuietScores {
            position,
            butterfly: histories.butterfly.row(rows.butterfly, SQUARES * SQUARES),
            butterfly_weight: params.order.history_weight,
            others: any.then(|| Others {
                piece_to: rules.piece_to.then_some((&histories.piece_to, rules.piece_to_weight)),
                after: [
                    (histories.replies.row(rows.replies, AFTER), rules.reply_weight),
                    (histories.follow_ups.row(rows.follow_ups, AFTER), rules.follow_up_weight),
                ],
            }),
        }
    }

    /// What all histories say of a quiet move, in 1/256 ordering point.
    #[inline]
    pub(in crate::search) fn of(&self, mv: Move) -> i32 {
        let cell = mv.from() as usize * SQUARES + mv.to() as usize;
        let mut sum = score(self.butterfly, cell) * self.butterfly_weight;
        if let Some(others) = &self.others {
            sum += others.of(self.position.piece_at(mv.from()), mv.to());
        }
        sum * 256 / Scores::MAX
    }
}

impl Others<'_> {
    #[inline(never)]
    fn of(&self, piece: Piece, to: Square) -> i32 {
        let cell = by_role(piece, to);
        let after: i32 = self.after.iter().map(|(row, weight)| score(row, cell) * weight).sum();
        let by_piece =
            self.piece_to.map_or(0, |(scores, weight)| scores.of(by_piece(piece, to)) * weight);
        by_piece + after
    }
}

#[inline]
fn score(row: &[i16], cell: usize) -> i32 {
    row.get(cell).map_or(0, |&score| i32::from(score))
}
