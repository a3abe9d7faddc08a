//! The sequence of requests that all threads draw from.

use std::time::Duration;

use crate::{
    personality::{
        DataChoice,
        sysbench::options::{Dialect, FileOptions, IoMode, Mode, Options, Seed},
    },
    plan::{
        AtEnd, Counted, Draws, Flushes, Operations, Order, Payload, SharedSequence, Verify, Watch,
    },
};

/// The sequence of a run.
pub(in crate::personality::sysbench) fn sequence(
    options: &Options,
    mode: Mode,
    data: DataChoice,
) -> SharedSequence {
    let file = &options.file;
    let seconds = |number: u32| Duration::from_secs(u64::from(number));
    SharedSequence {
        workers: options.threads,
        file_size: file.file_size(),
        order: order(options, mode),
        operations: operations(options, mode),
        flushes: flushes(options, mode),
        backlog: (file.io_mode == IoMode::Async).then_some(file.backlog),
        verify: match (options.validate, options.dialect) {
            (false, _) => Verify::Off,
            (true, Dialect::V04) => Verify::OutsideLatency,
            (true, Dialect::V10) => Verify::InsideLatency,
        },
        payload: match data {
            DataChoice::Default | DataChoice::Random => Payload::Stamped,
            DataChoice::Zeros | DataChoice::Original => Payload::Zeros,
        },
        arrivals_per_second: (options.rate > 0).then(|| u64::from(options.rate)),
        watch: Watch {
            intervals: (options.report_interval > 0).then(|| seconds(options.report_interval)),
            checkpoints: options.checkpoints.iter().copied().map(seconds).collect(),
            requests: options.debug,
        },
        grace: options.grace.map(seconds),
    }
}

fn order(options: &Options, mode: Mode) -> Order {
    let file = &options.file;
    if mode.sequential() {
        return Order::Sequential {
            // Checked: a request is at most 1 GiB.
            length: file.block.saturating_mul(file.merged.max(1)),
            once: options.dialect == Dialect::V04,
        };
    }
    Order::Random {
        block: file.block,
        span: span(options.dialect, file),
        draws: draws(options),
    }
}

/// The bytes of which a position is drawn: all files for 0.4, the total as typed for 1.0. Where
/// the total leaves a rest, 1.0 could draw a position behind the last file; then there are fewer.
fn span(dialect: Dialect, file: &FileOptions) -> u64 {
    let files = file.file_size() * u64::from(file.count);
    let block = u64::from(file.block.max(1));
    let last = file.total.saturating_sub(1) / block * block;
    if dialect == Dialect::V10 && last < files {
        file.total
    } else {
        files
    }
}

fn draws(options: &Options) -> Draws {
    let seed = match options.seed {
        Seed::Fixed => None,
        Seed::Clock { seed } | Seed::Given { seed } => Some(seed),
    };
    match options.dialect {
        Dialect::V04 => Draws::Lrand48 { seed },
        Dialect::V10 => Draws::Xoroshiro {
            seed: seed.unwrap_or_default(),
            draw_after_event: options.percentile != 0,
        },
    }
}

fn operations(options: &Options, mode: Mode) -> Operations {
    match mode {
        Mode::SeqRd | Mode::RndRd => Operations::Reads,
        Mode::SeqWr | Mode::SeqRewr | Mode::RndWr => Operations::Writes,
        Mode::RndRw => Operations::Ratio {
            // The original keeps the ratio in a C float.
            reads_per_write: f64::from(options.file.rw_ratio as f32),
            counted: match (options.dialect, options.file.io_mode) {
                (Dialect::V04, IoMode::Async) => Counted::HandedOut,
                _ => Counted::Completed,
            },
        },
    }
}

fn flushes(options: &Options, mode: Mode) -> Flushes {
    let file = &options.file;
    let new = options.dialect == Dialect::V10;
    let single = !file.fsync_all;
    let rounds = mode.writes() && single && file.fsync_freq > 0 && (new || !mode.sequential());
    Flushes {
        data_only: file.fdatasync,
        round_every: rounds.then(|| u64::from(file.fsync_freq)),
        after_write: file.fsync_all && mode.writes(),
        at_end: if !(mode.writes() && single && file.fsync_end) {
            AtEnd::Never
        } else if new {
            AtEnd::EveryWorker
        } else {
            AtEnd::OnceAtLimit
        },
        are_events: new,
    }
}
