//! Counting while a run goes on: latency histograms, interval series, errors. Everything merges
//! by `+=`, associatively.

mod intervals;
mod latency;
mod milliseconds;
mod moments;
mod stats;

pub use intervals::{Interval, IntervalSeries};
pub use latency::Latency;
pub use milliseconds::WholeMilliseconds;
pub use stats::OperationStats;
