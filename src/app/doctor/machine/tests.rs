//! Machines that this one is not.

use super::*;
use crate::{app::doctor::checks::State, host::Swap};

/// A machine where all is well, changed.
fn seen(change: impl FnOnce(&mut Seen)) -> Vec<Check> {
    let mut seen = Seen {
        machine: Machine {
            memory: 16 << 30,
            power_scheme: Some("performance".into()),
            ..Machine::default()
        },
        conditions: Conditions {
            clock: Some("tsc".into()),
            clocks: vec!["tsc".into(), "hpet".into()],
            swap: Swap {
                size: 4 << 30,
                used: 1 << 20,
            },
            aio_used: Some(0),
            aio_max: Some(65_536),
        },
        activity: Activity {
            disks: Vec::new(),
            cpus: Some(0.02),
            swapped: 0,
        },
        limits: Limits {
            open_files: Some(limit(Some(524_288))),
            locked_memory: Some(limit(Some(8 << 20))),
            mappings: Some(65_000),
            root: false,
        },
    };
    change(&mut seen);
    checks(&seen)
}

fn limit(value: Option<u64>) -> Limit {
    Limit {
        soft: value,
        hard: value,
    }
}

fn needing(checks: &[Check]) -> Vec<&str> {
    let needing = checks.iter().filter(|check| check.state == State::Action);
    needing.map(|check| check.key).collect()
}

#[test]
fn a_good_machine_needs_nothing() {
    let checks = seen(|_| {});
    assert_eq!(needing(&checks), [""; 0]);
    assert_eq!(checks.len(), 8);
    let unlimited = seen(|seen| {
        seen.limits.open_files = Some(limit(None));
        seen.limits.locked_memory = Some(limit(None));
        seen.conditions.swap = Swap::default();
    });
    assert_eq!(needing(&unlimited), [""; 0]);
}

#[test]
fn each_flaw_of_a_machine_is_named_and_has_a_remedy() {
    type Change = fn(&mut Seen);
    let changes: [(&str, &str, Change); 9] = [
        ("aio_requests", "536 more", |seen| {
            seen.conditions.aio_used = Some(65_000);
        }),
        ("open_files", "at most 512", |seen| {
            seen.limits.open_files = Some(limit(Some(512)));
        }),
        ("locked_memory", "at most 64.0 KiB", |seen| {
            seen.limits.locked_memory = Some(limit(Some(64 << 10)));
        }),
        ("mappings", "100 more", |seen| {
            seen.limits.mappings = Some(100);
        }),
        ("clock", "hpet", |seen| {
            seen.conditions.clock = Some("hpet".into());
        }),
        ("cpu_governor", "powersave", |seen| {
            seen.machine.power_scheme = Some("performance, powersave".into());
        }),
        ("cpus_busy", "11 %", |seen| seen.activity.cpus = Some(0.11)),
        ("swap", "3 pages", |seen| seen.activity.swapped = 3),
        // A tenth of 16 GiB is 1.6 GiB.
        ("swap", "2.00 GiB of 4.00 GiB", |seen| {
            seen.conditions.swap.used = 2 << 30;
        }),
    ];
    for (key, words, change) in changes {
        let checks = seen(change);
        assert_eq!(needing(&checks), [key], "{words}");
        let check = checks.iter().find(|check| check.state == State::Action);
        let check = check.expect("one needs action");
        assert!(check.finding.contains(words), "{}", check.finding);
        assert!(
            check
                .remedy
                .as_ref()
                .is_some_and(|remedy| !remedy.is_empty())
        );
    }
}

#[test]
fn root_may_lock_what_it_likes() {
    let checks = seen(|seen| {
        seen.limits.locked_memory = Some(limit(Some(64 << 10)));
        seen.limits.root = true;
    });
    assert_eq!(needing(&checks), [""; 0]);
}

#[test]
fn a_clock_that_can_be_had_is_named_in_the_remedy() {
    let remedy = |clocks: &[&str]| {
        let clocks: Vec<String> = clocks.iter().map(|&clock| clock.to_owned()).collect();
        let checks = seen(|seen| {
            seen.conditions.clock = Some("acpi_pm".into());
            seen.conditions.clocks = clocks;
        });
        let check = checks.into_iter().find(|check| check.key == "clock");
        check.and_then(|check| check.remedy).unwrap_or_default()
    };
    assert!(remedy(&["tsc", "acpi_pm"]).starts_with("echo tsc >"));
    assert!(remedy(&["acpi_pm"]).contains("dmesg"));
}

#[test]
fn what_the_system_does_not_say_is_left_out() {
    let nothing = checks(&Seen {
        machine: Machine::default(),
        conditions: Conditions::default(),
        activity: Activity::default(),
        limits: Limits::default(),
    });
    let keys: Vec<&str> = nothing.iter().map(|check| check.key).collect();
    assert_eq!(keys, ["swap"]);
}
