//! Which options change something in a workload, and what they may be. One that would change
//! nothing is refused.

use super::{
    Generation, Profile, SqlFlush, Wanted,
    check::THREADS_MAX,
    format::{Copies, Count, Load, Sync, Threads},
};
use crate::units::ByteSize;

/// A step of `--transfer`.
const TRANSFER_STEP: u32 = 64 << 10;
/// `--transfer` at most.
const TRANSFER_MAX: u32 = 4 << 20;
/// Backup files at most: SQL Server takes no more.
const STRIPES_MAX: u32 = 64;
/// `--maxdop` at most, as in SQL Server.
const MAX_DOP_MAX: u32 = 32_767;
/// `--rate` at most.
const RATE_MAX: f64 = 1e8;
/// Data files at most: more than a database may have in one filegroup of any sense.
const FILES_MAX: u32 = 4096;

/// An option that some workloads know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Knob {
    MaxDop,
    Generation(Generation),
    Flush,
    Backup,
    Rate,
    OneGroup,
}

impl Profile {
    /// True if the option changes something.
    fn takes(&self, knob: Knob) -> bool {
        let groups = &self.groups;
        match knob {
            Knob::MaxDop => groups.iter().any(|group| group.threads == Threads::MaxDop),
            Knob::Generation(Generation::Table) => true,
            Knob::Generation(asked) => groups
                .iter()
                .flat_map(|group| &group.variants)
                .any(|variant| variant.generation == asked),
            Knob::Flush => groups
                .iter()
                .flat_map(|group| &group.streams)
                .any(|stream| {
                    let sql = |role| {
                        self.files
                            .iter()
                            .any(|f| f.role == role && f.sync == Sync::Sql)
                    };
                    !stream.write.is_empty() && sql(stream.file)
                }),
            Knob::Backup => {
                let copies = |group: &super::format::GroupSpec| {
                    group.streams.iter().any(|s| s.copies == Copies::Previous)
                };
                groups.iter().any(copies) && self.files.iter().any(|f| f.count == Count::Stripes)
            }
            Knob::Rate => groups.iter().all(|group| group.rate.is_some()),
            Knob::OneGroup => groups.len() == 1,
        }
    }

    /// True if it has a meaning at a rate only: without one the highest rate that keeps the marks
    /// is searched.
    pub fn needs_rate(&self) -> bool {
        self.load == Load::AtRate
    }

    /// True if the run ends after a number of bytes, whatever `--duration` says.
    pub fn ends_by_itself(&self) -> bool {
        self.ends_after.is_some()
    }

