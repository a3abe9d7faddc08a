//! The load of options alone: one group of threads for each target, all at once.

use std::time::Duration;

use super::{
    Planned, WARMUP,
    asked::{self, Settled},
    assemble,
    pace::pacing,
    paths,
    place::{Extent, Place},
    repetitions::repeated,
    sectors,
    words::Named,
};
use crate::{
    personality::{
        Environment,
        native::line::{Asked, Data, Durable, Limits, Operations, Order, Places},
    },
    plan::{
        Access, AccessPattern, Affinity, Assembly, BlockSizes, Caching, Content, Counting,
        Dispatch, Distribution, Durability, EngineChoice, EngineKind, FlushPolicy, Generator,
        Hints, MappedFlush, Opening, OperationMix, Pacing, Payload, Polling, Priority, Stop,
        Stream, Target, TargetIndex, ThrottleSleep, TimeSpan, WorkerGroup,
    },
    units::{ByteSize, names::shown},
};

/// The test file in a folder.
pub(super) const FILE: &str = "iogauge.dat";
/// Its size where nobody says otherwise.
const SIZE: u64 = 4 << 30;
/// A block where nobody says otherwise.
const BLOCK: u32 = 4096;
/// Bytes of a file that writes are taken from, at most.
const SOURCE_MAX: u64 = 64 << 20;

/// The plan.
pub(super) fn plan(
    settled: &Settled,
    targets: &[Named],
    around: &Environment,
    command_line: &str,
) -> Result<Planned, String> {
    let asked = &settled.asked;
    if let Some(role) = targets.iter().find(|named| named.role.is_some()) {
        return Err(format!(
            "data=, log= and backup= are for profiles: name {} alone",
            shown(role.path.as_os_str())
        ));
    }
    let load = Load::of(settled, around)?;
    load.check_bytes()?;
    let mut files = Vec::new();
    let mut loaded = Vec::new();
    for named in targets {
        let place = Place::find(&named.path, FILE, around)?;
        let extent = place.extent(settled.size, load.size(around), asked.offset.unwrap_or(0))?;
        files.extend(
            extent
                .make
                .map(|size| place.preparation(size, load.content())),
        );
        loaded.push(load.target(&place, extent)?);
    }
    let made = paths(&files);
    let mut notes = settled.notes(&made);
    if loaded.len() > 1 {
        notes.insert(
            0,
            format!(
                "{} targets are loaded at once (iogauge versus compares two in turn)",
                loaded.len()
            ),
        );
    }
    let groups = load.groups(&loaded);
    let span = load.span(loaded, groups);
    let spans = repeated(&span, settled)?;
    Ok(Planned {
        plan: assemble(files, made, spans, settled, around, command_line)?,
        warnings: settled.until_steady(),
        notes,
        resolved: None,
        db_size: None,
        search: None,
    })
}

/// The options with their defaults.
struct Load<'a> {
    asked: &'a Asked,
    data: &'a Data,
    seed: u64,
    order: Order,
    operations: Operations,
    sizes: BlockSizes,
    depth: u32,
    threads: u32,
    caching: Caching,
    durable: Durable,
    mapped: bool,
    /// Bytes of the file that writes are taken from.
    source: Option<u64>,
}

impl<'a> Load<'a> {
    /// A limit of bytes lets at least one I/O through.
    fn check_bytes(&self) -> Result<(), String> {
        let largest = u64::from(self.sizes.largest());
        match self.asked.limits.bytes {
            Some(bytes) if bytes < largest => Err(format!(
                "--bytes {} is less than one I/O of {}: it must be {} at least",
                ByteSize(bytes).words(),
                ByteSize(largest).words(),
                ByteSize(largest).words()
            )),
            _ => Ok(()),
        }
    }

