//! A shared sequence of requests in words: the files, what is done to them, and what is told.

use std::path::Path;

use super::{
    super::{
        AtEnd, Counted, Draws, Flushes, Opening, Operations, Order, SharedSequence, Target,
        TimeSpan, Verify, Watch,
    },
    files, load, notes, opened,
    sheet::{Sheet, bytes, grouped, plural, size},
    time,
};

/// The files and the requests of a span.
pub(super) fn sequence(sheet: &mut Sheet, span: &TimeSpan, shared: &SharedSequence) {
    set_of_files(sheet, &span.targets, shared);
    let workers = u64::from(shared.workers);
    let threads = plural(workers, "thread");
    let text = match workers {
        1 => format!("of one sequence, carried out by {threads}"),
        _ => format!("of one sequence for all {threads}: who comes first takes the next"),
    };
    sheet.entry(1, "requests", &text);
    sheet.entry(2, "order", &order(&shared.order));
    if let Order::Random { draws, .. } = shared.order {
        sheet.entry(2, "chance", &chance(draws));
    }
    sheet.entry(2, "mix", &mix(shared.operations));
    sheet.entry(2, "in flight", &in_flight(shared.backlog));
    sheet.entry(2, "pace", &pace(shared.arrivals_per_second));
    if shared.operations.write() {
        sheet.entry(2, "writes send", &load::payload(&shared.payload));
    }
    if let Some(text) = verify(shared.verify) {
        sheet.entry(2, "judged", text);
    }
    let files = span.targets.len() as u64;
    sheet.entry(2, "flushes", &flushes(shared.flushes, files));
    sheet.entry(2, "at the end", &at_end(shared.flushes, workers, files));
    watch(sheet, &shared.watch);
    if let Some(grace) = shared.grace {
        let text = format!(
            "threads that are not done {} after the limit of time are left behind",
            time(grace)
        );
        sheet.entry(1, "grace", &text);
    }
}

/// All files of a sequence are used and opened alike; the first stands for all.
fn set_of_files(sheet: &mut Sheet, targets: &[Target], shared: &SharedSequence) {
    let paths: Vec<&Path> = targets.iter().map(|target| target.path.as_path()).collect();
    let together = shared.file_size.saturating_mul(targets.len() as u64);
    let text = format!(
        "{}; {} of each are used, {} together",
        files::set(&paths),
        bytes(shared.file_size),
        bytes(together)
    );
    sheet.entry(1, "files", &text);
    let Some(first) = targets.first() else { return };
    let before = match first.opening {
        Opening::AtLeast(least) => format!("each must be there, with {} at least", bytes(least)),
        Opening::Anew { size: 0 } => {
            "whatever is there is removed; each is made anew, without a byte".to_owned()
        }
        Opening::Anew { size } => format!(
            "whatever is there is removed; each is made anew, of {} that nobody wrote",
            bytes(size)
        ),
    };
    sheet.entry(2, "before", &before);
    sheet.entry(2, "opened", &opened(first));
    let notes = notes(first);
    if !notes.is_empty() {
        sheet.entry(2, "also", &notes.join("; "));
    }
}

fn order(order: &Order) -> String {
    match order {
        Order::Sequential { length, once } => format!(
            "file after file, each from its start, {} at a time and the last of a file cut at its \
             end; {}",
            size(u64::from(*length)),
            if *once {
                "once over all files"
            } else {
                "after the last file the first again"
            }
        ),
        Order::Random { block, span, .. } => format!(
            "random, {block} at multiples of {block} of all {} together; cut where a file ends",
            bytes(*span),
            block = size(u64::from(*block)),
        ),
    }
}

fn chance(draws: Draws) -> String {
    match draws {
        Draws::Lrand48 { seed: None } => {
            "sysbench 0.4's generator (lrand48), never seeded: the same offsets in every run".into()
        }
        Draws::Lrand48 { seed: Some(seed) } => {
            format!("sysbench 0.4's generator (lrand48) with seed {seed}")
        }
        Draws::Xoroshiro {
            seed,
            draw_after_event,
        } => format!(
            "sysbench 1.0's generator (xoroshiro128+), one a thread, from seed {seed}{}",
            if draw_after_event {
                "; one value more is drawn after each request"
            } else {
                ""
            }
        ),
    }
}

