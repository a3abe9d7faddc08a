//! A load in a few words: `random reads of 4 KiB, 32 in flight x 4 threads`.

use crate::{
    plan::{
        AccessPattern, BlockSizes, OperationMix, Pacing, Stream, TimeSpan, WeightedSize,
        WorkerGroup,
    },
    report::text::{amount, span_of_time},
    units::{
        ByteSize,
        words::{grouped, plural, size},
    },
};

/// What is said of no workers.
const NO_LOAD: &str = "no load";

/// What all workers of the time span do, and for how long it was asked.
pub(super) fn words(span: &TimeSpan) -> String {
    let mut words = match (&span.sequence, &span.visits) {
        (Some(shared), _) => format!(
            "one sequence of requests, {}",
            plural(u64::from(shared.workers), "thread")
        ),
        (_, Some(visits)) => format!(
            "visits of {} by {}",
            plural(visits.files.len() as u64, "file"),
            plural(u64::from(visits.visitors), "visitor")
        ),
        (None, None) => of_groups(&span.groups),
    };
    if let Some(rate) = rate(&span.groups) {
        words.push_str(&rate);
    }
    words
}

/// What all workers do, however many they are: `random reads of 4 KiB`, with the names of groups that
/// do different things.
pub(in crate::personality::native) fn kinds(groups: &[WorkerGroup]) -> String {
    let (names, kinds) = told_apart(groups);
    match (&names[..], &kinds[..]) {
        ([], _) | (_, []) => NO_LOAD.to_owned(),
        (_, [kind]) => kind.clone(),
        ([_], _) => kinds.join(" with "),
        (names, _) => format!("{} together", listed(names)),
    }
}

