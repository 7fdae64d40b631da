//! Responses of the page and of the JSON interface.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use process::{Error, ErrorKind};
use serde::Serialize;

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

/// Result of a handler: a response, or why there is none.
pub(crate) type Handled = Result<Response, Refusal>;

/// Why a request fails: an HTTP status, and a message for the user.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) words: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, words: impl Into<String>) -> Refusal {
        Refusal { status, words: words.into() }
    }

    pub(crate) fn not_found(what: &str) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, format!("{what} is not here"))
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        let status = match error.kind() {
            ErrorKind::Usage => StatusCode::BAD_REQUEST,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Refusal::new(status, error.to_string())
    }
}

/// Plain text, so that nothing in the message is read as markup.
impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = typed(TEXT, self.words + "\n");
        *response.status_mut() = self.status;
        response
    }
}

/// A response with this content type.
pub(crate) fn typed(kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

pub(crate) fn as_json(value: &impl Serialize) -> Handled {
    let text = serde_json::to_string(value).map_err(|error| {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("cannot write JSON: {error}"))
    })?;
    Ok(typed("application/json", text))
}
