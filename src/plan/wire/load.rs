//! Groups of workers and their streams.

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use super::{
    is_default,
    pattern::Pattern,
    sizes::Block,
    values::{Bytes, Count, Name, Time},
    via::{Via, ViaOption},
};
use crate::plan::{
    Affinity, Assembly, Dispatch, FlushPolicy, OperationMix, Pacing, PauseFrom, Payload, Stream,
    TargetIndex, WorkerGroup,
};

/// `[[step.run.group]]`
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct GroupWire {
    #[serde(default, skip_serializing_if = "is_default")]
    name: String,
    #[serde(default = "one")]
    workers: Count<u32>,
    #[serde(
        with = "AffinityWire",
        default = "anywhere",
        skip_serializing_if = "is_anywhere"
    )]
    affinity: Affinity,
    #[serde(
        with = "DispatchWire",
        default = "per_stream",
        skip_serializing_if = "is_per_stream"
    )]
    dispatch: Dispatch,
    #[serde(default)]
    pub(super) stream: Vec<StreamWire>,
}

fn one() -> Count<u32> {
    Count(1)
}

fn anywhere() -> Affinity {
    Affinity::None
}

fn is_anywhere(affinity: &Affinity) -> bool {
    *affinity == Affinity::None
}

fn per_stream() -> Dispatch {
    Dispatch::PerStream
}

fn is_per_stream(dispatch: &Dispatch) -> bool {
    *dispatch == Dispatch::PerStream
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Affinity", rename_all = "kebab-case")]
enum AffinityWire {
    None,
    RoundRobin,
    List(Vec<u32>),
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Dispatch",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum DispatchWire {
    PerStream,
    Shared {
        #[serde(with = "Via::<Count<u32>>")]
        queue_depth: u32,
        weights: Vec<u32>,
    },
    InTurn,
}

impl From<&WorkerGroup> for GroupWire {
    fn from(group: &WorkerGroup) -> Self {
        Self {
            name: group.name.clone(),
            workers: Count(group.workers),
            affinity: group.affinity.clone(),
            dispatch: group.dispatch.clone(),
            stream: group.streams.iter().map(StreamWire::from).collect(),
        }
    }
}

impl From<GroupWire> for WorkerGroup {
    fn from(wire: GroupWire) -> Self {
        Self {
            name: wire.name,
            workers: wire.workers.0,
            affinity: wire.affinity,
            streams: wire.stream.into_iter().map(Stream::from).collect(),
            dispatch: wire.dispatch,
        }
    }
}

/// `[[step.run.group.stream]]`
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct StreamWire {
    /// The number of the target in its time span, from 0.
    #[serde(default)]
    pub(super) target: Count<usize>,
    #[serde(default)]
    pattern: Pattern,
    #[serde(default)]
    pub(super) block: Block,
    #[serde(default)]
    pub(super) write_percent: Count<u32>,
    #[serde(default = "one")]
    queue_depth: Count<u32>,
    #[serde(
        with = "FlushWire",
        default = "never",
        skip_serializing_if = "is_never"
    )]
    flush: FlushPolicy,
    #[serde(
        with = "PacingWire",
        default = "unlimited",
        skip_serializing_if = "is_unlimited"
    )]
    pacing: Pacing,
    #[serde(with = "PayloadWire", default = "stamped")]
    payload: Payload,
    #[serde(
        with = "AssemblyWire",
        default = "whole",
        skip_serializing_if = "is_whole"
    )]
    assembly: Assembly,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    copies: Option<Count<usize>>,
}

