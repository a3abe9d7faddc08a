//! A time span.

use std::time::Duration;

use ioengine::{Access, registry::Polling};
use serde::{Deserialize, Serialize};

use super::{
    is_default,
    load::GroupWire,
    sequence::{SequenceWire, VisitsWire},
    target::TargetWire,
    values::{Bytes, Count, Time},
    via::Via,
    words::Words,
};
use crate::plan::{
    Condition, Counting, Generator, Operations, Steady, Stop, ThrottleSleep, TimeSpan,
};

/// `[step.run]`
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct SpanWire {
    #[serde(default, skip_serializing_if = "is_default")]
    name: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pause_before: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    duration: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<Bytes<u64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    operations: Option<Count<u64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    passes: Option<Count<u64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until_steady: Option<Words<Steady>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stop_if: Vec<Words<Condition>>,
    #[serde(default)]
    warmup: Time,
    #[serde(default, skip_serializing_if = "is_default")]
    cooldown: Time,
    #[serde(default = "second")]
    interval: Time,
    #[serde(with = "CountingWire", default = "in_window")]
    counting: Counting,
    #[serde(with = "GeneratorWire", default = "xoshiro")]
    generator: Generator,
    #[serde(with = "PollingWire", default, skip_serializing_if = "is_default")]
    polling: Polling,
    #[serde(
        with = "ThrottleSleepWire",
        default = "short",
        skip_serializing_if = "is_short"
    )]
    throttle_sleep: ThrottleSleep,
    #[serde(default, skip_serializing_if = "is_default")]
    initiation: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    whole_milliseconds: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    verify: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    target: Vec<TargetWire>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    group: Vec<GroupWire>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sequence: Option<SequenceWire>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    visits: Option<VisitsWire>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Counting", rename_all = "kebab-case")]
enum CountingWire {
    CompletedInWindow,
    DrainAndCount,
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "Generator",
    rename_all = "lowercase",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum GeneratorWire {
    Xoshiro {
        #[serde(with = "Via::<Count<u64>>")]
        seed: u64,
    },
    DiskSpd {
        #[serde(with = "Via::<Count<u32>>")]
        seed: u32,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Polling", rename_all = "kebab-case")]
enum PollingWire {
    Interrupt,
    Device,
    Submission,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ThrottleSleep", rename_all = "kebab-case")]
enum ThrottleSleepWire {
    Short,
    UntilDue,
}

fn second() -> Time {
    Time(Duration::from_secs(1))
}

fn in_window() -> Counting {
    Counting::CompletedInWindow
}

fn xoshiro() -> Generator {
    Generator::Xoshiro { seed: 0 }
}

fn short() -> ThrottleSleep {
    ThrottleSleep::Short
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_short(sleep: &ThrottleSleep) -> bool {
    *sleep == ThrottleSleep::Short
}

impl From<&TimeSpan> for SpanWire {
    fn from(span: &TimeSpan) -> Self {
        Self {
            name: span.name.clone(),
            pause_before: Time(span.pause_before),
            duration: span.stop.after.map(Time),
            bytes: span.stop.bytes.map(Bytes),
            operations: span.stop.operations.map(Count),
            passes: span.stop.passes.map(Count),
            until_steady: span.stop.steady.map(Words),
            stop_if: span.stop.fuse.iter().copied().map(Words).collect(),
            warmup: Time(span.warmup),
            cooldown: Time(span.cooldown),
            interval: Time(span.interval),
            counting: span.counting,
            generator: span.generator,
            polling: span.polling,
            throttle_sleep: span.throttle_sleep,
            initiation: span.initiation,
            whole_milliseconds: span.whole_milliseconds,
            verify: span.verify,
            target: span.targets.iter().map(TargetWire::from).collect(),
            group: span.groups.iter().map(GroupWire::from).collect(),
            sequence: span.sequence.as_deref().map(SequenceWire::from),
            visits: span.visits.as_deref().map(VisitsWire::from),
        }
    }
}

impl From<SpanWire> for TimeSpan {
    fn from(wire: SpanWire) -> Self {
        let needed: Vec<Access> = (0..wire.target.len())
            .map(|target| needed(target, &wire))
            .collect();
        Self {
            name: wire.name,
            pause_before: wire.pause_before.0,
            warmup: wire.warmup.0,
            stop: Stop {
                after: wire.duration.map(|time| time.0),
                bytes: wire.bytes.map(|bytes| bytes.0),
                operations: wire.operations.map(|count| count.0),
                passes: wire.passes.map(|count| count.0),
                steady: wire.until_steady.map(|steady| steady.0),
                fuse: wire.stop_if.into_iter().map(|words| words.0).collect(),
            },
            cooldown: wire.cooldown.0,
            counting: wire.counting,
            interval: wire.interval.0,
            targets: wire
                .target
                .into_iter()
                .zip(needed)
                .map(|(target, needed)| target.into_plan(needed))
                .collect(),
            groups: wire.group.into_iter().map(Into::into).collect(),
            sequence: wire.sequence.map(|sequence| Box::new(sequence.into())),
            visits: wire.visits.map(|visits| Box::new(visits.into())),
            generator: wire.generator,
            polling: wire.polling,
            throttle_sleep: wire.throttle_sleep,
            initiation: wire.initiation,
            whole_milliseconds: wire.whole_milliseconds,
            verify: wire.verify,
        }
    }
}

/// For what a target is opened, by what its streams do.
fn needed(target: usize, wire: &SpanWire) -> Access {
    let operations = wire.sequence.as_ref().map(|shared| shared.operations);
    let streams = || {
        let all = wire.group.iter().flat_map(|group| &group.stream);
        all.filter(|stream| stream.target.0 == target)
    };
    let reads = operations.is_some_and(Operations::read)
        || streams().any(|stream| stream.write_percent.0 < 100);
    let writes = operations.is_some_and(Operations::write)
        || streams().any(|stream| stream.write_percent.0 > 0);
    match (reads, writes) {
        (_, false) => Access::Read,
        (false, true) => Access::Write,
        (true, true) => Access::ReadWrite,
    }
}
