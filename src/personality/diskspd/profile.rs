//! `DiskSpd`'s own model: what a command line or an XML profile says, before it becomes a plan.
//! The reports echo it.

use std::ffi::OsString;

/// A whole command line or XML profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// `-P`: a dot every so many completions of a thread; 0 is off.
    pub progress: u32,
    /// `-:`: bit mask.
    pub experiment_flags: u32,
    /// `-R`: what is printed.
    pub format: Format,
    /// `-Rp...`: only the profile is printed.
    pub profile_only: bool,
    /// `-v`.
    pub verbose: bool,
    /// `-vs`.
    pub verbose_stats: bool,
    /// XML only.
    pub precreate: Option<Precreate>,
    /// `-e`; `None` is off.
    pub etw: Option<Etw>,
    /// `-y`: named events.
    pub events: Events,
    /// In order.
    pub spans: Vec<TimeSpan>,
}

/// Format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Xml,
}

/// Which files of all time spans are made before the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precreate {
    /// With the largest size that any time span asks for.
    UseMaxSize,
    /// Those for which all time spans ask for the same size.
    OnlyConstantSizes,
    /// Those for which all time spans ask for the same size or none.
    OnlyConstantOrZeroSizes,
}

/// `-e`: what the Windows kernel logger would trace. Kept for the XML profile, no effect here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Etw {
    /// PROCESS
    pub process: bool,
    /// THREAD
    pub thread: bool,
    /// `IMAGE_LOAD`
    pub image_load: bool,
    /// `DISK_IO`
    pub disk_io: bool,
    /// `MEMORY_PAGE_FAULTS`
    pub memory_page_faults: bool,
    /// `MEMORY_HARD_FAULTS`
    pub memory_hard_faults: bool,
    /// NETWORK
    pub network: bool,
    /// REGISTRY
    pub registry: bool,
    /// `-ep`
    pub use_paged_memory: bool,
    /// `-eq`
    pub use_perf_timer: bool,
    /// `-es`
    pub use_system_timer: bool,
    /// `-ec`
    pub use_cycles_counter: bool,
}

/// `-y`: names of events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Events {
    /// `-ys`: signalled when the measured time begins.
    pub started: Option<String>,
    /// `-yf`: signalled when it ends.
    pub finished: Option<String>,
    /// `-yr`: waited for before the threads start.
    pub ready: Option<String>,
    /// `-yp`: ends the run early.
    pub stop: Option<String>,
    /// `-ye`: signalled at once, then the program ends with code 1.
    pub signal_and_quit: Option<String>,
}

/// Load for a time.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeSpan {
    /// `-x`
    pub completion_routines: bool,
    /// `-L`
    pub measure_latency: bool,
    /// `-D`
    pub iops_stddev: bool,
    /// `-n`
    pub disable_affinity: bool,
    /// `-Zr`
    pub random_write_data: bool,
    /// `-d`, seconds
    pub duration: u32,
    /// `-W`, seconds
    pub warmup: u32,
    /// `-C`, seconds
    pub cooldown: u32,
    /// `-F`; 0 is off: threads belong to targets
    pub thread_count: u32,
    /// `-O`; 0 is off
    pub request_count: u32,
    /// `-D`, milliseconds
    pub interval_ms: u32,
    /// `-z`
    pub seed: u32,
    /// `-a`: group and CPU inside it
    pub affinity: Vec<(u16, u8)>,
    /// In order.
    pub targets: Vec<Target>,
}

impl Default for TimeSpan {
    fn default() -> Self {
        Self {
            completion_routines: false,
            measure_latency: false,
            iops_stddev: false,
            disable_affinity: false,
            random_write_data: false,
            duration: 10,
            warmup: 5,
            cooldown: 0,
            thread_count: 0,
            request_count: 0,
            interval_ms: 1000,
            seed: 0,
            affinity: Vec::new(),
            targets: Vec::new(),
        }
    }
}

