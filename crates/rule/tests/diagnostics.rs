//! What people really type, and what they are told: one snapshot for each mistake.
//!
//! The snapshots show the message with its caret, as the program would. Two more things are held: the marked text
//! and the patch of each well-known mistake are pinned here in the open, and a patch, once applied, mends.

use grundy_rule::ends::{self, Ends};
use grundy_rule::{Diagnostic, Rule, Severity, argument::Argument, law_text, position_text};

/// All that is said about a rule: reading it, and then whether it ends.
fn say(source: &str, given: &[(&str, &str)]) -> Vec<Diagnostic> {
    let read = |(name, text): &(&str, &str)| ((*name).to_string(), Argument::parse(text).expect("a value"));
    let args: Vec<(String, Argument)> = given.iter().map(read).collect();
    match Rule::parse(source, &args) {
        Ok((rule, mut said)) => {
            if let Ends::Loop(error) = ends::ends(&rule) {
                said.push(error);
            }
            said
        }
        Err(said) => said,
    }
}

/// What is said about a position of a rule.
fn say_position(rule: &str, text: &str) -> String {
    let (rule, _) = Rule::parse(rule, &[]).expect("a rule");
    let said = match position_text::parse(text, &rule) {
        Ok(entries) => position_text::repeated_coins(&entries, &rule),
        Err(said) => said,
    };
    said.iter().map(|d| d.plain(text)).collect::<Vec<_>>().join("\n")
}

fn shown(source: &str, given: &[(&str, &str)]) -> String {
    let said: Vec<String> = say(source, given).iter().map(|d| d.plain(source)).collect();
    said.join("\n")
}

/// The source with all patches applied, from the end so that places stay true.
fn patched(source: &str, said: &[Diagnostic]) -> String {
    let mut patches: Vec<_> = said.iter().filter_map(|d| d.patch.clone()).collect();
    patches.sort_by_key(|p| std::cmp::Reverse(p.span.start));
    let mut out = source.to_string();
    for patch in patches {
        out.replace_range(patch.span.start..patch.span.end, &patch.text);
    }
    out
}

/// A mistake: what is typed, the id, what the caret marks, and the text once patched (empty: no patch).
type Row = (&'static str, &'static str, Severity, &'static str, &'static str);

const WELL_KNOWN: [Row; 24] = [
    ("n => n - 1 where n >= 1", "habit", Severity::Error, "=>", "n -> n - 1 where n >= 1"),
    ("n -> n - t where t == 1", "habit", Severity::Error, "==", "n -> n - t where t = 1"),
    ("n -> n - t where t >= 1 && t <= 3", "habit", Severity::Error, "&&", "n -> n - t where t >= 1, t <= 3"),
    ("n -> n-1,n-2", "two-heaps", Severity::Warning, "n-1,n-2", "n -> n-1 | n-2"),
    (
        "n -> a + b where a + b = n - 1",
        "joined-heaps",
        Severity::Warning,
        "a + b",
        "n -> a, b where a + b = n - 1",
    ),
    ("n -> {n-1, n-2}", "braces", Severity::Error, "{n-1, n-2}", "n -> n-1 | n-2"),
    ("n -> n-1 or n-2", "or-option", Severity::Error, "or", "n -> n-1 | n-2"),
    ("n -> n - k for k in 1..3", "where", Severity::Error, "for", "n -> n - k where k in 1..3"),
    ("n -> n-1 if n > 1", "where", Severity::Error, "if", "n -> n-1 where n > 1"),
    (
        "n -> n-1 where n > 1 | n-2",
        "second-alternative",
        Severity::Error,
        "| n-2",
        "n -> n-1 where n > 1\nn -> n-2",
    ),
    ("n -> n-1; n-2", "missing-left", Severity::Error, "n-2", "n -> n-1; n -> n-2"),
    (
        "n -> n - t | a, b where t >= 1, a + b = n",
        "foreign-variable",
        Severity::Error,
        "a",
        "n -> n - t where t >= 1\nn -> a, b where a + b = n",
    ),
    ("n -> n - t where 1 <= t <= N", "unknown-name", Severity::Error, "N", "n -> n - t where 1 <= t <= n"),
    ("n -> n - t where t in {1, 2, k}", "unknown-name", Severity::Error, "k", ""),
    ("n -> n + t where t >= 1", "unbounded", Severity::Error, "t", "n -> n - t where t >= 1"),
    ("n -> n - t", "loop", Severity::Error, "n - t", "n -> n - t where t >= 1"),
    ("n -> n - d where d divides n", "loop", Severity::Error, "d", "n -> n - d where d divides n, d >= 1"),
    ("n -> floor(n/2)", "loop", Severity::Error, "n -> floor(n/2)", "n -> floor(n/2) where n >= 1"),
    ("n -> n/2", "rounding", Severity::Error, "n/2", "n -> floor(n/2)"),
    ("n -> (a, b) where a + b = n-1", "no-rule", Severity::Error, "(a, b)", "n -> a, b where a + b = n-1"),
    ("n -> row(n - 1)", "no-rule", Severity::Error, "row", "n -> n - 1"),
    ("n -> n - t where t in [1, 3]", "set", Severity::Error, "[1, 3]", "n -> n - t where t in {1, 3}"),
    ("n -> n - t where |n - t| <= 3", "bars", Severity::Error, "|n - t|", "n -> n - t where abs(n - t) <= 3"),
    ("n -> x ^ n where x < n", "power", Severity::Warning, "^", "n -> xor(x, n) where x < n"),
];

