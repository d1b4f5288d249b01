//! Long work: limits from the command line, Ctrl-C, and a sign of life on the terminal.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
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
    Ok(Limits { time: args.time, memory: args.memory, cancel })
}

/// A spinner that appears when work has lasted a second, if a person is watching; it goes when it is dropped.
pub(crate) struct Spinner {
    watched: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Spinner {
    /// Starts waiting; `what` is shown beside the time.
    pub(crate) fn start(what: impl Into<String>) -> Spinner {
        if !std::io::stderr().is_terminal() {
            return Spinner { watched: None };
        }
        let what = what.into();
        let (done, over) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            if over.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed}; Ctrl-C stops)")
                .unwrap_or_else(|_| ProgressStyle::default_spinner());
            let bar = ProgressBar::new_spinner().with_style(style).with_message(what).with_elapsed(PATIENCE);
            bar.enable_steady_tick(Duration::from_millis(120));
            // Nothing is ever sent: the end of the channel is the end of the work.
            let _ = over.recv();
            bar.finish_and_clear();
        });
        Spinner { watched: Some((done, thread)) }
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
