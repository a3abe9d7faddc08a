//! The sizes of a stream for these wishes.

use crate::{
    plan::{BlockSizes, WeightedSize},
    profiles::{
        Generation, Role, Wanted,
        format::{Bytes, Copies, GroupSpec, StreamSpec, Variant},
    },
};

/// A compressed write is a multiple of this, so that it fits any device.
const COMPRESSED_STEP: u32 = 4096;

/// Reads and writes of a stream, with weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StreamSizes {
    pub(super) read: Vec<WeightedSize>,
    pub(super) write: Vec<WeightedSize>,
    /// Sizes were rounded up to the sector of the log.
    pub(super) rounded: bool,
}

impl StreamSizes {
    /// Of the stream with this index in its group.
    pub(super) fn of(group: &GroupSpec, index: usize, wanted: &Wanted<'_>, direct: bool) -> Self {
        let stream = &group.streams[index];
        let mut sizes = Self {
            read: weighted(&stream.read),
            write: weighted(&written(group, stream, wanted.generation)),
            rounded: false,
        };
        if group.streams.iter().any(|s| s.copies == Copies::Previous) {
            sizes.transfer(stream.file, wanted);
        }
        if stream.file == Role::Log && direct {
            sizes.round(wanted.log_sector);
        }
        sizes
    }

    /// `--transfer` is both sizes of a copy; the backup's I/Os shrink by `--compression`.
    fn transfer(&mut self, role: Role, wanted: &Wanted<'_>) {
        for size in self.read.iter_mut().chain(&mut self.write) {
            if let Some(transfer) = wanted.transfer {
                size.bytes = transfer;
            }
            if role == Role::Backup && wanted.compression < 1.0 {
                let shrunk = (f64::from(size.bytes) * wanted.compression).ceil() as u32;
                size.bytes = shrunk
                    .max(1)
                    .next_multiple_of(COMPRESSED_STEP)
                    .min(size.bytes);
            }
        }
    }

    /// Whole sectors, and each size once.
    fn round(&mut self, sector: u32) {
        for sizes in [&mut self.read, &mut self.write] {
            let mut whole: Vec<WeightedSize> = Vec::new();
            for size in sizes.iter() {
                let bytes = size
                    .bytes
                    .checked_next_multiple_of(sector)
                    .unwrap_or(size.bytes);
                self.rounded |= bytes != size.bytes;
                match whole.iter_mut().find(|known| known.bytes == bytes) {
                    Some(known) => known.weight += size.weight,
                    None => whole.push(WeightedSize { bytes, ..*size }),
                }
            }
            *sizes = whole;
        }
    }

    /// For the plan.
    pub(super) fn blocks(&self) -> BlockSizes {
        let mut all = self.read.iter().chain(&self.write).map(|size| size.bytes);
        match all.next() {
            Some(first) if all.all(|bytes| bytes == first) => BlockSizes::One(first),
            _ => BlockSizes::Weighted {
                read: self.read.clone(),
                write: self.write.clone(),
            },
        }
    }
}

/// Bytes of an I/O in the mean.
pub(super) fn mean(sizes: &[WeightedSize]) -> f64 {
    let weights: f64 = sizes.iter().map(|size| f64::from(size.weight)).sum();
    let bytes: f64 = sizes
        .iter()
        .map(|size| f64::from(size.bytes) * f64::from(size.weight))
        .sum();
    if weights > 0.0 { bytes / weights } else { 0.0 }
}

/// What a generation does otherwise in this group.
pub(super) fn variant(group: &GroupSpec, generation: Generation) -> Option<&Variant> {
    group
        .variants
        .iter()
        .find(|variant| variant.generation == generation)
}

fn written(group: &GroupSpec, stream: &StreamSpec, generation: Generation) -> Vec<(Bytes, u32)> {
    match variant(group, generation) {
        Some(variant) if !stream.write.is_empty() => variant.write.clone(),
        _ => stream.write.clone(),
    }
}

/// Sizes of a profile are 1 GiB at most, which its check made sure of.
fn weighted(sizes: &[(Bytes, u32)]) -> Vec<WeightedSize> {
    sizes
        .iter()
        .map(|(bytes, weight)| WeightedSize {
            bytes: bytes.0 as u32,
            weight: *weight,
        })
        .collect()
}
