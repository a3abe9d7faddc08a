//! Checks across fields that hold for every plan, whoever made it.

use thiserror::Error;

use super::{BlockSizes, Plan, TimeSpan};

/// A plan that cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// No time span.
    #[error("the plan has nothing to run")]
    Empty,
    /// A time span without targets or workers.
    #[error("time span {span} has no {what}")]
    Missing {
        /// Its number, from 1.
        span: usize,
        /// "target" or "worker".
        what: &'static str,
    },
    /// A stream names a target that does not exist.
    #[error("time span {span}: a stream names target {target}, but there are {count}")]
    NoSuchTarget {
        /// Its number, from 1.
        span: usize,
        /// The index.
        target: usize,
        /// How many there are.
        count: usize,
    },
    /// A number that must be positive is 0.
    #[error("time span {span}: {what} is 0")]
    Zero {
        /// Its number, from 1.
        span: usize,
        /// Which number.
        what: &'static str,
    },
    /// Nothing ends the measured time.
    #[error("time span {0} has no limit of time, bytes, operations or passes")]
    Endless(usize),
}

/// Checks a plan.
///
/// # Errors
/// The first thing that does not fit.
pub fn validate(plan: &Plan) -> Result<(), PlanError> {
    if plan.spans().next().is_none() && plan.steps.is_empty() {
        return Err(PlanError::Empty);
    }
    for (number, span) in plan.spans().enumerate() {
        validate_span(number + 1, span)?;
    }
    Ok(())
}

fn validate_span(number: usize, span: &TimeSpan) -> Result<(), PlanError> {
    let missing = |what| PlanError::Missing { span: number, what };
    let zero = |what| PlanError::Zero { span: number, what };
    if span.targets.is_empty() {
        return Err(missing("target"));
    }
    if span.worker_count() == 0 {
        return Err(missing("worker"));
    }
    if span.stop == super::Stop::default() {
        return Err(PlanError::Endless(number));
    }
    for group in &span.groups {
        if group.slots() == 0 {
            return Err(zero("queue depth"));
        }
        for stream in &group.streams {
            if stream.target.0 >= span.targets.len() {
                return Err(PlanError::NoSuchTarget {
                    span: number,
                    target: stream.target.0,
                    count: span.targets.len(),
                });
            }
            let smallest = match &stream.sizes {
                BlockSizes::One(size) => *size,
                BlockSizes::Weighted { read, write } => read
                    .iter()
                    .chain(write)
                    .map(|entry| entry.bytes)
                    .min()
                    .unwrap_or(0),
            };
            if smallest == 0 {
                return Err(zero("block size"));
            }
        }
    }
    Ok(())
}
