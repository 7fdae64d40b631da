//! `/run/ID/game/N`: a game on a board, move by move.

use std::fmt::Write as _;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use charts::html::HtmlText;

use super::run::found;
use super::{Links, Whole};
use crate::answer::{HTML, Handled, Refusal, typed};
use crate::board::board;
use crate::moves::{Ply, ShownGame};
use crate::query::Query;
use crate::shown::Shown;
use crate::source::RunSource;

/// `/run/ID/game?game=N`, which the form requests.
pub(crate) async fn go_to(
    Path(id): Path<String>,
    Extension(links): Extension<Links>,
    uri: Uri,
) -> Handled {
    let number = Query::of(&uri).number("game");
    let number = number.ok_or_else(|| {
        Refusal::new(StatusCode::BAD_REQUEST, "expected the number of a game, like ?game=12")
    })?;
    // An id has letters, digits and hyphens only.
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let id: String = id.chars().filter(|c| is_id(*c)).collect();
    let to = links.to(&format!("/run/{id}/game/{number}"));
    let to = HeaderValue::try_from(to.replace("&amp;", "&"));
    let mut response = typed(HTML, "");
    *response.status_mut() = StatusCode::SEE_OTHER;
    if let Ok(to) = to {
        response.headers_mut().insert(header::LOCATION, to);
    }
    Ok(response)
}

async fn shown_game(run: &dyn RunSource, number: u64) -> Result<ShownGame, Refusal> {
    let broken = |why: String| {
        let words = format!("game {number} cannot be shown: {why}");
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, words)
    };
    if let Some(game) = run.game(number).await? {
        return ShownGame::recorded(&game).map_err(broken);
    }
    let live = run.live().await?.into_iter().find(|live| live.game == number);
    let live = live.ok_or_else(|| Refusal::not_found(&format!("game {number}")))?;
    ShownGame::live(&live).map_err(broken)
}

/// The requested ply; the last one by default.
fn ply_of(uri: &Uri, game: &ShownGame) -> usize {
    let last = game.plies.len();
    let ply = Query::of(uri).number("ply");
    ply.map_or(last, |ply| usize::try_from(ply).unwrap_or(last).min(last))
}

pub(crate) async fn page(
    State(shown): State<Shown>,
    Path((id, number)): Path<(String, u64)>,
    Extension(links): Extension<Links>,
    uri: Uri,
) -> Handled {
    let run = found(&shown, &id).await?;
    let state = run.state();
    let game = shown_game(&*run, number).await?;
    let ply = ply_of(&uri, &game);
    let path = format!("/run/{}", state.id);
    let here = format!("{path}/game/{number}");
    let players = [true, false].map(|is_white| {
        let side = game.side(is_white);
        let player = side.choose(&state.summary.base, &state.summary.test);
        format!("<span class=\"side {side}\">{side}</span> {}", HtmlText(&player.identity.name))
    });
    let [white, black] = players;
    let end = match &game.end {
        None => "<strong class=\"phase\">under way</strong>".to_owned(),
        Some(end) => format!(
            "<strong>{}</strong>, {}{}",
            HtmlText(end.result),
            HtmlText(&end.termination.replace('-', " ")),
            end.detail.as_ref().map(|it| format!(": {}", HtmlText(it))).unwrap_or_default()
        ),
    };
    let is_live = game.end.is_none();
    let main = format!(
        "<h1>Game {number}</h1>\n<p>White: {white}<br>Black: {black}</p>\n<p id=\"end\">{end}</p>\n\
         <div class=\"game\" data-from=\"{}\"{}>\n<div id=\"board\">\n{}</div>\n{}</div>\n",
        HtmlText(&here),
        if is_live { " data-live" } else { "" },
        at(&game, ply, &here, &links),
        list(&game, ply, &here, &links)
    );
    let title = format!("Game {number}");
    let games = format!("{path}/games");
    let above = [("/", "Runs"), (&*path, &*state.name), (&*games, "Games")];
    let again = is_live.then_some(3);
    Ok(Whole { title: &title, above: &above, main, again }.render(&links))
}