#[test]
fn well_known_mistakes_are_marked_and_patched() {
    for (source, id, severity, marked, mended) in WELL_KNOWN {
        let said = say(source, &[]);
        let found = said.iter().find(|d| d.id == id).unwrap_or_else(|| panic!("{source}: {said:?}"));
        assert_eq!(found.severity, severity, "{source}");
        assert_eq!(&source[found.span.start..found.span.end], marked, "{source}");
        let expected = if mended.is_empty() { source } else { mended };
        assert_eq!(patched(source, &said), expected);
    }
}

#[test]
fn a_patch_mends() {
    for (source, id, _, _, mended) in WELL_KNOWN {
        if !mended.is_empty() {
            let left = say(mended, &[]);
            assert!(left.iter().all(|d| d.id != id), "{mended}: {left:?}");
            assert_ne!(source, mended);
        }
    }
}

/// One snapshot a mistake, in tests/snapshots.
macro_rules! snapshots {
    ($($name:ident: $source:expr $(, $given:expr)?;)*) => {
        mod snapshots {
            use super::shown;
            $(#[test]
            fn $name() {
                #[allow(unused_mut, unused_assignments, reason = "only some rows give values")]
                let mut given: &[(&str, &str)] = &[];
                $(given = &$given;)?
                insta::with_settings!({ description => $source, omit_expression => true, prepend_module_to_snapshot => false }, {
                    insta::assert_snapshot!(stringify!($name), shown($source, given));
                });
            })*
        }
    };
}

