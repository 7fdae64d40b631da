//! What a player says of a move beyond its note, where that is asked for.

use std::str;

use serde::{Deserialize, Serialize, Serializer};

/// Longer variations are cut: what a player says is not to fill the journal.
const LONGEST: usize = 1_000;

/// In JSON `[seldepth, hashfull, tbhits, pv]`, and behind it `left_us` for a player on a clock: the
/// order of the fields is the format.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct MoveDetails {
    /// Selective depth in plies; 0: not told.
    pub seldepth: u32,
    /// Fill of the hash table, per mille.
    pub hashfull: Option<u32>,
    pub tbhits: Option<u64>,
    /// The principal variation in the player's own words, parted by single spaces.
    pub pv: String,
    /// Time left on the clock after the move with its increment, in microseconds; `None`: no clock.
    #[serde(default)]
    pub left_us: Option<u64>,
}

impl Serialize for MoveDetails {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let MoveDetails { seldepth, hashfull, tbhits, pv, left_us } = self;
        match left_us {
            Some(left) => (seldepth, hashfull, tbhits, pv, left).serialize(to),
            None => (seldepth, hashfull, tbhits, pv).serialize(to),
        }
    }
}

impl MoveDetails {
    /// Appends words of a variation up to the length limit, or the first word that cannot stand in
    /// a comment of PGN.
    pub fn take_pv<'a>(&mut self, words: impl IntoIterator<Item = &'a [u8]>) {
        for word in words {
            let is_sound = word.iter().all(|c| c.is_ascii_graphic() && !b"{};%".contains(c));
            let Some(word) = str::from_utf8(word).ok().filter(|_| is_sound) else { break };
            if self.pv.len() + 1 + word.len() > LONGEST {
                break;
            }
            if !self.pv.is_empty() {
                self.pv.push(' ');
            }
            self.pv.push_str(word);
        }
    }

    /// Whether the variation may have been longer.
    pub(super) fn is_cut(&self) -> bool {
        // The longest word of a variation is one like `e7xd8=Q+`.
        self.pv.len() + 9 > LONGEST
    }

    /// A comment of PGN: `tl=0.950s sd=12 hashfull=34 tbhits=5 pv="e2e4 e7e5"`, without what is not
    /// known.
    pub fn comment(&self) -> String {
        let MoveDetails { seldepth, hashfull, tbhits, pv, left_us } = self;
        let parts = [
            left_us.map(|us| format!("tl={}.{:03}s", us / 1_000_000, us / 1_000 % 1_000)),
            (*seldepth > 0).then(|| format!("sd={seldepth}")),
            hashfull.map(|per_mille| format!("hashfull={per_mille}")),
            tbhits.map(|hits| format!("tbhits={hits}")),
            (!pv.is_empty()).then(|| format!("pv=\"{pv}\"")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments() {
        let whole: MoveDetails = serde_json::from_str(r#"[12, 34, 5, "e2e4 e7e5"]"#).unwrap();
        assert_eq!(whole.comment(), "sd=12 hashfull=34 tbhits=5 pv=\"e2e4 e7e5\"");
        assert_eq!(serde_json::to_string(&whole).unwrap(), r#"[12,34,5,"e2e4 e7e5"]"#);
        let on_a_clock = r#"[0,null,null,"",61234567]"#;
        let details: MoveDetails = serde_json::from_str(on_a_clock).unwrap();
        assert_eq!(details.comment(), "tl=61.234s");
        assert_eq!(serde_json::to_string(&details).unwrap(), on_a_clock);
        assert_eq!(MoveDetails::default().comment(), "");
    }

    #[test]
    fn variations() {
        let taken = |words: &[&str]| {
            let mut details = MoveDetails::default();
            details.take_pv(words.iter().map(|word| word.as_bytes()));
            details.pv
        };
        assert_eq!(taken(&["e2e4", "e7e5"]), "e2e4 e7e5");
        assert_eq!(taken(&["e4", "}", "e5"]), "e4");
        assert_eq!(taken(&["é"]), "");
        assert_eq!(taken(&["e2e4"; 500]).len(), 999);
    }
}
