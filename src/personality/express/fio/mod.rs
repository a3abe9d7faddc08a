//! fio's job files: one job for each stream, `stonewall` between time spans.
//!
//! Options and their meaning are those of the HOWTO of fio 3.33. What fio reports is its own: what
//! concerns reports alone is not named as lost.

mod load;
mod names;
mod pace;
mod ranges;
mod sequence;
#[cfg(test)]
mod tests;
mod waves;

use std::{fmt::Write as _, time::Duration};

use thiserror::Error;

use self::names::filenames;
use super::{Expressed, Losses, policy_word, spans_with_files, surroundings};
use crate::plan::{
    Affinity, Dispatch, EngineChoice, EngineKind, FilePreparation, FlushPolicy, OnError, Plan,
    Policy, Polling, Stop, Stream, Target, TimeSpan, WorkerGroup,
};

/// Why a plan has no job file: what fio would make of it is another load, on other files.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cannot be said in a job file: {0}")]
pub struct Unsayable(String);

/// A job: its name and the lines below it.
#[derive(Clone)]
struct Job {
    name: String,
    lines: Vec<String>,
}

impl Job {
    fn set(&mut self, option: &str, value: impl std::fmt::Display) {
        self.lines.push(format!("{option}={value}"));
    }

    /// Takes options out again.
    fn drop(&mut self, options: &[&str]) {
        self.lines.retain(|line| {
            let option = line.split_once('=').map_or(line.as_str(), |(name, _)| name);
            !options.contains(&option)
        });
    }
}

/// The plan as a job file.
///
/// # Errors
/// [`Unsayable`]: a file has a name that a job file cannot hold.
pub fn express(plan: &Plan) -> Result<Expressed, Unsayable> {
    let mut losses = Losses::default();
    let mut jobs = Vec::new();
    surroundings(plan, &mut losses);
    let spans = spans_with_files(plan);
    if spans.is_empty() {
        losses.add(
            "files: this plan makes or removes files and loads none; fio makes what a job needs",
        );
    }
    for (number, (span, files)) in spans.iter().enumerate() {
        let before = jobs.len();
        time_span(plan, span, files, number, &mut jobs, &mut losses)?;
        if number > 0
            && let Some(first) = jobs.get_mut(before)
        {
            first.lines.insert(0, "stonewall".to_owned());
        }
    }
    let mut text = String::new();
    if !jobs.is_empty() {
        text.push_str("[global]\nthread\ngroup_reporting\n");
        // A file is written in full when it is made, as ours are.
        text.push_str("fallocate=none\n");
    }
    for job in jobs {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n[{}]\n{}", job.name, job.lines.join("\n"));
    }
    Ok(Expressed {
        text,
        comment: ("#", ""),
        lost: losses.into_sentences(),
    })
}

fn time_span(
    plan: &Plan,
    span: &TimeSpan,
    files: &[&FilePreparation],
    number: usize,
    jobs: &mut Vec<Job>,
    losses: &mut Losses,
) -> Result<(), Unsayable> {
    prepared(files, losses);
    losses.when(
        !span.cooldown.is_zero(),
        "cool-down: load behind the measured time",
    );
    if span.visits.is_some() {
        losses.add("visits: files that are opened, read to their end and closed");
        return Ok(());
    }
    if let Some(shared) = &span.sequence {
        let mut job = Job {
            name: job_name(&span.name, number, 0),
            lines: Vec::new(),
        };
        sequence::job(plan, span, shared, &mut job, losses)?;
        jobs.push(job);
        return Ok(());
    }
    for group in &span.groups {
        streams(plan, span, group, files, number, jobs, losses)?;
    }
    Ok(())
}

/// A job for each stream of a group, or one where a thread's streams differ in their file alone.
fn streams(
    plan: &Plan,
    span: &TimeSpan,
    group: &WorkerGroup,
    files: &[&FilePreparation],
    number: usize,
    jobs: &mut Vec<Job>,
    losses: &mut Losses,
) -> Result<(), Unsayable> {
    let together = serves_files_in_turn(group);
    losses.when(
        group.streams.len() > 1 && !together,
        "threads: a thread serves several streams; here each stream has threads of its own",
    );
    let targets: Vec<&Target> = group
        .streams
        .iter()
        .filter_map(|stream| span.targets.get(stream.target.0))
        .collect();
    for (stream, target) in group.streams.iter().zip(&targets) {
        let mut job = Job {
            name: job_name(&group.name, number, jobs.len()),
            lines: Vec::new(),
        };
        if together {
            filenames(&targets, &mut job)?;
            // Each I/O draws its file.
            job.set("file_service_type", "random:1");
        } else {
            filenames(&[*target], &mut job)?;
        }
        load::stream(span, group, stream, target, &mut job, losses);
        let depth = match group.dispatch {
            Dispatch::PerStream => stream.queue_depth,
            Dispatch::Shared { queue_depth, .. } => queue_depth,
            Dispatch::InTurn => 1,
        };
        threads(plan, span, target, depth, &mut job, losses);
        affinity(&group.affinity, &mut job, losses);
        let used = if together { &targets[..] } else { &[*target] };
        for part in ranges::parts(stream, used, files, group.workers, losses) {
            let mut job = job.clone();
            part.set(&mut job);
            waves::jobs(span, stream, job, jobs, losses);
        }
        if together {
            losses.when(
                matches!(stream.mix.flush, FlushPolicy::Every { .. }),
                FLUSHED_FILE,
            );
            break;
        }
    }
    Ok(())
}

/// fio draws a file for the flush too.
const FLUSHED_FILE: &str =
    "flushes: of the file that was written; fio draws the file that it flushes anew";

