//! Checks across fields that hold for every plan, whoever made it. What passes here divides by
//! nothing that is 0, indexes nothing that is not there, and asks for no absurd amount of memory.

mod limits;
mod pattern;
mod sequence;
mod steady;
mod verify;
mod visits;

use ioengine::registry::SCATTERED_MAX;
use thiserror::Error;

use super::{
    Assembly, BlockSizes, Dispatch, FilePreparation, FlushPolicy, Pacing, Payload, Plan, Step,
    Stream, Target, TimeSpan, WeightedSize, WorkerGroup,
};

/// Threads of a time span at most: more than any system starts.
const WORKERS_MAX: u64 = 1 << 16;
/// I/Os that one worker may have outstanding: beyond any engine's limit.
const SLOTS_MAX: u64 = 1 << 20;
/// Arrivals a second of one stream: one each nanosecond, far beyond any thread.
const RATE_MAX: f64 = 1e9;
/// Bytes of a judged block at least: its checksum and offset take 12, and one is judged by them.
const JUDGED_MIN: u64 = 13;

/// A plan that cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// No time span.
    #[error("the plan has nothing to run")]
    Empty,
    /// A time span without targets or workers.
    #[error("time span {span} has no {what}")]
    Missing {
        /// Its number, from 1.
        span: usize,
        /// "target" or "worker".
        what: &'static str,
    },
    /// A stream names a target that does not exist.
    #[error("time span {span}: a stream names target {target}, but there are {count}")]
    NoSuchTarget {
        /// Its number, from 1.
        span: usize,
        /// The index.
        target: usize,
        /// How many there are.
        count: usize,
    },
    /// A number that must be positive is 0.
    #[error("time span {span}: {what} is 0")]
    Zero {
        /// Its number, from 1.
        span: usize,
        /// Which number.
        what: &'static str,
    },
    /// A number that is too large or too small.
    #[error("time span {span}: {what} is {value}, but must be from {least} to {most}")]
    OutOfRange {
        /// Its number, from 1.
        span: usize,
        /// Which number.
        what: &'static str,
        /// The number.
        value: u64,
        /// The smallest that is accepted.
        least: u64,
        /// The largest that is accepted.
        most: u64,
    },
    /// Streams that share slots need a weight each.
    #[error("time span {span}: {streams} streams share slots by {weights} weights")]
    Weights {
        /// Its number, from 1.
        span: usize,
        /// Streams of the group.
        streams: usize,
        /// Weights given.
        weights: usize,
    },
    /// A stream copies from one that is not there, or from itself.
    #[error(
        "time span {span}: stream {stream} copies from stream {source_stream}, which it cannot"
    )]
    Copies {
        /// Its number, from 1.
        span: usize,
        /// The stream.
        stream: usize,
        /// Where it copies from.
        source_stream: usize,
    },
    /// An order of blocks that are not alike.
    #[error("time span {span}: the blocks of {what} must all have one size")]
    OneSize {
        /// Its number, from 1.
        span: usize,
        /// Which order.
        what: &'static str,
    },
    /// A distribution with a number that means nothing.
    #[error("time span {span}: {what} is {value}, but must be {right}")]
    Distribution {
        /// Its number, from 1.
        span: usize,
        /// Which number.
        what: &'static str,
        /// The number, in digits.
        value: String,
        /// What would be right.
        right: String,
    },
    /// A block that does not come apart.
    #[error("time span {span}: a block of {block} bytes has no {pieces} equal pieces")]
    Pieces {
        /// Its number, from 1.
        span: usize,
        /// Bytes of the block.
        block: u32,
        /// Into how many it should.
        pieces: u32,
    },
    /// One engine puts all blocks of a thread together in one way.
    #[error("time span {0}: the streams of a thread put their blocks together in different ways")]
    Assemblies(usize),
    /// A target's range is empty.
    #[error("time span {span}: the range of {label} ends at byte {end}, but begins at {base}")]
    EmptyRange {
        /// Its number, from 1.
        span: usize,
        /// The target as typed.
        label: String,
        /// Where the range begins.
        base: u64,
        /// Where it ends.
        end: u64,
    },
    /// An arrival rate that is none.
    #[error("time span {0}: the rate of arrivals is no number above 0 and up to 1000000000")]
    Rate(usize),
    /// Streams that are told apart need slots of their own.
    #[error(
        "time span {span}: {what} needs a queue depth of its own for each stream of the thread"
    )]
    OwnSlots {
        /// Its number, from 1.
        span: usize,
        /// What needs them.
        what: &'static str,
    },
    /// What is verified is verified sector by sector.
    #[error(
        "time span {span}: to verify {label}, its block sizes, alignment and steps must be \
         multiples of 512 bytes, but they have {unit} in common"
    )]
    Sectors {
        /// Its number, from 1.
        span: usize,
        /// The target as typed.
        label: String,
        /// The largest size that divides all of them.
        unit: u64,
    },
    /// Two things that do not go together.
    #[error("time span {span}: {what} needs {needs}")]
    Needs {
        /// Its number, from 1.
        span: usize,
        /// The one.
        what: &'static str,
        /// What it does not go without.
        needs: &'static str,
    },
    /// Workers that draw from one sequence have no streams of their own.
    #[error("time span {0} has a shared sequence of requests, and groups of threads beside it")]
    GroupsBesideSequence(usize),
    /// Whoever visits files has no streams, and draws from no sequence.
    #[error("time span {0} has visits of files, and another load beside them")]
    BesideVisits(usize),
    /// Visits that did not end in time are not waited for.
    #[error("time span {0}: visits count when they end inside the measured time, not otherwise")]
    VisitsWaitedFor(usize),
    /// An exponent of popularity that is none.
    #[error("time span {0}: the exponent of the popularity of files is no positive number")]
    Popularity(usize),
    /// A ratio of reads and writes that is none.
    #[error("time span {0}: the ratio of reads and writes is no number, or is below 0")]
    Ratio(usize),
    /// Checkpoints that do not come one after the other.
    #[error("time span {0}: checkpoints must come one after the other, each after the beginning")]
    Checkpoints(usize),
    /// A file cannot grow by blocks that are none.
    #[error("{label} cannot grow by blocks of 0 bytes")]
    ZeroBlock {
        /// The file as typed.
        label: String,
    },
    /// A block has no room for what it would be judged by.
    #[error(
        "{label}: blocks that are to be judged by a checksum need {JUDGED_MIN} bytes at least{}",
        .block.map_or(", but the file has no blocks".to_owned(), |block| format!(", and not {block}"))
    )]
    UnjudgedBlock {
        /// The file as typed.
        label: String,
        /// Bytes of its blocks, if it has any.
        block: Option<u32>,
    },
    /// Nothing ends the measured time.
    #[error("time span {0} has no limit of time, bytes, operations or passes")]
    Endless(usize),
}

