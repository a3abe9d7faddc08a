//! What each worker of a shared sequence is made from: worked out on the driving thread, made on
//! the worker's own.

use std::sync::{Arc, mpsc};

use ioengine::{EngineKind, PageSize, Region, Setup, clock, registry};

use super::{
    Message,
    arrivals::Arrivals,
    blocks::Blocks,
    shared::Shared,
    tally::Tally,
    worker::{Place, Rules, Worker},
};
use crate::{
    measure::Latency,
    offsets::{SharedRequests, WorkerDraws},
    plan::{Order, Payload, Plan, SharedSequence, TimeSpan, Verify},
    results::Failure,
    runner::{
        engine,
        open::Targets,
        payload::{self, Noise},
        span::{self, SIMULATED_START, open_failure},
    },
};

/// Everything a worker thread is made from.
pub(super) struct Seat {
    pub(super) number: usize,
    pub(super) shared: Arc<Shared>,
    pub(super) tally: Arc<Tally>,
    /// Every request is told.
    pub(super) told: bool,
    kind: EngineKind,
    setup: Setup,
    rules: Rules,
    draws: WorkerDraws,
    labels: Arc<Vec<String>>,
    length: usize,
    reads: bool,
    payload: Payload,
}

/// The seats of all workers.
///
/// # Errors
/// They need more memory than a limit leaves.
pub(super) fn seats(
    plan: &Plan,
    span: &TimeSpan,
    sequence: &SharedSequence,
    kind: EngineKind,
    targets: &Targets,
) -> Result<Vec<Seat>, Failure> {
    let exclusive = sequence.verify != Verify::Off
        && matches!(sequence.order, Order::Random { .. })
        && (sequence.workers > 1 || sequence.backlog.is_some());
    // What a warm-up does uses up nothing.
    let limit = if span.warmup.is_zero() {
        span.stop.operations
    } else {
        None
    };
    let requests = SharedRequests::new(sequence, span.targets.len(), limit, exclusive);
    let seed = clock::wall().as_nanos() as u64 ^ u64::from(std::process::id()) << 32;
    let arrivals = sequence
        .arrivals_per_second
        .map(|rate| Arrivals::new(rate, seed));
    let shared = Arc::new(Shared::new(requests, arrivals));
    let labels = Arc::new(span.targets.iter().map(|t| t.label.clone()).collect());
    let rules = Rules {
        files: span.targets.len() as u32,
        flushes: sequence.flushes,
        verify: sequence.verify,
        backlog: sequence.backlog,
        writes: sequence.operations.write(),
        on_error: plan.on_error,
    };
    let depth = sequence.backlog.unwrap_or(1);
    let seat = |(number, draws)| Seat {
        number,
        shared: Arc::clone(&shared),
        tally: Arc::new(Tally::new(sequence.watch.intervals.is_some())),
        told: sequence.watch.requests,
        kind,
        setup: Setup {
            files: targets.files.clone(),
            // One more for a flush beside what is in flight.
            depth: depth + 1,
            polling: span.polling,
            law: engine::law(&plan.engine),
            start: SIMULATED_START,
            ..Setup::default()
        },
        rules,
        draws,
        labels: Arc::clone(&labels),
        length: sequence.order.length() as usize,
        reads: sequence.operations.read(),
        payload: sequence.payload.clone(),
    };
    let draws = WorkerDraws::of(sequence);
    let need = u64::from(sequence.workers) * bytes(sequence, depth);
    span::too_little_memory(sequence.workers as usize, need).map_or(Ok(()), Err)?;
    Ok(draws.into_iter().enumerate().map(seat).collect())
}

/// Address space that a worker takes, about.
fn bytes(sequence: &SharedSequence, depth: u32) -> u64 {
    let page = ioengine::sys::page_size() as u64;
    let sides = u64::from(sequence.operations.read()) + u64::from(sequence.operations.write());
    let block = u64::from(sequence.order.length()).next_multiple_of(page);
    let buffers = block.saturating_mul(sides).saturating_mul(u64::from(depth));
    let fixed = span::STACK as u64 + 16 * page + u64::from(depth) * 512;
    buffers.saturating_add(5 * Latency::BYTES + fixed)
}

impl Seat {
    /// Makes the worker; called on its own thread.
    ///
    /// # Errors
    /// Its memory or its engine is not to be had.
    pub(super) fn sit_down(
        self,
        told: Option<mpsc::SyncSender<Message>>,
    ) -> Result<Worker, Failure> {
        let fail = |message| open_failure(Some(self.number), message);
        let (slots, regions) = self
            .memory()
            .map_err(|error| fail(format!("cannot allocate I/O buffers: {error}")))?;
        let setup = Setup {
            regions,
            ..self.setup
        };
        let files = setup.files.clone();
        let engine = registry::open(self.kind, setup).map_err(|error| fail(error.to_string()))?;
        let seed = clock::now().0 ^ (self.number as u64) << 48;
        Ok(Worker {
            number: self.number,
            engine,
            rules: self.rules,
            shared: self.shared,
            tally: self.tally,
            draws: self.draws,
            slots,
            blocks: Blocks::new(&self.payload, self.rules.verify, seed),
            files,
            labels: self.labels,
            told,
        })
    }

    /// A place for each request in flight, and a last one whose buffer flushes carry.
    fn memory(&self) -> std::io::Result<(Vec<Place>, Vec<Arc<Region>>)> {
        let out_of_memory = || std::io::Error::from(std::io::ErrorKind::OutOfMemory);
        let page = ioengine::sys::page_size();
        let block = self
            .length
            .max(1)
            .checked_next_multiple_of(page)
            .ok_or_else(out_of_memory)?;
        let depth = self.rules.backlog.unwrap_or(1) as usize;
        let sides = usize::from(self.reads) + usize::from(self.rules.writes);
        let length = block
            .checked_mul(depth)
            .and_then(|length| length.checked_mul(sides))
            .ok_or_else(out_of_memory)?;
        let region = Region::allocate(length, PageSize::Base)?;
        let (buffers, region) = region.split(block, 0);
        let (flushes, small) = Region::allocate(page, PageSize::Base)?.split(page, 1);
        let mut buffers = buffers.into_iter();
        let mut noise = Noise::fresh(self.number as u64);
        let mut places = Vec::with_capacity(depth + 1);
        for _ in 0..depth {
            let read = if self.reads { buffers.next() } else { None };
            let mut write = if self.rules.writes {
                buffers.next()
            } else {
                None
            };
            if let Some(buffer) = &mut write {
                let verified = self.rules.verify != Verify::Off;
                let payload = if verified {
                    &Payload::Random
                } else {
                    &self.payload
                };
                payload::fill_buffer(payload, &mut noise, buffer.as_mut_slice());
            }
            places.push(Place { read, write });
        }
        places.push(Place {
            read: flushes.into_iter().next(),
            write: None,
        });
        Ok((places, vec![region, small]))
    }
}
