//! What a stream needs in the hot loop, and the rules by which it issues beyond "whenever a slot
//! comes free".

use ioengine::{Nanos, Operation};

use super::{
    pacing::Pacer,
    schedule::{Origin, Schedule},
};
use crate::plan::{AccessPattern, Dispatch, FlushPolicy, Pacing, Payload, Stream, WorkerGroup};

/// One stream of a worker.
#[derive(Debug)]
pub(super) struct Lane {
    /// Index of its file in the engine.
    pub(super) file: u32,
    /// Index of its source in the engine, where it has one.
    pub(super) source: u32,
    /// The size by which it is paced.
    pub(super) block: u32,
    /// Its meter.
    pub(super) pacer: Pacer,
    /// The target as typed.
    pub(super) label: String,
    /// Slots that it may use.
    pub(super) slots: u32,
    /// When it flushes.
    pub(super) flushing: Flushing,
    /// Its writes are numbered.
    pub(super) stamped: bool,
    /// Records that one write carries together.
    pub(super) gather: Option<Gather>,
    /// While the last I/O took longer than this, half of the slots are used.
    pub(super) backs_off_above_ns: Option<u64>,
    /// How long the last I/O took.
    pub(super) last_ns: u64,
    /// Reads and writes in flight.
    pub(super) in_flight: u32,
    /// A limit of passes waits for it.
    pub(super) walks: bool,
    /// Walks over the range that are not done: one, or one a slot.
    pub(super) walking: u32,
    /// What it copies from, and what copies from it.
    pub(super) copying: Copying,
}

/// When a stream flushes its target.
#[derive(Debug, Clone, Copy)]
pub(super) enum Flushing {
    /// Never.
    Never,
    /// Behind every so many writes.
    Every {
        /// Writes between flushes.
        writes: u32,
        /// Writes issued since the last one.
        written: u32,
        /// How.
        operation: Operation,
    },
    /// Once, when all is written.
    AtEnd(Operation),
}

impl Flushing {
    fn of(policy: FlushPolicy) -> Self {
        let operation = |data_only| {
            if data_only {
                Operation::FlushData
            } else {
                Operation::Flush
            }
        };
        match policy {
            FlushPolicy::Never => Self::Never,
            FlushPolicy::Every { writes, data_only } => Self::Every {
                writes,
                written: 0,
                operation: operation(data_only),
            },
            FlushPolicy::AtEnd { data_only } => Self::AtEnd(operation(data_only)),
        }
    }

    /// A write is issued; the flush that follows it, if one does.
    pub(super) fn after_write(&mut self) -> Option<Operation> {
        let Self::Every {
            writes,
            written,
            operation,
        } = self
        else {
            return None;
        };
        *written += 1;
        if *written < *writes {
            return None;
        }
        *written = 0;
        Some(*operation)
    }
}

/// Records of a group commit.
#[derive(Debug, Clone)]
pub(super) struct Gather {
    record: u64,
    unit: u64,
    /// Records of a write at most.
    most: u64,
    /// The due times of the records that the write in flight carries.
    carried: Option<Schedule>,
    /// How many they are.
    count: u64,
}

impl Gather {
    fn of(stream: &Stream) -> Option<Self> {
        let Pacing::Gathered { record, unit, .. } = stream.pacing else {
            return None;
        };
        let (record, unit) = (u64::from(record.max(1)), u64::from(unit.max(1)));
        let room = u64::from(stream.sizes.largest()) / unit * unit;
        Some(Self {
            record,
            unit,
            most: (room / record).max(1),
            carried: None,
            count: 0,
        })
    }

    /// Takes the records that wait at `time` and fit into one write; returns its bytes.
    pub(super) fn load(&mut self, schedule: &mut Schedule, time: Nanos) -> u32 {
        self.carried = Some(schedule.clone());
        self.count = 0;
        while self.count < self.most && schedule.due() <= time {
            schedule.take();
            self.count += 1;
        }
        (self.count * self.record).next_multiple_of(self.unit) as u32
    }

