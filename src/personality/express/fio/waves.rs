//! Waves: a job for each of them, due at its own time.

use std::time::Duration;

use super::{Job, Losses, milliseconds};
use crate::plan::{Pacing, Stream, TimeSpan};

/// Waves that are jobs of their own, at most.
const JOBS_MAX: u128 = 64;

/// The job, or what becomes of it where its stream writes in waves. fio's pause after a number of
/// I/Os is slept to its end, however long the job may run, so that it is no word for rare waves.
pub(super) fn jobs(
    span: &TimeSpan,
    stream: &Stream,
    job: Job,
    jobs: &mut Vec<Job>,
    losses: &mut Losses,
) {
    let Pacing::Waves {
        first,
        every,
        operations,
        backs_off_above,
    } = stream.pacing
    else {
        jobs.push(job);
        return;
    };
    losses.when(
        backs_off_above.is_some(),
        "waves: fewer I/Os in flight while they are slow",
    );
    let end = span.stop.after.map(|after| span.warmup + after);
    let due = |end: Duration| {
        let time = end.saturating_sub(first).as_nanos();
        time.div_ceil(every.as_nanos().max(1))
    };
    match end.map(|end| (end, due(end))) {
        Some((_, 0)) => losses.add("waves: none is due before the end; its job is left out"),
        Some((end, count)) if count <= JOBS_MAX => {
            losses.when(
                first < span.warmup,
                "waves: those of the warm-up are counted too",
            );
            losses.add("waves: one that is late runs beside the next one, not before it");
            let largest = u64::from(stream.sizes.largest());
            for number in 0..count as u32 {
                let start = first.saturating_add(every.saturating_mul(number));
                let mut wave = job.clone();
                wave.drop(&[
                    "ramp_time",
                    "runtime",
                    "time_based",
                    "io_size",
                    "number_ios",
                ]);
                if !start.is_zero() {
                    wave.set("startdelay", milliseconds(start));
                }
                wave.set("runtime", milliseconds(end.saturating_sub(start)));
                // So that it goes on where the range is shorter than a wave.
                wave.set("io_size", operations.saturating_mul(largest));
                wave.set("number_ios", operations);
                jobs.push(wave);
            }
        }
        _ => {
            losses.add(
                "waves: each is due at a time of its own; here the pause begins when a wave is \
                 done, and the last one may outlast the other jobs",
            );
            let mut wave = job;
            wave.set("startdelay", milliseconds(first));
            wave.set("thinktime", format!("{}us", every.as_micros()));
            wave.set("thinktime_blocks", operations);
            jobs.push(wave);
        }
    }
}
