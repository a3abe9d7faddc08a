//! What each place of a target may hold, while writes overlap writes and reads.
//!
//! A target is divided into units that every write covers whole. The writes of a unit are numbered
//! from 1 as they are issued: its generations. When a write is over, nothing is left of what was
//! over before it was issued; so a read may return no generation below the oldest that was under
//! way when the last finished write was issued, and none that was not issued when the read ended.
//! Everything between may be there, also mixed: the writes overlapped in time. So a place that may
//! hold one generation only is one that no write overlapped.
//!
//! Which write of a unit is the oldest under way is known to the epoch: writes belong to the younger
//! of two, and when the older has none left under way, the younger takes its place. So a unit that
//! is written without a pause is held to its last two rounds of writes, in a few bytes.

use std::{
    num::NonZeroU32,
    ops::Range,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use super::SECTOR;

/// Writes of one unit under way at most.
pub const IN_FLIGHT_MAX: u32 = u16::MAX as u32;

/// Units behind one lock: the unit of a lock is as large as most I/Os or larger.
const CHUNK: usize = 64;

/// Bytes of a unit: a multiple of [`SECTOR`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit(NonZeroU32);

impl Unit {
    /// The smallest: one sector.
    pub const SECTOR: Self = Self(NonZeroU32::new(SECTOR as u32).expect("512 is not 0"));

    /// So many bytes; `None` unless sectors fill them.
    pub fn new(bytes: u64) -> Option<Self> {
        let bytes = u32::try_from(bytes).ok().and_then(NonZeroU32::new)?;
        (bytes.get() as usize)
            .is_multiple_of(SECTOR)
            .then_some(Self(bytes))
    }

    /// Its bytes.
    pub fn bytes(self) -> u64 {
        self.0.get().into()
    }

    /// The units that so many bytes are at most.
    fn count(self, bytes: u64) -> usize {
        bytes.div_ceil(self.bytes()) as usize
    }
}

/// What is known of a unit.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// The last generation issued.
    latest: u32,
    /// The oldest that may be there.
    floor: u32,
    /// The oldest that might have been there before that.
    before: u32,
    /// The first generation of each epoch.
    first: [u32; 2],
    /// Writes of each under way.
    under_way: [u16; 2],
    /// The older epoch.
    older: u8,
    /// What it holds is ours to judge.
    known: bool,
}

impl Entry {
    /// A write is issued.
    fn issue(&mut self) -> Note {
        let generation = self.latest.wrapping_add(1);
        self.latest = generation;
        let mut older = usize::from(self.older & 1);
        if self.under_way[older] == 0 && self.under_way[older ^ 1] > 0 {
            older ^= 1;
            self.older = older as u8;
        }
        // The first of all is the older epoch by itself.
        let own = if self.under_way[older] == 0 {
            older
        } else {
            older ^ 1
        };
        if self.under_way[own] == 0 {
            self.first[own] = generation;
        }
        self.under_way[own] = self.under_way[own].saturating_add(1);
        Note {
            low: self.first[older],
            before: self.floor,
            high: generation,
            flag: own == 1,
        }
    }

    /// A write is over.
    fn finish(&mut self, note: Note, whole: bool) {
        let epoch = usize::from(note.flag);
        self.under_way[epoch] = self.under_way[epoch].saturating_sub(1);
        if !whole {
            return;
        }
        if is_newer(note.low, self.floor) {
            self.before = self.floor;
            self.floor = note.low;
        }
        self.known = true;
    }
}

/// Generations count on from 0 when they have gone round.
fn is_newer(generation: u32, than: u32) -> bool {
    (generation.wrapping_sub(than) as i32) > 0
}

/// What has to be known of one unit of an I/O under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Note {
    /// The oldest generation that the unit may hold when it is over.
    low: u32,
    /// Of a read: the oldest that it may have held before the last finished write.
    before: u32,
    /// Of a write: its own. Of a read that is over: the newest that it may return.
    high: u32,
    /// Of a write: its epoch. Of a read: what is there is ours to judge.
    flag: bool,
}

impl Note {
    /// The generation of a write.
    pub fn generation(self) -> u32 {
        self.high
    }

    /// The newest generation that a read may return.
    pub(super) fn newest(self) -> u32 {
        self.high
    }

    /// Whether a read has to return something of ours.
    pub fn is_known(self) -> bool {
        self.flag
    }

