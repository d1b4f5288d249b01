//! Constructs of problem files one by one, on games that need no engine where that suffices.

use super::*;

fn problem(text: &str) -> Problem {
    Problem::parse(text)
        .unwrap_or_else(|said| panic!("{}", said.iter().map(|d| d.plain(text)).collect::<String>()))
}

fn said(text: &str) -> String {
    let said = Problem::parse(text).expect_err("a fault");
    said.iter().map(|d| format!("{}: {}\n", d.id, d.message)).collect()
}

fn solve(problem: &Problem, input: &str) -> String {
    let mut out = Vec::new();
    match problem.solve(input.as_bytes(), &mut out, &Limits::default()) {
        Ok(()) => String::from_utf8(out).unwrap(),
        Err(error) => {
            assert!(out.is_empty());
            error.to_string()
        }
    }
}

/// Melons: the score is what the game says of `n L`, so the position can be seen in the answer.
fn melons(input: &str, position: &str, output: &str) -> String {
    format!("problem \"m\"\ngame melon\ninput\n{input}\nposition {position}\noutput {output}\n")
}

#[test]
fn cases_end_as_announced() {
    let once = problem(&melons("n in 1..9, L in 1..9", "n, L", "score \"{case}: {score}\""));
    assert_eq!(solve(&once, "9 2"), "1: 5\n");
    assert_eq!(solve(&once, "9 2 1"), "line 1, column 5: trailing `1`: the input should end before it");

    let eof = problem(&melons("cases to eof\nn in 1..9, L in 1..9", "n, L", "score \"{case}: {score}\""));
    assert_eq!(solve(&eof, "9 2\n\n8 8"), "1: 5\n2: 8\n");
    assert_eq!(
        solve(&eof, "9 2\n8"),
        "line 2, column 2: case 2: `L` is missing: the input ends here; is what begins at line 2, column 1 trailing?"
    );

    let until =
        problem(&melons("cases until n = 0, L = 0\nn in 1..9, L in 1..9", "n, L", "score \"{score}\""));
    assert_eq!(solve(&until, "9 2 8 8 0 0\n"), "5\n8\n");
    assert_eq!(solve(&until, "9 2 0 0\n"), "5\n");
    assert_eq!(solve(&until, "0 0"), "");
    assert_eq!(solve(&until, "9 2 0 3 0 0"), "line 1, column 5: case 2: `n` = 0 is out of range 1..9");
    assert_eq!(
        solve(&until, "9 2"),
        "line 1, column 4: case 2: `n` is missing: the input ends here; the case that ends the input is missing"
    );
    assert!(solve(&until, "0 0 1").contains("trailing `1`"));

    let times =
        problem(&melons("K in 1..9\nT in 1..K cases\nn in 1..9, L in 1..9", "n, L", "score \"{score}\""));
    assert_eq!(solve(&times, "2 2 9 2 8 8"), "5\n8\n");
    assert_eq!(solve(&times, "2 3"), "line 1, column 3: `T` = 3 is out of range 1..K (1..2)");
    assert_eq!(
        solve(&times, "2 2 9 2"),
        "line 1, column 8: case 2: expected 2 cases, found 1: `n` is missing: the input ends here"
    );
}

#[test]
fn only_where_it_is_allowed_may_there_be_no_case() {
    let items = |repeat: &str| {
        problem(&melons(&format!("{repeat}\nn in 1..9, L in 1..9"), "n, L", "score \"{score}\""))
    };
    assert_eq!(solve(&items("cases to eof or none"), " \n"), "");
    assert_eq!(solve(&items("cases to eof or none"), "9 2"), "5\n");
    assert_eq!(
        solve(&items("cases to eof"), ""),
        "line 1, column 1: case 1: `n` is missing: the input ends here"
    );
}

