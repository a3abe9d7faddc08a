//! All built-in workloads, against the tables that they come from.

use super::*;
use crate::{
    host::{Machine, parse_machine},
    plan::{EngineChoice, Events, OnError, Origin, Plan, Step, WriteRules, validate::validate},
};

fn wanted(machine: &Machine) -> Wanted<'_> {
    Wanted::on(machine)
}

fn resolved(name: &str, wanted: &Wanted<'_>) -> Resolved {
    let profile = find(name, None).unwrap_or_else(|error| panic!("{error}"));
    let mut wanted = profile.fitting(wanted);
    if profile.needs_rate() && wanted.rate.is_none() {
        wanted.rate = Some(Rate {
            per_second: 1000.0,
            poisson: false,
        });
    }
    profile
        .resolve(&wanted)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn plan(resolved: &Resolved) -> Plan {
    Plan {
        steps: resolved.spans.iter().cloned().map(Step::Run).collect(),
        origin: Origin {
            personality: "native".into(),
            command_line: String::new(),
        },
        engine: EngineChoice::Auto,
        on_error: OnError::Stop,
        consent: Vec::new(),
        rules: WriteRules::Own,
        events: Events::default(),
    }
}

#[test]
fn every_profile_is_valid_on_small_and_large_machines() {
    for text in [
        "lp=1",
        "lp=256",
        "lp=256,numa=8,sock=4",
        "lp=32,numa=2,sock=2,soft=4",
    ] {
        let machine = parse_machine(text).unwrap();
        for name in names() {
            for rate in [None, Some(0.5), Some(1e8)] {
                for data_files in [1, 3, 40] {
                    let mut wanted = wanted(&machine);
                    wanted.rate = rate.map(|per_second| Rate {
                        per_second,
                        poisson: true,
                    });
                    let profile = find(name, None).unwrap();
                    let many = profile.resolve(&Wanted {
                        data_files,
                        rate: Some(Rate {
                            per_second: 9.0,
                            poisson: false,
                        }),
                        ..Wanted::on(&machine)
                    });
                    if data_files > 1 && many.is_err() {
                        continue;
                    }
                    wanted.data_files = data_files;
                    let resolved = resolved(name, &wanted);
                    assert_eq!(resolved.files.len(), resolved.spans[0].targets.len());
                    validate(&plan(&resolved)).unwrap_or_else(|e| panic!("{name} {text}: {e}"));
                }
            }
        }
    }
}