    fn of(settled: &'a Settled, around: &Environment) -> Result<Self, String> {
        let asked = &settled.asked;
        let mapped = around.settings.engine == Some(EngineChoice::Named(EngineKind::Mmap));
        if mapped && asked.caching == Some(Caching::Direct) {
            return Err(
                "--engine mmap goes through the page cache: leave --cache direct out".to_owned(),
            );
        }
        let load = Self {
            asked,
            data: &settled.data,
            seed: settled.seed,
            order: asked.order.unwrap_or(Order::Random),
            operations: asked.operations.unwrap_or(Operations::Reads),
            sizes: asked.sizes.clone().unwrap_or(BlockSizes::One(BLOCK)),
            depth: asked.depth.unwrap_or(1),
            threads: asked.threads.unwrap_or(1),
            caching: match asked.caching {
                _ if mapped => Caching::Buffered,
                caching => caching.unwrap_or(Caching::Direct),
            },
            durable: asked.durable.unwrap_or(Durable::No),
            mapped,
            source: source(settled, around)?,
        };
        load.check()?;
        load.check_verification(around)?;
        sectors::check(load.asked, &load.sizes, load.caching)?;
        Ok(load)
    }

    /// Options that would have no effect on this load.
    fn check(&self) -> Result<(), String> {
        let asked = self.asked;
        let reads = self.operations == Operations::Reads;
        let sequential = self.order == Order::Sequential;
        let shuffled = asked.places == Some(Places::Shuffled);
        let problem = if reads && !matches!(self.durable, Durable::No) {
            "--durable (or --sync, --fsync, --fdatasync) is for loads that write: --rw randwrite"
        } else if reads && asked.data.is_some() {
            "--data (or --zero_buffers, --buffer_pattern) is for loads that write: --rw randwrite"
        } else if sequential && asked.places.is_some() {
            "--dist is for random loads: --rw randread"
        } else if sequential && asked.align.is_some() {
            "--align is for random loads: --rw randread"
        } else if shuffled && !matches!(self.sizes, BlockSizes::One(_)) {
            "--dist shuffled goes over blocks of one size: --bs 4k"
        } else if !sequential && !shuffled && asked.limits.passes.is_some() {
            "--passes is for loads that go over the range: --rw read, or --dist shuffled; --bytes \
             and --ops end others"
        } else if self.limited() && asked.limits.cooldown.is_some_and(|time| !time.is_zero()) {
            "--cooldown is for loads that end by --duration alone"
        } else if !asked.workload.is_empty() {
            "--generation, --machine, --sql-flush, --transfer, --stripes, --compression, \
             --db-size and --maxdop are for profiles (iogauge profiles lists them)"
        } else {
            return Ok(());
        };
        Err(problem.to_owned())
    }

    /// What can be verified.
    fn check_verification(&self, around: &Environment) -> Result<(), String> {
        let keeps_nothing = |engine: &EngineChoice| match engine {
            EngineChoice::Auto => false,
            EngineChoice::Named(kind) => !kind.capabilities().uses_files,
            EngineChoice::Simulated(_) => true,
        };
        if !self.verifies() {
            return Ok(());
        }
        if *self.data != Data::Random {
            return Err(
                "--verify fills what is written itself: leave --data (or --zero_buffers, \
                 --buffer_pattern, IOGAUGE_DATA) out"
                    .to_owned(),
            );
        }
        if around.settings.engine.as_ref().is_some_and(keeps_nothing) {
            return Err(
                "--verify needs a real target: engines null and sim keep no data".to_owned(),
            );
        }
        let entries = match &self.sizes {
            BlockSizes::One(bytes) => vec![*bytes],
            BlockSizes::Weighted { read, write } => {
                let all = read.iter().chain(write);
                all.map(|entry| entry.bytes).collect()
            }
        };
        match entries.iter().find(|bytes| !bytes.is_multiple_of(512)) {
            Some(bytes) => Err(format!(
                "--verify needs blocks of whole sectors, multiples of 512 bytes: --bs {bytes} is \
                 none"
            )),
            None => Ok(()),
        }
    }

