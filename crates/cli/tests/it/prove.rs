//! `grundy prove`: proved, refuted, and neither.

use crate::program::run;

#[test]
fn a_proof_is_shown_and_its_certificate_is_kept() {
    let path = std::env::temp_dir().join(format!("grundy-prove-{}.json", std::process::id()));
    let name = path.to_str().expect("a temporary folder with a plain name");
    let shown = run(&["prove", "kayles", "-o", name]);
    assert!(shown.starts_with("exit 0\n"), "{shown}");
    assert!(shown.contains("proved: for every heap n >= 0"), "{shown}");
    let text = std::fs::read_to_string(&path).expect("the certificate was written");
    std::fs::remove_file(&path).expect("it can be removed");
    assert!(text.contains("\"guy-smith\"") && text.contains("\"period\": 12"), "{text}");
}

#[test]
fn a_false_law_is_answered_with_a_heap_and_status_1() {
    let shown = run(&["prove", "S(1,2)", "--law", "n mod 4"]);
    assert!(shown.starts_with("exit 1\n"), "{shown}");
    assert!(shown.contains("false at heap 3: the law says 3, the nimber is 0"), "{shown}");
    let shown = run(&["prove", "S(1,2)", "--law", "n mod 4", "--json"]);
    assert!(shown.starts_with("exit 1\n") && shown.contains("\"status\":\"refuted\""), "{shown}");
}

#[test]
fn json_holds_the_certificate() {
    let shown = run(&["prove", "blackboard", "--json"]);
    assert!(shown.starts_with("exit 0\n"), "{shown}");
    assert!(shown.contains("\"status\":\"proved\"") && shown.contains("\"sliding window\":{}"), "{shown}");
}

#[test]
fn what_cannot_be_proved_is_status_2_with_the_reason() {
    for (rule, reason) in
        [("take-a-prime", "named sets"), ("wythoff", "several entries"), ("0.007", "no period")]
    {
        let shown = run(&["prove", rule]);
        assert!(shown.starts_with("exit 2\n") && shown.contains(reason), "{shown}");
    }
}

#[test]
fn one_proof_rule_or_one_kind_of_heap_can_be_asked_for() {
    let shown = run(&["prove", "kayles", "--by", "automatic"]);
    assert!(shown.starts_with("exit 0\n") && shown.contains("Grundy value (automatic)"), "{shown}");
    let shown = run(&["prove", "kayles", "--by", "sliding-window"]);
    assert!(shown.starts_with("exit 2\n") && shown.contains("no window that slides"), "{shown}");
    let shown = run(&["prove", "kayles", "--by", "magic"]);
    let names = ["finite-subtraction", "sliding-window", "guy-smith", "automatic"];
    assert!(shown.starts_with("exit 2\n") && names.iter().all(|name| shown.contains(name)), "{shown}");
    let shown = run(&["prove", "ring-kayles", "--kind", "row"]);
    assert!(shown.starts_with("exit 0\n") && shown.contains("for every heap row(n) with n >= 0"), "{shown}");
    let shown = run(&["prove", "ring-kayles", "--kind", "column"]);
    assert!(shown.starts_with("exit 2\n") && shown.contains("no kind of heap `column`"), "{shown}");
}

#[test]
fn boutons_theorem_is_proved_for_pairs_and_triples() {
    let pairs = "(a, b) -> (a - t, b) | (a, b - t) where t >= 1";
    let triples = "(a, b, c) -> (a - t, b, c) | (a, b - t, c) | (a, b, c - t) where t >= 1";
    for (rule, heap, law) in
        [(pairs, "(a, b)", "g(a, b) = xor(a, b)"), (triples, "(a, b, c)", "g(a, b, c) = xor(a, b, c)")]
    {
        let shown = run(&["prove", rule]);
        assert!(shown.contains(&format!("  {law}\n")), "{shown}");
        assert!(shown.starts_with("exit 0\n"), "{shown}");
        assert!(shown.contains(&format!("for every heap {heap}, the law gives")), "{shown}");
    }
}

#[test]
fn each_proof_rule_says_its_reason_and_a_counterexample_has_one() {
    let shown = run(&["prove", "0.007"]);
    for by in ["finite-subtraction: ", "sliding-window: ", "guy-smith: ", "automatic: "] {
        assert!(shown.starts_with("exit 2\n") && shown.contains(by), "{shown}");
    }
    let shown = run(&["prove", "S(1,2)", "--law", "n mod 4", "--json"]);
    assert!(shown.contains("\"reason\":\"the law says 3, the nimber is 0\""), "{shown}");
}

