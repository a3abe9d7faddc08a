//! `iogauge` alone: this machine's disks, and lines to paste.

use std::{fmt::Write as _, path::PathBuf, time::Duration};

use super::{terminal, words};
use crate::{
    exit::ExitCode,
    host::{self, Activity, Disk, DiskLoad, Machine, Process},
    report::text::lines,
    units::names::escaped,
};

/// Disks are watched for so long: enough to tell a busy one from an idle one.
const LOOK: Duration = Duration::from_millis(500);

/// Characters in a line.
const WIDTH: usize = 80;

/// Lines to paste, and what each is for.
const LINES: [(&str, &str); 5] = [
    ("iogauge quick .", "the corners of this disk, in a minute"),
    (
        "iogauge run sqlserver/oltp .",
        "will it carry a database server?",
    ),
    (
        "iogauge versus quick /mnt/old /mnt/new",
        "which of two disks is better at what",
    ),
    (
        "iogauge explain -- sqlio -kW -s10 -b64 x.dat",
        "what an old line would do",
    ),
    ("iogauge profiles", "the workloads that are built in"),
];

/// Carries it out.
pub(super) fn run() -> ExitCode {
    let disks = host::disks();
    let places: Vec<PathBuf> = disks.iter().map(host::place_on).collect();
    let activity = host::activity(&places, LOOK);
    let seen = Seen {
        machine: host::machine(),
        disks,
        activity,
        devices_are_shown: host::devices_are_shown(),
    };
    terminal::show(seen.text().as_bytes(), ExitCode::Ok)
}

/// What there is to tell.
struct Seen {
    machine: Machine,
    disks: Vec<Disk>,
    activity: Activity,
    devices_are_shown: bool,
}

impl Seen {
    fn text(&self) -> String {
        let mut text = self.heading();
        if self.disks.is_empty() {
            text.push_str("\nNo disk is seen from here.\n");
        } else {
            text.push_str("\nMOUNT            DEVICE      KIND     FS              FREE  WRITE CACHE    BUSY\n");
            let loads = self
                .activity
                .disks
                .iter()
                .copied()
                .chain([None].into_iter().cycle());
            for (disk, load) in self.disks.iter().zip(loads) {
                row(&mut text, disk, load);
            }
        }
        if !self.devices_are_shown {
            text.push_str(
                "\nThe system does not show its devices here (a container without /sys?), so that\n\
                 kinds and write caches are not known.\n",
            );
        }
        text.push_str("\nLines to paste:\n\n");
        for (line, purpose) in LINES {
            let _ = writeln!(text, "  {line}\n      {purpose}");
        }
        text.push_str("\nMore: iogauge --help; what needs action here: iogauge doctor\n");
        text
    }

    fn heading(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let machine = &self.machine;
        let memory = if machine.memory > 0 {
            format!(", {} of memory", words::size(machine.memory))
        } else {
            String::new()
        };
        let line = format!(
            "iogauge {version} on {}: {}{memory}, {}",
            escaped(&machine.name),
            words::count(machine.usable.len(), "CPU"),
            escaped(&machine.kernel)
        );
        lines(&line, WIDTH).join("\n") + "\n"
    }
}

fn row(text: &mut String, disk: &Disk, load: Option<DiskLoad>) {
    let mount = disk
        .mount
        .as_deref()
        .map_or_else(|| "-".to_owned(), escaped);
    let device = escaped(&disk.device);
    let filesystem = disk
        .filesystem
        .as_deref()
        .map_or_else(|| "-".to_owned(), escaped);
    let free = disk
        .space
        .map_or_else(|| "-".to_owned(), |space| words::size(space.available));
    let busy = load.map_or_else(
        || "-".to_owned(),
        |load| format!("{:.0} %", load.busy * 100.0),
    );
    let cache = match disk
        .facts
        .as_ref()
        .and_then(|facts| facts.write_cache.as_deref())
    {
        Some("write back") => "volatile",
        Some("write through") => "none",
        _ => "?",
    };
    let _ = writeln!(
        text,
        "{:<15}  {:<10}  {:<7}  {:<8}  {free:>10}  {cache:<11}  {busy:>6}",
        words::fit(&mount, 15),
        words::fit(&device, 10),
        disk.kind,
        words::fit(&filesystem, 8),
    );
    let mut users: Vec<String> = disk
        .uses
        .iter()
        .map(|used| escaped(&used.to_string()))
        .collect();
    users.extend(written_by(&disk.writers));
    for line in users.iter().flat_map(|users| lines(users, WIDTH - 4)) {
        let _ = writeln!(text, "    {line}");
    }
}

