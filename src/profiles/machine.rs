//! What a machine has, as SQL Server counts it: workers of a query, writers of the log.

use super::format::Threads;
use crate::host::Machine;

/// Workers of one query at most on one NUMA node.
const ONE_NODE_MAX: u32 = 8;
/// The same on each of several.
const NODES_MAX: u32 = 16;
/// Writers of a log at most.
const LOG_WRITERS_MAX: u32 = 4;

/// Workers of one query by Microsoft's guideline: on one NUMA node all logical CPUs up to 8; on
/// several all of one node up to 16, and half of them, at most 16, of nodes that have more.
pub fn max_dop(machine: &Machine) -> u32 {
    let all = logical(machine);
    let nodes = machine.nodes();
    if nodes == 1 {
        return all.min(ONE_NODE_MAX);
    }
    let node = (all / nodes).max(1);
    if node <= NODES_MAX {
        node
    } else {
        (node / 2).min(NODES_MAX)
    }
}

/// CPUs that this process may use, at least 1.
pub(super) fn logical(machine: &Machine) -> u32 {
    (machine.usable.len() as u32).max(1)
}

/// Physical cores that this process may use, at least 1.
pub(super) fn cores(machine: &Machine) -> u32 {
    let mut cores: Vec<u32> = machine
        .cpus
        .iter()
        .filter(|cpu| machine.usable.contains(&cpu.number))
        .map(|cpu| cpu.core)
        .collect();
    cores.sort_unstable();
    cores.dedup();
    (cores.len() as u32).max(1)
}

impl Threads {
    /// How many on this machine.
    pub(super) fn count(self, machine: &Machine, dop: Option<u32>) -> u32 {
        match self {
            Self::Fixed(count) => count,
            Self::MaxDop => dop.unwrap_or_else(|| max_dop(machine)),
            Self::Sockets => machine.sockets(),
            Self::NumaNodes => machine.nodes(),
            Self::LogWriters => machine.soft_nodes().min(LOG_WRITERS_MAX),
        }
        .max(1)
    }

    /// Why so many.
    pub(super) fn reason(self, dop: Option<u32>) -> &'static str {
        match self {
            Self::Fixed(_) => "fixed",
            Self::MaxDop if dop.is_some() => "MAXDOP as asked",
            Self::MaxDop => "MAXDOP by Microsoft's guideline",
            Self::Sockets => "one a socket",
            Self::NumaNodes => "one a NUMA node",
            Self::LogWriters => "one a soft-NUMA node, at most 4",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::parse_machine;

    #[test]
    fn workers_of_a_query_follow_the_guideline() {
        for (machine, workers) in [
            ("lp=1", 1),
            ("lp=4", 4),
            ("lp=8", 8),
            ("lp=256", 8),
            ("lp=32,numa=2,sock=2,soft=4", 16),
            // 20 a node: more than 16, so half of them.
            ("lp=40,numa=2", 10),
            ("lp=256,numa=2", 16),
            ("lp=16,numa=4", 4),
        ] {
            assert_eq!(
                max_dop(&parse_machine(machine).unwrap()),
                workers,
                "{machine}"
            );
        }
        assert_eq!(max_dop(&Machine::default()), 1);
    }

    #[test]
    fn a_log_has_four_writers_at_most() {
        for (soft, writers) in [("soft=1", 1), ("soft=4", 4), ("soft=9", 4)] {
            let machine = parse_machine(&format!("lp=32,{soft}")).unwrap();
            assert_eq!(Threads::LogWriters.count(&machine, None), writers);
        }
    }
}
