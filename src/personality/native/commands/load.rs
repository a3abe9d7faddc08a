//! The options that say what a load is, as typed; `run` and `versus` have them.

use clap::Args;

use super::{fio::FioArgs, workload::WorkloadArgs};

/// Options of a load.
#[derive(Debug, Clone, PartialEq, Default, Args)]
#[command(next_help_heading = "Load", allow_negative_numbers = true)]
pub struct LoadArgs {
    /// Size of each test file that is made; of an existing file or a device the length of the part
    /// that is used, from --offset on
    /// [default: an existing target's own size, else 4 GiB; buffered: 2 x memory]
    #[arg(long, value_name = "SIZE")]
    pub size: Option<String>,
    /// read, write, readwrite (sequential), randread, randwrite, randrw [default: randread]
    #[arg(long, value_name = "PATTERN")]
    pub rw: Option<String>,
    /// Reads to writes of randrw (the default with this option) and readwrite [default: 70:30]
    #[arg(long, value_name = "R:W")]
    pub mix: Option<String>,
    /// Size of an I/O, or sizes with weights: 4k:60,64k:40; apart for reads and writes:
    /// r=8k,w=4k:60,w=64k:40 [default: 4k]
    #[arg(long, value_name = "SIZE")]
    pub bs: Option<String>,
    /// Outstanding I/Os of each thread [default: 1]
    #[arg(long, value_name = "N")]
    pub qd: Option<String>,
    /// Threads, for each target; sequential ones each walk a part of their own [default: 1]
    #[arg(long, value_name = "N")]
    pub threads: Option<String>,
    /// Measured time [default: 30s, or none with --bytes, --ops or --passes]
    #[arg(long, value_name = "TIME")]
    pub duration: Option<String>,
    /// Load before the measured time [default: 5s, or none with --bytes, --ops or --passes]
    #[arg(long, value_name = "TIME")]
    pub warmup: Option<String>,
    /// Load after the measured time [default: 0s]
    #[arg(long, value_name = "TIME")]
    pub cooldown: Option<String>,
    /// Ends after this many bytes; of several limits the first reached ends
    #[arg(long, value_name = "SIZE")]
    pub bytes: Option<String>,
    /// Ends after this many I/Os
    #[arg(long, value_name = "N")]
    pub ops: Option<String>,
    /// Ends after so many passes over the range, of a sequential or shuffled load
    #[arg(long, value_name = "N")]
    pub passes: Option<String>,
    /// Ends as soon as the load is steady: the last five windows (WINDOW each, 10s) of I/Os a second
    /// have a range of at most 20 % and a slope of at most 10 % of their mean. The figures are of
    /// these windows; --duration is the longest that it may take [default with it: 1h]
    #[arg(
        long,
        value_name = "WINDOW,range=%,slope=%",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10s"
    )]
    pub until_steady: Option<String>,
    /// Ends early, with exit code 4, as soon as an interval's figures meet this: p99>50ms,
    /// write.mean>5ms, iops<1000, throughput<200MiB/s; may repeat
    #[arg(long, value_name = "CONDITION")]
    pub stop_if: Vec<String>,
    /// Where random I/Os go: uniform; shuffled (every block once, then again in another order);
    /// zipf:0.99, pareto:0.2 (80 % of them at 20 % of the places), both scattered; normal:10 (deviation
    /// in percent of the range); hot:90/10 (90 % in the first 10 % of the range) or hot:90/1G;
    /// zones:60/10:30/20:10/rest [default: uniform]
    #[arg(long, value_name = "WHERE")]
    pub dist: Option<String>,
    /// Open loop: I/Os arrive at this rate a second, all threads together, and latency counts from
    /// when they were due; 5000,poisson for chance distances. With a unit of bytes (10m) it is
    /// fio's --rate: at most so many bytes a second of each thread
    #[arg(long, value_name = "IOPS[,poisson]")]
    pub rate: Option<String>,
    /// Closed loop: never more than this, all threads together: 5000 I/Os, or 200MiB/s
    #[arg(long, value_name = "IOPS|SIZE/s")]
    pub cap: Option<String>,
    /// Pause of each thread, from when an I/O, or all I/Os of a burst, have completed
    #[arg(long, value_name = "TIME")]
    pub think: Option<String>,
    /// I/Os between two pauses of --think [default: 1]
    #[arg(long, value_name = "N")]
    pub burst: Option<String>,
    /// direct (past the page cache) or buffered [default: direct]
    #[arg(long, value_name = "HOW")]
    pub cache: Option<String>,
    /// When a write is durable: no, dsync (each write), sync (with metadata), fsync:N, fdatasync:N
    /// (a flush after every N writes), end (one flush at the end, in the measured time)
    /// [default: no]
    #[arg(long, value_name = "WHEN")]
    pub durable: Option<String>,
    /// What is written: random (no two writes alike), zeros, pattern, file:PATH [default: random]
    /// [variable: IOGAUGE_DATA]
    #[arg(long, value_name = "WHAT")]
    pub data: Option<String>,
    /// Hold what is read against what was written, in the load and once more after it: lost, torn,
    /// misdirected, stale and flipped blocks are told apart (exit code 5). fio's methods are taken,
    /// and the method is always our own
    #[arg(
        long,
        value_name = "yes|no|METHOD",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "yes"
    )]
    pub verify: Option<String>,
    /// Random offsets are multiples of this [default: the (smallest) --bs]
    #[arg(long, value_name = "SIZE")]
    pub align: Option<String>,
    /// Where the used range begins [default: 0]
    #[arg(long, value_name = "SIZE")]
    pub offset: Option<String>,
    /// Length of the used range [default: to the end]
    #[arg(long, value_name = "SIZE")]
    pub region: Option<String>,
    /// CPUs that threads are bound to, one after the other: 0-3,8
    #[arg(long, value_name = "LIST")]
    pub cpus: Option<String>,
    /// Length of an interval of the time series [default: 1s]
    #[arg(long, value_name = "TIME")]
    pub interval: Option<String>,
    /// Independent repetitions; figures come with their spread [default: 1]
    #[arg(long, value_name = "N")]
    pub repeat: Option<String>,
    /// Nothing is done for so long between two repetitions, so that a device comes to rest [default: 0s]
    #[arg(long, value_name = "TIME")]
    pub pause: Option<String>,
    /// What every command that makes a load has.
    #[command(flatten)]
    pub common: CommonArgs,
    /// What a profile asks.
    #[command(flatten)]
    pub workload: WorkloadArgs,
    /// The same in fio's words.
    #[command(flatten)]
    pub fio: FioArgs,
}

