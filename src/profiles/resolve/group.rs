//! The workers of one group of a profile, file by file.

use super::{
    deal::{Crew, Slice, deal},
    files::{Files, PART_ALIGNMENT},
    numbers,
    pacing::{Paced, pace},
    sizes::StreamSizes,
};
use crate::{
    plan::{
        Access, AccessPattern, Affinity, Assembly, Dispatch, Distribution, FlushPolicy,
        OperationMix, Payload, Stream, WorkerGroup,
    },
    profiles::{
        Profile, Role, Wanted,
        format::{Copies, Data, FlushCall, GroupSpec, Part, Pattern, StreamSpec, Threads},
    },
};

/// A file holds so many times what is in flight on it, or the workload has no meaning.
const TIMES_IN_FLIGHT: u64 = 4;

/// One group of a profile for these wishes.
pub(super) struct Grouping<'a> {
    spec: &'a GroupSpec,
    wanted: &'a Wanted<'a>,
    title: String,
    threads: u32,
    crews: Vec<Crew>,
    /// Of each stream of the profile.
    sizes: Vec<StreamSizes>,
    /// Of each stream of the profile.
    paced: Vec<Paced>,
    flushed: Vec<bool>,
    queue_depth: u32,
}

impl<'a> Grouping<'a> {
    pub(super) fn new(
        profile: &Profile,
        spec: &'a GroupSpec,
        wanted: &'a Wanted<'a>,
        files: &Files,
    ) -> Result<Self, String> {
        let counts: Vec<u32> = spec.streams.iter().map(|s| files.count(s.file)).collect();
        let mut threads = wanted
            .threads
            .unwrap_or_else(|| spec.threads.count(wanted.machine, wanted.max_dop));
        if copies(spec) {
            // Each file that is read or written has a thread of its own.
            threads = counts.iter().copied().fold(threads, u32::max);
        }
        let crews = deal(threads, &counts);
        let sizes: Vec<StreamSizes> = (0..spec.streams.len())
            .map(|index| {
                let direct = files.is_direct(spec.streams[index].file);
                StreamSizes::of(spec, index, wanted, direct)
            })
            .collect();
        let paced = paces(spec, wanted, &crews, &sizes);
        let queue_depth = wanted.queue_depth.unwrap_or(spec.queue_depth);
        if queue_depth > 1 && paced.iter().any(|paced| paced.queue_depth == Some(1)) {
            return Err(format!(
                "--qd {queue_depth} with --rate: a log writer has one write under way, and the next \
                 carries what queued meanwhile. Leave out one of the two"
            ));
        }
        Ok(Self {
            spec,
            wanted,
            title: if profile.groups.len() == 1 {
                String::new()
            } else {
                format!("{}: ", spec.name)
            },
            threads,
            crews,
            sizes,
            paced,
            flushed: spec
                .streams
                .iter()
                .map(|s| files.is_flushed(s.file))
                .collect(),
            queue_depth,
        })
    }

    /// The groups of workers of the plan: one for each set of files that some threads share.
    pub(super) fn groups(&self, files: &mut Files) -> Result<Vec<WorkerGroup>, String> {
        let mut groups = Vec::new();
        for number in 0..self.crews.len() {
            groups.push(self.group(number, files)?);
        }
        Ok(groups)
    }

    fn group(&self, number: usize, files: &mut Files) -> Result<WorkerGroup, String> {
        let crew = &self.crews[number];
        let mut streams = Vec::new();
        for turn in &crew.turns {
            for (index, file) in turn.iter().enumerate() {
                streams.push(self.stream(index, number, *file, files)?);
            }
        }
        // Several streams of one worker that are no copy take their shares of its I/Os; at a rate
        // each has its own.
        let shared = self.spec.streams.len() > 1 && !copies(self.spec) && !self.is_open();
        let dispatch = if shared {
            let weights = self.spec.streams.iter().map(|stream| stream.share);
            Dispatch::Shared {
                queue_depth: self.queue_depth,
                weights: crew.turns.iter().flat_map(|_| weights.clone()).collect(),
            }
        } else {
            Dispatch::PerStream
        };
        Ok(WorkerGroup {
            name: self.spec.name.clone(),
            workers: crew.workers,
            affinity: Affinity::None,
            streams,
            dispatch,
        })
    }