    /// Calls `each` with the due times of the records that are carried.
    pub(super) fn each(&self, mut each: impl FnMut(Nanos)) {
        let Some(mut schedule) = self.carried.clone() else {
            return;
        };
        for _ in 0..self.count {
            each(schedule.due());
            schedule.take();
        }
    }

    /// The same, and carries none any more.
    pub(super) fn unload(&mut self, each: impl FnMut(Nanos)) {
        self.each(each);
        self.carried = None;
    }
}

/// Reads of one stream that others write.
#[derive(Debug, Default)]
pub(super) struct Copying {
    /// The stream whose reads this one writes.
    pub(super) from: Option<usize>,
    /// The streams that write what this one reads.
    pub(super) by: Vec<usize>,
    /// Completed reads of the source that no write was issued for.
    pub(super) unwritten: u64,
    /// Of these, those that were counted against the limits, with the writes that are to come.
    promised: u64,
    /// Bytes of all writes that copy one I/O of this stream, at most.
    pub(super) copied_bytes: u64,
}

impl Copying {
    fn of(group: &WorkerGroup, index: usize) -> Self {
        let streams = (0..).zip(&group.streams);
        let copiers = streams.filter(|(_, other)| other.copies == Some(index));
        let (by, bytes): (_, Vec<u64>) = copiers
            .map(|(other, stream)| (other, u64::from(stream.sizes.largest())))
            .unzip();
        Self {
            from: group.streams[index].copies,
            by,
            unwritten: 0,
            promised: 0,
            copied_bytes: bytes.iter().sum(),
        }
    }

    /// A read of the source has completed, which was counted against the limits or was not.
    pub(super) fn add(&mut self, claimed: bool) {
        self.unwritten += 1;
        self.promised += u64::from(claimed);
    }

    /// Takes the right to a write from the read that it belongs to: those read before the measured
    /// time are written first. True if that read was counted against the limits, so that this write
    /// is too.
    pub(super) fn redeem(&mut self) -> bool {
        let claimed = self.promised > 0 && self.promised == self.unwritten;
        self.promised -= u64::from(claimed);
        claimed
    }
}

impl Lane {
    /// Stream `index` of a worker of `group`.
    pub(super) fn new(
        group: &WorkerGroup,
        index: usize,
        source: u32,
        label: &str,
        origin: &Origin,
    ) -> Self {
        let stream = &group.streams[index];
        let slots = match group.dispatch {
            Dispatch::PerStream => stream.queue_depth,
            Dispatch::Shared { .. } | Dispatch::InTurn => group.slots(),
        };
        Self {
            file: stream.target.0 as u32,
            source,
            block: stream.sizes.largest(),
            pacer: Pacer::new(&stream.pacing, origin),
            label: label.to_owned(),
            slots,
            flushing: Flushing::of(stream.mix.flush),
            stamped: stream.payload == Payload::Stamped,
            gather: Gather::of(stream),
            backs_off_above_ns: match stream.pacing {
                Pacing::Waves {
                    backs_off_above: Some(limit),
                    ..
                } => Some(Nanos(0).after(limit).0),
                _ => None,
            },
            last_ns: 0,
            in_flight: 0,
            walks: stream.makes_passes(),
            walking: match stream.pattern {
                AccessPattern::Parallel { .. } => slots,
                _ => 1,
            },
            copying: Copying::of(group, index),
        }
    }

    /// False if it issues whenever a slot comes free, and nothing else has to be thought of.
    pub(super) fn has_rules(&self) -> bool {
        !self.pacer.is_unlimited()
            || self.stamped
            || self.copying.from.is_some()
            || !self.copying.by.is_empty()
            || !matches!(self.flushing, Flushing::Never)
    }

