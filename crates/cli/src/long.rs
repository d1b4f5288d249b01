//! Long work: limits from the command line, Ctrl-C, and a sign of life on the terminal.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use grundy::limits::Limits;
use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::SIGINT;

use crate::args::LimitArgs;
use crate::failure::Failure;

/// How long work stays silent.
const PATIENCE: Duration = Duration::from_secs(1);

/// The limits that were typed; from now on the first Ctrl-C asks the work to stop and keep what it has, the
/// second one ends the program.
pub(crate) fn limits(args: &LimitArgs) -> Result<Limits, Failure> {
    let cancel = Arc::new(AtomicBool::new(false));
    let handler = |error| Failure::new("signal", format!("cannot listen to Ctrl-C: {error}"));
    // Order matters: the handler that ends the program looks at the flag before the other one sets it.
    signal_hook::flag::register_conditional_default(SIGINT, Arc::clone(&cancel)).map_err(handler)?;
    signal_hook::flag::register(SIGINT, Arc::clone(&cancel)).map_err(handler)?;
    Ok(Limits { time: args.time, memory: args.memory.or_else(most_memory), cancel, whole: args.time })
}

/// What work may take if nobody says: three quarters of the memory that is free now, where the system tells. A system
/// that runs out of memory ends programs without a word.
fn most_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    available(&text).map(|bytes| bytes / 4 * 3)
}

/// The bytes after `MemAvailable:` in the words of Linux.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// How often the terminal is brought up to date.
const TICK: Duration = Duration::from_millis(120);

/// Work that can be counted: how much there is, and how much is done, which the work itself keeps up.
struct Counted {
    total: u64,
    unit: &'static str,
    done: Arc<AtomicU64>,
}

/// A sign of life that appears when work has lasted a second, if a person is watching; it goes when it is dropped.
pub(crate) struct Spinner {
    watched: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Spinner {
    /// Starts waiting; `what` is shown beside the time.
    pub(crate) fn start(what: impl Into<String>) -> Spinner {
        Spinner::watch(what.into(), None)
    }

    /// The same for work that counts what is done, of `total`: shows the rate and the time left at that rate.
    pub(crate) fn counting(
        what: impl Into<String>,
        unit: &'static str,
        total: u64,
    ) -> (Spinner, Arc<AtomicU64>) {
        let done = Arc::new(AtomicU64::new(0));
        let counted = Counted { total, unit, done: Arc::clone(&done) };
        (Spinner::watch(what.into(), Some(counted)), done)
    }

    fn watch(what: String, counted: Option<Counted>) -> Spinner {
        if !std::io::stderr().is_terminal() {
            return Spinner { watched: None };
        }
        let (done, over) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            if over.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = bar(counted.as_ref()).with_message(what).with_elapsed(PATIENCE);
            bar.enable_steady_tick(TICK);
            // Nothing is ever sent: the end of the channel is the end of the work.
            while over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if let Some(counted) = &counted {
                    bar.set_position(counted.done.load(Ordering::Relaxed));
                }
            }
            bar.finish_and_clear();
        });
        Spinner { watched: Some((done, thread)) }
    }
}

fn bar(counted: Option<&Counted>) -> ProgressBar {
    let styled =
        |text: &str| ProgressStyle::with_template(text).unwrap_or_else(|_| ProgressStyle::default_spinner());
    match counted {
        None => ProgressBar::new_spinner().with_style(styled("{spinner} {msg} ({elapsed}; Ctrl-C stops)")),
        Some(Counted { total, unit, .. }) => ProgressBar::new(*total).with_style(styled(&format!(
            "{{spinner}} {{msg}}: {{percent}} % of {{human_len}} {unit}, {{per_sec}}, {{eta}} left \
             ({{elapsed}}; Ctrl-C stops)"
        ))),
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.watched.take() {
            drop(done);
            // A spinner that panicked has nothing to clear.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::available;

    #[test]
    fn free_memory_is_read_where_it_is_told() {
        assert_eq!(available("MemTotal:  9 kB\nMemAvailable:    2048 kB\nBuffers: 1 kB\n"), Some(2 << 20));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
        assert_eq!(available("MemAvailable: many kB\n"), None);
    }
}
