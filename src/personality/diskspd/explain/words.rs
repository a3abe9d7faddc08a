//! Options in words, with the values that they have on this line.

use std::path::PathBuf;

use crate::{
    personality::{
        diskspd::{
            line::{first::First, options::Draft, reader::Reader},
            planning::events::own_name,
            profile::{Cache, Distribution, Format, Target, Throughput},
            validate::system_cpu,
        },
        flags::Flag,
    },
    units::ByteSize,
};

/// What all options of the line come to.
#[derive(Debug)]
pub(super) struct Context {
    /// Those of the first pass.
    pub(super) first: First,
    /// Those of the second.
    pub(super) draft: Draft,
    /// A reader that knows the block size.
    pub(super) reader: Reader,
    /// How many targets there are.
    pub(super) targets: usize,
    /// Where events are.
    pub(super) events: PathBuf,
}

impl Context {
    fn block(&self) -> u64 {
        u64::from(self.reader.block)
    }

    /// Threads in all.
    fn threads(&self) -> u64 {
        match self.draft.span.thread_count {
            0 => u64::from(self.draft.target.threads) * self.targets as u64,
            threads => u64::from(threads),
        }
    }
}

/// `8 KiB`, `1.46 KiB`, `512 bytes`.
fn size(bytes: u64) -> String {
    let text = ByteSize(bytes).to_string();
    match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(unit) => format!("{} {}", &text[..unit], &text[unit..]),
        None => format!("{text} bytes"),
    }
}

/// A size, and how many blocks that are, where it is more than one.
fn in_blocks(bytes: u64, block: u64) -> String {
    if block > 0 && bytes > block && bytes.is_multiple_of(block) {
        format!(
            "{} ({} blocks of {})",
            size(bytes),
            bytes / block,
            size(block)
        )
    } else {
        size(bytes)
    }
}

/// The meaning of an option that is right. `first` and `draft` hold its value alone.
pub(super) fn meaning(
    flag: &Flag,
    body: &str,
    first: &First,
    draft: &Draft,
    context: &Context,
) -> String {
    of_first(flag.name, first)
        .or_else(|| of_counts(flag.name, draft, context))
        .or_else(|| of_access(flag.name, body, draft, context))
        .or_else(|| of_events(flag.name, draft, context))
        .unwrap_or_else(|| flag.meaning.to_owned())
}

fn of_first(name: &str, first: &First) -> Option<String> {
    Some(match name {
        "-:" => match first.experiment_flags? & 1 {
            1 => "a throttled thread sleeps until its next I/O is due".to_owned(),
            _ => "no experiment that does anything: bit 0 is not set".to_owned(),
        },
        "-b" => format!("each I/O is {}", size(u64::from(first.block?))),
        "-C" => format!("{} s of load behind the measured time", first.cooldown?),
        "-d" => match first.duration? {
            0 => "no measured time: all figures will be 0".to_owned(),
            seconds => format!("{seconds} s of measured time"),
        },
        "-W" => match first.warmup? {
            0 => "no load before the measured time".to_owned(),
            seconds => format!("{seconds} s of load before the measured time"),
        },
        "-R" => {
            let format = match first.format {
                Some(Format::Xml) => "as XML",
                _ => "as text",
            };
            if first.profile_only {
                format!("prints the checked parameters {format}, does no I/O")
            } else {
                format!("the report is printed {format}")
            }
        }
        "-X" => format!(
            "takes the parameters from the XML profile '{}'",
            first.xml.as_ref()?
        ),
        "-z" => format!("random choices begin with seed {}", first.seed?),
        _ => return None,
    })
}

