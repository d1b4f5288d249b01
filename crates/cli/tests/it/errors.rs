//! Refusals: each names what is wrong, where, and what to do, and ends with status 2.

use crate::program::{run, run_with};

/// The snapshot of a refusal, which must have status 2 and nothing on standard output.
fn refused(args: &[&str]) -> String {
    let shown = run(args);
    assert!(shown.starts_with("exit 2\n--- stderr\n"), "{args:?}: {shown}");
    shown
}

#[test]
fn a_fault_in_a_rule_has_its_place_and_its_patch() {
    insta::assert_snapshot!(refused(&["table", "n -> n + t where t >= 1"]));
}

#[test]
fn several_faults_are_said_in_one_run() {
    insta::assert_snapshot!(refused(&["table", "n -> n - t where t == 1\nn => n - 2"]));
}

#[test]
fn an_unknown_game_has_suggestions() {
    insta::assert_snapshot!(refused(&["table", "kalyes"]));
}

#[test]
fn an_unknown_game_without_a_likely_name() {
    insta::assert_snapshot!(refused(&["table", "qqqqqq"]));
}

#[test]
fn a_brace_list_that_the_shell_expanded() {
    insta::assert_snapshot!(refused(&["value", "n -> n - t where t in S", "S=2", "S=5", "S=7", "9"]));
}

#[test]
fn a_parameter_without_a_value() {
    insta::assert_snapshot!(refused(&["value", "blackboard", "9"]));
}

#[test]
fn every_command_that_plays_needs_all_values() {
    for args in
        [&["table", "blackboard"][..], &["moves", "blackboard", "5"], &["outcome", "subtraction", "5"]]
    {
        assert!(refused(args).contains("has no value"), "{args:?}");
    }
    assert!(run(&["show", "blackboard"]).starts_with("exit 0\n"));
}

#[test]
fn a_game_without_a_rule() {
    insta::assert_snapshot!(refused(&["value", "sos", "7"]));
}

#[test]
fn a_limit_that_is_reached_says_what_is_known() {
    let shown = run(&["table", "0.007", "-n", "10^7", "--time", "300ms", "--format", "csv"]);
    assert!(shown.starts_with("exit 2\n--- stdout\nn,g\n0,0\n"), "{}", &shown[..shown.len().min(500)]);
    let (out, err) = shown.split_once("--- stderr\n").unwrap();
    let last = out.lines().last().unwrap().split(',').next().unwrap();
    assert!(err.contains(&format!("the table ends early, at heap {last}")), "{last}: {err}");
    assert!(err.contains("error[time]") && err.contains("--time"), "{err}");
    let memory = run(&["table", "nim", "-n", "10^9", "--format", "csv", "--memory", "1M"]);
    assert!(memory.starts_with("exit 2\n") && memory.contains("error[memory]"), "{memory}");
}

#[test]
fn a_parameter_that_its_header_forbids() {
    insta::assert_snapshot!(refused(&["value", "blackboard", "k=1", "9"]));
}

#[test]
fn a_value_that_is_none() {
    insta::assert_snapshot!(refused(&["value", "blackboard", "k=three", "9"]));
}

#[test]
fn a_file_that_is_not_there() {
    insta::assert_snapshot!(refused(&["table", "nowhere.game"]));
}

#[test]
fn a_position_where_none_is_taken() {
    insta::assert_snapshot!(refused(&["table", "kayles", "5"]));
}

#[test]
fn a_missing_position() {
    insta::assert_snapshot!(refused(&["moves", "kayles"]));
}

#[test]
fn a_heap_of_an_unknown_kind() {
    insta::assert_snapshot!(refused(&["moves", "kayles", "row(3)"]));
}

#[test]
fn a_negative_heap() {
    insta::assert_snapshot!(refused(&["moves", "kayles", "-5"]));
}

#[test]
fn a_rule_that_loops() {
    insta::assert_snapshot!(refused(&["table", "n -> n - t"]));
}

#[test]
fn misere_has_no_table() {
    insta::assert_snapshot!(refused(&["table", "misere game last; n -> n - t where t in 1..3"]));
}

#[test]
fn a_bad_code() {
    insta::assert_snapshot!(refused(&["table", "0.9G"]));
}

#[test]
fn units_that_are_none() {
    insta::assert_snapshot!(refused(&["value", "kayles", "9", "--time", "10x"]));
    insta::assert_snapshot!(refused(&["value", "kayles", "9", "--memory", "lots"]));
}

#[test]
fn an_unknown_problem() {
    insta::assert_snapshot!(refused(&["solve", "51nod-1666"]));
}

#[test]
fn a_judges_input_out_of_range() {
    let shown = run_with(&["solve", "51nod-1661"], "3 2\n2 3 0\n");
    assert!(shown.starts_with("exit 2\n--- stderr\n"), "{shown}");
    insta::assert_snapshot!(shown);
}
