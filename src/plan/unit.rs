//! The unit of a target: the largest size that divides each offset and each length of its I/Os.

use super::{AccessPattern, BlockSizes, Distribution, Pacing, Stream, TargetIndex, TimeSpan};

impl TimeSpan {
    /// The unit of a target; 0 if nothing is done to it.
    pub fn unit(&self, target: TargetIndex) -> u64 {
        let base = self.targets.get(target.0).map_or(0, |target| target.base);
        let streams = self.groups.iter().flat_map(|group| &group.streams);
        let own = streams.filter(|stream| stream.target == target);
        match own.flat_map(positions).fold(0, greatest_common_divisor) {
            0 => 0,
            unit => greatest_common_divisor(unit, base),
        }
    }
}

/// The numbers of a stream of which its offsets and lengths are sums.
fn positions(stream: &Stream) -> Vec<u64> {
    let mut numbers: Vec<u64> = match &stream.sizes {
        BlockSizes::One(size) => vec![u64::from(*size)],
        BlockSizes::Weighted { read, write } => {
            let sizes = read.iter().chain(write);
            sizes.map(|entry| u64::from(entry.bytes)).collect()
        }
    };
    if let Pacing::Gathered { unit, .. } = stream.pacing {
        numbers.push(unit.into());
    }
    match &stream.pattern {
        AccessPattern::Sequential {
            stride,
            worker_offset,
        }
        | AccessPattern::Parallel {
            stride,
            worker_offset,
        } => numbers.extend([*stride, *worker_offset]),
        AccessPattern::Interlocked { stride } => numbers.push(*stride),
        AccessPattern::Random {
            alignment,
            distribution,
        }
        | AccessPattern::Mixed {
            alignment,
            distribution,
            ..
        } => {
            numbers.push(*alignment);
            if let Distribution::Absolute(shares) = distribution {
                numbers.extend(shares.iter().flat_map(|share| [share.from, share.length]));
            }
        }
        AccessPattern::Regions { alignment } | AccessPattern::Shuffled { alignment } => {
            numbers.push(*alignment);
        }
        AccessPattern::Grid { .. } | AccessPattern::Append => {}
    }
    numbers
}

/// The largest number that divides both; that of 0 and another is the other.
pub fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::super::{WeightedSize, fixtures};
    use super::*;
    use crate::plan::{Affinity, Dispatch, WorkerGroup};

    #[test]
    fn a_unit_divides_sizes_steps_and_the_base() {
        let sizes = |bytes: &[u32]| {
            let entry = |bytes: &u32| WeightedSize {
                bytes: *bytes,
                weight: 1,
            };
            BlockSizes::Weighted {
                read: bytes.iter().map(entry).collect(),
                write: bytes.iter().map(entry).collect(),
            }
        };
        let random = |alignment| AccessPattern::Random {
            alignment,
            distribution: Distribution::Uniform,
        };
        let one = |bytes| BlockSizes::One(bytes);
        let sequential = AccessPattern::Sequential {
            stride: 65536,
            worker_offset: 0,
        };
        for (base, pattern, sizes, unit) in [
            (0, random(4096), one(4096), 4096),
            (0, random(512), one(4096), 512),
            (8192, random(16384), one(16384), 8192),
            (0, random(4096), sizes(&[4096, 61440]), 4096),
            (0, sequential, one(8192), 8192),
            (0, AccessPattern::Append, sizes(&[1536, 2048]), 512),
            (100, AccessPattern::Append, one(512), 4),
        ] {
            let mut target = fixtures::target("t", "t");
            target.base = base;
            let group = WorkerGroup {
                name: String::new(),
                workers: 1,
                affinity: Affinity::None,
                streams: vec![fixtures::stream(0, pattern, sizes)],
                dispatch: Dispatch::PerStream,
            };
            let span = fixtures::span(vec![target], vec![group]);
            assert_eq!(span.unit(TargetIndex(0)), unit);
            assert_eq!(span.unit(TargetIndex(1)), 0);
        }
    }
}
