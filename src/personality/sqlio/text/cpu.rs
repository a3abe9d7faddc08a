//! The table of CPU use (`-U`): all CPUs together, and each of them where that is asked for.

use std::{
    io::{self, Write},
    time::Duration,
};

use crate::{
    host::CpuUse,
    personality::sqlio::load::CpuTable,
    results::{CpuPercent, per_second},
};

/// Columns of the labels.
const LABEL: usize = 21;

/// A row of the table.
type Share = fn(&CpuPercent) -> f64;

/// Writes the table.
pub(super) fn table(
    cpus: &[CpuUse],
    table: CpuTable,
    measured: Duration,
    out: &mut dyn Write,
) -> io::Result<()> {
    let each: &[CpuUse] = match table {
        CpuTable::Together => &[],
        CpuTable::Each => cpus,
    };
    write!(out, "{:<LABEL$} {:>10}", "ProcessorNumber:", "ALL")?;
    for cpu in each {
        write!(out, " {:>10}", cpu.number)?;
    }
    writeln!(out)?;
    let rows: [(&str, Share); 5] = [
        ("DPCTime(%):", |cpu| cpu.deferred),
        ("InterruptTime(%):", |cpu| cpu.interrupt),
        ("PrivilegedTime(%):", |cpu| cpu.kernel),
        ("ProcessorTime(%):", |cpu| cpu.usage),
        ("UserTime(%):", |cpu| cpu.user),
    ];
    let all = CpuPercent::mean(cpus);
    let percent: Vec<CpuPercent> = each.iter().map(CpuPercent::of).collect();
    for (label, value) in rows {
        let values = std::iter::once(&all).chain(&percent).map(value);
        row(out, label, values)?;
    }
    let count: u64 = cpus.iter().map(|cpu| cpu.interrupts).sum();
    let counts = std::iter::once(count).chain(each.iter().map(|cpu| cpu.interrupts));
    let rates = counts.map(|count| per_second(count, measured));
    row(out, "Interrupts/sec:", rates)
}

fn row(out: &mut dyn Write, label: &str, values: impl Iterator<Item = f64>) -> io::Result<()> {
    write!(out, "{label:<LABEL$}")?;
    for value in values {
        write!(out, " {value:>10.2}")?;
    }
    writeln!(out)
}
