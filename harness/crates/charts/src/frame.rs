//! The whole page.

use super::html::HtmlText;

/// The style of all pages.
pub const STYLE: &str = include_str!("style.css");
/// The script of pages whose tables are sorted by a click.
pub const SORT_SCRIPT: &str = include_str!("sort.js");

/// A page from the given title and heading. `intro`, `body` and `script` are HTML.
pub fn whole(
    [title, heading]: [&str; 2],
    intro: &str,
    body: &str,
    source: &str,
    script: &str,
) -> String {
    // A page without a script lets none run.
    let policy = if script.is_empty() { "" } else { "; script-src 'unsafe-inline'" };
    let (title, heading, source) = (HtmlText(title), HtmlText(heading), HtmlText(source));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{heading}</h1>\n<p>{intro}</p>\n</header>\n<main>\n{body}</main>\n\
         <footer>Rendered by verdict from {source}.</footer>\n{script}</body>\n</html>\n"
    )
}
