//! A plan as a line of DiskSpd, or as its XML profile where one line cannot say it: several time
//! spans, targets that differ in more than their name, weights.

mod line;
mod stream;
#[cfg(test)]
mod tests;

use std::time::Duration;

use super::{
    profile::{Events, Format, Profile, Target, ThreadTarget, TimeSpan},
    xml,
};
use crate::{
    personality::express::{
        Expressed, Losses, policy_word, sequence_losses, spans_with_files, surroundings,
        write_percent,
    },
    plan::{
        self, Affinity, Counting, Dispatch, EngineChoice, FilePreparation, Generator, OnError,
        Operations, Order, Plan, Policy, Polling, SharedSequence, ThrottleSleep, Through,
        WorkerGroup,
    },
};

/// The plan in DiskSpd's words. A line is read back by this face; an XML profile is for `-X`.
pub fn express(plan: &Plan) -> Expressed {
    let mut losses = Losses::default();
    surroundings(plan, &mut losses);
    losses.when(
        plan.on_error == OnError::Continue,
        "errors: the run ends at the first one instead of counting them",
    );
    losses.when(
        plan.engine != EngineChoice::Auto,
        "engine: DiskSpd has one, that of its system",
    );
    let mut profile = empty();
    for (span, files) in spans_with_files(plan) {
        if let Some(said) = time_span(span, &files, &mut losses) {
            if span.throttle_sleep == ThrottleSleep::UntilDue {
                profile.experiment_flags = 1;
            }
            profile.spans.push(said);
        }
    }
    if profile.spans.is_empty() {
        losses.when(
            plan.spans().next().is_none(),
            "files: this plan makes or removes files and loads none",
        );
        return Expressed {
            text: String::new(),
            comment: ("#", ""),
            lost: losses.into_sentences(),
        };
    }
    match line::line(&profile) {
        Some(line) => Expressed {
            text: line + "\n",
            comment: ("#", ""),
            lost: losses.into_sentences(),
        },
        None => Expressed {
            text: xml::profile(&profile),
            comment: ("<!--", " -->"),
            lost: losses.into_sentences(),
        },
    }
}

fn empty() -> Profile {
    Profile {
        progress: 0,
        experiment_flags: 0,
        format: Format::Text,
        profile_only: false,
        verbose: false,
        verbose_stats: false,
        precreate: None,
        etw: None,
        events: Events::default(),
        spans: Vec::new(),
    }
}

/// `None` for a load that DiskSpd has nothing like.
fn time_span(
    span: &plan::TimeSpan,
    files: &[&FilePreparation],
    losses: &mut Losses,
) -> Option<TimeSpan> {
    if span.visits.is_some() {
        losses.add("visits: files that are opened, read to their end and closed");
        return None;
    }
    let mut said = TimeSpan {
        measure_latency: true,
        ..TimeSpan::default()
    };
    times(span, &mut said, losses);
    said.seed = match span.generator {
        Generator::DiskSpd { seed } => seed,
        Generator::Xoshiro { seed } => {
            losses.when(
                span.sequence.is_none(),
                "chance: DiskSpd draws by a generator of its own, so that drawn offsets are others",
            );
            seed as u32
        }
    };
    losses.when(
        span.polling != Polling::Interrupt,
        "polling: how completions are found",
    );
    if let Some(shared) = &span.sequence {
        sequence(span, shared, &mut said, losses);
    } else if span.groups.iter().all(|group| group.streams.len() == 1) {
        own_threads(span, &mut said, losses);
    } else {
        thread_pool(span, &mut said, losses);
    }
    affinities(span, &mut said, losses);
    prepared(files, &mut said, losses);
    Some(said)
}

