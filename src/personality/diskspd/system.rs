//! The machine as `DiskSpd` sees it: processor groups, sockets, nodes, cores, and the start time.
//!
//! Windows numbers CPUs inside groups of 64; CPU n here is CPU n mod 64 of group n div 64.

use std::{collections::BTreeMap, fmt::Write, time::Duration};

use crate::{
    host::{Cpu, Machine},
    results::Provenance,
};

/// CPUs of a processor group.
const GROUP_SIZE: u32 = 64;

/// Which CPUs belong together, by group: bit n is CPU n of the group.
pub(super) type Masks = BTreeMap<u32, u64>;

/// The machine's CPUs by kind of neighbourhood.
#[derive(Debug)]
pub(super) struct Topology<'a> {
    cpus: &'a [Cpu],
    /// CPUs of each group.
    pub(super) groups: Masks,
    /// CPUs of each NUMA node, by group.
    pub(super) nodes: BTreeMap<u32, Masks>,
    /// CPUs of each socket, by group.
    pub(super) sockets: BTreeMap<u32, Masks>,
    /// In order.
    pub(super) cores: Vec<Core>,
    /// True if there are cores of several classes.
    pub(super) heterogeneous: bool,
}

/// A core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Core {
    /// Number in the machine's counting.
    machine_number: u32,
    /// Group of its CPUs.
    pub(super) group: u32,
    /// Number inside the group.
    pub(super) number: u32,
    /// Its CPUs.
    pub(super) mask: u64,
    /// Efficiency class.
    pub(super) class: u32,
}

/// Where a CPU is; all zero if the machine does not know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Placement {
    pub(super) socket: u32,
    pub(super) node: u32,
    pub(super) group: u32,
    /// Inside the group.
    pub(super) core: u32,
    pub(super) class: u32,
    /// Its class is the fastest here.
    pub(super) fastest: bool,
    /// Inside the group.
    pub(super) cpu: u32,
}

impl<'a> Topology<'a> {
    pub(super) fn of(machine: &'a Machine) -> Self {
        let mut topology = Self {
            cpus: &machine.cpus,
            groups: Masks::new(),
            nodes: BTreeMap::new(),
            sockets: BTreeMap::new(),
            cores: Vec::new(),
            heterogeneous: false,
        };
        for cpu in &machine.cpus {
            let (group, bit) = (cpu.number / GROUP_SIZE, 1 << (cpu.number % GROUP_SIZE));
            *topology.groups.entry(group).or_default() |= bit;
            for masks in [
                topology.nodes.entry(cpu.node).or_default(),
                topology.sockets.entry(cpu.socket).or_default(),
            ] {
                *masks.entry(group).or_default() |= bit;
            }
            topology.add_to_core(cpu, group, bit);
            topology.heterogeneous |= cpu.class != machine.cpus[0].class;
        }
        topology
    }

    fn add_to_core(&mut self, cpu: &Cpu, group: u32, bit: u64) {
        // Cores whose CPUs lie in two groups count in each.
        let known = self
            .cores
            .iter_mut()
            .find(|core| core.machine_number == cpu.core && core.group == group);
        if let Some(core) = known {
            core.mask |= bit;
            return;
        }
        let number = self.cores.iter().filter(|core| core.group == group).count() as u32;
        self.cores.push(Core {
            machine_number: cpu.core,
            group,
            number,
            mask: bit,
            class: cpu.class,
        });
    }

    /// True if a core has several CPUs.
    pub(super) fn has_smt(&self) -> bool {
        self.cores.iter().any(|core| core.mask.count_ones() > 1)
    }

    /// Where the CPU with this number (the system's) is.
    pub(super) fn place(&self, number: u32) -> Placement {
        let group = number / GROUP_SIZE;
        let unknown = Placement {
            group,
            cpu: number % GROUP_SIZE,
            ..Placement::default()
        };
        let Some(cpu) = self.cpus.iter().find(|cpu| cpu.number == number) else {
            return unknown;
        };
        let core = self
            .cores
            .iter()
            .find(|core| core.machine_number == cpu.core && core.group == group);
        Placement {
            socket: cpu.socket,
            node: cpu.node,
            core: core.map_or(0, |core| core.number),
            class: cpu.class,
            fastest: self.cpus.iter().all(|other| other.class <= cpu.class),
            ..unknown
        }
    }
}

/// How many CPUs a group has room for: up to the last that there is.
pub(super) fn group_maximum(mask: u64) -> u32 {
    u64::BITS - mask.leading_zeros()
}

/// The active power scheme, or what the original says without one.
pub(super) fn power_scheme(machine: &Machine) -> &str {
    machine.power_scheme.as_deref().unwrap_or("<unknown>")
}

/// The beginning of the block "System information", which is all of it before 2.2.
pub(super) fn name_and_start(provenance: &Provenance) -> String {
    format!(
        "System information:\n\n\tcomputer name: {}\n\tstart time: {}",
        provenance.machine.name,
        start_time(provenance.started)
    )
}

