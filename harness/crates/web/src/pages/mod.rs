//! HTML pages. Each is complete without JavaScript; the script only updates parts of it.

pub(crate) mod game;
pub(crate) mod games;
pub(crate) mod live;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod workers;

use axum::extract::Path;
use charts::frame::{SORT_SCRIPT, STYLE};
use charts::html::HtmlText;

use crate::answer::{HTML, Handled, Refusal, typed};

const PAGE_STYLE: &str = include_str!("../assets/page.css");
const PAGE_SCRIPT: &str = include_str!("../assets/page.js");
const ICON: &str = include_str!("../assets/icon.svg");
/// Path of static files.
const ASSETS: &str = "/assets/";

/// Whether this is a static file, which needs no token.
pub(crate) fn is_asset(path: &str) -> bool {
    path.starts_with(ASSETS)
}

pub(crate) async fn asset(Path(name): Path<String>) -> Handled {
    Ok(match name.as_str() {
        "page.css" => typed("text/css; charset=utf-8", format!("{STYLE}\n{PAGE_STYLE}")),
        "page.js" => typed("text/javascript; charset=utf-8", PAGE_SCRIPT),
        "sort.js" => typed("text/javascript; charset=utf-8", SORT_SCRIPT),
        "icon.svg" => typed("image/svg+xml", ICON),
        _ => return Err(Refusal::not_found("that file")),
    })
}

/// Adds the token to links, if the request had it in its address. Tokens need no escaping.
#[derive(Debug, Clone, Default)]
pub(crate) struct Links {
    token: Option<String>,
}

impl Links {
    pub(crate) fn with(token: &str) -> Links {
        Links { token: Some(token.to_owned()) }
    }

    /// The address for an attribute.
    pub(crate) fn to(&self, path: &str) -> String {
        let Some(token) = &self.token else { return HtmlText(path).to_string() };
        let (path, anchor) = match path.split_once('#') {
            Some((path, anchor)) => (path, format!("#{anchor}")),
            None => (path, String::new()),
        };
        let mark = if path.contains('?') { '&' } else { '?' };
        HtmlText(&format!("{path}{mark}token={token}{anchor}")).to_string()
    }

    /// A hidden field for a form: a form drops the query of its address.
    pub(crate) fn hidden(&self) -> String {
        let field = |token| format!("<input type=\"hidden\" name=\"token\" value=\"{token}\">");
        self.token.as_ref().map(field).unwrap_or_default()
    }
}

/// A page.
pub(crate) struct Whole<'a> {
    /// As text.
    pub(crate) title: &'a str,
    /// Pages above this one: addresses and texts.
    pub(crate) above: &'a [(&'a str, &'a str)],
    /// As HTML.
    pub(crate) main: String,
    /// Without JavaScript the page reloads after this many seconds.
    pub(crate) again: Option<u32>,
}

impl Whole<'_> {
    pub(crate) fn render(&self, links: &Links) -> axum::response::Response {
        let Whole { title, above, main, again } = self;
        let again = again.map(|seconds| {
            format!("<noscript><meta http-equiv=\"refresh\" content=\"{seconds}\"></noscript>\n")
        });
        let above: String = above
            .iter()
            .map(|(path, text)| format!("<a href=\"{}\">{}</a> › ", links.to(path), HtmlText(text)))
            .collect();
        let title = HtmlText(title);
        typed(
            HTML,
            format!(
                "{}{}</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
                 <header>\n<nav class=\"above\" aria-label=\"Where this is\">{above}<span aria-current=\"page\">\
                 {title}</span></nav>\n<p id=\"connection\" role=\"status\"></p>\n</header>\n\
                 <main id=\"main\" tabindex=\"-1\">\n{main}</main>\n\
                 <footer>verdict, live. Read-only: nothing can be changed here.</footer>\n</body>\n</html>\n",
                head(&title.to_string()),
                again.unwrap_or_default()
            ),
        )
    }
}

/// The page up to the end of `head`; `title` is HTML.
fn head(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} · verdict</title>\n\
         <link rel=\"icon\" href=\"/assets/icon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"/assets/page.css\">\n\
         <script src=\"/assets/sort.js\" defer></script>\n<script src=\"/assets/page.js\" defer></script>\n"
    )
}

/// For a request without the right token. The script tries the token that its tab has kept.
pub(crate) fn without_token() -> String {
    format!(
        "{}</head>\n<body>\n<main id=\"main\" data-needs=\"token\">\n<h1>A token is needed</h1>\n\
         <p>Open the address that verdict printed when it started: it ends with <code>?token=…</code>. \
         Programs send the header <code>Authorization: Bearer …</code>.</p>\n</main>\n</body>\n</html>\n",
        head("A token is needed")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_carry_the_token_they_came_by() {
        let links = Links::with("abc");
        assert_eq!(links.to("/run/x"), "/run/x?token=abc");
        assert_eq!(links.to("/run/x?ply=3#board"), "/run/x?ply=3&amp;token=abc#board");
        assert_eq!(Links::default().to("/run/x?a=1&b=2"), "/run/x?a=1&amp;b=2");
        assert_eq!(Links::default().hidden(), "");
    }
}
