//! `/run/ID/live`: the games under way on boards.

use axum::Extension;
use axum::extract::{Path, State};

use super::run::found;
use super::{Links, Whole};
use crate::answer::{HTML, Handled, typed};
use crate::board::board;
use crate::moves::ShownGame;
use crate::shown::Shown;
use crate::source::RunSource;

/// Most boards on the page.
const BOARDS: usize = 12;

pub(crate) async fn page(
    State(shown): State<Shown>,
    Path(id): Path<String>,
    Extension(links): Extension<Links>,
) -> Handled {
    let run = found(&shown, &id).await?;
    let state = run.state();
    let path = format!("/run/{}", state.id);
    let main = format!(
        "<h1>Games under way</h1>\n<div id=\"boards\" class=\"boards\" data-from=\"{path}/live/boards\">\n\
         {}</div>\n",
        drawn(&*run, &path, &links).await?
    );
    let above = [("/", "Runs"), (&*path, &*state.name)];
    Ok(Whole { title: "Games under way", above: &above, main, again: Some(3) }.render(&links))
}

/// Only the boards, for the script.
pub(crate) async fn boards(
    State(shown): State<Shown>,
    Path(id): Path<String>,
    Extension(links): Extension<Links>,
) -> Handled {
    let run = found(&shown, &id).await?;
    Ok(typed(HTML, drawn(&*run, &format!("/run/{}", run.state().id), &links).await?))
}

async fn drawn(run: &dyn RunSource, path: &str, links: &Links) -> Result<String, process::Error> {
    let games = run.live().await?;
    let mut out = String::new();
    for game in games.iter().take(BOARDS) {
        let Ok(shown) = ShownGame::live(game) else { continue };
        let number = shown.number;
        let plies = shown.plies.len();
        let (position, _, last) = shown.after(plies);
        let moved = shown
            .plies
            .last()
            .map_or("start".to_owned(), |ply| format!("{}, {}", ply.numbered(), ply.told(false)));
        out.push_str(&format!(
            "<figure><figcaption><a href=\"{}\">Game {number}</a>, White is {}</figcaption>\n{}\
             <p class=\"note\">{}</p></figure>\n",
            links.to(&format!("{path}/game/{number}")),
            shown.white,
            board(&format!("live-{number}"), &format!("Game {number}"), &position, last),
            charts::html::HtmlText(&moved)
        ));
    }
    if out.is_empty() {
        out.push_str(
            "<p class=\"none\">No moves are known yet: games are followed from now on, and appear with \
             their next move.</p>\n",
        );
    } else if games.len() > BOARDS {
        out.push_str(&format!(
            "<p class=\"note\">{} more are under way.</p>\n",
            games.len() - BOARDS
        ));
    }
    Ok(out)
}
