//! Verification: tables of what targets may hold, kept over the time spans of a run; what a worker
//! does for each of its I/Os ([`Verifier`]); the reading back after the load ([`read_back`]).

mod examine;
mod read_back;
mod verifier;

use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use ioengine::File;

pub(super) use self::{read_back::read_back, verifier::Verifier};
use super::{open::Targets, payload::Noise, span::open_failure};
use crate::{
    host::{self, Identity},
    offsets::Window,
    plan::{Caching, Opening, Target, TargetIndex, TimeSpan, WorkerGroup, greatest_common_divisor},
    results::Failure,
    units::words::size,
    verify::{IN_FLIGHT_MAX, Table, Unit},
};

/// A target and its table.
#[derive(Debug, Clone)]
pub(super) struct Verified {
    pub(super) table: Arc<Table>,
    /// As the load opened it.
    pub(super) file: Arc<File>,
    pub(super) label: String,
    pub(super) caching: Caching,
}

/// Which file or device a path leads to, where the system says.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Known(Identity),
    Path(PathBuf),
}

impl Place {
    fn of(path: &Path) -> Self {
        let identity = host::look(path).ok().and_then(|look| look.identity);
        identity.map_or_else(|| Self::Path(path.to_path_buf()), Self::Known)
    }
}

/// A target with its index and its place.
type Entry<'a> = ((usize, &'a Target), &'a Place);

/// What is known of the targets of a run, from one time span to the next.
#[derive(Debug)]
pub(super) struct Tables {
    /// Drawn for the run, so that its sectors are known from those of others.
    run: u64,
    numbers: u32,
    /// Files that were made with labelled sectors: from this byte on, by this number.
    prepared: Vec<(Place, u64, u32)>,
    known: Vec<(Place, Arc<Table>)>,
}

impl Tables {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self {
            run: Noise::fresh(u64::MAX - 1).number(),
            numbers: 0,
            prepared: Vec::new(),
            known: Vec::new(),
        }
    }

    /// The run's number, and a new one for a table.
    pub(super) fn next(&mut self) -> (u64, u32) {
        self.numbers += 1;
        (self.run, self.numbers)
    }

    /// A file was made: from byte `from` on it holds the sectors of table `number`.
    pub(super) fn prepared(&mut self, path: &Path, from: u64, number: u32) {
        let place = Place::of(path);
        self.forget(&place);
        self.prepared.push((place, from, number));
    }

    /// A time span that verifies nothing is over: nobody knows any more what it wrote to.
    pub(super) fn spoil(&mut self, span: &TimeSpan) {
        for target in &span.targets {
            if target.access.writes() {
                self.forget(&Place::of(&target.path));
            }
        }
    }

    fn forget(&mut self, place: &Place) {
        self.prepared.retain(|(other, ..)| other != place);
        self.known.retain(|(other, _)| other != place);
    }

    /// The tables of a time span, one for each target; those of one file are one. Empty if it does
    /// not verify.
    ///
    /// # Errors
    /// They would take too much memory, too much would be in flight, or nothing can be verified.
    pub(super) fn of(
        &mut self,
        span: &TimeSpan,
        targets: &Targets,
        memory: u64,
    ) -> Result<Vec<Verified>, Failure> {
        if !span.verify {
            return Ok(Vec::new());
        }
        let places: Vec<Place> = span.targets.iter().map(|t| Place::of(&t.path)).collect();
        let anew = |target: &&Target| matches!(target.opening, Opening::Anew { .. });
        for target in span.targets.iter().filter(anew) {
            self.forget(&Place::of(&target.path));
        }
        let units = units(span, &places);
        let used = used(&targets.windows, &places);
        too_much_in_flight(span)?;
        let mut need: u64 = 0;
        for (index, place) in places.iter().enumerate() {
            if places.iter().position(|other| other == place) == Some(index) {
                let bytes = used[index].end - used[index].start;
                need = need.saturating_add(Table::memory(units[index], bytes));
            }
        }
        too_much_memory(need, memory, &units)?;
        let of = |(((index, target), place), file): (Entry<'_>, &Arc<File>)| Verified {
            file: Arc::clone(file),
            table: self.table(place, units[index], used[index].clone()),
            label: target.label.clone(),
            caching: target.caching,
        };
        let each = span.targets.iter().enumerate().zip(&places);
        let verified: Vec<Verified> = each.zip(&targets.files).map(of).collect();
        nothing_to_hold_against(span, &verified)?;
        Ok(verified)
    }

    /// The table of a place: that of the last time span, if it still fits.
    fn table(&mut self, place: &Place, unit: Unit, used: Range<u64>) -> Arc<Table> {
        let known = self.known.iter().find(|(other, _)| other == place);
        if let Some((_, table)) = known {
            let whole = (used.end - used.start) / unit.bytes() * unit.bytes();
            if table.unit() == unit && table.used() == (used.start..used.start + whole) {
                return Arc::clone(table);
            }
            // Once something was written, what preparation wrote is not all there any more.
            if table.is_written() {
                self.forget(place);
            }
        }
        let prepared = self.prepared.iter().find(|(other, ..)| other == place);
        let prepared = prepared.map(|(_, from, n)| (*from, *n));
        self.known.retain(|(other, _)| other != place);
        let (from, number) = match prepared {
            Some((from, number)) => (Some(from), number),
            None => (None, self.next().1),
        };
        let table = Arc::new(Table::new(self.run, number, unit, used, from));
        self.known.push((place.clone(), Arc::clone(&table)));
        table
    }
}