snapshots! {
    // The well-known ones.
    habit_arrow: "n => n - 1";
    habit_equal: "n -> n - t where t == 1";
    habit_and: "n -> n - t where t >= 1 && t <= 3";
    two_heaps: "n -> n-1,n-2";
    joined_heaps: "n -> a + b where a + b = n - 1";
    braces: "n -> {n-1, n-2}";
    or_option: "n -> n-1 or n-2";
    where_for: "n -> n - k for k in 1..3";
    where_if: "n -> n-1 if n > 1";
    second_alternative: "n -> n-1 where n > 1 | n-2";
    missing_left: "n -> n-1; n-2";
    foreign_variable: "n -> n - t | a, b where t >= 1, a + b = n";
    unknown_name_near: "n -> n - t where 1 <= t <= N";
    unknown_name_no_value: "n -> n - t where t in {1, 2, k}";
    unbounded: "n -> n + t where t >= 1";
    loop_zero: "n -> n - t";
    loop_divisor: "n -> n - d where d divides n";
    loop_floor: "n -> floor(n/2)";
    rounding: "n -> n/2";
    no_rule_tuple: "n -> (a, b) where a + b = n-1";
    no_rule_kind: "n -> row(n - 1)";
    set_brackets: "n -> n - t where t in [1, 3]";
    set_to: "n -> n - t where t in 1 to 3";
    bars: "n -> n - t where |n - t| <= 3";
    power: "n -> x ^ n where x < n";
    // Other habits.
    habit_or_not: "n -> n - t where !(t = 1) && t <= 3 || t = 7";
    habit_at_least: "n -> n - t where t => 1, t =< 3, t <> 2";
    habit_dots: "n -> n - t where t in 1...3";
    habit_stars: "n -> n - 2**t where t >= 0";
    habit_xor: "n -> n xor t where t < n";
    habit_oplus: "n -> n \u{2295} t where t < n";
    set_interval: "n -> n - t where t in 1-3";
    set_list: "n -> n - t where t in 1, 2, 3";
    set_braced_range: "n -> n - t where t in {1..3}";
    set_number: "n -> n - t where t in n";
    where_twice: "n -> n - 1 where n > 1 where n < 5";
    // Names.
    unknown_set: "n -> n - t where t in prime";
    unknown_set_value: "n -> n - t where t in S";
    unknown_list_value: "game stones\nn -> n - c[0]";
    unknown_pairs_value: "n -> n - t where t in 1..3, (n, t) not in banned";
    unknown_function: "n -> flor(n/2)";
    unknown_header_name: "game x(k) where m >= 2\nn -> n - t where t in 1..k";
    unknown_argument: "n -> n - t where t in 1..3", [("k", "3")];
    hidden_name: "n -> [n - i for n in 1..3] | [i for i in 1..2] where i < n";
    hidden_outside: "n -> [n - i for i in 1..n], i where i < n\nn -> [i for i in 0..i]";
    hidden_in_list: "n -> [[i for i in 1..2] for i in 1..n]";
    twice: "(a, a) -> (a - 1, a)";
    twice_param: "game x(n)\nn -> n - 1";
    reserved_kind: "draw(n) -> draw(n - 1)\nmin(n) -> min(n - 1)";
    reserved_param: "game x(loopy, left: set)\nn -> n - 1";
    reserved_word: "n -> n - 1\nfor -> nothing";
    type_mismatch: "game x(S: set, k)\nn -> n - S\nn -> n - t where t in k, (n, t) in S, t < k[0], len(k) < t";
    type_argument: "game x(S: set, k, e: pairs)\nn -> n - t where t in S, t < k, (n, t) in e",
        [("S", "(1,2)"), ("k", "1,2"), ("e", "3")];
    parameter: "game x(k) where k >= 2\nn -> n - t where t in 1..k", [("k", "1")];
    parameter_twice: "n -> n - t where t in S", [("S", "2"), ("S", "5")];
    arguments: "n -> sqrt(n, 2)\nn -> root(n)\nn -> n - t where t in powers, n in primes(3), digitsum(n, 2, 3) = t";
    // Heaps.
    no_rule_arity: "row(n) -> row(n - 1, 2)\nrow(n) -> n - 1\nrow(n) -> rwo(n - 1)";
    own_coin: "coins c\nn -> n, a where a < n\n(x, y) -> [(x, y)]";
    // Form.
    syntax_open: "n -> (n - 1\nn -> [n - 2 for i in 1..3\nn -> n - t where (t = 1\nn -> n - t where t in {1, 2";
    syntax_missing: "n ->\n-> n\nn -> n - t where t >= 1,\nn -> n - t where t\nn -> n - t where t = 1, 2, 3";
    syntax_rest: "n -> n - 2 t\nn -> n! - 1\nn -> n - t where t & 1 = 1\na, b -> 3";
    header: "n -> n - 1\ngame late";
    header_misere: "misere\nn -> n - 1";
    header_loopy: "misere loopy\nn -> n - 1";
    ending: "n -> n - 1, win\nleft: n -> draw, n - 2 | lose where n = 1";
    header_type: "game x(k: integer)\nn -> n - 1";
    missing_left_first: "take one or two from a heap";
    decimal: "n -> n*1.5";
    overflow: "n -> n - 340282366920938463463374607431768211456";
    product: "n -> n - t where t <= n//2k, 1 <= k <= n";
    character: "n -> n - \u{a7}\u{a7} where n > 1 ~";
    text: "n -> n - 1\nsource \"open";
    branches: "n -> n - t where t >= 1, t != 1 and t != 2 or t = 3, t = 1 or t = 2, t = 1 or t = 2, t = 1 or t = 2, t = 1 or t = 2, t = 1 or t = 2, t = 1 or t = 2";
    two_errors_in_one_line: "n => n - t where t == 1 && t < k";
    every_line_is_read: "n -> n -\nn -> n - t where t in 1..m\nn -> n/3";
}

