//! The text report: the profile, the system, results by time span, grand totals.

use std::io::{self, Write};

use super::{cpu, distribution, latency, profile, tables};
use crate::{
    personality::diskspd::{
        profile::{Profile, TimeSpan},
        system,
    },
    report::Renderer,
    results::{Results, SpanResult},
};

/// Seventy-nine stars under the heading of each part.
const STARS: &str =
    "*******************************************************************************";

/// What stands in place of results when the measured time never began.
pub(crate) const INTERRUPTED: &str =
    "The test was interrupted before the measurements began. No results are displayed.";

/// `DiskSpd`'s text report.
#[derive(Debug, Clone)]
pub(crate) struct TextReport {
    pub(crate) profile: Profile,
}

impl Renderer for TextReport {
    fn render(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        let command_line = &results.plan.origin.command_line;
        out.write_all(profile::render(&self.profile, command_line).as_bytes())?;
        out.write_all(system::text(&results.provenance).as_bytes())?;
        for (index, (asked, span)) in self.profile.spans.iter().zip(&results.spans).enumerate() {
            writeln!(out, "\nResults for timespan {}:\n{STARS}", index + 1)?;
            if span.has_figures() {
                self.render_span(asked, span, results, out)?;
            } else {
                writeln!(out, "{INTERRUPTED}")?;
            }
        }
        if results.spans.len() > 1 {
            writeln!(out, "\n\nTotals:\n{STARS}\n")?;
            tables::grand_totals(results, out)?;
        }
        Ok(())
    }
}

impl TextReport {
    fn render_span(
        &self,
        asked: &TimeSpan,
        span: &SpanResult,
        results: &Results,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let seconds = span.measured.as_secs_f64();
        writeln!(out, "\nactual test time:\t{seconds:.2}s")?;
        writeln!(out, "thread count:\t\t{}", span.workers.len())?;
        if asked.thread_count > 0 && asked.request_count > 0 {
            writeln!(out, "request count:\t\t{}", asked.request_count)?;
        }
        writeln!(out)?;
        cpu::table(&results.provenance.machine, &span.cpus, out)?;
        out.write_all(distribution::effective(asked, span).as_bytes())?;
        tables::operations(asked, span, out)?;
        if asked.measure_latency {
            latency::charts(span, out)?;
        }
        if self.profile.verbose_stats {
            tables::waits(span, out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