fn times(span: &plan::TimeSpan, said: &mut TimeSpan, losses: &mut Losses) {
    let mut seconds = |time: Duration, what: &str| {
        if time.subsec_nanos() > 0 {
            losses.add(format!("{what}: it is rounded up to whole seconds"));
        }
        let whole = time
            .as_secs()
            .saturating_add(u64::from(time.subsec_nanos() > 0));
        // C integers.
        whole.min(i32::MAX as u64) as u32
    };
    said.warmup = seconds(span.warmup, "warm-up");
    said.cooldown = seconds(span.cooldown, "cool-down");
    if let Some(after) = span.stop.after {
        said.duration = seconds(after, "duration");
    } else {
        losses.add(format!(
            "limits: DiskSpd has no end but a time; here {} seconds",
            said.duration
        ));
    }
    losses.when(
        span.stop
            != plan::Stop {
                after: span.stop.after,
                ..plan::Stop::default()
            },
        "limits: DiskSpd ends by no number of bytes, operations or passes, and looks at no figures",
    );
    losses.when(
        span.counting == Counting::DrainAndCount,
        "counting: what is under way at the end is not waited for and counted",
    );
    if span.interval != Duration::from_secs(1) {
        said.iops_stddev = true;
        let ms = span.interval.as_millis().clamp(1, i32::MAX as u128);
        losses.when(
            Duration::from_millis(ms as u64) != span.interval,
            "interval: it is cut to whole milliseconds",
        );
        said.interval_ms = ms as u32;
    }
}

/// `-t`: each group is a target with threads of its own.
fn own_threads(span: &plan::TimeSpan, said: &mut TimeSpan, losses: &mut Losses) {
    for group in &span.groups {
        for stream in &group.streams {
            if let Some(target) = span.targets.get(stream.target.0) {
                let mut target = stream::target(span, group.workers, stream, target, said, losses);
                target.threads = group.workers;
                if let Dispatch::Shared { queue_depth, .. } = group.dispatch {
                    target.request_count = queue_depth;
                }
                if group.dispatch == Dispatch::InTurn {
                    target.request_count = 1;
                }
                said.targets.push(target);
            }
        }
    }
}

/// `-F`: threads that serve several targets each.
fn thread_pool(span: &plan::TimeSpan, said: &mut TimeSpan, losses: &mut Losses) {
    let Some(pool) = Pool::of(span) else {
        losses.add(
            "threads: a thread serves several streams; here each stream has threads of its own",
        );
        own_threads(span, said, losses);
        return;
    };
    said.thread_count = pool.threads;
    said.request_count = pool.requests;
    for (index, target) in span.targets.iter().enumerate() {
        let Some((group, at)) = pool.stream(index) else {
            continue;
        };
        let stream = &group.streams[at];
        let mut target = stream::target(span, pool.threads, stream, target, said, losses);
        pool.weigh(index, &mut target);
        said.targets.push(target);
    }
}

/// Threads that all work in one way, each on targets of its own choice.
struct Pool<'a> {
    threads: u32,
    /// `-O`, or 0.
    requests: u32,
    groups: &'a [WorkerGroup],
}

impl<'a> Pool<'a> {
    /// `None` where the threads are no such pool: they differ in what they do to a target, in their
    /// depth, or choose targets where DiskSpd's cannot.
    fn of(span: &'a plan::TimeSpan) -> Option<Self> {
        let groups = &span.groups[..];
        let first = groups.first()?;
        let requests = match first.dispatch {
            Dispatch::PerStream => 0,
            Dispatch::Shared { queue_depth, .. } => queue_depth,
            Dispatch::InTurn => return None,
        };
        let alike = |group: &WorkerGroup| match &group.dispatch {
            Dispatch::Shared {
                queue_depth,
                weights,
            } => *queue_depth == requests && weights.iter().all(|weight| *weight > 0),
            // Only weights choose; without them every thread has all targets.
            Dispatch::PerStream => requests == 0 && groups.len() == 1,
            Dispatch::InTurn => false,
        };
        let pool = Self {
            threads: groups
                .iter()
                .fold(0, |sum: u32, group| sum.saturating_add(group.workers)),
            requests,
            groups,
        };
        // A target has one stream in a thread, in the order of targets, and the same everywhere.
        let ordered = |group: &WorkerGroup| {
            let targets = group.streams.iter().map(|stream| stream.target.0);
            targets.clone().zip(targets.skip(1)).all(|(a, b)| a < b)
        };
        let same = groups
            .iter()
            .flat_map(|group| &group.streams)
            .all(|stream| {
                pool.stream(stream.target.0)
                    .is_some_and(|(group, at)| group.streams[at] == *stream)
            });
        let whole = requests > 0 || (first.streams.len() == span.targets.len());
        (groups.iter().all(|group| alike(group) && ordered(group)) && same && whole).then_some(pool)
    }