/// Checks a plan.
///
/// # Errors
/// The first thing that does not fit.
pub fn validate(plan: &Plan) -> Result<(), PlanError> {
    if plan.spans().next().is_none() && plan.steps.is_empty() {
        return Err(PlanError::Empty);
    }
    for step in &plan.steps {
        if let Step::Prepare(prepare) = step {
            prepare.files.iter().try_for_each(preparation)?;
        }
    }
    for (number, span) in plan.spans().enumerate() {
        let span_check = Check {
            span: number + 1,
            targets: &span.targets,
        };
        span_check.time_span(span)?;
    }
    Ok(())
}

fn preparation(file: &FilePreparation) -> Result<(), PlanError> {
    let label = || file.label.clone();
    if file.block == Some(0) {
        return Err(PlanError::ZeroBlock { label: label() });
    }
    let room = file
        .block
        .is_some_and(|block| u64::from(block) >= JUDGED_MIN);
    if file.verify && !room {
        return Err(PlanError::UnjudgedBlock {
            label: label(),
            block: file.block,
        });
    }
    Ok(())
}

/// The time span that is checked.
#[derive(Clone, Copy)]
struct Check<'a> {
    span: usize,
    targets: &'a [Target],
}

impl Check<'_> {
    fn time_span(self, span: &TimeSpan) -> Result<(), PlanError> {
        if let Some(visits) = &span.visits {
            self.verify(span)?;
            return self.visits(span, visits);
        }
        if span.targets.is_empty() {
            return Err(self.missing("target"));
        }
        let drawing = span.sequence.as_ref().map_or(0, |shared| shared.workers);
        let workers = span.groups.iter().fold(u64::from(drawing), |sum, group| {
            sum + u64::from(group.workers)
        });
        if workers == 0 {
            return Err(self.missing("worker"));
        }
        self.range("the number of threads", workers, 1, WORKERS_MAX)?;
        // A shared sequence may be endless: whoever asks for that is warned by the face.
        if !span.stop.ends() && span.sequence.is_none() {
            return Err(PlanError::Endless(self.span));
        }
        if span.interval.is_zero() {
            return Err(self.zero("the interval"));
        }
        for target in &span.targets {
            if let Some(end) = target.end.filter(|end| *end <= target.base) {
                return Err(PlanError::EmptyRange {
                    span: self.span,
                    label: target.label.clone(),
                    base: target.base,
                    end,
                });
            }
        }
        if let Some(shared) = &span.sequence {
            if !span.groups.is_empty() {
                return Err(PlanError::GroupsBesideSequence(self.span));
            }
            self.sequence(shared)?;
        } else if span.visits.is_none() {
            self.limits(span)?;
        }
        span.groups.iter().try_for_each(|group| self.group(group))?;
        self.verify(span)
    }

    fn group(self, group: &WorkerGroup) -> Result<(), PlanError> {
        if group.streams.is_empty() {
            return Err(self.missing("stream for a group of threads"));
        }
        let depths = group
            .streams
            .iter()
            .map(|stream| u64::from(stream.queue_depth));
        let slots = match &group.dispatch {
            Dispatch::PerStream => {
                if depths.clone().any(|depth| depth == 0) {
                    return Err(self.zero("queue depth"));
                }
                depths.sum()
            }
            Dispatch::Shared {
                queue_depth,
                weights,
            } => {
                self.weights(group.streams.len(), weights)?;
                u64::from(*queue_depth)
            }
            Dispatch::InTurn => 1,
        };
        if slots == 0 {
            return Err(self.zero("queue depth"));
        }
        self.range("the queue depth of a thread", slots, 1, SLOTS_MAX)?;
        for (index, stream) in group.streams.iter().enumerate() {
            self.stream(stream)?;
            self.grid(group, stream)?;
            self.assembly(group, stream)?;
            self.own_slots(group, stream)?;
            self.copies(group, index)?;
        }
        Ok(())
    }

    fn assembly(self, group: &WorkerGroup, stream: &Stream) -> Result<(), PlanError> {
        let most = match stream.assembly {
            Assembly::Scattered { .. } => SCATTERED_MAX,
            Assembly::Whole | Assembly::Copied { .. } => u32::MAX,
        };
        let pieces = stream.assembly.pieces();
        self.range(
            "the number of pieces of a block",
            pieces.into(),
            1,
            most.into(),
        )?;
        let uneven = |bytes: u32| !bytes.is_multiple_of(pieces);
        let uneven = match &stream.sizes {
            BlockSizes::One(bytes) => Some(*bytes).filter(|bytes| uneven(*bytes)),
            BlockSizes::Weighted { read, write } => {
                let sizes = read.iter().chain(write).map(|entry| entry.bytes);
                sizes.into_iter().find(|bytes| uneven(*bytes))
            }
        };
        if let Some(block) = uneven {
            return Err(PlanError::Pieces {
                span: self.span,
                block,
                pieces,
            });
        }
        let unlike = |other: &Stream| other.assembly != stream.assembly;
        if group.streams.iter().any(unlike) {
            return Err(PlanError::Assemblies(self.span));
        }
        Ok(())
    }

    fn weights(self, streams: usize, weights: &[u32]) -> Result<(), PlanError> {
        if weights.len() != streams {
            return Err(PlanError::Weights {
                span: self.span,
                streams,
                weights: weights.len(),
            });
        }
        if weights.iter().all(|weight| *weight == 0) {
            return Err(self.zero("the sum of the targets' weights"));
        }
        Ok(())
    }

    fn stream(self, stream: &Stream) -> Result<(), PlanError> {
        if stream.target.0 >= self.targets.len() {
            return Err(PlanError::NoSuchTarget {
                span: self.span,
                target: stream.target.0,
                count: self.targets.len(),
            });
        }
        let write_percent = stream.mix.write_percent;
        self.range("the percentage of writes", u64::from(write_percent), 0, 100)?;
        self.sizes(&stream.sizes, write_percent)?;
        self.pattern(stream)?;
        self.pacing(&stream.pacing)?;
        self.gathered(stream)?;
        if let FlushPolicy::Every { writes: 0, .. } = stream.mix.flush {
            return Err(self.zero("the number of writes between flushes"));
        }
        if let Payload::Source { size, .. } = stream.payload {
            let block = u64::from(stream.sizes.largest());
            self.range("the size of the write source", size, block, u64::MAX)?;
        }
        Ok(())
    }

    fn sizes(self, sizes: &BlockSizes, write_percent: u32) -> Result<(), PlanError> {
        let (read, write) = match sizes {
            BlockSizes::One(0) => return Err(self.zero("block size")),
            BlockSizes::One(_) => return Ok(()),
            BlockSizes::Weighted { read, write } => (read, write),
        };
        if read.iter().chain(write).any(|entry| entry.bytes == 0) {
            return Err(self.zero("block size"));
        }
        let weightless = |entries: &[WeightedSize]| entries.iter().all(|entry| entry.weight == 0);
        if write_percent < 100 && weightless(read) {
            return Err(self.zero("the sum of the weights of read sizes"));
        }
        if write_percent > 0 && weightless(write) {
            return Err(self.zero("the sum of the weights of write sizes"));
        }
        Ok(())
    }

    fn pacing(self, pacing: &Pacing) -> Result<(), PlanError> {
        match pacing {
            Pacing::Unlimited => Ok(()),
            Pacing::CapBytes { per_second: 0, .. }
            | Pacing::CapOperations { per_second: 0, .. } => Err(self.zero("the limit")),
            Pacing::CapBytes { shared_by: 0, .. } | Pacing::CapOperations { shared_by: 0, .. } => {
                Err(self.zero("the number of threads that share a limit"))
            }
            Pacing::Burst { operations: 0, .. } => Err(self.zero("the number of I/Os of a burst")),
            // Written so that a number that is none (NaN) is refused too.
            Pacing::Waves { operations: 0, .. } => Err(self.zero("the number of I/Os of a wave")),
            Pacing::Waves { every, .. } if every.is_zero() => {
                Err(self.zero("the distance of waves"))
            }
            Pacing::Gathered { record: 0, .. } | Pacing::Gathered { unit: 0, .. } => {
                Err(self.zero("the size of a record"))
            }
            Pacing::Arrivals { per_second, .. } | Pacing::Gathered { per_second, .. }
                if !(*per_second > 0.0 && *per_second <= RATE_MAX) =>
            {
                Err(PlanError::Rate(self.span))
            }
            _ => Ok(()),
        }
    }

    fn missing(self, what: &'static str) -> PlanError {
        PlanError::Missing {
            span: self.span,
            what,
        }
    }

    fn zero(self, what: &'static str) -> PlanError {
        PlanError::Zero {
            span: self.span,
            what,
        }
    }

    fn range(self, what: &'static str, value: u64, least: u64, most: u64) -> Result<(), PlanError> {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        Err(PlanError::OutOfRange {
            span: self.span,
            what,
            value,
            least,
            most,
        })
    }
}

#[cfg(test)]
mod tests;
