//! A plan in words and bytes: what `explain` says before anything is touched.

mod files;
mod load;
mod pattern;
mod sequence;
mod sheet;
mod visits;

use std::time::Duration;

use ioengine::{Access, Caching, Durability};

use self::sheet::{Sheet, bytes, grouped, plural};
use super::{
    Counting, EngineChoice, Events, Generator, MappedFlush, OnError, Plan, Polling, Priority, Step,
    Stop, Target, ThrottleSleep, TimeSpan, steady::WINDOWS,
};
use crate::units::names::shown;

/// The plan as aligned lines of at most `width` columns (only a path and the command line, which is
/// there to be pasted, may be longer).
pub fn describe(plan: &Plan, width: usize) -> String {
    let mut sheet = Sheet::new(width);
    sheet.heading(&format!(
        "{}: {}",
        plan.origin.personality, plan.origin.command_line
    ));
    sheet.entry(1, "engine", &engine(&plan.engine));
    sheet.entry(1, "on error", on_error(plan.on_error));
    if !plan.consent.is_empty() {
        let names = plan.consent.join(", ");
        sheet.entry(1, "consent", &format!("{names} may be destroyed"));
    }
    events(&mut sheet, &plan.events);
    let loaded = plan.spans().next().is_some();
    let mut number = 0;
    for step in &plan.steps {
        match step {
            Step::Prepare(prepare) => files::preparation(&mut sheet, prepare, loaded),
            Step::Run(span) => {
                number += 1;
                time_span(&mut sheet, number, span);
            }
            Step::Cleanup(cleanup) => files::cleanup(&mut sheet, cleanup, loaded),
        }
    }
    sheet.finish()
}

fn events(sheet: &mut Sheet, events: &Events) {
    for (title, before, path, behind) in [
        (
            "waits",
            "until ",
            &events.wait_before_start,
            " is there, before each load begins",
        ),
        ("stops", "as soon as ", &events.stop_when, " is there"),
        (
            "makes",
            "",
            &events.signal_started,
            " when a measured time begins",
        ),
        (
            "makes",
            "",
            &events.signal_finished,
            " when a measured time ends",
        ),
    ] {
        if let Some(path) = path {
            sheet.entry(
                1,
                title,
                &format!("{before}{}{behind}", shown(path.as_os_str())),
            );
        }
    }
}

fn engine(choice: &EngineChoice) -> String {
    match choice {
        EngineChoice::Auto => "the best that works here; the result names it".to_owned(),
        EngineChoice::Named(kind) => format!("{kind}: {}", kind.capabilities().summary),
        EngineChoice::Simulated(law) => format!(
            "a simulated device with seed {}: the figures say nothing about this machine",
            law.seed
        ),
    }
}

fn on_error(on_error: OnError) -> &'static str {
    match on_error {
        OnError::Stop => "an I/O error ends the run early, with what it has",
        OnError::Continue => "I/O errors are counted, and the run goes on",
    }
}

fn time_span(sheet: &mut Sheet, number: usize, span: &TimeSpan) {
    sheet.heading(&format!("Time span {number}"));
    sheet.entry(1, "times", &times(span));
    let noun = if span.sequence.is_some() {
        "request"
    } else {
        "I/O"
    };
    sheet.entry(1, "ends", &ends(&span.stop, noun));
    if let Some(visited) = &span.visits {
        sheet.entry(1, "counts", "visits that end inside the measured time");
        visits::visits(sheet, span, visited);
        return;
    }
    sheet.entry(1, "counts", counting(span.counting));
    if let Some(text) = also(span) {
        sheet.entry(1, "measures", text);
    }
    if let Some(shared) = &span.sequence {
        sequence::sequence(sheet, span, shared);
        return;
    }
    if span.verify {
        sheet.entry(1, "verifies", VERIFIES);
    }
    sheet.entry(1, "chance", &generator(span.generator));
    if let Some(text) = polling(span.polling) {
        sheet.entry(1, "completions", text);
    }
    if span.throttle_sleep == ThrottleSleep::UntilDue {
        sheet.entry(1, "throttled", "workers sleep until their next I/O is due");
    }
    for (index, target) in span.targets.iter().enumerate() {
        target_in_words(sheet, index, target);
    }
    load::groups(sheet, span);
}

fn times(span: &TimeSpan) -> String {
    let measured = match span.stop.after {
        Some(after) => format!("{} measured", time(after)),
        None => "then measured until a limit".to_owned(),
    };
    let figures = match &span.sequence {
        // It says itself what it tells.
        Some(_) => String::new(),
        None => format!("; figures for each {}", time(span.interval)),
    };
    let pause = if span.pause_before.is_zero() {
        String::new()
    } else {
        format!("a pause of {}, ", time(span.pause_before))
    };
    format!(
        "{pause}{} of warm-up, {measured}, {} of cool-down{figures}",
        time(span.warmup),
        time(span.cooldown),
    )
}

/// `5 s`, `250 ms`, `1.5 s`.
fn time(duration: Duration) -> String {
    if duration.is_zero() || duration >= Duration::from_secs(1) {
        format!("{} s", duration.as_secs_f64())
    } else {
        format!("{} ms", duration.as_secs_f64() * 1e3)
    }
}

