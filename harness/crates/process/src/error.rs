//! Errors for the user: a message, and a kind that gives the exit code.

use std::path::Path;
use std::{error, fmt, io};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command line, or a file that the user wrote, is wrong.
    Usage,
    InputOutput,
    /// A program fails, or a search does not end.
    Fault,
}

type BoxedError = Box<dyn error::Error + Send + Sync>;

#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    /// The beginning of the message: each context with a colon and a space.
    context: String,
    cause: BoxedError,
}

impl Error {
    pub fn usage(cause: impl Into<BoxedError>) -> Error {
        Error { kind: ErrorKind::Usage, context: String::new(), cause: cause.into() }
    }

    pub fn input_output(cause: impl Into<BoxedError>) -> Error {
        Error { kind: ErrorKind::InputOutput, context: String::new(), cause: cause.into() }
    }

    pub fn fault(cause: impl Into<BoxedError>) -> Error {
        Error { kind: ErrorKind::Fault, context: String::new(), cause: cause.into() }
    }

    /// "PATH: cannot ACTION: …", for `map_err`.
    pub fn io(path: &Path, action: &str) -> impl FnOnce(io::Error) -> Error {
        let context = format!("{}: cannot {action}", path.display());
        move |source| Error::from(source).context(context)
    }

    /// The same error, told after `context` and a colon.
    pub fn context(mut self, context: impl fmt::Display) -> Error {
        self.context = format!("{context}: {}", self.context);
        self
    }

    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The kind of the [`io::Error`] among the causes, if there is one.
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        self.causes().find_map(|cause| cause.downcast_ref()).map(io::Error::kind)
    }

    fn causes(&self) -> impl Iterator<Item = &(dyn error::Error + 'static)> {
        let first: &(dyn error::Error + 'static) = &*self.cause;
        std::iter::successors(Some(first), |cause| cause.source())
    }
}

/// The context, the cause and its sources. A source whose text is in the message already is left
/// out.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.cause.to_string();
        for cause in self.causes().skip(1).map(ToString::to_string) {
            if !text.contains(&cause) {
                text.push_str(": ");
                text.push_str(&cause);
            }
        }
        write!(f, "{}{text}", self.context)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&*self.cause)
    }
}

impl From<io::Error> for Error {
    fn from(cause: io::Error) -> Error {
        Error::input_output(cause)
    }
}

/// [`Error::context`] of results.
pub trait Context<T> {
    fn context(self, context: impl fmt::Display) -> Result<T, Error>;
}

impl<T, E: Into<Error>> Context<T> for Result<T, E> {
    fn context(self, context: impl fmt::Display) -> Result<T, Error> {
        self.map_err(|error| error.into().context(context))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_told_once_and_the_cause_stays() {
        let pipe = || io::Error::from(io::ErrorKind::BrokenPipe);
        let error = Error::io(Path::new("a.txt"), "write")(pipe()).context("the list");
        assert_eq!(error.to_string(), format!("the list: a.txt: cannot write: {}", pipe()));
        assert_eq!(error.io_kind(), Some(io::ErrorKind::BrokenPipe));
        assert_eq!(error.kind(), ErrorKind::InputOutput);
        let outer = Error::usage(error);
        assert_eq!((outer.kind(), outer.io_kind()), (ErrorKind::Usage, Some(pipe().kind())));
        let result: Result<(), _> = Err(Error::fault("no answer"));
        let error = result.context("engine").unwrap_err();
        assert_eq!((error.to_string().as_str(), error.io_kind()), ("engine: no answer", None));
    }
}