/// Strings, pairs, columns and lists come back from the notes as from the text, and so does what is too much to note.
#[test]
fn cases_are_the_same_whether_noted_or_read_again() {
    let text = melons(
        "cases to eof\nm in 1..9, s : string of \"IX\", n in 1..5, a[0..n] in 0..10^30, p[1..2] : (x in 1..9, y in 1..9)",
        "m + x[2], 1",
        "score \"{case} {score} {m} {len(a)} {a[0]} {a[n]} {x[1]} {y[1]} {len(p)}\"",
    );
    let all = problem(&text);
    let case = |i: u128, huge: u128| {
        let (m, n) = (i % 9 + 1, i % 5 + 1);
        let a: Vec<String> = (0..=n).map(|k| (i * k + huge).to_string()).collect();
        let (x, y, z) = (i % 9 + 1, (i + 1) % 9 + 1, (i + 2) % 9 + 1);
        let pairs = if (x, y) == (y, z) { 1 } else { 2 };
        let rest = m + y;
        let input =
            format!("{m} {} {n} {} {x} {y} {y} {z}\n", ["I", "IXXI", "XI"][i as usize % 3], a.join(" "));
        let last = i * n + huge;
        let score = rest.div_ceil(2);
        (input, format!("{} {score} {m} {} {huge} {last} {x} {y} {pairs}\n", i + 1, n + 1))
    };
    for huge in [0, 10_u128.pow(29)] {
        let (input, output): (Vec<String>, Vec<String>) = (0..3000).map(|i| case(i, huge)).unzip();
        assert_eq!(solve(&all, &input.concat()), output.concat(), "{huge}");
    }
}

#[test]
fn nothing_is_printed_before_all_is_read() {
    let eof = problem(&melons("cases to eof\nn in 1..9, L in 1..9", "n, L", "score \"{score}\""));
    let mut input = "9 2\n".repeat(20_000);
    input += "9 x";
    assert_eq!(
        solve(&eof, &input),
        "line 20001, column 3: case 20001: `L` is `x`, which is not a whole number"
    );
}

#[test]
fn duplicates_name_both_places() {
    let list = problem(&melons("n in 1..9, a[0..n-1] in 1..99 distinct", "n, a[n-1]", "score \"{score}\""));
    assert_eq!(solve(&list, "3 7 8 9"), "3\n");
    assert_eq!(
        solve(&list, "3\n7 8\n 7"),
        "line 3, column 2: `a_2` = 7 is a duplicate of `a_0` (line 2, column 1)"
    );
    let rows = problem(&melons(
        "n in 1..9, p[1..n] : (x in 1..99, y in 1..x) distinct",
        "x[1], y[n]",
        "score \"{score}\"",
    ));
    assert_eq!(solve(&rows, "2 5 4 5 3"), "3\n");
    assert_eq!(
        solve(&rows, "3 5 4 6 4 5 4"),
        "line 1, column 11: `p_3` = (5, 4) is a duplicate of `p_1` (line 1, column 3)"
    );
    assert_eq!(solve(&rows, "2 5 6 5 3"), "line 1, column 5: `y_1` = 6 is out of range 1..x (1..5)");
    assert_eq!(solve(&rows, "2 5 4 5"), "line 1, column 8: `p`: expected 2 pairs, found 1: `y_2` is missing");
}

#[test]
fn strings_and_adaptors_make_positions() {
    let ends = |adaptor: &str| {
        problem(&melons("s : string of \"IX\", n in 0..9, a[1..n] in 0..9", adaptor, "score \"{score}\""))
    };
    // Two runs, 4 and 2: four melons, at most two at a time.
    assert_eq!(solve(&ends("runs(s, \"I\")"), "XIIIIXIIX 0"), "2\n");
    assert_eq!(solve(&ends("unique(sorted(a))"), "X 4 9 2 2 9"), "2\n");
    assert_eq!(solve(&ends("differences(sorted(a))"), "X 3 9 1 4"), "3\n");
    assert!(solve(&ends("a"), "XYI 0").contains("line 1, column 2: `s_2` is `Y`, not one of `IX`"));
    let long = problem(&melons("n in 0..9, s[1..n] : string of \"IX\"", "n, 1", "score \"{score}\""));
    assert_eq!(solve(&long, "4 IXIX"), "2\n");
    assert_eq!(solve(&long, "4 IXI"), "line 1, column 3: `s`: expected 4 characters, found 3");
}

