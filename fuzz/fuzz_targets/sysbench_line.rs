//! Any command line whatever, by the rules of either version, must be parsed or refused by the
//! sysbench face, explained, and never panic. Words are separated by line breaks or blanks; the
//! first byte chooses the version, and what follows a zero byte is the file of `--config-file`.

#![no_main]

use std::{cell::RefCell, ffi::OsString};

use iogauge::personality::{Environment, Files, Settings, SysbenchVersion, find};
use libfuzzer_sys::fuzz_target;

thread_local! {
    static CONFIG: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fuzz_target!(|input: &[u8]| {
    let Some((version, rest)) = input.split_first() else {
        return;
    };
    let (line, config) = match rest.iter().position(|byte| *byte == 0) {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => (rest, &[][..]),
    };
    CONFIG.set(config.to_vec());
    let line = String::from_utf8_lossy(line);
    let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    let Some(face) = find("sysbench") else {
        return;
    };
    let around = Environment {
        settings: Settings {
            sysbench: match version % 3 {
                0 => None,
                1 => Some(SysbenchVersion::V0_4),
                _ => Some(SysbenchVersion::V1_0),
            },
            ..Settings::default()
        },
        files: Files::with(|_| true, |_| Ok(CONFIG.with_borrow(Clone::clone))),
        ..Environment::default()
    };
    let explained = face.explain(&words, &around);
    // Lines without an argument say what holds for the whole line.
    let arguments = explained
        .iter()
        .filter(|line| !line.argument.is_empty())
        .count();
    assert_eq!(arguments, words.len(), "one line an argument");
    if let Err(error) = face.parse(&words, &around) {
        assert_ne!(error.exit, 0, "a refusal has an exit code");
        assert!(
            !error.messages.is_empty() || error.usage.is_some(),
            "a refusal says why"
        );
    }
});
