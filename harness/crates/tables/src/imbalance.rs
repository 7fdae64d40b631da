//! One balance of material by its name: `KRPPPvKBNPP`.

use std::fmt;
use std::str::FromStr;

use engine::eval::MaterialCounts;

use super::count::{MitCounts, SideWdl};
use pgn::sides;
use stats::{Z95, wilson};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Imbalance {
    men: MaterialCounts,
    cell: usize,
}

/// Letters of the men in the table's order.
const LETTERS: [char; 5] = ['P', 'N', 'B', 'R', 'Q'];
const MOST: [u8; 5] = [8, 2, 2, 2, 1];

impl FromStr for Imbalance {
    type Err = String;

    fn from_str(text: &str) -> Result<Imbalance, String> {
        let wrong = |why: String| {
            format!(
                "'{text}': {why}; expected the material of White and Black, like KRPPPvKBNPP or KRPPP-KBNPP"
            )
        };
        let (white, black) =
            sides(text).ok_or_else(|| wrong("there is no 'v' and no '-'".to_owned()))?;
        let mut men = [0_u8; 10];
        for (side, letters) in [white, black].into_iter().enumerate() {
            let mut kings = 0;
            for letter in letters.chars().filter(|letter| !letter.is_whitespace()) {
                let letter = letter.to_ascii_uppercase();
                if letter == 'K' {
                    kings += 1;
                } else if let Some(role) = LETTERS.iter().position(|&known| known == letter) {
                    let count = &mut men[2 * role + side];
                    *count = count.saturating_add(1);
                    if *count > MOST[role] {
                        let most = MOST[role];
                        return Err(wrong(format!("the table has at most {most} {letter} a side")));
                    }
                } else {
                    return Err(wrong(format!("'{letter}' is not a piece")));
                }
            }
            if kings != 1 {
                return Err(wrong(format!("there are {kings} kings on one side")));
            }
        }
        let men = MaterialCounts(men);
        let cell = men.index().ok_or_else(|| wrong("the table has no such cell".to_owned()))?;
        Ok(Imbalance { men, cell })
    }
}

/// Written from the queen down, White's men first.
impl fmt::Display for Imbalance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in 0..2 {
            f.write_str(if side == 0 { "K" } else { "vK" })?;
            for role in (0..5).rev() {
                for _ in 0..self.men.0[2 * role + side] {
                    write!(f, "{}", LETTERS[role])?;
                }
            }
        }
        Ok(())
    }
}

impl Imbalance {
    /// Its index in the table.
    pub fn cell(self) -> usize {
        self.cell
    }

    pub fn flipped(self) -> Imbalance {
        let men = self.men.flipped();
        // Limits are the same for both colours.
        Imbalance { men, cell: men.index().unwrap_or(self.cell) }
    }

    /// Results of this balance, of the colour-flipped one, and of both together, as text.
    pub fn describe(self, mit: &MitCounts) -> String {
        let (own, other) = (mit.cell(self.cell), mit.cell(self.flipped().cell));
        let mut both = own;
        both += other.flipped();
        let mut lines = vec![line(&self.to_string(), own)];
        if self != self.flipped() {
            lines.push(line(&self.flipped().to_string(), other));
            lines.push(line("both, as the first", both));
        }
        lines.join("\n")
    }
}

fn line(name: &str, games: SideWdl) -> String {
    let SideWdl { wins, draws, losses } = games;
    let Some((low, high)) = wilson(games.score(), games.games(), Z95) else {
        return format!("{name}: no games");
    };
    format!(
        "{name}: {} games, White scores {:.1}% (95% interval {:.1}% to {:.1}%): {wins} won, {draws} \
         drawn, {losses} lost",
        games.games(),
        100.0 * games.score(),
        100.0 * low,
        100.0 * high
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let balance: Imbalance = "KRPPPvKBNPP".parse().expect("a name");
        assert_eq!(balance.men, MaterialCounts([3, 2, 0, 1, 0, 1, 1, 0, 0, 0]));
        assert_eq!(balance.to_string(), "KRPPPvKBNPP");
        assert_eq!("KRPPP-KBNPP".parse(), Ok(balance));
        assert_eq!("pkvnkp".parse::<Imbalance>().expect("any order").to_string(), "KPvKNP");
        assert_eq!(balance.flipped().to_string(), "KBNPPvKRPPP");
        for (name, why) in [
            ("KR", "no 'v' and no '-'"),
            ("KQQvK", "at most 1 Q"),
            ("KRvR", "0 kings"),
            ("KXvK", "'X'"),
            ("KPPPPPPPPPvK", "at most 8 P"),
        ] {
            let error = name.parse::<Imbalance>().expect_err(name).to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
