//! Distributions as lines of text: as asked for, and what they came down to on real targets.

use std::fmt::Write;

use crate::{
    personality::diskspd::profile::{Distribution, TimeSpan},
    results::{EffectiveRange, SpanResult},
    units::ByteSize,
};

/// One line for each item of `-rd`, behind `indent`.
pub(super) fn as_asked(distribution: &Distribution, indent: &str) -> String {
    let mut out = String::new();
    match distribution {
        Distribution::Percent(ranges) => {
            for range in ranges {
                let (io, from) = (range.io_percent, range.from);
                let to = from.saturating_add(range.length);
                let _ = writeln!(
                    out,
                    "{indent}   {io:>3}% of IO => [{from:>2}% - {to:>3}%) of target"
                );
            }
        }
        Distribution::Absolute(ranges) => {
            for range in ranges {
                let to = (range.length > 0).then(|| range.from.saturating_add(range.length));
                let _ = writeln!(
                    out,
                    "{indent}   {:>3}% of IO => {}",
                    range.io_percent,
                    bounds(range.from, to)
                );
            }
        }
    }
    out
}

/// The block "Effective IO Distributions", or nothing where no stream has ranges.
pub(super) fn effective(asked: &TimeSpan, span: &SpanResult) -> String {
    let mut out = String::new();
    for group in groups(span) {
        if out.is_empty() {
            out.push_str("\nEffective IO Distributions\n--------------------------\n");
        }
        for (target, threads) in &group.users {
            let label = span
                .targets
                .get(*target)
                .map_or("", |target| target.label.as_str());
            let _ = writeln!(out, "target: {label} [thread:{}]", runs(threads));
        }
        let first = group.users.first().map_or(0, |(target, _)| *target);
        let rescaled = asked
            .targets
            .get(first)
            .and_then(|target| target.distribution.as_ref())
            .is_some_and(|distribution| kept_share(distribution, group.ranges) != 100);
        for range in group.ranges {
            let io = range.io_percent;
            let share = if rescaled {
                format!("{io:>5.1}")
            } else {
                format!("{io:>3.0}")
            };
            let _ = writeln!(
                out,
                "   {share}% of IO => {}",
                bounds(range.from, Some(range.to))
            );
        }
    }
    out
}

/// Sum of the shares that were kept on a target: ranges behind its end are dropped, and the
/// others rescaled to 100 %. Percent distributions are never cut.
pub(crate) fn kept_share(distribution: &Distribution, effective: &[EffectiveRange]) -> u32 {
    let end = effective.last().map_or(0, |range| range.to);
    match distribution {
        Distribution::Percent(_) => 100,
        Distribution::Absolute(ranges) => ranges
            .iter()
            .filter(|range| range.from < end)
            .map(|range| range.io_percent)
            .sum(),
    }
}

/// Streams with the same ranges.
struct Group<'a> {
    ranges: &'a [EffectiveRange],
    /// Targets in the order in which they turn up, and the threads that use them.
    users: Vec<(usize, Vec<usize>)>,
}

fn groups(span: &SpanResult) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (thread, worker) in span.workers.iter().enumerate() {
        for stream in worker.streams.iter().filter(|s| !s.ranges.is_empty()) {
            let position = groups
                .iter()
                .position(|group| group.ranges == stream.ranges)
                .unwrap_or_else(|| {
                    groups.push(Group {
                        ranges: &stream.ranges,
                        users: Vec::new(),
                    });
                    groups.len() - 1
                });
            let users = &mut groups[position].users;
            match users
                .iter_mut()
                .find(|(target, _)| *target == stream.target)
            {
                Some((_, threads)) => threads.push(thread),
                None => users.push((stream.target, vec![thread])),
            }
        }
    }
    groups
}

/// Ascending thread numbers, each behind a blank; three or more neighbours as `0 - 3`.
fn runs(threads: &[usize]) -> String {
    let mut out = String::new();
    for run in threads.chunk_by(|a, b| a + 1 == *b) {
        match run {
            [first, _, .., last] => {
                let _ = write!(out, " {first} - {last}");
            }
            few => {
                for thread in few {
                    let _ = write!(out, " {thread}");
                }
            }
        }
    }
    out
}

/// `[    10GiB -     20GiB)`; no upper bound is "end".
fn bounds(from: u64, to: Option<u64>) -> String {
    let to = to.map_or_else(|| format!("{:>9}", "end"), bound);
    format!("[{} - {to})", bound(from))
}

/// A size in six columns and its unit in three more.
fn bound(bytes: u64) -> String {
    let size = ByteSize(bytes);
    let (value, unit) = size.in_unit();
    if size.is_whole() {
        format!("{value:>6.0}{unit:<3}")
    } else {
        format!("{value:>6.2}{unit:<3}")
    }
}

#[cfg(test)]
mod tests {
    use super::{bound, bounds, kept_share, runs};
    use crate::{
        personality::diskspd::profile::{Distribution, DistributionRange},
        results::EffectiveRange,
    };

    #[test]
    fn three_or_more_neighbours_are_a_run() {
        // Forms from DiskSpd's reports.
        assert_eq!(runs(&[0]), " 0");
        assert_eq!(runs(&[0, 1]), " 0 1");
        assert_eq!(runs(&[0, 1, 2, 4]), " 0 - 2 4");
        assert_eq!(runs(&[3, 7, 8]), " 3 7 8");
    }

    #[test]
    fn bounds_line_up() {
        assert_eq!(bound(0), "     0   ");
        assert_eq!(bound(1_677_722), "  1.60MiB");
        assert_eq!(bounds(40 << 30, None), "[    40GiB -       end)");
    }

    #[test]
    fn ranges_behind_the_end_do_not_count() {
        // -rdabs10/50K:20/10K:30/1G on 100 KiB: the tail of 40 % is dropped, 60 remain.
        let asked = Distribution::Absolute(
            [
                (10, 0, 50 << 10),
                (20, 50 << 10, 10 << 10),
                (30, 60 << 10, 1 << 30),
                (40, (1 << 30) + (60 << 10), 0),
            ]
            .map(|(io_percent, from, length)| DistributionRange {
                io_percent,
                from,
                length,
            })
            .to_vec(),
        );
        let effective = [EffectiveRange {
            io_percent: 50.0,
            from: 60 << 10,
            to: 100 << 10,
        }];
        assert_eq!(kept_share(&asked, &effective), 60);
    }
}