    fn stream(
        &self,
        index: usize,
        crew: usize,
        file: u32,
        files: &mut Files,
    ) -> Result<Stream, String> {
        let spec = &self.spec.streams[index];
        let sizes = &self.sizes[index];
        let paced = &self.paced[index];
        let workers = self.crews[crew].workers;
        let slice = self.slice(index, crew, file);
        let access = match (spec.read.is_empty(), spec.write.is_empty()) {
            (false, true) => Access::Read,
            (true, false) => Access::Write,
            _ => Access::ReadWrite,
        };
        let blocks = paced.sizes.clone().unwrap_or_else(|| sizes.blocks());
        let largest = blocks.largest();
        files.need(spec.file, file, self.needs(spec, workers, largest));
        let turns = self.crews[crew].turns.len() as u32;
        let queue_depth = paced
            .queue_depth
            .filter(|_| self.wanted.queue_depth.is_none())
            .unwrap_or_else(|| self.queue_depth.div_ceil(turns.max(1)));
        Ok(Stream {
            target: files.target(spec.file, file, slice, access),
            pattern: pattern(spec, largest)?,
            mix: OperationMix {
                write_percent: write_percent(spec),
                flush: self.flush(index, queue_depth),
            },
            sizes: blocks,
            queue_depth,
            pacing: paced.pacing.clone(),
            payload: match spec.data {
                Data::Random => Payload::Stamped,
                Data::Zeros => Payload::Zeros,
            },
            assembly: Assembly::Whole,
            copies: (spec.copies == Copies::Previous).then(|| index.saturating_sub(1)),
        })
    }

    /// The part of the file that falls to a crew: workers with a region each share a file out, also
    /// where they are of several crews.
    fn slice(&self, index: usize, crew: usize, file: u32) -> Slice {
        let spec = &self.spec.streams[index];
        let part = match spec.part {
            Part::Whole => Slice::WHOLE,
            Part::FirstHalf => Slice {
                from: 0,
                to: 1,
                of: 2,
            },
            Part::SecondHalf => Slice {
                from: 1,
                to: 2,
                of: 2,
            },
        };
        if spec.pattern != Pattern::Regions {
            return part;
        }
        let on_it = |crew: &Crew| {
            let there = crew.turns.iter().any(|turn| turn[index] == file);
            if there { crew.workers } else { 0 }
        };
        let before = self.crews[..crew].iter().map(on_it).sum();
        let all = self.crews.iter().map(on_it).sum();
        let workers = on_it(&self.crews[crew]);
        if workers == all {
            part
        } else {
            part.share(before, workers, all)
        }
    }

    /// Bytes that a file must have for these workers.
    fn needs(&self, spec: &StreamSpec, workers: u32, largest: u32) -> u64 {
        let (workers, largest) = (u64::from(workers), u64::from(largest));
        let in_flight = largest * workers * u64::from(self.queue_depth);
        let part = if spec.part == Part::Whole { 1 } else { 2 };
        // A region that begins at a whole MiB is up to one MiB shorter than its share.
        let regions = match spec.pattern {
            Pattern::Regions => workers * (largest + PART_ALIGNMENT),
            _ => largest,
        };
        part * regions.max(in_flight.saturating_mul(TIMES_IN_FLIGHT))
    }

    fn flush(&self, index: usize, queue_depth: u32) -> FlushPolicy {
        let spec = &self.spec.streams[index];
        if write_percent(spec) == 0 {
            return FlushPolicy::Never;
        }
        if let Some(flush) = spec.flush {
            return FlushPolicy::Every {
                writes: flush.every,
                data_only: flush.call == FlushCall::Fdatasync,
            };
        }
        if !self.flushed[index] {
            return FlushPolicy::Never;
        }
        // A batch is what was in flight together; each write of a log is one of its own.
        let writes = if spec.file == Role::Log {
            1
        } else {
            queue_depth
        };
        FlushPolicy::Every {
            writes: writes.max(1),
            data_only: true,
        }
    }

    /// True if I/Os are due at times of their own.
    fn is_open(&self) -> bool {
        self.wanted.rate.is_some() && self.spec.rate.is_some()
    }

