//! Where in a target: its range, the threads' parts of it, shares of the I/Os.

use super::{Job, Losses};
use crate::plan::{
    AccessPattern, Distribution, FilePreparation, Opening, Ranks, Share, Skew, Stream, Target,
};

/// `offset`, `size`, and what each thread adds.
pub(super) fn range(
    stream: &Stream,
    target: &Target,
    files: &[&FilePreparation],
    workers: u32,
    job: &mut Job,
    losses: &mut Losses,
) {
    if target.base > 0 {
        job.set("offset", target.base);
    }
    let end = end(target, files);
    let length = end.map(|end| end.saturating_sub(target.base));
    let workers = u64::from(workers.max(1));
    match stream.pattern {
        AccessPattern::Sequential { worker_offset, .. }
        | AccessPattern::Parallel { worker_offset, .. }
            if worker_offset > 0 && workers > 1 =>
        {
            losses.add(
                "order: at the end of the range all threads go on at its start; in fio each begins \
                 again where it began",
            );
            job.set("offset_increment", worker_offset);
        }
        AccessPattern::Regions { alignment } if workers > 1 => {
            let part = length.map(|length| {
                let part = length / workers;
                part - part % alignment.max(1)
            });
            if let Some(part) = part.filter(|part| *part > 0) {
                losses.when(
                    part.checked_mul(workers) != length,
                    "range: the threads' parts leave a rest at its end",
                );
                job.set("size", part);
                job.set("offset_increment", part);
                return;
            }
            losses.add("range: each thread has a part of its own; here all walk the whole");
        }
        _ => {}
    }
    if let Some(length) = length {
        job.set("size", length);
    }
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