    /// The same wishes, without those that would change nothing here: for lists of several
    /// workloads.
    pub fn fitting<'a>(&self, wanted: &Wanted<'a>) -> Wanted<'a> {
        let mut fitting = wanted.clone();
        if !self.takes(Knob::MaxDop) {
            fitting.max_dop = None;
        }
        if !self.takes(Knob::Generation(wanted.generation)) {
            fitting.generation = Generation::Table;
        }
        if !self.takes(Knob::Flush) {
            fitting.flush = SqlFlush::Fua;
        }
        if !self.takes(Knob::Backup) {
            fitting.transfer = None;
            fitting.stripes = None;
            fitting.compression = 1.0;
        }
        if !self.takes(Knob::Rate) {
            fitting.rate = None;
        }
        fitting
    }

    /// # Errors
    /// The first wish that is out of range, or changes nothing here.
    pub(super) fn check_wanted(&self, wanted: &Wanted<'_>) -> Result<(), String> {
        self.check_threads(wanted)?;
        self.check_backup(wanted)?;
        let generation = Knob::Generation(wanted.generation);
        if !self.takes(generation) {
            return Err(self.without(
                &format!("--generation {}", wanted.generation.word()),
                "it has no sizes of its own there",
            ));
        }
        if wanted.flush == SqlFlush::FdataSync && !self.takes(Knob::Flush) {
            return Err(self.without(
                "--sql-flush fdatasync",
                "it writes nothing that SQL Server would flush",
            ));
        }
        self.check_rate(wanted)?;
        in_range("the number of data files", wanted.data_files, 1, FILES_MAX)?;
        let named = |count: Count| matches!(count, Count::Named | Count::Tempdb);
        if wanted.data_files > 1 && !self.files.iter().any(|file| named(file.count)) {
            return Err(format!(
                "{} loads one file of each kind, and {} were named",
                self.name, wanted.data_files
            ));
        }
        if !wanted.log_sector.is_power_of_two() || !(512..=65_536).contains(&wanted.log_sector) {
            return Err(format!(
                "the device under the log has sectors of {} bytes, which is no size of a sector",
                wanted.log_sector
            ));
        }
        Ok(())
    }

    fn check_threads(&self, wanted: &Wanted<'_>) -> Result<(), String> {
        if let Some(max_dop) = wanted.max_dop {
            in_range("--maxdop", max_dop, 1, MAX_DOP_MAX)?;
            if !self.takes(Knob::MaxDop) {
                return Err(self.without("--maxdop", "none of its threads depend on it"));
            }
            if wanted.threads.is_some() {
                return Err(
                    "--maxdop and --threads both say how many threads there are: give one of them"
                        .to_owned(),
                );
            }
        }
        let several = "it has several groups of threads, each with numbers of its own";
        if let Some(threads) = wanted.threads {
            in_range("--threads", threads, 1, THREADS_MAX)?;
            if !self.takes(Knob::OneGroup) {
                return Err(self.without("--threads", several));
            }
        }
        if let Some(depth) = wanted.queue_depth {
            if !self.takes(Knob::OneGroup) {
                return Err(self.without("--qd", several));
            }
            let most = self.groups.first().map_or(1, |group| group.queue_depth_max);
            in_range("--qd", depth, 1, most)
                .map_err(|problem| format!("{problem} for {}", self.name))?;
        }
        Ok(())
    }

    fn check_backup(&self, wanted: &Wanted<'_>) -> Result<(), String> {
        let takes = self.takes(Knob::Backup);
        let other = "it is for sqlserver/backup and sqlserver/restore";
        if let Some(transfer) = wanted.transfer {
            if !takes {
                return Err(self.without("--transfer", other));
            }
            let steps = transfer.is_multiple_of(TRANSFER_STEP);
            if !steps || !(TRANSFER_STEP..=TRANSFER_MAX).contains(&transfer) {
                return Err(format!(
                    "--transfer {transfer}: SQL Server transfers whole multiples of {}, at most {}. \
                     Try --transfer 1M",
                    ByteSize(TRANSFER_STEP.into()),
                    ByteSize(TRANSFER_MAX.into())
                ));
            }
        }
        if let Some(stripes) = wanted.stripes {
            if !takes {
                return Err(self.without("--stripes", other));
            }
            in_range("--stripes", stripes, 1, STRIPES_MAX)?;
        }
        let compression = wanted.compression;
        if !(compression > 0.0 && compression <= 1.0) {
            return Err(format!(
                "--compression {compression}: bytes of the backup for each byte of data, above 0 \
                 and at most 1. Try --compression 0.3"
            ));
        }
        if compression < 1.0 && !takes {
            return Err(self.without("--compression", other));
        }
        Ok(())
    }

    fn check_rate(&self, wanted: &Wanted<'_>) -> Result<(), String> {
        let Some(rate) = wanted.rate else {
            if self.needs_rate() {
                return Err(format!(
                    "{} is a load of so many {unit} a second. Try --rate 1000; without a rate the \
                     highest one that keeps the marks is searched",
                    self.name,
                    unit = self.rate_unit
                ));
            }
            return Ok(());
        };
        if !self.takes(Knob::Rate) {
            return Err(self.without("--rate", "it has no rate: it goes as fast as I/Os complete"));
        }
        if !(rate.per_second > 0.0 && rate.per_second <= RATE_MAX) {
            return Err(format!(
                "--rate {}: {} a second, above 0 and at most {RATE_MAX:.0}",
                rate.per_second, self.rate_unit
            ));
        }
        Ok(())
    }

    fn without(&self, option: &str, why: &str) -> String {
        format!("{option} changes nothing of {}: {why}", self.name)
    }
}

fn in_range(what: &str, value: u32, least: u32, most: u32) -> Result<(), String> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(format!(
            "{what} {value}: a whole number from {least} to {most}"
        ))
    }
}
