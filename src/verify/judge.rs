//! What is wrong with what was read.
//!
//! A read is looked at twice: [`is_right`] for all of them, as fast as it can be; [`faults`] for
//! those that are not. What was bad is read once more, for a fault of the transfer is none of the
//! medium, and [`judge`] puts both readings together.

use std::collections::BTreeSet;

use super::{
    BadBlock, Kind, Label, Note, PREPARED, SECTOR, Table,
    sector::{Flip, damage},
};
use crate::units::words::grouped;

/// A sector that a read may not have returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// First byte on the target.
    offset: u64,
    found: Found,
    note: Note,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// An older write of its place.
    Older(Label),
    /// A write of another place.
    Elsewhere(Label),
    /// What another run wrote at this place.
    OtherRun,
    Damaged(Flip),
    Zeros,
    Unknown,
}

/// Whether a read of `bytes` at `offset` returned what it may; `notes` are those of the read, once it
/// is over.
pub fn is_right(table: &Table, offset: u64, bytes: &[u8], notes: &[Note]) -> bool {
    let unit = table.unit().bytes() as usize;
    let mut at = offset;
    bytes.chunks(unit).zip(notes).all(|(bytes, note)| {
        let right = !note.is_known()
            || (at..)
                .step_by(SECTOR)
                .zip(bytes.chunks_exact(SECTOR))
                .all(|(at, sector)| match Label::read(sector) {
                    Some(label) => is_here(table, at, &label, *note),
                    None => is_blend(table, at, sector, *note),
                });
        at += bytes.len() as u64;
        right
    })
}

#[inline]
fn is_here(table: &Table, offset: u64, label: &Label, note: Note) -> bool {
    is_ours(table, label) && label.offset == offset && note.allows(label.generation)
}

/// Where writes overlapped in time, with each other or with the read, a sector may hold bytes of
/// several: memory is not copied sector by sector. What all of them have in common is there even so.
#[cold]
fn is_blend(table: &Table, offset: u64, sector: &[u8], note: Note) -> bool {
    let claimed = Label::claimed(sector);
    note.is_open() && claimed.is_some_and(|label| is_ours(table, &label) && label.offset == offset)
}

fn is_ours(table: &Table, label: &Label) -> bool {
    label.run == table.run() && label.table == table.number()
}

/// The sectors of a read that it may not have returned.
pub fn faults(table: &Table, offset: u64, bytes: &[u8], notes: &[Note]) -> Vec<Fault> {
    let unit = table.unit().bytes() as usize;
    let mut faults = Vec::new();
    for (index, (bytes, note)) in bytes.chunks(unit).zip(notes).enumerate() {
        let from = offset + (index * unit) as u64;
        let sectors = (from..).step_by(SECTOR).zip(bytes.chunks_exact(SECTOR));
        for (offset, sector) in sectors.filter(|_| note.is_known()) {
            let found = find(table, offset, sector, *note);
            faults.extend(found.map(|found| Fault {
                offset,
                found,
                note: *note,
            }));
        }
    }
    faults
}

/// Bad sectors were told: until they are written again, whatever they hold is right.
pub fn forget(table: &Table, told: &[Fault]) {
    for fault in told {
        table.forget(fault.offset, SECTOR as u64, &[fault.note]);
    }
}

/// What is wrong with one sector.
fn find(table: &Table, offset: u64, sector: &[u8], note: Note) -> Option<Found> {
    Some(match Label::read(sector) {
        Some(label) if is_here(table, offset, &label, note) => return None,
        Some(label) if is_ours(table, &label) && label.offset != offset => Found::Elsewhere(label),
        Some(label) if is_ours(table, &label) && note.is_past(label.generation) => {
            Found::Older(label)
        }
        Some(label) if label.run != table.run() && label.offset == offset => Found::OtherRun,
        Some(_) => Found::Unknown,
        None if is_blend(table, offset, sector, note) => return None,
        None if sector.iter().all(|byte| *byte == 0) => Found::Zeros,
        None => match damage(sector, table.run(), table.number(), offset) {
            Some(flip) => Found::Damaged(flip),
            None => Found::Unknown,
        },
    })
}

/// The second reading of what was bad, with what lies around it.
#[derive(Debug, Clone, Copy)]
pub struct Again<'a> {
    /// First byte of what was read.
    pub offset: u64,
    /// What was read.
    pub bytes: &'a [u8],
    /// What was wrong this time, of the same bytes as at first.
    pub faults: &'a [Fault],
    /// The notes of the same bytes as at first, once it was over.
    pub notes: &'a [Note],
    /// The first byte of those.
    pub first: u64,
}

