//! Where I/Os go and which they are: `--rw`, `--mix`, `--cache`, `--cpus`.

use super::{Asked, Operations, Order, Typed, typed::Whose};
use crate::{personality::native::commands::load::LoadArgs, plan::Caching, units::number};

/// Percent of writes where a load is mixed and nobody says how.
const WRITES_OF_A_MIX: u32 = 30;
/// Numbers of CPUs are below this; Linux itself stops at 8192.
const CPU_MAX: u64 = 8191;

/// `--rw` and `--mix` with fio's names for it.
pub(super) fn operations(
    args: &LoadArgs,
    asked: &mut Asked,
    notes: &mut Vec<String>,
) -> Result<(), String> {
    let mixed = Operations::Mixed {
        write_percent: WRITES_OF_A_MIX,
    };
    let known = [
        ("read", (Order::Sequential, Operations::Reads)),
        ("write", (Order::Sequential, Operations::Writes)),
        ("readwrite", (Order::Sequential, mixed)),
        ("rw", (Order::Sequential, mixed)),
        ("randread", (Order::Random, Operations::Reads)),
        ("randwrite", (Order::Random, Operations::Writes)),
        ("randrw", (Order::Random, mixed)),
    ];
    let typed = Typed::new("--rw", args.rw.as_ref());
    let pattern = typed.map(|typed| typed.one_of(&known)).transpose()?;
    asked.order = pattern.map(|(order, _)| order);
    asked.operations = pattern.map(|(_, operations)| operations);
    let mix = Typed::either(
        ("--mix", args.mix.as_ref()),
        ("--rwmixread", args.fio.rwmixread.as_ref()),
    )?;
    let Some((mix, whose)) = mix else {
        return Ok(());
    };
    let write_percent = match whose {
        Whose::Ours => ratio(mix)?,
        Whose::Fio => 100 - mix.small(0, 100)?,
    };
    match (typed, asked.operations) {
        (_, Some(Operations::Mixed { .. })) => {
            asked.operations = Some(Operations::Mixed { write_percent });
        }
        // fio's lines carry it along with loads that are not mixed, and fio says nothing.
        _ if whose == Whose::Fio => notes.push(format!(
            "{} has no effect: the load is not mixed (--rw=randrw is)",
            mix.name
        )),
        (Some(typed), _) => {
            return Err(format!(
                "{} is for mixed loads, but --rw={} is not: --rw randrw or readwrite",
                mix.name, typed.value
            ));
        }
        (None, _) => {
            asked.order = Some(Order::Random);
            asked.operations = Some(Operations::Mixed { write_percent });
        }
    }
    Ok(())
}

/// `70:30`: percent of writes.
fn ratio(typed: Typed<'_>) -> Result<u32, String> {
    let right = "reads to writes in whole percents, as in 70:30";
    let parts = typed.value.split_once(':').and_then(|(reads, writes)| {
        let part = |text| number::within(text, 0, 1_000_000).ok();
        Some((part(reads)?, part(writes)?))
    });
    let (reads, writes) = parts.ok_or_else(|| typed.wrong(right))?;
    let all = reads + writes;
    if all == 0 || !(100 * writes).is_multiple_of(all) {
        return Err(typed.wrong(right));
    }
    u32::try_from(100 * writes / all).map_err(|_| typed.wrong(right))
}

/// `--cache` and fio's `--direct`.
pub(super) fn caching(args: &LoadArgs) -> Result<Option<Caching>, String> {
    let typed = Typed::either(
        ("--cache", args.cache.as_ref()),
        ("--direct", args.fio.direct.as_ref()),
    )?;
    let (direct, buffered) = (Caching::Direct, Caching::Buffered);
    typed
        .map(|(typed, whose)| match whose {
            Whose::Ours => typed.one_of(&[("direct", direct), ("buffered", buffered)]),
            Whose::Fio => typed.one_of(&[("1", direct), ("0", buffered)]),
        })
        .transpose()
}

/// `--cpus 0-3,8`.
pub(super) fn cpus(args: &LoadArgs) -> Result<Option<Vec<u32>>, String> {
    let Some(typed) = Typed::new("--cpus", args.cpus.as_ref()) else {
        return Ok(None);
    };
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let cpu = |text| number::within(text, 0, CPU_MAX).ok();
        let (first, last) = (cpu(first)?, cpu(last)?);
        (first <= last).then_some(first..=last)
    };
    let mut cpus = Vec::new();
    for part in typed.value.split(',') {
        let numbers = range(part).ok_or_else(|| {
            typed.wrong(&format!(
                "numbers of CPUs from 0 to {CPU_MAX}, as in 0-3,8 (lscpu lists them)"
            ))
        })?;
        cpus.extend(numbers.map(|cpu| cpu as u32));
        if cpus.len() as u64 > CPU_MAX + 1 {
            return Err(typed.wrong("a list that names each CPU once"));
        }
    }
    Ok(Some(cpus))
}