    /// The numbers of this group, as title and text.
    pub(super) fn numbers(&self) -> Vec<(String, String)> {
        let mut numbers = Vec::new();
        let mut add = |title: &str, text: String| {
            numbers.push((format!("{}{title}", self.title), text));
        };
        let reason = match self.spec.threads {
            _ if self.wanted.threads.is_some() => "as asked",
            Threads::MaxDop | Threads::LogWriters | Threads::Sockets | Threads::NumaNodes => {
                self.spec.threads.reason(self.wanted.max_dop)
            }
            Threads::Fixed(_) => "",
        };
        let reason = if reason.is_empty() {
            String::new()
        } else {
            format!(" ({reason})")
        };
        add("threads", format!("{}{reason}", self.threads));
        add("in flight", self.in_flight());
        for (spec, sizes) in self.spec.streams.iter().zip(&self.sizes) {
            let gathered = self.paced.iter().any(|paced| paced.sizes.is_some());
            if !sizes.read.is_empty() {
                add("reads", numbers::sizes(&sizes.read));
            }
            if !sizes.write.is_empty() && !gathered {
                add("writes", numbers::sizes(&sizes.write));
            }
            if let Some(percent) = spec.read_percent {
                add(
                    "mix",
                    format!("{percent} % reads, {} % writes", 100 - percent),
                );
            }
        }
        if let [first, rest @ ..] = &self.spec.streams[..] {
            if !rest.is_empty() && !copies(self.spec) {
                add("mix", numbers::shares(&self.spec.streams));
            }
            add("order", numbers::order(first).to_owned());
        }
        if let Some(words) = self.paced.iter().find_map(|paced| paced.words.clone()) {
            add("rate", words);
        }
        numbers
    }

    /// I/Os in flight, in words.
    fn in_flight(&self) -> String {
        let open = self.paced.first().and_then(|paced| paced.queue_depth);
        let depth = open
            .filter(|_| self.wanted.queue_depth.is_none())
            .unwrap_or(self.queue_depth);
        let all = u64::from(depth) * u64::from(self.threads);
        if copies(self.spec) {
            format!("{depth} reads and {depth} writes a thread at most")
        } else if open.is_some_and(|open| open > 1) {
            format!("{depth} a thread at most, for arrivals")
        } else {
            format!("{depth} a thread, {all} in all")
        }
    }

    /// What was changed on the way.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.sizes.iter().any(|sizes| sizes.rounded) {
            notes.push(format!(
                "log: sizes are rounded up to the device's sectors of {} bytes, as SQL Server does \
                 it",
                self.wanted.log_sector
            ));
        }
        if self.crews.iter().any(|crew| crew.turns.len() > 1) {
            notes.push(format!(
                "{}: there are more files than threads, so a thread loads several and deals what \
                 it has in flight to them",
                self.spec.name
            ));
        }
        if self.flushed.contains(&true) && self.spec.streams.iter().any(|s| !s.write.is_empty()) {
            notes.push(format!(
                "{}: writes are made durable by fdatasync after each batch instead of O_DSYNC; the \
                 time of a commit is that of the write and of the flush",
                self.spec.name
            ));
        }
        notes
    }
}

/// The pace of each stream: its part of the group's rate for each worker and file.
fn paces(
    spec: &GroupSpec,
    wanted: &Wanted<'_>,
    crews: &[Crew],
    sizes: &[StreamSizes],
) -> Vec<Paced> {
    let turns: u32 = crews
        .iter()
        .map(|crew| crew.workers * crew.turns.len() as u32)
        .sum();
    let shares: u32 = spec.streams.iter().map(|stream| stream.share).sum();
    let part = |stream: &StreamSpec| {
        f64::from(stream.share) / f64::from(shares.max(1)) / f64::from(turns.max(1))
    };
    spec.streams
        .iter()
        .zip(sizes)
        .map(|(stream, sizes)| pace(spec, wanted, &sizes.write, part(stream)))
        .collect()
}

fn copies(spec: &GroupSpec) -> bool {
    spec.streams
        .iter()
        .any(|stream| stream.copies == Copies::Previous)
}

fn write_percent(spec: &StreamSpec) -> u32 {
    match spec.read_percent {
        Some(percent) => 100_u32.saturating_sub(percent),
        None if spec.write.is_empty() => 0,
        None => 100,
    }
}

fn pattern(spec: &StreamSpec, largest: u32) -> Result<AccessPattern, String> {
    let align = spec.align.map(|bytes| bytes.0);
    Ok(match spec.pattern {
        Pattern::Random => AccessPattern::Random {
            alignment: align.ok_or("a random stream needs 'align'")?,
            distribution: Distribution::Uniform,
        },
        Pattern::Regions => AccessPattern::Regions {
            alignment: align.unwrap_or(PART_ALIGNMENT),
        },
        Pattern::Sequential => AccessPattern::Sequential {
            stride: largest.into(),
            worker_offset: 0,
        },
        Pattern::Append => AccessPattern::Append,
    })
}
