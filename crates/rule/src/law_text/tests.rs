//! Laws as text: read, resolved, printed and read again.

use super::*;

#[test]
fn a_law_prints_in_the_notation_in_which_it_is_read() {
    let laws = [
        "g(0) = 1\ng(2n) = g(n) + 2n\ng(2n + 1) = 6n + 3 - g(n)",
        "g(0..) = 0, 0\ng(3a + 1) = g(a) for a >= 1\ng(3a + b) = 2a + b - 1 for 2 <= b <= 3",
        "g(n) = n mod 4",
        "g(0..) = 0, 1, 2\ng(n + 12) = g(n) for n >= 71",
        "g(n) = floor(n/2) for 2 divides n or n >= 5, n not in {7, 9}",
        "g(0..) = 0\nwindow L(n) = ceil(n/3) for n >= 1",
        "window L(heap) = heap - sqrt(heap)",
        "automaton base 2 {\n  0*: 0/0 to 0, 1/0 to 1, 1/1 to 0\n  1:\n}",
        "automaton base 10 coded {\n  0*: 0/1 to 0\n}",
        "automatic base 2 slope 2 {\n  0 = 1: 0, 1\n  1 = 0: 1, 0\n}",
        "automaton base 2 entries 2 {\n  0*: 0 0/0 to 0, 1 0/1 to 0, 0 1/1 to 0, 1 1/0 to 0\n  1:\n}",
        "automaton base 3 entries 3 coded {\n  0*: 0 0 0/0 to 0, 2 1 0/1 to 1\n  1: 0 0 2/0 to 1\n}",
        "automatic base 3 {\n  0 = -4: 0, 0, 0\n}",
        "automatic base 2 slope 3/2 {\n  0 = 0: 0, 0\n}",
        "zeros\nz(0..) = 1, 2\nz(i + 2) = z(i + 1) + z(i)",
        "g(a, b) = xor(a, b)",
        "g(a, b, c) = xor(a, b, c)",
        "g(a, 0) = a mod 3\ng(0, b) = b mod 3\ng(a, a) = 0\ng(a, b) = floor(abs(a^2 - b^2)/(a*b)) for a, b >= 1",
        "zeros\n(a, b) for max(a, b)^2 < min(a, b)^2 + a*b",
        "zeros\n(a, 0) for a >= 0\n(0, b) for b >= 1",
        "zeros\nz(i) = (floor((i + sqrt(5i^2))/2), floor((3i + sqrt(5i^2))/2)) for i >= 0",
    ];
    for text in laws {
        let law = parse(text, &[]).unwrap();
        assert_eq!(law.to_string(), text);
        assert_eq!(parse(&law.to_string(), &[]).unwrap(), law);
    }
}

#[test]
fn names_come_from_the_pattern_in_order() {
    let law = parse("g(3a + b) = g(a) + b for b < 3", &[]).unwrap();
    let Clause::Equation { names, value, .. } = &law.clauses[0] else { panic!("an equation") };
    assert_eq!(names, &["a", "b"]);
    let grundy = Expr::Grundy(Box::new(Expr::Slot(0)));
    assert_eq!(*value, Expr::Binary(crate::expr::Op::Add, Box::new(grundy), Box::new(Expr::Slot(1))));
}

#[test]
fn what_is_wrong_with_a_law_is_said_for_every_clause() {
    let errors = parse("g(n) = m\ng(g(n)) = n\ng(n) = n/2\ng(0..) = -1", &[]).unwrap_err();
    let ids: Vec<&str> = errors.iter().map(|e| e.id).collect();
    assert_eq!(ids, ["unknown-name", "unknown-name", "rounding", "law-negative"]);
    assert_eq!(parse("g(n) = n\ng(0..) = 1", &[]).unwrap_err()[0].id, "law-order");
    assert_eq!(parse("", &[]).unwrap_err()[0].id, "syntax");
    assert_eq!(parse("f(n) = 3", &[]).unwrap_err()[0].id, "syntax");
}

#[test]
fn a_block_is_its_own_table() {
    let text = "automaton base 2 { 0*: 1/0 to 1, 0/0 to 0   1: 1/1 to 1, 0/1 to 0, }";
    let Clause::Automaton(block) = &parse(text, &[]).unwrap().clauses[0] else { panic!("an automaton") };
    assert_eq!((block.base, block.coded, block.states.len()), (2, false, 2));
    assert!(block.states[0].accepting && !block.states[1].accepting);
    // Ascending, whatever the order of writing.
    assert_eq!(block.states[0].next, [(0, 0, 0), (1, 0, 1)]);
    let text = "automatic base 3 slope 4/6 { 0 = 7: 0, 1, 1  1 = -2: 1, 0, 0 }";
    let Clause::Automatic(block) = &parse(text, &[]).unwrap().clauses[0] else { panic!("automatic") };
    assert_eq!((block.slope, block.states[1].output), ((2, 3), -2));
    assert_eq!(block.states[1].next, [1, 0, 0]);
}

