//! The console examples of the documents are real: each `$ command` in a ```` ```console ```` block is run and its
//! output, standard error included, must be what the document shows.
//!
//! `UPDATE_DOCS=1 cargo test -p grundy-cli docs` writes what the program says into the documents.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::ROOT;

#[test]
fn the_readme_shows_real_output() {
    check("README.md");
}

#[test]
fn the_guide_shows_real_output() {
    check("docs/guide.md");
}

fn check(name: &str) {
    let path = Path::new(ROOT).join(name);
    let text = std::fs::read_to_string(&path).expect("the document exists");
    let (real, commands) = replay(&text);
    assert!(commands > 0, "{name} has no console example");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &real).expect("the document can be written");
        return;
    }
    for (at, (shown, real)) in text.lines().zip(real.lines()).enumerate() {
        assert_eq!(
            shown,
            real,
            "{name}:{}: not what the program says (UPDATE_DOCS=1 renews the document)",
            at + 1
        );
    }
    assert_eq!(text.lines().count(), real.lines().count(), "{name}: output was cut short or has grown");
}

/// The document with every console block's output replaced by the real one, and how many commands were run.
fn replay(text: &str) -> (String, usize) {
    let mut real = String::new();
    let mut commands = 0;
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            let Some(command) = line.strip_prefix("$ ") else { continue };
            commands += 1;
            real += &format!("{line}\n{}", execute(command));
            continue;
        }
        real += &format!("{line}\n");
    }
    (real, commands)
}

/// What a shell in the root of the repository shows for a command.
fn execute(command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_grundy"));
    let folder = program.parent().expect("a program lies in a folder");
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths(std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&paths)))
            .expect("no path holds a separator");
    let output = Command::new("sh")
        .args(["-c", &format!("( {command} ) 2>&1")])
        .current_dir(ROOT)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .expect("a shell is there");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    let mut lines: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    if output.status.code() != Some(0) {
        lines += &format!(
            "[exit {}]\n",
            output.status.code().map_or("by a signal".to_string(), |c| c.to_string())
        );
    }
    lines
}
