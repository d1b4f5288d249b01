//! Tables that go to disk block by block: killed, damaged, continued, made longer.

#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder of its own for a test, empty at first.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("long_run_{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// `grundy table WORDS`; a rule with blanks stands before a bar.
fn table(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    command.arg("table").env("NO_COLOR", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let words = match words.split_once('|') {
        Some((rule, words)) => {
            command.arg(rule.trim());
            words
        }
        None => words,
    };
    command.args(words.split_whitespace());
    command
}

fn command(file: &Path, words: &str) -> Command {
    let mut command = table(words);
    command.arg("-o").arg(file);
    command
}

/// Runs what must end well, and gives what it says.
fn succeeds(file: &Path, words: &str) -> String {
    let output = command(file, words).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{words}: {said}");
    assert!(output.stdout.is_empty());
    said
}

/// Runs what must fail with status 2, and gives what it says.
fn fails(file: &Path, words: &str) -> String {
    failed(&command(file, words).output().unwrap())
}

fn failed(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    said
}

/// The digest of the same table, made without a file.
fn digest(words: &str) -> String {
    let output = table(words).args(["--format", "digest"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_string()
}

/// A small reader of `.npy` files with one dimension: shape and values.
fn read_npy(file: &Path) -> (usize, Vec<u32>) {
    let bytes = fs::read(file).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + length) % 64, 0);
    let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    let between = |from: &str, to: &str| header.split_once(from).unwrap().1.split_once(to).unwrap().0;
    let width: usize = between("'descr': '", "'")[2..].parse().unwrap();
    let shape = between("'shape': (", ",").parse().unwrap();
    let value = |bytes: &[u8]| bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
    (shape, bytes[10 + length..].chunks_exact(width).map(value).collect())
}

/// The line of the format `digest` for values.
fn digest_of(values: &[u32]) -> String {
    let hash = values.iter().fold(0_u64, |hash, v| hash.wrapping_mul(1_000_003).wrapping_add(u64::from(*v)));
    format!("N={} hash={hash:x} last={}", values.len() - 1, values.last().unwrap())
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", file.display()))
}

fn manifest(file: &Path) -> Option<serde_json::Value> {
    // At no moment is there half a manifest.
    Some(serde_json::from_str(&fs::read_to_string(beside(file, ".json")).ok()?).unwrap())
}

fn done(file: &Path) -> u64 {
    manifest(file).map_or(0, |manifest| manifest["done"].as_u64().unwrap())
}

/// The names in the folder of a file, in order.
fn names(file: &Path) -> Vec<String> {
    let entries = fs::read_dir(file.parent().unwrap()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Starts a run and kills it when so many heaps are safe.
fn killed(file: &Path, words: &str, heaps: u64) {
    let mut child = command(file, words).spawn().unwrap();
    let start = Instant::now();
    while done(file) < heaps {
        assert_eq!(child.try_wait().unwrap(), None, "{words}: it was to be killed, and has ended");
        assert!(start.elapsed() < Duration::from_secs(60), "{words}: no blocks for a minute");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!file.exists(), "{words}: it has ended before it was killed");
}

/// The file is that of the words, and nothing else is left.
fn is_whole(file: &Path, words: &str) {
    let (shape, values) = read_npy(file);
    assert_eq!(shape, values.len());
    assert_eq!(digest_of(&values), digest(words));
    assert_eq!(manifest(file).unwrap()["digest"], digest(words));
    assert_eq!(names(file), ["values.npy", "values.npy.json"]);
}

/// Killed twice, the second time while it goes on; then finished.
fn killed_twice(name: &str, words: &str) {
    let file = folder(name).join("values.npy");
    killed(&file, &format!("{words} --block 700"), 3000);
    let before = done(&file);
    assert!(fails(&file, words).contains("--resume"), "what is there is not overwritten");
    killed(&file, &format!("{words} --block 900 --resume"), before + 2000);
    succeeds(&file, &format!("{words} --resume"));
    is_whole(&file, words);
}

#[test]
fn killed_engine_that_pushes() {
    killed_twice("push", "n -> n - t where t in {2, 5, 11, 23, 47, 61} | -n 400000");
}

#[test]
fn killed_engine_that_reads_back_and_grows_wide() {
    killed_twice("back", "n -> y where y < n, 3*y >= n | -n 150000");
}

#[test]
fn killed_engine_of_splits() {
    killed_twice("split", "0.6 -n 60000");
}

#[test]
fn killed_reference() {
    killed_twice("reference", "n -> n - t where t in squares | -n 60000 --engine reference");
}

#[test]
fn widths_grow_on_disk() {
    let file = folder("width").join("values.npy");
    succeeds(&file, "nim -n 70000 --block 1000");
    let (shape, values) = read_npy(&file);
    assert_eq!(shape, 70_001);
    assert!(values.iter().copied().eq(0..=70_000));
    assert_eq!(manifest(&file).unwrap()["width"], "u4");
    is_whole(&file, "nim -n 70000");
}

#[test]
fn finished_files_can_be_checked_and_made_longer() {
    let file = folder("longer").join("values.npy");
    succeeds(&file, "kayles -n 1000 --block 100");
    let first = fs::read(&file).unwrap();
    succeeds(&file, "kayles -n 1000 --resume");
    assert_eq!(fs::read(&file).unwrap(), first);
    succeeds(&file, "kayles -n 5000 --resume");
    is_whole(&file, "kayles -n 5000");
    let said = fails(&file, "kayles -n 1000 --resume");
    assert!(said.contains("heaps 0 to 5000") && said.contains("-n 5000"), "{said}");
    is_whole(&file, "kayles -n 5000");
    // Without --resume a finished file is replaced.
    succeeds(&file, "dawson-kayles -n 50");
    is_whole(&file, "dawson-kayles -n 50");
}

#[test]
fn a_nearer_end_makes_a_file_of_what_there_is() {
    let file = folder("shorter").join("values.npy");
    killed(&file, "kayles -n 400000 --block 700", 3000);
    let last = done(&file) - 1;
    succeeds(&file, &format!("kayles -n {last} --resume"));
    is_whole(&file, &format!("kayles -n {last}"));
}

#[test]
fn other_rules_are_refused() {
    let file = folder("rules").join("values.npy");
    let rule = "n -> n - t where t in S |";
    succeeds(&file, &format!("{rule} S=2,5 -n 100"));
    let said = fails(&file, &format!("{rule} S=2,7 -n 200 --resume"));
    assert!(said.contains("S={2,5}"), "{said}");
    assert!(fails(&file, "kayles -n 200 --resume").contains("t in S"));
    // The same rule in other blanks is the same rule.
    succeeds(&file, "n  ->  n - t  where t in S | S=5,2 -n 200 --resume");
    is_whole(&file, &format!("{rule} S=2,5 -n 200"));
    // A file without a manifest cannot be continued.
    fs::remove_file(beside(&file, ".json")).unwrap();
    assert!(fails(&file, &format!("{rule} S=2,5 -n 300 --resume")).contains("values.npy.json"));
}

#[test]
fn damage_is_named_and_can_be_repaired() {
    let words = "0.6 -n 5000";
    let file = folder("damage").join("values.npy");
    succeeds(&file, &format!("{words} --block 1000"));
    let good = fs::read(&file).unwrap();
    let text = fs::read_to_string(beside(&file, ".json")).unwrap();
    // A flipped bit in the value of heap 2100.
    let mut bad = good.clone();
    bad[128 + 2100] ^= 4;
    fs::write(&file, &bad).unwrap();
    let said = fails(&file, &format!("{words} --resume"));
    assert!(said.contains("damaged in block 2 (heaps 2000 to 2999)"), "{said}");
    assert!(said.contains("--repair") && said.contains("2000 to 5000"), "{said}");
    assert_eq!(fs::read(&file).unwrap(), bad, "it is left as it is");
    let said = succeeds(&file, &format!("{words} --resume --repair --block 1000"));
    assert!(said.contains("3001 heaps from 2000 on"), "{said}");
    assert_eq!(fs::read(&file).unwrap(), good);
    assert_eq!(fs::read_to_string(beside(&file, ".json")).unwrap(), text);
    // A file that is cut short.
    fs::write(&file, &good[..128 + 3500]).unwrap();
    let said = fails(&file, &format!("{words} --resume"));
    assert!(said.contains("cut short in block 3 (heaps 3000 to 3999)"), "{said}");
    succeeds(&file, &format!("{words} --resume --repair"));
    is_whole(&file, words);
    // A damaged header heals: it says nothing that the manifest does not know.
    let mut bad = good.clone();
    bad[20] = b'x';
    fs::write(&file, &bad).unwrap();
    succeeds(&file, &format!("{words} --resume"));
    assert_eq!(fs::read(&file).unwrap(), good);
    // A manifest that was touched.
    fs::write(beside(&file, ".json"), text.replace("hash=", "hash=1")).unwrap();
    assert!(fails(&file, &format!("{words} --resume")).contains("digest"));
}

/// Values on disk that are well kept and wrong: the engine computes them again and disagrees.
#[test]
fn values_of_another_rule_are_found() {
    let rule = |t: u32| format!("n -> n - t where t in {{1, 2, {t}}} |");
    let file = folder("forged").join("values.npy");
    succeeds(&file, &format!("{} -n 1000", rule(4)));
    let text = fs::read_to_string(beside(&file, ".json")).unwrap();
    assert!(text.contains("{1, 2, 4}"), "{text}");
    fs::write(beside(&file, ".json"), text.replace("{1, 2, 4}", "{1, 2, 6}")).unwrap();
    let said = fails(&file, &format!("{} -n 2000 --resume", rule(6)));
    assert!(said.contains("by this rule"), "{said}");
}

#[test]
fn limits_keep_what_is_done() {
    let file = folder("limits").join("values.npy");
    let words = "n -> n - t where t in squares | -n 10^9 --engine reference";
    let said = fails(&file, &format!("{words} --time 300ms"));
    assert!(said.contains("time limit") && said.contains("--resume"), "{said}");
    let before = done(&file);
    assert!(before > 0 && said.contains(&format!("heaps 0 to {}", before - 1)), "{said}");
    let said = fails(&file, &format!("{words} --resume --memory 64K"));
    assert!(said.contains("memory"), "{said}");
    assert!(done(&file) >= before);
    // Nothing at all was done: nothing is left.
    let file = folder("none").join("values.npy");
    fails(&file, "kayles -n 1000 --time 0s");
    fails(&file, "kayles -n 1000 --engine window");
    assert!(names(&file).is_empty(), "{:?}", names(&file));
}

#[test]
fn options_that_do_not_go_together() {
    let file = folder("options").join("values.npy");
    for words in [
        "euclid -n 4,4 --resume",
        "kayles -n 10 --format csv --resume",
        "kayles -n 10 --format digest --block 5",
    ] {
        assert!(fails(&file, words).contains("npy"), "{words}");
    }
    fails(&file, "kayles -n 10 --block 0");
    fails(&file, "kayles -n 10 --repair");
    // Grids have no blocks; they are written whole.
    succeeds(&file, "euclid -n 4,4");
    assert_eq!(names(&file), ["values.npy"]);
}

#[cfg(target_os = "linux")]
#[test]
fn nowhere_to_write() {
    let file = folder("nowhere").join("no/such/values.npy");
    let said = fails(&file, "kayles -n 10");
    assert!(said.contains("no/such/values.npy"), "{said}");
    // Not even the superuser writes there.
    assert!(fails(Path::new("/proc/values.npy"), "kayles -n 10").contains("/proc/values.npy"));
    for format in ["text", "csv", "json", "bfile", "npy", "digest"] {
        let words = format!("kayles -n 100000 --format {format}");
        let said = fails(Path::new("/dev/full"), &words);
        assert!(said.contains("/dev/full") && said.contains("space"), "{said}");
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let said = failed(&table(&words).stdout(full).output().unwrap());
        assert!(said.contains("standard output") && said.contains("space"), "{said}");
    }
}

/// A limit on the size of files stands in for a full disk: writing fails in the middle of a run.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_a_run_that_can_go_on() {
    let file = folder("full").join("values.npy");
    let words = ["table", "S(1,4,6)", "-n", "100000", "--block", "1000", "-o"];
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_grundy")])
        .args(words)
        .arg(&file)
        .output()
        .unwrap();
    let said = failed(&output);
    assert!(said.contains("cannot write") && said.contains("u1.part") && said.contains("--resume"), "{said}");
    let before = done(&file);
    assert!(before >= 10_000 && said.contains(&format!("heaps 0 to {}", before - 1)), "{said}");
    succeeds(&file, "S(1,4,6) -n 100000 --resume");
    is_whole(&file, "S(1,4,6) -n 100000");
}

#[test]
fn two_runs_do_not_share_a_file() {
    let file = folder("two").join("values.npy");
    let words = "kayles -n 100000000 --block 500";
    let mut child = command(&file, words).spawn().unwrap();
    while done(&file) == 0 {
        assert_eq!(child.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(1));
    }
    let said = fails(&file, &format!("{words} --resume"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said.contains("another run"), "{said}");
}
