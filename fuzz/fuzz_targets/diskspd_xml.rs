//! Any XML profile whatever must be read or refused by the DiskSpd face, and never panic; one that
//! is read is echoed as XML, and its echo is read again to the same echo.

#![no_main]

use std::{cell::RefCell, ffi::OsString};

use iogauge::personality::{Command, Environment, Files, find};
use libfuzzer_sys::fuzz_target;

thread_local! {
    static PROFILE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The echo of a profile; `None` where it is refused.
fn echo(profile: Vec<u8>) -> Option<String> {
    PROFILE.set(profile);
    let around = Environment {
        files: Files::with(|_| true, |_| Ok(PROFILE.with_borrow(Clone::clone))),
        ..Environment::default()
    };
    let words = ["-Rpxml", "-Xprofile.xml"].map(OsString::from);
    match find("diskspd")?.parse(&words, &around) {
        Ok(Command::Print { text, .. }) => Some(text),
        Ok(Command::Run(_)) => panic!("an echo runs nothing"),
        Err(error) => {
            assert!(!error.messages.is_empty(), "a refusal says why");
            None
        }
    }
}

fuzz_target!(|profile: &[u8]| {
    if let Some(first) = echo(profile.to_vec()) {
        let second = echo(first.clone().into_bytes());
        assert_eq!(Some(first), second, "the echo means the same");
    }
});
