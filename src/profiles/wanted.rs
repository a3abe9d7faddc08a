//! What a workload is resolved for: the machine, and what options say.

use std::time::Duration;

use serde::Deserialize;

use crate::host::Machine;

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
    /// Bytes of each data file (of the smallest), where it is not to be the workload's own size:
    /// `--size`, or what a file that is there has. Parts of a file are counted from it.
    pub data_size: Option<u64>,
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

impl<'a> Wanted<'a> {
    /// Nothing but a machine: the workload's own numbers on it, for 30 seconds.
    pub fn on(machine: &'a Machine) -> Self {
        Self {
            machine,
            max_dop: None,
            generation: Generation::Table,
            flush: SqlFlush::Fua,
            transfer: None,
            stripes: None,
            compression: 1.0,
            rate: None,
            queue_depth: None,
            threads: None,
            data_files: 1,
            data_size: None,
            log_sector: 512,
            warmup: Duration::from_secs(5),
            duration: Duration::from_secs(30),
            interval: Duration::from_secs(1),
            seed: 0,
        }
    }
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Generation {
    /// The operations table of the paper.
    #[default]
    #[serde(rename = "table")]
    Table,
    /// SQL Server 2005 to 2014: writes of up to 256 KiB.
    #[serde(rename = "2008")]
    Sql2008,
    /// SQL Server 2016 and later: writes of up to 1 MiB, indirect checkpoints.
    #[serde(rename = "2016")]
    Sql2016,
}

impl Generation {
    /// As it is typed.
    pub fn word(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Sql2008 => "2008",
            Self::Sql2016 => "2016",
        }
    }
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
