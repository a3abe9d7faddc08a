//! The requests of a shared sequence: one state for all workers, and chance for each.
//!
//! [`SharedRequests`] says what comes next; its caller keeps it behind a lock. Which worker comes
//! next is decided by who asks, so only a single worker's sequence is fixed.

mod draws;
#[cfg(test)]
mod tests;

use draws::Lrand48;
pub use draws::WorkerDraws;

use crate::plan::{AtEnd, Counted, Direction, Draws, Operations, Order, SharedSequence};

/// What a worker does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedRequest {
    /// A read or a write.
    Transfer {
        /// Which of them.
        direction: Direction,
        /// Index of the file.
        file: u32,
        /// First byte.
        offset: u64,
        /// Bytes.
        length: u32,
    },
    /// A flush of a file.
    Flush {
        /// Index of the file.
        file: u32,
        /// One of those at the end of the load, and of no round.
        last: bool,
    },
}

/// Why there is no further request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    /// The limit of operations was reached.
    Limit,
    /// All files were gone over once.
    Pass,
}

/// What all workers draw from.
#[derive(Debug, Clone)]
pub struct SharedRequests {
    files: u32,
    file_size: u64,
    order: Order,
    operations: Operations,
    /// Reads and writes between rounds of flushes; 0 for none.
    round_every: u64,
    /// Flushes of rounds use up the limit.
    flushes_count: bool,
    /// What is left to hand out.
    left: Option<u64>,
    /// Files whose last flush is due when nothing else is; shared by all workers.
    last_flushes: std::ops::Range<u32>,
    /// Reads and writes handed out, until the next round.
    until_round: u64,
    /// Something was written since the last whole round.
    dirty: bool,
    /// The file whose flush is next in the round.
    next_flush: u32,
    /// Where a sequential order is.
    file: u32,
    position: u64,
    /// Reads and writes that the choice between them goes by.
    reads: u64,
    writes: u64,
    counts_handed_out: bool,
    lrand48: Lrand48,
    /// Blocks that are being worked on, where no two workers may have the same.
    held: Option<Vec<(u32, u64)>>,
}

impl SharedRequests {
    /// The requests of `sequence` over `files` files, `limit` at most. With `exclusive` no block is
    /// handed out twice at a time in a random order; see [`Self::release`].
    pub fn new(
        sequence: &SharedSequence,
        files: usize,
        limit: Option<u64>,
        exclusive: bool,
    ) -> Self {
        let flushes = sequence.flushes;
        let files = u32::try_from(files).unwrap_or(u32::MAX);
        let once = flushes.at_end == AtEnd::OnceAtLimit && sequence.operations.write();
        let lrand48 = match &sequence.order {
            Order::Random {
                draws: Draws::Lrand48 { seed },
                ..
            } => Lrand48::new(*seed),
            _ => Lrand48::new(None),
        };
        let round_every = if sequence.operations.write() {
            flushes.round_every.unwrap_or(0)
        } else {
            0
        };
        Self {
            files,
            file_size: sequence.file_size.max(1),
            order: sequence.order.clone(),
            operations: sequence.operations,
            round_every,
            flushes_count: flushes.are_events,
            left: limit,
            last_flushes: 0..if once { files } else { 0 },
            until_round: round_every,
            dirty: false,
            next_flush: 0,
            file: 0,
            position: 0,
            reads: 0,
            writes: 0,
            counts_handed_out: matches!(
                sequence.operations,
                Operations::Ratio {
                    counted: Counted::HandedOut,
                    ..
                }
            ),
            lrand48,
            held: exclusive.then(Vec::new),
        }
    }

    /// What the worker with these draws does next.
    ///
    /// # Errors
    /// There is nothing more to do.
    #[inline]
    pub fn next(&mut self, draws: &mut WorkerDraws) -> Result<SharedRequest, Exhausted> {
        if self.left == Some(0) {
            return self.last_flush().ok_or(Exhausted::Limit);
        }
        if self.dirty && self.until_round == 0 && self.round_every > 0 {
            return Ok(self.flush_of_round());
        }
        if self.until_round == 0 {
            self.until_round = self.round_every;
        }
        let Some((file, offset, length)) = self.place(draws) else {
            return self.last_flush().ok_or(Exhausted::Pass);
        };
        let direction = self.direction();
        self.dirty |= direction == Direction::Write;
        self.until_round = self.until_round.saturating_sub(1);
        self.use_up();
        Ok(SharedRequest::Transfer {
            direction,
            file,
            offset,
            length,
        })
    }

