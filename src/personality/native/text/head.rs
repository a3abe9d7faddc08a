//! What was measured, on what, with which flags, so that a pasted result explains itself.

use std::{ffi::OsStr, time::Duration};

use super::load::{self, listed};
use crate::{
    plan::{Caching, Durability, FlushPolicy, Target, TimeSpan},
    profiles::Resolved,
    report::text::{Page, span_of_time},
    results::{Results, SpanResult, TargetResult},
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
            what.push(format!("{name}: "));
        }
        what.push(load::words(planned));
    }
    what.push(times(span.measured, planned));
    page.wrapped(&what.concat());
    page.wrapped(&place(span, planned));
}

/// Writes what all time spans of a disk's corners have in common.
pub(super) fn corners(page: &mut Page, results: &Results) {
    let measured: Vec<usize> = (0..results.spans.len())
        .filter(|index| results.spans[*index].has_figures())
        .collect();
    let lengths = measured.iter().map(|index| results.spans[*index].measured);
    let times = match (lengths.clone().min(), lengths.max()) {
        (Some(least), Some(most)) if span_of_time(least) == span_of_time(most) => {
            format!(", {} each", span_of_time(most))
        }
        (Some(least), Some(most)) => {
            format!(", {} to {} each", span_of_time(least), span_of_time(most))
        }
        _ => String::new(),
    };
    let loads = plural(results.spans.len() as u64, "load");
    page.wrapped(&format!(
        "The corners of a disk: {loads} one after the other{times}"
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
    let place = first.map_or(String::new(), |span| targets(&span.targets));
    if !place.is_empty() {
        parts.insert(0, format!("on {place}"));
    }
    page.wrapped(&parts.join(", "));
}

/// Engines that worked side by side are joined by a plus.
fn engine(name: &str) -> String {
    listed(&name.split('+').collect::<Vec<_>>())
}

/// For how long.
fn times(measured: Duration, planned: Option<&TimeSpan>) -> String {
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
    let mut text = match targets(&span.targets) {
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

fn targets(targets: &[TargetResult]) -> String {
    let mut places: Vec<String> = Vec::new();
    let mut labels: Vec<String> = Vec::new();
    for target in targets {
        let name = shown(OsStr::new(&target.label));
        labels.push(match target.size {
            0 => name,
            bytes => format!("{name} ({})", size(bytes)),
        });
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
    flags
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