    /// The first stream to a target.
    fn stream(&self, target: usize) -> Option<(&'a WorkerGroup, usize)> {
        self.groups.iter().find_map(|group| {
            let at = group
                .streams
                .iter()
                .position(|stream| stream.target.0 == target)?;
            Some((group, at))
        })
    }

    /// The weight of a target, and where threads differ, which of them have it.
    fn weigh(&self, index: usize, target: &mut Target) {
        let weight = |group: &WorkerGroup| {
            let at = group
                .streams
                .iter()
                .position(|stream| stream.target.0 == index)?;
            match &group.dispatch {
                Dispatch::Shared { weights, .. } => weights.get(at).copied(),
                _ => Some(1),
            }
        };
        let weights: Vec<Option<u32>> = self.groups.iter().map(weight).collect();
        let first = weights.first().copied().flatten();
        if let Some(first) = first
            && weights.iter().all(|weight| *weight == Some(first))
        {
            target.weight = first;
            return;
        }
        let mut thread = 0;
        for (group, weight) in self.groups.iter().zip(weights) {
            for _ in 0..group.workers {
                if let Some(weight) = weight {
                    target.thread_targets.push(ThreadTarget { thread, weight });
                }
                thread += 1;
            }
        }
    }
}

/// The nearest to a shared sequence: threads that draw a file for each I/O.
fn sequence(
    span: &plan::TimeSpan,
    shared: &SharedSequence,
    said: &mut TimeSpan,
    losses: &mut Losses,
) {
    sequence_losses(shared, losses);
    losses.when(
        shared.flushes.after_write,
        "flushes: the file is flushed after each write, within the same event",
    );
    losses.when(
        matches!(shared.operations, Operations::Ratio { .. }),
        "mix: reads and writes are counted to keep their ratio; here each is drawn",
    );
    losses.when(
        shared.grace.is_some(),
        "limits: threads that are not done some time after the end are left behind",
    );
    said.thread_count = shared.workers;
    said.request_count = shared.backlog.unwrap_or(1);
    for target in &span.targets {
        let mut said_target = stream::opened(target, losses);
        said_target.block_size = shared.order.length();
        stream::aligned(&said_target, losses);
        if let Order::Random { .. } = shared.order {
            said_target.pattern = super::profile::Pattern::Random {
                alignment: None,
                percent: 100,
            };
        }
        said_target.max_size = shared.file_size;
        said_target.write_ratio = write_percent(shared.operations);
        if said_target.write_ratio > 0 {
            stream::payload(&shared.payload, &mut said_target, said, losses);
        }
        said.targets.push(said_target);
    }
}

fn affinities(span: &plan::TimeSpan, said: &mut TimeSpan, losses: &mut Losses) {
    let first = span.groups.first().map(|group| &group.affinity);
    losses.when(
        span.groups
            .iter()
            .any(|group| Some(&group.affinity) != first),
        "CPUs: groups of threads are bound to CPUs in different ways; here all as the first",
    );
    match first {
        Some(Affinity::RoundRobin) => {}
        Some(Affinity::List(cpus)) if !cpus.is_empty() => {
            said.affinity = cpus
                .iter()
                .map(|cpu| ((cpu / 64).min(u32::from(u16::MAX)) as u16, (cpu % 64) as u8))
                .collect();
        }
        Some(Affinity::None | Affinity::List(_)) | None => said.disable_affinity = true,
    }
}

/// `-c` for files that are made.
fn prepared(files: &[&FilePreparation], said: &mut TimeSpan, losses: &mut Losses) {
    for file in files {
        losses.when(
            file.verify || file.block.is_some(),
            "preparation: files grow by whole blocks, or hold blocks that can be judged",
        );
        if file.policy != Policy::Rebuild {
            losses.add(format!(
                "preparation: {} is {}; -c makes it anew each time",
                file.label,
                policy_word(file.policy)
            ));
        }
        losses.when(
            file.through != Through::Past,
            "preparation: files are written through the page cache, or durably",
        );
        let mut used = false;
        for target in &mut said.targets {
            if target.path.to_string_lossy() == file.label || target.path == *file.path.as_os_str()
            {
                target.create_size = Some(file.size);
                used = true;
            }
        }
        if !used {
            losses.add(format!(
                "preparation: {} is made and not loaded",
                file.label
            ));
        }
    }
}
