//! The table of CPU use. Columns for the topology stand before it, each only where the machine has
//! more than one of the kind.

use std::io::{self, Write};

use super::form::Form;
use crate::{
    host::{CpuUse, Machine},
    personality::diskspd::system::{self, Placement},
    results::CpuPercent,
};

/// A column before the CPU number.
struct Column {
    heading: &'static str,
    cell: fn(&Placement) -> String,
}

const SOCKET: Column = Column {
    heading: "Socket",
    cell: |place| place.socket.to_string(),
};
const NODE: Column = Column {
    heading: "Node",
    cell: |place| place.node.to_string(),
};
const GROUP: Column = Column {
    heading: "Group",
    cell: |place| place.group.to_string(),
};
const CORE: Column = Column {
    heading: "Core",
    cell: |place| place.core.to_string(),
};
/// A `P` behind the number marks the fastest class.
const CLASS: Column = Column {
    heading: "Class",
    cell: |place| {
        let mark = if place.fastest { 'P' } else { ' ' };
        format!("{}{mark}", place.class)
    },
};

/// The whole table with its mean row.
pub(super) fn table(
    machine: &Machine,
    cpus: &[CpuUse],
    form: Form,
    out: &mut dyn Write,
) -> io::Result<()> {
    let old = form.is_before_2_2();
    let topology = system::Topology::of(machine);
    let columns: Vec<&Column> = [
        (!old && topology.sockets.len() > 1, &SOCKET),
        (!old && topology.nodes.len() > 1, &NODE),
        (topology.groups.len() > 1, &GROUP),
        (!old && topology.has_smt(), &CORE),
        (!old && topology.heterogeneous, &CLASS),
    ]
    .into_iter()
    .filter_map(|(wanted, column)| wanted.then_some(column))
    .collect();
    let extra: usize = columns.iter().map(|column| column.heading.len() + 3).sum();
    // Before 2.2 the kernel's column was one wider, and the rule did not know of groups.
    let (wider, rule) = if old { (" ", 43) } else { ("", 40 + extra) };
    let rule = "-".repeat(rule);
    for column in &columns {
        write!(out, "{} | ", column.heading)?;
    }
    writeln!(out, "CPU |  Usage |  User  | {wider}Kernel |  Idle\n{rule}")?;
    for cpu in cpus {
        let place = topology.place(cpu.number);
        for column in &columns {
            let width = column.heading.len() + 1;
            write!(out, "{:>width$}| ", (column.cell)(&place))?;
        }
        write!(out, "{:>4}|", place.cpu)?;
        percents(&CpuPercent::of(cpu), wider, out)?;
    }
    write!(out, "{rule}\n{:extra$}avg.|", "")?;
    percents(&CpuPercent::mean(cpus), wider, out)
}

fn percents(percent: &CpuPercent, wider: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        " {:>6.2}%| {:>6.2}%|{wider} {:>6.2}%| {:>6.2}%",
        percent.usage, percent.user, percent.kernel, percent.idle
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Form, table};
    use crate::host::{Cpu, CpuUse, Machine};

    fn machine(cpus: &[(u32, u32, u32, u32, u32)]) -> Machine {
        Machine {
            cpus: cpus
                .iter()
                .map(|&(number, socket, node, core, class)| Cpu {
                    number,
                    socket,
                    node,
                    core,
                    class,
                })
                .collect(),
            ..Machine::default()
        }
    }

    fn cpu(number: u32, user: u64, kernel: u64, idle: u64) -> CpuUse {
        CpuUse {
            number,
            user: Duration::from_millis(user),
            kernel: Duration::from_millis(kernel),
            idle: Duration::from_millis(idle),
            ..CpuUse::default()
        }
    }

    fn text(machine: &Machine, cpus: &[CpuUse]) -> String {
        let mut out = Vec::new();
        table(machine, cpus, Form::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn an_ordinary_machine_has_no_topology_columns() {
        // Numbers by hand: 455 of 1000 ms in programs, 545 in the kernel; nothing at all is idle.
        let machine = machine(&[(0, 0, 0, 0, 0), (1, 0, 0, 1, 0)]);
        assert_eq!(
            text(&machine, &[cpu(0, 455, 545, 0), cpu(1, 0, 0, 0)]),
            "CPU |  Usage |  User  | Kernel |  Idle\n\
             ----------------------------------------\n   \
                0| 100.00%|  45.50%|  54.50%|   0.00%\n   \
                1|   0.00%|   0.00%|   0.00%| 100.00%\n\
             ----------------------------------------\n\
             avg.|  50.00%|  22.75%|  27.25%|  50.00%\n"
        );
    }

    #[test]
    fn threads_of_a_core_bring_a_core_column() {
        // The layout of a DiskSpd 2.2 report from a hyper-threaded machine.
        let machine = machine(&[(0, 0, 0, 0, 0), (1, 0, 0, 0, 0)]);
        let text = text(&machine, &[cpu(0, 0, 0, 1), cpu(1, 0, 0, 1)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "Core | CPU |  Usage |  User  | Kernel |  Idle");
        assert_eq!(lines[1].len(), 47);
        assert_eq!(lines[3], "    0|    1|   0.00%|   0.00%|   0.00%| 100.00%");
        assert_eq!(lines[5], "       avg.|   0.00%|   0.00%|   0.00%| 100.00%");
    }

    #[test]
    fn every_kind_that_exists_twice_has_a_column_and_numbers_are_relative_to_the_group() {
        let machine = machine(&[(0, 0, 0, 0, 0), (64, 1, 1, 1, 1), (65, 1, 1, 1, 1)]);
        let text = text(&machine, &[cpu(65, 1, 0, 0)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "Socket | Node | Group | Core | Class | CPU |  Usage |  User  | Kernel |  Idle"
        );
        assert_eq!(
            lines[2],
            "      1|     1|      1|     0|     1P|    1| 100.00%| 100.00%|   0.00%|   0.00%"
        );
    }
}
