//! The program `grundy-check`: reads certificates and says whether each is true.
//!
//! Exit status: 0 all accepted; 1 one was refused; 2 one could not be read, or a limit was reached.

use std::fs::File;
use std::io::{Read, Write};
use std::process::ExitCode;

use grundy_check::{Fault, Limits, check};

const HELP: &str = "\
Checks certificates, trusting nothing but the rule's text.

Usage: grundy-check [--limit BYTES] [--steps COUNT] FILE...

  --limit BYTES  memory that a check may take, with K, M or G [1G]; files larger than a 64th are refused
  --steps COUNT  steps that a check may take, with K, M or G [20G]
  -h, --help     this text
  -V, --version  the version

FILE may be - for standard input.
Exit status: 0 all are accepted, 1 one is refused, 2 one cannot be read or a limit was reached.
";

fn main() -> ExitCode {
    let mut limits = Limits::default();
    let mut files = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let wanted = match word.as_str() {
            "-h" | "--help" => return shown(HELP),
            "-V" | "--version" => return shown(concat!("grundy-check ", env!("CARGO_PKG_VERSION"), "\n")),
            "--limit" => &mut limits.bytes,
            "--steps" => &mut limits.steps,
            _ if word.starts_with("--") => return usage(&format!("unknown option {word}")),
            _ => {
                files.push(word);
                continue;
            }
        };
        match words.next().as_deref().and_then(number) {
            Some(value) => *wanted = value,
            None => return usage(&format!("{word} needs a number, such as 512M")),
        }
    }
    if files.is_empty() {
        return usage("no FILE is given");
    }
    let mut worst = 0;
    for file in files {
        let (text, status) = match read(&file, limits).and_then(|text| check(&text, limits)) {
            Ok(accepted) => {
                let mut text = format!("{file}: accepted: {}\n", accepted.claim);
                for done in accepted.obligations {
                    text += &format!("  {}: {} (size {})\n", done.name, done.says, done.size);
                }
                (text, 0)
            }
            Err(fault @ Fault::Refused(..)) => (format!("{file}: {fault}\n"), 1),
            Err(fault) => (format!("{file}: {fault}\n"), 2),
        };
        worst = worst.max(status).max(say(&text));
    }
    ExitCode::from(worst)
}

fn shown(text: &str) -> ExitCode {
    ExitCode::from(say(text))
}

/// Prints, and says which status that deserves. Whoever does not read on still gets that of the check.
fn say(text: &str) -> u8 {
    let mut out = std::io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "grundy-check: cannot write: {error}");
            2
        }
        _ => 0,
    }
}

fn usage(message: &str) -> ExitCode {
    let _ = write!(std::io::stderr(), "grundy-check: {message}\n\n{HELP}");
    ExitCode::from(2)
}

/// `512M` -> 536870912
fn number(text: &str) -> Option<u64> {
    let (digits, shift) = match text.chars().last()? {
        'K' => (&text[..text.len() - 1], 10),
        'M' => (&text[..text.len() - 1], 20),
        'G' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// The text of a file, of which no more is read than the limits allow.
fn read(file: &str, limits: Limits) -> Result<String, Fault> {
    let failed = |error: std::io::Error| Fault::Unreadable(error.to_string());
    let source: Box<dyn Read> = match file {
        "-" => Box::new(std::io::stdin()),
        _ => Box::new(File::open(file).map_err(failed)?),
    };
    let most = limits.file();
    let mut bytes = Vec::new();
    source.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most {
        return Err(Fault::Limit(format!("the file has more than {most} bytes, a 64th of --limit")));
    }
    String::from_utf8(bytes).map_err(|_| Fault::Unreadable("the file is not UTF-8".to_string()))
}