    /// Whether a read may return more than one generation.
    pub(super) fn is_open(self) -> bool {
        self.low != self.high
    }

    /// Whether a read may return this generation.
    #[inline]
    pub(super) fn allows(self, generation: u32) -> bool {
        generation.wrapping_sub(self.low) <= self.high.wrapping_sub(self.low)
    }

    /// Whether this past generation may have been there right before the last finished write.
    pub(super) fn was_last(self, generation: u32) -> bool {
        generation.wrapping_sub(self.before) < self.low.wrapping_sub(self.before)
    }

    /// Whether this generation is older than what a read may return.
    pub(super) fn is_past(self, generation: u32) -> bool {
        is_newer(self.low, generation)
    }
}

/// The units of the part of a target that is used.
#[derive(Debug)]
pub struct Table {
    run: u64,
    number: u32,
    unit: Unit,
    base: u64,
    units: usize,
    chunks: Box<[Mutex<[Entry; CHUNK]>]>,
    sequence: AtomicU64,
}

impl Table {
    /// Of these bytes of a target, table `number` of the run; the first unit begins with them. From
    /// byte `prepared` of the target on they are what preparation wrote
    /// ([`super::Label::prepared`]); before it, nobody knows.
    pub fn new(run: u64, number: u32, unit: Unit, used: Range<u64>, prepared: Option<u64>) -> Self {
        let base = used.start;
        let units = (used.end.saturating_sub(base) / unit.bytes()) as usize;
        let first = prepared.map_or(units, |from| unit.count(from.saturating_sub(base)));
        let chunk = |chunk: usize| {
            let mut entries = [Entry::default(); CHUNK];
            for (unit, entry) in (chunk * CHUNK..).zip(&mut entries) {
                entry.known = unit >= first && unit < units;
            }
            Mutex::new(entries)
        };
        Self {
            run,
            number,
            unit,
            base,
            units,
            chunks: (0..units.div_ceil(CHUNK)).map(chunk).collect(),
            sequence: AtomicU64::new(0),
        }
    }

    /// Memory that one of so many bytes takes.
    pub fn memory(unit: Unit, bytes: u64) -> u64 {
        let chunks = (bytes / unit.bytes()).div_ceil(CHUNK as u64);
        chunks.saturating_mul(size_of::<Mutex<[Entry; CHUNK]>>() as u64)
    }

    /// The run that it belongs to.
    pub fn run(&self) -> u64 {
        self.run
    }

    /// Its number in the run.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Its units.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// The bytes of its units.
    pub fn used(&self) -> Range<u64> {
        self.base..self.base + self.units as u64 * self.unit.bytes()
    }

    /// Whether anything was written.
    pub fn is_written(&self) -> bool {
        self.sequence.load(Relaxed) > 0
    }

    /// A write is going to be issued: its number, and a note for each of its units.
    pub fn begin_write(&self, offset: u64, length: u64, notes: &mut Vec<Note>) -> u64 {
        let sequence = self.sequence.fetch_add(1, Relaxed) + 1;
        notes.clear();
        self.each(offset, length, |entry| notes.push(entry.issue()));
        sequence
    }

    /// It is over; `whole` if all was written.
    pub fn end_write(&self, offset: u64, length: u64, notes: &[Note], whole: bool) {
        let mut notes = notes.iter();
        self.each(offset, length, |entry| {
            if let Some(note) = notes.next() {
                entry.finish(*note, whole);
            }
        });
    }

    /// A read is going to be issued: a note for each of its units.
    pub fn begin_read(&self, offset: u64, length: u64, notes: &mut Vec<Note>) {
        notes.clear();
        self.each(offset, length, |entry| {
            notes.push(Note {
                low: entry.floor,
                before: entry.before,
                high: entry.latest,
                flag: entry.known,
            });
        });
    }

    /// It is over: the notes say what it may have returned.
    pub fn end_read(&self, offset: u64, length: u64, notes: &mut [Note]) {
        let mut notes = notes.iter_mut();
        self.each(offset, length, |entry| {
            if let Some(note) = notes.next() {
                note.high = entry.latest;
            }
        });
    }

    /// The unit was told to be bad: until it is written again, whatever it holds is.
    pub fn forget(&self, offset: u64, length: u64, notes: &[Note]) {
        let mut notes = notes.iter();
        self.each(offset, length, |entry| {
            entry.known &= notes.next().is_none_or(|note| note.high != entry.latest);
        });
    }

