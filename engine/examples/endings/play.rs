//! Games from won positions.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use crate::table::{Material, Table};
use engine::types::{Color, Move};
use engine::{Engine, HashSize, Limits, Params, Position};

/// Hash table of an engine, MiB.
const HASH: usize = 16;

/// A position that is won for the side to move.
struct Won {
    position: Position,
    /// Moves to mate.
    distance: u32,
}

/// Plays every position of a file within every limit.
pub(super) fn play(
    file: &str,
    personality: &str,
    defender: &str,
    limits: &[&str],
) -> Result<(), Box<dyn Error>> {
    let limits: Vec<(&str, Limits)> =
        limits.iter().map(|&words| Ok((words, limit(words)?))).collect::<Result<_, String>>()?;
    let perfect = match defender {
        "table" => true,
        "self" => false,
        _ => return Err(format!("expected the defender table or self, found {defender:?}").into()),
    };
    let params = Arc::new(params(personality)?);
    let mut attacker = Engine::new(&params, HashSize::from_mib(HASH));
    let mut other = Engine::new(&params, HashSize::from_mib(HASH));
    println!(
        "| ending | player | defender | a move | positions | mated in 50 moves | moves over the shortest, mean | longest win | by repetition | 50 moves | else |"
    );
    println!("|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|");
    for (name, positions) in positions(file)? {
        let table = Table::new(Material::from_name(&name)?);
        for (words, limits) in &limits {
            let mut tally = Tally::default();
            for won in &positions {
                attacker.new_game();
                other.new_game();
                let defend = |position: &Position, strong| {
                    if perfect {
                        longest_defence(&table, position, strong)
                    } else {
                        other.search(position, limits, &()).best
                    }
                };
                let end = game(&mut attacker, limits, &won.position, defend);
                if std::env::var_os("ENDINGS_SHOW").is_some() {
                    eprintln!("{name} {words} {} {end:?}", won.position.fen());
                }
                tally.note(end, won.distance);
            }
            let words = words.replace('=', " ");
            println!("| {name} | {personality} | {defender} | {words} | {tally} |");
        }
    }
    Ok(())
}

/// The parameters of a player such as `default,lmr.on=false`.
fn params(player: &str) -> Result<Params, Box<dyn Error>> {
    let mut words = player.split(',');
    let mut params = Params::load(words.next().unwrap_or_default())?;
    for word in words {
        let expected = || format!("expected NAME=VALUE, found {word:?} in {player:?}");
        let (name, value) = word.split_once('=').ok_or_else(expected)?;
        params.set(name, value)?;
    }
    Ok(params)
}

fn limit(words: &str) -> Result<Limits, String> {
    let expected = || format!("expected a limit such as depth=6 or nodes=5000, found {words:?}");
    match words.split_once('=') {
        Some(("depth", plies)) => {
            let depth = Some(plies.parse().map_err(|_| expected())?);
            Ok(Limits { depth, ..Limits::default() })
        }
        Some(("nodes", nodes)) => {
            let nodes = Some(nodes.parse().map_err(|_| expected())?);
            Ok(Limits { nodes, ..Limits::default() })
        }
        _ => Err(expected()),
    }
}

/// The positions of a file by the name of their ending.
fn positions(file: &str) -> Result<BTreeMap<String, Vec<Won>>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut endings: BTreeMap<String, Vec<Won>> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let expected =
            |what: &str| format!("{file}:{number}: expected {what}, as `endings make` writes it");
        let (fen, operations) = line.split_once(" dm ").ok_or_else(|| expected("dm"))?;
        let position = Position::from_fen(&format!("{fen} 0 1"))
            .map_err(|error| format!("{file}:{number}: {error}"))?;
        let (distance, rest) = operations.split_once(';').ok_or_else(|| expected("dm N;"))?;
        let distance = distance.parse().map_err(|_| expected("dm N;"))?;
        let name = rest.split(['"', '.']).nth(1).ok_or_else(|| expected("id \"KBNK.1\""))?;
        endings.entry(name.to_owned()).or_default().push(Won { position, distance });
    }
    Ok(endings)
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// After so many moves of the stronger side.
    Mate(u32),
    Repetition,
    FiftyMoves,
    /// Stalemate, or a man was lost.
    Else,
}

fn game(
    attacker: &mut Engine,
    limits: &Limits,
    start: &Position,
    mut defend: impl FnMut(&Position, Color) -> Option<Move>,
) -> End {
    let strong = start.turn();
    let mut position = start.clone();
    let mut moves = 0;
    loop {
        let attacks = position.turn() == strong;
        let mv = if attacks {
            moves += 1;
            attacker.search(&position, limits, &()).best
        } else {
            defend(&position, strong)
        };
        match mv {
            None if !attacks && position.in_check() => return End::Mate(moves),
            None => return End::Else,
            Some(mv) => position.play(mv),
        }
        if position.is_insufficient_material() {
            return End::Else;
        }
        if position.repetitions() >= 2 {
            return End::Repetition;
        }
        // A mate on the hundredth ply counts.
        if position.is_fifty_moves() && !legal(&position).is_empty() {
            return End::FiftyMoves;
        }
    }
}

/// The move of the weaker side that leads furthest from mate; one that saves the game is furthest.
fn longest_defence(table: &Table, position: &Position, strong: Color) -> Option<Move> {
    legal(position).into_iter().max_by_key(|&mv| {
        let mut after = position.clone();
        after.play(mv);
        table.plies(&after, strong).map_or(u32::MAX, u32::from)
    })
}

fn legal(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The games of one row.
#[derive(Debug, Default)]
struct Tally {
    games: u32,
    mated: u32,
    /// Moves beyond the distance to mate, of the games won.
    beyond: u32,
    longest: u32,
    repetitions: u32,
    fifty_moves: u32,
    others: u32,
}

impl Tally {
    fn note(&mut self, end: End, distance: u32) {
        /// A rook that is taken begins the fifty moves anew: the game may be longer.
        const WITHIN: u32 = 50;
        self.games += 1;
        match end {
            End::Mate(moves) => {
                self.mated += u32::from(moves <= WITHIN);
                self.beyond += moves.saturating_sub(distance);
                self.longest = self.longest.max(moves);
            }
            End::Repetition => self.repetitions += 1,
            End::FiftyMoves => self.fifty_moves += 1,
            End::Else => self.others += 1,
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let won = self.games - self.repetitions - self.fifty_moves - self.others;
        let beyond = f64::from(self.beyond) / f64::from(won.max(1));
        write!(
            f,
            "{} | {} | {beyond:.1} | {} | {} | {} | {}",
            self.games, self.mated, self.longest, self.repetitions, self.fifty_moves, self.others
        )
    }
}
