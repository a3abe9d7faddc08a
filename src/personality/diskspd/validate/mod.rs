//! What must hold between the options of a profile, and what of it this machine cannot do.

mod distribution;

use crate::personality::{
    Environment,
    diskspd::{
        line::{error, shown, warning},
        profile::{Cache, Pattern, Profile, Target, Throughput, TimeSpan},
    },
};
use distribution::distribution;

/// What a check has to say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Errors and warnings, in order.
    pub(super) messages: Vec<String>,
    /// True if there was an error.
    pub(super) refused: bool,
}

impl Verdict {
    pub(super) fn refuse(&mut self, sentence: impl AsRef<str>) {
        self.refuse_if(true, sentence);
    }

    pub(super) fn refuse_if(&mut self, wrong: bool, sentence: impl AsRef<str>) {
        if wrong {
            self.messages.push(error(sentence.as_ref()));
            self.refused = true;
        }
    }

    /// The errors alone.
    pub(super) fn errors(self) -> impl Iterator<Item = String> {
        let error = |message: &String| message.starts_with("ERROR: ");
        self.messages.into_iter().filter(error)
    }

    /// Takes over what another check found; `lenient` makes warnings of its errors.
    fn take(&mut self, other: &Verdict, lenient: bool) {
        self.refused |= other.refused && !lenient;
        self.messages.extend(other.messages.iter().map(|message| {
            match message.strip_prefix("ERROR: ") {
                Some(sentence) if lenient => {
                    warning(&format!("a run would be refused here: {sentence}"))
                }
                _ => message.clone(),
            }
        }));
    }

    fn warn_if(&mut self, odd: bool, sentence: &str) {
        if odd {
            self.messages.push(warning(sentence));
        }
    }
}

/// Threads of a time span, and outstanding I/Os of a thread, beyond which nothing can start.
const COUNT_MAX: u64 = 1 << 20;

/// Checks a profile; what only matters to a run is left out where the profile is only echoed.
pub(super) fn validate(profile: &Profile, around: &Environment) -> Verdict {
    let mut verdict = Verdict::default();
    verdict.refuse_if(profile.spans.is_empty(), "the profile has no time span");
    for span in &profile.spans {
        check_span(span, &mut verdict);
        let mut seen: Vec<Target> = Vec::new();
        for target in &span.targets {
            // Targets of a command line are alike: one message is enough.
            let mut alike = target.clone();
            alike.path.clear();
            if seen.contains(&alike) {
                continue;
            }
            check_target(span, target, &mut verdict);
            if !profile.profile_only {
                check_for_run(span, target, &mut verdict);
            }
            seen.push(alike);
        }
        if !profile.profile_only {
            check_templates(span, &mut verdict);
            let machine = &mut Verdict::default();
            check_affinity(span, around, machine);
            verdict.take(machine, around.explaining);
        }
    }
    verdict
}

fn check_span(span: &TimeSpan, verdict: &mut Verdict) {
    verdict.refuse_if(
        span.targets.is_empty(),
        "there is no target: at least one file or device stands behind the options",
    );
    verdict.refuse_if(
        span.disable_affinity && !span.affinity.is_empty(),
        "-n (no affinity) and -a (a list of CPUs) exclude each other",
    );
    verdict.refuse_if(
        span.thread_count > 0 && span.targets.iter().any(|target| target.threads > 1),
        "-F (threads in all) and -t (threads for each target) exclude each other",
    );
    let threads = if span.thread_count > 0 {
        u64::from(span.thread_count)
    } else {
        span.targets.iter().map(|t| u64::from(t.threads)).sum()
    };
    verdict.refuse_if(
        threads > COUNT_MAX,
        format!("{threads} threads are more than {COUNT_MAX}"),
    );
    let slots = if span.thread_count > 0 && span.request_count > 0 {
        u64::from(span.request_count)
    } else {
        span.targets
            .iter()
            .map(|t| u64::from(t.request_count))
            .sum()
    };
    verdict.refuse_if(
        slots > COUNT_MAX,
        format!("{slots} outstanding I/Os of a thread are more than {COUNT_MAX}"),
    );
    let zero = span.interval_ms == 0;
    verdict.refuse_if(zero, "the interval of IOPS (-D) must be above 0 ms");
}

