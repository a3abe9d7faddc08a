//! Command lines on the machine of the recordings.

use std::ffi::OsString;

use crate::{
    host::{Cpu, Machine},
    personality::{
        Environment,
        diskspd::line::{Line, Parsed, parse},
    },
};

pub(in crate::personality::diskspd) fn args(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

/// Two CPUs, as on the machine of the recordings.
pub(in crate::personality::diskspd) fn around() -> Environment {
    let cpu = |number| Cpu {
        number,
        socket: 0,
        node: 0,
        core: number,
        class: 0,
    };
    Environment {
        machine: Machine {
            cpus: vec![cpu(0), cpu(1)],
            usable: vec![0, 1],
            ..Machine::default()
        },
        uptime_ms: (7 << 32) + 1_668_597,
        ..Environment::default()
    }
}

pub(in crate::personality::diskspd) fn line(text: &str) -> Line {
    match parse(&args(text), &around()) {
        Ok(Parsed::Profile(line)) => *line,
        other => panic!("{text}: {other:?}"),
    }
}

pub(in crate::personality::diskspd) fn refusal(text: &str) -> Vec<String> {
    match parse(&args(text), &around()) {
        Err(messages) => messages,
        Ok(_) => panic!("{text} is accepted"),
    }
}
