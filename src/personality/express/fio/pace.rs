//! How fast a stream is: rates, pauses, arrivals.

use super::{Job, Losses};
use crate::plan::{BlockSizes, Pacing, PauseFrom, Stream, WeightedSize};

/// Rates and pauses; waves are jobs of their own.
pub(super) fn pacing(stream: &Stream, job: &mut Job, losses: &mut Losses) {
    let writes = stream.mix.write_percent;
    match &stream.pacing {
        // Each wave is a job.
        Pacing::Unlimited | Pacing::Waves { .. } => {}
        Pacing::CapBytes {
            per_second,
            shared_by,
        } => {
            let part = part(*per_second, *shared_by, losses);
            let (reads, writes) = parted(part, writes);
            rate("rate", reads, writes, job);
        }
        Pacing::CapOperations {
            per_second,
            shared_by,
        } => {
            let part = part(*per_second, *shared_by, losses);
            operations(part, false, stream, job, losses);
        }
        Pacing::Burst {
            operations,
            pause,
            from,
        } => {
            losses.when(
                *from == PauseFrom::Issue,
                "bursts: the pause begins when the last I/O is issued; here when all have completed",
            );
            job.set("thinktime", format!("{}us", pause.as_micros()));
            job.set("thinktime_blocks", operations);
        }
        Pacing::Arrivals {
            per_second,
            poisson,
        }
        | Pacing::Gathered {
            per_second,
            poisson,
            ..
        } => {
            arrivals(*per_second, *poisson, stream, job, losses);
        }
    }
}

fn arrivals(per_second: f64, poisson: bool, stream: &Stream, job: &mut Job, losses: &mut Losses) {
    losses.add(
        "arrivals: I/Os are due at times of their own and their wait counts; fio waits for a free \
         slot and counts from there",
    );
    losses.when(
        per_second.fract() != 0.0,
        "arrivals: the rate is rounded to a whole number",
    );
    let per_second = (per_second.round() as u64).max(1);
    operations(per_second, poisson, stream, job, losses);
    if poisson {
        job.set("rate_process", "poisson");
    }
}

/// A number of I/Os a second. fio makes bytes of it, by the smallest block, and lets each I/O take the
/// time of its own bytes; where distances are drawn it goes back to the number.
fn operations(per_second: u64, drawn: bool, stream: &Stream, job: &mut Job, losses: &mut Losses) {
    let (reads, writes) = parted(per_second, stream.mix.write_percent);
    let BlockSizes::Weighted { read, write } = &stream.sizes else {
        rate("rate_iops", reads, writes, job);
        return;
    };
    let read = if read.is_empty() { write } else { read };
    let write = if write.is_empty() { read } else { write };
    let equal = |entries: &[WeightedSize]| {
        entries
            .windows(2)
            .all(|pair| pair[0].bytes == pair[1].bytes)
    };
    if drawn || (equal(read) && equal(write)) {
        rate("rate_iops", reads, writes, job);
        return;
    }
    losses.add(
        "rate: I/Os a second, of several sizes; fio paces their bytes, so that the number is right \
         in the mean alone",
    );
    let bytes =
        |count: Option<u64>, sizes: &[WeightedSize]| count.map(|count| mean_of(count, sizes));
    rate("rate", bytes(reads, read), bytes(writes, write), job);
}

/// The bytes of so many I/Os, in the mean.
fn mean_of(count: u64, sizes: &[WeightedSize]) -> u64 {
    let weights: u128 = sizes.iter().map(|size| u128::from(size.weight)).sum();
    let bytes: u128 = sizes
        .iter()
        .map(|size| u128::from(size.bytes) * u128::from(size.weight))
        .sum();
    let whole = u128::from(count).saturating_mul(bytes) / weights.max(1);
    u64::try_from(whole).unwrap_or(u64::MAX)
}

/// The whole part of a limit that one of those has that share it.
fn part(limit: u64, shared_by: u32, losses: &mut Losses) -> u64 {
    let shared_by = u64::from(shared_by.max(1));
    losses.when(
        !limit.is_multiple_of(shared_by),
        "limit: the part of each thread is cut to a whole number",
    );
    (limit / shared_by).max(1)
}

/// A limit of reads and writes together, parted as the mix is: fio limits each direction apart.
fn parted(limit: u64, write_percent: u32) -> (Option<u64>, Option<u64>) {
    match write_percent {
        0 => (Some(limit), None),
        100.. => (None, Some(limit)),
        percent => {
            let writes = (u128::from(limit) * u128::from(percent) / 100) as u64;
            (Some((limit - writes).max(1)), Some(writes.max(1)))
        }
    }
}

fn rate(option: &str, reads: Option<u64>, writes: Option<u64>, job: &mut Job) {
    match (reads, writes) {
        (Some(reads), Some(writes)) => job.set(option, format!("{reads},{writes}")),
        (Some(limit), None) | (None, Some(limit)) => job.set(option, limit),
        (None, None) => {}
    }
}
