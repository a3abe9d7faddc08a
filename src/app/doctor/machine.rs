//! What of the machine bends figures: limits, clock, CPUs, swap space.

use ioengine::sys::{self, Limit};

use super::{super::words, checks::Check};
use crate::{
    host::{Activity, Conditions, Machine},
    units::names::escaped,
};

/// What was seen of the machine.
pub(super) struct Seen {
    pub(super) machine: Machine,
    pub(super) conditions: Conditions,
    pub(super) activity: Activity,
    pub(super) limits: Limits,
}

/// What the process may have; `None` where the system does not say.
#[derive(Default)]
pub(super) struct Limits {
    pub(super) open_files: Option<Limit>,
    pub(super) locked_memory: Option<Limit>,
    pub(super) mappings: Option<u64>,
    /// The superuser's memory is not limited.
    pub(super) root: bool,
}

impl Limits {
    /// Of this process.
    pub(super) fn now() -> Self {
        Self {
            open_files: sys::open_files_limit().ok(),
            locked_memory: sys::locked_memory_limit().ok(),
            mappings: sys::mappings_left(),
            root: sys::effective_user_id() == Some(0),
        }
    }
}

/// Files that a run of many targets and threads needs at least.
const OPEN_FILES_MIN: u64 = 1024;
/// What a ring registers for 32 blocks of 256 KiB.
const LOCKED_MIN: u64 = 8 << 20;
/// Mappings that many mapped files in many threads need.
const MAPPINGS_MIN: u64 = 4096;
/// Requests that a load of many threads at depth needs.
const REQUESTS_MIN: u64 = 4096;
/// Others may take this share of the CPUs before it is told.
const CPUS_MAX: f64 = 0.10;
/// Clocks that cost a call or a slow read of a device each time.
const SLOW_CLOCKS: [&str; 6] = [
    "hpet",
    "acpi_pm",
    "jiffies",
    "pit",
    "refined-jiffies",
    "xen",
];

/// Everything about it.
pub(super) fn checks(seen: &Seen) -> Vec<Check> {
    let checks = [
        aio_requests(&seen.conditions),
        open_files(&seen.limits),
        locked_memory(&seen.limits),
        mappings(&seen.limits),
        clock(&seen.conditions),
        governor(&seen.machine),
        cpus(&seen.activity),
        Some(swap(seen)),
    ];
    checks.into_iter().flatten().collect()
}

fn aio_requests(seen: &Conditions) -> Option<Check> {
    let (used, max) = (seen.aio_used?, seen.aio_max?);
    let left = max.saturating_sub(used);
    let words = format!("{left} more may be made (fs.aio-max-nr {max}, in use {used})");
    let check = if left < REQUESTS_MIN {
        let more = max.saturating_mul(2).max(65_536);
        Check::action(
            "aio_requests",
            format!("{words}: engine libaio may be refused"),
            format!("sysctl fs.aio-max-nr={more} as root"),
        )
    } else {
        Check::fine("aio_requests", words)
    };
    Some(check.with("used", used).with("limit", max))
}

/// The soft limit is raised to the hard one by each run.
fn open_files(limits: &Limits) -> Option<Check> {
    let hard = limits.open_files?.hard;
    let check = match hard {
        Some(hard) if hard < OPEN_FILES_MIN => Check::action(
            "open_files",
            format!("at most {hard} may be open, which many targets and threads exceed"),
            format!("ulimit -Hn {OPEN_FILES_MIN} as root (LimitNOFILE= of a service)"),
        ),
        Some(hard) => Check::fine("open_files", format!("{hard} may be open")),
        None => Check::fine("open_files", "as many as one likes may be open"),
    };
    Some(check.with("limit", hard))
}

fn locked_memory(limits: &Limits) -> Option<Check> {
    let soft = limits.locked_memory?.soft;
    let check = match soft {
        Some(soft) if soft < LOCKED_MIN && !limits.root => Check::action(
            "locked_memory",
            format!(
                "at most {} may be locked: io_uring registers no buffers beyond, and is a little \
                 slower",
                words::size(soft)
            ),
            format!(
                "ulimit -l {} (LimitMEMLOCK= of a service)",
                LOCKED_MIN >> 10
            ),
        ),
        Some(soft) => Check::fine(
            "locked_memory",
            format!("{} may be locked", words::size(soft)),
        ),
        None => Check::fine("locked_memory", "as much as one likes may be locked"),
    };
    Some(check.with("limit_bytes", soft))
}

fn mappings(limits: &Limits) -> Option<Check> {
    let left = limits.mappings?;
    let check = if left < MAPPINGS_MIN {
        Check::action(
            "mappings",
            format!("{left} more may be made, which mapped loads of many threads exceed"),
            "sysctl vm.max_map_count=65530 as root",
        )
    } else {
        Check::fine("mappings", format!("{left} more may be made"))
    };
    Some(check.with("left", left))
}

fn clock(seen: &Conditions) -> Option<Check> {
    let clock = seen.clock.as_deref()?;
    let words = format!("the kernel keeps time by {}", escaped(clock));
    let check = if SLOW_CLOCKS.contains(&clock) {
        let remedy = if seen.clocks.iter().any(|known| known == "tsc") {
            "echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource as root"
        } else {
            "the kernel's log says why it does not trust the tsc (dmesg | grep -i tsc); measure \
             latencies above 10 us only"
        };
        let finding = format!("{words}, which is slow to read: each I/O costs about 1 us more");
        Check::action("clock", finding, remedy)
    } else {
        Check::fine("clock", words)
    };
    Some(check.with("source", clock))
}

fn governor(machine: &Machine) -> Option<Check> {
    let governors = machine.power_scheme.as_deref()?;
    let words = format!("its governor is {}", escaped(governors));
    let check = if governors.split(", ").any(|name| name == "powersave") {
        Check::action(
            "cpu_governor",
            format!("{words}: CPUs that wait for I/O are slowed down, and latencies grow"),
            "cpupower frequency-set -g performance as root, as long as it is measured",
        )
    } else {
        Check::fine("cpu_governor", words)
    };
    Some(check.with("governor", governors))
}

fn cpus(activity: &Activity) -> Option<Check> {
    let share = activity.cpus?;
    let words = format!(
        "others used {:.0} % of them in the last second",
        share * 100.0
    );
    let check = if share > CPUS_MAX {
        Check::action(
            "cpus_busy",
            format!("{words}, so that ours may wait"),
            "stop them or measure later (top names them)",
        )
    } else {
        Check::fine("cpus_busy", words)
    };
    Some(check.with("busy_share", share))
}

fn swap(seen: &Seen) -> Check {
    let swap = seen.conditions.swap;
    let moved = seen.activity.swapped;
    if swap.size == 0 {
        return Check::fine("swap", "there is none").with("size_bytes", 0);
    }
    let words = format!(
        "{} of {} are in use",
        words::size(swap.used),
        words::size(swap.size)
    );
    let check = if moved > 0 {
        Check::action(
            "swap",
            format!("{words}, and {moved} pages moved in the last second"),
            "end what fills the memory (top, sorted by memory, names it)",
        )
    } else if swap.used > seen.machine.memory / 10 {
        Check::action(
            "swap",
            format!("{words}: memory was short, and what comes back is I/O of its own"),
            "end what fills the memory, then swapoff -a && swapon -a as root",
        )
    } else {
        Check::fine("swap", words)
    };
    check
        .with("used_bytes", swap.used)
        .with("size_bytes", swap.size)
        .with("pages_moved", moved)
}

#[cfg(test)]
mod tests;
