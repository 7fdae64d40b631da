//! A crosstable for people.

use super::{Crosstable, InputCounts, display};
use charts::page::{Page, PageTable};
use stats::percent_clamped;
use stats::ratings::{Group, Level, Rated, Ratings, Separation, Unrated};

/// Tables of more players have no column for each: nobody reads them, and the JSON has it all.
const MOST_COLUMNS: usize = 32;

pub(super) fn of(table: &Crosstable) -> Page {
    let ratings = &table.ratings;
    let mut page = Page::default();
    page.heading(2, "Ratings");
    page.text(counted(table));
    page.text(scale(table));
    groups(ratings, &mut page);
    if ratings.players.is_empty() {
        page.text("No games.");
    } else {
        page.table(players(ratings));
    }
    remarks(ratings, &mut page);
    if has_columns(ratings) {
        page.heading(2, "Likelihood of superiority");
        page.text(
            "How likely the player of the row is stronger than that of the column, per cent, from the \
             joint covariance of all ratings.",
        );
        page.table(superiority(ratings));
    }
    page
}

fn has_columns(ratings: &Ratings) -> bool {
    (2..=MOST_COLUMNS).contains(&ratings.players.len())
}

fn counted(table: &Crosstable) -> String {
    let counted = &table.counted;
    let [games, paired] = table.ratings.games();
    let mut out = format!("{games} games of {} players", table.ratings.players.len());
    let from = [(counted.runs, "run"), (counted.pgn_files, "PGN file")];
    let from: Vec<String> =
        from.iter().filter(|(n, _)| *n > 0).map(|(n, what)| some(*n, what)).collect();
    if !from.is_empty() {
        out += &format!(" from {}", from.join(" and "));
    }
    out += &format!(": {} of one opening with swapped colours", some(paired / 2, "pair"));
    if counted.pairs_found > 0 {
        out += &format!(
            " (found in PGN{}: {} by round and start position, {} by start position and book moves \
             or first {} plies)",
            if counted.repeated_pairs > 0 { ", repeats included" } else { "" },
            counted.pairs_by_round,
            counted.pairs_found - counted.pairs_by_round,
            super::OPENING_PLIES
        );
    }
    out += &format!(", {} in none.", some(games - paired, "game"));
    let omitted = omitted(counted, table.left_out, table.options.min_games);
    if !omitted.is_empty() {
        out += &format!(" Left out: {}.", omitted.join("; "));
    }
    if let Some(first) = &counted.first_unusable {
        out += &format!(" The first that cannot be used: {}.", first);
    }
    out
}

/// What was not counted, in words.
pub(super) fn omitted(counted: &InputCounts, left_out: u64, min_games: u64) -> Vec<String> {
    let kinds = [
        (counted.unfinished, "game", "without a result"),
        (counted.lost_by_both, "game", "lost by both players"),
        (counted.unusable, "game", "that cannot be used"),
        (counted.against_itself, "game", "of a player against itself"),
        (counted.same_inputs, "input", "given before"),
        (counted.same_games, "game", "that an earlier input also has"),
        (counted.repeated_pairs, "pair", "of which an earlier one has the same moves"),
        (counted.repeated_games, "game", "in no pair of which an earlier one has the same moves"),
        (counted.void_pairs, "pair", "with a game that could not start or that verdict delayed"),
        (counted.beyond_gap, "game", "of runs beyond the first unfinished pair"),
        (counted.runs_without_games, "run folder", "without a journal"),
    ];
    let kinds = kinds.into_iter().filter(|(count, ..)| *count > 0);
    let mut omitted: Vec<String> =
        kinds.map(|(count, what, which)| format!("{} {which}", some(count, what))).collect();
    if left_out > 0 {
        omitted.push(format!("{} with fewer than {min_games} games", some(left_out, "player")));
    }
    omitted
}