    /// The next run of bytes from `from` on whose content is known, of `most` bytes at most.
    pub fn known(&self, from: u64, most: u64) -> Option<(u64, u64)> {
        let first = self.unit.count(from.saturating_sub(self.base));
        let most = (most / self.unit.bytes()).max(1) as usize;
        let begin = self.find(first, true)?;
        let end = self.find(begin, false).unwrap_or(self.units);
        let bytes = |units: usize| units as u64 * self.unit.bytes();
        Some((self.base + bytes(begin), bytes((end - begin).min(most))))
    }

    /// The first unit from `from` on that is known, or is not.
    fn find(&self, from: usize, known: bool) -> Option<usize> {
        let mut unit = from;
        while unit < self.units {
            let entries = self.lock(unit / CHUNK)?;
            let rest = entries.iter().skip(unit % CHUNK);
            let here = rest.take(self.units - unit);
            let mut passed = 0;
            for entry in here {
                if entry.known == known {
                    return Some(unit + passed);
                }
                passed += 1;
            }
            unit += passed;
        }
        None
    }

    /// Calls `each` for the units of an I/O, in order.
    #[inline]
    fn each(&self, offset: u64, length: u64, mut each: impl FnMut(&mut Entry)) {
        let end = offset.saturating_add(length).saturating_sub(self.base);
        let begin = offset.saturating_sub(self.base) / self.unit.bytes();
        let mut range = begin as usize..self.unit.count(end).min(self.units);
        while !range.is_empty() {
            let Some(mut entries) = self.lock(range.start / CHUNK) else {
                return;
            };
            let inside = range.start % CHUNK;
            let count = (CHUNK - inside).min(range.len());
            for entry in entries.iter_mut().skip(inside).take(count) {
                each(entry);
            }
            range.start += count;
        }
    }

