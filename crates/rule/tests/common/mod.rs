//! What several tests share: reading a rule with its arguments.

use grundy_rule::Rule;
use grundy_rule::argument::Argument;

/// The rule with arguments as on a command line, `k=3`.
pub(crate) fn read(text: &str, args: &[&str]) -> Result<Rule, String> {
    let args: Vec<(String, Argument)> = args
        .iter()
        .map(|arg| {
            let (name, value) = arg.split_once('=').expect("name=value");
            (name.to_string(), Argument::parse(value).expect("a value"))
        })
        .collect();
    Rule::parse(text, &args).map(|read| read.0).map_err(|errors| format!("{errors:?}"))
}

/// The same for a rule that is right.
pub(crate) fn rule(text: &str, args: &[&str]) -> Rule {
    read(text, args).unwrap_or_else(|said| panic!("{text}: {said}"))
}
