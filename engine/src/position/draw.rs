//! Draws by rule: repetition, fifty moves, material.

use shakmaty::{Bitboard, Role};

use super::Position;

impl Position {
    /// How often the present position stood before, since the last capture or pawn move.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        self.earlier_keys().filter(|&(_, key)| key == self.key()).count()
    }

    /// Whether the search may call this position, `ply` plies below its root, a draw by repetition:
    /// it stood once before within the line, or twice before at all.
    #[must_use]
    pub fn is_repetition(&self, ply: usize) -> bool {
        let mut seen_in_game = false;
        for (distance, key) in self.earlier_keys() {
            if key == self.key() {
                if distance < ply || seen_in_game {
                    return true;
                }
                seen_in_game = true;
            }
        }
        false
    }

    /// Whether any position since the last capture or pawn move has stood before.
    pub(crate) fn has_repeated(&self) -> bool {
        let reach = usize::from(self.state().halfmoves).min(self.states.depth());
        let keys: Vec<u64> = (0..=reach).map(|plies| self.states.earlier_key(plies)).collect();
        keys.iter().enumerate().any(|(number, key)| keys[..number].contains(key))
    }

    /// Keys of earlier positions with the same side to move, latest first, each with its distance
    /// in plies, back to the last capture or pawn move.
    fn earlier_keys(&self) -> impl Iterator<Item = (usize, u64)> {
        let reach = usize::from(self.state().halfmoves).min(self.states.depth());
        (2..=reach).step_by(2).skip(1).map(|distance| (distance, self.states.earlier_key(distance)))
    }

    /// Whether fifty moves passed without capture or pawn move. Mate on the hundredth ply comes
    /// first: the caller asks whether there is a legal move.
    #[must_use]
    pub fn is_fifty_moves(&self) -> bool {
        self.state().halfmoves >= 100
    }

    /// Whether neither side can mate by any series of legal moves: bare kings, one knight, or
    /// bishops all on squares of one colour.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let of = |role: Role| self.by_role(role);
        if (of(Role::Pawn) | of(Role::Rook) | of(Role::Queen)).any() {
            return false;
        }
        let (knights, bishops) = (of(Role::Knight), of(Role::Bishop));
        if knights.any() {
            return bishops.is_empty() && !knights.more_than_one();
        }
        bishops.is_subset(Bitboard::LIGHT_SQUARES) || bishops.is_subset(Bitboard::DARK_SQUARES)
    }
}
