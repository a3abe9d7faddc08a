//! Workloads with a name: where their numbers come from, and what they come to on this machine.
//!
//! A [`Profile`] is a TOML file, embedded here or in the user's configuration folder. [`Profile::resolve`]
//! turns it into time spans over files that have a [`Role`] instead of a path; whoever asked gives
//! them paths.

use std::time::Duration;

use crate::{
    host::Machine,
    plan::{Direction, TimeSpan},
};

/// What a file of a workload is to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Its pages.
    Data,
    /// Its log.
    Log,
    /// A backup of it.
    Backup,
}

/// What a workload is resolved for.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// The machine whose CPUs, nodes and sockets count.
    pub machine: &'a Machine,
    /// `--maxdop`: workers of one query, instead of the guideline's.
    pub max_dop: Option<u32>,
    /// `--generation`.
    pub generation: Generation,
    /// `--sql-flush`.
    pub flush: SqlFlush,
    /// `--transfer`: bytes of a backup's I/O.
    pub transfer: Option<u32>,
    /// `--stripes`: backup files, each with a writer of its own.
    pub stripes: Option<u32>,
    /// `--compression`: bytes of the backup for each byte of data, above 0, at most 1.
    pub compression: f64,
    /// `--rate`: transactions (or I/Os) a second, over all workers.
    pub rate: Option<Rate>,
    /// `--qd`: I/Os outstanding in each worker, instead of the profile's.
    pub queue_depth: Option<u32>,
    /// `--threads`: workers, instead of the profile's.
    pub threads: Option<u32>,
    /// Files of data that were named; threads are dealt to them in turn.
    pub data_files: u32,
    /// Bytes of a logical sector under the log.
    pub log_sector: u32,
    /// `--warmup`.
    pub warmup: Duration,
    /// `--duration`.
    pub duration: Duration,
    /// `--interval`.
    pub interval: Duration,
    /// `--seed`.
    pub seed: u64,
}

/// An open-loop rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// A second, over all workers.
    pub per_second: f64,
    /// Exponential distances instead of equal ones.
    pub poisson: bool,
}

/// Whose sizes a SQL Server workload has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generation {
    /// The operations table of the paper.
    #[default]
    Table,
    /// SQL Server 2005 to 2014: writes of up to 256 KiB.
    Sql2008,
    /// SQL Server 2016 and later: writes of up to 1 MiB, indirect checkpoints.
    Sql2016,
}

/// How SQL Server on Linux makes writes durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SqlFlush {
    /// `O_DIRECT` and `O_DSYNC`.
    #[default]
    Fua,
    /// `O_DIRECT`, and `fdatasync` after each batch.
    FdataSync,
}

/// A workload for one machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// Its name: `sqlserver/checkpoint`.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// The files that it needs, in the order of the time spans' targets.
    pub files: Vec<NeededFile>,
    /// What is run. Target i is `files[i]`, with everything but label and path.
    pub spans: Vec<TimeSpan>,
    /// The numbers that were resolved, as title and text: "threads", "16 (MAXDOP of 32 logical CPUs ...)".
    pub numbers: Vec<(String, String)>,
    /// What is assumed or lost, a sentence each.
    pub notes: Vec<String>,
    /// What its figures are judged by.
    pub marks: Vec<Mark>,
    /// A question that its figures answer in a sentence.
    pub question: Question,
}

/// A file that a workload needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeededFile {
    /// What it is.
    pub role: Role,
    /// Its number among those of its role, from 0.
    pub number: u32,
    /// Bytes, where nobody says otherwise.
    pub size: u64,
    /// Bytes below which the workload has no meaning.
    pub size_min: u64,
}

/// What a latency is judged by, in milliseconds of the mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// The group of workers that it judges, by [`crate::plan::WorkerGroup::name`].
    pub group: String,
    /// Reads or writes of it.
    pub direction: Direction,
    /// At most this is good.
    pub good_ms: f64,
    /// At most this is acceptable.
    pub acceptable_ms: f64,
    /// At most this is slow; more is bad.
    pub slow_ms: f64,
    /// A percentile that must stay below a limit, where the workload has one: fraction and
    /// milliseconds.
    pub percentile: Option<(f64, f64)>,
    /// Where the numbers come from.
    pub source: String,
}

/// What the figures of a workload answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Nothing but figures.
    None,
    /// How long a scan, backup, restore or check of a database of some size takes.
    Throughput,
    /// Whether latencies keep the marks at the rate that was asked, or the highest rate that does.
    Marks,
    /// Yes or no: is a percentile of the flush (or write) below its limit?
    Limit,
}
