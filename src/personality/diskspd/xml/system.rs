//! The machine in the XML results.

use super::write::XmlWriter;
use crate::{
    personality::diskspd::system::{self, Masks, Topology},
    results::Provenance,
};

/// The version that these results have the form of; programs ask for at least 2.1.
const VERSION: &str = "2.2.0";
/// Its date, as that version writes it.
const VERSION_DATE: &str = "2024/6/3";

/// The element `System`.
pub(super) fn write(provenance: &Provenance, xml: &mut XmlWriter) {
    let machine = &provenance.machine;
    xml.open("System");
    xml.text("ComputerName", &machine.name);
    xml.open("Tool");
    xml.text("Version", &VERSION);
    xml.text("VersionDate", &VERSION_DATE);
    xml.close("Tool");
    xml.text("RunTime", &system::start_time(provenance.started));
    xml.empty(
        "PowerScheme",
        &[("Name", &system::power_scheme(machine)), ("Guid", &"")],
    );
    write_topology(&Topology::of(machine), xml);
    xml.close("System");
}

fn write_topology(topology: &Topology<'_>, xml: &mut XmlWriter) {
    xml.open_with(
        "ProcessorTopology",
        &[("Heterogeneous", &topology.heterogeneous)],
    );
    for (group, mask) in &topology.groups {
        xml.empty(
            "Group",
            &[
                ("Group", group),
                ("MaximumProcessors", &system::group_maximum(*mask)),
                ("ActiveProcessors", &mask.count_ones()),
                ("ActiveProcessorMask", &format_args!("0x{mask:x}")),
            ],
        );
    }
    for (node, masks) in &topology.nodes {
        write_masks("Node", *node, masks, xml);
    }
    for (socket, masks) in &topology.sockets {
        write_masks("Socket", *socket, masks, xml);
    }
    for core in &topology.cores {
        xml.empty(
            "Core",
            &[
                ("Group", &core.group),
                ("Core", &core.number),
                ("Mask", &format_args!("0x{:x}", core.mask)),
                ("EfficiencyClass", &core.class),
            ],
        );
    }
    xml.close("ProcessorTopology");
}

fn write_masks(name: &str, number: u32, masks: &Masks, xml: &mut XmlWriter) {
    xml.open_with(name, &[(name, &number)]);
    for (group, mask) in masks {
        xml.empty(
            "Group",
            &[("Group", group), ("Mask", &format_args!("0x{mask:x}"))],
        );
    }
    xml.close(name);
}

/// Where a CPU is; the number is the system's.
pub(super) fn write_placement(topology: &Topology<'_>, number: u32, xml: &mut XmlWriter) {
    let place = topology.place(number);
    for (name, value) in [
        ("Socket", place.socket),
        ("Node", place.node),
        ("Group", place.group),
        ("Core", place.core),
        ("EfficiencyClass", place.class),
        ("Id", place.cpu),
    ] {
        xml.text(name, &value);
    }
}

#[cfg(test)]
mod tests {
    use super::{Topology, write_topology};
    use crate::{
        host::{Cpu, Machine},
        personality::diskspd::xml::write::XmlWriter,
    };

    #[test]
    fn two_groups_with_a_cpu_missing() {
        let cpu = |number, socket, core, class| Cpu {
            number,
            socket,
            node: socket,
            core,
            class,
        };
        let machine = Machine {
            cpus: vec![cpu(0, 0, 0, 0), cpu(2, 0, 0, 0), cpu(65, 1, 9, 1)],
            ..Machine::default()
        };
        let mut xml = XmlWriter::default();
        write_topology(&Topology::of(&machine), &mut xml);
        // By hand: CPUs 0 and 2 are bits 0 and 2 of group 0; CPU 65 is bit 1 of group 1.
        assert_eq!(
            xml.finish(),
            r#"<ProcessorTopology Heterogeneous="true">
  <Group Group="0" MaximumProcessors="3" ActiveProcessors="2" ActiveProcessorMask="0x5"/>
  <Group Group="1" MaximumProcessors="2" ActiveProcessors="1" ActiveProcessorMask="0x2"/>
  <Node Node="0">
    <Group Group="0" Mask="0x5"/>
  </Node>
  <Node Node="1">
    <Group Group="1" Mask="0x2"/>
  </Node>
  <Socket Socket="0">
    <Group Group="0" Mask="0x5"/>
  </Socket>
  <Socket Socket="1">
    <Group Group="1" Mask="0x2"/>
  </Socket>
  <Core Group="0" Core="0" Mask="0x5" EfficiencyClass="0"/>
  <Core Group="1" Core="0" Mask="0x2" EfficiencyClass="1"/>
</ProcessorTopology>
"#
        );
    }
}