/// Names once, those with most processes first.
fn written_by(writers: &[Process]) -> Option<String> {
    const SHOWN: usize = 4;
    let mut names: Vec<(&str, usize)> = Vec::new();
    for process in writers {
        match names.iter_mut().find(|(name, _)| *name == process.name) {
            Some((_, count)) => *count += 1,
            None => names.push((&process.name, 1)),
        }
    }
    names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown: Vec<String> = names
        .iter()
        .take(SHOWN)
        .map(|(name, _)| escaped(name))
        .collect();
    (!shown.is_empty()).then(|| format!("open for writing by {}{more}", shown.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{Device, DeviceUse, DiskKind, Space};

    fn disk(mount: Option<&str>, device: &str) -> Disk {
        Disk {
            mount: mount.map(str::to_owned),
            device: device.to_owned(),
            kind: DiskKind::Ssd,
            filesystem: mount.map(|_| "ext4".to_owned()),
            space: mount.map(|_| Space {
                size: 100 << 30,
                available: 50 << 30,
                filesystem: 1,
            }),
            facts: Some(Device {
                name: device.to_owned(),
                model: None,
                size: 1 << 40,
                scheduler: None,
                rotational: Some(false),
                logical_sector: Some(512),
                physical_sector: Some(4096),
                write_cache: Some("write back".into()),
            }),
            writers: Vec::new(),
            uses: Vec::new(),
        }
    }

    fn seen(disks: Vec<Disk>) -> Seen {
        let load = DiskLoad {
            busy: 0.125,
            ..DiskLoad::default()
        };
        Seen {
            machine: host::parse_machine("lp=4").unwrap(),
            disks,
            activity: Activity {
                disks: vec![Some(load)],
                ..Activity::default()
            },
            devices_are_shown: true,
        }
    }

    #[test]
    fn a_disk_is_one_line_and_who_uses_it_another() {
        let mut first = disk(Some("/"), "nvme0n1p2");
        let process = |pid, name: &str| Process {
            pid,
            name: name.into(),
        };
        first.writers = vec![
            process(1, "journald"),
            process(2, "postgres"),
            process(3, "postgres"),
        ];
        let mut second = disk(None, "sdb");
        second.uses.push(DeviceUse::Holder {
            device: "sdb".into(),
            holder: "md0".into(),
        });
        let text = seen(vec![first, second]).text();
        let rows: Vec<&str> = text.lines().skip(2).take(5).collect();
        assert_eq!(
            rows,
            [
                "MOUNT            DEVICE      KIND     FS              FREE  WRITE CACHE    BUSY",
                "/                nvme0n1p2   ssd      ext4        50.0 GiB  volatile       12 %",
                "    open for writing by postgres, journald",
                "-                sdb         ssd      -                  -  volatile          -",
                "    md0 is built on sdb",
            ]
        );
    }

    #[test]
    fn every_line_has_eighty_characters_at_most_and_no_name_steers_the_terminal() {
        let long = "/very/long/place\x1b[2J/where/somebody/mounted/it";
        let mut odd = disk(Some(long), "a-volume-group-with-a-volume");
        odd.filesystem = Some("fuse.something-long".into());
        odd.space = Some(Space {
            size: u64::MAX,
            available: u64::MAX,
            filesystem: 1,
        });
        odd.writers = (0..50)
            .map(|pid| Process {
                pid,
                name: format!("a-name-of-15-{pid}"),
            })
            .collect();
        let mut text = seen(vec![odd]);
        text.machine.name = "a".repeat(70);
        text.devices_are_shown = false;
        let text = text.text();
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
            assert!(line.is_ascii() && !line.contains('\x1b'), "{line}");
        }
        let pasted = text
            .lines()
            .filter(|line| line.starts_with("  iogauge "))
            .count();
        assert_eq!(pasted, 5);
        assert!(text.contains("a container without /sys?"));
        assert!(
            seen(Vec::new())
                .text()
                .contains("No disk is seen from here.")
        );
    }
}
