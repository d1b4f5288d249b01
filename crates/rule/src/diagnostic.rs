//! What went wrong, where, and what to do: the model of a message, apart from how it is drawn.
//!
//! A [`Diagnostic`] speaks about byte ranges of a source text. The program renders it with a caret and
//! colours, a test prints it plainly with [`Diagnostic::plain`], an editor may read its fields.

use std::fmt;

/// A half-open byte range `start..end` of the source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range `start..end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest range that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// How bad it is: an error stops, a warning is said and work goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input is used as written, which may not be what was meant.
    Warning,
}

/// A replacement of part of the source that would probably mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// What to replace (empty: insert before `span.start`).
    pub span: Span,
    /// By what.
    pub text: String,
}

/// One message about a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name of the kind of message, such as `unbounded`.
    pub id: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The message, in the user's own terms.
    pub message: String,
    /// Where; the caret stands here.
    pub span: Span,
    /// Other places that belong to the message, each with a word about it.
    pub notes: Vec<(Span, String)>,
    /// What to do.
    pub help: Option<String>,
    /// The change of the text that would do it, where one is likely.
    pub patch: Option<Patch>,
}

impl Diagnostic {
    /// An error with its id, place and message.
    #[must_use]
    pub fn error(id: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            id,
            severity: Severity::Error,
            message: message.into(),
            span,
            notes: Vec::new(),
            help: None,
            patch: None,
        }
    }

    /// A warning with its id, place and message.
    #[must_use]
    pub fn warning(id: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(id, span, message) }
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a second place with a word about it.
    #[must_use]
    pub fn note(mut self, span: Span, text: impl Into<String>) -> Self {
        self.notes.push((span, text.into()));
        self
    }

    /// Adds a mending change.
    #[must_use]
    pub fn patch(mut self, span: Span, text: impl Into<String>) -> Self {
        self.patch = Some(Patch { span, text: text.into() });
        self
    }

    /// Whether it stops the work.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The message with its source line and caret, without colours: the form that tests compare.
    #[must_use]
    pub fn plain(&self, source: &str) -> String {
        let place = Place::of(source, self.span);
        let word = if self.is_error() { "error" } else { "warning" };
        let mut out = format!("{word}[{}]: {}\n", self.id, self.message);
        out += &format!("{}:{}: {}\n", place.line, place.column, place.text);
        let margin = format!("{}:{}: ", place.line, place.column).chars().count() + place.column - 1;
        out += &format!("{}{}\n", " ".repeat(margin), "^".repeat(place.width.max(1)));
        for (span, text) in &self.notes {
            let at = Place::of(source, *span);
            out += &format!("note: {}:{}: {text}\n", at.line, at.column);
        }
        if let Some(help) = &self.help {
            out += &format!("help: {help}\n");
        }
        if let Some(patch) = &self.patch {
            let at = Place::of(source, patch.span);
            out += &format!("patch: {}:{}: `{}`\n", at.line, at.column, patch.text);
        }
        out
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_error() { "error" } else { "warning" };
        write!(f, "{word}[{}]: {}", self.id, self.message)
    }
}

/// Where a span stands in a text, counted as people count: lines and characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Character within the line, from 1.
    pub column: usize,
    /// Characters that the span covers on its first line.
    pub width: usize,
    /// The line itself, without its end.
    pub text: String,
}

impl Place {
    /// The place of `span` in `source`; a span past the end is at the end.
    #[must_use]
    pub fn of(source: &str, span: Span) -> Place {
        let mut start = span.start.min(source.len());
        while !source.is_char_boundary(start) {
            start -= 1;
        }
        let line_start = source[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |i| start + i);
        let mut end = span.end.clamp(start, line_end);
        while !source.is_char_boundary(end) {
            end -= 1;
        }
        Place {
            line: source[..line_start].matches('\n').count() + 1,
            column: source[line_start..start].chars().count() + 1,
            width: source[start..end].chars().count(),
            text: source[line_start..line_end].trim_end_matches('\r').to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_characters_and_survives_any_span() {
        let text = "ab\nc\u{2264}d\n";
        let place = Place::of(text, Span::new(7, 8));
        assert_eq!((place.line, place.column, place.width, place.text.as_str()), (2, 3, 1, "c\u{2264}d"));
        for start in 0..12 {
            for end in 0..12 {
                let _ = Place::of(text, Span::new(start, end));
            }
        }
    }
}
