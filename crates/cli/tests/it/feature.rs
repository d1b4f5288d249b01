//! What each command answers.

use crate::program::{run, run_with};

#[test]
fn study_tells_the_whole_story() {
    insta::assert_snapshot!(run(&["study", "kayles", "5", "7", "12"]));
}

#[test]
fn study_without_a_value_for_a_parameter() {
    insta::assert_snapshot!(run(&["study", "blackboard"]));
}

#[test]
fn show_turns_a_code_into_a_rule_and_a_rule_into_a_code() {
    insta::assert_snapshot!(run(&["show", "0.77"]));
    let back = run(&["show", "n -> n - t where t in {2, 5, 7}"]);
    assert!(back.contains("S(2,5,7)"), "{back}");
}

#[test]
fn table_in_every_format() {
    for format in ["text", "csv", "json", "bfile", "digest"] {
        insta::assert_snapshot!(
            format!("table_{format}"),
            run(&["table", "kayles", "-n", "12", "--format", format])
        );
    }
}

#[test]
fn table_in_every_view() {
    for view in ["rows", "binary", "ternary", "factors", "by-value"] {
        insta::assert_snapshot!(
            format!("view_{view}"),
            run(&["table", "kayles", "-n", "12", "--view", view])
        );
    }
}

#[test]
fn table_of_pairs_is_a_grid() {
    insta::assert_snapshot!(run(&["table", "wythoff", "-n", "3,5"]));
}

#[test]
fn value_reaches_heaps_of_any_size() {
    // sg(ak+b) = a(k-1) + b - 1 for 1 < b <= k; 10^18 = 3a + b with b = 1: follow a.
    let shown = run(&["value", "blackboard", "k=3", "10^18", "11"]);
    assert!(shown.contains("\n11 "), "{shown}");
    assert!(shown.starts_with("exit 0\n--- stdout\n1000000000000000000 "), "{shown}");
}

#[test]
fn moves_gives_the_reason() {
    insta::assert_snapshot!(run(&["moves", "kayles", "5", "7", "12"]));
    insta::assert_snapshot!(run(&["moves", "kayles", "3", "3"]));
}

#[test]
fn moves_of_coins_warns_of_a_repeated_coin() {
    insta::assert_snapshot!(run(&["moves", "mock-turtles", "3", "7", "3"]));
}

#[test]
fn moves_lists_the_assignments() {
    insta::assert_snapshot!(run(&["moves", "kayles", "2", "4", "--assignments"]));
}

#[test]
fn misere_is_searched_and_never_added() {
    insta::assert_snapshot!(run(&["moves", "nim", "1", "1", "2", "--misere"]));
}

#[test]
fn outcome_where_nimbers_do_not_decide() {
    insta::assert_snapshot!(run(&["outcome", "sos", "7"]));
    insta::assert_snapshot!(run(&["outcome", "melon", "20", "3"]));
}

#[test]
fn moves_asks_the_solver_of_a_game_without_heaps() {
    let shown = run(&["moves", "sos", "7", "--first"]);
    assert!(
        shown.contains("note: sos is no sum of heaps") && shown.contains("\na best move: S4\n"),
        "{shown}"
    );
    assert!(run(&["moves", "sos", "7", "--assignments"]).starts_with("exit 2\n"));
}

#[test]
fn outcome_of_a_range() {
    let shown = run(&["outcome", "treblecross-board", "3..6"]);
    assert_eq!(
        shown,
        "exit 0\n--- stdout\n  3  win   nimber 1  1, 2, 3\n  4  win   nimber 2  2, 3\n  5  win   nimber 2  3\n  6  loss  \
         nimber 0  1, 2, 3, 4, 5, 6\n"
    );
    let stopped = run(&["outcome", "chomp", "2", "199..201"]);
    assert!(stopped.starts_with("exit 2\n--- stdout\n  2 199  win"), "{stopped}");
    assert!(stopped.contains("error[position]: at 2 201: a bar of chomp has at most"), "{stopped}");
}