/// Each name of a group once, and each kind of load once.
fn told_apart(groups: &[WorkerGroup]) -> (Vec<&str>, Vec<String>) {
    let mut names: Vec<&str> = Vec::new();
    for group in groups {
        if !names.contains(&group.name.as_str()) {
            names.push(&group.name);
        }
    }
    let streams = || groups.iter().flat_map(|group| &group.streams);
    let mut kinds: Vec<String> = Vec::new();
    for stream in streams() {
        let kind = kind(stream);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    (names, kinds)
}

fn of_groups(groups: &[WorkerGroup]) -> String {
    match kinds(groups) {
        none if none == NO_LOAD => none,
        kinds => format!("{kinds}, {}", outstanding(groups)),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let mut text = String::new();
    for (index, name) in names.iter().enumerate() {
        text.push_str(match (index, names.len() - index) {
            (0, _) => "",
            (_, 1) => " and ",
            _ => ", ",
        });
        text.push_str(name.as_ref());
    }
    text
}

fn outstanding(groups: &[WorkerGroup]) -> String {
    let threads = groups.iter().fold(0, |sum: u64, group| {
        sum.saturating_add(u64::from(group.workers))
    });
    let slots = groups.iter().map(WorkerGroup::slots);
    let (least, most) = (slots.clone().min().unwrap_or(0), slots.max().unwrap_or(0));
    let sum = groups.iter().fold(0, |sum: u64, group| {
        let all = u64::from(group.workers).saturating_mul(u64::from(group.slots()));
        sum.saturating_add(all)
    });
    match (threads, least == most) {
        (1, _) => format!("{} in flight", grouped(sum)),
        (_, true) => format!(
            "{} in flight x {}",
            grouped(u64::from(most)),
            plural(threads, "thread")
        ),
        (_, false) => format!(
            "{}, {} in flight in all",
            plural(threads, "thread"),
            grouped(sum)
        ),
    }
}

fn kind(stream: &Stream) -> String {
    let OperationMix { write_percent, .. } = stream.mix;
    let operations = match write_percent {
        0 => "reads".to_owned(),
        100.. => "writes".to_owned(),
        writes => format!("{}:{writes} reads and writes", 100 - writes),
    };
    let sizes = sizes(&stream.sizes, write_percent);
    let order = match &stream.pattern {
        AccessPattern::Sequential { .. }
        | AccessPattern::Interlocked { .. }
        | AccessPattern::Parallel { .. }
        | AccessPattern::Regions { .. } => "sequential ".to_owned(),
        AccessPattern::Random { .. } => "random ".to_owned(),
        AccessPattern::Mixed { random_percent, .. } => format!("{random_percent} % random "),
        AccessPattern::Grid { .. } => "strided ".to_owned(),
        AccessPattern::Append => "appending ".to_owned(),
    };
    format!("{order}{operations} of {sizes}")
}

/// `4 KiB`, `8 KiB to 128 KiB`.
fn sizes(sizes: &BlockSizes, write_percent: u32) -> String {
    let (read, write) = match sizes {
        BlockSizes::One(bytes) => return block(*bytes),
        BlockSizes::Weighted { read, write } => (read, write),
    };
    let used = |list: &[WeightedSize], wanted: bool| {
        let each = list.iter().filter(|entry| wanted && entry.weight > 0);
        each.map(|entry| entry.bytes).collect::<Vec<_>>()
    };
    let mut all = used(read, write_percent < 100);
    all.extend(used(write, write_percent > 0));
    match (all.iter().min(), all.iter().max()) {
        (Some(least), Some(most)) if least == most => block(*most),
        (Some(least), Some(most)) => format!("{} to {}", block(*least), block(*most)),
        _ => "no size".to_owned(),
    }
}

/// A size that is no whole number of its unit is told in bytes: rounded it would be another.
fn block(bytes: u32) -> String {
    let bytes = u64::from(bytes);
    if ByteSize(bytes).is_whole() {
        size(bytes)
    } else {
        plural(bytes, "byte")
    }
}

/// How fast, where all groups are paced alike.
fn rate(groups: &[WorkerGroup]) -> Option<String> {
    let streams = || {
        groups
            .iter()
            .flat_map(|group| group.streams.iter().map(move |stream| (group, stream)))
    };
    let sum = |of: fn(&Pacing) -> Option<f64>| {
        let each: Option<Vec<f64>> = streams()
            .map(|(group, stream)| of(&stream.pacing).map(|rate| rate * f64::from(group.workers)))
            .collect();
        each.filter(|each| !each.is_empty())
            .map(|each| each.iter().sum::<f64>())
    };
    if let Some(rate) = sum(|pacing| match pacing {
        Pacing::Arrivals { per_second, .. } => Some(*per_second),
        _ => None,
    }) {
        return Some(format!(
            ", {} due a second, whether or not the target keeps up",
            amount(rate)
        ));
    }
    if let Some(rate) = sum(|pacing| match pacing {
        Pacing::CapOperations { per_second } => Some(*per_second as f64),
        _ => None,
    }) {
        return Some(format!(", at most {} a second", amount(rate)));
    }
    if let Some(rate) = sum(|pacing| match pacing {
        Pacing::CapBytes { per_second } => Some(*per_second as f64),
        _ => None,
    }) {
        return Some(format!(", at most {} a second", size(rate as u64)));
    }
    streams().find_map(|(_, stream)| match stream.pacing {
        Pacing::Burst { operations, pause } => Some(format!(
            ", bursts of {} with {} between",
            grouped(operations),
            span_of_time(pause)
        )),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{super::testing, block, listed, words};
    use crate::plan::{BlockSizes, Pacing, WeightedSize};

    #[test]
    fn sizes_are_exact() {
        assert_eq!(block(4096), "4 KiB");
        assert_eq!(block(512), "512 bytes");
        // etcd's check.
        assert_eq!(block(2300), "2,300 bytes");
    }

    #[test]
    fn names_in_a_row() {
        assert_eq!(listed::<&str>(&[]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn loads_in_a_few_words() {
        let mut stream = testing::random(30);
        let size = |bytes, weight| WeightedSize { bytes, weight };
        stream.sizes = BlockSizes::Weighted {
            read: vec![size(4096, 60), size(65_536, 40)],
            // A weight of 0 is a size that does not occur.
            write: vec![size(8192, 1), size(512, 0)],
        };
        stream.pacing = Pacing::CapOperations { per_second: 500 };
        let groups = vec![testing::group("", 2, stream)];
        assert_eq!(
            words(&testing::planned("", groups)),
            "random 70:30 reads and writes of 4 KiB to 64 KiB, 32 in flight x 2 threads, at most \
             1,000 a second"
        );
        assert_eq!(words(&testing::planned("", Vec::new())), "no load");
    }
}
