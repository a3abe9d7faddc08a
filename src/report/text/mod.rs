//! What texts for people are made of: the form that a terminal or a file wants, numbers, tables,
//! sparklines, wrapped lines. Layout only.

mod form;
mod numbers;
mod page;
mod spark;
mod table;
mod wrap;

pub use form::{Charset, Colour, Form, Surface};
pub use numbers::{
    LatencyUnit, amount, in_milliseconds, milliseconds, percent, span_of_time, whole,
};
pub use page::{Page, sign};
pub use spark::sparkline;
pub use table::{Table, cut};
pub use wrap::{lines, message};
