//! A shared sequence of requests, as near as one job over all files comes to it.

use super::{
    super::{sequence_losses, write_percent},
    Job, Losses, filenames, load, threads,
};
use crate::plan::{Operations, Order, Plan, SharedSequence, Target, TimeSpan};

pub(super) fn job(
    plan: &Plan,
    span: &TimeSpan,
    shared: &SharedSequence,
    job: &mut Job,
    losses: &mut Losses,
) {
    sequence_losses(shared, losses);
    let targets: Vec<&Target> = span.targets.iter().collect();
    let Some(first) = targets.first() else {
        return;
    };
    filenames(&targets, job, losses);
    let files = targets.len() as u64;
    job.set("filesize", shared.file_size);
    job.set("size", shared.file_size.saturating_mul(files));
    let (random, read, write) = (
        matches!(shared.order, Order::Random { .. }),
        shared.operations.read(),
        shared.operations.write(),
    );
    let word = match (read, write) {
        (true, true) => "rw",
        (_, false) => "read",
        (false, true) => "write",
    };
    job.set(
        "rw",
        if random {
            format!("rand{word}")
        } else {
            word.to_owned()
        },
    );
    if let Operations::Ratio { .. } = shared.operations {
        job.set("rwmixwrite", write_percent(shared.operations));
    }
    job.set("bs", shared.order.length());
    if random {
        job.set("norandommap", 1);
        job.set("file_service_type", "random:1");
    } else {
        job.set("file_service_type", "sequential");
    }
    load::opened(first, job, losses);
    if write {
        load::payload(&shared.payload, job, losses);
        job.set("overwrite", 1);
    }
    let depth = shared.backlog.unwrap_or(1);
    threads(plan, span, first, depth, shared.workers, job, losses);
    if let Order::Sequential { once: true, .. } = shared.order {
        losses.when(
            shared.workers > 1,
            "limits: the sequence ends once, for all threads; here each goes over all files",
        );
    } else if !span.stop.ends() {
        losses.add("limits: the load has no end; here it ends with the size of the files");
    }
}
