//! The report after the run: failures, else the figures.

use std::{
    io::{self, Write},
    time::Duration,
};

use super::{block, debug, failures, v10};
use crate::{
    personality::sysbench::{
        console::{Console, Level, Message},
        options::{Action, Dialect, Options},
    },
    report::Renderer,
    results::{
        EndReason, Outcome, Prepared, Results, Segment, SpanResult, Subject, mib_per_second,
    },
};

/// sysbench's report of 0.4 or 1.0.
#[derive(Debug, Clone)]
pub(crate) struct TextReport {
    pub(crate) options: Options,
    /// The observer's.
    pub(crate) console: Console,
}

impl Renderer for TextReport {
    fn render(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        for message in self.messages(results) {
            self.console.say(out, &[message])?;
        }
        self.console.finish(out)
    }
}

impl TextReport {
    fn messages(&self, results: &Results) -> Vec<Message> {
        let failures = results.failures.iter();
        let mut messages: Vec<Message> = failures
            .flat_map(|failure| failures::messages(failure, &self.options))
            .collect();
        for span in &results.spans {
            messages.extend(self.span(span));
        }
        let complete = messages.is_empty() && !results.interrupted();
        if self.options.action == Action::Prepare
            && self.options.dialect == Dialect::V10
            && complete
        {
            messages.push(written(results.prepared));
        }
        messages
    }

    fn span(&self, span: &SpanResult) -> Vec<Message> {
        let left_behind = matches!(
            span.outcome,
            Outcome::EndedEarly(EndReason::LeftBehind)
                | Outcome::NotMeasured(EndReason::LeftBehind)
        );
        let mut messages = Vec::new();
        if left_behind {
            messages.push(self.forced());
        }
        // That workers were left behind is told already.
        let told = |subject| left_behind && subject == Subject::Other;
        let failures = span.failures.iter().filter(|f| !told(f.subject));
        messages.extend(failures.flat_map(|f| failures::messages(f, &self.options)));
        let none = Segment {
            to: span.measured,
            ..Segment::default()
        };
        let segment = span.segments.last().unwrap_or(&none);
        match span.outcome {
            Outcome::Finished | Outcome::EndedEarly(EndReason::Interrupted) => {
                messages.push(Message::new(Level::Info, "Done.\n"));
            }
            Outcome::EndedEarly(EndReason::LeftBehind) => {
                messages.extend(unfinished(segment, self.options.dialect));
            }
            Outcome::EndedEarly(EndReason::Failed | EndReason::Fuse(_))
            | Outcome::NotMeasured(_) => return messages,
        }
        messages.extend(self.figures(segment, span.opening));
        messages
    }

    fn figures(&self, segment: &Segment, opening: Duration) -> Vec<Message> {
        let mut messages = Vec::new();
        // The end of the run alone has it, not a checkpoint.
        if self.options.histogram && self.options.dialect == Dialect::V10 {
            messages.push(v10::histogram(segment));
        }
        messages.push(block(&self.options, segment, opening));
        if self.options.debug {
            messages.extend(debug::threads(segment));
        }
        messages
    }

    fn forced(&self) -> Message {
        let option = match self.options.dialect {
            Dialect::V04 => "--max-time",
            Dialect::V10 => "--time",
        };
        let grace = self.options.grace.unwrap_or_default();
        Message::new(
            Level::Fatal,
            format!(
                "Threads did not end within {grace} seconds after the {option} limit, forcing \
                 shutdown..."
            ),
        )
    }
}

/// Events that no figure has.
fn unfinished(segment: &Segment, dialect: Dialect) -> Option<Message> {
    let text = format!("Events begun and not finished: {}", segment.unfinished);
    (dialect == Dialect::V10 && segment.unfinished > 0).then(|| Message::new(Level::Notice, text))
}

/// The last line of a preparation.
fn written(prepared: Prepared) -> Message {
    let Prepared { bytes, took } = prepared;
    let text = if bytes == 0 {
        "No bytes written.".to_owned()
    } else {
        format!(
            "{bytes} bytes written in {:.2} seconds ({:.2} MiB/sec).",
            took.as_secs_f64(),
            mib_per_second(bytes, took)
        )
    };
    Message::new(Level::Notice, text)
}
