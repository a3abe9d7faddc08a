//! What `--debug` adds to the report.

use crate::{
    personality::sysbench::console::{Level, Message},
    results::Segment,
};

/// Times and events of each thread.
pub(super) fn threads(segment: &Segment) -> Vec<Message> {
    let debug = |text: String| Message::new(Level::Debug, text);
    let mut messages = vec![debug("Verbose per-thread statistics:\n".to_owned())];
    for (thread, share) in segment.shares.iter().enumerate() {
        messages.push(debug(format!(
            "    thread #{thread:3}: min: {:.4}s  avg: {:.4}s  max: {:.4}s  events: {}",
            share.min.as_secs_f64(),
            share.mean().as_secs_f64(),
            share.max.as_secs_f64(),
            share.events
        )));
        messages.push(debug(format!(
            "                 total time taken by event execution: {:.4}s",
            share.busy.as_secs_f64()
        )));
    }
    messages.push(Message::verbatim(Level::Debug, ""));
    messages
}
