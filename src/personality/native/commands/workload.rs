//! Options that a profile of a workload has besides those of every load.

use clap::Args;

/// Options for profiles.
#[derive(Debug, Clone, PartialEq, Default, Args)]
#[command(next_help_heading = "Profiles")]
pub struct WorkloadArgs {
    /// Sizes of SQL Server's writes: table (of the operations paper), 2008 (2005 to 2014), 2016
    /// [default: table]
    #[arg(long, value_name = "WHICH")]
    pub generation: Option<String>,
    /// Another machine's facts: lp=32,numa=2,sock=2,soft=4 [default: this machine's]
    /// [variable: IOGAUGE_MACHINE]
    #[arg(long, value_name = "FACTS")]
    pub machine: Option<String>,
    /// How SQL Server on Linux makes writes durable: fua or fdatasync [default: fua]
    #[arg(long, value_name = "HOW")]
    pub sql_flush: Option<String>,
    /// Size of a backup's I/O, 64k to 4M in steps of 64k [default: the profile's]
    #[arg(long, value_name = "SIZE")]
    pub transfer: Option<String>,
    /// Backup files, each with a thread of its own [default: the profile's]
    #[arg(long, value_name = "N")]
    pub stripes: Option<String>,
    /// Bytes of a backup for each byte of data, above 0 and at most 1 [default: 1]
    #[arg(long, value_name = "SHARE")]
    pub compression: Option<String>,
    /// Say how long a database of this size takes
    #[arg(long, value_name = "SIZE")]
    pub db_size: Option<String>,
    /// Threads of one query [default: the guideline for the machine]
    #[arg(long, value_name = "N")]
    pub maxdop: Option<String>,
}

impl WorkloadArgs {
    /// The options that were typed, with their values.
    pub fn typed(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("--generation", &self.generation),
            ("--machine", &self.machine),
            ("--sql-flush", &self.sql_flush),
            ("--transfer", &self.transfer),
            ("--stripes", &self.stripes),
            ("--compression", &self.compression),
            ("--db-size", &self.db_size),
            ("--maxdop", &self.maxdop),
        ];
        all.into_iter()
            .filter_map(|(name, value)| Some((name, value.as_deref()?)))
            .collect()
    }
}
