//! A model of a device: whatever overlaps, a good one is never called bad; each fault of a bad one
//! is named with its kind and its place.

use proptest::{collection::vec, prelude::*};

use super::*;

const UNIT: usize = 1024;
const UNITS: usize = 8;
const SIZE: usize = UNIT * UNITS;
/// What is copied at once: less than a sector.
const PIECE: usize = 128;
const RUN: u64 = 7;

/// An I/O under way on the model.
struct Io {
    write: bool,
    offset: usize,
    bytes: Vec<u8>,
    notes: Vec<Note>,
    /// Pieces that were not transferred yet.
    left: Vec<usize>,
}

struct Model {
    table: Table,
    medium: Vec<u8>,
    under_way: Vec<Io>,
}

impl Model {
    fn new() -> Self {
        let unit = Unit::new(UNIT as u64).unwrap();
        let mut medium = vec![0; SIZE];
        for (index, sector) in medium.chunks_mut(SECTOR).enumerate() {
            Label::prepared(RUN, 0, (index * SECTOR) as u64).seal(sector);
        }
        Self {
            table: Table::new(RUN, 0, unit, 0..SIZE as u64, Some(0)),
            medium,
            under_way: Vec::new(),
        }
    }

    fn begin(&mut self, write: bool, offset: usize, length: usize) {
        let mut io = Io {
            write,
            offset,
            bytes: vec![0; length],
            notes: Vec::new(),
            left: (0..length / PIECE).collect(),
        };
        let (at, bytes) = (offset as u64, length as u64);
        if write {
            let sequence = self.table.begin_write(at, bytes, &mut io.notes);
            self.seal(&mut io, sequence);
        } else {
            self.table.begin_read(at, bytes, &mut io.notes);
        }
        self.under_way.push(io);
    }

    fn seal(&self, io: &mut Io, sequence: u64) {
        let label = Label {
            run: self.table.run(),
            table: self.table.number(),
            offset: 0,
            start: io.offset as u64,
            length: io.bytes.len() as u32,
            sequence,
            worker: 1,
            generation: 0,
        };
        label.seal_all(&mut io.bytes, self.table.unit(), &io.notes);
    }

    /// Transfers one piece of an I/O, in any order; ends it when there is none left. False if a
    /// read returned what it may not.
    fn go_on(&mut self, io: usize, choice: usize) -> bool {
        let Some(io) = self.under_way.get_mut(io) else {
            return true;
        };
        if !io.left.is_empty() {
            let piece = io.left.swap_remove(choice % io.left.len()) * PIECE;
            let there = io.offset + piece;
            let (medium, bytes) = (
                &mut self.medium[there..there + PIECE],
                &mut io.bytes[piece..piece + PIECE],
            );
            if io.write {
                medium.copy_from_slice(bytes);
            } else {
                bytes.copy_from_slice(medium);
            }
            return true;
        }
        let place = self.under_way.iter().position(|io| io.left.is_empty());
        let mut io = self.under_way.swap_remove(place.unwrap());
        let (at, length) = (io.offset as u64, io.bytes.len() as u64);
        if io.write {
            self.table.end_write(at, length, &io.notes, true);
            return true;
        }
        self.table.end_read(at, length, &mut io.notes);
        is_right(&self.table, at, &io.bytes, &io.notes)
    }

    fn write(&mut self, offset: usize, length: usize) {
        self.begin(true, offset, length);
        self.drain();
    }

    fn drain(&mut self) {
        while !self.under_way.is_empty() {
            assert!(self.go_on(0, 0));
        }
    }

    /// What is wrong with the whole of it, each place read by reads of this length.
    fn bad(&self, length: usize, again: impl Fn(&mut [u8])) -> Vec<BadBlock> {
        let mut bad = Vec::new();
        let mut second = self.medium.clone();
        again(&mut second);
        for offset in (0..SIZE).step_by(length) {
            let (bytes, at) = (&self.medium[offset..offset + length], offset as u64);
            let mut notes = Vec::new();
            self.table.begin_read(at, length as u64, &mut notes);
            self.table.end_read(at, length as u64, &mut notes);
            let found = faults(&self.table, at, bytes, &notes);
            assert_eq!(found.is_empty(), is_right(&self.table, at, bytes, &notes));
            let still = faults(&self.table, at, &second[offset..offset + length], &notes);
            let again = Again {
                offset: 0,
                bytes: &second,
                faults: &still,
                notes: &notes,
                first: at,
            };
            bad.extend(judge(&self.table, &found, Some(again)));
        }
        bad
    }