fn ends(stop: &Stop, noun: &str) -> String {
    let limits = [
        stop.after.map(|after| format!("after {}", time(after))),
        stop.bytes
            .map(|count| format!("after {} over all workers", bytes(count))),
        stop.operations
            .map(|count| format!("after {} over all workers", plural(count, noun))),
        stop.passes.map(|count| match count {
            1 => "after one pass over the range".to_owned(),
            count => format!("after {} passes over the range", grouped(count)),
        }),
    ];
    let steady = stop.steady.map(|steady| {
        format!(
            "when it is steady ({WINDOWS} windows of {}: range at most {} %, slope at most {} %)",
            time(steady.window),
            steady.range_percent,
            steady.slope_percent
        )
    });
    let fuse = stop
        .fuse
        .iter()
        .map(|condition| format!("early when {condition} in an interval"));
    let limits: Vec<String> = limits
        .into_iter()
        .flatten()
        .chain(steady)
        .chain(fuse)
        .collect();
    match limits.len() {
        0 => "only when it is interrupted".to_owned(),
        1 => limits.concat(),
        _ => format!("{}, whatever comes first", limits.join(", or ")),
    }
}

fn counting(counting: Counting) -> &'static str {
    match counting {
        Counting::CompletedInWindow => "I/Os that complete inside the measured time",
        Counting::DrainAndCount => {
            "I/Os that start inside the measured time; the last are waited for"
        }
    }
}

/// What verification does.
const VERIFIES: &str = "each 512 bytes written carry a label and a checksum; what is read is held \
                        against what was written, and after the load all of that is read back";

/// What is measured besides latencies.
fn also(span: &TimeSpan) -> Option<&'static str> {
    match (span.initiation, span.whole_milliseconds) {
        (false, false) => None,
        (true, false) => Some("also how long each initiating call takes"),
        (false, true) => Some("also latencies cut to whole milliseconds"),
        (true, true) => Some(
            "also how long each initiating call takes, and latencies cut to whole milliseconds",
        ),
    }
}

fn generator(generator: Generator) -> String {
    match generator {
        Generator::Xoshiro { seed } => format!("xoshiro256++ with seed {seed}"),
        Generator::DiskSpd { seed } => {
            format!("DiskSpd's generator, draw for draw; worker i has seed {seed} + i")
        }
    }
}

fn polling(polling: Polling) -> Option<&'static str> {
    match polling {
        Polling::Interrupt => None,
        Polling::Device => Some("found by polling the device (IORING_SETUP_IOPOLL)"),
        Polling::Submission => Some("requests taken by a kernel thread (IORING_SETUP_SQPOLL)"),
    }
}

fn target_in_words(sheet: &mut Sheet, index: usize, target: &Target) {
    let path = shown(target.path.as_os_str());
    let text = if path == target.label {
        path
    } else {
        format!("{} (the file {path})", target.label)
    };
    sheet.entry(1, &format!("target {index}"), &text);
    sheet.entry(2, "range", &range(target));
    sheet.entry(2, "opened", &opened(target));
    let notes = notes(target);
    if !notes.is_empty() {
        sheet.entry(2, "also", &notes.join("; "));
    }
}

fn range(target: &Target) -> String {
    match (target.base, target.end) {
        (0, None) => "the whole target".to_owned(),
        (base, None) => format!("from {} to the end", bytes(base)),
        (base, Some(end)) => format!(
            "from {} to {}, or to the end of the target if that is nearer: at most {}",
            bytes(base),
            bytes(end),
            bytes(end.saturating_sub(base))
        ),
    }
}

fn opened(target: &Target) -> String {
    let access = match target.access {
        Access::Read => "for reading",
        Access::Write => "for writing",
        Access::ReadWrite => "for reading and writing",
    };
    let caching = match target.caching {
        _ if target.mapped.is_some() => "mapped into memory (shared mapping)",
        Caching::Buffered => "through the page cache",
        Caching::Direct => "O_DIRECT: past the page cache",
    };
    let durability = match target.durability {
        Durability::None => "a write is done when the system has taken it: it is not durable",
        Durability::Dsync => "O_DSYNC: a write is done when its data is on stable storage",
        Durability::Sync => "O_SYNC: a write is done when data and metadata are on stable storage",
    };
    if target.access.writes() {
        format!("{access}; {caching}; {durability}")
    } else {
        format!("{access}; {caching}")
    }
}

fn notes(target: &Target) -> Vec<&'static str> {
    let flush = target.mapped.and_then(|flush| match flush {
        MappedFlush::Never => None,
        MappedFlush::View => Some("each write is followed by msync of its range"),
        MappedFlush::Persistent => Some("each write's cache lines are written back, with a fence"),
        MappedFlush::PersistentNoDrain => {
            Some("each write's cache lines are written back, without a fence")
        }
    });
    let priority = match target.priority {
        Priority::Normal => None,
        Priority::Low => Some("I/O priority: best effort, lowest level"),
        Priority::Idle => Some("I/O priority: only when nobody else wants the device"),
    };
    let when = |asked: bool, text| asked.then_some(text);
    [
        flush,
        priority,
        when(target.remote_only, "only on a network filesystem"),
        when(
            target.hints.random,
            "the kernel is told to expect random accesses",
        ),
        when(
            target.hints.sequential,
            "the kernel is told to expect sequential accesses",
        ),
        when(
            target.hints.temporary,
            "the temporary hint has no effect here",
        ),
        when(target.huge_pages, "buffers from reserved huge pages"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests;