fn check_target(span: &TimeSpan, target: &Target, verdict: &mut Verdict) {
    let limited = target.throughput != Throughput::Unlimited;
    verdict.refuse_if(
        limited && span.completion_routines,
        "-g (a limit) and -x (completion routines) exclude each other",
    );
    verdict.refuse_if(
        target.burst_size.is_some() != target.think_time.is_some(),
        "-i (I/Os of a burst) and -j (pause behind it) need each other, as in -i10 -j100",
    );
    check_counts(span, target, verdict);
    check_shared_slots(span, target, limited, verdict);
    check_order(span, target, verdict);
    distribution(target, verdict);
    verdict.refuse_if(
        target.source_size > 0 && target.source_size < u64::from(target.block_size),
        format!(
            "the write buffer (-Z) of {} bytes is smaller than the block size of {} bytes",
            target.source_size, target.block_size
        ),
    );
    verdict.refuse_if(
        target.memory_mapped && span.completion_routines,
        "-Sm (a mapping) and -x (completion routines) exclude each other",
    );
    verdict.refuse_if(
        target.memory_mapped && target.cache == Cache::NoOsCache,
        "-Sm (a mapping) and -Su or -Sh (no system cache) exclude each other",
    );
    verdict.refuse_if(
        target.flush.is_some() && !target.memory_mapped,
        "-N (flush of mapped writes) needs -Sm (a mapping)",
    );
    verdict.refuse_if(
        target.max_size != 0 && target.max_size <= target.base,
        format!(
            "the range ends at byte {} (-f or -B), which is not behind its base at byte {}",
            target.max_size, target.base
        ),
    );
}

/// Numbers that the command line's grammar keeps in range, and XML does not.
fn check_counts(span: &TimeSpan, target: &Target, verdict: &mut Verdict) {
    let label = shown(&target.path);
    verdict.refuse_if(
        target.block_size == 0,
        format!("target '{label}': the block size must be above 0"),
    );
    verdict.refuse_if(
        target.threads == 0 && span.thread_count == 0,
        format!("target '{label}': the number of threads must be above 0"),
    );
    verdict.refuse_if(
        target.request_count == 0,
        format!("target '{label}': the number of outstanding I/Os must be above 0"),
    );
    verdict.refuse_if(
        target.write_ratio > 100,
        format!("target '{label}': the share of writes must be from 0 to 100"),
    );
    verdict.refuse_if(
        target.alignment() == 0 && target.block_size != 0,
        format!("target '{label}': stride or alignment must be above 0"),
    );
}

/// Rules of `-F` with `-O`, and of the XML profile's thread targets.
fn check_shared_slots(span: &TimeSpan, target: &Target, limited: bool, verdict: &mut Verdict) {
    if span.thread_count == 0 || span.request_count == 0 {
        verdict.refuse_if(
            !target.thread_targets.is_empty(),
            format!(
                "target '{}': ThreadTargets need ThreadCount (-F) and RequestCount (-O)",
                shown(&target.path)
            ),
        );
        verdict.warn_if(
            span.thread_count == 0 && span.request_count > 0,
            "-O (outstanding I/Os of a thread) has no effect without -F",
        );
        return;
    }
    let with =
        |option: &str| format!("{option} cannot be used with -O (outstanding I/Os of a thread)");
    verdict.refuse_if(limited, with("-g (a limit)"));
    verdict.refuse_if(target.think_time.is_some(), with("-j (think time)"));
    verdict.refuse_if(target.parallel, with("-p (parallel sequential I/O)"));
    verdict.refuse_if(
        target.weight == 0,
        format!(
            "target '{}': its weight must be above 0",
            shown(&target.path)
        ),
    );
    for thread_target in &target.thread_targets {
        verdict.refuse_if(
            thread_target.thread >= span.thread_count,
            format!(
                "target '{}': there is no thread {}, the last is {}",
                shown(&target.path),
                thread_target.thread,
                span.thread_count - 1
            ),
        );
    }
}

/// Rules between the order of access and `-T`, `-p`, `-t`.
fn check_order(span: &TimeSpan, target: &Target, verdict: &mut Verdict) {
    let several = span.thread_count > 1 || target.threads > 1;
    let strided = target.thread_stride > 0;
    let interlocked = match target.pattern {
        Pattern::Random { .. } => {
            verdict.refuse_if(
                strided,
                "-T (distance between threads) conflicts with random I/O (-r or -rs)",
            );
            verdict.refuse_if(
                target.parallel,
                "-p (parallel sequential I/O) conflicts with random I/O (-r or -rs)",
            );
            return;
        }
        Pattern::Sequential { interlocked, .. } => interlocked,
    };
    verdict.refuse_if(
        interlocked && strided,
        "-si (one sequence for all threads) conflicts with -T (distance between threads)",
    );
    verdict.refuse_if(
        interlocked && target.parallel,
        "-si (one sequence for all threads) conflicts with -p (a sequence for each outstanding I/O)",
    );
    if several {
        verdict.warn_if(
            !strided && !interlocked,
            "all threads walk the same offsets, so the target does not see sequential I/O; \
             consider -si",
        );
    } else {
        verdict.refuse_if(
            strided,
            "-T (distance between threads) needs several threads (-t or -F)",
        );
        verdict.warn_if(interlocked, "-si has no effect: there is only one thread");
    }
    verdict.warn_if(
        target.parallel && target.request_count == 1,
        "-p has no effect unless more than one I/O is outstanding (-o)",
    );
}