    /// The kinds and places of it.
    fn kinds(&self) -> Vec<(Kind, u64, u64)> {
        let bad = self.bad(2 * UNIT, |_| ());
        bad.into_iter()
            .map(|bad| (bad.kind, bad.offset, bad.length))
            .collect()
    }
}

proptest! {
    #[test]
    fn a_good_device_is_never_called_bad(choices in vec(any::<u32>(), 0..3000)) {
        let mut model = Model::new();
        for choice in choices {
            let choice = choice as usize;
            let (offset, length) = (choice / 8 % UNITS, choice / 64 % 4 + 1);
            let length = length.min(UNITS - offset) * UNIT;
            match choice % 8 {
                0 if model.under_way.len() < 20 => model.begin(true, offset * UNIT, length),
                1 if model.under_way.len() < 20 => model.begin(false, offset * UNIT, length),
                _ => {
                    let io = choice / 8 % model.under_way.len().max(1);
                    prop_assert!(model.go_on(io, choice / 256));
                }
            }
        }
        model.drain();
        prop_assert_eq!(model.kinds(), []);
    }

    #[test]
    fn a_fault_behind_any_writes_is_seen(
        writes in vec((0..UNITS, 1..4_usize), 1..40),
        sector in 0..SIZE / SECTOR,
        bit in 0..SECTOR * 8,
    ) {
        let mut model = Model::new();
        for (offset, length) in writes {
            model.write(offset * UNIT, length.min(UNITS - offset) * UNIT);
        }
        let at = sector * SECTOR;
        model.medium[at + bit / 8] ^= 1 << (bit % 8);
        prop_assert_eq!(model.kinds(), [(Kind::Flipped, at as u64, SECTOR as u64)]);
    }
}

#[test]
fn bytes_of_overlapping_writes_may_be_mixed_and_those_of_others_not() {
    let mut model = Model::new();
    let before = model.medium.clone();
    model.begin(true, 0, UNIT);
    let first = model.under_way[0].bytes.clone();
    model.begin(true, 0, UNIT);
    model.drain();
    model.medium[100..200].copy_from_slice(&first[100..200]);
    assert_eq!(model.kinds(), []);
    // What no write that overlapped has written.
    model.medium[..200].fill(0);
    assert_eq!(model.kinds(), [(Kind::Foreign, 0, 512)]);
    model.write(0, UNIT);
    model.medium[100..200].copy_from_slice(&before[100..200]);
    assert_eq!(model.kinds(), [(Kind::Flipped, 0, 512)]);
}

#[test]
fn a_lost_write_leaves_what_was_there_before() {
    let mut model = Model::new();
    for earlier in 0..3 {
        for _ in 0..earlier {
            model.write(2 * UNIT, UNIT);
        }
        let before = model.medium.clone();
        model.write(2 * UNIT, UNIT);
        model.medium = before;
        assert_eq!(model.kinds(), [(Kind::Lost, 2048, 1024)], "{earlier}");
        model.write(2 * UNIT, UNIT);
        assert_eq!(model.kinds(), []);
    }
}

#[test]
fn what_is_older_than_that_is_stale() {
    let mut model = Model::new();
    model.write(UNIT, UNIT);
    let old = model.medium.clone();
    model.write(UNIT, UNIT);
    model.write(UNIT, UNIT);
    let right = std::mem::replace(&mut model.medium, old.clone());
    assert_eq!(model.kinds(), [(Kind::Stale, 1024, 1024)]);
    // And so is what was there before, where the second reading is right.
    model.medium = right.clone();
    model.write(UNIT, UNIT);
    let newest = std::mem::replace(&mut model.medium, right);
    let bad = model.bad(2 * UNIT, |second| second.copy_from_slice(&newest));
    assert_eq!((bad.len(), bad[0].kind), (1, Kind::Stale));
    assert!(bad[0].detail.ends_with("; the second reading was right"));
}

