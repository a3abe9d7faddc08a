//! What a person at standard error sees while files are made: a live line on a terminal, one line
//! per file elsewhere.

use std::io::{IsTerminal, Write};

use crate::{
    results::{Event, Observer, mib_per_second},
    units::ByteSize,
};

/// Tells of preparations; the load itself belongs to the personality's own observer.
#[derive(Debug)]
pub struct Progress<W> {
    out: W,
    live: bool,
    drawn: bool,
}

impl<W: Write + IsTerminal> Progress<W> {
    /// Writes to `out`, with a live line if that is a terminal.
    pub fn new(out: W) -> Self {
        let live = out.is_terminal();
        Self {
            out,
            live,
            drawn: false,
        }
    }
}

impl<W: Write> Observer for Progress<W> {
    fn observe(&mut self, event: &Event<'_>) {
        if let Some(text) = self.text(event) {
            // In one write, so that lines do not mix. Nothing can be done when standard error is
            // gone; the run goes on.
            let _ = self
                .out
                .write_all(text.as_bytes())
                .and_then(|()| self.out.flush());
        }
    }
}

impl<W> Progress<W> {
    /// What is to be shown of an event.
    fn text(&mut self, event: &Event<'_>) -> Option<String> {
        match event {
            Event::PrepareProgress { label, done, size } if self.live => {
                self.drawn = true;
                let percent = done * 100 / (*size).max(1);
                Some(format!(
                    "\r\x1b[Kmaking {label}: {percent} % of {}",
                    ByteSize(*size)
                ))
            }
            Event::Prepared { label, size, took } => {
                let clear = if std::mem::take(&mut self.drawn) {
                    "\r\x1b[K"
                } else {
                    ""
                };
                Some(format!(
                    "{clear}made {label}: {} in {:.2} s ({:.0} MiB/s), not part of the test\n",
                    ByteSize(*size),
                    took.as_secs_f64(),
                    mib_per_second(*size, *took)
                ))
            }
            Event::Interrupted if std::mem::take(&mut self.drawn) => Some("\n".to_owned()),
            Event::Warning { message } => Some(format!("{message}\n")),
            _ => None,
        }
    }
}

/// Two observers, one after the other.
pub struct Both(pub Box<dyn Observer>, pub Box<dyn Observer>);

impl Observer for Both {
    fn observe(&mut self, event: &Event<'_>) {
        self.0.observe(event);
        self.1.observe(event);
    }
}