/// What the original finds out when the I/O fails, and what can be known before.
fn check_for_run(span: &TimeSpan, target: &Target, verdict: &mut Verdict) {
    let block = u64::from(target.block_size);
    if target.cache == Cache::NoOsCache {
        // No device has smaller sectors; larger ones are found when the target is opened.
        for (name, value) in [
            ("the block size (-b)", block),
            ("the stride or alignment (-s or -r)", target.alignment()),
            ("the base (-B)", target.base),
            ("the distance between threads (-T)", target.thread_stride),
        ] {
            // A stride that is the block size needs no message of its own.
            let same = name.starts_with("the stride") && value == block;
            verdict.refuse_if(
                !same && !value.is_multiple_of(512),
                format!("{name} of {value} bytes must be a multiple of 512 without the system cache (-Su or -Sh)"),
            );
        }
    }
    let created = target.create_size.filter(|size| *size > 0);
    let end = match (created, target.max_size) {
        (Some(size), 0) => size,
        (Some(size), end) => size.min(end),
        (None, 0) => return,
        (None, end) => end,
    };
    let threads = if span.thread_count > 0 {
        span.thread_count
    } else {
        target.threads
    };
    let start = match target.pattern {
        Pattern::Sequential {
            interlocked: false, ..
        } => target
            .thread_stride
            .saturating_mul(u64::from(threads.saturating_sub(1))),
        _ => 0,
    };
    let needed = target.base.saturating_add(start).saturating_add(block);
    let ordered = target.max_size == 0 || target.max_size > target.base;
    verdict.refuse_if(
        ordered && needed > end,
        format!(
            "target '{}' is too small: its range ends at byte {end} (-c, -f or -B), and {needed} \
             bytes are needed (base, start of the last thread and one block together)",
            shown(&target.path)
        ),
    );
}

fn check_templates(span: &TimeSpan, verdict: &mut Verdict) {
    for target in &span.targets {
        let label = shown(&target.path);
        verdict.refuse_if(
            label.starts_with('*'),
            format!(
                "'{label}' is a template target; a run needs a real one in its place (a target on \
                 the command line, behind -X<file>)"
            ),
        );
    }
}

/// CPUs of Windows come in groups of 64.
fn check_affinity(span: &TimeSpan, around: &Environment, verdict: &mut Verdict) {
    let machine = &around.machine;
    let Some(last) = machine.cpus.iter().map(|cpu| cpu.number).max() else {
        return;
    };
    let mut seen = Vec::new();
    for &(group, number) in &span.affinity {
        if seen.contains(&(group, number)) {
            continue;
        }
        seen.push((group, number));
        let cpu = system_cpu(group, number);
        let groups = last / 64 + 1;
        if u32::from(group) >= groups {
            verdict.refuse(format!(
                "-a: there is no CPU group {group}; this machine has {groups}, counted from 0"
            ));
        } else if number >= 64 {
            verdict.refuse(format!(
                "-a: CPU {number} is not in group {group}, which has CPUs 0 to 63; write -ag{},{}",
                u32::from(group) + u32::from(number) / 64,
                number % 64
            ));
        } else if !machine.cpus.iter().any(|known| known.number == cpu) {
            verdict.refuse(format!(
                "-a: CPU {number} of group {group} does not exist or is offline; the last CPU is \
                 {last}"
            ));
        } else if !machine.usable.is_empty() && !machine.usable.contains(&cpu) {
            verdict.refuse(format!(
                "-a: CPU {number} of group {group} may not be used by this process (cpuset or \
                 affinity mask)"
            ));
        }
    }
}

/// The system's number of a CPU in a group.
pub(super) fn system_cpu(group: u16, number: u8) -> u32 {
    64 * u32::from(group) + u32::from(number)
}
