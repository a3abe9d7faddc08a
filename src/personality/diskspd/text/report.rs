//! The text report: the profile, the system, results by time span, grand totals.

use std::io::{self, Write};

use super::{cpu, distribution, form::Form, latency, profile, tables};
use crate::{
    personality::{
        DiskSpdVersion,
        diskspd::{
            profile::{Profile, Target, TimeSpan},
            system,
        },
    },
    report::Renderer,
    results::{Provenance, Results, SpanResult, Stage},
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
    pub(crate) form: Form,
}

impl Renderer for TextReport {
    fn render(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        if let Some(path) = self.missing_source(results) {
            write!(out, "\n\nERROR: Unable to open entropy file '{path}'\n\n")?;
        }
        let command_line = &results.plan.origin.command_line;
        out.write_all(profile::render(&self.profile, command_line, self.form).as_bytes())?;
        out.write_all(self.system(&results.provenance).as_bytes())?;
        for (index, (asked, span)) in self.profile.spans.iter().zip(&results.spans).enumerate() {
            let blank = self.form.before_results();
            writeln!(out, "{blank}Results for timespan {}:\n{STARS}", index + 1)?;
            if span.has_figures() {
                self.render_span(asked, span, results, out)?;
            } else {
                writeln!(out, "{INTERRUPTED}")?;
            }
        }
        if results.spans.len() > 1 {
            writeln!(out, "\n\nTotals:\n{STARS}\n")?;
            tables::grand_totals(results, self.form, out)?;
        }
        Ok(())
    }
}

impl TextReport {
    /// What the version says of the machine: 2.1 only its name and the time.
    fn system(&self, provenance: &Provenance) -> String {
        match self.form.0 {
            DiskSpdVersion::V2_0 => String::new(),
            DiskSpdVersion::V2_1 => system::name_and_start(provenance),
            DiskSpdVersion::V2_2 => system::text(provenance),
        }
    }

    /// The file for write buffers that was not there: the one failure that the original reports
    /// on standard output, before everything else.
    fn missing_source(&self, results: &Results) -> Option<String> {
        let failures = results.spans.iter().zip(&self.profile.spans);
        failures
            .flat_map(|(span, asked)| span.failures.iter().map(move |failure| (failure, asked)))
            .filter(|(failure, _)| failure.stage == Stage::WriteSource)
            .find_map(|(failure, asked)| {
                let concerned = |target: &&Target| {
                    target.source_path.is_some()
                        && failure
                            .target
                            .as_ref()
                            .is_none_or(|label| *label == target.label())
                };
                let target = asked.targets.iter().find(concerned)?;
                target.source_path.as_ref()
            })
            .map(|path| path.to_string_lossy().into_owned())
    }

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
        let machine = &results.provenance.machine;
        if self.form.is_before_2_2() {
            writeln!(out, "proc count:\t\t{}", machine.cpus.len())?;
        }
        writeln!(out)?;
        cpu::table(machine, &span.cpus, self.form, out)?;
        out.write_all(distribution::effective(asked, span).as_bytes())?;
        tables::operations(asked, span, self.form, out)?;
        if asked.measure_latency {
            latency::charts(span, self.form, out)?;
        }
        if self.profile.verbose_stats {
            tables::waits(span, out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
