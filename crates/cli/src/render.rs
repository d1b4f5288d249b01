//! Draws messages: source line, caret, help and patch, in colours where the terminal has them.
//!
//! The drawing is rustc's own (`annotate-snippets`). What a message says is decided where it is made; here is
//! only how it looks. Colours are always produced and `anstream` takes them out where they do not belong
//! (a pipe, `NO_COLOR`, `CLICOLOR=0`).

use std::fmt;
use std::io::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use grundy_rule::{Diagnostic, Span};

use crate::failure::{Failure, Source};

/// Longest source line that is drawn; in longer ones (a generated list of pairs, say) the caret would be lost.
const LONGEST_LINE: usize = 2000;

/// Says on standard error why the command failed.
pub(crate) fn failure(failure: &Failure) {
    match failure {
        Failure::Closed | Failure::No => {}
        Failure::Said(source, list) => diagnostics(source, list),
        Failure::Message { id, message, known, help } => {
            let mut group = Group::with_title(Level::ERROR.primary_title(message.as_str()).id(*id));
            let known = known.as_ref().map(|known| format!("known so far: {known}"));
            if let Some(known) = &known {
                group = group.element(Level::NOTE.message(known.as_str()));
            }
            if let Some(help) = help {
                group = group.element(Level::HELP.message(help.as_str()));
            }
            print(&[group]);
        }
    }
}

/// Says a note on standard error.
pub(crate) fn note(message: &str) {
    print(&[Group::with_title(Level::NOTE.primary_title(message))]);
}

/// Says messages about a text on standard error, in the order of the text.
pub(crate) fn diagnostics(source: &Source, list: &[Diagnostic]) {
    let mut ordered: Vec<&Diagnostic> = list.iter().collect();
    ordered.sort_by_key(|d| d.span.start);
    for (i, diagnostic) in ordered.iter().enumerate() {
        if i > 0 {
            say(format_args!(""));
        }
        print(&groups(source, diagnostic));
    }
}

/// The parts of one message.
fn groups<'a>(source: &'a Source, diagnostic: &'a Diagnostic) -> Vec<Group<'a>> {
    let level = if diagnostic.is_error() { Level::ERROR } else { Level::WARNING };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.id);
    let text = source.text.as_str();
    let mut group = match text.lines().all(|line| line.len() <= LONGEST_LINE) && !text.is_empty() {
        true => title.element(
            Snippet::source(text)
                .path(source.origin.as_str())
                .annotation(AnnotationKind::Primary.span(visible(text, diagnostic.span)))
                .annotations(diagnostic.notes.iter().map(|(span, word)| {
                    AnnotationKind::Context.span(visible(text, *span)).label(word.as_str())
                })),
        ),
        false => Group::with_title(title),
    };
    let patch = diagnostic.patch.as_ref().filter(|patch| inside(text, patch.span));
    match (&diagnostic.help, patch) {
        (help, Some(patch)) => {
            let words = help.as_deref().unwrap_or("write this instead");
            let shown = Snippet::source(text)
                .path(source.origin.as_str())
                .patch(Patch::new(patch.span.start..patch.span.end, patch.text.as_str()));
            vec![group, Level::HELP.secondary_title(words).element(shown)]
        }
        (Some(help), None) => {
            group = group.element(Level::HELP.message(help.as_str()));
            vec![group]
        }
        (None, None) => vec![group],
    }
}

/// Whether a span can be cut out of the text.
fn inside(text: &str, span: Span) -> bool {
    span.start <= span.end && text.is_char_boundary(span.start) && text.is_char_boundary(span.end)
}

/// A span that can be drawn: within the text and on the borders of characters.
fn visible(text: &str, span: Span) -> std::ops::Range<usize> {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start);
    start..floor(span.end).max(start)
}

fn print(groups: &[Group<'_>]) {
    say(format_args!("{}", Renderer::styled().render(groups)));
}

/// Writes a line to standard error. Where that cannot be written there is nobody to tell, and the exit status still
/// speaks.
pub(crate) fn say(line: fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
