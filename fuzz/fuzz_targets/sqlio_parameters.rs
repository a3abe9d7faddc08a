//! Any parameter file and any batch file whatever must be read or refused by the SQLIO face, and
//! never panic.

#![no_main]

use std::{
    cell::RefCell,
    ffi::{OsStr, OsString},
};

use iogauge::personality::{Environment, Files, find, sqlio::batch};
use libfuzzer_sys::fuzz_target;

thread_local! {
    static FILE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fuzz_target!(|file: &[u8]| {
    FILE.set(file.to_vec());
    let around = Environment {
        files: Files::with(|_| true, |_| Ok(FILE.with_borrow(Clone::clone))),
        ..Environment::default()
    };
    let Some(face) = find("sqlio") else {
        return;
    };
    for order in ["-frandom", "-f64"] {
        let words = [order, "-Fparam.txt"].map(OsString::from);
        if let Err(error) = face.parse(&words, &around) {
            assert!(!error.messages.is_empty(), "a refusal says why");
        }
    }
    match batch::read(OsStr::new("test.cmd"), &around) {
        Ok(actions) => assert!(!actions.is_empty(), "something runs"),
        Err(problems) => assert!(!problems.is_empty(), "a refusal says why"),
    }
});