#[test]
fn outcome_of_graphs_in_files() {
    let folder = std::env::temp_dir().join(format!("grundy-graphs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in [
        ("edges.txt", "# a path\na b\nb c\nc d\n"),
        ("graph.dot", "graph {\n  a -- b -- c\n  c -- d [color = red]\n}\n"),
        ("graph.g6", ">>graph6<<Ch\n"),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        let shown = run(&["outcome", "undirected-geography", "start=b", &format!("@{}", path.display())]);
        if name == "graph.g6" {
            assert!(shown.contains("start=b names no vertex of the graph"), "{shown}");
        } else {
            assert!(shown.starts_with("exit 0\n--- stdout\nwin for the player to move\n"), "{name}: {shown}");
            assert!(shown.contains("best moves (1): b-a\n"), "{name}: {shown}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn outcome_of_a_rule() {
    assert_eq!(run(&["outcome", "kayles", "3", "3"]), "exit 0\n--- stdout\nloss for the player to move\n");
}

#[test]
fn heaps_with_too_many_moves() {
    let all = run(&["moves", "kayles", "10^9"]);
    assert!(all.starts_with("exit 2\n--- stderr\nerror[moves]: 1000000000 has too many moves"), "{all}");
    assert!(all.contains("known so far: the player to move wins: the nim-sum is 1"), "{all}");
    assert_eq!(run(&["outcome", "kayles", "10^9"]), "exit 0\n--- stdout\nwin for the player to move\n");
    let json = run(&["outcome", "kayles", "10^9", "--json"]);
    assert!(json.contains(r#""outcome":"win","misere":false,"nimber":1,"count":null,"moves":[]"#), "{json}");
    let one = run(&["moves", "lasker-nim", "10^12", "--first"]);
    assert!(one.starts_with("exit 0\n") && one.contains("\n1000000000000 -> 0: nimber"), "{one}");
}

#[test]
fn moves_are_told_once_with_their_entry() {
    let shown = run(&["moves", "kayles", "3", "3", "2", "--misere"]);
    for place in [" (entry 1): ", " (entry 2): "] {
        assert_eq!(shown.matches(place).count(), 1, "{shown}");
    }
    assert!(!shown.contains("Winning moves"), "{shown}");
}

#[test]
fn loops_are_allowed_where_the_user_says_so() {
    let rule = "n -> n - t where t in {1, 3}; n -> n + 1 where n = 2";
    let refused = run(&["moves", rule, "2"]);
    assert!(
        refused.starts_with("exit 2\n") && refused.contains("--loopy to `moves` and `outcome`"),
        "{refused}"
    );
    assert_eq!(run(&["outcome", rule, "2", "--loopy"]), "exit 0\n--- stdout\nloss for the player to move\n");
    let drawn = run(&["moves", "square-but-one", "20", "--json"]);
    assert!(drawn.contains(r#""outcome":"draw","misere":false,"nimber":null,"infinity":[]"#), "{drawn}");
    assert!(drawn.contains(r#""count":2,"moves":[{"entry":0,"from":20,"to":[19]},"#), "{drawn}");
    let table = run(&["table", "square-but-one"]);
    assert!(table.starts_with("exit 2\n--- stderr\nerror[loopy]"), "{table}");
    let token = run(&["outcome", "sos", "7", "--loopy"]);
    assert!(token.starts_with("exit 2\n") && token.contains("--loopy is for rules"), "{token}");
}

#[test]
fn players_and_endings() {
    let rule =
        "left: n -> n - t where t in {1, 2}; right: n -> n - t where t in {1, 3}; n -> win where n = 2";
    let shown = run(&["moves", rule, "4", "--to-move", "right", "--json"]);
    assert!(shown.contains(r#""to_move":"right""#), "{shown}");
    assert!(run(&["moves", rule, "2"]).contains("2 -> win: wins at once."));
    let neither = run(&["moves", "nim", "3", "--to-move", "left"]);
    assert!(neither.starts_with("exit 2\n--- stderr\nerror[to-move]"), "{neither}");
    assert!(run(&["moves", rule, "4", "--to-move", "north"]).contains("the players are `left` and `right`"));
}

#[test]
fn a_word_that_is_no_graph() {
    let shown = run(&["outcome", "node-kayles", "petersen"]);
    assert!(shown.starts_with("exit 2\n--- stderr\nerror[graph]: `petersen` is no family"), "{shown}");
    assert!(shown.contains("@petersen"), "{shown}");
}

#[test]
fn games_may_be_searched() {
    let shown = run(&["games", "dawson"]);
    assert!(shown.starts_with("exit 0\n--- stdout\n") && shown.contains("dawsons-kayles"), "{shown}");
    let none = run(&["games", "no game is called so"]);
    assert!(none.starts_with("exit 0\n--- stderr\n"), "an empty list is an answer: {none}");
}

#[test]
fn solve_tells_each_case_as_json() {
    assert_eq!(
        run_with(&["solve", "hdu-3537", "--json"], "0\n1\n0\n"),
        concat!(
            "exit 0\n--- stdout\n{\"problem\":\"hdu-3537\",\"cases\":[",
            "{\"case\":1,\"outcome\":\"loss\",\"score\":null,\"output\":\"Yes\\n\"},",
            "{\"case\":2,\"outcome\":\"win\",\"score\":null,\"output\":\"No\\n\"}]}\n",
        )
    );
    assert_eq!(
        run_with(&["solve", "codem-2017-melon", "--json"], "20 3\n"),
        concat!(
            "exit 0\n--- stdout\n{\"problem\":\"codem-2017-melon\",\"cases\":[",
            "{\"case\":1,\"outcome\":null,\"score\":10,\"output\":\"10\\n\"}]}\n",
        )
    );
}

#[test]
fn solve_answers_in_the_judges_format() {
    assert_eq!(run_with(&["solve", "51nod-1661"], "1 2\n1\n"), "exit 0\n--- stdout\nBob\n");
    assert_eq!(run_with(&["solve", "51nod-1661"], "1 2\r\n2\r\n"), "exit 0\n--- stdout\nAlice 1 1\n");
    assert_eq!(run_with(&["solve", "hdu-3537"], "0\n1\n0\n"), "exit 0\n--- stdout\nYes\nNo\n");
    assert_eq!(
        run_with(&["solve", "ec-final-2017-l"], "2 7 6\n"),
        "exit 0\n--- stdout\nCase #1: Panda\nCase #2: Draw\n"
    );
    assert_eq!(run_with(&["solve", "codem-2017-melon"], "20 3\n"), "exit 0\n--- stdout\n10\n");
    assert_eq!(run_with(&["solve", "abc255-g"], "1 1\n1\n1 1\n"), "exit 0\n--- stdout\nAoki\n");
    assert_eq!(run_with(&["solve", "hnoi-2007-split"], "1\n2\n1 0\n"), "exit 0\n--- stdout\n0 1 1\n1\n");
}