    fn lock(&self, chunk: usize) -> Option<MutexGuard<'_, [Entry; CHUNK]>> {
        let chunk = self.chunks.get(chunk)?;
        Some(chunk.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(prepared: Option<u64>) -> Table {
        let unit = Unit::new(4096).unwrap();
        Table::new(1, 0, unit, 0..100 * 4096 + 100, prepared)
    }

    /// The first and the last generation that a read may return now.
    fn allowed(table: &Table) -> (u32, u32) {
        let mut notes = Vec::new();
        table.begin_read(0, 4096, &mut notes);
        table.end_read(0, 4096, &mut notes);
        (notes[0].low, notes[0].high)
    }

    fn write(table: &Table) -> Vec<Note> {
        let mut notes = Vec::new();
        table.begin_write(0, 4096, &mut notes);
        notes
    }

    #[test]
    fn units_are_filled_by_sectors() {
        assert!(Unit::new(512).is_some() && Unit::new(66048).is_some());
        for wrong in [0, 100, 513, 1 << 40] {
            assert_eq!(Unit::new(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_write_that_is_over_leaves_nothing_of_what_was_over_before_it() {
        let table = table(Some(0));
        assert_eq!(allowed(&table), (0, 0));
        let first = write(&table);
        assert_eq!(allowed(&table), (0, 1));
        table.end_write(0, 4096, &first, true);
        assert_eq!(allowed(&table), (1, 1));
        // Two that overlap: either may be the last.
        let (second, third) = (write(&table), write(&table));
        table.end_write(0, 4096, &third, true);
        assert_eq!(allowed(&table), (2, 3));
        table.end_write(0, 4096, &second, true);
        assert_eq!(allowed(&table), (2, 3));
        let mut notes = Vec::new();
        table.begin_read(0, 4096, &mut notes);
        assert!(notes[0].was_last(1) && !notes[0].was_last(0) && !notes[0].was_last(2));
    }

    #[test]
    fn a_write_that_failed_may_be_there_or_not() {
        let table = table(Some(0));
        let failed = write(&table);
        table.end_write(0, 4096, &failed, false);
        assert_eq!(allowed(&table), (0, 1));
        let whole = write(&table);
        table.end_write(0, 4096, &whole, true);
        assert_eq!(allowed(&table), (2, 2));
    }

    #[test]
    fn writes_without_a_pause_are_held_to_their_last_rounds() {
        let table = table(Some(0));
        let mut under_way = write(&table);
        for generation in 1..100 {
            let next = write(&table);
            table.end_write(0, 4096, &under_way, true);
            under_way = next;
            let (low, high) = allowed(&table);
            assert_eq!(high, generation + 1);
            assert!(low + 3 >= high && low <= generation, "{low} {high}");
        }
    }

    #[test]
    fn a_read_may_return_what_was_there_when_it_began_and_what_came_meanwhile() {
        let table = table(Some(0));
        let first = write(&table);
        table.end_write(0, 4096, &first, true);
        let mut notes = Vec::new();
        table.begin_read(0, 4096, &mut notes);
        for _ in 0..2 {
            let next = write(&table);
            table.end_write(0, 4096, &next, true);
        }
        table.end_read(0, 4096, &mut notes);
        assert!((1..=3).all(|generation| notes[0].allows(generation)));
        assert!(!notes[0].allows(0) && notes[0].is_past(0) && !notes[0].is_past(1));
        assert!(!notes[0].allows(4) && !notes[0].is_past(4));
    }

    #[test]
    fn generations_go_round() {
        let table = table(Some(0));
        table.each(0, 4096, |entry| {
            *entry = Entry {
                latest: u32::MAX,
                floor: u32::MAX,
                known: true,
                ..Entry::default()
            };
        });
        let next = write(&table);
        assert_eq!(next[0].generation(), 0);
        assert_eq!(allowed(&table), (u32::MAX, 0));
        table.end_write(0, 4096, &next, true);
        assert_eq!(allowed(&table), (0, 0));
    }

    #[test]
    fn what_is_known_is_prepared_or_written_and_not_told_to_be_bad() {
        let unit = 4096;
        let fresh = table(None);
        assert_eq!(fresh.known(0, 1 << 20), None);
        let mut notes = Vec::new();
        fresh.begin_write(70 * unit, 2 * unit, &mut notes);
        assert_eq!(fresh.known(0, 1 << 20), None);
        fresh.end_write(70 * unit, 2 * unit, &notes, true);
        assert_eq!(fresh.known(0, 1 << 20), Some((70 * unit, 2 * unit)));
        assert_eq!(fresh.known(71 * unit, 1 << 20), Some((71 * unit, unit)));
        // 100 whole units, of which the first two were there before.
        let prepared = table(Some(unit + 1));
        assert_eq!(prepared.known(0, unit * 8), Some((2 * unit, 8 * unit)));
        assert_eq!(
            prepared.known(10 * unit, u64::MAX),
            Some((10 * unit, 90 * unit))
        );
        assert_eq!(prepared.used(), 0..100 * unit);
        prepared.begin_read(3 * unit, unit, &mut notes);
        prepared.forget(3 * unit, unit, &notes);
        assert_eq!(prepared.known(0, unit * 8), Some((2 * unit, unit)));
        assert_eq!(prepared.known(3 * unit, unit), Some((4 * unit, unit)));
    }

    #[test]
    fn a_part_of_a_target_has_its_own_units_and_the_targets_offsets() {
        let unit = Unit::new(4096).unwrap();
        let mib = 1 << 20;
        // From 1 MiB on, 4 units; preparation began in the second of them.
        let part = Table::new(1, 0, unit, mib..mib + 4 * 4096, Some(mib + 5000));
        assert_eq!(part.used(), mib..mib + 4 * 4096);
        assert_eq!(part.known(0, u64::MAX), Some((mib + 8192, 8192)));
        let mut notes = Vec::new();
        part.begin_write(mib, 4096, &mut notes);
        part.end_write(mib, 4096, &notes, true);
        assert_eq!(part.known(0, u64::MAX), Some((mib, 4096)));
        assert_eq!(part.known(mib + 1, 4096), Some((mib + 8192, 4096)));
        for (offset, units) in [(0, 0), (mib - 4096, 0), (mib + 3 * 4096, 1)] {
            part.begin_read(offset, 4096, &mut notes);
            assert_eq!(notes.len(), units, "{offset}");
        }
        // Prepared before it begins: all of it.
        let whole = Table::new(1, 0, unit, mib..mib + 8192, Some(0));
        assert_eq!(whole.known(0, u64::MAX), Some((mib, 8192)));
    }

    #[test]
    fn what_lies_behind_the_end_is_nobodys() {
        let table = table(Some(0));
        let mut notes = Vec::new();
        table.begin_write(99 * 4096, 2 * 4096, &mut notes);
        assert_eq!(notes.len(), 1);
        table.begin_read(u64::MAX - 1, 4096, &mut notes);
        assert!(notes.is_empty());
    }
}
