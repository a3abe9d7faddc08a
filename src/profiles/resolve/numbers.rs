//! The numbers that a workload came to, in words.

use super::{files::Files, pacing::figure};
use crate::{
    plan::WeightedSize,
    profiles::{
        Profile, SqlFlush, Wanted,
        format::{Cache, Pattern, StreamSpec, Sync, Threads},
        machine::logical,
    },
    units::{ByteSize, words},
};

/// What the machine is taken for, where that decides something.
pub(super) fn machine(profile: &Profile, wanted: &Wanted<'_>) -> Vec<(String, String)> {
    let fixed = |threads: Threads| matches!(threads, Threads::Fixed(_));
    if profile.groups.iter().all(|group| fixed(group.threads)) || wanted.threads.is_some() {
        return Vec::new();
    }
    let machine = wanted.machine;
    let text = format!(
        "{}, {}, {}, {}",
        words::plural(logical(machine).into(), "logical CPU"),
        words::plural(machine.nodes().into(), "NUMA node"),
        words::plural(machine.sockets().into(), "socket"),
        words::plural(machine.soft_nodes().into(), "soft-NUMA node")
    );
    vec![("machine".to_owned(), text)]
}

/// What holds for all groups.
pub(super) fn whole(
    profile: &Profile,
    wanted: &Wanted<'_>,
    files: &Files,
) -> Vec<(String, String)> {
    let mut numbers = Vec::new();
    for (role, count, size) in files.kinds() {
        let many = if count == 1 {
            String::new()
        } else {
            format!("{count} files of ")
        };
        numbers.push((
            format!("{} file", role.word()),
            format!("{many}{}", words::size(size)),
        ));
    }
    let writes = |file: &crate::profiles::format::FileSpec| {
        profile
            .groups
            .iter()
            .flat_map(|group| &group.streams)
            .any(|stream| stream.file == file.role && !stream.write.is_empty())
    };
    for file in &profile.files {
        let cache = match file.cache {
            Cache::Direct => "O_DIRECT",
            Cache::Buffered => "through the page cache",
        };
        let durable = match (file.sync, wanted.flush) {
            _ if !writes(file) => "",
            (Sync::Dsync, _) | (Sync::Sql, SqlFlush::Fua) => ", O_DSYNC",
            (Sync::Sql, SqlFlush::FdataSync) => ", fdatasync after each batch",
            (Sync::None, _) => "",
        };
        numbers.push((
            format!("{} opened", file.role.word()),
            format!("{cache}{durable}"),
        ));
    }
    if let Some(bytes) = profile.ends_after {
        numbers.push(("ends after".to_owned(), words::size(bytes.0)));
    }
    numbers
}

/// `8 KiB 80 %, 16 KiB 20 %`.
pub(super) fn sizes(sizes: &[WeightedSize]) -> String {
    let all: f64 = sizes.iter().map(|size| f64::from(size.weight)).sum();
    let one = |size: &WeightedSize| {
        let percent = 100.0 * f64::from(size.weight) / all.max(1.0);
        let bytes = exact(size.bytes);
        if sizes.len() == 1 {
            bytes
        } else {
            format!("{bytes} {} %", figure(percent))
        }
    };
    sizes.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// `64 KiB`, `2,300 bytes`.
fn exact(bytes: u32) -> String {
    if ByteSize(bytes.into()).is_whole() {
        words::size(bytes.into())
    } else {
        words::plural(bytes.into(), "byte")
    }
}

/// `21 % reads, 79 % writes` of streams that share a worker.
pub(super) fn shares(streams: &[StreamSpec]) -> String {
    let all: u32 = streams.iter().map(|stream| stream.share).sum();
    let one = |stream: &StreamSpec| {
        let percent = 100.0 * f64::from(stream.share) / f64::from(all.max(1));
        let what = if stream.write.is_empty() {
            "reads"
        } else {
            "writes"
        };
        format!("{} % {what}", figure(percent))
    };
    streams.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// In which order a stream walks its file.
pub(super) fn order(stream: &StreamSpec) -> &'static str {
    match stream.pattern {
        Pattern::Random => "random",
        Pattern::Regions => "sequential, one region a thread",
        Pattern::Sequential => "sequential",
        Pattern::Append => "sequential, appended at one cursor that wraps",
    }
}