/// Only the board, for the script.
pub(crate) async fn board_only(
    State(shown): State<Shown>,
    Path((id, number)): Path<(String, u64)>,
    Extension(links): Extension<Links>,
    uri: Uri,
) -> Handled {
    let run = found(&shown, &id).await?;
    let game = shown_game(&*run, number).await?;
    let here = format!("/run/{}/game/{number}", run.state().id);
    let ply = ply_of(&uri, &game);
    let mut response = typed(HTML, at(&game, ply, &here, &links));
    let headers = response.headers_mut();
    headers.insert("x-plies", HeaderValue::from(game.plies.len()));
    headers.insert("x-live", HeaderValue::from(u16::from(game.end.is_none())));
    Ok(response)
}

/// The board after `ply` moves, the last move's figures, and links to other plies.
fn at(game: &ShownGame, ply: usize, here: &str, links: &Links) -> String {
    let (position, fen, last) = game.after(ply);
    let plies = game.plies.len();
    let moved = ply.checked_sub(1).and_then(|at| game.plies.get(at));
    let (title, told) = match moved {
        None => ("Start position".to_owned(), String::new()),
        Some(moved) => {
            let side = game.side(moved.is_white);
            (format!("After {}", moved.numbered()), format!("{side}: {}", moved.told(true)))
        }
    };
    let link = |name: &str, key: &str, to: Option<usize>| match to {
        Some(to) => format!(
            "<a href=\"{}\" data-ply=\"{to}\" aria-keyshortcuts=\"{key}\">{name}</a> ",
            links.to(&format!("{here}?ply={to}#board"))
        ),
        None => format!("<span class=\"soft\">{name}</span> "),
    };
    let back = ply.checked_sub(1);
    let on = (ply < plies).then_some(ply + 1);
    format!(
        "{}<p class=\"at\" role=\"status\"><strong>{}</strong> {}</p>\n\
         <nav class=\"steps\" aria-label=\"Moves\">{}{}{}{}</nav>\n\
         <p class=\"note\">Ply {ply} of {plies}. Keys: left and right arrow, Home, End.</p>\n\
         <p class=\"fen\"><code>{}</code></p>\n",
        board("now", &title, &position, last),
        HtmlText(&title),
        HtmlText(&told),
        link("« first", "Home", back.map(|_| 0)),
        link("‹ back", "ArrowLeft", back),
        link("next ›", "ArrowRight", on),
        link("last »", "End", on.map(|_| plies)),
        HtmlText(&fen)
    )
}

/// All moves, two in a row.
fn list(game: &ShownGame, ply: usize, here: &str, links: &Links) -> String {
    let mut out =
        "<div class=\"scroll moves\" tabindex=\"0\" role=\"region\" aria-label=\"Moves\">\
                   <table><caption>Moves</caption>\n<thead><tr><th scope=\"col\">Move</th>\
                   <th scope=\"col\">White</th><th scope=\"col\">Black</th></tr></thead>\n<tbody>\n"
            .to_owned();
    let cell = |at: usize, moved: &Ply| {
        let to = at + 1;
        let current = if to == ply { " aria-current=\"step\"" } else { "" };
        format!(
            "<td><a href=\"{}\" data-ply=\"{to}\"{current}>{}</a> <small>{}</small></td>",
            links.to(&format!("{here}?ply={to}#board")),
            HtmlText(&moved.san),
            HtmlText(&moved.told(false))
        )
    };
    let mut at = 0;
    while let Some(first) = game.plies.get(at) {
        // Writing to a String cannot fail.
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", first.number);
        if first.is_white {
            out.push_str(&cell(at, first));
            at += 1;
        } else {
            out.push_str("<td></td>");
        }
        match game.plies.get(at) {
            Some(black) => out.push_str(&cell(at, black)),
            None => out.push_str("<td></td>"),
        }
        at += 1;
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out.push_str(
        "<p class=\"note\">Scores are from the side that moved, in pawns; d is the depth.</p>\n",
    );
    out
}
