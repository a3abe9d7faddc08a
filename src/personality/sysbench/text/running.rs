//! What is said while there is load.

use std::time::Duration;

use crate::{
    personality::sysbench::{
        console::{Level, Message},
        options::{Dialect, Options},
        percentile::percentile_ms,
    },
    results::{Asked, IntervalFigures, Limit, OperationKind, mib_per_second, per_second},
};

/// A file is going to be opened.
pub(crate) fn opening_file(label: &str) -> Message {
    Message::new(Level::Debug, format!("Opening file: {label}"))
}

/// All files are open. 0.4 does not say so.
pub(crate) fn initializing(dialect: Dialect) -> Option<Message> {
    let message = || Message::new(Level::Notice, "Initializing worker threads...\n");
    (dialect == Dialect::V10).then(message)
}

/// A worker was made.
pub(crate) fn worker_created(worker: usize) -> Message {
    Message::new(Level::Debug, format!("Worker thread (#{worker}) started"))
}

/// A worker waits for the others.
pub(crate) fn worker_ready(worker: usize) -> Message {
    Message::new(
        Level::Debug,
        format!("Worker thread (#{worker}) initialized"),
    )
}

/// The load begins.
pub(crate) fn started(dialect: Dialect) -> Message {
    Message::new(
        Level::Notice,
        match dialect {
            Dialect::V04 => "Threads started!",
            Dialect::V10 => "Threads started!\n",
        },
    )
}

/// A worker was given a request.
pub(crate) fn request(asked: Asked) -> Message {
    let operation = match asked.operation {
        OperationKind::Read => 1,
        OperationKind::Write => 2,
        OperationKind::Flush | OperationKind::FlushData => 3,
    };
    Message::new(
        Level::Debug,
        format!(
            "Executing request, operation: {operation}, file_id: {}, pos: {}, size: {}",
            asked.target, asked.offset, asked.length
        ),
    )
}

/// A worker ended at a limit. 0.4 tells of the limit of time only.
pub(crate) fn limit(by: Limit, dialect: Dialect) -> Option<Message> {
    let limit = match by {
        Limit::Time => "Time",
        Limit::Operations if dialect == Dialect::V10 => "Event",
        _ => return None,
    };
    let text = format!("{limit} limit exceeded, exiting...");
    Some(Message::new(Level::Info, text))
}

/// A file is being made, or made longer.
pub(crate) fn preparing(label: &str, kept: u64, dialect: Dialect) -> Option<Message> {
    let text = if kept > 0 {
        format!("Extending existing file {label}")
    } else {
        format!("Creating file {label}")
    };
    file(text, dialect)
}

/// A file is there already.
pub(crate) fn kept(label: &str, dialect: Dialect) -> Option<Message> {
    file(format!("Reusing existing file {label}"), dialect)
}

/// 0.4 has no line for a file.
fn file(text: String, dialect: Dialect) -> Option<Message> {
    (dialect == Dialect::V10).then(|| Message::new(Level::Notice, text))
}

/// Figures of an interval; 0.4 got them in its last releases, in other words.
pub(crate) fn interval(figures: &IntervalFigures, options: &Options) -> Message {
    let at = figures.at.as_secs_f64();
    let percent = options.percentile;
    // Without a percentile the column stays: no event is what reaches none of them, so that it has
    // the lowest value of the scale, as in the original.
    let latency = percentile_ms(options.dialect, &figures.events, percent);
    let read = mib_per_second(figures.read_bytes, figures.length);
    let written = mib_per_second(figures.written_bytes, figures.length);
    let flushes = per_second(figures.flushes, figures.length);
    Message::figures(match options.dialect {
        Dialect::V04 => format!(
            "[{at:4.0}s] reads: {read:.2} MB/s writes: {written:.2} MB/s fsyncs: {flushes:.2}/s \
             response time: {latency:.3}ms ({percent}%)"
        ),
        Dialect::V10 => format!(
            "[ {at:.0}s ] reads: {read:.2} MiB/s writes: {written:.2} MiB/s \
             fsyncs: {flushes:.2}/s latency (ms,{percent}%): {latency:.3}"
        ),
    })
}

/// The line above the figures of a checkpoint.
pub(crate) fn checkpoint(at: Duration, dialect: Dialect) -> Message {
    let at = at.as_secs_f64();
    Message::figures(match dialect {
        Dialect::V04 => format!("[{at:4.0}s] Checkpoint report:"),
        Dialect::V10 => format!("[ {at:.0}s ] Checkpoint report:"),
    })
}
