//! The only reader of the time.

use std::time::{Duration, SystemTime};

/// Nanoseconds on an engine's clock: of the machine (monotonic) or of a simulated device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Nanos(pub u64);

impl Nanos {
    /// A time that is never reached.
    pub const NEVER: Self = Self(u64::MAX);

    /// Nanoseconds from `earlier` to `self`, 0 if it is later.
    #[inline]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// `self` plus a span.
    #[inline]
    #[must_use]
    pub const fn after(self, span: Duration) -> Self {
        let nanos = span.as_nanos();
        Self(self.0.saturating_add(if nanos > u64::MAX as u128 {
            u64::MAX
        } else {
            nanos as u64
        }))
    }
}

/// The machine's monotonic time.
#[inline]
pub fn now() -> Nanos {
    #[cfg(target_os = "linux")]
    {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: `time` is a valid place for one timespec; CLOCK_MONOTONIC always exists, so the
        // call cannot fail.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
        Nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
    }
    #[cfg(not(target_os = "linux"))]
    {
        use std::{sync::OnceLock, time::Instant};
        static BASE: OnceLock<Instant> = OnceLock::new();
        Nanos(BASE.get_or_init(Instant::now).elapsed().as_nanos() as u64 + 1)
    }
}

/// Wall-clock time, as the span since 1970-01-01 00:00 UTC.
pub fn wall() -> Duration {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
}

/// Sleeps until `until` on the machine's clock; interrupted sleeps go on.
pub fn sleep_until(until: Nanos) {
    loop {
        let left = until.since(now());
        if left == 0 {
            return;
        }
        std::thread::sleep(Duration::from_nanos(left));
    }
}
