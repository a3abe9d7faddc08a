//! The CPUs and what belongs to the machine as a whole.

use std::collections::BTreeMap;

use super::{Root, names, number, text};
use crate::host::{Cpu, Machine};

const CPU_FOLDER: &str = "sys/devices/system/cpu";
/// No kernel has more CPUs; a damaged list must not make us allocate for ever.
const CPU_NUMBER_MAX: u32 = 65_535;

/// The machine whose /proc and /sys are below `root`.
pub(super) fn machine(root: &Root) -> Machine {
    let cpus = cpus(root);
    let allowed = allowed(root);
    let usable = cpus.iter().map(|cpu| cpu.number);
    let usable = usable.filter(|number| allowed.as_ref().is_none_or(|list| list.contains(number)));
    Machine {
        name: root.text("proc/sys/kernel/hostname").unwrap_or_default(),
        kernel: kernel(root),
        usable: usable.collect(),
        power_scheme: power_scheme(root, &cpus),
        cpus,
        memory: memory(root).unwrap_or(0),
        soft_nodes_given: None,
        drive_letters: false,
    }
}

/// "Linux 6.8.0-45-generic".
fn kernel(root: &Root) -> String {
    let part = |name| root.text(format!("proc/sys/kernel/{name}"));
    let kind = part("ostype").unwrap_or_else(|| "Linux".to_owned());
    part("osrelease").map_or(kind.clone(), |release| format!("{kind} {release}"))
}

fn memory(root: &Root) -> Option<u64> {
    let text = root.text("proc/meminfo")?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024)
}

/// CPUs that this process may run on: its affinity, which its cgroup's cpuset has narrowed.
fn allowed(root: &Root) -> Option<Vec<u32>> {
    let text = root.text("proc/self/status")?;
    let list = text
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    Some(parse_list(list))
}

/// The governors of the CPUs: one word, or all that occur.
fn power_scheme(root: &Root, cpus: &[Cpu]) -> Option<String> {
    let governor = |cpu: &Cpu| {
        root.text(format!(
            "{CPU_FOLDER}/cpu{}/cpufreq/scaling_governor",
            cpu.number
        ))
        .filter(|name| !name.is_empty())
    };
    let mut names: Vec<String> = cpus.iter().filter_map(governor).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| names.join(", "))
}

fn cpus(root: &Root) -> Vec<Cpu> {
    let folder = root.path(CPU_FOLDER);
    let online = text(&folder.join("online")).map_or_else(|| from_stat(root), |t| parse_list(&t));
    let nodes = nodes(root);
    let classes = classes(root, &online);
    let mut cores = BTreeMap::new();
    let place = |number: u32| {
        let topology = folder.join(format!("cpu{number}/topology"));
        // -1 where the firmware does not say.
        let socket = number_of(&topology, "physical_package_id").unwrap_or(0);
        let siblings = text(&topology.join("core_cpus_list"))
            .or_else(|| text(&topology.join("thread_siblings_list")))
            .unwrap_or_else(|| number.to_string());
        let next = cores.len() as u32;
        Cpu {
            number,
            socket,
            node: nodes.get(&number).copied().unwrap_or(0),
            core: *cores.entry(siblings).or_insert(next),
            class: classes.get(&number).copied().unwrap_or(0),
        }
    };
    online.iter().copied().map(place).collect()
}

fn number_of(folder: &std::path::Path, name: &str) -> Option<u32> {
    number(&folder.join(name))
}

/// Where /sys is hidden, /proc/stat still lists the CPUs that are online.
fn from_stat(root: &Root) -> Vec<u32> {
    let text = root.text("proc/stat").unwrap_or_default();
    let words = text
        .lines()
        .filter_map(|line| line.split_ascii_whitespace().next());
    words
        .filter_map(|word| word.strip_prefix("cpu")?.parse().ok())
        .collect()
}

/// The NUMA node of each CPU.
fn nodes(root: &Root) -> BTreeMap<u32, u32> {
    let folder = root.path("sys/devices/system/node");
    let mut nodes = BTreeMap::new();
    for name in names(&folder) {
        let Some(node) = name.strip_prefix("node").and_then(|n| n.parse().ok()) else {
            continue;
        };
        let cpus = text(&folder.join(&name).join("cpulist")).unwrap_or_default();
        nodes.extend(parse_list(&cpus).into_iter().map(|cpu| (cpu, node)));
    }
    nodes
}

/// The efficiency class of each CPU: Intel names its kinds; elsewhere the kernel knows capacities,
/// whose ranks are the classes.
fn classes(root: &Root, online: &[u32]) -> BTreeMap<u32, u32> {
    let listed = |path| parse_list(&root.text(path).unwrap_or_default());
    let fast = listed("sys/devices/cpu_core/cpus");
    let slow = listed("sys/devices/cpu_atom/cpus");
    if !fast.is_empty() && !slow.is_empty() {
        let slowest = listed("sys/devices/cpu_lowpower/cpus");
        let lift = u32::from(!slowest.is_empty());
        let kinds = [(slowest, 0), (slow, lift), (fast, lift + 1)];
        return kinds
            .into_iter()
            .flat_map(|(cpus, class)| cpus.into_iter().map(move |cpu| (cpu, class)))
            .collect();
    }
    let capacity = |cpu: &u32| -> Option<(u32, u32)> {
        let path = root.path(format!("{CPU_FOLDER}/cpu{cpu}/cpu_capacity"));
        Some((*cpu, number(&path)?))
    };
    let capacities: Vec<(u32, u32)> = online.iter().filter_map(capacity).collect();
    let mut ranks: Vec<u32> = capacities.iter().map(|(_, capacity)| *capacity).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let rank = |capacity| {
        ranks
            .iter()
            .position(|other| *other == capacity)
            .unwrap_or(0) as u32
    };
    capacities
        .into_iter()
        .map(|(cpu, capacity)| (cpu, rank(capacity)))
        .collect()
}