/// The bytes of each target that the streams to all targets of the same place use.
fn used(windows: &[Window], places: &[Place]) -> Vec<Range<u64>> {
    let of = |place: &Place| {
        let same = places
            .iter()
            .zip(windows)
            .filter(|(other, _)| *other == place);
        let together = same.map(|(_, window)| window.base..window.base + window.length);
        let joined = together.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
        joined.unwrap_or(0..0)
    };
    places.iter().map(of).collect()
}

/// The unit of each target: one that divides the I/Os to all targets of the same place.
fn units(span: &TimeSpan, places: &[Place]) -> Vec<Unit> {
    let own: Vec<u64> = (0..places.len())
        .map(|target| span.unit(TargetIndex(target)))
        .collect();
    let of = |place: &Place| {
        let same = places.iter().zip(&own).filter(|(other, _)| *other == place);
        let together = same.map(|(_, unit)| *unit);
        Unit::new(together.fold(0, greatest_common_divisor)).unwrap_or(Unit::SECTOR)
    };
    places.iter().map(of).collect()
}

/// Each unit counts the writes to it that are under way.
fn too_much_in_flight(span: &TimeSpan) -> Result<(), Failure> {
    let slots = |group: &WorkerGroup| u64::from(group.workers).saturating_mul(group.slots().into());
    let all = span.groups.iter().map(slots).fold(0, u64::saturating_add);
    if all <= u64::from(IN_FLIGHT_MAX) {
        return Ok(());
    }
    Err(open_failure(
        None,
        format!(
            "{all} I/Os outstanding are more than can be verified at once ({IN_FLIGHT_MAX}): use \
             fewer threads or a lower queue depth"
        ),
    ))
}

/// A load that only reads is held against what the run wrote before it.
fn nothing_to_hold_against(span: &TimeSpan, verified: &[Verified]) -> Result<(), Failure> {
    let mut streams = span.groups.iter().flat_map(|group| &group.streams);
    let known = |target: &Verified| target.table.known(0, u64::MAX).is_some();
    if streams.any(|stream| stream.mix.write_percent > 0) || verified.iter().any(known) {
        return Ok(());
    }
    let labels: Vec<&str> = verified.iter().map(|target| &*target.label).collect();
    Err(open_failure(
        None,
        format!(
            "{}: there is nothing to verify: the load only reads, and what was there before this \
             run, also by an earlier one, is known to nobody; let the load write too (--rw randrw), \
             or name a file that is not there yet",
            labels.join(", ")
        ),
    ))
}

/// The tables may take a quarter of the memory.
fn too_much_memory(need: u64, memory: u64, units: &[Unit]) -> Result<(), Failure> {
    if memory == 0 || need <= memory / 4 {
        return Ok(());
    }
    let smallest = units.iter().map(|unit| unit.bytes()).min().unwrap_or(0);
    Err(open_failure(
        None,
        format!(
            "to verify every {smallest} bytes of what is used of the targets takes {} of memory, more than a \
             quarter of what there is ({}): use a smaller part of the targets (--region), or \
             larger blocks (--bs)",
            size(need),
            size(memory)
        ),
    ))
}
