//! CPU time spent since the start of the machine, and the difference of two such snapshots.

use std::{collections::BTreeMap, time::Duration};

use super::CpuUse;

/// What each online CPU has spent so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CpuTimes {
    /// By the system's CPU number.
    pub cpus: BTreeMap<u32, CpuUse>,
}

impl CpuTimes {
    /// What was spent after `earlier`, in the order of CPU numbers. Never negative: the kernel's
    /// waiting time can run backwards. A CPU that was offline at one of the two is left out.
    pub fn since(&self, earlier: &Self) -> Vec<CpuUse> {
        let both = self
            .cpus
            .iter()
            .filter_map(|(number, now)| Some((now, earlier.cpus.get(number)?)));
        both.map(|(now, then)| CpuUse {
            number: now.number,
            user: now.user.saturating_sub(then.user),
            kernel: now.kernel.saturating_sub(then.kernel),
            interrupt: now.interrupt.saturating_sub(then.interrupt),
            deferred: now.deferred.saturating_sub(then.deferred),
            interrupts: now.interrupts.saturating_sub(then.interrupts),
            idle: now.idle.saturating_sub(then.idle),
        })
        .collect()
    }

    /// Reads the text of `/proc/stat`; `tick` is the length of its unit.
    ///
    /// The time of guests is inside the user time already and is not added.
    #[cfg_attr(
        all(not(target_os = "linux"), not(test)),
        expect(dead_code, reason = "only Linux has /proc/stat")
    )]
    pub(super) fn parse(text: &str, tick: Duration) -> Self {
        let cpus = text.lines().filter_map(|line| parse_line(line, tick));
        Self {
            cpus: cpus.map(|cpu| (cpu.number, cpu)).collect(),
        }
    }

    /// Adds the text of `/proc/interrupts`: a heading that names the columns' CPUs, then a row for
    /// each source of interrupts. Rows that count over all CPUs (`ERR`, `MIS`) have one column only
    /// and are left out.
    #[cfg_attr(
        all(not(target_os = "linux"), not(test)),
        expect(dead_code, reason = "only Linux has /proc/interrupts")
    )]
    pub(super) fn add_interrupts(&mut self, text: &str) {
        let mut lines = text.lines();
        let heading = lines.next().unwrap_or_default();
        let numbers: Vec<Option<u32>> = heading
            .split_ascii_whitespace()
            .map(|name| name.strip_prefix("CPU")?.parse().ok())
            .collect();
        for line in lines {
            let counts: Vec<u64> = line
                .split_ascii_whitespace()
                .skip(1)
                .map_while(|word| word.parse().ok())
                .take(numbers.len())
                .collect();
            if counts.len() < numbers.len() {
                continue;
            }
            for (number, count) in numbers.iter().zip(counts) {
                if let Some(cpu) = number.and_then(|number| self.cpus.get_mut(&number)) {
                    cpu.interrupts = cpu.interrupts.saturating_add(count);
                }
            }
        }
    }
}

/// `cpu3 user nice system idle iowait irq softirq steal guest guest_nice`, the last ones missing on
/// old kernels.
fn parse_line(line: &str, tick: Duration) -> Option<CpuUse> {
    let mut words = line.split_ascii_whitespace();
    let number = words.next()?.strip_prefix("cpu")?.parse().ok()?;
    let ticks: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
    if ticks.len() < 4 {
        return None;
    }
    let time = |places: &[usize]| {
        let sum = places
            .iter()
            .filter_map(|place| ticks.get(*place))
            .fold(0_u64, |sum, ticks| sum.saturating_add(*ticks));
        Duration::from_nanos(sum.saturating_mul(tick.as_nanos() as u64))
    };
    Some(CpuUse {
        number,
        user: time(&[0, 1]),
        kernel: time(&[2, 5, 6, 7]),
        interrupt: time(&[5]),
        deferred: time(&[6]),
        interrupts: 0,
        idle: time(&[3, 4]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: Duration = Duration::from_millis(10);

    #[test]
    fn adds_the_columns_up() {
        let text = "cpu  1 1 1 1 1 1 1 1 1 1\n\
                    cpu0 100 20 30 400 50 6 7 8 90 5\n\
                    cpu12 1 2 3 4\n\
                    intr 5 6\n";
        let times = CpuTimes::parse(text, TICK);
        assert_eq!(times.cpus.keys().copied().collect::<Vec<_>>(), [0, 12]);
        let first = times.cpus[&0];
        assert_eq!(first.user, Duration::from_millis(1200));
        assert_eq!(first.kernel, Duration::from_millis(510));
        assert_eq!(first.idle, Duration::from_millis(4500));
        assert_eq!(times.cpus[&12].kernel, Duration::from_millis(30));
    }

    #[test]
    fn interrupts_are_told_apart() {
        let mut times = CpuTimes::parse("cpu0 0 0 30 0 0 6 7 0\ncpu2 1 1 1 1\n", TICK);
        assert_eq!(times.cpus[&0].interrupt, Duration::from_millis(60));
        assert_eq!(times.cpus[&0].deferred, Duration::from_millis(70));
        times.add_interrupts(
            "           CPU0       CPU2\n  0:         11          2   IO-APIC    2-edge      timer\n\
             LOC:        100         30   Local timer interrupts\nERR:          7\n",
        );
        assert_eq!(times.cpus[&0].interrupts, 111);
        assert_eq!(times.cpus[&2].interrupts, 32);
        times.add_interrupts("");
        times.add_interrupts("nonsense\nmore of it\n");
        assert_eq!(times.cpus[&2].interrupts, 32);
    }

    #[test]
    fn difference_is_never_negative_and_leaves_out_newcomers() {
        let before = CpuTimes::parse("cpu0 10 0 10 100 50\ncpu1 1 1 1 1\n", TICK);
        let after = CpuTimes::parse("cpu0 15 1 10 110 20\ncpu2 1 1 1 1\n", TICK);
        let spent = after.since(&before);
        assert_eq!(spent.len(), 1);
        assert_eq!(spent[0].user, Duration::from_millis(60));
        assert_eq!(spent[0].kernel, Duration::ZERO);
        assert_eq!(spent[0].idle, Duration::ZERO);
    }

    #[test]
    fn survives_nonsense() {
        for text in [
            "",
            "cpu",
            "cpuX 1 2 3 4",
            "cpu0",
            "cpu0 1 2",
            "cpu0 a b c d",
        ] {
            assert!(CpuTimes::parse(text, TICK).cpus.is_empty(), "{text}");
        }
        let huge = format!("cpu0 {0} {0} {0} {0}", u64::MAX);
        assert_eq!(CpuTimes::parse(&huge, TICK).cpus.len(), 1);
    }
}