fn never() -> FlushPolicy {
    FlushPolicy::Never
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_never(flush: &FlushPolicy) -> bool {
    *flush == FlushPolicy::Never
}

fn unlimited() -> Pacing {
    Pacing::Unlimited
}

fn is_unlimited(pacing: &Pacing) -> bool {
    *pacing == Pacing::Unlimited
}

fn alone() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_alone(shared_by: &u32) -> bool {
    *shared_by == 1
}

pub(super) fn stamped() -> Payload {
    Payload::Stamped
}

fn whole() -> Assembly {
    Assembly::Whole
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_whole(assembly: &Assembly) -> bool {
    *assembly == Assembly::Whole
}

impl From<&Stream> for StreamWire {
    fn from(stream: &Stream) -> Self {
        Self {
            target: Count(stream.target.0),
            pattern: Pattern::from(&stream.pattern),
            block: Block(stream.sizes.clone()),
            write_percent: Count(stream.mix.write_percent),
            queue_depth: Count(stream.queue_depth),
            flush: stream.mix.flush,
            pacing: stream.pacing.clone(),
            payload: stream.payload.clone(),
            assembly: stream.assembly,
            copies: stream.copies.map(Count),
        }
    }
}

impl From<StreamWire> for Stream {
    fn from(wire: StreamWire) -> Self {
        let largest = wire.block.0.largest();
        Self {
            target: TargetIndex(wire.target.0),
            pattern: wire.pattern.into_plan(largest),
            mix: OperationMix {
                write_percent: wire.write_percent.0,
                flush: wire.flush,
            },
            sizes: wire.block.0,
            queue_depth: wire.queue_depth.0,
            pacing: wire.pacing,
            payload: wire.payload,
            assembly: wire.assembly,
            copies: wire.copies.map(|stream| stream.0),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "FlushPolicy",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum FlushWire {
    Never,
    Every {
        #[serde(with = "Via::<Count<u32>>")]
        writes: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        data_only: bool,
    },
    AtEnd {
        #[serde(default, skip_serializing_if = "is_default")]
        data_only: bool,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Pacing",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum PacingWire {
    Unlimited,
    CapBytes {
        #[serde(with = "Via::<Bytes<u64>>")]
        per_second: u64,
        #[serde(
            with = "Via::<Count<u32>>",
            default = "alone",
            skip_serializing_if = "is_alone"
        )]
        shared_by: u32,
    },
    CapOperations {
        #[serde(with = "Via::<Count<u64>>")]
        per_second: u64,
        #[serde(
            with = "Via::<Count<u32>>",
            default = "alone",
            skip_serializing_if = "is_alone"
        )]
        shared_by: u32,
    },
    Burst {
        #[serde(with = "Via::<Count<u64>>")]
        operations: u64,
        #[serde(with = "Via::<Time>")]
        pause: Duration,
        #[serde(with = "PauseFromWire", default, skip_serializing_if = "is_default")]
        from: PauseFrom,
    },
    Arrivals {
        per_second: f64,
        #[serde(default)]
        poisson: bool,
    },
    Waves {
        #[serde(with = "Via::<Time>")]
        first: Duration,
        #[serde(with = "Via::<Time>")]
        every: Duration,
        #[serde(with = "Via::<Count<u64>>")]
        operations: u64,
        #[serde(
            with = "ViaOption::<Time>",
            default,
            skip_serializing_if = "Option::is_none"
        )]
        backs_off_above: Option<Duration>,
    },
    Gathered {
        per_second: f64,
        #[serde(default)]
        poisson: bool,
        #[serde(with = "Via::<Bytes<u32>>")]
        record: u32,
        #[serde(with = "Via::<Bytes<u32>>")]
        unit: u32,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PauseFrom", rename_all = "kebab-case")]
enum PauseFromWire {
    Issue,
    Completion,
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Payload",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
pub(super) enum PayloadWire {
    Zeros,
    BytePattern,
    Random,
    Stamped,
    FreshRandom,
    Source {
        #[serde(with = "Via::<Bytes<u64>>")]
        size: u64,
        #[serde(
            with = "ViaOption::<Name>",
            default,
            skip_serializing_if = "Option::is_none"
        )]
        file: Option<PathBuf>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Assembly",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum AssemblyWire {
    Whole,
    Copied {
        #[serde(with = "Via::<Count<u32>>")]
        pieces: u32,
    },
    Scattered {
        #[serde(with = "Via::<Count<u32>>")]
        pieces: u32,
    },
}
