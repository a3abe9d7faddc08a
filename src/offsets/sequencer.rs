//! One worker's operations, one after the other.

use std::sync::Arc;

use super::{
    PayloadUse, SequenceError, SharedCursors, Window, divide::Divisor, random::Random, site::Keys,
    stream::StreamSequence, weights::Weights,
};
use crate::plan::{Direction, Dispatch, Generator, Range, WorkerGroup};

/// What a worker does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Next {
    /// Index into the group's streams.
    pub stream: u32,
    /// Read or write.
    pub direction: Direction,
    /// First byte, from the start of the target.
    pub offset: u64,
    /// Bytes.
    pub length: u32,
    /// What a write sends.
    pub payload: PayloadUse,
}

/// One worker's operations.
#[derive(Debug)]
pub struct Sequencer {
    random: Random,
    streams: Box<[StreamSequence]>,
    choice: Choice,
}

/// How a slot finds its stream.
#[derive(Debug)]
enum Choice {
    /// The stream of each slot.
    Fixed(Box<[u32]>),
    /// One stream after the other, from the first again.
    InTurn { next: u32, streams: u32 },
    /// Drawn, all alike.
    Uniform(Divisor),
    /// Drawn by weight.
    Weighted(Weights),
}

impl Sequencer {
    /// The operations of one worker: number `relative` of its `group`, number `absolute` of the
    /// time span. `windows[i]` is the window of the target of `group.streams[i]`.
    ///
    /// # Errors
    /// When no I/O of a stream fits into its window, or the parts do not belong together.
    pub fn new(
        generator: Generator,
        group: &WorkerGroup,
        relative: u32,
        absolute: u32,
        windows: &[Window],
        cursors: &Arc<SharedCursors>,
    ) -> Result<Self, SequenceError> {
        if group.streams.is_empty() || windows.len() != group.streams.len() {
            return Err(SequenceError::Windows {
                streams: group.streams.len(),
                windows: windows.len(),
            });
        }
        let mut random = Random::new(generator, absolute);
        let keys = Keys {
            seed: match generator {
                Generator::Xoshiro { seed } => seed,
                Generator::DiskSpd { seed } => seed.into(),
            },
            first_worker: absolute.saturating_sub(relative),
        };
        let mut streams = Vec::with_capacity(group.streams.len());
        for (index, window) in windows.iter().enumerate() {
            streams.push(StreamSequence::new(
                group,
                index,
                relative,
                *window,
                cursors,
                keys,
                &mut random,
            )?);
        }
        Ok(Self {
            random,
            streams: streams.into(),
            choice: Choice::new(group),
        })
    }

    /// The stream that a slot always works for; `None` when it works for several.
    pub fn stream_of(&self, slot: usize) -> Option<usize> {
        match &self.choice {
            Choice::Fixed(streams) => streams.get(slot).map(|stream| *stream as usize),
            Choice::InTurn { .. } | Choice::Uniform(_) | Choice::Weighted(_) => None,
        }
    }

    /// The stream that a slot works for next; `None` when that is drawn.
    pub fn next_stream(&self, slot: usize) -> Option<usize> {
        match &self.choice {
            Choice::InTurn { next, .. } => Some(*next as usize),
            _ => self.stream_of(slot),
        }
    }

    /// What `slot` does next. After [`PayloadUse::Fresh`], [`Self::fill`] must be called before
    /// the next call of this.
    #[inline]
    pub fn next(&mut self, slot: usize) -> Next {
        let index = self.choice.stream(slot, &mut self.random);
        let stream = &mut self.streams[index as usize];
        let (direction, offset, length) = stream.next(slot, &mut self.random);
        let payload = stream.payload(direction, length, &mut self.random);
        Next {
            stream: index,
            direction,
            offset,
            length,
            payload,
        }
    }

