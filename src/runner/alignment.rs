//! Direct I/O needs sizes and positions that are multiples of the device's logical block.

use std::path::Path;

use ioengine::{Alignment, Caching, File, OpenOptions};

use crate::{
    plan::{
        AccessPattern, Assembly, BlockSizes, Distribution, Plan, Stream, TimeSpan, WeightedSize,
        WriteRules,
    },
    results::{Failure, Number, Stage, Subject},
};

/// What would be refused once the targets are open, by our own rules: nothing is made for a load that
/// cannot be. Only what is sure is told: a filesystem may want more than the disk below it.
pub(super) fn refused(plan: &Plan) -> Vec<Failure> {
    if plan.rules != WriteRules::Own {
        return Vec::new();
    }
    let of_span = |span| first_refused(span).err();
    plan.spans().filter_map(of_span).take(1).collect()
}

fn first_refused(span: &TimeSpan) -> Result<(), Failure> {
    for (index, target) in span.targets.iter().enumerate() {
        if target.is_direct()
            && let Some(needed) = of_place(&target.path)
        {
            check(span, index, needed)?;
        }
    }
    Ok(())
}

/// What direct I/O needs of a file or device, or of a file that would be made there.
fn of_place(path: &Path) -> Option<Alignment> {
    let parent = || match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Some(Path::new(".")),
        parent => parent,
    };
    let look = |path: &Path| {
        let file = File::open(path, OpenOptions::READ);
        file.ok().map(|file| file.alignment())
    };
    look(path).or_else(|| look(parent()?))
}

/// Holds the numbers of a load on one target against that.
pub(super) fn check(span: &TimeSpan, index: usize, needed: Alignment) -> Result<(), Failure> {
    let target = &span.targets[index];
    if target.caching != Caching::Direct {
        return Ok(());
    }
    let needed = u64::from(needed.offset.max(1));
    let mut numbers = vec![(Number::BaseOffset, target.base)];
    if let Some(sequence) = &span.sequence {
        numbers.push((Number::BlockSize, u64::from(sequence.order.length())));
        numbers.push((Number::FileSize, sequence.file_size));
    }
    let streams = span.groups.iter().flat_map(|group| &group.streams);
    for stream in streams.filter(|stream| stream.target.0 == index) {
        numbers.extend(positions(stream));
    }
    match numbers.into_iter().find(|(_, value)| value % needed != 0) {
        None => Ok(()),
        Some((number, value)) => Err(Failure {
            stage: Stage::Open,
            worker: None,
            target: Some(target.label.clone()),
            errno: None,
            subject: Subject::Number(number),
            message: format!(
                "{}: unbuffered I/O needs multiples of {needed} bytes here, but the {number} is \
                 {value}",
                target.label
            ),
        }),
    }
}

/// The numbers of a stream that end up in sizes and positions.
fn positions(stream: &Stream) -> Vec<(Number, u64)> {
    let mut numbers: Vec<(Number, u64)> = match &stream.sizes {
        BlockSizes::One(size) => vec![(Number::BlockSize, u64::from(*size))],
        BlockSizes::Weighted { read, write } => {
            let size = |entry: &WeightedSize| (Number::OneOfBlockSizes, u64::from(entry.bytes));
            read.iter().chain(write).map(size).collect()
        }
    };
    if let (Assembly::Scattered { pieces }, BlockSizes::One(size)) =
        (stream.assembly, &stream.sizes)
    {
        numbers.push((Number::PieceSize, u64::from(size / pieces.max(1))));
    }
    match &stream.pattern {
        AccessPattern::Sequential {
            stride,
            worker_offset,
        }
        | AccessPattern::Parallel {
            stride,
            worker_offset,
        } => {
            numbers.push((Number::Stride, *stride));
            numbers.push((Number::WorkerOffset, *worker_offset));
        }
        AccessPattern::Interlocked { stride } => numbers.push((Number::SharedStride, *stride)),
        AccessPattern::Random {
            alignment,
            distribution,
        }
        | AccessPattern::Mixed {
            alignment,
            distribution,
            ..
        } => {
            numbers.push((Number::Alignment, *alignment));
            if let Distribution::Absolute(shares) = distribution {
                numbers.extend(
                    shares
                        .iter()
                        .map(|share| (Number::RangeLength, share.length)),
                );
            }
        }
        AccessPattern::Shuffled { alignment } => numbers.push((Number::Alignment, *alignment)),
        AccessPattern::Regions { alignment } => numbers.push((Number::RegionAlignment, *alignment)),
        // Its places are multiples of the block size.
        AccessPattern::Grid { .. } | AccessPattern::Append => {}
    }
    numbers
}