#[test]
fn what_is_wrong_with_a_block_is_said_where_it_stands() {
    let cases = [
        ("automaton base 1 { 0*: }", "1", "the base is 2 to 10, not 1"),
        ("automaton base 2 { }", "{", "an automaton has at least one state"),
        ("automaton base 2 { 1*: }", "1", "the states are numbered 0, 1, 2, ... in order: 0 comes next"),
        ("automaton base 2 { 0*: 2/0 to 0 }", "2", "2 is no digit in base 2"),
        ("automaton base 2 { 0*: 0/1 to 7 }", "7", "there is no state 7"),
        ("automaton base 2 { 0*: 0/1 to 0, 0/1 to 0 }", "0", "the digits 0/1 stand twice"),
        ("automaton base 2 entries 2 { 0*: 0 1/1 to 0, 0 1/1 to 0 }", "0", "the digits 0 1/1 stand twice"),
        ("automaton base 2 entries 2 { 0*: 0 2/1 to 0 }", "2", "2 is no digit in base 2"),
        ("automaton base 2 entries 7 { 0*: }", "7", "7 entries in base 2 are too many or none"),
        ("automaton base 10 entries 4 { 0*: }", "4", "4 entries in base 10 are too many or none"),
        ("automaton base 2 { 0*: 0/1 to 0", "{", "`{` is never closed"),
        ("automatic base 2 slope 1/0 { 0 = 0: 0, 0 }", "0", "a slope is a ratio, and this one divides by 0"),
        (
            "automatic base 2 { 0 = 0: 1, 1  1 = 5: 1, 1 }",
            "0",
            "a leading zero must change nothing, but from state 0 the digit 0 leads to 5, not 0",
        ),
    ];
    for (text, at, message) in cases {
        let errors = parse(text, &[]).unwrap_err();
        assert_eq!((errors[0].id, errors[0].message.as_str()), ("law-automaton", message), "{text}");
        assert_eq!(&text[errors[0].span.start..errors[0].span.end], at, "{text}");
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
    }
    for text in [
        "automatic base 2 { 0 = 0: 1 }",
        "automaton base 2 { 0*: 0/0 -> 0 }",
        "automaton 2 { 0*: }",
        "window L(n) = n - 1 for m >= 2",
        "zeros z(0..) = 1",
        "zeros\ng(0..) = 1",
        "zeros\nz(i) = (1, 2, 3)",
        "zeros\nautomaton base 2 { 0*: }",
        "z(i) = 1",
    ] {
        let errors = parse(text, &[]).unwrap_err();
        assert_eq!(errors[0].id, "syntax", "{text}: {errors:?}");
    }
    assert_eq!(parse("window L(n) = n - k", &[]).unwrap_err()[0].id, "unknown-name");
    assert_eq!(parse("window L(n) = g(n)", &[]).unwrap_err()[0].id, "unknown-name");
    assert_eq!(parse("zeros\nz(i) = g(i)", &[]).unwrap_err()[0].id, "unknown-name");
}

#[test]
fn a_window_has_its_heap_in_slot_0_and_parameters_beside() {
    let k = Param { name: "k".to_string(), ty: ParamType::Number, value: None };
    let law = parse("window L(x) = ceil(x/k) for x >= 1", std::slice::from_ref(&k)).unwrap();
    let Clause::Window(window) = &law.clauses[0] else { panic!("a window") };
    let ceil = Expr::Binary(crate::expr::Op::CeilDiv, Box::new(Expr::Slot(0)), Box::new(Expr::Param(0)));
    assert_eq!((&window.left, window.from), (&ceil, 1));
    assert_eq!(parse("window L(k) = k", &[k]).unwrap_err()[0].id, "unknown-name");
}

#[test]
fn laws_of_tuples_have_their_entries_in_slots() {
    let law = parse("g(a, 0) = a\ng(a, a) = 0\ng(a, b) = a xor b for a < b", &[]).unwrap();
    assert_eq!(law.arity(), 2);
    let entries: Vec<&[Expr]> = law
        .clauses
        .iter()
        .map(|clause| match clause {
            Clause::Tuple { entries, .. } => entries.as_slice(),
            other => panic!("{other} is no clause about tuples"),
        })
        .collect();
    let (a, b) = (Expr::Slot(0), Expr::Slot(1));
    assert_eq!(entries, [[a.clone(), Expr::Const(0)], [a.clone(), a.clone()], [a, b]]);
    // One spelling comes out of all.
    for written in
        ["g(a,b,c)=a xor b xor c", "g(a, b, c) = a \u{2295} b \u{2295} c", "g(a,b,c) = xor(a, b, c)"]
    {
        assert_eq!(parse(written, &[]).unwrap().to_string(), "g(a, b, c) = xor(a, b, c)");
    }
    assert_eq!(parse("g(n) = n xor 1", &[]).unwrap().to_string(), "g(n) = xor(n, 1)");
    assert_eq!(parse("g(n) = (n xor 1) + n xor 2", &[]).unwrap_err()[0].id, "habit");
    assert_eq!(parse("g(n) = n xor 2 - 1", &[]).unwrap_err()[0].id, "habit");
    assert_eq!(parse("g(n) = (n xor 2) - 1", &[]).unwrap().to_string(), "g(n) = xor(n, 2) - 1");
}

#[test]
fn what_is_wrong_with_a_law_of_tuples_is_said() {
    let k = Param { name: "k".to_string(), ty: ParamType::Number, value: None };
    let cases = [
        ("g(a, k) = a", "unknown-name"),
        ("g(a, b) = c", "unknown-name"),
        ("g(a, b) = g(a) xor b", "unknown-name"),
        ("g(a + 1, b) = a", "syntax"),
        ("g(a, b) = a\ng(n) = n", "law-arity"),
        ("g(0..) = 1\ng(a, b) = a", "law-arity"),
        ("g(a, b) = a\ng(a, b, c) = a", "law-arity"),
        ("g(a, b) = a\nautomaton base 2 { 0*: 0/0 to 0 }", "law-arity"),
        ("zeros\n(a, b)", "syntax"),
        ("zeros\n(a, b) = 3", "syntax"),
        ("(a, b) for a = b", "syntax"),
    ];
    for (text, id) in cases {
        let errors = parse(text, std::slice::from_ref(&k)).unwrap_err();
        assert_eq!(errors[0].id, id, "{text}: {errors:?}");
    }
}