#[test]
fn positions_laws_and_values_have_their_own_messages() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _settings = settings.bind_to_scope();
    let heaps = "row(n) -> row(a), row(b) where a + b = n - 1\nrow(0) -> nothing";
    insta::assert_snapshot!("position", say_position(heaps, "5 row(3,4) row(2, -3x 0xrow(1)"));
    insta::assert_snapshot!("repeated_coin", say_position("coins\nn -> nothing", "3 5 3"));
    let law = "g(n) = m\ng(0..) = 1, 2\ng(2n) = n/2 if n > 1\nf(n) = 3";
    let read = |text: &str| law_text::parse(text, &[]).expect_err("mistakes");
    let said = |text: &str| read(text).iter().map(|d| d.plain(text)).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!("law_syntax", said(law));
    insta::assert_snapshot!(
        "law_names",
        said("g(n) = m\ng(0..) = 1\ng(n) = g(n)/2\ng(g(n)) = 1\ng(0..) = -1")
    );
    insta::assert_snapshot!("argument", Argument::parse("{2, x}").expect_err("a mistake").plain("{2, x}"));
}

#[test]
fn a_line_has_a_largest_size() {
    let source = format!("n -> n - 1{} where n >= 1{}", " | n - 1".repeat(2000), ", n >= 1".repeat(2000));
    assert_eq!(say(&source, &[])[0].id, "size");
    let conditions = |count: usize| format!("n -> n - 1 where n >= 1{}", ", n >= 1".repeat(count - 1));
    assert_eq!(say(&conditions(501), &[])[0].id, "size");
    assert_eq!(say(&conditions(500), &[]), []);
    let lines = format!("{}\n{}", conditions(400), conditions(400).replace(">= 1", ">= 2"));
    assert_eq!(say(&lines, &[]), []);
    let heaps = |count: usize| format!("n -> n - 1{} where n >= 1", ", n - 1".repeat(count - 1));
    assert_eq!(say(&heaps(501), &[])[0].id, "size");
    assert_eq!(say(&heaps(500), &[]), []);
    let kinds: String = (0..65_537).map(|i| format!("k{i}(n) -> nothing\n")).collect();
    assert_eq!(say(&kinds, &[])[0].id, "size");
}

#[test]
fn nesting_is_an_error_of_its_own() {
    for (open, close) in [("(", ")"), ("-", ""), ("abs(", ")"), ("2^", "")] {
        let source = format!("n -> {}n{}", open.repeat(100_000), close.repeat(100_000));
        assert_eq!(say(&source, &[])[0].id, "nesting", "{open}");
    }
    let lists = format!("n -> {}n - 1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(say(&lists, &[])[0].id, "nesting");
    for open in ["not ", "("] {
        let source = format!("n -> n - 1 where {}n = 1{}", open.repeat(100_000), ")".repeat(100_000));
        assert_eq!(say(&source, &[])[0].id, "nesting", "{open}");
    }
    let sum = format!("n -> n{}", " - 1".repeat(100_000));
    assert_eq!(say(&sum, &[])[0].id, "nesting");
    let deep = format!("n -> {}n - 1{}", "(".repeat(100), ")".repeat(100));
    assert!(say(&deep, &[]).iter().all(|d| d.id != "nesting"));
}

#[test]
fn windows_line_ends_and_full_width_signs_are_silent() {
    let plain = "game x\nn -> n - t where t in {1, 2}, t >= 1\n  and n != 3";
    let windows = plain.replace('\n', "\r\n");
    let wide: String = plain
        .chars()
        .map(|c| match c {
            '\n' => '\n',
            ' ' => '\u{3000}',
            c => char::from_u32(u32::from(c) + 0xfee0).expect("a full-width form"),
        })
        .collect();
    for source in [windows, wide] {
        assert_eq!(shown(&source, &[]), "", "{source}");
    }
}
