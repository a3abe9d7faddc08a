//! What is said before there is load: the program, what it was asked, what it will do.

use std::fmt::Write as _;

use crate::personality::sysbench::{
    amount::size,
    console::{Level, Message},
    options::{Dialect, ExtraFlags, IoMode, Mode, Options, Seed},
};

/// The first line, which scripts take the version from, and a blank one.
pub(crate) fn header(dialect: Dialect) -> Message {
    Message::new(Level::Notice, format!("{}\n", dialect.header()))
}

/// The options of a run, and its files and requests.
pub(crate) fn start(options: &Options) -> Vec<Message> {
    let mut messages = general(options);
    // The test's own part is less important in 0.4, where all of it is shown by default.
    let level = match options.dialect {
        Dialect::V04 => Level::Info,
        Dialect::V10 => Level::Notice,
    };
    let lines = test(options).into_iter();
    messages.extend(lines.map(|line| Message::new(level, line)));
    messages
}

fn general(options: &Options) -> Vec<Message> {
    let mut lines = vec![
        "Running the test with following options:".to_owned(),
        format!("Number of threads: {}", options.threads),
    ];
    if options.warmup > 0 {
        lines.push(format!("Warmup time: {}s", options.warmup));
    }
    if options.rate > 0 {
        lines.push(format!("Target transaction rate: {}/sec", options.rate));
    }
    if options.report_interval > 0 {
        lines.push(format!(
            "Report intermediate results every {} second(s)",
            options.report_interval
        ));
    }
    if !options.checkpoints.is_empty() {
        let times: Vec<String> = options.checkpoints.iter().map(u32::to_string).collect();
        lines.push(format!(
            "Report checkpoint(s) at {} seconds",
            times.join(", ")
        ));
    }
    if options.debug {
        lines.push("Debug mode enabled.\n".to_owned());
    }
    if options.validate {
        lines.push(match options.dialect {
            Dialect::V04 => "Additional request validation enabled.\n".to_owned(),
            Dialect::V10 => "Validation checks: on.\n".to_owned(),
        });
    }
    lines.extend(generator(options));
    if let Some(grace) = options.grace {
        let seconds = u64::from(options.time) + u64::from(grace);
        lines.push(format!("Forcing shutdown in {seconds} seconds"));
    }
    lines.push(String::new());
    let notice = |line| Message::new(Level::Notice, line);
    lines.into_iter().map(notice).collect()
}

/// Where chance begins; a fixed beginning is not told.
fn generator(options: &Options) -> Option<String> {
    let from = match (options.seed, options.dialect) {
        (Seed::Fixed, _) => return None,
        (Seed::Clock { .. }, Dialect::V04) => "timer.".to_owned(),
        (Seed::Clock { .. }, Dialect::V10) => "current time".to_owned(),
        (Seed::Given { seed }, _) => format!("seed ({seed})."),
    };
    Some(format!(
        "Initializing random number generator from {from}\n"
    ))
}

fn test(options: &Options) -> Vec<String> {
    let file = &options.file;
    let size = |bytes: u64| size(bytes as f64, options.dialect);
    let file_size = file.file_size();
    let mut lines = vec![
        flags(file.flags, options.dialect),
        format!("{} files, {} each", file.count, size(file_size)),
        format!(
            "{} total file size",
            size(file_size.saturating_mul(file.count.into()))
        ),
        format!("Block size {}", size(file.block.into())),
    ];
    if file.merged > 0 {
        let blank = match options.dialect {
            Dialect::V04 => " ",
            Dialect::V10 => "",
        };
        let length = u64::from(file.block) * u64::from(file.merged);
        lines.push(format!(
            "Merging requests {blank}up to {} for sequential IO.",
            size(length)
        ));
    }
    if file.mode.is_some_and(|mode| !mode.sequential()) {
        lines.push(match options.dialect {
            Dialect::V04 => format!(
                "Number of random requests for random IO: {}",
                options.events
            ),
            Dialect::V10 => format!("Number of IO requests: {}", options.events),
        });
        lines.push(format!(
            "Read/Write ratio for combined random IO test: {:.2}",
            file.rw_ratio
        ));
    }
    lines.extend(flushes(options));
    lines.push(
        match file.io_mode {
            IoMode::Sync => "Using synchronous I/O mode",
            IoMode::Async => "Using asynchronous I/O mode",
            IoMode::Mmap => "Using fast mmaped I/O mode",
        }
        .to_owned(),
    );
    if options.validate {
        lines.push("Using checksums validation.".to_owned());
    }
    if let Some(mode) = file.mode {
        lines.push(format!("Doing {} test", name(mode)));
    }
    lines
}

fn flushes(options: &Options) -> Vec<String> {
    let file = &options.file;
    if file.fsync_all {
        return vec!["Calling fsync() after each write operation.".to_owned()];
    }
    let mut lines = Vec::new();
    if file.fsync_freq > 0 {
        lines.push(format!(
            "Periodic FSYNC enabled, calling fsync() each {} requests.",
            file.fsync_freq
        ));
    }
    if file.fsync_end {
        lines.push("Calling fsync() at the end of test, Enabled.".to_owned());
    }
    lines
}

fn name(mode: Mode) -> &'static str {
    match mode {
        Mode::SeqWr => "sequential write (creation)",
        Mode::SeqRewr => "sequential rewrite",
        Mode::SeqRd => "sequential read",
        Mode::RndRd => "random read",
        Mode::RndWr => "random write",
        Mode::RndRw => "random r/w",
    }
}

/// 0.4 prints the number that `open` is given (x86-64's), 1.0 the names.
fn flags(flags: ExtraFlags, dialect: Dialect) -> String {
    const O_DSYNC: u32 = 0o10_000;
    const O_DIRECT: u32 = 0o40_000;
    const O_SYNC: u32 = 0o4_010_000;
    let mut text = "Extra file open flags: ".to_owned();
    if dialect == Dialect::V04 {
        let number = [
            (flags.sync, O_SYNC),
            (flags.dsync, O_DSYNC),
            (flags.direct, O_DIRECT),
        ]
        .iter()
        .filter(|(set, _)| *set)
        .fold(0, |all, (_, flag)| all | flag);
        // Writing to a String cannot fail.
        let _ = write!(text, "{number}");
        return text;
    }
    if flags == ExtraFlags::default() {
        text.push_str("(none)");
    }
    for (set, name) in [
        (flags.sync, "sync "),
        (flags.dsync, "dsync "),
        (flags.direct, "directio"),
    ] {
        if set {
            text.push_str(name);
        }
    }
    text
}

/// Files are going to be made: whole KiB and MiB, whatever the units are called.
pub(crate) fn preparation(options: &Options) -> Vec<Message> {
    let file = &options.file;
    let each = file.file_size();
    let mut lines = vec![
        format!(
            "{} files, {}Kb each, {}Mb total",
            file.count,
            each >> 10,
            each.saturating_mul(file.count.into()) >> 20
        ),
        "Creating files for the test...".to_owned(),
    ];
    if options.dialect == Dialect::V10 {
        lines.push(flags(file.flags, options.dialect));
    }
    let notice = |line| Message::new(Level::Notice, line);
    lines.into_iter().map(notice).collect()
}

/// Files are going to be removed.
pub(crate) fn cleanup() -> Message {
    Message::new(Level::Notice, "Removing test files...")
}
