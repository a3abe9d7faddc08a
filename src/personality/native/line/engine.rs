//! fio's names for engines and for what becomes of errors, in our own words.

use super::{Typed, typed::Whose};
use crate::personality::native::commands::load::{CommonArgs, LoadArgs};

/// fio's engines and ours. All of its synchronous ones make one call for each I/O.
const ENGINES: [(&str, &str); 7] = [
    ("libaio", "libaio"),
    ("io_uring", "io_uring"),
    ("psync", "psync"),
    ("sync", "psync"),
    ("pvsync", "psync"),
    ("mmap", "mmap"),
    ("null", "null"),
];

/// Options of every load, with what fio's names say among them.
///
/// # Errors
/// A sentence with the option as typed.
pub(in crate::personality::native) fn common(args: &LoadArgs) -> Result<CommonArgs, String> {
    let mut common = args.common.clone();
    let fio = &args.fio;
    let engine = ("--engine", common.engine.as_ref());
    if let Some((typed, Whose::Fio)) = Typed::either(engine, ("--ioengine", fio.ioengine.as_ref()))?
    {
        common.engine = Some(typed.one_of(&ENGINES)?.to_owned());
    }
    let on_error = ("--on-error", common.on_error.as_ref());
    let theirs = ("--continue_on_error", fio.continue_on_error.as_ref());
    if let Some((typed, Whose::Fio)) = Typed::either(on_error, theirs)? {
        let known = [
            ("none", "stop"),
            ("0", "stop"),
            ("all", "continue"),
            ("io", "continue"),
            ("1", "continue"),
        ];
        common.on_error = Some(typed.one_of(&known)?.to_owned());
    }
    Ok(common)
}