    fn verifies(&self) -> bool {
        self.asked.verify == Some(true)
    }

    /// True if something else than a time ends it.
    fn limited(&self) -> bool {
        let Limits {
            bytes,
            operations,
            passes,
            ..
        } = self.asked.limits;
        bytes.is_some() || operations.is_some() || passes.is_some()
    }

    /// Bytes of a new file: what memory could hold measures memory.
    fn size(&self, around: &Environment) -> u64 {
        match self.caching {
            Caching::Direct => SIZE,
            Caching::Buffered => around.machine.memory.saturating_mul(2).max(SIZE),
        }
    }

    fn content(&self) -> Content {
        match self.data {
            _ if self.verifies() => Content::Verifiable,
            Data::Zeros => Content::Zeros,
            Data::Pattern => Content::BytePattern,
            Data::Random | Data::File(_) => Content::Random,
        }
    }

    /// A target with the part of it that is used.
    fn target(&self, place: &Place, extent: Extent) -> Result<Target, String> {
        let base = self.asked.offset.unwrap_or(0);
        let left = extent.end.saturating_sub(base);
        let label = &place.label;
        let words = |bytes| ByteSize(bytes).words();
        let length = self.asked.region.unwrap_or(left);
        if length > left {
            return Err(format!(
                "--region {} is more than {label} has from --offset on: {}",
                words(length),
                words(left)
            ));
        }
        let block = self.sizes.largest();
        if length < u64::from(block) {
            return Err(format!(
                "the used range of {label} is {}, less than one I/O of {}",
                words(length),
                words(block.into())
            ));
        }
        if let Some(Places::Drawn(Distribution::Absolute(zones))) = &self.asked.places
            && let Some(behind) = zones.iter().find(|zone| zone.from >= length)
        {
            return Err(format!(
                "--dist: the used range of {label} is {}, so that the zone from {} on is behind \
                 its end",
                words(length),
                words(behind.from)
            ));
        }
        Ok(Target {
            label: label.clone(),
            path: place.path.clone(),
            base,
            end: Some(base + length),
            planned_size: Some(extent.end),
            access: match self.operations {
                Operations::Reads => Access::Read,
                Operations::Writes => Access::Write,
                Operations::Mixed { .. } => Access::ReadWrite,
            },
            caching: self.caching,
            durability: match self.durable {
                Durable::Dsync => Durability::Dsync,
                Durable::Sync => Durability::Sync,
                Durable::No | Durable::Every { .. } | Durable::End => Durability::None,
            },
            remote_only: false,
            mapped: self.mapped.then_some(MappedFlush::Never),
            hints: Hints::default(),
            priority: Priority::Normal,
            huge_pages: false,
            opening: Opening::AtLeast(0),
        })
    }

    /// One group for each target.
    fn groups(&self, targets: &[Target]) -> Vec<WorkerGroup> {
        let workers = u64::from(self.threads) * targets.len() as u64;
        let pacing = pacing(self.asked.pace, workers);
        let group = |(index, target): (usize, &Target)| WorkerGroup {
            name: if targets.len() > 1 {
                target.label.clone()
            } else {
                String::new()
            },
            workers: self.threads,
            affinity: match &self.asked.cpus {
                None => Affinity::None,
                Some(cpus) => Affinity::List(cpus.clone()),
            },
            streams: vec![self.stream(index, pacing.clone())],
            dispatch: Dispatch::PerStream,
        };
        targets.iter().enumerate().map(group).collect()
    }

