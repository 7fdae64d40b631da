//! Won endings without pawns, played out: how many of them an engine wins before fifty moves are over.
//! Distances to mate are worked out first (`table.rs`), so that the defence can be perfect.
//!
//! `endings make SEED`: positions, an EPD line each: the stronger side to move, at least half as far from mate
//! as the longest win of the ending.
//!
//! `endings play FILE PLAYER DEFENDER LIMIT…`: a row of a table for each ending of the file and each limit.
//! The player is a personality, `default,lmr.on=false` one with other parameters. The defender is `table`, which holds out as long as it can, or `self`, the same engine. A limit is
//! `depth=6` or `nodes=5000`.

mod play;
mod table;

use std::error::Error;

use engine::Position;
use engine::types::{Color, Role};
use table::{Material, Table};

/// Endings, and how many positions of each.
const ENDINGS: [(&str, usize); 5] =
    [("KBNK", 49), ("KQKR", 50), ("KBBK", 50), ("KRK", 50), ("KQK", 50)];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["make", seed] => make(seed.parse()?),
        ["play", file, personality, defender, ref limits @ ..] if !limits.is_empty() => {
            play::play(file, personality, defender, limits)
        }
        _ => Err("expected: endings make SEED, or endings play FILE PLAYER DEFENDER LIMIT…".into()),
    }
}

fn make(seed: u64) -> Result<(), Box<dyn Error>> {
    let mut chance = Chance(seed);
    for (name, count) in ENDINGS {
        let material = Material::from_name(name)?;
        let table = Table::new(material.clone());
        let mut found = 0;
        while found < count {
            let strong = if chance.below(2) == 0 { Color::White } else { Color::Black };
            let Some(position) = random(&material, strong, &mut chance) else { continue };
            let far = table.plies(&position, strong).filter(|&plies| 2 * plies >= table.longest());
            if let Some(plies) = far {
                found += 1;
                let fen = position.fen();
                let fields: Vec<&str> = fen.split(' ').take(4).collect();
                println!("{} dm {}; id \"{name}.{found}\";", fields.join(" "), plies.div_ceil(2));
            }
        }
    }
    Ok(())
}

/// Men on squares by chance, the stronger side to move; `None` when that is no legal position.
fn random(material: &Material, strong: Color, chance: &mut Chance) -> Option<Position> {
    let mut board = [None; 64];
    for &(is_strong, role) in material.men() {
        let color = if is_strong { strong } else { strong.other() };
        if board[chance.below(64)].replace(letter(color, role)).is_some() {
            return None;
        }
    }
    let rank =
        |rank: &[Option<char>]| -> String { rank.iter().map(|man| man.unwrap_or('1')).collect() };
    let ranks: Vec<String> = board.chunks(8).map(rank).collect();
    Position::from_fen(&format!("{} {} - - 0 1", ranks.join("/"), strong.char())).ok()
}

fn letter(color: Color, role: Role) -> char {
    if color.is_white() { role.upper_char() } else { role.char() }
}

/// Numbers that look like chance, always the same ones (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((number ^ number >> 31) % end) as usize
    }
}
