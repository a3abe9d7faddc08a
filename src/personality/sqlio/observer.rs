//! What SQLIO prints while it runs: the heading, the files as they are made, the end of the
//! initialization.

use std::{
    fs::File,
    io::{self, Write},
    sync::Arc,
};

use super::{
    load::Load,
    lost::Lost,
    text::{FileHead, INITIALIZED, heading},
};
use crate::results::{Event, Observer};

/// The observer of a load, to standard output or to the file in its place.
pub(super) fn observer(
    load: &Load,
    files: Vec<FileHead>,
    lost: Lost,
    output: Option<&Arc<File>>,
) -> Box<dyn Observer> {
    match output {
        Some(file) => Box::new(Watcher::new(load, files, lost, Arc::clone(file))),
        None => Box::new(Watcher::new(load, files, lost, io::stdout())),
    }
}

/// A reader who goes away is not missed: the run goes on, and what remains to be shown is dropped.
pub(super) struct Watcher<W: Write> {
    heading: String,
    files: Vec<FileHead>,
    /// Files of which everything was said.
    told: usize,
    /// A line waits for its end: a file is being made.
    in_line: bool,
    lost: Lost,
    out: W,
    broken: bool,
}

impl<W: Write> Watcher<W> {
    pub(super) fn new(load: &Load, files: Vec<FileHead>, lost: Lost, out: W) -> Self {
        Self {
            heading: heading(load),
            files,
            told: 0,
            in_line: false,
            lost,
            out,
            broken: false,
        }
    }

    fn write(&mut self, text: &str) {
        if self.broken {
            return;
        }
        let written = self.out.write_all(text.as_bytes());
        if let Err(error) = written.and_then(|()| self.out.flush()) {
            self.broken = true;
            self.lost.keep(error);
        }
    }

    /// The next file of that name. Those before it need nothing, and are told first: lines stand in
    /// the order of the files.
    fn next(&mut self, label: &str) -> Option<FileHead> {
        let waiting = self.files.get(self.told..)?;
        let at = waiting.iter().position(|file| file.label == label)?;
        let file = waiting.get(at).cloned();
        self.tell_until(self.told + at);
        file
    }

    fn tell_until(&mut self, end: usize) {
        let files = self.files.get(self.told..end).unwrap_or_default();
        let lines: String = files.iter().map(FileHead::ready).collect();
        self.told = end.max(self.told);
        self.write(&lines);
    }
}

impl<W: Write> Observer for Watcher<W> {
    fn observe(&mut self, event: &Event<'_>) {
        match *event {
            Event::Begins => {
                let heading = std::mem::take(&mut self.heading);
                self.write(&heading);
            }
            Event::Preparing { label, size, kept } => {
                if let Some(file) = self.next(label) {
                    self.in_line = true;
                    self.write(&file.growing(kept, size));
                }
            }
            Event::Prepared { label, .. } => {
                if let Some(file) = self.next(label) {
                    self.in_line = false;
                    self.told += 1;
                    self.write(&file.grown());
                }
            }
            Event::Kept { label } => {
                if let Some(file) = self.next(label) {
                    self.told += 1;
                    self.write(&file.ready());
                }
            }
            Event::SpanBegins { .. } => self.tell_until(self.files.len()),
            Event::Measuring { .. } => self.write(INITIALIZED),
            // Warnings and progress go to standard error, which is not this observer's.
            _ => {}
        }
    }
}

/// What comes after a file that could not be made begins on a line of its own.
impl<W: Write> Drop for Watcher<W> {
    fn drop(&mut self) {
        if self.in_line {
            self.write("\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{self, Write},
        time::Duration,
    };

    use super::Watcher;
    use crate::{
        personality::sqlio::{
            lost::Lost,
            testing::{around, load},
            text::{FileHead, Use},
        },
        results::{Event, Observer},
    };

    fn files() -> Vec<FileHead> {
        let file = |label: &str, usage| FileHead {
            label: label.to_owned(),
            usage,
        };
        vec![
            file("a", Use::Current { size: 5 << 20 }),
            file("b", Use::Specified { mib: 1 }),
            file("b", Use::Specified { mib: 2 }),
            file("c", Use::Current { size: 0 }),
        ]
    }

    fn shown(events: &[Event<'_>]) -> String {
        let mut out = Vec::new();
        let mut watcher = Watcher::new(
            &load("-frandom", &around()),
            files(),
            Lost::default(),
            &mut out,
        );
        for event in events {
            watcher.observe(event);
        }
        drop(watcher);
        String::from_utf8(out).unwrap()
    }

    const BEGIN: Event<'_> = Event::SpanBegins { number: 1 };
    const GROWS: Event<'_> = Event::Preparing {
        label: "b",
        size: 9,
        kept: 1,
    };

    #[test]
    fn files_stand_in_their_order() {
        let grown = Event::Prepared {
            label: "b",
            size: 9,
            took: Duration::ZERO,
        };
        let events = [GROWS, grown, Event::Kept { label: "b" }, BEGIN];
        assert_eq!(
            shown(&events),
            "using current size: 5 MB for file: a\n\
             size of file b needs to be: 10 bytes\ncurrent file size:\t1 bytes\n\
             need to expand by:\t9 bytes\nexpanding b ... done.\n\
             using specified size: 1 MB for file: b\n\
             using specified size: 2 MB for file: b\n\
             using current size: 0 MB for file: c\n"
        );
        // An engine that opens nothing makes no files.
        assert_eq!(shown(&[BEGIN]).lines().count(), 4);
    }

    #[test]
    fn a_file_that_could_not_be_made_ends_its_line() {
        assert!(shown(&[GROWS]).ends_with("\nexpanding b ...\n"));
    }

    struct Closed(usize, io::ErrorKind);

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            Err(self.1.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn shown_to(closed: &mut Closed) -> io::Result<()> {
        let lost = Lost::default();
        let mut watcher = Watcher::new(&load("", &around()), files(), lost.clone(), closed);
        watcher.observe(&Event::Begins);
        watcher.observe(&BEGIN);
        drop(watcher);
        lost.told()
    }

    #[test]
    fn a_closed_pipe_is_tried_once_and_a_full_disk_is_told() {
        let mut pipe = Closed(0, io::ErrorKind::BrokenPipe);
        assert!(shown_to(&mut pipe).is_ok());
        assert_eq!(pipe.0, 1);
        let mut disk = Closed(0, io::ErrorKind::StorageFull);
        let error = shown_to(&mut disk).unwrap_err();
        assert_eq!((disk.0, error.kind()), (1, io::ErrorKind::StorageFull));
    }
}