/// The bad blocks of a read, from its faults and from the second reading, if there was one.
pub fn judge(table: &Table, first: &[Fault], again: Option<Again<'_>>) -> Vec<BadBlock> {
    let mut blocks: Vec<BadBlock> = Vec::new();
    let mut torn = BTreeSet::new();
    for fault in first {
        let verdict = verdict(table, fault, again);
        if let Some((write, older)) = &verdict.torn {
            if torn.insert(write.sequence) {
                blocks.push(torn_block(write, older, fault.offset));
            }
            continue;
        }
        let block = BadBlock {
            offset: fault.offset,
            length: SECTOR as u64,
            kind: verdict.kind,
            detail: verdict.detail,
            belongs: verdict.belongs,
        };
        if !blocks.last_mut().is_some_and(|last| last.absorb(&block)) {
            blocks.push(block);
        }
    }
    blocks
}

struct Verdict {
    kind: Kind,
    detail: String,
    belongs: Option<u64>,
    /// The write of which this sector is the missing part, and what is there instead.
    torn: Option<(Label, Label)>,
}

fn verdict(table: &Table, fault: &Fault, again: Option<Again<'_>>) -> Verdict {
    let Some(again) = again else {
        return of(table, fault, None, "; it could not be read again");
    };
    if let Some(still) = again.faults.iter().find(|f| f.offset == fault.offset) {
        return of(table, still, Some(again), "");
    }
    let unit = (fault.offset - again.first.min(fault.offset)) / table.unit().bytes();
    let now = again.notes.get(unit as usize);
    if now.is_none_or(|note| note.newest() != fault.note.newest()) {
        return of(
            table,
            fault,
            None,
            "; it was written again before it could be read again",
        );
    }
    let mut verdict = of(table, fault, None, "; the second reading was right");
    if matches!(verdict.kind, Kind::Lost) {
        verdict.kind = Kind::Stale;
    }
    verdict
}

/// What a fault is, by what was found; `end` follows in the words for it.
fn of(table: &Table, fault: &Fault, again: Option<Again<'_>>, end: &str) -> Verdict {
    let mut belongs = None;
    let mut torn = None;
    let (kind, detail) = match fault.found {
        Found::Older(label) => {
            let kind = if fault.note.was_last(label.generation) {
                let newer = again.and_then(|again| newer_part(table, fault, &label, again));
                torn = newer.map(|newer| (newer, label));
                Kind::Lost
            } else {
                Kind::Stale
            };
            (kind, format!("it holds {}", written(&label)))
        }
        Found::Elsewhere(label) => {
            belongs = Some(label.offset);
            let place = grouped(label.offset);
            let by = written(&label);
            (
                Kind::Misdirected,
                format!("it holds what belongs at offset {place}, {by}"),
            )
        }
        Found::OtherRun => (Kind::Lost, "it holds what another run wrote".to_owned()),
        Found::Damaged(Flip { byte, bit, bits }) => {
            let at = grouped(fault.offset + byte as u64);
            let how = match bits {
                1 => format!("bit {bit} of the byte at offset {at} is wrong"),
                _ => format!(
                    "{} bits of a sector are wrong, the first is bit {bit} of the byte at offset \
                     {at}",
                    grouped(bits.into())
                ),
            };
            (Kind::Flipped, how)
        }
        Found::Zeros => (Kind::Foreign, "it holds zeros".to_owned()),
        Found::Unknown => (
            Kind::Foreign,
            "it holds nothing that this run wrote".to_owned(),
        ),
    };
    Verdict {
        kind,
        detail: detail + end,
        belongs,
        torn,
    }
}

/// A write that should have replaced this sector, and whose other part is there.
fn newer_part(table: &Table, fault: &Fault, older: &Label, again: Again<'_>) -> Option<Label> {
    let mut labels = again
        .bytes
        .chunks_exact(SECTOR)
        .zip((again.offset..).step_by(SECTOR))
        .filter_map(|(sector, at)| Label::read(sector).filter(|label| label.offset == at));
    labels.find(|label| {
        is_ours(table, label) && label.sequence > older.sequence && label.covers(fault.offset)
    })
}

fn torn_block(write: &Label, older: &Label, from: u64) -> BadBlock {
    BadBlock {
        offset: write.start,
        length: write.length.into(),
        kind: Kind::Torn,
        detail: format!(
            "of {} only a part is there: from offset {} on it holds {}",
            written(write),
            grouped(from),
            written(older)
        ),
        belongs: None,
    }
}

fn written(label: &Label) -> String {
    if label.worker == PREPARED {
        return "what preparation wrote".to_owned();
    }
    format!(
        "write {} (by thread {}, {} bytes at offset {})",
        grouped(label.sequence),
        label.worker,
        grouped(label.length.into()),
        grouped(label.start)
    )
}
