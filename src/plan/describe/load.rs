//! Who makes the load and what it is made of, in words.

use std::collections::BTreeMap;

use super::{
    pattern::{distribution, pattern},
    sheet::{Sheet, bytes, grouped, plural, size},
    time,
};
use crate::{
    plan::{
        Affinity, Assembly, BlockSizes, Dispatch, FlushPolicy, OperationMix, Pacing, PauseFrom,
        Payload, Stream, TimeSpan, WeightedSize, WorkerGroup,
    },
    units::names::shown,
};

/// All groups of a time span, with their sums.
pub(super) fn groups(sheet: &mut Sheet, span: &TimeSpan) {
    let mut first = 0;
    for group in &span.groups {
        workers(sheet, first, group);
        for (index, stream) in group.streams.iter().enumerate() {
            stream_in_words(sheet, (group, index), stream, span.verify);
        }
        first += u64::from(group.workers);
    }
    let sum = |of: fn(&WorkerGroup) -> u64| {
        span.groups.iter().fold(0, |sum: u64, group| {
            sum.saturating_add(of(group).saturating_mul(u64::from(group.workers)))
        })
    };
    let outstanding = sum(|group| u64::from(group.slots()));
    let buffers = sum(buffer_bytes).saturating_add(source_bytes(span));
    sheet.entry(
        1,
        "in all",
        &format!(
            "{}, {} outstanding at most, {} of memory for their data",
            plural(first, "thread"),
            plural(outstanding, "I/O"),
            bytes(buffers)
        ),
    );
}

fn workers(sheet: &mut Sheet, first: u64, group: &WorkerGroup) {
    let name = match group.workers {
        0 | 1 => format!("thread {first}"),
        more => format!("threads {first}-{}", first + u64::from(more) - 1),
    };
    let affinity = match &group.affinity {
        Affinity::None => "on whatever CPU the scheduler gives".to_owned(),
        Affinity::RoundRobin => "bound to one CPU each, round robin".to_owned(),
        Affinity::List(cpus) => {
            let cpus: Vec<String> = cpus.iter().map(u32::to_string).collect();
            format!("bound to CPUs {} in turn", cpus.join(", "))
        }
    };
    let slots = u64::from(group.slots());
    let outstanding = format!(
        "{} outstanding each, {} in all",
        plural(slots, "I/O"),
        grouped(slots.saturating_mul(u64::from(group.workers)))
    );
    let dispatch = match &group.dispatch {
        Dispatch::Shared { weights, .. } if group.streams.len() > 1 => {
            let weights: Vec<String> = weights.iter().map(u32::to_string).collect();
            format!(
                "; each I/O draws its target with weights {}",
                weights.join(" : ")
            )
        }
        Dispatch::InTurn if group.streams.len() > 1 => "; its targets take turns".to_owned(),
        Dispatch::Shared { .. } | Dispatch::PerStream | Dispatch::InTurn => String::new(),
    };
    let count = plural(u64::from(group.workers), "thread");
    sheet.entry(
        1,
        &name,
        &format!("{count}, {affinity}; {outstanding}{dispatch}"),
    );
}

fn stream_in_words(
    sheet: &mut Sheet,
    (group, index): (&WorkerGroup, usize),
    stream: &Stream,
    verify: bool,
) {
    let depth = match group.dispatch {
        Dispatch::PerStream => {
            format!(
                ", {} outstanding",
                plural(u64::from(stream.queue_depth), "I/O")
            )
        }
        Dispatch::Shared { .. } | Dispatch::InTurn => String::new(),
    };
    let copies = stream.copies.map_or(String::new(), |source| {
        format!("; one write for each completed read of stream {source}")
    });
    let target = stream.target.0;
    sheet.entry(
        2,
        &format!("stream {index}"),
        &format!("to target {target}{depth}{copies}"),
    );
    sheet.entry(3, "order", &pattern(&stream.pattern));
    if let Some(distribution) = distribution(&stream.pattern) {
        sheet.entry(3, "where", &distribution);
    }
    sheet.entry(3, "sizes", &sizes(&stream.sizes, stream.mix.write_percent));
    if let Some(assembly) = assembly(stream) {
        sheet.entry(3, "memory", &assembly);
    }
    sheet.entry(3, "mix", &mix(stream.mix));
    sheet.entry(3, "pace", &pacing(&stream.pacing));
    if stream.mix.write_percent > 0 {
        let sent = if verify {
            LABELLED.to_owned()
        } else {
            payload(&stream.payload)
        };
        sheet.entry(3, "writes send", &sent);
    }
}

/// Of what memory blocks are put together, where that is unusual.
fn assembly(stream: &Stream) -> Option<String> {
    let pieces = u64::from(stream.assembly.pieces());
    let each = u64::from(stream.sizes.largest()) / pieces.max(1);
    let of = match stream.sizes {
        BlockSizes::One(_) => format!("{} of {}", plural(pieces, "piece"), size(each)),
        BlockSizes::Weighted { .. } => plural(pieces, "piece"),
    };
    match stream.assembly {
        Assembly::Whole => None,
        Assembly::Copied { .. } => Some(format!(
            "each block is copied from or to {of}, within its latency"
        )),
        Assembly::Scattered { .. } => Some(format!(
            "each block is scattered over {of}, which one call transfers"
        )),
    }
}

fn sizes(sizes: &BlockSizes, write_percent: u32) -> String {
    match sizes {
        BlockSizes::One(bytes) => size(u64::from(*bytes)),
        BlockSizes::Weighted { read, write } => match write_percent {
            0 => weighted(read),
            100.. => weighted(write),
            _ => format!("reads {}; writes {}", weighted(read), weighted(write)),
        },
    }
}

