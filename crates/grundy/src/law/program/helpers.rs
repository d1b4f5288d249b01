//! The helpers of programs, kept as source text: one file a language, parted by lines `@name: those it calls`.

use std::collections::BTreeSet;

use super::Language;

fn source(language: Language) -> &'static str {
    match language {
        Language::Cpp => include_str!("cpp.txt"),
        Language::Rust => include_str!("rust.txt"),
        Language::Python => include_str!("python.txt"),
    }
}

/// Name, names that are called, text.
type Part = (&'static str, Vec<&'static str>, &'static str);

fn parts(language: Language) -> Vec<Part> {
    let parts = source(language).split("\n@").skip(1);
    parts
        .filter_map(|part| {
            let (head, text) = part.split_once('\n')?;
            let (name, calls) = head.split_once(':')?;
            Some((name, calls.split_whitespace().collect(), text))
        })
        .collect()
}

/// The text of a part; empty if there is none of that name, which the tests exclude.
pub(super) fn part(language: Language, name: &str) -> &'static str {
    parts(language).into_iter().find(|part| part.0 == name).map_or("", |part| part.2)
}

/// The helpers that are used, and those that they call, each after those it calls.
pub(super) fn with_dependencies(language: Language, used: &BTreeSet<&'static str>) -> Vec<&'static str> {
    let parts = parts(language);
    let mut wanted: BTreeSet<&'static str> = used.clone();
    loop {
        let more: Vec<&'static str> = parts
            .iter()
            .filter(|part| wanted.contains(part.0))
            .flat_map(|part| part.1.iter().copied())
            .filter(|name| !wanted.contains(name))
            .collect();
        if more.is_empty() {
            break;
        }
        wanted.extend(more);
    }
    // In the files every part stands after those it calls.
    parts.into_iter().map(|part| part.0).filter(|name| wanted.contains(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_languages_have_the_same_parts_in_order() {
        let names = |language| parts(language).iter().map(|part| part.0).collect::<Vec<_>>();
        for language in Language::ALL {
            assert_eq!(names(language), names(Language::Cpp), "{language:?}");
            let mut before: Vec<&str> = Vec::new();
            for (name, calls, text) in parts(language) {
                assert!(calls.iter().all(|call| before.contains(call)), "{language:?} {name}");
                assert!(!text.trim().is_empty(), "{language:?} {name}");
                before.push(name);
            }
        }
    }
}
