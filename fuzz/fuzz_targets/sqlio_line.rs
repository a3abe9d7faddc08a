//! Any command line whatever must be parsed or refused by the SQLIO face, explained, and never
//! panic. Words are separated by line breaks or blanks.

#![no_main]

use std::ffi::OsString;

use iogauge::personality::{Environment, find};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    let line = String::from_utf8_lossy(line);
    let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    let Some(face) = find("sqlio") else {
        return;
    };
    let around = Environment::default();
    let explained = face.explain(&words, &around);
    // Lines without an argument say what holds for the whole line.
    let arguments = explained
        .iter()
        .filter(|line| !line.argument.is_empty())
        .count();
    assert_eq!(arguments, words.len(), "one line an argument");
    if let Err(error) = face.parse(&words, &around) {
        assert_eq!(error.exit, 1, "a refusal has the original's exit code");
        assert!(!error.messages.is_empty(), "a refusal says why");
    }
});
