//! The game as an engine knows it: what it was told, and its own moves.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position as _};

use super::features::Features;
use super::moves;
use crate::player::recorded_game::is_same_move;
use crate::player::{Fault, append_move};

pub(super) struct EngineView {
    pub(super) fen: String,
    start: Chess,
    /// The moves it knows, its own among them, parted by single spaces.
    moves: String,
    pub(super) position: Chess,
    /// It has left force mode and answers moves.
    pub(super) playing: bool,
    pub(super) limited: bool,
    pub(super) own: Option<OwnMove>,
}

/// A move of an engine's own, and the position in which it was played.
#[derive(Debug, Clone)]
pub(in crate::player) struct OwnMove {
    before: Chess,
    best: UciMove,
}

impl OwnMove {
    pub(super) fn new(before: &Chess, best: UciMove) -> OwnMove {
        OwnMove { before: before.clone(), best }
    }

    pub(super) fn is(&self, text: &str) -> bool {
        moves::read(&self.before, text)
            .is_some_and(|other| is_same_move(&self.before, self.best, other))
    }
}

/// Moves as an engine takes them: the commands, and the moves alone.
#[derive(Default)]
pub(super) struct EngineMoves {
    pub(super) text: String,
    pub(super) moves: Vec<String>,
}

impl EngineView {
    pub(super) fn new(fen: &str, start: Chess) -> EngineView {
        EngineView {
            fen: fen.to_owned(),
            position: start.clone(),
            start,
            moves: String::new(),
            playing: false,
            limited: false,
            own: None,
        }
    }

    /// The same game from its beginning.
    pub(super) fn again(&self) -> EngineView {
        EngineView::new(&self.fen, self.start.clone())
    }

    pub(super) fn is_chess960(&self) -> bool {
        self.start.castles().mode().is_chess960()
    }

    /// Which of these moves it does not know yet; `None` if it knows others.
    pub(super) fn fresh<'a>(&self, moves: &'a str) -> Option<Vec<&'a str>> {
        let rest = moves.strip_prefix(&*self.moves)?;
        let parted = self.moves.is_empty() || rest.is_empty() || rest.starts_with(' ');
        parted.then(|| rest.split_ascii_whitespace().collect())
    }

    /// Writes moves for it; it knows them from here on.
    pub(super) fn write(
        &mut self,
        fresh: &[&str],
        features: &Features,
    ) -> Result<EngineMoves, Fault> {
        let mut written = EngineMoves::default();
        for text in fresh {
            let uci = text.parse::<UciMove>().ok();
            let found = uci.and_then(|uci| uci.to_move(&self.position).ok().map(|m| (uci, m)));
            let (uci, m) =
                found.ok_or_else(|| Fault::Garbage(format!("cannot be told the move '{text}'")))?;
            let word = moves::write(&self.position, m, features.san);
            self.position.play_unchecked(m);
            append_move(&mut self.moves, uci);
            if features.usermove {
                written.text.push_str("usermove ");
            }
            written.text.push_str(&word);
            written.text.push('\n');
            written.moves.push(word);
        }
        Ok(written)
    }

    /// Its own move. What is illegal ends the game elsewhere.
    pub(super) fn play(&mut self, best: UciMove) {
        self.own = Some(OwnMove::new(&self.position, best));
        if let Ok(m) = best.to_move(&self.position) {
            let written = m.to_uci(self.position.castles().mode());
            self.position.play_unchecked(m);
            append_move(&mut self.moves, written);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_told_once() {
        let mut view = EngineView::new("", Chess::new());
        let plain = Features::of_version_1();
        let mut modern = Features::of_version_1();
        modern.take("usermove=1 san=1", &mut String::new());
        let fresh = view.fresh("e2e4 e7e5").unwrap();
        assert_eq!(view.write(&fresh, &plain).unwrap().text, "e2e4\ne7e5\n");
        assert_eq!(view.fresh("e2e4 e7e5"), Some(vec![]));
        assert_eq!(view.fresh("e2e4 e7e5q"), None);
        assert_eq!(view.fresh("d2d4"), None);
        view.play("g1f3".parse().unwrap());
        view.play("g1f3".parse().unwrap());
        let fresh = view.fresh("e2e4 e7e5 g1f3 b8c6").unwrap();
        let written = view.write(&fresh, &modern).unwrap();
        assert_eq!((written.text.as_str(), written.moves), ("usermove Nc6\n", vec!["Nc6".into()]));
        assert!(view.write(&["e2e4"], &plain).is_err());
        assert_eq!(view.again().fresh("d2d4"), Some(vec!["d2d4"]));
    }
}
