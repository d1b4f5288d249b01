//! A small harness: run `grundy`, look at all that it says.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The repository, where paths such as `games/nim.game` start.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// `grundy ARGS`, ready to run in the root of the repository, without colours.
pub(crate) fn grundy(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    command.args(args).current_dir(ROOT).env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

/// Runs a command with that standard input.
pub(crate) fn feed(mut command: Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // A program that refuses its arguments does not read: a broken pipe is its right.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("a started program ends")
}

/// All that a run shows, in one text for comparison.
pub(crate) fn shown(output: &Output) -> String {
    let mut all =
        format!("exit {}\n", output.status.code().map_or("by a signal".to_string(), |c| c.to_string()));
    for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let text = String::from_utf8(bytes.clone()).expect("output is UTF-8");
        if !text.is_empty() {
            all += &format!("--- {name}\n{text}");
        }
    }
    all
}

/// Runs `grundy ARGS` and returns all that it shows.
pub(crate) fn run(args: &[&str]) -> String {
    shown(&grundy(args).output().expect("the program was built for this test"))
}

/// Runs `grundy ARGS < input` and returns all that it shows.
pub(crate) fn run_with(args: &[&str], input: &str) -> String {
    shown(&feed(grundy(args), input))
}
