//! Options whose value is a list: `-a`, `-rd`, `-e`.

use super::grammar::{NumberError, size_prefix, whole};
use crate::personality::diskspd::profile::{Distribution, DistributionRange, Etw};

/// The list behind `-a`: items separated by commas, `g<n>` sets the group of those that follow.
/// Nothing, or `g` alone, is the default.
pub(super) fn affinity(text: &str) -> Result<Vec<(u16, u8)>, String> {
    let mut list = Vec::new();
    let mut group = 0;
    if matches!(text, "" | "g") {
        return Ok(list);
    }
    let mut start = 0;
    let mut only_group_since = None;
    for item in text.split(',') {
        let digits = item.strip_prefix('g').unwrap_or(item);
        let is_group = digits.len() < item.len();
        if let Some(bad) = digits.find(|c: char| !c.is_ascii_digit()) {
            let at = start + item.len() - digits.len() + bad;
            return Err(pointed(text, at, bad_character(&text[at..])));
        }
        let end = start + item.len();
        if digits.is_empty() {
            return Err(if end == text.len() {
                incomplete(is_group)
            } else {
                pointed(text, end, "a number must stand before this comma")
            });
        }
        if is_group {
            group = digits
                .parse()
                .map_err(|_| format!("group {digits} is above 65535"))?;
            only_group_since = Some(end);
        } else {
            let cpu = digits
                .parse()
                .map_err(|_| format!("CPU {digits} is above 255"))?;
            list.push((group, cpu));
            only_group_since = None;
        }
        start = end + 1;
    }
    if only_group_since.is_some() {
        return Err(incomplete(true));
    }
    Ok(list)
}

fn incomplete(group: bool) -> String {
    if group {
        "the list ends with a group; its CPUs must follow, as in -ag0,0,1 \
         (whole groups are an option of DiskSpd 2.3)"
            .to_owned()
    } else {
        "the list ends with a comma; a CPU number must follow".to_owned()
    }
}

fn bad_character(rest: &str) -> &'static str {
    if rest.starts_with('-') {
        "ranges of CPUs are an option of DiskSpd 2.3; separate numbers by commas"
    } else {
        "a list of CPUs has digits, commas and g<group>, as in -a0,1 or -ag0,0,1,g1,0"
    }
}

/// A message with the list and a caret under the character.
fn pointed(text: &str, at: usize, sentence: &str) -> String {
    let before = text[..at].chars().count() + "-a".len();
    format!("{sentence}\n-a{text}\n{}^", " ".repeat(before))
}

/// The value of `-rd`, with the element that covers the rest of the I/Os.
pub(super) fn distribution(value: &str, block: u32) -> Result<Distribution, String> {
    let (items, absolute) = if let Some(items) = value.strip_prefix("pct") {
        (items, false)
    } else if let Some(items) = value.strip_prefix("abs") {
        (items, true)
    } else {
        return Err(format!(
            "'{value}' begins with no kind of distribution: pct (percent of the target) or abs \
             (bytes), as in -rdpct90/10"
        ));
    };
    let mut ranges = Vec::new();
    let mut from = 0_u64;
    for item in items.split(':') {
        let range = element(item, from, absolute, block)?;
        from = from
            .checked_add(range.length)
            .ok_or_else(|| "the sizes together are 2^64 bytes or more".to_owned())?;
        ranges.push(range);
    }
    let mut distribution = if absolute {
        Distribution::Absolute(ranges)
    } else {
        Distribution::Percent(ranges)
    };
    complete(&mut distribution);
    Ok(distribution)
}

fn element(item: &str, from: u64, absolute: bool, block: u32) -> Result<DistributionRange, String> {
    let what = if absolute {
        "size"
    } else {
        "percent of the target"
    };
    let Some((io, target)) = item.split_once('/') else {
        return Err(format!(
            "'{item}' must be a percent of the I/Os, '/' and a {what}"
        ));
    };
    let io_percent = whole(io)
        .ok()
        .filter(|io| (0..=100).contains(io))
        .ok_or_else(|| format!("the percent of the I/Os must be from 0 to 100, not '{io}'"))?;
    let length = if absolute {
        match size_prefix(target, block) {
            Ok((0, "")) => return Err(format!("the size in '{item}' must be above 0")),
            Ok((length, "")) => length,
            Ok((_, rest)) => {
                return Err(format!(
                    "the size in '{item}': {}",
                    NumberError::Trailing(rest.to_owned())
                ));
            }
            Err(error) => return Err(format!("the size in '{item}': {error}")),
        }
    } else {
        whole(target)
            .ok()
            .filter(|percent| (1..=100).contains(percent))
            .map(i32::unsigned_abs)
            .map(u64::from)
            .ok_or_else(|| {
                format!("the percent of the target must be from 1 to 100, not '{target}'")
            })?
    };
    Ok(DistributionRange {
        io_percent: io_percent.unsigned_abs(),
        from,
        length,
    })
}