fn of_counts(name: &str, draft: &Draft, context: &Context) -> Option<String> {
    let (span, target) = (&draft.span, &draft.target);
    Some(match name {
        "-D" => format!(
            "deviation of IOPS over intervals of {} ms",
            span.interval_ms
        ),
        "-F" => format!(
            "{} threads in all, each on all targets ({})",
            span.thread_count, context.targets
        ),
        "-g" => limit(target, context),
        "-i" => {
            let threads = match context.draft.span.thread_count {
                0 => context.draft.target.threads,
                threads => threads,
            };
            let burst = target.burst_size?;
            format!(
                "a burst is {burst} I/Os on each target, {} of each thread",
                (burst / threads.max(1)).max(1)
            )
        }
        "-I" => match target.priority {
            1 => "priority of I/O: very low (idle class)".to_owned(),
            2 => "priority of I/O: low (best effort, lowest level)".to_owned(),
            _ => "priority of I/O: normal (unchanged)".to_owned(),
        },
        "-j" => format!("a pause of {} ms behind each burst", target.think_time?),
        "-o" => {
            let each = u64::from(target.request_count);
            let pairs = match context.draft.span.thread_count {
                0 => context.threads(),
                threads => u64::from(threads) * context.targets as u64,
            };
            format!(
                "{each} I/Os outstanding of each thread on each target, {} in all",
                each.saturating_mul(pairs)
            )
        }
        "-O" => format!(
            "{} I/Os outstanding of each thread, spread over its targets",
            span.request_count
        ),
        "-P" => format!(
            "a dot is printed for every {} I/Os of a thread",
            draft.progress
        ),
        "-t" => format!(
            "{} threads for each target, {} in all",
            target.threads,
            u64::from(target.threads).saturating_mul(context.targets as u64)
        ),
        "-T" => format!(
            "each thread of a target starts {} behind the one before",
            in_blocks(target.thread_stride, context.block())
        ),
        "-w" => match target.write_ratio {
            0 => "reads only".to_owned(),
            100 => "writes only".to_owned(),
            percent => format!(
                "{percent} % writes and {} % reads, drawn for each I/O",
                100_u32.saturating_sub(percent)
            ),
        },
        _ => return None,
    })
}

fn limit(target: &Target, context: &Context) -> String {
    let (limit, bytes) = match target.throughput {
        Throughput::BytesPerMs(n) => (
            format!("{n} bytes per millisecond"),
            u64::from(n).saturating_mul(1000),
        ),
        Throughput::Iops(n) => (
            format!("{n} I/Os per second"),
            u64::from(n).saturating_mul(context.block()),
        ),
        Throughput::Unlimited => return "no limit".to_owned(),
    };
    format!(
        "at most {limit} of each thread on each target ({} per second)",
        size(bytes)
    )
}

fn of_access(name: &str, body: &str, draft: &Draft, context: &Context) -> Option<String> {
    let target = &draft.target;
    let block = context.block();
    Some(match name {
        "-a" | "-ag" => match draft.span.affinity.as_slice() {
            [] => "threads are bound to all CPUs in turn, as by default".to_owned(),
            list => {
                let cpus: Vec<String> = list
                    .iter()
                    .map(|(group, number)| system_cpu(*group, *number).to_string())
                    .collect();
                format!(
                    "threads are bound to these CPUs in turn: {}",
                    cpus.join(", ")
                )
            }
        },
        "-B" => {
            let base = format!("uses the target from {} on", in_blocks(target.base, block));
            match target.max_size {
                0 => base,
                end => format!("{base}, up to {}", in_blocks(end, block)),
            }
        }
        "-c" => match target.create_size? {
            0 => "makes no file".to_owned(),
            bytes => format!(
                "makes each target file anew with {} before the run, every byte written",
                size(bytes)
            ),
        },
        "-f" if target.max_size > 0 => format!(
            "uses the target up to {}",
            in_blocks(target.max_size, block)
        ),
        "-f" | "-fr" | "-fs" | "-ft" => hints(target),
        "-h" => cache(target),
        _ if name.starts_with("-S") => cache(target),
        "-r" => format!(
            "random I/O, offsets are multiples of {}",
            in_blocks(draft.alignment.unwrap_or(block), block)
        ),
        "-rs" => format!(
            "{} % of the I/Os are random, the others follow the one before",
            draft.random_percent?
        ),
        "-rd" => shares(target.distribution.as_ref()?),
        "-s" | "-si" => sequence(draft, block)?,
        "-Z" if target.source_size > 0 => {
            let source = match &target.source_path {
                Some(path) => format!("of the bytes of '{}'", path.to_string_lossy()),
                None => "of random bytes".to_owned(),
            };
            format!(
                "each write sends a random place in a buffer of {} {source}",
                size(target.source_size)
            )
        }
        "-Z" => "writes send zeros".to_owned(),
        "-e" => format!("would trace {} by the Windows kernel logger", &body[1..]),
        _ => return None,
    })
}

