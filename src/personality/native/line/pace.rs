//! How fast: `--rate`, `--cap`, `--think`, `--burst`, and fio's `--rate`, `--rate_iops`, `--thinktime`.

use std::time::Duration;

use super::{Pace, Per, Typed, typed::apart};
use crate::{
    personality::native::commands::load::LoadArgs,
    units::{fio, number, size},
};

/// More I/Os a second than anything does.
pub(in crate::personality::native) const RATE_MAX: u64 = 1_000_000_000;

/// The one pace that a load has.
pub(super) fn read(args: &LoadArgs, notes: &mut Vec<String>) -> Result<Option<Pace>, String> {
    let rate = Typed::new("--rate", args.rate.as_ref());
    let cap = Typed::new("--cap", args.cap.as_ref());
    let iops = Typed::new("--rate_iops", args.fio.rate_iops.as_ref());
    let think = Typed::new("--think", args.think.as_ref());
    let fio_think = Typed::new("--thinktime", args.fio.thinktime.as_ref());
    let given: Vec<Typed<'_>> = [rate, cap, iops, think, fio_think]
        .into_iter()
        .flatten()
        .collect();
    if let [one, other, ..] = given.as_slice() {
        return Err(apart(one.name, other.name));
    }
    let burst = Typed::new("--burst", args.burst.as_ref());
    let operations = burst.map_or(Ok(1), |burst| burst.number(1, RATE_MAX))?;
    if let Some(burst) = burst
        && think.is_none()
        && fio_think.is_none()
    {
        return Err(format!(
            "--burst {} needs a pause between bursts: --think 10ms",
            burst.value
        ));
    }
    let pauses = |pause| Pace::Pauses { operations, pause };
    if let Some(typed) = rate {
        return self::rate(typed, notes).map(Some);
    }
    if let Some(typed) = cap {
        return self::cap(typed, notes).map(Some);
    }
    if let Some(typed) = iops {
        return Ok(Some(Pace::CapOperations {
            per_second: typed.number(1, RATE_MAX)?,
            per: Per::Thread,
        }));
    }
    if let Some(typed) = think {
        return typed
            .time(Duration::from_micros(1))
            .map(|t| Some(pauses(t)));
    }
    match fio_think {
        None => Ok(None),
        Some(typed) => {
            let pause = fio::microseconds(typed.value).map_err(|right| typed.wrong(&right))?;
            Ok(Some(pauses(pause)).filter(|_| !pause.is_zero()))
        }
    }
}

/// `5000`, `5000,poisson`; or `10m`, which is fio's.
fn rate(typed: Typed<'_>, notes: &mut Vec<String>) -> Result<Pace, String> {
    let (count, law) = match typed.value.split_once(',') {
        None => (typed.value, None),
        Some((count, law)) => (count, Some(law)),
    };
    let right = || {
        typed.wrong(&format!(
            "I/Os a second from 1 to {RATE_MAX}, as in 5000 or 5000,poisson; or with a unit, as \
             in 10m, fio's limit of bytes a second"
        ))
    };
    let poisson = match law {
        None => false,
        Some("poisson") => true,
        Some(_) => return Err(right()),
    };
    if let Ok(per_second) = number::within(count, 1, RATE_MAX) {
        return Ok(Pace::Arrivals {
            per_second,
            poisson,
        });
    }
    let with_unit = count.ends_with(|c: char| c.is_ascii_alphabetic()) && law.is_none();
    if !with_unit {
        return Err(right());
    }
    let per_second = fio::size(count, 1, size::SIZE_MAX).map_err(|_| right())?;
    notes.push(format!(
        "--rate={count} is read as fio's: at most {per_second} bytes a second of each thread \
         (--rate 5000 would be I/Os a second, arriving whether or not the target keeps up)"
    ));
    Ok(Pace::CapBytes {
        per_second,
        per: Per::Thread,
    })
}

/// `5000`, or `200MiB/s`.
fn cap(typed: Typed<'_>, notes: &mut Vec<String>) -> Result<Pace, String> {
    let right = || {
        typed.wrong(&format!(
            "I/Os a second from 1 to {RATE_MAX}, as in 5000, or bytes a second, as in 200MiB/s"
        ))
    };
    if let Some(bytes) = typed.value.strip_suffix("/s") {
        if let Some(sentence) = typed.part(bytes).doubtful() {
            return Err(sentence);
        }
        let parsed = size::parse(bytes, 1, size::SIZE_MAX).map_err(|_| right())?;
        notes.extend(size::echo(bytes, parsed));
        return Ok(Pace::CapBytes {
            per_second: parsed.bytes,
            per: Per::Run,
        });
    }
    let per_second = number::within(typed.value, 1, RATE_MAX).map_err(|_| right())?;
    Ok(Pace::CapOperations {
        per_second,
        per: Per::Run,
    })
}
