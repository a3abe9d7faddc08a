//! `--bs` and fio's `--bssplit`: one size, or sizes with weights.

use super::{Typed, typed::apart};
use crate::{
    personality::native::commands::load::LoadArgs,
    plan::{BlockSizes, WeightedSize},
    units::{fio, number, size},
};

/// An I/O at most: what one call of Linux can transfer is a page less than 2 GiB.
const BLOCK_MAX: u64 = 1 << 30;
/// Weights at most.
const WEIGHT_MAX: u64 = 1_000_000;

/// The sizes that a line asks for.
pub(super) fn read(args: &LoadArgs) -> Result<Option<BlockSizes>, String> {
    let ours = Typed::new("--bs", args.bs.as_ref());
    let split = Typed::new("--bssplit", args.fio.bssplit.as_ref());
    match (ours, split) {
        (Some(ours), Some(split)) => Err(apart(ours.name, split.name)),
        (Some(typed), None) => own(typed).map(Some),
        (None, Some(typed)) => fio_split(typed).map(Some),
        (None, None) => Ok(None),
    }
}

/// `4k`, `4k:60,64k:40`, `r=8k,w=4k:60,w=64k:40`.
fn own(typed: Typed<'_>) -> Result<BlockSizes, String> {
    let right = "a size such as 4k, weights such as 4k:60,64k:40, or both apart for reads and \
                 writes as in r=8k,w=64k";
    let mut lists: [Vec<WeightedSize>; 3] = Default::default();
    for part in typed.value.split(',') {
        let (list, rest) = match part.split_once('=') {
            None => (0, part),
            Some(("r", rest)) => (1, rest),
            Some(("w", rest)) => (2, rest),
            Some(_) => return Err(typed.wrong(right)),
        };
        let (bytes, weight) = match rest.split_once(':') {
            None => (rest, None),
            Some((bytes, weight)) => (bytes, Some(weight)),
        };
        let weight = match weight {
            None => 1,
            Some(text) => number::within(text, 1, WEIGHT_MAX)
                .map_err(|number| typed.wrong(&format!("{right}; a weight is {number}")))?,
        };
        let bytes = block(typed, bytes)?;
        lists[list].push(entry(bytes, weight));
        // Without a weight a size stands alone.
        if lists[list].len() > 1 && !rest.contains(':') {
            return Err(typed.wrong(right));
        }
    }
    match lists.map(|list| list) {
        [all, reads, writes] if reads.is_empty() && writes.is_empty() => Ok(weighted(all)),
        [all, reads, writes] if all.is_empty() && !reads.is_empty() && !writes.is_empty() => {
            Ok(BlockSizes::Weighted {
                read: reads,
                write: writes,
            })
        }
        _ => Err(typed.wrong(right)),
    }
}

fn entry(bytes: u64, weight: u64) -> WeightedSize {
    WeightedSize {
        bytes: bytes as u32,
        weight: weight as u32,
    }
}

/// The same sizes for reads and writes.
fn weighted(all: Vec<WeightedSize>) -> BlockSizes {
    match all.as_slice() {
        [one] => BlockSizes::One(one.bytes),
        _ => BlockSizes::Weighted {
            read: all.clone(),
            write: all,
        },
    }
}

/// The size of a block, which may not be read in two ways.
pub(in crate::personality::native) fn block(typed: Typed<'_>, text: &str) -> Result<u64, String> {
    let read = size::parse(text, 1, BLOCK_MAX).map_err(|right| typed.part(text).wrong(&right))?;
    match size::readings(text, read) {
        None => Ok(read.bytes),
        Some(readings) => Err(format!("{}='{}': {readings}", typed.name, typed.value)),
    }
}

/// `4k/60:64k/40`, and behind a comma that of writes. Percents that are left out share the rest.
fn fio_split(typed: Typed<'_>) -> Result<BlockSizes, String> {
    let lists: Vec<&str> = typed.value.split(',').collect();
    match lists.as_slice() {
        [all] => percents(typed, all).map(weighted),
        [read, write] => Ok(BlockSizes::Weighted {
            read: percents(typed, read)?,
            write: percents(typed, write)?,
        }),
        _ => Err(typed.wrong("sizes of reads, and behind a comma those of writes")),
    }
}

fn percents(typed: Typed<'_>, text: &str) -> Result<Vec<WeightedSize>, String> {
    let right = "sizes with percents that make 100, as in 4k/60:64k/40";
    let mut entries = Vec::new();
    for part in text.split(':') {
        let (bytes, percent) = match part.split_once('/') {
            Some((bytes, "")) => (bytes, None),
            Some((bytes, percent)) => (bytes, Some(percent)),
            None => (part, None),
        };
        let bytes =
            fio::size(bytes, 1, BLOCK_MAX).map_err(|right| typed.part(bytes).wrong(&right))?;
        let percent = percent
            .map(|text| number::within(text, 0, 100).map_err(|_| typed.wrong(right)))
            .transpose()?;
        entries.push((bytes, percent));
    }
    let given: u64 = entries.iter().filter_map(|(_, percent)| *percent).sum();
    let open = entries
        .iter()
        .filter(|(_, percent)| percent.is_none())
        .count() as u64;
    let left = 100_u64
        .checked_sub(given)
        .ok_or_else(|| typed.wrong(right))?;
    let fits = if open == 0 { left == 0 } else { left >= open };
    if !fits {
        return Err(typed.wrong(right));
    }
    // Weights are parts of 100 for each size that shares the rest, so that thirds come out.
    let scale = open.max(1);
    let weight = |percent: Option<u64>| percent.map_or(left, |percent| percent * scale);
    let entries = entries
        .into_iter()
        .map(|(bytes, percent)| entry(bytes, weight(percent)));
    Ok(entries.filter(|entry| entry.weight > 0).collect())
}