fn some(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What the ratings are measured from.
fn scale(table: &Crosstable) -> String {
    let scale = &table.options.scale;
    let mut out = if scale.anchors.is_empty() {
        format!("The mean rating is {}; ± is the 95% interval of the distance to it.", scale.mean)
    } else {
        let anchors = scale.anchors.iter().map(|(name, elo)| format!("{name} {elo}"));
        let anchors: Vec<String> = anchors.collect();
        format!(
            "Anchored by {}; ± is the 95% interval of the distance to {}.",
            anchors.join(", "),
            if anchors.len() == 1 { "the anchor" } else { "the anchors' mean" }
        )
    };
    if !scale.anchors.is_empty() && table.ratings.groups.iter().any(|group| !group.anchored) {
        out += &format!(" The mean of groups without an anchor is {}.", scale.mean);
    }
    match &table.ratings.white {
        Ok(white) => {
            out += &format!(
                " White's advantage: {:+.1} ± {:.1} Elo, fitted with the ratings.",
                white.elo, white.error95
            );
        }
        Err(Unrated::NotAsked) => (),
        Err(why) => out += &format!(" White's advantage is not fitted: {why}."),
    }
    out
}

/// That there are several groups, and why.
fn groups(ratings: &Ratings, page: &mut Page) {
    if ratings.groups.len() < 2 {
        return;
    }
    // Files of thousands of players fall into hundreds of groups.
    const LISTED: usize = 20;
    let of_group = |(number, group): (usize, &Group)| {
        let why = match group.separation {
            Separation::First => "",
            Separation::NeverMet => ", connected to no earlier group by games",
            Separation::OneSided => {
                ", connected to earlier groups only by games that one side won without exception"
            }
        };
        let by = if group.anchored { ", anchored" } else { "" };
        format!("group {}: {}{why}{by}", number + 1, some(group.players as u64, "player"))
    };
    let mut items: Vec<String> =
        ratings.groups.iter().enumerate().take(LISTED).map(of_group).collect();
    if ratings.groups.len() > LISTED {
        items.push(format!("and {} more", ratings.groups.len() - LISTED));
    }
    let lead = format!(
        "{} groups, rated separately: ratings of different groups cannot be compared.",
        ratings.groups.len()
    );
    page.list(lead, items);
}

fn players(ratings: &Ratings) -> PageTable {
    let several = ratings.groups.len() > 1;
    let opponents = if has_columns(ratings) { ratings.players.len() } else { 0 };
    let mut head: Vec<String> = ["#", "player"].map(str::to_owned).to_vec();
    if several {
        head.push("group".to_owned());
    }
    head.extend(["Elo", "±", "points", "games", "%", "LOS v next"].map(str::to_owned));
    head.extend((1..=opponents).map(|rank| format!("v {rank}")));
    let rows = ratings.players.iter().enumerate().map(|(place, rated)| {
        let mut row = vec![(place + 1).to_string(), rated.name.clone()];
        if several {
            row.push(rated.group.map_or("–".to_owned(), |group| (group + 1).to_string()));
        }
        let [elo, error] = level(&display::level(rated));
        row.extend([elo, error, points(rated), rated.games().to_string()]);
        row.push(format!("{:.1}", 100.0 * rated.score()));
        row.push(display::los(ratings, place, place + 1).map_or("–".to_owned(), percent_clamped));
        row.extend((0..opponents).map(|other| against(ratings, place, other)));
        row
    });
    PageTable { head, rows: rows.collect(), keys: 2 }
}

/// Rating and error.
fn level(level: &Level) -> [String; 2] {
    match level {
        Level::Elo { elo, error95, .. } => {
            [signless(*elo), error95.map_or("–".to_owned(), |error| format!("{error:.1}"))]
        }
        Level::AtLeast(bound) => [format!("≥ {}", signless(*bound)), "–".to_owned()],
        Level::AtMost(bound) => [format!("≤ {}", signless(*bound)), "–".to_owned()],
        Level::None(_) => ["?".to_owned(), "–".to_owned()],
    }
}

/// One decimal, and no minus before a zero.
fn signless(elo: f64) -> String {
    let shown = format!("{elo:.1}");
    if shown == "-0.0" { "0.0".to_owned() } else { shown }
}

fn points(rated: &Rated) -> String {
    let half = if rated.wdl.draw % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", rated.wdl.win + rated.wdl.draw / 2)
}

fn against(ratings: &Ratings, player: usize, other: usize) -> String {
    let wdl = ratings.between(player, other);
    if player == other || wdl.games() == 0 {
        return String::new();
    }
    format!("{}–{}–{}", wdl.win, wdl.draw, wdl.loss)
}

fn superiority(ratings: &Ratings) -> PageTable {
    let places = 0..ratings.players.len();
    let mut head = vec!["#".to_owned(), "player".to_owned()];
    head.extend(places.clone().map(|place| format!("v {}", place + 1)));
    let rows = places.clone().map(|place| {
        let mut row = vec![(place + 1).to_string(), ratings.players[place].name.clone()];
        row.extend(places.clone().map(|other| {
            if place == other {
                return String::new();
            }
            let los = display::los(ratings, place, other);
            los.map_or("–".to_owned(), |los| {
                percent_clamped(los).trim_end_matches('%').to_owned()
            })
        }));
        row
    });
    PageTable { head, rows: rows.collect(), keys: 2 }
}

/// Why some numbers are missing.
fn remarks(ratings: &Ratings, page: &mut Page) {
    let bounded = |rated: &Rated| matches!(rated.level, Level::AtLeast(_) | Level::AtMost(_));
    if ratings.players.iter().any(bounded) {
        page.text(
            "≥ and ≤: won, or lost, every game against the group, so that no rating is the likeliest; \
             the bound of a one-sided 95% interval by the likelihood, the group's ratings taken as \
             they are.",
        );
    }
    let why = |rated: &Rated| match display::level(rated) {
        Level::Elo { error95: Err(why), .. } | Level::None(why) => Some(why),
        _ => None,
    };
    let mut by_reason: Vec<(Unrated, Vec<&str>)> = Vec::new();
    for rated in &ratings.players {
        let Some(reason) = why(rated) else { continue };
        match by_reason.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(&rated.name),
            None => by_reason.push((reason, vec![&rated.name])),
        }
    }
    for (reason, names) in by_reason {
        const LISTED: usize = 5;
        let listed = names[..names.len().min(LISTED)].join(", ");
        let more = names.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        page.text(format!("Without a number: {listed}{more}: {reason}."));
    }
}
