//! When writes are durable and what they hold: `--durable`, `--data`, and fio's `--sync`, `--fsync`,
//! `--fdatasync`, `--zero_buffers`, `--buffer_pattern`.

use super::{Data, Durable, Typed, typed::apart};
use crate::{personality::native::commands::load::LoadArgs, units::number};

/// Writes between flushes at most.
const WRITES_MAX: u64 = u32::MAX as u64;

/// When a write is durable.
pub(super) fn read(args: &LoadArgs) -> Result<Option<Durable>, String> {
    let fio = &args.fio;
    let ours = Typed::new("--durable", args.durable.as_ref());
    let sync = Typed::new("--sync", fio.sync.as_ref());
    let fsync = Typed::new("--fsync", fio.fsync.as_ref());
    let fdatasync = Typed::new("--fdatasync", fio.fdatasync.as_ref());
    let given: Vec<Typed<'_>> = [ours, sync, fsync, fdatasync]
        .into_iter()
        .flatten()
        .collect();
    if let [one, other, ..] = given.as_slice() {
        return Err(apart(one.name, other.name));
    }
    if let Some(typed) = ours {
        return own(typed).map(Some);
    }
    if let Some(typed) = sync {
        let known = [
            ("none", Durable::No),
            ("0", Durable::No),
            ("dsync", Durable::Dsync),
            ("sync", Durable::Sync),
            ("1", Durable::Sync),
        ];
        return typed.one_of(&known).map(Some);
    }
    let every = |typed: Typed<'_>, data_only| {
        let writes = typed.number(0, WRITES_MAX)? as u32;
        Ok(Some(match writes {
            0 => Durable::No,
            writes => Durable::Every { writes, data_only },
        }))
    };
    match (fsync, fdatasync) {
        (Some(typed), _) => every(typed, false),
        (None, Some(typed)) => every(typed, true),
        (None, None) => Ok(None),
    }
}

fn own(typed: Typed<'_>) -> Result<Durable, String> {
    let right = || {
        typed.wrong(&format!(
            "no, dsync, sync, end, or fsync:N or fdatasync:N with N from 1 to {WRITES_MAX}"
        ))
    };
    let every = |text: &str, data_only| {
        let writes = number::within(text, 1, WRITES_MAX).map_err(|_| right())? as u32;
        Ok(Durable::Every { writes, data_only })
    };
    match typed.value.split_once(':') {
        Some(("fsync", writes)) => every(writes, false),
        Some(("fdatasync", writes)) => every(writes, true),
        Some(_) => Err(right()),
        None => match typed.value {
            "no" => Ok(Durable::No),
            "dsync" => Ok(Durable::Dsync),
            "sync" => Ok(Durable::Sync),
            "end" => Ok(Durable::End),
            _ => Err(right()),
        },
    }
}

/// What writes hold.
pub(super) fn data(args: &LoadArgs) -> Result<Option<Data>, String> {
    let fio = &args.fio;
    let ours = Typed::new("--data", args.data.as_ref());
    let zeros = Typed::new("--zero_buffers", fio.zero_buffers.as_ref());
    let pattern = Typed::new("--buffer_pattern", fio.buffer_pattern.as_ref());
    let given: Vec<Typed<'_>> = [ours, zeros, pattern].into_iter().flatten().collect();
    if let [one, other, ..] = given.as_slice() {
        return Err(apart(one.name, other.name));
    }
    if let Some(typed) = ours {
        return named(typed).map(Some);
    }
    if let Some(typed) = zeros {
        return typed.one_of(&[("1", Some(Data::Zeros)), ("0", None)]);
    }
    let Some(typed) = pattern else {
        return Ok(None);
    };
    let digits = typed.value.strip_prefix("0x").unwrap_or(typed.value);
    if !digits.is_empty() && digits.bytes().all(|digit| digit == b'0') {
        return Ok(Some(Data::Zeros));
    }
    Err(typed.wrong(
        "0x00: patterns other than zeros are not supported here (--data pattern repeats the \
         bytes 0 to 255, --data file:PATH writes what a file holds)",
    ))
}

/// Data by our own words.
pub(in crate::personality::native) fn named(typed: Typed<'_>) -> Result<Data, String> {
    match (typed.value, typed.value.strip_prefix("file:")) {
        ("random", _) => Ok(Data::Random),
        ("zeros", _) => Ok(Data::Zeros),
        ("pattern", _) => Ok(Data::Pattern),
        (_, Some(path)) if !path.is_empty() => Ok(Data::File(path.into())),
        _ => Err(typed.wrong("random, zeros, pattern or file:PATH")),
    }
}
