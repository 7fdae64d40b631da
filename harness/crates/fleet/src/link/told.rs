//! Errors between this machine and the broker, in words.

use std::error::Error as StdError;

use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::{ConnectError, ConnectErrorKind};
use jiff::Timestamp;
use process::Error;

use crate::server::VALID_YEARS;

#[derive(Debug, thiserror::Error)]
pub enum Told {
    /// The key is wrong or was removed.
    #[error("{0}")]
    Refused(String),
    /// The broker may come back.
    #[error("the broker cannot be reached: {0}")]
    Away(String),
    /// The broker cannot store messages, for example because its disk is full.
    #[error("the broker does not store it: {0}")]
    Full(String),
    /// An unexpected answer.
    #[error("{0}")]
    Foreign(String),
    /// A defect in verdict.
    #[error("an error in verdict itself, please report it: {0}")]
    Defect(String),
}

impl Told {
    pub(super) fn of_connecting(url: &str, error: &ConnectError) -> Told {
        let why = chain(error);
        match error.kind() {
            ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                Told::Refused(format!(
                    "{url} does not know this key: it was removed there, its time is over, or it is of another \
                     broker; expected a new invitation (verdict serve invite NAME, typed there)"
                ))
            }
            ConnectErrorKind::ServerParse => Told::Refused(format!("{url} is no address: {why}")),
            // A clock may be set later: a machine that has just started asks others for the time.
            _ if is_about_time(&why) => {
                let [from, until] = VALID_YEARS;
                Told::Away(format!(
                    "{url}: the clock of this machine says {}, and the broker's certificate is valid from {from} to \
                     {until}; set the clock (timedatectl set-ntp true)",
                    Timestamp::now().strftime("%Y-%m-%d %H:%M UTC")
                ))
            }
            ConnectErrorKind::Tls => Told::Refused(format!(
                "{url} does not show the certificate that this invitation names: {why}"
            )),
            _ if why.contains("invalid peer certificate") => Told::Refused(format!(
                "{url} does not show the certificate that this invitation names: {why}"
            )),
            _ if is_refusal(&why) => Told::Refused(format!("{url} refuses: {why}")),
            _ => Told::Away(format!("{url}: {why}")),
        }
    }

    pub(super) fn of_storing(error: PublishError) -> Told {
        let why = chain(&error);
        match error.kind() {
            PublishErrorKind::TimedOut
            | PublishErrorKind::BrokenPipe
            | PublishErrorKind::StreamNotFound
            | PublishErrorKind::MaxAckPending => Told::Away(why),
            PublishErrorKind::MaxPayloadExceeded => Told::Defect(why),
            _ => Told::Full(why),
        }
    }

    pub(super) fn away(error: impl StdError) -> Told {
        Told::Away(chain(&error))
    }

    pub(super) fn foreign(error: impl StdError) -> Told {
        Told::Foreign(format!("an answer that is none: {error}"))
    }

    pub(super) fn defect(error: impl StdError) -> Told {
        Told::Defect(error.to_string())
    }
}

impl From<Told> for Error {
    fn from(told: Told) -> Error {
        match told {
            Told::Refused(_) => Error::usage(told),
            _ => Error::input_output(told),
        }
    }
}

/// Whether a message means that the broker does not accept the key.
pub(super) fn is_refusal(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    // A permissions violation means that the name does not belong to the key.
    [
        "permissions violation",
        "authorization violation",
        "authentication",
        "user authentication revoked",
    ]
    .iter()
    .any(|refusal| words.contains(refusal))
}

/// Whether a certificate is refused by the time that this machine's clock shows.
pub(super) fn is_about_time(words: &str) -> bool {
    words.contains("invalid peer certificate")
        && (words.contains("not valid yet") || words.contains("expired"))
}

/// An error with its sources.
fn chain(error: &dyn StdError) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !words.contains(&text) {
            words = format!("{words}: {text}");
        }
        cause = error.source();
    }
    words
}
