//! What happened: the same tree as the plan, index for index.
//!
//! Only observed values are stored; totals, rates and percentiles are methods. Renderers lay out
//! and do no arithmetic.

pub mod compare;
mod condition;
pub mod curve;
mod demand;
mod event;
mod figures;
mod fill;
mod repetitions;
mod rows;
mod segment;
pub mod statistics;
mod steadiness;
mod steady;
#[cfg(test)]
pub(crate) mod testing;
mod tree;
mod verification;
mod visits;

pub use condition::{Blown, figure, time_needed};
pub use curve::LoadFigures;
pub use demand::{Demand, Felt};
pub use event::{Asked, Event, Limit, Observer, Silent, steady_clock, wall_clock};
pub use figures::{
    CpuPercent, GrandTotals, PointFigures, Rates, SeriesPoint, Summary, mib_per_second,
    milliseconds, per_second, series,
};
pub use fill::Filled;
// The types of the tree's figures, for those who lay them out.
pub use crate::measure::{Interval, IntervalSeries, Latency, OperationStats, WholeMilliseconds};
pub use repetitions::{Repeated, RepeatedRow, Spread};
pub use rows::{FailedAlike, LatencyFigures, Pace, Row, failed_alike, percentile_ms, rows_of};
pub use segment::{IntervalFigures, Segment, WorkerShare};
pub use steadiness::{Course, Steadiness, rate};
pub use steady::{Apart, Settled, WindowFigures};
pub use tree::{
    EffectiveRange, EndReason, Failure, Finding, Number, OperationKind, Outcome, Prepared,
    Provenance, Results, Severity, SpanResult, Stage, StreamResult, Subject, TargetResult, Waits,
    WorkerResult,
};
pub use verification::{BAD_BLOCKS_KEPT, Bad, BadBlock, Kind, ReadBack, SECTOR, Verification};
pub use visits::{Knee, Slow, VisitFigures, knee, levelled_off};
