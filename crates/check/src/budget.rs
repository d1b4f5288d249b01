//! What a check may cost. A certificate is untrusted data: it must not be able to fill the memory or to run for ever.

use std::time::Instant;

use crate::Fault;

/// Memory and work that a check may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that may be held, roughly.
    pub bytes: u64,
    /// Steps: values compared, letters read.
    pub steps: u64,
    /// When to stop, for whoever has no more time.
    pub until: Option<Instant>,
}

impl Default for Limits {
    /// 1 GiB, and about a minute's work.
    fn default() -> Self {
        Limits { bytes: 1 << 30, steps: 20_000_000_000, until: None }
    }
}

impl Limits {
    /// Bytes of the largest certificate that is read: what is read takes many times its length.
    #[must_use]
    pub fn file(self) -> u64 {
        self.bytes / 64
    }
}

/// What is left of the limits.
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    bytes: u64,
    steps: u64,
    /// How often it was asked for steps: a look at the clock costs more than an answer.
    asked: u32,
}

impl Budget {
    /// All of the limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Budget { limits, bytes: limits.bytes, steps: limits.steps, asked: 0 }
    }

    /// Takes memory.
    ///
    /// # Errors
    /// [`Fault::Limit`] if there is not enough of it.
    pub fn hold(&mut self, bytes: u64) -> Result<(), Fault> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or_else(|| {
            Fault::Limit(format!("the check needs more than {} bytes; raise --limit", self.limits.bytes))
        })?;
        Ok(())
    }

    /// Takes work.
    ///
    /// # Errors
    /// [`Fault::Limit`] if there is not enough of it.
    pub fn spend(&mut self, steps: u64) -> Result<(), Fault> {
        self.asked = self.asked.wrapping_add(1);
        if self.asked.is_multiple_of(1 << 14)
            && self.limits.until.is_some_and(|until| Instant::now() >= until)
        {
            return Err(Fault::Limit("the time of the check is over".to_string()));
        }
        self.steps = self.steps.checked_sub(steps).ok_or_else(|| {
            Fault::Limit(format!("the check takes more than {} steps; raise --steps", self.limits.steps))
        })?;
        Ok(())
    }
}
