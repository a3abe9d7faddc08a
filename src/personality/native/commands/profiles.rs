//! `iogauge profiles`: its options.

use clap::Args;

/// Options of `profiles`.
#[derive(Debug, Clone, PartialEq, Default, Args)]
pub struct ProfilesArgs {
    /// A workload, to see it whole; sqlserver shows the table of SQL Server's I/O
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// As JSON: plain bytes and milliseconds, with the unit in the key
    #[arg(long)]
    pub json: bool,
    /// Another machine's facts: lp=32,numa=2,sock=2,soft=4 [default: this machine's]
    /// [variable: IOGAUGE_MACHINE]
    #[arg(long, value_name = "FACTS")]
    pub machine: Option<String>,
    /// Sizes of SQL Server's writes: table (of the operations paper), 2008 (2005 to 2014), 2016
    /// [default: table]
    #[arg(long, value_name = "WHICH")]
    pub generation: Option<String>,
    /// Threads of one query [default: the guideline for the machine]
    #[arg(long, value_name = "N")]
    pub maxdop: Option<String>,
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
    /// Transactions, commits or I/Os a second: 5000, or 5000,poisson
    #[arg(long, value_name = "N")]
    pub rate: Option<String>,
    /// I/Os in flight of each thread [default: the profile's]
    #[arg(long, value_name = "N")]
    pub qd: Option<String>,
    /// Threads [default: the profile's]
    #[arg(long, value_name = "N")]
    pub threads: Option<String>,
}
