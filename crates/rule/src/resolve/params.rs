//! Parameters: who names them, of which type they are, and the values that the caller gives.

use std::collections::HashMap;

use crate::argument::Argument;
use crate::ast::{File, ParamType};
use crate::diagnostic::{Diagnostic, Span};
use crate::resolve::names::{self, Mention, Use};
use crate::resolve::{is_function_name, is_set_name};
use crate::rule::Param;

/// Words that later parts of the language need.
const LATER: [&str; 7] = ["win", "lose", "draw", "left", "right", "loopy", "score"];

/// Says so if a name cannot be that of a kind or parameter.
pub(super) fn reserved(name: &str, span: Span, what: &str) -> Option<Diagnostic> {
    let message = if LATER.contains(&name) {
        format!("`{name}` is a word of the language, it cannot be the name of {what}")
    } else if what == "a kind" && (is_function_name(name) || is_set_name(name)) {
        format!("`{name}` is a function or set of the language, it cannot be the name of {what}")
    } else {
        return None;
    };
    Some(Diagnostic::error("reserved", span, message))
}

/// What the mentions of one name tell about its type.
#[derive(Clone, Copy, Default)]
struct Uses {
    set: bool,
    list: bool,
    len: bool,
    pairs: bool,
}

impl Uses {
    fn ty(self) -> ParamType {
        match self {
            Uses { pairs: true, .. } => ParamType::Pairs,
            Uses { list: true, .. } => ParamType::List,
            Uses { set: true, .. } => ParamType::Set,
            Uses { len: true, .. } => ParamType::List,
            _ => ParamType::Number,
        }
    }
}

/// The parameters of the file with the values given. Names that stand nowhere in the rule, values of the wrong
/// type and names given twice are errors.
pub(super) fn params(file: &File, args: Vec<(String, Argument)>, errors: &mut Vec<Diagnostic>) -> Vec<Param> {
    let mut mentions: Vec<Mention> = Vec::new();
    for production in &file.productions {
        production.alternatives.iter().for_each(|sum| names::in_parts(&sum.parts, &mut mentions));
        production.cond.iter().for_each(|cond| names::in_cond(cond, &mut mentions));
    }
    let header = file.header.as_ref();
    header.and_then(|h| h.cond.as_ref()).iter().for_each(|cond| names::in_cond(cond, &mut mentions));
    let mut uses: HashMap<&str, (Uses, Span)> = HashMap::new();
    for mention in &mentions {
        let (known, _) = uses.entry(mention.name).or_insert((Uses::default(), mention.span));
        match mention.used {
            Use::Number | Use::For | Use::Bound => {}
            Use::Set => known.set = true,
            Use::List => known.list = true,
            Use::Len => known.len = true,
            Use::Pairs => known.pairs = true,
        }
    }

    let mut given: HashMap<&str, usize> = HashMap::new();
    let (names, mut args): (Vec<String>, Vec<Option<Argument>>) =
        args.into_iter().map(|(name, argument)| (name, Some(argument))).unzip();
    for (index, name) in names.iter().enumerate() {
        if given.insert(name, index).is_some() {
            errors.push(
                Diagnostic::error("parameter", Span::default(), format!("`{name}` is given twice")).help(
                    format!("the shell expands `{name}={{2,5}}`: write `{name}=2,5`, or put it in quotes"),
                ),
            );
        }
    }

    let mut params: Vec<Param> = Vec::new();
    let mut known: HashMap<&str, ()> = HashMap::new();
    for param in header.iter().flat_map(|h| &h.params) {
        let (name, span) = (param.name.text.as_str(), param.name.span);
        errors.extend(reserved(name, span, "a parameter"));
        if known.insert(name, ()).is_some() {
            errors.push(Diagnostic::error("twice", span, format!("the parameter `{name}` stands twice")));
            continue;
        }
        let ty = param.ty.unwrap_or_else(|| uses.get(name).map_or(ParamType::Number, |(u, _)| u.ty()));
        let argument = given.get(name).and_then(|index| args[*index].take());
        let value = argument.and_then(|argument| value(name, span, argument, ty, errors));
        params.push(Param { name: name.to_string(), ty, value });
    }
    for (name, argument) in names.iter().zip(args) {
        if known.insert(name, ()).is_some() {
            continue;
        }
        let Some((used, span)) = uses.get(name.as_str()) else {
            let message = format!("a value is given for `{name}`, which stands nowhere in the rule");
            errors.push(Diagnostic::error("unknown-name", Span::default(), message));
            continue;
        };
        errors.extend(reserved(name, *span, "a parameter"));
        let ty = used.ty();
        let value = argument.and_then(|argument| value(name, *span, argument, ty, errors));
        params.push(Param { name: name.clone(), ty, value });
    }
    params
}

fn value(
    name: &str,
    span: Span,
    argument: Argument,
    ty: ParamType,
    errors: &mut Vec<Diagnostic>,
) -> Option<crate::rule::Value> {
    match argument.value(ty) {
        Ok(value) => Some(value),
        Err(wanted) => {
            errors.push(Diagnostic::error("type", span, format!("`{name}` {wanted}")));
            None
        }
    }
}
