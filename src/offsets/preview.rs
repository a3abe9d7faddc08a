//! The first operations of every worker, without doing them.

use std::{collections::VecDeque, fmt::Write as _, sync::Arc};

use super::{
    PayloadUse, SequenceError, Sequencer, SharedCursors, SharedRequest, SharedRequests,
    WorkerDraws, window,
};
use crate::plan::{AtEnd, Direction, SharedSequence, TimeSpan, WorkerGroup};

/// One operation of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviewRow {
    /// Number of the worker in the time span.
    pub thread: u32,
    /// Number of the stream inside the worker; of a shared sequence the number of the file.
    pub target: u32,
    /// Read or write; `None` is a flush.
    pub direction: Option<Direction>,
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
    if let Some(sequence) = &span.sequence {
        return Ok(shared(span, sequence, count));
    }
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

/// The first requests of a shared sequence, dealt to its workers in turn, with the flushes that
/// follow the last of them.
fn shared(span: &TimeSpan, sequence: &SharedSequence, count: usize) -> Vec<PreviewRow> {
    let files = span.targets.len();
    let mut requests = SharedRequests::new(sequence, files, span.stop.operations, false);
    let mut draws = WorkerDraws::of(sequence);
    let mut rows: Vec<Vec<PreviewRow>> = vec![Vec::new(); draws.len()];
    let flush = |thread, target| PreviewRow {
        thread,
        target,
        direction: None,
        offset: 0,
        length: 0,
    };
    let mut over = false;
    // What is in flight counts as complete, the oldest first, when no more may be.
    let backlog = sequence.backlog.unwrap_or(0) as usize;
    let mut in_flight: Vec<VecDeque<Direction>> = vec![VecDeque::new(); draws.len()];
    'requests: for _ in 0..count {
        for (thread, (draws, rows)) in (0_u32..).zip(draws.iter_mut().zip(&mut rows)) {
            let Ok(request) = requests.next(draws) else {
                over = true;
                break 'requests;
            };
            draws.after_event();
            rows.push(match request {
                SharedRequest::Flush { file, .. } => flush(thread, file),
                SharedRequest::Transfer {
                    direction,
                    file,
                    offset,
                    length,
                } => {
                    let flying = &mut in_flight[thread as usize];
                    flying.push_back(direction);
                    if flying.len() >= backlog
                        && let Some(oldest) = flying.pop_front()
                    {
                        requests.completed(oldest);
                    }
                    PreviewRow {
                        thread,
                        target: file,
                        direction: Some(direction),
                        offset,
                        length,
                    }
                }
            });
            let follows = sequence.flushes.after_write
                && rows
                    .last()
                    .is_some_and(|row| row.direction == Some(Direction::Write));
            if let (true, Some(row)) = (follows, rows.last().copied()) {
                rows.push(flush(thread, row.target));
            }
        }
    }
    let at_end = sequence.flushes.at_end == AtEnd::EveryWorker && sequence.operations.write();
    if over && at_end {
        for (thread, rows) in (0_u32..).zip(&mut rows) {
            rows.extend((0..files as u32).map(|file| flush(thread, file)));
        }
    }
    for rows in &mut rows {
        rows.truncate(count);
    }
    rows.concat()
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
        direction: Some(next.direction),
        offset: next.offset,
        length: next.length,
    }
}

/// The rows as tab-separated lines under a header.
pub fn render_preview(rows: &[PreviewRow]) -> String {
    let mut text = String::from("thread\ttarget\top\toffset\n");
    for row in rows {
        let operation = match row.direction {
            Some(Direction::Read) => "read",
            Some(Direction::Write) => "write",
            None => "flush",
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
