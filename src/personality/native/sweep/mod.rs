//! `iogauge sweep`: one load again and again with ever more of something; where more of it brings no
//! more, and the most of it that keeps a limit of latency.
//!
//! [`axis`] says what is varied, [`points`] makes a time span of each value, [`edge`] searches between
//! them, [`measured`] reads the results; the rest puts them into words.

mod asked;
mod axis;
mod edge;
mod estimate;
mod limit;
mod measured;
mod points;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod words;

use super::{commands::sweep::SweepArgs, observer, verdict};
use crate::{
    personality::{Environment, Job, UsageError},
    results::{Observer, Silent},
};
pub(super) use estimate::follows;
use points::Points;
use text::Report;

/// The job of a line of `sweep`. `around` has heard its options already.
///
/// # Errors
/// What is wrong with the line, with the option or word as typed.
pub(super) fn job(args: &SweepArgs, around: &Environment, line: &str) -> Result<Job, UsageError> {
    let points = Points::new(args, around, line)?;
    let planned = points.plan()?;
    let mut warnings = planned.warnings.clone();
    let observer: Box<dyn Observer> = if around.settings.quiet {
        Box::new(Silent)
    } else {
        warnings.extend(estimate::sentence(
            &planned.plan,
            points.asked(),
            points.edge(),
        ));
        observer::watch(&planned.plan, around.live)
    };
    let report = Report::new(points.asked().clone(), &planned, around.form);
    Ok(Job {
        plan: planned.plan,
        warnings,
        next: points.next(),
        observer,
        report: Box::new(report),
        verdict: verdict::verdict,
    })
}
