//! What can go wrong in this crate, as one opaque error.
//!
//! An [`Error`] has a stable [`id`](Error::id) for programs, a message and advice for people, and, where the
//! fault lies in a rule's text, the [`Diagnostic`] with its place. Kinds are private, so that new ones can
//! come without breaking callers; whoever must react to one asks for its id. Every one of these errors is a
//! matter of input or of limits: the program leaves with status 2.

use std::fmt;
use std::io;

use grundy_rule::Diagnostic;

/// An error of tables, laws, positions, search or problems.
///
/// ```
/// use grundy::error::Error;
/// let error = Error::new("kind", "the rule has two kinds of heap").help("choose one with --kind row");
/// assert_eq!(error.id(), "kind");
/// assert_eq!(error.to_string(), "the rule has two kinds of heap\n  = help: choose one with --kind row");
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: Kind,
    help: Option<String>,
    so_far: Option<String>,
}

#[derive(Debug)]
enum Kind {
    /// Said in words.
    Plain { id: &'static str, message: String },
    /// Faults of a text, at least one.
    Text(Vec<Diagnostic>),
    /// Reading or writing failed.
    Io(io::Error),
}

/// Ids of limits that were reached: what was computed before is right, there was only not enough of it.
const LIMITS: [&str; 3] = ["time", "memory", "cancelled"];

impl Error {
    /// An error with a stable id and a message that names what is wrong in the user's own terms.
    #[must_use]
    pub fn new(id: &'static str, message: impl Into<String>) -> Self {
        Error::of(Kind::Plain { id, message: message.into() })
    }

    fn of(kind: Kind) -> Self {
        Error(Box::new(Inner { kind, help: None, so_far: None }))
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Adds what is known although a limit was reached; the first to speak, who is nearest to the work, is
    /// kept.
    #[must_use]
    pub fn so_far(mut self, known: impl Into<String>) -> Self {
        self.0.so_far.get_or_insert(known.into());
        self
    }

    /// Says what is known in place of what was said before: for whoever keeps less than was computed.
    #[must_use]
    pub fn only_so_far(mut self, known: impl Into<String>) -> Self {
        self.0.so_far = Some(known.into());
        self
    }

    /// The stable name of the kind of error: `loop`, `width`, `misere`, `time`, `memory`, ...
    #[must_use]
    pub fn id(&self) -> &'static str {
        match &self.0.kind {
            Kind::Plain { id, .. } => id,
            Kind::Text(diagnostics) => diagnostics.first().map_or("text", |d| d.id),
            Kind::Io(_) => "io",
        }
    }

    /// Whether a limit was reached (time, memory, a request to stop) and nothing is wrong with the input.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        LIMITS.contains(&self.id())
    }

    /// The first fault of a text, if that is what it is.
    #[must_use]
    pub fn diagnostic(&self) -> Option<&Diagnostic> {
        self.diagnostics().first()
    }

    /// All faults of a text, if that is what it is; else empty.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match &self.0.kind {
            Kind::Text(diagnostics) => diagnostics,
            Kind::Plain { .. } | Kind::Io(_) => &[],
        }
    }

    /// The failure of reading or writing, if that is what it is. (A broken pipe is no failure of a program.)
    #[must_use]
    pub fn io(&self) -> Option<&io::Error> {
        match &self.0.kind {
            Kind::Io(error) => Some(error),
            Kind::Plain { .. } | Kind::Text(_) => None,
        }
    }

    /// The message alone, without advice.
    #[must_use]
    pub fn message(&self) -> String {
        match &self.0.kind {
            Kind::Plain { message, .. } => message.clone(),
            Kind::Text(all) => all.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("\n"),
            Kind::Io(error) => error.to_string(),
        }
    }

    /// What is known although a limit was reached, if there is anything.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        self.0.so_far.as_deref()
    }

    /// The advice, if there is any.
    #[must_use]
    pub fn advice(&self) -> Option<&str> {
        self.0.help.as_deref().or_else(|| self.diagnostic().and_then(|d| d.help.as_deref()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        if let Some(known) = &self.0.so_far {
            write!(f, "\n  = known so far: {known}")?;
        }
        if let Some(help) = self.advice() {
            write!(f, "\n  = help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Error::of(Kind::Text(vec![diagnostic]))
    }
}

impl From<Vec<Diagnostic>> for Error {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Error::of(Kind::Text(diagnostics))
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::of(Kind::Io(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rule::Span;

    #[test]
    fn the_first_word_on_what_is_known_stays() {
        let error = Error::new("time", "10 s are over").so_far("heaps 0 to 7").so_far("nothing");
        assert_eq!(error.to_string(), "10 s are over\n  = known so far: heaps 0 to 7");
        assert!(error.is_limit());
        assert_eq!(error.only_so_far("heaps 0 to 5").known(), Some("heaps 0 to 5"));
    }

    #[test]
    fn faults_of_a_text_keep_their_place() {
        let error = Error::from(Diagnostic::error("loop", Span::new(2, 3), "0 leads to 0").help("t >= 1"));
        assert_eq!(error.id(), "loop");
        assert_eq!(error.diagnostic().map(|d| d.span.start), Some(2));
        assert_eq!(error.to_string(), "0 leads to 0\n  = help: t >= 1");
        assert!(!error.is_limit());
    }
}