/// A file, device or template under load.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// As typed; may be no valid UTF-8.
    pub path: OsString,
    /// `-b`
    pub block_size: u32,
    /// `-r -rs -s -si`
    pub pattern: Pattern,
    /// `-rd`
    pub distribution: Option<Distribution>,
    /// `-B`
    pub base: u64,
    /// `-f`, or base plus the length of `-B`; 0 is none
    pub max_size: u64,
    /// `-c`; 0 creates nothing, `None` was not given
    pub create_size: Option<u64>,
    /// `-fs`
    pub sequential_scan: bool,
    /// `-fr`
    pub random_access: bool,
    /// `-ft`
    pub temporary: bool,
    /// `-l`
    pub large_pages: bool,
    /// `-S`: cache
    pub cache: Cache,
    /// `-Sw`
    pub write_through: bool,
    /// `-Sm`
    pub memory_mapped: bool,
    /// `-N`
    pub flush: Option<Flush>,
    /// `-Z`
    pub zero_buffers: bool,
    /// `-Z<size>`; 0 is off
    pub source_size: u64,
    /// `-Z<size>,file`
    pub source_path: Option<OsString>,
    /// `-i`; both this and the think time, or neither
    pub burst_size: Option<u32>,
    /// `-j`, milliseconds
    pub think_time: Option<u32>,
    /// `-g`
    pub throughput: Throughput,
    /// `-t`
    pub threads: u32,
    /// `-o`
    pub request_count: u32,
    /// `-w`, percent
    pub write_ratio: u32,
    /// `-p`
    pub parallel: bool,
    /// `-T`
    pub thread_stride: u64,
    /// `-I`: 1 to 3
    pub priority: u32,
    /// XML only: weight in a thread pool
    pub weight: u32,
    /// XML only: which threads of the pool, with weights
    pub thread_targets: Vec<ThreadTarget>,
}

impl Default for Target {
    fn default() -> Self {
        Self {
            path: OsString::new(),
            block_size: 64 << 10,
            pattern: Pattern::Sequential {
                stride: None,
                interlocked: false,
            },
            distribution: None,
            base: 0,
            max_size: 0,
            create_size: None,
            sequential_scan: false,
            random_access: false,
            temporary: false,
            large_pages: false,
            cache: Cache::Cached,
            write_through: false,
            memory_mapped: false,
            flush: None,
            zero_buffers: false,
            source_size: 0,
            source_path: None,
            burst_size: None,
            think_time: None,
            throughput: Throughput::Unlimited,
            threads: 1,
            request_count: 2,
            write_ratio: 0,
            parallel: false,
            thread_stride: 0,
            priority: 3,
            weight: 1,
            thread_targets: Vec::new(),
        }
    }
}

impl Target {
    /// The path for people.
    pub fn label(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// Stride or alignment in force.
    pub fn alignment(&self) -> u64 {
        let given = match self.pattern {
            Pattern::Sequential { stride, .. } => stride,
            Pattern::Random { alignment, .. } => alignment,
        };
        given.unwrap_or_else(|| u64::from(self.block_size))
    }
}

/// Sequential or random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// `-s`, `-si`
    Sequential {
        /// The stride given; `None` is the block size.
        stride: Option<u64>,
        /// `-si`
        interlocked: bool,
    },
    /// `-r`, `-rs`
    Random {
        /// The alignment given; `None` is the block size.
        alignment: Option<u64>,
        /// `-rs`: percent of random I/Os, 1 to 100.
        percent: u32,
    },
}

/// `-S`: cache mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cache {
    /// `-Sb` and default
    Cached,
    /// `-Su`
    NoOsCache,
    /// `-Sr`
    NoLocalCache,
}

/// `-N`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flush {
    /// `-Nv`
    View,
    /// `-Nn`
    NonVolatile,
    /// `-Ni`
    NonVolatileNoDrain,
}

/// `-g`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throughput {
    /// No limit.
    Unlimited,
    /// Bytes per millisecond.
    BytesPerMs(u32),
    /// I/Os per second.
    Iops(u32),
}

/// `-rd`: the items as given, and the tail that completes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Distribution {
    /// `-rdpct`
    Percent(Vec<DistributionRange>),
    /// `-rdabs`; a length of 0 is "to the end"
    Absolute(Vec<DistributionRange>),
}

/// One item of `-rd`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DistributionRange {
    /// Percent of the I/Os.
    pub io_percent: u32,
    /// Where it begins: percent, or bytes.
    pub from: u64,
    /// Percent, or bytes.
    pub length: u64,
}

/// XML only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadTarget {
    /// Thread number.
    pub thread: u32,
    /// Its weight; 0 takes the target's.
    pub weight: u32,
}
