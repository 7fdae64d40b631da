//! Which players have finite ratings beside each other.

use super::results::Results;

/// What the graph of results says of its players.
#[derive(Debug)]
pub(super) struct Connections {
    /// Sets of players who all scored against each other, if only through others; sets and their
    /// players in ascending order.
    pub(super) strong: Vec<Vec<usize>>,
    /// Each player's index in `strong`.
    pub(super) strong_of: Vec<usize>,
    /// Equal for players whom a chain of games joins.
    pub(super) met: Vec<usize>,
}

impl Connections {
    pub(super) fn of(results: &Results) -> Connections {
        let players = results.names().len();
        let mut scored = vec![Vec::new(); players];
        let mut gave = vec![Vec::new(); players];
        let mut any = vec![Vec::new(); players];
        for (first, second, meeting) in results.meetings() {
            let wdl = meeting.wdl();
            let mut beats = |winner: usize, loser: usize| {
                scored[winner].push(loser);
                gave[loser].push(winner);
            };
            if wdl.win + wdl.draw > 0 {
                beats(first, second);
            }
            if wdl.loss + wdl.draw > 0 {
                beats(second, first);
            }
            any[first].push(second);
            any[second].push(first);
        }
        // Kosaraju's: in the reverse order of leaving, what reaches a player backwards is its set.
        let mut order = Vec::with_capacity(players);
        let mut seen = vec![false; players];
        for player in 0..players {
            visit(&scored, player, &mut seen, &mut order);
        }
        let mut strong = Vec::new();
        let mut seen = vec![false; players];
        for &player in order.iter().rev() {
            let mut set = Vec::new();
            visit(&gave, player, &mut seen, &mut set);
            if !set.is_empty() {
                set.sort_unstable();
                strong.push(set);
            }
        }
        strong.sort_unstable();
        let strong_of = numbers(players, &strong);
        let mut seen = vec![false; players];
        let met: Vec<Vec<usize>> = (0..players)
            .map(|player| {
                let mut set = Vec::new();
                visit(&any, player, &mut seen, &mut set);
                set
            })
            .collect();
        Connections { strong, strong_of, met: numbers(players, &met) }
    }
}

/// Each player's set.
fn numbers(players: usize, sets: &[Vec<usize>]) -> Vec<usize> {
    let mut numbers = vec![0; players];
    for (number, set) in sets.iter().enumerate() {
        for &player in set {
            numbers[player] = number;
        }
    }
    numbers
}

/// Appends to `left` every player not yet seen that can be reached, in depth-first postorder. Not
/// recursive: chains of thousands of players would overflow the stack.
fn visit(next: &[Vec<usize>], start: usize, seen: &mut [bool], left: &mut Vec<usize>) {
    if seen[start] {
        return;
    }
    seen[start] = true;
    let mut path = vec![(start, 0)];
    while let Some((player, at)) = path.last_mut() {
        match next[*player].get(*at) {
            Some(&to) => {
                *at += 1;
                if !seen[to] {
                    seen[to] = true;
                    path.push((to, 0));
                }
            }
            None => {
                left.push(*player);
                path.pop();
            }
        }
    }
}
