//! `grundy emit`: a program from the law of a rule.

use std::time::Duration;

use grundy::law::Law;
use grundy::law::program::{self, Language};
use grundy::standing::{self, Request, Standing, Stated};
use grundy::table::Options;
use grundy_rule::law_text::Subject;
use serde::Serialize;

use crate::args::Emit;
use crate::failure::{self, Failure};
use crate::load::{self, Loaded};
use crate::long::{self, Spinner};
use crate::{law_source, output, render};

/// How long to look for a law if `--time` does not say.
const TIME: Duration = Duration::from_secs(10);

#[derive(Serialize)]
struct Answer {
    language: &'static str,
    law: String,
    status: &'static str,
    standing: String,
    program: String,
}

/// `grundy emit RULE --lang LANGUAGE`
pub(crate) fn run(args: &Emit) -> Result<(), Failure> {
    let loaded = load::load(&args.rule)?;
    loaded.no_position("emit")?;
    loaded.need_values()?;
    loaded.need_single("emit")?;
    let mut limits = long::limits(&args.limits)?;
    limits.time = limits.time.or(Some(TIME));
    limits.whole = limits.time;
    let said = |error| failure::from_library(&error, &loaded.source);
    let Stated { law, standing, .. } = match &args.law {
        Some(word) => given(args, &loaded, word, limits)?,
        None => {
            let request = Request { kind: args.kind.clone(), ..Request::new(limits) };
            let finding = super::law::find(&loaded, &request)?;
            let values = finding.values;
            finding.stated.ok_or_else(|| {
                render::note(&format!("no law of {} was found in {values} values", loaded.title()));
                Failure::No
            })?
        }
    };
    let observed_to = match &standing {
        Standing::Observed { to } => Some(*to),
        Standing::Cited { .. } | Standing::Proved { .. } => None,
    };
    let about = about(&loaded, &law, &standing);
    let about: Vec<&str> = about.iter().map(String::as_str).collect();
    let program =
        program::write_within(&law, args.lang, &about, loaded.rule.coins, observed_to).map_err(said)?;
    if args.json.json {
        return output::json(&Answer {
            language: Language::name(args.lang),
            law: law.to_string(),
            status: standing.word(),
            standing: standing.to_string(),
            program,
        });
    }
    output::data(|out| Ok(out.write_all(program.as_bytes())?))
}

/// The law that was given, after it stood a test.
fn given(
    args: &Emit,
    loaded: &Loaded,
    word: &str,
    limits: grundy::limits::Limits,
) -> Result<Stated, Failure> {
    let law = law_source::one(loaded, word)?;
    let spinner = Spinner::start(format!("testing a law of {}", loaded.title()));
    let options = Options { kind: args.kind.clone(), limits, ..Options::default() };
    let found = standing::agreement(&law, &loaded.rule, args.heaps, &options);
    drop(spinner);
    let found = found.map_err(|error| failure::from_library(&error, &loaded.source))?;
    if let Some(wrong) = found.first {
        render::note(&format!(
            "the law is false at heap {}, whose nimber is {}: `grundy test` says why",
            wrong.heap, wrong.nimber
        ));
        return Err(Failure::No);
    }
    let standing = Standing::Observed { to: found.checked_to };
    Ok(Stated { law, standing, checked_to: Some(found.checked_to), evidence: None })
}

/// What stands at the head of the program.
fn about(loaded: &Loaded, law: &Law, standing: &Standing) -> Vec<String> {
    let title = loaded.title();
    let mut lines = vec![match law.speaks_of() {
        Subject::Nimbers => {
            format!("Who wins {title}, from the nimbers of its heaps; for heaps up to 10^18.")
        }
        Subject::Zeros => {
            format!(
                "Who wins each heap of {title} by itself: the law tells no nimbers to add; for heaps up to 10^18."
            )
        }
    }];
    lines.push(String::new());
    lines.push("Rule:".to_string());
    let rule = loaded
        .rule_text()
        .lines()
        .filter(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty());
    lines.extend(rule.map(|line| format!("  {line}")));
    for param in &loaded.rule.params {
        lines.push(format!("  {}", super::show::parameter_words(param)));
    }
    lines.push(String::new());
    lines.push(format!("Law, {standing}:"));
    lines.extend(law.to_string().lines().map(|line| format!("  {line}")));
    lines
}
