//! What verification costs for each byte: labelling a write and judging a read, as a worker does it,
//! beside copying as many bytes. `cargo bench --bench verify`.

use std::{
    hint::black_box,
    io::{self, Write},
    time::Instant,
};

use iogauge::verify::{self, Label, Note, Table, Unit};

/// At most so many ns for each byte read.
const BUDGET: f64 = 1.0;
/// Bytes of the target: what a cache holds, so that memory is not what is measured.
const SIZE: usize = 256 << 10;
/// Rounds over it; the fastest counts.
const ROUNDS: usize = 200;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "ns a byte: copy, label, judge (at most {BUDGET})")?;
    for (unit, block) in [(512, 4096), (4096, 4096), (4096, 65536), (65536, 65536)] {
        let Some(unit) = Unit::new(unit) else {
            continue;
        };
        let table = Table::new(1, 1, unit, 0..SIZE as u64, Some(0));
        let mut bytes = vec![0; SIZE];
        let mut notes = Vec::new();
        let label = fastest(|| label(&table, block, &mut bytes, &mut notes));
        let mut right = true;
        let judge = fastest(|| right &= judge(&table, block, &bytes, &mut notes));
        let mut copied = vec![0; SIZE];
        let copy = fastest(|| {
            copied.copy_from_slice(&bytes);
            black_box(&mut copied);
        });
        let verdict = if judge <= BUDGET { "met" } else { "MISSED" };
        let unit = unit.bytes();
        writeln!(
            out,
            "blocks of {block}, units of {unit}: {copy:.3}, {label:.3}, {judge:.3} {verdict}"
        )?;
        if !right {
            return Err(io::Error::other("right data was called bad"));
        }
    }
    Ok(())
}

/// The fastest round, in ns a byte.
fn fastest(mut round: impl FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let begin = Instant::now();
        round();
        begin.elapsed().as_nanos() as f64 / SIZE as f64
    });
    times.fold(f64::INFINITY, f64::min)
}

fn label(table: &Table, block: usize, bytes: &mut [u8], notes: &mut Vec<Note>) {
    for (index, bytes) in bytes.chunks_mut(block).enumerate() {
        let offset = (index * block) as u64;
        let sequence = table.begin_write(offset, block as u64, notes);
        let label = Label {
            run: table.run(),
            table: table.number(),
            offset,
            start: offset,
            length: block as u32,
            sequence,
            worker: 0,
            generation: 0,
        };
        label.seal_all(bytes, table.unit(), notes);
        table.end_write(offset, block as u64, notes, true);
    }
}

fn judge(table: &Table, block: usize, bytes: &[u8], notes: &mut Vec<Note>) -> bool {
    let each = bytes.chunks(block).enumerate();
    each.map(|(index, bytes)| {
        let offset = (index * block) as u64;
        table.begin_read(offset, block as u64, notes);
        table.end_read(offset, block as u64, notes);
        verify::is_right(table, offset, bytes, notes)
    })
    .fold(true, |all, right| all & right)
}