    /// From now on at most `limit` requests are handed out.
    pub fn limit_to(&mut self, limit: Option<u64>) {
        self.left = limit;
    }

    /// A read or write that was handed out is complete.
    #[inline]
    pub fn completed(&mut self, direction: Direction) {
        if !self.counts_handed_out {
            self.count(direction);
        }
    }

    /// Nobody works on this block any more.
    pub fn release(&mut self, file: u32, offset: u64) {
        if let Some(held) = &mut self.held
            && let Some(at) = held.iter().position(|block| *block == (file, offset))
        {
            held.swap_remove(at);
        }
    }

    fn use_up(&mut self) {
        if let Some(left) = &mut self.left {
            *left -= 1;
        }
    }

    fn flush_of_round(&mut self) -> SharedRequest {
        let file = self.next_flush;
        self.next_flush += 1;
        if self.next_flush >= self.files {
            self.next_flush = 0;
            self.dirty = false;
        }
        if self.flushes_count {
            self.use_up();
        }
        SharedRequest::Flush { file, last: false }
    }

    fn last_flush(&mut self) -> Option<SharedRequest> {
        let file = self.last_flushes.next()?;
        Some(SharedRequest::Flush { file, last: true })
    }

    /// Read or write, without knowing where: the original decides so too.
    #[inline]
    fn direction(&mut self) -> Direction {
        let direction = match self.operations {
            Operations::Reads => Direction::Read,
            Operations::Writes => Direction::Write,
            Operations::Ratio {
                reads_per_write, ..
            } => {
                let ratio = (self.reads as f64 + 1.0) / (self.writes as f64 + 1.0);
                if ratio < reads_per_write {
                    Direction::Read
                } else {
                    Direction::Write
                }
            }
        };
        if self.counts_handed_out {
            self.count(direction);
        }
        direction
    }

    #[inline]
    fn count(&mut self, direction: Direction) {
        match direction {
            Direction::Read => self.reads += 1,
            Direction::Write => self.writes += 1,
        }
    }

    /// File, offset and length of the next transfer; `None` at the end of a single pass.
    #[inline]
    fn place(&mut self, draws: &mut WorkerDraws) -> Option<(u32, u64, u32)> {
        match self.order {
            Order::Sequential { length, once } => self.in_order(length, once),
            Order::Random {
                block,
                span,
                draws: source,
            } => Some(self.drawn(block, span, source, draws)),
        }
    }

    fn in_order(&mut self, length: u32, once: bool) -> Option<(u32, u64, u32)> {
        if self.file >= self.files {
            if once {
                return None;
            }
            self.file = 0;
        }
        let (file, offset) = (self.file, self.position);
        let length = u64::from(length).min(self.file_size - offset);
        self.position += length;
        if self.position >= self.file_size {
            self.position = 0;
            self.file += 1;
        }
        Some((file, offset, length as u32))
    }

    fn drawn(
        &mut self,
        block: u32,
        span: u64,
        source: Draws,
        draws: &mut WorkerDraws,
    ) -> (u32, u64, u32) {
        // Where everybody waits for a free block there may be none: then two share one.
        let tries = if self.held.is_some() { 1000 } else { 1 };
        let mut place = (0, 0, 0);
        for _ in 0..tries {
            let fraction = match source {
                Draws::Lrand48 { .. } => self.lrand48.fraction(),
                Draws::Xoroshiro { .. } => draws.fraction(),
            };
            place = self.at((fraction * span as f64) as u64, block);
            let taken = |held: &Vec<(u32, u64)>| held.contains(&(place.0, place.1));
            if !self.held.as_ref().is_some_and(taken) {
                break;
            }
        }
        if let Some(held) = &mut self.held {
            held.push((place.0, place.1));
        }
        place
    }

    /// The request that begins at the block of `position`, counted over all files.
    #[inline]
    fn at(&self, position: u64, block: u32) -> (u32, u64, u32) {
        let position = position - position % u64::from(block.max(1));
        let file = position / self.file_size;
        // All files together may hold some bytes less than the position is drawn of.
        if file >= u64::from(self.files) {
            return (self.files - 1, 0, self.length_at(0, block));
        }
        let offset = position % self.file_size;
        (file as u32, offset, self.length_at(offset, block))
    }

    #[inline]
    fn length_at(&self, offset: u64, block: u32) -> u32 {
        u64::from(block).min(self.file_size - offset) as u32
    }
}
