//! A load in a few words: `random reads of 4 KiB, 32 in flight x 4 threads`.

use super::named;
use crate::{
    plan::{
        AccessPattern, BlockSizes, Distribution, OperationMix, Pacing, Share, Skew, Stream,
        TimeSpan, WeightedSize, WorkerGroup,
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
fn told_apart(groups: &[WorkerGroup]) -> (Vec<String>, Vec<String>) {
    let mut names: Vec<String> = Vec::new();
    for group in groups {
        let name = named(&group.name);
        if !names.contains(&name) {
            names.push(name);
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
        AccessPattern::Random { distribution, .. } => {
            format!("random {}", law(distribution))
        }
        AccessPattern::Mixed {
            random_percent,
            distribution,
            ..
        } => format!("{random_percent} % random {}", law(distribution)),
        AccessPattern::Shuffled { .. } => "shuffled ".to_owned(),
        AccessPattern::Grid { .. } => "strided ".to_owned(),
        AccessPattern::Append => "appending ".to_owned(),
    };
    let (alignment, distribution) = match &stream.pattern {
        AccessPattern::Random {
            alignment,
            distribution,
        }
        | AccessPattern::Mixed {
            alignment,
            distribution,
            ..
        } => (Some(*alignment), concentrated(distribution)),
        _ => (None, String::new()),
    };
    // What is set off by commas is closed by one.
    let open = !distribution.is_empty() && !sizes.starts_with(',');
    let gap = if open { "," } else { "" };
    let at = match alignment {
        // Multiples of the size are what everybody expects.
        Some(bytes) if bytes != u64::from(smallest(&stream.sizes)) => {
            format!(" at multiples of {}", bytes_of(bytes))
        }
        _ => String::new(),
    };
    format!("{order}{operations}{distribution}{gap}{sizes}{at}")
}

/// The law of random places, if they are not drawn alike: `(zipf 0.99) `.
fn law(distribution: &Distribution) -> String {
    match distribution {
        Distribution::Uniform | Distribution::Percent(_) | Distribution::Absolute(_) => {
            String::new()
        }
        Distribution::Ranked {
            skew: Skew::Zipf(exponent),
            ..
        } => format!("(zipf {exponent}) "),
        Distribution::Ranked {
            skew: Skew::Pareto(h),
            ..
        } => format!("(pareto {h}) "),
        Distribution::Normal {
            deviation_percent, ..
        } => format!("(normal {deviation_percent} %) "),
    }
}

/// Parts of a distribution that are told one by one.
const PARTS: usize = 3;

/// `, 90 % of them in the first 10 %`; nothing where all places are alike.
fn concentrated(distribution: &Distribution) -> String {
    let (shares, of): (&[Share], fn(u64) -> String) = match distribution {
        Distribution::Uniform | Distribution::Ranked { .. } | Distribution::Normal { .. } => {
            return String::new();
        }
        Distribution::Percent(shares) => (shares, |percent| format!("{percent} %")),
        Distribution::Absolute(shares) => (shares, bytes_of),
    };
    let told: Vec<String> = match shares {
        // The second has the rest.
        [hot, _] => vec![share(hot, of)],
        shares if shares.len() <= PARTS => shares.iter().map(|each| share(each, of)).collect(),
        shares => {
            let parts = plural(shares.len() as u64, "part");
            return format!(", distributed over {parts} of the range");
        }
    };
    told.iter()
        .fold(String::new(), |text, told| format!("{text}, {told}"))
}

fn share(share: &Share, of: fn(u64) -> String) -> String {
    let percent = share.io_percent;
    let place = match (share.from, share.length) {
        (0, length) => format!("in the first {}", of(length)),
        (from, 0) => format!("from {} on", of(from)),
        (from, length) => format!("in {} from {} on", of(length), of(from)),
    };
    format!("{percent} % of them {place}")
}

/// Sizes that are told one by one, with their shares.
const SIZES: usize = 3;

/// ` of 4 KiB`, ` of 4 KiB (60 %) and 64 KiB (40 %)`, ` of 512 bytes to 64 KiB`; where reads and writes
/// differ, `, reads of 4 KiB, writes of 8 KiB`.
fn sizes(sizes: &BlockSizes, write_percent: u32) -> String {
    let (read, write) = match sizes {
        BlockSizes::One(bytes) => return format!(" of {}", block(*bytes)),
        BlockSizes::Weighted { read, write } => (used(read), used(write)),
    };
    match write_percent {
        0 => format!(" of {}", weighted(&read)),
        100.. => format!(" of {}", weighted(&write)),
        _ if read == write => format!(" of {}", weighted(&read)),
        _ => format!(
            ", reads of {}, writes of {}",
            weighted(&read),
            weighted(&write)
        ),
    }
}

/// Sizes that occur: a weight of 0 is none.
fn used(list: &[WeightedSize]) -> Vec<WeightedSize> {
    let each = list.iter().filter(|entry| entry.weight > 0);
    each.copied().collect()
}

fn weighted(list: &[WeightedSize]) -> String {
    let all: u64 = list.iter().map(|entry| u64::from(entry.weight)).sum();
    let bytes = || list.iter().map(|entry| entry.bytes);
    match (list, bytes().min(), bytes().max()) {
        ([], ..) | (_, None, _) | (.., None) => "no size".to_owned(),
        (_, Some(least), Some(most)) if least == most => block(most),
        (_, Some(least), Some(most)) if list.len() > SIZES => {
            format!("{} to {}", block(least), block(most))
        }
        _ => {
            let each = list.iter().map(|entry| {
                let share = 100.0 * f64::from(entry.weight) / all as f64;
                format!("{} ({})", block(entry.bytes), whole_percent(share))
            });
            listed(&each.collect::<Vec<_>>())
        }
    }
}

/// `60 %`, `33.3 %`.
fn whole_percent(share: f64) -> String {
    if (share - share.round()).abs() < 0.05 {
        format!("{share:.0} %")
    } else {
        format!("{share:.1} %")
    }
}

/// The smallest size that occurs.
fn smallest(sizes: &BlockSizes) -> u32 {
    match sizes {
        BlockSizes::One(bytes) => *bytes,
        BlockSizes::Weighted { read, write } => {
            let all = used(read).into_iter().chain(used(write));
            all.map(|entry| entry.bytes).min().unwrap_or(0)
        }
    }
}

/// A size that is no whole number of its unit is told in bytes: rounded it would be another.
fn block(bytes: u32) -> String {
    bytes_of(u64::from(bytes))
}

fn bytes_of(bytes: u64) -> String {
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
        Pacing::CapOperations {
            per_second,
            shared_by,
        } => Some(*per_second as f64 / f64::from(*shared_by)),
        _ => None,
    }) {
        return Some(format!(", at most {} a second", amount(rate)));
    }
    if let Some(rate) = sum(|pacing| match pacing {
        Pacing::CapBytes {
            per_second,
            shared_by,
        } => Some(*per_second as f64 / f64::from(*shared_by)),
        _ => None,
    }) {
        return Some(format!(", at most {} a second", size(rate.round() as u64)));
    }
    streams().find_map(|(_, stream)| match stream.pacing {
        Pacing::Burst {
            operations, pause, ..
        } => Some(format!(
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
    use crate::plan::{AccessPattern, BlockSizes, Distribution, Pacing, Share, WeightedSize};

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
    fn where_i_os_go_and_how_often_which_size_is_told() {
        let load = |distribution, alignment, list: &[(u32, u32)]| {
            let mut stream = testing::random(0);
            stream.pattern = AccessPattern::Random {
                alignment,
                distribution,
            };
            let sizes = list.iter();
            let read = sizes.map(|(bytes, weight)| WeightedSize {
                bytes: *bytes,
                weight: *weight,
            });
            stream.sizes = BlockSizes::Weighted {
                read: read.collect(),
                write: Vec::new(),
            };
            words(&testing::planned("", vec![testing::group("", 1, stream)]))
        };
        let share = |io_percent, from, length| Share {
            io_percent,
            from,
            length,
        };
        let hot = Distribution::Percent(vec![share(90, 0, 10), share(10, 10, 90)]);
        let two = [(4096, 60), (8192, 40)];
        assert_eq!(
            load(hot, 4096, &two),
            "random reads, 90 % of them in the first 10 %, of 4 KiB (60 %) and 8 KiB (40 %), 32 in \
             flight"
        );
        let bytes = Distribution::Absolute(vec![
            share(50, 0, 1 << 30),
            share(20, 1 << 30, 1 << 20),
            share(30, 2 << 30, 0),
        ]);
        assert_eq!(
            load(bytes, 65_536, &[(4096, 1)]),
            "random reads, 50 % of them in the first 1 GiB, 20 % of them in 1 MiB from 1 GiB on, \
             30 % of them from 2 GiB on, of 4 KiB at multiples of 64 KiB, 32 in flight"
        );
        let many = Distribution::Percent(vec![share(25, 0, 25); 4]);
        let thirds = [(512, 1), (1024, 1), (2048, 1)];
        assert_eq!(
            load(many, 512, &thirds),
            "random reads, distributed over 4 parts of the range, of 512 bytes (33.3 %), 1 KiB \
             (33.3 %) and 2 KiB (33.3 %), 32 in flight"
        );
        let more = [(512, 1), (1024, 1), (2048, 1), (4096, 1)];
        assert_eq!(
            load(Distribution::Uniform, 512, &more),
            "random reads of 512 bytes to 4 KiB, 32 in flight"
        );
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
        stream.pacing = Pacing::CapOperations {
            per_second: 500,
            shared_by: 1,
        };
        let groups = vec![testing::group("", 2, stream)];
        assert_eq!(
            words(&testing::planned("", groups)),
            "random 70:30 reads and writes, reads of 4 KiB (60 %) and 64 KiB (40 %), writes of \
             8 KiB, 32 in flight x 2 threads, at most 1,000 a second"
        );
        assert_eq!(words(&testing::planned("", Vec::new())), "no load");
    }
}
