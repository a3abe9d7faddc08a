//! Loads that are no streams: one sequence of requests for all workers, and files that are visited.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    is_default,
    load::{PayloadWire, stamped},
    values::{Bytes, Count, Name, Time},
    via::{Via, ViaList, ViaOption},
};
use crate::plan::{
    AtEnd, Cached, Counted, Draws, Flushes, Operations, Order, Payload, Popularity, SharedSequence,
    Verify, Visits, Watch,
};

/// `[step.run.sequence]`
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct SequenceWire {
    #[serde(default = "one")]
    workers: Count<u32>,
    file_size: Bytes<u64>,
    #[serde(with = "OrderWire")]
    order: Order,
    #[serde(with = "OperationsWire")]
    pub(super) operations: Operations,
    #[serde(with = "FlushesWire", default = "no_flushes")]
    flushes: Flushes,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    backlog: Option<Count<u32>>,
    #[serde(
        with = "VerifyWire",
        default = "unverified",
        skip_serializing_if = "is_unverified"
    )]
    verify: Verify,
    #[serde(with = "PayloadWire", default = "stamped")]
    payload: Payload,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arrivals_per_second: Option<Count<u64>>,
    #[serde(with = "WatchWire", default, skip_serializing_if = "is_default")]
    watch: Watch,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grace: Option<Time>,
}

fn one() -> Count<u32> {
    Count(1)
}

fn no_flushes() -> Flushes {
    Flushes {
        data_only: false,
        round_every: None,
        after_write: false,
        at_end: AtEnd::Never,
        are_events: false,
    }
}

fn unverified() -> Verify {
    Verify::Off
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_unverified(verify: &Verify) -> bool {
    *verify == Verify::Off
}

impl From<&SharedSequence> for SequenceWire {
    fn from(shared: &SharedSequence) -> Self {
        Self {
            workers: Count(shared.workers),
            file_size: Bytes(shared.file_size),
            order: shared.order.clone(),
            operations: shared.operations,
            flushes: shared.flushes,
            backlog: shared.backlog.map(Count),
            verify: shared.verify,
            payload: shared.payload.clone(),
            arrivals_per_second: shared.arrivals_per_second.map(Count),
            watch: shared.watch.clone(),
            grace: shared.grace.map(Time),
        }
    }
}

impl From<SequenceWire> for SharedSequence {
    fn from(wire: SequenceWire) -> Self {
        Self {
            workers: wire.workers.0,
            file_size: wire.file_size.0,
            order: wire.order,
            operations: wire.operations,
            flushes: wire.flushes,
            backlog: wire.backlog.map(|count| count.0),
            verify: wire.verify,
            payload: wire.payload,
            arrivals_per_second: wire.arrivals_per_second.map(|count| count.0),
            watch: wire.watch,
            grace: wire.grace.map(|time| time.0),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Order",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum OrderWire {
    Sequential {
        #[serde(with = "Via::<Bytes<u32>>")]
        length: u32,
        once: bool,
    },
    Random {
        #[serde(with = "Via::<Bytes<u32>>")]
        block: u32,
        #[serde(with = "Via::<Bytes<u64>>")]
        span: u64,
        #[serde(with = "DrawsWire")]
        draws: Draws,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Draws",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum DrawsWire {
    Lrand48 {
        #[serde(
            with = "ViaOption::<Count<u32>>",
            default,
            skip_serializing_if = "Option::is_none"
        )]
        seed: Option<u32>,
    },
    Xoroshiro {
        #[serde(with = "Via::<Count<u32>>")]
        seed: u32,
        #[serde(default)]
        draw_after_event: bool,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Operations",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum OperationsWire {
    Reads,
    Writes,
    Ratio {
        reads_per_write: f64,
        #[serde(with = "CountedWire")]
        counted: Counted,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Counted", rename_all = "kebab-case")]
enum CountedWire {
    HandedOut,
    Completed,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Flushes", rename_all = "kebab-case", deny_unknown_fields)]
struct FlushesWire {
    #[serde(default)]
    data_only: bool,
    #[serde(
        with = "ViaOption::<Count<u64>>",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    round_every: Option<u64>,
    #[serde(default)]
    after_write: bool,
    #[serde(with = "AtEndWire", default = "no_end")]
    at_end: AtEnd,
    #[serde(default)]
    are_events: bool,
}

fn no_end() -> AtEnd {
    AtEnd::Never
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "AtEnd", rename_all = "kebab-case")]
enum AtEndWire {
    Never,
    OnceAtLimit,
    EveryWorker,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Verify", rename_all = "kebab-case")]
enum VerifyWire {
    Off,
    OutsideLatency,
    InsideLatency,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Watch", rename_all = "kebab-case", deny_unknown_fields)]
struct WatchWire {
    #[serde(
        with = "ViaOption::<Time>",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    intervals: Option<Duration>,
    #[serde(
        with = "ViaList::<Time>",
        default,
        skip_serializing_if = "Vec::is_empty"
    )]
    checkpoints: Vec<Duration>,
    #[serde(default, skip_serializing_if = "is_default")]
    requests: bool,
}

/// `[step.run.visits]`
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct VisitsWire {
    #[serde(default = "one")]
    visitors: Count<u32>,
    #[serde(with = "PopularityWire", default = "uniform")]
    popularity: Popularity,
    #[serde(with = "CachedWire", default = "as_it_is")]
    cached: Cached,
    #[serde(default = "chunk")]
    chunk: Bytes<u32>,
    files: Vec<Name>,
}

fn uniform() -> Popularity {
    Popularity::Uniform
}

fn as_it_is() -> Cached {
    Cached::AsItIs
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Cached", rename_all = "kebab-case")]
enum CachedWire {
    AsItIs,
    Filled,
    Dropped,
}

fn chunk() -> Bytes<u32> {
    Bytes(64 << 10)
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Popularity", rename_all = "kebab-case")]
enum PopularityWire {
    Uniform,
    Zipf(f64),
}

impl From<&Visits> for VisitsWire {
    fn from(visits: &Visits) -> Self {
        Self {
            visitors: Count(visits.visitors),
            popularity: visits.popularity,
            cached: visits.cached,
            chunk: Bytes(visits.chunk),
            files: visits.files.iter().cloned().map(Name).collect(),
        }
    }
}

impl From<VisitsWire> for Visits {
    fn from(wire: VisitsWire) -> Self {
        Self {
            visitors: wire.visitors.0,
            files: wire.files.into_iter().map(|name| name.0).collect(),
            popularity: wire.popularity,
            cached: wire.cached,
            chunk: wire.chunk.0,
        }
    }
}
