//! What only profiles have: `--generation`, `--machine`, `--sql-flush` ...

use super::Typed;
use crate::{
    host::{Machine, parse_machine},
    personality::native::commands::workload::WorkloadArgs,
    profiles::{Generation, SqlFlush},
    units::size,
};

/// Options of profiles, read.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::personality::native) struct Workload {
    /// `--generation`.
    pub(in crate::personality::native) generation: Option<Generation>,
    /// `--machine`.
    pub(in crate::personality::native) machine: Option<Machine>,
    /// `--sql-flush`.
    pub(in crate::personality::native) flush: Option<SqlFlush>,
    /// `--transfer`.
    pub(in crate::personality::native) transfer: Option<u32>,
    /// `--stripes`.
    pub(in crate::personality::native) stripes: Option<u32>,
    /// `--compression`.
    pub(in crate::personality::native) compression: Option<f64>,
    /// `--db-size`.
    pub(in crate::personality::native) db_size: Option<u64>,
    /// `--maxdop`.
    pub(in crate::personality::native) max_dop: Option<u32>,
}

/// Steps of a backup's transfer size.
const TRANSFER_STEP: u64 = 64 << 10;
/// Its largest.
const TRANSFER_MAX: u64 = 4 << 20;
/// SQL Server takes as many backup files.
const STRIPES_MAX: u32 = 64;
/// The largest MAXDOP that SQL Server takes.
const MAXDOP_MAX: u32 = 32767;

/// Reads them.
pub(in crate::personality::native) fn read(
    args: &WorkloadArgs,
    notes: &mut Vec<String>,
) -> Result<Workload, String> {
    let mut workload = Workload::default();
    for (name, value) in args.typed() {
        workload.take(Typed { name, value }, notes)?;
    }
    Ok(workload)
}

impl Workload {
    /// True if nothing of it was asked.
    pub(in crate::personality::native) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn take(&mut self, typed: Typed<'_>, notes: &mut Vec<String>) -> Result<(), String> {
        match typed.name {
            "--generation" => {
                self.generation = Some(typed.one_of(&[
                    ("table", Generation::Table),
                    ("2008", Generation::Sql2008),
                    ("2016", Generation::Sql2016),
                ])?);
            }
            "--machine" => {
                let machine = parse_machine(typed.value);
                self.machine = Some(machine.map_err(|error| {
                    format!("{}='{}': {error}", typed.name, typed.value.escape_debug())
                })?);
            }
            "--sql-flush" => {
                let known = [("fua", SqlFlush::Fua), ("fdatasync", SqlFlush::FdataSync)];
                self.flush = Some(typed.one_of(&known)?);
            }
            "--transfer" => self.transfer = Some(transfer(typed)?),
            "--stripes" => self.stripes = Some(typed.small(1, STRIPES_MAX)?),
            "--compression" => self.compression = Some(share(typed)?),
            "--db-size" => self.db_size = Some(typed.size(1, notes)?),
            _ => self.max_dop = Some(typed.small(1, MAXDOP_MAX)?),
        }
        Ok(())
    }
}

fn transfer(typed: Typed<'_>) -> Result<u32, String> {
    if let Some(sentence) = typed.doubtful() {
        return Err(sentence);
    }
    size::parse(typed.value, TRANSFER_STEP, TRANSFER_MAX)
        .ok()
        .map(|size| size.bytes)
        .filter(|bytes| bytes.is_multiple_of(TRANSFER_STEP))
        .map(|bytes| bytes as u32)
        .ok_or_else(|| typed.wrong("a multiple of 64k from 64k to 4M"))
}

/// Above 0, at most 1.
fn share(typed: Typed<'_>) -> Result<f64, String> {
    let plain = typed.value.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    typed
        .value
        .parse()
        .ok()
        .filter(|share: &f64| plain && *share > 0.0 && *share <= 1.0)
        .ok_or_else(|| typed.wrong("a share above 0 and at most 1, as in 0.3"))
}
