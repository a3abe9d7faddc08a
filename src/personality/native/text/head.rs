//! What was measured, on what, with which flags, so that a pasted result explains itself.

use std::{ffi::OsStr, time::Duration};

use super::{
    load::{self, listed},
    named,
};
use crate::{
    plan::{Caching, Durability, FlushPolicy, Payload, Target, TimeSpan},
    profiles::Resolved,
    report::text::{Page, span_of_time},
    results::{Outcome, Results, SpanResult, TargetResult},
    units::{
        names::shown,
        words::{plural, size},
    },
};

/// Targets that are named one by one.
const NAMED: usize = 3;

/// Writes the lines of one time span, which is called `name` where there are several.
pub(super) fn write(
    page: &mut Page,
    results: &Results,
    index: usize,
    name: &str,
    resolved: Option<&Resolved>,
) {
    let Some(span) = results.spans.get(index) else {
        return;
    };
    let planned = results.planned(index);
    let mut what = Vec::new();
    if let Some(resolved) = resolved {
        what.push(format!("{}: ", resolved.name));
    }
    if let Some(planned) = planned {
        if results.spans.len() > 1 && !name.is_empty() {
            what.push(format!("{}: ", named(name)));
        }
        what.push(load::words(planned));
    }
    what.push(times(span, planned));
    page.wrapped(&what.concat());
    page.wrapped(&place(span, planned));
}

/// Writes what all time spans of a disk's corners have in common.
pub(super) fn corners(page: &mut Page, results: &Results) {
    let measured: Vec<usize> = (0..results.spans.len())
        .filter(|index| results.spans[*index].has_figures())
        .collect();
    let loads = plural(results.spans.len() as u64, "load");
    let loads = match measured.len() {
        some if some < results.spans.len() => format!("{some} of {loads}"),
        _ => loads,
    };
    page.wrapped(&format!(
        "The corners of a disk: {loads} one after the other{}",
        lengths(results, &measured)
    ));
    let mut parts: Vec<String> = Vec::new();
    let mut engines: Vec<String> = Vec::new();
    for index in &measured {
        let span = &results.spans[*index];
        for flag in results
            .planned(*index)
            .map_or(Vec::new(), |planned| flags(span, planned))
        {
            if !parts.contains(&flag) {
                parts.push(flag);
            }
        }
        for engine in span.engine.split('+').filter(|name| !name.is_empty()) {
            if !engines.iter().any(|known| known == engine) {
                engines.push(engine.to_owned());
            }
        }
    }
    // Of the writes some are durable, and each row says which.
    parts.retain(|flag| !flag.starts_with("each write durable"));
    for flag in &mut parts {
        if flag.starts_with("writes NOT DURABLE") {
            flag.insert_str(0, "plain ");
        }
    }
    if !engines.is_empty() {
        parts.push(listed(&engines));
    }
    let first = measured.first().map(|index| &results.spans[*index]);
    let planned = measured.first().and_then(|index| results.planned(*index));
    let place = first.map_or(String::new(), |span| targets(&span.targets, planned));
    if !place.is_empty() {
        parts.insert(0, format!("on {place}"));
    }
    page.wrapped(&parts.join(", "));
}

/// How long the loads were measured: `, 5 s each`, or with what those were that were cut short.
fn lengths(results: &Results, measured: &[usize]) -> String {
    let length = |index: &usize| span_of_time(results.spans[*index].measured);
    let whole = |index: &&usize| results.spans[**index].outcome == Outcome::Finished;
    let mut common: Vec<String> = measured.iter().filter(whole).map(length).collect();
    common.dedup();
    let mut told = match common.as_slice() {
        [] => Vec::new(),
        [one] => vec![format!("{one} each")],
        several => vec![format!("{} each in turn", several.join(", "))],
    };
    told.extend(measured.iter().filter(|index| !whole(index)).map(|index| {
        let name = results.planned(*index).map_or("", |planned| &planned.name);
        format!("'{}' only {}", named(name), length(index))
    }));
    told.insert(0, String::new());
    told.join(", ")
}

/// Engines that worked side by side are joined by a plus.
fn engine(name: &str) -> String {
    listed(&name.split('+').collect::<Vec<_>>())
}

/// For how long.
fn times(span: &SpanResult, planned: Option<&TimeSpan>) -> String {
    let measured = span.measured;
    if let Some(settled) = span.steady {
        let whole = planned.map_or(settled.after, |planned| planned.warmup + settled.after);
        return format!(
            "; the last {} of {}",
            span_of_time(measured),
            span_of_time(whole)
        );
    }
    let warmup = planned.map_or(Duration::ZERO, |planned| planned.warmup);
    if measured.is_zero() {
        return String::new();
    }
    if warmup.is_zero() {
        return format!("; {}", span_of_time(measured));
    }
    format!(
        "; {} after {} of warm-up",
        span_of_time(measured),
        span_of_time(warmup)
    )
}

/// On what, and how it was opened.
pub(in crate::personality::native) fn place(
    span: &SpanResult,
    planned: Option<&TimeSpan>,
) -> String {
    let mut text = match targets(&span.targets, planned) {
        targets if targets.is_empty() => String::new(),
        targets => format!("on {targets}; "),
    };
    let flags = planned.map_or(Vec::new(), |planned| flags(span, planned));
    text.push_str(&flags.join(", "));
    if !span.engine.is_empty() {
        let gap = if flags.is_empty() { "" } else { ", " };
        text.push_str(gap);
        text.push_str(&engine(&span.engine));
    }
    text.trim_end_matches([' ', ';']).to_owned()
}

