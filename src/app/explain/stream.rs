//! Threads and what they do, as facts for programs.

use serde::Serialize;

use super::{pattern::Pattern, plan::ns};
use crate::plan::{
    Affinity, AtEnd, BlockSizes, Cached, Dispatch, FlushPolicy, Operations, Order, Pacing,
    PauseFrom, Payload, Popularity, SharedSequence, Stream, Verify, Visits, WeightedSize,
    WorkerGroup,
};

#[derive(Serialize)]
pub(super) struct Group {
    name: String,
    threads: u32,
    affinity: &'static str,
    cpus: Vec<u32>,
    in_flight_per_thread: u32,
    dispatch: &'static str,
    streams: Vec<OneStream>,
}

#[derive(Serialize)]
struct OneStream {
    target: usize,
    /// Null where all streams of a thread share its I/Os in flight.
    in_flight_per_thread: Option<u32>,
    weight: Option<u32>,
    pattern: Pattern,
    write_percent: u32,
    reads: Vec<Size>,
    writes: Vec<Size>,
    flush: Flush,
    pace: Pace,
    data: &'static str,
    copies_stream: Option<usize>,
}

#[derive(Serialize)]
struct Size {
    bytes: u32,
    share_percent: f64,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Flush {
    Never,
    Every { writes: u32, data_only: bool },
    AtEnd { data_only: bool },
}

/// Rates of a cap are those of all that share it; all others are each thread's own.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Pace {
    Unlimited,
    CapBytes {
        bytes_per_second: u64,
        shared_by: u32,
    },
    CapOperations {
        operations_per_second: u64,
        shared_by: u32,
    },
    Burst {
        operations: u64,
        pause_ns: u64,
        pause_from: &'static str,
    },
    Arrivals {
        operations_per_second: f64,
        poisson: bool,
    },
    Waves {
        first_ns: u64,
        every_ns: u64,
        operations: u64,
        backs_off_above_ns: Option<u64>,
    },
    Gathered {
        records_per_second: f64,
        poisson: bool,
        record_bytes: u32,
        unit_bytes: u32,
    },
}

impl Group {
    /// The facts of a group.
    pub(super) fn of(group: &WorkerGroup) -> Self {
        let (affinity, cpus) = match &group.affinity {
            Affinity::None => ("none", Vec::new()),
            Affinity::RoundRobin => ("round_robin", Vec::new()),
            Affinity::List(cpus) => ("list", cpus.clone()),
        };
        let weight = |index: usize| match &group.dispatch {
            Dispatch::Shared { weights, .. } => weights.get(index).copied(),
            Dispatch::PerStream | Dispatch::InTurn => None,
        };
        let own = group.dispatch == Dispatch::PerStream;
        let streams = group.streams.iter().enumerate();
        Self {
            name: group.name.clone(),
            threads: group.workers,
            affinity,
            cpus,
            in_flight_per_thread: group.slots(),
            dispatch: match group.dispatch {
                Dispatch::PerStream => "per_stream",
                Dispatch::Shared { .. } => "drawn",
                Dispatch::InTurn => "in_turn",
            },
            streams: streams
                .map(|(index, stream)| one(stream, own, weight(index)))
                .collect(),
        }
    }
}

fn one(stream: &Stream, own: bool, weight: Option<u32>) -> OneStream {
    let (read, write) = match &stream.sizes {
        BlockSizes::One(bytes) => {
            let all = || {
                vec![Size {
                    bytes: *bytes,
                    share_percent: 100.0,
                }]
            };
            (all(), all())
        }
        BlockSizes::Weighted { read, write } => (sizes(read), sizes(write)),
    };
    let writes = stream.mix.write_percent;
    OneStream {
        target: stream.target.0,
        in_flight_per_thread: own.then_some(stream.queue_depth),
        weight,
        pattern: Pattern::of(&stream.pattern),
        write_percent: writes,
        reads: if writes < 100 { read } else { Vec::new() },
        writes: if writes > 0 { write } else { Vec::new() },
        flush: match stream.mix.flush {
            FlushPolicy::Never => Flush::Never,
            FlushPolicy::Every { writes, data_only } => Flush::Every { writes, data_only },
            FlushPolicy::AtEnd { data_only } => Flush::AtEnd { data_only },
        },
        pace: pace(&stream.pacing),
        data: data(&stream.payload),
        copies_stream: stream.copies,
    }
}

fn sizes(weighted: &[WeightedSize]) -> Vec<Size> {
    let all: u64 = weighted.iter().map(|size| u64::from(size.weight)).sum();
    let share = |weight: u32| f64::from(weight) * 100.0 / all.max(1) as f64;
    let size = |size: &WeightedSize| Size {
        bytes: size.bytes,
        share_percent: share(size.weight),
    };
    weighted.iter().map(size).collect()
}

