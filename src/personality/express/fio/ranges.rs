//! Where in a target: its range, the threads' parts of it, shares of the I/Os.

use super::{Job, Losses};
use crate::plan::{
    AccessPattern, Distribution, FilePreparation, Opening, Ranks, Share, Skew, Stream, Target,
};

/// Where some threads of a group go: `offset`, `size`, and what each thread adds.
#[derive(Debug, Default)]
pub(super) struct Part {
    offset: u64,
    size: Option<u64>,
    increment: Option<u64>,
    workers: u64,
}

impl Part {
    pub(super) fn set(&self, job: &mut Job) {
        if self.offset > 0 {
            job.set("offset", self.offset);
        }
        if let Some(size) = self.size {
            job.set("size", size);
        }
        if let Some(increment) = self.increment {
            job.set("offset_increment", increment);
        }
        job.set("numjobs", self.workers);
    }
}

/// The parts of the range, one job each. No job reaches beyond the end of the range: fio would make
/// the file larger.
pub(super) fn parts(
    stream: &Stream,
    targets: &[&Target],
    files: &[&FilePreparation],
    workers: u32,
    losses: &mut Losses,
) -> Vec<Part> {
    let base = targets.first().map_or(0, |target| target.base);
    let length = length(targets, files, losses);
    let workers = u64::from(workers.max(1));
    let whole = Part {
        offset: base,
        // fio parts a size among the files of a job.
        size: length.map(|length| length.saturating_mul(targets.len() as u64)),
        increment: None,
        workers,
    };
    match stream.pattern {
        AccessPattern::Sequential { worker_offset, .. }
        | AccessPattern::Parallel { worker_offset, .. }
            if worker_offset > 0 && workers > 1 =>
        {
            losses.add(
                "order: at the end of the range all threads go on at its start; in fio each begins \
                 again where it began",
            );
            let Some(length) = length else {
                // Without a size fio goes to the end of the file.
                return vec![Part {
                    increment: Some(worker_offset),
                    ..whole
                }];
            };
            staggered(base, length, worker_offset, workers, targets.len() as u64)
        }
        AccessPattern::Regions { alignment } if workers > 1 => {
            let part = length.map(|length| {
                let part = length / workers;
                part - part % alignment.max(1)
            });
            let Some(part) = part.filter(|part| *part > 0) else {
                losses.add("range: each thread has a part of its own; here all walk the whole");
                return vec![whole];
            };
            losses.when(
                part.checked_mul(workers) != length,
                "range: the threads' parts leave a rest at its end",
            );
            vec![Part {
                size: Some(part.saturating_mul(targets.len() as u64)),
                increment: Some(part),
                ..whole
            }]
        }
        _ => vec![whole],
    }
}

/// Threads that begin one behind the other and go to the end: each has a size of its own. One that
/// would begin behind the end is refused by us too.
fn staggered(base: u64, length: u64, distance: u64, workers: u64, files: u64) -> Vec<Part> {
    (0..workers)
        .map_while(|worker| {
            let start = worker.checked_mul(distance)?;
            let rest = length.checked_sub(start).filter(|rest| *rest > 0)?;
            Some(Part {
                offset: base.saturating_add(start),
                size: Some(rest.saturating_mul(files)),
                increment: None,
                workers: 1,
            })
        })
        .collect()
}

/// The length of the range of each target: the least one where they differ.
fn length(targets: &[&Target], files: &[&FilePreparation], losses: &mut Losses) -> Option<u64> {
    let lengths: Vec<Option<u64>> = targets
        .iter()
        .map(|target| end(target, files).map(|end| end.saturating_sub(target.base)))
        .collect();
    let differ = |pair: &[&Target]| pair[0].base != pair[1].base;
    losses.when(
        lengths.windows(2).any(|pair| pair[0] != pair[1]) || targets.windows(2).any(differ),
        "range: it differs between the files; here it is the first one's start and the least length",
    );
    lengths.into_iter().min().flatten()
}

/// The end of what is used, where the plan says so: its own end, or the size that the file will
/// have. fio needs it for files that do not exist.
pub(super) fn end(target: &Target, files: &[&FilePreparation]) -> Option<u64> {
    let made = files
        .iter()
        .find(|file| file.path == target.path)
        .map(|file| file.size)
        .or(target.planned_size)
        .or(match target.opening {
            Opening::Anew { size } => Some(size),
            Opening::AtLeast(_) => None,
        });
    match (target.end, made) {
        (Some(end), Some(made)) => Some(end.min(made)),
        (end, made) => end.or(made),
    }
}

/// `random_distribution`; fio's zones follow each other from the start of the range.
pub(super) fn distribution(distribution: &Distribution, job: &mut Job, losses: &mut Losses) {
    let (word, shares) = match distribution {
        Distribution::Uniform => return,
        Distribution::Ranked { skew, ranks } => return ranked(*skew, *ranks, job, losses),
        Distribution::Normal {
            deviation_percent,
            centre_percent,
        } => {
            losses.add(
                "distribution: normal around a middle; fio scatters its places over the whole \
                 range, and its deviation is another one",
            );
            let centre = centre_percent / 100.0;
            let value = format!("normal:{deviation_percent}:{centre}");
            job.set("random_distribution", value);
            return;
        }
        Distribution::Percent(shares) => ("zoned", shares),
        Distribution::Absolute(shares) => ("zoned_abs", shares),
    };
    let mut at = 0;
    let mut parts = Vec::new();
    let mut told = true;
    for Share {
        io_percent,
        from,
        length,
    } in shares
    {
        told &= *from == at && *length > 0;
        at = from.saturating_add(*length);
        parts.push(format!("{io_percent}/{length}"));
    }
    if told && !parts.is_empty() {
        job.set("random_distribution", format!("{word}:{}", parts.join(":")));
    } else {
        losses.add(
            "distribution: its parts leave gaps or reach to an end that is not known; here all \
             places are alike",
        );
    }
}

/// Zipf and Pareto. fio finds the place of a rank by a hash.
fn ranked(skew: Skew, ranks: Ranks, job: &mut Job, losses: &mut Losses) {
    let law = match skew {
        Skew::Zipf(1.0) => {
            losses.add("distribution: zipf with the exponent 1, which fio refuses; here 1.0001");
            "zipf:1.0001".to_owned()
        }
        Skew::Zipf(exponent) => format!("zipf:{exponent}"),
        Skew::Pareto(h) => format!("pareto:{h}"),
    };
    losses.add(
        "distribution: each rank has a place of its own; fio finds places by a hash, so that some \
         have several ranks and others none",
    );
    let value = match ranks {
        Ranks::Scattered => law,
        Ranks::ScatteredFrom(percent) => format!("{law}:{}", percent / 100.0),
        Ranks::InOrder => {
            losses.add("distribution: ranks lie in order; here scattered over the range");
            law
        }
    };
    job.set("random_distribution", value);
}