/// `0-3,8,10-11` as the kernel writes lists of CPUs; parts that are none are left out.
fn parse_list(text: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.trim().parse(), last.trim().parse::<u32>()) {
            numbers.extend(first..=last.min(CPU_NUMBER_MAX));
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::linux::testing::tree;

    #[test]
    fn lists_parse() {
        assert_eq!(parse_list("0-3,8,10-11\n"), [0, 1, 2, 3, 8, 10, 11]);
        assert_eq!(parse_list("5"), [5]);
        for nonsense in ["", "x", "3-1", "-", "1-", ","] {
            assert_eq!(parse_list(nonsense), [0_u32; 0], "{nonsense}");
        }
        assert_eq!(parse_list("0-4294967295").len(), 65_536);
    }

    #[test]
    fn two_sockets_with_two_threads_a_core() {
        let mut files = vec![
            ("proc/sys/kernel/hostname".to_owned(), "db1\n".to_owned()),
            ("proc/sys/kernel/ostype".into(), "Linux\n".into()),
            ("proc/sys/kernel/osrelease".into(), "6.8.0\n".into()),
            (
                "proc/meminfo".into(),
                "MemTotal:  2048 kB\nMemFree: 1 kB\n".into(),
            ),
            (
                "proc/self/status".into(),
                "Name:\tx\nCpus_allowed_list:\t1-6,99\n".into(),
            ),
            ("sys/devices/system/cpu/online".into(), "0-7\n".into()),
            (
                "sys/devices/system/node/node0/cpulist".into(),
                "0-1,4-5\n".into(),
            ),
            (
                "sys/devices/system/node/node1/cpulist".into(),
                "2-3,6-7\n".into(),
            ),
            (
                "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor".into(),
                "powersave\n".into(),
            ),
            (
                "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor".into(),
                "powersave\n".into(),
            ),
        ];
        for cpu in 0..8 {
            let folder = format!("sys/devices/system/cpu/cpu{cpu}/topology");
            let first = cpu % 4;
            files.push((
                format!("{folder}/physical_package_id"),
                format!("{}\n", first / 2),
            ));
            files.push((
                format!("{folder}/core_cpus_list"),
                format!("{first},{}\n", first + 4),
            ));
        }
        let files: Vec<_> = files
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        let (_folder, root) = tree(&files);
        let machine = machine(&root);
        assert_eq!(
            (machine.name.as_str(), machine.kernel.as_str()),
            ("db1", "Linux 6.8.0")
        );
        assert_eq!(machine.memory, 2 << 20);
        assert_eq!(machine.usable, [1, 2, 3, 4, 5, 6]);
        assert_eq!(machine.power_scheme.as_deref(), Some("powersave"));
        assert_eq!((machine.sockets(), machine.nodes()), (2, 2));
        let cores: Vec<_> = machine.cpus.iter().map(|cpu| cpu.core).collect();
        assert_eq!(cores, [0, 1, 2, 3, 0, 1, 2, 3]);
        assert!(machine.cpus.iter().all(|cpu| cpu.class == 0));
    }

    #[test]
    fn classes_come_from_kinds_or_capacities() {
        let online = ("sys/devices/system/cpu/online", "0-2");
        let (_folder, arm) = tree(&[
            online,
            ("sys/devices/system/cpu/cpu0/cpu_capacity", "446"),
            ("sys/devices/system/cpu/cpu1/cpu_capacity", "1024"),
            ("sys/devices/system/cpu/cpu2/cpu_capacity", "446"),
        ]);
        let class = |root: &Root| cpus(root).iter().map(|cpu| cpu.class).collect::<Vec<_>>();
        assert_eq!(class(&arm), [0, 1, 0]);
        let (_folder, intel) = tree(&[
            online,
            ("sys/devices/cpu_core/cpus", "0-1"),
            ("sys/devices/cpu_atom/cpus", "2"),
        ]);
        assert_eq!(class(&intel), [1, 1, 0]);
    }

    #[test]
    fn without_sys_the_cpus_of_proc_stat_count() {
        let (_folder, root) = tree(&[("proc/stat", "cpu 1\ncpu0 1\ncpu3 1\nintr 4\n")]);
        let machine = machine(&root);
        assert_eq!(machine.usable, [0, 3]);
        assert_eq!(machine.cpus[1].core, 1);
    }

    #[test]
    fn this_machine_has_cpus_that_we_may_use() {
        let machine = machine(&Root::system());
        assert!(!machine.usable.is_empty() && machine.usable.len() <= machine.cpus.len());
        assert!(machine.memory > 0 && machine.kernel.starts_with("Linux"));
    }
}