    fn stream(&self, target: usize, pacing: Pacing) -> Stream {
        Stream {
            target: TargetIndex(target),
            pattern: self.pattern(),
            mix: OperationMix {
                write_percent: self.operations.write_percent(),
                flush: match self.durable {
                    Durable::Every { writes, data_only } => {
                        FlushPolicy::Every { writes, data_only }
                    }
                    Durable::End => FlushPolicy::AtEnd { data_only: false },
                    Durable::No | Durable::Dsync | Durable::Sync => FlushPolicy::Never,
                },
            },
            sizes: self.sizes.clone(),
            queue_depth: self.depth,
            pacing,
            payload: match self.data {
                _ if self.operations == Operations::Reads => Payload::Random,
                Data::Random => Payload::Stamped,
                Data::Zeros => Payload::Zeros,
                Data::Pattern => Payload::BytePattern,
                Data::File(path) => Payload::Source {
                    size: self.source.unwrap_or(0),
                    file: Some(path.clone()),
                },
            },
            assembly: Assembly::Whole,
            copies: None,
        }
    }

    fn pattern(&self) -> AccessPattern {
        let smallest = u64::from(smallest(&self.sizes));
        match self.order {
            Order::Random => {
                let alignment = self.asked.align.unwrap_or(smallest);
                match &self.asked.places {
                    Some(Places::Shuffled) => AccessPattern::Shuffled { alignment },
                    Some(Places::Drawn(distribution)) => AccessPattern::Random {
                        alignment,
                        distribution: distribution.clone(),
                    },
                    None => AccessPattern::Random {
                        alignment,
                        distribution: Distribution::Uniform,
                    },
                }
            }
            Order::Sequential if self.threads == 1 => AccessPattern::Sequential {
                stride: u64::from(self.sizes.largest()),
                worker_offset: 0,
            },
            // Threads that all walked the whole range would read what another has just read.
            Order::Sequential => AccessPattern::Regions {
                alignment: smallest,
            },
        }
    }

    fn span(&self, targets: Vec<Target>, groups: Vec<WorkerGroup>) -> TimeSpan {
        let limits = self.asked.limits;
        let limited = self.limited();
        let unless_limited = |default: Duration| (!limited).then_some(default);
        TimeSpan {
            name: String::new(),
            pause_before: Duration::ZERO,
            warmup: limits
                .warmup
                .or(unless_limited(WARMUP))
                .unwrap_or(Duration::ZERO),
            stop: Stop {
                after: limits
                    .duration
                    .or(unless_limited(asked::longest(limits.steady))),
                bytes: limits.bytes,
                operations: limits.operations,
                passes: limits.passes,
                steady: limits.steady,
                fuse: self.asked.fuse.clone(),
            },
            cooldown: limits.cooldown.unwrap_or(Duration::ZERO),
            counting: if limited || self.durable == Durable::End {
                Counting::DrainAndCount
            } else {
                Counting::CompletedInWindow
            },
            interval: asked::interval(self.asked),
            targets,
            groups,
            sequence: None,
            visits: None,
            generator: Generator::Xoshiro { seed: self.seed },
            polling: Polling::Interrupt,
            throttle_sleep: ThrottleSleep::UntilDue,
            initiation: false,
            whole_milliseconds: false,
            verify: self.verifies(),
        }
    }
}

/// The smallest I/O.
fn smallest(sizes: &BlockSizes) -> u32 {
    match sizes {
        BlockSizes::One(bytes) => *bytes,
        BlockSizes::Weighted { read, write } => {
            let bytes = read.iter().chain(write).map(|entry| entry.bytes);
            bytes.min().unwrap_or(BLOCK)
        }
    }
}

/// Bytes of the file that writes are taken from.
fn source(settled: &Settled, around: &Environment) -> Result<Option<u64>, String> {
    let Data::File(path) = &settled.data else {
        return Ok(None);
    };
    let largest = settled
        .asked
        .sizes
        .as_ref()
        .map_or(BLOCK, BlockSizes::largest);
    match around.files.size(path) {
        Some(size) if size > 0 => Ok(Some(size.min(SOURCE_MAX).max(largest.into()))),
        _ => Err(format!(
            "--data file:{}: there is no such file, or it is empty",
            shown(path.as_os_str())
        )),
    }
}