impl LoadArgs {
    /// The options of the load itself that were typed, under any name; not what every load has.
    pub fn typed(&self) -> Vec<&'static str> {
        let given = [
            ("--size", self.size.is_some()),
            ("--rw", self.rw.is_some()),
            ("--mix", self.mix.is_some()),
            ("--bs", self.bs.is_some()),
            ("--qd", self.qd.is_some()),
            ("--threads", self.threads.is_some()),
            ("--duration", self.duration.is_some()),
            ("--warmup", self.warmup.is_some()),
            ("--cooldown", self.cooldown.is_some()),
            ("--bytes", self.bytes.is_some()),
            ("--ops", self.ops.is_some()),
            ("--passes", self.passes.is_some()),
            ("--until-steady", self.until_steady.is_some()),
            ("--stop-if", !self.stop_if.is_empty()),
            ("--dist", self.dist.is_some()),
            ("--rate", self.rate.is_some()),
            ("--cap", self.cap.is_some()),
            ("--think", self.think.is_some()),
            ("--burst", self.burst.is_some()),
            ("--cache", self.cache.is_some()),
            ("--durable", self.durable.is_some()),
            ("--data", self.data.is_some()),
            ("--verify", self.verify.is_some()),
            ("--align", self.align.is_some()),
            ("--offset", self.offset.is_some()),
            ("--region", self.region.is_some()),
            ("--cpus", self.cpus.is_some()),
            ("--interval", self.interval.is_some()),
            ("--repeat", self.repeat.is_some()),
            ("--pause", self.pause.is_some()),
        ];
        let own = given
            .into_iter()
            .filter_map(|(name, given)| given.then_some(name));
        own.chain(self.fio.typed()).collect()
    }
}

/// Options of every command that makes a load.
#[derive(Debug, Clone, PartialEq, Default, Args)]
#[command(next_help_heading = "How it is done")]
pub struct CommonArgs {
    /// auto, psync, io_uring, libaio, mmap, null (no I/O), sim or sim:LAW (a simulated device)
    /// [default: auto] [variable: IOGAUGE_ENGINE]
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Chance begins with this number [default: a fresh one, printed]
    #[arg(long, value_name = "N")]
    pub seed: Option<String>,
    /// Stop at the first I/O error, or continue and count errors [default: stop]
    /// [variable: IOGAUGE_ON_ERROR]
    #[arg(long, value_name = "stop|continue")]
    pub on_error: Option<String>,
    /// Keep test files for the next run; they are removed otherwise, also on Ctrl-C
    #[arg(
        long,
        value_name = "yes|no",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "yes"
    )]
    pub keep: Option<String>,
    /// Consent to destroy the content of this device or foreign file, by its name; may repeat
    /// [variable: IOGAUGE_DESTROY]
    #[arg(long, value_name = "NAME")]
    pub destroy: Vec<String>,
    /// No progress and no notes on standard error [variable: IOGAUGE_QUIET=1]
    #[arg(long, short)]
    pub quiet: bool,
}