/// The block "System information".
pub(super) fn text(provenance: &Provenance) -> String {
    let machine = &provenance.machine;
    let topology = Topology::of(machine);
    let mut out = name_and_start(provenance);
    out.push_str("\n\n");
    for (label, count) in [
        ("cpu count", machine.cpus.len()),
        ("core count", topology.cores.len()),
        ("group count", topology.groups.len()),
        ("node count", topology.nodes.len()),
        ("socket count", topology.sockets.len()),
    ] {
        let _ = writeln!(out, "\t{label}:\t\t{count}");
    }
    let mixed = if topology.heterogeneous { 'y' } else { 'n' };
    let _ = writeln!(
        out,
        "\theterogeneous cores:\t{mixed}\n\n\tactive power scheme:\t{}",
        power_scheme(machine)
    );
    out
}

/// `2026/11/30 19:49:05 UTC`, from the time since 1970-01-01 00:00 UTC.
pub(super) fn start_time(since_epoch: Duration) -> String {
    let t = Civil::at(since_epoch);
    format!(
        "{:04}/{:02}/{:02} {:02}:{:02}:{:02} UTC",
        t.year, t.month, t.day, t.hour, t.minute, t.second
    )
}

/// `2026-11-30T19:49:05`, from the time since 1970-01-01 00:00 UTC.
pub(super) fn log_time(since_epoch: Duration) -> String {
    let t = Civil::at(since_epoch);
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        t.year, t.month, t.day, t.hour, t.minute, t.second
    )
}

/// A moment on the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Civil {
    year: u64,
    month: u64,
    day: u64,
    hour: u64,
    minute: u64,
    second: u64,
}

impl Civil {
    fn at(since_epoch: Duration) -> Self {
        let seconds = since_epoch.as_secs();
        let (days, second_of_day) = (seconds / 86_400, seconds % 86_400);
        // Years are counted from 1 March of the year 0, so that the leap day is the last of its
        // year: 719,468 days before 1970. 400 years are 146,097 days.
        let days = days + 719_468;
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // Months from March have 31 30 31 30 31 days twice over: 153 days in five.
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 {
            month_from_march + 3
        } else {
            month_from_march - 9
        };
        Self {
            year: era * 400 + year_of_era + u64::from(month <= 2),
            month,
            day,
            hour: second_of_day / 3_600,
            minute: second_of_day / 60 % 60,
            second: second_of_day % 60,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Topology, log_time, start_time, text};
    use crate::{
        host::{Cpu, Machine},
        results::Provenance,
    };

    fn cpu(number: u32, socket: u32, core: u32, class: u32) -> Cpu {
        Cpu {
            number,
            socket,
            node: socket,
            core,
            class,
        }
    }

    #[test]
    fn known_moments() {
        // Values of `date -u -d @N`.
        for (seconds, expected) in [
            (0, "1970/01/01 00:00:00 UTC"),
            (951_782_399, "2000/02/28 23:59:59 UTC"),
            (951_782_400, "2000/02/29 00:00:00 UTC"),
            (951_868_800, "2000/03/01 00:00:00 UTC"),
            (1_234_567_890, "2009/02/13 23:31:30 UTC"),
            (1_709_164_800, "2024/02/29 00:00:00 UTC"),
            (1_735_689_599, "2024/12/31 23:59:59 UTC"),
            (4_107_542_399, "2100/02/28 23:59:59 UTC"),
            (4_107_542_400, "2100/03/01 00:00:00 UTC"),
        ] {
            assert_eq!(start_time(Duration::from_secs(seconds)), expected);
        }
        assert_eq!(
            log_time(Duration::from_secs(1_234_567_890)),
            "2009-02-13T23:31:30"
        );
    }

    #[test]
    fn the_block_is_as_recorded() {
        let provenance = Provenance {
            version: String::new(),
            started: Duration::from_secs(1_796_068_145),
            machine: Machine {
                name: "vm".to_owned(),
                cpus: vec![cpu(0, 0, 0, 0), cpu(1, 0, 1, 0)],
                ..Machine::default()
            },
        };
        assert_eq!(
            text(&provenance),
            "System information:\n\n\tcomputer name: vm\n\tstart time: 2026/11/30 19:49:05 UTC\n\n\
             \tcpu count:\t\t2\n\tcore count:\t\t2\n\tgroup count:\t\t1\n\tnode count:\t\t1\n\
             \tsocket count:\t\t1\n\theterogeneous cores:\tn\n\n\tactive power scheme:\t<unknown>\n"
        );
    }

    #[test]
    fn cpus_beyond_63_are_another_group_with_its_own_numbers() {
        let machine = Machine {
            cpus: vec![
                cpu(0, 0, 0, 0),
                cpu(1, 0, 0, 0),
                cpu(64, 1, 7, 1),
                cpu(66, 1, 8, 1),
            ],
            ..Machine::default()
        };
        let topology = Topology::of(&machine);
        assert_eq!(topology.groups[&0], 0b11);
        assert_eq!(topology.groups[&1], 0b101);
        assert_eq!(topology.sockets[&1][&1], 0b101);
        assert!(topology.has_smt() && topology.heterogeneous);
        let place = topology.place(66);
        assert_eq!((place.group, place.core, place.cpu), (1, 1, 2));
        assert!(place.fastest && !topology.place(0).fastest);
    }
}