fn mix(operations: Operations) -> String {
    match operations {
        Operations::Reads => "reads only".to_owned(),
        Operations::Writes => "writes only".to_owned(),
        Operations::Ratio {
            reads_per_write,
            counted,
        } => format!(
            "a read while (reads + 1) / (writes + 1) is below {reads_per_write}, else a write; \
             those count that {}",
            match counted {
                Counted::HandedOut => "threads were given",
                Counted::Completed => "are complete",
            }
        ),
    }
}

fn in_flight(backlog: Option<u32>) -> String {
    match backlog {
        None => "one of each thread, which waits for it".to_owned(),
        Some(backlog) => format!(
            "up to {} of each thread",
            plural(u64::from(backlog), "request")
        ),
    }
}

fn pace(arrivals_per_second: Option<u64>) -> String {
    match arrivals_per_second {
        None => "as fast as the files answer".to_owned(),
        Some(rate) => format!(
            "{} a second over all threads, at exponential distances; one that finds no thread \
             waits, and its latency includes the wait",
            plural(rate, "request")
        ),
    }
}

fn verify(verify: Verify) -> Option<&'static str> {
    match verify {
        Verify::Off => None,
        Verify::OutsideLatency => Some(
            "each block ends with a checksum and its offset; they are made and judged outside the \
             time of a latency",
        ),
        Verify::InsideLatency => Some(
            "each block ends with a checksum and its offset; they are made and judged within the \
             time of a latency",
        ),
    }
}

fn call(flushes: Flushes) -> &'static str {
    if flushes.data_only {
        "fdatasync"
    } else {
        "fsync"
    }
}

fn flushes(flushes: Flushes, files: u64) -> String {
    let call = call(flushes);
    let mut parts = Vec::new();
    if flushes.after_write {
        parts.push(format!(
            "{call} of the file after each write, as part of the same request"
        ));
    }
    if let Some(every) = flushes.round_every {
        let all = match files {
            1 => format!("one round flushes the one file, by {call}"),
            _ => format!(
                "one round flushes all {}, by as many calls of {call}",
                plural(files, "file")
            ),
        };
        let counted = if flushes.are_events {
            "; each call is a request, with a latency and in the limit"
        } else {
            "; they are no requests: in no latency and no limit"
        };
        parts.push(format!(
            "after every {} reads and writes, if any of them wrote: {all}{counted}",
            grouped(every)
        ));
    }
    if parts.is_empty() {
        return "none between reads and writes".to_owned();
    }
    parts.join("; ")
}

fn at_end(flushes: Flushes, workers: u64, files: u64) -> String {
    let call = call(flushes);
    match flushes.at_end {
        AtEnd::Never => "no flush".to_owned(),
        AtEnd::OnceAtLimit => format!(
            "each file is flushed once, {} of {call} in all, when the limit of requests or the \
             end of the pass is reached; none after a limit of time",
            plural(files, "call")
        ),
        AtEnd::EveryWorker => format!(
            "every thread flushes every file, however the load ended: {} x {} = {} of {call}",
            plural(workers, "thread"),
            plural(files, "file"),
            plural(workers.saturating_mul(files), "call")
        ),
    }
}

fn watch(sheet: &mut Sheet, watch: &Watch) {
    let mut parts = Vec::new();
    if let Some(length) = watch.intervals {
        parts.push(format!("figures of each {}", time(length)));
    }
    if !watch.checkpoints.is_empty() {
        let times: Vec<String> = watch.checkpoints.iter().copied().map(time).collect();
        parts.push(format!(
            "all figures after {}, which then start anew",
            times.join(", ")
        ));
    }
    if watch.requests {
        parts.push("every request".to_owned());
    }
    if !parts.is_empty() {
        sheet.entry(1, "tells", &parts.join("; "));
    }
}
