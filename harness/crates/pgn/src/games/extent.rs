//! How far the game goes that is being read.

/// From the first line of a game to its last so far, and what tells that the next one begins.
#[derive(Debug, Clone, Default)]
pub struct Extent {
    /// The first and the last line on which something of it stood.
    lines: Option<(u64, u64)>,
    /// A blank line stood after the last thing read.
    blank: bool,
    moves_begun: bool,
    event_seen: bool,
    fen_seen: bool,
}

impl Extent {
    pub(super) fn has_begun(&self) -> bool {
        self.lines.is_some()
    }

    /// The line it begins on, from 1.
    pub fn first_line(&self) -> u64 {
        self.lines.map_or(1, |(first, _)| first)
    }

    /// Whether moves have begun and no blank line stood after the last thing read.
    #[inline]
    pub(super) fn is_among_moves(&self) -> bool {
        self.moves_begun && !self.blank
    }

    /// Whether castling may come next, which no usual game begins with.
    pub(super) fn may_castle(&self) -> bool {
        self.moves_begun || self.fen_seen
    }

    pub(super) fn last_line(&self) -> u64 {
        self.lines.map_or(1, |(_, last)| last)
    }

    pub(super) fn blank_line(&mut self) {
        self.blank = true;
    }

    /// Something of the game stands on that line.
    #[inline]
    pub(super) fn touch(&mut self, line: u64) {
        self.blank = false;
        self.lines = Some((self.lines.map_or(line, |(first, _)| first), line));
    }

    pub(super) fn tag(&mut self, line: u64, name: &[u8]) {
        self.touch(line);
        self.event_seen |= name.eq_ignore_ascii_case(b"event");
        self.fen_seen |= name.eq_ignore_ascii_case(b"fen");
    }

    #[inline]
    pub(super) fn begin_moves(&mut self, line: u64) {
        self.touch(line);
        self.moves_begun = true;
    }

    /// Whether a tag of this name belongs to the next game already: after moves, or when a game
    /// of tags alone is followed by another.
    pub(super) fn ends_before_tag(&self, name: &[u8]) -> bool {
        let repeated = (self.event_seen && name.eq_ignore_ascii_case(b"event"))
            || (self.fen_seen && name.eq_ignore_ascii_case(b"fen"));
        self.moves_begun || (self.blank && repeated)
    }

    /// Whether a move or move number belongs to the next game already: after a blank line, if
    /// it can be a game's first.
    #[inline]
    pub(super) fn ends_before_moves(&self, can_be_first: bool) -> bool {
        self.moves_begun && self.blank && can_be_first
    }
}