/// How many threads, what they keep in flight, what ends them.
fn threads(
    plan: &Plan,
    span: &TimeSpan,
    target: &Target,
    depth: u32,
    job: &mut Job,
    losses: &mut Losses,
) {
    engine(plan, span, target, depth, job, losses);
    job.set("iodepth", depth);
    limits(span, job, losses);
    seed(span, job, losses);
    if plan.on_error == OnError::Continue {
        job.set("continue_on_error", "all");
    }
}

/// True if the streams of a thread differ in nothing but their target, and each I/O draws one: then
/// one job with several files says it.
fn serves_files_in_turn(group: &WorkerGroup) -> bool {
    let Dispatch::Shared { weights, .. } = &group.dispatch else {
        return false;
    };
    let first = group.streams.first();
    group.streams.len() > 1
        && weights.windows(2).all(|pair| pair[0] == pair[1])
        && group.streams.iter().all(|stream| {
            first.is_some_and(|first| {
                Stream {
                    target: first.target,
                    ..stream.clone()
                } == *first
            })
        })
}

fn prepared(files: &[&FilePreparation], losses: &mut Losses) {
    for file in files {
        if file.policy != Policy::Extend {
            losses.add(format!(
                "preparation: {} is {}; fio keeps a file that is large enough",
                file.label,
                policy_word(file.policy)
            ));
        }
        losses.when(
            file.verify || file.block.is_some(),
            "preparation: files grow by whole blocks, or hold blocks that can be judged",
        );
    }
}

/// A name that an ini file can have.
fn job_name(name: &str, span: usize, number: usize) -> String {
    // `./a ./b` is a-b.
    let words: Vec<&str> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let plain = words.join("-");
    match (plain.as_str(), span) {
        ("" | "global", 0) => format!("group{}", number + 1),
        ("" | "global", _) => format!("span{}-group{}", span + 1, number + 1),
        (name, 0) => name.to_owned(),
        (name, _) => format!("span{}-{name}", span + 1),
    }
}

fn engine(
    plan: &Plan,
    span: &TimeSpan,
    target: &Target,
    depth: u32,
    job: &mut Job,
    losses: &mut Losses,
) {
    let name = match &plan.engine {
        _ if target.mapped.is_some() => "mmap",
        EngineChoice::Auto if depth == 1 => "psync",
        EngineChoice::Auto => "io_uring",
        EngineChoice::Simulated(_) | EngineChoice::Named(EngineKind::Sim) => {
            losses.add("engine: the simulated device; fio's null engine has no times");
            "null"
        }
        EngineChoice::Named(kind) => kind.capabilities().name,
    };
    job.set("ioengine", name);
    match (span.polling, name) {
        (Polling::Interrupt, _) => {}
        (Polling::Device, "io_uring") => job.set("hipri", 1),
        (Polling::Submission, "io_uring") => job.set("sqthread_poll", 1),
        _ => losses.add("polling: how completions are found"),
    }
}

fn affinity(affinity: &Affinity, job: &mut Job, losses: &mut Losses) {
    match affinity {
        Affinity::None => {}
        Affinity::RoundRobin => {
            losses.add("CPUs: threads are bound to all usable CPUs in turn (cpus_allowed has no word for it)");
        }
        Affinity::List(cpus) => {
            let cpus: Vec<String> = cpus.iter().map(u32::to_string).collect();
            job.set("cpus_allowed", cpus.join(","));
            job.set("cpus_allowed_policy", "split");
        }
    }
}

/// What ends a job. fio counts for each thread of a job.
fn limits(span: &TimeSpan, job: &mut Job, losses: &mut Losses) {
    let Stop {
        after,
        bytes,
        operations,
        passes,
        steady,
        ref fuse,
    } = span.stop;
    losses.when(
        steady.is_some(),
        "limits: that the load ends when it is steady (fio's steadystate has other rules)",
    );
    losses.when(
        !fuse.is_empty(),
        "limits: that the load ends early when figures are bad (--stop-if)",
    );
    if !span.warmup.is_zero() {
        job.set("ramp_time", milliseconds(span.warmup));
    }
    if let Some(after) = after {
        losses.when(after.is_zero(), "duration: fio has no measured time of 0");
        job.set("runtime", milliseconds(after));
        if bytes.is_none() && operations.is_none() && passes.is_none() {
            job.set("time_based", 1);
        }
    }
    let all = span.worker_count().max(1);
    if all > 1 && (bytes.is_some() || operations.is_some()) {
        losses.add("limits: all threads share them; here each thread has its part");
    }
    let part = |limit: u64| limit.div_ceil(u64::from(all));
    if let Some(bytes) = bytes {
        job.set("io_size", part(bytes));
    }
    if let Some(operations) = operations {
        job.set("number_ios", part(operations));
    }
    if let Some(passes) = passes {
        job.set("loops", passes);
    }
}

/// fio takes whole milliseconds and more; half of one is 1.
fn milliseconds(time: Duration) -> String {
    let ms = time.as_nanos().div_ceil(1_000_000);
    if ms.is_multiple_of(1000) {
        format!("{}s", ms / 1000)
    } else {
        format!("{ms}ms")
    }
}

fn seed(span: &TimeSpan, job: &mut Job, losses: &mut Losses) {
    let seed = match span.generator {
        crate::plan::Generator::Xoshiro { seed } => seed,
        crate::plan::Generator::DiskSpd { seed } => seed.into(),
    };
    // fio reads no more than 63 bits.
    job.set("randseed", seed >> u32::from(seed > i64::MAX as u64));
    losses.add("chance: fio draws by a generator of its own, so that drawn offsets are others");
}
