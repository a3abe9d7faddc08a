//! What disks, CPUs and swap space do in a short look, while we ourselves do nothing.

use std::{
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use super::{CpuTimes, DeviceCounters, cpu_times, device_counters, pages_swapped, uptime_ms};

/// Seen over some time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Activity {
    /// Of the disk under each path that was asked for; `None` where there is none.
    pub disks: Vec<Option<DiskLoad>>,
    /// Share of the time that all CPUs together worked, 0 to 1; `None` where the system does not say.
    pub cpus: Option<f64>,
    /// Pages moved from or to swap space.
    pub swapped: u64,
}

/// What one disk did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DiskLoad {
    /// Share of the time in which any I/O was in flight, 0 to 1.
    pub busy: f64,
    /// Reads and writes completed a second.
    pub per_second: f64,
    /// Bytes read and written a second.
    pub bytes_per_second: f64,
}

impl DiskLoad {
    /// Counters at two moments so many milliseconds apart.
    fn between(before: &DeviceCounters, after: &DeviceCounters, ms: u64) -> Self {
        let seconds = ms.max(1) as f64 / 1000.0;
        let per_second = |count: fn(&DeviceCounters) -> u64| {
            count(after).saturating_sub(count(before)) as f64 / seconds
        };
        Self {
            busy: (per_second(|counters| counters.busy_ms) / 1000.0).min(1.0),
            per_second: per_second(|counters| counters.reads.saturating_add(counters.writes)),
            bytes_per_second: 512.0
                * per_second(|counters| {
                    counters.read_sectors.saturating_add(counters.write_sectors)
                }),
        }
    }
}

/// Looks for so long.
pub fn activity(paths: &[PathBuf], over: Duration) -> Activity {
    let counters = || {
        let each = paths.iter().map(|path| device_counters(path));
        each.collect::<Vec<_>>()
    };
    let (began, disks, cpus, swapped) = (uptime_ms(), counters(), cpu_times(), pages_swapped());
    thread::sleep(over);
    let ms = uptime_ms().saturating_sub(began);
    let pairs = disks.into_iter().zip(counters());
    Activity {
        disks: pairs
            .map(|(before, after)| Some(DiskLoad::between(&before?, &after?, ms)))
            .collect(),
        cpus: share_of_work(&cpus, &cpu_times()),
        swapped: pages_swapped().saturating_sub(swapped),
    }
}

/// What others do to the disk under a path, if we do nothing meanwhile; `None` where there is no
/// disk, or the system does not say.
pub fn foreign_load(path: &Path, over: Duration) -> Option<DiskLoad> {
    activity(&[path.to_path_buf()], over).disks.pop()?
}

fn share_of_work(before: &CpuTimes, after: &CpuTimes) -> Option<f64> {
    let spent = after.since(before);
    let work: Duration = spent.iter().map(|cpu| cpu.user + cpu.kernel).sum();
    let all: Duration = work + spent.iter().map(|cpu| cpu.idle).sum::<Duration>();
    (!all.is_zero()).then(|| work.as_secs_f64() / all.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_is_the_difference_of_counters_over_the_time() {
        let before = DeviceCounters {
            reads: 100,
            writes: 50,
            read_sectors: 1000,
            busy_ms: 300,
            ..DeviceCounters::default()
        };
        let after = DeviceCounters {
            reads: 180,
            writes: 70,
            read_sectors: 3000,
            write_sectors: 48,
            busy_ms: 800,
            ..DeviceCounters::default()
        };
        // In two seconds 100 I/Os and 2048 sectors of 512 bytes; busy for half a second.
        let load = DiskLoad::between(&before, &after, 2000);
        let expected = DiskLoad {
            busy: 0.25,
            per_second: 50.0,
            bytes_per_second: 524_288.0,
        };
        assert_eq!(load, expected);
        // A device that went away and came back counts from the beginning.
        assert_eq!(DiskLoad::between(&after, &before, 0), DiskLoad::default());
    }

    #[test]
    fn work_is_shared_by_all_cpus() {
        let times = |text: &str| CpuTimes::parse(text, Duration::from_millis(10));
        let before = times("cpu0 0 0 0 100\ncpu1 0 0 0 100\n");
        // One CPU worked 30 of 100 ticks, the other none.
        let after = times("cpu0 20 0 10 170\ncpu1 0 0 0 200\n");
        let share = share_of_work(&before, &after).unwrap();
        assert!((share - 0.15).abs() < 1e-9, "{share}");
        assert_eq!(share_of_work(&before, &before), None);
    }

    #[test]
    fn what_has_no_disk_has_no_load() {
        assert_eq!(foreign_load(Path::new("/proc"), Duration::ZERO), None);
    }
}