fn pace(pacing: &Pacing) -> Pace {
    match *pacing {
        Pacing::Unlimited => Pace::Unlimited,
        Pacing::CapBytes {
            per_second,
            shared_by,
        } => Pace::CapBytes {
            bytes_per_second: per_second,
            shared_by,
        },
        Pacing::CapOperations {
            per_second,
            shared_by,
        } => Pace::CapOperations {
            operations_per_second: per_second,
            shared_by,
        },
        Pacing::Burst {
            operations,
            pause,
            from,
        } => Pace::Burst {
            operations,
            pause_ns: ns(pause),
            pause_from: match from {
                PauseFrom::Issue => "issue",
                PauseFrom::Completion => "completion",
            },
        },
        Pacing::Arrivals {
            per_second,
            poisson,
        } => Pace::Arrivals {
            operations_per_second: per_second,
            poisson,
        },
        Pacing::Waves {
            first,
            every,
            operations,
            backs_off_above,
        } => Pace::Waves {
            first_ns: ns(first),
            every_ns: ns(every),
            operations,
            backs_off_above_ns: backs_off_above.map(ns),
        },
        Pacing::Gathered {
            per_second,
            poisson,
            record,
            unit,
        } => Pace::Gathered {
            records_per_second: per_second,
            poisson,
            record_bytes: record,
            unit_bytes: unit,
        },
    }
}

fn data(payload: &Payload) -> &'static str {
    match payload {
        Payload::Zeros => "zeros",
        Payload::BytePattern => "byte_pattern",
        Payload::Random => "random",
        Payload::Stamped => "random_numbered",
        Payload::FreshRandom => "random_fresh",
        Payload::Source { file: None, .. } => "source_random",
        Payload::Source { file: Some(_), .. } => "source_file",
    }
}

/// Requests that all threads of a time span draw from one sequence.
#[derive(Serialize)]
pub(super) struct Requests {
    threads: u32,
    in_flight_per_thread: u32,
    file_bytes: u64,
    order: &'static str,
    once: bool,
    request_bytes: u32,
    operations: &'static str,
    reads_per_write: Option<f64>,
    flush: &'static str,
    flush_round_every: Option<u64>,
    flush_after_write: bool,
    flush_at_end: &'static str,
    verifies: bool,
    data: &'static str,
    arrivals_per_second: Option<u64>,
}

impl Requests {
    /// The facts of a sequence.
    pub(super) fn of(shared: &SharedSequence) -> Self {
        let (order, once) = match shared.order {
            Order::Sequential { once, .. } => ("sequential", once),
            Order::Random { .. } => ("random", false),
        };
        let (operations, reads_per_write) = match shared.operations {
            Operations::Reads => ("reads", None),
            Operations::Writes => ("writes", None),
            Operations::Ratio {
                reads_per_write, ..
            } => ("both", Some(reads_per_write)),
        };
        Self {
            threads: shared.workers,
            in_flight_per_thread: shared.backlog.unwrap_or(1),
            file_bytes: shared.file_size,
            order,
            once,
            request_bytes: shared.order.length(),
            operations,
            reads_per_write,
            flush: if shared.flushes.data_only {
                "fdatasync"
            } else {
                "fsync"
            },
            flush_round_every: shared.flushes.round_every,
            flush_after_write: shared.flushes.after_write,
            flush_at_end: match shared.flushes.at_end {
                AtEnd::Never => "never",
                AtEnd::OnceAtLimit => "once_at_limit",
                AtEnd::EveryWorker => "every_thread",
            },
            verifies: shared.verify != Verify::Off,
            data: data(&shared.payload),
            arrivals_per_second: shared.arrivals_per_second,
        }
    }

    /// Requests in flight at most, of all threads.
    pub(super) fn in_flight(&self) -> u64 {
        u64::from(self.threads).saturating_mul(self.in_flight_per_thread.into())
    }
}

/// Whole files that are opened, read and closed.
#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "keys carry what they count")]
pub(super) struct Visitors {
    visitors: u32,
    files: usize,
    zipf_exponent: Option<f64>,
    page_cache: &'static str,
    read_max_bytes: u32,
}

impl Visitors {
    /// The facts of visits.
    pub(super) fn of(visits: &Visits) -> Self {
        Self {
            visitors: visits.visitors,
            files: visits.files.len(),
            zipf_exponent: match visits.popularity {
                Popularity::Uniform => None,
                Popularity::Zipf(exponent) => Some(exponent),
            },
            page_cache: match visits.cached {
                Cached::AsItIs => "as_it_is",
                Cached::Filled => "filled",
                Cached::Dropped => "dropped",
            },
            read_max_bytes: visits.chunk,
        }
    }

    /// Reads in flight at most: one of each visitor.
    pub(super) fn in_flight(&self) -> u64 {
        self.visitors.into()
    }
}