#[test]
fn places_count_and_nest() {
    let lists = problem(&melons(
        "n in 1..9, a[1..n] in 0..9",
        "[a[i] + i for i in 2..n], [1 for j in {5}]",
        "score \"{score} {a[1]} {{{len(a)}}}\" where unused = n",
    ));
    assert_eq!(solve(&lists, "2 4 7"), "5 4 {2}\n");
}

#[test]
fn sets_of_other_kinds_are_checked() {
    let primes = problem(&melons("n in primes, L in {2, 4}", "n, L", "score \"{score}\""));
    assert_eq!(solve(&primes, "7 2"), "4\n");
    assert_eq!(solve(&primes, "9 2"), "line 1, column 1: `n` = 9 is out of range primes");
    assert_eq!(solve(&primes, "7 3"), "line 1, column 3: `L` = 3 is out of range {2, 4}");
}

#[test]
fn faults_of_a_problem_file_are_said() {
    let with = |game: &str, input: &str, position: &str, output: &str| {
        said(&format!("problem \"p\"\ngame {game}\ninput {input}\nposition {position}\noutput {output}\n"))
    };
    let wins = "win \"W\"\nlose \"L\"";
    assert!(with("no-such-game", "n in 1..9", "n", wins).starts_with("unknown-game: "));
    assert!(with("\"n -> n - t where t in 1..m\"", "n in 1..9", "n", wins).contains("`m`"));
    assert!(
        with("\"n -> n - t where t in 1..m\"(m)", "n in 1..9", "n", wins).contains("the input reads no `m`")
    );
    assert!(
        with("\"n -> n - t where t in 1..m\"(m)", "n in 1..9, m[1..n] in 1..2", "n", wins)
            .starts_with("type: ")
    );
    assert!(with("nim", "n in 1..9, n in 1..9", "n", wins).starts_with("twice: "));
    assert!(with("nim", "n, n in 1..9", "n", wins).starts_with("twice: "));
    assert!(with("nim", "a[1..n] in 1..9", "a", wins).starts_with("unknown-name: "));
    assert!(with("nim", "n in 1..9", "(n, n)", wins).starts_with("no-rule: "));
    assert!(with("nim", "n in 1..9", "m", wins).starts_with("unknown-name: "));
    assert!(with("nim", "n in 1..9", "n", "win \"W\"").starts_with("output: nothing says"));
    assert!(with("nim", "n in 1..9", "n", "win \"{\"\nlose \"L\"").starts_with("output: a brace"));
    assert!(with("nim", "n in 1..9", "n", "win \"{m}\"\nlose \"L\"").starts_with("unknown-name: "));
    assert!(
        with("nim", "n in 1..9", "n", "win \"W\"\nlose \"{to}\"")
            .starts_with("output: there is a winning move")
    );
    assert!(with("nim", "n in 1..9", "n", "win \"W\"\nlose \"L\" least n").starts_with("output: `least`"));
    assert!(with("nim", "n in 1..9\ncases to eof", "n", wins).starts_with("syntax: "));
    assert!(with("nim", "cases until m = 0\nn in 1..9", "n", wins).starts_with("unknown-name: "));
    assert!(with("nim", "s : string of \"ab\"", "s", wins).contains("runs"));
    assert!(said("").starts_with("syntax: expected `problem`"));
    let deep = format!("{}n{}", "[".repeat(40), " for i in 1..2]".repeat(40));
    assert!(with("nim", "n in 1..9", &deep, wins).starts_with("nesting: "));
}

#[test]
fn no_cut_or_doubled_file_panics() {
    for (_, text) in catalogue() {
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let _ = Problem::parse(&text[..end]);
            if end % 7 == 0 {
                let _ = Problem::parse(&format!("{}{}", &text[..end], &text[end / 2..]));
            }
        }
    }
}
