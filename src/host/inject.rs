//! A machine in words, for tests and for profiles that are to be resolved for another machine:
//! `lp=32,numa=2,sock=2,soft=4`.

use thiserror::Error;

use super::{Cpu, Machine};

/// Logical CPUs of an invented machine at most; Linux itself stops at 8192.
const CPUS_MAX: u32 = 8192;

/// What is wrong with a machine in words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MachineError {
    /// A part that is not `name=number`, or a name that does not exist.
    #[error("'{0}' is no machine fact: write lp=32,numa=2,sock=2,cores=16,soft=4 or a part of it")]
    Part(String),
    /// A name occurs twice.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// A number that does not fit the others.
    #[error("{name}={value} is not within 1 to {max}")]
    Range {
        /// The name.
        name: &'static str,
        /// As given.
        value: u32,
        /// What would be accepted at most.
        max: u32,
    },
}

const NAMES: [&str; 5] = ["lp", "numa", "sock", "cores", "soft"];

/// Makes a machine of logical CPUs (`lp`), NUMA nodes (`numa`), sockets (`sock`), physical cores
/// (`cores`, else as many as `lp`) and soft-NUMA nodes (`soft`, else counted). What is not given is
/// 1. CPUs are dealt to nodes, sockets and cores in equal runs.
///
/// # Errors
/// The first part that does not fit.
pub fn parse_machine(text: &str) -> Result<Machine, MachineError> {
    let mut given = [None; NAMES.len()];
    for part in text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let unknown = || MachineError::Part(part.to_owned());
        let (name, number) = part.split_once('=').ok_or_else(unknown)?;
        let place = NAMES
            .iter()
            .position(|known| *known == name.trim())
            .ok_or_else(unknown)?;
        let number: u32 = number.trim().parse().map_err(|_| unknown())?;
        if given[place].replace(number).is_some() {
            return Err(MachineError::Twice(NAMES[place].to_owned()));
        }
    }
    let [lp, nodes, sockets, cores, soft] = given;
    let lp = within("lp", lp.unwrap_or(1), CPUS_MAX)?;
    let nodes = within("numa", nodes.unwrap_or(1), lp)?;
    let sockets = within("sock", sockets.unwrap_or(1), lp)?;
    let cores = within("cores", cores.unwrap_or(lp), lp)?;
    let soft_nodes_given = soft.map(|soft| within("soft", soft, lp)).transpose()?;
    let share = |number: u32, parts: u32| number * parts / lp;
    Ok(Machine {
        name: "machine".to_owned(),
        kernel: "none".to_owned(),
        cpus: (0..lp)
            .map(|number| Cpu {
                number,
                socket: share(number, sockets),
                node: share(number, nodes),
                core: share(number, cores),
                class: 0,
            })
            .collect(),
        usable: (0..lp).collect(),
        soft_nodes_given,
        ..Machine::default()
    })
}

fn within(name: &'static str, value: u32, max: u32) -> Result<u32, MachineError> {
    if (1..=max).contains(&value) {
        Ok(value)
    } else {
        Err(MachineError::Range { name, value, max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deals_cpus_evenly() {
        let machine = parse_machine("lp=32,numa=2,sock=2,soft=4").unwrap();
        assert_eq!(machine.cpus.len(), 32);
        assert_eq!(machine.usable.len(), 32);
        assert_eq!((machine.nodes(), machine.sockets()), (2, 2));
        assert_eq!(machine.soft_nodes(), 4);
        for node in 0..2 {
            assert_eq!(
                machine.cpus.iter().filter(|cpu| cpu.node == node).count(),
                16
            );
        }
        assert_eq!(machine.cpus[15].node, 0);
        assert_eq!(machine.cpus[16].node, 1);
    }

    #[test]
    fn soft_nodes_are_counted_in_eights_of_physical_cores() {
        // ceil(16 / 8) on each of two nodes; with two threads a core ceil(8 / 8).
        assert_eq!(parse_machine("lp=32,numa=2").unwrap().soft_nodes(), 4);
        assert_eq!(
            parse_machine("lp=32,numa=2,cores=16").unwrap().soft_nodes(),
            2
        );
        assert_eq!(parse_machine("lp=9").unwrap().soft_nodes(), 2);
        assert_eq!(
            parse_machine("lp=32,numa=2,soft=9").unwrap().soft_nodes(),
            9
        );
        assert_eq!(Machine::default().soft_nodes(), 1);
    }

    #[test]
    fn says_what_is_wrong() {
        for text in ["lp", "lp=x", "cpu=4", "lp=-1", "=1", "lp=99999999999"] {
            assert_eq!(parse_machine(text), Err(MachineError::Part(text.into())));
        }
        assert_eq!(
            parse_machine("lp=4,lp=4"),
            Err(MachineError::Twice("lp".into()))
        );
        let error = parse_machine("lp=4,numa=5").unwrap_err();
        assert_eq!(error.to_string(), "numa=5 is not within 1 to 4");
        assert!(parse_machine("lp=0").is_err());
        assert_eq!(parse_machine("").unwrap().cpus.len(), 1);
    }
}
