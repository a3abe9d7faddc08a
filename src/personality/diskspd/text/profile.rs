//! The profile as text: the first part of every text report, and all that `-Rp` prints.

use std::fmt::{self, Write};

use super::{distribution, form::Form};
use crate::personality::diskspd::profile::{
    Cache, Flush, Pattern, Profile, Target, Throughput, TimeSpan,
};

/// The echo of a profile up to the end of its last time span. `command_line` begins with the
/// program's name.
pub(crate) fn render(profile: &Profile, command_line: &str, form: Form) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_profile(&mut out, profile, command_line, form);
    out
}

fn write_profile(
    out: &mut String,
    profile: &Profile,
    command_line: &str,
    form: Form,
) -> fmt::Result {
    writeln!(out, "\nCommand Line: {command_line}\n")?;
    if profile.experiment_flags != 0 {
        let flags = profile.experiment_flags;
        writeln!(out, "Experiment Flags: 0x{flags:x} ({flags})\n")?;
    }
    writeln!(out, "Input parameters:\n")?;
    if profile.verbose {
        writeln!(out, "\tusing verbose mode")?;
    }
    for (index, span) in profile.spans.iter().enumerate() {
        write_span(out, index + 1, span, form)?;
        for target in &span.targets {
            write_target(out, span, target, form)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_span(out: &mut String, number: usize, span: &TimeSpan, form: Form) -> fmt::Result {
    writeln!(out, "\ttimespan: {number:>3}\n\t-------------")?;
    writeln!(out, "\tduration: {}s", span.duration)?;
    writeln!(out, "\twarm up time: {}s", span.warmup)?;
    writeln!(out, "\tcool down time: {}s", span.cooldown)?;
    if span.disable_affinity {
        writeln!(out, "\taffinity disabled")?;
    }
    if span.measure_latency {
        writeln!(out, "\tmeasuring latency")?;
    }
    if span.iops_stddev {
        writeln!(
            out,
            "\tgathering IOPS at intervals of {}ms",
            span.interval_ms
        )?;
    }
    writeln!(out, "\trandom seed: {}", span.seed)?;
    if span.thread_count > 0 && !form.is_2_0() {
        writeln!(out, "\tthread pool with {} threads", span.thread_count)?;
        writeln!(
            out,
            "\tnumber of outstanding I/O operations per thread: {}",
            span.request_count
        )?;
    }
    if !span.affinity.is_empty() {
        let list: Vec<String> = span
            .affinity
            .iter()
            .map(|(group, cpu)| format!("{group}/{cpu}"))
            .collect();
        writeln!(
            out,
            "\tadvanced affinity round robin (group/core): {}",
            list.join(", ")
        )?;
    }
    if span.random_write_data {
        writeln!(out, "\tgenerating random data for each write IO")?;
        writeln!(
            out,
            "\t  WARNING: this increases the CPU cost of issuing writes and should only"
        )?;
        writeln!(
            out,
            "\t           be compared to other results using the -Zr flag"
        )?;
    }
    Ok(())
}

fn write_target(out: &mut String, span: &TimeSpan, target: &Target, form: Form) -> fmt::Result {
    let label = target.label();
    match label.strip_prefix('*') {
        Some(number) => writeln!(out, "\tpath: template target '{number}'")?,
        None => writeln!(out, "\tpath: '{label}'")?,
    }
    writeln!(
        out,
        "\t\tthink time: {}ms",
        target.think_time.unwrap_or_default()
    )?;
    writeln!(
        out,
        "\t\tburst size: {}",
        target.burst_size.unwrap_or_default()
    )?;
    write_caching(out, target, form)?;
    write_buffers(out, target, form)?;
    if target.parallel {
        writeln!(out, "\t\tusing parallel async I/O")?;
    }
    match target.write_ratio {
        writes @ 1..100 if form.is_2_0() => {
            writeln!(
                out,
                "\t\tperforming mix test (write/read ratio: {writes}/100)"
            )?;
        }
        0 => writeln!(out, "\t\tperforming read test")?,
        100 => writeln!(out, "\t\tperforming write test")?,
        writes => writeln!(
            out,
            "\t\tperforming mix test (read/write ratio: {}/{writes})",
            100_u32.saturating_sub(writes)
        )?,
    }
    let block = form.size(u64::from(target.block_size));
    writeln!(out, "\t\tblock size: {block}")?;
    write_pattern(out, target, form)?;
    write_outstanding(out, span, target, form)?;
    write_range(out, target, form)?;
    write_hints(out, target)?;
    write_threads(out, span, target)?;
    if let Some(distribution) = &target.distribution {
        writeln!(out, "\t\tIO Distribution:")?;
        out.push_str(&distribution::as_asked(distribution, "\t\t"));
    }
    Ok(())
}

fn write_outstanding(
    out: &mut String,
    span: &TimeSpan,
    target: &Target,
    form: Form,
) -> fmt::Result {
    let requests = target.request_count;
    if span.thread_count > 0 && span.request_count > 0 {
        let weight = target.weight;
        writeln!(out, "\t\trelative IO weight in thread pool: {weight}")
    } else if form.is_2_0() {
        writeln!(out, "\t\tnumber of outstanding I/O operations: {requests}")
    } else {
        writeln!(
            out,
            "\t\tnumber of outstanding I/O operations per thread: {requests}"
        )
    }
}

fn write_caching(out: &mut String, target: &Target, form: Form) -> fmt::Result {
    // 2.0 knew two states only, and has one line for each.
    let combined = match (target.cache, target.write_through, target.memory_mapped) {
        (Cache::Cached, false, false) => Some("using software and hardware write cache"),
        (Cache::NoOsCache, true, false) => Some("software and hardware write cache disabled"),
        _ => None,
    };
    if let Some(line) = combined.filter(|_| form.is_2_0()) {
        return writeln!(out, "\t\t{line}");
    }
    let cache = match target.cache {
        Cache::Cached => "using software cache",
        Cache::NoLocalCache => "local software cache disabled, remote cache enabled",
        Cache::NoOsCache => "software cache disabled",
    };
    writeln!(out, "\t\t{cache}")?;
    let through = match (target.write_through, target.cache) {
        (false, _) => "using hardware write cache, writethrough off",
        (true, Cache::NoOsCache) => "hardware write cache disabled, writethrough on",
        (true, Cache::Cached | Cache::NoLocalCache) => {
            "hardware and software write caches disabled, writethrough on"
        }
    };
    writeln!(out, "\t\t{through}")?;
    if target.memory_mapped {
        let flush = match target.flush {
            None => "",
            Some(Flush::View) => ", flush mode: FlushViewOfFile",
            Some(Flush::NonVolatile) => ", flush mode: FlushNonVolatileMemory",
            Some(Flush::NonVolatileNoDrain) => ", flush mode: FlushNonVolatileMemory with no drain",
        };
        writeln!(out, "\t\tmemory mapped I/O enabled{flush}")?;
    }
    Ok(())
}

fn write_buffers(out: &mut String, target: &Target, form: Form) -> fmt::Result {
    if target.zero_buffers {
        writeln!(out, "\t\tzeroing write buffers")?;
    }
    if target.source_size > 0 {
        let size = form.size(target.source_size);
        writeln!(out, "\t\twrite buffer size: {size}")?;
        match &target.source_path {
            Some(path) => writeln!(out, "\t\twrite buffer source: '{}'", path.to_string_lossy())?,
            None => writeln!(out, "\t\twrite buffer source: random fill")?,
        }
    }
    Ok(())
}

fn write_pattern(out: &mut String, target: &Target, form: Form) -> fmt::Result {
    let step = form.size(target.alignment());
    match target.pattern {
        Pattern::Random { percent: 100.., .. } => {
            writeln!(out, "\t\tusing random I/O (alignment: {step})")
        }
        Pattern::Random { percent, .. } => writeln!(
            out,
            "\t\tusing mixed random/sequential I/O ({percent}% random) (alignment/stride: {step})"
        ),
        Pattern::Sequential {
            interlocked: true, ..
        } => writeln!(out, "\t\tusing interlocked sequential I/O (stride: {step})"),
        Pattern::Sequential { .. } => {
            writeln!(out, "\t\tusing sequential I/O (stride: {step})")
        }
    }
}

fn write_range(out: &mut String, target: &Target, form: Form) -> fmt::Result {
    for (label, bytes, always) in [
        ("base file offset", target.base, false),
        ("max file size", target.max_size, false),
        ("thread stride size", target.thread_stride, form.is_2_0()),
    ] {
        if bytes > 0 || always {
            writeln!(out, "\t\t{label}: {}", form.size(bytes))?;
        }
    }
    Ok(())
}

fn write_hints(out: &mut String, target: &Target) -> fmt::Result {
    for (given, hint) in [
        (target.sequential_scan, "FILE_FLAG_SEQUENTIAL_SCAN"),
        (target.random_access, "FILE_FLAG_RANDOM_ACCESS"),
        (target.temporary, "FILE_ATTRIBUTE_TEMPORARY"),
    ] {
        if given {
            writeln!(out, "\t\tusing {hint} hint")?;
        }
    }
    Ok(())
}

fn write_threads(out: &mut String, span: &TimeSpan, target: &Target) -> fmt::Result {
    if span.thread_count == 0 {
        writeln!(out, "\t\tthreads per file: {}", target.threads)?;
        if target.request_count > 1 {
            let means = if span.completion_routines {
                "completion routines (ReadFileEx/WriteFileEx)"
            } else {
                "I/O Completion Ports"
            };
            writeln!(out, "\t\tusing {means}")?;
        }
    }
    let priority = match target.priority {
        1 => "very low",
        2 => "low",
        _ => "normal",
    };
    writeln!(out, "\t\tIO priority: {priority}")?;
    match target.throughput {
        Throughput::Unlimited => Ok(()),
        Throughput::BytesPerMs(rate) => {
            writeln!(out, "\t\tthroughput rate-limited to {rate} B/ms")
        }
        Throughput::Iops(rate) => writeln!(out, "\t\tthroughput rate-limited to {rate} IOPS"),
    }
}

#[cfg(test)]
mod tests;