    /// What `slot` does next, unless its stream went over its range `passes` times before. Drawn
    /// patterns have no passes, and never end by this.
    pub fn next_within(&mut self, slot: usize, passes: u64) -> Option<Next> {
        let index = self.choice.stream(slot, &mut self.random);
        let stream = &mut self.streams[index as usize];
        let drawn = stream.next_within(passes, slot, &mut self.random);
        drawn.map(|drawn| self.complete(index, drawn))
    }

    /// What `slot` does next, where its length was decided elsewhere: it must not be above the
    /// stream's largest size.
    pub fn next_of(&mut self, slot: usize, length: u32) -> Next {
        let index = self.choice.stream(slot, &mut self.random);
        let drawn = self.streams[index as usize].next_of(length, slot, &mut self.random);
        self.complete(index, drawn)
    }

    fn complete(&mut self, index: u32, drawn: (Direction, u64, u32)) -> Next {
        let (direction, offset, length) = drawn;
        let stream = &self.streams[index as usize];
        Next {
            stream: index,
            direction,
            offset,
            length,
            payload: stream.payload(direction, length, &mut self.random),
        }
    }

    /// Draws the payload of a write of `length` bytes: one 64-bit number for each 24 bytes begun.
    /// `buffer`, where there is one, is filled with bytes made from them, which neither compress
    /// nor repeat.
    pub fn fill(&mut self, buffer: Option<&mut [u8]>, length: u32) {
        let length = length as usize;
        match buffer {
            Some(buffer) if buffer.len() >= length => {
                self.random.fill_payload(&mut buffer[..length]);
            }
            Some(buffer) => self.random.fill_payload(buffer),
            None => self.random.skip_payload(length),
        }
    }

    /// What the distribution of a stream came down to, relative to the base; the share of a range
    /// is its weight over the sum of the weights. Empty without a distribution.
    pub fn ranges(&self, stream: usize) -> &[Range] {
        self.streams.get(stream).map_or(&[], StreamSequence::ranges)
    }

    /// Times that a stream went over its whole range so far; `None` for patterns that are drawn.
    /// A pass is complete as soon as nothing more fits before the end. Shared cursors count the
    /// passes of all workers together.
    pub fn passes(&self, stream: usize) -> Option<u64> {
        self.streams.get(stream)?.passes()
    }
}

impl Choice {
    fn new(group: &WorkerGroup) -> Self {
        match &group.dispatch {
            Dispatch::PerStream => {
                let slots = group
                    .streams
                    .iter()
                    .enumerate()
                    .flat_map(|(index, stream)| {
                        std::iter::repeat_n(index as u32, stream.queue_depth as usize)
                    });
                Self::Fixed(slots.collect())
            }
            Dispatch::Shared {
                queue_depth,
                weights,
            } => Self::shared(group.streams.len(), *queue_depth, weights),
            Dispatch::InTurn => Self::InTurn {
                next: 0,
                streams: group.streams.len() as u32,
            },
        }
    }

    fn shared(streams: usize, queue_depth: u32, weights: &[u32]) -> Self {
        if streams == 1 {
            // Nothing to choose, nothing drawn.
            return Self::Fixed(vec![0; queue_depth as usize].into());
        }
        let weight = |stream| u64::from(weights.get(stream).copied().unwrap_or(0));
        let alike = (1..streams).all(|stream| weight(stream) == weight(0));
        match Weights::new((0..streams).map(weight)) {
            Some(weights) if !alike => Self::Weighted(weights),
            _ => Self::Uniform(Divisor::new(streams as u64)),
        }
    }

    #[inline]
    fn stream(&mut self, slot: usize, random: &mut Random) -> u32 {
        match self {
            Self::Fixed(streams) => streams.get(slot).copied().unwrap_or(0),
            Self::InTurn { next, streams } => {
                let stream = *next;
                let following = stream + 1;
                *next = if following < *streams { following } else { 0 };
                stream
            }
            Self::Uniform(streams) => random.below_32(*streams) as u32,
            Self::Weighted(weights) => weights.draw_32(random) as u32,
        }
    }
}
