//! What a good citizen of a shell does: help, pipes, colours, exit statuses, files.

use std::io::Read;
use std::process::Stdio;

use crate::program::{grundy, run, run_with, shown};

#[test]
fn help_of_the_program() {
    insta::assert_snapshot!(run(&["--help"]));
}

#[test]
fn help_of_every_command() {
    let commands = [
        "study",
        "show",
        "table",
        "value",
        "law",
        "test",
        "prove",
        "emit",
        "moves",
        "outcome",
        "identify",
        "survey",
        "solve",
        "games",
        "problems",
        "completions",
        "man",
    ];
    for command in commands {
        insta::assert_snapshot!(format!("help_{command}"), run(&[command, "--help"]));
    }
}

#[test]
fn nothing_typed_is_a_usage_error() {
    let shown = run(&[]);
    assert!(shown.starts_with("exit 2\n--- stderr\n"), "{shown}");
    assert!(shown.contains("Usage: grundy <COMMAND>"), "{shown}");
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let shown = run(&["completions", shell]);
        assert!(shown.starts_with("exit 0\n") && shown.contains("outcome"), "{shell}");
    }
}

#[test]
fn the_manual_describes_each_command() {
    let shown = run(&["man"]);
    for part in ["exit 0", ".TH grundy 1", ".SH GRUNDY TABLE", ".SH GRUNDY SOLVE", "assignments"] {
        assert!(shown.contains(part), "{part}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    // Far more than a pipe holds, of which one byte is read.
    let mut child = grundy(&["table", "nim", "-n", "200000", "--format", "csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut byte = [0];
    out.read_exact(&mut byte).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!(shown(&output), "exit 0\n");
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let escapes = |clicolor: &[(&str, &str)]| {
        let mut command = grundy(&["table", "no-such-game"]);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE");
        command.envs(clicolor.iter().copied());
        String::from_utf8(command.output().unwrap().stderr).unwrap().contains('\u{1b}')
    };
    assert!(!escapes(&[]), "a pipe gets no colours");
    assert!(!escapes(&[("NO_COLOR", "1")]));
    assert!(escapes(&[("CLICOLOR_FORCE", "1")]));
    assert!(!escapes(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), "NO_COLOR wins");
}

#[test]
fn a_rule_may_come_from_a_file_or_from_standard_input() {
    let folder = std::env::temp_dir().join(format!("grundy-misc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("take.game");
    std::fs::write(&path, "game take\r\nn -> n - t where t in {1, 3, 4}\r\n").unwrap();
    let args = ["value", path.to_str().unwrap(), "7", "--json"];
    let from_file = run(&args);
    assert!(from_file.contains(r#""heap":7,"nimber":0"#), "{from_file}");
    let from_stdin = run_with(&["value", "-", "7", "--json"], "n -> n - t where t in {1, 3, 4}");
    assert!(from_stdin.contains(r#""heap":7,"nimber":0"#), "{from_stdin}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_table_is_written_whole_or_not_at_all() {
    let folder = std::env::temp_dir().join(format!("grundy-table-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("values.csv");
    let name = path.to_str().unwrap();
    assert_eq!(run(&["table", "nim", "-n", "2", "--format", "csv", "-o", name]), "exit 0\n");
    let whole = std::fs::read_to_string(&path).unwrap();
    assert!(whole.ends_with("2,2\n"), "{whole}");
    // What cannot be tabulated leaves the old file as it was.
    let shown = run(&["table", "nim", "-n", "2,2", "--format", "csv", "-o", name]);
    assert!(shown.starts_with("exit 2\n"), "{shown}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["values.csv"]);
    let missing = run(&["table", "nim", "-n", "2", "-o", "/no/such/folder/x"]);
    assert!(
        missing.starts_with("exit 2\n--- stderr\nerror[file]: cannot write /no/such/folder/x"),
        "{missing}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn pairs_may_come_from_a_file() {
    let folder = std::env::temp_dir().join(format!("grundy-pairs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("edges.txt");
    std::fs::write(&path, "2 1\n1 0\n2\t0\n").unwrap();
    let edges = format!("edges=@{}", path.display());
    let shown = run(&["table", "v -> u where (v, u) in edges", &edges, "-n", "2", "--format", "csv"]);
    assert!(shown.ends_with("0,0\n1,1\n2,2\n"), "{shown}");
    // More than is read at once: the path 0, 1, 2, ..; then the same with something else in it, early and late.
    let many: String = (0..60_000).map(|n| format!("{} {n}\n", n + 1)).collect();
    let table = |text: &str| {
        std::fs::write(&path, text).unwrap();
        run(&["table", "v -> u where (v, u) in edges", &edges, "-n", "60000", "--format", "digest"])
    };
    let plain = table(&many);
    assert!(plain.starts_with("exit 0\n--- stdout\nN=60000 ") && plain.ends_with(" last=0\n"), "{plain}");
    for other in ["-1 -5\n", "7 -1\n", "\u{2003}", &" ".repeat(1000)] {
        assert_eq!(table(&format!("{other}{many}")), plain, "{other}");
        assert_eq!(table(&format!("{many}{other}")), plain, "{other}");
    }
    let wrong = table(&format!("{many}# no comment\n"));
    assert!(wrong.starts_with("exit 2\n--- stderr\nerror[argument]: expected a number"), "{wrong}");
    assert!(wrong.contains(":60001:1"), "{wrong}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Ctrl-C keeps what was computed. A machine under load may not have started the program when the signal comes:
/// then the wait is doubled.
#[cfg(unix)]
#[test]
fn an_interrupted_table_is_kept() {
    use std::time::Duration;
    for seconds in [1, 2, 4, 8, 16] {
        let child = grundy(&["table", "0.007", "-n", "10^8", "--format", "csv"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(seconds));
        let pid = child.id().to_string();
        std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        if output.status.code().is_none() || output.stdout.is_empty() {
            continue;
        }
        let shown = shown(&output);
        let start = &shown[..shown.len().min(200)];
        assert!(start.starts_with("exit 2\n--- stdout\nn,g\n0,0\n1,0\n"), "{start}");
        let (out, err) = shown.split_once("--- stderr\n").unwrap();
        let last = out.lines().last().unwrap().split(',').next().unwrap();
        assert!(err.contains(&format!("the table ends early, at heap {last}")), "{last}: {err}");
        assert!(err.contains("error[cancelled]"), "{err}");
        return;
    }
    panic!("the program was never far enough to be interrupted");
}
