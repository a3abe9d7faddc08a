//! What `DiskSpd` prints on standard output while it runs: dots (`-P`), stamped lines (`-v`), and
//! one line when a signal ends the run.

use std::{
    io::{self, Write},
    time::Duration,
};

use crate::{
    personality::diskspd::{
        profile::{Format, Profile},
        system,
    },
    results::{Event, Observer, wall_clock},
    units::ByteSize,
};

/// The observer that a profile asks for.
pub(super) fn observer(profile: &Profile) -> Box<dyn Observer> {
    Box::new(Watcher::new(profile, wall_clock, io::stdout()))
}

/// Writes to standard output, or to a test's buffer. A reader who goes away is not missed: the run
/// goes on, and what remains to be shown is dropped.
struct Watcher<W> {
    /// Completions of a thread for a dot; 0 prints none.
    completions_per_dot: u64,
    verbose: bool,
    /// A line for people does not belong before XML.
    announces_interruption: bool,
    now: fn() -> Duration,
    out: W,
    broken: bool,
    /// Dots of this time span so far.
    dots: u64,
    /// The last thing written was a dot.
    in_dots: bool,
}

impl<W: Write> Watcher<W> {
    fn new(profile: &Profile, now: fn() -> Duration, out: W) -> Self {
        Self {
            completions_per_dot: u64::from(profile.progress),
            verbose: profile.verbose,
            announces_interruption: profile.format == Format::Text,
            now,
            out,
            broken: false,
            dots: 0,
            in_dots: false,
        }
    }

    fn write(&mut self, text: &str) {
        if self.broken {
            return;
        }
        let written = self.out.write_all(text.as_bytes());
        self.broken = written.and_then(|()| self.out.flush()).is_err();
    }

    fn write_line(&mut self, line: &str) {
        let end_of_dots = if self.in_dots { "\n" } else { "" };
        self.in_dots = false;
        self.write(&format!("{end_of_dots}{line}\n"));
    }

    fn log(&mut self, line: &str) {
        if self.verbose {
            let now = system::log_time((self.now)());
            self.write_line(&format!("{now}: {line}"));
        }
    }

    /// Each thread brings a dot for every so many completions of its own.
    fn progress(&mut self, completions: &[u64]) {
        if self.completions_per_dot == 0 {
            return;
        }
        let due: u64 = completions
            .iter()
            .map(|count| count / self.completions_per_dot)
            .sum();
        let new = due.saturating_sub(self.dots);
        if new > 0 {
            self.dots = due;
            self.in_dots = true;
            self.write(&".".repeat(new as usize));
        }
    }
}

impl<W: Write> Observer for Watcher<W> {
    fn observe(&mut self, event: &Event<'_>) {
        match *event {
            Event::SpanBegins { number } => {
                self.dots = 0;
                self.log(&format!("time span {number}: begins"));
            }
            Event::Preparing { label, size, .. } => {
                self.log(&format!("creating '{label}' of {size} bytes"));
            }
            Event::Prepared { label, size, took } => self.log(&format!(
                "created '{label}' ({}) in {:.2}s",
                ByteSize(size),
                took.as_secs_f64()
            )),
            Event::WorkerCreated { worker } => self.log(&format!("thread {worker}: created")),
            Event::Warmup { length } => {
                self.log(&format!("warm up: {:.2}s", length.as_secs_f64()));
            }
            Event::Measuring {
                length: Some(length),
            } => self.log(&format!("measuring: {:.2}s", length.as_secs_f64())),
            Event::Measuring { length: None } => self.log("measuring"),
            Event::Measured { length } => {
                self.log(&format!("measured: {:.2}s", length.as_secs_f64()));
            }
            Event::Cooldown { length } => {
                self.log(&format!("cool down: {:.2}s", length.as_secs_f64()));
            }
            Event::SpanEnds { number } => self.log(&format!("time span {number}: ends")),
            Event::Interrupted if self.announces_interruption => {
                self.write_line("Interrupted by a signal: the run ends early.");
            }
            Event::Progress { completions } => self.progress(completions),
            // Warnings go to standard error, which is not this observer's.
            _ => {}
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
        personality::diskspd::{
            profile::{Format, Profile},
            testing::{profile, recorded},
        },
        results::{Event, Observer},
    };

    fn now() -> Duration {
        Duration::from_secs(1_796_068_145)
    }

    fn shown(profile: &Profile, events: &[Event<'_>]) -> String {
        let mut watcher = Watcher::new(profile, now, Vec::new());
        for event in events {
            watcher.observe(event);
        }
        String::from_utf8(watcher.out).unwrap()
    }

    fn dots(every: u32) -> Profile {
        Profile {
            progress: every,
            ..profile(Vec::new())
        }
    }

    #[test]
    fn each_thread_brings_its_own_dots() {
        let begin = Event::SpanBegins { number: 1 };
        let progress = |completions| Event::Progress { completions };
        // Twice 999 is no dot; 1000 and 2999 are three; the next time span counts anew.
        let events = [
            begin,
            progress(&[999, 999]),
            progress(&[1000, 2999]),
            progress(&[1000, 2999]),
            begin,
            progress(&[1000, 0]),
        ];
        assert_eq!(shown(&dots(1000), &events), "....");
        assert_eq!(shown(&dots(0), &events), "");
    }

    #[test]
    fn the_number_of_dots_and_the_missing_line_feed_are_those_of_the_record() {
        // r-P counted 58128 I/Os, which is 29 times 2000 and some: 29 dots, then the report.
        let record = recorded("r-P", "stdout");
        let total = shown(
            &dots(2000),
            &[Event::Progress {
                completions: &[58_128],
            }],
        );
        assert!(record.starts_with(&format!("{total}\nCommand Line:")));
    }

    #[test]
    fn verbose_lines_have_a_stamp_of_the_record_s_form() {
        let verbose = Profile {
            verbose: true,
            ..dots(10)
        };
        let events = [
            Event::Progress { completions: &[20] },
            Event::Measured {
                length: Duration::from_millis(1234),
            },
        ];
        assert_eq!(
            shown(&verbose, &events),
            "..\n2026-11-30T19:49:05: measured: 1.23s\n"
        );
        assert_eq!(shown(&dots(0), &events), "");
    }

    #[test]
    fn an_interruption_is_told_before_text_only() {
        let text = profile(Vec::new());
        assert_eq!(shown(&text, &[Event::Interrupted]).lines().count(), 1);
        let xml = Profile {
            format: Format::Xml,
            ..text
        };
        assert_eq!(shown(&xml, &[Event::Interrupted]), "");
    }

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
        let mut watcher = Watcher::new(&dots(1), now, Closed(0));
        watcher.observe(&Event::Progress { completions: &[1] });
        watcher.observe(&Event::Progress { completions: &[2] });
        assert_eq!(watcher.out.0, 1);
    }
}
