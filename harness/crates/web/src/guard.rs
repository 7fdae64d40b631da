//! Checks requests: method, Host, Origin, token. Sets the headers of every response.
//!
//! A page of another site must not read this one. Its requests have its own Origin, or, by DNS
//! rebinding, its own Host. So Host must be an address or a configured name, and Origin must equal
//! Host.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use process::Error;
use sha2::{Digest as _, Sha256};

use crate::answer::{HTML, Refusal, typed};
use crate::pages::{self, Links};
use crate::query::Query;

/// No inline scripts or styles, nothing from other sites, not inside a frame.
const POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";
/// Shortest token.
const LEAST: usize = 16;

/// Which requests are allowed.
#[derive(Debug, Clone)]
pub struct Access {
    /// Allowed host names, in lower case. Addresses are always allowed.
    names: Vec<String>,
    /// SHA-256 of the token; `None`: no token, and only loopback addresses.
    token: Option<[u8; 32]>,
}

impl Access {
    /// Only from this machine: a loopback address or `localhost`.
    pub fn local() -> Access {
        Access { names: Vec::new(), token: None }
    }

    /// From any machine, by an address, `localhost` or one of these names, and with a token of
    /// letters, digits, `-` and `_`.
    pub fn with_token(token: &str, names: &[String]) -> Result<Access, Error> {
        let is_sound = |c: u8| c.is_ascii_alphanumeric() || b"-_".contains(&c);
        if token.len() < LEAST || !token.bytes().all(is_sound) {
            return Err(Error::usage(format!(
                "expected a token of at least {LEAST} letters, digits, - or _"
            )));
        }
        let names = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        Ok(Access { names, token: Some(Sha256::digest(token).into()) })
    }

    fn takes_host(&self, host: &str) -> bool {
        let name = name_of(host).to_ascii_lowercase();
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match address {
            // Behind a router or a bridge the address may be one of another interface.
            Ok(address) => address.is_loopback() || self.token.is_some(),
            Err(_) => name == "localhost" || self.names.contains(&name),
        }
    }

    /// Compares in constant time.
    fn takes_token(&self, told: &str) -> bool {
        let told: [u8; 32] = Sha256::digest(told).into();
        let Some(token) = &self.token else { return true };
        let differing = token.iter().zip(told).fold(0, |found, (a, b)| found | (a ^ b));
        std::hint::black_box(differing) == 0
    }
}

/// A random token: 32 hexadecimal digits.
pub fn new_token() -> Result<String, Error> {
    let secret = process::random::secret();
    Ok(hex::encode(secret.map_err(|error| Error::from(error).context("cannot make a token"))?))
}

/// Host without port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|c| c.is_ascii_digit()) => name,
        _ => host,
    }
}

/// The only value of a header; an error if there are several, or if it is not text.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        _ => Err(()),
    }
}

/// Middleware: checks a request and sets the response's headers.
pub(crate) async fn guard(
    State(access): State<Arc<Access>>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut response = match checked(&access, &request) {
        Ok(links) => {
            request.extensions_mut().insert(links);
            next.run(request).await
        }
        Err(refused) => *refused,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Checks a request; returns how links have to be written for it.
fn checked(access: &Access, request: &Request) -> Result<Links, Box<Response>> {
    let refuse = |status, words: &str| Box::new(Refusal::new(status, words).into_response());
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut refused = refuse(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are answered");
        refused.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return Err(refused);
    }
    let headers = request.headers();
    let Ok(Some(host)) = only(headers, &header::HOST) else {
        return Err(refuse(StatusCode::BAD_REQUEST, "expected one Host header"));
    };
    let asked = request.uri().authority().map(|authority| authority.as_str());
    if !access.takes_host(host) || asked.is_some_and(|asked| asked != host) {
        return Err(refuse(
            StatusCode::MISDIRECTED_REQUEST,
            "this page is not served under that name: use its address, or localhost",
        ));
    }
    let is_own = |origin: &str| {
        let of = ["http://", "https://"].iter().find_map(|scheme| origin.strip_prefix(scheme));
        of == Some(host)
    };
    let is_foreign = match only(headers, &header::ORIGIN) {
        Ok(origin) => origin.is_some_and(|origin| !is_own(origin)),
        Err(()) => true,
    };
    let word = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // Following a link from another site is allowed, embedding is not.
    let is_embedded = word("sec-fetch-site").is_some_and(|site| site == "cross-site")
        && word("sec-fetch-mode").is_none_or(|mode| mode != "navigate");
    if is_foreign || is_embedded {
        return Err(refuse(StatusCode::FORBIDDEN, "a page from elsewhere may not read this one"));
    }
    if access.token.is_none() || pages::is_asset(request.uri().path()) {
        return Ok(Links::default());
    }
    let bearer = word("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let told = Query::of(request.uri()).get("token");
    match (bearer, told) {
        (Some(token), _) if access.takes_token(token) => Ok(Links::default()),
        (_, Some(token)) if access.takes_token(token) => Ok(Links::with(token)),
        _ => Err(Box::new(unknown())),
    }
}

fn unknown() -> Response {
    let mut response = typed(HTML, Body::from(pages::without_token()));
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    let headers = response.headers_mut();
    headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        let local = Access::local();
        for host in ["localhost", "LocalHost:8080", "127.0.0.1:1", "127.0.0.53", "[::1]:8080"] {
            assert!(local.takes_host(host), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example:80", "192.0.2.1", "", ":80", "[::2]"] {
            assert!(!local.takes_host(host), "{host}");
        }
        let far = Access::with_token(&"a".repeat(32), &["Home.lan".to_owned()]).unwrap();
        for (host, is_taken) in [("home.lan:80", true), ("192.0.2.1:80", true), ("x.lan", false)] {
            assert_eq!(far.takes_host(host), is_taken, "{host}");
        }
    }

    #[test]
    fn tokens() {
        let token = new_token().unwrap();
        assert_eq!((token.len(), new_token().unwrap() == token), (32, false));
        let access = Access::with_token(&token, &[]).unwrap();
        assert!(access.takes_token(&token));
        for wrong in ["", &token[1..], &token.to_uppercase().replace(char::is_numeric, "A")] {
            assert!(!access.takes_token(wrong), "{wrong}");
        }
        for bad in ["short", "with spaces in it, many", "\"><script>alert(1)</script>"] {
            assert!(Access::with_token(bad, &[]).is_err(), "{bad}");
        }
        let shown = format!("{access:?}");
        assert!(!shown.contains(&token));
    }
}
