//! The lines behind the load: rates, CPU use, latencies.

use std::io::{self, Write};

use super::cpu;
use crate::{
    personality::sqlio::{
        figures::{self, Figures},
        load::Load,
        lost::Lost,
    },
    report::Renderer,
    results::Results,
};

/// The figures of a load. Nothing is printed where these would mislead.
#[derive(Debug, Clone)]
pub(in crate::personality::sqlio) struct TextReport {
    /// What was asked for.
    pub(in crate::personality::sqlio) load: Load,
    /// What of the first half could not be shown.
    pub(in crate::personality::sqlio) lost: Lost,
}

impl Renderer for TextReport {
    fn render(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        self.figures(results, out)?;
        self.lost.told()
    }
}

impl TextReport {
    fn figures(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        let Some(span) = figures::shown(results) else {
            return Ok(());
        };
        let figures = Figures::of(span);
        writeln!(out, "CUMULATIVE DATA:\nthroughput metrics:")?;
        writeln!(out, "IOs/sec: {}", figures.ios_per_second)?;
        writeln!(out, "MBs/sec: {}", figures.mibs_per_second)?;
        if let Some(table) = self.load.cpu_table {
            cpu::table(&span.cpus, table, span.measured, out)?;
        }
        let Some(timing) = self.load.timing else {
            return Ok(());
        };
        writeln!(out, "latency metrics:")?;
        if timing.initiation {
            range(out, "Init_Latency(us)", figures.initiation_us)?;
        }
        range(out, "Latency(ms)", figures.latency_ms)?;
        write!(out, "histogram:\nms:")?;
        for label in 0..figures.percent.len() - 1 {
            // Its heading is a character longer than that of the row below.
            write!(out, "{label:2} ")?;
        }
        write!(out, "24+\n%:")?;
        for percent in figures.percent {
            write!(out, " {percent:2}")?;
        }
        writeln!(out)
    }
}

fn range(out: &mut dyn Write, what: &str, [min, avg, max]: [u64; 3]) -> io::Result<()> {
    writeln!(
        out,
        "Min_{what}: {min}\nAvg_{what}: {avg}\nMax_{what}: {max}"
    )
}
