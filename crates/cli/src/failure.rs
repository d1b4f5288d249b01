//! Why a command could not answer, and the exit status that says so.

use std::io;

use grundy_rule::Diagnostic;

/// A text that messages speak about: where it came from and what it says.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Shown before line and column: a file name, `rule`, `position`, ...
    pub(crate) origin: String,
    /// The text that the spans point into.
    pub(crate) text: String,
}

/// What stopped a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Messages about a text.
    Said(Source, Vec<Diagnostic>),
    /// One message about no text in particular.
    Message {
        /// Stable name of the kind of message.
        id: &'static str,
        /// What is wrong.
        message: String,
        /// What is known although it stopped.
        known: Option<String>,
        /// What to do.
        help: Option<String>,
    },
    /// The answer is no, and has been given: no error, but another exit status.
    No,
    /// Nobody reads the output any more: no error.
    Closed,
}

impl Failure {
    /// One message, without advice.
    pub(crate) fn new(id: &'static str, message: impl Into<String>) -> Self {
        Failure::Message { id, message: message.into(), known: None, help: None }
    }

    /// Adds advice to a message; messages about a text carry their own.
    #[must_use]
    pub(crate) fn help(self, advice: impl Into<String>) -> Self {
        match self {
            Failure::Message { id, message, known, .. } => {
                Failure::Message { id, message, known, help: Some(advice.into()) }
            }
            other => other,
        }
    }

    /// A file that could not be read or written.
    pub(crate) fn file(action: &str, path: &str, error: &io::Error) -> Self {
        Failure::new("file", format!("cannot {action} {path}: {error}"))
    }

    /// The stable name of the kind of message, if it is one.
    pub(crate) fn id(&self) -> Option<&'static str> {
        match self {
            Failure::Message { id, .. } => Some(id),
            Failure::Said(..) | Failure::No | Failure::Closed => None,
        }
    }

    /// The exit status: 2, 1 where the answer is no, or 0 where the reader of a pipe has gone.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Failure::Closed => 0,
            Failure::No => 1,
            Failure::Said(..) | Failure::Message { .. } => 2,
        }
    }
}

impl From<io::Error> for Failure {
    /// An error of writing to standard output.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::new("output", format!("cannot write to standard output: {error}")),
        }
    }
}

/// An error of the library; its places are places in `source`.
pub(crate) fn from_library(error: &grundy::error::Error, source: &Source) -> Failure {
    if let Some(io) = error.io() {
        return match io.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::new("io", io.to_string()),
        };
    }
    if !error.diagnostics().is_empty() {
        return Failure::Said(source.clone(), error.diagnostics().to_vec());
    }
    Failure::Message {
        id: error.id(),
        message: error.message(),
        known: error.known().map(String::from),
        help: error.advice().map(String::from),
    }
}
