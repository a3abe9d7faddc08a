//! Makes a worker on its own thread: CPU, buffers, engine. Rings are bound to the thread that made
//! them, and memory to the node of the CPU that first touched it.

use std::sync::Arc;

use ioengine::{Region, Setup, registry};

use super::{
    buffers::{self, Slot},
    open,
    payload::Noise,
    seat::Seat,
    span::open_failure,
    timeline::Timeline,
    windows::{Mail, Windows},
    worker::{Progress, Worker},
};
use crate::{
    measure::{IntervalSeries, OperationStats},
    plan::{FlushPolicy, Stream},
    results::{EffectiveRange, Failure, StreamResult},
};

/// Makes the worker of `seat`; called on its own thread.
///
/// # Errors
/// What this thread cannot have: its CPU, its priority, its memory, its engine.
pub(super) fn worker(
    seat: Seat,
    timeline: Arc<Timeline>,
    progress: Arc<Progress>,
    mail: Option<Arc<Mail>>,
) -> Result<Worker, Failure> {
    let notes = settle_down(&seat)?;
    let (slots, regions) = memory(&seat)?;
    let results = streams(&seat);
    let setup = Setup {
        regions,
        ..seat.setup
    };
    let engine = registry::open(seat.kind, setup)
        .map_err(|error| open_failure(Some(seat.number), error.to_string()))?;
    Ok(Worker {
        number: seat.number,
        synchronous: !seat.kind.capabilities().asynchronous,
        extras: seat.initiation || seat.whole_milliseconds || mail.is_some(),
        windows: Windows::new(mail, &results, seat.interval),
        streams: results,
        engine,
        sequencer: seat.sequencer,
        lanes: seat.lanes,
        slots,
        timeline,
        progress,
        on_error: seat.on_error,
        throttle_sleep: seat.throttle_sleep,
        counting: seat.counting,
        allowance: seat.allowance,
        stamp: seat.stamp,
        verifier: seat.verifier,
        notes,
    })
}

/// CPU and I/O priority of the calling thread; returns what it has to do without.
fn settle_down(seat: &Seat) -> Result<Vec<String>, Failure> {
    let fail = |message: String| open_failure(Some(seat.number), message);
    let mut notes = Vec::new();
    if let Some(cpu) = seat.cpu {
        match ioengine::sys::set_affinity(cpu as usize) {
            Ok(()) => {}
            Err(error) if seat.cpu_asked_for => {
                let number = seat.number;
                return Err(fail(format!(
                    "cannot bind thread {number} to CPU {cpu}: {error}"
                )));
            }
            Err(error) => notes.push(format!("threads are not bound to CPUs: {error}")),
        }
    }
    if seat.streams.iter().any(|stream| stream.pacing.responds()) {
        // Where it is refused, responses are some microseconds longer.
        let _ = ioengine::sys::set_exact_sleep();
    }
    open::set_priority(seat.priority)
        .map_err(|error| fail(format!("cannot set the I/O priority: {error}")))?;
    Ok(notes)
}

fn memory(seat: &Seat) -> Result<(Vec<Slot>, Vec<Arc<Region>>), Failure> {
    let streams: Vec<&Stream> = seat.streams.iter().collect();
    let mut noise = Noise::fresh(seat.number as u64);
    let stream_of = |slot| seat.sequencer.stream_of(slot);
    buffers::slots(&streams, stream_of, seat.slots, seat.huge_pages, &mut noise).map_err(|error| {
        let hint = if seat.huge_pages {
            " (are huge pages reserved? vm.nr_hugepages)"
        } else {
            ""
        };
        let message = format!("cannot allocate I/O buffers: {error}{hint}");
        open_failure(Some(seat.number), message)
    })
}

/// Empty results of the streams, with room for everything that the loop will count.
fn streams(seat: &Seat) -> Vec<StreamResult> {
    let stats = |used: bool, responds: bool| {
        if !used {
            return OperationStats::default();
        }
        let series = IntervalSeries::new(seat.interval, seat.measured);
        let mut stats = OperationStats::new(series);
        stats.latency.reserve();
        if responds {
            stats.response.reserve();
        }
        if seat.initiation {
            stats.initiation.reserve();
        }
        stats.whole_ms = seat.whole_milliseconds.then(Box::default);
        stats
    };
    let result = |(stream, ranges): (&Stream, &Vec<EffectiveRange>)| {
        let responds = stream.pacing.responds();
        StreamResult {
            target: stream.target.0,
            read: stats(stream.mix.write_percent < 100, responds),
            write: stats(stream.mix.write_percent > 0, responds),
            flush: stats(stream.mix.flush != FlushPolicy::Never, false),
            behind: 0,
            ranges: ranges.clone(),
        }
    };
    seat.streams.iter().zip(&seat.ranges).map(result).collect()
}