fn weighted(entries: &[WeightedSize]) -> String {
    let total: u64 = entries.iter().map(|entry| u64::from(entry.weight)).sum();
    let one = |entry: &WeightedSize| {
        let percent = 100.0 * f64::from(entry.weight) / total.max(1) as f64;
        // One decimal at most: weights like 1 : 2 have no end of them.
        let percent = (percent * 10.0).round() / 10.0;
        format!("{} ({percent} %)", size(u64::from(entry.bytes)))
    };
    entries.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn mix(mix: OperationMix) -> String {
    let share = match mix.write_percent {
        0 => "reads only".to_owned(),
        100.. => "writes only".to_owned(),
        percent => format!(
            "{} % reads, {percent} % writes, drawn for each I/O",
            100 - percent
        ),
    };
    let call = |data_only| if data_only { "fdatasync" } else { "fsync" };
    match mix.flush {
        FlushPolicy::Never => share,
        FlushPolicy::Every { writes, data_only } => {
            let every = plural(u64::from(writes), "write");
            format!("{share}; {} after every {every}", call(data_only))
        }
        FlushPolicy::AtEnd { data_only } => {
            format!(
                "{share}; {} once at the end of the measured time",
                call(data_only)
            )
        }
    }
}

fn cap(amount: &str, shared_by: u32) -> String {
    match shared_by {
        1 => format!("never more than {amount} a second and thread"),
        threads => format!("never more than {amount} a second, shared by {threads} threads"),
    }
}

fn pacing(pacing: &Pacing) -> String {
    match pacing {
        Pacing::Unlimited => "as fast as the target answers".to_owned(),
        Pacing::CapBytes {
            per_second,
            shared_by,
        } => cap(&bytes(*per_second), *shared_by),
        Pacing::CapOperations {
            per_second,
            shared_by,
        } => cap(&plural(*per_second, "I/O"), *shared_by),
        Pacing::Burst {
            operations,
            pause,
            from,
        } => format!(
            "bursts of {} in each thread, {} of pause {}",
            plural(*operations, "I/O"),
            time(*pause),
            match from {
                PauseFrom::Issue => "from the issue of the last",
                PauseFrom::Completion => "once all have completed",
            }
        ),
        Pacing::Arrivals {
            per_second,
            poisson,
        } => format!(
            "{per_second} I/Os a second and thread, {}, whether or not the target keeps up",
            if *poisson {
                "at exponential distances"
            } else {
                "at equal distances"
            }
        ),
        Pacing::Waves {
            first,
            every,
            operations,
            backs_off_above,
        } => format!(
            "waves of {} in each thread, the first after {}, then every {}{}",
            plural(*operations, "I/O"),
            time(*first),
            time(*every),
            backs_off_above.map_or(String::new(), |limit| format!(
                "; half as many in flight while an I/O takes more than {}",
                time(limit)
            ))
        ),
        Pacing::Gathered {
            per_second,
            poisson,
            record,
            unit,
        } => format!(
            "group commit: {per_second} records of {record} bytes a second and thread, {}; one write \
             carries all that wait, in multiples of {unit} bytes",
            if *poisson {
                "at exponential distances"
            } else {
                "at equal distances"
            }
        ),
    }
}

/// What verified writes send, whatever their payload would be.
const LABELLED: &str = "labelled sectors of 512 bytes, other ones in each write";

pub(super) fn payload(payload: &Payload) -> String {
    match payload {
        Payload::Zeros => "zeros".to_owned(),
        Payload::BytePattern => "the bytes 0 to 255 again and again".to_owned(),
        Payload::Random => "random bytes, drawn once for each outstanding I/O".to_owned(),
        Payload::Stamped => {
            "random bytes, drawn once, with a number of its own in each 4 KiB of each write"
                .to_owned()
        }
        Payload::FreshRandom => "fresh random bytes for each write".to_owned(),
        Payload::Source { size, file: None } => {
            format!(
                "a random place in a buffer of {} of random bytes",
                bytes(*size)
            )
        }
        Payload::Source {
            size,
            file: Some(file),
        } => format!(
            "a random place in a buffer of {} filled from {}",
            bytes(*size),
            shown(file.as_os_str())
        ),
    }
}

/// Bytes of one worker's slots.
fn buffer_bytes(group: &WorkerGroup) -> u64 {
    let largest = |stream: &Stream| u64::from(stream.sizes.largest());
    match group.dispatch {
        Dispatch::PerStream => group.streams.iter().fold(0, |sum: u64, stream| {
            sum.saturating_add(u64::from(stream.queue_depth).saturating_mul(largest(stream)))
        }),
        Dispatch::Shared { queue_depth, .. } => {
            let block = group.streams.iter().map(largest).max().unwrap_or(0);
            u64::from(queue_depth).saturating_mul(block)
        }
        Dispatch::InTurn => group.streams.iter().map(largest).max().unwrap_or(0),
    }
}

/// Bytes of the shared sources: one for each target that has any.
fn source_bytes(span: &TimeSpan) -> u64 {
    let mut sources = BTreeMap::new();
    for stream in span.groups.iter().flat_map(|group| &group.streams) {
        if let Payload::Source { size, .. } = stream.payload {
            let largest: &mut u64 = sources.entry(stream.target).or_default();
            *largest = size.max(*largest);
        }
    }
    sources.into_values().fold(0, u64::saturating_add)
}
