//! `/run/ID/games`: the recorded games, 100 on a page.

use arena::record::GamePage;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::Uri;
use charts::html::{Cell, Column, HtmlText, Table};
use charts::numbers::count;

use super::run::found;
use super::{Links, Whole};
use crate::answer::Handled;
use crate::api::GAMES;
use crate::query::Query;
use crate::shown::Shown;

pub(crate) async fn page(
    State(shown): State<Shown>,
    Path(id): Path<String>,
    Extension(links): Extension<Links>,
    uri: Uri,
) -> Handled {
    let run = found(&shown, &id).await?;
    let state = run.state();
    let games = run.games(Query::of(&uri).number("from"), GAMES).await?;
    let path = format!("/run/{}", state.id);
    let main = format!(
        "<h1>Games</h1>\n<p>In the order in which they finished; {} are recorded.</p>\n\
         <form class=\"go\" action=\"{}/game\" method=\"get\">{}<label>Game number \
         <input name=\"game\" inputmode=\"numeric\" pattern=\"[0-9]+\" required></label> \
         <button>Show</button></form>\n{}{}",
        count(games.total),
        HtmlText(&path),
        links.hidden(),
        steps(&path, &games, &links),
        table(&path, &games, &links)
    );
    let above = [("/", "Runs"), (&*path, &*state.name)];
    Ok(Whole { title: "Games", above: &above, main, again: None }.render(&links))
}

fn steps(path: &str, games: &GamePage, links: &Links) -> String {
    let size = GAMES as u64;
    let GamePage { from, total, .. } = *games;
    let last = total.saturating_sub(size);
    let link = |name: &str, to: Option<u64>| match to {
        Some(to) => {
            format!("<a href=\"{}\">{name}</a> ", links.to(&format!("{path}/games?from={to}")))
        }
        None => format!("<span class=\"soft\">{name}</span> "),
    };
    let shown = match games.games.len() as u64 {
        0 => "none".to_owned(),
        some => format!("{} to {}", count(from + 1), count(from + some)),
    };
    let earlier = (from > 0).then(|| from.saturating_sub(size));
    let later = (from < last).then(|| (from + size).min(last));
    format!(
        "<nav class=\"steps\" aria-label=\"Pages of games\">{}{}<span>{shown}</span> {}{}</nav>\n",
        link("first", earlier.map(|_| 0)),
        link("earlier", earlier),
        link("later", later),
        link("last", later.map(|_| last))
    )
}

fn table(path: &str, games: &GamePage, links: &Links) -> String {
    let head = [
        ("Game", Column::Number),
        ("White", Column::Text),
        ("Result", Column::Text),
        ("End", Column::Text),
        ("Plies", Column::Number),
    ];
    let mut table = Table::new("Games", &head).sortable();
    for game in &games.games {
        let number = game.game;
        let to = links.to(&format!("{path}/game/{number}"));
        let end = HtmlText(game.termination.as_str()).to_string().replace('-', " ");
        let fault = if game.termination.is_fault() { " <em>fault</em>" } else { "" };
        table.row([
            Cell::keyed(format!("<a href=\"{to}\">{number}</a>"), Some(number as f64)),
            Cell::text(&game.white.to_string()),
            Cell::text(game.pgn_result()),
            Cell::html(format!("{end}{fault}")),
            Cell::count(u64::from(game.plies)),
        ]);
    }
    table.render()
}