fn of_events(name: &str, draft: &Draft, context: &Context) -> Option<String> {
    let events = &draft.events;
    let file = |event: &Option<String>| {
        let name = own_name(event.as_ref()?);
        Some(context.events.join(name).display().to_string())
    };
    Some(match name {
        "-ye" => format!(
            "makes the file {} and ends with code 1",
            file(&events.signal_and_quit)?
        ),
        "-yf" => format!(
            "makes the file {} when the measured time ends",
            file(&events.finished)?
        ),
        "-yp" => format!(
            "ends the run early when there is a file {}",
            file(&events.stop)?
        ),
        "-yr" => format!("waits for a file {} before the load", file(&events.ready)?),
        "-ys" => format!(
            "makes the file {} when the measured time begins",
            file(&events.started)?
        ),
        _ => return None,
    })
}

fn hints(target: &Target) -> String {
    let named = [
        (target.random_access, "random"),
        (target.sequential_scan, "sequential"),
        (target.temporary, "temporary"),
    ];
    let named: Vec<&str> = named
        .iter()
        .filter(|(on, _)| *on)
        .map(|(_, n)| *n)
        .collect();
    match named.as_slice() {
        [] => "no end of the range (0)".to_owned(),
        named => format!("hints to the system: {}", named.join(", ")),
    }
}

fn cache(target: &Target) -> String {
    let mut parts = Vec::new();
    match target.cache {
        Cache::NoOsCache => parts.push("past the system cache (O_DIRECT)"),
        Cache::NoLocalCache => {
            parts.push("past the local cache, network filesystems only (O_DIRECT)");
        }
        Cache::Cached if !target.memory_mapped => parts.push("through the system cache"),
        Cache::Cached => {}
    }
    if target.memory_mapped {
        parts.push("through a mapping of the file");
    }
    if target.write_through {
        parts.push("a write is done when it is on stable storage (O_DSYNC)");
    }
    parts.join(", ")
}

fn shares(distribution: &Distribution) -> String {
    let (ranges, absolute) = match distribution {
        Distribution::Percent(ranges) => (ranges, false),
        Distribution::Absolute(ranges) => (ranges, true),
    };
    let parts: Vec<String> = ranges
        .iter()
        .map(|range| {
            let to = range.from.saturating_add(range.length);
            let part = match (absolute, range.length) {
                (true, 0) => format!("from {} to the end", size(range.from)),
                (true, _) => format!("from {} to {}", size(range.from), size(to)),
                (false, _) => format!("from {} % to {to} % of the target", range.from),
            };
            format!("{} % of the random I/Os {part}", range.io_percent)
        })
        .collect();
    parts.join("; ")
}

fn sequence(draft: &Draft, block: u64) -> Option<String> {
    let (stride, interlocked) = draft.sequential?;
    let who = if interlocked {
        "sequential I/O, one sequence for all threads of a target"
    } else {
        "sequential I/O, each thread on its own"
    };
    Some(format!(
        "{who}, {} from start to start",
        in_blocks(stride.unwrap_or(block), block)
    ))
}
