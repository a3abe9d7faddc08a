//! The lines that say what was asked for.

use std::fmt::Write;

use crate::personality::sqlio::load::{Buffering, Load, Pattern, Timer, Work};

/// What version the report is of: parsers split several reports at this line.
const VERSION: &str = "sqlio v1.5.SG";
/// Latencies are measured in nanoseconds.
const COUNTS_PER_SECOND: u32 = 1_000_000_000;

/// Everything before the lines of the files.
pub(in crate::personality::sqlio) fn heading(load: &Load) -> String {
    let mut text = format!("{VERSION}\n");
    if let Some(timing) = load.timing {
        let timer = match timing.timer {
            Timer::System => "system",
            Timer::Processor => "processor",
        };
        let _ = writeln!(
            text,
            "using {timer} counter for latency timings, {COUNTS_PER_SECOND} counts per second"
        );
    }
    parameter_file(load, &mut text);
    let (doing, towards) = if load.write {
        ("writing", "to")
    } else {
        ("reading", "from")
    };
    let _ = writeln!(
        text,
        "{} {doing} for {} secs {towards} {}",
        threads(load.threads()),
        load.seconds,
        files(&load.names())
    );
    pattern(load, &mut text);
    if let Some(depth) = load.depth {
        let _ = writeln!(
            text,
            "\tenabling multiple I/Os per thread with {depth} outstanding"
        );
    }
    if load.buffering_given {
        let how = match load.buffering {
            Buffering::Nothing => "not use file nor disk caches (as is default)",
            Buffering::Everything => "use both file and disk caches",
            Buffering::Disk => "use hardware disk cache (but not file cache)",
            Buffering::File => "use file cache (but not hardware disk cache)",
        };
        let _ = writeln!(text, "\tbuffering set to {how}");
    }
    text
}

fn parameter_file(load: &Load, text: &mut String) {
    let Work::Listed { file, lines } = &load.work else {
        return;
    };
    let _ = writeln!(text, "parameter file used: {file}");
    let mut first = 0;
    for line in lines {
        let numbers = match line.threads {
            1 => format!("{first}"),
            more => format!("{first}-{}", first + more - 1),
        };
        first += line.threads;
        let _ = writeln!(
            text,
            "\tfile {} with {} ({numbers}) using mask 0x{:x} ({})",
            line.name,
            threads(line.threads),
            line.mask,
            line.mask
        );
    }
}

fn threads(count: u32) -> String {
    match count {
        1 => "1 thread".to_owned(),
        more => format!("{more} threads"),
    }
}

/// `file a`, `files a and b`, `files a, b and c`.
fn files(names: &[String]) -> String {
    match names {
        [name] => format!("file {name}"),
        [before @ .., last] => format!("files {} and {last}", before.join(", ")),
        [] => "file".to_owned(),
    }
}

fn pattern(load: &Load, text: &mut String) {
    let block = load.block_kib;
    let _ = match load.pattern {
        Pattern::Random => writeln!(text, "\tusing {block}KB random IOs"),
        Pattern::Sequential => writeln!(text, "\tusing {block}KB sequential IOs"),
        Pattern::Striped(factor) => writeln!(
            text,
            "\tusing {block}KB IOs over {}KB stripes with {} IOs per run",
            u128::from(block) * u128::from(factor),
            load.rows
        ),
    };
}