fn targets(targets: &[TargetResult], planned: Option<&TimeSpan>) -> String {
    let mut places: Vec<String> = Vec::new();
    let mut labels: Vec<String> = Vec::new();
    for (index, target) in targets.iter().enumerate() {
        let name = shown(OsStr::new(&target.label));
        let label = match target.size {
            0 => name,
            bytes => {
                let used = planned.and_then(|planned| planned.targets.get(index));
                format!("{name} ({})", part(bytes, used))
            }
        };
        // Several streams may name the same target.
        if !labels.contains(&label) {
            labels.push(label);
        }
        let place = storage(target);
        if !place.is_empty() && !places.contains(&place) {
            places.push(place);
        }
    }
    let more = labels.len().saturating_sub(NAMED);
    labels.truncate(NAMED);
    if more > 0 {
        labels.push(format!("{more} more"));
    }
    match (labels.is_empty(), places.is_empty()) {
        (true, _) => listed(&places),
        (false, true) => listed(&labels),
        (false, false) => format!("{}: {}", listed(&labels), listed(&places)),
    }
}

/// What is used of so many bytes: `1 GiB`, `the first 1 GiB of 4 GiB`, `1 GiB from 512 MiB on of
/// 4 GiB`.
fn part(bytes: u64, used: Option<&Target>) -> String {
    let (base, end) = used.map_or((0, bytes), |target| {
        (target.base, target.end.unwrap_or(bytes).min(bytes))
    });
    let length = end.saturating_sub(base);
    match (base, length) {
        (0, length) if length == bytes => size(bytes),
        (_, 0) => size(bytes),
        (0, length) => format!("the first {} of {}", size(length), size(bytes)),
        (base, length) => format!("{} from {} on of {}", size(length), size(base), size(bytes)),
    }
}

/// `ext4 on nvme0n1p2 (Some Model)`.
fn storage(target: &TargetResult) -> String {
    let filesystem = target
        .filesystem
        .as_ref()
        .map(|filesystem| &filesystem.kind);
    let device = target.device.as_ref().map(|device| match &device.model {
        Some(model) => format!("{} ({})", device.name, model.trim()),
        None => device.name.clone(),
    });
    match (filesystem, device) {
        (Some(filesystem), Some(device)) => format!("{filesystem} on {device}"),
        (Some(filesystem), None) => filesystem.clone(),
        (None, Some(device)) => device,
        (None, None) => String::new(),
    }
}

/// Page cache or not, and when a write counts as done; each said once.
fn flags(span: &SpanResult, planned: &TimeSpan) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    let mut add = |flag: &str| {
        if !flag.is_empty() && !flags.iter().any(|known| known == flag) {
            flags.push(flag.to_owned());
        }
    };
    for target in &planned.targets {
        add(match target.caching {
            Caching::Direct => "direct",
            Caching::Buffered => "buffered",
        });
    }
    for (index, target) in planned.targets.iter().enumerate() {
        add(&durability(planned, index, target, span.targets.get(index)));
    }
    let streams = planned.groups.iter().flat_map(|group| &group.streams);
    for stream in streams.filter(|stream| stream.mix.write_percent > 0) {
        add(&data(&stream.payload));
    }
    flags
}

/// What is written, where it is not random data.
fn data(payload: &Payload) -> String {
    match payload {
        Payload::Zeros => "zeros written".to_owned(),
        Payload::BytePattern => "a pattern of bytes written".to_owned(),
        Payload::Source {
            file: Some(file), ..
        } => format!("data of {} written", shown(file.as_os_str())),
        Payload::Random
        | Payload::Stamped
        | Payload::FreshRandom
        | Payload::Source { file: None, .. } => String::new(),
    }
}

/// When a write to a target counts as done; nothing where none is written.
fn durability(
    planned: &TimeSpan,
    index: usize,
    target: &Target,
    found: Option<&TargetResult>,
) -> String {
    let mut flushes = planned
        .groups
        .iter()
        .flat_map(|group| &group.streams)
        .filter(|stream| stream.target.0 == index && stream.mix.write_percent > 0)
        .map(|stream| stream.mix.flush);
    let Some(first) = flushes.next() else {
        return String::new();
    };
    let policy = flushes.fold(first, |seen, next| match seen {
        FlushPolicy::Never => next,
        _ => seen,
    });
    let call = |data_only| if data_only { "fdatasync" } else { "fsync" };
    match (target.durability, policy) {
        (Durability::Dsync, _) => "each write durable (O_DSYNC)".to_owned(),
        (Durability::Sync, _) => "each write durable (O_SYNC)".to_owned(),
        (
            Durability::None,
            FlushPolicy::Every {
                writes: 1,
                data_only,
            },
        ) => {
            format!("{} after each write", call(data_only))
        }
        (Durability::None, FlushPolicy::Every { writes, data_only }) => {
            format!("{} after every {writes} writes", call(data_only))
        }
        (Durability::None, FlushPolicy::AtEnd { data_only }) => {
            format!("{} at the end", call(data_only))
        }
        (Durability::None, FlushPolicy::Never) => {
            let cache = found.and_then(|found| found.device.as_ref()?.write_cache.as_deref());
            match (target.caching, cache) {
                (Caching::Buffered, _) => "writes NOT DURABLE (page cache)".to_owned(),
                (Caching::Direct, Some("write back")) => {
                    "writes NOT DURABLE (volatile device cache)".to_owned()
                }
                (Caching::Direct, _) => String::new(),
            }
        }
    }
}
