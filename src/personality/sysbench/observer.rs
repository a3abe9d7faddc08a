//! What sysbench prints on standard output while it runs.

use std::{
    io::{self, Write},
    time::Duration,
};

use super::{
    console::{Console, Level, Message},
    options::Options,
    text,
};
use crate::results::{Event, Observer};

/// The observer of a line. `prelude` are whole lines to be shown before the program's own first
/// one.
pub(super) fn observer(
    options: &Options,
    prelude: Vec<String>,
    console: Console,
) -> Box<dyn Observer> {
    Box::new(Watcher::new(options, prelude, console, io::stdout()))
}

/// Writes to standard output, or to a test's buffer. Where nothing more can be written the run goes
/// on, and what remains to be shown is dropped; only a reader who goes away is not missed at the end.
pub(super) struct Watcher<W> {
    options: Options,
    prelude: Vec<String>,
    console: Console,
    out: W,
    broken: bool,
    /// It was said that threads have started.
    started: bool,
}

impl<W: Write> Watcher<W> {
    pub(super) fn new(options: &Options, prelude: Vec<String>, console: Console, out: W) -> Self {
        Self {
            options: options.clone(),
            prelude,
            console,
            out,
            broken: false,
            started: false,
        }
    }

    /// The prelude's lines are warnings that carry their own prefix.
    fn begin(&mut self) -> Vec<Message> {
        let prelude = std::mem::take(&mut self.prelude).into_iter();
        prelude
            .map(|line| Message::verbatim(Level::Warning, line))
            .chain([text::header(self.options.dialect)])
            .collect()
    }

    /// With a warm-up the load begins before the measured time.
    fn start(&mut self) -> Vec<Message> {
        if std::mem::replace(&mut self.started, true) {
            return Vec::new();
        }
        vec![text::started(self.options.dialect)]
    }

    fn messages(&mut self, event: &Event<'_>) -> Vec<Message> {
        let dialect = self.options.dialect;
        match *event {
            Event::Begins => self.begin(),
            Event::SpanBegins { .. } => {
                self.started = false;
                text::start(&self.options)
            }
            Event::PreparationBegins => text::preparation(&self.options),
            Event::Preparing { label, kept, .. } => {
                text::preparing(label, kept, dialect).into_iter().collect()
            }
            Event::Kept { label } => text::kept(label, dialect).into_iter().collect(),
            Event::CleanupBegins => vec![text::cleanup()],
            Event::Opening { label } => vec![text::opening_file(label)],
            Event::TargetsOpen => text::initializing(dialect).into_iter().collect(),
            Event::WorkerCreated { worker } => vec![text::worker_created(worker)],
            Event::WorkerReady { worker } => vec![text::worker_ready(worker)],
            Event::Warmup { .. } | Event::Measuring { .. } => self.start(),
            Event::Request(asked) => vec![text::request(asked)],
            Event::Interval(figures) => vec![text::interval(figures, &self.options)],
            Event::Checkpoint(segment) => {
                let head = text::checkpoint(segment.to, dialect);
                // How long opening took is known when the run is over.
                vec![head, text::block(&self.options, segment, Duration::ZERO)]
            }
            Event::WorkerEnded { by, .. } => text::limit(by, dialect).into_iter().collect(),
            // Warnings and progress go to standard error, which is not this observer's. What ends
            // a run is the renderer's to say, which knows how it ended.
            _ => Vec::new(),
        }
    }
}

impl<W: Write> Observer for Watcher<W> {
    fn observe(&mut self, event: &Event<'_>) {
        if self.broken {
            return;
        }
        let messages = self.messages(event);
        if let Err(error) = self.console.say(&mut self.out, &messages) {
            self.broken = true;
            self.console.lose(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use super::{Console, Watcher};
    use crate::{
        personality::sysbench::testing::options_of,
        results::{Event, Observer},
    };

    struct Closed(usize);

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_pipe_is_tried_once() {
        let options = options_of("v10-run-rndrd");
        let console = Console::new(options.verbosity);
        let mut watcher = Watcher::new(&options, Vec::new(), console, Closed(0));
        watcher.observe(&Event::Begins);
        watcher.observe(&Event::SpanBegins { number: 1 });
        assert_eq!(watcher.out.0, 1);
    }
}
