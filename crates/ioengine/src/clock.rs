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

/// The machine's monotonic time: the processor's time stamp counter where the kernel itself keeps
/// time by it, else the kernel's clock. See [`source`].
#[inline]
pub fn now() -> Nanos {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    if let Some(counter) = counter::get() {
        return counter.now();
    }
    kernel()
}

/// What [`now`] reads, in words.
pub fn source() -> &'static str {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    if counter::get().is_some() {
        return "time stamp counter, calibrated against the kernel's clock";
    }
    "kernel clock"
}

/// The kernel's own monotonic clock: what [`now`] is checked against.
#[inline]
pub fn kernel() -> Nanos {
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

/// The time stamp counter as a clock. A read costs 12 ns where the kernel's clock costs 32; with
/// two stamps an I/O that is half of all that a fast engine spends.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod counter {
    use std::{arch::x86_64, fs, sync::OnceLock};

    use super::{Nanos, kernel};

    /// Calibration takes this long, once. The two ends are known to some 30 ns, so the rate is
    /// known to some 15 parts in a million: a 5 minute run is told 5 ms wrong at most.
    const CALIBRATION_NS: u64 = 2_000_000;

    /// Ticks become nanoseconds by one multiplication.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Counter {
        base_ticks: u64,
        base_ns: u64,
        /// Nanoseconds a tick, times 2^32.
        scale: u64,
    }

    /// `None` where the counter is no clock.
    #[inline]
    pub(super) fn get() -> Option<&'static Counter> {
        static COUNTER: OnceLock<Option<Counter>> = OnceLock::new();
        COUNTER.get_or_init(calibrate).as_ref()
    }

    impl Counter {
        #[inline]
        pub(super) fn now(&self) -> Nanos {
            let passed = ticks().saturating_sub(self.base_ticks);
            let ns = (u128::from(passed) * u128::from(self.scale)) >> 32;
            Nanos(self.base_ns.saturating_add(ns as u64))
        }
    }

    #[inline]
    fn ticks() -> u64 {
        // SAFETY: every x86-64 processor has RDTSC; it touches no memory. Linux leaves it enabled
        // for user programs unless one asks for a fault (PR_SET_TSC), which nobody here does.
        unsafe { x86_64::_rdtsc() }
    }

    /// The kernel keeps time by the counter only while it found it constant, unstopped and equal
    /// on all processors; what is good enough for the kernel is good enough here.
    fn kernel_trusts_it() -> bool {
        let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
        fs::read_to_string(path).is_ok_and(|name| name.trim() == "tsc")
    }

    fn calibrate() -> Option<Counter> {
        if !kernel_trusts_it() {
            return None;
        }
        let (base_ticks, base_ns) = both();
        let (mut end_ticks, mut end_ns) = both();
        while end_ns < base_ns + CALIBRATION_NS {
            (end_ticks, end_ns) = both();
        }
        let passed = end_ticks
            .checked_sub(base_ticks)
            .filter(|ticks| *ticks > 0)?;
        let scale = (u128::from(end_ns - base_ns) << 32) / u128::from(passed);
        Some(Counter {
            base_ticks,
            base_ns,
            scale: u64::try_from(scale).ok()?,
        })
    }

    /// Both clocks at one moment: of several tries the one that was interrupted least.
    fn both() -> (u64, u64) {
        let attempt = || {
            let before = ticks();
            let ns = kernel().0;
            let after = ticks();
            (after.saturating_sub(before), before / 2 + after / 2, ns)
        };
        let best = (0..5)
            .map(|_| attempt())
            .min()
            .expect("five tries are not none");
        (best.1, best.2)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn time_does_not_run_backwards() {
        let mut last = now();
        for _ in 0..100_000 {
            let next = now();
            assert!(next >= last);
            last = next;
        }
    }

    #[test]
    fn it_keeps_pace_with_the_kernels_clock() {
        let (ours, theirs) = (now(), kernel());
        sleep_until(now().after(Duration::from_millis(50)));
        let (ours, theirs) = (now().since(ours), kernel().since(theirs));
        // The reads are not simultaneous: what lies between them is the scheduler's affair.
        assert!(
            ours.abs_diff(theirs) < theirs / 10,
            "{ours} against {theirs} ({})",
            source()
        );
    }
}
