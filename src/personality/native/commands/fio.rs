//! Options that have fio's names, and then fio's values.

use std::path::PathBuf;

use clap::Args;

/// fio's words for what our own options say. `--size --rw --bs --offset` are written alike in both.
#[derive(Debug, Clone, PartialEq, Default, Args)]
#[command(next_help_heading = "The same in fio's words, with fio's values")]
pub struct FioArgs {
    /// Targets, with colons between
    #[arg(long, value_name = "PATH[:PATH]")]
    pub filename: Option<String>,
    /// The folder of the targets
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub directory: Option<PathBuf>,
    /// --qd
    #[arg(long, value_name = "N")]
    pub iodepth: Option<String>,
    /// --threads
    #[arg(long, value_name = "N")]
    pub numjobs: Option<String>,
    /// --duration, in seconds
    #[arg(long, value_name = "TIME")]
    pub runtime: Option<String>,
    /// --warmup, in seconds
    #[arg(long = "ramp_time", value_name = "TIME")]
    pub ramp_time: Option<String>,
    /// --mix: percent of reads
    #[arg(long, value_name = "PERCENT")]
    pub rwmixread: Option<String>,
    /// --bs with weights: 4k/60:64k/40; reads and writes apart behind a comma
    #[arg(long, value_name = "SIZE/PERCENT:...")]
    pub bssplit: Option<String>,
    /// --dist: random, zipf, pareto, normal, zoned, zoned_abs
    #[arg(long = "random_distribution", value_name = "WHERE")]
    pub random_distribution: Option<String>,
    /// --cap, of each thread
    #[arg(long = "rate_iops", value_name = "IOPS")]
    pub rate_iops: Option<String>,
    /// --think, in microseconds
    #[arg(long, value_name = "TIME")]
    pub thinktime: Option<String>,
    /// --engine: libaio, io_uring, psync, sync, pvsync, mmap, null
    #[arg(long, value_name = "NAME")]
    pub ioengine: Option<String>,
    /// --cache: 1 is direct, 0 is buffered
    #[arg(long, value_name = "0|1")]
    pub direct: Option<String>,
    /// --durable: none, dsync, sync
    #[arg(long, value_name = "WHEN")]
    pub sync: Option<String>,
    /// --durable fsync:N; 0 is never
    #[arg(long, value_name = "N")]
    pub fsync: Option<String>,
    /// --durable fdatasync:N; 0 is never
    #[arg(long, value_name = "N")]
    pub fdatasync: Option<String>,
    /// --data zeros
    #[arg(
        long = "zero_buffers",
        value_name = "0|1",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1"
    )]
    pub zero_buffers: Option<String>,
    /// --data zeros, for a pattern of zeros; other patterns are refused
    #[arg(long = "buffer_pattern", value_name = "0x00")]
    pub buffer_pattern: Option<String>,
    /// --seed
    #[arg(long, value_name = "N")]
    pub randseed: Option<String>,
    /// --on-error: none or all
    #[arg(long = "continue_on_error", value_name = "WHAT")]
    pub continue_on_error: Option<String>,
    /// Without effect: a run has one job
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Without effect: figures are always those of all threads
    #[arg(
        long = "group_reporting",
        value_name = "0|1",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1"
    )]
    pub group_reporting: Option<String>,
    /// Without effect: a load always lasts as long as it is asked to
    #[arg(
        long = "time_based",
        value_name = "0|1",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1"
    )]
    pub time_based: Option<String>,
}

impl FioArgs {
    /// The options that were typed.
    pub fn typed(&self) -> Vec<&'static str> {
        let given = [
            ("--filename", self.filename.is_some()),
            ("--directory", self.directory.is_some()),
            ("--iodepth", self.iodepth.is_some()),
            ("--numjobs", self.numjobs.is_some()),
            ("--runtime", self.runtime.is_some()),
            ("--ramp_time", self.ramp_time.is_some()),
            ("--rwmixread", self.rwmixread.is_some()),
            ("--bssplit", self.bssplit.is_some()),
            ("--random_distribution", self.random_distribution.is_some()),
            ("--rate_iops", self.rate_iops.is_some()),
            ("--thinktime", self.thinktime.is_some()),
            ("--ioengine", self.ioengine.is_some()),
            ("--direct", self.direct.is_some()),
            ("--sync", self.sync.is_some()),
            ("--fsync", self.fsync.is_some()),
            ("--fdatasync", self.fdatasync.is_some()),
            ("--zero_buffers", self.zero_buffers.is_some()),
            ("--buffer_pattern", self.buffer_pattern.is_some()),
            ("--randseed", self.randseed.is_some()),
            ("--continue_on_error", self.continue_on_error.is_some()),
            ("--name", self.name.is_some()),
            ("--group_reporting", self.group_reporting.is_some()),
            ("--time_based", self.time_based.is_some()),
        ];
        given
            .into_iter()
            .filter_map(|(name, given)| given.then_some(name))
            .collect()
    }
}
