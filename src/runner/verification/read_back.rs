//! After the load: everything that is known to have been written is read once more, from the device
//! and not from memory, in large blocks.

use std::{io, time::Duration};

use ioengine::{Errno, Nanos, clock, sys};

use super::{
    super::Surroundings,
    Verified,
    examine::{Reader, examine, is_cached},
};
use crate::{
    results::{Event, Observer, ReadBack, Verification},
    units::words::grouped,
    verify,
};

/// Bytes of a read, about.
const BLOCK: u64 = 1 << 20;
/// Progress is told at most this often.
const TOLD_EVERY: Duration = Duration::from_millis(200);

/// Reads back what the run wrote to `targets`, in the load or when it made them, and adds what is wrong to `seen`.
pub(in crate::runner) fn read_back(
    targets: &[Verified],
    largest: u32,
    around: Surroundings<'_>,
    observer: &mut dyn Observer,
    seen: &mut Verification,
) {
    let mut reading = Reading {
        around,
        observer,
        seen,
        largest: u64::from(largest),
        told: clock::now(),
        bytes: 0,
    };
    let mut of = 0;
    let mut why = None;
    for (index, target) in targets.iter().enumerate() {
        let same = |other: &Verified| std::sync::Arc::ptr_eq(&other.table, &target.table);
        if targets[..index].iter().any(same) {
            continue;
        }
        let size = known(target);
        of += size;
        if size > 0 && why.is_none() {
            why = reading.target(index, target, size).err();
        }
    }
    let bytes = reading.bytes;
    seen.read_back = match why {
        Some(why) => ReadBack::Partly { bytes, of, why },
        None if of == 0 => ReadBack::Needless,
        None => ReadBack::Whole { bytes },
    };
}

/// Bytes of a target whose content is known.
fn known(target: &Verified) -> u64 {
    let mut sum = 0;
    let mut at = 0;
    while let Some((from, length)) = target.table.known(at, u64::MAX) {
        sum += length;
        at = from + length;
    }
    sum
}

/// A read that the system cut short, though it was all written.
fn ends_before(label: &str, end: u64) -> String {
    let end = grouped(end);
    format!("{label} ends before byte {end}; was it cut while the test ran?")
}

struct Reading<'a, 'o> {
    around: Surroundings<'a>,
    observer: &'o mut dyn Observer,
    seen: &'o mut Verification,
    largest: u64,
    told: Nanos,
    bytes: u64,
}

impl Reading<'_, '_> {
    /// Reads one target; says why it could not go on.
    fn target(&mut self, index: usize, target: &Verified, size: u64) -> Result<(), String> {
        let label = &target.label;
        let cannot = |what: &str, error: &io::Error| match error.raw_os_error() {
            Some(_) => format!("{label}: cannot {what}: {}", Errno::from_io(error)),
            None => format!("{label}: cannot {what}: {error}"),
        };
        let table = &*target.table;
        let unit = table.unit().bytes();
        let block = (BLOCK / unit).max(1) * unit;
        let mut reader = Reader::open(target, block).map_err(|e| cannot("open it again", &e))?;
        if is_cached(target) {
            let file = reader.file().std();
            file.sync_all()
                .map_err(|error| cannot("flush it", &error))?;
            sys::advise(file, sys::CacheAdvice::DontNeed)
                .map_err(|error| cannot("drop it from the page cache", &error))?;
        }
        let mut notes = Vec::with_capacity((block / unit) as usize);
        let (mut at, mut done) = (0, 0);
        while let Some((from, length)) = table.known(at, block) {
            if self.around.interrupted() {
                self.observer.observe(&Event::Interrupted);
                return Err("it was interrupted".to_owned());
            }
            self.tell(label, done, size);
            table.begin_read(from, length, &mut notes);
            let bytes = reader
                .read(from, length)
                .map_err(|error| match error.kind() {
                    io::ErrorKind::UnexpectedEof => ends_before(label, from + length),
                    _ => cannot(&format!("read at offset {from}"), &error),
                })?;
            table.end_read(from, length, &mut notes);
            if !verify::is_right(table, from, bytes, &notes) {
                for block in examine(target, from, bytes, &notes, self.largest) {
                    self.seen.add(index, block);
                }
            }
            done += length;
            self.bytes += length;
            at = from + length;
        }
        Ok(())
    }

    fn tell(&mut self, label: &str, done: u64, size: u64) {
        let now = clock::now();
        if done == 0 || now.since(self.told) >= TOLD_EVERY.as_nanos() as u64 {
            self.told = now;
            self.observer
                .observe(&Event::ReadBack { label, done, size });
        }
    }
}