#[test]
fn a_torn_write_has_a_part_of_both() {
    // Inside a unit, and across units; the sectors that arrived are the first or the last.
    for (offset, length, arrived) in [
        (0, UNIT, 0..SECTOR),
        (UNIT, UNIT, SECTOR..UNIT),
        (UNIT, 4 * UNIT, 0..SECTOR),
        (2 * UNIT, 4 * UNIT, 3 * UNIT..4 * UNIT),
    ] {
        let mut model = Model::new();
        model.write(0, SIZE / 2);
        model.write(SIZE / 2, SIZE / 2);
        let before = model.medium.clone();
        model.write(offset, length);
        let newest = std::mem::replace(&mut model.medium, before);
        let arrived = offset + arrived.start..offset + arrived.end;
        model.medium[arrived.clone()].copy_from_slice(&newest[arrived]);
        let expected = (Kind::Torn, offset as u64, length as u64);
        let mut kinds = model.kinds();
        kinds.dedup();
        assert_eq!(kinds, [expected]);
    }
}

#[test]
fn older_parts_of_other_writes_do_not_make_a_lost_one_torn() {
    let mut model = Model::new();
    // The first two units from one write, the second once more, then lost.
    model.write(0, 2 * UNIT);
    model.write(UNIT, UNIT);
    let before = model.medium.clone();
    model.write(UNIT, UNIT);
    model.medium = before;
    assert_eq!(model.kinds(), [(Kind::Lost, 1024, 1024)]);
}

#[test]
fn a_write_to_another_place_harms_two() {
    let mut model = Model::new();
    let before = model.medium.clone();
    model.write(UNIT, UNIT);
    let newest = std::mem::replace(&mut model.medium, before);
    model.medium[5 * UNIT..6 * UNIT].copy_from_slice(&newest[UNIT..2 * UNIT]);
    let bad = model.bad(2 * UNIT, |_| ());
    let told: Vec<_> = bad
        .iter()
        .map(|bad| (bad.kind, bad.offset, bad.belongs))
        .collect();
    let expected = [
        (Kind::Lost, 1024, None),
        (Kind::Misdirected, 5 * 1024, Some(1024)),
    ];
    assert_eq!(told, expected);
    assert!(bad[1].detail.contains("what belongs at offset 1,024"));
    // Two blocks in each other's place.
    let mut model = Model::new();
    let (low, high) = model.medium.split_at_mut(4 * UNIT);
    low[..UNIT].swap_with_slice(&mut high[..UNIT]);
    let expected = [
        (Kind::Misdirected, 0, 1024),
        (Kind::Misdirected, 4 * 1024, 1024),
    ];
    assert_eq!(model.kinds(), expected);
}

#[test]
fn what_is_not_of_this_run_is_foreign_or_what_the_write_should_have_replaced() {
    let mut model = Model::new();
    model.medium[..UNIT].fill(0);
    model.medium[2 * UNIT..3 * UNIT].fill(0xa5);
    let bad = model.bad(UNIT, |_| ());
    assert_eq!(bad[0].detail, "it holds zeros");
    assert_eq!(
        model.kinds(),
        [(Kind::Foreign, 0, 1024), (Kind::Foreign, 2048, 1024)]
    );
    let mut model = Model::new();
    for sector in 0..2 {
        let at = sector * SECTOR;
        Label::prepared(RUN + 1, 0, at as u64).seal(&mut model.medium[at..at + SECTOR]);
    }
    assert_eq!(model.kinds(), [(Kind::Lost, 0, 1024)]);
}

#[test]
fn what_nobody_knows_is_not_judged() {
    let unit = Unit::new(UNIT as u64).unwrap();
    let mut model = Model {
        table: Table::new(RUN, 0, unit, 0..SIZE as u64, None),
        medium: vec![1; SIZE],
        under_way: Vec::new(),
    };
    assert_eq!(model.kinds(), []);
    let before = model.medium.clone();
    model.write(0, UNIT);
    assert_eq!(model.kinds(), []);
    model.medium = before;
    assert_eq!(model.kinds(), [(Kind::Foreign, 0, 1024)]);
}
