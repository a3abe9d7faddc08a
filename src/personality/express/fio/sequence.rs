//! A shared sequence of requests, as near as one job over all files comes to it.

use super::{
    super::{sequence_losses, write_percent},
    FLUSHED_FILE, Job, Losses, Unsayable, filenames, load, threads,
};
use crate::plan::{Operations, Order, Plan, SharedSequence, Target, TimeSpan};

pub(super) fn job(
    plan: &Plan,
    span: &TimeSpan,
    shared: &SharedSequence,
    job: &mut Job,
    losses: &mut Losses,
) -> Result<(), Unsayable> {
    sequence_losses(shared, losses);
    let targets: Vec<&Target> = span.targets.iter().collect();
    let Some(first) = targets.first() else {
        return Ok(());
    };
    filenames(&targets, job)?;
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
        flushes(shared, read, files, job, losses);
    }
    let depth = shared.backlog.unwrap_or(1);
    threads(plan, span, first, depth, job, losses);
    job.set("numjobs", shared.workers);
    if let Order::Sequential { once: true, .. } = shared.order {
        losses.when(
            shared.workers > 1,
            "limits: the sequence ends once, for all threads; here each goes over all files",
        );
    } else if !span.stop.ends() {
        losses.add("limits: the load has no end; here it ends with the size of the files");
    }
    Ok(())
}

/// A flush behind each write.
fn flushes(shared: &SharedSequence, mixed: bool, files: u64, job: &mut Job, losses: &mut Losses) {
    if !shared.flushes.after_write {
        return;
    }
    let data_only = shared.flushes.data_only;
    load::flush_every(1, data_only, mixed, job, losses);
    losses.add("flushes: a write and the flush behind it are one event");
    losses.when(
        files > 1 && matches!(shared.order, Order::Random { .. }),
        FLUSHED_FILE,
    );
}
