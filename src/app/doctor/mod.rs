//! `iogauge doctor`: what on this machine needs action before it is measured. It only looks.

mod checks;
mod direct;
mod engines;
mod machine;
mod place;

use std::{fmt::Write as _, time::Duration};

use serde::Serialize;

use self::{
    checks::{Check, State},
    direct::direct_io,
};
use super::terminal;
use crate::{
    exit::ExitCode, host, personality::native::commands::doctor::DoctorArgs, report::text::lines,
    units::names::shown,
};

/// Disk and CPUs are watched for so long.
const LOOK: Duration = Duration::from_secs(1);

/// Characters in a line.
const WIDTH: usize = 80;

/// Carries it out.
pub(super) fn run(args: &DoctorArgs) -> ExitCode {
    let path = shown(args.path.as_os_str());
    if let Err(error) = host::look(&args.path) {
        terminal::complain(&format!(
            "iogauge: doctor {path}: {error}: name a folder, a file or a disk that is there"
        ));
        return ExitCode::Usage;
    }
    let report = Report {
        schema: 1,
        version: env!("CARGO_PKG_VERSION"),
        host: host::machine().name,
        checks: examine(args),
        path,
    };
    if args.json {
        return match serde_json::to_string_pretty(&report.wire()) {
            Ok(text) => terminal::show(format!("{text}\n").as_bytes(), ExitCode::Ok),
            Err(error) => {
                terminal::complain(&format!("iogauge: doctor --json: {error}"));
                ExitCode::Failed
            }
        };
    }
    terminal::show(report.text(args.all).as_bytes(), ExitCode::Ok)
}

/// Looks at everything once.
fn examine(args: &DoctorArgs) -> Vec<Check> {
    let mut activity = host::activity(std::slice::from_ref(&args.path), LOOK);
    let seen = place::Seen {
        filesystem: host::filesystem(&args.path),
        space: host::space(&args.path),
        underneath: host::underneath(&args.path),
        direct: direct_io(&args.path),
        load: activity.disks.pop().flatten(),
        device: host::look(&args.path).is_ok_and(|look| look.kind == host::PathKind::BlockDevice),
    };
    let mut checks = engines::checks(&engines::probe());
    checks.extend(place::checks(&seen));
    checks.extend(machine::checks(&machine::Seen {
        machine: host::machine(),
        conditions: host::conditions(),
        activity,
        limits: machine::Limits::now(),
    }));
    checks
}

/// What was seen.
struct Report {
    schema: u32,
    version: &'static str,
    host: String,
    path: String,
    checks: Vec<Check>,
}

/// The same for programs. Names of fields and of checks stay as they are within a schema.
#[derive(Serialize)]
struct Wire<'a> {
    schema: u32,
    version: &'a str,
    host: &'a str,
    path: &'a str,
    needs_action: usize,
    checks: &'a [Check],
}

impl Report {
    fn wire(&self) -> Wire<'_> {
        Wire {
            schema: self.schema,
            version: self.version,
            host: &self.host,
            path: &self.path,
            needs_action: self.needing().count(),
            checks: &self.checks,
        }
    }

    fn needing(&self) -> impl Iterator<Item = &Check> {
        let checks = self.checks.iter();
        checks.filter(|check| check.state == State::Action)
    }

    fn text(&self, all: bool) -> String {
        let count = self.needing().count();
        let what = match count {
            0 => "Nothing needs action".to_owned(),
            1 => "1 thing needs action".to_owned(),
            count => format!("{count} things need action"),
        };
        let heading = format!("{what} before {} is measured on {}.", self.path, self.host);
        let mut text = lines(&heading, WIDTH).join("\n") + "\n";
        for check in self.needing() {
            text.push('\n');
            entry(&mut text, check);
        }
        if all {
            text.push('\n');
            let others = self
                .checks
                .iter()
                .filter(|check| check.state != State::Action);
            others.for_each(|check| entry(&mut text, check));
        } else {
            text.push_str("\nWhat is fine: iogauge doctor --all\n");
        }
        text
    }
}

/// A sign, what it is about and what was seen; then what to do.
fn entry(text: &mut String, check: &Check) {
    let sign = match check.state {
        State::Action => '!',
        State::Fine => '-',
        State::Unknown => '?',
    };
    let sentence = format!("{}: {}", check.title(), check.finding);
    for (number, line) in lines(&sentence, WIDTH - 2).iter().enumerate() {
        let start = if number == 0 { sign } else { ' ' };
        let _ = writeln!(text, "{start} {line}");
    }
    if let Some(remedy) = &check.remedy {
        for line in lines(&format!("-> {remedy}"), WIDTH - 4) {
            let _ = writeln!(text, "    {line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        Report {
            schema: 1,
            version: "1.2.3",
            host: "db7".into(),
            path: "/data".into(),
            checks: vec![
                Check::fine("clock", "the kernel keeps time by tsc"),
                Check::action(
                    "swap",
                    "2.00 GiB of swap space are in use",
                    "free some memory",
                )
                .with("used_bytes", 2_u64 << 30),
                Check::unknown("direct_io", "there is no file to try it on"),
            ],
        }
    }

    #[test]
    fn only_what_needs_action_is_told_unless_all_is_asked() {
        let expected = "1 thing needs action before /data is measured on db7.\n\n\
                        ! swap: 2.00 GiB of swap space are in use\n    -> free some memory\n\n\
                        What is fine: iogauge doctor --all\n";
        assert_eq!(report().text(false), expected);
        let all = report().text(true);
        assert!(all.contains("\n- clock: the kernel keeps time by tsc\n"));
        assert!(all.contains("\n? direct I/O: there is no file to try it on\n"));
        let mut fine = report();
        fine.checks.remove(1);
        assert!(fine.text(false).starts_with("Nothing needs action before"));
    }

    #[test]
    fn programs_find_every_check_by_its_key() {
        let text = serde_json::to_string(&report().wire()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["schema"], 1);
        assert_eq!(value["needs_action"], 1);
        let check = &value["checks"][1];
        assert_eq!(check["check"], "swap");
        assert_eq!(check["state"], "action");
        assert_eq!(check["remedy"], "free some memory");
        assert_eq!(check["values"]["used_bytes"], 2_147_483_648_u64);
        assert_eq!(value["checks"][0]["remedy"], serde_json::Value::Null);
    }

    #[test]
    fn lines_are_not_longer_than_a_terminal() {
        let mut report = report();
        report.checks[1].finding = "word ".repeat(60);
        report.checks[1].remedy = Some("word ".repeat(60));
        for line in report.text(true).lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
