//! The first operations of every worker, without doing them.

use std::{fmt::Write as _, sync::Arc};

use super::{PayloadUse, SequenceError, Sequencer, SharedCursors, window};
use crate::plan::{Direction, TimeSpan, WorkerGroup};

/// One operation of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviewRow {
    /// Number of the worker in the time span.
    pub thread: u32,
    /// Number of the stream inside the worker.
    pub target: u32,
    /// Read or write.
    pub direction: Direction,
    /// First byte, from the start of the target.
    pub offset: u64,
    /// Bytes.
    pub length: u32,
}

/// The first `count` operations of each worker, worker by worker. `sizes[i]` is the size of the
/// time span's target i. Slots take turns, and so do the workers where they share a cursor; in a
/// run the order of completions decides both.
///
/// # Errors
/// When the plan has no sequence on targets of these sizes.
pub fn preview(
    span: &TimeSpan,
    sizes: &[u64],
    count: usize,
) -> Result<Vec<PreviewRow>, SequenceError> {
    let cursors = Arc::new(SharedCursors::new(span.targets.len()));
    let mut workers = Vec::new();
    for (absolute, (group, relative)) in (0_u32..).zip(span.workers()) {
        let windows = windows(span, group, sizes)?;
        let sequencer = Sequencer::new(
            span.generator,
            group,
            relative,
            absolute,
            &windows,
            &cursors,
        )?;
        workers.push((
            sequencer,
            group.slots().max(1) as usize,
            Vec::with_capacity(count),
        ));
    }
    for operation in 0..count {
        for (thread, (sequencer, slots, rows)) in (0_u32..).zip(&mut workers) {
            rows.push(row(sequencer, operation % *slots, thread));
        }
    }
    Ok(workers.into_iter().flat_map(|(_, _, rows)| rows).collect())
}

fn windows(
    span: &TimeSpan,
    group: &WorkerGroup,
    sizes: &[u64],
) -> Result<Vec<super::Window>, SequenceError> {
    let one = |index: usize| match (span.targets.get(index), sizes.get(index)) {
        (Some(target), Some(size)) => window(target, *size),
        _ => Err(SequenceError::NoCursor { target: index }),
    };
    group
        .streams
        .iter()
        .map(|stream| one(stream.target.0))
        .collect()
}

fn row(sequencer: &mut Sequencer, slot: usize, thread: u32) -> PreviewRow {
    let next = sequencer.next(slot);
    if next.payload == PayloadUse::Fresh {
        // The payload takes its draws, or all later offsets would be others.
        sequencer.fill(None, next.length);
    }
    PreviewRow {
        thread,
        target: next.stream,
        direction: next.direction,
        offset: next.offset,
        length: next.length,
    }
}

/// The rows as tab-separated lines under a header.
pub fn render_preview(rows: &[PreviewRow]) -> String {
    let mut text = String::from("thread\ttarget\top\toffset\n");
    for row in rows {
        let operation = match row.direction {
            Direction::Read => "read",
            Direction::Write => "write",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}\t{}\t{operation}\t{}",
            row.thread, row.target, row.offset
        );
    }
    text
}
