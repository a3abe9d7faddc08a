//! The profile as text: the first part of every text report, and all that `-Rp` prints.

use std::fmt::{self, Write};

use super::distribution;
use crate::{
    personality::diskspd::profile::{Cache, Flush, Pattern, Profile, Target, Throughput, TimeSpan},
    units::ByteSize,
};

/// The echo of a profile up to the end of its last time span. `command_line` begins with the
/// program's name.
pub(crate) fn render(profile: &Profile, command_line: &str) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_profile(&mut out, profile, command_line);
    out
}

fn write_profile(out: &mut String, profile: &Profile, command_line: &str) -> fmt::Result {
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
        write_span(out, index + 1, span)?;
        for target in &span.targets {
            write_target(out, span, target)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_span(out: &mut String, number: usize, span: &TimeSpan) -> fmt::Result {
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
    if span.thread_count > 0 {
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

fn write_target(out: &mut String, span: &TimeSpan, target: &Target) -> fmt::Result {
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
    write_caching(out, target)?;
    write_buffers(out, target)?;
    if target.parallel {
        writeln!(out, "\t\tusing parallel async I/O")?;
    }
    match target.write_ratio {
        0 => writeln!(out, "\t\tperforming read test")?,
        100 => writeln!(out, "\t\tperforming write test")?,
        writes => writeln!(
            out,
            "\t\tperforming mix test (read/write ratio: {}/{writes})",
            100_u32.saturating_sub(writes)
        )?,
    }
    let block = ByteSize(u64::from(target.block_size));
    writeln!(out, "\t\tblock size: {block}")?;
    write_pattern(out, target)?;
    if span.thread_count > 0 && span.request_count > 0 {
        writeln!(
            out,
            "\t\trelative IO weight in thread pool: {}",
            target.weight
        )?;
    } else {
        writeln!(
            out,
            "\t\tnumber of outstanding I/O operations per thread: {}",
            target.request_count
        )?;
    }
    write_range(out, target)?;
    write_hints(out, target)?;
    write_threads(out, span, target)?;
    if let Some(distribution) = &target.distribution {
        writeln!(out, "\t\tIO Distribution:")?;
        out.push_str(&distribution::as_asked(distribution, "\t\t"));
    }
    Ok(())
}

fn write_caching(out: &mut String, target: &Target) -> fmt::Result {
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

fn write_buffers(out: &mut String, target: &Target) -> fmt::Result {
    if target.zero_buffers {
        writeln!(out, "\t\tzeroing write buffers")?;
    }
    if target.source_size > 0 {
        let size = ByteSize(target.source_size);
        writeln!(out, "\t\twrite buffer size: {size}")?;
        match &target.source_path {
            Some(path) => writeln!(out, "\t\twrite buffer source: '{}'", path.to_string_lossy())?,
            None => writeln!(out, "\t\twrite buffer source: random fill")?,
        }
    }
    Ok(())
}

fn write_pattern(out: &mut String, target: &Target) -> fmt::Result {
    let step = ByteSize(target.alignment());
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

fn write_range(out: &mut String, target: &Target) -> fmt::Result {
    for (label, bytes) in [
        ("base file offset", target.base),
        ("max file size", target.max_size),
        ("thread stride size", target.thread_stride),
    ] {
        if bytes > 0 {
            writeln!(out, "\t\t{label}: {}", ByteSize(bytes))?;
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