    /// Slots that it may use now.
    pub(super) fn slots_now(&self) -> u32 {
        match self.backs_off_above_ns {
            Some(limit) if self.last_ns > limit => (self.slots / 2).max(1),
            _ => self.slots,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Affinity, BlockSizes, Generator, fixtures};

    fn lane(change: impl FnOnce(&mut Stream)) -> Lane {
        let mut stream = fixtures::stream(0, AccessPattern::Append, BlockSizes::One(61440));
        stream.queue_depth = 5;
        change(&mut stream);
        let group = WorkerGroup {
            name: String::new(),
            workers: 1,
            affinity: Affinity::None,
            streams: vec![stream],
            dispatch: Dispatch::PerStream,
        };
        let origin = Origin {
            generator: Generator::Xoshiro { seed: 1 },
            worker: 0,
            relative: 0,
            workers: 1,
            stream: 0,
        };
        Lane::new(&group, 0, 0, "d", &origin)
    }

    #[test]
    fn a_flush_follows_every_so_many_writes() {
        let mut flushing = Flushing::of(FlushPolicy::Every {
            writes: 3,
            data_only: true,
        });
        let follows: Vec<bool> = (0..7).map(|_| flushing.after_write().is_some()).collect();
        assert_eq!(follows, [false, false, true, false, false, true, false]);
        assert!(Flushing::of(FlushPolicy::Never).after_write().is_none());
        let mut at_end = Flushing::of(FlushPolicy::AtEnd { data_only: false });
        assert!(at_end.after_write().is_none());
    }

    #[test]
    fn records_fill_a_write_up_to_the_largest_and_keep_their_times() {
        // 1,000 a second of 1,000 bytes: due at 0, 1, 2, ... ms; 61 fit into 60 KiB.
        let mut lane = lane(|stream| {
            stream.pacing = Pacing::Gathered {
                per_second: 1000.0,
                poisson: false,
                record: 1000,
                unit: 512,
            };
        });
        let (Pacer::Scheduled(schedule), Some(gather)) = (&mut lane.pacer, &mut lane.gather) else {
            panic!("a group commit");
        };
        let ms = |ms: u64| Nanos(ms * 1_000_000);
        // One record of 1,000 bytes takes two units, three take six.
        assert_eq!(gather.load(schedule, ms(0)), 1024);
        assert_eq!(gather.load(schedule, ms(3)), 3072);
        let mut times = Vec::new();
        gather.unload(|due| times.push(due));
        assert_eq!(times, [ms(1), ms(2), ms(3)]);
        assert_eq!(gather.load(schedule, ms(200)), 61440);
        assert_eq!(schedule.due(), ms(65));
        gather.unload(|_| ());
        gather.unload(|_| panic!("twice"));
    }

    #[test]
    fn a_write_counts_if_the_read_that_it_copies_did() {
        // Two reads before the measured time, one in it.
        let mut copying = Copying::default();
        for claimed in [false, true, false] {
            copying.add(claimed);
        }
        let mut write = || {
            let claimed = copying.redeem();
            copying.unwritten -= 1;
            claimed
        };
        assert_eq!([write(), write(), write()], [false, false, true]);
    }

    #[test]
    fn half_of_the_slots_are_used_while_ios_are_slow() {
        let with = |limit| {
            lane(|stream| {
                stream.pacing = Pacing::Waves {
                    first: std::time::Duration::ZERO,
                    every: std::time::Duration::from_secs(1),
                    operations: 1,
                    backs_off_above: limit,
                };
            })
        };
        let mut lane = with(Some(std::time::Duration::from_millis(20)));
        assert_eq!(lane.slots_now(), 5);
        lane.last_ns = 20_000_000;
        assert_eq!(lane.slots_now(), 5);
        lane.last_ns = 20_000_001;
        assert_eq!(lane.slots_now(), 2);
        lane.slots = 1;
        assert_eq!(lane.slots_now(), 1);
        let mut steadfast = with(None);
        steadfast.last_ns = u64::MAX;
        assert_eq!(steadfast.slots_now(), 5);
    }

    #[test]
    fn a_plain_stream_has_no_rules() {
        assert!(!lane(|_| ()).has_rules());
        assert!(lane(|stream| stream.payload = Payload::Stamped).has_rules());
        assert!(
            lane(|stream| stream.mix.flush = FlushPolicy::AtEnd { data_only: false }).has_rules()
        );
    }
}
