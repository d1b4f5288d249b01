//! How long and how much: the bounds that every long computation keeps.
//!
//! A computation takes [`Limits`], starts a [`Clock`] and asks it now and then. What is reached is an
//! [`Error`] with the id `time`, `memory` or `cancelled`, never a shorter answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::Error;

/// The bounds of a computation. The default sets none.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall time from [`Limits::clock`] on.
    pub time: Option<Duration>,
    /// Bytes that the data of the computation may take. What is small and fixed (code, a few kilobytes of
    /// scratch) is not counted; what grows with the work is, at its capacity and before it is allocated.
    pub memory: Option<u64>,
    /// Set from outside (Ctrl-C) to stop soon.
    pub cancel: Arc<AtomicBool>,
    /// The time of the whole, where `time` is what is left of it for a part: messages name this one.
    pub whole: Option<Duration>,
}

impl Limits {
    /// Starts the clock.
    #[must_use]
    pub fn clock(&self) -> Clock {
        Clock { start: Instant::now(), limits: self.clone() }
    }
}

/// A started clock: says when a limit is reached.
///
/// ```
/// use std::time::Duration;
/// use grundy::limits::Limits;
/// let limits = Limits { time: Some(Duration::ZERO), memory: Some(1 << 20), ..Limits::default() };
/// let clock = limits.clock();
/// assert_eq!(clock.check().unwrap_err().id(), "time");
/// assert!(clock.memory(1 << 20).is_ok());
/// assert_eq!(clock.memory(1 << 21).unwrap_err().to_string(),
///            "this needs 2 MiB of memory, and the limit is 1 MiB\n  = help: give more with --memory");
/// ```
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    limits: Limits,
}

impl Clock {
    /// Whether to go on. Cheap, but reads the time: ask every few thousand steps.
    ///
    /// # Errors
    /// `time` or `cancelled`.
    pub fn check(&self) -> Result<(), Error> {
        if self.limits.cancel.load(Ordering::Relaxed) {
            return Err(Error::new("cancelled", "stopped on request"));
        }
        match self.limits.time {
            Some(limit) if self.start.elapsed() >= limit => {
                let whole = self.limits.whole.unwrap_or(limit);
                Err(Error::new("time", format!("the time limit of {} s is over", seconds(whole)))
                    .help("give more with --time"))
            }
            _ => Ok(()),
        }
    }

    /// Whether data of `bytes` bytes in all (not: more) are within the limit.
    ///
    /// # Errors
    /// `memory`.
    pub fn memory(&self, bytes: u64) -> Result<(), Error> {
        match self.limits.memory {
            Some(limit) if bytes > limit => Err(Error::new(
                "memory",
                format!("this needs {} of memory, and the limit is {}", size(bytes), size(limit)),
            )
            .help("give more with --memory")),
            _ => Ok(()),
        }
    }

    /// The same limits with the time that is left: for a part of the computation that starts a clock of its own.
    #[must_use]
    pub fn left(&self) -> Limits {
        let time = self.limits.time.map(|time| time.saturating_sub(self.start.elapsed()));
        Limits { time, ..self.limits.clone() }
    }

    /// When the time is over, if it is limited.
    #[must_use]
    pub fn end(&self) -> Option<Instant> {
        self.limits.time.and_then(|time| self.start.checked_add(time))
    }

    /// The time since the clock was started.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Reserves room for exactly `more` further items, or says that the machine has no memory for them.
///
/// # Errors
/// `memory`.
pub fn reserve<T>(items: &mut Vec<T>, more: usize) -> Result<(), Error> {
    items.try_reserve_exact(more).map_err(|_| {
        let bytes = u64::try_from(more.saturating_mul(size_of::<T>())).unwrap_or(u64::MAX);
        Error::new("memory", format!("the machine has no {} of memory left", size(bytes)))
    })
}

/// `1500` as `1500 bytes`, `3 * 2^20` as `3 MiB`: whole units rounded up, as much as is needed.
fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.iter().find(|(unit, _)| bytes >= 10 * unit || (bytes >= *unit && bytes.is_multiple_of(*unit)))
    {
        Some((unit, name)) => format!("{} {name}", bytes.div_ceil(*unit)),
        None => format!("{bytes} bytes"),
    }
}

/// Seconds with as many of three decimals as are needed, in integers.
fn seconds(time: Duration) -> String {
    let millis = time.subsec_millis();
    if millis == 0 {
        time.as_secs().to_string()
    } else {
        format!("{}.{millis:03}", time.as_secs()).trim_end_matches('0').to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_to_stop_is_heard() {
        let limits = Limits::default();
        let clock = limits.clock();
        assert!(clock.check().is_ok());
        limits.cancel.store(true, Ordering::Relaxed);
        assert_eq!(clock.check().unwrap_err().id(), "cancelled");
    }

    #[test]
    fn a_part_names_the_limit_of_the_whole() {
        let limits = Limits {
            time: Some(Duration::ZERO),
            whole: Some(Duration::from_millis(1500)),
            ..Limits::default()
        };
        let error = limits.clock().left().clock().check().unwrap_err();
        assert_eq!(error.message(), "the time limit of 1.5 s is over");
    }

    #[test]
    fn sizes_and_times_read_well() {
        assert_eq!(size(1), "1 bytes");
        assert_eq!(size(1024), "1 KiB");
        assert_eq!(size(64 << 20), "64 MiB");
        assert_eq!(size((64 << 20) + 1), "65 MiB");
        assert_eq!(size(5 << 29), "2560 MiB");
        assert_eq!(seconds(Duration::from_millis(2500)), "2.5");
        assert_eq!(seconds(Duration::from_secs(10)), "10");
    }
}
