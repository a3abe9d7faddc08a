//! What a distribution comes down to on a range of a certain length.

use super::divide::align_down;
use crate::plan::{Distribution, Range, Share};

/// The parts of `starts` bytes that get I/Os, each beginning and ending at multiples of
/// `alignment`; `starts` is the number of legal starting points times `alignment`.
///
/// Percentages scale to `starts`. Byte lengths are taken as given, cut off at the end; parts
/// behind the end vanish, and the weights that remain are all there is. A part that is too
/// short for a single start gives its weight to the next one (the last: to the one before).
/// What has no parts gives none; `None` is a distribution of which nothing is inside the range.
pub(super) fn effective(
    distribution: &Distribution,
    alignment: u64,
    starts: u64,
) -> Option<Vec<Range>> {
    let parts: Vec<(u32, u64, u64)> = match distribution {
        Distribution::Uniform | Distribution::Ranked { .. } | Distribution::Normal { .. } => {
            return Some(Vec::new());
        }
        Distribution::Percent(shares) => shares.iter().map(|s| percent(s, starts)).collect(),
        Distribution::Absolute(shares) => shares.iter().map(|s| absolute(s, starts)).collect(),
    };
    let mut kept: Vec<Range> = Vec::with_capacity(parts.len());
    let mut carried = 0;
    for (io_percent, from, to) in parts.into_iter().filter(|part| part.0 > 0) {
        if from >= starts {
            continue;
        }
        let from = align_down(from, alignment);
        let to = align_down(to.min(starts), alignment);
        let weight = carried + u64::from(io_percent);
        if to <= from {
            carried = weight;
            continue;
        }
        carried = 0;
        kept.push(Range {
            weight,
            from,
            length: to - from,
        });
    }
    match kept.last_mut() {
        Some(last) => last.weight += carried,
        None if carried > 0 => kept.push(Range {
            weight: carried,
            from: 0,
            length: starts,
        }),
        None => return None,
    }
    Some(kept)
}

/// Share of the I/Os, first byte, end.
fn percent(share: &Share, starts: u64) -> (u32, u64, u64) {
    let part = |percent: u64| {
        let bytes = u128::from(starts) * u128::from(percent) / 100;
        u64::try_from(bytes).unwrap_or(u64::MAX)
    };
    let to = part(share.from.saturating_add(share.length));
    (share.io_percent, part(share.from), to)
}

/// Share of the I/Os, first byte, end.
fn absolute(share: &Share, starts: u64) -> (u32, u64, u64) {
    let to = match share.length {
        0 => starts,
        length => share.from.saturating_add(length),
    };
    (share.io_percent, share.from, to)
}

#[cfg(test)]
mod tests {
    use super::effective;
    use crate::plan::{Distribution, Range, Share};

    const MIB: u64 = 1 << 20;

    fn shares(items: &[(u32, u64, u64)]) -> Vec<Share> {
        items
            .iter()
            .map(|&(io_percent, from, length)| Share {
                io_percent,
                from,
                length,
            })
            .collect()
    }

    fn ranges(items: &[(u64, u64, u64)]) -> Vec<Range> {
        let range = |&(weight, from, to): &(u64, u64, u64)| Range {
            weight,
            from,
            length: to - from,
        };
        items.iter().map(range).collect()
    }

    #[test]
    fn absolute_parts_are_cut_off_at_the_end() {
        // The recorded report r-rdabs: 16 MiB file, 50/4M:30/4M:20/100M.
        let given = shares(&[
            (50, 0, 4 * MIB),
            (30, 4 * MIB, 4 * MIB),
            (20, 8 * MIB, 100 * MIB),
        ]);
        assert_eq!(
            effective(&Distribution::Absolute(given), 4096, 16 * MIB),
            Some(ranges(&[
                (50, 0, 4 * MIB),
                (30, 4 * MIB, 8 * MIB),
                (20, 8 * MIB, 16 * MIB)
            ]))
        );
    }

    #[test]
    fn absolute_parts_behind_the_end_vanish() {
        let given = shares(&[(50, 0, 4 * MIB), (30, 4 * MIB, 4 * MIB), (20, 8 * MIB, 0)]);
        let distribution = Distribution::Absolute(given);
        assert_eq!(
            effective(&distribution, 4096, 6 * MIB),
            Some(ranges(&[(50, 0, 4 * MIB), (30, 4 * MIB, 6 * MIB)]))
        );
        assert_eq!(
            effective(&distribution, 4096, 20 * MIB),
            Some(ranges(&[
                (50, 0, 4 * MIB),
                (30, 4 * MIB, 8 * MIB),
                (20, 8 * MIB, 20 * MIB)
            ]))
        );
        let behind = shares(&[(0, 0, 8 * MIB), (100, 8 * MIB, MIB)]);
        assert_eq!(
            effective(&Distribution::Absolute(behind), 4096, 8 * MIB),
            None
        );
    }

    #[test]
    fn percentages_scale_and_align_down() {
        // The recorded report r-rdpct: 16 MiB file; 10 % of it is 1,677,721.6 bytes, which 4 KiB
        // blocks make 1,675,264; 20 % 3,354,624; 40 % 6,709,248.
        let given = shares(&[(90, 0, 10), (0, 10, 10), (5, 20, 20), (5, 40, 60)]);
        assert_eq!(
            effective(&Distribution::Percent(given), 4096, 16 * MIB),
            Some(ranges(&[
                (90, 0, 1_675_264),
                (5, 3_354_624, 6_709_248),
                (5, 6_709_248, 16 * MIB)
            ]))
        );
    }

    #[test]
    fn parts_without_a_start_merge_into_a_neighbour() {
        // Three starts: 10 % of 12288 is less than one block, 90 % ends inside the third.
        let given = shares(&[(40, 0, 10), (35, 10, 80), (25, 90, 10)]);
        assert_eq!(
            effective(&Distribution::Percent(given), 4096, 3 * 4096),
            Some(ranges(&[(75, 0, 8192), (25, 8192, 12288)]))
        );
        let given = shares(&[(50, 0, 99), (25, 99, 1)]);
        assert_eq!(
            effective(&Distribution::Percent(given), 4096, 4096),
            Some(ranges(&[(75, 0, 4096)]))
        );
        let tail = shares(&[(60, 0, 8192), (40, 8192, 100)]);
        assert_eq!(
            effective(&Distribution::Absolute(tail), 4096, 1 << 20),
            Some(ranges(&[(100, 0, 8192)]))
        );
    }

    #[test]
    fn uniform_has_no_parts() {
        assert_eq!(
            effective(&Distribution::Uniform, 4096, MIB),
            Some(Vec::new())
        );
    }
}