/// Adds the element that takes the rest of the I/Os over the rest of the target, where there is
/// a rest of both.
pub(super) fn complete(distribution: &mut Distribution) {
    let (ranges, absolute) = match distribution {
        Distribution::Percent(ranges) => (ranges, false),
        Distribution::Absolute(ranges) => (ranges, true),
    };
    let io: u64 = ranges.iter().map(|range| u64::from(range.io_percent)).sum();
    let end = ranges
        .last()
        .map_or(0, |range| range.from.saturating_add(range.length));
    let open = ranges.last().is_some_and(|range| range.length == 0);
    if io >= 100 || open || (!absolute && end >= 100) {
        return;
    }
    ranges.push(DistributionRange {
        io_percent: (100 - io) as u32,
        from: end,
        length: if absolute { 0 } else { 100 - end },
    });
}

/// One `-e` value.
pub(super) fn etw(value: &str, etw: &mut Etw) -> Result<(), String> {
    let field = match value {
        "PROCESS" => &mut etw.process,
        "THREAD" => &mut etw.thread,
        "IMAGE_LOAD" => &mut etw.image_load,
        "DISK_IO" => &mut etw.disk_io,
        "MEMORY_PAGE_FAULTS" => &mut etw.memory_page_faults,
        "MEMORY_HARD_FAULTS" => &mut etw.memory_hard_faults,
        "NETWORK" => &mut etw.network,
        "REGISTRY" => &mut etw.registry,
        "p" => &mut etw.use_paged_memory,
        "q" => &mut etw.use_perf_timer,
        "s" => &mut etw.use_system_timer,
        "c" => &mut etw.use_cycles_counter,
        "" => return Err("what to trace is missing: -ep, -eDISK_IO and the like".to_owned()),
        _ => {
            return Err(format!(
                "'{value}' is no trace: p, q, s, c, PROCESS, THREAD, IMAGE_LOAD, DISK_IO, \
                 MEMORY_PAGE_FAULTS, MEMORY_HARD_FAULTS, NETWORK or REGISTRY"
            ));
        }
    };
    *field = true;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn affinity_lists_carry_their_group() {
        for (text, list) in [
            ("", vec![]),
            ("g", vec![]),
            ("0,1,0", vec![(0, 0), (0, 1), (0, 0)]),
            ("g0,0,1,g1,2", vec![(0, 0), (0, 1), (1, 2)]),
            ("1,g65535,255", vec![(0, 1), (65535, 255)]),
        ] {
            assert_eq!(affinity(text), Ok(list), "{text}");
        }
    }

    #[test]
    fn affinity_errors_point_at_the_character() {
        // `e-a-bad`: the caret stands under the second comma.
        let message = affinity("0,,").unwrap_err();
        assert!(message.ends_with("\n-a0,,\n    ^"), "{message}");
        for text in [
            "0,", "g0", "0,g1", "gg0,1", "0;1", "999", "g65536,0", "0-3", "1g2,3", ",",
        ] {
            assert!(affinity(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_distribution_is_completed() {
        // `p-rdabs`, `px-rdpct`.
        let range = |io_percent, from, length| DistributionRange {
            io_percent,
            from,
            length,
        };
        assert_eq!(
            distribution("pct90/10:0/10:5/20", 65536),
            Ok(Distribution::Percent(vec![
                range(90, 0, 10),
                range(0, 10, 10),
                range(5, 20, 20),
                range(5, 40, 60),
            ]))
        );
        assert_eq!(
            distribution("abs90/10G:0/10G:5/20G", 65536),
            Ok(Distribution::Absolute(vec![
                range(90, 0, 10 << 30),
                range(0, 10 << 30, 10 << 30),
                range(5, 20 << 30, 20 << 30),
                range(5, 40 << 30, 0),
            ]))
        );
        for text in [
            "foo",
            "pct",
            "pct101/10",
            "pct60/0",
            "pct90/10x",
            "abs50/0",
            "abs50",
            "abs1/1Kx",
        ] {
            assert!(distribution(text, 65536).is_err(), "{text}");
        }
    }
}