#[test]
fn a_proof_by_automata_is_written_for_walnut() {
    let folder = std::env::temp_dir().join(format!("grundy-walnut-{}", std::process::id()));
    let name = folder.to_str().expect("a temporary folder with a plain name");
    let shown = run(&["prove", "lasker-nim", "--walnut", name]);
    let automaton = std::fs::read_to_string(folder.join("Automata Library/lasker_nim_g.txt"));
    let commands = std::fs::read_to_string(folder.join("Command Files/lasker_nim.txt"));
    std::fs::remove_dir_all(&folder).expect("it can be removed");
    assert!(shown.starts_with("exit 0\n") && shown.contains("for Walnut: "), "{shown}");
    assert!(automaton.expect("it was written").starts_with("lsd_2 lsd_2\n\n0 1\n0 0 -> "));
    assert!(
        commands.expect("they were written").contains("eval lasker_nim_o3 \"?lsd_2 A n,v,w (($lasker_nim_g")
    );
    let shown = run(&["prove", "kayles", "--walnut", name]);
    assert!(shown.starts_with("exit 2\n") && shown.contains("--by automatic"), "{shown}");
}

#[test]
fn pairs_without_a_formula_have_the_law_of_their_automaton() {
    let shown = run(&["law", "zero-move-nim"]);
    assert!(shown.starts_with("exit 0\n--- stdout\nautomaton base 2 entries 2 {\n"), "{shown}");
    assert!(shown.contains("# proved: automata (R4), with a certificate"), "{shown}");
    let shown = run(&["prove", "zero-move-nim"]);
    assert!(shown.starts_with("exit 0\n") && shown.contains("automaton base 2 entries 2 {"), "{shown}");
    let shown = run(&["prove", "(a, b) -> (a - t, b) | (a, b - t) where t >= 1", "--law", "g(a, b) = a + b"]);
    assert!(shown.starts_with("exit 1\n"), "{shown}");
    assert!(shown.contains("false at heap (1, 1): the law says 2, the nimber is 0"), "{shown}");
}

#[test]
fn a_large_pair_is_answered_by_the_law_of_its_game() {
    let shown = run(&["value", "nim-pair", "(1000000000000, 5)"]);
    assert!(shown.starts_with("exit 0\n") && shown.contains("1000000000005"), "{shown}");
    assert!(shown.contains("tested to 64"), "{shown}");
}

#[test]
fn a_law_about_the_outcome_is_refuted_or_left_alone() {
    let shown = run(&["prove", "wythoff", "--law", "zeros\n(a, b) for a = b"]);
    assert!(shown.starts_with("exit 1\n"), "{shown}");
    let text = "z(i) = (floor((i + sqrt(5*i^2))/2), floor((3*i + sqrt(5*i^2))/2))";
    let shown = run(&["prove", "wythoff", "--law", &format!("zeros\n{text}")]);
    assert!(shown.starts_with("exit 2\n") && shown.contains("cannot be proved yet"), "{shown}");
}

#[test]
fn the_words_of_a_law_about_pairs_are_compared_in_no_time() {
    let rule = "(a, b) -> (a // 2, b - t) where t in {2, 3, 8}";
    let begun = std::time::Instant::now();
    let shown = run(&["prove", rule, "--law", "g(a, b) = floor(b mod 5/2)", "--time", "20s"]);
    assert!(shown.starts_with("exit 0\n") || shown.starts_with("exit 1\n"), "{shown}");
    assert!(begun.elapsed().as_secs() < 15, "{shown}");
}

#[test]
fn large_heaps_of_every_kind_are_answered_by_a_law_that_is_proved() {
    let shown = run(&["value", "zero-move-nim", "(1000000000, 7)"]);
    assert!(shown.starts_with("exit 0\n") && shown.contains("proved (automata (R4))"), "{shown}");
    let shown = run(&["value", "ring-kayles", "ring(1000000000)", "row(1000000000)"]);
    assert!(shown.starts_with("exit 0\n"), "{shown}");
    assert!(shown.contains("ring(1000000000) 0\nrow(1000000000) 1\n"), "{shown}");
}
